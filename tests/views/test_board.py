"""The board in Python: what it lets in from a browser, and what it sends out."""

from __future__ import annotations

import json
import re

import pytest
from bokeh.document import Document
from bokeh.document.events import MessageSentEvent
from panel.models.esm import ESMEvent

from summon import art
from summon.views import assets
from summon.views.board import LARGEST, Board, checked, pictures
from summon.views.component import STATIC
from summon.words import BOARD

LOCK = {"type": "lock", "turn": 4, "card": "attack", "amount": None}

GOOD = [
    LOCK,
    LOCK | {"card": "wait"},
    LOCK | {"card": "sacrifice", "amount": 3},
    LOCK | {"card": "copycat", "turn": LARGEST},
    {"type": "take_back", "turn": 4},
    {"type": "card", "card": "attack"},
    {"type": "log"},
    {"type": "record"},
    {"type": "again"},
    {"type": "leave"},
    {"type": "rematch"},
    {"type": "here", "here": True},
    {"type": "here", "here": False},
]

MALFORMED = [
    None,
    "lock",
    4,
    [],
    {},
    [LOCK],
    {"type": None},
    {"type": "cheat"},
    {"type": ["lock"]},
    {"type": {}},
    {"turn": 4},
    {"type": "lock"},
    {"type": "lock", "turn": 4, "card": "attack"},
    LOCK | {"extra": 1},
    LOCK | {"turn": 0},
    LOCK | {"turn": -1},
    LOCK | {"turn": LARGEST + 1},
    LOCK | {"turn": 4.0},
    LOCK | {"turn": True},
    LOCK | {"turn": "4"},
    LOCK | {"turn": None},
    LOCK | {"turn": float("nan")},
    LOCK | {"card": "Attack"},
    LOCK | {"card": "ember"},
    LOCK | {"card": ""},
    LOCK | {"card": None},
    LOCK | {"card": ["attack"]},
    LOCK | {"card": {}},
    LOCK | {"amount": 1},
    LOCK | {"amount": 0},
    LOCK | {"amount": False},
    LOCK | {"card": "sacrifice"},
    LOCK | {"card": "sacrifice", "amount": 0},
    LOCK | {"card": "sacrifice", "amount": -3},
    LOCK | {"card": "sacrifice", "amount": 1.0},
    LOCK | {"card": "sacrifice", "amount": True},
    LOCK | {"card": "sacrifice", "amount": LARGEST + 1},
    {"type": "take_back"},
    {"type": "take_back", "turn": "4"},
    {"type": "take_back", "turn": 4, "card": "attack"},
    {"type": "card"},
    {"type": "card", "card": "wait"},
    {"type": "card", "card": ["attack"]},
    {"type": "card", "card": "attack", "turn": 4},
    {"type": "log", "turn": 4},
    {"type": "leave", "sure": True},
    {"type": "rematch", "turn": 4},
    {"type": "here"},
    {"type": "here", "here": 1},
    {"type": "here", "here": True, "turn": 4},
]


@pytest.fixture
def heard() -> list[dict]:
    return []


@pytest.fixture
def board(heard: list[dict]) -> Board:
    return Board(on_action=heard.append)


@pytest.mark.parametrize("message", GOOD, ids=json.dumps)
def test_a_message_of_the_board_is_heard(board: Board, heard: list[dict], message: dict) -> None:
    board._handle_msg(message)
    assert heard == [message]
    assert board.ignored == 0


@pytest.mark.parametrize("message", MALFORMED, ids=repr)
def test_any_other_message_is_dropped_and_counted(board: Board, heard: list[dict], message: object) -> None:
    board._handle_msg(message)
    assert heard == []
    assert board.ignored == 1


def test_an_action_is_a_copy_of_its_message() -> None:
    message = dict(LOCK)
    action = checked(message)
    assert action == message and action is not message


def test_a_board_that_nobody_listens_to_takes_messages() -> None:
    board = Board()
    board._handle_msg(LOCK)
    board._handle_msg("nonsense")
    assert board.ignored == 1


def test_the_pictures_are_all_there_with_the_bricks_they_are_built_of() -> None:
    assert pictures() == {"shapes": art.shapes()} | art.bundle("pets", "cards", "letters", "states")


def shown(board: Board) -> Document:
    """The board in a document, as a page has it."""
    document = Document()
    document.add_root(board.get_root(document))
    return document


def test_the_pictures_are_in_the_page_and_in_no_update(monkeypatch: pytest.MonkeyPatch) -> None:
    board = Board(state={"battle": "b", "turn": 1})
    document = shown(board)
    assert str(document.to_json()).count("sb-st") > 100

    sent: list[dict] = []
    send = board._set_on_model
    monkeypatch.setattr(board, "_set_on_model", lambda change, *where: sent.append(change) or send(change, *where))
    board.state = {"battle": "b", "turn": 2}
    assert sent == [{"shown": json.dumps({"serial": 2, "state": {"battle": "b", "turn": 2}})}]
    assert board.state == {"battle": "b", "turn": 2}


def test_the_pictures_and_words_do_not_change(board: Board) -> None:
    for name in ("art", "words"):
        with pytest.raises(TypeError):
            setattr(board, name, "{}")


def test_a_browser_cannot_set_anything() -> None:
    board = Board(state={"battle": "b", "turn": 1})
    document = shown(board)
    (root,) = document.roots
    root.data.shown = "{}"
    assert board.shown != "{}"
    assert board.state == {"battle": "b", "turn": 1}
    assert not root.data._callbacks


@pytest.mark.parametrize(
    ("send", "message"),
    [
        (lambda board: board.refuse("Not now.", "2.5"), {"type": "refused", "text": "Not now.", "rule": "2.5"}),
        (lambda board: board.send_log([{"turn": 1}]), {"type": "log", "rounds": [{"turn": 1}]}),
        (lambda board: board.send_record("b.json", "{}"), {"type": "record", "name": "b.json", "text": "{}"}),
    ],
)
def test_an_answer_is_sent_once_and_kept_nowhere(send, message) -> None:
    board = Board()
    document = shown(board)
    events: list = []
    document.on_change(events.append)
    send(board)
    answers = [event.msg_data for event in events if isinstance(event, MessageSentEvent)]
    assert len(answers) == 1 and isinstance(answers[0], ESMEvent) and answers[0].data == message
    assert board.state == {}


def test_the_browser_uses_exactly_the_words_there_are() -> None:
    scripts = assets.shelf.scripts(Board._bundle.name)
    used = {it: set(re.findall(r"\bwords\.(\w+)", (STATIC / it).read_text(encoding="utf-8"))) for it in scripts}
    own = ("board.js", "cards.js", "hand.js", "side.js")
    assert set().union(*(used[script] for script in own)) <= set(BOARD)
    assert set(BOARD) <= set().union(*used.values())
