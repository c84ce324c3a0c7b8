"""Pictures of every scene at three sizes, light and dark, on one page: `python -m tests.browser.gallery [scene …]`.

They come into docs/gallery/, which is not part of the repository; `python3 tasks.py gallery` runs this.
"""

import sys
from html import escape
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

from tests.browser.scenes import SCENES, bring_up, launching, staging, still_page

FOLDER = Path(__file__).resolve().parents[2] / "docs" / "gallery"

SIZES = {"phone": (390, 844), "tablet": (820, 1180), "desktop": (1440, 900)}
SCHEMES = ("light", "dark")

PAGE = """\
<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Summon: every scene</title>
<style>
:root {{ color-scheme: light dark; font: 16px/1.4 ui-rounded, system-ui, sans-serif; }}
body {{ margin: 0 auto; padding: 16px; max-width: 1500px; background: light-dark(#eaf4ff, #11142b); }}
nav {{ columns: 14rem; }}
nav a {{ display: block; padding: 4px 0; }}
section {{ padding: 24px 0; border-top: 3px solid light-dark(#a9bcda, #3d4679); }}
.row {{ display: flex; gap: 12px; align-items: start; overflow-x: auto; padding: 8px 0; }}
img {{ display: block; height: 420px; width: auto; border-radius: 10px; box-shadow: 0 2px 8px #10082b55; }}
</style>
<h1>Summon: every scene</h1>
<nav>{links}</nav>
{scenes}
</html>
"""
SCENE = '<section id="{name}"><h2>{title} <small>{name}</small></h2>{rows}</section>'
PICTURE = '<a href="{file}"><img src="{file}" loading="lazy" alt="{alt}" width="{width}" height="{height}"></a>'


def take(page: Page, address: str, name: str) -> None:
    """Take the pictures of a scene."""
    page.set_viewport_size({"width": 390, "height": 844})
    bring_up(page, address, name)
    for size, (width, height) in SIZES.items():
        page.set_viewport_size({"width": width, "height": height})
        for scheme in SCHEMES:
            page.emulate_media(color_scheme=scheme)
            page.wait_for_timeout(300)
            page.screenshot(path=FOLDER / file(name, size, scheme), type="jpeg", quality=60)


def file(name: str, size: str, scheme: str) -> str:
    return f"{name}-{size}-{scheme}.jpg"


def write() -> None:
    """Write the page that shows all pictures."""
    told = []
    for name, scene in SCENES.items():
        pictures = {
            scheme: [
                PICTURE.format(
                    file=file(name, size, scheme),
                    alt=escape(f"{scene.title}: {size}, {scheme}"),
                    width=width,
                    height=height,
                )
                for size, (width, height) in SIZES.items()
            ]
            for scheme in SCHEMES
        }
        rows = "".join(f'<div class="row">{"".join(row)}</div>' for row in pictures.values())
        told.append(SCENE.format(name=name, title=escape(scene.title), rows=rows))
    links = "".join(f'<a href="#{name}">{escape(scene.title)}</a>' for name, scene in SCENES.items())
    (FOLDER / "index.html").write_text(PAGE.format(links=links, scenes="\n".join(told)), encoding="utf-8")


def main(names: list[str]) -> int:
    """Take the pictures of these scenes, or of all."""
    if unknown := [name for name in names if name not in SCENES]:
        print(f"There is no scene {', '.join(unknown)}. There are: {', '.join(SCENES)}.")
        return 2
    FOLDER.mkdir(parents=True, exist_ok=True)
    with staging() as address, sync_playwright() as playwright:
        browser = playwright.chromium.launch(**launching())
        page = still_page(browser)
        for number, name in enumerate(names or SCENES, 1):
            print(f"{number:3} {name}", flush=True)
            take(page, address, name)
        browser.close()
    write()
    print(f"All pictures: {FOLDER / 'index.html'}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
