"""The rules as numbers and switches: names, defaults, bounds, and what they make of a player."""

from dataclasses import replace
from decimal import Decimal
from typing import Any

import numpy as np
import pytest

from summon import rulebook
from summon.battle import Battle, Fighter
from summon.player import Player
from summon.record import FORMAT, Record, replay
from summon.rules import Rules, setup_of
from summon.turn import Setup

TABLE: dict[str, tuple[str, Any]] = {
    "base_health": ("1.2", 5),
    "evolved_health": ("1.2", 10),
    "evolved_bonus": ("4.2", 1),
    "streak_limit": ("2.5", 3),
    "attack_damage": ("3.1", (1, 2, 3)),
    "attack_bonus_against_heal": ("3.1", 1),
    "heal_amount": ("3.2", (1, 2, 3)),
    "counter_block": ("3.3", (1, 2, 2)),
    "counter_return": ("3.3", (2, 2, 3)),
    "shield_block": ("4.3", 1),
    "shield_turns": ("4.3", 2),
    "poison_damage": ("5.1", 1),
    "poison_turns": ("5.1", 2),
    "sacrifice_first_turn": ("2.6", 5),
    "sacrifice_interval": ("2.6", 3),
    "blind_interval": ("2.7", 3),
    "copycat_interval": ("2.7", 3),
    "hide_cost": ("6.4", 1),
    "revive_health": ("6.5", 1),
    "refreshment_bonus": ("6.7", 1),
    "moss_heal": ("7.1", (2, 3)),
    "moss_block": ("7.1", (1, 2)),
    "ember_damage": ("7.2", (2, 3)),
    "bloom_damage": ("7.3", (1, 1)),
    "bloom_turns": ("7.3", (3, 4)),
    "tide_heal": ("7.4", (3, 4)),
    "pebble_block": ("7.5", (2, 3)),
    "pebble_turns": ("7.5", (2, 2)),
    "spark_damage": ("7.6", (2, 3)),
    "counter_answers_sacrifice": ("6.3", False),
    "sacrifice_stops_heal": ("6.3", False),
    "sacrifice_may_spend_last_health": ("6.3", True),
    "healing_saves_from_poison": ("5.3", False),
    "shields_add_up": ("4.4", False),
    "shield_and_wild_add_up": ("4.5", True),
    "pending_revival_decides": ("8.3", True),
    "reserve_health": ("3.7", 0),
}
"""Section 12 of the rulebook: every name with the rule that it belongs to and its default."""

AT_LEAST_1 = {
    "base_health",
    "evolved_health",
    "streak_limit",
    "sacrifice_first_turn",
    "sacrifice_interval",
    "blind_interval",
    "copycat_interval",
    "revive_health",
}

DEFAULTS = {name: default for name, (_, default) in TABLE.items()}
NUMBERS = [name for name, default in DEFAULTS.items() if type(default) is int]
LISTS = [name for name, default in DEFAULTS.items() if type(default) is tuple]
SWITCHES = [name for name, default in DEFAULTS.items() if type(default) is bool]

NO_NUMBERS = [
    True,
    False,
    1.0,
    float("nan"),
    Decimal(1),
    np.int64(1),
    np.float64(1),
    np.bool_(True),
    "1",
    None,
    [1],
    (1,),
]
NO_SWITCHES = [0, 1, 1.0, np.bool_(True), "true", "", None, [], [True]]


def bounds(name: str) -> tuple[int, int]:
    """The least and the greatest that section 12 allows."""
    if name.endswith("_turns"):
        return (1, 4)
    return (1 if name in AT_LEAST_1 else 0, 999)


def with_each(name: str, number: Any) -> list[tuple[Any, ...]]:
    """The default of a list with one of its numbers replaced, at each place."""
    default = DEFAULTS[name]
    return [(*default[:place], number, *default[place + 1 :]) for place in range(len(default))]


# Names, defaults and documentation


def test_the_names_are_those_of_section_12():
    assert sorted(Rules.names()) == sorted(TABLE)


def test_the_defaults_are_those_of_section_12():
    assert {name: getattr(Rules(), name) for name in Rules.names()} == DEFAULTS


@pytest.mark.parametrize("name", TABLE)
def test_a_name_belongs_to_its_rule_and_says_so(name):
    number, _ = TABLE[name]
    assert Rules.rule_of(name) == number
    assert number in rulebook.rules()
    doc = Rules.param[name].doc
    assert doc.startswith(f"{number}: ") and doc.endswith(".") and "\n" not in doc


@pytest.mark.parametrize("name", ["", "nonsense", "Base_health", "name", "param", "__class__"])
def test_an_unknown_name_is_refused(name):
    with pytest.raises(ValueError, match=f"there is no rule named {name!r}"):
        Rules.from_dict({name: 1})


def test_an_unknown_name_is_refused_among_known_ones():
    with pytest.raises(ValueError, match="nonsense"):
        Rules.from_dict({"base_health": 7, "nonsense": 1})
    with pytest.raises(TypeError, match="nonsense"):
        Rules(nonsense=1)


# Bounds and types


@pytest.mark.parametrize("name", NUMBERS)
def test_a_number_goes_from_its_least_to_its_greatest(name):
    low, high = bounds(name)
    for number in (low, high):
        assert getattr(Rules(**{name: number}), name) == number
        assert Rules.from_dict({name: number}).changed() in (((name, number),), ())


@pytest.mark.parametrize("name", NUMBERS)
def test_a_number_out_of_its_bounds_is_refused_with_name_and_bounds(name):
    low, high = bounds(name)
    for number in (low - 1, high + 1, -999):
        with pytest.raises(ValueError, match=f"^{name} .* from {low} to {high}, not {number}$"):
            Rules(**{name: number})
        with pytest.raises(ValueError, match=f"^{name} .* from {low} to {high}, not {number}$"):
            Rules.from_dict({name: number})


def test_a_very_long_value_is_refused_in_a_short_message():
    for name, value in (("base_health", 10**100), ("base_health", "7" * 1000), ("moss_heal", (10**100, 1))):
        with pytest.raises(ValueError, match=f"^{name} .* from [01] to 999, not ") as caught:
            Rules(**{name: value})
        assert len(str(caught.value)) < 150


@pytest.mark.parametrize("value", NO_NUMBERS, ids=repr)
@pytest.mark.parametrize("name", NUMBERS)
def test_what_is_no_whole_number_is_refused_with_the_name(name, value):
    with pytest.raises(ValueError, match=f"^{name} "):
        Rules(**{name: value})
    with pytest.raises(ValueError, match=f"^{name} "):
        Rules.from_dict({name: value})


@pytest.mark.parametrize("name", LISTS)
def test_each_number_of_a_list_goes_from_its_least_to_its_greatest(name):
    low, high = bounds(name)
    for value in with_each(name, low) + with_each(name, high):
        assert getattr(Rules(**{name: value}), name) == value
        assert getattr(Rules.from_dict({name: list(value)}), name) == value


@pytest.mark.parametrize("name", LISTS)
def test_a_number_of_a_list_out_of_its_bounds_is_refused_with_name_and_bounds(name):
    low, high = bounds(name)
    for number in (low - 1, high + 1):
        for value in with_each(name, number):
            with pytest.raises(ValueError, match=f"^{name} .* from {low} to {high}, not "):
                Rules(**{name: value})
            with pytest.raises(ValueError, match=f"^{name} .* from {low} to {high}, not "):
                Rules.from_dict({name: list(value)})


@pytest.mark.parametrize("value", NO_NUMBERS, ids=repr)
@pytest.mark.parametrize("name", LISTS)
def test_what_is_no_whole_number_is_refused_in_a_list(name, value):
    for spoiled in with_each(name, value):
        with pytest.raises(ValueError, match=f"^{name} "):
            Rules(**{name: spoiled})
        with pytest.raises(ValueError, match=f"^{name} "):
            Rules.from_dict({name: list(spoiled)})


@pytest.mark.parametrize("name", LISTS)
def test_a_list_has_the_right_length(name):
    default = DEFAULTS[name]
    for value in ((), default[:-1], (*default, 1), default * 400):
        with pytest.raises(ValueError, match=f"^{name} is a list of {len(default)} whole numbers, "):
            Rules(**{name: value})
        with pytest.raises(ValueError, match=f"^{name} is a list of {len(default)} whole numbers, "):
            Rules.from_dict({name: list(value)})


@pytest.mark.parametrize("name", LISTS)
def test_what_is_no_list_is_refused(name):
    for value in (1, None, True, "123", {1: 1, 2: 2, 3: 3}, {1, 2, 3}, np.array(DEFAULTS[name])):
        with pytest.raises(ValueError, match=f"^{name} is a list of "):
            Rules(**{name: value})
        with pytest.raises(ValueError, match=f"^{name} is a list of "):
            Rules.from_dict({name: value})


@pytest.mark.parametrize("name", LISTS)
def test_a_record_has_lists_and_rules_have_tuples(name):
    with pytest.raises(ValueError, match=f"^{name} is a list of "):
        Rules.from_dict({name: DEFAULTS[name]})
    with pytest.raises(ValueError, match=f"^{name} is a list of "):
        Rules(**{name: list(DEFAULTS[name])})


@pytest.mark.parametrize("name", SWITCHES)
def test_a_switch_is_true_or_false(name):
    for answer in (True, False):
        assert getattr(Rules(**{name: answer}), name) is answer
        assert getattr(Rules.from_dict({name: answer}), name) is answer
    for value in NO_SWITCHES:
        with pytest.raises(ValueError, match=f"^{name} is true or false, not "):
            Rules(**{name: value})
        with pytest.raises(ValueError, match=f"^{name} is true or false, not "):
            Rules.from_dict({name: value})


@pytest.mark.parametrize(
    ("name", "value"),
    [("base_health", 0), ("bloom_turns", (3, 5)), ("attack_damage", [1, 2, 3]), ("shields_add_up", 1)],
)
def test_a_refused_value_changes_nothing(name, value):
    rules = Rules(poison_damage=2)
    with pytest.raises(ValueError, match=f"^{name} "):
        setattr(rules, name, value)
    assert rules == Rules(poison_damage=2)


# In and out


CHANGED = {"shields_add_up": True, "attack_damage": [2, 2, 3], "base_health": 7}


def test_only_what_differs_is_written_in_the_order_of_the_names():
    rules = Rules.from_dict(CHANGED)
    assert rules.to_dict() == CHANGED
    assert list(rules.to_dict()) == [name for name in Rules.names() if name in CHANGED]
    assert rules.changed() == (("base_health", 7), ("attack_damage", (2, 2, 3)), ("shields_add_up", True))


def test_the_defaults_are_not_written():
    told = {name: list(value) if isinstance(value, tuple) else value for name, value in DEFAULTS.items()}
    assert Rules.from_dict(told).to_dict() == {}
    assert Rules.from_dict({}).changed() == Rules().changed() == ()


def test_what_was_read_or_written_is_not_shared():
    told = {"attack_damage": [2, 2, 3]}
    rules = Rules.from_dict(told)
    told["attack_damage"][0] = 9
    written: Any = rules.to_dict()
    written["attack_damage"][1] = 9
    assert rules == Rules(attack_damage=(2, 2, 3))


def test_a_copy_is_the_same_and_goes_its_own_way():
    rules = Rules.from_dict(CHANGED)
    copied = rules.copy()
    assert copied == rules and copied is not rules
    rules.base_health = 8
    copied.poison_turns = 4
    assert copied.to_dict() == {**CHANGED, "poison_turns": 4}
    assert rules.to_dict() == {**CHANGED, "base_health": 8}


def test_one_rules_object_does_not_change_another():
    changed = Rules()
    changed.base_health = 7
    assert Rules().base_health == Rules.base_health == 5


def test_rules_are_equal_by_their_values():
    assert Rules() == Rules() == Rules(base_health=5)
    assert Rules(base_health=7) == Rules.from_dict({"base_health": 7})
    assert Rules(base_health=7) != Rules()
    assert Rules(shield_block=2) != Rules(poison_damage=2)
    assert Rules() != {} and Rules() != () and Rules() != "rules"


# What they make of a player


PLAIN = Player("somebody", "moss")


@pytest.mark.rule("1.2")
def test_health_goes_by_evolution():
    rules = Rules(base_health=7, evolved_health=20)
    assert [rules.setup(replace(PLAIN, evolved=evolved)).top for evolved in (False, True)] == [7, 20]


@pytest.mark.rule("4.2")
def test_the_bonus_of_evolution_is_an_evolved_pets_alone():
    rules = Rules(evolved_bonus=4)
    assert [rules.setup(replace(PLAIN, evolved=evolved)).evolved_bonus for evolved in (False, True)] == [0, 4]


@pytest.mark.rule("3.1", "3.2", "3.3")
@pytest.mark.parametrize("starter", ["attack", "heal", "counter"])
@pytest.mark.parametrize("tier", [1, 2, 3])
def test_each_starter_goes_by_its_own_tier(starter, tier):
    rules = Rules(
        attack_damage=(11, 12, 13), heal_amount=(21, 22, 23), counter_block=(31, 32, 33), counter_return=(41, 42, 43)
    )
    setup = rules.setup(replace(PLAIN, tiers={starter: tier}))
    tiers = {"attack": 1, "heal": 1, "counter": 1} | {starter: tier}
    assert setup.attack_damage == 10 + tiers["attack"]
    assert setup.heal_amount == 20 + tiers["heal"]
    assert (setup.counter_block, setup.counter_return) == (30 + tiers["counter"], 40 + tiers["counter"])


WILDS: dict[str, dict[str, tuple[int, int]]] = {
    "moss": {"wild_heals": (1, 1), "wild_heal": (11, 12), "wild_block": (13, 14), "wild_block_turns": (1, 1)},
    "ember": {"wild_attacks": (1, 1), "wild_damage": (21, 22)},
    "bloom": {"wild_poison": (31, 32), "wild_poison_turns": (1, 2)},
    "tide": {"wild_heals": (1, 1), "wild_heal": (41, 42)},
    "pebble": {"wild_block": (51, 52), "wild_block_turns": (3, 4)},
    "spark": {"wild_attacks": (1, 1), "wild_blinds": (1, 1), "wild_damage": (61, 62)},
}
"""What each pet's Wild comes to under the rules of the next test, unevolved and evolved; 0 for what is not named."""


@pytest.mark.rule("7.1", "7.2", "7.3", "7.4", "7.5", "7.6")
@pytest.mark.parametrize("pet", WILDS)
@pytest.mark.parametrize("evolved", [False, True])
def test_each_wild_goes_by_pet_and_evolution(pet, evolved):
    rules = Rules(
        moss_heal=(11, 12),
        moss_block=(13, 14),
        ember_damage=(21, 22),
        bloom_damage=(31, 32),
        bloom_turns=(1, 2),
        tide_heal=(41, 42),
        pebble_block=(51, 52),
        pebble_turns=(3, 4),
        spark_damage=(61, 62),
    )
    setup = rules.setup(replace(PLAIN, pet=pet, evolved=evolved))._asdict()
    named = {name: pair[evolved] for name, pair in WILDS[pet].items()}
    assert {name: setup[name] for name in Setup._fields if name.startswith("wild_")} == {
        name: named.get(name, 0) for name in Setup._fields if name.startswith("wild_")
    }


@pytest.mark.parametrize("name", [name for name in (*NUMBERS, *SWITCHES) if name in Setup._fields])
def test_a_number_or_switch_for_everybody_is_taken_as_it_is(name):
    value = 4 if name in NUMBERS else not DEFAULTS[name]
    assert getattr(Rules(**{name: value}).setup(replace(PLAIN, evolved=True)), name) == value


def test_every_number_and_switch_reaches_a_player():
    everybody = {"base_health", "evolved_health"}
    assert set(NUMBERS + SWITCHES) - everybody <= set(Setup._fields)
    assert all(type(value) is int for value in Rules().setup(PLAIN))


def test_a_setup_by_what_is_changed_is_the_same():
    rules = Rules.from_dict(CHANGED)
    assert rules.setup(PLAIN) == setup_of(rules.changed(), PLAIN)
    assert rules.setup(PLAIN) != Rules().setup(PLAIN)


def test_a_setup_is_not_kept_when_the_rules_change():
    rules = Rules()
    before = rules.setup(PLAIN)
    rules.base_health = 9
    assert (before.top, rules.setup(PLAIN).top) == (5, 9)


# What a battle keeps of them


@pytest.mark.rule("1.6")
def test_a_battle_under_way_keeps_the_rules_it_began_with():
    rules = Rules(attack_damage=(2, 2, 3))
    battle = Battle(Fighter("moss"), Fighter("ember"), rules=rules)
    battle.play("attack", "counter")
    rules.param.update(attack_damage=(9, 9, 9), counter_return=(9, 9, 9), streak_limit=1, base_health=1)
    assert battle.legal("first") == ["attack", "counter", "heal"]
    battle.play("attack", "counter")
    assert (battle.first.health, battle.second.health) == (5 - 2 - 2, 5 - 1 - 1)
    assert battle.to_record().rules == battle.fork(2).rules == Rules(attack_damage=(2, 2, 3))


@pytest.mark.rule("1.6")
def test_battles_of_one_rules_object_each_keep_what_it_said_then():
    rules = Rules()
    healths = []
    for health in (3, 4):
        rules.base_health = health
        healths.append(Battle(Fighter("moss"), Fighter("ember"), rules=rules))
    assert [battle.first.max_health for battle in healths] == [3, 4]


@pytest.mark.rule("1.6")
def test_a_record_keeps_its_rules():
    told = {"format": FORMAT, "players": [{"pet": "moss"}, {"pet": "ember"}], "rules": {"base_health": 7}}
    record = Record.from_dict(told)
    told["rules"] = {}
    record.rules.base_health = 9
    assert record.rules == Rules(base_health=7)
    assert replay(record)["start"]["health"] == [7, 7]
