"""Fixtures for the tests of the store: the same suite runs on SQLite and on a real PostgreSQL."""

import re
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import pytest
from sqlalchemy import make_url

from summon.profile import ProfileState
from summon.store import Store
from summon.store.migrate import HEAD
from summon.store.tables import metadata
from tests.store.postgres import NoPostgresError, Postgres

HERE = Path(__file__).resolve().parent


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Keep what needs PostgreSQL on one worker, so that one server is started."""
    for item in items:
        needs_server = "server" in getattr(item, "fixturenames", ()) or "postgres" in item.name
        if item.path.is_relative_to(HERE) and needs_server:
            item.add_marker(pytest.mark.xdist_group("postgres"))


@pytest.fixture(scope="session")
def server() -> Iterator[Postgres]:
    """Give a running PostgreSQL."""
    try:
        running = Postgres()
    except NoPostgresError as error:
        pytest.fail(str(error), pytrace=False)
    yield running
    running.stop()


@pytest.fixture(params=["sqlite", "postgres"])
def empty_place(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Give the place of a store that is not there yet."""
    if request.param == "sqlite":
        return str(tmp_path / "store" / "summon.db")
    running: Postgres = request.getfixturevalue("server")
    return running.new_database()


@pytest.fixture(scope="session")
def postgres_place(server: Postgres) -> str:
    """Give the address of a PostgreSQL store that the tests share, one after the other."""
    address = server.new_database()
    Store.open(address).close()
    return address


@pytest.fixture(params=["sqlite", "postgres"])
def place(request: pytest.FixtureRequest) -> str:
    """Give the place of a store without profiles."""
    if request.param == "sqlite":
        copied: str = request.getfixturevalue("sqlite_place")
        return copied
    address: str = request.getfixturevalue("postgres_place")
    running: Postgres = request.getfixturevalue("server")
    with running.connect(make_url(address).database) as connection:
        for table in reversed(metadata.sorted_tables):
            connection.execute(f"DELETE FROM {table.name}")
        connection.execute(f"UPDATE alembic_version SET version_num = '{HEAD}'")
    return address


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """Give the path of an SQLite store that is not there yet."""
    return tmp_path / "store" / "summon.db"


@pytest.fixture
def look(place: str, store: Store, request: pytest.FixtureRequest) -> Callable[..., list]:
    """Give a function that asks or changes the database of `store` behind its back; moments come in UTC."""

    def in_sqlite(statement: str) -> list:
        with closing(sqlite3.connect(place, isolation_level=None)) as connection:
            connection.execute("PRAGMA foreign_keys = ON")
            rows = connection.execute(statement).fetchall()
        return [tuple(moment(value) for value in row) for row in rows]

    def in_postgres(statement: str) -> list:
        running: Postgres = request.getfixturevalue("server")
        with running.connect(make_url(place).database) as connection:
            found = connection.execute(statement)
            return [tuple(moment(value) for value in row) for row in found] if found.description else []

    def moment(value: object) -> object:
        if isinstance(value, str) and re.match(r"\d{4}-\d\d-\d\d \d\d:", value):
            return datetime.fromisoformat(value).replace(tzinfo=UTC)
        return value.astimezone(UTC) if isinstance(value, datetime) else value

    return in_postgres if place.startswith("postgresql") else in_sqlite


@pytest.fixture
def me(store: Store) -> ProfileState:
    """Give a profile."""
    return store.create("me", "ember")


@pytest.fixture
def friend(store: Store) -> ProfileState:
    """Give another profile."""
    return store.create("friend", "tide")
