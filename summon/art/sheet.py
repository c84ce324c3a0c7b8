"""Several pictures in one SVG file of its own: each is drawn once, however often it is seen.

All ids in it begin with letters that follow from its content, so that any number of them can stand in one page.
"""

from __future__ import annotations

import re
from functools import cache
from hashlib import sha256
from html import escape, unescape
from string import ascii_letters
from typing import NamedTuple

from summon.art.library import picture
from summon.art.svg import shapes

_MARK = "\ue000"
"""Stands for the beginning of every id until the content is known; no printable text holds it."""

_LETTERS = ascii_letters
_MARK_LENGTH = 4
_PART = "p"

_STUDDED = re.compile(r'<use href="#sb-(\d)" x="(\d+)"( y="\d+")?/>((?:<use href="#sb-st" x="\d+"(?: y="\d+")?/>)+)')
_TILE = re.compile(r'<path d="M0 0h(\d+)v(\d+)h-\d+z"/>' + r'<path d="[^"]+" fill="none" stroke="#\w+" [^>]+/>' * 2)
_EYE = re.compile(
    r'<g class="open">(?P<open>.*?)</g><g class="shut"[^>]*>(?P<shut>.*?)</g><g class="hurt"[^>]*>(?P<hurt>.*?)</g>'
)
_EYE_TILE = re.compile(
    r'<g transform="translate\((?P<x>\d+) (?P<y>\d+)\)"><g fill="(?P<fill>#\w+)">'
    r'<use href="#.(?P<wide>\d+)x(?P<high>\d+)"/>' + _EYE.pattern
)
_EDGE = re.compile(r'(?P<kind>stroke|fill)="#(?P<colour>\w+)" (?P=kind)-opacity="(?P<opacity>\.\d+)"')
_SHAPE = re.compile(r'<g id="sb-(\w+)">(.*?)</g>')
_USED = re.compile(rf'href="#{_MARK}(\w+)"')

FACES = ("open", "shut", "hurt")
"""How eyes can look: awake, happy, and after a blow."""

HEALTH = (
    '<path d="M3.5-3.5h7V1h-7zM13.5-3.5h7V1h-7z"/>'
    '<path d="M3.5-3.5h7V1h-7zM13.5-3.5h7V1h-7z" fill="#fff" fill-opacity=".35"/>'
    '<rect width="24" height="17" rx="1.5"/>'
    '<path d="M.7 15.5V.7H23" fill="none" stroke="#ffffff80" stroke-width="1.3"/>'
    '<path d="M23.3 1.5v14.8H1" fill="none" stroke="#10082b4d" stroke-width="1.3"/>'
    '<path fill="currentColor" d="M12 13.6C4 8.5 7.2 3.2 10.2 3.9q1.3.3 1.8 1.6.5-1.3 1.8-1.6c3-.7 6.2 4.6-1.8 9.7z"/>'
)
"""A brick of health, 24 by 17 without its studs; its heart has the current colour."""


class Eye(NamedTuple):
    """The tile of an eye: where it is in its picture, and how large."""

    x: int
    y: int
    wide: int
    high: int


class Sprite(NamedTuple):
    """A picture as part of a sheet: its bricks, its faces by name, and where its eyes are."""

    body: str
    faces: dict[str, str]
    eyes: tuple[Eye, ...]


@cache
def sprite(svg: str) -> Sprite:
    """The parts of a picture that `picture` or `render` made, written shorter than there."""
    body = svg[svg.index(">") + 1 : -len("</svg>")].replace(' class="ground"', "")
    body = _STUDDED.sub(_studded, body).replace(' x="0"', "").replace("#sb-", f"#{_MARK}")
    body = _TILE.sub(lambda tile: f'<use href="#{_MARK}{tile[1]}x{tile[2]}"/>', body)
    eyes = list(_EYE_TILE.finditer(body))
    faces = {
        face: "".join(
            f'<g transform="translate({eye["x"]} {eye["y"]})" fill="{eye["fill"]}">{eye[face]}</g>' for eye in eyes
        )
        for face in FACES
    }
    places = tuple(Eye(*(int(eye[key]) for key in ("x", "y", "wide", "high"))) for eye in eyes)
    return Sprite(_EYE.sub("", body), faces, places)


def _studded(found: re.Match[str]) -> str:
    """A brick with studs all along is one shape, and so are studs side by side."""
    wide, x, down = int(found[1]), int(found[2]), found[3] or ""
    studs = [int(stud) for stud in re.findall(r'x="(\d+)"', found[4])]
    if studs == [x + 10 * place for place in range(wide)]:
        return f'<use href="#sb-{wide}s" x="{x}"{down}/>'
    return found[0]


@cache
def _shape(name: str) -> str:
    """The markup of one shape by its name: a brick, with studs or without, a slope, a stud or a tile."""
    known = dict(_SHAPE.findall(shapes()))
    if name in known:
        return _EDGE.sub(_faint, known[name])
    if name.endswith("s"):
        studs = "".join(f'<use href="#{_MARK}st" x="{10 * place}"/>' for place in range(int(name[:-1])))
        return f'<use href="#{_MARK}{name[:-1]}"/>{studs}'.replace(' x="0"', "")
    wide, high = map(int, name.split("x"))
    return (
        f'<path d="M0 0h{wide}v{high}h-{wide}z"/>'
        f'<path d="M.5 {high - 1}V.5H{wide - 1}" fill="none" stroke="#ffffff4d"/>'
        f'<path d="M{wide - 0.5} 1V{high - 0.5}H1" fill="none" stroke="#10082b33"/>'
    )


def _faint(edge: re.Match[str]) -> str:
    """A colour with its opacity, in one."""
    colour = edge["colour"] if len(edge["colour"]) == 6 else edge["colour"] * 2
    return f'{edge["kind"]}="#{colour}{round(float(edge["opacity"]) * 255):02x}"'


def _all_shapes(markup: str) -> dict[str, str]:
    """Every shape that some markup uses, and those that these are made of, by name."""
    found: dict[str, str] = {}
    names = _USED.findall(markup)
    while names:
        name = names.pop()
        if name not in found and not name.startswith(_PART):
            found[name] = _shape(name)
            names += _USED.findall(found[name])
    return dict(sorted(found.items()))


def number(value: float) -> str:
    """A measure as an attribute says it, to a tenth."""
    return f"{value:.1f}".removesuffix(".0")


class Sheet:
    """What one SVG file is put together of. Pictures are added by being used."""

    def __init__(self) -> None:
        self._parts: dict[str, tuple[str, str]] = {}

    def use(
        self, name: str, x: float, y: float, scale: float = 1, *, face: str = "open", svg: str | None = None
    ) -> str:
        """A picture with its upper left corner at a place; one that is none of the game's own is handed as SVG."""
        drawn = sprite(picture(name) if svg is None else svg)
        where = (
            f'transform="translate({number(x + scale)} {number(y + 6 * scale)}) scale({f"{scale:.3f}".lstrip("0")})"'
        )
        shown = f"<use {self.part(name, drawn.body)} {where}/>"
        if drawn.eyes:
            shown += f"<use {self.part(f'{name} {face}', drawn.faces[face])} {where}/>"
        return shown

    def part(self, key: str, markup: str) -> str:
        """The `href` of markup that is seen more than once, drawn when it is first asked for by this key."""
        if key not in self._parts:
            self._parts[key] = (f"{_PART}{len(self._parts)}", markup)
        return f'href="#{_MARK}{self._parts[key][0]}"'

    def svg(self, width: int, height: int, body: str, title: str, says: str) -> str:
        """The whole file. The title, and what is said to those who cannot see it, are plain text."""
        drawn = dict(self._parts.values())
        shown = _all_shapes("".join(drawn.values())) | drawn
        defs = "".join(f'<g id="{_MARK}{name}">{markup}</g>' for name, markup in shown.items())
        out = (
            f'<svg xmlns="http://www.w3.org/2000/svg" role="img" aria-labelledby="{_MARK}t {_MARK}d"'
            f' viewBox="0 0 {width} {height}" width="{width}" height="{height}" style="max-width:100%;height:auto">'
            f'<title id="{_MARK}t">{plain(title)}</title><desc id="{_MARK}d">{plain(says)}</desc>'
            f"<defs>{defs}</defs>{body}</svg>"
        )
        return out.replace(_MARK, _letters(out))


def plain(text: str) -> str:
    """Any text, as XML may hold it."""
    return escape("".join(letter if letter.isprintable() else " " for letter in text))


def title(svg: str) -> str:
    """The title of a sheet's file, as plain text."""
    return unescape(re.findall(r"<title[^>]*>(.*?)</", svg)[0])


def said(svg: str) -> str:
    """The title of a sheet's file and what it says, escaped for an attribute."""
    title, says = re.findall(r"<(?:title|desc)[^>]*>(.*?)</", svg)[:2]
    return f"{title}. {says}".replace("..", ".")


def _letters(content: str) -> str:
    digest = int.from_bytes(sha256(content.encode()).digest()[:8])
    return "".join(_LETTERS[digest // len(_LETTERS) ** place % len(_LETTERS)] for place in range(_MARK_LENGTH))
