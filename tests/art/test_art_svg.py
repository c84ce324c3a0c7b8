"""The SVG: well formed, the same every time, and closed to strangers."""

import re
import xml.etree.ElementTree as ET

import pytest

from summon.art import GridError, render, shapes
from summon.art.colours import colours, mix, shade
from summon.art.prints import PRINTS, Tile

FOX = "r = red\nE = eye #b5480d on red\n\n/rr\\\nrEEr\nrEEr"
SVG = "{http://www.w3.org/2000/svg}"


def test_pieces_studs_and_prints_of_a_small_picture() -> None:
    picture = ET.fromstring(render(FOX, "Fox", standalone=True))
    uses = [(use.get("href"), use.get("x"), use.get("y")) for use in picture.findall(f"{SVG}g/{SVG}use")]
    assert sorted(uses, key=str) == sorted(
        [
            ("#sb-br", "0", None), ("#sb-bl", "30", None), ("#sb-2", "10", None),
            ("#sb-st", "10", None), ("#sb-st", "20", None),
            ("#sb-1", "0", "12"), ("#sb-1", "30", "12"), ("#sb-1", "0", "24"), ("#sb-1", "30", "24"),
        ],
        key=str,
    )  # fmt: skip
    assert [tile.get("transform") for tile in picture.findall(f"{SVG}g[@transform]")] == ["translate(10 12)"]
    assert picture.get("viewBox") == "-1 -6 42 42"


def test_a_shadow_needs_room_and_lies_under_the_feet() -> None:
    picture = ET.fromstring(render("r = red\n\nrrrr\n.rr.", "Fox", standalone=True, shadow=True))
    ground = picture.find(f"{SVG}ellipse")
    assert ground is not None
    assert (ground.get("cx"), ground.get("rx"), picture.get("viewBox")) == ("23", "18", "-1 -6 42 37")


def test_an_eye_holds_all_its_states_and_shows_the_open_one() -> None:
    picture = ET.fromstring(render(FOX, "Fox", standalone=True))
    states = {g.get("class"): g.get("display") for g in picture.iter(f"{SVG}g") if g.get("class")}
    assert states == {"open": None, "shut": "none", "hurt": "none"}


def test_eyes_look_towards_the_middle() -> None:
    assert re.findall('cx="([^"]+)"[^>]+#abc', render("E = eye #abc on red\n\nEE.E.EE")) == ["11", "5", "9"]


def test_the_lids_of_brave_eyes_come_down_towards_the_nose() -> None:
    assert re.findall('<path d="(M0 0H20V[^"]+)"', render("E = brave on red\n\nEE.EE\nEE.EE")) == [
        "M0 0H20V9.6L0 0.96z",
        "M0 0H20V0.96L0 9.6z",
    ]


@pytest.mark.parametrize("word", PRINTS)
def test_every_print_stays_on_its_tile_and_shows_its_detail(word: str) -> None:
    detail = "" if PRINTS[word].detail is None else "#12ab9f"
    small, large = (PRINTS[word].draw(Tile(w, h, 1), detail) for w, h in ((10, 12), (40, 48)))
    ET.fromstring(f"<svg>{small}</svg>")
    assert small != large
    assert detail in small
    ovals = re.findall('cx="([^"]+)" cy="([^"]+)" rx="([^"]+)" ry="([^"]+)"', large)
    for x, y, across, down in (map(float, oval) for oval in ovals):
        assert across <= x <= 40 - across
        assert down <= y <= 48 - down


def test_a_path_is_fitted_to_its_tile() -> None:
    assert Tile(20, 40, 0).fit("M10 20h50v-25q1 2-3 4z") == "M2 8h10v-10q0.2 0.8-0.6 1.6z"
    assert Tile(20, 40, 0).fit("h10 20v10-20") == "h2 4v4-8"


def test_shapes_are_all_that_pictures_refer_to_and_have_ids_of_their_own() -> None:
    ids = re.findall('id="([^"]+)"', shapes())
    assert ids == [f"sb-{name}" for name in ("1", "2", "3", "4", "bl", "br", "tl", "tr", "st")]
    ET.fromstring(shapes())


def test_without_standalone_a_picture_brings_no_shapes() -> None:
    assert "<defs>" not in render(FOX)
    assert "<defs>" in render(FOX, standalone=True)


def test_a_picture_without_title_is_decoration() -> None:
    assert 'aria-hidden="true"' in render(FOX)
    assert "aria-label" not in render(FOX)
    assert 'role="img" aria-label="Fox"' in render(FOX, "Fox")
    assert "aria-hidden" not in render(FOX, "Fox")


@pytest.mark.parametrize(
    "title",
    ['"><script>alert(1)</script>', "' onload='alert(1)", "&lt;b&gt; & co", "a\x00\x1b\n\ud800\ufffeb", "</svg>"],
)
def test_no_title_gets_out_of_its_attribute(title: str) -> None:
    for standalone in (True, False):
        drawn = render(FOX, title, standalone=standalone)
        root = ET.fromstring(drawn.encode())
        allowed = {"viewBox", "preserveAspectRatio", "role", "aria-label"}
        assert set(root.attrib) == allowed
        assert root.get("aria-label") == "".join(c if c.isprintable() else " " for c in title)
        assert {el.tag.removeprefix(SVG) for el in root.iter()} <= {"svg", "g", "use", "path", "ellipse", "defs"}


@pytest.mark.parametrize(
    "text",
    [
        'E = eye #fff"/><script> on red\n\nE',
        "E = <script> on red\n\nE",
        "r = red\n\nr<script>",
        "E = eye url(#x) on red\n\nE",
    ],
)
def test_no_markup_in_a_grid_is_drawn(text: str) -> None:
    with pytest.raises(GridError):
        render(text)


def test_notes_are_not_drawn() -> None:
    assert render("# <script>\n" + FOX) == render(FOX)


def test_shades_go_from_plum_to_warm_white() -> None:
    assert shade("#808080", 0) == "#808080"
    assert mix("#000000", "#ffffff", 0.5) == "#808080"
    shades = [sum(int(shade("#808080", level)[i : i + 2], 16) for i in (1, 3, 5)) for level in range(-3, 4)]
    assert shades == sorted(set(shades))


def test_every_colour_is_a_full_hex_colour() -> None:
    assert all(re.fullmatch("#[0-9a-f]{6}", colour) for colour in colours().values())
