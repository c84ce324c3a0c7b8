"""The compiled battles: the same as those of the plain rules, whatever is played and on however many cores."""

import random
import threading
from itertools import islice

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from summon import turn
from summon.battle import Battle
from summon.record import LAST_TURN, Record, RecordError, fork
from summon.rules import Rules, Switch, WholeNumbers
from summon.simulate import MOST_TURNS, Policy, Totals, observe, simulate, simulated_records
from tests.simulate.match_ups import assert_same, counted, match_up_of, random_match_up, ten_cards
from tests.strategies import records


@pytest.mark.parametrize("part", range(4))
def test_thousands_of_random_match_ups_are_played_as_by_the_plain_rules(part):
    rng = random.Random(part)
    for number in range(600):
        match_up = random_match_up(rng)
        seed, max_turns = rng.getrandbits(64), rng.choice((1, 7, 40))
        played = list(simulated_records(match_up, 3, seed, max_turns=max_turns))
        expected = counted(played, max_turns)
        assert simulate(match_up, 3, seed, max_turns=max_turns) == expected.totals, number
        assert_same(observe(match_up, 3, seed, max_turns=max_turns), expected)


@given(records(most_turns=0), st.integers(0, 2**64 - 1))
@settings(max_examples=150)
def test_any_record_without_turns_is_played_as_by_the_plain_rules(match_up, seed):
    played = list(simulated_records(match_up, 2, seed, max_turns=30))
    assert_same(observe(match_up, 2, seed, max_turns=30), counted(played, 30))


@pytest.mark.parametrize("switch", [name for name in Rules.names() if isinstance(Rules.param[name], Switch)])
def test_every_switch_both_ways_is_played_as_by_the_plain_rules(switch):
    for value in (False, True):
        match_up = ten_cards(rules={switch: value, "reserve_health": 2, "shield_turns": 3})
        played = list(simulated_records(match_up, 300, 7, max_turns=60))
        assert_same(observe(match_up, 300, 7, max_turns=60), counted(played, 60))


@pytest.mark.parametrize("cards", [["shield", "poison", "wild", "copycat", "refreshment"], ["sacrifice", "hide"]])
def test_the_largest_numbers_of_the_rules_fit(cards):
    largest = {}
    for name in Rules.names():
        rule = Rules.param[name]
        if not isinstance(rule, Switch):
            most = rule.bounds[1]
            largest[name] = [most] * rule.length if isinstance(rule, WholeNumbers) else most
    # With harmless attacks, all that adds up has time to; Sacrifice and Hide can be played at all.
    rules = {**largest, "shields_add_up": True, "attack_damage": [0, 0, 0], "sacrifice_first_turn": 1, "hide_cost": 1}
    match_up = match_up_of({"pet": "pebble", "cards": cards}, {"pet": "bloom", "cards": cards}, rules=rules)
    played = list(simulated_records(match_up, 200, 1, max_turns=300))
    assert_same(observe(match_up, 200, 1, max_turns=300), counted(played, 300))


def test_a_battle_lasts_until_the_last_turn_that_16_bits_can_hold():
    harmless = {"attack_damage": [0, 0, 0], "counter_return": [0, 0, 0], "blind_interval": 999, "copycat_interval": 999}
    match_up = match_up_of(
        {"pet": "moss", "cards": ["blind"]},
        {"pet": "tide", "cards": ["copycat"]},
        rules=harmless,
        start={"turn": LAST_TURN},
    )
    assert simulate(match_up, 3, max_turns=MOST_TURNS) == Totals(3, 0, 0, 0, 3, 3 * MOST_TURNS)
    (record,) = simulated_records(match_up, 1, max_turns=MOST_TURNS)
    *_, last = record.play()
    assert last.turn == LAST_TURN + MOST_TURNS - 1
    with pytest.raises(ValueError, match=f"max_turns is a whole number from 1 to {MOST_TURNS}"):
        simulate(match_up, 3, max_turns=MOST_TURNS + 1)


def test_records_are_battles_that_the_game_plays_to_the_same_end():
    totals = simulate(ten_cards(), 50, 3)
    battles = [Battle.from_record(record.to_dict()) for record in simulated_records(ten_cards(), 50, 3)]
    assert sum(battle.outcome == "first" for battle in battles) == totals.first
    assert all(battle.over for battle in battles)
    assert sum(len(battle.rounds) for battle in battles) == totals.turns


def test_it_starts_from_a_situation_and_goes_on_counting_turns():
    begun = next(simulated_records(ten_cards(), 1, 5))
    position = Battle.from_record(begun).position_at(3)
    match_up = Record(begun.players, begun.changed, fork(position))
    for record in simulated_records(match_up, 20, max_turns=9):
        rounds = list(record.play())
        assert rounds[0].before == match_up.start
        assert len(rounds) <= 9


def test_the_first_battles_are_the_same_whatever_their_number():
    few = list(simulated_records(ten_cards(), 300, 11))
    many = islice(simulated_records(ten_cards(), 1000, 11), 300)
    assert few == list(many)
    assert counted(few, 500).totals == simulate(ten_cards(), 300, 11)


def test_seeds_give_different_battles():
    assert simulate(ten_cards(), 2000, 1) != simulate(ten_cards(), 2000, 2)
    seeds = (0, 1, 2**32, 2**63, 2**64 - 1)
    assert len({simulate(ten_cards(), 2000, seed) for seed in seeds}) == len(seeds)


@pytest.mark.parametrize("battles", [1, 255, 256, 257, 30_000])
def test_one_core_and_several_give_the_same_numbers(battles):
    one = observe(ten_cards(), battles, 4, cores=1)
    for cores in (2, 3):
        assert_same(observe(ten_cards(), battles, 4, cores=cores), one)
    assert simulate(ten_cards(), battles, 4, cores=2) == one.totals


def test_totals_add_up():
    tally = observe(ten_cards(rules={"base_health": 9}), 20_000, 8, max_turns=30)
    totals = tally.totals
    assert totals.battles == 20_000 == totals.first + totals.second + totals.draw + totals.unfinished
    assert totals.unfinished > 0
    assert tally.lengths.sum() == totals.battles
    assert tally.lengths @ range(31) == totals.turns == tally.pairs[..., 0].sum()
    assert tally.health[0].sum() == tally.health[1].sum() == totals.turns
    assert tally.health[0, 0].sum() == totals.battles
    decided = totals._asdict()
    for kind, name in enumerate(("first", "second", "draw"), 1):
        assert tally.cards[..., kind].max() <= decided[name]
    assert totals.turns_mean == totals.turns / 20_000
    assert totals.plus(totals) == Totals(*(2 * count for count in totals))


def test_no_totals_have_no_mean():
    assert Totals(0, 0, 0, 0, 0, 0).turns_mean == 0


def test_a_run_that_is_stopped_tells_the_battles_that_were_begun():
    asked = threading.Event()

    def stop():
        asked.set()
        return True

    totals = simulate(ten_cards(), 10**11, 6, stop=stop)
    assert asked.is_set()
    assert 0 < totals.battles < 10**11
    assert totals == simulate(ten_cards(), totals.battles, 6)


def test_progress_is_told_and_ends_with_all():
    told = []
    simulate(ten_cards(), 5000, progress=lambda done, battles: told.append((done, battles)))
    assert told[-1] == (5000, 5000)
    assert told == sorted(told)


def test_an_error_while_progress_is_told_ends_the_run():
    def fail(done, battles):
        raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        simulate(ten_cards(), 10**11, progress=fail)


def test_what_cannot_be_played_is_refused():
    match_up = ten_cards()
    (played,) = simulated_records(match_up, 1)
    for call in (simulate, observe, simulated_records):
        with pytest.raises(RecordError, match="turns already"):
            call(played, 5)
        for battles in (0, -1, 10**12 + 1, 1.0, True):
            with pytest.raises(ValueError, match="battles is a whole number from 1 to 1000000000000"):
                call(match_up, battles)
        for seed in (-1, 2**64):
            with pytest.raises(ValueError, match="seed is a whole number from 0 to 18446744073709551615"):
                call(match_up, 5, seed)
        with pytest.raises(ValueError, match="max_turns is a whole number from 1"):
            call(match_up, 5, max_turns=0)
    with pytest.raises(ValueError, match="cores is a whole number from 1"):
        simulate(match_up, 5, cores=0)


def test_a_start_beyond_what_a_record_may_say_is_refused():
    match_up = ten_cards(start={"turn": 4})
    position = match_up.start
    for wrong in (
        position._replace(turn=10_000),
        position._replace(sides=(position.sides[0]._replace(health=6), position.sides[1])),
        position._replace(sides=(position.sides[0]._replace(poison_1=1000), position.sides[1])),
        position._replace(sides=(position.sides[0], position.sides[1]._replace(blind_ready=40_000))),
    ):
        with pytest.raises(RecordError, match="start"):
            simulate(Record(match_up.players, match_up.changed, wrong), 5)


def test_heal_is_never_chosen_at_full_health():
    for record in simulated_records(ten_cards(), 400, 2):
        for played in record.play():
            for choice, side, setup in zip(played.choices, played.before.sides, played.before.setups, strict=True):
                assert choice.card != "heal" or side.health < setup.top


def test_policies_go_with_their_side():
    only = (Policy({"attack": 1}), Policy({"counter": 1}))
    tally = observe(ten_cards(), 2000, max_turns=1, policies=only)
    assert tally.pairs[turn.ATTACK, turn.COUNTER, 0] == 2000 == tally.pairs.sum()
