"""The rulebook as a web site of its own, which needs no network and no server: a page for each rule, and the chapters.

The built site lies in `built/` and comes with the package; `build` makes it anew from the rulebook, the code, the cases
and the notebooks of the project's folder. Building needs the extra `book`, looking at it needs nothing.
"""

from __future__ import annotations

import re
import shutil
import sys
from io import StringIO
from pathlib import Path
from tempfile import TemporaryDirectory

BUILT = Path(__file__).parent / "built"

COVER = "index.html"

_NOT_FOR_READERS = (
    *(".buildinfo", ".doctrees", "objects.inv", "_sources"),
    *("_static/**/*.map", "_static/*.png", "_static/debug.css", "_static/skeleton.css"),
)
"""What Sphinx and the theme leave beside the pages and nobody reads."""

_AS_IT_IS = re.compile(r"(<pre.*?</pre>)", re.DOTALL)
_INDENT = re.compile(r"\s*\n\s*")

_MAP = re.compile(r"^(?:/\*|//)# sourceMappingURL=\S+(?: ?\*/)?$", re.MULTILINE)
"""Where a stylesheet or script says that its source map is."""


class BookError(Exception):
    """Why the book was not built, in words for whoever builds it."""


def page_of(number: str) -> str:
    """Where in the book the page of a rule is, by the rule's number."""
    return f"rules/{number}.html"


def file_of(page: str) -> Path | None:
    """The file of a page of the built book; None where it is not there."""
    file = BUILT / page
    return file if file.is_file() else None


def build(folder: Path = BUILT) -> None:
    """Build the book into a folder, in place of what is there; the same sources always give the same bytes.

    Raises BookError where Sphinx is not installed, where there are no notebooks to read, as where the game is installed
    without its sources, or where something of the book is not as it must be, such as a link that leads nowhere.
    """
    try:
        from sphinx.application import Sphinx
        from sphinx.util.docutils import docutils_namespace, patch_docutils
    except ImportError:
        raise BookError("building the book needs its extra: pip install 'summon[book]'") from None
    from summon.book import pages

    with TemporaryDirectory() as temporary:
        source, site = Path(temporary, "source"), Path(temporary, "site")
        pages.write(source)
        here = str(Path(__file__).parent)
        told = StringIO()
        settings = {
            "html_extra_path": [str(source / pages.EXTRA)],
            "html_static_path": ["static", str(source / pages.STATIC)],
            "exclude_patterns": [pages.EXTRA, pages.STATIC],
        }
        with patch_docutils(here), docutils_namespace():
            Sphinx(source, here, site, Path(temporary, "doctrees"), "html", settings, None, told, True).build()
        if told.getvalue():
            raise BookError(told.getvalue().strip())
        for pattern in _NOT_FOR_READERS:
            for path in sorted(site.glob(pattern)):
                _remove(path)
        for file in [*site.rglob("furo.css"), *site.rglob("furo.js")]:
            file.write_text(_MAP.sub("", file.read_text(encoding="utf-8")), encoding="utf-8")
        for file in site.rglob("*.html"):
            file.write_text(slim(file.read_text(encoding="utf-8")), encoding="utf-8")
        _remove(folder)
        shutil.copytree(site, folder)


def slim(page: str) -> str:
    """A page without indents and empty lines, but for what is shown as it is written."""
    parts = _AS_IT_IS.split(page)
    return "".join(part if n % 2 else _INDENT.sub("\n", part) for n, part in enumerate(parts))


def _remove(path: Path) -> None:
    if path.is_dir():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)


def main() -> int:
    """Build the book where it is kept; returns the exit status."""
    try:
        build()
    except BookError as error:
        print(f"summon.book: {error}", file=sys.stderr)
        return 1
    print(f"The book is built: {(BUILT / COVER).as_uri()}")
    return 0
