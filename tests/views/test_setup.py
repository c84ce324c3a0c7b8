"""The page before a battle: what it says, and which messages of a browser it takes."""

import re
from typing import Any

import pytest

from summon import art
from summon.cards import MARKET, MAX_BOUGHT, PETS
from summon.rules import Rules
from summon.views.setup import SetUp, checked, content, pictures
from summon.words import SETUP

START = {"type": "start", "pet": "ember", "rival_evolved": False, "cards": ["poison"]}


def without(name: str) -> dict[str, Any]:
    return {key: value for key, value in START.items() if key != name}


@pytest.fixture
def started() -> list[tuple]:
    return []


@pytest.fixture
def page(started: list[tuple]) -> SetUp:
    return SetUp(lambda *choice: started.append(choice))


def test_a_choice_is_handed_on(page: SetUp, started: list[tuple]) -> None:
    page._handle_msg(START)
    assert started == [("ember", False, ("poison",))]
    assert page.ignored == 0


@pytest.mark.parametrize("pet", PETS)
@pytest.mark.parametrize("evolved", [False, True])
def test_every_pet_may_meet_either_rival(pet: str, evolved: bool) -> None:
    message = {"type": "start", "pet": pet, "rival_evolved": evolved, "cards": []}
    assert checked(message) == message


def test_cards_keep_their_order_up_to_the_most(page: SetUp, started: list[tuple]) -> None:
    cards = list(reversed(MARKET))[:MAX_BOUGHT]
    page._handle_msg(START | {"cards": cards})
    assert started == [("ember", False, tuple(cards))]


def test_the_way_back_is_handed_on(page: SetUp, started: list[tuple]) -> None:
    gone: list[str] = []
    page.on_back = lambda: gone.append("back")
    page._handle_msg({"type": "back"})
    assert (gone, started, page.ignored) == (["back"], [], 0)


def test_the_way_to_the_first_battle_is_handed_on(page: SetUp, started: list[tuple]) -> None:
    gone: list[str] = []
    page.on_lesson = lambda: gone.append("lesson")
    page._handle_msg({"type": "lesson"})
    assert (gone, started, page.ignored) == (["lesson"], [], 0)


def test_an_action_is_a_copy_of_its_message() -> None:
    assert checked(START) == START
    assert checked(START) is not START


MALFORMED = {
    "nothing": None,
    "text": "start",
    "a list": [START],
    "an empty message": {},
    "no type": without("type"),
    "a way back with a pet": {"type": "back", "pet": "ember"},
    "a lesson with a pet": {"type": "lesson", "pet": "ember"},
    "no pet": without("pet"),
    "no rival": without("rival_evolved"),
    "no cards": without("cards"),
    "one thing too much": START | {"tiers": {"attack": 3}},
    "another type": START | {"type": "begin"},
    "a type that is no text": START | {"type": ["start"]},
    "an unknown pet": START | {"pet": "dragon"},
    "an evolved pet": START | {"pet": "blaze"},
    "a pet in capitals": START | {"pet": "Ember"},
    "no pet chosen": START | {"pet": None},
    "a pet that is a list": START | {"pet": ["ember"]},
    "a pet that is an object": START | {"pet": {"ember": 1}},
    "a rival as a number": START | {"rival_evolved": 1},
    "a rival as text": START | {"rival_evolved": "true"},
    "no rival chosen": START | {"rival_evolved": None},
    "cards as text": START | {"cards": "poison"},
    "cards as an object": START | {"cards": {"poison": True}},
    "cards that are none": START | {"cards": None},
    "an unknown card": START | {"cards": ["poison", "fireball"]},
    "a starter": START | {"cards": ["attack"]},
    "a Wait": START | {"cards": ["wait"]},
    "a card that is no text": START | {"cards": [5]},
    "a card that is a list": START | {"cards": [["poison"]]},
    "a card that is an object": START | {"cards": [{"card": "poison"}]},
    "a card twice": START | {"cards": ["poison", "shield", "poison"]},
    "too many cards": START | {"cards": list(MARKET)[: MAX_BOUGHT + 1]},
    "very many cards": START | {"cards": ["poison"] * 10_000},
}


@pytest.mark.parametrize("message", MALFORMED.values(), ids=MALFORMED)
def test_a_malformed_message_is_counted_and_dropped(page: SetUp, started: list[tuple], message: object) -> None:
    page._handle_msg(message)
    assert started == []
    assert page.ignored == 1


def test_a_choice_that_nobody_waits_for_does_no_harm() -> None:
    page = SetUp()
    page._handle_msg(START)
    page._handle_msg({"type": "back"})
    assert page.ignored == 0


def test_the_last_choices_come_back() -> None:
    last = {"pet": "tide", "rival_evolved": True, "cards": ["wild", "hide"]}
    assert SetUp(initial=last).initial == last


@pytest.mark.parametrize(
    "initial",
    [
        {},
        {"pet": "tide"},
        {"pet": "dragon", "rival_evolved": True, "cards": []},
        {"pet": "tide", "rival_evolved": True, "cards": ["wild", "wild"]},
    ],
)
def test_what_cannot_be_chosen_cannot_be_chosen_at_first(initial: dict) -> None:
    with pytest.raises(ValueError, match="initial"):
        SetUp(initial=initial)


def test_it_says_all_pets_and_cards() -> None:
    said = content()
    assert [pet["pet"] for pet in said["pets"]] == list(PETS)
    assert [card["card"] for card in said["cards"]] == list(MARKET)
    assert [rival["evolved"] for rival in said["rivals"]] == [False, True]
    assert said["most"] == MAX_BOUGHT


def test_its_numbers_are_those_of_the_rules() -> None:
    said = content(Rules(base_health=7, evolved_health=14, ember_damage=(5, 6), hide_cost=3))
    pets = {pet["pet"]: pet for pet in said["pets"]}
    cards = {card["card"]: card for card in said["cards"]}
    assert [rival["health"] for rival in said["rivals"]] == [7, 14]
    assert said["rivals"][0]["line"] == "7 health"
    assert said["rivals"][1]["line"] == "14 health and hits harder"
    assert pets["ember"]["does"] == "a fiery hit for 5"
    assert "3 health" in cards["hide"]["line"]


def test_no_line_of_a_pet_or_rival_is_left_unfilled() -> None:
    said = content()
    lines = [pet["does"] for pet in said["pets"]] + [rival["line"] for rival in said["rivals"]]
    assert not any("{" in line for line in lines)


def test_it_has_every_picture_that_it_shows() -> None:
    shown = pictures()
    pets = {name for pet in PETS.values() for name in (pet.name, pet.evolved)}
    assert shown.keys() == {"shapes", "summon", "what", "coach", *pets, *MARKET}
    assert shown["ember"] == art.picture("ember")


def test_the_browser_uses_words_that_there_are() -> None:
    script = SetUp._bundle.read_text(encoding="utf-8")
    used = set(re.findall(r"\bwords\.(\w+)", script))
    assert used <= set(SETUP)
    filled_in_here = {*PETS, "plain", "plain_line", "evolved", "evolved_line", "wild_any"}
    assert used | filled_in_here == set(SETUP)
