"""The rules as numbers and switches: every name of section 12, with its default, bounds and meaning."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any, cast

import param

from summon import turn
from summon.cards import CARDS
from summon.player import Player
from summon.quoting import quoted
from summon.turn import Setup

Changed = tuple[tuple[str, Any], ...]
"""Rules by what is changed in them: names of section 12 with their values, tuples for lists."""

LARGEST = 999
"""The largest number that a rule may have (section 12)."""


class WholeNumber(param.Integer):
    """A whole number of the rules; True and 1.0 are none."""

    def _validate(self, val: Any) -> None:
        low, high = cast("tuple[int, int]", self.bounds)
        if type(val) is not int or not low <= val <= high:
            raise ValueError(f"{self.name} is a whole number from {low} to {high}, not {quoted(val)}")


class WholeNumbers(param.Tuple):
    """Whole numbers of the rules, one for each tier or one each for unevolved and evolved."""

    __slots__ = ["bounds"]

    def __init__(self, default: tuple[int, ...], *, bounds: tuple[int, int], **params: Any) -> None:
        self.bounds = bounds
        super().__init__(default, length=len(default), **params)

    def _validate(self, val: Any) -> None:
        low, high = self.bounds
        if not isinstance(val, tuple) or len(val) != self.length:
            raise ValueError(f"{self.name} is a list of {self.length} whole numbers, not {quoted(val)}")
        if any(type(number) is not int or not low <= number <= high for number in val):
            raise ValueError(f"{self.name} has whole numbers from {low} to {high}, not {quoted(val)}")


class Switch(param.Boolean):
    """A rule question with two answers."""

    def _validate(self, val: Any) -> None:
        if type(val) is not bool:
            raise ValueError(f"{self.name} is true or false, not {quoted(val)}")


def _number(default: int, doc: str, low: int = 0, high: int = LARGEST) -> WholeNumber:
    return WholeNumber(default, bounds=(low, high), doc=doc)


def _numbers(*default: int, doc: str, low: int = 0, high: int = LARGEST) -> WholeNumbers:
    return WholeNumbers(default, bounds=(low, high), doc=doc)


class Rules(param.Parameterized):
    """The numbers and switches of a battle, at their defaults unless named: `Rules(base_health=7)`.

    Health and damage are whole numbers from 0 to 999, `…_turns` from 1 to 4; what says so is at least 1. Tuples go by
    tier, or are (unevolved, evolved). A number's documentation begins with the rule that it belongs to. Setting one out
    of its bounds or of the wrong type raises ValueError.
    """

    base_health = _number(5, "1.2: the health of an unevolved pet.", low=1)
    evolved_health = _number(10, "1.2: the health of an evolved pet.", low=1)
    streak_limit = _number(3, "2.5: on how many turns running one card may be chosen.", low=1)
    sacrifice_first_turn = _number(5, "2.6: the first turn on which Sacrifice may be chosen.", low=1)
    sacrifice_interval = _number(3, "2.6: turns from one Sacrifice to the next; 1 means no wait.", low=1)
    blind_interval = _number(3, "2.7: turns from one Blind to the next; 1 means no wait.", low=1)
    copycat_interval = _number(3, "2.7: turns from one Copycat to the next; 1 means no wait.", low=1)
    attack_damage = _numbers(1, 2, 3, doc="3.1: the damage of Attack, by tier.")
    attack_bonus_against_heal = _number(1, "3.1: what an attack gains against Heal.")
    heal_amount = _numbers(1, 2, 3, doc="3.2: the health that Heal restores, by tier.")
    counter_block = _numbers(1, 2, 2, doc="3.3: what Counter takes off an attack, by tier.")
    counter_return = _numbers(2, 2, 3, doc="3.3: the damage that Counter returns, by tier.")
    evolved_bonus = _number(1, "4.2: what evolution adds to direct damage.")
    shield_block = _number(1, "4.3: what Shield takes off a turn's direct damage.")
    shield_turns = _number(2, "4.3: on how many turns Shield holds, with the one played.", low=1, high=4)
    poison_damage = _number(1, "5.1: the damage of each tick of a dose.")
    poison_turns = _number(2, "5.1: on how many turns a dose ticks, with the one played.", low=1, high=4)
    hide_cost = _number(1, "6.4: the health that Hide costs; it needs more than that.")
    revive_health = _number(1, "6.5: the health that Revive returns with, at most the maximum.", low=1)
    refreshment_bonus = _number(1, "6.7: what Refreshment adds to the next card.")
    moss_heal = _numbers(2, 3, doc="7.1: the health that Root Guard restores.")
    moss_block = _numbers(1, 2, doc="7.1: what Root Guard takes off direct damage this turn.")
    ember_damage = _numbers(2, 3, doc="7.2: the damage of Flare, without the bonus of evolution (7.7).")
    bloom_damage = _numbers(1, 1, doc="7.3: the damage of each tick of Spore Burst.")
    bloom_turns = _numbers(3, 4, doc="7.3: on how many turns Spore Burst ticks.", low=1, high=4)
    tide_heal = _numbers(3, 4, doc="7.4: the health that Healing Wave restores.")
    pebble_block = _numbers(2, 3, doc="7.5: what Stone Wall takes off a turn's direct damage.")
    pebble_turns = _numbers(2, 2, doc="7.5: on how many turns Stone Wall holds.", low=1, high=4)
    spark_damage = _numbers(2, 3, doc="7.6: the damage of Flash Strike, without the bonus of evolution (7.7).")
    reserve_health = _number(0, "3.7: how much healing beyond the maximum is kept as white reserve.")
    counter_answers_sacrifice = Switch(False, doc="6.3: Counter blocks and returns against Sacrifice too.")
    sacrifice_stops_heal = Switch(False, doc="6.3: Sacrifice stops Heal and has Attack's bonus against it.")
    sacrifice_may_spend_last_health = Switch(True, doc="6.3: Sacrifice may cost all the health there is.")
    healing_saves_from_poison = Switch(False, doc="5.3: healing can save from a lethal tick.")
    shields_add_up = Switch(False, doc="4.4: overlapping Shields add up.")
    shield_and_wild_add_up = Switch(True, doc="4.5: Shield and a Wild's block add up; else the larger counts.")
    pending_revival_decides = Switch(
        True, doc="8.3: a pending revival decides when the other is beaten; else that is a draw at once."
    )

    @classmethod
    def names(cls) -> tuple[str, ...]:
        """The names of section 12, in the order above."""
        return tuple(name for name in cls.param if name != "name")

    @classmethod
    def rule_of(cls, name: str) -> str:
        """The number of the rule that a name belongs to."""
        return str(cls.param[name].doc).partition(":")[0]

    @classmethod
    def from_dict(cls, changed: Mapping[str, object]) -> Rules:
        """The rules with a record's `rules` changed; lists stand for tuples.

        Raises ValueError for an unknown name and for a value of the wrong type or out of its bounds.
        """
        return cls(**dict(changed_from_dict(changed)))

    def changed(self) -> Changed:
        """The names whose values differ from the defaults, with those values, in the order of `names`."""
        pairs = ((name, getattr(self, name)) for name in _DEFAULTS)
        return tuple((name, value) for name, value in pairs if value != _DEFAULTS[name])

    def to_dict(self) -> dict[str, object]:
        """What differs from the defaults, as a record has it."""
        return changed_to_dict(self.changed())

    def copy(self) -> Rules:
        """The same rules as an object of their own, which later changes here do not touch (1.6)."""
        return type(self)(**dict(self.changed()))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Rules) and self.changed() == other.changed()

    __hash__ = param.Parameterized.__hash__

    def setup(self, player: Player) -> Setup:
        """What these rules make of one side's pet, evolution, tiers and deck (1.6)."""
        return setup_of(self.changed(), player)


_PARAMETERS: dict[str, Any] = {name: Rules.param[name] for name in Rules.names()}
_DEFAULTS: dict[str, Any] = {name: parameter.default for name, parameter in _PARAMETERS.items()}


def changed_from_dict(told: Mapping[str, object]) -> Changed:
    """What a record's `rules` change; raises ValueError as `Rules.from_dict` does."""
    values: dict[str, object] = {}
    for name, value in told.items():
        if name not in _PARAMETERS:
            raise ValueError(f"there is no rule named {quoted(name)}")
        if isinstance(value, tuple):
            raise ValueError(f"{name} is a list of whole numbers, not {value!r}")
        values[name] = tuple(value) if isinstance(value, list) else value
        _PARAMETERS[name]._validate(values[name])
    return tuple((name, values[name]) for name in _DEFAULTS if name in values and values[name] != _DEFAULTS[name])


def changed_to_dict(changed: Changed) -> dict[str, object]:
    """Changed rules as a record's `rules` has them."""
    return {name: list(value) if isinstance(value, tuple) else value for name, value in changed}


def setup_of(changed: Changed, player: Player) -> Setup:
    """What the rules, given by what is changed in them, make of one side (1.6)."""
    return _setup(changed, player.pet, player.evolved, tuple(player.tiers.values()), player.cards)


@lru_cache(maxsize=1024)
def _setup(changed: Changed, pet: str, evolved: bool, tiers: tuple[int, ...], cards: tuple[str, ...]) -> Setup:
    rules = _DEFAULTS | dict(changed)
    attack, heal, counter = (tier - 1 for tier in tiers)
    stage = int(evolved)
    deck = 1 << turn.ATTACK | 1 << turn.HEAL | 1 << turn.COUNTER
    for name in cards:
        deck |= 1 << CARDS[name].code
    wild = dict.fromkeys(
        ("attacks", "heals", "blinds", "damage", "heal", "block", "block_turns", "poison", "poison_turns"), 0
    )
    match pet:
        case "moss":
            wild |= {"heals": 1, "heal": rules["moss_heal"][stage], "block": rules["moss_block"][stage]}
            wild["block_turns"] = 1
        case "ember":
            wild |= {"attacks": 1, "damage": rules["ember_damage"][stage]}
        case "bloom":
            wild |= {"poison": rules["bloom_damage"][stage], "poison_turns": rules["bloom_turns"][stage]}
        case "tide":
            wild |= {"heals": 1, "heal": rules["tide_heal"][stage]}
        case "pebble":
            wild |= {"block": rules["pebble_block"][stage], "block_turns": rules["pebble_turns"][stage]}
        case "spark":
            wild |= {"attacks": 1, "blinds": 1, "damage": rules["spark_damage"][stage]}
    chosen = {
        "top": rules["evolved_health"] if evolved else rules["base_health"],
        "deck": deck,
        "evolved_bonus": rules["evolved_bonus"] if evolved else 0,
        "attack_damage": rules["attack_damage"][attack],
        "heal_amount": rules["heal_amount"][heal],
        "counter_block": rules["counter_block"][counter],
        "counter_return": rules["counter_return"][counter],
    }
    chosen |= {f"wild_{name}": value for name, value in wild.items()}
    return Setup(**{name: int(chosen[name] if name in chosen else rules[name]) for name in Setup._fields})
