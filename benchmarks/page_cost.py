"""What a visitor's page costs the server, beside a minimal Panel page in the same run.

    python benchmarks/page_cost.py [--sessions 60]

Prints server CPU and memory a session for a minimal page, for the game as it opens, and for a page with a battle
under way, and their ratios. The sessions are opened over HTTP and websocket, as a browser does, and kept open.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import re
import resource
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

import panel as pn
from tornado.httpclient import AsyncHTTPClient, HTTPRequest
from tornado.web import RequestHandler
from tornado.websocket import WebSocketClientConnection, websocket_connect

from summon.player import Player
from summon.views.play import play_page
from summon.views.seated import practice_board

ADDRESS = "127.0.0.1"
CARDS = ("shield", "poison", "refreshment", "copycat", "wild", "blind", "sacrifice")
WARM_UP = 10


def minimal_page() -> pn.viewable.Viewable:
    """The least that Panel can show."""
    return pn.pane.Str("Hello")


def battle_page() -> pn.viewable.Viewable:
    """A board with ten cards, in a battle against the computer."""
    return practice_board(Player("you", "ember", cards=CARDS), True, rng=random.Random(1)).board


PAGES: dict[str, Callable[[], pn.viewable.Viewable]] = {
    "minimal": minimal_page,
    "game": play_page,
    "battle": battle_page,
}


class Usage(RequestHandler):
    """Tells what this process has used: CPU seconds and resident KB."""

    def get(self) -> None:
        used = resource.getrusage(resource.RUSAGE_SELF)
        statm = Path("/proc/self/statm")
        pages = int(statm.read_text().split()[1]) * resource.getpagesize() // 1024 if statm.exists() else used.ru_maxrss
        self.write({"cpu": used.ru_utime + used.ru_stime, "rss": pages})


def serve(page: str) -> None:
    """Serve one page on a free port, which is printed."""
    server = pn.serve(
        {"page": PAGES[page]},
        address=ADDRESS,
        port=0,
        show=False,
        start=False,
        verbose=False,
        websocket_origin="*",
        extra_patterns=[("/usage", Usage)],
    )
    print(server.port, flush=True)
    server.run_until_shutdown()


async def open_session(base: str) -> WebSocketClientConnection:
    """Open the page as a browser does, up to the document's arrival."""
    answer = await AsyncHTTPClient().fetch(f"{base}/page", request_timeout=60)
    token = re.search(r'"token":"([^"]+)"', answer.body.decode())
    if token is None:
        raise RuntimeError("the page has no token")
    request = HTTPRequest(f"{base.replace('http', 'ws')}/page/ws", request_timeout=60)
    socket = await websocket_connect(request, subprotocols=["bokeh", token[1]], max_message_size=2**26)
    for _ in range(3):  # header, metadata and content of the acknowledgement
        await socket.read_message()
    header = {"msgid": "1", "msgtype": "PULL-DOC-REQ"}
    for part in (header, {}, {}):
        await socket.write_message(json.dumps(part))
    for _ in range(3):
        await socket.read_message()
    return socket


async def usage(base: str) -> dict[str, float]:
    answer = await AsyncHTTPClient().fetch(f"{base}/usage")
    used: dict[str, float] = json.loads(answer.body)
    return used


async def measure(page: str, sessions: int) -> tuple[float, float]:
    """CPU milliseconds and KB a session, of a server of its own."""
    saved = os.environ | {"SUMMON_STORE": str(Path(tempfile.mkdtemp()) / "summon.db")}
    command = [sys.executable, __file__, "--serve", page]
    server = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=saved, text=True)
    try:
        assert server.stdout is not None
        base = f"http://{ADDRESS}:{int(server.stdout.readline())}"
        held = [await open_session(base) for _ in range(WARM_UP)]
        before = await usage(base)
        held += [await open_session(base) for _ in range(sessions)]
        after = await usage(base)
        for socket in held:
            socket.close()
    finally:
        server.terminate()
        server.wait()
    return (after["cpu"] - before["cpu"]) * 1000 / sessions, (after["rss"] - before["rss"]) / sessions


async def compare(sessions: int) -> None:
    cost = {page: await measure(page, sessions) for page in PAGES}
    print(f"{'page':10}{'CPU ms':>10}{'ratio':>8}{'KB':>10}{'ratio':>8}   ({sessions} sessions)")
    for page, (cpu, memory) in cost.items():
        base_cpu, base_memory = cost["minimal"]
        print(f"{page:10}{cpu:10.1f}{cpu / base_cpu:8.2f}{memory:10.0f}{memory / base_memory:8.2f}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--sessions", type=int, default=60)
    parser.add_argument("--serve", choices=PAGES, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.serve:
        serve(arguments.serve)
    else:
        asyncio.run(compare(arguments.sessions))


if __name__ == "__main__":
    main()
