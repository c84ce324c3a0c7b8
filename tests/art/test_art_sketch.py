"""Drawings under way: what is painted where, and that whatever was painted can be read and built."""

import random
from contextlib import suppress

import pytest

from summon import art
from summon.art import GridError, Sketch
from summon.art.colours import colours
from summon.art.grid import MAX_SIDE, Paint
from summon.art.prints import PRINTS
from summon.art.sketch import SHEET, STAMPS, brushes

WALL = "r = red\n\nrrrrrrrr\nrrrrrrrr\nrrrrrrrr\nrrrrrrrr\n"


def rows(sketch: Sketch) -> list[str]:
    return list(sketch.rows)


# Reading and writing


@pytest.mark.parametrize("pet", art.names("pets"))
def test_a_pet_of_the_game_is_read_and_written_and_looks_the_same(pet: str) -> None:
    sketch = Sketch.of(pet)
    assert Sketch.of(sketch.text) == sketch
    assert sketch.picture() == art.picture(pet)


def test_a_detail_is_written_where_it_is_not_the_usual_one() -> None:
    text = "E = eye #00ff00 on red\nF = eye on red\nM = smile on red\n\nEFM\n"
    assert Sketch.of(text).text == text


def test_notes_stay_above_the_drawing() -> None:
    sketch = Sketch.of("# A wall\nr = red\n\n# its rows\nrr\n")
    assert sketch.text == "# A wall\n# its rows\n\nr = red\n\nrr\n"
    assert sketch.painted([(0, 0)], "blue").notes == ("# A wall", "# its rows")


@pytest.mark.parametrize(
    ("text", "line", "column"), [("r = red\n\nrx", 3, 2), ("r = red\n\nr....../", 3, 8), ("", None, None)]
)
def test_what_is_no_drawing_is_refused_with_its_place(text: str, line: int | None, column: int | None) -> None:
    with pytest.raises(GridError) as error:
        Sketch.of(text)
    assert (error.value.line, error.value.column) == (line, column)


def test_a_notebook_shows_it_as_a_file_of_its_own_and_nothing_of_an_empty_sheet() -> None:
    shown, (wide, high) = Sketch.of("moss")._repr_svg_() or "", art.size("moss")
    assert shown.startswith(f'<svg width="{wide}" height="{high}" xmlns=')
    assert Sketch.empty()._repr_svg_() is None


def test_another_row() -> None:
    sketch = Sketch.of(WALL)
    assert rows(sketch.with_row(2, "rr....rr")) == ["rrrrrrrr", "rr....rr", "rrrrrrrr", "rrrrrrrr"]
    assert rows(sketch)[1] == "rrrrrrrr"
    with pytest.raises(GridError, match=r"line 4.*7 places"):
        sketch.with_row(2, "rr...rr")


# Bricks, slopes and nothing


def test_the_first_brick_on_an_empty_sheet() -> None:
    empty = Sketch.empty()
    assert (empty.width, empty.height, empty.bare) == (*SHEET, True)
    built = empty.painted([(3, 5)], "dark red")
    assert not built.bare
    assert built.what(3, 5) == "dark red"
    assert built.what(0, 0) == "."
    assert Sketch.of(built.text) == built


def test_a_colour_keeps_its_letter_and_a_new_one_gets_another() -> None:
    sketch = Sketch.of("b = red\n\nbb..\n").painted([(2, 0)], "red").painted([(3, 0)], "blue")
    assert rows(sketch) == ["bbbl"]
    assert sketch.legend["l"] == Paint("blue")


def test_letters_that_nobody_uses_any_more_go() -> None:
    assert Sketch.of("r = red\nb = blue\n\nrb\n").painted([(1, 0)], "red").legend == {"r": Paint("red")}


def test_what_lies_outside_is_passed_over() -> None:
    sketch = Sketch.of(WALL)
    assert sketch.painted([(-1, 0), (8, 0), (0, 4), (99, 99)], "blue") == sketch


def test_a_slope_needs_a_brick_beside_it() -> None:
    sketch = Sketch.of("r = red\n\n........\n......r.\n")
    assert rows(sketch.painted([(5, 1)], "/"))[1] == "...../r."
    with pytest.raises(GridError, match="slope"):
        sketch.painted([(0, 0)], "/")


def test_slopes_go_with_their_last_brick() -> None:
    sketch = Sketch.of("r = red\n\n/r....r\n")
    assert rows(sketch.painted([(1, 0)], ".")) == ["......r"]
    assert Sketch.of("r = red\n\n/r\\\n").painted([(1, 0)], ".").rows == ("...",)


@pytest.mark.parametrize(("brush", "colour"), [("gold", "red"), ("", "red"), ("red", "gold"), ("<b>", "red")])
def test_an_unknown_brush_is_refused(brush: str, colour: str) -> None:
    with pytest.raises(ValueError, match="nobody can paint"):
        Sketch.of(WALL).painted([(0, 0)], brush, colour=colour)


def test_no_more_letters() -> None:
    paints = [Paint(colour, name, PRINTS[name].detail or "") for name in PRINTS for colour in colours()]
    letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
    full = Sketch(dict(zip(letters, paints, strict=False)), (letters[:31] + "..", letters[31:] + ".."))
    with pytest.raises(GridError, match="every letter"):
        full.painted([(32, 0)], "red")


# Prints


@pytest.mark.parametrize("name", PRINTS)
def test_a_print_is_one_tile_of_its_size_on_the_colour_that_is_there(name: str) -> None:
    sketch = Sketch.of("r = red\n\n" + "rrrrrrrr\n" * 6).painted([(3, 2)], name)
    covered = [(x, y) for y in range(6) for x in range(8) if sketch.what(x, y) == name]
    wide, high = STAMPS[name]
    assert len(covered) == wide * high
    assert (3, 2) in covered
    letter = sketch.rows[2][3]
    assert sketch.legend[letter].colour == "red"


def test_a_print_on_nothing_takes_the_colour_that_is_named() -> None:
    sketch = Sketch.empty().painted([(4, 4)], "eye", colour="teal")
    assert sketch.legend == {"E": Paint("teal", "eye", "#5b3a1e")}


def test_a_print_at_the_edge_stays_on_the_sheet_and_fits_a_small_one() -> None:
    assert rows(Sketch.of(WALL).painted([(7, 3)], "eye")) == ["rrrrrrrr", "rrrrrrrr", "rrrrrrEE", "rrrrrrEE"]
    assert rows(Sketch.of("r = red\n\nr\n").painted([(0, 0)], "skull")) == ["S"]


def test_two_prints_that_touch_stay_two() -> None:
    sketch = Sketch.of(WALL).painted([(0, 0)], "eye").painted([(2, 0)], "eye")
    assert sketch.rows[0][0] != sketch.rows[0][2]
    assert sketch.picture().count('class="open"') == 2


def test_what_covers_a_part_of_a_print_takes_all_of_it_away() -> None:
    eye = Sketch.of(WALL).painted([(0, 0)], "eye")
    assert rows(eye.painted([(1, 1)], "blue"))[:2] == ["rrrrrrrr", "rbrrrrrr"]
    assert rows(eye.painted([(0, 0)], "."))[:2] == [".rrrrrrr", "rrrrrrrr"]
    assert eye.painted([(1, 1)], "eye").picture().count('class="open"') == 1


# Mirrored


def test_mirrored_bricks_and_slopes() -> None:
    sketch = Sketch.of("r = red\n\n........\nrrrrrrrr\n").painted([(0, 1)], "blue", mirrored=True)
    assert sketch.rows[1][0] == sketch.rows[1][7] == "b"
    assert rows(sketch.painted([(1, 0)], "/", mirrored=True))[0] == "./....\\."


@pytest.mark.parametrize("x", range(8))
def test_a_mirrored_picture_is_its_own_mirror_image_where_the_prints_have_room(x: int) -> None:
    sketch = Sketch.of(WALL).painted([(x, 1)], "eye", mirrored=True)
    seen = [[sketch.what(i, j) for i in range(8)] for j in range(4)]
    two = sum(row.count("eye") for row in seen) == 8
    assert two == (x != 3)
    assert not two or seen == [row[::-1] for row in seen]


def test_the_middle_is_painted_once() -> None:
    assert rows(Sketch.of("r = red\n\nrrr\n").painted([(1, 0)], "blue", mirrored=True)) == ["rbr"]


# More room and less


def test_more_room_and_less() -> None:
    sketch = Sketch.of("r = red\n\nrr\nrr\n")
    roomy = sketch.roomier()
    assert rows(roomy) == ["....", ".rr.", ".rr."]
    assert roomy.tighter() == sketch
    assert Sketch.empty(3, 2).tighter() == Sketch.empty(3, 2)


def test_room_has_an_end() -> None:
    largest = Sketch.empty(MAX_SIDE, MAX_SIDE).painted([(0, 0)], "red")
    assert largest.roomier() == largest
    assert Sketch.of(largest.text) == largest


@pytest.mark.parametrize("seed", range(20))
def test_whatever_is_painted_can_be_read_and_built(seed: int) -> None:
    rng = random.Random(seed)
    sketch = Sketch.empty(10, 9)
    for _ in range(120):
        places = [(rng.randrange(10), rng.randrange(9)) for _ in range(rng.randrange(1, 4))]
        brush, colour = rng.choice(brushes()), rng.choice(list(colours()))
        with suppress(GridError):  # a slope with nothing beside it
            sketch = sketch.painted(places, brush, colour=colour, mirrored=rng.random() < 0.5)
        if not sketch.bare:
            assert Sketch.of(sketch.text) == sketch
            sketch.picture()
