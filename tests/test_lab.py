"""The lab's model: a match-up, two sets of rules, and the link that tells them."""

from urllib.parse import parse_qsl, urlencode

import pytest

from summon import lab
from summon.cards import MARKET
from summon.lab import BATTLES, LONGEST_LINK, Lab, LinkError
from summon.player import Player
from summon.record import Record
from summon.rules import LARGEST, Rules


def full() -> Lab:
    """A lab in which all is as long as it can be."""
    made = Lab(compared=True, battles=1_000_000, seed=lab.LARGEST_SEED)
    for corner in (made.first, made.second):
        corner.param.update(pet="pebble", evolved=True, attack=3, heal=2, counter=3, cards=list(MARKET[:7]))
    for rules in (made.rules, made.others):
        for name in Rules.names():
            default = Rules.param[name].default
            if isinstance(default, bool):
                value = not default
            elif isinstance(default, tuple):
                value = tuple(min(LARGEST, Rules.param[name].bounds[1]) for _ in default)
            else:
                value = min(LARGEST, Rules.param[name].bounds[1])
            rules.param.update(**{name: value})
    return made


def again(made: Lab) -> Lab:
    """The lab of the link of a lab."""
    return Lab.from_query(dict(parse_qsl(urlencode(made.query()))))


@pytest.mark.parametrize("made", [Lab(), full(), Lab(battles=10_000, seed=7)], ids=["plain", "full", "numbers"])
def test_a_link_brings_all_of_it_back(made):
    found = again(made)
    assert found.records() == made.records()
    assert found.query() == made.query()
    assert (found.compared, found.battles, found.seed) == (made.compared, made.battles, made.seed)


def test_the_longest_link_is_read():
    assert sum(map(len, full().query().values())) < LONGEST_LINK


@pytest.mark.parametrize(
    ("query", "says"),
    [
        ({"record": "{"}, "not JSON"),
        ({"record": "[" * 5000}, "nested too deeply"),
        ({"record": "x" * 6001}, "too long"),
        ({"record": '{"format":"summon-battle/1","players":[{"pet":"cat"},{"pet":"moss"}]}'}, "cat"),
        (
            {"record": Record((Player("a", "moss"), Player("b", "moss")), turns=(("attack", "heal"),)).to_json()},
            "turns",
        ),
        ({"others": '{"base_health":0}'}, "base_health"),
        ({"others": "[]"}, "rules"),
        ({"battles": "0"}, "battles is a whole number from 1 to 1000000"),
        ({"battles": "٣"}, "battles is a whole number"),
        ({"battles": "9" * 50}, "battles is a whole number"),
        ({"seed": "-1"}, "seed is a whole number"),
    ],
)
def test_a_broken_link_says_what_is_wrong(query, says):
    with pytest.raises(LinkError, match=says):
        Lab.from_query(query)


def test_a_number_of_battles_is_the_nearest_that_can_be_chosen():
    assert Lab.from_query({"battles": "9"}).battles == 10_000
    assert Lab.from_query({"battles": "180000"}).battles == 200_000


def test_every_rule_is_in_one_group():
    assert sorted(name for names in lab.GROUPS.values() for name in names) == sorted(Rules.names())


def test_what_is_typed_is_a_number_of_the_rule_or_told():
    assert lab.number_from(" 999 ", "base_health") == LARGEST
    for text in ("", "0", "1000", "-3", "1.5", "lots", "٣", "1e3"):
        with pytest.raises(ValueError, match="base health is a whole number from 1 to 999, not "):
            lab.number_from(text, "base_health")


def test_one_number_of_a_list_is_changed_alone():
    rules = Rules()
    assert lab.with_number(rules, "attack_damage", 1, 9) == (1, 9, 3)
    assert lab.number_at(rules, "attack_damage", 2) == 3
    assert [lab.places(name) for name in ("attack_damage", "moss_heal", "base_health", "shields_add_up")] == [
        3,
        2,
        1,
        0,
    ]


def test_the_usual_range_holds_the_default_and_is_allowed():
    for name in Rules.names():
        if lab.places(name):
            low, high = lab.usual_range(name)
            defaults = Rules.param[name].default
            defaults = defaults if isinstance(defaults, tuple) else (defaults,)
            assert Rules.param[name].bounds[0] == low <= min(defaults) <= max(defaults) <= high
            assert high <= Rules.param[name].bounds[1]


def test_rules_are_set_in_one_change_and_back():
    rules, changes = Rules(base_health=7), []
    rules.param.watch(lambda *events: changes.append(len(events)), list(Rules.names()))
    lab.set_rules(rules, {"poison_damage": 2})
    assert rules == Rules(poison_damage=2)
    lab.set_rules(rules, {})
    assert rules == Rules()
    assert changes == [2, 1]


def test_a_deck_of_eight_is_refused_and_nothing_changes():
    corner = Lab().first
    with pytest.raises(ValueError, match="at most 7"):
        corner.param.update(cards=list(MARKET[:8]))
    assert corner.cards == []


def test_what_is_played_is_the_match_up_under_both_sets_of_rules():
    made = Lab(battles=BATTLES[0])
    made.rules.base_health = 9
    assert [record.changed for record in made.records()] == [(("base_health", 9),)]
    made.compared = True
    assert [record.changed for record in made.records()] == [(("base_health", 9),), ()]
    assert made.record().players == made.record(others=True).players
