"""What a question to the rules is set by: how each side stands, and the cards that it may choose."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import panel as pn

from summon import words
from summon.asking import FLAGS, LISTS, Question, amounts_from
from summon.battle import Battle
from summon.cards import CARDS, WAIT
from summon.choices import Choice
from summon.lab import whole
from summon.position import RESTING, SIDES
from summon.record import LAST_TURN
from summon.rules import LARGEST, setup_of
from summon.views.ask_words import WORDS, refusal_html, short, side_html
from summon.views.lab_design import Html
from summon.views.lab_rules import WORDS as LAB_WORDS
from summon.views.lab_rules import CornerView, Quiet, box, said, say, sentence, ticks

WIDE: dict[str, Any] = {"sizing_mode": "stretch_width", "margin": 0}

_IN_FRONT = ("blinded", "boosted")
"""The flags that are not folded away."""


class Field:
    """A field for what is typed: `read` takes it, and what it raises ValueError for is told under the field."""

    def __init__(self, label: str, read: Callable[[str], object], shown: Callable[[], str]) -> None:
        self._read, self._shown, self._quiet = read, shown, Quiet()
        self.input = pn.widgets.TextInput(label=label, **WIDE)
        self.word = said("", "lab-word")
        self.view = pn.Column(self.input, self.word, css_classes=["ask-field"], **WIDE)
        self._quiet.watch(self.input, self._typed)
        self.refresh()

    def _typed(self, text: str) -> None:
        try:
            self._read(text.strip())
        except ValueError as error:
            say(self.word, sentence(error))
        else:
            self.refresh()

    def refresh(self) -> None:
        """Show the value as it is."""
        say(self.word, "")
        with self._quiet.setting():
            self.input.value = self._shown()


class SideView:
    """The widgets of one side of a situation; what is rarely needed is folded away."""

    def __init__(self, question: Question, side: int) -> None:
        self._question, self._side, self._quiet = question, side, Quiet()
        self._standing = question.sides[side]
        self.fields = {
            "health": Field("", self._take_health, self._shown_health),
            "reserve": self._number("reserve", ""),
            **{kind: self._list(kind) for kind in LISTS},
            "streak_turns": self._number("streak_turns", WORDS["streak_turns"], 1),
            **{
                f"{card}_ready": self._number(
                    f"{card}_ready", WORDS["ready"].format(card=words.CARD_NAMES[card]), 0, LAST_TURN, empty=True
                )
                for card in RESTING
            },
        }
        self.flags = {flag: box(WORDS["flags"][flag], False, "lab-switch") for flag in FLAGS}
        self.streak = pn.widgets.Select(
            label=WORDS["streak"],
            options={WORDS["streak_none"]: "", **{words.CARD_NAMES[card]: card for card in CARDS}},
            **WIDE,
        )
        for flag, ticked in self.flags.items():
            self._quiet.watch(ticked, partial(self._take_flag, flag))
        self._quiet.watch(self.streak, lambda card: self._standing.param.update(streak=card))
        self.more = pn.Card(collapsed=True, css_classes=["lab-card", "lab-group"], **WIDE)
        self.view = pn.Column(css_classes=["lab-corner"], **WIDE)
        self._lay_out()
        self.refresh()

    def _lay_out(self) -> None:
        corner = CornerView(self._standing, LAB_WORDS["sides"][self._side])
        title, pet, tiers, label, cards, word = corner.view.objects
        folded = pn.Column(
            tiers,
            *(self.flags[flag] for flag in FLAGS if flag not in _IN_FRONT),
            pn.Row(self.streak, self.fields["streak_turns"].view, css_classes=["lab-row"], **WIDE),
            said(WORDS["resting"], "lab-label"),
            self._row(*(f"{card}_ready" for card in RESTING)),
            said(WORDS["ahead"], "lab-label"),
            self._row("shield", "block"),
            **WIDE,
        )
        # A fold hides what it holds itself, and rows have a way of their own to be shown.
        self.more[:] = [folded]
        self.view[:] = [
            title,
            pet,
            self._row("health", "reserve", "poison"),
            pn.Row(*(self.flags[flag] for flag in _IN_FRONT), css_classes=["lab-row"], **WIDE),
            label,
            cards,
            word,
            self.more,
        ]

    def _row(self, *names: str) -> pn.Row:
        return pn.Row(*(self.fields[name].view for name in names), css_classes=["lab-row"], **WIDE)

    def _number(self, name: str, label: str, least: int = 0, most: int = LARGEST, empty: bool = False) -> Field:
        """A field for a number; `empty` is one that is 0 where nothing is written."""

        def read(text: str) -> None:
            told = "0" if empty and not text else text
            self._standing.param.update(**{name: whole(name.replace("_", " "), told, least, most)})

        def shown() -> str:
            number = getattr(self._standing, name)
            return "" if empty and not number else str(number)

        return Field(label, read, shown)

    def _list(self, kind: str) -> Field:
        def read(text: str) -> None:
            self._standing.param.update(**{kind: amounts_from(text, kind)})

        return Field(WORDS[kind], read, lambda: ", ".join(map(str, getattr(self._standing, kind))))

    @property
    def _top(self) -> int:
        return setup_of(self._question.rules.changed(), self._standing.player(SIDES[self._side])).top

    def _take_health(self, text: str) -> None:
        health = whole("health", text, 0, self._top)
        self._standing.health = None if health == self._top else health

    def _shown_health(self) -> str:
        return str(self._top if self._standing.health is None else self._standing.health)

    def _take_flag(self, flag: str, value: list[bool]) -> None:
        self._standing.param.update(**{flag: bool(value)})

    def refresh(self) -> None:
        """Show the side as it is."""
        standing, most = self._standing, self._question.rules.reserve_health
        for field in self.fields.values():
            field.refresh()
        self.fields["health"].input.label = WORDS["health"].format(top=self._top)
        self.fields["reserve"].input.label = WORDS["reserve"].format(top=most)
        self.fields["reserve"].view.visible = bool(most or standing.reserve)
        with self._quiet.setting():
            self.streak.value = standing.streak
            for flag, ticked in self.flags.items():
                ticked.value = ticks(getattr(standing, flag))
        pet, number = words.PET_NAMES[standing.player(SIDES[self._side]).pet_name], self._folded()
        self.more.title = WORDS["some_more" if number else "more"].format(pet=pet, number=number)

    def _folded(self) -> int:
        """How much of what is folded away is not as at the beginning of a battle."""
        names = [*(flag for flag in FLAGS if flag not in _IN_FRONT), "streak", "shield", "block"]
        names += [f"{card}_ready" for card in RESTING]
        return sum(bool(getattr(self._standing, name)) for name in names) + sum(
            tier > 1 for tier in self._standing.player(SIDES[self._side]).tiers.values()
        )


class ChoicesView:
    """The cards that a side may choose now, and those that it may not, each with the reason and its rule (2.12)."""

    def __init__(self, side: int, chosen: Callable[[], object]) -> None:
        self._side, self._told = side, chosen
        self._battle: Battle | None = None
        self._card, self._spent = "", 1
        self._head = Html("", css_classes=["ask-head"], **WIDE)
        self.buttons = {
            card: pn.widgets.Button(label=words.CARD_NAMES[card], height=44, **WIDE) for card in (*CARDS, WAIT.name)
        }
        self.reasons = {card: Html("", **WIDE) for card in self.buttons}
        self.cells = {card: pn.Row(self.buttons[card], self.reasons[card], **WIDE) for card in self.buttons}
        for card, button in self.buttons.items():
            button.on_click(partial(self._pressed, card))
        self.amount = Field("", self._take_amount, lambda: str(self._spent))
        self.view = pn.Column(
            self._head,
            pn.Row(*self.cells.values(), css_classes=["ask-cards"], **WIDE),
            self.amount.view,
            css_classes=["ask-side"],
            **WIDE,
        )

    @property
    def choice(self) -> Choice | None:
        """What is chosen; None as long as nothing is that may be."""
        if self._battle is None or not self._card:
            return None
        choice = Choice(self._card, self._spent if self._card == "sacrifice" else 0)
        return None if self._battle.refusal(self._side, choice.card, choice.amount or None) else choice

    def choose(self, card: str) -> None:
        """Choose a card; one that may not be chosen now is left alone."""
        if self._battle is not None and self._battle.refusal(self._side, card) is None:
            self._card = card
            self._show()
            self._told()

    def _pressed(self, card: str, _: object) -> None:
        self.choose(card)

    def _take_amount(self, text: str) -> None:
        assert self._battle is not None
        self._spent = whole("amount", text, 1, self._battle.most(self._side))
        self._told()

    def begin(self, battle: Battle) -> None:
        """A turn begins: nothing is chosen yet, but where there is only one choice."""
        self._battle = battle
        legal = battle.legal(self._side)
        self._card = legal[0] if len(legal) == 1 else ""
        self._spent = max(1, min(self._spent, battle.most(self._side)))
        self._show()

    def _show(self) -> None:
        battle, side = self._battle, self._side
        assert battle is not None
        self._head.object = side_html(battle.position, short(battle.players), side)
        deck = (*battle.players[side].deck, WAIT.name)
        for card, cell in self.cells.items():
            cell.visible = there = card in deck and not battle.over
            refused = battle.refusal(side, card)
            button = self.buttons[card]
            button.disabled = refused is not None
            # A button whose label or colour changes is made anew by Bokeh, and whoever stood on it stands nowhere.
            button.css_classes = ["ask-chosen"] if card == self._card else []
            self.reasons[card].object = refusal_html(refused) if there and refused is not None else ""
            cell.css_classes = ["ask-card" if refused is None else "ask-off"] if there else []
        self.amount.view.visible = self._card == "sacrifice"
        self.amount.input.label = WORDS["costs"].format(most=battle.most(side))
        self.amount.refresh()
