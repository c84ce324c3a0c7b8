"""The lab in a real browser: moving a rule by hand, nonsense, the link, two sets of rules, and a battle."""

from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.parse import parse_qsl, urlencode, urlsplit

import pytest
from playwright.sync_api import Locator, Page, expect

from summon.lab import Lab
from summon.record import Record
from summon.simulate import simulate
from tests.browser.boards import wait_for_phase
from tests.browser.conftest import UNREADABLE, serving, summoned
from tests.browser.test_axe import AXE, RUN

FEW = 10_000
COUNTS = "cells => cells.map(cell => Number(cell.dataset.count))"

PANELS_OWN = ("region", "landmark-one-main", "heading-order", "aria-input-field-name")
"""What Panel's and Bokeh's own widgets decide: no landmarks, a card's title is an h3, and a slider's handle has no name
(the field beside it has one)."""

pytest.importorskip("numba")


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Serve the lab and return its address; nothing may go wrong in it."""
    log = tmp_path_factory.mktemp("lab") / "log.txt"
    with serving("app/lab.py", log) as url:
        yield url
    # A page that closes while Bokeh writes to it is told of in the log; of the lab's own code there is nothing.
    assert "/summon/" not in log.read_text(encoding="utf-8", errors="replace")


def few(**made: object) -> Lab:
    lab = Lab(battles=FEW)
    lab.rules.param.update(**made)
    return lab


def opened(page: Page, address: str, lab: Lab | None = None) -> Page:
    page.goto(f"{address}?{urlencode((lab or few()).query())}")
    expect(page.locator('[data-outcome="first"]')).to_be_visible(timeout=120_000)
    return page


def counts(page: Page) -> list[int]:
    return page.locator("td[data-count]").evaluate_all(COUNTS)


def expected(record: Record) -> list[int]:
    totals = simulate(record, FEW, 0)
    return [totals.first, totals.second, totals.draw]


def shows(page: Page, *numbers: int) -> None:
    """Wait until the table has these counts, and nothing is under way any more."""
    page.wait_for_function(
        f"""expected => {{
          const all = (root) => [...root.querySelectorAll("*")].flatMap((node) =>
            [node, ...(node.shadowRoot ? all(node.shadowRoot) : [])]);
          const cells = all(document).filter((node) => node.matches("td[data-count]"));
          return JSON.stringify(({COUNTS})(cells)) === JSON.stringify(expected);
        }}""",
        arg=list(numbers),
    )
    expect(page.locator('[role=status][data-state="idle"]')).to_be_attached()


def group(page: Page, title: str) -> None:
    page.get_by_role("button", name=title).click()


def field(page: Page, name: str) -> Locator:
    return page.get_by_label(f"{name} as a number")


def test_a_slider_moved_twenty_times_quickly_ends_in_the_right_state(
    page_at: Callable[..., Page], address: str
) -> None:
    page = opened(page_at("desktop"), address)
    shows(page, *expected(few().record()))
    group(page, "Health and evolution")
    handle = page.locator(".noUi-handle").first
    handle.focus()
    for _ in range(10):
        page.keyboard.press("ArrowRight")
    for _ in range(7):
        page.keyboard.press("ArrowLeft")
    for _ in range(3):
        page.keyboard.press("ArrowRight")
    expect(field(page, "Base health")).to_have_value("11")
    shows(page, *expected(few(base_health=11).record()))
    expect(page.get_by_text("1 of 37 rules are changed.")).to_be_visible()
    page.get_by_role("button", name="Back to 5").click()
    shows(page, *expected(few().record()))


def test_nonsense_typed_is_told_and_changes_nothing(page_at: Callable[..., Page], address: str) -> None:
    page = opened(page_at("phone"), address)
    before = expected(few().record())
    shows(page, *before)
    group(page, "Health and evolution")
    for text in ("lots", "<img src=x>", "1000", "-1", "0.5", "٣"):
        field(page, "Base health").fill(text)
        field(page, "Base health").press("Enter")
        expect(page.get_by_text(f"whole number from 1 to 999, not '{text}'")).to_be_visible()
    shows(page, *before)
    field(page, "Base health").fill("999")
    field(page, "Base health").press("Enter")
    expect(page.get_by_text("whole number from 1 to 999")).to_be_hidden()
    expect(page.get_by_text("1 of 37 rules are changed.")).to_be_visible()


def test_a_link_brings_all_of_it_back(page_at: Callable[..., Page], address: str) -> None:
    page = opened(page_at("desktop"), address)
    group(page, "Shield, Hide")
    page.get_by_label("Shields add up").check()
    page.get_by_label("Pet").first.select_option("Tide")
    page.get_by_label("Sacrifice").first.check()
    lab = few(shields_add_up=True)
    lab.first.param.update(pet="tide", cards=["sacrifice"])
    shows(page, *expected(lab.record()))
    page.wait_for_url(lambda url: "tide" in url and "sacrifice" in url and "shields_add_up" in url)
    assert Lab.from_query(dict(parse_qsl(urlsplit(page.url).query))).query() == lab.query()
    other = page_at("phone")
    other.goto(page.url)
    expect(other.locator('[data-outcome="first"]')).to_be_visible(timeout=60_000)
    shows(other, *expected(lab.record()))
    expect(other.get_by_text("Shield, Hide and blocks · 1 changed")).to_be_visible()


@pytest.mark.parametrize("query", UNREADABLE)
def test_no_address_breaks_the_page(page_at: Callable[..., Page], address: str, query: str) -> None:
    page = page_at("phone")
    page.goto(f"{address}?{query}")
    expect(page.locator('[data-outcome="first"]')).to_be_visible(timeout=120_000)


def test_the_command_shows_the_lab(page_at: Callable[..., Page], tmp_path: Path) -> None:
    with summoned("lab", tmp_path / "log.txt") as address:
        opened(page_at("desktop"), address)


def test_a_broken_link_says_what_is_wrong_and_shows_the_defaults(page_at: Callable[..., Page], address: str) -> None:
    page = page_at("phone")
    page.goto(f"{address}?battles=lots")
    told = "battles is a whole number from 1 to 1000000, not 'lots'"
    expect(page.get_by_text(told)).to_be_visible(timeout=60_000)
    expect(page.locator('[data-outcome="first"]')).to_be_visible(timeout=60_000)


def test_two_sets_of_rules_are_compared(page_at: Callable[..., Page], address: str) -> None:
    page = opened(page_at("tablet"), address, few(poison_damage=3, base_health=9))
    page.get_by_role("button", name="Compare", exact=True).click()
    page.get_by_label("Compare with other rules").check()
    expect(page.get_by_text("Whether the first side wins more or less often")).to_be_visible()
    assert len(counts(page)) == 6
    page.get_by_role("button", name="Keep the tried rules").click()
    expect(page.get_by_text("Compared with: Base health 9; Poison damage 3.")).to_be_visible()
    page.wait_for_url(lambda url: "others" in url)


def test_a_question_is_asked_and_stopped(page_at: Callable[..., Page], address: str) -> None:
    page = opened(page_at("desktop"), address)
    page.get_by_text("Rules that fire", exact=True).click()
    page.get_by_role("button", name="Play for it").click()
    page.get_by_role("button", name="Stop").click()
    expect(page.get_by_text("Stopped: it rests on")).to_be_visible(timeout=60_000)
    page.get_by_text("Gold", exact=True).click()
    page.get_by_role("button", name="Play for it").click()
    expect(page.get_by_text("For its price")).to_be_visible(timeout=60_000)


def test_into_a_battle_and_back(page_at: Callable[..., Page], address: str) -> None:
    page = opened(page_at("phone"), address, few(base_health=7))
    page.get_by_role("button", name="Share, or play").click()
    page.get_by_role("button", name="Play it: Moss against Spark").click()
    board = page.locator("[data-phase]")
    wait_for_phase(board, "choosing")
    expect(page.locator('[data-outcome="first"]')).to_be_hidden()
    page.get_by_role("button", name="Counter").first.click()
    page.get_by_role("button", name="Lock it in").click()
    expect(page.get_by_role("button", name="Next turn").or_(page.get_by_text("Pick a card"))).to_be_visible()
    page.get_by_role("button", name="Back to the lab").click()
    expect(page.locator('[data-outcome="first"]')).to_be_visible()
    shows(page, *expected(few(base_health=7).record()))


@pytest.mark.parametrize(("size", "scheme"), [("phone", "dark"), ("tablet", "light"), ("desktop", "dark")])
def test_it_fits_and_is_for_everybody(page_at: Callable[..., Page], address: str, size: str, scheme: str) -> None:
    page = opened(page_at(size, scheme), address)
    for title in ("Health and evolution", "Starters"):
        group(page, title)
    expect(field(page, "Attack damage, tier 3")).to_be_visible()
    for tab in ("Card against card", "Gold", "Turn by turn"):
        page.get_by_text(tab, exact=True).click()
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.evaluate(AXE)
    assert [line for line in page.evaluate(RUN) if not line.startswith(PANELS_OWN)] == []


def test_the_questions_are_opened_by_keys(page_at: Callable[..., Page], address: str) -> None:
    page = opened(page_at("phone"), address)
    page.get_by_role("radio", name="Turn by turn").focus()
    page.keyboard.press("ArrowRight")
    expect(page.get_by_role("radio", name="Card against card")).to_be_checked()
    expect(page.get_by_text("Battles won less battles lost")).to_be_visible()
    expect(page.get_by_text("Half of the battles are over")).to_be_hidden()
    page.keyboard.press("ArrowRight")
    expect(page.get_by_role("button", name="Play for it")).to_be_visible()


def test_a_chart_is_brought_up_to_date_in_place(page_at: Callable[..., Page], address: str) -> None:
    page = opened(page_at("desktop"), address)
    mean = page.get_by_text("Half of the battles are over")
    before = mean.inner_text()
    canvas = page.locator("canvas").first
    canvas.evaluate("canvas => { canvas.dataset.here = 'before' }")
    page.get_by_label("evolved").first.check()
    expect(mean).not_to_have_text(before)
    expect(canvas).to_have_attribute("data-here", "before")


GROUNDS = "(tooltips) => tooltips.map((one) => getComputedStyle(one).backgroundColor)"


def test_what_a_mark_tells_is_dark_on_a_dark_page(page_at: Callable[..., Page], address: str) -> None:
    page = opened(page_at("desktop"), address)
    page.get_by_text("Card against card", exact=True).click()
    expect(page.get_by_text("Battles won less battles lost")).to_be_visible()
    for scheme, ground in (("dark", "rgb(29, 34, 70)"), ("light", "rgb(255, 255, 255)"), ("dark", "rgb(29, 34, 70)")):
        page.emulate_media(color_scheme=scheme)
        page.mouse.move(5, 5)
        # The chart is drawn anew in the other colours, and what it tells comes when the mouse moves on it after that.
        for nudge in range(80):
            page.locator(".bk-Figure:visible").hover(position={"x": 430 + nudge % 2, "y": 170})
            if page.locator(".bk-Tooltip:visible").evaluate_all(GROUNDS) == [ground]:
                break
            page.wait_for_timeout(250)
        else:
            raise AssertionError(f"what a mark tells is never on {ground}")
