"""The history of a battle as pandas DataFrames: the round log, and the events with their rules.

The columns and their types are fixed and documented in `ROUND_COLUMNS` and `EVENT_COLUMNS`; a battle without rounds
gives the same columns without rows.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import pandas as pd

from summon import words
from summon.battle import Battle
from summon.cards import BY_CODE, PETS
from summon.events import Event, Kind, events
from summon.position import SIDES
from summon.transcript import pet_names

_SIDE = pd.CategoricalDtype(list(SIDES))
_CARD = pd.CategoricalDtype(list(BY_CODE))
_PET = pd.CategoricalDtype(list(PETS))
_KIND = pd.CategoricalDtype([str(kind) for kind in Kind])

ROUND_COLUMNS: Mapping[str, tuple[Any, str]] = {
    "turn": ("int32", "the turn's number (1.5)"),
    "side": (_SIDE, "whose row it is"),
    "pet": (_PET, "its pet, by the unevolved name (1.1)"),
    "evolved": ("bool", "whether its pet has evolved"),
    "card": (_CARD, "what it chose"),
    "amount": ("int16", "the health that a chosen Sacrifice was to cost, else 0 (2.6)"),
    "effect": (_CARD, "what took effect: of a copy the copied card, or copycat where it failed (6.10 to 6.12)"),
    "cost": ("int16", "health paid for Sacrifice or Hide (6.3, 6.4)"),
    "healed": ("int16", "health gained by healing or by Revive's return (3.2, 6.5)"),
    "dealt": ("int16", "direct damage sent, before the other's protection (4.1)"),
    "damage": ("int16", "direct damage taken after every reduction, not capped at the health left (4.3)"),
    "poison": ("int16", "poison that ticked, not capped at the health left (5.1)"),
    "health": ("int16", "health at the end of the turn"),
    "reserve": ("int16", "white reserve at the end of the turn (section 12)"),
}
"""The round log's columns: dtype and meaning. One row a side and turn, the first side first; amounts in health."""

EVENT_COLUMNS: Mapping[str, tuple[Any, str]] = {
    "turn": ("int32", "the turn's number (1.5)"),
    "place": ("int16", "its place in the turn, from 0, in the order of 8.1"),
    "side": (_SIDE, "the side whose effect it is"),
    "on": (_SIDE, "the side that it happened to"),
    "kind": (_KIND, "what kind of event it is (`summon.events.Kind`)"),
    "card": (_CARD, "the effect's card"),
    "number": ("int16", "how much health, 0 where the kind has no number"),
    "rule": ("str", "the number of the rule that caused it"),
    "because": ("str", "what the number is made of, by rule"),
    "text": ("str", "the event in a sentence"),
}
"""The columns of the events: dtype and meaning. One row an event, in order."""


def _frame(rows: Iterable[tuple[object, ...]], columns: Mapping[str, tuple[Any, str]]) -> pd.DataFrame:
    frame = pd.DataFrame(list(rows), columns=list(columns))
    return frame.astype({name: dtype for name, (dtype, _) in columns.items()})


def round_log(battle: Battle) -> pd.DataFrame:
    """The round log of a battle, with the columns of `ROUND_COLUMNS`."""

    def rows() -> Iterable[tuple[object, ...]]:
        for round_ in battle.rounds:
            for number, side in enumerate(SIDES):
                choice, share, after = round_.choices[number], round_.shares[number], round_.after.sides[number]
                player = battle.players[number]
                yield (
                    round_.turn,
                    side,
                    player.pet,
                    player.evolved,
                    choice.card,
                    choice.amount,
                    BY_CODE[share.effect],
                    share.cost,
                    share.healed + share.returned,
                    share.dealt,
                    share.taken,
                    share.tick,
                    after.health,
                    after.reserve,
                )

    return _frame(rows(), ROUND_COLUMNS)


def event_log(battle: Battle) -> pd.DataFrame:
    """The events of a battle, with the columns of `EVENT_COLUMNS`."""
    names = pet_names(battle.players)

    def row(place: int, event: Event) -> tuple[object, ...]:
        sides = (SIDES[event.side], SIDES[event.on])
        told = (words.because(event), words.sentence(event, names))
        return (event.turn, place, *sides, str(event.kind), event.card, event.number, event.rule, *told)

    rows = (row(place, event) for round_ in battle.rounds for place, event in enumerate(events(round_)))
    return _frame(rows, EVENT_COLUMNS)
