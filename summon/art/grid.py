"""Read a brick grid: a legend, an empty line, and rows of letters.

    r = red                       a letter and its colour (the names are in colours.txt)
    E = eye #b5480d on red        a print on a colour, if wanted with a colour of its own

    ../rr\\..                      .  nothing      /  \\  a slope
    rrEErrEE                      a print covers its whole block: 2x2 of E is one big eye

Lines that start with # are notes. Whatever is read here may come from a stranger, so all of it is checked: only letters
and digits, known colours, known prints and #hex colours get through, and only grids of a bounded size.
"""

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from summon.art.colours import colours
from summon.art.prints import PRINTS

MAX_SIDE = 64
MAX_TEXT = 20_000
NOTHING = "."
SLOPES = "/\\"


class GridError(ValueError):
    """A grid that cannot be built. The message names the file, the line and the column.

    Attributes: source (the name of the file or grid), line and column in it, counted from 1; both are None where the
    whole grid is meant.
    """

    def __init__(self, what: str, source: str, line: int | None = None, column: int | None = None) -> None:
        where = [("line", line), ("column", column)]
        super().__init__(", ".join([source, *(f"{word} {number}" for word, number in where if number)]) + f": {what}")
        self.source, self.line, self.column = source, line, column


class Paint(NamedTuple):
    """What a letter stands for: a colour, and perhaps a print with the colour of its detail."""

    colour: str
    print: str | None = None
    detail: str = ""


@dataclass(frozen=True)
class Rows:
    """What each letter stands for, and the rows, all of one width."""

    legend: dict[str, Paint]
    rows: tuple[str, ...]

    @property
    def width(self) -> int:
        """The number of places in a row."""
        return len(self.rows[0])

    @property
    def height(self) -> int:
        """The number of rows."""
        return len(self.rows)


@dataclass(frozen=True)
class Grid(Rows):
    """A checked grid: rows, the name of where they come from, and the line that each stood on there."""

    source: str
    lines: tuple[int, ...]

    def letter(self, x: int, y: int) -> str | None:
        """The letter at a place, or None where there is nothing, a slope, or the edge of the grid."""
        if 0 <= x < self.width and 0 <= y < self.height and self.rows[y][x] in self.legend:
            return self.rows[y][x]
        return None


def read(text: str, source: str = "grid") -> Grid:
    """The grid that a text describes. The source is the name that errors call it by.

    Raises GridError if the text is too long, the grid too large or empty, a row longer or shorter than the others, or
    anything in it is not known.
    """
    if len(text) > MAX_TEXT:
        raise GridError(f"a grid has at most {MAX_TEXT} characters", source)
    legend: dict[str, Paint] = {}
    rows: dict[int, str] = {}
    gap = 0
    for number, line in _lines(text):
        if not line:
            gap = number
        elif " = " in line:
            if rows:
                raise GridError("the list of colours comes before the rows", source, number)
            letter, paint = _entry(line, source, number)
            if letter in legend:
                raise GridError(f"{letter} is in the list twice", source, number, 1)
            legend[letter] = paint
        else:
            if rows and gap:
                raise GridError("an empty line between the rows; write . for nothing", source, gap)
            gap = 0
            rows[number] = line
    _check(rows, legend, source)
    return Grid(legend, tuple(rows.values()), source, tuple(rows))


def _lines(text: str) -> Iterator[tuple[int, str]]:
    """The lines with their numbers, without the notes."""
    for number, line in enumerate(text.split("\n"), 1):
        if not line.startswith("#"):
            yield number, line.rstrip()


def _entry(line: str, source: str, number: int) -> tuple[str, Paint]:
    """One line of the legend: "r = red" or "E = eye #b5480d on red"."""
    letter, _, meaning = line.partition(" = ")
    if not re.fullmatch("[A-Za-z0-9]", letter):
        raise GridError(f"{_quoted(letter)} cannot stand for a colour: take one letter or digit", source, number, 1)
    printed, _, colour = meaning.rpartition(" on ")
    if colour not in colours():
        known = ", ".join(colours())
        column = len(line) - len(colour) + 1
        raise GridError(f"there is no colour {_quoted(colour)}. There are: {known}", source, number, column)
    if not printed:
        return letter, Paint(colour)
    word, _, detail = printed.partition(" ")
    column = len(letter) + len(" = ") + 1
    if word not in PRINTS:
        raise GridError(f"there is no print {_quoted(word)}. There are: {', '.join(PRINTS)}", source, number, column)
    usual = PRINTS[word].detail
    column += len(word) + 1
    if detail and usual is None:
        raise GridError(f"the print {word} takes no colour of its own", source, number, column)
    if detail and not re.fullmatch("#([0-9a-f]{3}){1,2}", detail):
        raise GridError(f"{_quoted(detail)} is not a colour like #3f7d2a", source, number, column)
    return letter, Paint(colour, word, detail or usual or "")


def _check(rows: dict[int, str], legend: dict[str, Paint], source: str) -> None:
    """Raise GridError unless the rows, by their lines, are few, short, alike in width, and bricks of the legend."""
    usual = Counter(map(len, rows.values())).most_common(1)[0][0] if rows else 0
    for count, (line, row) in enumerate(rows.items(), 1):
        if count > MAX_SIDE:
            raise GridError(f"a grid has at most {MAX_SIDE} rows", source, line)
        if len(row) > MAX_SIDE:
            raise GridError(f"a row has at most {MAX_SIDE} places", source, line, MAX_SIDE + 1)
        for column, letter in enumerate(row, 1):
            if letter not in legend and letter != NOTHING and letter not in SLOPES:
                raise GridError(f"{_quoted(letter)} is not in the list of colours", source, line, column)
        if len(row) != usual:
            what = f"this row has {len(row)} places, others have {usual}; write . for nothing"
            raise GridError(what, source, line, min(len(row), usual) + 1)
    if not any(letter in legend for row in rows.values() for letter in row):
        raise GridError("there is not one brick in it", source)


def _quoted(words: str) -> str:
    """A stranger's words, short and visible enough for a message."""
    return repr(words if len(words) <= 30 else words[:29] + "~")
