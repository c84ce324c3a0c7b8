"""Messages that leave at once.

Bokeh writes each message to a websocket in three parts, and an operating system by default keeps the later ones back
until the browser has confirmed the first, which may take 40 ms. `install` turns that off.
"""

from __future__ import annotations

from typing import Any

from bokeh.server.views.ws import WSHandler

_INSTALLED = "_summon_no_delay"


def install() -> None:
    """Let websockets that are opened from now on send without delay; more than once does no harm."""
    every: Any = WSHandler
    if hasattr(every, _INSTALLED):
        return
    opened = every.open

    def open_without_delay(handler: WSHandler) -> Any:
        handler.set_nodelay(True)
        return opened(handler)

    every.open = open_without_delay
    setattr(every, _INSTALLED, True)
