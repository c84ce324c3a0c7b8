"""What a player sees when the connection to the game is lost."""

from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import Page, expect

from tests.browser.boards import begin
from tests.browser.conftest import free_port, serving


def test_a_lost_connection_is_told_and_the_page_comes_back_by_itself(
    page_at: Callable[..., Page], tmp_path: Path
) -> None:
    page, port = page_at("phone"), free_port()
    page_at.expected += ["net::ERR_", "not connected", "ebsocket", "ebSocket", "okeh"]  # type: ignore[attr-defined]
    store = tmp_path / "store" / "summon.db"
    with serving("app/play.py", tmp_path / "first.txt", port, store) as url:
        screen = begin(page, url, "tide")
        expect(page.locator("#loading")).to_be_hidden()
        expect(page.locator("#lost")).to_be_hidden()
    expect(page.locator("#lost")).to_be_visible()
    expect(page.locator("#lost")).to_contain_text("Nobody has lost")
    with serving("app/play.py", tmp_path / "second.txt", port, store):
        expect(screen).to_be_visible()
        expect(screen.locator('[data-side="you"]')).to_contain_text("Tide")
        expect(page.locator("#lost")).to_be_hidden()
