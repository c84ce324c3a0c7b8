"""What Panel makes of a battle, a fighter, a record and a card."""

import json

import panel as pn

from summon import CARDS, Battle, Fighter, Record, situation
from summon.views.board import Board


def board_of(view):
    (found,) = view.select(Board)
    return found


def test_a_battle_is_the_board_of_its_first_side():
    battle = Battle(Fighter("moss"), Fighter("spark"))
    board = board_of(pn.panel(battle))
    assert board.state["you"]["pet"] == "moss"
    battle.play("attack", "heal")
    assert board.state["turn"] == 2


def test_a_record_is_watched_and_begins_again():
    record = Record(Battle().to_record().players, turns=(("attack", "heal"),))
    record = Record.from_dict({**record.to_dict(), "turns": [["attack", "heal"], ["attack", "attack"]]})
    board = board_of(pn.panel(record))
    assert board.state["turn"] == 1 and board.state["watch"]["more"]
    board.on_action({"type": "next", "turn": 1})
    assert board.state["turn"] == 2 and board.state["last"]["you"]["card"] == "attack"
    board.on_action({"type": "home"})
    assert board.state["turn"] == 1


def test_a_record_without_turns_that_can_be_watched_is_a_picture_with_words():
    for record in (
        situation("moss", "ember"),
        Record.from_dict({**Battle().to_record().to_dict(), "turns": [["wild", "heal"]]}),
    ):
        assert pn.panel(record).object == record._repr_html_()


def test_a_fighter_and_a_card_are_pictures_with_words():
    for shown in (Fighter("tide"), CARDS["blind"]):
        view = pn.panel(shown)
        assert isinstance(view, pn.pane.HTML) and view.object == shown._repr_html_()
        assert "data:image/svg+xml" in json.dumps(view.object)
