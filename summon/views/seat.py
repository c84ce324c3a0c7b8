"""What one seat of a battle may see, as plain data for the board (1.9).

It is built on the server for that seat. Of the other side it holds what was revealed or follows from it, and whether it
has chosen, never what.
"""

from __future__ import annotations

from typing import Any

from summon import words
from summon.battle import Battle
from summon.cards import BY_CODE, CARDS
from summon.choices import Choice, Refusal
from summon.events import Event, events
from summon.position import SIDES, Round
from summon.statuses import statuses


def seat_view(
    battle: Battle,
    side: int,
    *,
    battle_id: str = "",
    locked: Choice | None = None,
    names: tuple[str, str] | None = None,
    gold: int | None = None,
    home: bool = False,
    watch: dict[str, Any] | None = None,
    friend: dict[str, bool] | None = None,
    lesson: dict[str, Any] | None = None,
) -> dict[str, Any]:
    """The board's state for a side (0 or 1).

    `locked` is that side's own choice where it has committed one; `names` is what the two pets are called in sentences,
    the seat's own first (by their names by default). `gold` is what was paid to it (9.1), `home` whether there is a
    way back, and `watch` stands for the hand where the battle is only watched: `more` turns or not, and a `text`.
    `friend` says of a friend whether they are `here` and `wants` another battle, and whether this side has that `wish`;
    it is None against the computer. `lesson` is what the coach of a first battle says and points at; while it teaches a
    `card`, every other one is off for that reason.
    """
    called = names or seat_names(battle, side)
    return {
        "battle": battle_id,
        "turn": battle.turn,
        "you": _fighter(battle, side, called[0], "You"),
        "rival": _fighter(battle, 1 - side, called[1], "Rival" if friend is None else "Friend"),
        "hand": [] if watch else _hand(battle, side, lesson["card"] if lesson else None),
        "wait": None if watch else _wait(battle, side),
        "locked": None if locked is None else {"card": locked.card, "amount": locked.amount or None},
        "rival_ready": battle.committed[1 - side],
        "take_back": battle.committed == ((True, False) if side == 0 else (False, True)),
        "last": None if battle.last is None else _round(battle.last, side, called),
        "over": _over(battle, side, called, gold, friend is not None),
        "home": home,
        "watch": watch,
        "friend": friend,
        "lesson": lesson,
    }


def seat_names(battle: Battle, side: int) -> tuple[str, str]:
    """What the pets are called in a seat's sentences, its own first: by their names, as nobody else has one (11.6)."""
    mine, other = (words.PET_NAMES[battle.players[number].pet_name] for number in (side, 1 - side))
    return (mine, other) if mine != other else (f"your {mine}", f"the other {other}")


def friend_names(battle: Battle, side: int) -> tuple[str, str]:
    """11.6: what the pets of two friends are called in a seat's sentences, its own first."""
    mine, other = (words.PET_NAMES[battle.players[number].pet_name] for number in (side, 1 - side))
    return (f"your {mine}", f"your friend's {other}")


def round_lines(battle: Battle, side: int, names: tuple[str, str] | None = None) -> list[dict[str, Any]]:
    """Every round so far in sentences, oldest first, for the round log of a seat; `names` as for `seat_view`."""
    called = names or seat_names(battle, side)
    return [
        {
            "turn": round_.turn,
            "played": words.played([_played(round_, number) for number in (side, 1 - side)], called),
            "lines": [_line(event, side, called) for event in events(round_)],
        }
        for round_ in battle.rounds
    ]


def _by_side(side: int, called: tuple[str, str]) -> tuple[str, str]:
    """The names in the order of the sides, from those of a seat."""
    return called if side == 0 else (called[1], called[0])


def _line(event: Event, side: int, called: tuple[str, str]) -> dict[str, Any]:
    return {
        "text": words.explained(event, _by_side(side, called)),
        "rule": event.rule,
    }


def _fighter(battle: Battle, side: int, called: str, who: str) -> dict[str, Any]:
    player, fighter, position = battle.players[side], battle.fighters[side], battle.position
    shown = statuses(position.setups[side], position.sides[side], position.turn, called)
    return {
        "pet": player.pet_name,
        "family": player.pet,
        "name": words.PET_NAMES[player.pet_name],
        "who": who,
        "health": fighter.health,
        "max": fighter.max_health,
        "reserve": fighter.reserve,
        "reserve_max": position.setups[side].reserve_health,
        "statuses": [status._asdict() for status in shown],
    }


def _hand(battle: Battle, side: int, taught: str | None) -> list[dict[str, Any]]:
    return [_card(battle, side, card, taught) for card in battle.players[side].deck]


def _card(battle: Battle, side: int, card: str, taught: str | None) -> dict[str, Any]:
    player, setup = battle.players[side], battle.position.setups[side]
    boosted = battle.fighters[side].boosted
    refused = battle.refusal(side, card)
    most = battle.most(side)
    return {
        "card": card,
        "name": words.CARD_NAMES[card],
        "line": words.card_line(card, setup, boosted),
        "rule": player.kind.rule if card == "wild" else CARDS[card].rule,
        "tier": player.tiers.get(card, 0),
        "now": words.card_numbers(card, setup, boosted),
        "off": _later(card, taught) if refused is None else _off(refused, battle.turn),
        "amounts": [1, most] if card == "sacrifice" and most > 0 else None,
    }


def _off(refused: Refusal, now: int) -> dict[str, str]:
    badge, icon = words.badge(refused, now)
    return {"badge": badge, "icon": icon, "text": words.refusal(refused), "rule": refused.rule}


def _later(card: str, taught: str | None) -> dict[str, str] | None:
    """Why a card is off for a lesson, which no rule says; None where it is not."""
    if taught is None or card == taught:
        return None
    return {"badge": words.LESSON["badge"], "icon": "clock", "text": words.lesson_soon(card, taught), "rule": ""}


def _wait(battle: Battle, side: int) -> dict[str, str] | None:
    """Why this side can only Wait, where it can do nothing else (2.1 to 2.3)."""
    if battle.legal(side) != ["wait"]:
        return None
    refused = battle.refusal(side, "attack")
    return None if refused is None else {"text": words.refusal(refused), "rule": refused.rule}


def _round(round_: Round, side: int, called: tuple[str, str]) -> dict[str, Any]:
    sides = {"you": side, "rival": 1 - side}
    before = round_.before.sides
    return {
        "turn": round_.turn,
        **{seat: _played(round_, number) for seat, number in sides.items()},
        "before": {
            seat: {"health": before[number].health, "reserve": before[number].reserve} for seat, number in sides.items()
        },
        "steps": [_step(event, side, called) for event in events(round_)],
    }


def _played(round_: Round, side: int) -> dict[str, Any]:
    choice = round_.choices[side]
    return {
        "card": choice.card,
        "name": words.CARD_NAMES[choice.card],
        "amount": choice.amount or None,
        "effect": BY_CODE[round_.shares[side].effect],
    }


_LOSSES = ("cost", "hit", "poison")
_GAINS = ("return", "heal", "reserve")


def _step(event: Event, side: int, called: tuple[str, str]) -> dict[str, Any]:
    kind = str(event.kind)
    number = -event.number if kind in _LOSSES else event.number if kind in _GAINS else None
    if event.rule == "5.6":
        number = None  # it ticks, and takes nothing
    seats = ("you", "rival") if side == 0 else ("rival", "you")
    return {
        "kind": kind,
        "card": event.card,
        "side": seats[event.side],
        "on": seats[event.on],
        "number": number,
        "strength": event.number if kind in ("protect", "dose") else None,
        "word": words.event_word(event),
        "health": dict(zip(seats, event.health, strict=True)),
        "reserve": dict(zip(seats, event.reserve, strict=True)),
        **_line(event, side, called),
    }


def _over(battle: Battle, side: int, called: tuple[str, str], gold: int | None, friend: bool) -> dict[str, Any] | None:
    if not battle.over:
        return None
    result = {SIDES[side]: "win", SIDES[1 - side]: "loss", "draw": "draw"}.get(battle.outcome, "ended")
    upset = battle.players[1 - side].evolved and not battle.players[side].evolved
    return {
        "result": result,
        "title": words.result_title(result, *called),
        "text": words.result_text(result, battle.ended, friend, upset),
        "gold": gold or None,
    }
