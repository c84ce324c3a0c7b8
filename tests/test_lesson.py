"""The first battle: each of its three turns shows what it says, for every pet, by the rules as they are played."""

import random

import pytest

from summon import lesson, words
from summon.battle import Battle
from summon.cards import PETS, STARTERS
from summon.events import Event, Kind, events
from summon.lesson import LESSONS

EVERY_PET = pytest.mark.parametrize("pet", PETS)


def play(battle: Battle, cards: int = len(LESSONS)) -> None:
    """Play so many lessons as they are taught."""
    for taught in LESSONS[:cards]:
        battle.complete("first", taught.card)


def told(battle: Battle, turn: int) -> list[tuple[Kind, int, int]]:
    """What happened on a turn: the kind, on which side, and how much."""
    found: list[Event] = events(battle.rounds[turn - 1])
    return [(event.kind, event.on, event.number) for event in found]


def healths(battle: Battle) -> tuple[int, int]:
    return battle.first.health, battle.second.health


@EVERY_PET
def test_both_pets_are_young_and_the_other_one_is_another(pet: str) -> None:
    first, second = lesson.battle(pet).players
    assert (first.pet, second.pet) == (pet, lesson.rival_of(pet))
    assert first.pet != second.pet
    assert not first.evolved and not second.evolved
    assert first.deck == second.deck == STARTERS


@EVERY_PET
def test_the_rival_is_ready_at_once(pet: str) -> None:
    assert lesson.battle(pet).committed == (False, True)


@pytest.mark.rule("3.1", "3.2")
@EVERY_PET
def test_first_attack_beats_heal(pet: str) -> None:
    battle = lesson.battle(pet)
    play(battle, 1)
    assert told(battle, 1) == [(Kind.STOP, 1, 0), (Kind.HIT, 1, 2)]
    assert healths(battle) == (4, 3)


@pytest.mark.rule("3.3", "3.5")
@EVERY_PET
def test_then_counter_beats_attack(pet: str) -> None:
    battle = lesson.battle(pet)
    play(battle, 2)
    assert told(battle, 2) == [(Kind.HIT, 1, 2), (Kind.HIT, 0, 0)]
    assert healths(battle) == (4, 1)


@pytest.mark.rule("3.2", "3.5")
@EVERY_PET
def test_last_heal_avoids_counter_and_all_bricks_are_back(pet: str) -> None:
    battle = lesson.battle(pet)
    play(battle)
    assert told(battle, 3) == [(Kind.HEAL, 0, 1), (Kind.MISS, 1, 0)]
    assert healths(battle) == (5, 1)
    assert battle.first.health == battle.first.max_health
    assert not battle.over


@EVERY_PET
def test_who_does_the_same_once_more_wins(pet: str) -> None:
    battle = lesson.battle(pet)
    play(battle)
    battle.complete("first", LESSONS[0].card)
    assert battle.outcome == "first"


@pytest.mark.rule("2.5")
@pytest.mark.parametrize("seed", range(40))
def test_whatever_is_played_afterwards_it_goes_on_to_an_end(seed: int) -> None:
    rng = random.Random(seed)
    battle = lesson.battle(rng.choice(list(PETS)))
    play(battle)
    for _ in range(500):
        if battle.over:
            break
        assert battle.committed == (False, True), "the rival is never without a card"
        battle.complete("first", rng.choice(battle.legal("first")))
    assert battle.over


def test_every_lesson_is_about_another_starter() -> None:
    assert {taught.card for taught in LESSONS} == {taught.beats for taught in LESSONS} == set(STARTERS)
    assert [lesson.lesson_of(turn) for turn in (0, 1, 2, 3, 4)] == [None, *LESSONS, None]


def test_the_coach_has_words_for_every_lesson() -> None:
    for taught in LESSONS:
        assert words.CARD_NAMES[taught.card] in words.LESSON[taught.card]
        assert words.LESSON[f"{taught.card}_shown"]
        for other in set(STARTERS) - {taught.card}:
            text = words.lesson_soon(other, taught.card)
            assert words.CARD_NAMES[other] in text and words.CARD_NAMES[taught.card] in text
