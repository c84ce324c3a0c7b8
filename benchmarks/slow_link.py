"""A slow network between a browser and a server: a relay that holds up what passes, the messages of websockets too."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass

from benchmarks.serving import ADDRESS

CHUNK = 4096
"""So many bytes are passed on at once, so that connections share the network about evenly."""


@dataclass
class Lane:
    """One direction of the network: its bytes a second, when it is free again, and how many bytes have passed."""

    rate: float
    free: float = 0.0
    passed: int = 0


class SlowLink:
    """Connections to `port` go on to `target`. Rates are in bits a second, and `delay` is one way, in seconds."""

    def __init__(self, port: int, target: int, down: float, up: float, delay: float) -> None:
        self.port, self._target, self._delay = port, target, delay
        self.down, self._up = Lane(down / 8), Lane(up / 8)

    @contextmanager
    def open(self) -> Iterator[SlowLink]:
        """Pass on what comes, in a thread of its own, until the context ends."""
        loop = asyncio.new_event_loop()
        thread = threading.Thread(target=loop.run_forever, daemon=True)
        thread.start()
        server = asyncio.run_coroutine_threadsafe(asyncio.start_server(self._accept, ADDRESS, self.port), loop).result()
        try:
            yield self
        finally:
            loop.call_soon_threadsafe(server.close)
            loop.call_soon_threadsafe(loop.stop)
            thread.join()

    async def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        # There and back, as a connection is made before anything is asked for.
        await asyncio.sleep(2 * self._delay)
        there, here = await asyncio.open_connection(ADDRESS, self._target)
        await asyncio.gather(self._pass(reader, here, self._up), self._pass(there, writer, self.down))

    async def _pass(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, lane: Lane) -> None:
        loop = asyncio.get_running_loop()
        with suppress(ConnectionError):
            while data := await reader.read(CHUNK):
                lane.free = max(lane.free, loop.time()) + len(data) / lane.rate
                lane.passed += len(data)
                await asyncio.sleep(lane.free - loop.time())
                loop.call_later(self._delay, _deliver, writer, data)
        loop.call_later(2 * self._delay, writer.close)


def _deliver(writer: asyncio.StreamWriter, data: bytes) -> None:
    if not writer.is_closing():
        writer.write(data)
