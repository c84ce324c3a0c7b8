"""Starting the lab's own server, apart from that of the game: for this machine alone."""

from __future__ import annotations

import sys

from bokeh.util.browser import view
from tornado.ioloop import IOLoop

from summon.views.lab import lab_page
from summon.views.server import ADDRESS, free_port, origins, run

PORT = 5106
"""Where the lab listens if nothing else is said, or at one of the next ports if that is taken."""


def serve(port: int | None, open_browser: bool) -> int:
    """Serve the lab to this machine until it is interrupted; returns the exit status.

    It listens at the `port` that is named and no other; where none is, at the first free one from `PORT` on.
    """
    try:
        chosen = free_port(PORT if port is None else port, tries=20 if port is None else 1)
    except OSError as error:
        print(f"summon lab: {error}; name another with --port")
        return 1
    here = f"http://{ADDRESS}:{chosen}/lab"
    print(f"The lab is ready: {here}  (Ctrl+C ends it)")
    sys.stdout.flush()
    if open_browser:
        IOLoop.current().add_callback(view, here)
    return run("lab", lab_page, title="Summon lab", address=ADDRESS, port=chosen, websocket_origin=origins((), chosen))
