"""The store: every call is one transaction, and what it returned is on disk."""

from __future__ import annotations

import os
import secrets
import sqlite3
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from threading import Lock
from typing import Any, Self
from weakref import ref

from sqlalchemy import ColumnElement, Connection, Engine, delete, distinct, func, insert, select, true, update

from summon import market
from summon.player import check_pet
from summon.profile import ProfileState, Refused, Why
from summon.record import Record, RecordError
from summon.store import battles, checking, migrate, place, profiles, tables
from summon.store.battles import SavedBattle
from summon.store.checking import Report
from summon.store.errors import NoBattle, Stale, StoreError, Trouble, told

VISIT_NOTED_EVERY = timedelta(hours=1)
"""A visit is noted when the last one was so long ago."""


def _now() -> datetime:
    return datetime.now(UTC)


class Store:
    """What all the people own, kept safe; made by `open`.

    It serves several threads, and several processes may have the same place open. Where a call does not return, its
    change is there whole or not at all, and what was confirmed before is there. Raises StoreError where the database
    does not do what it should, Refused where a rule forbids what was asked, and NoProfile for an unknown profile.
    """

    def __init__(self, engine: Engine, shown: str, clock: Callable[[], datetime] = _now) -> None:
        self.place = shown
        """Where it is, without a password, to be told at the start."""
        self.links = 0
        """Grows whenever a browser is given or loses a profile through this object."""
        self._engine, self._clock = engine, clock
        self._is_sqlite = engine.dialect.name == "sqlite"
        # SQLite has one writer at a time. Threads queue here, where they are woken, and not there, where they poll.
        self._turn: AbstractContextManager[object] = Lock() if self._is_sqlite else nullcontext()
        if hasattr(os, "register_at_fork"):
            os.register_at_fork(after_in_child=partial(_begin_anew, ref(self)))

    @classmethod
    def open(cls, where: str | Path | None = None, *, make: bool = True, clock: Callable[[], datetime] = _now) -> Self:
        """11.1: open a store, and where there is none `make` it; the schema is brought up to date.

        `where` is a path, an SQLAlchemy URL, or None for what the variable SUMMON_STORE names, else a file in the
        user's data folder. Raises StoreError where that cannot be; a damaged file is left as it is.
        """
        url = place.url_of(where)
        shown = place.shown(url)
        path = place.file_of(url)
        if path is not None:
            if not os.path.exists(path):
                if not make:
                    raise StoreError(Trouble.MISSING, shown)
                place.make_file(path, _fill)
            place.secure(path)
        engine = place.engine_for(url)
        try:
            with told(shown):
                migrate.bring_up_to_date(engine, shown)
                if path is not None:
                    _write_ahead(engine)
        except BaseException:
            engine.dispose()
            raise
        return cls(engine, shown, clock)

    def close(self) -> None:
        """Close every connection. The store must not be used afterwards."""
        self._engine.dispose()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # Transactions

    @contextmanager
    def _writing(self, clash: Refused | None = None, *, quick: bool = False) -> Iterator[Connection]:
        """A transaction that writes; `clash` is raised where another process wrote first what may be there once.

        A `quick` one need not outlive a power cut, and does not wait for the disk.
        """
        with (
            told(self.place, clash),
            self._turn,
            self._engine.connect().execution_options(writes=True, quick=quick) as connection,
            connection.begin(),
        ):
            yield connection

    @contextmanager
    def _linking(self) -> Iterator[Connection]:
        """A transaction that gives a browser a profile, or takes it away."""
        with self._writing() as connection:
            yield connection
        self.links += 1

    @contextmanager
    def _reading(self) -> Iterator[Connection]:
        """A moment of the database: what is read later in it is as old as what is read first."""
        options: dict[str, Any] = {} if self._is_sqlite else {"isolation_level": "REPEATABLE READ"}
        # It is never committed, but let go of: from a damaged file even a commit without changes may fail.
        with told(self.place), self._engine.connect().execution_options(**options) as connection:
            yield connection

    def _locked(self, connection: Connection, profile_id: str) -> ProfileState:
        return profiles.read(connection, profile_id, self.place, lock=True)

    def _read(self, connection: Connection, profile_id: str) -> ProfileState:
        return profiles.read(connection, profile_id, self.place)

    # Profiles and browsers

    def create(self, token_hash: str, pet: str) -> ProfileState:
        """1.1: a new profile with a pet for good, for the browser with a token of this hash.

        Refused where that browser has one; ValueError where there is no such pet.
        """
        check_pet(pet)
        now, profile_id = self._clock(), secrets.token_hex(16)
        has_one = Refused(Why.HAS_PROFILE, "1.1", pet)
        with self._writing(has_one) as connection:
            if connection.scalar(select(tables.tokens.c.linked).where(tables.tokens.c.token_hash == token_hash)):
                raise has_one
            profile = {"id": profile_id, "pet": pet, "gold": 0, "revision": 1, "deck_revision": 1, "code_counter": 0}
            connection.execute(insert(tables.profiles).values(**profile, created=now, saved=now, seen=now))
            linked = {"token_hash": token_hash, "profile_id": profile_id, "linked": now, "seen": now}
            connection.execute(insert(tables.tokens).values(linked))
            return self._read(connection, profile_id)

    def profile_of(self, token_hash: str) -> ProfileState | None:
        """11.2: the profile of a browser, or None; the visit is noted where that is possible."""
        with self._reading() as connection:
            tokens = tables.tokens
            row = connection.execute(select(tokens).where(tokens.c.token_hash == token_hash)).one_or_none()
            if row is None:
                return None
            state = self._read(connection, row.profile_id)
        now = self._clock()
        if now - row.seen >= VISIT_NOTED_EVERY:
            self._note_visit(token_hash, state.id, now)
        return state

    def _note_visit(self, token_hash: str, profile_id: str, now: datetime) -> None:
        try:
            with self._writing() as connection:
                tokens, owners = tables.tokens, tables.profiles
                connection.execute(update(tokens).where(tokens.c.token_hash == token_hash).values(seen=now))
                connection.execute(update(owners).where(owners.c.id == profile_id).values(seen=now))
        except StoreError as error:
            # Who cannot be noted down is still let in: a full disk must not hide a pet.
            if error.kind not in (Trouble.LOCKED, Trouble.FULL, Trouble.READ_ONLY):
                raise

    def get(self, profile_id: str) -> ProfileState:
        """A profile as it is now."""
        with self._reading() as connection:
            return self._read(connection, profile_id)

    def link(self, token_hash: str, profile_id: str) -> ProfileState:
        """11.3: let a browser use a profile from now on, whichever it used before."""
        now, tokens = self._clock(), tables.tokens
        with self._linking() as connection:
            state = self._locked(connection, profile_id)
            connection.execute(delete(tokens).where(tokens.c.token_hash == token_hash))
            linked = {"token_hash": token_hash, "profile_id": profile_id, "linked": now, "seen": now}
            connection.execute(insert(tokens).values(linked))
            return state

    def unlink(self, token_hash: str) -> None:
        """Let a browser forget its profile, which stays."""
        with self._linking() as connection:
            connection.execute(delete(tables.tokens).where(tables.tokens.c.token_hash == token_hash))

    def sign_out_others(self, profile_id: str, keep_token_hash: str) -> int:
        """11.3: let every browser but one forget a profile; returns how many did."""
        tokens = tables.tokens
        with self._linking() as connection:
            self._locked(connection, profile_id)
            others = (tokens.c.profile_id == profile_id) & (tokens.c.token_hash != keep_token_hash)
            return connection.execute(delete(tokens).where(others)).rowcount

    def note_saved(self, profile_id: str) -> ProfileState:
        """11.3: save now: note that the profile was saved, which shows that it can be."""
        with self._writing() as connection:
            self._locked(connection, profile_id)
            owners = tables.profiles
            connection.execute(update(owners).where(owners.c.id == profile_id).values(saved=self._clock()))
            return self._read(connection, profile_id)

    # The recovery code

    def code_counter(self, profile_id: str) -> int:
        """11.3: which recovery code of a profile counts, by its number; 0 at first."""
        with self._reading() as connection:
            self._read(connection, profile_id)
            owners = tables.profiles
            return connection.scalars(select(owners.c.code_counter).where(owners.c.id == profile_id)).one()

    def set_code_hash(self, profile_id: str, code_hash: str, counter: int) -> None:
        """11.3: keep the hash of a recovery code; the one before is worth nothing any more.

        Stale where a code of a higher number is there.
        """
        owners = tables.profiles
        with self._writing() as connection:
            state = self._locked(connection, profile_id)
            present = connection.scalars(select(owners.c.code_counter).where(owners.c.id == profile_id)).one()
            if counter < present:
                raise Stale(state)
            connection.execute(
                update(owners).where(owners.c.id == profile_id).values(code_hash=code_hash, code_counter=counter)
            )

    def by_code_hash(self, code_hash: str) -> ProfileState | None:
        """11.3: the profile of a recovery code, by its hash, or None."""
        owners = tables.profiles
        with self._reading() as connection:
            found = connection.scalar(select(owners.c.id).where(owners.c.code_hash == code_hash))
            return None if found is None else self._read(connection, found)

    # The market and the deck

    def buy(self, profile_id: str, item: str, revision: int | None = None) -> ProfileState:
        """10.1 to 10.5: buy an item; Refused where it is not sold to this profile now.

        A `revision` is that of the profile which the buyer saw. Where that is not the present one, what can still be
        bought is bought, and what cannot is Stale.
        """
        market.item_of(item)
        with self._writing() as connection:
            state = self._locked(connection, profile_id)
            try:
                after = market.bought(state, item)
            except Refused as refused:
                if revision is not None and revision != state.revision:
                    raise Stale(state, refused) from None
                raise
            now = self._clock()
            made = profiles.book(connection, state, after.gold - state.gold, now, item=item)
            if after.deck != state.deck:
                profiles.write_deck(connection, profile_id, after.deck, made, now)
            return self._read(connection, profile_id)

    def set_deck(self, profile_id: str, cards: Sequence[str], revision: int) -> ProfileState:
        """1.4: choose the deck, by the revision that its player saw; Stale where the deck has changed since.

        Refused for a card that is not owned or named twice, or too many.
        """
        owners = tables.profiles
        with self._writing() as connection:
            state = self._locked(connection, profile_id)
            if tuple(cards) == state.deck:
                return state
            changed = connection.scalars(select(owners.c.deck_revision).where(owners.c.id == profile_id)).one()
            if not changed <= revision <= state.revision:
                raise Stale(state)
            after = state.with_deck(tuple(cards))
            profiles.write_deck(connection, profile_id, after.deck, state.revision + 1, self._clock())
            return self._read(connection, profile_id)

    # Battles

    def begin_battle(self, battle_id: str, record: Record, kind: str, seats: Mapping[str, str]) -> SavedBattle:
        """1.6, 11.5: begin a battle; `seats` says by profile id which side (`first` or `second`) it plays.

        `kind` is `computer`, `friend` or `practice`. In the first two each side brings what its profile has: Stale
        where that has changed. Refused where a profile is in a battle already, or the id is taken.
        """
        with self._writing(Refused(Why.BATTLE_KNOWN, "9.1", battle_id)) as connection:
            states = [self._locked(connection, profile_id) for profile_id in sorted(seats)]
            return battles.begin(connection, battle_id, record, kind, states, seats, self._clock())

    def save_battle(self, battle_id: str, record: Record) -> None:
        """Keep a battle after a reveal. A record that is older than what is kept changes nothing.

        Refused where the battle has ended; ValueError for the record of another battle. After a power cut its last
        turns may have to be chosen again.
        """
        with self._writing(quick=True) as connection:
            battles.save(connection, battle_id, record, self._clock())

    def touch_battle(self, battle_id: str) -> None:
        """11.4: note that somebody has chosen, so that the battle is not idle."""
        with self._writing(quick=True) as connection:
            battles.touch(connection, battle_id, self._clock())

    def finish_battle(self, battle_id: str, record: Record, outcome: str, ended: str) -> SavedBattle:
        """9.1 to 9.3: end a battle and pay for it, in one transaction and once.

        Where it has ended already nothing changes, and what is returned is how it ended. ValueError where a battle of
        this record cannot end so.
        """
        with self._writing() as connection:
            saved = battles.read(connection, battle_id, lock=True)
            return battles.finish(connection, saved, record, outcome, ended, self._clock(), self.place)

    def unfinished(self, profile_id: str) -> SavedBattle | None:
        """11.5: the battle that a profile is in, or None."""
        with self._reading() as connection:
            mine = select(tables.seats.c.battle_id).where(tables.seats.c.profile_id == profile_id)
            found = connection.scalar(mine.where(tables.seats.c.open == 1))
            return None if found is None else battles.read(connection, found)

    def abandon_idle(self, older_than: timedelta) -> list[str]:
        """11.4: end every battle in which nobody has chosen for so long, without a winner; returns their ids.

        Where the last reveal that was saved has decided a battle, it ends by that.
        """
        kept = tables.battles
        with self._writing() as connection:
            now = self._clock()
            idle = select(kept.c.id).where(kept.c.ended == "", kept.c.moved <= now - older_than)
            ids = list(connection.scalars(idle.order_by(kept.c.id).with_for_update()))
            # In the one order in which profiles are locked, so that nobody who begins a battle meanwhile is in the way.
            theirs = select(tables.seats.c.profile_id).where(tables.seats.c.battle_id.in_(ids))
            owners = tables.profiles
            connection.execute(
                select(owners.c.id).where(owners.c.id.in_(theirs)).order_by(owners.c.id).with_for_update()
            )
            for battle_id in ids:
                battles.abandon(connection, battles.read(connection, battle_id), now, self.place)
            return ids

    def history(self, profile_id: str, limit: int = 20, before: str | None = None) -> list[SavedBattle]:
        """The ended battles of a profile, the last one first; `before` is the id of one that it is to go on from.

        9.2: one that was left before the first reveal is not among them. 1.9: of a friend's deck the records hold what
        was revealed.
        """
        kept, seats = tables.battles, tables.seats
        uncounted = (kept.c.ended == "left") & (kept.c.outcome == "unfinished")
        mine = select(kept).join(seats).where(seats.c.profile_id == profile_id, kept.c.ended != "", ~uncounted)
        with self._reading() as connection:
            if before is not None:
                at = connection.execute(select(kept.c.finished, kept.c.id).where(kept.c.id == before)).one_or_none()
                if at is None:
                    raise NoBattle(battles.NO_SUCH_BATTLE)
                mine = mine.where(
                    (kept.c.finished < at.finished) | ((kept.c.finished == at.finished) & (kept.c.id < at.id))
                )
            rows = connection.execute(mine.order_by(kept.c.finished.desc(), kept.c.id.desc()).limit(limit)).all()
            return [battles.seen_by(profile_id, saved) for saved in battles.told(connection, rows)]

    def finished(self, profile_id: str, battle_id: str) -> SavedBattle:
        """An ended battle that a profile played; NoBattle where this is none.

        1.9: of a friend's deck its record holds what was revealed.
        """
        with self._reading() as connection:
            saved = battles.read(connection, battle_id)
            if profile_id not in saved.seats or not saved.ended:
                raise NoBattle(battles.NO_SUCH_BATTLE)
            return battles.seen_by(profile_id, saved)

    # Care

    def all_ended(self, at_once: int = 500) -> Iterator[tuple[str, Record | RecordError, str]]:
        """The id, record and outcome of every ended battle, the first one first, for whoever runs the game alone (1.9).

        One whose record cannot be read comes with its RecordError. They are read in pages, so memory does not grow with
        them. 9.2: what was left before the first reveal is not among them.
        """
        kept = tables.battles
        uncounted = (kept.c.ended == "left") & (kept.c.outcome == "unfinished")
        ended = select(kept.c.id, kept.c.record, kept.c.outcome, kept.c.finished).where(kept.c.ended != "", ~uncounted)
        page = ended.order_by(kept.c.finished, kept.c.id).limit(at_once)
        after: ColumnElement[bool] = true()
        while True:
            with self._reading() as connection:
                rows = connection.execute(page.where(after)).all()
            for row in rows:
                yield row.id, battles.kept_record(row.record), row.outcome
            if len(rows) < at_once:
                return
            last = rows[-1]
            after = (kept.c.finished > last.finished) | ((kept.c.finished == last.finished) & (kept.c.id > last.id))

    def backup(self, path: str | Path) -> None:
        """Copy the whole store to a new file, at one moment, while it is in use. What is there is not overwritten."""
        if not self._is_sqlite:
            told_how = f"pg_dump --format=custom --file={path} makes a backup of a PostgreSQL database"
            raise StoreError(Trouble.FAILED, self.place, told_how)

        def fill(target: Path) -> None:
            with told(self.place), self._engine.connect() as connection:
                source = connection.connection.driver_connection
                assert isinstance(source, sqlite3.Connection)
                place.copy(source, target, self.place)

        target = Path(path).expanduser().absolute()
        if target.exists() or not place.make_file(target, fill):
            raise StoreError(Trouble.EXISTS, str(target))

    def check(self) -> Report:
        """Whether everything is as it must be: the file, the rules of section 10, and the books."""
        with self._reading() as connection:
            return checking.report(connection, self.place)

    def counts(self) -> dict[str, int | bool]:
        """How the store is, for whoever runs the game: a look that writes nothing, is quick, and names nobody.

        `works` says whether the database could be asked; if it could, `profiles` says how many there are, and
        `unfinished` how many battles go on.
        """
        going_on = select(func.count(distinct(tables.seats.c.battle_id))).where(tables.seats.c.open == 1)
        try:
            with self._reading() as connection:
                owners = connection.scalars(select(func.count()).select_from(tables.profiles)).one()
                return {"works": True, "profiles": owners, "unfinished": connection.scalars(going_on).one()}
        except StoreError:
            return {"works": False}


def _begin_anew(store: ref[Store]) -> None:
    """After a fork: the connections and the queue that came along are the parent's."""
    known = store()
    if known is not None:
        known._engine.dispose(close=False)
        known._turn = Lock() if known._is_sqlite else nullcontext()


def _fill(path: Path) -> None:
    engine = place.engine_for(place.url_of(path))
    try:
        with told(str(path)):
            _write_ahead(engine)
            migrate.bring_up_to_date(engine, str(path), fresh=True)
    finally:
        engine.dispose()


def _write_ahead(engine: Engine) -> None:
    """Let whoever reads an SQLite file go on while somebody writes."""
    connection = engine.raw_connection()
    try:
        cursor = connection.cursor()
        cursor.execute("PRAGMA journal_mode")
        if cursor.fetchone() != ("wal",):
            cursor.execute("PRAGMA journal_mode = WAL")
        cursor.close()
    finally:
        connection.close()


def backup(path: str | Path, where: str | Path | None = None) -> None:
    """Copy a store that is there to a new file; raises as `Store.open` and `Store.backup` do."""
    with Store.open(where, make=False) as store:
        store.backup(path)


def check(where: str | Path | None = None) -> Report:
    """Check a store that is there; raises as `Store.open` does."""
    with Store.open(where, make=False) as store:
        return store.check()
