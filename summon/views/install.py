"""Putting the game on a home screen: its manifest and icons, and what the head of the page says of them.

The addresses in the manifest are relative to it, so it holds at any path at which a proxy shows the game.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from functools import cache, partial
from pathlib import Path
from typing import Any

import panel as pn
from bokeh.models import ImportedStyleSheet
from tornado.web import RequestHandler

from summon import art, words
from summon.views import assets

MANIFEST = "summon.webmanifest"

ICON = "icon.svg"
"""The icon without a ground, as a tab of the browser shows it."""

SMALL, TOUCH = "icon-48.png", "icon-180.png"

SIZE = 512
"""The measure in which icons are drawn."""

SKY, STUD = "#7fd0f5", "#a4def8"

PLATED = {"icon-192.png": (192, "any"), "icon-512.png": (512, "any")}
MASKABLE = {"icon-maskable-192.png": (192, "maskable"), "icon-maskable-512.png": (512, "maskable")}
"""The manifest's icons, their sizes and purposes: with round corners, and for a system that cuts a shape out itself."""

_GRID = Path(__file__).with_name("icon.txt")

_PAGE = re.compile(r"--page: light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\);")


def drawings() -> dict[str, tuple[int, str]]:
    """How many pixels each PNG is wide and high, and the SVG that it shows."""
    found = {SMALL: (48, drawing(0.98)), TOUCH: (180, drawing(0.78, corner=0))}
    found |= {name: (size, drawing(0.8, corner=100)) for name, (size, _) in PLATED.items()}
    # What lies in the circle of four fifths is never cut off.
    return found | {name: (size, drawing(0.58, corner=0)) for name, (size, _) in MASKABLE.items()}


def drawing(share: float, corner: int | None = None) -> str:
    """The icon as SVG: the pet takes a share of its width, on a plate with corners so round, or on nothing."""
    pet = art.render(_GRID.read_text(encoding="utf-8"), standalone=True, source=_GRID.name)
    left, wide = round(SIZE * (1 - share) / 2), round(SIZE * share)
    placed = pet.replace("<svg ", f'<svg x="{left}" y="{left}" width="{wide}" height="{wide}" ', 1)
    centred = placed.replace('preserveAspectRatio="xMidYMax"', 'preserveAspectRatio="xMidYMid"', 1)
    plate = "" if corner is None else _plate(corner)
    return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {SIZE} {SIZE}">{plate}{centred}</svg>'


def _plate(corner: int) -> str:
    """Studs are a quarter of their distance thick, and lie in rows that fill the whole plate."""
    step = SIZE // 8
    studs = "".join(
        f'<circle cx="{x + step // 2}" cy="{y + step // 2}" r="{step // 4}"/>'
        for y in range(0, SIZE, step)
        for x in range(0, SIZE, step)
    )
    shape = f'<rect width="{SIZE}" height="{SIZE}" rx="{corner}"'
    return (
        f'<clipPath id="plate">{shape}/></clipPath>{shape} fill="{SKY}"/>'
        f'<g clip-path="url(#plate)" fill="{STUD}">{studs}</g>'
    )


@cache
def page_colours() -> dict[str, str]:
    """The colour of the page in the "light" and in the "dark", as the tokens have it."""
    found = _PAGE.search((assets.STATIC / "tokens.css").read_text(encoding="utf-8"))
    assert found is not None, "tokens.css says how the page is coloured"
    return {"light": found[1], "dark": found[2]}


def manifest() -> dict[str, Any]:
    """What a phone asks about the game before it puts it on the home screen."""
    folder, ground = f"summon/{assets.shelf.version}/", page_colours()["light"]
    return {
        "name": words.GAME,
        "short_name": words.GAME,
        "description": words.GAME_MEANING,
        "lang": "en",
        "dir": "ltr",
        "start_url": "play",
        "scope": "./",
        "display": "standalone",
        "theme_color": ground,
        "background_color": ground,
        "categories": ["games"],
        "icons": [
            {"src": folder + name, "sizes": f"{size}x{size}", "type": "image/png", "purpose": purpose}
            for name, (size, purpose) in (PLATED | MASKABLE).items()
        ],
    }


def head(document: Any, shown: Iterable[Any] = (), later: Iterable[Any] = ()) -> dict[str, Any]:
    """What the page's template says in the head of a document: icons, colours, and what to fetch.

    What the components need that are `shown` is fetched together with Bokeh's own scripts, and what those classes of
    components need that come `later`, once nothing else is to be done.
    """
    folder = assets.place()
    if folder is None:
        return {}
    needed = dict.fromkeys(name for component in shown for name in [*_scripts(type(component)), *_texts(component)])
    others = dict.fromkeys(name for kind in later for name in [*_sheets(kind), *_scripts(kind)] if name not in needed)
    return {
        "game": {"name": words.GAME, "meaning": words.GAME_MEANING},
        "panel_version": pn.__version__,
        "apple_icon": folder + TOUCH,
        "app_favicon": folder + ICON,
        "manifest_url": assets.at(MANIFEST),
        "page_colours": page_colours(),
        # Those of Panel's own are known once the whole document is there, which is when the template is filled in.
        "stylesheets": partial(_stylesheets, document),
        "fetched": [folder + name for name in needed],
        "fetched_later": [folder + name for name in others],
    }


def _stylesheets(document: Any) -> list[str]:
    """The addresses of all stylesheets of a document."""
    return list(dict.fromkeys(it.url for root in document.roots for it in root.select({"type": ImportedStyleSheet})))


def _sheets(kind: Any) -> list[str]:
    """The names of the stylesheets of a class of components."""
    return [sheet.name for sheet in kind._stylesheets]


def _scripts(kind: Any) -> list[str]:
    """The names of the scripts of a class of components."""
    return assets.shelf.scripts(kind._bundle.name)


def _texts(component: Any) -> list[str]:
    """The names of the pictures and texts that a component has fetched."""
    folder = assets.place() or ""
    given = (component.art, getattr(component, "content", ""))
    return [text.removeprefix(folder) for text in given if text.startswith(folder)]


class ManifestHandler(RequestHandler):
    """Serves the manifest, at an address that stays the same."""

    def get(self) -> None:
        """The manifest as it is now."""
        self.set_header("Content-Type", "application/manifest+json")
        self.set_header("Cache-Control", "no-cache")
        self.finish(json.dumps(manifest()))

    head = get


class FaviconHandler(RequestHandler):
    """Serves the icon of all that is no page and so names none."""

    def get(self) -> None:
        """The small icon; browsers look into it for what it is."""
        self.set_header("Content-Type", "image/png")
        self.set_header("Cache-Control", "public, max-age=86400")
        self.finish(assets.shelf.content(SMALL) or b"")

    head = get


assets.shelf.add(ICON, lambda: drawing(0.98))
assets.ROUTES += [(f"/{re.escape(MANIFEST)}", ManifestHandler), (r"/favicon\.ico", FaviconHandler)]
