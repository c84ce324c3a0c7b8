"""A drawing under way: bricks, slopes and prints put where somebody taps, and the grid text that comes of it.

A sketch is a plain value. Every change gives a new sketch, so whoever keeps the old one can go back to it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cache
from string import ascii_letters, digits

from summon.art.bricks import TILE, lay
from summon.art.colours import colours
from summon.art.grid import MAX_SIDE, NOTHING, SLOPES, Grid, GridError, Paint, Rows, read
from summon.art.library import names, text
from summon.art.prints import PRINTS
from summon.art.svg import frame, render

STAMPS: dict[str, tuple[int, int]] = {
    "eye": (2, 2),
    "brave": (3, 3),
    "smile": (4, 1),
    "laugh": (4, 2),
    "fangs": (6, 2),
    "nose": (2, 1),
    "beak": (2, 2),
    "cheek": (2, 1),
    "spot": (1, 1),
    "crack": (1, 2),
    "bolt": (2, 2),
    "plus": (2, 2),
    "skull": (3, 3),
    "heart": (2, 2),
    "shield": (2, 2),
    "star": (2, 2),
}
"""How many places wide and high each print is when it is stamped."""

SHEET = (14, 14)
"""How many places wide and high an empty sheet is."""

_OTHER_SLOPE = str.maketrans("/\\", "\\/")

Place = tuple[int, int]
"""A column and a row, counted from 0 at the upper left."""


@cache
def brushes() -> tuple[str, ...]:
    """All that can be painted with: the colours, the prints, both slopes, and nothing."""
    return (*colours(), *PRINTS, *SLOPES, NOTHING)


@dataclass(frozen=True)
class Sketch(Rows):
    """Rows, and the notes above them."""

    notes: tuple[str, ...] = ()

    @classmethod
    def of(cls, drawing: str) -> Sketch:
        """A pet of the game, by its name, or any grid text; raises GridError where the text is not a grid."""
        grid_text = text(drawing) if drawing in names("pets") else drawing
        grid = read(grid_text, "drawing")
        lay(grid)
        notes = tuple(line.rstrip() for line in grid_text.split("\n") if line.startswith("#"))
        return cls(grid.legend, grid.rows, notes)

    @classmethod
    def empty(cls, width: int = SHEET[0], height: int = SHEET[1]) -> Sketch:
        """A sheet with nothing on it."""
        return cls({}, (NOTHING * width,) * height)

    @property
    def bare(self) -> bool:
        """Whether there is not one brick on it."""
        return not any(letter in self.legend for row in self.rows for letter in row)

    @property
    def text(self) -> str:
        """The grid text, as `summon pet` reads it."""
        parts = ["\n".join(self.notes), "\n".join(map(self._entry, self.legend)), "\n".join(self.rows)]
        return "\n\n".join(part for part in parts if part) + "\n"

    def picture(self, title: str | None = None, *, standalone: bool = False) -> str:
        """The SVG of it on its shadow, as `render` makes it; raises GridError where there is not one brick."""
        return render(self.text, title, shadow=True, standalone=standalone, source="drawing")

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"<a drawing, {self.width} places wide and {self.height} high>"

    def _repr_svg_(self) -> str | None:
        """What a notebook shows of it: a file of its own, in the size in which it is drawn."""
        if self.bare:
            return None
        wide, high = frame(Grid(self.legend, self.rows, "drawing", ()), True)
        picture = self.picture("A pet of bricks", standalone=True)
        return picture.replace("<svg ", f'<svg width="{wide}" height="{high}" ', 1)

    def with_row(self, number: int, row: str) -> Sketch:
        """The same with another row; rows are counted from 1. Raises GridError where that is not a grid."""
        rows = list(self.rows)
        rows[number - 1] = row
        return Sketch.of(replace(self, rows=tuple(rows)).text)

    def what(self, x: int, y: int) -> str:
        """What is at a place, as a brush: a colour, a print, a slope, or nothing."""
        letter = self.rows[y][x]
        paint = self.legend.get(letter)
        return letter if paint is None else paint.print or paint.colour

    def painted(self, places: Iterable[Place], brush: str, *, colour: str = "yellow", mirrored: bool = False) -> Sketch:
        """The same with a brush put on these places; what lies outside of the sheet is passed over.

        A print is stamped round each place, on the colour that is there, else on `colour`. What it covers a part of
        becomes plain bricks. Slopes that have lost their brick go with it. If mirrored, everything happens on the other
        side as well. Raises ValueError for an unknown brush or colour, and GridError where there is no brick beside a
        new slope.
        """
        if brush not in brushes() or colour not in colours():
            raise ValueError(f"nobody can paint with {brush!r} on {colour!r}")
        page = _Page(self)
        for x, y in places:
            if 0 <= x < self.width and 0 <= y < self.height:
                page.put(x, y, brush, colour, mirrored)
        return page.finished(keep_slopes=brush in SLOPES)

    def roomier(self) -> Sketch:
        """The same with an empty column on either side and an empty row above, as far as a grid may go."""
        side = NOTHING if self.width + 2 <= MAX_SIDE else ""
        rows = [f"{side}{row}{side}" for row in self.rows]
        above = [NOTHING * len(rows[0])] if self.height < MAX_SIDE else []
        return replace(self, rows=(*above, *rows))

    def tighter(self) -> Sketch:
        """The same without the empty rows and columns at its edges; a bare sheet stays as it is."""
        if self.bare:
            return self
        columns = [x for row in self.rows for x, letter in enumerate(row) if letter != NOTHING]
        full = [y for y, row in enumerate(self.rows) if row.strip(NOTHING)]
        left, right = min(columns), max(columns) + 1
        return replace(self, rows=tuple(row[left:right] for row in self.rows[full[0] : full[-1] + 1]))

    def _entry(self, letter: str) -> str:
        """A line of the legend."""
        paint = self.legend[letter]
        if paint.print is None:
            return f"{letter} = {paint.colour}"
        detail = f" {paint.detail}" if paint.detail != (PRINTS[paint.print].detail or "") else ""
        return f"{letter} = {paint.print}{detail} on {paint.colour}"


class _Page:
    """A sketch while it is changed."""

    def __init__(self, sketch: Sketch) -> None:
        self.legend, self.notes = dict(sketch.legend), sketch.notes
        self.cells = [list(row) for row in sketch.rows]
        self.width, self.height = sketch.width, sketch.height

    def put(self, x: int, y: int, brush: str, colour: str, mirrored: bool) -> None:
        """Put a brush on a place, and if mirrored on the other side as well."""
        there = self.width - 1 - x
        if brush in PRINTS:
            wide, high = min(STAMPS[brush][0], self.width), min(STAMPS[brush][1], self.height)
            left = min(max(x - (wide - 1) // 2, 0), self.width - wide)
            top = min(max(y - (high - 1) // 2, 0), self.height - high)
            ground = self._colour(x, y) or colour
            # A print in the middle would lie across its own mirror image: it is stamped once.
            lefts = {left, self.width - left - wide}
            for start in lefts if mirrored and max(lefts) - min(lefts) >= wide else [left]:
                self._print([(i, j) for j in range(top, top + high) for i in range(start, start + wide)], brush, ground)
        else:
            self._brick(x, y, brush)
            if mirrored and there != x:
                self._brick(there, y, brush.translate(_OTHER_SLOPE))

    def finished(self, keep_slopes: bool) -> Sketch:
        """What came of it: without letters that nobody uses, and without slopes that hang on nothing unless kept."""
        while True:
            used = {letter for row in self.cells for letter in row}
            legend = {letter: paint for letter, paint in self.legend.items() if letter in used}
            sketch = Sketch(legend, tuple(map("".join, self.cells)), self.notes)
            try:
                if not sketch.bare:
                    lay(self._grid(sketch.legend, sketch.rows))
                elif used & set(SLOPES):
                    raise GridError("the slope has no brick near it", "drawing")
            except GridError as error:
                if keep_slopes:
                    raise
                self._drop_slopes(error)
                continue
            return sketch

    def _drop_slopes(self, error: GridError) -> None:
        """Take the slope that an error is about away, or all of them."""
        for y, row in enumerate(self.cells):
            for x, letter in enumerate(row):
                if letter in SLOPES and (error.line is None or (error.line, error.column) == (y + 1, x + 1)):
                    row[x] = NOTHING

    def _grid(self, legend: dict[str, Paint], rows: tuple[str, ...]) -> Grid:
        return Grid(legend, rows, "drawing", tuple(range(1, self.height + 1)))

    def _colour(self, x: int, y: int) -> str | None:
        paint = self.legend.get(self.cells[y][x])
        return paint.colour if paint else None

    def _brick(self, x: int, y: int, brush: str) -> None:
        self._loosen([(x, y)])
        self.cells[y][x] = brush if brush in (*SLOPES, NOTHING) else self._letter(Paint(brush))

    def _print(self, block: list[Place], brush: str, colour: str) -> None:
        self._loosen(block)
        around = {
            self.cells[y + j][x + i]
            for x, y in block
            for i, j in ((1, 0), (-1, 0), (0, 1), (0, -1))
            if (x + i, y + j) not in block and 0 <= x + i < self.width and 0 <= y + j < self.height
        }
        letter = self._letter(Paint(colour, brush, PRINTS[brush].detail or ""), around)
        for x, y in block:
            self.cells[y][x] = letter

    def _loosen(self, places: list[Place]) -> None:
        """Every print that covers one of these places becomes plain bricks."""
        printed = {letter for letter, paint in self.legend.items() if paint.print}
        if not any(self.cells[y][x] in printed for x, y in places):
            return
        rows = tuple("".join(NOTHING if letter in SLOPES else letter for letter in row) for row in self.cells)
        for piece in lay(self._grid(self.legend, rows)):
            if piece.kind == TILE and piece.cells() & set(places):
                letter = self._letter(Paint(self.legend[piece.letter].colour))
                for x, y in piece.cells():
                    self.cells[y][x] = letter

    def _letter(self, paint: Paint, around: Iterable[str] = ()) -> str:
        """The letter for a paint: one that stands for it already and is not around, else a new one."""
        for letter, known in self.legend.items():
            if known == paint and letter not in around:
                return letter
        name = paint.print or paint.colour.split()[-1]
        first = name.upper() if paint.print or " " in paint.colour else name
        used = Counter(letter for row in self.cells for letter in row)
        for letter in (*first, *first.swapcase(), *ascii_letters, *digits):
            if letter not in self.legend or not used[letter]:
                # A letter that nobody uses any more goes to the end of the list with its new meaning.
                self.legend.pop(letter, None)
                self.legend[letter] = paint
                return letter
        raise GridError("every letter stands for something already", "drawing")
