"""What lies where, in every scene and on screens of all sizes: nothing is too small, cut off, or in another's way."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, CDPSession, Page

from tests.browser.scenes import SCENES, bring_up, still_page

FACTS = (Path(__file__).parent / "facts.js").read_text(encoding="utf-8")

SIZES = {"phone": (390, 844), "tablet": (820, 1180), "desktop": (1440, 900), "small": (320, 640)}

LETTERS = 16
"""How large the letters of a browser are that nobody has set, in pixels."""


UNDRAWN = """
const sheet = new CSSStyleSheet();
sheet.replaceSync("svg > * { display: none !important; }");
const { attachShadow } = Element.prototype;
Element.prototype.attachShadow = function (init) {
  const root = attachShadow.call(this, init);
  root.adoptedStyleSheets = [sheet];
  return root;
};
"""
"""Pictures keep their places and are not drawn, which takes most of the time."""


@pytest.fixture(scope="module")
def page(browser: Browser) -> Iterator[Page]:
    page = still_page(browser)
    page.add_init_script(UNDRAWN)
    yield page
    page.context.close()


@pytest.fixture(scope="module")
def protocol(page: Page) -> CDPSession:
    return page.context.new_cdp_session(page)


def set_letters(protocol: CDPSession, pixels: int) -> None:
    """Set the size of letters as a person does in the settings of their browser."""
    protocol.send("Page.setFontSizes", {"fontSizes": {"standard": pixels, "fixed": pixels}})


def settle(page: Page) -> None:
    """Wait until what follows the size of the window has followed it."""
    page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done())))")


def wrong(page: Page, where: str) -> list[str]:
    settle(page)
    return [f"{where}: {line}" for line in page.evaluate(FACTS)]


@pytest.mark.parametrize("name", SCENES)
def test_everything_has_its_place(stage: str, page: Page, protocol: CDPSession, name: str) -> None:
    found: list[str] = []
    page.set_viewport_size({"width": 390, "height": 844})
    bring_up(page, stage, name)
    for size, (width, height) in SIZES.items():
        page.set_viewport_size({"width": width, "height": height})
        found += wrong(page, size)
    set_letters(protocol, 2 * LETTERS)
    try:
        for size, (width, height) in SIZES.items():
            page.set_viewport_size({"width": width, "height": height})
            found += wrong(page, f"{size}, letters of 200 %")
    finally:
        set_letters(protocol, LETTERS)
    assert found == []


BRICKS = """(pets) => pets.map((svg) => {
  const box = svg.getBoundingClientRect(), around = svg.closest(".scene").getBoundingClientRect();
  const { width, height } = svg.viewBox.baseVal, scale = Math.min(box.width / width, box.height / height);
  const inside = box.left >= around.left && box.right <= around.right && box.top >= around.top;
  return [scale.toFixed(2), inside];
})"""
"""Of every pet in a scene: how large a unit of its grid is, in pixels, and whether all of it can be seen."""


@pytest.mark.parametrize("name", ["fight", "join", "market-evolve"])
def test_pets_beside_each_other_are_of_bricks_of_one_size(stage: str, page: Page, name: str) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    bring_up(page, stage, name)
    for size, (width, height) in SIZES.items():
        page.set_viewport_size({"width": width, "height": height})
        settle(page)
        one, other = page.locator(".scene :is(.guess .seen, .pet > svg) >> visible=true").evaluate_all(BRICKS)
        assert one == other, size
        assert one[1], size


def test_a_fault_is_found(stage: str, page: Page) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    bring_up(page, stage, "home")
    page.evaluate(
        """() => {
          const make = (style, text) => {
            const node = Object.assign(document.createElement("button"), { textContent: text, style });
            document.body.append(node);
          };
          make("position: fixed; z-index: 99; left: 0; top: 0; width: 20px; height: 90px; font-size: 11px", "low");
          make("position: fixed; z-index: 99; left: 300px; top: 400px; width: 200px; height: 50px", "far, far away");
        }"""
    )
    told = "\n".join(wrong(page, "phone"))
    assert '"low" has letters of 11 px' in told
    assert 'button. "low" is 20 by 90' in told
    assert 'off the window: "far, far away"' in told
