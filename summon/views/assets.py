"""What the game serves besides its page: scripts, stylesheets, pictures, icons, and texts that never change.

All of it lies in one folder whose name changes with what is in it, such as `summon/3f9c0a7be412/board.js`. So a browser
keeps everything for good and asks for nothing twice, and a new version is fetched whole. What is imported from
`./bricks.js` is found in the same folder.

Whoever serves the game need not know: importing this module sees to it that each server of Bokeh's that is asked for
anything serves the folder, and sends compressed what can be (`install`). A first page of a bare `panel serve`, which
was begun before that, has its scripts from Panel's own places, and its pictures in it.
"""

from __future__ import annotations

import json
import re
import time
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import Any
from weakref import WeakKeyDictionary

import panel as pn
from bokeh.server.views.auth_request_handler import AuthRequestHandler
from tornado.web import GZipContentEncoding, HTTPError, RequestHandler

from summon import art

STATIC = Path(__file__).parent / "static"

FRESH = 1.0
"""The files are looked at once in so many seconds, at most, so that a change of them is seen without a new start."""

FOREVER = "public, max-age=31536000, immutable"

TYPES = {
    ".js": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".json": "application/json",
    ".svg": "image/svg+xml",
    ".png": "image/png",
}

PICTURES = "pictures.json"
"""Every picture by its name, and the bricks they are built of under "shapes"."""

_IMPORTED = re.compile(r'^import \{[^}]*\} from "\./([\w-]+\.js)";$', re.MULTILINE)

_COMMENTS = re.compile(r"^[ \t]*(?://.*|/\*(?s:.*?)\*/[ \t]*)$", re.MULTILINE)

_CSS_COMMENTS = re.compile(r"/\*.*?\*/", re.DOTALL)

_INSTALLED = "_summon_assets"


def slim(name: str, content: bytes) -> bytes:
    """A script or stylesheet without comments on lines of their own and without indents; each line keeps its number.

    It holds for what the game has: no text goes over several lines, and none in a stylesheet looks like a comment.
    """
    if not name.endswith((".js", ".css")):
        return content
    pattern = _COMMENTS if name.endswith(".js") else _CSS_COMMENTS
    text = pattern.sub(lambda found: "\n" * found[0].count("\n"), content.decode())
    return re.sub(r"^[ \t]+|[ \t]+$", "", text, flags=re.MULTILINE).encode()


class Shelf:
    """The files of a folder and of the folder `icons` in it, by their names, and texts that are made when first asked.

    `version` says what is in all of them. `clock` gives seconds that never go back.
    """

    def __init__(self, folder: Path = STATIC, clock: Callable[[], float] = time.monotonic) -> None:
        self._folder, self._clock, self._again = folder, clock, float("-inf")
        self._makers: dict[str, Callable[[], str]] = {}
        self._made: dict[str, bytes] = {}
        self._files: dict[str, bytes] = {}
        self._seen: dict[Path, tuple[int, int]] = {}
        self._version = ""

    def add(self, name: str, text: Callable[[], str]) -> None:
        """Have a text that a function gives."""
        self._makers[name] = text
        self._version = ""

    @property
    def version(self) -> str:
        """Twelve letters that are others whenever anything is."""
        self._look()
        return self._version

    def content(self, name: str) -> bytes | None:
        """What is there by a name; None if nothing is."""
        self._look()
        return self._files.get(name, self._made.get(name))

    def scripts(self, name: str) -> list[str]:
        """A script and all that it imports, each once, by their names."""
        found = [name]
        for script in found:
            imported = _IMPORTED.findall((self.content(script) or b"").decode())
            found += [other for other in dict.fromkeys(imported) if other not in found]
        return found

    def _look(self) -> None:
        now = self._clock()
        if self._version and now < self._again:
            return
        self._again = now + FRESH
        found = [path for place in (self._folder, self._folder / "icons") for path in place.glob("*.*")]
        seen = {path: (path.stat().st_mtime_ns, path.stat().st_size) for path in found if path.suffix in TYPES}
        if self._version and seen == self._seen:
            return
        self._seen = seen
        self._files = {path.name: slim(path.name, path.read_bytes()) for path in seen}
        self._made |= {name: text().encode() for name, text in self._makers.items() if name not in self._made}
        whole = sha256()
        for name, content in sorted((self._files | self._made).items()):
            whole.update(f"{name} {len(content)} ".encode() + content)
        self._version = whole.hexdigest()[:12]


shelf = Shelf()
"""What the game serves."""

shelf.add(PICTURES, lambda: json.dumps({"shapes": art.shapes(), **art.bundle()}))


class AssetHandler(RequestHandler):
    """Serves what is on the shelf. A browser that asks for an older version gets what there is now, for this time."""

    _kept = False

    def get(self, version: str, name: str) -> None:
        """What has a name."""
        content = shelf.content(name)
        if content is None:
            raise HTTPError(404)
        self._kept = version == shelf.version
        self.clear_header("Server")
        self.set_header("Content-Type", TYPES[Path(name).suffix])
        self.set_header("Cache-Control", FOREVER if self._kept else "no-cache")
        self.finish(content)

    def compute_etag(self) -> str | None:
        """What is kept for good is never compared with what there is."""
        return None if self._kept else super().compute_etag()

    head = get


ROUTES: list[tuple[str, type[RequestHandler]]] = [(r"/summon/([0-9a-f]{12})/([\w-]+\.[a-z]+)", AssetHandler)]
"""What a server of the game serves besides its pages."""

_serving = False

_places: WeakKeyDictionary[Any, str] = WeakKeyDictionary()


def place() -> str | None:
    """Where the page of this session finds everything, such as "summon/3f9c0a7be412/"; None where it is not served.

    A page stays with the version that it began with, so that all its scripts share what they share.
    """
    document = pn.state.curdoc
    context = getattr(document, "session_context", None)
    if not _serving or getattr(context, "server_context", None) is None:
        return None
    return at(_places.setdefault(document, f"summon/{shelf.version}/"))


def at(path: str) -> str:
    """A path of the server's, as the page of this session has to say it."""
    return f"{pn.state.rel_path}/{path}" if pn.state.rel_path else path


def address(name: str) -> str | None:
    """Where the page of this session finds something by its name; None where it is not served."""
    folder = place()
    return None if folder is None else folder + name


def serve_by(application: Any) -> None:
    """Have a server of Bokeh's serve this too, and compress what it sends; more than once does no harm."""
    global _serving
    if hasattr(application, _INSTALLED):
        return
    setattr(application, _INSTALLED, True)
    application.add_handlers(".*", [(application.prefix + path, handler) for path, handler in ROUTES])
    if GZipContentEncoding not in application.transforms:
        application.add_transform(GZipContentEncoding)
    _serving = True


def install() -> None:
    """See to it that each server that is asked for anything serves this; more than once does no harm."""
    every: Any = AuthRequestHandler
    if hasattr(every, _INSTALLED):
        return
    prepare = every.prepare

    async def prepared(handler: AuthRequestHandler) -> None:
        serve_by(handler.application)
        await prepare(handler)

    every.prepare = prepared
    setattr(every, _INSTALLED, True)


install()
