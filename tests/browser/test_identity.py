"""The cookie that remembers a browser, as real servers set it and real browsers keep it."""

import base64
import hashlib
import http.client
import json
import re
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.cookies import Morsel, SimpleCookie
from pathlib import Path
from typing import Any
from urllib.parse import urljoin, urlsplit

import pytest
from bokeh.util.token import generate_jwt_token, get_session_id, get_token_payload
from playwright.sync_api import Page, expect

from tests.browser.conftest import ROOT, START_SECONDS, free_port, serving, stop

pytestmark = pytest.mark.rule("11.2")

APP = "tests/browser/apps/identity.py"
COOKIE = "summon_profile"
KNOWN = "K" * 43
"""A token of the right form, which a returning visitor might send."""


def hash_of(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()


@contextmanager
def started(log: Path, *flags: str, command: tuple[str, ...] = ("-m", "panel", "serve", APP)) -> Iterator[str]:
    """A server that nobody has asked for anything yet; gives the address of its page."""
    port = free_port()
    where = ["--port", str(port), "--address", "127.0.0.1", "--allow-websocket-origin", f"127.0.0.1:{port}"]
    arguments = [*command, *(where if "panel" in command else [str(port)]), *flags]
    with log.open("wb") as output:
        game = subprocess.Popen([sys.executable, *arguments], cwd=ROOT, stdout=output, stderr=output)
    try:
        end = time.monotonic() + START_SECONDS
        while not listens(port):
            assert game.poll() is None, log.read_text(errors="replace")
            assert time.monotonic() < end, "the server did not start"
            time.sleep(0.1)
        yield f"http://127.0.0.1:{port}/identity"
    finally:
        stop(game)


def listens(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


@pytest.fixture(scope="module")
def log(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("identity") / "log.txt"


@pytest.fixture(scope="module")
def served(log: Path) -> Iterator[str]:
    """The page, by a server that writes down as much as it can."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("BOKEH_PY_LOG_LEVEL", "trace")
        with serving(APP, log) as url:
            yield url


class Answer:
    """What a server answers to one request, redirects left alone."""

    def __init__(self, url: str, *headers: tuple[str, str], method: str = "GET") -> None:
        parts = urlsplit(url)
        connection = http.client.HTTPConnection(parts.netloc, timeout=START_SECONDS)
        connection.putrequest(method, parts._replace(scheme="", netloc="").geturl())
        for name, value in headers:
            connection.putheader(name, value.encode("utf-8"))
        connection.endheaders()
        response = connection.getresponse()
        self.status = response.status
        self.location = response.headers.get("Location")
        self.set_cookies = response.headers.get_all("Set-Cookie", [])
        self.body = response.read().decode()
        self.all = f"{response.headers}{self.body}"
        connection.close()

    @property
    def morsel(self) -> Morsel[str]:
        """The one cookie that is set."""
        (line,) = self.set_cookies
        (morsel,) = SimpleCookie(line).values()
        assert morsel.key == COOKIE
        return morsel

    @property
    def token(self) -> str:
        """The token in the page by which its websocket joins the session."""
        found = re.search(r'"token":"([^"]+)"', self.body)
        assert found, self.body[:500]
        return found[1]


def with_cookie(url: str, cookie: str, *headers: tuple[str, str]) -> Answer:
    return Answer(url, ("Cookie", cookie), *headers)


def readable(token: str) -> str:
    """All that a page's token says."""
    return (
        f"{base64.urlsafe_b64decode(token.split('.')[0] + '==')!r} {get_session_id(token)} {get_token_payload(token)}"
    )


def test_the_first_visit_gets_a_cookie_that_scripts_and_other_sites_cannot_use(served: str) -> None:
    morsel = Answer(served).morsel
    assert re.fullmatch(r"[\w-]{43}", morsel.value)
    assert {name: value for name, value in morsel.items() if value} == {
        "max-age": str(400 * 24 * 60 * 60),
        "path": "/",
        "httponly": True,
        "samesite": "Lax",
    }


def test_every_visitor_gets_another_one(served: str) -> None:
    assert Answer(served).morsel.value != Answer(served).morsel.value


def test_a_second_visit_renews_it(served: str) -> None:
    first = Answer(served).morsel
    second = with_cookie(served, f"{COOKIE}={first.value}").morsel
    assert second == first


TAMPERED = {
    "empty": "",
    "too short": "A" * 42,
    "too long": "A" * 44,
    "far too long": "A" * 5_000,
    "other letters": "A" * 42 + "/",
    "two lines": "A" * 43 + "%0a",
    "quoted": '"' + "A" * 43 + '"',
    "not of this alphabet": "Å" * 43,
    "spaces inside": "A" * 21 + " " + "A" * 21,
}


@pytest.mark.parametrize("value", TAMPERED.values(), ids=list(TAMPERED))
def test_a_cookie_that_is_none_is_replaced(served: str, value: str) -> None:
    answer = with_cookie(served, f"{COOKIE}={value}")
    assert answer.status == 200
    assert re.fullmatch(r"[\w-]{43}", answer.morsel.value)
    assert answer.morsel.value != value
    assert COOKIE not in readable(answer.token)
    assert not value or value not in readable(answer.token)


def test_other_cookies_are_left_to_others(served: str) -> None:
    answer = with_cookie(served, f"a=1; {COOKIE}={KNOWN}; b=2")
    assert answer.morsel.value == KNOWN
    assert get_token_payload(answer.token)["cookies"] == {"a": "1", "b": "2"}


DISGUISED = {
    "alone": [f"{COOKIE}={KNOWN}"],
    "with spaces": [f"a=1;   {COOKIE} =  {KNOWN}  ;b=2"],
    "twice": [f"{COOKIE}={KNOWN}; {COOKIE}={'B' * 43}"],
    "twice, the first of them broken": [f"{COOKIE}=broken; {COOKIE}={KNOWN}"],
    "in a second header": ["a=1", f"{COOKIE}={KNOWN}"],
    "between two headers": [f"{COOKIE}={KNOWN}", "b=1"],
    "in another one's value": [f"{COOKIE}={KNOWN}; b={COOKIE}={KNOWN}"],
}


@pytest.mark.parametrize("cookies", DISGUISED.values(), ids=list(DISGUISED))
def test_the_cookie_is_known_and_hidden_however_it_is_sent(served: str, cookies: list[str]) -> None:
    answer = Answer(served, *(("Cookie", cookie) for cookie in cookies))
    assert answer.morsel.value == KNOWN
    assert KNOWN not in readable(answer.token)
    assert KNOWN not in answer.body


def test_an_embedding_script_holds_no_cookie_and_sets_none(served: str) -> None:
    answer = with_cookie(f"{served}/autoload.js?bokeh-autoload-element=x", f"{COOKIE}={KNOWN}")
    assert answer.status == 200
    assert "token" in answer.body
    assert KNOWN not in answer.all
    assert KNOWN not in readable(re.search(r'"token":"([^"]+)"', answer.body.replace("\\", ""))[1])
    assert not answer.set_cookies


@pytest.mark.parametrize("method", ["POST", "HEAD", "OPTIONS"])
def test_what_asks_for_no_page_sets_no_cookie(served: str, method: str) -> None:
    assert not Answer(served, ("Content-Length", "0"), method=method).set_cookies


PLANTED = {
    "in the address": ("?bokeh-session-id=planted", ()),
    "in a header": ("", (("Bokeh-Session-Id", "planted"),)),
    "in both": ("?bokeh-session-id=planted", (("Bokeh-Session-Id", "planted"),)),
    "as a token": (f"?bokeh-token={generate_jwt_token('planted')}", ()),
}


@pytest.mark.parametrize(("query", "headers"), PLANTED.values(), ids=list(PLANTED))
def test_a_page_begins_a_session_of_its_own(served: str, query: str, headers: tuple[tuple[str, str], ...]) -> None:
    answer = Answer(served + query, *headers)
    assert answer.status == 200
    assert get_session_id(answer.token) != "planted"
    assert "planted" not in readable(answer.token)


def test_the_address_is_the_visitors_own_unless_a_proxy_is_trusted(
    page_at: Callable[..., Page], served: str, tmp_path: Path
) -> None:
    forwarded = {"X-Forwarded-For": "203.0.113.9"}
    assert visited(page_at(), served, forwarded)["address"] == "127.0.0.1"
    with started(tmp_path / "log.txt", "--use-xheaders") as url:
        assert visited(page_at(), url, forwarded)["address"] == "203.0.113.9"


@pytest.mark.parametrize(
    ("flags", "scheme", "secure"),
    [((), "https", False), (("--use-xheaders",), "https", True), (("--use-xheaders",), "http", False)],
)
def test_only_encrypted_connections_make_the_cookie_secure(
    tmp_path: Path, flags: tuple[str, ...], scheme: str, secure: bool
) -> None:
    with started(tmp_path / "log.txt", *flags) as url:
        Answer(url)
        assert bool(Answer(url, ("X-Forwarded-Proto", scheme)).morsel["secure"]) is secure


def visited(page: Page, url: str, headers: dict[str, str] | None = None) -> dict[str, Any]:
    """What the server knows of who visits a page."""
    page.set_extra_http_headers(headers or {})
    page.goto(url)
    return told(page)


def told(page: Page) -> dict[str, Any]:
    shown = page.locator(".known pre")
    expect(shown).to_contain_text("hash")
    return json.loads(shown.text_content() or "")


def asked_again(page: Page) -> dict[str, Any]:
    """The same, from a callback of the session."""
    counted = page.locator(".counted pre")
    before = int(counted.text_content() or "")
    page.get_by_role("button", name="again").click()
    expect(counted).to_have_text(str(before + 1))
    return told(page)


def cookie_of(page: Page) -> str:
    (value,) = [cookie["value"] for cookie in page.context.cookies() if cookie["name"] == COOKIE]
    return value


def test_a_browser_is_the_same_in_every_tab_and_after_reload(page_at: Callable[..., Page], served: str) -> None:
    page = page_at()
    known = visited(page, served)["hash"]
    assert known == hash_of(cookie_of(page))
    assert asked_again(page)["hash"] == known
    page.reload()
    assert told(page)["hash"] == known
    assert visited(page.context.new_page(), served)["hash"] == known
    assert page.evaluate("document.cookie") == ""


def test_another_browser_is_another_one(page_at: Callable[..., Page], served: str) -> None:
    assert visited(page_at(), served)["hash"] != visited(page_at(), served)["hash"]


def test_a_link_into_a_session_does_not_lead_there(page_at: Callable[..., Page], served: str) -> None:
    mine, theirs = page_at(), page_at()
    response = mine.goto(served)
    assert response is not None
    found = re.search(r'"token":"([^"]+)"', response.text())
    assert found
    link = f"{served}?bokeh-session-id={get_session_id(found[1])}"
    assert told(mine)["hash"] == hash_of(cookie_of(mine))
    assert visited(theirs, link)["hash"] == hash_of(cookie_of(theirs))
    assert cookie_of(mine) != cookie_of(theirs)


class Wire:
    """All that a page gets and sends."""

    def __init__(self, page: Page) -> None:
        self.frames: list[str] = []
        page.on("websocket", self._listen)

    def _listen(self, opened: Any) -> None:
        for way in ("framereceived", "framesent"):
            opened.on(
                way, lambda frame: self.frames.append(frame if isinstance(frame, str) else frame.decode("latin-1"))
            )


def returning(page: Page, url: str, value: str) -> None:
    page.context.add_cookies([{"name": COOKIE, "value": value, "url": url, "httpOnly": True, "sameSite": "Lax"}])


def assert_hidden(page: Page, url: str, value: str) -> None:
    """Visit as somebody who was here before, and look for the cookie everywhere."""
    returning(page, url, value)
    wire = Wire(page)
    response = page.goto(url)
    assert response is not None
    html = response.text()
    known = told(page)
    assert known["hash"] == hash_of(value)
    assert asked_again(page)["hash"] == hash_of(value)
    token = re.search(r'"token":"([^"]+)"', html)
    assert token
    assert any(hash_of(value) in frame for frame in wire.frames), "the frames are not watched"
    for text in (html, readable(token[1]), page.content(), json.dumps(known), *wire.frames):
        assert value not in text
        assert COOKIE not in text
    assert cookie_of(page) == value


def test_the_cookie_is_nowhere_but_in_the_cookie(page_at: Callable[..., Page], served: str, log: Path) -> None:
    assert_hidden(page_at(), served, "H" * 43)
    written = log.read_text(errors="replace")
    assert "Supplied subprotocol headers" in written, "the log tells too little to search"
    assert "H" * 43 not in written


def test_nor_in_the_very_first_request_of_a_server(page_at: Callable[..., Page], tmp_path: Path) -> None:
    log = tmp_path / "log.txt"
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("BOKEH_PY_LOG_LEVEL", "trace")
        with started(log) as url:
            assert_hidden(page_at(), url, "F" * 43)
    written = log.read_text(errors="replace")
    assert written.count("the app sees") == 2, "the first page was thrown away"
    assert "F" * 43 not in written


def test_the_very_first_request_is_asked_again_and_only_that(tmp_path: Path) -> None:
    with started(tmp_path / "log.txt") as url:
        address = f"{url}?battle=7&bokeh-session-id=planted"
        first = with_cookie(address, f"a=1; {COOKIE}={KNOWN}")
        assert (first.status, first.body, first.set_cookies) == (307, "", [])
        assert KNOWN not in first.all
        assert first.location
        assert urljoin(address, first.location) == address
        second = with_cookie(address, f"a=1; {COOKIE}={KNOWN}")
        assert (second.status, second.morsel.value) == (200, KNOWN)
        assert KNOWN not in readable(second.token)
        assert get_token_payload(second.token)["arguments"] == {"battle": [b"7"]}


def test_the_very_first_request_for_an_embedding_script_is_asked_again_too(tmp_path: Path) -> None:
    with started(tmp_path / "log.txt") as url:
        first = with_cookie(f"{url}/autoload.js?bokeh-autoload-element=x", f"{COOKIE}={KNOWN}")
        assert (first.status, first.body) == (307, "")
        assert first.location == "./autoload.js?bokeh-autoload-element=x"


def joins(url: str, token: str) -> bool:
    """Whether a websocket gets into a session by a token: whether it is greeted, not closed."""
    parts = urlsplit(url)
    with socket.create_connection((parts.hostname, parts.port), timeout=START_SECONDS) as wire:
        lines = [
            f"GET {parts.path}/ws HTTP/1.1",
            f"Host: {parts.netloc}",
            f"Origin: http://{parts.netloc}",
            "Upgrade: websocket",
            "Connection: Upgrade",
            "Sec-WebSocket-Version: 13",
            f"Sec-WebSocket-Key: {base64.b64encode(bytes(16)).decode()}",
            f"Sec-WebSocket-Protocol: bokeh, {token}",
        ]
        wire.sendall("\r\n".join([*lines, "", ""]).encode())
        with wire.makefile("rb") as answer:
            assert b"101" in answer.readline()
            while answer.readline().strip():
                pass
            first = answer.read(1)
            return first != b"" and first[0] & 0x0F == 1


def test_a_session_without_a_page_is_nobodys(served: str) -> None:
    assert joins(served, generate_jwt_token("made-up"))
    command = "import sys, panel, bokeh.client as c; print(c.pull_session('made-up', sys.argv[1]).document.to_json())"
    pulled = subprocess.run([sys.executable, "-c", command, served], capture_output=True, text=True, check=True)
    assert "&quot;hash&quot;: null" in pulled.stdout


def test_a_server_of_ours_signs_sessions(page_at: Callable[..., Page], tmp_path: Path) -> None:
    with started(tmp_path / "log.txt", command=(APP,)) as url:
        assert_hidden(page_at(), url, "S" * 43)
        token = with_cookie(url, f"{COOKIE}={KNOWN}").token
        assert joins(url, token)
        assert not joins(url, generate_jwt_token("made-up"))
        assert not joins(url, generate_jwt_token(get_session_id(token)))
        assert not joins(url, token[:-1])


def test_bare_serving_can_sign_sessions_too(page_at: Callable[..., Page], tmp_path: Path) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("BOKEH_SECRET_KEY", "k" * 43)
        with started(tmp_path / "log.txt", "--session-ids", "signed") as url:
            assert_hidden(page_at(), url, "S" * 43)
            assert not joins(url, generate_jwt_token("made-up"))
