"""A moment of a battle and what a reveal makes of it: plain values between the rules and everything that plays them."""

from __future__ import annotations

from typing import NamedTuple

from summon import choices, turn
from summon.choices import Choice, Refusal
from summon.turn import Setup, Share, Side

SIDES = ("first", "second")
"""What the two sides are called, everywhere."""

OUTCOMES = ("unfinished", *SIDES, "draw")
"""The outcome of every result of `summon.turn`."""

AHEAD = 4
"""How many turns ahead a side holds poison, shield and block."""

RESTING = ("sacrifice", "blind", "copycat")
"""The cards that rest for some turns after their use (2.6, 2.7)."""

WIN_GOLD = 1
"""The gold of a win (9.1)."""

UPSET_GOLD = 5
"""The gold of an unevolved pet's win over an evolved one (9.1)."""


class Round(NamedTuple):
    """A turn that was revealed: the choices, the moment before and after it, and each side's share."""

    choices: tuple[Choice, Choice]
    before: Position
    shares: tuple[Share, Share]
    after: Position

    @property
    def turn(self) -> int:
        """The turn's number (1.5)."""
        return self.before.turn


class Position(NamedTuple):
    """A moment of a battle: both sides at the start of a turn, with what is fixed for them; made by `at`."""

    setups: tuple[Setup, Setup]
    sides: tuple[Side, Side]
    turn: int
    outcome: str
    """8.2, 8.3: `first`, `second`, `draw`, or `unfinished` while nobody has won."""

    @classmethod
    def at(cls, setups: tuple[Setup, Setup], sides: tuple[Side, Side], number: int) -> Position:
        """The moment of these sides on this turn, with the outcome that follows."""
        return cls(setups, sides, number, OUTCOMES[turn.result(setups[0], sides[0], setups[1], sides[1])])

    @classmethod
    def opening(cls, setups: tuple[Setup, Setup]) -> Position:
        """1.2, 1.5: turn 1 at full health."""
        return cls.at(setups, (turn.start(setups[0]), turn.start(setups[1])), 1)

    def legal(self, side: int) -> list[str]:
        """2.1 to 2.10: what this side (0 or 1) may choose, names sorted; nothing once the battle is over."""
        if self.outcome != "unfinished":
            return []
        return choices.named(turn.legal(self.setups[side], self.sides[side], self.turn))

    def refusal(self, side: int, choice: Choice) -> Refusal | None:
        """2.12: why this side may not choose this now, or None."""
        if self.outcome != "unfinished":
            return Refusal(choice.card, choices.Reason.OVER, "8.2")
        return choices.refusal(self.setups[side], self.sides[side], self.turn, choice)

    def most(self, side: int) -> int:
        """2.6: the most health that Sacrifice may cost this side."""
        return turn.spendable(self.setups[side], self.sides[side])

    def reveal(self, first: Choice, second: Choice) -> Round:
        """1.5, 8.1: the round of two legal choices. What is legal is asked with `refusal`, not checked here."""
        (setup_1, setup_2), (side_1, side_2) = self.setups, self.sides
        after_1, after_2, share_1, share_2 = turn.reveal(
            setup_1, side_1, first.code, first.amount, setup_2, side_2, second.code, second.amount, self.turn
        )
        after = Position.at(self.setups, (after_1, after_2), self.turn + 1)
        return Round((first, second), self, (share_1, share_2), after)


def ahead(side: Side, kind: str) -> tuple[int, ...]:
    """What of `poison`, `shield` or `block` comes on this turn and on the ones after it, without zeros at the end."""
    amounts = [getattr(side, f"{kind}_{place}") for place in range(1, AHEAD + 1)]
    while amounts and not amounts[-1]:
        amounts.pop()
    return tuple(amounts)


def gold_for(outcome: str, evolved: tuple[bool, bool]) -> tuple[int, int]:
    """9.1: the gold of each side for an outcome: 1 for a win, 5 for an unevolved pet's win over an evolved one."""
    if outcome not in SIDES:
        return (0, 0)
    winner = SIDES.index(outcome)
    gold = UPSET_GOLD if not evolved[winner] and evolved[1 - winner] else WIN_GOLD
    return (gold, 0) if winner == 0 else (0, gold)
