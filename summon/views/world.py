"""What all sessions of one process share: the store, the battles under way, and the count of wrong codes."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from contextvars import Context
from functools import cache
from pathlib import Path

from summon import recovery
from summon.lobby import Lobby
from summon.store import Store, StoreError, place
from summon.views.limits import GuessLimit

_log = logging.getLogger(__name__)

BREATH = 0.06
"""So many seconds after both have locked in a turn is revealed: by then both are told to count down, and have begun."""


class World:
    """The shared things. Where the store cannot be opened, `trouble` says why, and only practice can be played."""

    def __init__(self) -> None:
        self.limit = GuessLimit()
        self.store: Store | None = None
        self.lobby: Lobby | None = None
        self.trouble: StoreError | None = None
        self.key: bytes | None = None
        """What recovery codes are derived from; None where it cannot be read, and then there are none."""
        try:
            self.store = Store.open()
        except StoreError as error:
            _log.error("%s", error.operator)
            self.trouble = error
        else:
            self.key = _server_key()
            self.lobby = Lobby(self.store, soon=_soon)


def _soon(do: Callable[[], object]) -> None:
    """Do something after a breath, or at once where no loop runs."""
    try:
        loop = asyncio.get_running_loop()
    except RuntimeError:
        do()
    else:
        # In no session's name, so that each session is told in its own.
        loop.call_later(BREATH, do, context=Context())


def _server_key() -> bytes | None:
    """The key beside the database, or in the user's data folder where the database is elsewhere."""
    folder = Path(place.file_of(place.url_of(None)) or place.default_path()).parent
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        return recovery.server_key(folder)
    except (recovery.ServerKeyError, OSError) as error:
        _log.error("there are no recovery codes: %s", error)
        return None


@cache
def world() -> World:
    """The world of this process, made when it is first asked for."""
    return World()
