"""What holds in every battle: properties, checked over battles and rules that Hypothesis makes up."""

import json
import random
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from summon import rulebook
from summon.battle import Battle, BattleError, Fighter, IllegalChoice
from summon.cards import CARDS, PETS
from summon.choices import Choice
from summon.events import Event, events
from summon.player import Player
from summon.position import SIDES, Position
from summon.record import FORMAT, Record, RecordError, replay
from summon.rules import Rules
from tests import strategies
from tests.strategies import ALL_CHOICES, options, random_choice, random_player, records, shown

# Both sides are alike


def mirrored(record: Record) -> Record:
    """The same battle with the seats swapped."""
    told = record.to_dict()
    told["players"] = told["players"][::-1]
    told["turns"] = [pair[::-1] for pair in told["turns"]]
    if "start" in told:
        swapped = {SIDES[1 - SIDES.index(key)] if key in SIDES else key: side for key, side in told["start"].items()}
        told["start"] = swapped
    return Record.from_dict(told)


def mirrored_round(round_: dict[str, Any]) -> dict[str, Any]:
    return {key: value[::-1] if isinstance(value, list) else value for key, value in round_.items()}


def gist(event: Event, swap: bool) -> tuple[object, ...]:
    """An event without the healths that both sides have just then, which the order of simultaneous ones decides."""
    side, on = (1 - event.side, 1 - event.on) if swap else (event.side, event.on)
    return (event.turn, side, on, event.kind, event.card, event.number, event.rule, event.parts)


@given(records())
def test_swapping_the_seats_mirrors_the_battle(record):
    plain, mirror = replay(record), replay(mirrored(record))
    swapped = {"first": "second", "second": "first"}
    assert mirror["outcome"] == swapped.get(plain["outcome"], plain["outcome"])
    assert mirror["gold"] == plain["gold"][::-1]
    assert mirror["start"] == mirrored_round(plain["start"])
    assert mirror["rounds"] == [mirrored_round(round_) for round_ in plain["rounds"]]


@given(records())
def test_swapping_the_seats_mirrors_the_events(record):
    for one, two in zip(record.play(), mirrored(record).play(), strict=True):
        assert sorted(gist(event, False) for event in events(one)) == sorted(gist(event, True) for event in events(two))
        assert [event.kind for event in events(one) if event.side == 0] == [
            event.kind for event in events(two) if event.side == 1
        ]


# Bounds


@given(records())
def test_health_and_reserve_stay_in_their_bounds(record):
    for position in [record.opening(), *(played.after for played in record.play())]:
        for setup, side in zip(position.setups, position.sides, strict=True):
            assert 0 <= side.health <= setup.top
            assert 0 <= side.reserve <= setup.reserve_health


@given(records())
def test_no_number_of_a_round_is_below_zero(record):
    for played in record.play():
        assert all(number >= 0 for share in played.shares for number in share)
        assert all(number >= 0 for side in played.after.sides for number in side)


@given(records())
def test_the_events_end_at_the_health_of_the_round(record):
    for played in record.play():
        told = events(played)
        for event in told:
            assert all(
                0 <= health <= setup.top for health, setup in zip(event.health, played.before.setups, strict=True)
            )
        if told:
            assert told[-1].health == tuple(side.health for side in played.after.sides)
            assert told[-1].reserve == tuple(side.reserve for side in played.after.sides)
        else:
            healths = [[side.health for side in moment.sides] for moment in (played.before, played.after)]
            assert healths[0] == healths[1]


@given(records())
def test_every_rule_that_an_event_names_is_in_the_rulebook(record):
    for played in record.play():
        for event in events(played):
            assert rulebook.rule(event.rule)
            assert all(rulebook.rule(part.rule) for part in event.parts)


@pytest.mark.rule("8.5")
def test_random_battles_under_the_default_rules_end():
    rng = random.Random(5)
    outcomes, pets = set(), set()
    for _ in range(300):
        both = (random_player(rng), random_player(rng))
        position = Record(both).opening()
        while position.outcome == "unfinished" and position.turn <= 5000:
            position = position.reveal(*(random_choice(position, side, rng) for side in (0, 1))).after
        outcomes.add(position.outcome)
        pets |= {(player.pet, player.evolved) for player in both}
    assert outcomes == {"first", "second", "draw"}
    assert len(pets) == 2 * len(PETS)


# What may be chosen


def broken_rule(battle: Battle, side: int, choice: Choice) -> str | None:
    """The first rule of section 2 that a choice breaks, read off the rulebook and what a fighter shows."""
    fighter, rules, card = battle.fighters[side], battle.rules, choice.card
    attempt = "revive" in fighter.cards and not fighter.revive_used
    resting = card in fighter.ready
    if battle.over:
        return "8.2"
    if fighter.blinded:
        return None if card == "wait" else "2.1"
    if fighter.health == 0 and attempt:
        return None if card == ("wait" if fighter.restricted else "revive") else "2.2"
    if fighter.health == 0:
        return None if card == "wait" else "2.3"
    if card == "wait" or card not in fighter.deck:
        return "2.4"
    if fighter.streak == (card, rules.streak_limit):
        return "2.5"
    most = fighter.health - (0 if rules.sacrifice_may_spend_last_health else 1)
    if card == "sacrifice" and (battle.turn < rules.sacrifice_first_turn or resting or not 1 <= choice.amount <= most):
        return "2.6"
    if card in ("blind", "copycat") and resting:
        return "2.7"
    if card == "wild" and (fighter.wild_used or (fighter.pet in ("moss", "tide") and fighter.restricted)):
        return "2.8"
    if card == "hide" and (fighter.health <= rules.hide_cost or fighter.restricted):
        return "2.9"
    if card == "heal" and fighter.restricted:
        return "2.9"
    return "2.10" if card == "revive" else None


def every_choice(battle: Battle, side: int) -> list[Choice]:
    """All choices that there are, legal or not; Sacrifice with all amounts that are near the bounds."""
    most = battle.most(side)
    amounts = sorted({0, 1, max(most - 1, 0), max(most, 0), max(most + 1, 0), 999_999_999})
    return [Choice(card) for card in ALL_CHOICES if card != "sacrifice"] + [Choice("sacrifice", n) for n in amounts]


def asked(choice: Choice) -> tuple[str, int | None]:
    """A choice as `Battle.refusal` is asked for it."""
    return (choice.card, choice.amount if choice.card == "sacrifice" else None)


@pytest.mark.rule("2.1", "2.2", "2.3", "2.4", "2.5", "2.6", "2.7", "2.8", "2.9", "2.10", "2.11")
@given(records())
def test_a_choice_is_refused_by_the_first_rule_that_it_breaks(record):
    battle = Battle.from_record(record)
    for side in (0, 1):
        legal = battle.legal(side)
        assert legal == sorted(legal)
        for choice in every_choice(battle, side):
            refused = battle.refusal(side, *asked(choice))
            assert (None if refused is None else refused.rule) == broken_rule(battle, side, choice), choice
            if choice.card != "sacrifice" or 1 <= choice.amount <= battle.most(side):
                assert (refused is None) == (choice.card in legal), choice


@pytest.mark.rule("2.12")
@given(records())
def test_a_choice_that_is_refused_changes_nothing(record):
    battle = Battle.from_record(record)
    before, position = shown(battle), battle.position
    for side in (0, 1):
        for choice in every_choice(battle, side):
            if broken_rule(battle, side, choice) is not None:
                with pytest.raises(IllegalChoice):
                    battle.choose(side, str(choice))
        for nonsense in ("Attack", "dragon", "sacrifice", "sacrifice:02", "", None, 1):
            with pytest.raises(ValueError, match=r"is not a choice|needs an amount"):
                battle.choose(side, nonsense)
    assert shown(battle) == before
    assert battle.position == position
    assert battle.to_record() == record


@given(records())
def test_until_is_the_turn_from_which_the_rule_no_longer_forbids_it(record):
    battle = Battle.from_record(record)
    for side in (0, 1):
        for choice in every_choice(battle, side):
            refused = battle.refusal(side, *asked(choice))
            if refused is not None and refused.until is not None:
                assert refused.until > battle.turn
                same_then = battle.position._replace(turn=refused.until)
                released = [state._replace(blinded=0, restricted=0) for state in same_then.sides]
                after = same_then._replace(sides=tuple(released)).refusal(side, choice)
                assert after is None or (after.rule, after.reason) != (refused.rule, refused.reason)


# Records


@given(records())
def test_a_record_becomes_a_battle_and_the_same_record_again(record):
    assert Battle.from_record(record).to_record() == record


@given(records())
def test_a_record_stays_the_same_through_json(record):
    again = Record.from_json(record.to_json())
    assert again == record
    assert again.to_json() == record.to_json()
    assert Record.from_dict(record.to_dict()) == record


@given(records())
def test_a_replay_gives_the_same_events_and_rounds(record):
    battle = Battle.from_record(record)
    again = Battle.from_record(battle.to_record().to_json())
    assert again.events == battle.events
    assert again.rounds == battle.rounds
    assert shown(again) == shown(battle)


@given(records(), st.data())
def test_a_fork_from_any_moment_goes_on_identically(record, data):
    battle = Battle.from_record(record)
    turn = data.draw(st.integers(record.opening().turn, battle.turn))
    place = turn - record.opening().turn
    if battle.position_at(turn).outcome != "unfinished":
        with pytest.raises(RecordError):
            battle.moment(turn)
        return
    forks = [battle.fork(turn)]
    try:
        forks.append(Battle.from_record(battle.moment(turn).to_json()))
    except RecordError:
        assert record.changed  # a start holds numbers up to 999, and only unusual rules go beyond
    for fork in forks:
        assert (fork.turn, fork.rounds) == (turn, ())
        for first, second in record.turns[place:]:
            assert fork.legal(0) == battle.position_at(fork.turn).legal(0)
            assert fork.legal(1) == battle.position_at(fork.turn).legal(1)
            fork.play(str(first), str(second))
        assert fork.events == [event for played in battle.rounds[place:] for event in events(played)]
        assert [played.shares for played in fork.rounds] == [played.shares for played in battle.rounds[place:]]
        assert (fork.outcome, fork.gold, fork.turn) == (battle.outcome, battle.gold, battle.turn)


@given(records(plain=True))
def test_every_moment_under_the_default_rules_can_be_written_as_a_start(record):
    position = record.opening()
    for played in [None, *record.play()]:
        position = position if played is None else played.after
        if position.outcome == "unfinished":
            moment = Record(record.players, start=position)
            assert replay(Record.from_json(moment.to_json()))["start"]["legal"] == [
                position.legal(0),
                position.legal(1),
            ]


# Starts


def put(start: dict[str, Any], path: tuple[str, ...], value: object) -> dict[str, Any]:
    """A copy of a start with one value in it replaced."""
    if not path:
        return value
    return {**start, path[0]: put(start.get(path[0], {}), path[1:], value)}


@st.composite
def situations(draw) -> tuple[tuple[Player, Player], Rules, dict[str, Any], bool]:
    """Players, rules and a start, and whether the start is valid; some have a single fault."""
    both, rules = (draw(strategies.players), draw(strategies.players)), draw(strategies.rules)
    start = draw(strategies.starts(both, rules))
    valid = not strategies.is_over(start, both, rules)
    if draw(st.booleans()):
        name = draw(st.sampled_from(SIDES))
        player = both[SIDES.index(name)]
        setup = rules.setup(player)
        others = [card for card in (*CARDS, "wait", "Attack") if card not in player.deck]
        number_faults = (-1, 1.0, None, "1", True)
        path, value = draw(
            st.sampled_from(
                [
                    *(((name, "health"), wrong) for wrong in (setup.top + 1, *number_faults)),
                    *(((name, "reserve"), wrong) for wrong in (setup.reserve_health + 1, *number_faults)),
                    *(((name, "boosted"), wrong) for wrong in (0, 1, None, "true")),
                    *(((name, "streak"), [other, 1]) for other in others),
                    *(((name, "streak"), ["attack", wrong]) for wrong in (0, setup.streak_limit + 1, *number_faults)),
                    *(((name, "ready", "blind"), wrong) for wrong in (0, 10_000, *number_faults)),
                    ((name, "ready", "wild"), 3),
                    *(((name, "poison"), [0, wrong]) for wrong in (1000, *number_faults)),
                    ((name, "shield"), [0] * 5),
                    *((("turn",), wrong) for wrong in (0, 10_000, *number_faults)),
                    ((name, "luck"), 1),
                ]
            )
        )
        start, valid = put(start, path, value), False
    return both, rules, start, valid


@given(situations())
def test_a_start_is_accepted_exactly_if_it_is_valid(situation):
    both, rules, start, valid = situation
    told = {
        "format": FORMAT,
        "players": [player.to_dict() for player in both],
        "rules": rules.to_dict(),
        "start": start,
    }
    if valid:
        record = Record.from_dict(told)
        assert Record.from_json(record.to_json()) == record
        assert all(record.opening().legal(side) for side in (0, 1))
    else:
        with pytest.raises(RecordError):
            Record.from_dict(told)


# Rules


@given(strategies.changed_rules)
def test_rules_come_back_from_a_record_as_they_were(values):
    rules = Rules(**values)
    assert Rules.from_dict(json.loads(json.dumps(rules.to_dict()))) == rules
    assert rules.copy() == rules
    assert rules.copy() is not rules


@given(strategies.players, strategies.rules)
@example(Player("", "moss"), Rules())
def test_a_fighter_brings_what_its_player_did(player, rules):
    fighter = Fighter.of(player)
    assert fighter.player() == player
    battle = Battle(fighter, player, rules=rules)
    assert battle.players == (player, player)
    assert battle.rules == rules


@given(records())
def test_a_turn_is_revealed_only_when_both_have_chosen(record):
    battle = Battle.from_record(record)
    if battle.over:
        return
    for side in (0, 1):
        with pytest.raises(BattleError):
            battle.reveal()
        battle.choose(side, str(options(battle.position, side)[0]))
    battle.reveal()
    assert battle.turn == record.opening().turn + len(record.turns) + 1


def test_a_position_without_a_fault_has_a_choice_for_both_sides():
    rng = random.Random(11)
    for _ in range(200):
        position: Position = Record((random_player(rng), random_player(rng))).opening()
        while position.outcome == "unfinished" and position.turn < 60:
            assert all(position.legal(side) for side in (0, 1))
            position = position.reveal(*(random_choice(position, side, rng) for side in (0, 1))).after
        if position.outcome != "unfinished":
            assert [position.legal(side) for side in (0, 1)] == [[], []]
