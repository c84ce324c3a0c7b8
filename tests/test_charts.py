"""The charts: the data behind each picture are those of its frame, and its words say what is in it."""

import re

import numpy as np
import pandas as pd
import pytest
from bokeh.embed import file_html
from bokeh.models import ColumnDataSource, FixedTicker, GlyphRenderer, HoverTool, TapTool
from bokeh.models.annotations import Title
from bokeh.plotting import figure
from bokeh.resources import INLINE

from summon import chart_words, charts, questions
from summon.player import Player
from summon.record import Record
from summon.rules import Rules
from tests.test_history import random_battles
from tests.test_questions import ASKED

pytest.importorskip("numba")

LOOKS = [charts.LIGHT, charts.DARK]


@pytest.fixture(scope="module")
def answers():
    """Give the answer to every question."""
    return {name: ask(battles=300, seed=5) for name, ask in ASKED.items()}


def figures(chart):
    return [chart] if isinstance(chart, figure) else list(chart.children)


def sources(drawn, frame):
    """The sources of a figure that have the columns of a frame."""
    found = {id(glyph.data_source): glyph.data_source for glyph in drawn.select(GlyphRenderer)}
    return [source for source in found.values() if set(frame.columns) <= set(source.data)]


def data(source, frame):
    """The columns of a frame, as a source has them."""
    assert isinstance(source, ColumnDataSource)
    return pd.DataFrame({name: source.data[name] for name in frame.columns})


def same(shown, frame):
    """Whether what is shown are these rows of the frame, in any order."""
    plain = pd.DataFrame({name: list(frame[name].astype(object)) for name in frame.columns})
    by = [name for name in frame.columns if name not in ("value", "low", "high")]
    one, other = (rows.astype(object).sort_values(by, kind="stable").reset_index(drop=True) for rows in (shown, plain))
    pd.testing.assert_frame_equal(one, other, check_dtype=False)


SHOWN = {
    "matchups": lambda frame: [frame[frame["outcome"] == "first"]],
    "card_worth": lambda frame: [frame[frame["instead"] == "nothing"], frame[frame["instead"] != "nothing"]],
    "price_worth": lambda frame: [frame],
    "evolution_and_tiers": lambda frame: [frame],
    "card_against_card": lambda frame: [frame],
    "rules_fired": lambda frame: [frame[frame["measure"] != "times"]],
    "rules_changed": lambda frame: [frame[frame["measure"] == measure] for measure in ("first", "draw", "turns")],
}
"""Which rows each figure of a chart shows."""


@pytest.mark.parametrize("name", SHOWN)
def test_the_data_of_a_figure_are_those_of_the_frame(answers, name):
    frame = answers[name]
    drawn = figures(getattr(charts, name)(frame))
    rows = SHOWN[name](frame)
    assert len(drawn) == len(rows)
    for picture, expected in zip(drawn, rows, strict=True):
        same(pd.concat([data(source, frame) for source in sources(picture, frame)]), expected)


def test_health_and_length_are_shown_as_far_as_enough_battles_go(answers):
    frame = answers["first_to_last"]
    first, second, length = figures(charts.first_to_last(frame))
    health = frame[frame["measure"] == "health"]
    last = health[health["battles"] >= 30]["turn"].max()
    for picture, side in ((first, "first"), (second, "second")):
        main = next(source for source in sources(picture, frame) if source.data["side"][0] == side)
        same(data(main, frame), health[(health["side"] == side) & (health["turn"] <= last)])
        assert picture.x_range is length.x_range
    # The picture of lengths ends there as well, and its data hold all.
    same(data(sources(length, frame)[0], frame), frame[frame["measure"] == "length"])
    assert last < length.x_range.end < last + 1


@pytest.mark.parametrize("look", LOOKS, ids=["light", "dark"])
@pytest.mark.parametrize("name", ASKED)
def test_every_chart_fits_its_place_and_wears_its_look(answers, name, look):
    chart = getattr(charts, name)(answers[name], look)
    assert chart.sizing_mode == "stretch_width"
    for drawn in figures(chart):
        assert drawn.sizing_mode == "stretch_width" and drawn.min_width <= 320
        assert drawn.background_fill_color == drawn.border_fill_color == look.ground
        assert drawn.title.text and drawn.title.text_color == look.ink
        # Nothing takes a finger's swipe from the page.
        assert [type(tool) for tool in drawn.tools] == [HoverTool, TapTool] and drawn.toolbar_location is None
        for axis in drawn.axis:
            assert axis.major_label_text_color == look.ink
            assert int(axis.major_label_text_font_size.removesuffix("px")) >= 13
            places = axis.ticker.ticks if isinstance(axis.ticker, FixedTicker) else range(axis.ticker.desired_num_ticks)
            assert axis.major_label_overrides or len(places) <= 6


@pytest.mark.parametrize("name", ASKED)
def test_every_hover_text_says_how_sure_it_is_and_on_how_much_it_rests(answers, name):
    for drawn in figures(getattr(charts, name)(answers[name])):
        hover, tap = drawn.tools
        assert tap.renderers == hover.renderers
        lines = dict(hover.tooltips)
        assert lines["of"] == "@told_of"
        for renderer in hover.renderers:
            columns = renderer.data_source.data
            asked = set(re.findall(r"@(\w+)", " ".join(line for _, line in hover.tooltips)))
            assert asked <= set(columns)
            assert all(re.fullmatch(r"1 battle|[\d,]+ battles", told) for told in columns["told_of"])
            assert all(re.search(r"\(.* to .*\)", told) for told in columns["told"])
            # What a tap tells is the same, in as many lines as there is room for.
            (note,) = (layout for layout in drawn.below if isinstance(layout, Title))
            for place, told in enumerate(columns["told_all"]):
                assert columns["told_of"][place] in told.replace("\n", " ") and "@" not in told
                assert "…" not in told and told.count("\n") == note.text.count("\n")
                assert max(map(len, told.split("\n"))) <= 36


@pytest.mark.parametrize("name", ASKED)
def test_every_chart_has_words_that_say_how_sure_they_are(answers, name):
    told = getattr(chart_words, name)(answers[name])
    assert told.endswith(".") and told[0].isupper()
    assert not re.search(r"nan|None|_|\.\.|  | [.,]", told), told
    assert re.search(r"\([−+\d.]+ to [−+\d.]+\)", told)
    assert "It rests on 300 battles" in told


@pytest.mark.parametrize("name", ASKED)
def test_an_answer_of_one_battle_is_drawn_and_told(name):
    frame = ASKED[name](battles=1)
    assert file_html(getattr(charts, name)(frame), INLINE)
    assert "nan" not in getattr(chart_words, name)(frame)


@pytest.mark.parametrize("name", ASKED)
def test_an_answer_of_no_battles_is_an_empty_place_with_a_word(answers, name):
    frame = answers[name].iloc[:0]
    for drawn in figures(getattr(charts, name)(frame)):
        assert drawn.title.text
        assert [list(glyph.data_source.data["text"]) for glyph in drawn.select(GlyphRenderer)] == [
            [chart_words.NOTHING_TO_TELL]
        ]
    assert getattr(chart_words, name)(frame) == chart_words.NOTHING_TO_TELL


# Nothing by colour alone, and no colour that is hard to tell


def luminance(colour):
    parts = np.array([int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)])
    linear = np.where(parts > 0.04045, ((parts + 0.055) / 1.055) ** 2.4, parts / 12.92)
    return float(linear @ [0.2126, 0.7152, 0.0722])


def contrast(one, other):
    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("look", LOOKS, ids=["light", "dark"])
def test_colours_stand_out(look):
    for ink in (look.ink, look.soft):
        assert contrast(ink, look.ground) >= 4.5
    for mark in (look.first, look.second):
        assert contrast(mark, look.ground) >= 3


@pytest.mark.parametrize("look", LOOKS, ids=["light", "dark"])
def test_numbers_in_cells_can_be_read(answers, look):
    for name in ("matchups", "card_worth", "card_against_card"):
        drawn = figures(getattr(charts, name)(answers[name], look))[-1]
        (cells,) = sources(drawn, answers[name])
        for face, ink in zip(cells.data["face"], cells.data["ink_on"], strict=True):
            assert contrast(face, ink) >= 4.5


def test_marks_differ_in_shape_where_they_differ_in_colour(answers):
    for name in ("price_worth", "rules_changed", "card_worth"):
        drawn = figures(getattr(charts, name)(answers[name]))[0]
        (marks,) = sources(drawn, answers[name])
        assert len({*zip(marks.data["edge"], marks.data["mark"], strict=True)}) == len({*marks.data["mark"]})
        sure = (marks.data["from_"] > 0) | (marks.data["to"] < 0)
        hollow = [face == charts.LIGHT.ground for face in marks.data["face"]]
        assert hollow == list(~sure)


# Names from outside

HOSTILE = ["<img src=x onerror=alert(1)>", "$$\\alpha$$", "a\nb", "x" * 300, "\\[1\\]"]


def test_names_stay_plain_text():
    entrants = [Player(name, "moss") for name in HOSTILE]
    drawn = charts.matchups(questions.matchups(entrants, battles=20))
    labels = drawn.xaxis[0].major_label_overrides
    assert len(labels) == len(HOSTILE)
    for label in labels.values():
        assert len(label) <= 25 and "\n" not in label
        assert not re.search(r"\$\$|\\\[|\\\(", label)
    assert not re.search(r"\$\$|\\\[|\\\(", "".join(drawn.renderers[0].data_source.data["told_all"]))
    # Of columns Bokeh escapes what is shown, unless it is called safe.
    assert not re.search(r"safe|<", str(drawn.tools[0].tooltips))
    assert "<img" not in file_html(drawn, INLINE).replace("\\u003c", "").split("</head>")[0]


# Words


@pytest.mark.parametrize(
    ("told", "says"),
    [
        (chart_words.percent(0.481, 0.474, 0.488), "48.1 % (47.4 to 48.8)"),
        (chart_words.percent(1, 0.99998, 1), "100.0000 % (99.9980 to 100.0000)"),
        (chart_words.points(0.021, -0.004, 0.046), "+2.1 (−0.4 to +4.6)"),
        (chart_words.points(-0.021, -0.046, -0.00001), "−2.1 (−4.6 to 0.0)"),
        (chart_words.points(0.5, np.nan, np.nan), "+50.0 (how sure is not known)"),
        (chart_words.number(3.14159, 3.1, 3.2), "3.14 (3.10 to 3.20)"),
        (chart_words.battles_name(1), "1 battle"),
        (chart_words.battles_name(20000), "20,000 battles"),
        (chart_words.item_name("tier:attack:3"), "Attack tier 3"),
        (chart_words.item_name("card:wild"), "Wild"),
        (chart_words.item_name("evolution"), "Evolution"),
        (chart_words.rule_name("5.3"), "5.3 lethal poison"),
        (chart_words.rule_name("7.2"), "7.2 Flare"),
        (chart_words.change_name("base_health", "5 → 6"), "base health 5 → 6"),
    ],
)
def test_words_for_numbers_and_names(told, says):
    assert told == says


def test_the_words_say_what_is_in_the_frame():
    attack = Record((Player("a", "moss"), Player("b", "tide")), Rules(base_health=3).changed())
    frame = questions.rules_changed(attack, ["base_health"], battles=200)
    told = chart_words.rules_changed(frame)
    turns = frame[frame["measure"] == "turns"].set_index("change")["value"]
    assert f"the length of battles with base health {turns.abs().idxmax()}" in told
    assert "It rests on 200 battles with each." in told
    wins = frame[frame["measure"] == "first"]
    unsure = ((wins["low"] <= 0) & (wins["high"] >= 0)).sum()
    assert f"{unsure} of 2 changes" in told


def test_every_rule_that_an_event_can_name_has_a_name():
    rules = {
        rule
        for battle in random_battles(60)
        for event in battle.events
        for rule in (event.rule, *(part.rule for part in event.parts))
    }
    assert len(rules) > 25
    for rule in rules:
        assert chart_words.rule_name(rule).startswith(f"{rule} ")


def test_every_changed_rule_can_be_told_from_the_others_by_its_label():
    record = Record((Player("a", "moss"), Player("b", "tide")))
    frame = questions.rules_changed(record, battles=1)
    for drawn in figures(charts.rules_changed(frame, most=len(frame))):
        labels = drawn.yaxis[0].major_label_overrides.values()
        assert len(set(labels)) == len(labels) == len(frame) / 3
        assert not [label for label in labels if "…" in label]
