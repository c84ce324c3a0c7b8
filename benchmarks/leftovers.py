"""What a server still holds of sessions that are closed: `/leftovers`, for `--plugins benchmarks.leftovers`."""

from __future__ import annotations

import gc
from collections import Counter

from bokeh.document import Document
from tornado.web import RequestHandler

from summon.views.board import Board
from summon.views.game import Game
from summon.views.pages import Pages
from summon.views.seated import LiveBoard

KINDS = (Document, Game, Pages, Board, LiveBoard)
"""What belongs to one session. A watcher that is left on a battle would hold its board."""


class LeftoversHandler(RequestHandler):
    """Tells how many of each kind there are, after everything that nobody holds was let go of."""

    def get(self) -> None:
        gc.collect()
        found = Counter(type(one) for one in gc.get_objects())
        self.write({kind.__name__: found[kind] for kind in KINDS})


ROUTES = [("/leftovers", LeftoversHandler)]
