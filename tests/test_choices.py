"""Choices as they are written, and why one is refused."""

import pytest

from summon.cards import CARDS
from summon.choices import Choice, Reason, named
from summon.record import situation

CARDS_OF_ALL = ["wild", "blind", "revive", "sacrifice", "hide", "copycat", "shield"]


@pytest.mark.parametrize("card", [*(card for card in CARDS if card != "sacrifice"), "wait"])
def test_a_choice_is_written_by_its_name(card):
    assert Choice.parse(card) == Choice(card)
    assert str(Choice(card)) == card


@pytest.mark.parametrize("amount", [0, 1, 2, 10, 999, 999_999_999])
def test_sacrifice_is_written_with_its_amount(amount):
    assert Choice.parse(f"sacrifice:{amount}") == Choice("sacrifice", amount)
    assert str(Choice("sacrifice", amount)) == f"sacrifice:{amount}"


def test_every_choice_has_a_code_of_its_own():
    codes = [Choice(card).code for card in (*CARDS, "wait")]
    assert sorted(codes) == list(range(len(codes)))


def test_the_names_of_a_set_are_sorted():
    assert named(sum(1 << card.code for card in CARDS.values())) == sorted(CARDS)
    assert named(0) == []


REFUSED = [
    ({"blinded": True}, "attack", Reason.BLINDED, "2.1", 7, 0),
    ({"health": 0, "blinded": True}, "revive", Reason.BLINDED, "2.1", 7, 0),
    ({"health": 0}, "attack", Reason.DOWN, "2.2", None, 0),
    ({"health": 0}, "wait", Reason.DOWN, "2.2", None, 0),
    ({"health": 0, "restricted": True}, "revive", Reason.DOWN_RESTRICTED, "2.2", 7, 0),
    ({}, "wait", Reason.WAIT, "2.4", None, 0),
    ({}, "poison", Reason.NOT_IN_DECK, "2.4", None, 0),
    ({"streak": ["attack", 3]}, "attack", Reason.STREAK, "2.5", None, 3),
    ({"streak": ["hide", 3], "restricted": True, "health": 1}, "hide", Reason.STREAK, "2.5", None, 3),
    ({"ready": {"sacrifice": 9}}, "sacrifice:1", Reason.SACRIFICE_INTERVAL, "2.6", 9, 0),
    ({}, "sacrifice:0", Reason.SACRIFICE_AMOUNT, "2.6", None, 5),
    ({}, "sacrifice:6", Reason.SACRIFICE_AMOUNT, "2.6", None, 5),
    ({"ready": {"blind": 8}}, "blind", Reason.INTERVAL, "2.7", 8, 0),
    ({"ready": {"copycat": 7}}, "copycat", Reason.INTERVAL, "2.7", 7, 0),
    ({"wild_used": True, "restricted": True}, "wild", Reason.WILD_USED, "2.8", None, 0),
    ({"restricted": True}, "wild", Reason.RESTRICTED, "2.8", 7, 0),
    ({"health": 1, "restricted": True}, "hide", Reason.HIDE_HEALTH, "2.9", None, 2),
    ({"restricted": True}, "hide", Reason.RESTRICTED, "2.9", 7, 0),
    ({"restricted": True}, "heal", Reason.RESTRICTED, "2.9", 7, 0),
    ({}, "revive", Reason.REVIVE_STANDING, "2.10", None, 0),
]
"""A side on turn 6, a choice, and why it is refused: reason, rule, from which turn it may be, and its number."""


@pytest.mark.rule("2.12")
@pytest.mark.parametrize(("side", "choice", "reason", "rule", "until", "number"), REFUSED)
def test_why_a_choice_is_refused(side, choice, reason, rule, until, number):
    position = situation(dict(pet="moss", cards=CARDS_OF_ALL, **side), "spark", turn=6).opening()
    chosen = Choice.parse(choice)
    assert position.refusal(0, chosen) == (chosen.card, reason, rule, until, number)


@pytest.mark.rule("2.3")
def test_a_beaten_pet_waits_for_the_other_attempt():
    position = situation({"pet": "moss", "health": 0}, {"pet": "spark", "health": 0, "cards": ["revive"]}).opening()
    assert position.refusal(0, Choice("attack"))[1:3] == (Reason.BEATEN, "2.3")
    assert position.refusal(0, Choice("wait")) is None


@pytest.mark.rule("2.6")
@pytest.mark.parametrize(("ready", "until"), [({}, 5), ({"sacrifice": 3}, 5), ({"sacrifice": 8}, 8)])
def test_sacrifice_before_its_first_turn(ready, until):
    position = situation({"pet": "moss", "cards": ["sacrifice"], "ready": ready}, "spark", turn=2).opening()
    refused = position.refusal(0, Choice("sacrifice", 1))
    assert refused == ("sacrifice", Reason.SACRIFICE_FIRST_TURN, "2.6", until, 0)


@pytest.mark.rule("2.6", "6.3")
@pytest.mark.parametrize(("may", "health", "most"), [(True, 1, 1), (True, 4, 4), (False, 4, 3), (False, 2, 1)])
def test_the_most_that_sacrifice_may_cost(may, health, most):
    side = {"pet": "moss", "cards": ["sacrifice"], "health": health}
    position = situation(side, "spark", turn=5, rules={"sacrifice_may_spend_last_health": may}).opening()
    assert position.most(0) == most
    refused = [position.refusal(0, Choice("sacrifice", amount)) is not None for amount in range(health + 2)]
    assert refused == [not 1 <= amount <= most for amount in range(health + 2)]


@pytest.mark.rule("6.3")
def test_there_is_no_sacrifice_where_the_last_health_must_stay():
    side = {"pet": "moss", "cards": ["sacrifice"], "health": 1}
    position = situation(side, "spark", turn=5, rules={"sacrifice_may_spend_last_health": False}).opening()
    assert position.refusal(0, Choice("sacrifice", 1))[1:] == (Reason.SACRIFICE_HEALTH, "2.6", None, 2)
    assert "sacrifice" not in position.legal(0)


@pytest.mark.rule("2.5")
def test_a_forced_wait_ends_a_streak():
    position = situation({"pet": "moss", "streak": ["attack", 3], "blinded": True}, "spark").opening()
    after = position.reveal(Choice("wait"), Choice("attack")).after
    assert "attack" in after.legal(0)


@pytest.mark.rule("8.2")
def test_nothing_may_be_chosen_when_the_battle_is_over():
    position = situation({"pet": "moss", "health": 1}, "spark").opening()
    over = position.reveal(Choice("heal"), Choice("attack")).after
    assert over.outcome == "second"
    for side in (0, 1):
        assert over.legal(side) == []
        assert over.refusal(side, Choice("attack")).reason is Reason.OVER
