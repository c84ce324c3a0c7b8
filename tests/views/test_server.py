"""How the game is served: at which port, to whom, and what is said about it."""

import asyncio
import io
import os
import re
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import panel as pn
import pytest
import segno
from tornado.httpclient import HTTPClientError, HTTPRequest
from tornado.ioloop import IOLoop
from tornado.websocket import websocket_connect

from summon import lan
from summon.views import reach, server

ROOT = Path(__file__).parents[2]
HOME = "192.168.1.5"


@contextmanager
def listening(address: str) -> Iterator[int]:
    """Somebody who listens at a port of this machine."""
    with socket.socket() as taken:
        taken.bind((address, 0))
        taken.listen()
        yield taken.getsockname()[1]


@pytest.mark.parametrize("taken_at", ["127.0.0.1", "0.0.0.0"])
@pytest.mark.parametrize("address", ["127.0.0.1", "0.0.0.0"])
def test_a_port_that_is_taken_is_passed_over(taken_at: str, address: str) -> None:
    with listening(taken_at) as port:
        assert server.free_port(port, address) > port
        with pytest.raises(OSError, match=f"port {port} is not free"):
            server.free_port(port, address, tries=1)


def test_port_0_is_any_free_one() -> None:
    assert 0 < server.free_port(0) < 65536
    assert 0 < server.free_port(0, "0.0.0.0") < 65536


def test_only_the_addresses_that_are_opened_may_talk_with_the_game(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lan, "host_name", lambda: "laptop")
    assert server.origins((), 5006) == ["127.0.0.1:5006", "localhost:5006"]
    assert server.origins((HOME, "Laptop.local"), 5006) == [
        "127.0.0.1:5006",
        "localhost:5006",
        f"{HOME}:5006",
        "laptop.local:5006",
    ]
    assert server.origins((), 5006, "summon.example") == ["summon.example"]
    assert server.origins((), 5006, "summon.example:443/games") == ["summon.example"]
    assert server.origins((), 5006, "summon.example:8443/games") == ["summon.example:8443"]


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> Iterator[dict[str, Any]]:
    """With what the server would be started, without starting one."""
    options: dict[str, Any] = {}
    monkeypatch.setattr(pn, "serve", lambda pages, **given: options.update(given))
    monkeypatch.setattr(server, "world", lambda: SimpleNamespace(store=SimpleNamespace(place="a safe place")))
    monkeypatch.setattr(lan, "host_name", lambda: None)
    monkeypatch.setattr(lan, "addresses", lambda: (HOME, "10.0.0.7"))
    before = reach.addresses()
    yield options
    reach.open_to(before)


@pytest.mark.parametrize("named", [True, False])
def test_a_port_that_was_named_is_insisted_on(
    named: bool, started: dict[str, Any], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with listening("127.0.0.1") as port:
        monkeypatch.setattr(server, "PORT", port)
        assert server.serve(port if named else None, open_browser=False) == int(named)
    told = capsys.readouterr()
    if named:
        assert started == {}
        assert f"port {port} is not free" in told.err
    else:
        assert started["port"] > port
        assert f":{started['port']}/play" in told.out


def test_who_starts_the_game_for_this_machine_opens_it_to_nobody_else(
    started: dict[str, Any], capsys: pytest.CaptureFixture[str]
) -> None:
    assert server.serve(0, False) == 0
    assert started["address"] == "127.0.0.1"
    assert started["use_xheaders"] is False
    assert started["compress_response"] and started["sign_sessions"] and len(started["secret_key"]) == 32
    assert reach.addresses() == ()
    told = capsys.readouterr().out
    assert f"http://127.0.0.1:{started['port']}/play" in told
    assert "saved in a safe place" in told


def test_on_the_home_network_every_address_is_told_and_what_it_means(
    started: dict[str, Any], capsys: pytest.CaptureFixture[str]
) -> None:
    assert server.serve(0, False, network=True) == 0
    port = started["port"]
    urls = (f"http://{HOME}:{port}/play", f"http://10.0.0.7:{port}/play")
    assert started["address"] == "0.0.0.0"
    assert set(started["websocket_origin"]) == {
        f"{host}:{port}" for host in (HOME, "10.0.0.7", "localhost", "127.0.0.1")
    }
    assert reach.addresses() == urls
    told = capsys.readouterr().out
    assert all(url in told for url in urls)
    assert "not encrypted" in told and "Ctrl+C" in told and f"port {port}" in told
    assert modules_of(urls[0]) == shown_modules(told)


def modules_of(url: str) -> list[list[int]]:
    """The modules of a QR code, dark ones 1."""
    return [list(row) for row in segno.make(url, error="l", micro=False).matrix]


def shown_modules(told: str) -> list[list[int]]:
    """The modules of the code that is printed, without its border."""
    rows: list[list[int]] = []
    for line in told.splitlines():
        if re.fullmatch("[ ▀▄█]{20,}", line):
            rows += [[int(letter in dark) for letter in line] for dark in (" ▄", " ▀")]
    width = len(rows[0])
    assert rows[:2] == [[0] * width] * 2
    return [row[2:-2] for row in rows[2 : width - 2]]


def test_the_address_that_is_named_is_the_only_one(started: dict[str, Any], capsys: pytest.CaptureFixture[str]) -> None:
    assert server.serve(0, False, network=True, address="192.0.2.254") == 0
    assert reach.addresses() == (f"http://192.0.2.254:{started['port']}/play",)
    told = capsys.readouterr().out
    assert HOME not in told
    assert "192.0.2.254 is no address of this machine" in told


def test_a_public_address_is_warned_of(
    started: dict[str, Any], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(lan, "addresses", lambda: (HOME, "8.8.4.4"))
    assert server.serve(0, False, network=True) == 0
    told = capsys.readouterr().out
    assert "8.8.4.4 is an address of the internet" in told
    assert f"{HOME} is an address of the internet" not in told


def test_without_a_network_the_game_goes_on_for_this_machine(
    started: dict[str, Any], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(lan, "addresses", lambda: ())
    assert server.serve(0, False, network=True) == 0
    assert (started["address"], reach.addresses()) == ("127.0.0.1", ())
    told = capsys.readouterr().out
    assert "No address in a network was found" in told
    assert "█" not in told


def test_behind_a_proxy_it_stays_on_this_machine_and_believes_the_proxy(
    started: dict[str, Any], capsys: pytest.CaptureFixture[str]
) -> None:
    assert server.serve(0, True, proxy="summon.example/games") == 0
    assert (started["address"], started["use_xheaders"]) == ("127.0.0.1", True)
    assert started["websocket_origin"] == ["summon.example"]
    assert reach.addresses() == ("https://summon.example/games/play",)
    assert "https://summon.example/games/play" in capsys.readouterr().out


def test_a_proxy_asks_at_one_port_and_no_other_will_do(
    started: dict[str, Any], capsys: pytest.CaptureFixture[str]
) -> None:
    with listening("127.0.0.1") as port:
        assert server.serve(port, False, proxy="summon.example") == 1
        assert f"port {port} is not free" in capsys.readouterr().err
        assert started == {}


@pytest.mark.parametrize("options", [{}, {"network": True}])
def test_this_machine_opens_its_own_address(
    started: dict[str, Any], monkeypatch: pytest.MonkeyPatch, options: dict[str, bool]
) -> None:
    shown: list[str] = []

    def serve(_: object, **given: Any) -> None:
        started.update(given)
        loop = IOLoop.current()
        loop.call_later(0.05, loop.stop)
        loop.start()

    monkeypatch.setattr(pn, "serve", serve)
    monkeypatch.setattr(server, "view", shown.append)
    assert server.serve(0, False, **options) == 0
    assert shown == []
    assert server.serve(0, True, **options) == 0
    assert shown == [f"http://127.0.0.1:{started['port']}/play"]
    assert server.serve(0, True, proxy="summon.example") == 0
    assert len(shown) == 1


@pytest.mark.usefixtures("started")
def test_a_server_that_cannot_start_says_why(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def serve(_: object, **given: Any) -> None:
        raise OSError(98, "Address already in use")

    monkeypatch.setattr(pn, "serve", serve)
    assert server.serve(0, False) == 1
    assert "the server cannot start: Address already in use" in capsys.readouterr().err


def test_an_output_without_the_letters_for_it_gets_no_code(monkeypatch: pytest.MonkeyPatch) -> None:
    for encoding, shown in (("ascii", False), ("latin-1", False), ("cp437", True), ("utf-8", True)):
        output = io.TextIOWrapper(io.BytesIO(), encoding)
        monkeypatch.setattr(sys, "stdout", output)
        server.print_qr("http://192.168.1.5:5006/play")
        output.flush()
        assert bool(output.buffer.getvalue()) is shown  # type: ignore[attr-defined]


def test_nobody_has_said_who_reaches_the_game_until_somebody_does() -> None:
    command = "from summon.views import reach; print(reach.addresses())"
    told = subprocess.run([sys.executable, "-c", command], capture_output=True, text=True, check=True, cwd=ROOT)
    assert told.stdout.strip() == "None"


# As processes

START_SECONDS = 90

SUMMON = ["-c", "import sys; from summon.cli import main; sys.exit(main())", "play", "--no-browser"]


class Served:
    """A server of the game that runs."""

    def __init__(self, port: int, log: Path) -> None:
        self.port, self.log = port, log

    def at(self, path: str, host: str = "127.0.0.1") -> str:
        return f"http://{host}:{self.port}{path}"


Serve = Callable[..., Served]


@pytest.fixture
def serving(tmp_path: Path) -> Iterator[Serve]:
    """Start a server with a command of its own."""
    running: list[subprocess.Popen[bytes]] = []

    def serve(*arguments: str, up: str = "/health", store: str | None = None) -> Served:
        port, log = server.free_port(0, "0.0.0.0"), tmp_path / "log.txt"
        environment = os.environ | {"SUMMON_STORE": store or str(tmp_path / "summon.db")}
        with log.open("wb") as output:
            command = [sys.executable, *arguments, "--port", str(port)]
            running.append(subprocess.Popen(command, cwd=ROOT, env=environment, stdout=output, stderr=output))
        served, end = Served(port, log), time.monotonic() + START_SECONDS
        while not is_up(served.at(up)):
            assert running[-1].poll() is None, log.read_text(errors="replace")
            assert time.monotonic() < end, log.read_text(errors="replace")
            time.sleep(0.1)
        return served

    yield serve
    for process in running:
        process.terminate()
        process.wait(timeout=20)


def opener() -> urllib.request.OpenerDirector:
    return urllib.request.build_opener(urllib.request.ProxyHandler({}))


def is_up(url: str) -> bool:
    try:
        opener().open(url, timeout=10).close()
    except urllib.error.HTTPError:
        return True
    except OSError:
        return False
    return True


def page(url: str) -> str:
    with opener().open(url, timeout=30) as answer:
        return answer.read().decode()


def websocket(url: str, origin: str, token: str, send: bytes = b"") -> int | None:
    """Ask for a page's websocket from a page of an origin; gives the status, or with what code it was closed."""

    async def ask() -> int | None:
        request = HTTPRequest(url.replace("http:", "ws:") + "/ws", headers={"Origin": origin})
        try:
            socket = await websocket_connect(request, subprotocols=["bokeh", token])
        except HTTPClientError as refused:
            return refused.code
        if not send:
            socket.close()
            return 101
        await socket.write_message(send, binary=True)
        while await socket.read_message() is not None:
            pass
        return socket.close_code

    return asyncio.run(asyncio.wait_for(ask(), 60))


def token_of(html: str) -> str:
    found = re.search(r'"token":"([^"]+)"', html)
    assert found
    return found[1]


def test_the_game_is_opened_by_the_address_that_it_tells_and_by_no_other(serving: Serve) -> None:
    addresses = lan.addresses()
    if not addresses:
        pytest.skip("this machine is in no network")
    served = serving(*SUMMON, "--lan")
    here, there = served.at("/play"), served.at("/play", addresses[0])
    assert there in served.log.read_text(encoding="utf-8", errors="replace")
    for url in (here, there):
        token = token_of(page(url))
        assert websocket(url, url.removesuffix("/play"), token) == 101
        assert websocket(url, f"http://evil.example:{served.port}", token) == 403
        assert websocket(url, f"http://{addresses[0]}:1", token) == 403


def test_a_game_for_this_machine_is_closed_to_the_network(serving: Serve) -> None:
    served = serving(*SUMMON)
    assert is_up(served.at("/play"))
    for address in lan.addresses():
        assert not is_up(served.at("/play", address))


def test_a_message_that_is_far_too_large_is_not_taken(serving: Serve) -> None:
    served = serving(*SUMMON)
    url = served.at("/play")
    own = url.removesuffix("/play")
    # Bokeh tells what it could not understand; what is too large it does not even get.
    assert websocket(url, own, token_of(page(url)), b"x" * server.LARGEST_MESSAGE) in (10000, 10001)
    assert websocket(url, own, token_of(page(url)), b"x" * (server.LARGEST_MESSAGE + 1)) in (1009, None)


def test_a_request_that_is_far_too_large_is_not_taken(serving: Serve) -> None:
    served = serving(*SUMMON)
    with pytest.raises(urllib.error.HTTPError) as refused:
        opener().open(served.at("/play"), data=b"x" * (server.LARGEST_REQUEST + 1), timeout=30)
    assert refused.value.code == 400
