"""Asking the rules in a real browser: the Copycat question by clicks, a broken record, and another choice."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from summon import situation
from tests.browser.conftest import UNREADABLE, serving, summoned
from tests.browser.test_axe import AXE, RUN

PANELS_OWN = ("region", "landmark-one-main", "heading-order", "page-has-heading-one", "aria-input-field-name")
"""What Panel's own widgets decide, and that the page is part of a notebook, with headings of its own."""


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Serve the page and return its address; nothing may go wrong in it."""
    log = tmp_path_factory.mktemp("ask") / "log.txt"
    with serving("app/ask.py", log) as url:
        yield url
    assert "/summon/" not in log.read_text(encoding="utf-8", errors="replace")


def opened(page: Page, address: str) -> Page:
    page.goto(address)
    expect(page.get_by_role("button", name="Reveal")).to_be_visible(timeout=60_000)
    return page


def write(field: Locator, text: str) -> None:
    field.fill(text)
    field.press("Enter")


def build(page: Page) -> None:
    """Copycat and 1 health against Sacrifice, on turn 6."""
    write(page.get_by_label("Turn", exact=True), "6")
    write(page.get_by_label("Health, of 5").first, "1")
    page.get_by_label("Copycat", exact=True).first.check()
    page.get_by_label("Sacrifice", exact=True).last.check()
    expect(choice(page, "Copycat")).to_be_visible()
    expect(choice(page, "Sacrifice")).to_be_visible()


def choice(page: Page, card: str, side: int = 0) -> Locator:
    """The button of a card, of those of both sides that can be seen."""
    return page.get_by_role("button", name=card, exact=True).nth(side)


def happened(page: Page, text: str) -> Locator:
    """An event, which the picture of the turn tells as well."""
    return page.get_by_role("listitem").filter(has_text=text)


def reveal(page: Page) -> None:
    page.get_by_role("button", name="Reveal").click()


def test_the_question_of_copycat_and_sacrifice_is_answered_by_clicks(
    page_at: Callable[..., Page], address: str
) -> None:
    page = opened(page_at("phone"), address)
    build(page)
    page.get_by_label("blinded now").first.check()
    expect(page.get_by_text("You cannot see this turn, so you can only Wait.")).to_have_count(4)
    expect(choice(page, "Copycat")).to_be_disabled()
    page.get_by_label("Rule 2.1").first.click()
    expect(page.get_by_text("If you are blinded (6.2), you can only Wait this turn.").first).to_be_visible()
    page.get_by_label("blinded now").first.uncheck()
    choice(page, "Copycat").click()
    expect(page.get_by_text("Choose a card for Spark.")).to_be_visible()
    choice(page, "Sacrifice").click()
    write(page.get_by_label("Sacrifice costs, from 1 to 5"), "2")
    expect(page.get_by_text("Copycat against Sacrifice 2")).to_be_visible()
    reveal(page)
    expect(page.get_by_text("Turn 6: Copycat as Sacrifice against Sacrifice 2")).to_be_visible()
    expect(happened(page, "Moss's Copycat copies Sacrifice.")).to_be_visible()
    expect(page.get_by_text("Then: Moss: 0 of 5 health, Spark: 2 of 5 health. Spark wins.")).to_be_visible()
    page.get_by_label("Rule 8.2").first.click()
    expect(page.get_by_text("A pet at 0 health with no revival attempt left is beaten.").first).to_be_visible()


def test_stepping_back_and_trying_another_choice_leaves_both_lines(page_at: Callable[..., Page], address: str) -> None:
    page = opened(page_at("desktop"), address)
    build(page)
    for first, second in (("Attack", "Heal"), ("Counter", "Attack")):
        choice(page, first).click()
        choice(page, second, 1).click()
        reveal(page)
        page.get_by_role("button", name="Step back").click()
        expect(page.get_by_text("Turn 6: what do both play?")).to_be_visible()
    expect(page.get_by_role("heading", name="Line A")).to_be_visible()
    expect(page.get_by_role("heading", name="Turn 6: Attack against Heal")).to_be_visible()
    expect(page.get_by_role("heading", name="Turn 6: Counter against Attack")).to_be_visible()
    tops = [page.get_by_role("heading", name=f"Line {letter}").bounding_box()["y"] for letter in "AB"]
    assert tops[0] == tops[1]
    page.get_by_role("button", name="Go on from its end").first.click()
    expect(page.get_by_text("Turn 7: what do both play?")).to_be_visible()
    page.get_by_role("button", name="Another choice in turn 6").last.click()
    expect(page.get_by_text("Turn 6: what do both play?")).to_be_in_viewport()
    page.get_by_role("button", name="Take line B away").click()
    expect(page.get_by_role("heading", name="Turn 6: Counter against Attack")).to_be_hidden()


def test_a_broken_record_is_said_and_a_good_one_is_shown(page_at: Callable[..., Page], address: str) -> None:
    page = opened(page_at("tablet"), address)
    build(page)
    page.get_by_role("button", name="As a record").click()
    good = situation({"pet": "bloom", "health": 2}, "tide", turn=9).to_dict() | {"turns": [["attack", "heal"]]}
    pasted = page.get_by_label("Paste a battle record")
    broken = json.dumps(good | {"turns": [["attack", "<img src=x>"]]})
    pasted.fill(broken)
    page.get_by_role("button", name="Show this record").click()
    expect(page.get_by_text("Turn 9, second: '<img src=x>' is not a choice")).to_be_visible()
    expect(page.get_by_text("Turn 6: what do both play?")).to_be_visible()
    expect(pasted).to_have_value(broken)
    pasted.fill(json.dumps(good))
    page.get_by_role("button", name="Show this record").click()
    expect(page.get_by_text("Turn 9: Attack against Heal")).to_be_visible()
    expect(page.get_by_text("is not a choice")).to_be_hidden()
    with page.expect_download() as download:
        page.get_by_text("Download it").click()
    assert json.loads(download.value.path().read_text(encoding="utf-8"))["turns"] == [["attack", "heal"]]


def test_the_address_leads_back_after_a_reload_and_whomever_it_is_sent_to(
    page_at: Callable[..., Page], address: str
) -> None:
    page = opened(page_at("desktop"), address)
    build(page)
    choice(page, "Attack").click()
    choice(page, "Heal", 1).click()
    reveal(page)
    page.wait_for_url(lambda url: "%22heal%22" in url)
    friends = page_at("phone")
    friends.goto(page.url)
    page.reload()
    for shown in (page, friends):
        expect(shown.get_by_text("Turn 6: Attack against Heal")).to_be_visible(timeout=60_000)
        expect(shown.get_by_text("Turn 7: what do both play?")).to_be_visible()
    page.go_back()
    page.go_forward()
    expect(page.get_by_text("Turn 7: what do both play?")).to_be_visible(timeout=60_000)


@pytest.mark.parametrize("query", UNREADABLE)
def test_no_address_breaks_the_page(page_at: Callable[..., Page], address: str, query: str) -> None:
    opened(page_at("phone"), f"{address}?{query}")


def test_a_broken_link_is_said(page_at: Callable[..., Page], address: str) -> None:
    page = opened(page_at("phone"), address + "?record=%3Cimg%20src%3Dx%3E")
    expect(page.get_by_text("This link cannot be read")).to_be_visible()
    expect(page.get_by_text("Turn 1: what do both play?")).to_be_visible()


def test_the_command_begins_from_a_record(page_at: Callable[..., Page], tmp_path: Path) -> None:
    record = situation({"pet": "bloom", "health": 2}, "tide", turn=9).to_dict() | {"turns": [["attack", "heal"]]}
    file = tmp_path / "battle.json"
    file.write_text(json.dumps(record), encoding="utf-8")
    with summoned("ask", tmp_path / "log.txt", str(file)) as address:
        page = opened(page_at("desktop"), address)
        expect(page.get_by_text("Turn 9: Attack against Heal")).to_be_visible()
        page.get_by_role("button", name="Step back").click()
        page.wait_for_url(lambda url: "record=" in url)
        page.reload()
        expect(page.get_by_text("Turn 9: what do both play?")).to_be_visible(timeout=60_000)
        expect(page.get_by_text("Turn 9: Attack against Heal")).to_be_hidden()


def test_a_rule_is_changed_and_the_line_is_played_anew(page_at: Callable[..., Page], address: str) -> None:
    page = opened(page_at("desktop"), address)
    build(page)
    choice(page, "Attack").click()
    choice(page, "Heal", 1).click()
    reveal(page)
    expect(page.get_by_text("Then: Moss: 1 of 5 health, Spark: 3 of 5 health.")).to_be_visible()
    page.get_by_role("button", name="Rules", exact=True).click()
    page.get_by_role("button", name="Starters").click()
    write(page.get_by_label("Attack bonus against heal as a number"), "2")
    expect(page.get_by_text("Then: Moss: 1 of 5 health, Spark: 2 of 5 health.")).to_be_visible()
    write(page.get_by_label("Health, of 5").first, "6")
    expect(page.get_by_text("Health is a whole number from 0 to 5, not '6'.")).to_be_visible()


def test_the_whole_of_it_goes_by_the_keyboard(page_at: Callable[..., Page], address: str) -> None:
    page = opened(page_at("desktop"), address)
    for card, side in (("Attack", 0), ("Counter", 1)):
        choice(page, card, side).focus()
        page.keyboard.press("Enter")
        expect(page.get_by_role("button", name=f"✓ {card}")).to_be_focused()
    page.get_by_role("button", name="Reveal").focus()
    page.keyboard.press("Space")
    expect(page.get_by_text("Turn 1: Attack against Counter")).to_be_visible()
    page.get_by_label("Rule 3.5").first.focus()
    page.keyboard.press("Enter")
    expect(page.get_by_text("Counter's block is taken off the damage of the attack").first).to_be_visible()


@pytest.mark.parametrize(("size", "scheme"), [("phone", "dark"), ("tablet", "light"), ("desktop", "dark")])
def test_it_fits_and_is_for_everybody(page_at: Callable[..., Page], address: str, size: str, scheme: str) -> None:
    page = opened(page_at(size, scheme), address)
    build(page)
    page.get_by_label("blinded now").last.check()
    choice(page, "Copycat").click()
    reveal(page)
    expect(happened(page, "finds nothing to copy")).to_be_visible()
    for fold in ("More about Moss", "As a record"):
        page.get_by_role("button", name=fold).click()
    expect(page.get_by_label("Turns running").first).to_be_visible()
    page.get_by_label("Rule 6.12").first.click()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.evaluate(AXE)
    assert [line for line in page.evaluate(RUN) if not line.startswith(PANELS_OWN)] == []
