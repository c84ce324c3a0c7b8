"""The board of a first battle without a browser: what the coach says, what may be chosen, and that nothing is kept."""

from collections.abc import Callable

import pytest

from summon import words
from summon.lesson import LESSONS
from tests.store.playing import rich
from tests.views.visitors import Told, Visitor


@pytest.fixture
def pupil(visitor: Visitor) -> Visitor:
    """A visitor in the first battle."""
    visitor.do("go", page="lesson")
    assert visitor.on == "Board"
    return visitor


def shown(pupil: Visitor) -> dict:
    return pupil.game.board.state


def test_whoever_is_new_is_offered_the_first_battle(visitor: Visitor) -> None:
    assert visitor.on == "home"
    assert visitor.shown["lesson"] is True


def test_whoever_has_won_something_is_not(visitor: Visitor) -> None:
    rich(visitor.store, visitor.me, 5)
    visitor.do("go", page="home")
    assert visitor.shown["lesson"] is False
    visitor.buy("card:poison")
    visitor.do("go", page="home")
    assert visitor.me.gold < 5
    assert visitor.shown["lesson"] is False


def test_every_lesson_has_one_card_and_says_why_the_others_wait(pupil: Visitor) -> None:
    for taught in LESSONS:
        state = shown(pupil)
        assert state["lesson"]["card"] == taught.card
        assert state["lesson"]["pick"] == words.LESSON[taught.card]
        for card in state["hand"]:
            wanted = words.lesson_soon(card["card"], taught.card)
            assert (card["off"] is None) == (card["card"] == taught.card)
            assert card["off"] is None or card["off"]["text"] == state["lesson"]["others"][card["card"]] == wanted
        pupil.play(taught.card)
    state = shown(pupil)
    assert state["lesson"]["card"] is None
    assert all(card["off"] is None for card in state["hand"])
    assert state["lesson"]["all"]["cards"] == ["attack", "heal", "counter", "attack"]
    assert state["lesson"]["all"]["label"].startswith("Attack is good against Heal. Heal is good against Counter. ")


def test_afterwards_is_told_what_it_was_good_for(pupil: Visitor) -> None:
    assert shown(pupil)["lesson"]["shown"] is None
    for turn, taught in enumerate(LESSONS, 1):
        pupil.play(taught.card)
        told = shown(pupil)["lesson"]["shown"]
        assert (told["turn"], told["beats"]["cards"]) == (turn, [taught.card, taught.beats])
        assert told["text"] == words.LESSON[f"{taught.card}_shown"]
    pupil.play("counter")
    assert shown(pupil)["lesson"]["shown"] is None


def test_another_card_is_refused_kindly_and_nothing_happens(pupil: Visitor, told: Told) -> None:
    before = shown(pupil)
    pupil.play("counter")
    assert told.board == [("Counter comes soon. Tap Attack now!", "")]
    assert shown(pupil) == before
    pupil.play("attack")
    assert shown(pupil)["turn"] == 2


@pytest.mark.rule("2.12")
def test_a_lesson_comes_before_no_rule(pupil: Visitor, told: Told) -> None:
    pupil.play("wait")
    pupil.board("lock", turn=7, card="heal", amount=None)
    assert [rule for _, rule in told.board] == ["2.4", "1.5"]


@pytest.mark.rule("9.3")
def test_it_pays_nothing_and_counts_nowhere(pupil: Visitor) -> None:
    before = pupil.me
    for taught in LESSONS:
        pupil.play(taught.card)
    pupil.play("attack")
    assert shown(pupil)["over"]["result"] == "win"
    assert shown(pupil)["over"]["gold"] is None
    assert pupil.me == before
    assert pupil.store.history(before.id, 5) == []
    assert pupil.store.unfinished(before.id) is None


@pytest.mark.rule("9.2")
@pytest.mark.parametrize("way", ["home", "leave"])
@pytest.mark.parametrize("turns", [0, 2])
def test_it_can_be_left_at_any_time(pupil: Visitor, way: str, turns: int) -> None:
    for taught in LESSONS[:turns]:
        pupil.play(taught.card)
    pupil.board(way)
    assert pupil.on == "home"
    assert pupil.shown["battle"] is None
    assert pupil.store.history(pupil.me.id, 5) == []


def test_the_next_battle_is_a_real_one(pupil: Visitor) -> None:
    for taught in (*LESSONS, LESSONS[0]):
        pupil.play(taught.card)
    pupil.board("again")
    assert pupil.on == "fight"


def test_a_battle_under_way_waits_meanwhile(visitor: Visitor) -> None:
    visitor.do("fight", rival_evolved=False)
    visitor.play("attack")
    turn = visitor.game.board.state["turn"]
    visitor.do("go", page="lesson")
    visitor.play("attack")
    visitor.board("home")
    assert visitor.shown["battle"]["turn"] == turn
    visitor.do("resume")
    assert visitor.game.board.state["lesson"] is None
    assert visitor.game.board.state["turn"] == turn


def test_loaded_anew_it_begins_anew(pupil: Visitor, come: Callable[..., Visitor]) -> None:
    pupil.play("attack")
    pupil.follow("?page=lesson")
    assert shown(pupil)["turn"] == 1
    assert shown(pupil)["lesson"]["card"] == "attack"


def test_it_is_reached_from_practice(visitor: Visitor) -> None:
    visitor.do("go", page="practice")
    visitor.game._setup._handle_msg({"type": "lesson"})  # type: ignore[union-attr]
    assert visitor.on == "Board"
    assert shown(visitor)["lesson"]["card"] == "attack"


def test_without_a_pet_there_is_no_lesson(come: Callable[..., Visitor]) -> None:
    new = come()
    new.do("go", page="lesson")
    assert new.on == "welcome"
