"""The estimates: right where the answer is known, and intervals that hold the truth as often as they say."""

import random

import numpy as np
import pytest

from summon import estimates

SAMPLES = 2_000
"""How often a known coin is thrown anew to see how often the interval holds its rate."""


def covered(low, high, truth):
    return float(np.mean((low <= truth) & (truth <= high)))


def test_a_rate_is_wilsons():
    # The example of R's binom.wilson(8, 10).
    told = estimates.rate(8, 10)
    assert (round(float(told.low), 4), float(told.value), round(float(told.high), 4)) == (0.4902, 0.8, 0.9433)


def test_rates_at_the_ends():
    assert [float(part) for part in estimates.rate(0, 10)[:2]] == [0, 0]
    assert [float(part) for part in estimates.rate(10, 10)[::2]] == [1, 1]
    of_none = estimates.rate(0, 0)
    assert np.isnan(of_none.value) and (of_none.low, of_none.high) == (0, 1)


@pytest.mark.parametrize("truth", [0.5, 0.1, 0.02])
def test_the_interval_of_a_rate_holds_a_known_coin(truth):
    thrown = np.random.default_rng(1).binomial(200, truth, SAMPLES)
    told = estimates.rate(thrown, np.full(SAMPLES, 200))
    assert 0.92 < covered(told.low, told.high, truth) < 0.99


def test_a_mean_from_a_histogram():
    told = estimates.mean([0, 1, 2], [1, 2, 1])
    assert float(told.value) == 1
    assert float(told.high - told.value) == pytest.approx(1.959964 * (2 / 3) ** 0.5 / 2, rel=1e-5)
    assert float(told.value - told.low) == pytest.approx(float(told.high - told.value))


def test_the_interval_of_a_mean_holds_a_known_die():
    dice = np.random.default_rng(2).multinomial(100, [1 / 6] * 6, SAMPLES)
    told = estimates.mean(range(1, 7), dice)
    assert 0.93 < covered(told.low, told.high, 3.5) < 0.97


def test_one_number_has_a_mean_and_no_interval():
    told = estimates.mean([3, 4], [0, 1])
    assert float(told.value) == 4 and np.isnan(told.low) and np.isnan(told.high)
    assert np.isnan(estimates.mean([3, 4], [0, 0]).value)


@pytest.mark.parametrize("blocks", [5, 20])
@pytest.mark.parametrize("together", [0.0, 0.9])
def test_the_interval_of_a_difference_holds_it_whether_or_not_the_two_go_together(blocks, together):
    rng = np.random.default_rng(3)
    played = np.full(blocks, 100)
    sizes = (SAMPLES, blocks, 100)
    one = rng.random(sizes)
    other = np.where(rng.random(sizes) < together, one, rng.random(sizes))
    won, lost = (one < 0.5).sum(axis=-1), (other < 0.4).sum(axis=-1)
    told = estimates.difference(won.T, lost.T, played)
    assert 0.92 < covered(told.low, told.high, 0.1) < 0.98
    width = float(np.mean(told.high - told.low))
    alone = 2 * 1.96 * ((0.25 + 0.24) / (100 * blocks)) ** 0.5
    assert (width < 0.7 * alone) == (together > 0)


def test_blocks_that_all_differ_alike_have_an_interval_all_the_same():
    told = estimates.difference([5, 5], [5, 5], [10, 10])
    assert [float(part) for part in told] == [0, -0.15, 0.15]
    assert float(estimates.difference([5, 5], [5, 5], [10, 10], most=100).high) == 15
    assert float(estimates.difference([1, 1], [1, 1], [1, 1]).high) == 1
    told = estimates.difference([11, 10, 10], [0, 0, 0], [11, 10, 10])
    assert [float(part) for part in told] == [1, pytest.approx(1 - 3 / 31), 1]


def test_one_block_does_not_tell_how_sure_a_difference_is():
    told = estimates.difference([5], [3], [10])
    assert float(told.value) == 0.2 and np.isnan(told.low) and np.isnan(told.high)
    assert np.isnan(estimates.difference([], [], []).value)


def test_no_difference_is_larger_than_can_be():
    told = estimates.difference([10, 10, 9], [0, 0, 0], [10, 10, 10])
    assert float(told.value) == pytest.approx(29 / 30) and float(told.high) == 1


def test_the_interval_of_a_balance_holds_it_though_turns_of_a_battle_go_together():
    rng = np.random.default_rng(4)
    # Battles of 1 to 9 turns, all of whose turns are won or lost together, in 20 blocks of 50.
    turns = rng.integers(1, 10, (SAMPLES, 20, 50))
    won = rng.random(turns.shape) < 0.6
    plus, minus = (turns * won).sum(axis=-1).T, (turns * ~won).sum(axis=-1).T
    told = estimates.balance(plus, minus, plus + minus)
    assert 0.93 < covered(told.low, told.high, 0.2) < 0.97


def test_what_was_seen_once_is_not_certain():
    told = estimates.balance([1, 0, 0], [0, 0, 0], [1, 0, 0])
    assert float(told.value) == 1
    assert float(told.low) < 0 and float(told.high) == 1
    one_block = estimates.balance([[7]], [[3]], [[10]])
    assert one_block.low[0] < 0.4 < one_block.high[0]
    assert np.isnan(estimates.balance([0, 0], [0, 0], [0, 0]).value)


def test_quantiles_are_those_of_the_sorted_sample():
    rng = random.Random(5)
    for _ in range(50):
        sample = sorted(rng.choices(range(6), k=rng.randint(1, 30)))
        counts = np.bincount(sample, minlength=6)
        for part in (0.1, 0.25, 0.5, 0.75, 0.9):
            place = next(place for place in range(len(sample)) if (place + 1) >= part * len(sample))
            assert estimates.quantile(counts, part) == sample[place]
    assert estimates.quantile(np.zeros(4, dtype=int), 0.5) == 0
