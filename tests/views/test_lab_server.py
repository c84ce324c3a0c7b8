"""Starting the lab: at which port it listens, and that what the command is told reaches it."""

import socket
from typing import Any

import pytest

from summon import cli
from summon.views import lab_server, server


@pytest.fixture
def served(monkeypatch: pytest.MonkeyPatch) -> list[dict[str, Any]]:
    asked: list[dict[str, Any]] = []
    monkeypatch.setattr(server.pn, "serve", lambda pages, **how: asked.append({"pages": pages, **how}))
    return asked


def test_it_listens_on_this_machine_alone(served: list[dict[str, Any]], capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["lab", "--no-browser"]) == 0
    port = served[0]["port"]
    assert lab_server.PORT <= port < lab_server.PORT + 20
    assert served[0]["address"] == "127.0.0.1"
    assert served[0]["websocket_origin"] == [f"127.0.0.1:{port}", f"localhost:{port}"]
    assert f"http://127.0.0.1:{port}/lab" in capsys.readouterr().out


def test_a_port_that_is_named_is_that_one_or_none(
    served: list[dict[str, Any]], capsys: pytest.CaptureFixture[str]
) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        assert cli.main(["lab", "--no-browser", "--port", str(port)]) == 1
    assert not served
    assert f"port {port} is not free" in capsys.readouterr().out
