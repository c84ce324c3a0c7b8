"""What is printed on tiles: eyes, mouths, noses and the like.

Prints are drawn in hundredths of their tile, so that they fit a tile of any size.
"""

import re
from collections.abc import Callable
from typing import NamedTuple

INK = "#17122b"
WHITE = "#fff"
_PARTS = re.compile(r"[A-Za-z]|-?[\d.]+")


class Tile(NamedTuple):
    """The face of a tile. The side is 1 on the left of the picture, -1 on the right, 0 in the middle."""

    width: int
    height: int
    side: int

    def fit(self, shape: str) -> str:
        """A path in hundredths of the tile (any commands but arcs), in the tile's own measure."""
        out, command, across = "", "", True
        for part in _PARTS.findall(shape):
            if part.isalpha():
                out, command, across = out + part, part.lower(), part.lower() != "v"
                continue
            number = f"{float(part) * (self.width if across else self.height) / 100:.4g}"
            out += number if out[-1].isalpha() or number.startswith("-") else " " + number
            across = across if command in "hv" else not across
        return out

    def filled(self, shape: str, colour: str) -> str:
        """A shape filled with a colour."""
        return f'<path d="{self.fit(shape)}" fill="{colour}"/>'

    def line(self, shape: str, colour: str, thick: float, opacity: str = "") -> str:
        """A line with round ends; of some opacity if given."""
        faint = f' stroke-opacity="{opacity}"' if opacity else ""
        return (
            f'<path d="{self.fit(shape)}" fill="none" stroke="{colour}"{faint} stroke-width="{thick:g}"'
            ' stroke-linecap="round" stroke-linejoin="round"/>'
        )

    def oval(self, x: float, y: float, across: float, down: float, colour: str, opacity: str = "") -> str:
        """An ellipse round a point, with its two radii."""
        w, h = self.width / 100, self.height / 100
        faint = f' fill-opacity="{opacity}"' if opacity else ""
        return (
            f'<ellipse cx="{x * w:.4g}" cy="{y * h:.4g}" rx="{across * w:.4g}" ry="{down * h:.4g}"'
            f' fill="{colour}"{faint}/>'
        )


class Print(NamedTuple):
    """How a print is drawn, and the usual colour of its detail (None if it has none)."""

    draw: Callable[[Tile, str], str]
    detail: str | None = None


def printed(word: str, tile: Tile, detail: str) -> str:
    """The SVG of a print on a tile. Word and detail must have been checked: see `grid.read`."""
    return PRINTS[word].draw(tile, detail)


def _eye(tile: Tile, iris: str) -> str:
    return _lids(tile, _ball(tile, iris))


def _brave(tile: Tile, iris: str) -> str:
    """An eye under a lid, in the colour of the tile, that comes down towards the nose."""
    lid = "M0 0H100V40L0 4z" if tile.side > 0 else "M0 0H100V4L0 40z"
    return _lids(tile, _ball(tile, iris) + f'<path d="{tile.fit(lid)}"/>')


def _ball(tile: Tile, iris: str) -> str:
    look = 50 + 5 * tile.side
    return (
        tile.oval(50, 50, 48, 48, WHITE)
        + tile.oval(look, 55, 37.4, 38.4, iris)
        + tile.oval(look, 58, 26.9, 29.8, INK)
        + tile.oval(look - 10, 40, 13, 13, WHITE)
        + tile.oval(look + 12, 70, 5.5, 4.6, WHITE, ".85")
    )


def _lids(tile: Tile, opened: str) -> str:
    """All three states of an eye: the page's style shows one of .open, .shut and .hurt."""
    shut = tile.line("M14 60q36-34 72 0", INK, 2.6)
    hurt = tile.line("M20 26L78 52L20 78" if tile.side > 0 else "M80 26L22 52L80 78", INK, 2.6)
    return (
        f'<g class="open">{opened}</g><g class="shut" display="none">{shut}</g>'
        f'<g class="hurt" display="none">{hurt}</g>'
    )


def _smile(tile: Tile, _: str) -> str:
    return tile.line("M16 30q34 85 68 0", INK, 2)


def _laugh(tile: Tile, _: str) -> str:
    mouth = tile.filled("M12 20h76q-5 72-38 72t-38-72z", "#5a1020")
    return mouth + tile.filled("M30 74q20-30 40 0q-20 30-40 0z", "#ff7a88")


def _fangs(tile: Tile, _: str) -> str:
    mouth = tile.filled("M6 22q44 30 88 0l-8 50q-36 28-72 0z", "#5a1020")
    return mouth + tile.filled("M14 29l8 40l10-34zM86 29l-8 40l-10-34z", WHITE)


def _nose(tile: Tile, _: str) -> str:
    return tile.filled("M20 20h60q2 42-30 60q-32-18-30-60z", INK) + tile.line("M32 30h20", WHITE, 1.4, ".6")


def _cheek(tile: Tile, colour: str) -> str:
    down = min(30.0, 34 * tile.width / tile.height)
    return tile.oval(50, 50, 42, down, colour, ".8")


def _spot(tile: Tile, colour: str) -> str:
    return tile.oval(50, 50, 30, 30, colour)


def _crack(tile: Tile, colour: str) -> str:
    return tile.line("M60 0L35 36L66 60L42 100", colour, 1.8)


def _bolt(tile: Tile, colour: str) -> str:
    return tile.filled("M62 6L20 58H48L36 95L82 38H54z", colour)


def _beak(tile: Tile, _: str) -> str:
    upper = tile.filled("M0 20q50-30 100 0l-50 72z", "#f57c1f")
    lower = tile.filled("M0 20q50 20 100 0l-50 72z", "#d95d0c")
    return upper + lower + tile.line("M20 14q20-7 40-3", WHITE, 1.4, ".6")


def _plus(tile: Tile, _: str) -> str:
    return tile.filled("M35 8h30v27h30v30h-30v27h-30v-27h-30v-30h30z", WHITE)


def _skull(tile: Tile, _: str) -> str:
    bone = tile.filled("M50 4c62 0 56 56 26 62v20h-52v-20c-30-6-36-62 26-62z", WHITE)
    eyes = tile.oval(32, 42, 12, 12, INK) + tile.oval(68, 42, 12, 12, INK)
    return bone + eyes + tile.line("M42 84v-10M58 84v-10", INK, 1.6)


def _heart(tile: Tile, colour: str) -> str:
    return tile.filled("M50 92c-70-46-42-92-12-82q10 3 12 14q2-11 12-14c30-10 58 36-12 82z", colour)


def _shield(tile: Tile, colour: str) -> str:
    return tile.filled("M16 14q20 4 34-8q14 12 34 8q6 62-34 82q-40-20-34-82z", colour)


def _star(tile: Tile, colour: str) -> str:
    return tile.filled("M50 4l13 32l33 4l-25 23l7 33l-28-17l-28 17l7-33l-25-23l33-4z", colour)


PRINTS: dict[str, Print] = {
    "eye": Print(_eye, "#5b3a1e"),
    "brave": Print(_brave, "#5b3a1e"),
    "smile": Print(_smile),
    "laugh": Print(_laugh),
    "fangs": Print(_fangs),
    "nose": Print(_nose),
    "beak": Print(_beak),
    "cheek": Print(_cheek, "#ff6f91"),
    "spot": Print(_spot, WHITE),
    "crack": Print(_crack, INK),
    "bolt": Print(_bolt, "#ffc926"),
    "plus": Print(_plus),
    "skull": Print(_skull),
    "heart": Print(_heart, "#d8321f"),
    "shield": Print(_shield, WHITE),
    "star": Print(_star, WHITE),
}
