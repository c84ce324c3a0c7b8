"""Fixtures for the tests in a real browser: the game's server, a browser, and pages of several sizes."""

import os
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, expect, sync_playwright

from summon.store import Store
from tests.browser import chromium

ROOT = Path(__file__).resolve().parents[2]
HERE = Path(__file__).resolve().parent
START_SECONDS = 90

# A busy machine is slow, which is no fault of what is tested.
expect.set_options(timeout=20_000)

SIZES = {
    "phone": {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True},
    "tablet": {"viewport": {"width": 820, "height": 1180}, "has_touch": True},
    "desktop": {"viewport": {"width": 1440, "height": 900}},
}
UNREADABLE = ["x=%C2%B2", "record=%C2%B2", "x=" + "9" * 5000, "record=" + "%5B" * 5000]
"""Queries that Panel's own reading of an address fails at, or tells the log of at length."""

FLAGS = [
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    *(["--no-sandbox"] if chromium.is_root() else []),
]


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """A busy machine may starve a browser for longer than a test waits; what fails twice running is a fault."""
    for item in items:
        if item.path.is_relative_to(HERE):
            item.add_marker(pytest.mark.flaky(reruns=1))


@pytest.fixture(scope="session")
def chromium_path() -> str:
    """Return the path of the browser to test with."""
    try:
        path = chromium.find()
    except chromium.NoChromiumError as error:
        pytest.fail(str(error), pytrace=False)
    if path is None:
        pytest.fail(f"No Chromium for the browser tests.\n{chromium.HOW_TO}", pytrace=False)
    return path


# For the package, not the session: while Playwright runs, no other test in the process can use asyncio.run.
@pytest.fixture(scope="package")
def browser(chromium_path: str) -> Iterator[Browser]:
    """Return a running browser."""
    with sync_playwright() as playwright:
        running = playwright.chromium.launch(executable_path=chromium_path, args=FLAGS)
        yield running
        running.close()


class Pages:
    """Opens pages, and keeps a record of what went wrong in them and of every address they asked for."""

    def __init__(self, browser: Browser) -> None:
        self.browser = browser
        self.contexts: list[BrowserContext] = []
        self.errors: list[str] = []
        self.expected: list[str] = []
        """Parts of errors that belong to what a test does, such as a server that is stopped."""
        self.requests: list[str] = []

    def __call__(self, size: str = "desktop", scheme: str = "light") -> Page:
        """Return a fresh page of a size ("phone", "tablet", "desktop") and colour scheme ("light", "dark")."""
        context = self.browser.new_context(**SIZES[size], color_scheme=scheme)
        self.contexts.append(context)
        context.on("console", self._on_console)
        context.on("weberror", lambda problem: self.errors.append(f"page error: {problem.error}"))
        context.on("request", lambda request: self.requests.append(request.url))
        page = context.new_page()
        page.on("websocket", lambda socket: self.requests.append(socket.url))
        return page

    def _on_console(self, message: ConsoleMessage) -> None:
        if message.type == "error":
            self.errors.append(f"console error: {message.text} ({message.location.get('url', '')})")

    def foreign_requests(self) -> list[str]:
        """Return the addresses asked for that are not on this machine."""
        return [url for url in self.requests if not is_local(url)]

    def close(self) -> None:
        """Close all pages."""
        for context in self.contexts:
            context.close()


def is_local(url: str) -> bool:
    """Say whether an address is on this machine or is the content itself."""
    parts = urlsplit(url)
    if parts.scheme in ("data", "blob", "about"):
        return True
    return parts.hostname in ("127.0.0.1", "localhost")


@pytest.fixture
def page_at(browser: Browser) -> Iterator[Callable[..., Page]]:
    """Return a way to open pages; the test fails if one of them had an error or asked for anything from outside."""
    pages = Pages(browser)
    yield pages
    pages.close()
    errors = [error for error in pages.errors if not any(part in error for part in pages.expected)]
    problems = errors + [f"request to another host: {url}" for url in pages.foreign_requests()]
    if problems:
        pytest.fail("In the browser:\n" + "\n".join(problems), pytrace=False)


def free_port() -> int:
    """Return a port that nothing listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def answers(url: str) -> bool:
    """Say whether a server gives a page at an address."""
    try:
        with urllib.request.build_opener(urllib.request.ProxyHandler({})).open(url, timeout=10) as response:
            return response.status == 200
    except (OSError, urllib.error.URLError):
        return False


def wait_until_up(game: subprocess.Popen, url: str, log: Path) -> None:
    """Wait until the game answers; fail with its log if it dies or takes too long."""
    end = time.monotonic() + START_SECONDS
    while not answers(url):
        if game.poll() is not None:
            pytest.fail(f"The game's server died:\n{log.read_text(errors='replace')}", pytrace=False)
        if time.monotonic() > end:
            shown = log.read_text(errors="replace")
            pytest.fail(f"The game's server did not answer in {START_SECONDS} s:\n{shown}", pytrace=False)
        time.sleep(0.1)


def stop(game: subprocess.Popen) -> None:
    """End the game's server."""
    game.terminate()
    try:
        game.wait(timeout=10)
    except subprocess.TimeoutExpired:
        game.kill()
        game.wait()


@contextmanager
def serving(app: str, log: Path, port: int | None = None, store: Path | None = None) -> Iterator[str]:
    """Serve an app as `panel serve` does, for as long as the context lasts; gives its address.

    It saves to a store of its own, beside the log, unless one is named.
    """
    port = port or free_port()
    command = ["-m", "panel", "serve", app, "--port", str(port), "--address", "127.0.0.1"]
    command += ["--allow-websocket-origin", f"127.0.0.1:{port}"]
    with started(command, f"http://127.0.0.1:{port}/{Path(app).stem}", log, store) as url:
        yield url


@contextmanager
def summoned(command: str, log: Path, *arguments: str) -> Iterator[str]:
    """Have a command of `summon` serve its page, for as long as the context lasts; gives its address."""
    port = free_port()
    line = ["-c", "import sys; from summon.cli import main; sys.exit(main())", command, *arguments]
    with started([*line, "--no-browser", "--port", str(port)], f"http://127.0.0.1:{port}/{command}", log) as url:
        yield url


@contextmanager
def started(arguments: list[str], url: str, log: Path, store: Path | None = None) -> Iterator[str]:
    """Have Python run a server, until the context ends; gives the address, when it is up."""
    with log.open("wb") as output:
        saved = {"SUMMON_STORE": str(log.with_suffix(".db") if store is None else store)}
        command, settings = [sys.executable, *arguments], os.environ | saved
        game = subprocess.Popen(command, cwd=ROOT, env=settings, stdin=subprocess.DEVNULL, stdout=output, stderr=output)
    try:
        wait_until_up(game, url, log)
        yield url
        died = game.poll() is not None
    finally:
        stop(game)
    if died:
        pytest.fail(f"The server died during the tests:\n{log.read_text(errors='replace')}", pytrace=False)


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Start the game as a person would and return its address."""
    with serving("app/play.py", tmp_path_factory.mktemp("server") / "log.txt") as url:
        yield url


@pytest.fixture(scope="session")
def scenes(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Serve boards in prepared situations and return their address; `?scene=win` chooses one."""
    with serving("tests/browser/apps/scenes.py", tmp_path_factory.mktemp("scenes") / "log.txt") as url:
        yield url


@pytest.fixture(scope="session")
def stage(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Serve every page and phase of the game and return their address; `?scene=home` chooses one."""
    with serving("tests/browser/apps/stage.py", tmp_path_factory.mktemp("stage") / "log.txt") as url:
        yield url


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the file that the game of a module's tests saves to."""
    return tmp_path_factory.mktemp("kept") / "store" / "summon.db"


@pytest.fixture(scope="module")
def served(kept: Path) -> Iterator[str]:
    """Serve the game for a module's tests and return its address."""
    with serving("app/play.py", kept.parent.parent / "log.txt", store=kept) as url:
        yield url


@pytest.fixture
def store(kept: Path, served: str) -> Iterator[Store]:
    """Return the store of the game that is served, to look at and to win gold in."""
    with Store.open(kept) as opened:
        yield opened
