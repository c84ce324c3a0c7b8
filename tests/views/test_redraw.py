"""Charts are brought up to date in place, to what a new chart would say."""

import pytest
from bokeh.document import Document

from summon import charts, questions
from summon.player import Player
from summon.record import Record
from summon.views.redraw import redraw

pytest.importorskip("numba")

ONE, OTHER = (
    Record((Player("first", pet, cards=("wild", "poison")), Player("second", rival)))
    for pet, rival in (("moss", "spark"), ("tide", "ember"))
)
ASKED = {
    "first_to_last": 1000,
    "card_against_card": 1000,
    "card_worth": 200,
    "price_worth": 200,
    "evolution_and_tiers": 40,
    "rules_fired": 20,
}


def told(chart):
    """All that a chart says, but for what a browser finds out and what only tells models apart."""
    return sorted(
        f"{type(model).__name__} {name} {value!r}"
        for model in chart.references()
        for name, value in model.properties_with_values().items()
        if "id=" not in repr(value) and not (type(model).__name__ == "DataRange1d" and name in ("start", "end"))
    )


@pytest.mark.parametrize("question", ASKED)
def test_a_chart_in_place_says_what_a_new_one_would(question):
    draw = getattr(charts, question)
    before, after = (getattr(questions, question)(record, battles=ASKED[question]) for record in (ONE, OTHER))
    shown, page = draw(before), Document()
    page.add_root(shown)
    models = shown.references()
    assert told(shown) != told(draw(after))
    if redraw(shown, draw(after)):
        assert told(shown) == told(draw(after))
        assert shown.references() == models
    else:
        # Other rows, as rules that did not fire, are another chart.
        assert question == "rules_fired"
        assert told(shown) == told(draw(before))


def test_what_is_the_same_sends_nothing():
    frame = questions.card_against_card(ONE, battles=200)
    shown, page, sent = charts.card_against_card(frame), Document(), []
    page.add_root(shown)
    page.on_change(sent.append)
    assert redraw(shown, charts.card_against_card(frame))
    assert not sent


def test_another_look_or_another_build_is_left_to_a_new_chart():
    frame = questions.first_to_last(ONE, battles=200)
    shown = charts.first_to_last(frame)
    before = told(shown)
    assert not redraw(shown, charts.first_to_last(frame, charts.DARK))
    assert not redraw(shown, charts.first_to_last(frame[:0]))
    assert told(shown) == before
