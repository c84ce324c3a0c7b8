"""The pages around the board: what they say, and which messages of a browser they take."""

import re
from typing import Any

import pytest

from summon import art, rulebook
from summon.cards import CARDS, MARKET, MAX_BOUGHT, PETS
from summon.market import ITEMS
from summon.rules import Rules
from summon.views.pages import LONGEST_BASE, LONGEST_CODE, PLACES, Action, Pages, checked, content, pictures, sections
from summon.words import PAGES

DECK = {"type": "deck", "cards": ["poison", "shield"], "revision": 3}
BUY = {"type": "buy", "item": "card:poison", "revision": 3}
LOAD = {"type": "load", "code": "amber kitten river pocket sunny tractor", "sure": False}

INVITE = {"type": "invite", "base": "http://192.168.0.7:5006/play", "sure": False}
ACCEPT = {"type": "accept", "invite": "aB3_-x", "sure": False}

VALID: dict[str, Action] = {
    **{f"go to {page}": {"type": "go", "page": page} for page in PLACES},
    **{f"choose {pet}": {"type": "choose_pet", "pet": pet} for pet in PETS},
    **{f"buy {item}": BUY | {"item": item} for item in ITEMS},
    "fight": {"type": "fight", "rival_evolved": False, "sure": False},
    "fight an evolved one": {"type": "fight", "rival_evolved": True, "sure": True},
    "buy at first": BUY | {"revision": 0},
    "deck": DECK,
    "an empty deck": DECK | {"cards": []},
    "a full deck": DECK | {"cards": list(MARKET[:MAX_BOUGHT])},
    "load": LOAD,
    "load for sure": LOAD | {"sure": True},
    "load nothing": LOAD | {"code": ""},
    "load much": LOAD | {"code": "x" * LONGEST_CODE},
    "watch": {"type": "watch", "battle": "aB3_-x"},
    "record": {"type": "record", "battle": "7"},
    **{f"page of {card}": {"type": "card", "card": card} for card in CARDS},
    **{
        bare: {"type": bare}
        for bare in ("resume", "save", "show_code", "hide_code", "replace_code", "sign_out", "more", "withdraw")
    },
    "invite": INVITE,
    "invite to a long address": INVITE | {"base": "https://a.b/" + "x" * (LONGEST_BASE - 12)},
    "accept": ACCEPT,
    "accept for sure": ACCEPT | {"sure": True},
    "invite for sure": INVITE | {"sure": True},
}

MALFORMED: dict[str, Any] = {
    "nothing": None,
    "text": "save",
    "a number": 5,
    "a list": [{"type": "save"}],
    "an empty message": {},
    "no type": {"page": "home"},
    "an unknown type": {"type": "cheat"},
    "a type that is no text": {"type": ["save"]},
    "a type that is an object": {"type": {"save": 1}},
    **{f"{name}, and one thing too much": message | {"gold": 100} for name, message in VALID.items()},
    **{
        f"{name} without {field}": {key: value for key, value in message.items() if key != field}
        for name, message in VALID.items()
        for field in message
        if field != "type"
    },
    **{
        f"{name} with {field} as {kind}": message | {field: value}
        for name, message in [
            (it["type"], it) for it in (VALID["go to home"], BUY, DECK, LOAD, VALID["watch"], INVITE, ACCEPT)
        ]
        for field in message
        for kind, value in {
            "none": None,
            "a list of lists": [["x"]],
            "an object": {"x": 1},
            "a part of a number": 1.5,
        }.items()
    },
    "a page there is not": {"type": "go", "page": "admin"},
    "a page in capitals": {"type": "go", "page": "Home"},
    "a page as a path": {"type": "go", "page": "../home"},
    "an unknown pet": {"type": "choose_pet", "pet": "dragon"},
    "an evolved pet": {"type": "choose_pet", "pet": "blaze"},
    "a pet that is a list": {"type": "choose_pet", "pet": ["ember"]},
    "a rival as a number": {"type": "fight", "rival_evolved": 1},
    "a rival as text": {"type": "fight", "rival_evolved": "true"},
    "no rival": {"type": "fight", "rival_evolved": None},
    "the page of an unknown card": {"type": "card", "card": "fireball"},
    "the page of Wait": {"type": "card", "card": "wait"},
    "the page of a list": {"type": "card", "card": ["attack"]},
    "an unknown item": BUY | {"item": "card:fireball"},
    "a card that is no item": BUY | {"item": "poison"},
    "a starter as a card": BUY | {"item": "card:attack"},
    "tiers of a bought card": BUY | {"item": "tier:poison:2"},
    "a tier without its number": BUY | {"item": "tier:attack"},
    "a tier that everyone has": BUY | {"item": "tier:attack:1"},
    "evolution of another pet": BUY | {"item": "evolution:tide"},
    "a revision below zero": BUY | {"revision": -1},
    "a revision that is true": BUY | {"revision": True},
    "a revision as text": BUY | {"revision": "3"},
    "a revision too large": DECK | {"revision": 10**12},
    "a deck as text": DECK | {"cards": "poison"},
    "a deck as an object": DECK | {"cards": {"poison": True}},
    "a deck with a starter": DECK | {"cards": ["attack"]},
    "a deck with a Wait": DECK | {"cards": ["wait"]},
    "a deck with a number": DECK | {"cards": [5]},
    "a deck with an object": DECK | {"cards": [{"card": "poison"}]},
    "a deck with an unknown card": DECK | {"cards": ["fireball"]},
    "a deck with a card twice": DECK | {"cards": ["poison", "shield", "poison"]},
    "a deck with too many cards": DECK | {"cards": list(MARKET[: MAX_BOUGHT + 1])},
    "a deck with very many cards": DECK | {"cards": ["poison"] * 10_000},
    "a code too long": LOAD | {"code": "x" * (LONGEST_CODE + 1)},
    "a code of words": LOAD | {"code": ["amber", "kitten"]},
    "sure as a number": LOAD | {"sure": 1},
    "a battle without a name": {"type": "watch", "battle": ""},
    "a battle with a long name": {"type": "watch", "battle": "x" * 65},
    "a battle as a path": {"type": "record", "battle": "../../etc/passwd"},
    "a battle as a number": {"type": "record", "battle": 7},
    "a battle with a line": {"type": "watch", "battle": "b1\n"},
    "a base that is too long": INVITE | {"base": "https://a.b/" + "x" * (LONGEST_BASE - 11)},
    "an invitation that is a path": ACCEPT | {"invite": "../x"},
    "an invitation with a long name": ACCEPT | {"invite": "x" * 65},
    "an invitation with a line": ACCEPT | {"invite": "x\n"},
    "sure of an invitation as text": ACCEPT | {"sure": "yes"},
    **{
        f"a base such as {base!r}": INVITE | {"base": base}
        for base in (
            "",
            "http://",
            "javascript:alert(1)",
            "data:text/html,x",
            "//a.b",
            "ftp://a.b",
            "xhttp://a.b",
            "http://a.b/ c",
            'http://a.b/"onclick',
            "http://a.b/'x",
            "http://a.b/<script>",
            "http://a.b/>",
            "http://a.b\n",
            "HTTP://a.b",
        )
    },
}


@pytest.fixture
def done() -> list[Action]:
    return []


@pytest.fixture
def pages(done: list[Action]) -> Pages:
    return Pages(done.append)


@pytest.mark.parametrize("message", VALID.values(), ids=VALID)
def test_an_action_is_handed_on(pages: Pages, done: list[Action], message: Action) -> None:
    pages._handle_msg(message)
    assert done == [message]
    assert pages.ignored == 0


@pytest.mark.parametrize("message", MALFORMED.values(), ids=MALFORMED)
def test_a_malformed_message_is_counted_and_dropped(pages: Pages, done: list[Action], message: object) -> None:
    pages._handle_msg(message)
    assert done == []
    assert pages.ignored == 1


def test_an_action_is_the_games_own_copy() -> None:
    message = {"type": "go", "page": "home"}
    assert checked(message) == message
    assert checked(message) is not message


def test_an_action_that_nobody_waits_for_does_no_harm() -> None:
    pages = Pages()
    pages._handle_msg({"type": "save"})
    assert pages.ignored == 0


@pytest.mark.parametrize("name", ["art", "content", "rulebook"])
def test_what_was_handed_over_does_not_change(pages: Pages, name: str) -> None:
    with pytest.raises(TypeError):
        setattr(pages, name, "{}")


def test_the_whole_rulebook_is_there() -> None:
    told = [rule for section in sections() for rule in section["rules"]]
    assert [rule["number"] for rule in told] == list(rulebook.rules())
    assert all(rule["text"] and rule["status"] for rule in told)


def test_no_two_sections_have_one_title() -> None:
    titles = [section["title"] for section in sections()]
    assert len(titles) == len(set(titles))


def test_healths_are_those_of_the_rules() -> None:
    assert content(Rules(base_health=7, evolved_health=14))["health"] == {"plain": 7, "evolved": 14}


def test_every_picture_of_a_page_is_there() -> None:
    drawn = pictures()
    assert art.bundle().items() <= drawn.items()
    assert {f"door-{page}" for page in PLACES} - drawn.keys() == {
        "door-welcome",
        "door-home",
        "door-fight",
        "door-lesson",
    }
    assert all(markup.startswith("<svg ") for markup in drawn.values())


def test_pictures_are_the_callers_own() -> None:
    pictures().clear()
    assert "door-market" in pictures()


BY_NAME = {
    *PLACES,
    "join",
    *(f"{page}_line" for page in ("friend", "market", "deck", "practice", "battles", "save", "rulebook")),
    *(f"{part}_{tab}" for part in ("tab", "ask") for tab in ("cards", "starters", "evolve")),
    *("win", "loss", "draw", "ended"),
    *("confirmed", "assumption", "ruling"),
    *("left", "right"),
    *("withdrawn", "expired"),
}
"""Words that the script makes up the names of."""


def test_the_browser_uses_exactly_the_words_there_are() -> None:
    script = Pages._bundle.read_text(encoding="utf-8")
    assert set(re.findall(r"\bwords\.(\w+)", script)) | BY_NAME == set(PAGES)


def test_every_kind_of_status_has_a_word() -> None:
    kinds = {re.split(r"\W", rule.status)[0] for rule in rulebook.rules().values()}
    assert kinds <= set(PAGES)


def test_the_script_sends_only_what_is_understood() -> None:
    script = Pages._bundle.read_text(encoding="utf-8")
    sent = set(re.findall(r'(?:send|post)\(\s*\{ type: "(\w+)"', script))
    assert sent == {message["type"] for message in VALID.values()}
