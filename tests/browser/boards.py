"""What a player does on a board, for the browser tests."""

from playwright.sync_api import Locator, Page, expect

STEPS = 2_000


def open_board(page: Page, address: str) -> Locator:
    """Open a page with a board and return its screen, ready to play."""
    page.goto(address)
    screen = page.locator(".screen").first
    expect(screen).to_be_visible(timeout=30_000)
    return screen


def begin(page: Page, address: str, pet: str = "ember", rival: str = "plain", cards: tuple[str, ...] = ()) -> Locator:
    """Set a battle up by clicks and return the board's screen."""
    page.goto(address)
    page.locator(f"[data-pet={pet}]").click(timeout=30_000)
    page.locator(f"[data-rival={rival}]").click()
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
