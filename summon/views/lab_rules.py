"""What the lab is set by: the two sides of a match-up, and a row for every number and switch of the rules."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from html import escape
from typing import Any

import panel as pn

from summon import lab, words
from summon.cards import MARKET, MAX_BOUGHT, MAX_TIER, PETS, STARTERS
from summon.lab import Corner
from summon.rules import Rules
from summon.views.lab_design import Html

WORDS: dict[str, Any] = words.LAB


def said(text: str, *classes: str) -> pn.pane.HTML:
    """Plain text on the page, never markup."""
    return Html(escape(text), css_classes=list(classes), margin=0, sizing_mode="stretch_width")


def say(pane: pn.pane.HTML, text: str) -> None:
    """Change what such a pane says; without a word it is not there."""
    pane.object = escape(text)
    pane.visible = bool(text)


def sentence(error: Exception) -> str:
    """What is wrong, as a sentence."""
    told = str(error)
    return f"{told[:1].upper()}{told[1:]}."


def box(label: str, ticked: bool, *classes: str) -> pn.widgets.CheckBoxGroup:
    """A box to tick, of value [True] or []. (Panel's Checkbox alone has a text beside it that is no label of it.)"""
    return pn.widgets.CheckBoxGroup(
        options={label: True}, value=ticks(ticked), css_classes=list(classes), sizing_mode="stretch_width", margin=0
    )


def ticks(ticked: bool) -> list[bool]:
    """The value of such a box."""
    return [True] if ticked else []


def rule_name(name: str) -> str:
    """A rule's name as people read it: `Attack damage`."""
    return name.replace("_", " ").capitalize()


def told_value(value: object) -> str:
    """A rule's value as people read it: `1, 2, 3`, `on`."""
    if isinstance(value, bool):
        return "on" if value else "off"
    return ", ".join(map(str, value)) if isinstance(value, tuple) else str(value)


class Quiet:
    """Tells what a person did from what follows it: widgets that are set from here are not listened to."""

    def __init__(self) -> None:
        self._setting = False

    @contextmanager
    def setting(self) -> Iterator[None]:
        """While this lasts, widgets are set from here."""
        self._setting = True
        try:
            yield
        finally:
            self._setting = False

    def watch(self, widget: Any, do: Callable[[Any], object]) -> None:
        """Call `do` with each value that a person gives to a widget."""
        widget.param.watch(lambda event: None if self._setting else do(event.new), "value")


class CornerView:
    """The widgets of one side of the match-up."""

    def __init__(self, corner: Corner, title: str) -> None:
        self._corner, self._quiet = corner, Quiet()
        wide: dict[str, Any] = {"sizing_mode": "stretch_width", "margin": 0}
        self._pet = pn.widgets.Select(
            label=WORDS["pet"], options={words.PET_NAMES[pet]: pet for pet in PETS}, css_classes=["lab-pet"], **wide
        )
        self._evolved = box(WORDS["evolved"], corner.evolved, "lab-switch")
        self._tiers = {
            starter: pn.widgets.Select(
                label=WORDS["tier"].format(card=words.CARD_NAMES[starter]), options=list(range(1, MAX_TIER + 1)), **wide
            )
            for starter in STARTERS
        }
        self._cards = pn.widgets.CheckBoxGroup(
            options={words.CARD_NAMES[card]: card for card in MARKET}, css_classes=["lab-cards"], **wide
        )
        self._word = said("", "lab-word")
        self._word.visible = False
        self.refresh()
        self._quiet.watch(self._pet, lambda pet: corner.param.update(pet=pet))
        self._quiet.watch(self._evolved, lambda evolved: corner.param.update(evolved=bool(evolved)))
        for starter, select in self._tiers.items():
            self._quiet.watch(select, partial(self._take_tier, starter))
        self._quiet.watch(self._cards, self._take_cards)
        corner.param.watch(self.refresh, ["pet", "evolved", "cards", *STARTERS])
        self.view = pn.Column(
            said(title, "lab-side"),
            pn.Row(self._pet, self._evolved, css_classes=["lab-row"], **wide),
            pn.Row(*self._tiers.values(), css_classes=["lab-row"], **wide),
            said(WORDS["cards"].format(most=MAX_BOUGHT), "lab-label"),
            self._cards,
            self._word,
            css_classes=["lab-corner"],
            **wide,
        )

    def refresh(self, *_: object) -> None:
        """Show the side as it is."""
        say(self._word, "")
        with self._quiet.setting():
            self._pet.value, self._evolved.value = self._corner.pet, ticks(self._corner.evolved)
            self._cards.value = list(self._corner.cards)
            for starter, select in self._tiers.items():
                select.value = getattr(self._corner, starter)

    def _take_tier(self, starter: str, tier: int) -> None:
        self._corner.param.update(**{starter: tier})

    def _take_cards(self, cards: list[str]) -> None:
        if len(cards) > MAX_BOUGHT:
            self.refresh()
            say(self._word, WORDS["too_many"].format(most=MAX_BOUGHT))
        else:
            self._corner.param.update(cards=[card for card in MARKET if card in cards])


class _Number:
    """A number of a rule, by a slider over what is usual and a field for all that is allowed."""

    def __init__(self, rules: Rules, name: str, place: int) -> None:
        self._rules, self._name, self._place, self._quiet = rules, name, place, Quiet()
        label = self._label()
        low, high = lab.usual_range(name)
        self.slider = pn.widgets.IntSlider(
            label=label,
            start=low,
            end=high,
            show_value=False,
            css_classes=["lab-alone"] if lab.places(name) == 1 else [],
            sizing_mode="stretch_width",
            margin=0,
        )
        self.field = pn.widgets.TextInput(
            label=WORDS["field"].format(name=label), css_classes=["lab-field"], width=76, margin=0
        )
        self._word = said("", "lab-word")
        self.refresh()
        self._quiet.watch(self.slider, self._set)
        self._quiet.watch(self.field, self._typed)
        self.view = pn.Column(
            pn.Row(self.slider, self.field, css_classes=["lab-number"], sizing_mode="stretch_width", margin=0),
            self._word,
            sizing_mode="stretch_width",
            margin=0,
        )

    def _label(self) -> str:
        name, count = rule_name(self._name), lab.places(self._name)
        if count == 1:
            return name
        stages = WORDS["place_stage"]
        return f"{name}, " + (stages[self._place] if count == 2 else WORDS["place_tier"].format(number=self._place + 1))

    def refresh(self) -> None:
        """Show the number as it is."""
        number = lab.number_at(self._rules, self._name, self._place)
        say(self._word, "")
        with self._quiet.setting():
            self.slider.end = max(lab.usual_range(self._name)[1], number)
            self.slider.value, self.field.value = number, str(number)

    def _set(self, number: int) -> None:
        self._rules.param.update(**{self._name: lab.with_number(self._rules, self._name, self._place, number)})

    def _typed(self, text: str) -> None:
        try:
            number = lab.number_from(text, self._name)
        except ValueError as error:
            say(self._word, sentence(error))
            return
        self._set(number)
        self.refresh()


class _Switch:
    """A rule question with two answers."""

    def __init__(self, rules: Rules, name: str) -> None:
        self._rules, self._name, self._quiet = rules, name, Quiet()
        self.box = box(rule_name(name), False, "lab-switch")
        self.refresh()
        self._quiet.watch(self.box, lambda value: rules.param.update(**{name: bool(value)}))
        self.view = self.box

    def refresh(self) -> None:
        """Show the answer as it is."""
        with self._quiet.setting():
            self.box.value = ticks(getattr(self._rules, self._name))


class RuleRow:
    """A rule with its number and meaning, what it is set by, and the way back to the rulebook once it is changed."""

    def __init__(self, rules: Rules, name: str) -> None:
        self._rules, self._name = rules, name
        self._default = Rules.param[name].default
        count = lab.places(name)
        self.parts: list[_Number | _Switch] = (
            [_Number(rules, name, place) for place in range(count)] if count else [_Switch(rules, name)]
        )
        number, _, meaning = str(Rules.param[name].doc).partition(": ")
        self.back = pn.widgets.Button(
            label=WORDS["back"].format(value=told_value(self._default)), css_classes=["lab-back"], margin=0, height=44
        )
        self.back.on_click(self._go_back)
        title = f"<b>{escape(rule_name(name))}</b> <span>{escape(number)}</span> {escape(meaning)}"
        self.view = pn.Column(
            Html(title, css_classes=["lab-doc"], margin=0, sizing_mode="stretch_width"),
            *(part.view for part in self.parts),
            self.back,
            css_classes=["lab-rule"],
            sizing_mode="stretch_width",
            margin=0,
        )
        self.refresh()
        rules.param.watch(self.refresh, [name])

    def _go_back(self, _: object) -> None:
        self._rules.param.update(**{self._name: self._default})

    @property
    def changed(self) -> bool:
        """Whether it differs from the rulebook."""
        return bool(getattr(self._rules, self._name) != self._default)

    def refresh(self, *_: object) -> None:
        """Show the rule as it is, and mark it where it is changed."""
        for part in self.parts:
            part.refresh()
        self.back.visible = self.changed
        self.view.css_classes = ["lab-rule", "lab-changed"] if self.changed else ["lab-rule"]


class RulesView:
    """All rules, by what they belong to; the rows of a group are made when it is opened for the first time."""

    def __init__(self, rules: Rules) -> None:
        self._rules = rules
        self.rows: dict[str, RuleRow] = {}
        self._word = said("", "lab-count")
        self._all_back = pn.widgets.Button(label=WORDS["all_back"], css_classes=["lab-all-back"], margin=0, height=44)
        self._all_back.on_click(lambda _: lab.set_rules(rules, {}))
        wide: dict[str, Any] = {"sizing_mode": "stretch_width", "margin": 0}
        self.groups = {
            group: pn.Card(collapsed=True, css_classes=["lab-card", "lab-group"], **wide) for group in lab.GROUPS
        }
        for group, card in self.groups.items():
            card.param.watch(lambda _, group=group: self._fill(group), "collapsed")
        self.view = pn.Column(self._word, self._all_back, *self.groups.values(), css_classes=["lab-rules"], **wide)
        self.refresh()
        rules.param.watch(self.refresh, list(Rules.names()))

    def _fill(self, group: str) -> None:
        if not self.groups[group].objects:
            made = {name: RuleRow(self._rules, name) for name in lab.GROUPS[group]}
            self.rows |= made
            self.groups[group].objects = [row.view for row in made.values()]

    def refresh(self, *_: object) -> None:
        """Tell how many rules are changed, and where."""
        changed = {name for name, _ in self._rules.changed()}
        total = len(Rules.names())
        say(
            self._word,
            WORDS["n_changed"].format(number=len(changed), all=total) if changed else WORDS["none_changed"],
        )
        self._all_back.visible = bool(changed)
        for group, names in lab.GROUPS.items():
            number, title = len(changed.intersection(names)), WORDS["groups"][group]
            self.groups[group].title = WORDS["some_changed"].format(group=title, number=number) if number else title
