"""The game behind a reverse proxy with TLS: a real nginx, with the very configuration that docs/running.md gives."""

import gzip
import http.client
import json
import os
import re
import ssl
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urljoin, urlsplit

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from summon.views.server import LARGEST_MESSAGE
from tests.browser import nginx
from tests.browser.boards import begin, choose_pet, open_cards, wait_for_phase
from tests.browser.conftest import ROOT, START_SECONDS, Pages, free_port, stop, wait_until_up

SUMMON = ["-c", "import sys; from summon.cli import main; sys.exit(main())"]
IDENTITY = "tests/browser/apps/identity.py"
KEY_PAIR = Path(__file__).with_name("proxy.pem")
CUT_OFF = ["net::ERR_", "not connected", "ebsocket", "ebSocket", "502"]
"""What a browser says of a game that is stopped behind a proxy that goes on."""

FRAME = """\
daemon off;
master_process off;
pid {folder}/nginx.pid;
error_log {folder}/error.log;
events {{ worker_connections 256; }}
http {{
    access_log off;
    client_body_temp_path {folder}/body;
    proxy_temp_path {folder}/proxy;
    fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi;
    scgi_temp_path {folder}/scgi;
{site}
}}
"""

COOKIE = "summon_profile"
FORGED = "203.0.113.9"
OTHER_LOOPBACK = "127.0.0.3"
"""Where the proxy asks the game from, so that it and the browser have different addresses."""

only_linux = pytest.mark.skipif(sys.platform != "linux", reason="all of 127.0.0.0/8 is this machine on Linux alone")


def blocks() -> list[str]:
    """The configurations that the documentation gives: the whole of it, and what is other below a path."""
    text = (ROOT / "docs" / "running.md").read_text(encoding="utf-8")
    return re.findall(r"```nginx\n(.*?)```", text, re.DOTALL)


def at_root() -> str:
    return blocks()[0]


def below_a_path() -> str:
    whole, part = blocks()
    start, end = whole.index("    location / {"), whole.index("}\n\nserver {\n    listen 80;")
    return whole[:start] + part + whole[end:]


def configuration(folder: Path, site: str, port: int, game: int) -> str:
    """A documented configuration with ports, addresses and a key pair of the test's."""
    changes = {
        "    listen [::]:443 ssl;\n": "",
        "    listen [::]:80;\n": "",
        "listen 443 ssl;": f"listen 127.0.0.1:{port} ssl;",
        "listen 80;": f"listen 127.0.0.1:{free_port()};",
        "/etc/letsencrypt/live/summon.example/fullchain.pem": str(KEY_PAIR),
        "/etc/letsencrypt/live/summon.example/privkey.pem": str(KEY_PAIR),
        "http://127.0.0.1:5006": f"http://127.0.0.1:{game}",
    }
    for documented, tested in changes.items():
        assert documented in site
        site = site.replace(documented, tested)
    if sys.platform == "linux":
        site = site.replace("proxy_http_version", f"proxy_bind {OTHER_LOOPBACK};\n    proxy_http_version", 1)
    return FRAME.format(folder=folder, site=site)


@pytest.fixture(scope="module")
def program() -> str:
    """The nginx to test with; without one the file is passed over, unless the tests must be complete."""
    try:
        path = nginx.find()
    except nginx.NoNginxError as error:
        pytest.fail(str(error), pytrace=False)
    if path is None:
        missing = f"No nginx for the test of the game behind a proxy.\n{nginx.HOW_TO}"
        if nginx.must_be_complete():
            pytest.fail(missing, pytrace=False)
        pytest.skip(missing)
    return path


@contextmanager
def proxy(program: str, folder: Path, site: str, port: int, game: int) -> Iterator[str]:
    """Run nginx before the game at a port of this machine; gives the address that people open."""
    folder.mkdir()
    written = folder / "nginx.conf"
    written.write_text(configuration(folder, site, port, game))
    with (folder / "output.txt").open("wb") as output:
        running = subprocess.Popen([program, "-p", str(folder), "-c", str(written)], stdout=output, stderr=output)
    try:
        end = time.monotonic() + START_SECONDS
        while not is_up(port):
            assert running.poll() is None, (folder / "output.txt").read_text()
            assert time.monotonic() < end, "nginx did not start"
            time.sleep(0.05)
        yield f"https://127.0.0.1:{port}"
    finally:
        stop(running)


def is_up(port: int) -> bool:
    try:
        return Answer(f"https://127.0.0.1:{port}/").status > 0
    except ConnectionRefusedError:
        return False


class Answer:
    """What comes back through the proxy for one request."""

    def __init__(self, url: str, headers: dict[str, str] | None = None, source: str | None = None) -> None:
        parts = urlsplit(url)
        connection = http.client.HTTPSConnection(
            parts.netloc,
            timeout=START_SECONDS,
            context=ssl._create_unverified_context(),
            source_address=(source, 0) if source else None,
        )
        connection.request("GET", f"{parts.path}?{parts.query}", headers=headers or {})
        response = connection.getresponse()
        self.status, self.headers = response.status, response.headers
        # What was upgraded is answered by no more than the headers.
        body = b"" if self.status == 101 else response.read()
        self.body = gzip.decompress(body) if self.headers.get("Content-Encoding") == "gzip" else body
        connection.close()


@contextmanager
def running(command: list[str], folder: Path, up: str) -> Iterator[None]:
    """Run a server of the game until the context ends; it has begun when it answers at an address."""
    log = folder / f"log-{time.monotonic_ns()}.txt"
    saved = {"SUMMON_STORE": str(folder / "store" / "summon.db")}
    with log.open("wb") as output:
        server = subprocess.Popen(
            [sys.executable, *command],
            cwd=ROOT,
            env=os.environ | saved,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=output,
        )
    try:
        wait_until_up(server, up, log)
        yield
        assert server.poll() is None, log.read_text()
    finally:
        stop(server)


def game(folder: Path, port: int, opened: str) -> AbstractContextManager[None]:
    """Run the game for a proxy that people open at an address, by the game's own command."""
    command = [*SUMMON, "play", "--no-browser", "--port", str(port), "--behind-proxy", opened]
    return running(command, folder, f"http://127.0.0.1:{port}/health")


@contextmanager
def behind_proxy(program: str, folder: Path, site: str, path: str = "") -> Iterator[str]:
    """Run the game and an nginx before it; gives the address of the play page that people open."""
    port, port_of_game = free_port(), free_port()
    with (
        game(folder, port_of_game, f"127.0.0.1:{port}{path}"),
        proxy(program, folder / "nginx", site, port, port_of_game) as url,
    ):
        yield f"{url}{path}/play"


@pytest.fixture(scope="module")
def opened(program: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of the play page."""
    with behind_proxy(program, tmp_path_factory.mktemp("proxy"), at_root()) as url:
        yield url


class Trusting:
    """A browser that takes the test's certificate for a good one."""

    def __init__(self, browser: Browser) -> None:
        self._browser = browser

    def new_context(self, **options: Any) -> BrowserContext:
        return self._browser.new_context(ignore_https_errors=True, **options)


@pytest.fixture
def browser(browser: Browser) -> Trusting:
    """The browser whose pages `page_at` opens."""
    return Trusting(browser)


def cookie_of(page: Page) -> Any:
    (found,) = [cookie for cookie in page.context.cookies() if cookie["name"] == COOKIE]
    return found


def play_a_turn(page: Page, url: str) -> None:
    """Come for the first time, choose a pet, and play the first turn of a practice battle."""
    screen = begin(page, url)
    wait_for_phase(screen, "choosing")
    screen.locator(f".card[data-card={open_cards(screen)[0]}]").click()
    screen.locator(".go").click()
    expect(screen.locator(".go[data-go=skip], .go[data-go=next]").first).to_be_visible()


def test_the_game_is_played_over_an_encrypted_websocket(page_at: Pages, opened: str) -> None:
    page = page_at("phone")
    sent: list[int] = []
    page.on("websocket", lambda opened: opened.on("framesent", lambda frame: sent.append(len(frame))))
    play_a_turn(page, opened)
    assert 0 < max(sent) < LARGEST_MESSAGE / 10
    sockets = [url for url in page_at.requests if url.startswith("ws")]
    assert sockets == [opened.replace("https:", "wss:") + "/ws"]
    assert all(url.startswith(("https:", "wss:", "data:", "blob:")) for url in page_at.requests)


def test_the_cookie_is_for_encrypted_connections_alone(page_at: Pages, opened: str) -> None:
    page = page_at()
    choose_pet(page, opened, "moss")
    cookie = cookie_of(page)
    assert (cookie["secure"], cookie["httpOnly"], cookie["sameSite"], cookie["path"]) == (True, True, "Lax", "/")
    page.reload()
    expect(page.locator(".pages[data-page=home]")).to_be_visible()
    assert cookie_of(page)["value"] == cookie["value"]


def test_the_game_below_a_path_of_its_host(page_at: Pages, program: str, tmp_path: Path) -> None:
    with behind_proxy(program, tmp_path, below_a_path(), "/games/summon") as url:
        play_a_turn(page_at(), url)
        asked = [urlsplit(address) for address in page_at.requests]
        paths = [address.path for address in asked if address.scheme in ("https", "wss")]
        assert [path for path in paths if not path.startswith("/games/summon/")] == []
        assert "/games/summon/play/ws" in paths
        assert json.loads(Answer(url.replace("/play", "/health")).body)["status"] == "ok"
        assert Answer(urljoin(url, "/play")).status == 404


def test_a_game_that_is_started_again_is_found_again_by_its_pages(page_at: Pages, program: str, tmp_path: Path) -> None:
    page_at.expected += CUT_OFF
    port, port_of_game = free_port(), free_port()
    page = page_at("phone")
    with proxy(program, tmp_path / "nginx", at_root(), port, port_of_game) as url:
        with game(tmp_path, port_of_game, f"127.0.0.1:{port}"):
            screen = begin(page, f"{url}/play", "tide")
        expect(page.locator("#lost")).to_be_visible()
        assert Answer(f"{url}/play").status == 502
        with game(tmp_path, port_of_game, f"127.0.0.1:{port}"):
            expect(screen).to_be_visible(timeout=60_000)
            expect(screen.locator('[data-side="you"]')).to_contain_text("Tide")
            expect(page.locator("#lost")).to_be_hidden()
            wait_for_phase(screen, "choosing")
            screen.locator(f".card[data-card={open_cards(screen)[0]}]").click()
            screen.locator(".go").click()
            expect(screen.locator(".go[data-go=skip], .go[data-go=next]").first).to_be_visible()


@only_linux
def test_the_game_sees_its_visitors_and_not_the_proxy(page_at: Pages, program: str, tmp_path: Path) -> None:
    """Nor what visitors say they are: each header that the game would believe is set by the proxy."""
    port, port_of_game = free_port(), free_port()
    flags = ["--address", "127.0.0.1", "--port", str(port_of_game), "--use-xheaders"]
    command = ["-m", "panel", "serve", IDENTITY, *flags, "--allow-websocket-origin", f"127.0.0.1:{port}"]
    page = page_at()
    forged = {"X-Forwarded-For": FORGED, "X-Real-IP": FORGED, "X-Scheme": "http", "X-Forwarded-Proto": "http"}
    page.set_extra_http_headers(forged)
    with (
        running(command, tmp_path, f"http://127.0.0.1:{port_of_game}/identity"),
        proxy(program, tmp_path / "nginx", at_root(), port, port_of_game) as url,
    ):
        page.goto(f"{url}/identity")
        shown = page.locator(".known pre")
        expect(shown).to_contain_text("hash")
        known = json.loads(shown.text_content() or "")
        assert known["address"] == "127.0.0.1"
        assert FORGED not in json.dumps(known)
        assert cookie_of(page)["secure"]


def handshake(url: str, origin: str) -> int:
    """The status of the answer to a page of some origin that asks for a websocket."""
    headers = {
        "Origin": origin,
        "Connection": "Upgrade",
        "Upgrade": "websocket",
        "Sec-WebSocket-Version": "13",
        "Sec-WebSocket-Key": "AAAAAAAAAAAAAAAAAAAAAA==",
        "Sec-WebSocket-Protocol": "bokeh, none",
    }
    return Answer(f"{url}/ws", headers).status


def test_pages_of_other_sites_get_no_websocket(opened: str) -> None:
    own = opened.removesuffix("/play")
    assert handshake(opened, own) == 101
    foreign = ("https://evil.example", "https://127.0.0.1", "http://localhost:5006", f"{own}.evil.example", "null")
    assert [handshake(opened, origin) for origin in foreign] == [403] * len(foreign)


def test_the_proxy_compresses_pages_and_scripts(opened: str) -> None:
    page = Answer(opened, {"Accept-Encoding": "gzip"})
    script = re.search(r'src="(static/js/bokeh\.min\.js[^"]*)"', page.body.decode())
    assert script
    for answer in (page, Answer(urljoin(opened, script[1]), {"Accept-Encoding": "gzip"})):
        assert (answer.status, answer.headers["Content-Encoding"]) == (200, "gzip")
        assert "Accept-Encoding" in answer.headers["Vary"]
    assert Answer(opened).headers["Content-Encoding"] is None


@only_linux
def test_only_this_machine_is_told_how_the_game_is(opened: str) -> None:
    asked = opened.replace("/play", "/health")
    assert json.loads(Answer(asked).body)["store"]["reachable"] is True
    assert Answer(asked, source=OTHER_LOOPBACK).status == 403
    assert Answer(opened, source=OTHER_LOOPBACK).status == 200
