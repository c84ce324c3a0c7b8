"""The balance lab as a page: rules are moved by hand, and the charts of many new battles follow.

All of it is Panel's own widgets around a `Lab`. Battles are played by `lab_jobs` in processes of its own.
"""

from __future__ import annotations

import importlib.util
import json
import logging
import secrets
from collections.abc import Callable, Sequence
from functools import partial
from html import escape
from io import StringIO
from typing import Any

import pandas as pd
import panel as pn
from bokeh.layouts import column
from panel.io.state import set_curdoc
from panel.theme.native import Native
from panel.viewable import Viewable

from summon import chart_words, charts, estimates, rivals, words
from summon.battle import Battle
from summon.lab import BATTLES, Corner, Lab, LinkError, rules_from_json, seed_from, set_rules
from summon.lobby import Seat
from summon.position import SIDES
from summon.rules import Rules
from summon.simulate import NoLab, Totals
from summon.views import lab_jobs
from summon.views.address import address_field, address_of, asked_for
from summon.views.board import Board
from summon.views.lab_design import LabDesign
from summon.views.lab_jobs import ASKED, FOLLOWING, Answer, Errands, Job, more
from summon.views.lab_rules import WORDS, CornerView, RulesView, box, rule_name, said, say, sentence, ticks, told_value
from summon.views.play import PAGE
from summon.views.redraw import redraw
from summon.views.seated import SeatedBoard

_log = logging.getLogger(__name__)

_WIDE: dict[str, Any] = {"sizing_mode": "stretch_width", "margin": 0}

_OPEN = "[{views}].forEach((view, place) => {{ view.visible = place === source.active }})"


class QuestionView:
    """A question's chart, for each of the rules that are compared, and what it says in words."""

    def __init__(self, question: str, start: Callable[[str], None], stop: Callable[[], None]) -> None:
        self.question = question
        self._frames: tuple[pd.DataFrame, ...] = ()
        self._job: Job | None = None
        self._look = charts.LIGHT
        self._start = pn.widgets.Button(label=WORDS["start"], color="primary", margin=0, height=48)
        self._stop = pn.widgets.Button(label=WORDS["stop"], margin=0, height=48, visible=False)
        self._start.on_click(lambda _: start(question))
        self._stop.on_click(lambda _: stop())
        self._bar = pn.indicators.Progress(value=0, visible=False, **_WIDE)
        self._note = said("", "lab-note")
        self._note.visible = False
        self._charts = [pn.pane.Bokeh(visible=False, **_WIDE) for _ in range(2)]
        self._words = [said("", "lab-summary") for _ in range(2)]
        self._titles = [said(WORDS[which], "lab-which") for which in ("tried", "other")]
        sides = [
            pn.Column(title, chart, text, **_WIDE)
            for title, chart, text in zip(self._titles, self._charts, self._words, strict=True)
        ]
        asking = (
            [said(WORDS["asked"][question], "lab-asked"), pn.Row(self._start, self._stop, css_classes=["lab-buttons"])]
            if question in ASKED
            else []
        )
        self.view = pn.Column(
            *asking, self._bar, self._note, pn.Row(*sides, css_classes=["lab-pair"], **_WIDE), **_WIDE
        )
        self._sides = sides
        self._draw()

    @property
    def job(self) -> Job | None:
        """The job that what is shown answers."""
        return self._job

    def begin(self) -> None:
        """Show that the question is being answered."""
        self._start.visible, self._stop.visible, self._bar.visible = False, True, True
        self.progress(0, 0)
        say(self._note, WORDS["waiting"])

    def progress(self, done: int, of: int) -> None:
        """Show how far the answer is."""
        self._bar.value = min(100, 100 * done // of) if of else 0
        if of:
            say(self._note, WORDS["under_way"].format(done=f"{done:,}", of=f"{of:,}"))

    def end(self) -> None:
        """Show that nothing is under way any more."""
        self._start.visible, self._stop.visible, self._bar.visible = True, False, False
        say(self._note, "")

    def show(self, job: Job, frames: Sequence[pd.DataFrame], stopped: bool = False) -> None:
        """Show an answer."""
        self.end()
        self._job, self._frames = job, tuple(frames)
        say(self._note, WORDS["stopped"] if stopped else "")
        self._draw()

    def outdate(self, job: Job) -> None:
        """Say so where what is shown answers something else than would be asked now."""
        if self._job is not None and self._job[:1] + self._job[2:3] != job[:1] + job[2:3]:
            say(self._note, WORDS["stale"])

    def look(self, look: charts.Look) -> None:
        """Draw in other colours."""
        self._look = look
        self._draw()

    def _draw(self) -> None:
        for place, (side, chart, text) in enumerate(zip(self._sides, self._charts, self._words, strict=True)):
            there = place < len(self._frames)
            side.visible = chart.visible = there
            self._titles[place].visible = len(self._frames) > 1
            if there:
                frame: Any = self._frames[place]
                wanted = getattr(charts, self.question)(frame, self._look)
                if chart.object is None or not redraw(chart.object.children[0], wanted):
                    # In a column of its own, as Panel sets properties of what it is given.
                    chart.object = column(wanted, sizing_mode="stretch_width")
                say(text, getattr(chart_words, self.question)(frame))
            else:
                chart.object = None


class LabPage:
    """The lab of one visitor."""

    def __init__(self, lab: Lab | None = None, trouble: str = "", workers: lab_jobs.Workers | None = None) -> None:
        self.lab = Lab() if lab is None else lab
        self._document: Any = pn.state.curdoc
        self._seated: SeatedBoard | None = None
        self._status = pn.pane.HTML("", css_classes=["lab-status"], **_WIDE)
        self._trouble = said(trouble, "lab-trouble")
        self._trouble.visible = bool(trouble)
        self._outcomes = pn.pane.HTML("", css_classes=["lab-outcomes"], **_WIDE)
        self._difference = said("", "lab-difference")
        self._can_play = importlib.util.find_spec("numba") is not None
        self.errands = Errands(
            partial(self._later, self._answered),
            partial(self._later, self._failed),
            partial(self._later, self._progressed),
            workers,
        )
        self.rules = RulesView(self.lab.rules)
        self.questions = {
            question: QuestionView(question, self._asked, self.errands.stop) for question in (*FOLLOWING, *ASKED)
        }
        # (Panel's Tabs hear no key, and tell a screen reader nothing.)
        self._tabs = pn.widgets.RadioBoxGroup(
            options={WORDS["questions"][question]: question for question in self.questions},
            value=FOLLOWING[0],
            inline=True,
            css_classes=["lab-tabs"],
            **_WIDE,
        )
        self._tabs.param.watch(self._open, "value")
        self._show_open()
        # At once in the browser, whatever the server is busy with.
        views = {f"view_{question}": view.view for question, view in self.questions.items()}
        self._tabs.jscallback(args=views, value=_OPEN.format(views=", ".join(views)))
        self._grid = pn.Column(
            pn.Column(
                pn.pane.HTML(f"<h1>{escape(WORDS['title'])}</h1>", css_classes=["lab-title"], **_WIDE),
                said(WORDS["lead"], "lab-lead"),
                self._trouble,
                css_classes=["lab-head"],
                **_WIDE,
            ),
            pn.Column(self._outcomes, self._status, css_classes=["lab-result"], **_WIDE),
            pn.Column(
                self._match_up(),
                pn.Card(self.rules.view, title=WORDS["rules"], css_classes=["lab-card"], **_WIDE),
                pn.Card(self._comparing(), title=WORDS["compare"], collapsed=True, css_classes=["lab-card"], **_WIDE),
                pn.Card(self._sharing(), title=WORDS["share"], collapsed=True, css_classes=["lab-card"], **_WIDE),
                css_classes=["lab-controls"],
                **_WIDE,
            ),
            pn.Column(
                self._difference,
                self._tabs,
                *(view.view for view in self.questions.values()),
                css_classes=["lab-answers"],
                **_WIDE,
            ),
            css_classes=["lab"],
            **_WIDE,
        )
        self.view = pn.Column(self._grid, css_classes=["lab-page"], **_WIDE)
        say(self._difference, "")
        for watched, names in (
            (self.lab, ["compared", "battles", "seed"]),
            (self.lab.rules, list(Rules.names())),
            (self.lab.others, list(Rules.names())),
            *((corner, ["pet", "evolved", "cards", "attack", "heal", "counter"]) for corner in self._corners()),
        ):
            watched.param.watch(self.ask, names)
        self._follow_scheme()
        self._first = True
        self._shown: Job | None = None
        self._changed()

    def _corners(self) -> tuple[Corner, Corner]:
        return self.lab.first, self.lab.second

    # The widgets

    def _match_up(self) -> Viewable:
        sides = [CornerView(corner, title) for corner, title in zip(self._corners(), WORDS["sides"], strict=True)]
        battles = pn.widgets.Select(
            label=WORDS["battles"],
            options={f"{number:,}": number for number in BATTLES},
            value=self.lab.battles,
            **_WIDE,
        )
        self._seed = pn.widgets.TextInput(label=WORDS["seed"], value=str(self.lab.seed), **_WIDE)
        self._seed_word = said("", "lab-word")
        self._seed_word.visible = False
        battles.param.watch(lambda event: self.lab.param.update(battles=event.new), "value")
        self._seed.param.watch(self._take_seed, "value")
        return pn.Card(
            pn.Row(*(side.view for side in sides), css_classes=["lab-pair"], **_WIDE),
            pn.Row(battles, self._seed, css_classes=["lab-row"], **_WIDE),
            self._seed_word,
            title=WORDS["match_up"],
            css_classes=["lab-card"],
            **_WIDE,
        )

    def _take_seed(self, *_: object) -> None:
        try:
            self.lab.seed = seed_from(self._seed.value or "")
        except ValueError as error:
            say(self._seed_word, sentence(error))
        else:
            say(self._seed_word, "")

    def _comparing(self) -> Viewable:
        compared = box(WORDS["compare_on"], self.lab.compared, "lab-switch")
        compared.param.watch(lambda event: self.lab.param.update(compared=bool(event.new)), "value")
        self.lab.param.watch(lambda event: compared.param.update(value=ticks(event.new)), "compared")
        self._kept = said("", "lab-kept")
        keep, take, forget = (
            pn.widgets.Button(label=WORDS[name], margin=0, height=44, sizing_mode="stretch_width")
            for name in ("keep", "take_kept", "forget")
        )
        keep.on_click(lambda _: self._keep(dict(self.lab.rules.changed())))
        take.on_click(lambda _: set_rules(self.lab.rules, dict(self.lab.others.changed())))
        forget.on_click(lambda _: self._keep({}))
        return pn.Column(compared, self._kept, keep, take, forget, css_classes=["lab-stack"], **_WIDE)

    def _keep(self, changed: dict[str, Any]) -> None:
        set_rules(self.lab.others, changed)
        self.lab.compared = True

    def _sharing(self) -> Viewable:
        self._link = address_field(WORDS["link"], **_WIDE)
        self._as_rules = pn.widgets.TextAreaInput(label=WORDS["as_rules"], rows=4, max_length=4000, **_WIDE)
        take = pn.widgets.Button(label=WORDS["take_rules"], margin=0, height=44, sizing_mode="stretch_width")
        take.on_click(lambda _: self._take_rules())
        self._rules_word = said("", "lab-word")
        self._rules_word.visible = False
        download = pn.widgets.FileDownload(
            callback=lambda: StringIO(self.lab.record().to_json() + "\n"),
            filename="summon-match-up.json",
            label=WORDS["download"],
            margin=0,
            height=44,
            sizing_mode="stretch_width",
        )
        self._battle = pn.widgets.Button(
            color="primary", css_classes=["lab-battle"], margin=0, height=48, sizing_mode="stretch_width"
        )
        self._battle.on_click(lambda _: self.battle())
        return pn.Column(
            self._battle,
            said(WORDS["battle_line"], "lab-note"),
            self._link,
            self._as_rules,
            self._rules_word,
            take,
            download,
            css_classes=["lab-stack"],
            **_WIDE,
        )

    def _take_rules(self) -> None:
        try:
            changed = rules_from_json(self._as_rules.value or "{}")
        except ValueError as error:
            say(self._rules_word, WORDS["rules_unread"].format(why=error))
            return
        say(self._rules_word, "")
        set_rules(self.lab.rules, changed)
        self._changed()

    def _follow_scheme(self) -> None:
        told = pn.state.browser_info if self._document is not None else None
        if told is not None:
            told.param.watch(lambda event: self._look(bool(event.new)), "dark_mode")
            self._look(bool(told.dark_mode))

    def _look(self, dark: bool) -> None:
        for view in self.questions.values():
            view.look(charts.DARK if dark else charts.LIGHT)

    # What is played

    def start(self) -> None:
        """Have the first battles played; the loop of asyncio must be running."""
        if not self._can_play:
            say(self._trouble, words.NO_LAB)
            return
        self.ask()

    @property
    def job(self) -> Job:
        """What is to be played now."""
        question = self._tabs.value if self._tabs.value in FOLLOWING else ""
        return Job(self.lab.records(), self.lab.battles, self.lab.seed, question)

    def ask(self, *_: object) -> None:
        """Have what is set now played, as soon as may be."""
        self._changed()
        if not self._can_play:
            return
        job = self.job
        for question in ASKED:
            self.questions[question].outdate(job)
        first = self._first and not self.errands.ready
        told = WORDS["playing"].format(battles=f"{job.battles:,}")
        self._say_status(WORDS["first_look"] if first else told, busy=True)
        self._wish(job)

    def _wish(self, job: Job) -> None:
        dropped = self.errands.wish(job)
        if dropped is not None and dropped.question in ASKED:
            self.questions[dropped.question].end()

    def _show_open(self) -> None:
        for question, view in self.questions.items():
            view.view.visible = question == self._tabs.value

    def _open(self, *_: object) -> None:
        """Show the question that was chosen, and no other."""
        self._show_open()
        self._catch_up()

    def _catch_up(self) -> None:
        """Have played what is looked at and not there yet, unless a question is being answered."""
        job, under_way = self.job, self.errands.job
        there = self._shown is not None and self._shown[:3] == job[:3]
        if job.question:
            there = there and self.questions[job.question].job == job
        if not there and (under_way is None or under_way.follows):
            self.ask()

    def _asked(self, question: str) -> None:
        if self._can_play:
            self._wish(self.job._replace(question=question))
            self.questions[question].begin()

    def _later(self, do: Callable[..., None], *given: Any) -> None:
        """Change the page when its session is locked, which it is not where a job's answer comes in."""
        document = self._document

        def done() -> None:
            with set_curdoc(document):
                do(*given)

        if document is None or document.session_context is None:
            do(*given)
        else:
            document.add_next_tick_callback(done)

    def _progressed(self, job: Job, done: int, of: int) -> None:
        if job.question in ASKED and self.errands.job == job:
            self.questions[job.question].progress(done, of)

    def _answered(self, job: Job, answer: Answer, again: bool) -> None:
        self._first = False
        if job.question in ASKED:
            stopped = self.errands.stopped
            self.questions[job.question].show(job, answer.frames, stopped)
            self.questions[job.question].outdate(self.job)
            self._catch_up()
        else:
            self._shown = job
            self._outcomes.object = outcomes_html(answer.totals)
            say(self._difference, difference_told(answer.totals) if len(answer.totals) > 1 else "")
            if job.question:
                self.questions[job.question].show(job, answer.frames)
        if self.errands.idle:
            self._say_status(WORDS["again"] if again else "")

    def _failed(self, job: Job, error: Exception) -> None:
        if job.question in ASKED:
            self.questions[job.question].end()
        if isinstance(error, NoLab):
            told = words.NO_LAB
        elif isinstance(error, lab_jobs.CrowdedError):
            told = WORDS["crowded"]
        elif isinstance(error, lab_jobs.LostError):
            told = WORDS["lost"]
        else:
            _log.error("a job of the lab failed", exc_info=error)
            told = WORDS["failed"]
        self._say_status(told)

    def _say_status(self, text: str, busy: bool = False) -> None:
        state = "busy" if busy else "told" if text else "idle"
        self._status.object = f'<div role="status" data-state="{state}">{escape(text)}</div>'

    def _changed(self) -> None:
        """Show what follows from what is set, without any battle."""
        lab = self.lab
        self._kept.object = escape(kept_told(lab.others))
        self._as_rules.value = json.dumps(lab.rules.to_dict())
        self._link.value = address_of(lab.query())
        first, second = (player.pet_name for player in lab.record().players)
        self._battle.label = WORDS["battle"].format(first=words.PET_NAMES[first], second=words.PET_NAMES[second])

    # A battle

    def battle(self) -> None:
        """Put a battle of the first side against the computer on the page, under the rules that are tried (1.7)."""
        if self._seated is not None:
            return
        board = Board(design=Native)
        back = pn.widgets.Button(label=WORDS["back_to_lab"], css_classes=["lab-return"], margin=8, height=44)
        back.on_click(lambda _: self.come_back())
        self._fight(board)
        self._grid.css_classes = ["lab", "lab-away"]
        self.view.extend([back, board])

    def _fight(self, board: Board) -> None:
        record = self.lab.record()
        battle = Battle(*record.players, rules=record.rules)
        rivals.seat(battle, SIDES[1])
        self._seated = SeatedBoard(
            Seat(battle, SIDES[0]),
            battle_id=secrets.token_urlsafe(8),
            board=board,
            on_again=lambda: self._fight_again(board),
            on_home=self.come_back,
        )

    def _fight_again(self, board: Board) -> None:
        self._leave()
        self._fight(board)

    def _leave(self) -> None:
        if self._seated is not None:
            self._seated.end()
            self._seated = None

    def come_back(self) -> None:
        """Leave the battle, and show the lab again."""
        self._leave()
        self.view[:] = [self._grid]
        self._grid.css_classes = ["lab"]

    def end(self) -> None:
        """The visitor has gone."""
        self.errands.end()
        self._leave()


# What the numbers say


def outcomes_html(totals: Sequence[Sequence[Totals]]) -> str:
    """A table of the outcomes of each record, with bars and intervals; it holds nothing that came from outside."""
    sums = [_sum(blocks) for blocks in totals]
    names = [WORDS["tried"], WORDS["other"]] if len(sums) > 1 else [""]
    head = "".join(f"<th scope=col>{escape(name)}</th>" for name in names)
    rows = []
    for outcome, label in WORDS["outcomes"].items():
        if outcome != "unfinished" or any(total.unfinished for total in sums):
            cells = "".join(_outcome_cell(getattr(total, outcome), total.battles) for total in sums)
            rows.append(f'<tr data-outcome="{outcome}"><th scope=row>{escape(label)}</th>{cells}</tr>')
    turns = "".join(f"<td><b>{total.turns_mean:.2f}</b></td>" for total in sums)
    rows.append(f'<tr data-outcome="turns"><th scope=row>{escape(WORDS["turns"])}</th>{turns}</tr>')
    each = WORDS["each"] if len(sums) > 1 else ""
    rests = escape(WORDS["rests"].format(battles=f"{sums[0].battles:,}", each=each))
    top = f"<thead><tr><td></td>{head}</tr></thead>" if len(sums) > 1 else ""
    return f"<table>{top}<tbody>{''.join(rows)}</tbody></table><p>{rests}</p>"


def _outcome_cell(count: int, battles: int) -> str:
    rate, low, high = (100 * float(part) for part in estimates.rate(count, battles))
    return (
        f'<td data-count="{count}"><i style="--from:{low:.2f}%;--part:{rate:.2f}%;--to:{high:.2f}%"></i>'
        f"<b>{rate:.1f} %</b> <small>({low:.1f} to {high:.1f})</small></td>"
    )


def _sum(blocks: Sequence[Totals]) -> Totals:
    total = blocks[0]
    for block in blocks[1:]:
        total = total.plus(block)
    return total


def difference_told(totals: Sequence[Sequence[Totals]]) -> str:
    """How the tried rules differ from the others, in a sentence."""
    wins, draws = (more(totals[0], totals[1], what) for what in ("first", "draw"))
    points, drawn = (chart_words.points(float(told.value), float(told.low), float(told.high)) for told in (wins, draws))
    if not (wins.low > 0 or wins.high < 0):
        return str(WORDS["no_difference"].format(points=points, draws=drawn))
    change, which = f"{abs(100 * float(wins.value)):.1f}", WORDS["more" if wins.value > 0 else "less"]
    return str(WORDS["difference"].format(change=change, more=which, points=points, draws=drawn))


def kept_told(rules: Rules) -> str:
    """What the tried rules are compared with, in a sentence."""
    changes = [f"{rule_name(name)} {told_value(value)}" for name, value in rules.changed()]
    return str(WORDS["kept"].format(changes="; ".join(changes)) if changes else WORDS["kept_rulebook"])


def lab_page() -> Viewable:
    """The lab for the visitor of this session, as its link says."""
    document: Any = pn.state.curdoc
    if document is not None:
        pn.config.design = LabDesign
    try:
        page = LabPage(Lab.from_query(asked_for("record", "others", "battles", "seed")))
    except LinkError as error:
        page = LabPage(trouble=WORDS["bad_link"].format(why=error))
    if document is not None:
        document.template = PAGE
        if document.session_context is not None:
            pn.state.on_session_destroyed(lambda _: page.end())
            pn.state.onload(page.start)
    return page.view
