"""Starting the lab, or the page to ask the rules: where it listens, and that what the command is told reaches it."""

import socket
from pathlib import Path
from typing import Any

import pytest

from summon import cli, situation
from summon.views import page_server, server

QUESTION = situation({"pet": "bloom", "health": 2}, "tide", turn=9)


@pytest.fixture
def served(monkeypatch: pytest.MonkeyPatch) -> list[dict[str, Any]]:
    asked: list[dict[str, Any]] = []
    monkeypatch.setattr(server.pn, "serve", lambda pages, **how: asked.append({"pages": pages, **how}))
    return asked


@pytest.mark.parametrize("command", ["lab", "ask"])
def test_it_listens_on_this_machine_alone(
    command: str, served: list[dict[str, Any]], capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main([command, "--no-browser"]) == 0
    port = served[0]["port"]
    assert 0 <= port - page_server.PORTS[command] < 20
    assert served[0]["address"] == "127.0.0.1"
    assert served[0]["websocket_origin"] == [f"127.0.0.1:{port}", f"localhost:{port}"]
    assert f"http://127.0.0.1:{port}/{command}" in capsys.readouterr().out


@pytest.mark.parametrize("command", ["lab", "ask"])
def test_a_port_that_is_named_is_that_one_or_none(
    command: str, served: list[dict[str, Any]], capsys: pytest.CaptureFixture[str]
) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        assert cli.main([command, "--no-browser", "--port", str(port)]) == 1
    assert not served
    assert f"summon {command}: port {port} is not free" in capsys.readouterr().err


def test_a_question_is_asked_of_a_record(served: list[dict[str, Any]], tmp_path: Path) -> None:
    file = tmp_path / "question.json"
    file.write_text(QUESTION.to_json(), encoding="utf-8")
    assert cli.main(["ask", str(file), "--no-browser"]) == 0
    assert served[0]["pages"]["ask"]().record == QUESTION


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "there is no record in the file"),
        ("{}", "line 1: "),
        (QUESTION.to_json() + "\n\n" + QUESTION.to_json(), "line 3: a second record"),
        (QUESTION.to_json().replace('"turns": []', '"turns": [["revive", "heal"]]'), "turn 9, first"),
    ],
)
def test_a_record_that_cannot_be_played_is_no_question(
    text: str, says: str, served: list[dict[str, Any]], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "question.json"
    file.write_text(text, encoding="utf-8")
    assert cli.main(["ask", str(file), "--no-browser"]) == 1
    assert cli.main(["ask", str(tmp_path / "none.json"), "--no-browser"]) == 2
    assert not served
    told = capsys.readouterr().err
    assert told.startswith(f"summon ask: {file}: ")
    assert says in told
