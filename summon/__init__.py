"""Summon: a battle game for two, as a playable rulebook.

What is here is loaded when it is first used, so that a command that only reads records loads neither Panel nor pandas.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from summon.battle import Battle, BattleError, Fighter, IllegalChoice
    from summon.cards import CARDS, PETS
    from summon.choices import Choice, Refusal
    from summon.events import Event
    from summon.history import event_log, round_log
    from summon.player import Player
    from summon.profile import Profile
    from summon.record import Record, RecordError, replay, situation
    from summon.rulebook import Rule, rule
    from summon.rules import Rules

_HOME = {
    "battle": ("Battle", "BattleError", "Fighter", "IllegalChoice"),
    "cards": ("CARDS", "PETS"),
    "choices": ("Choice", "Refusal"),
    "events": ("Event",),
    "history": ("event_log", "round_log"),
    "player": ("Player",),
    "profile": ("Profile",),
    "record": ("Record", "RecordError", "replay", "situation"),
    "rulebook": ("Rule", "rule"),
    "rules": ("Rules",),
}
_WHERE = {name: module for module, names in _HOME.items() for name in names}

__all__ = [
    "CARDS",
    "PETS",
    "Battle",
    "BattleError",
    "Choice",
    "Event",
    "Fighter",
    "IllegalChoice",
    "Player",
    "Profile",
    "Record",
    "RecordError",
    "Refusal",
    "Rule",
    "Rules",
    "event_log",
    "replay",
    "round_log",
    "rule",
    "situation",
]


def __getattr__(name: str) -> object:
    if name not in _WHERE:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(f"{__name__}.{_WHERE[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])
