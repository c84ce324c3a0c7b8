"""Open and close many pages on one battle of friends, and tell what the server holds before, meanwhile and afterwards.

`python -m tests.sessions COUNT` prints the three as JSON, and how many updates overtook others.
"""

import asyncio
import json
import random
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from benchmarks import pairs, serving
from benchmarks.visitors import make_profiles

PATIENCE = 90.0

PLAYED = 3.0
"""So many seconds are played."""


def ignored(*_: object) -> None:
    """What a further page is shown is nothing to us."""


async def further_pages(url: str, cookies: list[str], count: int) -> list[pairs.Player]:
    """Open so many pages of both players in turn, each on the board of the battle they are in."""
    opened = []
    for number in range(count):
        player = pairs.Player(url, cookies[number % 2])
        await player.visitor.open()
        await player.visitor.send("Pages", type="resume")
        await player.visitor.until(lambda player=player: player.board)
        opened.append(player)
    return opened


async def told(server: serving.Server, cookies: list[str], count: int) -> list[dict[str, Any]]:
    """What the server holds with both players there alone, with many pages, and after those are closed."""
    url = server.base + "/play"
    pair = pairs.Pair(url, (cookies[0], cookies[1]), random.Random(1))
    await pair.open()
    await pair.meet()
    before = await asyncio.to_thread(server.ask, "/leftovers")
    opened = await further_pages(url, cookies, count)
    meanwhile = await asyncio.to_thread(server.ask, "/leftovers")
    for player in opened:
        await player.visitor.close()
    end = time.monotonic() + PATIENCE
    while True:
        await asyncio.sleep(1)
        after = await asyncio.to_thread(server.ask, "/leftovers")
        if after["LiveBoard"] <= before["LiveBoard"] or time.monotonic() > end:
            break
    await pair.play(time.monotonic() + PLAYED, 0, mixed=True)
    await pair.close()
    if pair.failed:
        raise RuntimeError(pair.failed[0])
    return [before, meanwhile, after, await asyncio.to_thread(server.ask, "/overtaking")]


def main(count: int) -> None:
    """Serve a game of its own and print what was told."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        cookies = make_profiles(serving.store_in(folder), 2, random.Random(1))
        with serving.game(folder, "--plugins", "benchmarks.leftovers", "--plugins", "tests.overtaking") as server:
            print(json.dumps(asyncio.run(told(server, cookies, count))))


if __name__ == "__main__":
    main(int(sys.argv[1]))
