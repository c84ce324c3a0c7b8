"""Browsers' sessions with the game, without a browser: pages are asked for and messages sent as a browser does.

Each visitor has a cookie of its own, and so a profile of its own.
"""

from __future__ import annotations

import asyncio
import json
import random
import re
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

from tornado.httpclient import HTTPRequest
from tornado.simple_httpclient import SimpleAsyncHTTPClient
from tornado.websocket import WebSocketClientConnection, WebSocketClosedError, websocket_connect

from summon.battle import Battle
from summon.cards import MARKET, PETS
from summon.market import ITEMS
from summon.player import Player
from summon.position import UPSET_GOLD
from summon.profile import ProfileState
from summon.record import Record
from summon.store import Store
from summon.views import identity

PATIENCE = 30.0
"""Whatever a visitor waits for has not come after so many seconds."""

EQUIPPED = 0.3
"""So many profiles of all have bought something; to win the gold for it takes a while."""

_TOKEN = re.compile(r'"token":"([^"]+)"')
_COMPONENTS = ("Pages", "Board")

Heard = Callable[[str, dict[str, Any], float], None]
"""What is called with the name of a component, its new state, and when that came on `time.perf_counter`."""


class Visitor:
    """A visitor of the page at `url`, known by a cookie.

    `states` has the state of each component by name. `heard` is called with each new one. `problems` are sentences of
    what the server should not have said: refusals, errors, and messages without an answer.
    """

    def __init__(self, url: str, cookie: str, heard: Heard) -> None:
        self.url, self.cookie, self._heard = url, cookie, heard
        self.states: dict[str, dict[str, Any]] = {}
        self.problems: list[str] = []
        self.sent = 0
        self._newest: dict[str, int] = {}
        self._models: dict[str, str] = {}
        self._holders: dict[str, str] = {}
        self._unanswered: set[str] = set()
        self._changed = asyncio.Event()
        self._socket: WebSocketClientConnection | None = None
        self._reading: asyncio.Task[None] | None = None

    async def open(self) -> None:
        """Open the page, up to where a browser shows it."""
        headers = {"Cookie": f"{identity.COOKIE}={self.cookie}"}
        ask = HTTPRequest(self.url, headers=headers, connect_timeout=PATIENCE, request_timeout=PATIENCE)
        answer = await SimpleAsyncHTTPClient(force_instance=True).fetch(ask)
        token = _TOKEN.search(answer.body.decode())
        if token is None:
            raise RuntimeError("the page has no token")
        join = HTTPRequest(self.url.replace("http", "ws", 1) + "/ws", headers=headers, connect_timeout=PATIENCE)
        self._socket = await websocket_connect(join, subprotocols=["bokeh", token[1]], max_message_size=2**26)
        # As browsers do.
        self._socket.protocol.set_nodelay(True)
        await self._read()
        await self._write({"msgid": "pull", "msgtype": "PULL-DOC-REQ"}, {})
        _, content, _ = await self._read()
        self._learn(json.loads(content))
        self._reading = asyncio.create_task(self._listen())
        # Panel sends nothing before it has heard this.
        await self._tell("document_ready", [])

    async def close(self) -> None:
        """Close the page, as when its tab is closed."""
        if self._reading is not None:
            self._reading.cancel()
            with suppress(asyncio.CancelledError):
                await self._reading
        if self._socket is not None:
            self._socket.close()
        self.problems += [f"{len(self._unanswered)} messages were not answered"] if self._unanswered else []

    async def send(self, component: str, **message: object) -> float:
        """Send a component's message; returns when, on `time.perf_counter`."""
        await self.until(lambda: component in self._models)
        at = time.perf_counter()
        await self._tell("data_event", [["model", {"id": self._models[component]}], ["data", _packed(message)]])
        return at

    async def until(self, test: Callable[[], object]) -> None:
        """Wait for something to be true, which is looked at whenever the server has said something.

        TimeoutError after `PATIENCE` seconds, and ConnectionError where the connection is gone.
        """
        async with asyncio.timeout(PATIENCE):
            while not test():
                if self._reading is not None and self._reading.done():
                    raise ConnectionError("the server has closed the connection")
                self._changed.clear()
                await self._changed.wait()

    async def answered(self) -> None:
        """Wait until every message has its answer."""
        await self.until(lambda: not self._unanswered)

    # The protocol

    async def _tell(self, event: str, values: list[Any]) -> None:
        self.sent += 1
        number = str(self.sent)
        self._unanswered.add(number)
        told = {"type": "event", "name": event, "values": {"type": "map", "entries": values}}
        sent = {"kind": "MessageSent", "msg_type": "bokeh_event", "msg_data": told}
        await self._write({"msgid": number, "msgtype": "PATCH-DOC"}, {"events": [sent]})

    async def _write(self, header: dict[str, Any], content: dict[str, Any]) -> None:
        assert self._socket is not None
        # Together, so that no other message comes in between.
        parts = [self._socket.write_message(json.dumps(part)) for part in (header, {}, content)]
        for part in parts:
            await part

    async def _read(self) -> tuple[dict[str, Any], str, float]:
        """The header and the content of a message, and when it was there."""
        assert self._socket is not None
        parts: list[str] = []
        for _ in range(3):
            part = await self._socket.read_message()
            if not isinstance(part, str):
                raise WebSocketClosedError
            parts.append(part)
        at = time.perf_counter()
        header = json.loads(parts[0])
        if header.get("num_buffers"):
            raise RuntimeError("the game sends no buffers")
        return header, parts[2], at

    async def _listen(self) -> None:
        try:
            while True:
                header, content, at = await self._read()
                self._take(header, json.loads(content), at)
                self._changed.set()
        except WebSocketClosedError:
            self.problems.append("the server has closed the connection")
        finally:
            self._changed.set()

    def _take(self, header: dict[str, Any], content: dict[str, Any], at: float) -> None:
        if "reqid" in header:
            self._unanswered.discard(header["reqid"])
        if header["msgtype"] == "ERROR":
            self.problems.append(f"the server answered with an error: {content.get('text')}")
        for event in content.get("events", []):
            if event["kind"] == "ModelChanged":
                self._change(event, at)
            elif event["kind"] == "MessageSent":
                self._hear(event)

    def _change(self, event: dict[str, Any], at: float) -> None:
        self._learn(event["new"])
        component = self._holders.get(event["model"]["id"])
        if component is not None and event["attr"] == "shown":
            self._show(component, event["new"], at)

    def _hear(self, event: dict[str, Any]) -> None:
        message = _plain(event["msg_data"]["values"]).get("data")
        if isinstance(message, dict) and message.get("type") == "refused":
            self.problems.append(f"refused: {message['text']}")

    def _learn(self, content: Any) -> None:
        """Note the components that come into the page."""
        for model in _objects(content):
            attributes = model.get("attributes", {})
            name = attributes.get("class_name")
            if name in _COMPONENTS:
                held = attributes["data"]
                self._models[name], self._holders[held["id"]] = model["id"], name
                self._show(name, held["attributes"].get("shown", ""), time.perf_counter())

    def _show(self, component: str, shown: str, at: float) -> None:
        told = json.loads(shown) if shown else {"serial": 0, "state": {}}
        if told["serial"] < self._newest.get(component, 0):
            return
        self._newest[component] = told["serial"]
        state = self.states[component] = told["state"]
        self._heard(component, state, at)


def _objects(content: Any) -> Iterator[dict[str, Any]]:
    """All Bokeh models in a piece of JSON."""
    if isinstance(content, list):
        for part in content:
            yield from _objects(part)
    elif isinstance(content, dict):
        if content.get("type") == "object":
            yield content
        for part in content.values():
            yield from _objects(part)


def _plain(value: Any) -> Any:
    """A value as Bokeh writes it, in plain Python."""
    if isinstance(value, list):
        return [_plain(part) for part in value]
    if isinstance(value, dict):
        if value.get("type") == "map":
            return {key: _plain(part) for key, part in value.get("entries", [])}
        return {key: _plain(part) for key, part in value.items()}
    return value


def _packed(message: dict[str, object]) -> dict[str, Any]:
    return {"type": "map", "entries": [list(pair) for pair in message.items()]}


# Profiles


def make_profiles(place: Path, count: int, rng: random.Random) -> list[str]:
    """Make so many profiles in a store; gives the cookie of each.

    Some have won enough for a few cards or for all that a deck holds, and half of these for evolution.
    """
    cookies = [identity.new_token() for _ in range(count)]
    with Store.open(place) as store:
        for cookie in cookies:
            state = store.create(identity.hash_of(cookie), rng.choice(list(PETS)))
            if rng.random() < EQUIPPED:
                _equip(store, state, rng)
    return cookies


def _equip(store: Store, state: ProfileState, rng: random.Random) -> None:
    cards = [f"card:{card}" for card in rng.sample(MARKET, rng.choice((3, 7)))]
    wanted = [*cards, *(["evolution"] if rng.random() < 0.5 else [])]
    price = sum(ITEMS[item].price for item in wanted)
    for number in range(-(-price // UPSET_GOLD)):
        record = _won(state.pet)
        battle_id = f"{state.id}-{number}"
        store.begin_battle(battle_id, Record(record.players), "computer", {state.id: "first"})
        store.finish_battle(battle_id, record, "first", "beaten")
    for item in wanted:
        store.buy(state.id, item)


@cache
def _won(pet: str) -> Record:
    """A battle that a young pet has won over an evolved one, which pays most (9.1)."""
    battle = Battle(Player("you", pet), Player("computer", "moss", True))
    while not battle.over:
        strong, weak = ("attack" if "attack" in battle.legal(0) else "counter"), "heal"
        battle.play(strong, weak if weak in battle.legal(1) else "counter")
    return battle.to_record()
