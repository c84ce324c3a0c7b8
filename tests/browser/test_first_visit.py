"""A first visit on a phone: how much comes over the network, from where, and that it need not come again."""

from collections.abc import Callable
from urllib.parse import urlsplit

import pytest
from PIL import Image, ImageChops, ImageStat
from playwright.sync_api import Browser, Page, expect

from tests.browser import icons
from tests.browser.boards import begin, choose_pet
from tests.browser.traffic import LIBRARIES, MESSAGES, Traffic

MOST, MOST_OURS = 1_200_000, 150_000
"""So many bytes may come in a first visit, compressed as they are sent, and so many of them may be ours."""

MOST_AGAIN = 30_000
"""So many bytes may come once a browser has everything: the page itself, and what is said of the game."""


def test_a_first_visit_up_to_the_first_card_is_small_and_asks_no_other_host(
    page_at: Callable[..., Page], server: str
) -> None:
    page = page_at("phone")
    traffic = Traffic(page)
    begin(page, server)
    expect(page.locator(".screen .card").first).to_be_visible()
    page.wait_for_load_state("networkidle")
    kinds = traffic.by_kind()
    assert {LIBRARIES, MESSAGES, "document", "scripts", "stylesheets", "pictures and texts"} <= kinds.keys()
    assert traffic.hosts() == {urlsplit(server).netloc}
    assert traffic.size(ours=True) <= MOST_OURS, kinds
    assert traffic.size() <= MOST, kinds


def test_nothing_is_fetched_twice(page_at: Callable[..., Page], server: str) -> None:
    page = page_at("phone")
    traffic = Traffic(page)
    begin(page, server)
    page.wait_for_load_state("networkidle")
    fetched = [it.url for it in traffic.all if it.kind not in (MESSAGES, "document")]
    assert len(fetched) == len(set(fetched))


def test_a_second_visit_fetches_the_page_and_what_is_said(page_at: Callable[..., Page], server: str) -> None:
    page = page_at("phone")
    choose_pet(page, server)
    page.wait_for_load_state("networkidle")
    traffic = Traffic(page)
    page.reload()
    expect(page.locator(".pages[data-page=home]")).to_be_visible()
    page.wait_for_load_state("networkidle")
    assert not {"scripts", "stylesheets", "pictures and texts"} & traffic.by_kind().keys()
    assert traffic.size() <= MOST_AGAIN, traffic.by_kind()


def test_the_browser_finds_nothing_wrong_with_installing_it(page_at: Callable[..., Page], server: str) -> None:
    page = page_at("phone")
    page.goto(server)
    session = page.context.new_cdp_session(page)
    told = session.send("Page.getAppManifest")
    assert urlsplit(told["url"]).path == "/summon.webmanifest"
    assert told["errors"] == []


@pytest.fixture(scope="module")
def drawn(browser: Browser) -> dict[str, Image.Image]:
    return dict(icons.drawn(browser))


def test_the_icons_are_what_the_brick_grid_draws(drawn: dict[str, Image.Image]) -> None:
    """Another browser may smooth a little otherwise; `python -m tests.browser.icons` draws them anew."""
    for name, picture in drawn.items():
        kept = Image.open(icons.FOLDER / name).convert("RGBA")
        assert kept.size == picture.size
        differ = ImageStat.Stat(ImageChops.difference(kept, picture))
        assert max(differ.mean) < 6, name
