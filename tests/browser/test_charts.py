"""The charts in a browser: each draws, fits a phone, and shows what comes from outside as text."""

import pytest
from bokeh.embed import file_html
from bokeh.resources import INLINE

from summon import charts, questions
from summon.player import Player
from tests.test_questions import ASKED

pytest.importorskip("numba")

VIEWPORT = '<head><meta name="viewport" content="width=device-width, initial-scale=1">'
FIGURE = ".bk-Figure"
HOSTILE = "<img src=x onerror=document.title=1>"


def shown(page, chart):
    """Show a chart on a page of its own, and wait until it is drawn."""
    page.set_content(file_html(chart, INLINE).replace("<head>", VIEWPORT))
    page.locator(FIGURE).first.wait_for()
    page.wait_for_function("Bokeh.documents.every(document => document.is_idle)")
    return page


@pytest.mark.parametrize("size", ["phone", "desktop"])
@pytest.mark.parametrize("name", ASKED)
def test_a_chart_draws_and_fits_its_page(page_at, name, size):
    page = shown(page_at(size), getattr(charts, name)(ASKED[name](battles=100)))
    width, inside = page.evaluate("[document.documentElement.scrollWidth, innerWidth]")
    assert width <= inside
    for box in (figure.bounding_box() for figure in page.locator(FIGURE).all()):
        assert 300 < box["width"] <= inside and box["height"] > 100


NOTE = "text => [...Bokeh.documents[0].all_models].some(model => model.type == 'Title' && model.text.includes(text))"


def test_pointing_and_tapping_tell_a_cell_and_a_name_stays_text(page_at):
    entrants = [Player(HOSTILE, "moss"), Player("b", "tide")]
    frame = questions.matchups(entrants, battles=20)
    for size, note in (("desktop", False), ("phone", True)):
        page = shown(page_at(size), charts.matchups(frame))
        box = page.locator(FIGURE).bounding_box()
        place = (box["x"] + box["width"] * 0.4, box["y"] + box["height"] - 160)
        if note:
            page.touchscreen.tap(*place)
            page.wait_for_function(NOTE, arg="20 battles")
            assert page.evaluate(NOTE, "<img src=x")
        else:
            page.mouse.move(*place)
            page.get_by_text("20 battles").wait_for()
            assert page.get_by_text(HOSTILE).count() >= 1
        assert page.locator("img").count() == 0
        assert page.title() != "1"
