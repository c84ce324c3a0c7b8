"""What can go wrong with a store, each with a sentence for the player and one for whoever runs the game."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from enum import StrEnum

from sqlalchemy import exc

from summon.profile import ProfileState, Refused


class Trouble(StrEnum):
    """The kinds of `StoreError`."""

    LOCKED = "locked"
    FULL = "full"
    READ_ONLY = "read-only"
    DAMAGED = "damaged"
    NEWER = "newer"
    FOREIGN = "foreign"
    UNREACHABLE = "unreachable"
    EXISTS = "exists"
    MISSING = "missing"
    FAILED = "failed"


_NOT_SAVED = "This could not be saved just now. Nothing is lost: please try again in a moment."
_NOT_OPEN = "The saved pets cannot be opened just now. Please tell whoever runs the game."

FOR_PLAYERS = {
    Trouble.LOCKED: _NOT_SAVED,
    Trouble.FULL: "There is no room left to save this. Nothing is lost. Please tell whoever runs the game.",
    Trouble.READ_ONLY: "Nothing can be saved just now. Nothing is lost. Please tell whoever runs the game.",
    Trouble.DAMAGED: _NOT_OPEN,
    Trouble.NEWER: _NOT_OPEN,
    Trouble.FOREIGN: _NOT_OPEN,
    Trouble.UNREACHABLE: _NOT_OPEN,
    Trouble.EXISTS: "There is something of that name already.",
    Trouble.MISSING: _NOT_OPEN,
    Trouble.FAILED: _NOT_SAVED,
}
"""What a player is told of each kind of trouble."""

FOR_OPERATORS = {
    Trouble.LOCKED: "The database {place} stayed locked by another program. Close what has it open, or wait.",
    Trouble.FULL: "The disk of the database {place} is full. Make room; what was confirmed is safe.",
    Trouble.READ_ONLY: "The database {place} cannot be written. Check the rights of the file and of its folder.",
    Trouble.DAMAGED: "The database {place} is damaged and was left as it is. Keep a copy, then restore a backup.",
    Trouble.NEWER: "The database {place} was made by a newer Summon. Run that one, or restore an older backup.",
    Trouble.FOREIGN: "The database {place} belongs to another program and was left as it is. Name another place.",
    Trouble.UNREACHABLE: "The database {place} cannot be opened.",
    Trouble.EXISTS: "{place} is there already and was left as it is. Name another place.",
    Trouble.MISSING: "There is no database {place}. It is made when the game is started with that place.",
    Trouble.FAILED: "The database {place} did not do what it was asked.",
}
"""What whoever runs the game is told of each kind of trouble."""


class StoreError(RuntimeError):
    """The store could not do what it was asked, and nothing of it was done.

    `kind` says what is wrong, `player` is a sentence for the player, and `operator`, which is the message too, one for
    whoever runs the game.
    """

    def __init__(self, kind: Trouble, place: str, detail: str = "") -> None:
        self.kind = kind
        self.player = FOR_PLAYERS[kind]
        self.operator = FOR_OPERATORS[kind].format(place=place) + (f" ({detail})" if detail else "")
        super().__init__(self.operator)


class Stale(RuntimeError):
    """Something was asked by a page that shows an older profile; nothing has changed.

    `state` is the profile as it is now, and `refused` why what was asked is refused now, if it is.
    """

    def __init__(self, state: ProfileState, refused: Refused | None = None) -> None:
        self.state, self.refused = state, refused
        super().__init__(f"the profile has changed since; it is at revision {state.revision} now")

    def __reduce__(self) -> tuple[type[Stale], tuple[ProfileState, Refused | None]]:
        return (Stale, (self.state, self.refused))


class NoProfile(LookupError):
    """There is no profile of this id."""


class NoBattle(LookupError):
    """There is no battle of this id in which this profile has a seat."""


_SQLITE = {
    sqlite3.SQLITE_BUSY: Trouble.LOCKED,
    sqlite3.SQLITE_LOCKED: Trouble.LOCKED,
    sqlite3.SQLITE_FULL: Trouble.FULL,
    sqlite3.SQLITE_READONLY: Trouble.READ_ONLY,
    sqlite3.SQLITE_PERM: Trouble.READ_ONLY,
    sqlite3.SQLITE_CORRUPT: Trouble.DAMAGED,
    sqlite3.SQLITE_NOTADB: Trouble.DAMAGED,
    sqlite3.SQLITE_CANTOPEN: Trouble.UNREACHABLE,
    sqlite3.SQLITE_IOERR: Trouble.UNREACHABLE,
}
"""SQLite's primary result codes."""

_POSTGRES = {
    "53100": Trouble.FULL,
    "25006": Trouble.READ_ONLY,
    "42501": Trouble.READ_ONLY,
    "55P03": Trouble.LOCKED,
    "40001": Trouble.LOCKED,
    "40P01": Trouble.LOCKED,
    "XX001": Trouble.DAMAGED,
    "XX002": Trouble.DAMAGED,
    "53300": Trouble.UNREACHABLE,
}
"""PostgreSQL's SQLSTATEs."""


def kind_of(error: BaseException) -> Trouble:
    """What kind of trouble an error of the database is."""
    if isinstance(error, exc.TimeoutError):
        return Trouble.LOCKED
    if isinstance(error, exc.DBAPIError) and error.orig is not None:
        error = error.orig
    if isinstance(error, sqlite3.Error):
        code: int = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR)
        return _SQLITE.get(code & 0xFF, Trouble.FAILED)
    state: str = getattr(error, "sqlstate", None) or ""
    lost = not state and type(error).__name__ in ("OperationalError", "InterfaceError")
    if lost or state.startswith(("08", "57P", "28", "3D")):
        return Trouble.UNREACHABLE
    return _POSTGRES.get(state, Trouble.FAILED)


@contextmanager
def told(place: str, clash: Refused | None = None) -> Iterator[None]:
    """Tell an error of the database as a StoreError; `clash` where another process wrote first what may be once."""
    try:
        yield
    except (exc.DBAPIError, exc.TimeoutError, sqlite3.Error) as error:
        if clash is not None and isinstance(error, exc.IntegrityError):
            raise clash from error
        reason = getattr(error, "orig", None) or error
        raise StoreError(kind_of(error), place, str(reason).strip().partition("\n")[0]) from error
