"""What simulated battles come to: exact counts."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Counts = NDArray[np.int64]


class Totals(NamedTuple):
    """How many battles there were, how many of them each outcome had, and how many turns all of them took."""

    battles: int
    first: int
    second: int
    draw: int
    unfinished: int
    turns: int

    @property
    def turns_mean(self) -> float:
        """The turns of a battle in the mean of all, the unfinished ones too; 0 where there are none."""
        return self.turns / self.battles if self.battles else 0.0

    def plus(self, other: Totals) -> Totals:
        """The totals of these and other battles together."""
        return Totals(*(one + two for one, two in zip(self, other, strict=True)))


class Tally(NamedTuple):
    """What was counted in simulated battles besides their totals.

    Cards are those that were chosen, by their codes in `summon.turn`, and a last axis of four counts all, and then
    those of battles won by the first side, won by the second, and drawn; unfinished battles are in the first number
    alone.
    """

    totals: Totals
    lengths: Counts
    """How many battles took 0, 1, 2… turns."""
    health: Counts
    """By side, turn from the first one played and health: in how many battles a side ended that turn with that health.
    The battles that had ended before are in none; turns after the 100th are not counted."""
    pairs: Counts
    """By the first side's card and the second's: on how many turns the two met."""
    cards: Counts
    """By side and card: in how many battles that side chose that card at least once."""
