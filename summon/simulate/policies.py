"""How a side chooses in simulated battles: by weights over what is legal."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from summon.cards import CARDS
from summon.quoting import quoted
from summon.rules import LARGEST

SMALLEST_WEIGHT, LARGEST_WEIGHT = 1e-9, 1e9
"""Between which a weight must be that is not 0."""


@dataclass(frozen=True)
class Policy:
    """A way to choose: each legal card as often as its weight among the weights of all legal cards.

    `Policy({"attack": 2, "heal": 1})`: a card that is not named weighs 0. Where all that is legal weighs 0, each of it
    is as likely. `amounts` are the weights of spending 1, 2, 3… health on Sacrifice; without them, or where all
    possible amounts weigh 0, each is as likely. Without any weights it chooses as 1.7 says, which is never Heal at full
    health. Raises ValueError for an unknown card and for a weight below 0 or out of bounds.
    """

    weights: Mapping[str, float] | None = None
    amounts: Sequence[float] = ()

    def __post_init__(self) -> None:
        amounts = tuple(self.amounts)
        if self.weights is None and amounts:
            raise ValueError("weights of amounts need weights of cards beside them")
        if len(amounts) > LARGEST:
            raise ValueError(f"there are weights for at most {LARGEST} amounts, not {len(amounts)}")
        for amount, weight in enumerate(amounts, 1):
            _check(weight, f"spending {amount}")
        for card, weight in (self.weights or {}).items():
            if card not in CARDS:
                raise ValueError(f"there is no card {quoted(card)}; there are {', '.join(CARDS)}")
            _check(weight, card)
        if self.weights is not None:
            object.__setattr__(self, "weights", MappingProxyType(dict(self.weights)))
        object.__setattr__(self, "amounts", amounts)

    def __reduce__(self) -> tuple[type[Policy], tuple[object, ...]]:
        return (Policy, (None if self.weights is None else dict(self.weights), self.amounts))


def _check(weight: object, what: str) -> None:
    number = isinstance(weight, int | float) and not isinstance(weight, bool)
    if not number or not (weight == 0 or SMALLEST_WEIGHT <= weight <= LARGEST_WEIGHT):  # type: ignore[operator]
        raise ValueError(f"the weight of {what} is 0 or a number from 1e-9 to 1e9, not {quoted(weight)}")


uniform = Policy()
"""1.7: as the computer chooses."""
