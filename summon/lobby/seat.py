"""One side of a battle, for whoever plays it."""

from __future__ import annotations

from summon.battle import Battle, BattleError, side_number
from summon.choices import Choice


class Seat:
    """One side of a battle. It knows its own choice, which the other side is not told before the reveal (1.9).

    The turn is revealed as soon as both sides have chosen.
    """

    def __init__(self, battle: Battle, side: int | str) -> None:
        self.battle, self.side = battle, side_number(side)
        self._chosen: tuple[int, Choice] | None = None

    @property
    def locked(self) -> Choice | None:
        """What this side has chosen for the turn in play; None where it has not."""
        if self._chosen is None or self._chosen[0] != self.battle.turn or not self.battle.committed[self.side]:
            return None
        return self._chosen[1]

    def choose(self, card: str, amount: int | None = None) -> None:
        """1.5: commit a choice, and reveal if the other side is in. Raises as `Battle.choose`, changing nothing."""
        choice = Choice.parse(card) if amount is None else Choice(card, amount)
        # Known before the battle tells its watchers, who ask this seat.
        before, self._chosen = self._chosen, (self.battle.turn, choice)
        try:
            if self.battle.committed[1 - self.side] and not self.battle.committed[self.side]:
                self._complete(card, amount)
            else:
                self.battle.choose(self.side, card, amount)
        except (BattleError, ValueError):
            self._chosen = before
            raise

    def _complete(self, card: str, amount: int | None) -> None:
        self.battle.complete(self.side, card, amount)

    def take_back(self) -> None:
        """1.5: open the choice again; raises as `Battle.take_back`."""
        self.battle.take_back(self.side)

    def leave(self) -> None:
        """9.2: leave the battle on purpose; raises as `Battle.leave`."""
        self.battle.leave(self.side)
