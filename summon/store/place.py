"""Where a store is: a file or an address, with an engine for it whose settings keep what was confirmed."""

from __future__ import annotations

import errno
import os
import secrets
import sqlite3
import stat
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import platformdirs
from sqlalchemy import URL, Connection, Engine, create_engine, event, exc, make_url

from summon.store.errors import StoreError, Trouble, told

VARIABLE = "SUMMON_STORE"
"""The environment variable that names the place of the store."""

BUSY_SECONDS = 10
"""How long a call waits for another one's lock."""

_FILE_TROUBLES = {
    errno.ENOSPC: Trouble.FULL,
    errno.EACCES: Trouble.READ_ONLY,
    errno.EPERM: Trouble.READ_ONLY,
    errno.EROFS: Trouble.READ_ONLY,
}


def url_of(place: str | Path | None = None) -> URL:
    """The address of a place: an SQLAlchemy URL or a path, else what SUMMON_STORE says, else the user's data folder.

    Raises StoreError for an address that is none, or of a database that is neither SQLite nor PostgreSQL.
    """
    named = str(place or os.environ.get(VARIABLE) or default_path())
    if "://" not in named:
        return URL.create("sqlite", database=str(Path(named).expanduser().absolute()))
    try:
        url = make_url(named)
    except exc.ArgumentError:
        raise StoreError(Trouble.UNREACHABLE, VARIABLE, "this is neither a path nor an address") from None
    backend = url.get_backend_name()
    if backend == "postgresql":
        return url.set(drivername="postgresql+psycopg")
    if backend != "sqlite" or url.database in (None, "", ":memory:"):
        raise StoreError(Trouble.UNREACHABLE, shown(url), "a store is an SQLite file or a PostgreSQL database")
    return url


def default_path() -> Path:
    """The file in the user's data folder."""
    return Path(platformdirs.user_data_dir("summon", appauthor=False)) / "summon.db"


def shown(url: URL) -> str:
    """A place as it may be told: the path, or the address without its password."""
    if url.get_backend_name() == "sqlite":
        return str(url.database)
    return url.difference_update_query([name for name in url.query if "pass" in name]).render_as_string()


def file_of(url: URL) -> Path | None:
    """The file of an SQLite store that is given by its path; None where the address has a form of its own."""
    database = url.database or ""
    if url.get_backend_name() != "sqlite" or database.startswith("file:"):
        return None
    return Path(database)


def engine_for(url: URL) -> Engine:
    """An engine that waits for locks, checks foreign keys, and has on disk what it confirmed.

    What a connection with the execution option `quick` confirms outlives this process, but not a power cut.
    """
    if url.get_backend_name() == "sqlite":
        return _sqlite_engine(url)
    try:
        engine = create_engine(url, pool_pre_ping=True, connect_args={"connect_timeout": BUSY_SECONDS})
    except ModuleNotFoundError:
        missing = "its driver is missing: pip install 'psycopg[binary]'"
        raise StoreError(Trouble.UNREACHABLE, shown(url), missing) from None
    event.listen(engine, "connect", _postgres_settings)
    event.listen(engine, "begin", _postgres_begin)
    return engine


def _sqlite_engine(url: URL) -> Engine:
    path = file_of(url)
    settings: dict[str, Any] = {"timeout": BUSY_SECONDS, "check_same_thread": False}
    if path is None:
        engine = create_engine(url, connect_args=settings)
    else:
        # Opened for writing only: a file that somebody took away is missed, and not made anew without a word.
        address = f"{path.absolute().as_uri()}?mode=rw"
        engine = create_engine(url, creator=lambda: sqlite3.connect(address, uri=True, **settings))
    event.listen(engine, "connect", _sqlite_settings)
    event.listen(engine, "begin", _sqlite_begin)
    return engine


def _sqlite_settings(connection: sqlite3.Connection, _record: object) -> None:
    connection.isolation_level = None  # transactions begin where _sqlite_begin says, not where Python guesses
    for setting in ("foreign_keys = ON", "synchronous = FULL", "fullfsync = ON"):
        connection.execute(f"PRAGMA {setting}")


def _sqlite_begin(connection: Connection) -> None:
    options = connection.get_execution_options()
    connection.exec_driver_sql(f"PRAGMA synchronous = {'NORMAL' if options.get('quick') else 'FULL'}")
    # Who will write takes the lock at once: one who has read first would be refused it, however long it waited.
    connection.exec_driver_sql("BEGIN IMMEDIATE" if options.get("writes") else "BEGIN")


def _postgres_begin(connection: Connection) -> None:
    if connection.get_execution_options().get("quick"):
        connection.exec_driver_sql("SET LOCAL synchronous_commit = off")


def _postgres_settings(connection: Any, _record: object) -> None:
    with connection.cursor() as cursor:
        cursor.execute(f"SET lock_timeout = '{BUSY_SECONDS}s'")
    connection.commit()


def secure(path: Path) -> None:
    """11.3: keep an existing file of a store to its owner, as far as that is up to us."""
    if os.name == "posix" and path.is_file() and path.stat().st_mode & (stat.S_IRWXG | stat.S_IRWXO):
        with suppress(OSError):
            path.chmod(0o600)


def make_file(path: Path, fill: Callable[[Path], None]) -> bool:
    """Make a file that others see either whole or not at all; False where there is one, which stays as it is.

    `fill` makes the SQLite database at the path that it is given. The file is for its owner alone, and so is a folder
    that is made for it.
    """
    try:
        _make_folder(path.parent)
        made = path.parent / f".{path.name}.{secrets.token_hex(4)}"
        os.close(os.open(made, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
    except OSError as error:
        raise _cannot_make(path, error) from error
    try:
        fill(made)
        return _put(made, path)
    except OSError as error:
        raise _cannot_make(path, error) from error
    finally:
        for left in (made, Path(f"{made}-wal"), Path(f"{made}-shm"), Path(f"{made}-journal")):
            left.unlink(missing_ok=True)


def _make_folder(folder: Path) -> None:
    if not folder.is_dir():
        folder.parent.mkdir(parents=True, exist_ok=True)
        folder.mkdir(mode=0o700, exist_ok=True)


def _cannot_make(path: Path, error: OSError) -> StoreError:
    return StoreError(_FILE_TROUBLES.get(error.errno or 0, Trouble.UNREACHABLE), str(path), error.strerror or "")


def _put(made: Path, path: Path) -> bool:
    """Give a file its name, unless that is taken; the name is on disk afterwards."""
    try:
        os.link(made, path)
    except FileExistsError:
        return False
    except OSError:  # a file system without links
        if path.exists():
            return False
        made.rename(path)
    if os.name == "posix":
        folder = os.open(path.parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)
    return True


def copy(source: sqlite3.Connection, target: Path, place: str) -> None:
    """A whole copy of an open SQLite database in a new file, at one moment, while others go on writing."""
    with told(place):
        copied = sqlite3.connect(target)
        try:
            source.backup(copied)
            found = [row[0] for row in copied.execute("PRAGMA integrity_check")]
            if found != ["ok"]:
                raise StoreError(Trouble.DAMAGED, place, found[0])
        finally:
            copied.close()
