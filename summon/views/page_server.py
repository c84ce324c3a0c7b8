"""Starting the lab, or the page to ask the rules, apart from the game's server: for this machine alone."""

from __future__ import annotations

import sys
from collections.abc import Callable

from bokeh.util.browser import view
from tornado.ioloop import IOLoop

from summon.views.server import ADDRESS, free_port, origins, run

PORTS = {"lab": 5106, "ask": 5206}
"""Where the page of a command listens if nothing else is said, or at one of the next ports if that is taken."""


def serve(command: str, page: Callable[[], object], title: str, *, port: int | None, open_browser: bool) -> int:
    """Serve the page of a command to this machine until it is interrupted; returns the exit status.

    It listens at the `port` that is named and no other; where none is, at the first free one from that of `PORTS` on.
    """
    try:
        chosen = free_port(PORTS[command] if port is None else port, tries=20 if port is None else 1)
    except OSError as error:
        print(f"summon {command}: {error}; name another with --port", file=sys.stderr)
        return 1
    here = f"http://{ADDRESS}:{chosen}/{command}"
    print(f"{title} is ready: {here}  (Ctrl+C ends it)")
    sys.stdout.flush()
    if open_browser:
        IOLoop.current().add_callback(view, here)
    return run(command, page, title=title, address=ADDRESS, port=chosen, websocket_origin=origins((), chosen))
