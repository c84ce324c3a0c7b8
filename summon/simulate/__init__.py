"""Millions of battles, played by the very rules of the game, compiled.

`simulate` counts outcomes, `observe` counts what was played besides, and `simulated_records` gives the same battles as
records. A battle depends on the record, the seed and its own number alone: neither the number of battles nor that of
cores changes it. Nothing is compiled, and numba not loaded, before the first of them is called; that needs the extra
`lab`.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from summon import words
from summon.record import LAST_TURN, Record, RecordError
from summon.rules import LARGEST
from summon.simulate.policies import Policy, uniform
from summon.simulate.totals import Tally, Totals

if TYPE_CHECKING:
    from types import ModuleType

__all__ = ["NoLab", "Policy", "Tally", "Totals", "observe", "prepare", "simulate", "simulated_records", "uniform"]

MOST_BATTLES = 10**12
"""How many battles may be asked for at once."""

MOST_TURNS = 2**15 - 1 - LAST_TURN - LARGEST - 1
"""How many turns a battle may be given: numbers of 16 bits hold every turn that is reached or waited for."""

LARGEST_SEED = 2**64 - 1
"""The largest seed; the least is 0."""

MOST_CORES = 1024
"""How many cores may be asked for."""

BATTLES = 100_000
"""How many battles are played where nothing else is said."""

MAX_TURNS = 500
"""How many turns a battle is given where nothing else is said."""

Policies = tuple[Policy | None, Policy | None]
"""How each side chooses; None is `uniform` (1.7)."""


class NoLab(ImportError):
    """numba is not installed; the message says how to get it."""


def prepare() -> None:
    """Load the compiled rules, or compile them, so that the next run begins at once. Raises NoLab without numba."""
    _engine().loop()


def simulate(
    record: Record,
    battles: int = BATTLES,
    seed: int = 0,
    *,
    max_turns: int = MAX_TURNS,
    policies: Policies = (None, None),
    cores: int | None = None,
    progress: Callable[[int, int], object] | None = None,
    stop: Callable[[], bool] | None = None,
) -> Totals:
    """Play a match-up many times, from its start where it has one, and count the outcomes.

    A battle that nobody has won after `max_turns` turns is unfinished. `cores` is how many are used, all by default.
    `progress(done, all)` is called now and then. Where `stop()` says so, no more battles are begun; the result is that
    of the battles until then, which is what a run of so many battles gives.

    Raises RecordError for a record with turns and for a start that cannot be, ValueError for numbers out of range, and
    NoLab without numba.
    """
    engine, match = _begun(record, battles, seed, max_turns, policies, cores)
    return engine.run(match, battles, engine.PLAIN, cores or _cores(), progress, stop)[0]


def observe(
    record: Record,
    battles: int = BATTLES,
    seed: int = 0,
    *,
    max_turns: int = MAX_TURNS,
    policies: Policies = (None, None),
    cores: int | None = None,
    progress: Callable[[int, int], object] | None = None,
    stop: Callable[[], bool] | None = None,
) -> Tally:
    """Play the same battles as `simulate`, and count what was chosen and how health went; raises as it does."""
    engine, match = _begun(record, battles, seed, max_turns, policies, cores)
    return engine.tally(*engine.run(match, battles, engine.OBSERVED, cores or _cores(), progress, stop))


def simulated_records(
    record: Record,
    battles: int,
    seed: int = 0,
    *,
    max_turns: int = MAX_TURNS,
    policies: Policies = (None, None),
) -> Iterator[Record]:
    """The battles that `simulate` plays, one after the other, as records with their turns; raises as it does."""
    engine, match = _begun(record, battles, seed, max_turns, policies)
    return (Record(record.players, record.changed, record.start, turns) for turns in engine.logged(match, battles))


def _engine() -> ModuleType:
    try:
        from summon.simulate import engine
    except ModuleNotFoundError as error:
        if error.name in ("numba", "llvmlite", "numpy"):
            raise NoLab(words.NO_LAB) from error
        raise
    return engine


def _begun(
    record: Record, battles: int, seed: int, max_turns: int, policies: Policies, cores: int | None = None
) -> tuple[ModuleType, Any]:
    """The engine and what it is to play, once all that was asked for is found to be right."""
    _number(battles, "battles", 1, MOST_BATTLES)
    _number(seed, "seed", 0, LARGEST_SEED)
    _number(max_turns, "max_turns", 1, MOST_TURNS)
    _number(1 if cores is None else cores, "cores", 1, MOST_CORES)
    if record.turns:
        raise RecordError("the record has turns already, and only a match-up can be simulated")
    if record.start is not None:
        # A start that was not read from a record may have what no record can say.
        Record.from_dict(record.to_dict())
    engine = _engine()
    return engine, engine.match_of(record.opening(), seed, max_turns, policies)


def _number(value: object, what: str, low: int, high: int) -> None:
    if type(value) is not int or not low <= value <= high:
        raise ValueError(f"{what} is a whole number from {low} to {high}, not {value!r}")


def _cores() -> int:
    """How many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
