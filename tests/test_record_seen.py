"""What a side may know of a battle after it: the other's deck as far as it was revealed (1.9)."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from summon.battle import Battle
from summon.cards import STARTERS
from summon.events import events
from summon.player import Player
from summon.record import Record, RecordError, situation
from tests.strategies import random_choice, random_player, records

RICH = Player(
    "rich", "spark", True, {"attack": 3, "heal": 2, "counter": 3}, ("copycat", "wild", "poison", "revive", "shield")
)
PLAIN = Player("plain", "moss", tiers={"attack": 2}, cards=("poison", "hide"))


def seen(*turns: tuple[str, str], rich: Player = RICH, plain: Player = PLAIN) -> Player:
    """What the second side knows of the first after these turns."""
    battle = Battle.from_record(Record((rich, plain)))
    for pair in turns:
        battle.play(*pair)
    record = battle.to_record().seen_by(1)
    assert record.players[1] == plain
    assert record.turns == battle.to_record().turns
    return record.players[0]


def told(player: Player) -> tuple[tuple[str, ...], tuple[int, ...]]:
    return player.cards, tuple(player.tiers.values())


@pytest.mark.rule("1.9")
def test_before_the_first_reveal_a_pet_and_its_evolution_are_known():
    player = seen()
    assert (player.name, player.pet, player.evolved) == ("rich", "spark", True)
    assert told(player) == ((), (1, 1, 1))


@pytest.mark.rule("1.9")
def test_cards_and_tiers_that_were_played_are_known_in_the_order_of_the_deck():
    assert told(seen(("poison", "attack"), ("wild", "attack"))) == (("wild", "poison"), (1, 1, 1))
    assert told(seen(("attack", "attack"), ("counter", "heal"))) == ((), (3, 1, 3))


@pytest.mark.rule("1.9", "6.10")
def test_a_copied_card_is_not_known_to_be_in_the_deck():
    assert told(seen(("copycat", "poison"))) == (("copycat",), (1, 1, 1))


@pytest.mark.rule("1.9", "6.10")
def test_a_copied_starter_shows_its_tier():
    assert told(seen(("copycat", "attack"))) == (("copycat",), (3, 1, 1))


@pytest.mark.rule("1.9", "6.5")
@pytest.mark.parametrize("played", [False, True])
def test_revive_is_known_once_its_attempt_is_pending(played):
    told = {"pet": "ember", "health": 1, "cards": ["wild", "revive"]}
    battle = Battle.from_record(situation(told, "moss"))
    assert battle.to_record().seen_by(1).players[0].cards == ()
    battle.play("heal", "attack")
    if played:
        battle.play("revive", "attack")
    assert battle.to_record().seen_by(1).players[0].cards == ("revive",)


def test_a_card_that_a_start_names_is_known():
    record = situation({"pet": "moss", "cards": ["poison", "wild"], "streak": ["poison", 2]}, "moss")
    known = record.seen_by(1)
    assert known.players[0].cards == ("poison",)
    assert Record.from_json(known.to_json()) == known


def test_a_record_whose_turns_the_rules_do_not_allow_any_more_is_told_as_well():
    record = Record.from_dict({**Record((RICH, PLAIN)).to_dict(), "turns": [["revive", "attack"], ["hide", "attack"]]})
    with pytest.raises(RecordError):
        list(record.play())
    assert record.seen_by(1).players[0].cards == ("revive",)


def check(record: Record, side: int) -> None:
    """What a side knows is less, and plays the same battle event by event."""
    known = record.seen_by(side)
    mine, theirs, before = known.players[side], known.players[1 - side], record.players[1 - side]
    assert mine == record.players[side]
    assert (theirs.name, theirs.pet, theirs.evolved) == (before.name, before.pet, before.evolved)
    rounds, again = list(record.play()), list(known.play())
    assert [(it.shares, it.after.sides, it.after.outcome) for it in again] == [
        (it.shares, it.after.sides, it.after.outcome) for it in rounds
    ]
    assert [events(it) for it in again] == [events(it) for it in rounds]
    assert known.opening().outcome == record.opening().outcome
    assert Record.from_json(known.to_json()) == known
    assert known.seen_by(side) == known
    played = {pair[1 - side].card for pair in record.turns}
    effects = {event.card for it in rounds for event in events(it) if event.side == 1 - side}
    assert played - {*STARTERS, "wait"} <= set(theirs.cards)
    if record.start is None:
        assert set(theirs.cards) <= played | {"revive"}
        assert all(theirs.tiers[card] == 1 for card in STARTERS if card not in played | effects)


@pytest.mark.rule("1.9")
@given(records(most_turns=25), st.integers(0, 1))
def test_what_a_side_knows_plays_the_same_battle(record, side):
    check(record, side)


@pytest.mark.rule("1.9")
def test_what_a_side_knows_plays_the_same_battle_to_its_end():
    rng = random.Random(19)
    hidden = 0
    for number in range(300):
        record = Record((random_player(rng), random_player(rng)))
        position, turns = record.opening(), []
        while position.outcome == "unfinished":
            pair = (random_choice(position, 0, rng), random_choice(position, 1, rng))
            turns.append(pair)
            position = position.reveal(*pair).after
        record = Record(record.players, turns=tuple(turns))
        check(record, number % 2)
        hidden += record.seen_by(number % 2) != record
    assert hidden > 100, "which was of no use"
