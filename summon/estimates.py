"""Estimates with their uncertainty: a value from a sample, and the interval that holds the truth 95 times in 100.

All of them take numbers or NumPy arrays of any shape, and give a value with a low and a high end.
"""

from __future__ import annotations

from statistics import NormalDist
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

CONFIDENCE = 0.95
"""How often an interval is to hold the truth."""

NORMAL = NormalDist().inv_cdf((1 + CONFIDENCE) / 2)
"""How many standard errors to each side that is."""

BLOCKS = 20
"""Into so many blocks battles are split where the difference of two samples is asked for."""

# The same for few blocks: Student's t for 1 to 19 degrees of freedom, as in the tables of any book of statistics.
_STUDENT = (
    *(12.706205, 4.302653, 3.182446, 2.776445, 2.570582, 2.446912, 2.364624, 2.306004, 2.262157, 2.228139),
    *(2.200985, 2.178813, 2.160369, 2.144787, 2.131450, 2.119905, 2.109816, 2.100922, 2.093024),
)

# Where something has not happened in n trials, its rate is at most 3/n (Hanley, Lippman-Hand: JAMA 249, 1983).
_NOT_ONCE = 3.0

_ROUNDING = 1e-12

Numbers = NDArray[np.float64]


class Estimate(NamedTuple):
    """A value and the ends of its interval; not a number where the sample does not tell."""

    value: Numbers
    low: Numbers
    high: Numbers


def rate(count: ArrayLike, trials: ArrayLike) -> Estimate:
    """How often something happens, which happened `count` times in so many independent trials.

    The interval is Wilson's (E. B. Wilson: Journal of the American Statistical Association 22, 1927), which is good for
    rates near 0 and 1 and for few trials. Of no trials the value is not a number, and the interval from 0 to 1.
    """
    hits, tried = np.asarray(count, dtype=float), np.asarray(trials, dtype=float)
    some = np.maximum(tried, 1)
    part, square = hits / some, NORMAL**2 / some
    middle = (part + square / 2) / (1 + square)
    half = NORMAL / (1 + square) * np.sqrt(part * (1 - part) / some + square / some / 4)
    # At 0 and at 1 the ends are those numbers, but for rounding.
    low = np.where((tried == 0) | (hits == 0), 0.0, np.maximum(middle - half, 0))
    high = np.where((tried == 0) | (hits == tried), 1.0, np.minimum(middle + half, 1))
    return Estimate(np.where(tried == 0, np.nan, part), low, high)


def mean(values: ArrayLike, counts: ArrayLike) -> Estimate:
    """The mean of independent numbers, given as a histogram along the last axis: how often each of `values` came.

    The interval is the normal one; of less than two numbers it is not a number.
    """
    number, often = np.asarray(values, dtype=float), np.asarray(counts, dtype=float)
    trials = often.sum(axis=-1)
    with np.errstate(invalid="ignore", divide="ignore"):
        middle = (often * number).sum(axis=-1) / trials
        spread = (often * (number - middle[..., np.newaxis]) ** 2).sum(axis=-1) / np.where(
            trials > 1, trials - 1, np.nan
        )
        half = NORMAL * np.sqrt(spread / trials)
    return Estimate(middle, middle - half, middle + half)


def difference(one: ArrayLike, other: ArrayLike, battles: ArrayLike, most: float = 1.0) -> Estimate:
    """How much more of something `one` has a battle than `other`; both are sums by block, along the first axis.

    `battles` is how many battles each block has, about the same in all. What is compared is played with the same random
    numbers, so the two go together, which the differences of the blocks take into account: Student's interval of their
    mean (batch means, paired; Law: Simulation Modeling and Analysis, chapters 9 and 10). Where all
    blocks differ alike, the interval is as wide as that of something that has not happened once, with `most` as the
    most that a battle can differ by. Of fewer than two blocks it is not a number.
    """
    played = np.asarray(battles, dtype=float)
    gap = (np.asarray(one, dtype=float) - np.asarray(other, dtype=float)).T
    blocks, total = len(played), played.sum()
    if blocks < 2:
        value = gap.sum(axis=-1) / total if blocks else np.full(gap.shape[:-1], np.nan)
        return Estimate(value, np.full_like(value, np.nan), np.full_like(value, np.nan))
    value, error = _ratio(gap, played)
    half = np.where(error < _ROUNDING, most * np.minimum(_NOT_ONCE / total, 1), _student(blocks) * error)
    return Estimate(value, np.maximum(value - half, -most), np.minimum(value + half, most))


def balance(plus: ArrayLike, minus: ArrayLike, trials: ArrayLike) -> Estimate:
    """The part of trials that were `plus`, less the part that were `minus`: counts by block, along the first axis.

    Trials within a block need not be independent, as the turns of one battle are not: the interval is Student's for the
    ratio of the blocks' sums (Cochran: Sampling Techniques, chapter 6), or Wilson's as for independent trials where
    that is wider, as it is for what was seen hardly ever.
    """
    up, down, tried = (np.moveaxis(np.asarray(counted, dtype=float), 0, -1) for counted in (plus, minus, trials))
    value, error = _ratio(up - down, tried)
    total = tried.sum(axis=-1)
    alone = rate((up.sum(axis=-1) - down.sum(axis=-1) + total) / 2, total)
    half = _student(tried.shape[-1]) * error if tried.shape[-1] > 1 else np.full_like(value, np.nan)
    low = np.fmin(2 * alone.low - 1, np.maximum(value - half, -1))
    high = np.fmax(2 * alone.high - 1, np.minimum(value + half, 1))
    return Estimate(value, low, high)


def quantile(counts: ArrayLike, part: float) -> NDArray[np.int64]:
    """The smallest number that at least this part of a sample does not exceed; `counts` is a histogram from 0 on.

    The histogram is along the last axis; of an empty one it is 0.
    """
    often = np.asarray(counts)
    within = often.cumsum(axis=-1) >= part * often.sum(axis=-1, keepdims=True)
    return np.asarray(within.argmax(axis=-1), dtype=np.int64)


def _student(blocks: int) -> float:
    return _STUDENT[min(blocks - 1, len(_STUDENT)) - 1]


def _ratio(top: Numbers, bottom: Numbers) -> tuple[Numbers, Numbers]:
    """The ratio of two sums over blocks, along the last axis, and its standard error (not a number for one block)."""
    blocks, total = bottom.shape[-1], bottom.sum(axis=-1)
    with np.errstate(invalid="ignore", divide="ignore"):
        value = np.asarray(top.sum(axis=-1) / total)
        beside = top - value[..., np.newaxis] * bottom
        error = np.sqrt(np.float64(blocks) / (blocks - 1) * (beside**2).sum(axis=-1)) / total
    return value, error
