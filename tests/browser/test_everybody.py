"""Everybody can play: by keyboard alone, with calm motion, and by ear.

What a screen reader is given in a whole battle is in `heard.txt`. Where a change of it is meant,
`SUMMON_WRITE=1 .venv/bin/pytest tests/browser/test_everybody.py -k reader` writes it anew: read the difference before
you keep it.
"""

import os
import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.boards import STEPS, open_cards, phase, wait_for_phase
from tests.browser.scenes import WHOLE_PLAY, bring_up, staging, to_the_end

HEARD = Path(__file__).parent / "heard.txt"


@pytest.fixture(scope="module")
def stage() -> Iterator[str]:
    with staging() as address:
        yield address


def has_focus(place: Locator) -> bool:
    return place.evaluate("node => node.getRootNode().activeElement === node")


def tab_to(page: Page, selector: str, key: str = "Tab") -> Locator:
    """Press the Tab key until something has the focus, which can be seen."""
    wanted = page.locator(selector).locator("visible=true").first
    expect(wanted).to_be_visible()
    for _ in range(60):
        if has_focus(wanted):
            outline = wanted.evaluate("node => getComputedStyle(node).outlineStyle")
            assert outline != "none", f"{selector} has the focus, and nobody sees it"
            return wanted
        page.keyboard.press(key)
    pytest.fail(f"{key} does not reach {selector}")


def press(page: Page, selector: str, key: str = "Enter") -> None:
    tab_to(page, selector)
    page.keyboard.press(key)


# By keyboard alone


def play_by_keys(page: Page, screen: Locator) -> None:
    """Play to the end with the keys that the board shows: numbers, Enter and Escape."""
    go = screen.locator(".go")
    for turn in range(STEPS):
        if wait_for_phase(screen, "choosing", "reveal", "countdown", "over") == "over":
            return
        if phase(screen) == "choosing":
            cards = open_cards(screen)
            if not cards:
                press(page, ".screen .go")
            else:
                wanted = screen.locator(f".card[data-card={cards[turn % len(cards)]}]")
                page.keyboard.press(wanted.get_attribute("aria-keyshortcuts") or "")
                expect(wanted).to_have_attribute("aria-pressed", "true")
                expect(wanted.locator(".key")).to_be_visible()
                page.keyboard.press("Enter")
            expect(screen).not_to_have_attribute("data-phase", "choosing")
        elif go.get_attribute("data-go") == "skip":
            page.keyboard.press("Escape")
            expect(go).not_to_have_attribute("data-go", "skip")
        elif go.get_attribute("data-go") in ("next", "result"):
            expect(go).to_be_focused()
            page.keyboard.press("Enter")
        else:
            page.wait_for_timeout(50)
    pytest.fail("the battle did not end")


@pytest.mark.parametrize("size", ["phone", "desktop"])
def test_everything_can_be_done_by_keys_from_the_first_visit_to_the_next_battle(
    page_at: Callable[..., Page], served: str, size: str
) -> None:
    page = page_at(size)
    page.goto(served)
    pages = page.locator(".pages[data-page]")
    press(page, ".pages [data-pet][tabindex='0']", "ArrowRight")
    expect(pages.locator("[data-pet][aria-checked=true]")).to_be_focused()
    press(page, ".pages .go")
    press(page, ".ask [data-act=yes]")
    expect(pages).to_have_attribute("data-page", "home")
    press(page, "[data-go=fight]")
    press(page, "[data-rival=plain]", "Space")
    press(page, ".pages .go")

    screen = page.locator(".screen")
    expect(screen).to_be_visible()
    expect(screen.locator(".key").first).to_be_hidden()
    page.keyboard.press("ArrowRight")
    expect(screen.locator(".key").first).to_be_visible()
    play_by_keys(page, screen)
    assert screen.get_attribute("data-result") in ("win", "loss", "draw")

    press(page, ".screen [data-act=log]")
    log = page.locator(".drawer.log")
    expect(log).to_be_visible()
    page.keyboard.press("Escape")
    expect(log).to_be_hidden()
    expect(screen.locator("[data-act=log]").locator("visible=true")).to_be_focused()
    press(page, ".screen .go")
    expect(pages).to_have_attribute("data-page", "fight")


def test_hints_of_keys_go_with_the_first_touch(page_at: Callable[..., Page], stage: str) -> None:
    page = page_at("desktop")
    bring_up(page, stage, "choosing")
    hints, go = page.locator(".screen .key"), page.locator(".screen .go")
    assert hints.count() == 10
    for hint in hints.all():
        expect(hint).to_be_hidden()
    page.keyboard.press("1")
    assert [hint.text_content() for hint in hints.all()] == ["1", "2", "3", "4", "5", "6", "7", "8", "9", "0"]
    expect(hints.nth(0)).to_be_visible()
    assert go.evaluate("node => getComputedStyle(node, '::after').content") == '"Enter"'
    page.locator(".screen .turn").click()
    expect(hints.nth(0)).to_be_hidden()
    assert go.evaluate("node => getComputedStyle(node, '::after').content") == "none"


# Calm motion

MOVES = """() => {
  window.moved = new Set();
  const roots = (root) => [root, ...[...root.querySelectorAll("*")].filter((node) => node.shadowRoot)
    .flatMap((node) => roots(node.shadowRoot))];
  const look = () => {
    for (const root of roots(document)) {
      for (const animation of root.getAnimations()) {
        const { effect } = animation, lasts = effect.getComputedTiming().duration;
        const changed = effect.getKeyframes().flatMap((frame) => Object.keys(frame));
        const moves = changed.filter((name) =>
          !["offset", "computedOffset", "easing", "composite", "opacity"].includes(name));
        if (lasts > 50 && moves.length) {
          window.moved.add(`${effect.target.className.baseVal ?? effect.target.className}: ${[...new Set(moves)]}`);
        }
      }
    }
    requestAnimationFrame(look);
  };
  look();
}"""
"""Notes all that is animated and is no mere fading."""


@pytest.mark.parametrize("asked", ["by the device", "in the settings"])
def test_with_calm_motion_nothing_moves_in_a_whole_battle(page_at: Callable[..., Page], stage: str, asked: str) -> None:
    page = page_at("phone")
    if asked == "by the device":
        page.emulate_media(reduced_motion="reduce")
    else:
        page.add_init_script("localStorage.setItem('summon-settings', JSON.stringify({ calm: true }))")
    bring_up(page, stage, "whole")
    page.evaluate(MOVES)
    screen = page.locator(".screen")
    play_all(screen)
    expect(screen).to_have_attribute("data-result", "win")
    assert page.evaluate("() => [...window.moved]") == []


# By ear

LISTEN = """
window.heard = [];
const listen = (root) => new MutationObserver((changes) => {
  const said = changes.map(({ target }) => target.nodeType === Node.TEXT_NODE ? target.parentElement : target)
    .map((node) => node?.closest?.("[aria-live], [role=status], [role=alert]"))
    .filter((node) => node?.textContent.trim());
  for (const node of new Set(said)) {
    const urgent = node.getAttribute("aria-live") === "assertive" || node.getAttribute("role") === "alert";
    window.heard.push((urgent ? "! " : "") + node.textContent.trim());
  }
}).observe(root, { subtree: true, childList: true, characterData: true });
const { attachShadow } = Element.prototype;
Element.prototype.attachShadow = function (init) {
  const root = attachShadow.call(this, init);
  listen(root);
  return root;
};
"""
"""Notes what the live regions of a page say, one after the other; what is urgent begins with !."""


def play_all(screen: Locator) -> None:
    """Play the scene of a whole battle, every reveal skipped."""
    go = screen.locator(".go")
    for mine, _ in WHOLE_PLAY:
        wait_for_phase(screen, "choosing")
        name, _, amount = mine.partition(":")
        if name != "wait":
            screen.locator(f".card[data-card={name}]").click()
        for _ in range(int(amount or 1) - 1):
            screen.get_by_role("button", name="More", exact=True).click()
        go.click()
        to_the_end(screen.page)
        screen.locator(".go:is([data-go=next], [data-go=result])").click()
    wait_for_phase(screen, "over")


def test_what_a_screen_reader_is_given_in_a_whole_battle(page_at: Callable[..., Page], stage: str) -> None:
    page = page_at("desktop")
    page.add_init_script(LISTEN)
    bring_up(page, stage, "whole")
    play_all(page.locator(".screen"))
    page.wait_for_function("() => window.heard.at(-1).includes('!')")
    heard = "\n".join(page.evaluate("() => window.heard")) + "\n"
    if os.environ.get("SUMMON_WRITE") == "1":
        HEARD.write_text(heard, encoding="utf-8")
    assert heard == HEARD.read_text(encoding="utf-8")


def test_what_a_screen_reader_is_given_is_made_of_sentences() -> None:
    told = HEARD.read_text(encoding="utf-8")
    assert [line for line in told.splitlines() if not re.search(r"[.!]$", line)] == []
    for turn, (mine, his) in enumerate(WHOLE_PLAY, 1):
        assert f"Turn {turn}." in told
        assert f"You: {mine.partition(':')[0].capitalize()}. Rival: {his.capitalize()}." in told
    assert "You, Ember" not in told, "the pets are evolved"
    assert "You, Blaze: 10 of 10 health. Rival, Tsunami: 7 of 10 health." in told
