"""Build a grid: which brick, slope or tile goes where, and how much light falls on it."""

from typing import NamedTuple

from summon.art.grid import SLOPES, Grid, GridError

LONGEST = 4
REACH = 3
BRICK, TILE = "brick", "tile"
_COST = {1: 5, 2: 2, 3: 3, 4: 3}
_SEAM_COST = 4


class Piece(NamedTuple):
    """One piece: its kind (brick, tile, or the corner a slope fills: bl, br, tl, tr), place, size and letter."""

    kind: str
    x: int
    y: int
    width: int
    height: int
    letter: str

    def cells(self) -> set[tuple[int, int]]:
        """The places (x, y) it covers."""
        return {(self.x + i, self.y + j) for i in range(self.width) for j in range(self.height)}


def lay(grid: Grid) -> list[Piece]:
    """The pieces that fill a grid, row by row from the top, each row from the left.

    Raises GridError if a slope has no brick near it to take its colour from.
    """
    pieces: list[Piece] = []
    taken: set[tuple[int, int]] = set()
    seams_above: set[int] = set()
    for y, row in enumerate(grid.rows):
        seams: set[int] = set()
        x = 0
        while x < len(row):
            if (x, y) in taken:
                x += 1
            elif row[x] in SLOPES:
                corner, letter = slope(grid, x, y)
                pieces.append(Piece(corner, x, y, 1, 1, letter))
                x += 1
            elif row[x] in grid.legend:
                run = _run(grid, x, y, taken, seams_above)
                pieces += run
                taken |= run[0].cells() if run[0].kind == TILE else set()
                seams |= {x, *(piece.x + piece.width for piece in run)}
                x = max(seams)
            else:
                x += 1
        seams_above = seams
    return pieces


def _run(grid: Grid, x: int, y: int, taken: set[tuple[int, int]], seams_above: set[int]) -> list[Piece]:
    """The pieces for the run of one letter that starts at a place: bricks, or one tile for the whole block."""
    row, letter = grid.rows[y], grid.rows[y][x]
    end = x
    while end < len(row) and row[end] == letter and (end, y) not in taken:
        end += 1
    if grid.legend[letter].print:
        tall = 1
        while y + tall < grid.height and grid.rows[y + tall][x:end] == letter * (end - x):
            tall += 1
        return [Piece(TILE, x, y, end - x, tall, letter)]
    bricks = []
    for length in split(x, end - x, seams_above):
        bricks.append(Piece(BRICK, x, y, length, 1, letter))
        x += length
    return bricks


def split(start: int, length: int, seams_above: set[int]) -> list[int]:
    """Cut a run into bricks of 1 to 4 studs: few, not single, and no seam right under a seam, as in a real wall."""
    best: dict[int, tuple[int, list[int]]] = {0: (0, [])}
    for end in range(1, length + 1):
        options = []
        for brick in range(1, min(LONGEST, end) + 1):
            cost, bricks = best[end - brick]
            cost += _COST[brick]
            if end < length and start + end in seams_above:
                cost += _SEAM_COST
            options.append((cost, [*bricks, brick]))
        best[end] = min(options, key=lambda option: option[0])
    return best[length][1]


def slope(grid: Grid, x: int, y: int) -> tuple[str, str]:
    """Which corner of its place a slope fills, and the letter whose colour it takes.

    The line of "/" or "\\" is the outline; the brick is on the side that has a neighbour. The corners bl and br rise to
    a point above, tl and tr hang below. Raises GridError if there is no brick within three places.
    """
    rising = grid.rows[y][x] == "/"
    lower, upper = ("br", "tl") if rising else ("bl", "tr")
    left, right = grid.letter(x - 1, y), grid.letter(x + 1, y)
    lower_side, upper_side = (right, left) if rising else (left, right)
    below, above = grid.letter(x, y + 1), grid.letter(x, y - 1)
    if lower_side and not upper_side and (below or not above):
        return lower, lower_side
    if upper_side and not lower_side and (above or not below):
        return upper, upper_side
    if above and not below:
        return upper, above
    return lower, below or lower_side or _nearest(grid, x, y)


def _nearest(grid: Grid, x: int, y: int) -> str:
    """The letter nearest to a slope that touches only slopes: at equal distance not above it, then by the alphabet."""
    found = []
    for j in range(-REACH, REACH + 1):
        for i in range(abs(j) - REACH, REACH - abs(j) + 1):
            letter = grid.letter(x + i, y + j)
            if letter:
                found.append((abs(i) + abs(j), j < 0, letter))
    if not found:
        raise GridError("the slope has no brick near it", grid.source, grid.lines[y], x + 1)
    return min(found)[2]


def light(piece: Piece, grid: Grid, solid: set[tuple[int, int]]) -> int:
    """How bright a piece is, from -3 to 3, lit from the upper left. Solid holds every place that has a piece."""
    _, x, y, w, h, _ = piece
    value = 1.6 * (0.5 - (x + w / 2) / grid.width) + 1.9 * (0.45 - (y + h / 2) / grid.height)
    value += 0.5 * ((x - 1, y) not in solid) - 0.7 * ((x + w, y) not in solid)
    value += 0.6 * ((x, y - 1) not in solid) - 0.7 * ((x, y + h) not in solid)
    value += ((x * 7 + y * 13) % 5 - 2) * 0.16  # no two bricks are quite alike
    return max(-3, min(3, round(value)))
