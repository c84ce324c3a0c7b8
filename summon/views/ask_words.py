"""What "ask the rules" says as markup. Every text in it is escaped; of what came from outside it holds names alone."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from html import escape
from typing import Any

from summon import pictures, rulebook, words
from summon.cards import BY_CODE
from summon.choices import Refusal
from summon.events import events
from summon.player import Player
from summon.position import SIDES, Position, Round
from summon.quoting import printable
from summon.record import RecordError
from summon.statuses import statuses
from summon.transcript import pet_names

WORDS: dict[str, Any] = words.ASK

LONGEST_NAME = 24
"""So many letters of a player's name are shown."""


def short(players: tuple[Player, Player]) -> tuple[Player, Player]:
    """The players with names that are not too long to be shown."""
    return (_short(players[0]), _short(players[1]))


def _short(player: Player) -> Player:
    name = printable(player.name[: LONGEST_NAME + 1])
    return replace(player, name=name if len(name) <= LONGEST_NAME else f"{name[: LONGEST_NAME - 1]}…")


def rule_html(number: str) -> str:
    """A rule's number, which opens its sentence in place."""
    label = escape(WORDS["rule"].format(number=number))
    text = escape(rulebook.rule(number).text)
    return f'<details class="rule"><summary aria-label="{label}">{escape(number)}</summary><q>{text}</q></details>'


def told_html(text: str, rules: Iterable[str]) -> str:
    """A sentence with the rules behind it."""
    return f"{escape(text)} " + " ".join(map(rule_html, dict.fromkeys(rules)))


def refusal_html(refused: Refusal, amount: int = 0) -> str:
    """Why a choice may not be made (2.12)."""
    return told_html(words.refusal(refused, amount), [refused.rule])


def standing(position: Position, players: tuple[Player, Player], side: int) -> str:
    """How much health a side has, in a few words."""
    state, top = position.sides[side], position.setups[side].top
    key = "standing_reserve" if state.reserve else "standing"
    told = {"pet": pet_names(players)[side], "health": state.health, "top": top, "reserve": state.reserve}
    return str(WORDS[key].format(**told))


def side_html(position: Position, players: tuple[Player, Player], side: int) -> str:
    """How a side stands: its health, and what is on it."""
    on_it = statuses(position.setups[side], position.sides[side], position.turn, pet_names(players)[side])
    items = "".join(f"<li>{told_html(status.text, [status.rule])}</li>" for status in on_it)
    head = f"<h4>{escape(standing(position, players, side))}</h4>"
    return head + (f"<ul>{items}</ul>" if items else "")


def played(round_: Round) -> str:
    """What both sides played in a turn, with what a copy became: `Copycat as Sacrifice against Sacrifice 2`."""
    told = []
    for choice, share in zip(round_.choices, round_.shares, strict=True):
        effect = BY_CODE[share.effect]
        copied = choice.card == "copycat" and effect != "copycat"
        name = words.choice(choice)
        told.append(WORDS["as_copy"].format(card=name, effect=words.CARD_NAMES[effect]) if copied else name)
    return str(WORDS["against"].format(first=told[0], second=told[1]))


def turn_html(round_: Round, players: tuple[Player, Player]) -> str:
    """A turn that was revealed: its picture, and each event with its rules."""
    names = pet_names(players)
    heading = WORDS["turn_heading"].format(turn=round_.turn, played=played(round_))
    items = "".join(
        f"<li>{told_html(words.explained(event, names), (event.rule, *(part.rule for part in event.parts)))}</li>"
        for event in events(round_)
    )
    after = WORDS["then"].format(standing=_both(round_.after, players))
    outcome = "" if round_.after.outcome == "unfinished" else f" <b>{outcome_html(round_.after.outcome, players)}</b>"
    return (
        f"<h4>{escape(heading)}</h4>{pictures.reveal(round_, players)}<ol>{items}</ol><p>{escape(after)}{outcome}</p>"
    )


def outcome_html(outcome: str, players: tuple[Player, Player]) -> str:
    """Who has won a battle that is over."""
    if outcome == "unfinished":
        return escape(WORDS["nobody"])
    return escape(words.outcome(outcome, pet_names(players)))


def _both(position: Position, players: tuple[Player, Player]) -> str:
    return ", ".join(standing(position, players, side) for side in (0, 1)) + "."


def forbidden_html(error: RecordError, players: tuple[Player, Player]) -> str:
    """Why a line cannot go on (2.12)."""
    who = pet_names(players)[SIDES.index(error.player or SIDES[0])]
    told = WORDS["forbidden"].format(turn=error.turn, pet=who, why=error.says)
    return f"<p>{told_html(told, [error.rule] if error.rule else [])}</p>"
