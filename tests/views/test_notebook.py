"""The board in a notebook: the very battle, a rival that answers, and turns that Python plays."""

import random

import pytest

from summon import Battle, RecordError, notebook
from summon.lines import set_up
from summon.rivals import Sight
from summon.views.notebook import boards, opener
from summon.views.seated import SeatedBoard
from summon.words import TRY_IT


def seated(battle: Battle, side: str = "first", rival: object = None) -> list[SeatedBoard]:
    return [board.on_action.__self__ for board in boards(battle, side, rival)]


def lock(seat: SeatedBoard, card: str, amount: int | None = None) -> None:
    seat.act({"type": "lock", "turn": seat.battle.turn, "card": card, "amount": amount})


def test_the_board_plays_the_very_battle_and_the_rival_answers():
    battle = set_up("moss", "spark")
    (seat,) = seated(battle)
    lock(seat, "attack")
    assert battle.turn == 2
    assert seat.board.state["turn"] == 2
    assert seat.board.state["last"]["you"]["card"] == "attack"


def test_nothing_is_committed_while_nobody_plays_so_that_python_may_play():
    battle = set_up("moss", "spark")
    (seat,) = seated(battle)
    assert battle.committed == (False, False)
    battle.play("attack", "counter")
    assert (seat.board.state["turn"], seat.board.state["you"]["health"]) == (2, 3)
    battle.undo()
    assert (seat.board.state["turn"], seat.board.state["you"]["health"]) == (1, 5)


def test_a_card_is_what_the_rival_always_plays_where_it_may():
    battle = set_up("moss", {"pet": "spark", "health": 4})
    (seat,) = seated(battle, rival="heal")
    lock(seat, "counter")
    assert battle.last.choices[1].card == "heal"
    blinded = set_up("moss", {"pet": "spark", "blinded": True})
    (seat,) = seated(blinded, rival="heal")
    lock(seat, "counter")
    assert blinded.last.choices[1].card == "wait"


def test_a_policy_is_asked_for_the_rival_and_sees_what_it_may():
    seen = []

    def policy(sight: Sight, rng: random.Random) -> str:
        seen.append(sight)
        return "counter"

    battle = set_up({"pet": "moss", "health": 4}, "spark")
    (seat,) = seated(battle, rival=policy)
    lock(seat, "attack")
    assert [(sight.other_pet, sight.turn) for sight in seen] == [("moss", 1)]
    assert battle.first.health == 2


def test_the_second_side_can_be_played():
    battle = set_up("moss", {"pet": "spark", "health": 3})
    (seat,) = seated(battle, "second", "attack")
    assert seat.board.state["you"]["pet"] == "spark"
    lock(seat, "counter")
    assert (battle.first.health, battle.second.health) == (3, 3)


def test_both_sides_have_a_board_and_neither_is_told_the_others_choice():
    battle = set_up("moss", "spark")
    one, two = seated(battle, rival="board")
    lock(one, "attack")
    assert (battle.turn, two.board.state["rival_ready"], two.board.state["locked"]) == (1, True, None)
    assert "attack" not in str(two.board.state["rival"])
    lock(two, "counter")
    assert battle.turn == 2


def test_what_is_refused_changes_nothing_and_asks_no_rival():
    battle = set_up("moss", "spark")
    (seat,) = seated(battle)
    lock(seat, "revive")
    assert (battle.turn, battle.committed) == (1, (False, False))


def test_another_battle_begins_where_the_board_was_opened():
    battle = set_up({"pet": "moss", "health": 1}, {"pet": "spark", "health": 2})
    battle.play("counter", "heal")
    (seat,) = seated(battle, rival="attack")
    lock(seat, "heal")
    assert battle.over
    seat.act({"type": "again"})
    assert (battle.over, battle.turn, len(battle.rounds)) == (False, 2, 1)


@pytest.mark.parametrize(("side", "rival"), [("third", None), ("first", "boo"), ("first", "sacrifice")])
def test_a_side_or_card_that_there_is_not_is_said(side, rival):
    with pytest.raises(ValueError, match=r"a side is|not a choice|needs an amount"):
        boards(set_up("moss", "spark"), side, rival)
    with pytest.raises(ValueError, match=r"a side is|not a choice|needs an amount"):
        opener(set_up("moss", "spark").moment(), side, rival)


def test_a_button_opens_a_board_of_the_situation_as_often_as_it_is_made():
    situation = set_up({"pet": "moss", "health": 2}, "spark", turn=7).moment()
    shown = opener(situation, "first", "heal")
    assert shown[0].label == TRY_IT
    shown[0].clicks += 1
    (board,) = shown[0]
    assert (board.state["turn"], board.state["you"]["health"]) == (7, 2)


def test_a_battle_that_is_over_cannot_be_played_on():
    battle = set_up({"pet": "moss", "health": 1}, "spark")
    battle.play("heal", "attack")
    with pytest.raises(RecordError, match="over"):
        battle.moment()


def broken(sight: Sight, rng: random.Random) -> str:
    raise RuntimeError("no idea")


@pytest.mark.parametrize(
    ("policy", "why"),
    [
        (broken, "no idea"),
        (lambda sight, rng: "sacrifice:2", "Sacrifice is not in your deck. (rule 2.4)"),
        (lambda sight, rng: "dance", "'dance' is not a choice"),
        (lambda sight, rng: None, "'None' is not a choice"),
    ],
)
def test_a_policy_that_fails_is_told_on_the_board_and_nothing_has_changed(policy, why):
    battle = set_up("moss", "spark")
    (seat,) = seated(battle, rival=policy)
    refused = []
    seat.board.refuse = lambda told, rule: refused.append(told)
    lock(seat, "attack")
    assert refused[0].startswith("The rival could not choose, so nothing has changed: ") and why in refused[0]
    assert (battle.turn, battle.committed, seat.board.state["locked"]) == (1, (False, False), None)


def test_a_rival_that_cannot_be_is_told_before_there_is_a_board():
    battle = set_up("moss", "spark")
    for make in (boards, opener):
        with pytest.raises(ValueError, match="a rival is a policy"):
            make(battle if make is boards else battle.to_record(), "first", 3)


def test_what_cannot_be_tried_is_told_before_there_is_a_button():
    with pytest.raises(RecordError):
        notebook.try_it("moss")
    over = set_up({"pet": "moss", "health": 2}, {"pet": "spark", "boosted": True})
    over.play("counter", "heal")
    over.play("heal", "attack")
    assert over.over
    for begun in (over, over.to_record()):
        with pytest.raises(RecordError, match="the battle is over here"):
            notebook.try_it(begun)
