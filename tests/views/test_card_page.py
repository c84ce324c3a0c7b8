"""The pages of the cards: what stands on them, and the tiny battles that the rules play there."""

from itertools import product

import pytest

from summon import rulebook, words
from summon.battle import Battle
from summon.cards import CARDS, PETS, STARTERS
from summon.lobby import Seat
from summon.player import Player
from summon.record import situation
from summon.rules import Rules
from summon.views.board import Board
from summon.views.card_page import card_page, replay
from summon.views.pages import Pages
from summon.views.seated import SeatedBoard
from tests.views.visitors import Visitor

PLAYERS = [
    Player("you", pet, evolved, dict.fromkeys(STARTERS, tier))
    for pet, evolved, tier in product(PETS, (False, True), (1, 2, 3))
]


@pytest.mark.parametrize("card", CARDS)
def test_every_page_says_what_the_card_is_and_does(card: str) -> None:
    for player, boosted in product(PLAYERS, (False, True)):
        page = card_page(card, player, boosted)
        assert page["name"] == words.CARD_NAMES[card]
        assert page["meaning"] == words.CARD_MEANINGS[card]
        assert page["line"] == words.card_line(card, Rules().setup(player), boosted)
        assert page["rule"]["text"] == rulebook.rule(page["rule"]["number"]).text
        assert page["own"] == (player.kind.wild if card == "wild" else "")


@pytest.mark.rule("3.6")
def test_only_starters_have_tiers() -> None:
    young = Player("you", "moss", tiers={"attack": 2})
    assert card_page("attack", young)["tiers"] == [
        "Hit for 1. Stops Heal, and hits it for 2.",
        "Hit for 2. Stops Heal, and hits it for 3.",
        "Hit for 3. Stops Heal, and hits it for 4.",
    ]
    assert card_page("attack", young)["tier"] == 2
    for card in set(CARDS) - set(STARTERS):
        assert (card_page(card, young)["tiers"], card_page(card, young)["tier"]) == ([], 0)


def test_the_rule_of_a_wild_is_that_of_the_pet() -> None:
    assert [card_page("wild", Player("you", pet))["rule"]["number"] for pet in PETS] == [
        pet.rule for pet in PETS.values()
    ]


# The tiny battles


@pytest.mark.parametrize("card", CARDS)
def test_every_card_is_shown_in_three_steps_for_every_player(card: str) -> None:
    for player in PLAYERS:
        shown = replay(card, player)
        assert shown is not None
        assert shown["you"]["pet"] == player.pet_name
        assert shown["steps"][0]["kind"] == "play"
        assert len(shown["steps"]) == 3
        assert shown["steps"][0]["played"]["you"] == card
        for step in shown["steps"]:
            assert 0 <= step["health"]["you"] <= shown["you"]["max"]
            assert 0 < step["health"]["rival"] <= shown["rival"]["max"], "nobody is beaten in an example"
            assert step["text"].endswith((".", "!"))


@pytest.mark.parametrize(
    ("card", "pet", "healths", "texts"),
    [
        ("attack", "ember", [(5, 5), (5, 5), (5, 3)], ["Pebble's Heal is stopped.", "Attack hits Pebble for 2"]),
        ("heal", "ember", [(1, 5), (2, 5), (2, 5)], ["Ember gets 1 health back.", "Counter waits for an attack"]),
        ("counter", "ember", [(5, 5), (5, 3), (5, 3)], ["Counter hits Pebble for 2.", "Attack does not hurt Ember"]),
        ("poison", "ember", [(5, 5), (5, 4), (5, 3)], ["Poison takes 1 from Pebble.", "Poison takes 1 from Pebble."]),
        ("blind", "ember", [(5, 5), (5, 5), (5, 4)], ["Pebble cannot see next turn.", "Pebble cannot see and waits."]),
        ("revive", "ember", [(0, 5), (1, 5), (2, 5)], ["Ember returns with 1 health.", "Ember gets 1 health back."]),
        ("sacrifice", "ember", [(5, 5), (3, 5), (3, 3)], ["Ember pays 2 health", "Sacrifice hits Pebble for 2."]),
        ("shield", "ember", [(5, 5), (5, 5), (5, 5)], ["Shield protects Ember.", "Attack does not hurt Ember"]),
        ("hide", "ember", [(5, 5), (4, 5), (4, 5)], ["Ember hides: no blow", "Attack does not hurt Ember"]),
        ("refreshment", "ember", [(1, 5), (1, 5), (3, 5)], ["Ember's next card is stronger.", "Ember gets 2 health"]),
        ("copycat", "ember", [(5, 5), (5, 5), (4, 4)], ["Ember's Copycat copies Attack.", "Attack hits Pebble for 1."]),
        ("wild", "moss", [(1, 5), (3, 5), (3, 5)], ["Moss gets 2 health back.", "Attack does not hurt Moss"]),
        ("wild", "ember", [(5, 5), (5, 5), (5, 2)], ["Pebble's Heal is stopped.", "Flare hits Pebble for 3"]),
        ("wild", "bloom", [(5, 5), (5, 4), (5, 3)], ["Poison takes 1 from Spark.", "Poison takes 1 from Spark."]),
        ("wild", "tide", [(1, 5), (4, 5), (4, 5)], ["Tide gets 3 health back.", "Counter waits for an attack"]),
        ("wild", "pebble", [(5, 5), (5, 5), (5, 5)], ["Stone Wall protects Pebble.", "Attack does not hurt Pebble"]),
        ("wild", "spark", [(5, 5), (5, 2), (5, 2)], ["Flash Strike hits Bloom for 3", "Bloom cannot see next turn."]),
    ],
)
def test_a_tiny_battle_is_what_the_rules_make_of_it(
    card: str, pet: str, healths: list[tuple[int, int]], texts: list[str]
) -> None:
    shown = replay(card, Player("you", pet))
    assert shown is not None
    assert [(step["health"]["you"], step["health"]["rival"]) for step in shown["steps"]] == healths
    for step, text in zip(shown["steps"][1:], texts, strict=True):
        assert step["text"].startswith(text)


def test_where_the_rules_leave_nothing_to_show_there_is_no_battle() -> None:
    assert replay("sacrifice", Player("you", "moss"), Rules(sacrifice_first_turn=9)) is None
    assert replay("sacrifice", Player("you", "moss"), Rules(base_health=1)) is None
    assert replay("hide", Player("you", "moss"), Rules(base_health=1)) is None
    assert card_page("hide", Player("you", "moss"), rules=Rules(base_health=1))["replay"] is None


# Asking for them


@pytest.fixture
def answers(monkeypatch: pytest.MonkeyPatch) -> list[dict]:
    sent: list[dict] = []
    for kind in (Board, Pages):
        monkeypatch.setattr(kind, "_send_msg", lambda _, message: sent.append(message))
    return sent


def test_a_board_tells_what_a_card_does_for_its_seat_now(answers: list[dict]) -> None:
    battle = Battle.from_record(situation({"pet": "ember", "evolved": True, "boosted": True}, "moss", turn=3))
    board = SeatedBoard(Seat(battle, "first")).board
    board._handle_msg({"type": "card", "card": "attack"})
    (answer,) = [message for message in answers if message["type"] == "card"]
    assert answer["page"]["line"] == "Hit for 3. Stops Heal, and hits it for 4."
    assert answer["page"]["replay"]["you"]["pet"] == "blaze"


def test_the_market_tells_what_a_card_would_do(visitor: Visitor, answers: list[dict]) -> None:
    visitor.do("go", page="market")
    visitor.do("card", card="wild")
    (answer,) = [message for message in answers if message["type"] == "card"]
    assert answer["page"]["own"] == "Root Guard"
    assert visitor.on == "market"
