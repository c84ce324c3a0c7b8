"""Draw a grid as SVG: every piece stays an element of its own, so that a picture can be built up and fall apart."""

from collections import defaultdict
from functools import cache
from html import escape
from typing import NamedTuple

from summon.art.bricks import BRICK, LONGEST, TILE, Piece, lay, light
from summon.art.colours import colours, shade
from summon.art.grid import Grid, read
from summon.art.prints import Tile, printed

WIDE, HIGH = 10, 12
STUD = 6
GROUND = 7
MARGIN = 1
PREFIX = "sb-"
WHITE, PLUM = "#fff", "#10082b"


class Frame(NamedTuple):
    """The room a picture takes in its own measure: a place of the grid is 10 wide and 12 high."""

    width: int
    height: int


def frame(grid: Grid, shadow: bool) -> Frame:
    """The size of a picture with its studs, its margins and, if wanted, its shadow on the ground."""
    return Frame(grid.width * WIDE + 2 * MARGIN, grid.height * HIGH + STUD + (GROUND if shadow else 0))


@cache
def shapes() -> str:
    """The bricks that every picture is built from, as one element without a size.

    Pictures that are not standalone refer to them by id (all start with "sb-"), which works only if this element is in
    the same document or shadow root.
    """
    return f'<svg width="0" height="0" style="position:absolute" aria-hidden="true">{_defs()}</svg>'


def render(
    text: str, title: str | None = None, *, shadow: bool = False, standalone: bool = False, source: str = "grid"
) -> str:
    """The picture of any grid text, as SVG.

    A title names the picture for those who cannot see it; without one it counts as decoration. A standalone picture is
    a file of its own, others need `shapes()` beside them. The source is what errors call the grid.

    Raises GridError if the text is not a grid. Nothing of the text or title reaches the SVG unchecked or unescaped.
    """
    grid = read(text, source)
    pieces = lay(grid)
    solid = set().union(*(piece.cells() for piece in pieces))
    width, height = frame(grid, shadow)
    view = f"{-MARGIN} {-STUD} {width} {height}"
    out = [f'<svg {_names(title, standalone)} viewBox="{view}" preserveAspectRatio="xMidYMax">']
    if standalone:
        out.append(_defs())
    if shadow:
        out.append(_ground(grid, solid))
    uses, tiles = _draw(grid, pieces, solid)
    out += [f'<g fill="{fill}">{"".join(same)}</g>' for fill, same in uses.items()]
    return "".join([*out, *tiles, "</svg>"])


def _names(title: str | None, standalone: bool) -> str:
    """The attributes that say what the picture is."""
    kind = 'xmlns="http://www.w3.org/2000/svg" ' if standalone else ""
    if title is None:
        return kind + 'aria-hidden="true"'
    visible = "".join(c if c.isprintable() else " " for c in title)
    return f'{kind}role="img" aria-label="{escape(visible)}"'


def _ground(grid: Grid, solid: set[tuple[int, int]]) -> str:
    """A soft shadow under the lowest row, or under the whole picture if nothing stands on the ground."""
    feet = [x for x in range(grid.width) if (x, grid.height - 1) in solid] or range(grid.width)
    left, right = min(feet) * WIDE, (max(feet) + 1) * WIDE
    return (
        f'<ellipse class="ground" cx="{(left + right) / 2 + 3:g}" cy="{grid.height * HIGH + 0.5:g}"'
        f' rx="{(right - left) / 2 + 8:g}" ry="5.5" fill="{PLUM}" fill-opacity=".28"/>'
    )


def _draw(grid: Grid, pieces: list[Piece], solid: set[tuple[int, int]]) -> tuple[dict[str, list[str]], list[str]]:
    """The bricks and studs, grouped by shade, and the printed tiles."""
    uses: dict[str, list[str]] = defaultdict(list)
    tiles = []
    for piece in pieces:
        fill = shade(colours()[grid.legend[piece.letter].colour], light(piece, grid, solid))
        if piece.kind == TILE:
            tiles.append(_tile(piece, grid, fill))
        else:
            uses[fill].append(_use(str(piece.width) if piece.kind == BRICK else piece.kind, piece.x, piece.y))
        if piece.kind in (BRICK, TILE):
            bare = [x for x in range(piece.x, piece.x + piece.width) if (x, piece.y - 1) not in solid]
            uses[fill] += [_use("st", x, piece.y) for x in bare]
    return {fill: same for fill, same in uses.items() if same}, tiles


def _use(shape: str, x: int, y: int) -> str:
    down = f' y="{y * HIGH}"' if y else ""
    return f'<use href="#{PREFIX}{shape}" x="{x * WIDE}"{down}/>'


def _tile(piece: Piece, grid: Grid, fill: str) -> str:
    """A tile and its print; eyes look towards the middle of the picture."""
    w, h = piece.width * WIDE, piece.height * HIGH
    middle, centre = 2 * piece.x + piece.width, grid.width
    tile = Tile(w, h, (middle < centre) - (middle > centre))
    paint = grid.legend[piece.letter]
    body = (
        f'<path d="M0 0h{w}v{h}h-{w}z"/>'
        + _edge(f"M.5 {h - 1}V.5H{w - 1}", WHITE, ".3")
        + _edge(f"M{w - 0.5} 1V{h - 0.5}H1", PLUM, ".2")
    )
    face = printed(paint.print, tile, paint.detail) if paint.print else ""
    return f'<g transform="translate({piece.x * WIDE} {piece.y * HIGH})"><g fill="{fill}">{body}{face}</g></g>'


def _edge(path: str, colour: str, opacity: str) -> str:
    return f'<path d="{path}" fill="none" stroke="{colour}" stroke-opacity="{opacity}"/>'


@cache
def _defs() -> str:
    """The shapes; each takes its colour from where it is used."""
    found = {str(n): _brick(n * WIDE) for n in range(1, LONGEST + 1)} | _slopes() | {"st": _stud()}
    return "<defs>" + "".join(f'<g id="{PREFIX}{name}">{shape}</g>' for name, shape in found.items()) + "</defs>"


def _brick(w: int) -> str:
    return (
        f'<path d="M0 0h{w}v{HIGH}h-{w}z"/>'
        + _edge(f"M.5 {HIGH - 1}V.5H{w - 1}", WHITE, ".38")
        + _edge(f"M{w - 0.5} 1V{HIGH - 0.5}H1", PLUM, ".26")
    )


def _slopes() -> dict[str, str]:
    w, h = WIDE, HIGH
    return {
        "bl": f'<path d="M0 0L{w} {h - 2}v2H0z"/>'
        + _edge(f"M.4 .6L{w - 0.4} {h - 1.6}", WHITE, ".5")
        + _edge(f"M.5 1V{h - 0.5}H{w}", PLUM, ".2"),
        "br": f'<path d="M{w} 0L0 {h - 2}v2h{w}z"/>'
        + _edge(f"M{w - 0.4} .6L.4 {h - 1.6}", WHITE, ".7")
        + _edge(f"M{w - 0.5} 1V{h - 0.5}H0", PLUM, ".22"),
        "tl": f'<path d="M0 0h{w}v2L0 {h}z"/>'
        + _edge(f"M.5 {h - 1}V.5H{w}", WHITE, ".34")
        + _edge(f"M{w - 0.3} 2L.3 {h - 0.5}", PLUM, ".4"),
        "tr": f'<path d="M{w} 0H0v2L{w} {h}z"/>'
        + _edge(f"M0 .5H{w}", WHITE, ".34")
        + _edge(f"M.3 2L{w - 0.3} {h - 0.5}", PLUM, ".34"),
    }


def _stud() -> str:
    return (
        f'<path d="M0-2.6h{WIDE}V.2H0z"/><path d="M0-2.6h{WIDE}V.2H0z" fill="{WHITE}" fill-opacity=".34"/>'
        f'<path d="M2-4.6v3q3 1.3 6 0v-3z"/><path d="M6-5v4.2q1.2-.2 2-.6v-3.2z" fill="{PLUM}" fill-opacity=".2"/>'
        '<ellipse cx="5" cy="-4.6" rx="3" ry="1.1"/>'
        f'<ellipse cx="5" cy="-4.6" rx="3" ry="1.1" fill="{WHITE}" fill-opacity=".5"/>'
    )
