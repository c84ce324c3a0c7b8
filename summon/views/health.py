"""How the game is, for those who run it: `/health`, as JSON that names nobody.

`summon play` serves it; Panel's own command does with `--plugins summon.views.health`.
"""

from __future__ import annotations

import asyncio
import time
from concurrent.futures import ThreadPoolExecutor
from importlib.metadata import version
from typing import Any

from tornado.web import RequestHandler

from summon.store import StoreError, place
from summon.views import identity
from summon.views.world import World, world

WAIT = 5.0
"""A store that has not answered after so many seconds counts as not reachable."""

FRESH = 1.0
"""For so many seconds an answer of the store is given again, so that nobody keeps it busy by asking."""

_started = time.monotonic()
_KINDS = {"postgresql": "postgres"}


class StoreWatch:
    """Asks how the store is, in a thread of its own: one that hangs holds up neither the game nor a second thread."""

    def __init__(self) -> None:
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="health")
        self._known: dict[str, Any] = {}
        self._until = 0.0

    async def look(self, shared: World, wait: float = WAIT) -> dict[str, Any]:
        """How the store is, at most `FRESH` seconds ago; not reachable where that takes longer than `wait` seconds."""
        asked = asyncio.get_running_loop().run_in_executor(self._thread, self._looked, shared)
        try:
            return await asyncio.wait_for(asked, wait)
        except TimeoutError:
            return {"kind": kind_of_store(), "reachable": False}

    def _looked(self, shared: World) -> dict[str, Any]:
        if time.monotonic() >= self._until:
            self._known = store_health(shared)
            self._until = time.monotonic() + FRESH
        return self._known


def store_health(shared: World) -> dict[str, Any]:
    """The store's `kind`, whether it is `reachable`, and if so how many `profiles` and `unfinished` battles it has."""
    counts: dict[str, Any] = {"works": False} if shared.store is None else dict(shared.store.counts())
    return {"kind": kind_of_store(), "reachable": counts.pop("works"), **counts}


def kind_of_store() -> str:
    """ "sqlite" or "postgres"; "unknown" where what SUMMON_STORE says is no address."""
    try:
        backend = place.url_of(None).get_backend_name()
    except StoreError:
        return "unknown"
    return _KINDS.get(backend, backend)


class HealthHandler(RequestHandler):
    """Answers `/health` with 200 where all is well, and with 503 where the store is not reachable."""

    _watch = StoreWatch()

    def set_default_headers(self) -> None:
        """An answer holds for its moment only."""
        self.set_header("Cache-Control", "no-store")

    def compute_etag(self) -> None:
        """No answer stands for a later one."""

    async def get(self) -> None:
        """How the game is: its `status`, "ok" or "degraded", with the numbers behind it."""
        # Asked for here, in the thread of the pages, so that no two worlds are made.
        shared = world()
        store = await self._watch.look(shared)
        bokeh: Any = self.application
        self.set_status(200 if store["reachable"] else 503)
        self.write(
            {
                "status": "ok" if store["reachable"] else "degraded",
                "version": version("summon"),
                "uptime_seconds": int(time.monotonic() - _started),
                "sessions": sum(len(bokeh.get_sessions(path)) for path in bokeh.app_paths),
                **({} if shared.lobby is None else shared.lobby.counts()),
                "store": store,
            }
        )

    head = get


# Loaded as a plugin before any page, this hides the visitors' cookies from the very first request on.
identity.install()

ROUTES = [("/health", HealthHandler)]
"""What Panel's `--plugins` serves of a module."""
