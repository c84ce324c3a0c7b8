"""Starting the game's own server."""

from __future__ import annotations

import secrets
import socket

import panel as pn

from summon.views.play import play_page
from summon.views.world import world

ADDRESS = "127.0.0.1"


def free_port(wanted: int, tries: int = 20) -> int:
    """The first port from `wanted` on that nobody listens on; OSError where there is none among `tries`."""
    for port in range(wanted, min(wanted + tries, 65536)):
        with socket.socket() as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind((ADDRESS, port))
            except OSError:
                continue
            return int(probe.getsockname()[1])
    raise OSError(f"no free port from {wanted} to {wanted + tries - 1}")


def serve(port: int, open_browser: bool) -> int:
    """Serve the game on this machine until it is interrupted; returns the exit status."""
    try:
        chosen = free_port(port)
    except OSError as error:
        print(f"summon play: {error}; name another with --port")
        return 1
    print(world().told)
    print(f"Summon is ready: http://{ADDRESS}:{chosen}/play  (Ctrl+C ends it)", flush=True)
    pn.serve(
        {"play": play_page},
        title="Summon",
        address=ADDRESS,
        port=chosen,
        websocket_origin=[f"{ADDRESS}:{chosen}", f"localhost:{chosen}"],
        show=open_browser,
        verbose=False,
        compress_response=True,
        sign_sessions=True,
        secret_key=secrets.token_bytes(32),
    )
    return 0
