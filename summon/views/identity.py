"""Who is who: a cookie that the server sets, by which it knows a browser again for 400 days (11.2).

The cookie holds a random number of 256 bits and nothing else. What it stands for is the store's business, which knows
it by its hash alone (`token_hash`). After signing out, or loading another profile, it is still a mere random number.

**Hidden.** Bokeh copies a request's cookies into the page, where scripts could read them. So the cookie is taken out
of every request before Bokeh looks at it. Importing this module sees to that (`install`), by two methods of Bokeh's
handlers: `prepare`, which comes first in every request for a page, a script or a websocket, and `finish`, which sends
the answer. Under a bare `panel serve app/play.py` nothing of the game is imported before the first request runs the
app, and Bokeh has copied that request's cookies by then. Its page is thrown away, and its visitor asked to come again
at once (307). This happens once in the life of a server, and never where the module is imported before serving.

**Fixed sessions.** Somebody could open a page, or make up a session's id, and bring a visitor into that session by a
link with `bokeh-session-id`: both would then act as one. So a page always begins a session of its own, whatever
session its request names. What is left is the websocket, which joins a session by the token in its page. The ids in
there are random numbers of 261 bits, so nobody can guess a stranger's. Signing them (`sign_sessions` and
`secret_key`, or `--session-ids signed`) adds that nobody can make up a token at all, and with it sessions of any id
and in any number. Signing alone would not do: anybody gets a signed id by opening a page, and could pass it on.

**Planted cookies.** The server takes any number of the right form for the visitor's own. Whoever can set cookies in a
visitor's browser, such as a page of a neighbouring subdomain, someone on the way of an unencrypted connection, or
someone at the device, can give it a number that they know, and share the profile that is then played or loaded there.
`HttpOnly` keeps scripts in the page from reading and setting the cookie, `SameSite=Lax` keeps it out of other sites'
forms and frames, and `Secure`, which encrypted connections add, off unencrypted ones.
"""

from __future__ import annotations

import hashlib
import re
import secrets
from collections.abc import MutableMapping
from typing import Any

import panel as pn
from bokeh.server.views.auth_request_handler import AuthRequestHandler
from bokeh.server.views.session_handler import SessionHandler
from panel.io.server import DocHandler
from tornado.httputil import HTTPServerRequest
from tornado.web import RequestHandler

COOKIE = "summon_profile"
MAX_AGE = 400 * 24 * 60 * 60

_TOKEN = re.compile(r"[A-Za-z0-9_-]{43}")
_VISITOR = "summon_visitor"
_TO_SET = "_summon_token"
_INSTALLED = "_summon_identity"


def new_token() -> str:
    """A random number of 256 bits, as the cookie holds it."""
    return secrets.token_urlsafe(32)


def hash_of(token: str) -> str:
    """What the store knows a token by. A number that nobody can guess needs no salt and no slow hash."""
    return hashlib.sha256(token.encode()).hexdigest()


def token_hash() -> str | None:
    """What the store knows the browser of this session by; None where no page was asked for, as in a notebook."""
    found = getattr(_request(), _VISITOR, None)
    return found if isinstance(found, str) else None


def remote_address() -> str | None:
    """Where this session's page was asked for from; None where no page was.

    Behind a proxy it is the proxy, unless the server was told to trust what it forwards (`--use-xheaders`).
    """
    found = getattr(_request(), "remote_ip", None)
    return found if isinstance(found, str) else None


def install() -> None:
    """Hide the cookie from Bokeh from now on and set it with every page; more than once does no harm."""
    if hasattr(AuthRequestHandler, _INSTALLED):
        return
    every: Any = AuthRequestHandler
    sessions: Any = SessionHandler
    prepare, finish = every.prepare, sessions.finish

    async def prepared(handler: AuthRequestHandler) -> None:
        _receive(handler.request, isinstance(handler, DocHandler))
        await prepare(handler)

    def finished(handler: SessionHandler, chunk: Any = None) -> Any:
        if not hasattr(handler.request, _VISITOR):
            _ask_again(handler)
            return finish(handler)
        _set_cookie(handler)
        return finish(handler, chunk)

    every.prepare, sessions.finish = prepared, finished
    setattr(every, _INSTALLED, True)
    _forget_in_this_session()


def _request() -> Any:
    """What Bokeh keeps of the request that began this session."""
    context = getattr(pn.state.curdoc, "session_context", None)
    return getattr(context, "request", None)


def _receive(request: HTTPServerRequest, is_page: bool) -> None:
    """Take the cookie out of a request, and note who asks for a page."""
    token = _taken(request) or new_token()
    setattr(request, _VISITOR, hash_of(token) if is_page else None)
    if is_page:
        if request.method == "GET":
            setattr(request, _TO_SET, token)
        request.headers.pop("Bokeh-Session-Id", None)
        for name in ("bokeh-session-id", "bokeh-token"):
            request.arguments.pop(name, None)


def _taken(request: HTTPServerRequest) -> str | None:
    """Take the cookie out of a request; gives its token, the first one that is well formed."""
    parts = [part for header in request.headers.get_list("Cookie") for part in header.split(";")]
    _put_back(request.headers, parts)
    named = (part.partition("=") for part in parts)
    values = (value.strip() for name, _, value in named if name.strip() == COOKIE)
    return next((value for value in values if _TOKEN.fullmatch(value)), None)


def _put_back(headers: MutableMapping[str, str], parts: list[str]) -> None:
    """Leave in a request's headers the cookies that have nothing to do with ours."""
    rest = [part.strip() for part in parts if COOKIE not in part]
    if rest:
        headers["Cookie"] = "; ".join(rest)
    else:
        headers.pop("Cookie", None)


def _forget_in_this_session() -> None:
    """Take the cookie out of the session that began before it was hidden, whose page nobody will see."""
    request = _request()
    if request is not None:
        request.cookies.pop(COOKIE, None)
        _put_back(request.headers, request.headers.get("Cookie", "").split(";"))


def _ask_again(handler: RequestHandler) -> None:
    """Throw an answer away and send its visitor to the same address."""
    name = handler.request.path.rpartition("/")[2]
    query = f"?{handler.request.query}" if handler.request.query else ""
    handler.clear()
    handler.set_status(307)
    # Relative, because a proxy may show the game at another path.
    handler.set_header("Location", f"./{name}{query}")
    handler.set_header("Cache-Control", "no-store")


def _set_cookie(handler: RequestHandler) -> None:
    """Set the cookie with the page that was asked for, which also renews it (11.2)."""
    token = vars(handler.request).pop(_TO_SET, None)
    if token is not None:
        secure = handler.request.protocol == "https"
        handler.set_cookie(COOKIE, token, path="/", max_age=MAX_AGE, httponly=True, samesite="Lax", secure=secure)


install()
