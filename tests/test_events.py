"""The events of a reveal: each kind with its rule and its parts, in the order of 8.1."""

import itertools
import random

import pytest

from summon import rulebook, words
from summon.choices import Choice
from summon.events import Event, Kind, events, wild_rule
from summon.record import Record, situation
from tests.strategies import random_choice, random_player

ALL = ["wild", "poison", "revive", "sacrifice", "shield", "hide", "copycat"]


def told(first: dict, second: dict, cards: str, *, turn: int = 6, **rules: object) -> list[Event]:
    """The events of one turn from a situation; `cards` is both choices, with a word between them."""
    record = situation(
        {"pet": "moss", "cards": ALL, **first}, {"pet": "pebble", "cards": ALL, **second}, turn=turn, rules=rules
    )
    choices = cards.split(" against ")
    (played,) = Record(record.players, record.changed, record.start, (tuple(map(Choice.parse, choices)),)).play()
    return events(played)


def brief(event: Event) -> tuple:
    """An event without its turn and running health."""
    return (event.kind, event.side, event.on, event.card, event.number, event.rule, words.because(event))


# Each kind


@pytest.mark.rule("2.1", "2.2", "2.3")
@pytest.mark.parametrize(
    ("first", "second", "rule"),
    [
        ({"blinded": True}, {}, "2.1"),
        ({"health": 0, "blinded": True}, {}, "2.1"),
        ({"health": 0, "restricted": True}, {}, "2.2"),
        ({"health": 0, "revive_used": True}, {"health": 0}, "2.3"),
    ],
)
def test_a_wait(first, second, rule):
    other = "revive" if second else "heal"
    assert brief(told(first, second, f"wait against {other}")[0]) == (Kind.WAIT, 0, 0, "wait", 0, rule, rule)


@pytest.mark.rule("6.10", "6.11", "6.12")
@pytest.mark.parametrize(
    ("first", "choices", "turn", "card", "rule"),
    [
        ({}, "copycat against heal", 6, "heal", "6.10"),
        ({}, "copycat against sacrifice:1", 6, "sacrifice", "6.10"),
        ({"ready": {"sacrifice": 7}}, "copycat against sacrifice:1", 6, "copycat", "6.11"),
        ({"health": 1}, "copycat against hide", 6, "copycat", "6.11"),
        ({}, "copycat against copycat", 6, "copycat", "6.12"),
    ],
)
def test_a_copy(first, choices, turn, card, rule):
    event = told(first, {}, choices, turn=turn)[0]
    assert brief(event) == (Kind.COPY, 0, 0, card, 0, rule, rule)


@pytest.mark.rule("6.12")
def test_a_copy_of_a_wait():
    event = told({}, {"blinded": True}, "copycat against wait")[1]
    assert brief(event) == (Kind.COPY, 0, 0, "copycat", 0, "6.12", "6.12")


@pytest.mark.rule("6.3", "6.4")
def test_costs():
    happened = told({}, {}, "sacrifice:2 against hide")
    assert [brief(event) for event in happened if event.kind is Kind.COST] == [
        (Kind.COST, 0, 0, "sacrifice", 2, "6.3", "6.3"),
        (Kind.COST, 1, 1, "hide", 1, "6.4", "6.4"),
    ]


@pytest.mark.rule("6.5")
def test_a_return():
    (event,) = told({"health": 0}, {}, "revive against shield")[:1]
    assert brief(event) == (Kind.RETURN, 0, 0, "revive", 1, "6.5", "6.5")
    assert event.health == (1, 5)


@pytest.mark.rule("6.6", "8.4")
def test_a_revive_that_is_stopped():
    assert [brief(event) for event in told({"health": 0}, {}, "revive against attack")] == [
        (Kind.STOP, 0, 0, "revive", 0, "6.6", "6.6"),
        (Kind.MISS, 1, 0, "attack", 0, "8.4", "8.4"),
        (Kind.KNOCKOUT, 0, 0, "revive", 0, "8.2", "8.2"),
    ]


@pytest.mark.rule("3.2")
def test_a_heal_that_is_stopped():
    assert brief(told({"health": 3}, {}, "heal against attack")[0]) == (Kind.STOP, 0, 0, "heal", 0, "3.2", "3.2")


@pytest.mark.rule("3.2", "3.7", "6.9", "7.1", "7.9")
@pytest.mark.parametrize(
    ("first", "choice", "number", "rule", "because"),
    [
        ({"health": 3}, "heal", 1, "3.2", "3.2"),
        ({"health": 2, "boosted": True}, "heal", 2, "3.2", "3.2, +1 Refreshment (6.9)"),
        ({"health": 2, "tiers": {"heal": 3}}, "heal", 3, "3.2", "3.2"),
        ({}, "heal", 0, "3.7", "3.7"),
        ({"health": 2}, "wild", 2, "7.1", "7.1"),
        ({"health": 4}, "wild", 1, "7.1", "7.1"),
        ({"health": 1, "boosted": True, "evolved": True}, "wild", 4, "7.1", "7.1, +1 Refreshment (6.9)"),
        ({"health": 1, "pet": "tide"}, "wild", 3, "7.4", "7.4"),
    ],
)
def test_a_healing(first, choice, number, rule, because):
    event = told(first, {}, f"{choice} against shield")[0]
    assert brief(event) == (Kind.HEAL, 0, 0, choice, number, rule, because)
    assert event.parts[0].number == {"heal": first.get("tiers", {}).get("heal", 1)}.get(choice, event.parts[0].number)


@pytest.mark.rule("3.7")
def test_a_reserve():
    happened = told({"health": 4, "pet": "tide"}, {}, "wild against shield", reserve_health=5)
    assert [brief(event) for event in happened[:2]] == [
        (Kind.HEAL, 0, 0, "wild", 1, "7.4", "7.4"),
        (Kind.RESERVE, 0, 0, "wild", 2, "3.7", "3.7"),
    ]
    assert happened[1].reserve == (2, 0)


@pytest.mark.rule("4.3", "4.6", "6.9", "7.1", "7.5")
@pytest.mark.parametrize(
    ("first", "choice", "number", "rule", "because"),
    [
        ({}, "shield", 1, "4.3", "4.3"),
        ({"boosted": True}, "shield", 2, "4.3", "4.3, +1 Refreshment (6.9)"),
        ({}, "hide", 0, "4.6", "4.6"),
        ({}, "wild", 1, "7.1", "7.1"),
        ({"pet": "pebble", "evolved": True}, "wild", 3, "7.5", "7.5"),
    ],
)
def test_a_protection(first, choice, number, rule, because):
    (event,) = [event for event in told(first, {}, f"{choice} against counter") if event.kind is Kind.PROTECT]
    assert brief(event) == (Kind.PROTECT, 0, 0, choice, number, rule, because)


@pytest.mark.rule("3.1", "3.2")
def test_the_example_of_the_rulebook():
    happened = told({}, {"pet": "spark"}, "attack against heal")
    assert [brief(event) for event in happened] == [
        (Kind.STOP, 1, 1, "heal", 0, "3.2", "3.2"),
        (Kind.HIT, 0, 1, "attack", 2, "3.1", "3.1, +1 against Heal"),
    ]
    assert words.sentence(happened[1], ("Moss", "Spark")) == "Attack hits Spark for 2."


@pytest.mark.rule("3.1", "3.3", "3.5", "4.2", "4.3", "4.5", "4.6", "6.3", "6.9", "7.2", "7.6", "7.8", "7.10")
@pytest.mark.parametrize(
    ("first", "second", "choices", "number", "rule", "because"),
    [
        ({}, {}, "attack against shield", 0, "3.1", "3.1, -1 by Shield (4.3)"),
        ({"tiers": {"attack": 3}}, {}, "attack against counter", 2, "3.1", "3.1, -1 by Counter (3.5)"),
        ({"evolved": True}, {}, "attack against poison", 2, "3.1", "3.1, +1 evolution (4.2)"),
        ({"boosted": True}, {}, "attack against heal", 3, "3.1", "3.1, +1 Refreshment (6.9), +1 against Heal"),
        ({}, {}, "counter against attack", 2, "3.3", "3.3"),
        ({"evolved": True, "boosted": True}, {"block": [1]}, "counter against attack", 3, "3.3",
         "3.3, +1 evolution (4.2), +1 Refreshment (6.9), -1 by a Wild's block (7.10)"),
        ({}, {}, "sacrifice:3 against counter", 3, "6.3", "6.3"),
        ({"evolved": True}, {}, "sacrifice:3 against hide", 0, "6.3", "6.3, +1 evolution (4.2), -4 by Hide (4.6)"),
        ({"pet": "ember", "evolved": True}, {}, "wild against heal", 5, "7.2",
         "7.2, +1 evolution (4.2), +1 against Heal (7.8)"),
        ({"pet": "spark"}, {"shield": [1]}, "wild against wild", 0, "7.6",
         "7.6, -1 by Shield (4.3), -2 by a Wild's block (7.10)"),
    ],
)  # fmt: skip
def test_a_blow(first, second, choices, number, rule, because):
    (event,) = [event for event in told(first, second, choices) if event.kind is Kind.HIT and event.side == 0]
    assert brief(event) == (Kind.HIT, 0, 1, choices.partition(" ")[0].partition(":")[0], number, rule, because)
    assert max(sum(part.number for part in event.parts), 0) == number


@pytest.mark.rule("4.5")
@pytest.mark.parametrize(
    ("shield", "block", "why"), [([2], [1], "-2 by Shield (4.3)"), ([1], [2], "-2 by a Wild's block (7.10)")]
)
def test_a_blow_where_the_larger_protection_counts(shield, block, why):
    first, second = {"tiers": {"attack": 3}}, {"shield": shield, "block": block}
    (event,) = told(first, second, "attack against poison", shield_and_wild_add_up=False)[:1]
    assert (event.number, words.because(event)) == (1, f"3.1, {why}")


@pytest.mark.rule("3.5", "5.5", "8.4")
@pytest.mark.parametrize(
    ("first", "second", "choices", "event"),
    [
        ({}, {}, "counter against shield", (Kind.MISS, 0, 0, "counter", 0, "3.5", "3.5")),
        ({}, {}, "poison against hide", (Kind.MISS, 0, 1, "poison", 0, "5.5", "5.5")),
        ({"pet": "bloom"}, {}, "wild against hide", (Kind.MISS, 0, 1, "wild", 0, "5.5", "5.5")),
        ({}, {"health": 0, "restricted": True}, "attack against wait", (Kind.MISS, 0, 1, "attack", 0, "8.4", "8.4")),
        ({}, {"health": 0, "restricted": True}, "sacrifice:1 against wait",
         (Kind.MISS, 0, 1, "sacrifice", 0, "8.4", "8.4")),
    ],
)  # fmt: skip
def test_an_effect_in_vain(first, second, choices, event):
    assert event in [brief(one) for one in told(first, second, choices)]


@pytest.mark.rule("7.2", "7.6", "8.4")
@pytest.mark.parametrize(("pet", "wild"), [("ember", "Flare"), ("spark", "Flash Strike")])
def test_a_wild_at_a_pet_at_zero_is_called_by_its_name(pet, wild):
    for second, answer in (({"restricted": True}, "wait"), ({}, "revive")):
        happened = told({"pet": pet}, {"health": 0, **second}, f"wild against {answer}")
        (missed,) = [event for event in happened if event.kind is Kind.MISS]
        assert words.sentence(missed, ("Ember", "Pebble")) == f"{wild} finds Pebble at zero and hurts nobody."
        assert words.explained(missed, ("Ember", "Pebble")) == words.sentence(missed, ("Ember", "Pebble"))


@pytest.mark.rule("5.1", "5.2", "6.9", "7.3")
@pytest.mark.parametrize(
    ("first", "choice", "number", "rule", "because"),
    [
        ({}, "poison", 1, "5.1", "5.1"),
        ({"boosted": True}, "poison", 2, "5.1", "5.1, +1 Refreshment (6.9)"),
        ({"pet": "bloom"}, "wild", 1, "7.3", "7.3"),
    ],
)
def test_a_dose_and_its_tick(first, choice, number, rule, because):
    happened = told(first, {}, f"{choice} against shield")
    assert [brief(event) for event in happened[-2:]] == [
        (Kind.DOSE, 0, 1, choice, number, rule, because),
        (Kind.POISON, 0, 1, "poison", number, "5.2", "5.2"),
    ]


@pytest.mark.rule("5.2", "5.3", "5.6")
@pytest.mark.parametrize(
    ("second", "choice", "rule", "health"),
    [
        ({"poison": [2], "health": 3}, "heal", "5.2", 2),
        ({"poison": [3], "health": 3}, "heal", "5.3", 0),
        ({"poison": [1], "health": 0, "restricted": True}, "wait", "5.6", 0),
        ({"poison": [1], "health": 0}, "revive", "5.3", 0),
    ],
)
def test_a_tick_of_a_dose_that_was_given_before(second, choice, rule, health):
    (tick,) = [event for event in told({}, second, f"shield against {choice}") if event.kind is Kind.POISON]
    assert brief(tick) == (Kind.POISON, 0, 1, "poison", second["poison"][0], rule, rule)
    assert tick.health == (5, health)


@pytest.mark.rule("6.2", "7.6", "7.10")
@pytest.mark.parametrize(
    ("first", "choices", "rule"),
    [
        ({"cards": ["blind"]}, "blind against hide", "6.2"),
        ({"pet": "spark"}, "wild against hide", "7.6"),
    ],
)
def test_a_blinding(first, choices, rule):
    card = choices.partition(" ")[0]
    assert (Kind.BLIND, 0, 1, card, 0, rule, rule) in [brief(event) for event in told(first, {}, choices)]


@pytest.mark.rule("6.7")
def test_a_boost():
    (event,) = told({"cards": ["refreshment"]}, {}, "refreshment against heal")[1:]
    assert brief(event) == (Kind.BOOST, 0, 0, "refreshment", 0, "6.7", "6.7")


@pytest.mark.rule("6.5", "8.2")
@pytest.mark.parametrize(("second", "rule"), [({}, "6.5"), ({"revive_used": True}, "8.2"), ({"cards": []}, "8.2")])
def test_a_knockout(second, rule):
    event = told({}, {"health": 1, **second}, "attack against heal")[-1]
    assert (event.kind, event.on, event.rule, event.health) == (Kind.KNOCKOUT, 1, rule, (5, 0))


# Their order


@pytest.mark.rule("8.1")
def test_the_order_of_a_busy_reveal():
    first = {"pet": "spark", "cards": ["copycat", "wild"], "health": 1, "poison": [1]}
    second = {"pet": "ember", "cards": ["wild"], "health": 1, "poison": [1]}
    happened = told(first, second, "copycat against wild")
    assert [(event.kind, event.side) for event in happened] == [
        (Kind.COPY, 0),
        (Kind.HIT, 0),
        (Kind.HIT, 1),
        (Kind.POISON, 1),
        (Kind.POISON, 0),
        (Kind.KNOCKOUT, 0),
        (Kind.KNOCKOUT, 1),
    ]


def test_nobody_is_told_to_be_blind_next_turn_when_there_is_none():
    for health, blinded in ((1, False), (5, True)):
        happened = told(
            {"pet": "spark", "cards": ["wild"]}, {"pet": "moss", "cards": [], "health": health}, "wild against heal"
        )
        assert (Kind.BLIND in [event.kind for event in happened]) == blinded


ORDER = [
    *({Kind.WAIT}, {Kind.COPY}, {Kind.COST}, {Kind.RETURN, Kind.STOP}, {Kind.STOP, Kind.HEAL, Kind.RESERVE}),
    *({Kind.PROTECT}, {Kind.HIT, Kind.MISS}, {Kind.DOSE, Kind.MISS}, {Kind.POISON}, {Kind.BLIND}, {Kind.BOOST}),
    {Kind.KNOCKOUT},
]
"""8.1: the kinds that may come at each stage of a reveal."""


def random_rounds() -> list[list[Event]]:
    rng = random.Random(12)
    found = []
    for _ in range(150):
        position = Record((random_player(rng), random_player(rng))).opening()
        while position.outcome == "unfinished" and position.turn < 40:
            played = position.reveal(*(random_choice(position, side, rng) for side in (0, 1)))
            found.append(events(played))
            position = played.after
    return found


ROUNDS = random_rounds()


@pytest.mark.rule("8.1")
def test_events_come_in_the_order_of_the_reveal():
    for happened in ROUNDS:
        stage = 0
        for event in happened:
            while event.kind not in ORDER[stage]:
                stage += 1
                assert stage < len(ORDER), [one.kind for one in happened]


def test_whole_battles_have_events_of_every_kind_but_reserve():
    assert {event.kind for happened in ROUNDS for event in happened} == set(Kind) - {Kind.RESERVE}


def test_a_sentence_of_every_event_is_fit_to_be_read():
    for event in (event for happened in ROUNDS for event in happened):
        sentence = words.sentence(event, ("Moss", "Spark"))
        assert sentence[0].isupper() and sentence.endswith(".")
        assert not set("{}_") & set(sentence)
        assert words.because(event).startswith(event.rule)
        assert rulebook.rule(event.rule)


def test_health_only_changes_where_an_event_says_so():
    losing = {Kind.COST, Kind.HIT, Kind.POISON}
    gaining = {Kind.RETURN, Kind.HEAL}
    for happened in ROUNDS:
        for before, event in itertools.pairwise(happened):
            changes = [now - then for now, then in zip(event.health, before.health, strict=True)]
            assert changes[1 - event.on] == 0
            if event.rule == "5.3":
                assert event.health[event.on] == 0
            elif event.kind in losing:
                assert -event.number <= changes[event.on] <= 0
            elif event.kind in gaining:
                assert changes[event.on] == event.number
            else:
                assert changes[event.on] == 0


@pytest.mark.parametrize(
    ("pet", "rule"),
    [("moss", "7.1"), ("ember", "7.2"), ("bloom", "7.3"), ("tide", "7.4"), ("pebble", "7.5"), ("spark", "7.6")],
)
@pytest.mark.parametrize("evolved", [True, False])
def test_the_rule_of_each_wild(pet, rule, evolved):
    record = situation({"pet": pet, "evolved": evolved}, "moss")
    played = record.opening().reveal(*(random_choice(record.opening(), side, random.Random(1)) for side in (0, 1)))
    assert (wild_rule(played, 0), wild_rule(played, 1)) == (rule, "7.1")
