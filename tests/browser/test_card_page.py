"""The pages of the cards in a real browser: the ways to them, what stands on them, and the tiny battles."""

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest
from playwright.sync_api import Locator, Page, expect

from summon import words
from tests.browser.boards import begin, choose_pet

CARDS = ("poison", "wild", "copycat")
HELD = 900
"""Longer than what is taken for a long press, in ms."""


@contextmanager
def finger(page: Page, wanted: Locator) -> Iterator[Callable[[int, int], None]]:
    """A finger on the middle of something, for as long as the context lasts; gives what moves it."""
    box = wanted.bounding_box()
    assert box is not None
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    touch = page.context.new_cdp_session(page)

    def send(kind: str, dx: int = 0, dy: int = 0) -> None:
        points = [] if kind == "touchEnd" else [{"x": x + dx, "y": y + dy}]
        touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    send("touchStart")
    yield lambda dx, dy: send("touchMove", dx, dy)
    send("touchEnd")


def sheet(page: Page) -> Locator:
    return page.locator(".card-page[open]")


def expect_page_of(page: Page, card: str) -> None:
    """The page of a card is open, and has come."""
    expect(sheet(page).get_by_role("heading", name=words.CARD_NAMES[card], exact=True)).to_be_visible()
    expect(sheet(page)).to_contain_text(words.CARD_MEANINGS[card])
    expect(sheet(page).locator(".its-rule")).to_contain_text(re.compile(r"\d\.\d"))


def close(page: Page) -> None:
    sheet(page).locator("[data-act=close]").click()
    expect(sheet(page)).to_have_count(0)


def test_a_long_press_asks_and_a_tap_chooses(page_at: Callable[..., Page], server: str) -> None:
    page = page_at("phone")
    screen = begin(page, server, "ember", cards=CARDS)
    for name in ("attack", "wild"):
        card = screen.locator(f".card[data-card={name}]")
        with finger(page, card):
            expect_page_of(page, name)
        page.wait_for_timeout(500)
        expect_page_of(page, name)
        close(page)
        expect(card).to_have_attribute("aria-pressed", "false")
        card.tap()
        expect(card).to_have_attribute("aria-pressed", "true")
        expect(sheet(page)).to_have_count(0)


def test_a_finger_that_moves_or_lets_go_asks_nothing(page_at: Callable[..., Page], server: str) -> None:
    page = page_at("phone")
    screen = begin(page, server, "ember", cards=CARDS)
    card = screen.locator(".card[data-card=heal]")
    with finger(page, card) as move:
        move(0, -40)
        page.wait_for_timeout(HELD)
    with finger(page, card):
        page.wait_for_timeout(80)
    page.wait_for_timeout(HELD)
    expect(sheet(page)).to_have_count(0)


def test_a_long_press_opens_no_menu_of_the_browser(page_at: Callable[..., Page], server: str) -> None:
    page = page_at("phone")
    screen = begin(page, server, "ember", cards=CARDS)
    card = screen.locator(".card[data-card=heal]")
    ask = """node => {
      const asked = new MouseEvent("contextmenu", {bubbles: true, composed: true, cancelable: true});
      node.dispatchEvent(asked);
      return asked.defaultPrevented;
    }"""
    with finger(page, card):
        assert card.evaluate(ask)
    assert not screen.locator(".turn").evaluate(ask)


def test_on_the_keyboard_a_question_mark_asks(page_at: Callable[..., Page], server: str) -> None:
    page = page_at("desktop")
    screen = begin(page, server, "tide", cards=CARDS)
    card = screen.locator(".card[data-card=poison]")
    card.focus()
    page.keyboard.press("?")
    expect_page_of(page, "poison")
    page.keyboard.press("Escape")
    expect(sheet(page)).to_have_count(0)
    expect(card).to_be_focused()
    expect(card).to_have_attribute("aria-pressed", "false")


def test_a_button_tells_of_the_card_that_is_picked_even_where_that_is_off(
    page_at: Callable[..., Page], scenes: str
) -> None:
    page = page_at("phone")
    page.goto(f"{scenes}?scene=refused")
    screen = page.locator(".screen")
    mark = screen.locator("[data-act=about]")
    expect(screen.locator(".card[data-card=heal]")).to_be_visible()
    expect(mark).to_be_hidden()
    for name in ("heal", "attack"):
        screen.locator(f".card[data-card={name}]").click(force=True)
        expect(mark).to_have_attribute("aria-label", f"What does {words.CARD_NAMES[name]} do?")
        mark.click()
        expect_page_of(page, name)
        close(page)


def test_what_a_card_does_now_and_its_tiers_are_the_players_own(page_at: Callable[..., Page], scenes: str) -> None:
    page = page_at("desktop", "dark")
    page.goto(f"{scenes}?scene=statuses")
    screen = page.locator(".screen")
    screen.locator(".card[data-card=attack]").focus()
    page.keyboard.press("?")
    expect(sheet(page).locator(".does-now")).to_contain_text("Hit for 3.")
    expect(sheet(page).locator(".its-tiers li")).to_have_count(3)
    expect(sheet(page).locator(".its-tiers [aria-current=true]")).to_contain_text("Hit for 2.")
    page.keyboard.press("Escape")
    screen.locator(".card[data-card=shield]").focus()
    page.keyboard.press("?")
    expect_page_of(page, "shield")
    expect(sheet(page).locator(".its-tiers")).to_have_count(0)


@pytest.mark.parametrize("size", ["phone", "desktop"])
def test_a_tiny_battle_is_played_and_played_again_by_a_tap(
    page_at: Callable[..., Page], server: str, size: str
) -> None:
    page = page_at(size)
    choose_pet(page, server, "moss").locator("[data-go=market]").click()
    page.locator("[data-item='card:poison'] .leads").click()
    expect_page_of(page, "poison")
    stage = sheet(page).locator(".tiny")
    for step in (1, 2, 3):
        expect(stage).to_have_attribute("data-step", str(step))
    expect(stage).to_have_class(re.compile("done"))
    expect(stage.locator("[data-side=rival] .hp.gone")).to_have_count(2)
    stage.click()
    expect(stage).to_have_attribute("data-step", "1")
    expect(stage.locator(".hp.gone")).to_have_count(0)
    expect(sheet(page).locator(".tiny-battle ol li")).to_have_text(
        [re.compile("Moss: Poison"), re.compile("takes 1 from Tide"), re.compile("takes 1 from Tide")]
    )


def test_with_calm_motion_there_are_three_pictures(page_at: Callable[..., Page], server: str) -> None:
    page = page_at("phone")
    page.emulate_media(reduced_motion="reduce")
    choose_pet(page, server, "bloom").locator("[data-go=market]").click()
    page.locator("[data-tab=starters]").click()
    page.locator("[data-item^='tier:counter'] .leads").click()
    expect_page_of(page, "counter")
    expect(sheet(page).locator(".stills li")).to_have_count(3)
    for n in range(3):
        expect(sheet(page).locator(".stills li").nth(n).locator(".pet svg").first).to_be_visible()
    expect(sheet(page).locator("[data-act=replay]")).to_have_count(0)


def test_in_the_deck_it_tells_of_the_card_that_was_touched_last(page_at: Callable[..., Page], server: str) -> None:
    page = page_at("phone")
    choose_pet(page, server, "spark").locator("[data-go=deck]").click()
    pages = page.locator(".pages[data-page=deck]")
    attack = pages.locator(".card[data-card=attack]")
    with finger(page, attack):
        expect_page_of(page, "attack")
    close(page)
    attack.tap()
    pages.locator(".asking [data-act=about]").tap()
    expect_page_of(page, "attack")
