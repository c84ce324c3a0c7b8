"""The history of battles as pandas DataFrames: the round log of one or of many, and the events with their rules.

The columns and their types are fixed and documented in `ROUND_COLUMNS`, `LOG_COLUMNS` and `EVENT_COLUMNS`; a battle
without rounds gives the same columns without rows.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from errno import ENOENT
from os import PathLike
from pathlib import Path
from typing import Any, NamedTuple

import pandas as pd

from summon import words
from summon.battle import Battle
from summon.cards import BY_CODE, PETS
from summon.events import Event, Kind, events
from summon.player import Player
from summon.position import OUTCOMES, SIDES, Round
from summon.quoting import printable
from summon.record import Record, RecordError, read_records
from summon.transcript import pet_names

ROWS_AT_ONCE = 50_000
"""So many rows of a long log are held as Python's own objects before they become columns."""

SUFFIXES = (".json", ".jsonl")
"""How the files of a folder end that are taken for records."""

_OUTCOME = pd.CategoricalDtype(list(OUTCOMES))
_SIDE = pd.CategoricalDtype(list(SIDES))
_CARD = pd.CategoricalDtype(list(BY_CODE))
_PET = pd.CategoricalDtype(list(PETS))
_KIND = pd.CategoricalDtype([str(kind) for kind in Kind])

ROUND_COLUMNS: Mapping[str, tuple[Any, str]] = {
    "turn": ("int32", "the turn's number (1.5)"),
    "side": (_SIDE, "whose row it is"),
    "pet": (_PET, "its pet, by the unevolved name (1.1)"),
    "evolved": ("bool", "whether its pet has evolved"),
    "card": (_CARD, "what it chose"),
    "amount": ("int16", "the health that a chosen Sacrifice was to cost, else 0 (2.6)"),
    "effect": (_CARD, "what took effect: of a copy the copied card, or copycat where it failed (6.10 to 6.12)"),
    "cost": ("int16", "health paid for Sacrifice or Hide (6.3, 6.4)"),
    "healed": ("int16", "health gained by healing or by Revive's return (3.2, 6.5)"),
    "dealt": ("int16", "direct damage sent, before the other's protection (4.1)"),
    "damage": ("int16", "direct damage taken after every reduction, not capped at the health left (4.3)"),
    "poison": ("int16", "poison that ticked, not capped at the health left (5.1)"),
    "health": ("int16", "health at the end of the turn"),
    "reserve": ("int16", "white reserve at the end of the turn (section 12)"),
}
"""The round log's columns: dtype and meaning. One row a side and turn, the first side first; amounts in health."""

LOG_COLUMNS: Mapping[str, tuple[Any, str]] = {
    "battle": ("int32", "the battle's number in what was read, from 1; what could not be played leaves a gap"),
    "outcome": (_OUTCOME, "how the battle ended: who won (8.2, 9.2), a draw, or unfinished"),
    **ROUND_COLUMNS,
}
"""The columns of a log of many battles: dtype and meaning. One row a battle, side and turn."""

EVENT_COLUMNS: Mapping[str, tuple[Any, str]] = {
    "turn": ("int32", "the turn's number (1.5)"),
    "place": ("int16", "its place in the turn, from 0, in the order of 8.1"),
    "side": (_SIDE, "the side whose effect it is"),
    "on": (_SIDE, "the side that it happened to"),
    "kind": (_KIND, "what kind of event it is (`summon.events.Kind`)"),
    "card": (_CARD, "the effect's card"),
    "number": ("int16", "how much health, 0 where the kind has no number"),
    "rule": ("str", "the number of the rule that caused it"),
    "because": ("str", "what the number is made of, by rule"),
    "text": ("str", "the event in a sentence"),
}
"""The columns of the events: dtype and meaning. One row an event, in order."""


def _frame(rows: Iterable[tuple[object, ...]], columns: Mapping[str, tuple[Any, str]]) -> pd.DataFrame:
    frame = pd.DataFrame(list(rows), columns=list(columns))
    return frame.astype({name: dtype for name, (dtype, _) in columns.items()})


def round_log(battle: Battle) -> pd.DataFrame:
    """The round log of a battle, with the columns of `ROUND_COLUMNS`."""
    return _frame(_rows(battle.players, battle.rounds), ROUND_COLUMNS)


def _rows(players: tuple[Player, Player], rounds: Iterable[Round]) -> Iterator[tuple[object, ...]]:
    for round_ in rounds:
        for number, side in enumerate(SIDES):
            choice, share, after = round_.choices[number], round_.shares[number], round_.after.sides[number]
            player = players[number]
            yield (
                round_.turn,
                side,
                player.pet,
                player.evolved,
                choice.card,
                choice.amount,
                BY_CODE[share.effect],
                share.cost,
                share.healed + share.returned,
                share.dealt,
                share.taken,
                share.tick,
                after.health,
                after.reserve,
            )


class Logged(NamedTuple):
    """A battle for a log: where it is from, its record or why it has none, and its outcome if not by its turns."""

    where: str
    record: Record | RecordError
    outcome: str | None = None
    """9.2: how it ended where its turns alone do not say so, as when a side left."""


def battles_log(
    battles: Iterable[Record | Logged], failed: Callable[[RecordError], object] | None = None
) -> pd.DataFrame:
    """The round log of many battles, with the columns of `LOG_COLUMNS`.

    `battles` are records, or what `recorded` reads from files. One that cannot be played is left out whole, and
    `failed` is called with the RecordError, which says where; without `failed` it is raised.
    """
    return pd.concat(log_parts(battles, failed), ignore_index=True)


def log_parts(
    battles: Iterable[Record | Logged], failed: Callable[[RecordError], object] | None = None
) -> Iterator[pd.DataFrame]:
    """The same log part by part, each of whole battles, so that it can be longer than memory; at least one part."""
    rows: list[tuple[object, ...]] = []
    for number, told in enumerate(battles, 1):
        where, record, outcome = told if isinstance(told, Logged) else Logged(f"battle {number}", told)
        try:
            if isinstance(record, RecordError):
                raise record
            rounds = list(record.play())
        except RecordError as error:
            wrong = RecordError(f"{where}: {error}")
            if failed is None:
                raise wrong from error
            failed(wrong)
            continue
        ended = rounds[-1].after.outcome if rounds else record.opening().outcome
        rows += [(number, outcome or ended, *row) for row in _rows(record.players, rounds)]
        if len(rows) >= ROWS_AT_ONCE:
            yield _frame(rows, LOG_COLUMNS)
            rows = []
    yield _frame(rows, LOG_COLUMNS)


def recorded(paths: Iterable[str | PathLike[str]]) -> Iterator[Logged]:
    """The battles of files of records, and of folders: of one its files named `.json` or `.jsonl`, in their order.

    OSError, which names the file, where something cannot be read, or a folder has no such files.
    """
    for path in map(Path, paths):
        inside = sorted(file for file in path.iterdir() if file.suffix in SUFFIXES) if path.is_dir() else [path]
        if not inside:
            raise FileNotFoundError(ENOENT, f"no file in it is named {' or '.join(SUFFIXES)}", str(path))
        for file in inside:
            try:
                with file.open("rb") as lines:
                    yield from read_logged(lines, str(file))
            except OSError as error:
                raise OSError(error.errno, error.strerror, str(file)) from error


def read_logged(lines: Iterable[bytes], name: str) -> Iterator[Logged]:
    """The battles of the lines of one file, which is called so."""
    for line, record in read_records(lines):
        yield Logged(f"{printable(name)}, line {line}", record)


def log_suffix(path: str | PathLike[str]) -> str:
    """What the name of a log's file ends in, `.parquet` or `.csv`; ValueError where it is neither."""
    suffix = Path(path).suffix
    if suffix not in (".parquet", ".csv"):
        raise ValueError(f"a log is a file that ends in .parquet or .csv, not {printable(str(path))}")
    return suffix


def write_log(log: pd.DataFrame | Iterable[pd.DataFrame], path: str | PathLike[str]) -> None:
    """Write a log, or its parts, to a `.parquet` file, which needs the extra `lab`, or a `.csv` one.

    ValueError for any other, OSError where it cannot be written. What is not written whole leaves nothing behind.
    """
    suffix = log_suffix(path)
    parts = [log] if isinstance(log, pd.DataFrame) else log
    whole = Path(path)
    new = whole.with_name(f".{whole.stem}-{os.urandom(4).hex()}{suffix}")
    try:
        (_write_csv if suffix == ".csv" else _write_parquet)(parts, new)
        new.replace(whole)
    finally:
        new.unlink(missing_ok=True)


def _write_csv(parts: Iterable[pd.DataFrame], path: Path) -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        for text in csv_parts(parts):
            file.write(text)


def csv_parts(parts: Iterable[pd.DataFrame]) -> Iterator[str]:
    """The parts of a log as CSV, which begins with the names of the columns."""
    for place, part in enumerate(parts):
        yield part.to_csv(index=False, header=place == 0)


def _write_parquet(parts: Iterable[pd.DataFrame], path: Path) -> None:
    import pyarrow
    import pyarrow.parquet

    writer = None
    try:
        for part in parts:
            table = pyarrow.Table.from_pandas(part, preserve_index=False)
            writer = writer or pyarrow.parquet.ParquetWriter(path, table.schema)
            writer.write_table(table)
    finally:
        if writer is not None:
            writer.close()


def read_log(path: str | PathLike[str]) -> pd.DataFrame:
    """The log of one battle or many in a file that `write_log` wrote, with its types; ValueError where it is none."""
    log = pd.read_csv(path) if log_suffix(path) == ".csv" else pd.read_parquet(path, engine="pyarrow")
    for columns in (LOG_COLUMNS, ROUND_COLUMNS):
        if list(log.columns) == list(columns):
            return log.astype({name: dtype for name, (dtype, _) in columns.items()})
    raise ValueError(f"{printable(str(path))} is no log: its columns are others")


def event_log(battle: Battle) -> pd.DataFrame:
    """The events of a battle, with the columns of `EVENT_COLUMNS`."""
    names = pet_names(battle.players)

    def row(place: int, event: Event) -> tuple[object, ...]:
        sides = (SIDES[event.side], SIDES[event.on])
        told = (words.because(event), words.sentence(event, names))
        return (event.turn, place, *sides, str(event.kind), event.card, event.number, event.rule, *told)

    rows = (row(place, event) for round_ in battle.rounds for place, event in enumerate(events(round_)))
    return _frame(rows, EVENT_COLUMNS)
