"""Whole battles of the real game, in a real browser, as a person plays them."""

import json
import random
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

import summon
from tests.browser.boards import STEPS, begin, health, open_cards, phase, practise, wait_for_phase

DECKS = {
    "starters": (),
    "seven": ("poison", "shield", "copycat", "sacrifice", "wild", "blind", "hide"),
    "other seven": ("revive", "refreshment", "wild", "sacrifice", "copycat", "hide", "poison"),
}


def play_by_clicks(screen: Locator, rng: random.Random) -> None:
    """Play to the end: any open card, locked in; every reveal is skipped through."""
    go = screen.locator(".go")
    for _ in range(STEPS):
        if wait_for_phase(screen, "choosing", "reveal", "countdown", "over") == "over":
            return
        if phase(screen) == "choosing":
            cards = open_cards(screen)
            if cards:
                screen.locator(f".card[data-card={rng.choice(cards)}]").click()
            turn = screen.get_attribute("data-turn")
            go.click()
            expect(screen).not_to_have_attribute("data-phase", "choosing")
            assert screen.get_attribute("data-turn") == turn
        elif go.get_attribute("data-go") != "none":
            go.click()
        else:
            screen.page.wait_for_timeout(50)
    pytest.fail("the battle did not end")


def download(page: Page, screen: Locator) -> summon.Record:
    """The battle as the board saves it."""
    with page.expect_download() as saved:
        screen.locator("[data-act=record]:visible").first.click()
    return summon.Record.from_json(Path(saved.value.path()).read_text())


@pytest.mark.parametrize("size", ["phone", "desktop"])
@pytest.mark.parametrize("deck", DECKS)
def test_a_battle_by_clicks_is_what_the_rules_make_of_it(
    page_at: Callable[..., Page], server: str, size: str, deck: str
) -> None:
    page = page_at(size, "dark" if deck == "seven" else "light")
    rival = "evolved" if deck == "other seven" else "plain"
    screen = begin(page, server, "spark", rival, DECKS[deck])
    play_by_clicks(screen, random.Random(deck))

    record = download(page, screen)
    told = summon.replay(record)
    names = {"first": "win", "second": "loss", "draw": "draw"}
    assert names[told["outcome"]] == screen.get_attribute("data-result")
    assert told["rounds"][-1]["health"] == [health(screen, "you"), health(screen, "rival")]
    assert record.players[0].pet == "spark"
    assert record.players[0].cards == record.players[1].cards == DECKS[deck]
    assert record.players[1].evolved == (rival == "evolved")


@pytest.mark.parametrize("size", ["phone", "desktop"])
def test_a_battle_by_keyboard_alone(page_at: Callable[..., Page], server: str, size: str) -> None:
    page = page_at(size)
    practise(page, server)

    def tab_to(selector: str) -> None:
        wanted = page.locator(selector).first
        for _ in range(60):
            if wanted.evaluate("node => node.getRootNode().activeElement === node"):
                return
            page.keyboard.press("Tab")
        pytest.fail(f"Tab does not reach {selector}")

    tab_to(".setup [data-pet][tabindex='0'], .setup [data-pet]:not([tabindex='-1'])")
    page.keyboard.press("Space")
    tab_to(".setup .go")
    page.keyboard.press("Enter")
    screen = page.locator(".screen")
    expect(screen).to_be_visible()

    rng = random.Random(5)
    for _ in range(STEPS):
        if wait_for_phase(screen, "choosing", "reveal", "countdown", "over") == "over":
            break
        if phase(screen) == "choosing":
            if open_cards(screen):
                page.keyboard.press(str(rng.randint(1, 3)))
            else:
                tab_to(".screen .go")
        page.keyboard.press("Enter")
        page.wait_for_timeout(60)
    assert screen.get_attribute("data-result") in ("win", "loss", "draw")
    tab_to(".screen .go")
    page.keyboard.press("Enter")
    expect(page.locator(".setup")).to_be_visible()


def test_play_again_comes_back_with_the_same_choices(page_at: Callable[..., Page], server: str) -> None:
    page = page_at("phone")
    screen = begin(page, server, "bloom", "evolved", ("shield", "poison"))
    screen.locator("[data-act=leave]").click()
    page.locator("[data-act=leave-now]").click()
    assert wait_for_phase(screen, "over") == "over"
    screen.locator(".go").click()
    page.locator(".setup .go").click(timeout=10_000)
    expect(page.locator(".screen")).to_be_visible()
    record_cards = [card.get_attribute("data-card") for card in page.locator(".screen button.card").all()]
    assert record_cards == ["attack", "heal", "counter", "shield", "poison"]


def test_two_visitors_play_battles_of_their_own(page_at: Callable[..., Page], server: str) -> None:
    first, second = page_at("phone"), page_at("desktop")
    one, two = begin(first, server, "moss"), begin(second, server, "spark")
    play_by_clicks(one, random.Random(1))
    assert two.get_attribute("data-turn") == "1"
    assert phase(two) == "choosing"
    play_by_clicks(two, random.Random(2))


def test_a_double_click_starts_one_battle_and_locks_one_choice(page_at: Callable[..., Page], server: str) -> None:
    page = page_at("desktop")
    practise(page, server).locator("[data-pet=ember]").click()
    page.locator(".setup .go").dblclick()
    screen = page.locator(".screen")
    expect(screen).to_be_visible()
    screen.locator(".card[data-card=counter]").click()
    screen.locator(".go").dblclick()
    wait_for_phase(screen, "reveal", "over")
    page.wait_for_timeout(500)
    record = download(page, screen) if phase(screen) == "over" else None
    log = page.locator("[data-act=log]").first
    log.click()
    expect(page.get_by_role("dialog")).to_contain_text("Turn 1")
    expect(page.get_by_role("dialog")).not_to_contain_text("Turn 2")
    assert record is None or len(record.turns) == 1


def test_the_page_asks_no_other_host_and_shows_no_markup(page_at: Callable[..., Page], server: str) -> None:
    page = page_at("tablet")
    screen = begin(page, server, "pebble", cards=("shield",))
    assert page.title() == "Summon"
    assert screen.locator("script, iframe").count() == 0
    urls = json.dumps(page_at.requests)  # type: ignore[attr-defined]
    assert "cdn" not in urls
    assert page.evaluate("matchMedia('(min-width: 819px) and (max-width: 821px)').matches")
