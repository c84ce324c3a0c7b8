"""The first battle in a real browser, as a child plays it: by following the finger."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page, expect

from summon import words
from summon.lesson import LESSONS
from summon.store import Store
from tests.browser.boards import choose_pet, health, wait_for_phase

HAND = ".coach-hand"


def begin(page: Page, address: str, pet: str = "ember") -> Locator:
    """Come for the first time, choose a pet and take the offer; returns the board's screen."""
    home = choose_pet(page, address, pet)
    home.locator(".go[data-go=lesson]").click()
    screen = page.locator(".screen.learning")
    expect(screen).to_be_visible()
    return screen


def expect_finger_at(page: Page, wanted: Locator) -> None:
    """The ring of the coach's hand lies round this."""
    expect(page.locator(HAND)).to_be_visible()
    page.wait_for_function(
        """([hand, wanted]) => {
          const [a, b] = [hand, wanted].map((node) => node.getBoundingClientRect());
          return Math.abs(a.x - b.x) < 8 && Math.abs(a.y - b.y) < 8 && Math.abs(a.width - b.width) < 8;
        }""",
        arg=[page.locator(HAND).element_handle(), wanted.element_handle()],
    )


def to_the_end_of_the_reveal(screen: Locator) -> None:
    """Wait for the reveal and skip what is skipped by a tap."""
    wait_for_phase(screen, "reveal")
    read = screen.locator(".go:is([data-go=next], [data-go=result])")
    skip = screen.locator(".go[data-go=skip]")
    expect(screen.locator(".go:is([data-go=next], [data-go=result], [data-go=skip])")).to_be_visible()
    if skip.count():
        skip.click()
    expect(read).to_be_visible(timeout=15_000)
    expect(read).not_to_have_attribute("aria-disabled", "true")


def follow_the_finger(page: Page, screen: Locator, lessons: int = len(LESSONS)) -> None:
    """Play lessons by doing what the coach points at, to the beginning of the turn after them."""
    for turn, taught in enumerate(LESSONS[:lessons], 1):
        expect(screen).to_have_attribute("data-turn", str(turn))
        wait_for_phase(screen, "choosing")
        card, go = screen.locator(f".card[data-card={taught.card}]"), screen.locator(".go")
        expect(screen.locator(".bubble")).to_contain_text(words.LESSON[taught.card])
        expect_finger_at(page, card)
        card.click()
        expect(screen.locator(".bubble")).to_contain_text(words.LESSON["lock"])
        expect_finger_at(page, go)
        go.click()
        to_the_end_of_the_reveal(screen)
        expect(screen.locator(".bubble")).to_contain_text(words.LESSON[f"{taught.card}_shown"])
        told = f"{words.CARD_NAMES[taught.card]} is good against {words.CARD_NAMES[taught.beats]}."
        expect(screen.get_by_role("img", name=told)).to_be_visible()
        expect_finger_at(page, go)
        go.click()
    wait_for_phase(screen, "choosing")


@pytest.mark.rule("9.3")
@pytest.mark.parametrize(("size", "scheme"), [("phone", "light"), ("desktop", "dark")])
def test_the_whole_first_battle_by_following_the_finger(
    page_at: Callable[..., Page], served: str, store: Store, size: str, scheme: str
) -> None:
    page = page_at(size, scheme)
    screen = begin(page, served)
    follow_the_finger(page, screen)
    assert (health(screen, "you"), health(screen, "rival")) == (5, 1)
    expect(screen.locator(".bubble")).to_contain_text(words.LESSON["free"])
    expect(page.locator(HAND)).to_be_hidden()
    expect(screen.locator(".beats .chip")).to_have_count(4)

    screen.locator(".card[data-card=attack]").click()
    screen.locator(".go").click()
    to_the_end_of_the_reveal(screen)
    screen.locator(".go").click()
    expect(screen).to_have_attribute("data-result", "win")
    expect(screen.locator(".bubble")).to_contain_text(words.LESSON["end"])
    expect(screen.locator(".gold")).to_have_count(0)
    expect(screen.locator("[data-act=skip-lesson]")).to_be_hidden()

    screen.locator(".go").click()
    pages = page.locator(".pages[data-page]")
    expect(pages).to_have_attribute("data-page", "fight")
    pages.locator("[data-act=back]").click()
    expect(pages).to_have_attribute("data-page", "home")
    expect(pages.locator(".go[data-go=fight]")).to_be_visible()
    expect(pages.locator("[data-go=lesson]")).to_have_count(0)
    pages.locator("[data-go=battles]").click()
    expect(pages).to_contain_text("No battles yet")


@pytest.mark.parametrize("lessons", [0, 1])
def test_it_is_skipped_by_one_tap_and_not_offered_again(
    page_at: Callable[..., Page], served: str, lessons: int
) -> None:
    page = page_at("phone")
    screen = begin(page, served, "moss")
    follow_the_finger(page, screen, lessons)
    screen.get_by_role("button", name="Skip the lesson").click()
    pages = page.locator(".pages[data-page]")
    expect(pages).to_have_attribute("data-page", "home")
    for _ in range(2):
        expect(pages.locator(".go[data-go=fight]")).to_be_visible()
        expect(pages.locator("[data-go=lesson]")).to_have_count(0)
        page.reload()


def test_whoever_begins_a_battle_instead_is_not_asked_again_and_can_learn_later(
    page_at: Callable[..., Page], served: str
) -> None:
    page = page_at("tablet")
    home = choose_pet(page, served, "tide")
    expect(home.locator(".go[data-go=lesson]")).to_be_visible()
    home.locator("[data-go=fight]").click()
    expect(home).to_have_attribute("data-page", "fight")
    home.locator("[data-act=back]").click()
    expect(home.locator(".go[data-go=fight]")).to_be_visible()
    home.locator("[data-go=practice]").click()
    page.locator(".setup [data-act=lesson]").click()
    expect(page.locator(".screen.learning .bubble")).to_contain_text(words.LESSON["attack"])


def test_another_card_is_answered_kindly_and_nobody_is_stuck(page_at: Callable[..., Page], served: str) -> None:
    page = page_at("phone")
    screen = begin(page, served, "spark")
    for other in ("heal", "counter"):
        screen.locator(f".card[data-card={other}]").click(force=True)
        expect(screen.locator(".bubble")).to_contain_text(words.lesson_soon(other, "attack"))
        expect(screen.locator(".go")).not_to_have_attribute("data-go", "lock")
        expect_finger_at(page, screen.locator(".card[data-card=attack]"))
    screen.locator(".card[data-card=attack]").click()
    expect(screen.locator(".bubble")).to_contain_text(words.LESSON["lock"])
    expect(screen.locator(".go")).to_have_attribute("data-go", "lock")


def test_loaded_anew_in_the_middle_it_begins_anew(page_at: Callable[..., Page], served: str) -> None:
    page = page_at("phone")
    screen = begin(page, served, "bloom")
    follow_the_finger(page, screen, 2)
    page.reload()
    screen = page.locator(".screen.learning")
    expect(screen).to_have_attribute("data-turn", "1")
    follow_the_finger(page, screen)


def test_by_keyboard_and_with_calm_motion(page_at: Callable[..., Page], served: str) -> None:
    page = page_at("desktop")
    page.emulate_media(reduced_motion="reduce")
    screen = begin(page, served, "pebble")
    assert page.locator(".finger").evaluate("node => getComputedStyle(node).animationName") == "none"
    for taught, key in zip(LESSONS, "132", strict=True):
        wait_for_phase(screen, "choosing")
        page.keyboard.press(key)
        expect(screen.locator(f".card[data-card={taught.card}]")).to_have_attribute("aria-pressed", "true")
        page.keyboard.press("Enter")
        to_the_end_of_the_reveal(screen)
        expect(screen.locator(".bubble [role=status]")).to_have_text(words.LESSON[f"{taught.card}_shown"])
        page.keyboard.press("Enter")
    expect(screen.locator(".bubble")).to_contain_text(words.LESSON["free"])
