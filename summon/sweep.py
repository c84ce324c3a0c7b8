"""Many match-ups under many rules, each played many times by the workers of a Dask cluster.

A sweep is a JSON file: players, of whom each meets each other one, rules, and how often every match-up is played under
each of them (`Spec`). What is done is kept in a folder, one Parquet file a match-up and rules, so that a sweep that was
stopped goes on where it was. What comes out depends on the file alone: not on the workers, their number or their fate.
"""

from __future__ import annotations

import json
import logging
import os
import signal
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from itertools import combinations
from multiprocessing import resource_tracker
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pandas as pd

from summon import simulate, words
from summon.quoting import printable, quoted
from summon.record import FORMAT as RECORD_FORMAT
from summon.record import Record, RecordError, parse_json

if TYPE_CHECKING:
    from distributed import Client

FORMAT = "summon-sweep/1"
"""What a sweep's `format` says."""

TRIES = 3
"""A match-up whose worker has died is played again, so many times."""

PATIENCE = 10
"""A cluster that has not answered after so many seconds is not there."""

_KEYS = ("format", "players", "rules", "battles", "seed", "max_turns")
_PLAYED_BY = ("turn", "rules", "cards", "player", "position")
_KEPT = "_sweep.json"  # what begins so is none of the tables for those who read the folder

COLUMNS = {
    "first": "str",
    "second": "str",
    "rules": "str",
    "record": "str",
    "seed": "uint64",
    "battles": "int64",
    "first_wins": "int64",
    "second_wins": "int64",
    "draws": "int64",
    "unfinished": "int64",
    "turns": "int64",
}
"""The columns of the results: players, changed rules and the record that is played, as JSON, and what came out."""


class SweepError(ValueError):
    """A sweep that cannot be read or go on, or a folder that holds another one; the message says what and where."""


@dataclass(frozen=True)
class Spec:
    """What a sweep plays: each of `records`, a match-up without turns, `battles` times from the same `seed`.

    A battle of more than `max_turns` turns counts as unfinished.
    """

    records: tuple[Record, ...]
    battles: int = 100_000
    seed: int = 0
    max_turns: int = simulate.MAX_TURNS

    @classmethod
    def from_json(cls, text: str) -> Spec:
        """The sweep of a JSON text; SweepError says what is wrong with it and where."""
        try:
            data = parse_json(text)
        except RecordError as error:
            raise SweepError(str(error)) from error
        if not isinstance(data, dict):
            raise SweepError("the sweep is not an object")
        if (repeated := getattr(data, "repeated", None)) is not None:
            raise SweepError(f"the sweep has the key {quoted(repeated)} twice")
        for key in data:
            if key not in _KEYS:
                raise SweepError(f"the sweep has an unknown key {quoted(key)}; there may be {', '.join(_KEYS)}")
        if data.get("format") != FORMAT:
            raise SweepError(f"format is {quoted(data.get('format'))}, not {FORMAT!r}")
        players, changes = data.get("players"), data.get("rules", [{}])
        if not isinstance(players, list) or len(players) < 2:
            raise SweepError("players is not a list of at least two")
        if not isinstance(changes, list) or not changes:
            raise SweepError("rules is not a list of at least one object")
        for number, entrant in enumerate(players, 1):
            _record(entrant, entrant, {}, f"player {number}")
        for number, changed in enumerate(changes, 1):
            _record(players[0], players[0], changed, f"rules {number}")
        records = tuple(
            _record(first, second, changed, "match-up")
            for changed in changes
            for first, second in combinations(players, 2)
        )
        return cls(
            records,
            _number(data, "battles", 100_000, 1, simulate.MOST_BATTLES),
            _number(data, "seed", 0, 0, simulate.LARGEST_SEED),
            _number(data, "max_turns", simulate.MAX_TURNS, 1, simulate.MOST_TURNS),
        )

    def to_dict(self) -> dict[str, object]:
        """The sweep as a JSON object that two equal sweeps share, however they were written."""
        return {
            "format": FORMAT,
            "records": [record.to_dict() for record in self.records],
            "battles": self.battles,
            "seed": self.seed,
            "max_turns": self.max_turns,
        }


def _record(first: object, second: object, changed: object, where: str) -> Record:
    try:
        return Record.from_dict({"format": RECORD_FORMAT, "players": [first, second], "rules": changed})
    except RecordError as error:
        raise SweepError(f"{where}: {error.says}") from error


def _number(data: dict[str, Any], key: str, default: int, low: int, high: int) -> int:
    value = data.get(key, default)
    if type(value) is not int or not low <= value <= high:
        raise SweepError(f"{key} is a whole number from {low} to {high}, not {quoted(value)}")
    return value


def play_match_up(text: str, battles: int, seed: int, max_turns: int, version: str) -> tuple[int, ...]:
    """What a worker does: play a record's match-up, on its one core; gives the six numbers of `Totals`.

    SweepError where the worker's rules are not of the `version` that the sweep is of.
    """
    if rules_version() != version:
        raise SweepError("a worker has another version of the rules than this machine")
    return tuple(simulate.simulate(Record.from_json(text), battles, seed, max_turns=max_turns, cores=1))


def sweep(
    spec: Spec,
    folder: Path,
    *,
    scheduler: str | None = None,
    workers: int | None = None,
    progress: Callable[[int, int], object] | None = None,
) -> pd.DataFrame:
    """Play what a sweep asks for and the folder does not have yet; gives all results, in the order of the sweep.

    `scheduler` is the address of a Dask cluster whose workers have the game; without it so many `workers` (all cores)
    are started on this machine. `progress` is told how many match-ups are done, of how many. SweepError where the
    folder holds another sweep. Interrupted, it leaves what is done; the same call goes on from there.
    """
    _prepare(folder, spec)
    kept = {number: frame for number in range(len(spec.records)) if (frame := _done(folder, spec, number)) is not None}
    todo = [number for number in range(len(spec.records)) if number not in kept]
    tell = progress or (lambda *_: None)
    tell(len(kept), len(spec.records))
    if todo:
        with _client(scheduler, workers) as client:
            for number, totals in _played(client, spec, todo):
                kept[number] = _write(folder, spec, number, totals)
                tell(len(kept), len(spec.records))
    return _together(frame for _, frame in sorted(kept.items()))


def results(folder: Path) -> pd.DataFrame:
    """What a sweep's folder holds by now, with the columns of `COLUMNS`; one row a match-up and rules.

    SweepError where one of its files cannot be read; the sweep itself, given again, plays what is in it anew.
    """

    def read(part: Path) -> pd.DataFrame:
        frame = _read(part)
        if frame is None:
            raise SweepError(f"{printable(str(part))} is damaged")
        return frame

    return _together(read(part) for part in sorted(folder.glob("*.parquet")))


def _together(parts: Iterable[pd.DataFrame]) -> pd.DataFrame:
    return pd.concat([pd.DataFrame(columns=list(COLUMNS)).astype(COLUMNS), *parts], ignore_index=True)


def _read(part: Path) -> pd.DataFrame | None:
    """The rows of a file, or None where it holds none of a sweep."""
    try:
        frame = pd.read_parquet(part, engine="pyarrow")
    except (OSError, ValueError):
        return None
    return frame.astype(COLUMNS) if list(frame.columns) == list(COLUMNS) else None


def _done(folder: Path, spec: Spec, number: int) -> pd.DataFrame | None:
    """The result of a match-up, or None where it is not there, or damaged, or another's."""
    part = _part(folder, number)
    frame = _read(part) if part.exists() else None
    return frame if frame is not None and list(frame["record"]) == [spec.records[number].to_json()] else None


def _played(client: Client, spec: Spec, todo: list[int]) -> Iterator[tuple[int, tuple[int, ...]]]:
    from distributed import as_completed

    tasks = {
        client.submit(
            play_match_up,
            spec.records[number].to_json(),
            spec.battles,
            spec.seed,
            spec.max_turns,
            rules_version(),
            key=f"match-up-{number}-{os.urandom(4).hex()}",
            retries=TRIES,
        ): number
        for number in todo
    }
    for task in as_completed(list(tasks)):
        try:
            totals = task.result()
        except (SweepError, simulate.NoLab):
            raise
        except Exception as error:  # of whatever kind: a worker's own, or that of a cluster that is lost
            raise SweepError(f"match-up {tasks[task] + 1} could not be played: {error}") from error
        yield tasks[task], totals


@contextmanager
def _client(scheduler: str | None, workers: int | None) -> Iterator[Client]:
    try:
        from distributed import Client, LocalCluster
    except ModuleNotFoundError as error:
        raise SweepError(words.NO_CLUSTER) from error
    with ExitStack() as stack:
        if scheduler is None:
            # A worker plays one match-up at a time, so a process for each core; nobody needs a dashboard of it.
            with _undisturbed():
                cluster = stack.enter_context(
                    LocalCluster(
                        n_workers=workers or os.cpu_count() or 1,
                        threads_per_worker=1,
                        processes=True,
                        dashboard_address="127.0.0.1:0",
                        scheduler_kwargs={"dashboard": False},
                        silence_logs=logging.CRITICAL,
                    )
                )
            scheduler = cluster.scheduler_address
        try:
            client = Client(scheduler, timeout=PATIENCE)
        except (OSError, ValueError) as error:
            raise SweepError(f"no cluster answers at {printable(scheduler)}: {error}") from error
        yield stack.enter_context(client)


@contextmanager
def _undisturbed() -> Iterator[None]:
    """Ctrl-C reaches all processes of a terminal: here it waits until the end, and what is started does without it."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    pressed: list[object] = []
    usual = signal.signal(signal.SIGINT, lambda *given: pressed.append(given))
    posix = hasattr(signal, "pthread_sigmask")
    if posix:
        # The mask is handed down to all threads and processes that begin here; the tracker, begun later, would lift it.
        resource_tracker.ensure_running()
        mask = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        if posix:
            signal.pthread_sigmask(signal.SIG_SETMASK, mask)
        signal.signal(signal.SIGINT, usual)
    if pressed:
        raise KeyboardInterrupt


def _prepare(folder: Path, spec: Spec) -> None:
    place = printable(str(folder))
    if folder.exists() and not folder.is_dir():
        raise SweepError(f"{place} is no folder")
    folder.mkdir(parents=True, exist_ok=True)
    kept, asked = folder / _KEPT, json.dumps(spec.to_dict() | {"rules_of": rules_version()}, indent=1)
    if kept.exists():
        if kept.read_text(encoding="utf-8", errors="replace") != asked:
            raise SweepError(f"{place} holds another sweep, or one of another version of the rules: name a new folder")
    elif any(not file.name.startswith("_") for file in folder.iterdir()):
        raise SweepError(f"{place} holds something else: name a new folder")
    else:
        _put(kept, lambda new: new.write_text(asked, encoding="utf-8"))


@cache
def rules_version() -> str:
    """What the results follow from, so that those of different rules are never put together: a hash of its source."""
    here = Path(__file__).parent
    sources = [*(here / f"{name}.py" for name in _PLAYED_BY), *(here / "simulate").glob("*.py")]
    told = sorted((source.name, source.read_text(encoding="utf-8")) for source in sources)
    return sha256(repr(told).encode()).hexdigest()


def _put(file: Path, write: Callable[[Path], object]) -> None:
    """Write a file whole or not at all, whatever stops us in between and whoever else writes the same."""
    new = file.with_name(f"_{file.stem}-{os.urandom(4).hex()}")
    try:
        write(new)
        new.replace(file)
    finally:
        new.unlink(missing_ok=True)


def _part(folder: Path, number: int) -> Path:
    return folder / f"{number:07}.parquet"


def _write(folder: Path, spec: Spec, number: int, totals: tuple[int, ...]) -> pd.DataFrame:
    record = spec.records[number]
    told = record.to_dict()
    battles, first, second, draws, unfinished, turns = totals
    row = {
        "first": json.dumps(record.players[0].to_dict()),
        "second": json.dumps(record.players[1].to_dict()),
        "rules": json.dumps(told.get("rules", {})),
        "record": record.to_json(),
        "seed": spec.seed,
        "battles": battles,
        "first_wins": first,
        "second_wins": second,
        "draws": draws,
        "unfinished": unfinished,
        "turns": turns,
    }
    frame = pd.DataFrame([row]).astype(COLUMNS)
    _put(_part(folder, number), lambda new: frame.to_parquet(new, engine="pyarrow"))
    return frame
