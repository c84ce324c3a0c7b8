"""Chance in simulated battles: the generators are those that they are called after, and choices are uniform (1.7)."""

import random
from collections import Counter, defaultdict
from itertools import pairwise
from math import sqrt

import numba
import numpy as np
import pytest

from summon.cards import BY_CODE
from summon.position import Position
from summon.simulate import Policy, Totals, observe, simulate, simulated_records, uniform
from summon.simulate.chance import WORDS, begin, below, draw, mixed, nth_bit
from summon.simulate.narrow import narrow, wide
from tests.simulate.match_ups import match_up_of, ten_cards

GAMMA = 0x9E3779B97F4A7C15
STRANGE = 4.5
"""How many standard deviations off a result must be to be thought wrong: chance alone does it once in 300,000 times."""


def strangeness(counts, weights=None):
    """How far counts are off from what weights say (all alike by default), in standard deviations.

    Pearson's chi-square, made normal as Wilson and Hilferty do (PNAS 17, 1931).
    """
    counts = np.asarray(counts, float).ravel()
    weights = np.ones(len(counts)) if weights is None else np.asarray(weights, float).ravel()
    expected = counts.sum() * weights / weights.sum()
    assert expected.min() >= 5
    square, free = ((counts - expected) ** 2 / expected).sum(), len(counts) - 1
    return ((square / free) ** (1 / 3) - 1 + 2 / (9 * free)) / sqrt(2 / (9 * free))


def test_strangeness_finds_what_is_strange():
    rng = random.Random(1)
    fair = Counter(rng.randrange(9) for _ in range(9000))
    assert abs(strangeness([fair[n] for n in range(9)])) < STRANGE
    assert strangeness([fair[n] + (200 if n == 3 else 0) for n in range(9)]) > STRANGE


def test_the_generator_is_xoshiro128plusplus():
    state, draws = np.array([1, 2, 3, 4], np.uint32), np.zeros(10, np.uint32)
    with np.errstate(over="ignore"):
        draw(state, draws, 10, 1)
    # The values of the reference implementation in C from this state.
    assert draws.tolist() == [
        *(641, 1573767, 3222811527, 3517856514, 836907274),
        *(4247214768, 3867114732, 1355841295, 495546011, 621204420),
    ]


def test_a_stream_begins_from_splitmix64():
    with np.errstate(over="ignore"):
        # The first outputs of the reference implementation from this seed.
        states = [np.uint64((1477776061723855037 + n * GAMMA) % 2**64) for n in range(1, 4)]
        assert [int(mixed(state)) for state in states] == [
            *(1985237415132408290, 2979275885539914483, 13511426838097143398),
        ]
        for seed, number in ((0, 0), (7, 12345), (2**64 - 1, 10**12)):
            generators = np.zeros(WORDS, np.uint32)
            begin(generators, 1, 0, np.uint64(seed), number)
            base = int(mixed(np.uint64((seed + GAMMA) % 2**64)))
            words = [int(mixed(np.uint64((base + (2 * number + n) * GAMMA) % 2**64))) for n in (1, 2)]
            assert generators.tolist() == [word >> shift & 0xFFFFFFFF for word in words for shift in (0, 32)]


def test_a_number_below_a_bound_is_the_upper_half_of_the_product():
    rng = random.Random(2)
    drawn = [0, 1, 2**16 - 1, 2**16, 2**32 - 1, *(rng.getrandbits(32) for _ in range(300))]
    for bound in (0, 1, 2, 9, 13, 999, 2**16 - 1):
        assert [int(below(np.uint32(x), np.uint32(bound))) for x in drawn] == [x * bound >> 32 for x in drawn]


def test_the_nth_bit_is_found_in_every_set():
    @numba.njit
    def find(bits, n):
        return wide(nth_bit(narrow(bits), narrow(n)))

    for bits in range(1, 1 << len(BY_CODE)):
        places = [place for place in range(len(BY_CODE)) if bits >> place & 1]
        assert [find(bits, n) for n in range(len(places))] == places


def test_battles_are_the_same_on_every_machine():
    assert simulate(ten_cards(), 1000) == Totals(1000, 465, 393, 142, 0, 10308)
    assert simulate(ten_cards(), 1000, 2**64 - 1) == Totals(1000, 454, 440, 106, 0, 10115)


def test_the_first_cards_of_both_sides_are_uniform_and_independent():
    pairs = observe(ten_cards(), 1_000_000, 12, max_turns=1).pairs[..., 0]
    # At full health, on turn 1: no Heal, no Revive, no Sacrifice, which leaves seven cards.
    counts = pairs[pairs > 0]
    assert len(counts) == 7 * 7
    assert strangeness(counts) < STRANGE


@pytest.fixture(scope="module")
def moments():
    """Every turn of many battles: the moment, and what both chose."""
    match_up = ten_cards(rules={"base_health": 9, "sacrifice_first_turn": 2})
    return [
        (played.before, played.choices) for record in simulated_records(match_up, 4000, 5) for played in record.play()
    ]


def candidates(before: Position, side: int) -> list[str]:
    """What the computer may choose: all that is legal, but never Heal at full health (1.7)."""
    full = before.sides[side].health == before.setups[side].top
    return [card for card in before.legal(side) if not (full and card == "heal")]


def test_cards_are_uniform_among_all_that_may_be_chosen(moments):
    counts = defaultdict(Counter)
    for before, choices in moments:
        for side in range(2):
            possible = candidates(before, side)
            counts[len(possible)][possible.index(choices[side].card)] += 1
    assert set(counts) >= {1, 5, 6, 7, 8, 9}
    for size, chosen in counts.items():
        if size > 1 and chosen.total() > 100 * size:
            assert strangeness([chosen[n] for n in range(size)]) < STRANGE, size


def test_amounts_of_sacrifice_are_uniform_and_have_nothing_to_do_with_the_card(moments):
    counts = defaultdict(Counter)
    for before, choices in moments:
        for side in range(2):
            if choices[side].card == "sacrifice":
                counts[before.most(side)][choices[side].amount] += 1
    for most, chosen in counts.items():
        assert set(chosen) <= set(range(1, most + 1))
        if most > 1 and chosen.total() > 100 * most:
            assert strangeness([chosen[amount] for amount in range(1, most + 1)]) < STRANGE, most
    assert sum(chosen.total() > 100 * most for most, chosen in counts.items()) >= 5


def test_a_choice_does_not_follow_from_the_one_before(moments):
    pairs = Counter()
    for (before, choices), (after, following) in pairwise(moments):
        one, two = candidates(before, 0), candidates(after, 0)
        if len(one) == len(two) == 7 and after.turn == before.turn + 1:
            pairs[one.index(choices[0].card), two.index(following[0].card)] += 1
    # How many there are to choose from next follows from the first choice; which of them it is must not.
    counts = np.array([[pairs[a, b] for b in range(7)] for a in range(7)])
    assert strangeness(counts, np.repeat(counts.sum(axis=1), 7)) < STRANGE


def test_neighbouring_battles_and_seeds_have_nothing_to_do_with_each_other():
    for match_ups in (
        [simulated_records(ten_cards(), 20_000, 3, max_turns=1)],
        [simulated_records(ten_cards(), 1, seed, max_turns=1) for seed in range(5000)],
    ):
        cards = [record.turns[0][0].code for records in match_ups for record in records]
        pairs = Counter(zip(cards[::2], cards[1::2], strict=True))
        known = sorted(set(cards))
        assert strangeness([pairs[a, b] for a in known for b in known]) < STRANGE


def test_a_policy_chooses_by_its_weights():
    weights = {"attack": 3, "counter": 0.5, "poison": 1, "shield": 0, "sacrifice": 2.25, "heal": 100}
    match_up = ten_cards(rules={"sacrifice_first_turn": 1})
    pairs = observe(match_up, 200_000, 9, max_turns=1, policies=(Policy(weights), None)).pairs[..., 0]
    chosen = {BY_CODE[code]: count for code, count in enumerate(pairs.sum(axis=1)) if count}
    # Heal at full health is legal (2.11), and it is 1.7 alone that avoids it.
    assert set(chosen) == set(weights) - {"shield"}
    assert strangeness(list(chosen.values()), [weights[card] for card in chosen]) < STRANGE


def test_a_policy_that_knows_nothing_legal_chooses_uniformly_what_is():
    pairs = observe(ten_cards(), 100_000, 9, max_turns=1, policies=(None, Policy({"revive": 1}))).pairs[..., 0]
    counts = pairs.sum(axis=0)
    assert sorted(BY_CODE[code] for code in np.flatnonzero(counts)) == ten_cards().opening().legal(1)
    assert strangeness(counts[counts > 0]) < STRANGE


@pytest.mark.parametrize(
    ("amounts", "expected"),
    [((), [1, 1, 1, 1, 1]), ((1, 0, 3), [1, 0, 3, 0, 0]), ((0, 0, 0, 0, 0, 0, 7), [1, 1, 1, 1, 1])],
)
def test_a_policy_spends_amounts_by_their_weights(amounts, expected):
    match_up = match_up_of({"pet": "moss", "cards": ["sacrifice"]}, {"pet": "tide"}, rules={"sacrifice_first_turn": 1})
    policies = (Policy({"sacrifice": 1}, amounts), None)
    spent = Counter(
        record.turns[0][0].amount for record in simulated_records(match_up, 20_000, 1, max_turns=1, policies=policies)
    )
    assert set(spent) == {amount for amount, weight in enumerate(expected, 1) if weight}
    assert strangeness([spent[amount] for amount in sorted(spent)], [weight for weight in expected if weight]) < STRANGE


def test_policies_are_played_to_the_end_in_legal_choices():
    policies = (Policy({"sacrifice": 1e9, "attack": 1e-9}, [1e-9, 1e9]), Policy({}))
    records = list(simulated_records(ten_cards(), 500, 1, policies=policies))
    assert sum(len(list(record.play())) for record in records) == simulate(ten_cards(), 500, 1, policies=policies).turns


def test_uniform_is_how_the_computer_chooses():
    assert simulate(ten_cards(), 5000, policies=(uniform, uniform)) == simulate(ten_cards(), 5000)
    assert simulate(ten_cards(), 5000, policies=(Policy({}), None)) != simulate(ten_cards(), 5000)


@pytest.mark.parametrize(
    ("weights", "amounts", "says"),
    [
        ({"wait": 1}, (), "there is no card 'wait'"),
        ({"attack": -1}, (), "the weight of attack is 0 or a number from 1e-9 to 1e9, not -1"),
        ({"attack": float("nan")}, (), "the weight of attack"),
        ({"attack": float("inf")}, (), "the weight of attack"),
        ({"attack": 1e-10}, (), "the weight of attack"),
        ({"attack": True}, (), "the weight of attack"),
        ({"attack": "2"}, (), "the weight of attack"),
        ({}, (1, -1), "the weight of spending 2"),
        ({}, (1,) * 1000, "at most 999 amounts"),
        (None, (1,), "need weights of cards"),
    ],
)
def test_what_is_no_policy_is_refused(weights, amounts, says):
    with pytest.raises(ValueError, match=says):
        Policy(weights, amounts)
