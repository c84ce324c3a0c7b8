"""`summon simulate`: a match-up from a file, played many times, and what it comes to in words or as JSON."""

from __future__ import annotations

import json
import os
import signal
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from errno import EISDIR, ENOENT
from pathlib import Path

from summon import estimates, simulate
from summon.quoting import printable
from summon.record import Record, RecordError, read_one
from summon.simulate.totals import Totals

SHOWN_AFTER = 1.0
"""After how many seconds a run counts as long, and a terminal is shown how far it is."""

SHOWN_EVERY = 0.2
"""How many seconds pass at least between two such words."""


class NotWritten(Exception):
    """The records cannot be written; the message says why."""


def read_match_up(lines: Iterable[bytes]) -> Record:
    """The one record of a file, which has no turns; RecordError names the line where that is not so."""
    line, record = read_one(lines)
    if record.turns:
        raise RecordError(f"line {line}: the record has turns already, and only a match-up can be simulated")
    return record


def run(
    record: Record,
    *,
    battles: int,
    seed: int,
    max_turns: int,
    cores: int | None,
    as_json: bool,
    kept: tuple[int, Path] | None,
) -> int:
    """Simulate and print the result, and write the first battles as records where they are to be `kept`.

    Ctrl-C stops the run, which then tells what it has. Returns the exit status; raises NoLab and NotWritten.
    """
    if kept is not None:
        _check_place(kept[1])
    simulate.prepare()
    with _stopped_by_interrupt() as stop, _shown_progress() as progress:
        totals = simulate.simulate(
            record, battles, seed, max_turns=max_turns, cores=cores, progress=progress, stop=stop
        )
    stopped = totals.battles < battles
    if stopped:
        print(f"Stopped. These are the first {totals.battles:,} of {battles:,} battles.", file=sys.stderr)
    if totals.battles:
        print(json.dumps(_as_dict(totals)) if as_json else _in_words(record, totals, seed))
    if kept is not None:
        _write(record, min(kept[0], totals.battles), seed, max_turns, kept[1])
    return 130 if stopped else 0


def _as_dict(totals: Totals) -> dict[str, int | float]:
    counts = totals._asdict()
    del counts["turns"]
    return {**counts, "turns_mean": round(totals.turns_mean, 4)}


def _in_words(record: Record, totals: Totals, seed: int) -> str:
    one, two = (f"{printable(player.name)} ({player.pet_name})" for player in record.players)
    rows = {
        f"{one} wins": totals.first,
        f"{two} wins": totals.second,
        "draw": totals.draw,
        "unfinished": totals.unfinished,
    }
    wide, digits = max(map(len, rows)), len(f"{totals.battles:,}")

    def row(name: str, count: int) -> str:
        share, low, high = estimates.rate(count, totals.battles)
        return f"  {name:{wide}} {count:{digits},} {share:7.2%}  ({low:.2%} to {high:.2%})"

    return "\n".join(
        (
            f"{totals.battles:,} battles, seed {seed}",
            *(row(name, count) for name, count in rows.items()),
            f"A battle took {totals.turns_mean:.4f} turns on average.",
            "In brackets is where each share lies 95 times in 100, of any number of battles.",
        )
    )


def _check_place(out: Path) -> None:
    """Find out before a long run, and not after it, what cannot be written for certain."""
    wrong = EISDIR if out.is_dir() else None if out.absolute().parent.is_dir() else ENOENT
    if wrong is not None:
        raise NotWritten(f"{printable(str(out))} cannot be written: {os.strerror(wrong)}")


def _write(record: Record, battles: int, seed: int, max_turns: int, out: Path) -> None:
    played = simulate.simulated_records(record, battles, seed, max_turns=max_turns) if battles else ()
    try:
        with out.open("w", encoding="utf-8", newline="\n") as file:
            file.writelines(battle.to_json() + "\n" for battle in played)
    except OSError as error:
        raise NotWritten(f"{printable(str(out))} cannot be written: {error.strerror}") from error


@contextmanager
def _stopped_by_interrupt() -> Iterator[Callable[[], bool]]:
    """Whether Ctrl-C was pressed; pressed once more, it ends the program as ever."""
    pressed = False

    def press(*_: object) -> None:
        nonlocal pressed
        pressed = True
        signal.signal(signal.SIGINT, usual)

    usual = signal.getsignal(signal.SIGINT)
    if usual is not signal.default_int_handler:
        # Somebody else looks after it, or it is ignored: leave that as it is.
        yield lambda: False
        return
    signal.signal(signal.SIGINT, press)
    try:
        yield lambda: pressed
    finally:
        signal.signal(signal.SIGINT, usual)


@contextmanager
def _shown_progress() -> Iterator[Callable[[int, int], None] | None]:
    """What shows on a terminal how far a long run is, and leaves nothing of it behind; None where nobody would see."""
    if sys.stderr is None or not sys.stderr.isatty():
        yield None
        return
    shown_at, longest = time.monotonic() + SHOWN_AFTER - SHOWN_EVERY, 0

    def show(done: int, battles: int) -> None:
        nonlocal shown_at, longest
        if time.monotonic() - shown_at >= SHOWN_EVERY:
            shown_at = time.monotonic()
            text = f"{done:,} of {battles:,} battles ({done / battles:.0%})"
            longest = max(longest, len(text))
            print(f"\r{text:{longest}}", end="", file=sys.stderr, flush=True)

    try:
        yield show
    finally:
        if longest:
            print(f"\r{'':{longest}}\r", end="", file=sys.stderr, flush=True)
