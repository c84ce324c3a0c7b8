"""What a server still holds of sessions that are closed: `/leftovers`, for `--plugins benchmarks.leftovers`."""

from __future__ import annotations

import gc
import threading
from collections import Counter
from typing import Any

from bokeh.document import Document
from tornado.web import RequestHandler

from summon.battle import Battle
from summon.lobby import Invitation, LiveBattle
from summon.views.board import Board
from summon.views.game import Game
from summon.views.pages import Pages
from summon.views.seated import LiveBoard

KINDS = (Document, Game, Pages, Board, LiveBoard)
"""What belongs to one session. A watcher that is left on a battle would hold its board."""


SHARED = (Battle, LiveBattle, Invitation)
"""What sessions watch together."""


class LeftoversHandler(RequestHandler):
    """Tells how much of all this there is, after everything that nobody holds was let go of.

    Besides the number of each kind: the views' watchers on what is shared, the timers of sessions, and the threads.
    """

    def get(self) -> None:
        gc.collect()
        there = gc.get_objects()
        found = Counter(type(one) for one in there)
        watchers = sum(_watchers(one) for one in there if type(one) in SHARED)
        timers = sum(len(one.session_callbacks) for one in there if type(one) is Document and hasattr(one, "_roots"))
        counted = {"watchers": watchers, "timers": timers, "threads": threading.active_count()}
        self.write({kind.__name__: found[kind] for kind in KINDS} | counted)


def _watchers(shared: Any) -> int:
    """How many watchers of views there are; those of the game itself, which save a turn, come before them."""
    watching = [one for by_what in shared.param.watchers.values() for ones in by_what.values() for one in ones]
    return sum(one.precedence > 0 for one in watching)


ROUTES = [("/leftovers", LeftoversHandler)]
