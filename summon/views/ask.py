"""A page to ask the rules: build a situation, play turns for both sides, and read every event with its rule."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from html import escape
from io import StringIO
from string import ascii_uppercase
from typing import Any

import panel as pn
from panel.viewable import Viewable

from summon import pictures, words
from summon.asking import LONGEST_RECORD, Lines, Question, Standing, Turns, link_to, record_from, record_of_link
from summon.battle import Battle, BattleError
from summon.lab import LinkError, whole
from summon.lines import Line, battle_of
from summon.player import Player
from summon.position import Round
from summon.record import LAST_TURN, Record
from summon.rules import Rules
from summon.transcript import pet_names
from summon.views.address import address_field, address_of, asked_for
from summon.views.ask_sides import WIDE, ChoicesView, Field, SideView
from summon.views.ask_words import WORDS, forbidden_html, outcome_html, short, turn_html
from summon.views.lab_design import Html, LabDesign, Page, designed
from summon.views.lab_rules import RulesView, said, say, sentence
from summon.views.play import PAGE

MOST_TURNS = 20
"""So many turns of a line are drawn; of those before them there is only told how many they are."""

_COPY = "navigator.clipboard?.writeText(told.value).then(() => { source.label = copied })"

# The choices of the turn may be far above what is pressed.
_TO_THE_TURN = "try { Bokeh.index.find_one(turn).el.scrollIntoView({ block: 'start' }) } catch {}"


def _button(label: str, do: Callable[[], None], **params: Any) -> pn.widgets.Button:
    button = pn.widgets.Button(label=label, margin=0, height=44, **params)
    button.on_click(lambda _: do())
    return button


class _Rules(RulesView):
    """The rules, in the design of this page also where they are shown first later."""

    def _fill(self, group: str) -> None:
        with designed(LabDesign):
            super()._fill(group)


class LineView:
    """A line of choices: its turns one below the other, each with a way back to before it."""

    def __init__(self, back: Callable[[int], None], end: Callable[[], None], forget: Callable[[], None]) -> None:
        self._back = back
        self._turns: list[tuple[Round, Viewable]] = []
        self._head = Html("", css_classes=["ask-told", "ask-line-head"], **WIDE)
        self._earlier = said("", "lab-note")
        self._told = pn.Column(**WIDE)
        self._end = Html("", css_classes=["ask-told"], **WIDE)
        self.go = _button(WORDS["go"], end)
        self.forget = _button("", forget)
        self._buttons = pn.Row(self.go, self.forget, css_classes=["lab-buttons"], **WIDE)
        self.view = pn.Column(
            self._head, self._earlier, self._told, self._end, self._buttons, css_classes=["ask-line"], **WIDE
        )

    def show(self, line: Line, letter: str, after: int, depth: int | None, turn: Viewable) -> None:
        """Show a line from its turn number `after` on; `depth` is how many of its turns were played, where one stands
        in it. Without a `letter` it is the only one.
        """
        players = short(line.players)
        shown = line.rounds[max(after, len(line.rounds) - MOST_TURNS) :]
        left_out = len(line.rounds) - after - len(shown)
        here = f" <span>{escape(WORDS['here'])}</span>" if letter and depth is not None else ""
        self._head.object = f"<h4>{escape(WORDS['line'].format(letter=letter))}{here}</h4>"
        self._head.visible = bool(letter)
        say(self._earlier, WORDS["earlier"].format(turns=words.turns(left_out)) if left_out else "")
        old = self._turns
        self._turns = [
            old[place] if place < len(old) and old[place][0] == round_ else (round_, self._turn(round_, players, turn))
            for place, round_ in enumerate(shown)
        ]
        first = len(line.rounds) - len(shown)
        for place, (_, view) in enumerate(self._turns):
            ahead = depth is not None and first + place >= depth
            view.css_classes = ["ask-turn", "ask-ahead"] if ahead else ["ask-turn"]
        self._told[:] = [view for _, view in self._turns]
        self._end.object = "" if line.refused is None else forbidden_html(line.refused, players)
        self._end.visible = line.refused is not None
        self.go.visible = depth is None or depth < len(line.rounds)
        self.forget.label = WORDS["forget"].format(letter=letter)
        self.forget.visible = bool(letter)
        self._buttons.visible = self.go.visible or self.forget.visible

    def _turn(self, round_: Round, players: tuple[Player, Player], turn: Viewable) -> Viewable:
        with designed(LabDesign):
            again = _button(WORDS["another"].format(turn=round_.turn), lambda: self._back(round_.turn))
            again.jscallback(clicks=_TO_THE_TURN, args={"turn": turn})
            told = Html(turn_html(round_, players), css_classes=["ask-told"], **WIDE)
            return pn.Column(told, again, css_classes=["ask-turn"], **WIDE)


class Ask(pn.viewable.Viewer):
    """Ask the rules: `Ask()`, or from where a battle or a record stands, `Ask(set_up({"pet": "moss"}, "spark"))`.

    `question` is the situation: its parts can be set, and the page follows. `battle` is the battle that stands in it,
    and may be played and taken back from Python as well. Raises RecordError for a record that cannot be played.
    """

    def __init__(self, begun: Battle | Record | None = None) -> None:
        super().__init__()
        record = None if begun is None else battle_of(begun).to_record()
        self.question = Question(record)
        self._lines = self._begun(() if record is None else record.turns)
        self._quiet = self._linked = False
        with designed(LabDesign):
            self._situation = [SideView(self.question, side) for side in (0, 1)]
            self._choices = [ChoicesView(side, self._show_choices) for side in (0, 1)]
            self._view = self._lay_out()
        self._listen()
        for watched, names in (
            (self.question, ["turn"]),
            (self.question.rules, list(Rules.names())),
            *((side, Standing.names()) for side in self.question.sides),
        ):
            watched.param.watch(self._changed, names)
        self._show()

    def __panel__(self) -> Viewable:
        return self._view

    def _begun(self, turns: Turns) -> Lines:
        return Lines(replace(self.question.record(), turns=turns))

    # What it is

    @property
    def battle(self) -> Battle:
        """The battle that stands in the situation; another one as soon as the situation or the rules are changed."""
        return self._lines.battle

    @property
    def record(self) -> Record:
        """The situation, with the turns that lead to where the battle stands."""
        return self.battle.to_record()

    @property
    def lines(self) -> tuple[Line, ...]:
        """All that was tried, as lines beside each other."""
        return self._lines.played()

    # What can be done

    def take(self, record: Record | Mapping[str, object] | str) -> None:
        """Show a record (an object, a dict or JSON) in the place of what is there.

        Raises RecordError where it cannot be read or played, and then nothing has changed.
        """
        battle = Battle.from_record(record)
        self._quiet = True
        try:
            self.question.take(battle.to_record())
        finally:
            self._quiet = False
        self._lines = self._begun(battle.to_record().turns)
        say(self._trouble, "")
        self._listen()
        self._refresh()

    def play(self, first: str, second: str) -> None:
        """Choose for both sides and reveal; raises as `Battle.play`, and then nothing has changed."""
        self.battle.play(first, second)

    def back(self, turns: int = 1) -> None:
        """Step back, which loses nothing; ValueError for more turns than were played."""
        self.battle.undo(turns)

    def keep_address(self, notice: str = "") -> None:
        """Have the page's own address tell the record, so that a reload comes back to it and others can be sent it.

        A `notice` about the address by which the page was opened is shown until there is another one.
        """
        self._linked = True
        self._show_link()
        self._notice.object, self._notice.visible = _alert(notice), bool(notice)

    # How it is laid out

    def _lay_out(self) -> Viewable:
        self._turn_number = Field(
            WORDS["turn"],
            lambda text: self.question.param.update(turn=whole("turn", text, 1, LAST_TURN)),
            lambda: str(self.question.turn),
        )
        self._rules = pn.Card(_Rules(self.question.rules).view, collapsed=True, css_classes=["lab-card"], **WIDE)
        self._trouble = Html("", visible=False, css_classes=["lab-trouble"], **WIDE)
        self._heading = Html("", css_classes=["ask-heading"], **WIDE)
        self._picture = Html("", css_classes=["ask-told"], **WIDE)
        self._status = Html("", css_classes=["lab-status"], **WIDE)
        self._notice = Html("", visible=False, css_classes=["lab-trouble"], **WIDE)
        self._too_long = said(WORDS["link_too_long"], "lab-note")
        self._too_long.visible = False
        self._reveal = _button(WORDS["reveal"], self._revealed, color="primary")
        self._back = _button(WORDS["back"], self._step_back)
        self._word = said("", "lab-note")
        self._shared = LineView(lambda turn: self._return(0, turn), lambda: None, lambda: None)
        self._beside = pn.Row(css_classes=["ask-lines"], **WIDE)
        self._shown: list[LineView] = []
        self._nothing = said(WORDS["nothing_yet"], "lab-note")
        self._split = said(WORDS["before_split"], "lab-note")
        situation = pn.Card(
            self._turn_number.view,
            pn.Row(*(side.view for side in self._situation), css_classes=["ask-pair"], **WIDE),
            title=WORDS["situation"],
            css_classes=["lab-card"],
            **WIDE,
        )
        turn = pn.Column(
            self._heading,
            self._notice,
            self._trouble,
            self._picture,
            pn.Row(*(side.view for side in self._choices), css_classes=["ask-pair"], **WIDE),
            self._word,
            pn.Row(self._reveal, self._back, css_classes=["lab-buttons"], **WIDE),
            self._status,
            self._too_long,
            css_classes=["ask-now"],
            **WIDE,
        )
        happened = pn.Column(
            Html(f"<h3>{escape(WORDS['happened'])}</h3>", css_classes=["ask-heading"], **WIDE),
            self._nothing,
            self._split,
            self._shared.view,
            self._beside,
            css_classes=["ask-now"],
            **WIDE,
        )
        head = pn.Column(
            Html(f"<h2>{escape(WORDS['title'])}</h2>", css_classes=["lab-title"], **WIDE),
            said(WORDS["lead"], "lab-lead"),
            css_classes=["ask-top"],
            **WIDE,
        )
        grid = pn.Column(
            head,
            pn.Column(situation, self._rules, self._record_view(), css_classes=["ask-controls"], **WIDE),
            pn.Column(turn, happened, css_classes=["ask-answers"], **WIDE),
            css_classes=["ask"],
            **WIDE,
        )
        return Page(grid, css_classes=["ask-page"], **WIDE)

    def _record_view(self) -> Viewable:
        self._pasted = pn.widgets.TextAreaInput(label=WORDS["paste"], rows=4, max_length=2 * LONGEST_RECORD, **WIDE)
        self._pasted_word = said("", "lab-word")
        self._taken = said("", "lab-note")
        self._told = Html("", css_classes=["ask-record"], **WIDE)
        self._copied = pn.widgets.TextInput(visible=False)
        self._link = address_field(WORDS["link"], visible=False, **WIDE)
        copy = pn.widgets.Button(label=WORDS["copy"], height=44, **WIDE)
        copy.jscallback(clicks=_COPY, args={"told": self._copied, "copied": WORDS["copied"]})
        download = pn.widgets.FileDownload(
            callback=lambda: StringIO(self.record.to_json() + "\n"),
            filename="summon-battle.json",
            label=WORDS["download"],
            height=44,
            **WIDE,
        )
        inside = pn.Column(
            self._pasted,
            self._pasted_word,
            self._taken,
            _button(WORDS["take"], self._paste, sizing_mode="stretch_width"),
            said(WORDS["this_record"], "lab-label"),
            self._told,
            pn.Row(copy, download, self._copied, css_classes=["lab-row"], **WIDE),
            self._link,
            css_classes=["lab-stack"],
            **WIDE,
        )
        return pn.Card(inside, title=WORDS["record"], collapsed=True, css_classes=["lab-card"], **WIDE)

    # What a person does

    def _paste(self) -> None:
        say(self._taken, "")
        try:
            self.take(record_from(self._pasted.value_input or self._pasted.value or ""))
        except ValueError as error:
            say(self._pasted_word, WORDS["unread"].format(why=sentence(error)))
        else:
            say(self._pasted_word, "")
            say(self._taken, WORDS["taken"])

    def _revealed(self) -> None:
        first, second = (side.choice for side in self._choices)
        if first is not None and second is not None:
            turn = self.battle.turn
            try:
                self.play(str(first), str(second))
            except BattleError as error:
                self._say_status(str(error))
            else:
                self._say_status(WORDS["revealed"].format(turn=turn))

    def _step_back(self) -> None:
        # A second quick press can arrive when nothing is left to take back.
        if self.battle.rounds:
            self.back()

    def _return(self, place: int, turn: int) -> None:
        """Stand before a turn of a line."""
        self._lines.go(place, turn - self._lines.opening.turn)
        self._show()

    def _end(self, place: int) -> None:
        self._lines.go(place, len(self.lines[place].rounds))
        self._show()

    def _forget(self, place: int) -> None:
        self._lines.forget(place)
        del self._shown[place]
        self._show()

    # What follows

    def _listen(self) -> None:
        self.battle.param.watch(self._played, ["turn", "outcome", "ended", "last"])

    def _played(self, *events: Any) -> None:
        """The battle was played or taken back, by whomever."""
        if events[0].obj is self.battle and not self._lines.going:
            self._lines.follow()
            self._show()

    def _changed(self, *_: object) -> None:
        """The situation or the rules were changed: the lines are played anew from it."""
        if self._quiet:
            return
        try:
            record = self.question.record()
        except ValueError as error:
            told = WORDS["cannot_be"].format(why=sentence(error))
            self._trouble.object, self._trouble.visible = _alert(told), True
        else:
            self._trouble.visible = False
            self._lines = self._lines.under(record)
            self._listen()
        self._refresh()

    def _refresh(self) -> None:
        """Show everything anew."""
        for side in self._situation:
            side.refresh()
        self._turn_number.refresh()
        self._show()

    def _show(self) -> None:
        """Show where the battle stands, and all lines."""
        battle, changed = self.battle, len(self.question.rules.changed())
        players = short(battle.players)
        over = battle.over
        beaten = battle.ended == "beaten"
        heading = WORDS["over" if over else "now"].format(turn=battle.turn - beaten)
        result = f" {outcome_html(battle.outcome, players)}" if over else ""
        self._heading.object = f"<h3>{escape(heading)}{result}</h3>"
        self._picture.object = "" if over else pictures.moment(battle.position, players)
        self._picture.visible = not over
        self._rules.title = WORDS["some_rules"].format(number=changed) if changed else WORDS["rules"]
        for side in self._choices:
            side.begin(battle)
        self._back.disabled = not battle.rounds
        self._say_status("")
        self._show_choices()
        self._show_lines()
        told = self.record.to_json()
        self._told.object, self._copied.value = f'<pre tabindex="0">{escape(told)}</pre>', told
        if self._linked:
            self._show_link()

    def _show_link(self) -> None:
        told = link_to(self.record)
        self._link.value = address_of(told) if told else ""
        self._link.visible, self._too_long.visible = bool(told), not told
        self._notice.visible = False

    def _show_choices(self) -> None:
        choices, names = [side.choice for side in self._choices], pet_names(short(self.battle.players))
        missing = [name for name, choice in zip(names, choices, strict=True) if choice is None]
        # One that is off would lose whoever has just pressed it by keyboard.
        self._reveal.css_classes = ["ask-early"] if missing else []
        self._reveal.visible = not self.battle.over
        if self.battle.over:
            say(self._word, "")
        elif missing:
            say(self._word, WORDS["choose_both"].format(pets=WORDS["both"].join(missing)))
        else:
            first, second = (words.choice(choice) for choice in choices if choice is not None)
            say(self._word, WORDS["chosen_both"].format(first=first, second=second))

    def _say_status(self, text: str) -> None:
        self._status.object = f'<div role="status">{escape(text)}</div>'

    def _show_lines(self) -> None:
        lines, at, depth = self.lines, self._lines.at, self._lines.depth
        together = self._lines.shared if len(lines) > 1 else len(lines[0].rounds)
        common = replace(lines[at], rounds=lines[at].rounds[:together])
        if len(lines) > 1:
            common = replace(common, refused=None)
        self._nothing.visible = not any(line.rounds or line.refused for line in lines)
        self._split.visible = len(lines) > 1 and bool(common.rounds)
        self._shared.show(common, "", 0, depth, self._heading)
        self._shared.view.visible = bool(common.rounds or common.refused)
        while len(self._shown) < len(lines):
            self._shown.append(self._line_view())
        for place, (view, line) in enumerate(zip(self._shown, lines, strict=False)):
            view.show(line, _letter(place), together, depth if place == at else None, self._heading)
        self._beside[:] = [view.view for view in self._shown[: len(lines)]] if len(lines) > 1 else []

    def _line_view(self) -> LineView:
        def at_its_place(do: Callable[..., None], *told: int) -> None:
            # A second quick press can arrive when the line is gone.
            if view.view in self._beside.objects:
                do(self._shown.index(view), *told)

        with designed(LabDesign):
            view = LineView(*(partial(at_its_place, do) for do in (self._return, self._end, self._forget)))
        return view


def _alert(text: str) -> str:
    return f'<div role="alert">{escape(text)}</div>'


def _letter(place: int) -> str:
    """What a line is called: A to Z, then A2 and so on."""
    round_, letter = divmod(place, len(ascii_uppercase))
    return ascii_uppercase[letter] + (str(round_ + 1) if round_ else "")


def ask_page(begun: Record | None = None) -> Ask:
    """The page of its own, for the visitor of this session, as its address says; where it says nothing from `begun`."""
    document: Any = pn.state.curdoc
    if document is not None:
        document.template = PAGE
    notice = ""
    try:
        page = Ask(record_of_link(asked_for("record")) or begun)
    except LinkError as error:
        page = Ask(begun)
        notice = WORDS["bad_link"].format(why=error)
    page.keep_address(notice)
    return page
