"""axe-core finds nothing to object to: in every scene, light and dark, on a phone and on a desktop."""

from collections.abc import Iterator
from importlib.resources import files

import pytest
from playwright.sync_api import Browser, Page

from tests.browser.scenes import SCENES, bring_up, still_page

AXE = (files("axe_playwright_python") / "axe.min.js").read_text(encoding="utf-8")

# What is still fading in is not yet seen as it will be.
CALM = """() => {
  const inside = (root) => [root, ...[...root.querySelectorAll("*")].flatMap((node) => (
    node.shadowRoot ? inside(node.shadowRoot) : []))];
  const ending = (animation) => animation.effect.getComputedTiming().endTime !== Infinity;
  const running = inside(document).flatMap((root) => root.getAnimations()).filter(ending);
  return Promise.allSettled(running.map((animation) => animation.finished));
}"""

RUN = """async () => (await axe.run(document, { resultTypes: ["violations"] })).violations
  .flatMap(({ id, help, nodes }) => nodes.map(({ target, html }) =>
    `${id} (${help}): ${target.flat().join(" ")} ${html.slice(0, 200)}`))"""

SIZES = {"phone": (390, 844), "desktop": (1440, 900)}


@pytest.fixture(scope="module")
def page(browser: Browser) -> Iterator[Page]:
    page = still_page(browser)
    yield page
    page.context.close()


def objections(page: Page, where: str) -> list[str]:
    page.evaluate(CALM)
    return [f"{where}: {line}" for line in page.evaluate(RUN)]


@pytest.mark.parametrize("name", SCENES)
def test_nothing_is_objected_to(stage: str, page: Page, name: str) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    bring_up(page, stage, name)
    page.evaluate(AXE)
    found: list[str] = []
    for size, (width, height) in SIZES.items():
        page.set_viewport_size({"width": width, "height": height})
        for scheme in ("light", "dark"):
            page.emulate_media(color_scheme=scheme)
            found += objections(page, f"{size}, {scheme}")
    assert found == []


def test_an_objection_is_found(stage: str, page: Page) -> None:
    bring_up(page, stage, "home")
    page.evaluate("() => { document.querySelector('html').removeAttribute('lang'); }")
    page.evaluate(AXE)
    assert any("html-has-lang" in line for line in objections(page, "home"))
