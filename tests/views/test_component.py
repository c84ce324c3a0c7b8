"""What all components have in common: output only, no more messages than somebody can tap, and one shared script."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from bokeh.document import Document
from bokeh.document.events import MessageSentEvent

from summon import words
from summon.views.board import Board
from summon.views.component import BURST, PING, PONG, STATIC, Component
from summon.views.pages import Pages
from summon.views.setup import SetUp
from tests.views.conftest import Clock

KINDS = [Board, Pages, SetUp]
MESSAGES = {Board: {"type": "log"}, Pages: {"type": "save"}, SetUp: {"type": "back"}}


@pytest.fixture(params=KINDS)
def shown(request: pytest.FixtureRequest, clock: Clock) -> Component:
    return request.param(clock=clock)


def answers(component: Component, monkeypatch: pytest.MonkeyPatch) -> list[dict[str, Any]]:
    sent: list[dict[str, Any]] = []
    monkeypatch.setattr(component, "_send_msg", sent.append)
    return sent


def send(component: Component, times: int) -> None:
    for _ in range(times):
        component._handle_msg(MESSAGES[type(component)])


def test_the_browser_sets_no_property(shown: Component) -> None:
    document = Document()
    root = shown.get_root(document)
    assert tuple(shown._linked_properties) == ()
    assert not root.data._callbacks


@pytest.mark.parametrize("rule", [None, "2.5"])
def test_answers_are_sent_once_and_not_kept(shown: Component, rule: str | None) -> None:
    document = Document()
    document.add_root(shown.get_root(document))
    events: list = []
    document.on_change(events.append)
    shown.refuse("Not now.", rule)
    shown.send_record("battle.json", "{}")
    sent = [event.msg_data.data for event in events if isinstance(event, MessageSentEvent)]
    told = {"type": "refused", "text": "Not now."}
    assert sent == [
        told if rule is None else told | {"rule": rule},
        {"type": "record", "name": "battle.json", "text": "{}"},
    ]


# Too many messages


def test_a_burst_is_taken_and_what_is_over_is_dropped(shown: Component, monkeypatch: pytest.MonkeyPatch) -> None:
    sent, done = answers(shown, monkeypatch), []
    shown.on_action = done.append
    send(shown, BURST)
    assert (len(done), shown.flooded, sent) == (BURST, 0, [])
    send(shown, 3)
    assert (len(done), shown.flooded) == (BURST, 3)
    assert sent == [{"type": "refused", "text": words.TOO_FAST}]


def test_ten_messages_a_second_are_taken_for_ever(shown: Component, clock: Clock) -> None:
    for second in range(30):
        clock.now = float(second)
        send(shown, 10)
    assert shown.flooded == 0


def test_waiting_long_gives_no_more_than_one_burst(shown: Component, clock: Clock) -> None:
    clock.now = 3_600.0
    send(shown, BURST + 1)
    assert shown.flooded == 1


def test_who_floods_is_told_again_only_after_a_pause(
    shown: Component, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    sent = answers(shown, monkeypatch)
    send(shown, BURST + 1)
    for _ in range(50):  # flooding on: a tenth of a second gives one message
        clock.now += 0.1
        send(shown, 5)
    assert len(sent) == 1
    clock.now += 1.9
    send(shown, 30)
    assert len(sent) == 1
    clock.now += 2.1
    send(shown, 30)
    assert len(sent) == 2


def test_malformed_messages_count_as_well(shown: Component, monkeypatch: pytest.MonkeyPatch) -> None:
    answers(shown, monkeypatch)
    for _ in range(BURST + 5):
        shown._handle_msg("nonsense")
    assert (shown.ignored, shown.flooded) == (BURST, 5)


@pytest.mark.parametrize("text", ["\ud800", "moss\udfff"])
def test_text_that_is_none_is_dropped_wherever_it_stands(shown: Component, text: str) -> None:
    done: list[object] = []
    shown.on_action = done.append
    shown._check = dict  # type: ignore[method-assign]
    for message in ({"type": text}, {"type": "a", text: 1}, {"type": "a", "list": [["b", text]]}):
        shown._handle_msg(message)
    assert (done, shown.ignored) == ([], 3)
    shown._handle_msg({"type": "a", "list": ["🐉"]})
    assert done == [{"type": "a", "list": ["🐉"]}]


def test_each_component_has_an_allowance_of_its_own() -> None:
    first, second = Board(), Board()
    for _ in range(BURST + 1):
        first._handle_msg({"type": "log"})
    second._handle_msg({"type": "log"})
    assert (first.flooded, second.flooded) == (1, 0)


def test_a_browser_that_asks_whether_anybody_is_there_is_answered(
    shown: Component, monkeypatch: pytest.MonkeyPatch
) -> None:
    sent, done = answers(shown, monkeypatch), []
    shown.on_action = done.append
    shown._handle_msg(PING)
    assert (sent, done, shown.ignored) == ([PONG], [], 0)
    shown._handle_msg(PING | {"more": 1})
    assert (sent, done, shown.ignored) == ([PONG], [], 1)


@pytest.mark.parametrize("kind", [Board, Pages])
def test_every_state_that_is_sent_has_a_higher_serial_and_is_in_the_answer(
    kind: type[Board] | type[Pages], monkeypatch: pytest.MonkeyPatch
) -> None:
    component = kind()
    model = component.get_root(Document())
    told = []
    for turn in (1, 2, 3):
        component.state = {"turn": turn}
        assert component.state == {"turn": turn}
        told.append(json.loads(model.data.shown))
    component.state = {"turn": 3}
    assert json.loads(model.data.shown) == told[-1], "the same again is nothing new"
    assert [it["state"] for it in told] == [{"turn": 1}, {"turn": 2}, {"turn": 3}]
    serials = [it["serial"] for it in told]
    assert serials == sorted(set(serials))
    sent = answers(component, monkeypatch)
    component._handle_msg(PING)
    assert sent == [PONG | {"shown": json.dumps(told[-1])}]


def test_asking_counts_as_well(shown: Component, monkeypatch: pytest.MonkeyPatch) -> None:
    sent = answers(shown, monkeypatch)
    for _ in range(BURST + 5):
        shown._handle_msg(PING)
    assert sent.count(PONG) == BURST
    assert shown.flooded == 5


# The scripts

SCRIPTS = sorted(STATIC.glob("*.js"))
IMPORTED = re.compile(r'^import \{([^}]*)\} from "\./(\w+)\.js";', re.MULTILINE)


def text_of(script: Path) -> str:
    return script.read_text(encoding="utf-8")


def exported(script: Path) -> set[str]:
    return set(re.findall(r"^export (?:async )?(?:const|function|class) (\w+)", text_of(script), flags=re.MULTILINE))


def imported(script: Path) -> dict[str, set[str]]:
    """What a script imports, by the name of the script that it comes from."""
    found = IMPORTED.findall(text_of(script))
    return {source: {name.strip() for name in names.split(",")} - {""} for names, source in found}


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.name)
def test_a_script_imports_what_there_is_and_what_it_uses(script: Path) -> None:
    text = IMPORTED.sub("", text_of(script))
    assert not re.findall(r"^import ", text, flags=re.MULTILINE)
    for source, names in imported(script).items():
        assert names <= exported(STATIC / f"{source}.js")
        assert {name for name in names if not re.search(rf"\b{name}\b", text)} == set()
    shared = exported(STATIC / "bricks.js") if script.stem != "bricks" else {"nothing"}
    assert not re.findall(rf"^(?:const|function|class) ({'|'.join(shared)})\b", text, flags=re.MULTILINE)


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.name)
def test_nothing_is_shared_that_nobody_uses(script: Path) -> None:
    used = set().union(*(imported(other).get(script.stem, set()) for other in SCRIPTS)) | {"render"}
    here = text_of(script)
    assert {name for name in exported(script) - used if len(re.findall(rf"\b{name}\b", here)) < 2} == set()


@pytest.mark.parametrize("kind", KINDS)
def test_a_file_of_its_own_needs_no_other_script(kind: type[Component]) -> None:
    model = kind().get_root(Document())
    assert not re.search(r"^(import|export) (?!const render|async function render)", model.esm, flags=re.MULTILINE)
    assert model.esm.count("innerHTML = markup") == 1


@pytest.mark.parametrize("kind", KINDS)
def test_where_it_is_served_all_scripts_come_from_one_place(kind: type[Component]) -> None:
    address = kind._render_esm(server=True)
    place = "./components/summon.views.component/Component/_js/static/"
    assert address == place + kind._bundle.name
    assert set(SCRIPTS) == set(Component._js)


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.name)
def test_no_text_is_taken_for_markup(script: Any) -> None:
    text = script.read_text(encoding="utf-8")
    drawn = ["markup"] if script.name == "bricks.js" else []
    assert re.findall(r"\S+\.(?:inner|outer)HTML = (.+);", text) == drawn
    assert "insertAdjacentHTML" not in text
