"""The pictures of what is not live: small files of their own that say in words what they show."""

import re
from itertools import product
from pathlib import Path
from xml.etree import ElementTree

import pytest

from summon import art, pictures
from summon.battle import Battle, Fighter
from summon.cards import CARDS, PETS
from summon.record import situation
from summon.rules import Rules

TOKENS = Path(pictures.__file__).parent / "views" / "static" / "tokens.css"
SVG = "{http://www.w3.org/2000/svg}"


def standing(first, second, **told):
    return Battle.from_record(situation(first, second, **told))


def revealed(first, second, *turns, **told):
    battle = standing(first, second, **told)
    for pair in turns:
        battle.play(*pair)
    return pictures.reveal(battle.last, battle.players)


def moment(first, second="ember", **told):
    battle = standing(first, second, **told)
    return pictures.moment(battle.position, battle.players)


def words_of(svg):
    root = ElementTree.fromstring(svg)
    return root.find(f"{SVG}title").text, root.find(f"{SVG}desc").text


def drawn(svg):
    """A picture without its words and without the letters that its ids begin with."""
    mark = re.search(r'aria-labelledby="(\w+)t ', svg)[1]
    return re.sub("<(title|desc).*?</\\1>", "", svg).replace(mark, "")


REVEALS = {
    "an attack": revealed("ember", "moss", ("attack", "counter")),
    "heal stopped": revealed("ember", {"pet": "tide", "health": 3}, ("attack", "heal")),
    "poison": revealed({"pet": "moss", "cards": ["poison"]}, "spark", ("poison", "attack"), ("poison", "attack")),
    "copy": revealed(
        {"pet": "moss", "cards": ["copycat"]}, {"pet": "tide", "cards": ["hide"]}, ("copycat", "hide"), turn=6
    ),
    "no copy": revealed({"pet": "moss", "cards": ["copycat"]}, {"pet": "tide", "cards": ["copycat"]}, ("copycat",) * 2),
    "draw": revealed({"pet": "moss", "health": 1}, {"pet": "moss", "health": 1}, ("attack", "attack")),
    "wait": revealed({"pet": "spark", "blinded": True}, "tide", ("wait", "attack")),
}


@pytest.mark.parametrize("name", REVEALS)
def test_a_picture_is_a_well_formed_file_that_loads_nothing(name):
    svg = REVEALS[name]
    root = ElementTree.fromstring(svg)
    assert root.tag == f"{SVG}svg" and root.get("role") == "img"
    ids = [node.get("id") for node in root.iter() if node.get("id")]
    assert len(ids) == len(set(ids))
    assert root.get("aria-labelledby").split() == ids[:2]
    for node in root.iter():
        assert node.tag.removeprefix(SVG) in "svg title desc defs g use path rect ellipse circle text".split()
        for key, value in node.attrib.items():
            assert not key.startswith("on")
            if key == "href":
                assert value.removeprefix("#") in ids


def test_the_same_reveal_gives_the_same_bytes():
    again = revealed("ember", "moss", ("attack", "counter"))
    assert again == REVEALS["an attack"]


def test_no_two_pictures_share_an_id():
    marks = [re.search(r'aria-labelledby="(\w+)t ', svg)[1] for svg in REVEALS.values()]
    assert len(set(marks)) == len(marks)
    for svg, mark in zip(REVEALS.values(), marks, strict=True):
        assert all(name.startswith(mark) for name in re.findall(r' id="(\w+)"', svg))


def test_pictures_of_all_pets_are_small():
    for first, second in product(PETS, PETS):
        plain = revealed(
            {"pet": first, "cards": ["wild"]}, {"pet": second, "cards": ["wild"], "poison": [1]}, ("wild", "wild")
        )
        assert len(plain.encode()) <= 27_000
        grown = revealed(
            {"pet": first, "evolved": True, "cards": ["wild"]},
            {"pet": second, "evolved": True, "cards": ["wild"], "poison": [1]},
            ("wild", "wild"),
        )
        assert len(grown.encode()) <= 34_000


def test_a_reveal_says_what_is_seen():
    title, says = words_of(REVEALS["heal stopped"])
    assert title == "Turn 1. Ember: Attack. Tide: Heal."
    assert says == ("Tide's Heal is stopped. Attack hits Tide for 2. Ember has 5 of 5 health. Tide has 1 of 5 health.")


def test_a_copy_is_named_with_what_it_copies():
    assert words_of(REVEALS["copy"])[0] == "Turn 6. Moss: Copycat as Hide. Tide: Hide."
    assert words_of(REVEALS["no copy"])[0] == "Turn 1. Moss: Copycat. Tide: Copycat."


def test_an_end_is_told():
    assert words_of(REVEALS["draw"])[1].endswith("Nobody wins: it is a draw.")
    assert "Nobody wins: it is a draw.</text>" in REVEALS["draw"]


def test_a_moment_says_each_status():
    _, says = words_of(moment({"pet": "moss", "poison": [1, 2], "blinded": True}))
    assert "Poison on Moss: 1 this turn, 2 next turn." in says and "Blinded: Moss must Wait this turn." in says


@pytest.mark.parametrize(
    "status",
    [
        {"health": 4},
        {"poison": [1]},
        {"poison": [2]},
        {"shield": [1]},
        {"block": [1]},
        {"blinded": True},
        {"restricted": True},
        {"boosted": True},
        {"reserve": 1},
        {"health": 0},
    ],
    ids=str,
)
def test_every_status_changes_what_is_drawn(status):
    told = {"pet": "moss", "cards": ["revive"]}
    rules = {"reserve_health": 3}
    assert drawn(moment(told | status, rules=rules)) != drawn(moment(told, rules=rules))


def test_a_pending_revival_is_seen():
    fallen = {"pet": "moss", "health": 0, "cards": ["revive"]}
    heart = art.picture("revive").count("<use")
    assert drawn(moment(fallen)).count("<use") > heart
    lost = revealed({"pet": "moss", "health": 1}, "ember", ("heal", "attack"))
    kept = revealed({"pet": "moss", "health": 1, "cards": ["revive"]}, "ember", ("heal", "attack"))
    assert drawn(lost) != drawn(kept)


def test_each_fallen_pet_is_a_heap_of_its_own_bricks():
    fallen = [moment({"pet": "moss", "health": 0, "cards": ["revive"]}, {"pet": pet, "health": 0}) for pet in PETS]
    same, *others = (len(set(re.findall(r'href="#(\w+)"', svg.partition("</defs>")[2]))) for svg in fallen)
    assert others == [same + 1] * 5


def test_names_of_strangers_are_text():
    name = '<script>"&\x00\ud83d\ue000'
    svg = moment({"pet": "moss", "name": name}, {"pet": "moss"})
    ElementTree.fromstring(svg.encode("utf-8", "surrogatepass"))
    assert "<script" not in svg and "&lt;script&gt;" in svg


def test_a_long_name_is_cut():
    svg = moment({"pet": "moss", "name": "long " * 1000}, {"pet": "moss"})
    assert len(svg) < 16_000 and "…" in words_of(svg)[1]


def test_much_health_is_a_number():
    svg = moment("moss", rules={"base_health": 99})
    assert "99 / 99</text>" in svg and svg.count("<use") < moment("moss").count("<use") + 20


@pytest.mark.parametrize("name", CARDS)
def test_a_card_is_drawn_with_its_line(name):
    svg = pictures.card(name, "What it does.")
    title, says = words_of(svg)
    assert title.lower() == name and says == "What it does." and "What it does.</text>" in svg


@pytest.mark.parametrize("pet", PETS)
def test_a_fighter_is_drawn_alone(pet):
    battle = Battle(Fighter(pet, evolved=True), rules=Rules(evolved_health=7))
    svg = pictures.fighter(battle.players[0], battle.position.setups[0], battle.position.sides[0])
    assert words_of(svg)[1].endswith("has 7 of 7 health.")
    assert len(svg.encode()) <= 16_000


def test_the_colours_are_the_boards_by_day():
    css = TOKENS.read_text(encoding="utf-8")
    told = {name: dark or light for name, dark, light in re.findall(r"--([\w-]+): (?:light-dark\((#\w+)|(#\w+))", css)}
    for card, face in pictures.FACES.items():
        assert face == (told[card], told[f"on-{card}"])
    for family, colours in pictures.FAMILIES.items():
        assert colours == (told[family], told[f"{family}-sky"], told[f"{family}-ground"])
    assert (told["page"], told["ink"], told["line"]) == (pictures.PAGE, pictures.INK, pictures.LINE)
