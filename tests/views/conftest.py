"""A game without a browser, for the tests of the pages."""

from collections.abc import Callable, Iterator
from types import SimpleNamespace
from typing import cast

import pytest

from summon.lobby import Lobby
from summon.store import Store
from summon.views.board import Board
from summon.views.limits import GuessLimit
from summon.views.pages import Pages
from summon.views.world import World
from tests.views.visitors import KEY, Told, Visitor


class Clock:
    """A clock in seconds, which stands until it is moved on."""

    now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    """Give a clock for what is shown."""
    return Clock()


@pytest.fixture
def store(place: str) -> Iterator[Store]:
    """Give an empty store on the true time."""
    with Store.open(place) as opened:
        yield opened


@pytest.fixture
def world(store: Store) -> World:
    return cast(World, SimpleNamespace(store=store, lobby=Lobby(store), limit=GuessLimit(), key=KEY, trouble=None))


@pytest.fixture
def told(monkeypatch: pytest.MonkeyPatch) -> Told:
    told = Told()
    monkeypatch.setattr(Pages, "refuse", lambda _, text: told.refused.append(text))
    for component in (Pages, Board):
        monkeypatch.setattr(component, "send_record", lambda _, name, text: told.files.append((name, text)))
    monkeypatch.setattr(Board, "refuse", lambda _, text, rule: told.board.append((text, rule)))
    return told


@pytest.fixture
def come(world: World, store: Store, told: Told) -> Callable[..., Visitor]:
    """Give a way to open the game in a browser."""
    return lambda browser="mine": Visitor(world, store, browser)


@pytest.fixture
def visitor(come: Callable[..., Visitor]) -> Visitor:
    """A visitor with a pet, at home."""
    found = come()
    found.do("choose_pet", pet="moss")
    return found
