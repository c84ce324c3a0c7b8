"""What a player does on a board, for the browser tests."""

from playwright.sync_api import Locator, Page, expect

STEPS = 2_000


def open_board(page: Page, address: str) -> Locator:
    """Open a page with a board and return its screen, ready to play."""
    page.goto(address)
    screen = page.locator(".screen").first
    expect(screen).to_be_visible(timeout=30_000)
    return screen


def choose_pet(page: Page, address: str, pet: str = "ember") -> Locator:
    """Come for the first time and choose a pet for good; returns the pages, at home."""
    page.goto(address)
    pages = page.locator(".pages[data-page]")
    pages.locator(f"[data-pet={pet}]").click(timeout=30_000)
    pages.locator(".go").click()
    page.locator("[data-act=yes]").click()
    expect(pages).to_have_attribute("data-page", "home")
    return pages


def practise(page: Page, address: str) -> Locator:
    """Come for the first time and go to practice; returns its page."""
    choose_pet(page, address).locator("[data-go=practice]").click()
    setup = page.locator(".setup")
    expect(setup).to_be_visible()
    return setup


def begin(page: Page, address: str, pet: str = "ember", rival: str = "plain", cards: tuple[str, ...] = ()) -> Locator:
    """Come for the first time, set a practice battle up by clicks, and return the board's screen."""
    practise(page, address).locator(f"[data-pet={pet}]").click()
    page.locator(f".setup [data-rival={rival}]").click()
    for card in cards:
        page.locator(f".setup [data-card={card}]").click()
    page.locator(".setup .go").click()
    screen = page.locator(".screen")
    expect(screen).to_be_visible()
    return screen


def phase(screen: Locator) -> str:
    return screen.get_attribute("data-phase") or ""


def wait_for_phase(screen: Locator, *phases: str) -> str:
    """Wait until the board is in one of these phases and return it."""
    wanted = ", ".join(f'[data-phase="{name}"]' for name in phases)
    expect(screen.page.locator(wanted).first).to_be_visible(timeout=20_000)
    return phase(screen)


def open_cards(screen: Locator) -> list[str]:
    """The cards that may be picked now."""
    found = screen.locator("[data-card].card:not([aria-disabled=true])").all()
    return [card.get_attribute("data-card") or "" for card in found if card.is_visible()]


def health(screen: Locator, side: str) -> int:
    """What a side's health shows."""
    return int(screen.locator(f'[data-side="{side}"] [data-health]').get_attribute("data-health") or -1)
