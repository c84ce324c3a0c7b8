"""Who is who, and how often recovery codes may be tried: what can be told without a server."""

import subprocess
import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import bokeh
import panel as pn
import pytest
from bokeh.document import Document
from bokeh.server.views.auth_request_handler import AuthRequestHandler
from bokeh.server.views.session_handler import SessionHandler
from panel.io.server import AutoloadJsHandler, DocHandler, WSHandler
from panel.io.state import set_curdoc
from tornado.web import RequestHandler

from summon.recovery import code_for, code_hash
from summon.views import identity
from summon.views.limits import GuessLimit, find_by_code

KEY = b"k" * 32


@pytest.mark.rule("11.2")
def test_where_no_page_was_asked_for_nobody_is_known() -> None:
    assert identity.token_hash() is None
    assert identity.remote_address() is None
    with set_curdoc(Document()):
        assert identity.token_hash() is None
        assert identity.remote_address() is None


def test_tokens_are_random_and_their_hashes_tell_them_apart() -> None:
    tokens = {identity.new_token() for _ in range(100)}
    assert len(tokens) == len({identity.hash_of(token) for token in tokens}) == 100
    assert all(len(token) == 43 for token in tokens)
    assert identity.hash_of("a") == "ca978112ca1bbdcafac231b39a23dc4da786eff8147c4e72b9807785afee48bb"


def test_installing_twice_hooks_once() -> None:
    before = AuthRequestHandler.prepare, SessionHandler.finish
    identity.install()
    assert (AuthRequestHandler.prepare, SessionHandler.finish) == before


def test_the_hooked_methods_are_those_that_requests_go_through() -> None:
    """What is hooked is no promise of Panel's or Bokeh's: look at identity.py again when this fails."""
    assert pn.__version__.startswith("1.9.")
    assert bokeh.__version__.startswith("3.")
    assert DocHandler.finish is AutoloadJsHandler.finish is SessionHandler.finish is not RequestHandler.finish
    assert DocHandler.prepare is AutoloadJsHandler.prepare is AuthRequestHandler.prepare
    assert AuthRequestHandler in WSHandler.__mro__
    assert AuthRequestHandler.prepare.__module__ == SessionHandler.finish.__module__ == identity.__name__


def test_nothing_is_hooked_before_the_import() -> None:
    """Which the test above would not notice if Bokeh itself had changed."""
    command = "import panel.io.server as s; print(s.DocHandler.prepare.__module__, s.DocHandler.finish.__module__)"
    told = subprocess.run([sys.executable, "-c", command], capture_output=True, text=True, check=True).stdout
    assert told.split() == ["bokeh.server.views.auth_request_handler", "tornado.web"]


class Clock:
    """The time, which goes on when told to."""

    def __init__(self) -> None:
        self.now = 1_000_000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    monkeypatch.setattr(time, "time", clock)
    return clock


@pytest.mark.rule("11.3")
def test_a_browser_has_five_tries_in_ten_minutes(clock: Clock) -> None:
    limit = GuessLimit()
    for _ in range(5):
        assert limit.seconds_until_allowed("me", "192.0.2.1") == 0
        assert limit.guess_allowed("me", "192.0.2.1")
        clock.now += 60
    assert not limit.guess_allowed("me", "192.0.2.1")
    assert not limit.guess_allowed("me", "198.51.100.1"), "moving does not help"
    assert limit.guess_allowed("another", "192.0.2.1")
    assert limit.seconds_until_allowed("me", "192.0.2.1") == 5 * 60

    clock.now += 5 * 60 - 1
    assert not limit.guess_allowed("me", "192.0.2.1")
    clock.now += 2
    assert limit.guess_allowed("me", "192.0.2.1"), "the window moves with the first try"
    assert not limit.guess_allowed("me", "192.0.2.1"), "and no further"


@pytest.mark.rule("11.3")
def test_dropping_the_cookie_does_not_help_beyond_what_an_address_has(clock: Clock) -> None:
    limit = GuessLimit()
    assert [limit.guess_allowed(f"browser {n}", "192.0.2.1") for n in range(31)] == [True] * 30 + [False]
    assert limit.guess_allowed("browser 31", "192.0.2.2")
    assert limit.seconds_until_allowed("browser 99", "192.0.2.1") == 10 * 60


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("2001:db8::1", "2001:db8::ffff:1", True),
        ("2001:db8:0:1::1", "2001:db8:0:2::1", False),
        ("192.0.2.1", "192.0.2.2", False),
        ("/run/socket", "/run/socket", True),
        (None, None, True),
    ],
)
def test_what_counts_as_one_address(one: str | None, other: str | None, same: bool) -> None:
    limit = GuessLimit(per_address="1 per hour")
    assert limit.guess_allowed("me", one)
    assert limit.guess_allowed("you", other) is not same


def test_refused_tries_cost_nothing_and_wait_no_longer(clock: Clock) -> None:
    limit = GuessLimit(per_browser="1 per minute", per_address="2 per minute")
    assert limit.guess_allowed("me", "192.0.2.1")
    for _ in range(10):
        assert not limit.guess_allowed("me", "192.0.2.1")
    assert limit.guess_allowed("you", "192.0.2.1")
    assert limit.seconds_until_allowed("me", "192.0.2.1") == 60


def test_tries_at_the_same_moment_do_not_pass_together(monkeypatch: pytest.MonkeyPatch) -> None:
    limit = GuessLimit()
    look = limit._windows.test

    def slow_look(*of: Any) -> bool:
        seen = look(*of)
        time.sleep(0.001)
        return seen

    monkeypatch.setattr(limit._windows, "test", slow_look)
    with ThreadPoolExecutor(16) as threads:
        passed = list(threads.map(lambda _: limit.guess_allowed("me", "192.0.2.1"), range(200)))
    assert sum(passed) == 5


@pytest.fixture
def tried() -> list[str]:
    """The hashes that were looked up."""
    return []


@pytest.fixture
def guess(tried: list[str]) -> Callable[[str], str | None]:
    stored = {code_hash(KEY, code_for(KEY, "mine", 0)): "my profile"}
    limit = GuessLimit()

    def find(hashed: str) -> str | None:
        tried.append(hashed)
        return stored.get(hashed)

    return lambda text: find_by_code(text, find, key=KEY, limit=limit, browser="me", address="192.0.2.1")


@pytest.mark.rule("11.3")
def test_the_right_code_finds_its_profile_until_there_were_too_many(
    guess: Callable[[str], str | None], tried: list[str]
) -> None:
    right = code_for(KEY, "mine", 0)
    assert guess(right) == "my profile"
    assert guess(f"  {right.upper().replace('-', ' ')}\n") == "my profile"
    assert [guess(text) for text in (code_for(KEY, "mine", 1), "no code", "x" * 100_000)] == [None] * 3
    assert guess(right) is None, "that is one too many"
    assert tried[2] == code_hash(KEY, code_for(KEY, "mine", 1))
    assert tried[3] == tried[4] == tried[5] == code_hash(KEY, "no code")
    assert len(tried) == 6, "every guess looks something up"
