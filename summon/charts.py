"""Charts of the balance questions: the DataFrame that a function of `summon.questions` gives, as a Bokeh figure.

Each function has the name of its question, and `summon.chart_words` has a text of the same name that says what the
picture says: whoever shows one shows the other beside it. Colours are Okabe and Ito's, which everybody can tell apart;
nothing is told by colour alone. Figures are as wide as their place, from that of a phone on. Names come in as plain
text and stay that. The columns of a figure's data are those of its frame, with some for drawing added.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from textwrap import wrap
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from bokeh.core.properties import value
from bokeh.layouts import column
from bokeh.models import (
    Column,
    ColumnDataSource,
    CustomJS,
    FixedTicker,
    GlobalInlineStyleSheet,
    HoverTool,
    Range1d,
    TapTool,
)
from bokeh.models.annotations import Legend, LegendItem, Span, Title
from bokeh.plotting import figure
from numpy.typing import NDArray

from summon import chart_words as say
from summon.cards import BY_CODE, MARKET

Numbers = NDArray[np.float64]

_OF = ("of", "@told_of")
"""The line of every hover text that says on how much it rests."""


class Look(NamedTuple):
    """The colours of a chart: its ground, writing and lines, and the two sides and what is between them."""

    ground: str
    ink: str
    soft: str
    line: str
    first: str
    second: str
    between: str


LIGHT = Look("#ffffff", "#1a1f45", "#474e7a", "#d5e5f7", "#0072b2", "#d55e00", "#f2f2f2")
"""On a light page."""

DARK = Look("#1d2246", "#f5f7ff", "#bcc5ef", "#3d4679", "#56b4e9", "#e69f00", "#2f3560")
"""On a dark page."""

FONT = 'ui-rounded, "SF Pro Rounded", Nunito, Quicksand, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif'
"""The device's own rounded letters, as in the game."""

_TEXT, _SMALL, _TITLE = "14px", "13px", "16px"
_ROW, _FRAME = 34, 225
"""The height of a row, and of what is around all of them, in pixels."""

_POINTED_AT = ".bk-Tooltip {{ --tooltip-color: {ground}; --tooltip-text: {ink}; --tooltip-border: {soft}; }}"
"""What a mark tells when it is pointed at is no part of a chart, but of its page."""

_WIDEST = 860
_LONGEST = 20
"""So many letters a line of a label has at most."""

_NOTE_WIDTH, _NOTE_LINES = 36, 5
"""How many letters a line of a note has at most, and how many lines a note has."""

_FEWEST = 30
"""Below so many battles a turn is not drawn: its health is hardly known."""


def _inert(text: str) -> str:
    """A text that Bokeh does not take for a formula."""
    return text.replace("$$", "$\u200b$").replace("\\", "\\\u200b")


def _plain(name: str, lines: int = 1) -> str:
    """A name as a label of at most so many lines, cut short where it is longer."""
    return "\n".join(wrap(_inert(name), _LONGEST, max_lines=lines, placeholder="…"))


def _figure(look: Look, title: str, height: int, **options: Any) -> Any:
    """An empty figure in a look. (Any, as Bokeh's types allow for a title or ticks of many kinds.)"""
    drawn: Any = figure(
        sizing_mode="stretch_width",
        height=height,
        min_width=280,
        max_width=_WIDEST,
        tools="",
        toolbar_location=None,
        title=title,
        stylesheets=[GlobalInlineStyleSheet(css=_POINTED_AT.format(**look._asdict()))],
        background_fill_color=look.ground,
        border_fill_color=look.ground,
        outline_line_color=None,
        min_border_right=12,
        **options,
    )
    drawn.title.text_color = look.ink
    drawn.title.text_font = FONT
    drawn.title.text_font_size = _TITLE
    for axis in drawn.axis:
        axis.axis_label_text_color = axis.major_label_text_color = look.ink
        axis.axis_label_text_font = axis.major_label_text_font = FONT
        axis.axis_label_text_font_size = axis.major_label_text_font_size = _TEXT
        axis.axis_label_text_font_style = "normal"
        axis.axis_line_color = axis.major_tick_line_color = look.soft
        axis.minor_tick_line_color = None
    for grid in drawn.grid:
        grid.grid_line_color = look.line
    return drawn


def _legend(drawn: Any, look: Look, items: Sequence[tuple[str, Sequence[Any]]]) -> None:
    """A legend above the plot, where it covers nothing."""
    legend = Legend(
        items=[LegendItem(label=label, renderers=list(renderers)) for label, renderers in items],
        orientation="horizontal",
        label_text_color=look.ink,
        label_text_font=FONT,
        label_text_font_size=_TEXT,
        background_fill_color=None,
        border_line_color=None,
        spacing=14,
    )
    drawn.add_layout(legend, "above")


def _named(axis: Any, names: Sequence[str], lines: int = 1) -> None:
    """Names for the places 0, 1, … of an axis. (As factors they would have to differ, and could be formulas.)"""
    axis.ticker = FixedTicker(ticks=list(range(len(names))))
    axis.major_label_overrides = {place: _plain(name, lines) for place, name in enumerate(names)}
    if lines > 1:
        axis.major_label_text_font_size = _SMALL
        axis.major_label_text_line_height = 1.0


def _source(frame: pd.DataFrame, **drawing: Any) -> ColumnDataSource:
    """The columns of a frame, categories as text, and those for drawing."""
    columns = {
        name: frame[name].astype(object if frame[name].dtype == "category" else frame[name].dtype) for name in frame
    }
    return ColumnDataSource({**{name: values.to_numpy() for name, values in columns.items()}, **drawing})


def _hover(drawn: Any, renderers: Sequence[Any], lines: Sequence[tuple[str, str]]) -> None:
    """What a mark tells when it is pointed at, and below the figure when it is tapped, as a finger cannot hover.

    Bokeh writes the values of columns as text, never as HTML.
    """
    for renderer in renderers:
        columns = renderer.data_source.data
        texts = [
            ", ".join(f"{label} {_filled(line, columns, place)}".strip() for label, line in lines)
            for place in range(len(columns["told_of"]))
        ]
        renderer.data_source.data["told_all"] = ["\n".join(_noted(text)) for text in texts]
    note = Title(text="\n".join(_noted(say.TAP)), text_font=FONT, text_font_size=_SMALL, text_font_style="normal")
    note.text_color = drawn.title.text_color
    drawn.add_layout(note, "below")
    drawn.add_tools(
        HoverTool(renderers=list(renderers), tooltips=list(lines), point_policy="snap_to_data"),
        TapTool(renderers=list(renderers), behavior="inspect", callback=CustomJS(args={"note": note}, code=_TELL)),
    )


_TELL = "note.text = cb_data.source.data.told_all[cb_data.source.inspected.indices[0]]"


def _filled(line: str, columns: Mapping[str, Sequence[object]], place: int) -> str:
    return re.sub(r"@(\w+)", lambda named: str(columns[named[1]][place]), line)


def _noted(text: str) -> list[str]:
    """A note in lines, always as many, so that nothing moves when another takes its place."""
    lines = wrap(_inert(text), _NOTE_WIDTH, max_lines=_NOTE_LINES, placeholder="…")
    return [*lines, *[" "] * (_NOTE_LINES - len(lines))]


def _rows(frame: pd.DataFrame, tell: Callable[..., str], *names: str) -> list[str]:
    """A text for each row, made of some of its columns."""
    return [tell(*values) for values in zip(*(frame[name] for name in names), strict=True)]


def _mixed(look: Look, parts: Numbers) -> tuple[list[str], list[str]]:
    """Colours for parts from -1 (second) over 0 (between) to 1 (first), and the ink that is readable on each."""

    def rgb(colour: str) -> Numbers:
        return np.array([int(colour[place : place + 2], 16) for place in (1, 3, 5)], dtype=float)

    faces, inks = [], []
    for part in np.nan_to_num(parts):
        end = rgb(look.first if part > 0 else look.second)
        mixed = rgb(look.between) + (end - rgb(look.between)) * min(abs(part), 1)
        linear = np.where(mixed > 10, ((mixed / 255 + 0.055) / 1.055) ** 2.4, mixed / 255 / 12.92)
        faces.append("#" + "".join(f"{round(channel):02x}" for channel in mixed))
        # Black and white are equally readable on a luminance of 0.179 (WCAG 2).
        inks.append("#000000" if linear @ [0.2126, 0.7152, 0.0722] > 0.179 else "#ffffff")
    return faces, inks


def _scaled(values: pd.Series, least: float) -> Numbers:
    """Values from -1 to 1, by the largest of them, or by `least` where all are smaller."""
    parts = values.to_numpy(dtype=float)
    return parts / max(np.nanmax(np.abs(parts), initial=0.0), least)


def _nothing(look: Look, title: str) -> figure:
    """A chart of nothing: an empty place with its title and a word."""
    drawn = _figure(look, title, 120, x_range=Range1d(start=0, end=1), y_range=Range1d(start=0, end=1))
    drawn.axis.visible = drawn.grid.visible = False
    drawn.text([0.5], [0.5], [say.NOTHING_TO_TELL], text_color=look.soft, text_align="center", text_font=value(FONT))
    return drawn


def _dots(
    frame: pd.DataFrame,
    names: Sequence[str],
    look: Look,
    title: str,
    axis: str,
    hover: Sequence[tuple[str, str]],
    *,
    columns: tuple[str, str, str] = ("value", "low", "high"),
    scale: float = 1.0,
    clear: bool = True,
    **drawing: Any,
) -> figure:
    """A row for each row of the frame, the first on top: a mark at its value and a line for its interval.

    Full marks are sure to be above or below nothing, hollow ones are not, where `clear` asks for that.
    """
    middle, low, high = (frame[name].to_numpy(dtype=float) * scale for name in columns)
    sure = (low > 0) | (high < 0)
    side = np.where(middle >= 0, look.first, look.second)
    faces = np.where(sure, side, look.ground) if clear else side
    source = _source(
        frame,
        place=np.arange(len(frame)),
        shown=middle,
        from_=np.where(np.isnan(low), middle, low),
        to=np.where(np.isnan(high), middle, high),
        told_name=list(names),
        face=faces,
        edge=side,
        mark=np.where(middle >= 0, "circle", "diamond"),
        **drawing,
    )
    drawn = _figure(look, title, _FRAME + _ROW * len(frame), y_range=Range1d(start=len(frame) - 0.4, end=-0.6))
    _named(drawn.yaxis, names, 2)
    drawn.xaxis.axis_label = axis
    drawn.xaxis.ticker.desired_num_ticks = 4
    drawn.ygrid.grid_line_color = None
    drawn.add_layout(Span(location=0, dimension="height", line_color=look.soft, line_width=2))
    drawn.segment("from_", "place", "to", "place", source=source, color="edge", line_width=3)
    marks = drawn.scatter(
        "shown", "place", source=source, size=13, marker="mark", fill_color="face", line_color="edge", line_width=2.5
    )
    _hover(drawn, [marks], hover)
    return drawn


def _table(
    frame: pd.DataFrame,
    rows: Sequence[str],
    columns: Sequence[str],
    places: tuple[Sequence[int], Sequence[int]],
    parts: Numbers,
    look: Look,
    title: str,
    labels: tuple[str, str],
    hover: Sequence[tuple[str, str]],
    **drawing: Any,
) -> tuple[Any, ColumnDataSource]:
    """A table of coloured cells: `places` are the row and column of each, `parts` its colour from -1 to 1."""
    faces, inks = _mixed(look, parts)
    source = _source(frame, row=places[0], column=places[1], face=faces, ink_on=inks, **drawing)
    drawn = _figure(
        look,
        title,
        _FRAME + 40 + 38 * len(rows),
        x_range=Range1d(start=-0.5, end=len(columns) - 0.5),
        y_range=Range1d(start=len(rows) - 0.5, end=-0.5),
        x_axis_location="above",
    )
    _named(drawn.xaxis, columns)
    _named(drawn.yaxis, rows, 2)
    drawn.xaxis.major_label_orientation = "vertical"
    drawn.xaxis.axis_label, drawn.yaxis.axis_label = labels
    drawn.grid.grid_line_color = None
    drawn.axis.axis_line_color = drawn.axis.major_tick_line_color = None
    cells = drawn.rect("column", "row", 1, 1, source=source, fill_color="face", line_color=look.ground, line_width=2)
    _hover(drawn, [cells], hover)
    return drawn, source


def _numbers(drawn: Any, source: ColumnDataSource, text: str) -> None:
    """A number in every cell of a table."""
    drawn.text(
        "column",
        "row",
        text,
        source=source,
        text_color="ink_on",
        text_align="center",
        text_baseline="middle",
        text_font=value(FONT),
        text_font_size=_TEXT,
    )


# Who wins


def matchups(frame: pd.DataFrame, look: Look = LIGHT) -> figure:
    """The answer of `questions.matchups` as a table: the percentage that the row wins against the column.

    A cell is coloured by wins less losses. The figure's data are the rows about wins.
    """
    wins = frame[frame["outcome"] == "first"].reset_index(drop=True)
    if wins["value"].notna().sum() == 0:
        return _nothing(look, say.TITLES["matchups"])
    names = list(wins["first"].cat.categories)
    by_outcome = frame.pivot_table(index=["first", "second"], columns="outcome", values="value", observed=True)
    pairs = pd.MultiIndex.from_frame(wins[["first", "second"]].astype(str))
    by_outcome.index = by_outcome.index.set_levels([level.astype(str) for level in by_outcome.index.levels])
    others = by_outcome.reindex(pairs)
    lead = wins["value"] - others["second"].to_numpy()
    shown = [say.entrant_name(name) for name in names]
    drawn, source = _table(
        wins,
        shown,
        shown,
        (wins["first"].cat.codes.to_numpy(), wins["second"].cat.codes.to_numpy()),
        _scaled(lead, 0.2),
        look,
        say.TITLES["matchups"],
        (say.AXES["against"], ""),
        [("", "@told_pair"), ("wins", "@told"), ("loses", "@told_loss"), ("draws", "@told_draw"), ("of", "@told_of")],
        told_pair=_rows(wins, lambda one, two: f"{say.entrant_name(one)} – {say.entrant_name(two)}", "first", "second"),
        told=_rows(wins, say.percent, "value", "low", "high"),
        told_loss=[f"{100 * part:.1f} %" for part in others["second"]],
        told_draw=[f"{100 * part:.1f} %" for part in others["draw"]],
        told_of=_rows(wins, say.battles_name, "battles"),
        text=[f"{100 * part:.0f}" for part in wins["value"]],
    )
    _numbers(drawn, source, "text")
    return drawn


# What a card, a tier and evolution are worth


def card_worth(frame: pd.DataFrame, look: Look = LIGHT) -> Column:
    """The answer of `questions.card_worth`: each card against nothing, and below it each card instead of another."""
    with_it = frame[(frame["instead"] == "nothing") & frame["value"].notna()]
    with_it = with_it.sort_values("value", ascending=False, kind="stable").reset_index(drop=True)
    instead = frame[(frame["instead"] != "nothing") & frame["value"].notna()].reset_index(drop=True)
    charts = [_nothing(look, say.TITLES["card_worth"]) if with_it.empty else _worth_dots(with_it, look)]
    if not instead.empty:
        charts.append(_instead_table(instead, look))
    return column(*charts, sizing_mode="stretch_width")


def _worth_dots(frame: pd.DataFrame, look: Look) -> figure:
    return _dots(
        frame,
        _rows(frame, say.added_name, "card", "in_deck"),
        look,
        say.TITLES["card_worth"],
        say.AXES["points"],
        [("", "@told_name"), ("adds", "@told"), ("wins with it", "@told_with"), ("without", "@told_without"), _OF],
        scale=100,
        told=_rows(frame, say.points, "value", "low", "high"),
        told_with=[f"{100 * part:.1f} %" for part in frame["with_it"]],
        told_without=[f"{100 * part:.1f} %" for part in frame["without"]],
        told_of=_rows(frame, say.battles_name, "battles"),
    )


def _instead_table(frame: pd.DataFrame, look: Look) -> figure:
    rows = [card for card in MARKET if card in set(frame["card"])]
    columns = [card for card in MARKET if card in set(frame["instead"])]
    drawn, source = _table(
        frame,
        [say.card_name(card) for card in rows],
        [say.card_name(card) for card in columns],
        ([rows.index(card) for card in frame["card"]], [columns.index(card) for card in frame["instead"]]),
        _scaled(frame["value"], 0.05),
        look,
        say.TITLES["card_instead"],
        ("", ""),
        [("", "@told_pair"), ("adds", "@told"), _OF],
        told_pair=_rows(
            frame, lambda card, other: f"{say.card_name(card)} instead of {say.card_name(other)}", "card", "instead"
        ),
        told=_rows(frame, say.points, "value", "low", "high"),
        told_of=_rows(frame, say.battles_name, "battles"),
        text=[_short(100 * part) for part in frame["value"]],
    )
    _numbers(drawn, source, "text")
    return drawn


def _short(points: float) -> str:
    told = f"{abs(points):.0f}"
    return "0" if told == "0" else ("+" if points > 0 else "−") + told


def price_worth(frame: pd.DataFrame, look: Look = LIGHT) -> figure:
    """The answer of `questions.price_worth`: what each thing of the market brings for each gold, the best on top."""
    sorted_ = frame[frame["value"].notna()].sort_values("per_gold", ascending=False, kind="stable")
    sorted_ = sorted_.reset_index(drop=True)
    if sorted_.empty:
        return _nothing(look, say.TITLES["price_worth"])
    return _dots(
        sorted_,
        _rows(sorted_, lambda item, gold: f"{say.item_name(item)} ({gold})", "item", "gold"),
        look,
        say.TITLES["price_worth"],
        say.AXES["points_a_gold"],
        [
            ("", "@told_item"),
            ("adds for each gold", "@told_each"),
            ("price", "@gold gold"),
            ("adds in all", "@told"),
            _OF,
        ],
        columns=("per_gold", "per_gold_low", "per_gold_high"),
        scale=100,
        told_item=_rows(sorted_, say.item_name, "item"),
        told_each=_rows(sorted_, partial(say.points, least=2), "per_gold", "per_gold_low", "per_gold_high"),
        told=_rows(sorted_, say.points, "value", "low", "high"),
        told_of=_rows(sorted_, say.battles_name, "battles"),
    )


def evolution_and_tiers(frame: pd.DataFrame, look: Look = LIGHT) -> figure:
    """The answer of `questions.evolution_and_tiers`: battles won by gold spent, with the ladder of the best."""
    told = frame[frame["value"].notna()].reset_index(drop=True)
    if told.empty:
        return _nothing(look, say.TITLES["evolution_and_tiers"])
    least = 10 * np.floor(10 * told["low"].min()) - 4
    drawn = _figure(look, say.TITLES["evolution_and_tiers"], 480, y_range=Range1d(start=least, end=104))
    drawn.xaxis.axis_label, drawn.yaxis.axis_label = say.AXES["gold"], say.AXES["wins"]
    drawn.xaxis.ticker.desired_num_ticks = drawn.yaxis.ticker.desired_num_ticks = 5
    best = told[told["best"]]
    last = told["gold"].max()
    drawn.step(
        [*best["gold"], last],
        [100 * part for part in (*best["value"], best["value"].iloc[-1])],
        mode="after",
        line_color=look.soft,
        line_width=2,
        line_dash="dashed",
    )
    items, marks = [], []
    for stage, mark, colour in ((False, "circle", look.first), (True, "diamond", look.second)):
        rows = told[told["evolved"] == stage].reset_index(drop=True)
        if rows.empty:
            continue
        source = _source(
            rows,
            shown=100 * rows["value"].to_numpy(),
            from_=100 * rows["low"].to_numpy(),
            to=100 * rows["high"].to_numpy(),
            face=np.where(rows["best"], colour, look.ground),
            told_name=_rows(rows, say.tiers_name, "evolved", "attack", "heal", "counter"),
            told=_rows(rows, say.percent, "value", "low", "high"),
            told_of=_rows(rows, say.battles_name, "battles"),
        )
        drawn.segment("gold", "from_", "gold", "to", source=source, color=colour, line_width=2, alpha=0.6)
        size = 10 if mark == "circle" else 14
        marks.append(
            drawn.scatter(
                "gold",
                "shown",
                source=source,
                size=size,
                marker=mark,
                fill_color="face",
                line_color=colour,
                line_width=2,
            )
        )
        items.append((say.STAGE_NAMES[stage], [marks[-1]]))
    _legend(drawn, look, items)
    _hover(drawn, marks, [("", "@told_name"), ("gold", "@gold"), ("wins", "@told"), _OF])
    return drawn


# From the first turn to the last


def first_to_last(frame: pd.DataFrame, look: Look = LIGHT) -> Column:
    """The answer of `questions.first_to_last`: health over the turns with its bands, and how long battles last.

    Turns that very few battles have are left out of the picture, not of the frame.
    """
    health = frame[frame["measure"] == "health"]
    length = frame[frame["measure"] == "length"].reset_index(drop=True)
    if health.empty:
        return column(_nothing(look, say.TITLES["health"]), sizing_mode="stretch_width")
    most = health["battles"].max()
    # So far that the last 2 in 100 battles do not make the picture three times as wide.
    last = int(health.loc[health["battles"] >= min(most, max(_FEWEST, most / 50)), "turn"].max())
    turns = Range1d(start=0.4, end=last + 0.6)
    top = float(health["p90"].max()) + 0.5
    charts = [_health(health, side, look, turns, top) for side in say.SIDE_NAMES]
    return column(*charts, _length(length, look, turns), sizing_mode="stretch_width")


def _health(frame: pd.DataFrame, side: str, look: Look, turns: Range1d, top: float) -> figure:
    """A side's mean health with its bands, and the other's mean to compare with."""
    title = say.TITLES["health"].format(side=say.SIDE_NAMES[side])
    drawn = _figure(look, title, 340, x_range=turns, y_range=Range1d(start=-0.1, end=top))
    drawn.xaxis.axis_label, drawn.yaxis.axis_label = say.AXES["turn"], say.AXES["health"]
    drawn.xaxis.ticker.desired_num_ticks = drawn.yaxis.ticker.desired_num_ticks = 5
    drawn.xaxis.ticker.min_interval = drawn.yaxis.ticker.min_interval = 1
    within = frame[frame["turn"] <= turns.end]
    rows, other = (within[(within["side"] == side) == mine].reset_index(drop=True) for mine in (True, False))
    colour = look.first if side == "first" else look.second
    source = _source(
        rows,
        told=_rows(rows, say.number, "value", "low", "high"),
        told_half=_rows(rows, say.span, "p25", "p75"),
        told_most=_rows(rows, say.span, "p10", "p90"),
        told_of=_rows(rows, say.battles_name, "battles"),
    )
    most = drawn.varea("turn", "p10", "p90", source=source, fill_color=colour, fill_alpha=0.18)
    half = drawn.varea("turn", "p25", "p75", source=source, fill_color=colour, fill_alpha=0.28)
    rival = drawn.line("turn", "value", source=_source(other), line_color=look.soft, line_width=2, line_dash="dashed")
    drawn.segment("turn", "low", "turn", "high", source=source, color=colour, line_width=3)
    line = drawn.line("turn", "value", source=source, line_color=colour, line_width=3)
    marks = drawn.scatter("turn", "value", source=source, marker="circle", size=8, color=colour)
    names = say.HEALTH_NAMES
    _legend(
        drawn,
        look,
        [(names["mean"], [line, marks]), (names["half"], [half]), (names["most"], [most]), (names["other"], [rival])],
    )
    told = [("after turn", "@turn"), (names["mean"], "@told"), (names["half"], "@told_half")]
    _hover(drawn, [marks], [*told, (names["most"], "@told_most"), _OF])
    return drawn


def _length(frame: pd.DataFrame, look: Look, turns: Range1d) -> figure:
    drawn = _figure(look, say.TITLES["length"], 330, x_range=turns)
    drawn.xaxis.axis_label, drawn.yaxis.axis_label = say.AXES["turn"], say.AXES["battles"]
    drawn.xaxis.ticker.desired_num_ticks = drawn.yaxis.ticker.desired_num_ticks = 5
    drawn.xaxis.ticker.min_interval = 1
    drawn.xgrid.grid_line_color = None
    drawn.y_range.start = 0
    source = _source(
        frame,
        shown=100 * frame["value"].to_numpy(),
        from_=100 * frame["low"].to_numpy(),
        to=100 * frame["high"].to_numpy(),
        told=_rows(frame, say.percent, "value", "low", "high"),
        told_of=_rows(frame, say.battles_name, "battles"),
        told_by=[f"{100 * part:.1f} %" for part in frame["value"].cumsum()],
    )
    bars = drawn.vbar("turn", 0.8, "shown", source=source, color=look.first)
    drawn.segment("turn", "from_", "turn", "to", source=source, color=look.ink, line_width=2)
    _hover(drawn, [bars], [("turn", "@turn"), ("end here", "@told"), ("have ended", "@told_by"), _OF])
    return drawn


def card_against_card(frame: pd.DataFrame, look: Look = LIGHT) -> figure:
    """The answer of `questions.card_against_card`: a triangle in each cell says who won more, and by how much.

    It points up where the first side won more, and is as large as the payoff; cells that are not sure stay pale.
    """
    told = frame[frame["value"].notna()].reset_index(drop=True)
    if told.empty:
        return _nothing(look, say.TITLES["card_against_card"])
    rows = [card for card in BY_CODE if card in set(told["first"])]
    columns = [card for card in BY_CODE if card in set(told["second"])]
    sure = ((told["low"] > 0) | (told["high"] < 0)).to_numpy()
    parts = _scaled(told["value"], 0.1)
    drawn, source = _table(
        told,
        [say.card_name(card) for card in rows],
        [say.card_name(card) for card in columns],
        ([rows.index(card) for card in told["first"]], [columns.index(card) for card in told["second"]]),
        np.where(sure, parts, 0),
        look,
        say.TITLES["card_against_card"],
        (say.AXES["second"], say.AXES["first"]),
        [("", "@told_pair"), ("won less lost", "@told"), ("in", "@told_turns"), _OF],
        told_pair=_rows(told, lambda one, two: f"{say.card_name(one)} against {say.card_name(two)}", "first", "second"),
        told=_rows(told, say.points, "value", "low", "high"),
        told_turns=[f"{turns:,} turns" for turns in told["turns"]],
        told_of=_rows(told, say.battles_name, "battles"),
        mark=np.where(parts >= 0, "triangle", "inverted_triangle"),
        size=np.where(sure, 4 + 10 * np.abs(parts), 0),
    )
    drawn.scatter("column", "row", source=source, marker="mark", size="size", color="ink_on")
    return drawn


# The rules themselves


def rules_fired(frame: pd.DataFrame, look: Look = LIGHT) -> figure:
    """The answer of `questions.rules_fired`: in how many battles each rule fires, and how many it decides."""
    told = frame[frame["measure"].isin(["fires", "decides"]) & frame["value"].notna()].reset_index(drop=True)
    if told.empty:
        return _nothing(look, say.TITLES["rules_fired"])
    rules = list(told["rule"].cat.categories)
    drawn = _figure(
        look,
        say.TITLES["rules_fired"],
        _FRAME + 30 + 30 * len(rules),
        x_range=Range1d(start=-3, end=103),
        y_range=Range1d(start=len(rules) - 0.4, end=-0.6),
    )
    _named(drawn.yaxis, [say.rule_name(rule) for rule in rules], 2)
    drawn.xaxis.axis_label = say.AXES["battles"]
    drawn.xaxis.ticker = FixedTicker(ticks=[0, 25, 50, 75, 100])
    items, marks = [], []
    for measure, mark, colour, aside in (
        ("fires", "circle", look.first, -0.16),
        ("decides", "diamond", look.second, 0.16),
    ):
        rows = told[told["measure"] == measure].reset_index(drop=True)
        source = _source(
            rows,
            place=rows["rule"].cat.codes.to_numpy() + aside,
            shown=100 * rows["value"].to_numpy(),
            from_=100 * rows["low"].to_numpy(),
            to=100 * rows["high"].to_numpy(),
            told_rule=_rows(rows, say.rule_name, "rule"),
            told_measure=[say.MEASURE_NAMES[measure]] * len(rows),
            told=_rows(rows, say.percent, "value", "low", "high"),
            told_of=_rows(rows, say.battles_name, "battles"),
        )
        drawn.segment("from_", "place", "to", "place", source=source, color=colour, line_width=3)
        marks.append(drawn.scatter("shown", "place", source=source, marker=mark, size=11, color=colour))
        items.append((say.MEASURE_NAMES[measure], [marks[-1]]))
    _legend(drawn, look, items)
    _hover(drawn, marks, [("", "@told_rule"), ("", "@told_measure: @told"), _OF])
    return drawn


def rules_changed(frame: pd.DataFrame, look: Look = LIGHT, most: int = 10) -> Column:
    """The answer of `questions.rules_changed`: for wins, draws and length, the `most` changes that matter most."""
    charts = [_changed(frame, look, measure, most) for measure in ("first", "draw", "turns")]
    return column(*charts, sizing_mode="stretch_width")


def _changed(frame: pd.DataFrame, look: Look, measure: str, most: int) -> figure:
    rows = frame[(frame["measure"] == measure) & frame["value"].notna()]
    if rows.empty:
        return _nothing(look, say.TITLES[measure])
    rows = rows.loc[rows["value"].abs().sort_values(ascending=False, kind="stable").index[:most]].reset_index(drop=True)
    tell = partial(say.number, signed=True) if measure == "turns" else say.points
    return _dots(
        rows,
        # The change itself stays on one line.
        _rows(rows, lambda name, change: say.change_name(name, change.replace(" ", "\u00a0")), "name", "change"),
        look,
        say.TITLES[measure],
        say.AXES["turns" if measure == "turns" else "points"],
        [("", "@told_change"), ("changes by", "@told"), _OF],
        scale=1 if measure == "turns" else 100,
        told_change=_rows(
            rows, lambda name, change, rule: f"{say.change_name(name, change)} (rule {rule})", "name", "change", "rule"
        ),
        told=_rows(rows, tell, "value", "low", "high"),
        told_of=_rows(rows, say.battles_name, "battles"),
    )
