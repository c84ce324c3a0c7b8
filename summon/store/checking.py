"""Whether everything in a store is as it must be: the file, the rules of section 10, and the books."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from typing import Any, NamedTuple

from sqlalchemy import Connection, Row, Table, exc, func, select

from summon import market
from summon.record import Record
from summon.store import profiles
from summon.store.battles import check_end, earned
from summon.store.errors import Trouble, kind_of
from summon.store.tables import battles, decks, ledger, seats
from summon.store.tables import profiles as profile_table


class Report(NamedTuple):
    """What a check found: how much there is, and a sentence for each thing that is wrong."""

    place: str
    profiles: int
    battles: int
    problems: tuple[str, ...]

    @property
    def ok(self) -> bool:
        """Whether nothing is wrong."""
        return not self.problems


def report(connection: Connection, place: str) -> Report:
    """Check a whole store, at one moment."""
    problems: list[str] = []
    try:
        if connection.dialect.name == "sqlite":
            problems += _file(connection)
        problems += _profiles(connection)
        problems += _battles(connection)
        return Report(place, _count(connection, profile_table), _count(connection, battles), tuple(problems))
    except exc.DBAPIError as error:
        if kind_of(error) is not Trouble.DAMAGED:
            raise
        return Report(place, 0, 0, (*problems, f"The database cannot be read to its end: {error.orig}."))


def _count(connection: Connection, table: Table) -> int:
    return connection.scalar(select(func.count()).select_from(table)) or 0


def _file(connection: Connection) -> Iterator[str]:
    """What SQLite itself finds wrong."""
    for (found,) in connection.exec_driver_sql("PRAGMA integrity_check"):
        if found != "ok":
            yield f"The file is damaged: {found}"
    for table, row, parent, _ in connection.exec_driver_sql("PRAGMA foreign_key_check"):
        yield f"Row {row} of {table} belongs to something in {parent} that is not there."


def _profiles(connection: Connection) -> Iterator[str]:
    """10.1 to 10.5, and the books: every profile has what it paid for, and the gold that is left."""
    books = _grouped(connection, select(ledger).order_by(ledger.c.profile_id, ledger.c.revision))
    placed = _grouped(connection, select(decks).order_by(decks.c.profile_id, decks.c.place))
    for row in connection.execute(select(profile_table)):
        entries = books[row.id]
        items = [entry.item for entry in entries if entry.item is not None]
        try:
            profiles.state_of(row, items, [card.item for card in placed[row.id]])
        except ValueError as error:
            yield f"Profile {row.id}: {error}."
        yield from (f"Profile {row.id}: {problem}" for problem in _books(row, entries))


def _grouped(connection: Connection, rows: Any) -> defaultdict[str, list[Row[Any]]]:
    found: defaultdict[str, list[Row[Any]]] = defaultdict(list)
    for row in connection.execute(rows):
        found[row.profile_id].append(row)
    return found


def _books(row: Row[Any], entries: list[Row[Any]]) -> Iterator[str]:
    left = 0
    for entry in entries:
        left += entry.amount
        if left < 0:
            yield f"its gold was {left} after revision {entry.revision} (rule 10.5)."
        item = market.ITEMS.get(entry.item) if entry.item is not None else None
        if item is not None and entry.amount != -item.price:
            yield f"it paid {-entry.amount} for {item.name}, which costs {item.price} (rule {item.rule})."
    if left != row.gold:
        yield f"it has {row.gold} gold, and its payments less its purchases are {left}."
    if entries and entries[-1].revision > row.revision:
        yield f"it is at revision {row.revision}, and its ledger at {entries[-1].revision}."


def _battles(connection: Connection) -> Iterator[str]:
    """9.1 to 9.3, 11.5: every battle ended as it could, was paid once to the right side, and has its seats closed."""
    seated: defaultdict[str, dict[str, str]] = defaultdict(dict)
    paid: defaultdict[str, dict[str, int]] = defaultdict(dict)
    opened = set()
    for seat in connection.execute(select(seats)):
        seated[seat.battle_id][seat.profile_id] = seat.side
        if seat.open:
            opened.add(seat.battle_id)
    for entry in connection.execute(select(ledger).where(ledger.c.battle_id.is_not(None))):
        paid[entry.battle_id][entry.profile_id] = entry.amount
    for row in connection.execute(select(battles)):
        yield from (f"Battle {row.id}: {problem}" for problem in _battle(row, seated[row.id], paid[row.id]))
        if (row.id in opened) == bool(row.ended):
            yield f"Battle {row.id}: its seats and its end contradict each other (rule 11.5)."


def _battle(row: Row[Any], seated: dict[str, str], paid: dict[str, int]) -> Iterator[str]:
    try:
        record = Record.from_json(row.record)
        if row.ended:
            check_end(record, row.outcome, row.ended)
    except ValueError as error:
        yield f"{error}."
        return
    due = earned(row.kind, seated, record, row.outcome)
    if paid != due:
        yield f"{sum(paid.values())} gold was paid for it, and {sum(due.values())} was earned (rules 9.1, 9.3)."
