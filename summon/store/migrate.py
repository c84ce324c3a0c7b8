"""The schema of the database, brought up to date when a store is opened.

The migrations are in `summon/store/migrations`. All of them that are missing are applied in one transaction, under a
lock, so that of several programs that open a store at once one does it and the others find it done.
"""

from __future__ import annotations

from threading import Lock

from sqlalchemy import Connection, Engine, inspect, text

from summon.store.errors import StoreError, Trouble

HEAD = "summon_0001"
"""The newest migration."""

_POSTGRES_LOCK = 5_867_866_661
"""What programs that migrate the same PostgreSQL database lock: a number of our own."""

_one_at_a_time = Lock()  # Alembic keeps what it works on in its module


def version(connection: Connection) -> str:
    """The migration that a database is at; empty for an empty one."""
    if not inspect(connection).has_table("alembic_version"):
        return ""
    found: str | None = connection.scalar(text("SELECT version_num FROM alembic_version"))
    return found or ""


def bring_up_to_date(engine: Engine, place: str, fresh: bool = False) -> None:
    """Apply the migrations that are missing; `fresh` says that an empty database is expected.

    Raises StoreError where the database was made by a newer program (`newer`), or is not one of this game (`foreign`,
    or `damaged` where it is a file that should have held one).
    """
    with engine.connect() as connection:
        if version(connection) == HEAD:
            return
    with _one_at_a_time, engine.connect().execution_options(writes=True) as connection, connection.begin():
        if connection.dialect.name == "postgresql":
            connection.execute(text("SELECT pg_advisory_xact_lock(:number)"), {"number": _POSTGRES_LOCK})
        found = version(connection)
        if found == HEAD:
            return
        if not found:
            _check_empty(connection, place, fresh)
        _upgrade(connection, found, place)


def _check_empty(connection: Connection, place: str, fresh: bool) -> None:
    if inspect(connection).get_table_names():
        raise StoreError(Trouble.FOREIGN, place)
    if connection.dialect.name == "sqlite" and not fresh:
        raise StoreError(Trouble.DAMAGED, place, "it is empty")


def _upgrade(connection: Connection, found: str, place: str) -> None:
    # Only a program that has something to migrate loads Alembic.
    from alembic import command
    from alembic.config import Config
    from alembic.script import ScriptDirectory

    config = Config()
    config.set_main_option("script_location", "summon.store:migrations")
    known = {revision.revision for revision in ScriptDirectory.from_config(config).walk_revisions()}
    if found and found not in known:
        kind = Trouble.NEWER if inspect(connection).has_table("ledger") else Trouble.FOREIGN
        raise StoreError(kind, place, f"its schema is {found}, and this program's is {HEAD}")
    config.attributes["connection"] = connection
    command.upgrade(config, "head")
