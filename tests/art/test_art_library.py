"""The pictures of the game: all there, all drawn, small, and true to their families."""

import gzip
import os
import subprocess
import sys
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

import summon.art as art
from summon.art.bricks import BRICK, Piece, lay
from summon.art.colours import colours
from summon.art.grid import Grid, read
from summon.art.library import _source, text
from summon.art.prints import PRINTS

CARDS = [
    "attack",
    "blind",
    "copycat",
    "counter",
    "heal",
    "hide",
    "poison",
    "refreshment",
    "revive",
    "sacrifice",
    "shield",
    "wild",
]
LETTERS = ["draw", "one", "summon", "three", "two", "what", "you-win"]
SIGNS = [
    "coach",
    "door-battles",
    "door-deck",
    "door-friend",
    "door-market",
    "door-practice",
    "door-rulebook",
    "door-save",
    "pointer",
]
STATES = [
    "blindfold",
    "blindfold-big",
    "fallen",
    "friends",
    "glow",
    "hiding-box",
    "hiding-box-big",
    "hiding-rest",
    "mirror",
    "poison-drop",
    "shield-brick",
    "wild-bloom",
    "wild-brick",
    "wild-ember",
    "wild-moss",
    "wild-pebble",
    "wild-spark",
    "wild-tide",
]
GROWS = {
    "moss": "mosswood",
    "ember": "blaze",
    "bloom": "blossom",
    "tide": "tsunami",
    "pebble": "boulder",
    "spark": "thunder",
}
LARGEST = 22
"""The most places that a pet may be wide or high."""
NARROW = 17
"""A pet of so many places at most hides in the small box."""
PICTURES = [name for kind in art.KINDS for name in art.names(kind)]


def grid(name: str) -> Grid:
    return read(text(name), _source(name))


def prints(name: str) -> set[str | None]:
    return {paint.print for paint in grid(name).legend.values()}


def test_names() -> None:
    assert art.names("pets") == tuple(sorted([*GROWS, *GROWS.values()]))
    assert art.names("cards") == tuple(CARDS)
    assert art.names("letters") == tuple(LETTERS)
    assert art.names("signs") == tuple(SIGNS)
    assert art.names("states") == tuple(STATES)
    assert len(PICTURES) == len(set(PICTURES))


def test_an_unknown_kind_or_name_is_named() -> None:
    with pytest.raises(ValueError, match="'monsters'"):
        art.names("monsters")
    for unknown in ("nobody", "../colours", "pets/ember", ""):
        with pytest.raises(KeyError, match="no picture"):
            art.picture(unknown)
        with pytest.raises(KeyError, match="no picture"):
            art.size(unknown)


@pytest.mark.parametrize("name", PICTURES)
def test_every_picture_is_drawn_and_needs_only_the_shapes(name: str) -> None:
    known = {el.get("id") for el in ET.fromstring(art.shapes()).iter() if el.get("id")}
    drawn = ET.fromstring(art.picture(name))
    used = {(el.get("href") or "").removeprefix("#") for el in drawn.iter("use")}
    assert used
    assert used <= known
    assert (drawn.get("viewBox") or "").split()[2:] == [str(n) for n in art.size(name)]


@pytest.mark.parametrize("name", PICTURES)
def test_every_letter_of_a_legend_is_used(name: str) -> None:
    assert set(grid(name).legend) <= set("".join(grid(name).rows))


def test_every_colour_and_every_print_is_used() -> None:
    paints = [paint for name in PICTURES for paint in grid(name).legend.values()]
    assert {paint.colour for paint in paints} == set(colours())
    assert {paint.print for paint in paints} == {None, *PRINTS}


def test_pets_stand_on_a_shadow_and_others_do_not_unless_asked() -> None:
    assert 'class="ground"' in art.picture("ember")
    assert 'class="ground"' not in art.picture("ember", shadow=False)
    assert 'class="ground"' not in art.picture("attack")
    assert 'class="ground"' in art.picture("attack", shadow=True)


def test_titles() -> None:
    assert 'aria-hidden="true"' in art.picture("you-win")
    assert 'aria-label="You Win"' in art.picture("you-win", standalone=True)
    assert 'aria-label="Hurray"' in art.picture("you-win", title="Hurray")


def test_the_bundle_holds_every_picture_and_is_the_callers_own() -> None:
    bundle = art.bundle()
    assert bundle == {name: art.picture(name) for name in PICTURES}
    assert list(art.bundle("signs", "letters")) == [*SIGNS, *LETTERS]
    with pytest.raises(ValueError, match="'monsters'"):
        art.bundle("monsters")
    bundle.clear()
    assert list(art.bundle()) == PICTURES


def test_pictures_are_drawn_once() -> None:
    assert art.picture("moss") is art.picture("moss")


def test_the_bundle_is_small() -> None:
    page = art.shapes() + "".join(art.bundle().values())
    assert len(gzip.compress(page.encode(), mtime=0)) <= 20_000


def test_another_process_draws_the_same_bytes() -> None:
    code = "import summon.art as a, sys; sys.stdout.write(a.shapes() + ''.join(a.bundle().values()))"
    expected = art.shapes() + "".join(art.bundle().values())
    for seed in ("1", "2"):
        env = {**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": str(Path(art.__file__).parents[2])}
        run = subprocess.run([sys.executable, "-c", code], env=env, capture_output=True, text=True, check=True)
        assert run.stdout == expected


def test_the_import_reads_no_grid() -> None:
    code = (
        "import sys; opened = []\n"
        "sys.addaudithook(lambda event, args: opened.append(str(args[0])) if event == 'open' else None)\n"
        "import summon.art; print([name for name in opened if name.endswith('.txt')])\n"
        "summon.art.picture('moss'); print(len([name for name in opened if name.endswith('.txt')]))\n"
    )
    env = {**os.environ, "PYTHONPATH": str(Path(art.__file__).parents[2])}
    run = subprocess.run([sys.executable, "-c", code], env=env, capture_output=True, text=True, check=True)
    assert run.stdout.split("\n")[:2] == ["[]", "2"]


@pytest.mark.parametrize("name", STATES)
def test_a_state_is_a_small_file(name: str) -> None:
    assert len(art.picture(name, standalone=True).encode()) < 6_000


def cells(name: str) -> int:
    return sum(letter != "." for row in grid(name).rows for letter in row)


def bricks(name: str) -> int:
    return sum(piece.kind == BRICK for piece in lay(grid(name)))


@pytest.mark.parametrize(("pet", "grown"), GROWS.items())
def test_a_grown_pet_is_bigger_brave_and_of_the_family(pet: str, grown: str) -> None:
    size, grown_size = art.size(pet), art.size(grown)
    assert grown_size.width > size.width
    assert grown_size.height > size.height
    assert grown_size.width * grown_size.height >= 1.15 * size.width * size.height
    assert cells(grown) >= 1.15 * cells(pet)
    assert bricks(grown) > bricks(pet)
    assert "eye" in prints(pet)
    assert "brave" not in prints(pet)
    assert "brave" in prints(grown)
    assert "eye" not in prints(grown)
    body, grown_body = ({paint.colour for paint in grid(name).legend.values()} for name in (pet, grown))
    assert len(body & grown_body) >= len(body) - 1


@pytest.mark.parametrize("name", art.names("pets"))
def test_a_pet_is_of_the_size_that_the_board_has_room_for(name: str) -> None:
    assert grid(name).width <= LARGEST
    assert grid(name).height <= LARGEST


@pytest.mark.parametrize("name", art.names("pets"))
def test_a_pet_has_two_eyes_with_all_their_states(name: str) -> None:
    groups = [group.get("class") for group in ET.fromstring(art.picture(name)).iter("g") if group.get("class")]
    assert sorted(groups, key=str) == ["hurt", "hurt", "open", "open", "shut", "shut"]


def eyes(name: str) -> list[Piece]:
    legend = grid(name).legend
    return [piece for piece in lay(grid(name)) if legend[piece.letter].print in ("eye", "brave")]


@pytest.mark.parametrize("name", art.names("pets"))
def test_a_pets_eyes_are_level_alike_large_and_apart(name: str) -> None:
    left, right = eyes(name)
    assert (left.y, left.width, left.height) == (right.y, right.width, right.height)
    assert left.width == left.height == (2 if name in GROWS else 3)
    assert right.x - (left.x + left.width) >= 4


@pytest.mark.parametrize("name", art.names("pets"))
def test_a_blindfold_of_bricks_of_the_same_size_covers_the_eyes(name: str) -> None:
    left, right = eyes(name)
    rows = grid("blindfold" if name in GROWS else "blindfold-big").rows
    band = [row for row in rows if "w" in row]
    assert len(band) == left.height
    assert rows.index(band[0]) == rows[::-1].index(band[-1])  # so its middle lies on the middle of the eyes
    assert all(row.strip("/\\l.").count("w") >= right.x + right.width - left.x for row in band)


@pytest.mark.parametrize("name", art.names("pets"))
def test_a_hidden_pet_looks_over_the_edge_of_its_box(name: str) -> None:
    pet, left = grid(name), eyes(name)[0]
    box = grid("hiding-box" if pet.width <= NARROW else "hiding-box-big")
    assert box.width >= pet.width
    assert box.height <= pet.height - (left.y + left.height)


@pytest.mark.parametrize("family", GROWS)
def test_each_family_has_bricks_for_its_wild(family: str) -> None:
    assert f"wild-{family}" in art.names("states")
