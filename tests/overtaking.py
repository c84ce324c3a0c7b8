"""How many updates were written past Bokeh's queue, where messages overtake each other: `/overtaking`, a plugin."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from panel.io import document
from tornado.web import RequestHandler

counted = 0


def _counting(write: Callable[..., Any]) -> Callable[..., Any]:
    def counts(doc: Any, connections: Any, events: Sequence[Any]) -> Any:
        global counted
        counted += len(events)
        return write(doc, connections, events)

    return counts


document.write_events = _counting(document.write_events)
document.schedule_write_events = _counting(document.schedule_write_events)


class OvertakingHandler(RequestHandler):
    """Tells how many there were so far."""

    def get(self) -> None:
        self.write({"updates": counted})


ROUTES = [("/overtaking", OvertakingHandler)]
