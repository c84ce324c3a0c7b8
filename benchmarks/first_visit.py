"""A first visit on a phone: what is fetched, and how long it takes until something can be tapped.

    python -m benchmarks.first_visit [--visits 5]

Counts what a newcomer fetches from the first page to the first card of a battle, by kind and host. Then it measures,
over a slow network and with a slow processor, how long it takes from asking for a page until it can be tapped: a
minimal Panel page with one button, the first page of a newcomer, and the board of somebody whose battle is under way,
in turns in the same run, each in a browser that has nothing of it. Prints the medians, their ratios, and a second visit
of the same browser. The exit status is 1 where a bound does not hold. SUMMON_CHROMIUM may name the browser.
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
from contextlib import ExitStack
from pathlib import Path
from statistics import median
from typing import NamedTuple

import panel as pn
from playwright.sync_api import Browser, BrowserContext

from benchmarks import browsers, serving
from benchmarks.slow_link import SlowLink
from benchmarks.visitors import make_profiles
from summon.lobby import Lobby
from summon.store import Store
from summon.views import identity
from tests.browser.boards import begin
from tests.browser.traffic import Traffic

MOST, MOST_OURS = 1_200_000, 150_000
"""So many bytes may come in a first visit, and so many of them may be ours."""

MOST_TIMES = 1.2
"""The board may take so many times as long as the minimal page."""

DOWN, UP, DELAY = 1.6e6, 750e3, 0.075
"""A slow mobile network, in bits a second and seconds for one way."""

BUTTON, ANSWER = "button.bk-btn", "#answer"
FIRST_PET = ".pages[data-page=welcome] [data-pet]"
CARD = '.screen[data-phase="choosing"] button.card:not([aria-disabled=true])'

# When the first thing that a selector finds can be tapped: it is there, and nothing lies over it.
WATCH = """(selector) => {
  const find = (root) => root.querySelector(selector)
    || [...root.querySelectorAll("div")].map((one) => one.shadowRoot && find(one.shadowRoot)).find(Boolean);
  const hit = (node) => {
    const { x, y, width, height } = node.getBoundingClientRect();
    if (!width) return false;
    const top = (root) => root.elementFromPoint(x + width / 2, y + height / 2);
    let at = top(document);
    while (at?.shadowRoot && top(at.shadowRoot) !== at) at = top(at.shadowRoot);
    return Boolean(at) && node.contains(at);
  };
  return new Promise((done) => {
    const look = () => {
      const node = find(document);
      if (node && hit(node)) done(performance.now());
      else setTimeout(look, 25);
    };
    look();
  });
}"""


class Target(NamedTuple):
    """A page that is measured: its address, the cookie of who opens it, what is waited for, and a tap that answers."""

    name: str
    url: str
    cookie: str | None
    waited: str
    tapped: str
    first: list[float]
    second: list[float]


def minimal_page() -> pn.viewable.Viewable:
    """The least that can be tapped and answers."""
    button, answer = pn.widgets.Button(name="Tap"), pn.pane.HTML("", width=100)
    button.on_click(lambda _: setattr(answer, "object", '<p id="answer">Tapped</p>'))
    return pn.Column(button, answer)


def battle_under_way(place: Path, rng: random.Random) -> str:
    """The cookie of somebody who is in a battle against the computer."""
    cookie = make_profiles(place, 1, rng)[0]
    with Store.open(place) as store:
        state = store.profile_of(identity.hash_of(cookie))
        assert state is not None
        Lobby(store, rng).begin(state, rival_evolved=True)
    return cookie


def new_visitor(browser: Browser, target: Target) -> BrowserContext:
    """A browser that has nothing yet, but for the cookie of a visitor who is known."""
    context = browsers.phone(browser)
    if target.cookie is not None:
        context.add_cookies([{"name": identity.COOKIE, "value": target.cookie, "url": target.url}])
    return context


def visit(context: BrowserContext, target: Target) -> float:
    """Milliseconds until the page can be tapped, which it then is, and answers."""
    page = browsers.slow_page(context)
    page.goto(target.url, wait_until="commit")
    taken = page.evaluate(WATCH, target.waited)
    page.locator(target.waited).first.tap()
    page.locator(target.tapped).first.wait_for()
    page.close()
    return float(taken)


def measure(browser: Browser, targets: list[Target], visits: int, rng: random.Random) -> None:
    for number in range(visits + 1):
        for target in rng.sample(targets, len(targets)):
            context = new_visitor(browser, target)
            times = visit(context, target), visit(context, target)
            context.close()
            if number:  # the first time servers and browser warm up
                target.first.append(times[0])
                target.second.append(times[1])


def fetched_by_a_newcomer(browser: Browser, url: str) -> Traffic:
    """All that comes up to the first card of a first battle."""
    context = browsers.phone(browser)
    page = context.new_page()
    traffic = Traffic(page)
    begin(page, url).locator(".card").first.wait_for()
    page.wait_for_load_state("networkidle")
    context.close()
    return traffic


def tell_bytes(traffic: Traffic) -> bool:
    """Print what was fetched; returns whether it is little enough."""
    print(f"{'':20}{'requests':>10}{'bytes':>12}")
    for kind, (count, size) in traffic.by_kind().items():
        print(f"{kind:20}{count:10}{size:12,}")
    whole, ours = traffic.size(), traffic.size(ours=True)
    print(f"{'all':20}{len(traffic.all):10}{whole:12,}   {_within(whole, MOST)}")
    print(f"{'of these ours':20}{'':10}{ours:12,}   {_within(ours, MOST_OURS)}")
    print(f"hosts: {', '.join(sorted(traffic.hosts()))}")
    return whole <= MOST and ours <= MOST_OURS and len(traffic.hosts()) == 1


def _within(value: float, most: float) -> str:
    return f"{'within' if value <= most else 'MORE THAN'} {most:,}"


def tell_times(targets: list[Target]) -> bool:
    """Print what was measured; returns whether the board is there soon enough."""
    print(f"\n{'until it can be tapped':24}{'first, ms':>10}{'ratio':>8}{'again, ms':>11}{'ratio':>8}", end="")
    print(f"   (medians of {len(targets[0].first)})")
    least = targets[0]
    for target in targets:
        first, second = median(target.first), median(target.second)
        ratios = first / median(least.first), second / median(least.second)
        print(f"{target.name:24}{first:10.0f}{ratios[0]:8.2f}{second:11.0f}{ratios[1]:8.2f}")
    ratio = median(targets[-1].first) / median(least.first)
    print(f"{targets[-1].name} / {least.name}: {ratio:.2f}, {_within(ratio, MOST_TIMES)}")
    return ratio <= MOST_TIMES


def compare(visits: int) -> bool:
    rng = random.Random(1)
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        cookie = battle_under_way(serving.store_in(folder), rng)
        near = {name: serving.free_port() for name in ("game", "minimal")}
        origins = {name: f"{serving.ADDRESS}:{port}" for name, port in near.items()}
        game = stack.enter_context(serving.game(folder, "--allow-websocket-origin", origins["game"]))
        port = serving.free_port()
        command = [sys.executable, "-m", "benchmarks.first_visit", "--serve", str(port), origins["minimal"]]
        stack.enter_context(serving.running(command, port, "/page", folder / "minimal.log"))
        far = {"game": int(game.base.rpartition(":")[2]), "minimal": port}
        for name in near:
            stack.enter_context(SlowLink(near[name], far[name], DOWN, UP, DELAY).open())
        page, play = f"http://{origins['minimal']}/page", f"http://{origins['game']}/play"
        targets = [
            Target("minimal Panel page", page, None, BUTTON, ANSWER, [], []),
            Target("first page", play, None, FIRST_PET, f"{FIRST_PET}[aria-checked=true]", [], []),
            Target("board", f"{play}?page=battle", cookie, CARD, ".screen button.card[aria-pressed=true]", [], []),
        ]
        browser = stack.enter_context(browsers.started())
        little = tell_bytes(fetched_by_a_newcomer(browser, f"{game.base}/play"))
        measure(browser, targets, visits, rng)
        soon = tell_times(targets)
    return little and soon


def main(given: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0], prog="python -m benchmarks.first_visit")
    parser.add_argument("--visits", type=int, default=5, help="how many first visits of each are measured")
    parser.add_argument("--serve", nargs=2, metavar=("PORT", "ORIGIN"), help=argparse.SUPPRESS)
    arguments = parser.parse_args(given)
    if arguments.serve:
        browsers.serve("page", minimal_page, int(arguments.serve[0]), arguments.serve[1], compress_response=True)
        return 0
    return 0 if compare(arguments.visits) else 1


if __name__ == "__main__":
    sys.exit(main())
