"""Profiles: what a state may be, and the Param object that shows one."""

import pickle
from datetime import UTC, datetime

import pytest

from summon.player import Player
from summon.profile import Profile, ProfileState, Refused, Why

STATE = ProfileState(
    "p",
    "moss",
    True,
    3,
    {"attack": 2},
    ("wild", "poison", "hide"),
    ("hide", "wild"),
    7,
    datetime(2030, 1, 1, tzinfo=UTC),
)


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        ({"pet": "dragon"}, "no pet"),
        ({"gold": -1}, "10.5"),
        ({"gold": True}, "10.5"),
        ({"tiers": {"attack": 4}}, "from 1 to 3"),
        ({"tiers": {"poison": 2}}, "no tiers"),
        ({"cards": ("poison", "poison")}, "10.1"),
        ({"cards": ("attack",)}, "10.1"),
        ({"cards": ("poison",), "deck": ("hide",)}, "1.4"),
        ({"cards": ("poison",), "deck": ("poison", "poison")}, "named twice"),
    ],
)
def test_a_state_that_breaks_a_rule_cannot_be_made(wrong, says):
    with pytest.raises(ValueError, match=says):
        ProfileState(**({"id": "p", "pet": "moss"} | wrong))


@pytest.mark.rule("1.6")
def test_a_profile_brings_its_pet_evolution_tiers_and_deck_to_a_battle():
    expected = Player("me", "moss", True, {"attack": 2}, ("hide", "wild"))
    assert STATE.player("me") == Profile(STATE).player("me") == expected
    assert STATE.pet_name == "mosswood"


def test_a_state_survives_pickling():
    assert pickle.loads(pickle.dumps(STATE)) == STATE
    refused = pickle.loads(pickle.dumps(Refused(Why.GOLD, "10.5", "evolution", 3)))
    assert (refused.why, refused.rule, refused.subject, refused.number) == (Why.GOLD, "10.5", "evolution", 3)


@pytest.mark.rule("1.4")
@pytest.mark.parametrize(
    ("cards", "why"),
    [(("blind",), Why.NOT_OWNED), (("wild", "wild"), Why.TWICE)],
)
def test_a_deck_of_other_cards_is_refused(cards, why):
    with pytest.raises(Refused) as refused:
        STATE.with_deck(cards)
    assert (refused.value.why, refused.value.rule) == (why, "1.4")


@pytest.mark.rule("1.4")
def test_a_deck_holds_at_most_seven_bought_cards():
    cards = ("wild", "poison", "blind", "revive", "shield", "hide", "refreshment", "copycat")
    state = ProfileState("p", "moss", cards=cards)
    assert state.with_deck(cards[:7]).deck == cards[:7]
    with pytest.raises(Refused) as refused:
        state.with_deck(cards)
    assert (refused.value.why, refused.value.number) == (Why.DECK_FULL, 7)


def test_a_deck_of_what_is_no_card_is_no_question_of_rules():
    with pytest.raises(ValueError, match="not a card that is bought"):
        STATE.with_deck(("attack",))


def test_a_profile_shows_every_part_of_its_state():
    profile = Profile(STATE)
    for name in ("id", "revision", "pet", "evolved", "gold", "tiers", "cards", "deck", "saved"):
        assert getattr(profile, name) == getattr(STATE, name), name
    assert repr(profile) == "<Profile: mosswood, 3 gold>"


@pytest.mark.parametrize(("name", "value"), [("gold", 99), ("deck", ("poison",)), ("pet", "tide"), ("revision", 99)])
def test_a_profile_cannot_be_changed_from_outside(name, value):
    profile = Profile(STATE)
    with pytest.raises(TypeError, match="Constant parameter"):
        setattr(profile, name, value)
    assert profile.state == STATE


def test_a_change_is_shown_in_one_batch():
    profile, seen = Profile(STATE), []
    profile.param.watch(lambda *events: seen.append({event.name: event.new for event in events}), list(profile.param))
    after = ProfileState("p", "moss", True, 1, {"attack": 3}, STATE.cards, ("poison",), 8, STATE.saved)
    profile.take(after)
    assert seen == [{"gold": 1, "tiers": {"attack": 3, "heal": 1, "counter": 1}, "deck": ("poison",), "revision": 8}]
    assert profile.state == after


def test_an_older_state_changes_nothing():
    profile = Profile(STATE)
    profile.take(ProfileState("p", "moss", revision=6))
    assert profile.state == STATE
    with pytest.raises(ValueError, match="another profile"):
        profile.take(ProfileState("q", "moss", revision=9))
