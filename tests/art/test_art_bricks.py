"""Building: slopes, tiles, the bond of the bricks, and the light."""

import itertools

import pytest

from summon.art import KINDS, GridError, names
from summon.art.bricks import BRICK, TILE, Piece, lay, light, slope, split
from summon.art.grid import Grid, read
from summon.art.library import _source, text

PICTURES = [name for kind in KINDS for name in names(kind)]


def grid(*rows: str) -> Grid:
    return read("r = red\nb = blue\nE = eye on red\nM = smile on red\n\n" + "\n".join(rows))


def slope_in(x: int, y: int, *rows: str) -> tuple[str, str]:
    return slope(grid(*rows), x, y)


@pytest.mark.parametrize(
    ("rows", "x", "y", "found"),
    [
        (("/r",), 0, 0, ("br", "r")),
        (("r/",), 1, 0, ("tl", "r")),
        (("r\\",), 1, 0, ("bl", "r")),
        (("\\r",), 0, 0, ("tr", "r")),
        (("/", "r"), 0, 0, ("br", "r")),
        (("\\", "r"), 0, 0, ("bl", "r")),
        (("r", "/"), 0, 1, ("tl", "r")),
        (("r", "\\"), 0, 1, ("tr", "r")),
    ],
)
def test_a_slope_fills_the_corner_towards_its_neighbour(
    rows: tuple[str, ...], x: int, y: int, found: tuple[str, str]
) -> None:
    assert slope_in(x, y, *rows) == found


def test_what_is_beside_a_slope_wins_over_what_is_under_it() -> None:
    assert slope_in(0, 0, "/b", "r.") == ("br", "b")


def test_between_two_neighbours_a_slope_stands_on_what_is_under_it() -> None:
    assert slope_in(1, 0, "b/b", ".r.") == ("br", "r")


def test_between_two_neighbours_a_slope_hangs_from_what_is_above_it() -> None:
    assert slope_in(1, 1, ".r.", "b/b") == ("tl", "r")


def test_a_slope_with_neighbours_all_round_stands_on_what_is_under_it() -> None:
    assert slope_in(1, 1, ".r.", "r/r", ".b.") == ("br", "b")


def test_a_slope_on_a_brick_stands_although_it_has_a_neighbour_above_its_line() -> None:
    assert slope_in(1, 0, "r/", ".b") == ("br", "b")


def test_a_slope_under_a_brick_hangs_although_it_has_a_neighbour_below_its_line() -> None:
    assert slope_in(0, 1, "r.", "/b") == ("tl", "r")


def test_a_slope_among_slopes_takes_the_nearest_colour_and_rather_from_below() -> None:
    assert slope_in(1, 1, "..r", "\\/\\", "..b") == ("br", "b")


def test_a_slope_far_from_all_bricks_is_named() -> None:
    assert slope_in(3, 0, "r../") == ("br", "r")
    with pytest.raises(GridError, match="grid, line 6, column 5: the slope"):
        lay(grid("r.../"))


@pytest.mark.parametrize(
    ("length", "bricks"),
    [(1, [1]), (2, [2]), (3, [3]), (4, [4]), (5, [3, 2]), (6, [4, 2]), (7, [4, 3]), (8, [4, 4]), (9, [4, 3, 2])],
)
def test_a_run_is_cut_into_few_bricks_and_no_single_ones(length: int, bricks: list[int]) -> None:
    found = split(0, length, set())
    assert sum(found) == length
    assert sorted(found, reverse=True) == bricks


def test_no_seam_right_under_a_seam() -> None:
    assert split(0, 8, {4}) == [2, 4, 2]
    assert split(10, 5, {13}) == [2, 3]
    assert split(10, 5, {12}) == [3, 2]


def test_a_wall_is_bonded() -> None:
    ends: list[set[int]] = [set() for _ in range(6)]
    for piece in lay(grid(*["r" * 11] * 6)):
        ends[piece.y].add(piece.x + piece.width)
    for above, under in itertools.pairwise(ends):
        assert above & under == {11}


def test_a_tile_covers_its_whole_block() -> None:
    assert lay(grid("rEEb", "rEEb")) == [
        Piece(BRICK, 0, 0, 1, 1, "r"),
        Piece(TILE, 1, 0, 2, 2, "E"),
        Piece(BRICK, 3, 0, 1, 1, "b"),
        Piece(BRICK, 0, 1, 1, 1, "r"),
        Piece(BRICK, 3, 1, 1, 1, "b"),
    ]


def test_prints_of_another_letter_or_apart_are_tiles_of_their_own() -> None:
    assert [piece[:5] for piece in lay(grid("EEMM.EE"))] == [
        (TILE, 0, 0, 2, 1), (TILE, 2, 0, 2, 1), (TILE, 5, 0, 2, 1),
    ]  # fmt: skip


def test_a_ragged_block_of_prints_is_cut_into_tiles_that_do_not_overlap() -> None:
    assert [piece[:5] for piece in lay(grid(".EE", "EEE", ".EE"))] == [(TILE, 1, 0, 2, 3), (TILE, 0, 1, 1, 1)]


@pytest.mark.parametrize("name", PICTURES)
def test_every_place_is_covered_once(name: str) -> None:
    drawn = read(text(name), _source(name))
    cells = [cell for piece in lay(drawn) for cell in piece.cells()]
    filled = {(x, y) for y, row in enumerate(drawn.rows) for x, letter in enumerate(row) if letter != "."}
    assert len(cells) == len(set(cells))
    assert set(cells) == filled


def lights(drawn: Grid) -> dict[tuple[int, int], int]:
    pieces = lay(drawn)
    solid = set().union(*(piece.cells() for piece in pieces))
    return {(piece.x, piece.y): light(piece, drawn, solid) for piece in pieces}


def test_the_light_comes_from_the_upper_left() -> None:
    row = lights(grid("r" * 40))
    assert row[0, 0] > row[36, 0]
    column = lights(grid(*["r"] * 40))
    assert column[0, 0] > column[0, 39]


def test_there_are_seven_lights() -> None:
    found = lights(grid(*[".r" + "br" * 19] * 40))
    assert set(found.values()) == set(range(-3, 4))
