"""The parts of the game, each alone: what lies where, the address, trouble, a question, and a file of its own."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from bokeh.resources import INLINE
from playwright.sync_api import Browser, Page, Route, expect

import summon
from summon.views import page_states
from summon.views.board import Board
from summon.views.pages import Pages
from summon.views.seat import seat_view
from summon.views.setup import SetUp
from tests.browser.boards import health, open_board, phase, wait_for_phase
from tests.browser.conftest import is_local, serving


@pytest.fixture(scope="module")
def parts(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with serving("tests/browser/apps/parts.py", tmp_path_factory.mktemp("parts") / "log.txt") as url:
        yield url


def expect_address(page: Page, url: str) -> None:
    page.wait_for_url(url, timeout=20_000)


def test_the_address_is_corrected_at_first_replaced_where_it_is_told_and_else_a_new_one(
    page_at: Callable[..., Page], parts: str
) -> None:
    page = page_at("phone")
    page.goto(f"{parts}?part=address&now=asked")
    expect_address(page, f"{parts}?part=address&now=corrected")
    opened = page.evaluate("history.length")

    page.locator("[data-pet=moss]").click()
    page.locator(".pages .go").click()
    page.locator("[data-act=yes]").click()
    expect_address(page, f"{parts}?part=address&now=choose_pet")
    assert page.evaluate("history.length") == opened

    page.locator("[data-go=save]").click()
    expect_address(page, f"{parts}?part=address&now=go")
    assert page.evaluate("history.length") == opened + 1
    page.go_back()
    expect_address(page, f"{parts}?part=address&now=address")


def test_trouble_is_told_once(page_at: Callable[..., Page], parts: str) -> None:
    page = page_at("phone")
    page.goto(f"{parts}?part=trouble")
    page.locator("[data-go=save]").click()
    expect(page.locator(".trouble")).to_contain_text("Nothing can be saved just now.")
    expect(page.locator("p[role=status]")).to_contain_text("Nothing can be saved just now.")
    expect(page.locator("[data-go=save]")).not_to_have_attribute("aria-busy", "true")
    assert page.locator(".notice").count() == 0


@pytest.mark.parametrize("size", ["phone", "desktop"])
def test_practice_asks_before_it_leaves_a_battle(page_at: Callable[..., Page], parts: str, size: str) -> None:
    page = page_at(size)
    page.goto(f"{parts}?part=leaving")
    setup = page.locator(".setup")
    expect(setup.get_by_role("heading", name="Practice", exact=True)).to_be_visible()
    setup.locator("[data-pet=moss]").click()
    go, asked, line = setup.locator(".go"), page.get_by_role("dialog"), setup.locator(".line")
    go.click()
    expect(asked).to_contain_text("Spark wins if you leave now.")
    expect(asked.locator("[data-act=no]")).to_be_focused()
    asked.locator("[data-act=no]").click()
    expect(asked).to_be_hidden()
    expect(go).to_be_focused()
    expect(line).to_have_text("")
    go.click()
    asked.locator("[data-act=yes]").click()
    expect(line).to_have_text("It was sent.")


BOXES = """() => {
  const found = [];
  const walk = (node) => {
    if (node.shadowRoot) walk(node.shadowRoot);
    for (const child of node.children || []) walk(child);
    const pet = node.matches?.(".pet > svg");
    if (pet) node.style.animation = "none";
    if (pet || (node.matches?.(".token") && !node.hidden)) {
      const { left, top, right, bottom } = node.getBoundingClientRect();
      found.push({ pet, left, top, right, bottom });
    }
  };
  walk(document.body);
  return found;
}"""
"""Where the pets and the statuses that are shown lie, pets standing still."""


def boxes(page: Page) -> tuple[list[dict[str, float]], list[dict[str, float]]]:
    found = page.evaluate(BOXES)
    return [it for it in found if it["pet"]], [it for it in found if not it["pet"]]


@pytest.mark.parametrize(("width", "height"), [(390, 844), (375, 667), (320, 568), (820, 1180), (1440, 900)])
def test_statuses_take_no_room_from_a_pet_and_lie_on_none(
    page_at: Callable[..., Page], parts: str, width: int, height: int
) -> None:
    page = page_at("desktop")
    page.set_viewport_size({"width": width, "height": height})
    page.goto(f"{parts}?part=statuses")
    expect(page.locator(".screen")).to_be_visible()
    before, none = boxes(page)
    assert len(before) == 2 and not none

    page.locator("[data-act=log]").first.click()
    expect(page.locator(".token").first).to_be_visible()
    page.wait_for_timeout(500)
    pets, tokens = boxes(page)
    assert len(tokens) >= 4
    for was, now in zip(before, pets, strict=True):
        assert now["bottom"] - now["top"] == pytest.approx(was["bottom"] - was["top"], abs=1)
    for token in tokens:
        assert token["left"] >= 0 and token["right"] <= width
        for pet in pets:
            apart = token["bottom"] <= pet["top"] or token["top"] >= pet["bottom"] - 8
            assert apart or token["right"] <= pet["left"] or token["left"] >= pet["right"]


KINDS = {
    "board": (
        lambda: Board(state=seat_view(summon.Battle(summon.Fighter("moss"), summon.Fighter("tide")), 0, battle_id="b")),
        ".screen .card",
    ),
    "pages": (
        lambda: Pages(state={"page": "welcome", "profile": None, "revision": 0, **page_states.welcome()}),
        ".pages[data-page=welcome] [data-pet]",
    ),
    "setup": (lambda: SetUp(), ".setup [data-pet]"),
}


def test_the_countdown_waits_for_what_was_played(page_at: Callable[..., Page], parts: str) -> None:
    page = page_at("phone")
    screen = open_board(page, f"{parts}?part=counting")
    screen.locator("[data-card=attack]").click()
    screen.locator(".go").click()
    wait_for_phase(screen, "countdown")
    skip = screen.locator(".go[data-go=skip]")
    expect(skip).to_be_visible()
    page.wait_for_timeout(700)
    skip.click()
    # Everything has ended by itself or was skipped by now, and nobody has told yet.
    page.wait_for_timeout(700)
    assert phase(screen) == "countdown"
    expect(screen.locator("[data-slot] .card.back")).to_have_count(2)
    screen.locator(".top [data-act=log]").click()
    wait_for_phase(screen, "reveal")
    page.locator("dialog[open] [data-act=close]").click()
    expect(screen.locator("[data-slot=you] [data-card=attack]")).to_be_visible()
    expect(screen.locator("[data-slot=rival] [data-card=heal]")).to_be_visible()
    expect(screen.locator(".go[data-go=next]")).to_be_visible(timeout=15_000)
    assert (health(screen, "you"), health(screen, "rival")) == (5, 3)


@pytest.mark.parametrize("kind", KINDS)
def test_it_is_all_in_one_file_where_nobody_serves_it(browser: Browser, tmp_path: Path, kind: str) -> None:
    component, shown = KINDS[kind]
    file = tmp_path / "saved.html"
    component().save(file, resources=INLINE)
    context = browser.new_context()
    errors: list[str] = []
    context.on("weberror", lambda problem: errors.append(str(problem.error)))

    def keep_in(route: Route) -> None:
        # Panel's own stylesheets are not part of such a file.
        if is_local(route.request.url) or route.request.url.startswith("file:"):
            route.continue_()
        else:
            route.abort()

    context.route("**/*", keep_in)
    page = context.new_page()
    page.goto(file.as_uri())
    expect(page.locator(shown).first).to_be_visible()
    page.locator(shown).first.click()
    context.close()
    assert errors == []
