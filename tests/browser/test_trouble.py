"""What a player sees when an address, a code, a cookie or the store is not as it should be."""

from collections.abc import Callable
from pathlib import Path
from typing import cast
from urllib.parse import quote

import pytest
from playwright.sync_api import Page, expect

from summon.store import Store
from summon.views import identity
from tests.browser.boards import choose_pet, wait_for_phase
from tests.browser.conftest import UNREADABLE, serving

MARKUP = "<img src=x onerror='window.hacked=1'><script>window.hacked=1</script>"


def shown(page: Page, name: str) -> None:
    expect(page.locator(f".pages[data-page={name}]")).to_be_visible(timeout=30_000)


def assert_unharmed(page: Page) -> None:
    """Nothing of what was written ran, and no picture of it is there."""
    assert page.evaluate("window.hacked") is None
    assert page.locator("img").count() == 0


# Addresses


@pytest.mark.parametrize("size", ["phone", "desktop"])
def test_wrong_addresses_lead_to_a_page(page_at: Callable[..., Page], served: str, size: str) -> None:
    page, bad = page_at(size), quote(MARKUP)
    wrong = (f"page={bad}", "page=market", f"page=watch&battle={bad}", f"battle={bad}&rule={bad}")
    for search in (*wrong, *UNREADABLE):
        page.goto(f"{served}?{search}")
        shown(page, "welcome")
        assert_unharmed(page)
    page.goto(f"{served}?page=rulebook&rule={bad}")
    shown(page, "rulebook")
    assert_unharmed(page)

    choose_pet(page, served, "pebble")
    for search, name in (
        (f"page={bad}", "home"),
        ("page=nowhere", "home"),
        ("page=%ff%fe", "home"),
        ("page=battle", "home"),
        ("page=watch", "battles"),
        (f"page=watch&battle={bad}", "battles"),
        ("page=watch&battle=" + "x" * 5_000, "battles"),
        (f"page=rulebook&rule={bad}", "rulebook"),
        ("page=rulebook&rule=99.9", "rulebook"),
        ("page=home&page=deck", "deck"),
        ("bokeh-session-id=planted&page=save", "save"),
    ):
        page.goto(f"{served}?{search}")
        shown(page, name)
        assert_unharmed(page)
        assert page.locator(".trouble").count() == 0


# Codes


@pytest.mark.rule("11.3")
def test_wrong_codes_are_told_kindly(page_at: Callable[..., Page], served: str) -> None:
    page = page_at("phone")
    page.goto(f"{served}?page=save")
    shown(page, "save")
    field, load = page.locator("[data-act=field]"), page.locator("[data-act=load]")
    notice = page.locator(".notice")
    load.click()
    expect(notice).to_contain_text("Type your six words first.")
    expect(field).to_be_focused()
    for code in (MARKUP, "x" * 100_000, "'; DROP TABLE profiles; --", "zoom " * 6, "\u202e\u0000\U0001f600"):
        page.goto(f"{served}?page=save")
        shown(page, "save")
        field.evaluate("field => field.removeAttribute('maxlength')")
        # As if it was pasted, which takes no time however long it is.
        field.evaluate("(field, code) => { field.value = code; }", code)
        load.click()
        expect(notice).to_contain_text("That is not a code that works here.")
        assert_unharmed(page)
    expect(page.locator("p[role=status]")).to_contain_text("That is not a code that works here.")
    page.goto(served)
    shown(page, "welcome")


# The cookie


@pytest.mark.rule("11.2")
@pytest.mark.parametrize("value", ["x", "A" * 43 + "B", "../../etc/passwd", "%3Cscript%3E", "A" * 4_000, "A" * 43])
def test_a_cookie_that_was_tampered_with_is_a_new_visitor(
    page_at: Callable[..., Page], served: str, kept: Path, value: str
) -> None:
    page = page_at("phone")
    choose_pet(page, served, "spark")
    mine = next(it for it in page.context.cookies() if it["name"] == identity.COOKIE)
    with Store.open(kept) as store:
        before = store.profile_of(identity.hash_of(mine["value"]))
    assert before is not None

    page.context.add_cookies([{"name": identity.COOKIE, "value": value, "domain": "127.0.0.1", "path": "/"}])
    page.goto(served)
    shown(page, "welcome")
    now = next(it["value"] for it in page.context.cookies() if it["name"] == identity.COOKIE)
    assert identity._TOKEN.fullmatch(now)
    page.context.add_cookies([{"name": identity.COOKIE, "value": mine["value"], "domain": "127.0.0.1", "path": "/"}])
    page.goto(served)
    shown(page, "home")
    expect(page.locator(".pages[data-page=home]")).to_contain_text("Spark")
    with Store.open(kept) as store:
        assert store.profile_of(identity.hash_of(mine["value"])) == before


# The store


@pytest.mark.parametrize("size", ["phone", "desktop"])
def test_with_a_damaged_store_practice_can_be_played(page_at: Callable[..., Page], tmp_path: Path, size: str) -> None:
    kept = tmp_path / "store" / "summon.db"
    kept.parent.mkdir()
    kept.write_bytes(b"This is no database at all.\n" * 500)
    before, page = kept.read_bytes(), page_at(size)
    with serving("app/play.py", tmp_path / "log.txt", store=kept) as url:
        page.goto(url)
        setup = page.locator(".setup")
        expect(setup).to_be_visible(timeout=30_000)
        assert page.locator(".pages").count() == 0
        setup.locator("[data-pet=spark]").click()
        setup.locator(".go").click()
        screen = page.locator(".screen")
        expect(screen).to_be_visible()
        screen.locator(".card[data-card=attack]").click()
        screen.locator(".go").click()
        wait_for_phase(screen, "countdown", "reveal", "choosing", "over")
        page.goto("about:blank")
    assert "is damaged and was left as it is" in (tmp_path / "log.txt").read_text()
    assert kept.read_bytes() == before
    assert list(kept.parent.iterdir()) == [kept], "nothing was put beside it"


def test_where_nothing_can_be_saved_the_page_says_so(page_at: Callable[..., Page], tmp_path: Path) -> None:
    kept = tmp_path / "store" / "summon.db"
    Store.open(kept).close()
    read_only = cast(Path, f"sqlite:///file:{kept}?mode=ro&uri=true")
    page = page_at("phone")
    with serving("app/play.py", tmp_path / "log.txt", store=read_only) as url:
        page.goto(url)
        shown(page, "welcome")
        page.locator("[data-pet=moss]").click()
        page.locator(".pages .go").click()
        page.locator("[data-act=yes]").click()
        for place in (page.locator(".trouble"), page.locator("p[role=status]")):
            expect(place).to_contain_text("Nothing can be saved just now.")
        assert str(tmp_path) not in page.content()
        expect(page.locator(".pages .go")).not_to_have_attribute("aria-disabled", "true")
        page.goto("about:blank")
