"""Running the compiled loop on all cores: the only part of the program that loads numba."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor, wait
from functools import cache
from pathlib import Path
from threading import Lock
from typing import Any

import numba
import numpy as np

from summon import words
from summon.cards import BY_CODE
from summon.choices import Choice
from summon.rules import LARGEST
from summon.simulate import cache as kept_code
from summon.simulate import kernel
from summon.simulate.kernel import CARDS, DRAWS, LANES, LOGGED, OBSERVED, PLAIN, ROWS, TURNS, Kept, Lanes, Match
from summon.simulate.policies import Policy
from summon.simulate.totals import Tally, Totals
from summon.turn import DRAW, Setup

OUTCOMES = DRAW + 1
"""How many outcomes there are; they are numbered as in `summon.turn`."""

BLOCK = 8192
"""How many battles a core takes at once; what is begun is played to its end, also when the run is stopped."""

OBSERVED_TURNS = 100
"""On how many turns health is counted."""

LOGGED_TURNS = 2**21
"""How many turns there is room for when battles are written down."""

_ONE_AT_A_TIME = Lock()
"""Held by the thread that compiles, so that others wait for it instead of doing the same."""

_PAUSE = 0.1
"""How many seconds pass between two looks at a run that is under way."""


def loop() -> Callable[..., None]:
    """The compiled loop, from where it is kept or compiled anew, which takes a while and is said."""
    with _ONE_AT_A_TIME:
        return _loop()


@cache
def _loop() -> Callable[..., None]:
    place = kept_code.folder()
    if place is None or not any(place.rglob("*.nbc")):
        print(words.COMPILING, file=sys.stderr, flush=True)
    compiled = _jitted(place)
    try:
        compiled.compile(_signature())
    except Exception:
        # What was kept is damaged, or could not be kept after all: do without.
        if not compiled.signatures:
            compiled = _jitted(None)
            compiled.compile(_signature())
        if place is not None:
            shutil.rmtree(place, ignore_errors=True)
    return compiled


def _jitted(place: Path | None) -> Any:
    compiled = numba.njit(nogil=True, error_model="numpy")(kernel.play)
    if place is not None:
        usual = numba.config.CACHE_DIR
        numba.config.CACHE_DIR = str(place)
        try:
            compiled.enable_caching()
        finally:
            numba.config.CACHE_DIR = usual
    return compiled


def _signature() -> tuple[Any, ...]:
    """The types that the loop is compiled for: those of every run."""
    nobody = np.zeros((2, 0), np.int16)
    match = _match((nobody, nobody), 1, 1, 0, (None, None))
    arguments = (match, _lanes(0), _kept(PLAIN, 0, 0), np.zeros(TURNS + 1, np.int64), np.zeros(3, np.int64), 0, False)
    return tuple(numba.typeof(argument) for argument in arguments)


def match_of(position: Any, seed: int, max_turns: int, policies: tuple[Policy | None, Policy | None]) -> Match:
    """What is played from a position."""
    values = np.array(position.setups, np.int16), np.array(position.sides, np.int16)
    return _match(values, position.turn, position.turn + max_turns - 1, seed, policies)


def _match(
    values: tuple[Any, Any], first_turn: int, last_turn: int, seed: int, policies: tuple[Policy | None, Policy | None]
) -> Match:
    weights = np.zeros((2, CARDS))
    amounts = np.zeros((2, LARGEST + 1))
    by_weight = np.zeros(2, np.bool_)
    for side, policy in enumerate(policies):
        if policy is not None and policy.weights is not None:
            by_weight[side] = True
            weights[side] = [policy.weights.get(name, 0.0) for name in BY_CODE]
            amounts[side, 1 : 1 + len(policy.amounts)] = policy.amounts
    return Match(*values, first_turn, last_turn, np.uint64(seed), by_weight, weights, np.cumsum(amounts, axis=1))


def _lanes(observed_turns: int) -> Lanes:
    return Lanes(
        np.zeros(ROWS, np.int16),
        np.zeros(DRAWS, np.uint32),
        np.zeros(DRAWS, np.uint32),
        np.full(LANES, -1, np.int64),
        np.zeros(LANES + 1, np.int64),
        np.zeros((LANES, observed_turns), np.uint8),
    )


def _kept(keep: int, max_turns: int, top: int, first_number: int = 0, logged: int = 0) -> Kept:
    observed = keep == OBSERVED
    return Kept(
        np.zeros(max_turns + 1 if observed else 0, np.int64),
        np.zeros((2, min(max_turns, OBSERVED_TURNS), top + 1) if observed else (2, 0, 0), np.int64),
        np.zeros((OUTCOMES, CARDS, CARDS) if observed else (0, 0, 0), np.int64),
        np.zeros((OUTCOMES, 2, CARDS) if observed else (0, 0, 0), np.int64),
        first_number,
        np.full((logged, max_turns, 4), -1, np.int16),
    )


class _Numbers:
    """The numbers of a run's battles, which the cores take in blocks, in order."""

    def __init__(self, battles: int, cores: int) -> None:
        self.given = 0
        self._end = battles
        self._block = min(BLOCK, max(LANES, -(-battles // (8 * cores))))
        self._lock = Lock()

    def take(self) -> tuple[int, int] | None:
        """The first number of the next block and the one after its last, or None where all are taken."""
        with self._lock:
            first = self.given
            self.given = min(first + self._block, self._end)
            return (first, self.given) if first < self.given else None

    def close(self) -> None:
        """Give no more, but for the first block: there is always something to tell."""
        with self._lock:
            self._end = max(self.given, min(self._block, self._end))


def run(
    match: Match,
    battles: int,
    keep: int,
    cores: int,
    progress: Callable[[int, int], object] | None = None,
    stop: Callable[[], bool] | None = None,
) -> tuple[Totals, Kept]:
    """Play the battles 0 up to `battles`, on so many cores; where `stop` says so, only those begun by then.

    Whichever core plays a battle and whenever, it is the same, and counts are added up: the result depends on the
    number of battles alone.
    """
    compiled = loop()
    top = int(match.setups[:, Setup._fields.index("top")].max())
    cores = min(cores, -(-battles // LANES))
    numbers = _Numbers(battles, cores)
    max_turns = match.last_turn - match.first_turn + 1

    def work() -> tuple[Any, Kept]:
        lanes, kept = _lanes(max_turns if keep == OBSERVED else 0), _kept(keep, max_turns, top)
        totals, state = np.zeros(TURNS + 1, np.int64), np.zeros(3, np.int64)
        try:
            while (block := numbers.take()) is not None:
                state[:2] = block
                compiled(match, lanes, kept, totals, state, keep, False)
            compiled(match, lanes, kept, totals, state, keep, True)
        finally:
            # Where one core fails, the others need not go on.
            numbers.close()
        return totals, kept

    with ThreadPoolExecutor(cores) as pool:
        try:
            parts = [pool.submit(work) for _ in range(cores)]
            # Asked before anything is waited for: a million battles may take no longer than that.
            while True:
                if stop is not None and stop():
                    numbers.close()
                if not wait(parts, _PAUSE).not_done:
                    break
                if progress is not None:
                    progress(numbers.given, battles)
        finally:
            numbers.close()
    results = [part.result() for part in parts]
    if progress is not None:
        progress(numbers.given, battles)
    return _totals(sum(totals for totals, _ in results)), _added([kept for _, kept in results])


def _totals(counts: Any) -> Totals:
    unfinished, first, second, draw, turns = (int(count) for count in counts)
    return Totals(unfinished + first + second + draw, first, second, draw, unfinished, turns)


def _added(parts: list[Kept]) -> Kept:
    added = {name: sum(getattr(part, name) for part in parts) for name in ("lengths", "health", "pairs", "cards")}
    return parts[0]._replace(**added)


def tally(totals: Totals, kept: Kept) -> Tally:
    """What was counted by outcome, as a tally has it."""
    return Tally(totals, kept.lengths, kept.health, _all_and_decided(kept.pairs), _all_and_decided(kept.cards))


def _all_and_decided(counts: Any) -> Any:
    """Counts with the outcome for their last axis, and the sum of all in place of the unfinished."""
    turned = np.ascontiguousarray(np.moveaxis(counts, 0, -1))
    turned[..., 0] = turned.sum(axis=-1)
    return turned


def logged(match: Match, battles: int) -> Iterator[tuple[tuple[Choice, Choice], ...]]:
    """The choices of the battles 0 up to `battles`, turn by turn."""
    compiled = loop()
    max_turns = match.last_turn - match.first_turn + 1
    at_once = max(1, min(LANES, LOGGED_TURNS // max_turns))
    for first in range(0, battles, at_once):
        count = min(at_once, battles - first)
        kept = _kept(LOGGED, max_turns, 0, first, count)
        state = np.array([first, first + count, 0], np.int64)
        compiled(match, _lanes(0), kept, np.zeros(TURNS + 1, np.int64), state, LOGGED, True)
        for turns in kept.choices:
            played = np.count_nonzero(turns[:, 0] >= 0)
            yield tuple((_choice(*pair[:2]), _choice(*pair[2:])) for pair in turns[:played].tolist())


@cache
def _choice(code: int, amount: int) -> Choice:
    return Choice(BY_CODE[code], amount)
