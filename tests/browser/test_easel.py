"""The easel in a real browser: painting with taps and keys, typing, saving, and a battle with what was drawn."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from summon.art import Sketch
from tests.browser.boards import wait_for_phase
from tests.browser.conftest import serving
from tests.browser.test_axe import AXE, RUN

SIZES = ["phone", "tablet", "desktop"]
MOSS = Sketch.of("moss")

IS_DRAWN = """([node, markup]) => {
  const expected = document.createElement("template");
  expected.innerHTML = markup;
  return node.innerHTML === expected.innerHTML;
}"""


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Serve the easel and return its address."""
    with serving("app/draw.py", tmp_path_factory.mktemp("easel") / "log.txt") as url:
        yield url


def opened(page: Page, address: str) -> Locator:
    page.goto(address)
    easel = page.locator(".easel")
    expect(easel.locator(".picture svg")).to_be_visible(timeout=30_000)
    return easel


def shows(easel: Locator, sketch: Sketch) -> None:
    """Wait until the easel has this drawing, as text and as a picture."""
    expect(easel.locator("textarea")).to_have_value(sketch.text)
    picture = easel.locator(".picture").element_handle()
    easel.page.wait_for_function(IS_DRAWN, arg=[picture, "" if sketch.bare else sketch.picture()])


def place(easel: Locator, sketch: Sketch, x: int, y: int) -> tuple[float, float]:
    """The middle of a place of the drawing on the screen, which shows the sheet."""
    easel.locator(".paper").scroll_into_view_if_needed()
    box = easel.locator(".paper").bounding_box()
    assert box is not None
    across, down = (x * 10 + 6) / (sketch.width * 10 + 2), (y * 12 + 12) / (sketch.height * 12 + 13)
    return box["x"] + across * box["width"], box["y"] + down * box["height"]


def tap(easel: Locator, sketch: Sketch, x: int, y: int) -> None:
    if easel.page.evaluate("navigator.maxTouchPoints"):
        easel.page.touchscreen.tap(*place(easel, sketch, x, y))
    else:
        easel.page.mouse.click(*place(easel, sketch, x, y))


def choose(easel: Locator, brush: str, leaf: str = "colours") -> None:
    easel.locator(f"[data-leaf={leaf}]").click()
    easel.locator(f'[data-brush="{brush}"]').click()


def write(easel: Locator, text: str) -> None:
    easel.locator("textarea").fill(text)


# Painting


@pytest.mark.parametrize("size", SIZES)
def test_a_tap_builds_and_the_picture_and_the_text_follow(
    page_at: Callable[..., Page], address: str, size: str
) -> None:
    easel = opened(page_at(size), address)
    shows(easel, MOSS)
    choose(easel, "purple")
    tap(easel, MOSS, 6, 12)
    painted = MOSS.painted([(6, 12)], "purple")
    shows(easel, painted)
    choose(easel, ".")
    tap(easel, MOSS, 0, 8)
    painted = painted.painted([(0, 8)], ".")
    shows(easel, painted)
    choose(easel, "/")
    tap(easel, MOSS, 0, 8)
    shows(easel, painted.painted([(0, 8)], "/"))


def test_stamps_on_both_sides_with_the_mirror(page_at: Callable[..., Page], address: str) -> None:
    easel = opened(page_at("phone"), address)
    easel.locator("[data-act=mirror]").click()
    expect(easel.locator("[data-act=mirror]")).to_have_attribute("aria-pressed", "true")
    choose(easel, "star", "prints")
    tap(easel, MOSS, 2, 12)
    shows(easel, MOSS.painted([(2, 12)], "star", mirrored=True))


def test_a_stroke_of_the_mouse_is_one_step(page_at: Callable[..., Page], address: str) -> None:
    page = page_at("desktop")
    easel = opened(page, address)
    choose(easel, "red")
    page.mouse.move(*place(easel, MOSS, 2, 12))
    page.mouse.down()
    page.mouse.move(*place(easel, MOSS, 8, 12))
    expect(easel.locator(".ghosts rect")).to_have_count(7)
    page.mouse.move(*place(easel, MOSS, 8, 14))
    page.mouse.up()
    stroke = [*((x, 12) for x in range(2, 9)), (8, 13), (8, 14)]
    shows(easel, MOSS.painted(stroke, "red"))
    expect(easel.locator(".ghosts rect")).to_have_count(0)
    easel.locator("[data-act=undo]").click()
    shows(easel, MOSS)
    expect(easel.locator("[data-act=undo]")).to_have_attribute("aria-disabled", "true")


def test_by_keyboard_alone(page_at: Callable[..., Page], address: str) -> None:
    page = page_at("desktop")
    easel = opened(page, address)
    easel.locator('[data-brush="red"]').focus()
    page.keyboard.press("ArrowRight")
    paper = easel.locator(".paper")
    expect(paper).to_have_attribute("aria-label", "The sheet, 14 places wide and 16 high")
    paper.focus()
    for _ in range(2):
        page.keyboard.press("ArrowRight")
    told = easel.locator(".board-of-paper [role=status]")
    expect(told).to_have_text("Row 1, place 3: lime.")
    page.keyboard.press("Space")
    painted = MOSS.painted([(2, 0)], "dark red")
    shows(easel, painted)
    expect(told).to_have_text("Row 1, place 3: dark red.")
    page.keyboard.press("Backspace")
    shows(easel, painted.painted([(2, 0)], "."))
    expect(told).to_have_text("Row 1, place 3: nothing.")


def test_what_does_not_go_is_said(page_at: Callable[..., Page], address: str) -> None:
    easel = opened(page_at("phone"), address)
    easel.locator("[data-act=start]").click()
    easel.locator("[data-pet=none]").click()
    empty = Sketch.empty()
    shows(easel, empty)
    expect(easel.locator(".hint")).to_be_visible()
    choose(easel, "/")
    tap(easel, empty, 3, 3)
    expect(easel.get_by_role("alert")).to_have_text("That does not go: the slope has no brick near it.")
    expect(easel.locator(".ghosts rect")).to_have_count(0)
    choose(easel, "teal")
    tap(easel, empty, 3, 3)
    shows(easel, empty.painted([(3, 3)], "teal"))
    expect(easel.get_by_role("alert")).to_have_text("")
    expect(easel.locator(".hint")).to_be_hidden()


def test_more_room_less_room_and_another_pet(page_at: Callable[..., Page], address: str) -> None:
    easel = opened(page_at("tablet"), address)
    easel.locator("[data-act=roomier]").click()
    shows(easel, MOSS.roomier())
    easel.locator("[data-act=tighter]").click()
    shows(easel, MOSS)
    easel.locator("[data-act=start]").click()
    easel.locator("[data-pet=thunder]").click()
    shows(easel, Sketch.of("thunder"))


# Typing


def test_what_is_typed_is_drawn_at_once(page_at: Callable[..., Page], address: str) -> None:
    easel = opened(page_at("desktop"), address)
    changed = MOSS.with_row(13, "ddllttllttlldd")
    write(easel, changed.text)
    shows(easel, changed)
    expect(easel.locator(".mistake")).to_be_hidden()
    easel.locator("[data-act=undo]").click()
    shows(easel, MOSS)


def test_a_mistake_is_told_with_its_place_and_nothing_is_lost(page_at: Callable[..., Page], address: str) -> None:
    easel = opened(page_at("phone"), address)
    wrong = MOSS.text.replace("gggEEggggEEggg", "gggEEg?ggEEggg", 1)
    write(easel, wrong)
    mistake = easel.locator(".mistake")
    expect(mistake).to_have_text("Line 18, place 7: '?' is not in the list of colours")
    expect(easel.locator(".numbers .bad")).to_have_text("18")
    easel.locator("[data-act=look]").click()
    marked = "node => node.value.slice(node.selectionStart, node.selectionEnd)"
    assert easel.locator("textarea").evaluate(marked) == "?"
    tap(easel, MOSS, 0, 0)
    expect(easel.get_by_role("alert")).to_contain_text("There is a mistake in the text.")
    expect(easel.locator("textarea")).to_have_value(wrong)
    write(easel, MOSS.text.replace("c = cheek #ff8f7a on green", "c = gold"))
    expect(mistake).to_contain_text("Line 8, place 5: there is no colour 'gold'. There are: black, white,")
    easel.locator("[data-act=undo]").click()
    expect(mistake).to_be_hidden()
    shows(easel, MOSS)


def test_what_is_typed_is_never_markup(page_at: Callable[..., Page], address: str) -> None:
    page = page_at("desktop")
    easel = opened(page, address)
    markup = "<img src=x onerror=alert(1)>"
    write(easel, f"r = red\n\n{markup}\n")
    expect(easel.locator(".mistake")).to_contain_text("'<' is not in the list of colours")
    write(easel, f"r = {markup}\n\nr\n")
    expect(easel.locator(".mistake")).to_contain_text(f"there is no colour '{markup}'")
    easel.locator(".title").fill("<b>Fox</b>")
    easel.locator(".title").press("Enter")
    expect(easel.locator("[data-act=save]")).to_have_attribute("download", "b-fox-b.txt")
    assert page.locator(".easel img, .easel .picture b").count() == 0


# What comes of it


def test_saving_gives_the_text_as_a_file_of_its_name(page_at: Callable[..., Page], address: str) -> None:
    page = page_at("phone")
    easel = opened(page, address)
    easel.locator(".title").fill("Leafy")
    easel.locator(".title").press("Enter")
    save = easel.locator("[data-act=save]")
    expect(save).to_have_attribute("download", "leafy.txt")
    choose(easel, "red")
    tap(easel, MOSS, 6, 12)
    shows(easel, MOSS.painted([(6, 12)], "red"))
    with page.expect_download() as saved:
        save.click()
    assert saved.value.suggested_filename == "leafy.txt"
    assert Path(saved.value.path()).read_text(encoding="utf-8") == MOSS.painted([(6, 12)], "red").text


@pytest.mark.parametrize("size", ["phone", "desktop"])
def test_the_drawing_fights_a_battle_and_comes_back(page_at: Callable[..., Page], address: str, size: str) -> None:
    page = page_at(size)
    easel = opened(page, address)
    easel.locator(".title").fill("Leafy")
    choose(easel, "purple")
    tap(easel, MOSS, 6, 12)
    painted = MOSS.painted([(6, 12)], "purple")
    shows(easel, painted)
    easel.locator("[data-act=try]").click()
    easel.locator("dialog [data-pet=spark]").click()
    screen = page.locator(".screen")
    expect(screen).to_be_visible()
    mine = screen.locator('[data-side="you"]')
    expect(mine).to_contain_text("Leafy")
    uses = "node => node.querySelectorAll('use').length"
    assert mine.locator(".pet svg").evaluate(uses) == easel.locator(".picture svg").evaluate(uses)
    screen.locator(".card[data-card=attack]").click()
    screen.locator(".go").click()
    wait_for_phase(screen, "reveal", "over")
    screen.locator("[data-act=leave]").click()
    page.locator("[data-act=leave-now]").click()
    wait_for_phase(screen, "over")
    page.locator(".screen [data-act=home], .screen [data-go=home]").first.click()
    expect(screen).to_have_count(0)
    shows(easel, painted)
    choose(easel, "red")
    tap(easel, MOSS, 7, 12)
    shows(easel, painted.painted([(7, 12)], "red"))


# On every screen

SMALL = """node => [...node.querySelectorAll("button, a, input, [role=radio], [role=tab]")]
  .filter((each) => each.checkVisibility())
  .map((each) => [each.getBoundingClientRect(), each.outerHTML])
  .filter(([box]) => box.width < 44 || box.height < 44).map(([, html]) => html.slice(0, 90))"""
CUT = """node => [...node.querySelectorAll("h1, h2, .act span, .tab, .brick, .with, .look span")]
  .filter((each) => each.checkVisibility() && each.scrollWidth > each.clientWidth + 1 && each.clientWidth)
  .map((each) => each.textContent)"""
WIDER = "node => node.scrollWidth > node.clientWidth"


@pytest.mark.parametrize(("width", "letters"), [(320, 100), (390, 100), (390, 200), (820, 100), (1440, 100)])
def test_everything_has_its_place_and_can_be_pressed(
    page_at: Callable[..., Page], address: str, width: int, letters: int
) -> None:
    page = page_at("desktop")
    page.set_viewport_size({"width": width, "height": 800})
    easel = opened(page, address)
    page.add_style_tag(content=f"html {{ font-size: {letters}% }}")
    for leaf in ("prints", "colours"):
        easel.locator(f"[data-leaf={leaf}]").click()
        assert easel.evaluate(SMALL) == []
        assert not easel.evaluate(WIDER)
        assert easel.evaluate(CUT) == []
    paper, palette = easel.locator(".paper").bounding_box(), easel.locator(".palette").bounding_box()
    assert paper is not None and palette is not None
    assert paper["y"] + paper["height"] <= palette["y"] or paper["x"] + paper["width"] <= palette["x"]


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_to_object_to(page_at: Callable[..., Page], address: str, scheme: str) -> None:
    page = page_at("phone", scheme)
    easel = opened(page, address)
    page.evaluate(AXE)
    found = page.evaluate(RUN)
    choose(easel, "heart", "prints")
    write(easel, "oh")
    expect(easel.locator(".mistake")).to_be_visible()
    found += page.evaluate(RUN)
    easel.locator("[data-act=start]").click()
    expect(page.get_by_role("dialog")).to_be_visible()
    found += page.evaluate(RUN)
    assert found == []
