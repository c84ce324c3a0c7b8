"""Battles in the database: begun, saved after each reveal, finished and paid. Each function works in a transaction of
its caller.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from types import MappingProxyType
from typing import Any, NamedTuple

from sqlalchemy import Connection, Row, insert, select, update

from summon.position import SIDES, gold_for
from summon.profile import ProfileState, Refused, Why
from summon.record import Record, RecordError
from summon.store import profiles
from summon.store.errors import NoBattle, Stale
from summon.store.tables import battles, ledger, seats

KINDS = ("computer", "friend", "practice")
"""What a battle can be: with two profiles against a friend, else with one. Practice is for no gold (9.3)."""

NO_SUCH_BATTLE = "there is no such battle"

ENDINGS = ("beaten", "left", "idle", "broken")
"""How a battle ends: by the rules (8.2), by a side that left (9.2), by idle time (11.4) or a fault of the program."""


class SavedBattle(NamedTuple):
    """A battle as it is kept.

    `seats` says by profile which side it plays. `record` is the battle so far. `ended` is empty while it goes on, and
    `gold` says by profile what was paid for it.
    """

    id: str
    kind: str
    seats: Mapping[str, str]
    record: Record
    outcome: str
    ended: str
    begun: datetime
    moved: datetime
    finished: datetime | None
    gold: Mapping[str, int]

    @property
    def turn(self) -> int:
        """1.5: the number of the turn in play."""
        return self.record.opening().turn + len(self.record.turns)


def earns(kind: str, record: Record) -> bool:
    """9.3: whether a battle of profiles is played for gold: by the default rules, from the start, and no practice."""
    return kind != "practice" and not record.changed and record.start is None


def read(connection: Connection, battle_id: str, *, lock: bool = False) -> SavedBattle:
    """A battle; NoBattle where there is none. With `lock`, nobody else changes it before the transaction ends."""
    found = select(battles).where(battles.c.id == battle_id)
    row = connection.execute(found.with_for_update() if lock else found).one_or_none()
    if row is None:
        raise NoBattle(NO_SUCH_BATTLE)
    return told(connection, [row])[0]


def told(connection: Connection, rows: Sequence[Row[Any]]) -> list[SavedBattle]:
    """The battles of some rows, with their seats and payments."""
    ids = [row.id for row in rows]
    seated: dict[str, dict[str, str]] = {battle_id: {} for battle_id in ids}
    paid: dict[str, dict[str, int]] = {battle_id: {} for battle_id in ids}
    for seat in connection.execute(select(seats).where(seats.c.battle_id.in_(ids)).order_by(seats.c.side)):
        seated[seat.battle_id][seat.profile_id] = seat.side
        paid[seat.battle_id][seat.profile_id] = 0
    for entry in connection.execute(select(ledger).where(ledger.c.battle_id.in_(ids))):
        paid[entry.battle_id][entry.profile_id] = entry.amount
    return [
        SavedBattle(
            row.id,
            row.kind,
            MappingProxyType(seated[row.id]),
            Record.from_json(row.record),
            row.outcome,
            row.ended,
            row.begun,
            row.moved,
            row.finished,
            MappingProxyType(paid[row.id]),
        )
        for row in rows
    ]


def kept_record(text: str) -> Record | RecordError:
    """A record as it is kept, or why it cannot be read any more."""
    try:
        return Record.from_json(text)
    except RecordError as error:
        return error


def seen_by(profile_id: str, saved: SavedBattle) -> SavedBattle:
    """1.9: the battle as one of its profiles may look at it: of a friend's deck it holds what was revealed."""
    if len(saved.seats) == 1:
        return saved
    return saved._replace(record=saved.record.seen_by(SIDES.index(saved.seats[profile_id])))


def begin(
    connection: Connection,
    battle_id: str,
    record: Record,
    kind: str,
    states: Sequence[ProfileState],
    seated: Mapping[str, str],
    now: datetime,
) -> SavedBattle:
    """1.6, 11.5: begin a battle of locked profiles, of which `seated` says by id which side each plays."""
    sides = sorted(seated.values())
    if kind not in KINDS or sides not in ((["first", "second"],) if kind == "friend" else (["first"], ["second"])):
        raise ValueError(f"a battle is one of {', '.join(KINDS)}, with a profile on each side only against a friend")
    taken = select(seats.c.profile_id).where(seats.c.profile_id.in_(seated), seats.c.open == 1).limit(1)
    busy = connection.scalar(taken)
    if busy is not None:
        raise Refused(Why.IN_BATTLE, "11.5", busy)
    if connection.scalar(select(battles.c.id).where(battles.c.id == battle_id)):
        raise Refused(Why.BATTLE_KNOWN, "9.1", battle_id)
    if kind != "practice":
        for state in states:
            _check_own(record, seated[state.id], state)
    connection.execute(
        insert(battles).values(
            id=battle_id, kind=kind, record=record.to_json(), outcome="unfinished", ended="", begun=now, moved=now
        )
    )
    connection.execute(
        insert(seats),
        [{"battle_id": battle_id, "profile_id": state.id, "side": seated[state.id], "open": 1} for state in states],
    )
    return read(connection, battle_id)


def _check_own(record: Record, side: str, state: ProfileState) -> None:
    """9.3: a side brings what its profile has now; Stale where the profile has changed since it was looked at."""
    brought = record.players[SIDES.index(side)]
    if state.player(brought.name) != brought:
        raise Stale(state)


def _check_goes_on(begun: Record, record: Record) -> None:
    same = (begun.players, begun.changed, begun.start) == (record.players, record.changed, record.start)
    shorter = min(len(begun.turns), len(record.turns))
    if not same or begun.turns[:shorter] != record.turns[:shorter]:
        raise ValueError("this record is of another battle")


def save(connection: Connection, battle_id: str, record: Record, now: datetime) -> None:
    """Keep a battle as far as it has come, if the record is longer; NoBattle where there is no such battle."""
    kept = connection.execute(
        select(battles.c.record, battles.c.ended).where(battles.c.id == battle_id).with_for_update()
    ).one_or_none()
    if kept is None:
        raise NoBattle(NO_SUCH_BATTLE)
    if kept.ended:
        raise Refused(Why.BATTLE_OVER, "8.2", battle_id)
    text = record.to_json()
    if text == kept.record:
        return
    # The turns come last, so what goes on begins as what is kept does, less the end of that; all else is looked at.
    if not text.startswith(kept.record.removesuffix("]}")):
        begun = Record.from_json(kept.record)
        _check_goes_on(begun, record)
        if len(record.turns) <= len(begun.turns):
            return
    connection.execute(update(battles).where(battles.c.id == battle_id).values(record=text, moved=now))


def touch(connection: Connection, battle_id: str, now: datetime) -> None:
    """11.4: note that somebody has chosen, so that an unfinished battle is not idle."""
    connection.execute(update(battles).where(battles.c.id == battle_id, battles.c.ended == "").values(moved=now))


def outcome_of(record: Record) -> str:
    """8.2: how a record's turns leave the battle; RecordError where one breaks a rule."""
    played = record.opening().outcome
    for round_ in record.play():
        played = round_.after.outcome
    return played


def check_end(record: Record, outcome: str, ended: str) -> None:
    """8.2, 9.2, 11.4: ValueError unless a battle can have ended so; RecordError where its record breaks a rule."""
    played = outcome_of(record)
    possible = {
        "beaten": {played} - {"unfinished"},
        "left": set(SIDES if record.turns else ["unfinished"]) if played == "unfinished" else set(),
        "idle": {played} & {"unfinished"},
        "broken": {played} & {"unfinished"},
    }
    if outcome not in possible.get(ended, set()):
        raise ValueError(f"a battle of this record does not end as {outcome!r} by {ended!r}")


def finish(
    connection: Connection, saved: SavedBattle, record: Record, outcome: str, ended: str, now: datetime, place: str
) -> SavedBattle:
    """9.1 to 9.3: end a locked battle and pay for it; one that has ended already stays as it is."""
    if saved.ended:
        return saved
    _check_goes_on(saved.record, record)
    if len(record.turns) < len(saved.record.turns):
        raise ValueError("this record is shorter than what was saved of the battle")
    check_end(record, outcome, ended)
    return _end(connection, saved, record, outcome, ended, now, place)


def abandon(connection: Connection, saved: SavedBattle, now: datetime, place: str) -> None:
    """11.4: end a locked battle because it is idle; what its last reveal has decided is decided."""
    try:
        outcome = outcome_of(saved.record)
    except RecordError:  # of rules that have changed since
        outcome = "unfinished"
    _end(connection, saved, saved.record, outcome, "idle" if outcome == "unfinished" else "beaten", now, place)


def _end(
    connection: Connection, saved: SavedBattle, record: Record, outcome: str, ended: str, now: datetime, place: str
) -> SavedBattle:
    connection.execute(
        update(battles)
        .where(battles.c.id == saved.id)
        .values(record=record.to_json(), outcome=outcome, ended=ended, moved=now, finished=now)
    )
    connection.execute(update(seats).where(seats.c.battle_id == saved.id).values(open=0))
    for profile_id, amount in sorted(earned(saved.kind, saved.seats, record, outcome).items()):
        state = profiles.read(connection, profile_id, place, lock=True)
        profiles.book(connection, state, amount, now, battle_id=saved.id)
    return read(connection, saved.id)


def earned(kind: str, seated: Mapping[str, str], record: Record, outcome: str) -> dict[str, int]:
    """9.1, 9.3: the gold of each profile that has earned some."""
    if not earns(kind, record):
        return {}
    gold = gold_for(outcome, (record.players[0].evolved, record.players[1].evolved))
    won = {profile_id: gold[SIDES.index(side)] for profile_id, side in seated.items()}
    return {profile_id: amount for profile_id, amount in won.items() if amount}
