"""From the second lock to the beginning of the other browser's countdown, in two pages of a real browser.

    python -m benchmarks.reveal_latency [--samples 40]

Measures the game in a battle of two friends, a bare Tornado page with a websocket, and a plain Panel page whose
sessions share a Param object, in turns in the same run, with nothing else going on. The time runs from just before the
click that locks in one page to the change of `data-phase` in the other; both read the same clock. Prints the
percentiles of each, when the next frame after that change was drawn, and the ratios of the medians. SUMMON_CHROMIUM may
name the browser.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import panel as pn
import param
from panel.custom import JSComponent
from playwright.sync_api import Browser, ElementHandle, Page
from tornado.web import Application, RequestHandler
from tornado.websocket import WebSocketHandler

from benchmarks import browsers, serving
from benchmarks.figures import percentile
from benchmarks.visitors import make_profiles
from summon.views import identity

MOST_TORNADO, MOST_PANEL = 8.0, 1.3
"""The median of the game may be at most so many times that of the bare page, and of the plain Panel page."""

WARM_UP = 3
"""So many rounds are played before anything is measured."""

QUIET = 0.3
"""Nothing happens for so long, in seconds, before the second lock."""

PATIENCE = 30_000
"""Milliseconds after which something that a page waits for will not come any more."""

FLAGS = [
    "--disable-background-networking",
    "--disable-background-timer-throttling",
    "--disable-backgrounding-occluded-windows",
    "--disable-renderer-backgrounding",
]

# What both pages that are no game have in common: one button, and a phase that shows what the server said last.
SCREEN = """
const draw = (place, lock) => {
  const screen = document.createElement("div"), go = document.createElement("button");
  Object.assign(screen, { className: "screen" });
  Object.assign(go, { className: "go", textContent: "Lock it in", onclick: lock });
  screen.dataset.phase = "choosing";
  screen.append(go);
  place.append(screen);
  return (phase) => {
    screen.dataset.phase = phase;
    if (phase === "countdown") setTimeout(() => { screen.dataset.phase = "choosing"; }, 100);
  };
};
"""

BARE_PAGE = f"""<!doctype html><title>Bare</title><div id="place"></div><script>
{SCREEN}
const socket = new WebSocket(`ws://${{location.host}}/ws`);
const show = draw(document.getElementById("place").attachShadow({{ mode: "open" }}), () => socket.send("lock"));
socket.onmessage = (event) => show(JSON.parse(event.data).phase);
</script>"""


class BarePage(RequestHandler):
    """The least that two pages need to lock and reveal together."""

    def get(self) -> None:
        self.write(BARE_PAGE)


class BareSocket(WebSocketHandler):
    """Tells both pages of the reveal as soon as both have locked."""

    pages: set[BareSocket] = set()
    locked: set[BareSocket] = set()

    def open(self, *_: str, **__: str) -> None:
        self.pages.add(self)

    def on_close(self) -> None:
        self.pages.discard(self)

    def on_message(self, _: str | bytes) -> None:
        self.locked.add(self)
        if len(self.locked) < 2:
            self.write_message({"phase": "locked"})
            return
        self.locked.clear()
        for page in self.pages:
            page.write_message({"phase": "countdown"})


class Shared(param.Parameterized):
    """What the sessions of the plain Panel page share."""

    turn = param.Integer(default=0)

    def __init__(self) -> None:
        super().__init__()
        self.locked: set[PlainPage] = set()


class PlainPage(JSComponent):
    """The same with Panel alone: a shared Param object, and each session's page that follows it."""

    state = param.Dict(default={})

    _esm = f"""{SCREEN}
export function render({{ model, el }}) {{
  const show = draw(el, () => model.send_msg({{ type: "lock" }}));
  model.on("state", () => show(model.state.phase));
}}"""

    def __init__(self, shared: Shared, **params: Any) -> None:
        super().__init__(**params)
        self._shared = shared
        self._document: Any = pn.state.curdoc
        watcher = shared.param.watch(self._changed, "turn")
        pn.state.on_session_destroyed(lambda _: shared.param.unwatch(watcher))

    def _handle_msg(self, _: object) -> None:
        self._shared.locked.add(self)
        if len(self._shared.locked) < 2:
            self._show("locked")
            return
        self._shared.locked.clear()
        self._shared.turn += 1

    def _changed(self, *_: object) -> None:
        if pn.state.curdoc is self._document:
            self._show("countdown")
        else:
            self._document.add_next_tick_callback(partial(self._show, "countdown"))

    def _show(self, phase: str) -> None:
        self.state = {"phase": phase, "turn": self._shared.turn}


async def serve_bare(port: int) -> None:
    Application([("/page", BarePage), ("/ws", BareSocket)]).listen(port, serving.ADDRESS)
    await asyncio.Event().wait()


def serve_plain(port: int) -> None:
    shared = Shared()
    pn.serve(
        {"page": lambda: PlainPage(shared)},
        address=serving.ADDRESS,
        port=port,
        show=False,
        verbose=False,
        websocket_origin=f"{serving.ADDRESS}:{port}",
    )


# In the browser

NOW = "performance.timeOrigin + performance.now()"

SEND = """([component, message]) => {
  const page = Bokeh.documents[0];
  const model = [...page._all_models.values()].find((one) => one.class_name === component);
  let serialize, kind = model;
  while (!serialize) {
    kind = Object.getPrototypeOf(kind);
    serialize = Object.getOwnPropertySymbols(kind).find((symbol) => symbol.description === "serialize");
  }
  page.event_manager.send_event({ event_name: "data_event", publish: true, origin: model, [serialize]: (serializer) => (
    { type: "event", name: "data_event", values: serializer.encode({ model, data: message }) }) });
}"""

IS_THERE = """(component) => Boolean(window.Bokeh?.index?.roots?.length)
  && [...Bokeh.documents[0]._all_models.values()].some((one) => one.class_name === component)"""

INVITATION = """() => JSON.parse([...Bokeh.documents[0]._all_models.values()]
  .find((one) => one.class_name === "Pages").data.shown)?.state?.invite?.id"""

# Any open card, where there are cards, and then the lock.
PICK = """(screen, number) => {
  const cards = [...screen.querySelectorAll("button.card:not([aria-disabled=true])")];
  if (cards.length) cards[Math.floor(number * cards.length)].click();
}"""

LOCK = f"""(screen) => {{
  const at = {NOW};
  screen.querySelector(".go").click();
  return at;
}}"""

WATCH = f"""(screen) => {{
  window.begun = new Promise((done, failed) => {{
    setTimeout(() => failed(new Error("the countdown has not begun")), {PATIENCE});
    const observer = new MutationObserver(() => {{
      if (screen.dataset.phase !== "countdown") return;
      observer.disconnect();
      const begun = {NOW};
      requestAnimationFrame(() => setTimeout(() => done([begun, {NOW}])));
    }});
    observer.observe(screen, {{ attributes: true, attributeFilter: ["data-phase"] }});
  }});
}}"""

# Through the reveal and what follows it, as fast as the board lets a player.
SETTLE = f"""(screen) => new Promise((done, failed) => {{
  setTimeout(() => failed(new Error(`the board stays in ${{screen.dataset.phase}}`)), {PATIENCE});
  const look = setInterval(() => {{
    const go = screen.querySelector(".go"), {{ phase }} = screen.dataset;
    if (["skip", "next", "result"].includes(go.dataset.go)) go.click();
    else if (phase === "choosing" || phase === "over") {{
      clearInterval(look);
      done(phase);
    }}
  }}, 50);
}})"""


class Seat:
    """One of the two pages."""

    def __init__(self, page: Page) -> None:
        self.page = page

    def send(self, component: str, **message: object) -> None:
        """Send a message of a component, as its script does."""
        self.page.wait_for_function(IS_THERE, arg=component, timeout=PATIENCE)
        self.page.evaluate(SEND, [component, message])

    @property
    def screen(self) -> ElementHandle:
        found = self.page.wait_for_selector(".screen[data-phase]", timeout=PATIENCE)
        assert found is not None
        return found

    def until(self, phase: str) -> None:
        self.page.wait_for_selector(f'.screen[data-phase="{phase}"]', timeout=PATIENCE)


class Target(NamedTuple):
    """Something that is measured: its two pages, and what begins anew once a battle is over."""

    name: str
    seats: tuple[Seat, Seat]
    delays: list[float]
    frames: list[float]
    again: Callable[[], None]

    def reveal(self, rng: random.Random) -> tuple[float, float]:
        """Play one turn.

        Returns the milliseconds from the second lock to the other page's countdown, and to the frame that shows it.
        """
        first, second = rng.sample(self.seats, 2)
        first.screen.evaluate(PICK, rng.random())
        first.screen.evaluate(LOCK)
        first.until("locked")
        second.screen.evaluate(PICK, rng.random())
        first.screen.evaluate(WATCH)
        time.sleep(QUIET)
        locked = second.screen.evaluate(LOCK)
        begun, drawn = first.page.evaluate("() => window.begun")
        settled = [seat.screen.evaluate(SETTLE) for seat in self.seats]
        if "over" in settled:
            self.again()
        return float(begun - locked), float(drawn - locked)


def open_page(browser: Browser, url: str, cookie: str | None = None) -> Seat:
    """A page in a browser profile of its own."""
    context = browser.new_context(viewport={"width": 390, "height": 844})
    context.set_default_timeout(PATIENCE)
    if cookie is not None:
        context.add_cookies([{"name": identity.COOKIE, "value": cookie, "url": url}])
    page = context.new_page()
    page.goto(url)
    return Seat(page)


def open_simple(browser: Browser, name: str, url: str) -> Target:
    return Target(name, (open_page(browser, url), open_page(browser, url)), [], [], lambda: None)


def open_game(browser: Browser, url: str, cookies: list[str]) -> Target:
    """1.8: two friends in a battle, which began by an invitation."""
    host, guest = (open_page(browser, url, cookie) for cookie in cookies)
    host.send("Pages", type="go", page="friend")
    host.send("Pages", type="invite", base=url, sure=False)
    invitation = host.page.wait_for_function(INVITATION, timeout=PATIENCE).json_value()
    guest.send("Pages", type="accept", invite=invitation, sure=False)

    def rematch() -> None:
        for seat in (host, guest):
            seat.until("over")
            seat.send("Board", type="rematch")
        for seat in (host, guest):
            seat.until("choosing")

    for seat in (host, guest):
        seat.until("choosing")
    return Target("game", (host, guest), [], [], rematch)


def measure(targets: list[Target], samples: int, rng: random.Random) -> None:
    """Fill in the delays of all targets, which take turns."""
    for number in range(WARM_UP + samples):
        for target in rng.sample(targets, len(targets)):
            delay, frame = target.reveal(rng)
            if number >= WARM_UP:
                target.delays.append(delay)
                target.frames.append(frame)


def clocks_differ(target: Target) -> float:
    """By how many milliseconds the clocks of two pages differ, as far as they can tell."""
    off = [min(seat.page.evaluate(f"() => {NOW} - Date.now()") for _ in range(50)) for seat in target.seats]
    return abs(float(off[0] - off[1]))


def tell(targets: list[Target]) -> bool:
    """Print what was measured; returns whether both bounds hold."""
    print(f"{'':10}{'p50 ms':>9}{'p95 ms':>9}{'least':>9}{'drawn':>9}   ({len(targets[0].delays)} reveals each)")
    for target in targets:
        p50, p95 = (percentile(target.delays, part) for part in (50, 95))
        drawn = percentile(target.frames, 50)
        print(f"{target.name:10}{p50:9.1f}{p95:9.1f}{min(target.delays):9.1f}{drawn:9.1f}")
    print(f"The clocks of the game's two pages differ by {clocks_differ(targets[0]):.2f} ms.")
    game, holds = percentile(targets[0].delays, 50), True
    for target, most in zip(targets[1:], (MOST_TORNADO, MOST_PANEL), strict=True):
        ratio = game / percentile(target.delays, 50)
        holds &= ratio <= most
        print(f"game / {target.name}: {ratio:.2f}, {'within' if ratio <= most else 'MORE THAN'} {most}")
    return holds


def compare(samples: int) -> bool:
    rng = random.Random(1)
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        cookies = make_profiles(serving.store_in(folder), 2, rng)
        game = stack.enter_context(serving.game(folder))
        simple: dict[str, serving.Server] = {}
        for name in ("tornado", "panel"):
            port = serving.free_port()
            command = [sys.executable, "-m", "benchmarks.reveal_latency", "--serve", name, "--port", str(port)]
            simple[name] = stack.enter_context(serving.running(command, port, "/page", folder / f"{name}.log"))
        browser = stack.enter_context(browsers.started(*FLAGS))
        targets = [open_game(browser, f"{game.base}/play", cookies)]
        targets += [open_simple(browser, name, f"{server.base}/page") for name, server in simple.items()]
        measure(targets, samples, rng)
        holds = tell(targets)
    return holds


def main(given: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0], prog="python -m benchmarks.reveal_latency")
    parser.add_argument("--samples", type=int, default=40, help="how many reveals of each are measured")
    parser.add_argument("--serve", choices=["tornado", "panel"], help=argparse.SUPPRESS)
    parser.add_argument("--port", type=int, help=argparse.SUPPRESS)
    arguments = parser.parse_args(given)
    if arguments.serve == "tornado":
        asyncio.run(serve_bare(arguments.port))
    elif arguments.serve == "panel":
        serve_plain(arguments.port)
    else:
        return 0 if compare(arguments.samples) else 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
