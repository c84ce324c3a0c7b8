"""Starting the lab's own server, apart from that of the game: for this machine alone."""

from __future__ import annotations

import sys

import panel as pn
from bokeh.util.browser import view
from tornado.ioloop import IOLoop

from summon.views.lab import lab_page
from summon.views.server import ADDRESS, LARGEST_MESSAGE, LARGEST_REQUEST, free_port, origins

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
    try:
        pn.serve(
            {"lab": lab_page},
            title="Summon lab",
            address=ADDRESS,
            port=chosen,
            websocket_origin=origins((), chosen),
            websocket_max_message_size=LARGEST_MESSAGE,
            http_server_kwargs={"max_body_size": LARGEST_REQUEST},
            show=False,
            verbose=False,
        )
    except OSError as error:  # somebody else took the port just now
        print(f"summon lab: the server cannot start: {error.strerror}")
        return 1
    return 0
