"""The book of rules in a real browser: from the file system without a network, and from within the game."""

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from summon import book
from tests.browser.scenes import bring_up
from tests.browser.test_axe import AXE, objections

PHONE, DESKTOP = (390, 844), (1440, 900)
CHAPTERS = sorted(path.relative_to(book.BUILT).as_posix() for path in (book.BUILT / "chapters").glob("*.html"))
SECTIONS = sorted(path.relative_to(book.BUILT).as_posix() for path in (book.BUILT / "sections").glob("*.html"))
LOOKED_AT = ["index.html", "playing.html", "rules/2.5.html", "rules/5.3.html", "rules/6.3.html", "search.html?q=poison"]

OUT = """() => [...document.querySelectorAll("article *, footer *")].filter((node) => {
  if (node.getBoundingClientRect().right <= innerWidth + 1) return false;
  for (let at = node; at && !at.matches("article"); at = at.parentElement) {
    if (getComputedStyle(at).overflowX !== "visible") return false;
  }
  return true;
}).map((node) => node.outerHTML.slice(0, 120))"""
"""What reaches beyond the window and cannot be scrolled to within the page."""


@pytest.fixture(scope="module")
def reader(browser: Browser) -> Iterator[Page]:
    """A page with nothing but the file system."""
    context = browser.new_context(offline=True)
    asked: list[str] = []
    wrong: list[str] = []
    context.on("request", lambda request: asked.append(request.url))
    context.on("weberror", lambda problem: wrong.append(str(problem.error)))
    context.on("console", lambda message: wrong.append(message.text) if message.type == "error" else None)
    yield context.new_page()
    context.close()
    assert [url for url in asked if not url.startswith((book.BUILT.as_uri(), "data:"))] == []
    assert wrong == []


def at(page: str) -> str:
    """Where a page of the book is in the file system."""
    return f"{book.BUILT.as_uri()}/{page}"


def show(reader: Page, page: str, size: tuple[int, int], scheme: str = "light") -> None:
    reader.set_viewport_size({"width": size[0], "height": size[1]})
    reader.emulate_media(color_scheme=scheme)
    reader.goto(at(page))
    if page.startswith("search"):
        expect(reader.locator("#search-results li")).not_to_have_count(0)


def test_a_word_is_found_in_the_rules(reader: Page) -> None:
    show(reader, "index.html", PHONE)
    reader.get_by_label("Find a rule").fill("poison")
    reader.get_by_role("button", name="Find").click()
    expect(reader.locator("#search-results a[href*='rules/5.1.html']")).to_be_visible()
    expect(reader.locator("#search-results a[href*='rules/5.3.html']")).to_be_visible()


@pytest.mark.parametrize("asked", ["6.10", "rule 6.10"])
def test_a_number_is_found(reader: Page, asked: str) -> None:
    show(reader, "index.html", DESKTOP)
    reader.get_by_label("Search", exact=True).fill(asked)
    reader.keyboard.press("Enter")
    reader.locator("#search-results a").first.click()
    expect(reader).to_have_title(
        "6.10 Copycat does what your rival’s card in the same reveal does - The rulebook of Summon"
    )


@pytest.mark.parametrize("size", [PHONE, (1100, 800)])
@pytest.mark.parametrize(
    ("menu", "inside"),
    [("Toggle site navigation sidebar", ".sidebar-drawer"), ("Toggle table of contents sidebar", ".toc-drawer")],
)
def test_the_menus_of_narrow_windows_go_by_the_keyboard(
    reader: Page, menu: str, inside: str, size: tuple[int, int]
) -> None:
    show(reader, "chapters/05-poison.html", size)
    button, links = reader.get_by_role("button", name=menu), reader.locator(f"{inside} a >> visible=true")
    if inside == ".sidebar-drawer" and size != PHONE:
        expect(button).to_be_hidden()
        expect(links.first).to_be_visible()
        return
    expect(links.first).to_be_hidden()
    for _ in range(80):
        reader.keyboard.press("Tab")
        if button.evaluate("button => button === document.activeElement"):
            break
    expect(button).to_be_in_viewport()
    expect(button).to_have_css("outline-width", "3px")
    for key in ("Space", "Enter"):
        expect(button).to_have_attribute("aria-expanded", "false")
        reader.keyboard.press(key)
        expect(links.first).to_be_focused()
        expect(links.first).to_be_in_viewport()
        expect(button).to_have_attribute("aria-expanded", "true")
        reader.keyboard.press("Escape")
        expect(button).to_be_focused()
        expect(links.first).to_be_hidden()
    reader.keyboard.press("Enter")
    reader.keyboard.press("Tab")
    reader.keyboard.press("Tab")
    leads = reader.evaluate("document.activeElement.href")
    assert leads.startswith("file:")
    reader.keyboard.press("Enter")
    expect(reader).to_have_url(leads)
    expect(links.first).to_be_hidden()
    reader.go_back()
    expect(links.first).to_be_hidden()


def test_who_leaves_a_menu_has_shut_it(reader: Page) -> None:
    show(reader, "chapters/05-poison.html", PHONE)
    brand = reader.locator(".sidebar-brand")
    reader.get_by_role("button", name="Toggle site navigation sidebar").focus()
    reader.keyboard.press("Space")
    expect(brand).to_be_focused()
    reader.keyboard.press("Shift+Tab")
    expect(brand).to_be_hidden()
    reader.locator(".nav-overlay-icon").click()
    expect(brand).to_be_in_viewport()
    reader.locator(".sidebar-overlay").click(position={"x": 380, "y": 400})
    expect(brand).to_be_hidden()


def test_from_a_rule_everything_is_one_click_away(reader: Page) -> None:
    show(reader, "sections/5-poison.html", PHONE)
    reader.locator("a.chip", has_text="5.3").click()
    expect(reader.locator(".sentence")).to_contain_text("No healing saves a pet from lethal poison.")
    for way in ("In the notebook", "Cases", "How the game does it"):
        reader.locator(".ways").get_by_role("link", name=way).click()
        expect(reader.get_by_role("heading", name=way)).to_be_in_viewport()
    expect(reader.locator(".highlight").first).to_contain_text("lethal")
    reader.locator(".ways").get_by_role("link", name="In its section").click()
    expect(reader.locator(".numbered", has_text="No healing saves")).to_be_in_viewport()


def test_a_link_to_a_case_that_is_folded_unfolds_it(reader: Page) -> None:
    show(reader, "rules/6.3.html", DESKTOP)
    folded = reader.locator("details details, details .case").last
    name = folded.evaluate("(node) => node.closest('.case').id")
    assert not reader.locator(f"[id='{name}']").is_visible()
    reader.goto(f"{at('rules/6.3.html')}#{name}")
    expect(reader.locator(f"[id='{name}']")).to_be_in_viewport()


@pytest.mark.parametrize("page", [*LOOKED_AT, *SECTIONS, *CHAPTERS])
def test_a_page_fits_a_phone(reader: Page, page: str) -> None:
    show(reader, page, PHONE)
    assert reader.evaluate("() => document.documentElement.scrollWidth") == PHONE[0]
    assert reader.evaluate(OUT) == []


# From within the game


@pytest.mark.parametrize("name", [*LOOKED_AT, "sections/12-rule-questions.html", *CHAPTERS])
def test_nothing_is_objected_to(page_at: Callable[..., Page], stage: str, name: str) -> None:
    # A chapter is long, and made as all others are: each size and each scheme once is enough.
    chapter = name.startswith("chapters")
    for size, schemes in (("phone", ("light", "dark")), ("desktop", ("dark", "light"))):
        page = page_at(size)
        page.goto(f"{stage.rpartition('/')[0]}/rulebook/{name}")
        if name.startswith("search"):
            expect(page.locator("#search-results li")).not_to_have_count(0)
        page.evaluate(AXE)
        found = []
        for scheme in schemes[:1] if chapter else schemes:
            page.emulate_media(color_scheme=scheme)
            found += objections(page, f"{size}, {scheme}")
        assert found == []


def test_the_number_of_a_rule_leads_to_its_page_in_a_tab_of_its_own(page_at: Callable[..., Page], stage: str) -> None:
    page = page_at("phone")
    bring_up(page, stage, "log")
    link = page.locator("dialog .lines a.rule").first
    number = link.text_content()
    with page.expect_popup() as opened:
        link.click()
    expect(opened.value.locator("h1 .chip")).to_have_text(number or "")
    assert opened.value.url.endswith(f"/rulebook/rules/{number}.html")
    assert opened.value.evaluate("() => window.opener") is None
    expect(page.locator("dialog[open]")).to_be_visible()


def test_the_keyboard_opens_the_page_of_a_rule_and_locks_nothing_in(page_at: Callable[..., Page], stage: str) -> None:
    page = page_at("desktop")
    bring_up(page, stage, "picked")
    page.keyboard.press("Tab")  # whoever uses keys has used one by then
    page.locator(".say a.rule").focus()
    with page.expect_popup() as opened:
        page.keyboard.press("Enter")
    expect(opened.value.locator("h1 .chip")).to_be_visible()
    expect(page.locator("[data-phase]")).to_have_attribute("data-phase", "choosing")


def test_the_games_own_rulebook_leads_to_the_book(page_at: Callable[..., Page], stage: str) -> None:
    page = page_at("phone")
    bring_up(page, stage, "rulebook")
    with page.expect_popup() as opened:
        page.get_by_role("link", name="The whole book", exact=True).click()
    expect(opened.value).to_have_title("The rulebook of Summon")
    with page.expect_popup() as opened:
        page.locator('[data-rule="1.4"] a.number').click()
    expect(opened.value.locator("h1 .chip")).to_have_text("1.4")


def test_while_cards_are_revealed_no_number_is_in_the_way_of_a_tap(page_at: Callable[..., Page], stage: str) -> None:
    page = page_at("phone")
    bring_up(page, stage, "reveal")
    expect(page.locator(".story .rule").first).to_be_visible()
    assert page.locator(".story a, .cue a").count() == 0
