"""How smoothly a reveal is animated by a slow processor: the times between the frames that Chromium draws.

    python -m benchmarks.frame_times [--reveals 5] [--trace FILE]

A phone's page plays a battle against the computer, with the processor slowed down four times, and is traced by Chromium
from the countdown to the last effect. The same is done, for as long, with a page on which one small square moves. In
both something changes with every frame, so that each gap between two frames is one that a player could see. Prints the
median, the 95th percentile and the longest of the times, and how many of them were longer than two and than six frames
of 60 a second. `--trace` keeps what was traced of the reveals, for Chromium's own tools. SUMMON_CHROMIUM may name the
browser.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import tempfile
from contextlib import ExitStack
from itertools import pairwise
from pathlib import Path
from typing import Any

import panel as pn
from playwright.sync_api import Browser, Page

from benchmarks import browsers, serving
from benchmarks.figures import percentile
from summon.player import Player
from summon.views.play import PAGE
from summon.views.seated import practice_board

FRAME = 1000 / 60

CATEGORIES = ["blink.user_timing", "devtools.timeline", "disabled-by-default-devtools.timeline.frame"]

CARDS = ("shield", "poison", "refreshment", "copycat", "wild", "blind", "sacrifice")

EMPTY = """<!doctype html><title>Empty</title><style>
div { width: 80px; height: 80px; background: #c46a00; animation: go 1s infinite alternate linear }
@keyframes go { to { transform: translateX(200px) } }
</style><div></div>"""

# Something that changes with every frame.
BEAT = """() => {
  const mark = document.createElement("i");
  mark.style.cssText = "position:fixed;left:0;top:0;width:1px;height:1px;background:#888";
  document.body.append(mark);
  const beat = (time) => {
    mark.style.opacity = 0.5 + (time % 2) / 8;
    requestAnimationFrame(beat);
  };
  requestAnimationFrame(beat);
}"""

# From the countdown to when the board waits for the player again.
PLAY = """(screen) => new Promise((done, failed) => {
  setTimeout(() => failed(new Error(`the board stays in ${screen.dataset.phase}`)), 100000);
  const go = screen.querySelector(".go");
  let begun = false;
  const look = () => {
    const { phase } = screen.dataset;
    if (!begun && phase === "countdown") {
      begun = true;
      performance.mark("begin");
    }
    if (begun && phase !== "countdown" && (["next", "result"].includes(go.dataset.go) || phase === "over")) {
      performance.mark("end");
      done(phase === "over" || go.dataset.go === "result");
    } else requestAnimationFrame(look);
  };
  const cards = [...screen.querySelectorAll("button.card:not([aria-disabled=true])")];
  (cards.find((one) => one.dataset.card === "attack") || cards[0])?.click();
  go.click();
  look();
})"""

WAIT = """(milliseconds) => new Promise((done) => {
  performance.mark("begin");
  setTimeout(() => {
    performance.mark("end");
    done();
  }, milliseconds);
})"""


def battle_page() -> pn.viewable.Viewable:
    """A battle with ten cards against the computer, the same every time."""
    document: Any = pn.state.curdoc
    document.template = PAGE
    return practice_board(Player("you", "ember", cards=CARDS), True, rng=random.Random(1)).board


def traced(browser: Browser, page: Page, act: Any) -> tuple[bytes, Any]:
    """What Chromium traced while something was done, and what that gave."""
    browser.start_tracing(page=page, categories=CATEGORIES)
    given = act()
    return browser.stop_tracing(), given


def intervals(trace: bytes) -> list[float]:
    """The milliseconds between the frames that were drawn between the marks of a page."""
    events = json.loads(trace)["traceEvents"]
    marks = [it for it in events if "blink.user_timing" in it.get("cat", "") and it["name"] in ("begin", "end")]
    begin, end = (next(it for it in marks if it["name"] == name) for name in ("begin", "end"))
    drawn = sorted(
        it["ts"]
        for it in events
        if it["name"] == "DrawFrame" and it["pid"] == begin["pid"] and begin["ts"] <= it["ts"] <= end["ts"]
    )
    return [(later - earlier) / 1000 for earlier, later in pairwise(drawn)]


def reveals(browser: Browser, url: str, count: int, kept: Path | None) -> list[float]:
    """The times between the frames of so many reveals, which may take more than one battle."""
    found: list[float] = []
    page = browsers.slow_page(browsers.phone(browser))
    over = True
    for _ in range(count):
        if over:
            page.goto(url)
            page.evaluate(BEAT)
        screen = page.wait_for_selector('.screen[data-phase="choosing"]')
        assert screen is not None
        trace, over = traced(browser, page, lambda screen=screen: screen.evaluate(PLAY))
        found += intervals(trace)
        if kept is not None:
            kept.write_bytes(trace)
        if not over:
            page.locator(".screen .go").click()
    page.context.close()
    return found


def empty(browser: Browser, milliseconds: float) -> list[float]:
    """The times between the frames of the page on which little happens."""
    page = browsers.slow_page(browsers.phone(browser))
    page.set_content(EMPTY)
    page.evaluate(BEAT)
    trace, _ = traced(browser, page, lambda: page.evaluate(WAIT, milliseconds))
    page.context.close()
    return intervals(trace)


def tell(name: str, times: list[float]) -> None:
    late = [sum(time > frames * FRAME for time in times) for frames in (2.5, 6.5)]
    print(
        f"{name:18}{len(times):8}{percentile(times, 50):9.1f}{percentile(times, 95):9.1f}{max(times):9.1f}"
        f"{late[0]:14}{late[1]:14}"
    )


def measure(count: int, kept: Path | None) -> None:
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        port = serving.free_port()
        command = [sys.executable, "-m", "benchmarks.frame_times", "--serve", str(port)]
        server = stack.enter_context(serving.running(command, port, "/battle", folder / "log"))
        browser = stack.enter_context(browsers.started())
        animated = reveals(browser, f"{server.base}/battle", count, kept)
        nothing = empty(browser, sum(animated))
    print(f"{'':18}{'frames':>8}{'p50 ms':>9}{'p95 ms':>9}{'longest':>9}{'over 2 frames':>14}{'over 6 frames':>14}")
    tell(f"{count} reveals", animated)
    tell("empty animation", nothing)


def main(given: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0], prog="python -m benchmarks.frame_times")
    parser.add_argument("--reveals", type=int, default=5, help="how many reveals are animated")
    parser.add_argument("--trace", type=Path, metavar="FILE", help="where the last trace of a reveal is kept")
    parser.add_argument("--serve", type=int, help=argparse.SUPPRESS)
    arguments = parser.parse_args(given)
    if arguments.serve:
        browsers.serve("battle", battle_page, arguments.serve)
    else:
        measure(arguments.reveals, arguments.trace)
    return 0


if __name__ == "__main__":
    sys.exit(main())
