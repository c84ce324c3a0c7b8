"""Draw the icons for home screens: run as a program, write them anew where the game has them."""

import sys
from collections.abc import Iterator
from io import BytesIO

from PIL import Image
from playwright.sync_api import Browser, sync_playwright

from summon.views import install
from summon.views.assets import STATIC
from tests.browser import chromium

FOLDER = STATIC / "icons"

COLOURS = 96
"""So many are kept, which nobody can tell from all of them, at a third of the size."""


def drawn(browser: Browser) -> Iterator[tuple[str, Image.Image]]:
    """Give the name and the picture of each icon, as a browser draws it."""
    page = browser.new_page()
    for name, (size, svg) in install.drawings().items():
        page.set_viewport_size({"width": size, "height": size})
        page.set_content(f"<style>body {{ margin: 0 }} body > svg {{ display: block; width: {size}px }}</style>{svg}")
        yield name, Image.open(BytesIO(page.screenshot(omit_background=True))).convert("RGBA")
    page.close()


def small(icon: Image.Image) -> Image.Image:
    """Return a picture with few colours."""
    return icon.quantize(COLOURS, method=Image.Quantize.FASTOCTREE)


def main() -> int:
    path = chromium.find()
    if path is None:
        chromium.say(chromium.HOW_TO)
        return 1
    sandbox = ["--no-sandbox"] if chromium.is_root() else []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=sandbox)
        for name, icon in drawn(browser):
            small(icon).save(FOLDER / name, optimize=True)
            print(f"{name}: {(FOLDER / name).stat().st_size} bytes")
        browser.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
