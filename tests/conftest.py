"""Fixtures for all tests: a store in an SQLite file of the test's own, with a clock that the test sets."""

import shutil
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from summon.store import Store


class Clock:
    """A clock that a test sets; it moves on by a second whenever it is looked at."""

    def __init__(self) -> None:
        self.now = datetime(2030, 1, 1, tzinfo=UTC)

    def __call__(self) -> datetime:
        self.now += timedelta(seconds=1)
        return self.now


@pytest.fixture(scope="session")
def sqlite_template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Give an SQLite store without profiles, to be copied."""
    path = tmp_path_factory.mktemp("template") / "summon.db"
    Store.open(path).close()
    return path


@pytest.fixture
def sqlite_place(tmp_path: Path, sqlite_template: Path) -> str:
    """Give the place of an SQLite store without profiles."""
    path = tmp_path / "store" / "summon.db"
    path.parent.mkdir()
    return str(shutil.copy(sqlite_template, path))


@pytest.fixture
def place(sqlite_place: str) -> str:
    """Give the place of a store without profiles."""
    return sqlite_place


@pytest.fixture
def clock() -> Clock:
    """Give a clock for the store."""
    return Clock()


@pytest.fixture
def store(place: str, clock: Clock) -> Iterator[Store]:
    """Give an empty store."""
    with Store.open(place, clock=clock) as opened:
        yield opened
