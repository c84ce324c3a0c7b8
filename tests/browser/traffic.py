"""What a page has the browser fetch: how many bytes come over the network, from where, and of what kind."""

from __future__ import annotations

from collections import Counter
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from playwright.sync_api import Page

LIBRARIES = "Bokeh and Panel"
MESSAGES = "messages"


class Fetched(NamedTuple):
    """One thing that came: from which address, of what kind, and its bytes with its headers, as they were sent."""

    url: str
    kind: str
    size: int

    @property
    def host(self) -> str:
        return urlsplit(self.url).netloc

    @property
    def ours(self) -> bool:
        """Whether it is no part of Bokeh and Panel. The messages of the websocket count as ours, whoever wrote them."""
        return self.kind != LIBRARIES


class Traffic:
    """All that comes for a page from now on. What a browser has kept from before, and need not fetch, is not told."""

    def __init__(self, page: Page) -> None:
        self.all: list[Fetched] = []
        self._asked: dict[str, tuple[str, str]] = {}
        self._sockets: dict[str, str] = {}
        self._kept: set[str] = set()
        session = page.context.new_cdp_session(page)
        session.on("Network.requestServedFromCache", lambda it: self._kept.add(it["requestId"]))
        session.on("Network.responseReceived", self._answered)
        session.on("Network.loadingFinished", self._finished)
        session.on("Network.webSocketCreated", lambda it: self._sockets.update({it["requestId"]: it["url"]}))
        session.on("Network.webSocketFrameReceived", self._heard)
        session.send("Network.enable")

    def size(self, ours: bool | None = None) -> int:
        """The bytes of all, of what is ours, or of what is not."""
        return sum(it.size for it in self.all if ours is None or it.ours is ours)

    def by_kind(self) -> dict[str, tuple[int, int]]:
        """How many there are of each kind and their bytes, most bytes first."""
        counts, sizes = Counter(it.kind for it in self.all), Counter[str]()
        for it in self.all:
            sizes[it.kind] += it.size
        return {kind: (counts[kind], size) for kind, size in sizes.most_common()}

    def hosts(self) -> set[str]:
        return {it.host for it in self.all}

    def _answered(self, it: dict[str, Any]) -> None:
        if not (it["requestId"] in self._kept or it["response"].get("fromDiskCache")):
            self._asked[it["requestId"]] = (it["response"]["url"], it["type"])

    def _finished(self, it: dict[str, Any]) -> None:
        if it["requestId"] in self._asked:
            url, kind = self._asked.pop(it["requestId"])
            if urlsplit(url).scheme in ("http", "https"):
                self.all.append(Fetched(url, kind_of(url, kind), int(it["encodedDataLength"])))

    def _heard(self, it: dict[str, Any]) -> None:
        size = len(it["response"]["payloadData"].encode())
        self.all.append(Fetched(self._sockets.get(it["requestId"], ""), MESSAGES, size))


def kind_of(url: str, kind: str) -> str:
    """The kind of what a browser fetched: a part of Bokeh and Panel, or by the ending of its name."""
    path = urlsplit(url).path
    if "/static/" in path:
        return LIBRARIES
    endings = {".js": "scripts", ".css": "stylesheets", ".json": "pictures and texts", ".png": "icons", ".svg": "icons"}
    return next((word for ending, word in endings.items() if path.endswith(ending)), kind.lower())
