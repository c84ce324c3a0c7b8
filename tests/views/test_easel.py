"""The easel: what it shows of a drawing, what it takes from a browser, and what Python does to it."""

from __future__ import annotations

import json
import re
from typing import Any

import panel as pn
import pytest
from bokeh.document import Document
from panel.io.state import set_curdoc

from summon import art, words
from summon.art import GridError, Sketch
from summon.art.colours import colours
from summon.art.grid import MAX_SIDE, MAX_TEXT
from summon.art.prints import PRINTS
from summon.cards import PETS
from summon.views.board import Board
from summon.views.easel import (
    DRAWN,
    LARGEST,
    LONGEST_TITLE,
    STEPS_BACK,
    Easel,
    EaselView,
    checked,
    content,
    easel_page,
    pictures,
)
from summon.views.play import PAGE

WALL = "r = red\n\nrrrr\nrrrr\nrrrr\n"
PAINT = {"type": "paint", "places": [[0, 0]], "brush": "blue", "colour": "red", "mirrored": False}
WRITE = {"type": "write", "text": WALL, "number": 1}


@pytest.fixture
def easel() -> Easel:
    return Easel(WALL)


def shown(easel: Easel) -> dict[str, Any]:
    return easel._sheet.state


def send(easel: Easel, message: dict[str, Any]) -> dict[str, Any]:
    """What the browser is shown after a message of its."""
    easel._sheet._handle_msg(message)
    assert easel._sheet.ignored == 0
    return shown(easel)


# What it shows


def test_it_shows_the_text_and_the_picture_of_a_pet() -> None:
    state = shown(Easel("ember"))
    assert state["text"] == Sketch.of("ember").text
    assert state["picture"] == art.picture("ember")
    assert (state["title"], state["file"]) == ("My Ember", "my-ember.txt")
    assert state["legend"]["E"] == "eye"
    assert state["legend"]["k"] == "dark red"


def test_it_begins_with_an_empty_sheet_and_no_mistake() -> None:
    state = shown(Easel())
    assert (state["picture"], state["mistake"], state["undo"]) == ("", None, False)
    assert set("".join(state["rows"])) == {"."}


def test_it_begins_with_no_text_that_is_not_a_drawing() -> None:
    with pytest.raises(GridError, match="line 3"):
        Easel("r = red\n\nrx\n")


def test_a_title_makes_a_file_name_and_is_never_markup(easel: Easel) -> None:
    assert send(easel, {"type": "title", "title": "Max & <b>Moritz</b>"})["file"] == "max-b-moritz-b.txt"
    assert send(easel, {"type": "title", "title": "../.."})["file"] == "pet.txt"
    assert "Moritz" not in shown(easel)["picture"]


def test_what_is_on_it_never_changes_and_is_all_there() -> None:
    said, shown = content(), pictures()
    assert [colour["name"] for colour in said["colours"]] == list(colours())
    assert [each["name"] for each in said["prints"]] == list(PRINTS)
    assert sorted(pet["pet"] for pet in said["pets"]) == sorted(art.names("pets"))
    assert [pet["pet"] for pet in said["fighters"]] == list(PETS)
    assert shown.keys() == {"shapes", *art.names("pets")}
    assert all(each["picture"].startswith("<svg") for each in said["colours"] + said["prints"])


def test_the_browser_uses_words_that_there_are() -> None:
    script = EaselView._bundle.read_text(encoding="utf-8")
    used = set(re.findall(r"\bwords\.(\w+)", script))
    acts = set(re.findall(r'"(\w+)"', re.findall(r"^const ACTS = (.*);$", script, re.MULTILINE)[0]))
    by_name = {*acts, "colours", "prints"}
    filled_in_here = {"untitled", "like", "mend_first", "cannot", "bare"}
    assert used | by_name | filled_in_here == set(words.EASEL)


# What is done in the browser


def test_a_tap_paints(easel: Easel) -> None:
    state = send(easel, PAINT)
    assert state["rows"] == ["brrr", "rrrr", "rrrr"]
    assert state["text"] == easel.text == "r = red\nb = blue\n\nbrrr\nrrrr\nrrrr\n"
    assert state["picture"] == easel.sketch.picture()
    assert state["undo"]


def test_a_stroke_is_painted_mirrored_and_taken_back_as_one(easel: Easel) -> None:
    send(easel, PAINT | {"places": [[0, 0], [0, 1]], "mirrored": True})
    assert easel.sketch.rows == ("brrb", "brrb", "rrrr")
    assert not send(easel, {"type": "undo"})["undo"]
    assert easel.text == WALL


def test_a_stamp_on_nothing_takes_the_colour_that_was_used_last() -> None:
    easel = Easel()
    send(easel, PAINT | {"places": [[3, 3]], "brush": "eye", "colour": "teal"})
    assert easel.sketch.legend["E"].colour == "teal"


def test_every_message_is_answered_even_if_nothing_has_changed(easel: Easel) -> None:
    before = shown(easel)
    after = send(easel, PAINT | {"brush": "red"})
    assert after != before
    assert after | {"acts": before["acts"]} == before


def test_a_slope_with_nothing_beside_it_is_refused_kindly_and_changes_nothing() -> None:
    easel = Easel("r = red\n\n......\n......\n.....r\n")
    state = send(easel, PAINT | {"brush": "/"})
    assert state["refused"] == "That does not go: the slope has no brick near it."
    assert not state["undo"]
    assert send(easel, PAINT)["refused"] == ""


def test_typing_shows_what_is_typed(easel: Easel) -> None:
    state = send(easel, WRITE | {"text": "b = blue\n\n.bb.\n", "number": 7})
    assert (state["heard"], state["mistake"]) == (7, None)
    assert easel.sketch == Sketch.of("b = blue\n\n.bb.\n")


def test_a_mistake_is_told_with_its_place_and_the_picture_stays(easel: Easel) -> None:
    before = shown(easel)
    state = send(easel, WRITE | {"text": "r = red\n\nrrrr\nrrr\n"})
    told = "this row has 3 places, others have 4; write . for nothing"
    assert state["mistake"] == easel.mistake == {"line": 4, "place": 4, "text": told}
    assert (state["text"], state["picture"]) == ("r = red\n\nrrrr\nrrr\n", before["picture"])
    assert easel.sketch == Sketch.of(WALL)


def test_a_mistake_without_a_place(easel: Easel) -> None:
    state = send(easel, WRITE | {"text": "r = red\n"})
    assert state["mistake"] == {"line": None, "place": None, "text": "there is not one brick in it"}


def test_markup_in_the_text_is_a_mistake_and_reaches_no_picture(easel: Easel) -> None:
    state = send(easel, WRITE | {"text": "r = red\n\nrr<script>alert(1)</script>\n"})
    assert state["mistake"]["line"] == 3
    assert "script" not in state["picture"]


@pytest.mark.parametrize("message", [PAINT, {"type": "roomier"}, {"type": "tighter"}, {"type": "try", "pet": "moss"}])
def test_with_a_mistake_nothing_is_lost_by_painting(easel: Easel, message: dict[str, Any]) -> None:
    send(easel, WRITE | {"text": "oh"})
    state = send(easel, message)
    assert state["refused"] == words.EASEL["mend_first"]
    assert state["text"] == "oh"
    assert send(easel, {"type": "undo"})["text"] == WALL
    assert easel.mistake is None
    assert send(easel, PAINT)["rows"][0] == "brrr"


def test_a_mended_text_is_one_step_back(easel: Easel) -> None:
    send(easel, WRITE | {"text": "oh"})
    send(easel, WRITE | {"text": "b = blue\n\nb\n"})
    assert easel.mistake is None
    send(easel, {"type": "undo"})
    assert easel.text == WALL


def test_starting_from_a_pet_or_from_nothing_can_be_taken_back(easel: Easel) -> None:
    assert send(easel, {"type": "start", "pet": "thunder"})["picture"] == art.picture("thunder")
    assert send(easel, {"type": "start", "pet": None})["picture"] == ""
    send(easel, {"type": "undo"})
    send(easel, {"type": "undo"})
    assert easel.text == WALL


def test_a_drawing_is_called_after_what_it_starts_from_until_it_has_a_name_of_its_own(easel: Easel) -> None:
    assert shown(easel)["title"] == "My pet"
    assert send(easel, {"type": "start", "pet": "thunder"})["title"] == "My Thunder"
    assert send(easel, {"type": "start", "pet": None})["title"] == "My pet"
    send(easel, {"type": "title", "title": "Zap"})
    assert send(easel, {"type": "start", "pet": "moss"})["title"] == "Zap"


def test_starting_anew_mends_a_mistake(easel: Easel) -> None:
    send(easel, WRITE | {"text": "oh"})
    assert send(easel, {"type": "start", "pet": "moss"})["mistake"] is None


def test_more_room_and_less(easel: Easel) -> None:
    assert send(easel, {"type": "roomier"})["rows"] == ["......", ".rrrr.", ".rrrr.", ".rrrr."]
    assert send(easel, {"type": "tighter"})["rows"] == ["rrrr"] * 3


def test_steps_back_have_an_end(easel: Easel) -> None:
    for n in range(STEPS_BACK + 5):
        easel.act(PAINT | {"brush": ("blue", "green")[n % 2]})
    for _ in range(STEPS_BACK):
        easel.undo()
    assert not shown(easel)["undo"]
    easel.undo()
    assert easel.sketch.what(0, 0) in ("blue", "green")


# What Python does


def test_a_text_set_from_python_is_shown(easel: Easel) -> None:
    easel.text = "b = blue\n\nbb\n"
    assert shown(easel)["rows"] == ["bb"]
    easel.text = "b"
    assert easel.mistake is not None
    assert shown(easel)["mistake"] == easel.mistake


def test_a_drawing_from_python_is_shown_and_can_be_taken_back(easel: Easel) -> None:
    easel.draw(Sketch.of("tide"))
    assert shown(easel)["picture"] == art.picture("tide")
    easel.undo()
    assert easel.text == WALL


def test_it_is_a_view_and_a_page_of_its_own() -> None:
    document = Document()
    with set_curdoc(document):
        page = easel_page()
    assert document.template == PAGE
    assert not page.embedded
    assert pn.Column(page).get_root(Document()).select_one({"name": "EaselView"}) is not None


# A battle with it


def test_the_drawing_plays_a_battle_under_its_own_name(easel: Easel) -> None:
    easel.title = "Wally"
    send(easel, {"type": "try", "pet": "spark"})
    sheet, board = easel._view
    assert isinstance(board, Board)
    assert not sheet.visible
    assert board.state["you"] | {"pet": DRAWN, "family": "spark", "name": "Wally"} == board.state["you"]
    assert json.loads(board.art)[DRAWN] == easel.sketch.picture()
    assert json.loads(board.art)["ember"] == art.picture("ember")
    board._handle_msg({"type": "lock", "turn": 1, "card": "attack", "amount": None})
    assert board.state["last"]["turn"] == 1
    assert (board.state["you"]["pet"], board.state["you"]["name"]) == (DRAWN, "Wally")
    board._handle_msg({"type": "leave"})
    board._handle_msg({"type": "again"})
    assert (board.state["turn"], board.state["over"]) == (1, None)
    board._handle_msg({"type": "leave"})
    board._handle_msg({"type": "home"})
    assert list(easel._view) == [sheet]
    assert sheet.visible


def test_an_empty_sheet_fights_no_battle() -> None:
    easel = Easel()
    assert send(easel, {"type": "try", "pet": "moss"})["refused"] == words.EASEL["bare"]
    assert len(easel._view) == 1


def test_a_pet_without_a_name_has_one_in_battle(easel: Easel) -> None:
    easel.title = ""
    send(easel, {"type": "try", "pet": "moss"})
    assert easel._view[1].state["you"]["name"] == words.EASEL["untitled"]


# Messages

GOOD = {
    "paint": PAINT,
    "take away": PAINT | {"brush": "."},
    "stamp": PAINT | {"brush": "eye", "mirrored": True},
    "a slope": PAINT | {"brush": "\\"},
    "many places": PAINT | {"places": [[x, y] for x in range(MAX_SIDE) for y in range(MAX_SIDE)]},
    "write": WRITE,
    "write much": WRITE | {"text": "r" * MAX_TEXT, "number": LARGEST},
    "title": {"type": "title", "title": "x" * LONGEST_TITLE},
    "no title": {"type": "title", "title": ""},
    "a pet to start from": {"type": "start", "pet": "tsunami"},
    "an empty sheet": {"type": "start", "pet": None},
    "try": {"type": "try", "pet": "pebble"},
    **{name: {"type": name} for name in ("undo", "roomier", "tighter")},
}
BAD = {
    "nothing": None,
    "text": "undo",
    "an empty message": {},
    "another type": {"type": "save"},
    "a type that is no text": {"type": ["undo"]},
    "undo with more": {"type": "undo", "steps": 2},
    "no places": PAINT | {"places": []},
    "places that are none": PAINT | {"places": None},
    "a place that is one number": PAINT | {"places": [3]},
    "a place of three numbers": PAINT | {"places": [[1, 2, 3]]},
    "a place before the first": PAINT | {"places": [[-1, 0]]},
    "a place too far": PAINT | {"places": [[0, MAX_SIDE]]},
    "a place as text": PAINT | {"places": [["0", "0"]]},
    "a place as truth": PAINT | {"places": [[True, False]]},
    "too many places": PAINT | {"places": [[0, 0]] * (MAX_SIDE * MAX_SIDE + 1)},
    "an unknown brush": PAINT | {"brush": "gold"},
    "markup for a brush": PAINT | {"brush": "<b>"},
    "a brush that is no text": PAINT | {"brush": ["red"]},
    "an unknown colour": PAINT | {"colour": "eye"},
    "a colour that is no text": PAINT | {"colour": {}},
    "mirrored as number": PAINT | {"mirrored": 1},
    "paint with more": PAINT | {"size": 2},
    "text that is none": WRITE | {"text": None},
    "too much text": WRITE | {"text": "r" * (MAX_TEXT + 1)},
    "a number below one": WRITE | {"number": 0},
    "a number too large": WRITE | {"number": LARGEST + 1},
    "a number as text": WRITE | {"number": "1"},
    "a number as truth": WRITE | {"number": True},
    "too long a title": {"type": "title", "title": "x" * (LONGEST_TITLE + 1)},
    "a title that is none": {"type": "title", "title": None},
    "an unknown pet": {"type": "start", "pet": "dragon"},
    "a card for a pet": {"type": "start", "pet": "attack"},
    "a pet that is a list": {"type": "start", "pet": ["moss"]},
    "a grown fighter": {"type": "try", "pet": "boulder"},
    "a fighter that is none": {"type": "try", "pet": None},
    "a fighter that is a list": {"type": "try", "pet": ["moss"]},
}


@pytest.mark.parametrize("message", GOOD.values(), ids=GOOD)
def test_a_good_message_is_an_action_of_its_own(message: dict[str, Any]) -> None:
    assert checked(message) == message
    assert checked(message) is not message


@pytest.mark.parametrize("message", BAD.values(), ids=BAD)
def test_a_malformed_message_is_counted_and_dropped(easel: Easel, message: object) -> None:
    before = shown(easel)
    easel._sheet._handle_msg(message)
    assert easel._sheet.ignored == 1
    assert shown(easel) == before
