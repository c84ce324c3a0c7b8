"""The rulebook's own site, as the game serves it at `/rulebook`; Panel's own command does with `--plugins`, too.

It is what `summon.book` built. The numbers of rules in the game lead into it.
"""

from __future__ import annotations

import os
from html import escape
from pathlib import Path
from typing import Any

import panel as pn
from tornado.web import HTTPError, StaticFileHandler

from summon import book, words
from summon.views import assets

PLACE = "rulebook/"

TYPES = assets.TYPES | {".html": "text/html; charset=utf-8"}

SAFE = {
    "X-Content-Type-Options": "nosniff",
    "Content-Security-Policy": "default-src 'self'; script-src 'self' 'unsafe-inline'; "
    "style-src 'self' 'unsafe-inline'; img-src 'self' data:; "
    "object-src 'none'; base-uri 'none'; frame-ancestors 'self'",
}
"""What is said of each page: nothing of it comes from another host, which a browser then sees to as well."""


class BookHandler(StaticFileHandler):
    """Serves the files of the built book, and nothing beside them."""

    def initialize(self) -> None:  # type: ignore[override]
        """A handler of the book's folder."""
        super().initialize(str(book.BUILT))

    def set_default_headers(self) -> None:
        """What holds for answers of every kind."""
        for name, value in SAFE.items():
            self.set_header(name, value)

    async def get(self, path: str | None, include_body: bool = True) -> None:
        """A file of the book; its folder leads to the cover."""
        if path:
            await super().get(path, include_body)
            return
        # Not from the root: a proxy may show the game below a path.
        self.set_status(302)
        self.set_header("Location", book.COVER if path == "" else PLACE + book.COVER)

    async def head(self, path: str | None) -> None:
        """The same without the file itself."""
        await self.get(path, include_body=False)

    def validate_absolute_path(self, root: str, absolute_path: str) -> str | None:
        """The file of a path; a folder is no page, and a path with empty parts would mislead the links of a page."""
        # Of a name that is too long for a file system, pathlib would raise.
        if "\0" in absolute_path or "" in self.path.split(os.sep) or os.path.isdir(absolute_path):
            raise HTTPError(404)
        return super().validate_absolute_path(root, absolute_path)

    def set_extra_headers(self, path: str) -> None:
        """A browser asks each time whether there is a newer one."""
        self.set_header("Cache-Control", "no-cache")

    def get_content_type(self) -> str:
        """By the name, whatever the machine's own table says."""
        return TYPES.get(Path(self.absolute_path or "").suffix) or super().get_content_type()

    def compute_etag(self) -> str | None:
        """By the file's time and size, so that a book that is built anew is seen."""
        if self.absolute_path is None:
            return None
        kept = Path(self.absolute_path).stat()
        return f'"{kept.st_mtime_ns:x}-{kept.st_size:x}"'

    def write_error(self, status_code: int, **_: Any) -> None:
        """That there is no such page, in words, with the way to the cover."""
        up = "../" * (self.request.path.partition(f"/{PLACE}")[2].count("/"))
        self.set_header("Content-Type", TYPES[".html"])
        self.finish(
            f'<!doctype html><html lang="en"><meta name="viewport" content="width=device-width">'
            f"<title>{status_code}</title><p>{escape(words.NO_BOOK_PAGE)} "
            f'<a href="{up}{book.COVER}">{escape(words.BOOK["title"])}</a></p></html>'
        )


def place() -> str:
    """Where the page of this session finds the book, such as "rulebook/"; "" where nobody serves it."""
    context = getattr(pn.state.curdoc, "session_context", None)
    if getattr(context, "server_context", None) is None or book.file_of(book.COVER) is None:
        return ""
    return assets.at(PLACE)


ROUTES = [(r"/rulebook(?:/(.*))?", BookHandler)]
"""What Panel's `--plugins` serves of a module."""

assets.ROUTES += ROUTES
