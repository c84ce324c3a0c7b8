"""The words: every sentence can be made, for every pet, tier and rule, and is fit to be read."""

import re
from itertools import product

import pytest

from summon import words
from summon.cards import CARDS, PETS
from summon.choices import Reason, Refusal
from summon.events import Event, Kind, Part
from summon.player import Player
from summon.position import OUTCOMES
from summon.record import Record, RecordError, replay, situation
from summon.rulebook import rule
from summon.rules import Rules

PLAYERS = [
    Player("x", pet, evolved, dict.fromkeys(("attack", "heal", "counter"), tier))
    for pet, evolved, tier in product(PETS, (False, True), (1, 2, 3))
]

RULES = [
    Rules(),
    Rules(poison_turns=1, shield_turns=1, bloom_turns=(1, 1), pebble_turns=(1, 1), attack_bonus_against_heal=0),
    Rules(attack_damage=(0, 0, 0), heal_amount=(0, 0, 0), refreshment_bonus=0, evolved_bonus=0, revive_health=999),
]


def is_fit(text: str) -> None:
    """A sentence, or several: no gaps, no names of the program, no doubled spaces or stops."""
    assert text.endswith((".", "!")), text
    assert text[0].isupper() or text[0].isdigit(), text
    assert not set("{}_\n<>") & set(text), text
    assert not re.search(r"None|True|False|\.\.|  | [.,]|\b1 turns\b", text), text


# Names


def test_every_card_and_pet_has_a_name():
    assert list(words.CARD_NAMES) == ["wait", *CARDS]
    assert set(words.PET_NAMES) == {name for pet in PETS.values() for name in (pet.name, pet.evolved)}
    assert set(words.WILD_NAMES) == {pet.rule for pet in PETS.values()}


# Refusals

REFUSALS = [
    Refusal(card, reason, "2.4", 9, 3) for reason, card in product(Reason, ("attack", "sacrifice", "wild", "wait"))
]


@pytest.mark.rule("2.12")
@pytest.mark.parametrize("refused", REFUSALS, ids=lambda refused: f"{refused.reason} {refused.card}")
def test_every_reason_has_a_sentence_that_names_no_rule_and_no_player(refused):
    text = words.refusal(refused, 7)
    is_fit(text)
    assert not re.search(r"\b(first|second|rule)\b|\d\.\d", text)


@pytest.mark.parametrize("reason", Reason)
def test_every_reason_has_a_badge(reason):
    text, icon = words.badge(Refusal("sacrifice", reason, "2.6", 9, 3), 6)
    assert icon in ("clock", "lock")
    assert 1 <= len(text.split()) <= 3
    assert not set("{}_") & set(text)


def test_a_badge_counts_the_turns():
    told = [words.badge(Refusal("blind", Reason.INTERVAL, "2.7", until, 0), 6) for until in (7, 8, 9)]
    assert told == [("Next turn", "clock"), ("In 2 turns", "clock"), ("In 3 turns", "clock")]


PLAYED = [
    (
        {"streak": ["attack", 3]},
        "attack",
        "You played Attack 3 turns running. Play another card this turn, then it is back.",
    ),
    ({"ready": {"blind": 9}}, "blind", "Blind needs a rest. It is ready again on turn 9."),
    ({"restricted": True}, "heal", "You hid last turn, so no Heal now. It is back on turn 7."),
    ({"health": 1}, "hide", "Hide needs at least 2 health."),
    ({"health": 2}, "sacrifice:3", "Sacrifice can cost from 1 to 2 health now, not 3."),
    ({}, "revive", "Revive is only for a pet at zero health."),
    ({}, "poison", "Poison is not in your deck."),
]


@pytest.mark.parametrize(("side", "choice", "says"), PLAYED)
def test_the_error_of_a_replay_is_the_sentence_with_its_place(side, choice, says):
    first = dict(pet="moss", cards=["blind", "hide", "revive", "sacrifice"], **side)
    told = situation(first, "spark", turn=6).to_dict()
    with pytest.raises(RecordError) as caught:
        replay(Record.from_dict({**told, "turns": [[choice, "attack"]]}))
    assert str(caught.value) == f"turn 6, first: {says} (rule {caught.value.rule})"


# Cards


SIGNS = {"hit", "heal", "cost", "block", "poison", "boost"}


@pytest.mark.rule("3.1", "3.2", "3.3", "6.9")
@pytest.mark.parametrize("rules", RULES, ids=["default", "short", "nothing"])
@pytest.mark.parametrize("card", CARDS)
def test_every_card_has_a_line(card, rules):
    for player, boosted in product(PLAYERS, (False, True)):
        setup = rules.setup(player)
        is_fit(words.card_line(card, setup, boosted))
        line = words.card_line(card, setup, boosted)
        for told in words.card_numbers(card, setup, boosted):
            assert told["sign"] in SIGNS
            assert told["text"].strip("+").isdigit()
            assert told["text"].strip("+") in line


def test_wait_has_no_line():
    with pytest.raises(ValueError, match="wait"):
        words.card_line("wait", Rules().setup(PLAYERS[0]), False)


@pytest.mark.parametrize(
    ("pet", "evolved", "line"),
    [
        ("moss", False, "Get 2 health back, block 1 for 1 turn. Once a battle."),
        ("moss", True, "Get 3 health back, block 2 for 1 turn. Once a battle."),
        ("ember", False, "Hit for 2. Once a battle."),
        ("ember", True, "Hit for 4. Once a battle."),
        ("bloom", False, "Poison for 1 on 3 turns. Once a battle."),
        ("bloom", True, "Poison for 1 on 4 turns. Once a battle."),
        ("tide", False, "Get 3 health back. Once a battle."),
        ("tide", True, "Get 4 health back. Once a battle."),
        ("pebble", False, "Block 2 for 2 turns. Once a battle."),
        ("pebble", True, "Block 3 for 2 turns. Once a battle."),
        ("spark", False, "Hit for 2, make your rival Wait next turn. Once a battle."),
        ("spark", True, "Hit for 4, make your rival Wait next turn. Once a battle."),
    ],
)
@pytest.mark.rule("7.1", "7.2", "7.3", "7.4", "7.5", "7.6", "7.7")
def test_the_line_of_each_wild(pet, evolved, line):
    assert words.card_line("wild", Rules().setup(Player("x", pet, evolved)), False) == line


def numbers(card, setup, boosted=False):
    """The numbers on a card's face in short: `block 1, hit 2`."""
    return ", ".join(f"{told['sign']} {told['text']}" for told in words.card_numbers(card, setup, boosted))


@pytest.mark.parametrize(
    ("card", "plain", "boosted"),
    [
        ("attack", "hit 1", "hit 2"),
        ("heal", "heal 1", "heal 2"),
        ("counter", "block 1, hit 2", "block 1, hit 3"),
        ("poison", "poison 1", "poison 2"),
        ("shield", "block 1", "block 2"),
        ("revive", "heal 1", "heal 1"),
        ("hide", "cost 1", "cost 1"),
        ("refreshment", "boost +1", "boost +1"),
        ("sacrifice", "", ""),
        ("blind", "", ""),
        ("copycat", "", ""),
    ],
)
@pytest.mark.rule("6.9")
def test_the_numbers_on_a_card(card, plain, boosted):
    setup = Rules().setup(Player("x", "moss"))
    assert (numbers(card, setup), numbers(card, setup, True)) == (plain, boosted)


@pytest.mark.parametrize(
    ("pet", "plain", "grown"),
    [
        ("moss", "heal 2, block 1", "heal 3, block 2"),
        ("ember", "hit 2", "hit 4"),
        ("bloom", "poison 1", "poison 1"),
        ("tide", "heal 3", "heal 4"),
        ("pebble", "block 2", "block 3"),
        ("spark", "hit 2", "hit 4"),
    ],
)
@pytest.mark.rule("7.1", "7.2", "7.3", "7.4", "7.5", "7.6", "7.7")
def test_the_numbers_on_each_wild(pet, plain, grown):
    told = [numbers("wild", Rules().setup(Player("x", pet, evolved))) for evolved in (False, True)]
    assert told == [plain, grown]


# Statuses


@pytest.mark.parametrize("who", ["your Moss", "your rival's Moss", "Moss", "Zoë's Moss"])
@pytest.mark.parametrize("kind", words.STATUS)
def test_every_status_has_a_sentence_and_a_rule(kind, who):
    for amounts in ((1,), (0, 2), (1, 1, 1, 1)):
        number, text = words.status(kind, who, number=3, amounts=amounts)
        assert rule(number)
        is_fit(text)
        assert who.lower() in text.lower() or ("your" in who.split() and "your" in text.lower())


def test_a_status_tells_what_comes():
    assert words.status("poison", "your Moss", amounts=(2, 1)) == (
        "5.1",
        "Poison on your Moss: 2 this turn, 1 next turn.",
    )


# Events and outcomes


def event(kind: Kind, card: str, number: int, number_of_rule: str, parts: tuple[Part, ...] = ()) -> Event:
    return Event(1, 0, 1, kind, card, number, number_of_rule, parts, (5, 5), (0, 0))


RULES_OF_KINDS = {
    Kind.WAIT: ("2.1", "2.2", "2.3"),
    Kind.COPY: ("6.10", "6.11", "6.12"),
    Kind.MISS: ("3.5", "5.5", "8.4"),
    Kind.POISON: ("5.2", "5.3", "5.6"),
    Kind.KNOCKOUT: ("6.5", "8.2"),
}
"""The rules that make a difference to what is said."""


@pytest.mark.parametrize("kind", Kind)
def test_every_kind_of_event_has_a_sentence(kind):
    for number, number_of_rule, card in product((0, 1, 2), RULES_OF_KINDS.get(kind, ("7.1", "3.1")), CARDS):
        is_fit(words.sentence(event(kind, card, number, number_of_rule), ("your Moss", "your rival's Spark")))


@pytest.mark.rule("11.6")
@pytest.mark.parametrize(
    ("who", "told"),
    [
        ("Tide", "Tide's Heal is stopped."),
        ("the other Tide", "The other Tide's Heal is stopped."),
        ("your Tide", "Your Heal is stopped."),
        ("your friend's Tide", "Your friend's Heal is stopped."),
    ],
)
def test_a_card_is_its_owners_and_not_the_pets_of_its_owner(who, told):
    assert words.sentence(event(Kind.STOP, "heal", 0, "3.2"), (who, "Moss")) == told


@pytest.mark.parametrize("why", ["evolved", "boost", "against heal", "counter", "shield", "block", "hide"])
def test_every_part_of_a_number_has_words(why):
    parts = (Part("3.1", "base", 1), Part("4.2", why, 1))
    text = words.because(event(Kind.HIT, "attack", 2, "3.1", parts))
    assert re.fullmatch(r"3\.1, \+1 [A-Za-z' ]+ \(4\.2\)", text)


def test_a_part_of_the_same_rule_does_not_repeat_it():
    parts = (Part("3.1", "base", 1), Part("3.1", "against heal", 1))
    assert words.because(event(Kind.HIT, "attack", 2, "3.1", parts)) == "3.1, +1 against Heal"


@pytest.mark.parametrize("outcome", OUTCOMES)
def test_every_outcome_has_a_sentence(outcome):
    is_fit(words.outcome(outcome, ("your Moss", "Zoë's Spark")))


@pytest.mark.parametrize("result", ["win", "loss", "draw", "ended"])
def test_every_result_has_a_title_and_a_text(result):
    is_fit(words.result_title(result, "Moss", "Spark"))
    for ended in ("left", "idle", *(["beaten"] if result != "ended" else [])):
        is_fit(words.result_text(result, ended))
        is_fit(words.result_text(result, ended, upset=True))


def test_what_is_said_when_something_is_amiss():
    is_fit(words.FAILED)
    is_fit(words.stale(3, 5))


@pytest.mark.parametrize("kind", Kind)
def test_every_kind_of_event_has_a_word(kind: Kind) -> None:
    for card, number, rule_number in product(("copycat", "hide", "attack"), (0, 2), ("3.1", "3.5", "6.5")):
        event = Event(1, 0, 1, kind, card, number, rule_number, (), (5, 5), (0, 0))
        word = words.event_word(event)
        assert 0 < len(word) <= 12
