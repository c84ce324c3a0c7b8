"""Battles, fighters, records and cards as HTML where nothing is live: a picture, and beside it plain words.

It needs no script and no style, and all text is escaped. Nothing is told of a choice that is sealed (1.9).
"""

from __future__ import annotations

import json
from base64 import b64encode
from collections.abc import Iterable, Sequence
from functools import singledispatch

from summon import pictures, words
from summon.art.sheet import plain, said
from summon.battle import Battle, Fighter
from summon.cards import CARDS, STARTERS, Card
from summon.player import Player
from summon.record import Record, RecordError
from summon.rules import Rules, changed_to_dict, setup_of
from summon.statuses import statuses
from summon.transcript import pet_names
from summon.turn import Setup, Side
from summon.turn import start as at_the_start

NOTHING = "–"

MOST_TURNS = 40
"""Of a longer record the first turns are told, and how many more there are."""


@singledispatch
def html(shown: object) -> str:
    """The HTML of a battle, a fighter, a record or a card; TypeError for anything else."""
    raise TypeError(f"there is no picture of {type(shown).__name__}")


@html.register
def _battle(battle: Battle) -> str:
    position, players = battle.position, battle.players
    names = pet_names(players)
    rows = [
        (
            name,
            _health(setup, side),
            _statuses(setup, side, position.turn, name),
            ", ".join(_open(battle, number)) or NOTHING,
            _refused(battle, number),
        )
        for number, (name, setup, side) in enumerate(zip(names, position.setups, position.sides, strict=True))
    ]
    told = words.SHOWN
    heads = (told["pet"], told["health"], told["on_it"], told["may"], told["may_not"])
    return _image(pictures.moment(position, players)) + _paragraph(_where(battle, names)) + _table(heads, rows)


@html.register
def _fighter(fighter: Fighter) -> str:
    player, name = fighter.player(), words.PET_NAMES[fighter.player().pet_name]
    setup, side = _standing(fighter, player)
    told = words.SHOWN
    rows: list[tuple[str | list[str], ...]] = [
        (told["health"], _health(setup, side)),
        (told["on_it"], _statuses(setup, side, 0, name)),
        (told["deck"], _deck(player)),
    ]
    picture = _image(pictures.fighter(player, setup, side))
    return picture + ("" if fighter.max_health else _paragraph(told["before"])) + _table((), rows)


@html.register
def _record(record: Record) -> str:
    names, told = pet_names(record.players), words.SHOWN
    rounds, refused = [], ""
    try:
        for round_ in record.play():
            rounds.append(round_)
    except RecordError as error:
        refused = str(error)
    position = rounds[-1].after if rounds else record.opening()
    shown = pictures.reveal(rounds[-1], record.players) if rounds else pictures.moment(position, record.players)
    out = [_image(shown)]
    out.append(
        _table(
            (told["player"], told["pet"], told["deck"]),
            [(player.name, words.PET_NAMES[player.pet_name], _deck(player)) for player in record.players],
        )
    )
    if record.changed:
        rules = changed_to_dict(record.changed)
        out.append(
            _table(
                (told["changed"], told["value"], told["rule"]),
                [(name, json.dumps(value), Rules.rule_of(name)) for name, value in rules.items()],
            )
        )
    if record.start is not None:
        out.append(_paragraph(words.begins(record.start.turn)))
    if rounds:
        out.append(
            _table(
                (told["turn"], *names),
                [(str(round_.turn), *map(words.choice, round_.choices)) for round_ in rounds[:MOST_TURNS]],
            )
        )
    if len(rounds) > MOST_TURNS:
        out.append(_paragraph(words.more_turns(len(rounds) - MOST_TURNS)))
    out.append(_paragraph(refused or words.outcome(position.outcome, names)))
    return "".join(out)


@html.register
def _card(card: Card) -> str:
    told = words.SHOWN
    line = words.CARD_MEANINGS.get(card.name, told["wait"])
    rows = [(told["rule"], card.rule), (told["price"], _price(card))]
    return _image(pictures.card(card.name, line)) + _table((), rows)


def _price(card: Card) -> str:
    if card.name not in CARDS:
        return words.SHOWN["nobody"]
    return words.SHOWN["starter"] if card.is_starter else words.SHOWN["gold"].format(number=card.price)


def _standing(fighter: Fighter, player: Player) -> tuple[Setup, Side]:
    """How a fighter stands; one that is in no battle yet as it would begin one by the standard rules."""
    setup = setup_of((), player)
    if not fighter.max_health:
        return setup, at_the_start(setup)
    ahead = {
        f"{kind}_{place}": amount
        for kind in ("poison", "shield", "block")
        for place, amount in enumerate(getattr(fighter, kind), 1)
    }
    flags = {
        name: int(getattr(fighter, name)) for name in ("boosted", "blinded", "restricted", "wild_used", "revive_used")
    }
    ready = {f"{card}_ready": turn for card, turn in fighter.ready.items()}
    side = at_the_start(setup)._replace(health=fighter.health, reserve=fighter.reserve, **flags, **ready, **ahead)
    return setup._replace(top=fighter.max_health), side


def _where(battle: Battle, names: tuple[str, str]) -> str:
    """The turn and who has chosen, or how it ended."""
    if not battle.over:
        chosen = [words.has_chosen(name) for name, done in zip(names, battle.committed, strict=True) if done]
        return " ".join((words.PICTURE["turn"].format(turn=battle.turn) + ".", *chosen))
    if battle.outcome == "unfinished":
        return words.result_text("ended", battle.ended)
    left = f" {words.SHOWN['left']}" if battle.ended == "left" else ""
    return words.outcome(battle.outcome, names) + left


def _health(setup: Setup, side: Side) -> str:
    reserve = f" + {side.reserve} {words.SHOWN['reserve']}" if side.reserve else ""
    return f"{side.health} / {setup.top}{reserve}"


def _statuses(setup: Setup, side: Side, now: int, name: str) -> list[str]:
    return [f"{status.text} ({status.rule})" for status in statuses(setup, side, now, name)]


def _open(battle: Battle, side: int) -> list[str]:
    most = words.SHOWN["most"].format(number=battle.most(side))
    return [words.CARD_NAMES[card] + (most if card == "sacrifice" else "") for card in battle.legal(side)]


def _refused(battle: Battle, side: int) -> list[str]:
    """2.12: what of the deck may not be chosen, and why; a reason that several cards share is told once."""
    told: dict[tuple[str, str], list[str]] = {}
    for card in battle.players[side].deck:
        refused = battle.refusal(side, card)
        if refused is not None:
            told.setdefault((words.refusal(refused), refused.rule), []).append(words.CARD_NAMES[card])
    return [f"{', '.join(cards)}: {why} ({rule})" for (why, rule), cards in told.items()]


def _deck(player: Player) -> str:
    cards = [
        words.CARD_NAMES[card] + (f" {player.tiers[card]}" if card in STARTERS and player.tiers[card] > 1 else "")
        for card in player.deck
    ]
    return ", ".join(cards)


def _image(svg: str) -> str:
    """A picture that stays one where a page takes its drawing elements out; its words are its alternative text."""
    data = b64encode(svg.encode()).decode()
    return f'<img alt="{said(svg)}" style="max-width:100%" src="data:image/svg+xml;base64,{data}">'


def _paragraph(text: str) -> str:
    return f"<p>{plain(text)}</p>"


def _table(heads: Sequence[str], rows: Iterable[Sequence[str | list[str]]]) -> str:
    """A table of plain text, a cell of which may have several lines; the first cell of a row is its head."""
    head = f"<thead><tr>{''.join(_cell('th', name, 'col') for name in heads)}</tr></thead>" if heads else ""
    body = "".join(
        f"<tr>{_cell('th', row[0], 'row')}{''.join(_cell('td', cell) for cell in row[1:])}</tr>" for row in rows
    )
    return f"<table>{head}<tbody>{body}</tbody></table>"


def _cell(tag: str, told: str | list[str], scope: str = "") -> str:
    lines = [told] if isinstance(told, str) else told or [NOTHING]
    heads = f' scope="{scope}"' if scope else ""
    return f'<{tag}{heads} style="text-align:left;vertical-align:top">{"<br>".join(map(plain, lines))}</{tag}>'
