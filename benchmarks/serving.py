"""Servers for the benchmarks, each a process of its own on loopback, and what they use."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

ADDRESS = "127.0.0.1"
ROOT = Path(__file__).resolve().parents[1]

START_SECONDS = 90.0
STOP_SECONDS = 10.0

SERVE = [sys.executable, "-m", "panel", "serve", "app/play.py"]
"""The game, as Panel's own command serves it."""


class Usage(NamedTuple):
    """What a process has used: CPU seconds since its start, and the memory that it has now, in MB."""

    cpu: float
    memory: float


class Server(NamedTuple):
    """A server that runs. `base` is its address without a path, and `log` the file that holds all it said."""

    base: str
    process: subprocess.Popen[bytes]
    log: Path

    def ask(self, path: str) -> Any:
        """The JSON at a path."""
        with _without_proxy().open(self.base + path, timeout=30) as answer:
            return json.load(answer)

    def usage(self) -> Usage:
        """What the server has used. It is read from /proc, so Linux alone can tell."""
        folder = Path(f"/proc/{self.process.pid}")
        # The name of the program, in parentheses, may hold spaces.
        fields = (folder / "stat").read_text().rpartition(")")[2].split()
        pages = int((folder / "statm").read_text().split()[1])
        ticks = int(fields[11]) + int(fields[12])
        return Usage(ticks / os.sysconf("SC_CLK_TCK"), pages * os.sysconf("SC_PAGE_SIZE") / 2**20)


def free_port() -> int:
    """A port that nothing listens on."""
    with socket.socket() as probe:
        probe.bind((ADDRESS, 0))
        return int(probe.getsockname()[1])


@contextmanager
def game(folder: Path, *options: str) -> Iterator[Server]:
    """The game as `panel serve` serves it, with more `options`, and its store in a folder."""
    port = free_port()
    command = [*SERVE, "--port", str(port), "--address", ADDRESS, "--allow-websocket-origin", f"{ADDRESS}:{port}"]
    store = {"SUMMON_STORE": str(store_in(folder))}
    with running([*command, *options], port, "/play", folder / "game.log", store) as server:
        yield server


def store_in(folder: Path) -> Path:
    """Where the game of a folder saves."""
    return folder / "summon.db"


@contextmanager
def running(
    command: Sequence[str], port: int, path: str, log: Path, more: dict[str, str] | None = None
) -> Iterator[Server]:
    """A server that listens at a port, from when it answers at a path. RuntimeError with its log where it does not."""
    with log.open("wb") as output:
        process = subprocess.Popen(
            command,
            cwd=ROOT,
            env=os.environ | (more or {}),
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
        )
    server = Server(f"http://{ADDRESS}:{port}", process, log)
    try:
        _wait_for(server, path)
        yield server
    finally:
        process.terminate()
        try:
            process.wait(STOP_SECONDS)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def _wait_for(server: Server, path: str) -> None:
    end = time.monotonic() + START_SECONDS
    while server.process.poll() is None and time.monotonic() < end:
        try:
            with _without_proxy().open(server.base + path, timeout=10):
                return
        except (OSError, urllib.error.URLError):
            time.sleep(0.1)
    raise RuntimeError(f"the server does not answer:\n{server.log.read_text(errors='replace')}")


def _without_proxy() -> urllib.request.OpenerDirector:
    return urllib.request.build_opener(urllib.request.ProxyHandler({}))
