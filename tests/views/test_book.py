"""The book of rules as the game serves it, and the way to it from the game's pages."""

import http.client
import re
from typing import Any

import panel as pn
import pytest

from summon import book, words
from summon.views import assets
from summon.views import book as served_book
from summon.views.board import Board
from tests.views.test_server import SUMMON, Served, page, serving

__all__ = ["serving"]

BARE = ["-m", "panel", "serve", "app/play.py", "--address", "127.0.0.1"]
"""Panel's own command."""


def asked(served: Served, path: str, method: str = "GET", **headers: str) -> http.client.HTTPResponse:
    connection = http.client.HTTPConnection("127.0.0.1", served.port, timeout=30)
    # A path is asked for as it is, dots and all.
    connection.putrequest(method, path)
    for name, value in headers.items():
        connection.putheader(name.replace("_", "-"), value)
    connection.endheaders()
    answer = connection.getresponse()
    answer.body = answer.read()  # type: ignore[attr-defined]
    connection.close()
    return answer


@pytest.mark.parametrize("command", [SUMMON, BARE, [*BARE, "--plugins", "summon.views.book"]])
def test_the_book_is_served(serving: Any, command: list[str]) -> None:
    served = serving(*command)
    if command is BARE:
        # Panel's command loads the game with the first page that is asked for.
        page(served.at("/play"))
        page(served.at("/play"))
    for path, location in {"/rulebook": "rulebook/index.html", "/rulebook/": "index.html"}.items():
        answer = asked(served, path)
        assert (answer.status, answer.headers["Location"]) == (302, location)

    kinds = {
        "index.html": "text/html; charset=utf-8",
        "rules/5.3.html": "text/html; charset=utf-8",
        "searchindex.js": "text/javascript; charset=utf-8",
        "_static/book.css": "text/css; charset=utf-8",
        "pictures/logo.svg": "image/svg+xml",
    }
    for name, kind in kinds.items():
        answer = asked(served, f"/rulebook/{name}")
        assert answer.status == 200
        assert answer.body == (book.BUILT / name).read_bytes()  # type: ignore[attr-defined]
        assert answer.headers["Content-Type"] == kind
        assert answer.headers["X-Content-Type-Options"] == "nosniff"
        assert "default-src 'self'" in answer.headers["Content-Security-Policy"]
        assert answer.headers["Cache-Control"] == "no-cache"
        again = asked(served, f"/rulebook/{name}", If_None_Match=answer.headers["ETag"])
        assert (again.status, again.body) == (304, b"")  # type: ignore[attr-defined]
        head = asked(served, f"/rulebook/{name}", "HEAD")
        assert (head.status, head.body) == (200, b"")  # type: ignore[attr-defined]

    for path in (
        "rules",
        "rules/",
        "rules/99.9.html",
        "../conf.py",
        "../../cli.py",
        "%2e%2e/conf.py",
        "..%2f..%2fcli.py",
        "..%5c..%5ccli.py",
        "/etc/passwd",
        "%2fetc%2fpasswd",
        "rules/%00",
        "index.html/",
        "rules//5.3.html",
        f"{'x' * 3000}.html",
    ):
        answer = asked(served, f"/rulebook/{path}")
        assert answer.status in (400, 403, 404), path
        assert words.NO_BOOK_PAGE in answer.body.decode(), path  # type: ignore[attr-defined]
        assert re.search(r'href="(?:\.\./)*index.html"', answer.body.decode())  # type: ignore[attr-defined]


def test_a_notebook_has_no_book_to_lead_to() -> None:
    assert Board().book == ""


def test_a_page_of_a_server_knows_where_the_book_is(monkeypatch: pytest.MonkeyPatch) -> None:
    class Context:
        server_context = object()

    class Document:
        session_context = Context()

    monkeypatch.setattr(type(pn.state), "curdoc", property(lambda _: Document()))
    monkeypatch.setattr(assets, "at", lambda path: f"../{path}")
    assert served_book.place() == "../rulebook/"
    monkeypatch.setattr(book, "BUILT", book.BUILT / "gone")
    assert served_book.place() == ""
