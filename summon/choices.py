"""Choices, and why one is refused: the rules of section 2 in their order, for people and records."""

from __future__ import annotations

import re
from enum import StrEnum
from functools import cache
from typing import NamedTuple

from summon import turn
from summon.cards import BY_CODE, CARDS, WAIT
from summon.quoting import quoted
from summon.turn import Setup, Side

_CODES = {name: code for code, name in enumerate(BY_CODE)}
MOST_DIGITS = 4000
"""How many digits of a number are read; Python itself converts few more, and no health could pay them."""

_SACRIFICE = re.compile(r"sacrifice:(0|[1-9][0-9]*)")


class Choice(NamedTuple):
    """What a player chooses in a turn (1.5): a card's name or `wait`, and for Sacrifice the amount of health."""

    card: str
    amount: int = 0

    def __str__(self) -> str:
        return f"sacrifice:{self.amount}" if self.card == "sacrifice" else self.card

    @property
    def code(self) -> int:
        """The card's code in `summon.turn`."""
        return _CODES[self.card]

    @classmethod
    def parse(cls, text: object) -> Choice:
        """The choice that a record writes as `attack`, `wait` or `sacrifice:2`; ValueError for anything else."""
        if isinstance(text, str):
            amount = _SACRIFICE.fullmatch(text)
            if amount:
                return cls("sacrifice", int(amount[1][:MOST_DIGITS]))
            if text == "sacrifice":
                raise ValueError("sacrifice needs an amount of health, as in 'sacrifice:2'")
            if text in CARDS or text == WAIT.name:
                return cls(text)
        raise ValueError(f"{quoted(text)} is not a choice: a card's name, 'wait', or 'sacrifice:' and a whole number")


class Reason(StrEnum):
    """Why a choice is refused; `summon.words` has a sentence for each."""

    BLINDED = "blinded"
    DOWN = "down"
    DOWN_RESTRICTED = "down, restricted"
    BEATEN = "beaten"
    WAIT = "wait"
    NOT_IN_DECK = "not in the deck"
    STREAK = "streak"
    SACRIFICE_FIRST_TURN = "sacrifice, first turn"
    SACRIFICE_INTERVAL = "sacrifice, interval"
    SACRIFICE_HEALTH = "sacrifice, health"
    SACRIFICE_AMOUNT = "sacrifice, amount"
    INTERVAL = "interval"
    WILD_USED = "wild, used"
    RESTRICTED = "restricted"
    HIDE_HEALTH = "hide, health"
    REVIVE_STANDING = "revive, standing"
    OVER = "over"


class Refusal(NamedTuple):
    """Why a choice may not be made, with the number of the first rule of section 2 that it breaks.

    `until` is the turn from which it may be, as far as that is known now, else None. `number` is what the reason
    counts: the streak's limit, the most that may be sacrificed, or the health that is needed.
    """

    card: str
    reason: Reason
    rule: str
    until: int | None = None
    number: int = 0


def refusal(setup: Setup, side: Side, now: int, choice: Choice) -> Refusal | None:
    """2.12: why this side may not choose this on turn `now`; None where it may.

    Where several rules forbid it, the first in the order of section 2 is told.
    """
    general = _general_refusal(setup, side, now, choice.card)
    if general is not None or choice.card == WAIT.name:
        return general
    if side.health == 0:
        return None
    return _card_refusal(setup, side, now, choice)


def _general_refusal(setup: Setup, side: Side, now: int, card: str) -> Refusal | None:
    """2.1 to 2.4: what depends on the player's state and the deck."""
    if side.blinded:
        return None if card == WAIT.name else Refusal(card, Reason.BLINDED, "2.1", now + 1)
    if side.health == 0:
        if turn.beaten(setup, side):
            return None if card == WAIT.name else Refusal(card, Reason.BEATEN, "2.3")
        if side.restricted:
            return None if card == WAIT.name else Refusal(card, Reason.DOWN_RESTRICTED, "2.2", now + 1)
        return None if card == "revive" else Refusal(card, Reason.DOWN, "2.2")
    if card == WAIT.name:
        return Refusal(card, Reason.WAIT, "2.4")
    if not setup.deck >> _CODES[card] & 1:
        return Refusal(card, Reason.NOT_IN_DECK, "2.4")
    return None


def _card_refusal(setup: Setup, side: Side, now: int, choice: Choice) -> Refusal | None:
    """2.5 to 2.10: what depends on the card."""
    card = choice.card
    if choice.code == side.last and turn.tired(setup, side):
        return Refusal(card, Reason.STREAK, "2.5", number=setup.streak_limit)
    if card == "sacrifice":
        return _sacrifice_refusal(setup, side, now, choice.amount)
    if card == "blind" and now < side.blind_ready:
        return Refusal(card, Reason.INTERVAL, "2.7", side.blind_ready)
    if card == "copycat" and now < side.copycat_ready:
        return Refusal(card, Reason.INTERVAL, "2.7", side.copycat_ready)
    if card == "wild" and turn.wild_closed(setup, side):
        return Refusal(card, Reason.WILD_USED, "2.8") if side.wild_used else _restricted(card, "2.8", now)
    if card == "hide" and turn.hide_closed(setup, side):
        if side.health <= setup.hide_cost:
            return Refusal(card, Reason.HIDE_HEALTH, "2.9", number=setup.hide_cost + 1)
        return _restricted(card, "2.9", now)
    if card == "heal" and side.restricted:
        return _restricted(card, "2.9", now)
    if card == "revive":
        return Refusal(card, Reason.REVIVE_STANDING, "2.10")
    return None


def _restricted(card: str, rule: str, now: int) -> Refusal:
    """6.4: not on the turn after Hide."""
    return Refusal(card, Reason.RESTRICTED, rule, now + 1)


def _sacrifice_refusal(setup: Setup, side: Side, now: int, amount: int) -> Refusal | None:
    """2.6: its first turn, its interval, and an amount that the health allows."""
    if turn.sacrifice_closed(setup, side, now):
        if now < setup.sacrifice_first_turn:
            until = max(setup.sacrifice_first_turn, side.sacrifice_ready)
            return Refusal("sacrifice", Reason.SACRIFICE_FIRST_TURN, "2.6", until)
        if now < side.sacrifice_ready:
            return Refusal("sacrifice", Reason.SACRIFICE_INTERVAL, "2.6", side.sacrifice_ready)
        return Refusal("sacrifice", Reason.SACRIFICE_HEALTH, "2.6", number=2)
    most = turn.spendable(setup, side)
    if not 1 <= amount <= most:
        return Refusal("sacrifice", Reason.SACRIFICE_AMOUNT, "2.6", number=most)
    return None


def named(cards: int) -> list[str]:
    """The names of a set of cards given as bits, sorted as a record's `legal` is."""
    return list(_named(cards))


@cache
def _named(cards: int) -> tuple[str, ...]:
    return tuple(sorted(name for code, name in enumerate(BY_CODE) if cards >> code & 1))
