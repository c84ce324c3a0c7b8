"""The cards and the pets: a table of what there is (sections 1, 3, 6, 7 and 10 of the rulebook).

The numbers of a battle are in `summon.rules`, what a card does is in `summon.turn`, and the words for people are in
`summon.words`.
"""

from __future__ import annotations

from dataclasses import dataclass
from types import MappingProxyType

from summon import turn
from summon.shown import Shown

MAX_BOUGHT = 7
"""How many bought cards a deck holds besides the starters (1.4)."""

MAX_TIER = 3
"""The highest tier of a starter (10.3)."""


@dataclass(frozen=True, slots=True)
class Card(Shown):
    """A card by its name in lower case.

    `code` is the small number that `summon.turn` knows it by, `rule` the number of its main rule, `price` its gold in
    the market (10.1; 0 for a starter and for Wait, which nobody owns).
    """

    name: str
    code: int
    rule: str
    price: int = 0

    @property
    def is_starter(self) -> bool:
        """Whether every player owns it (1.3)."""
        return self.name in STARTERS


@dataclass(frozen=True, slots=True)
class Pet:
    """A pet by its unevolved name in lower case.

    `evolved` is the name it takes when it evolves (10.2), `wild` the name of its Wild and `rule` that Wild's number in
    section 7. The flags say what kind of Wild it is: `attacks` (3.4), `heals` (2.8, 7.9).
    """

    name: str
    evolved: str
    wild: str
    rule: str
    attacks: bool = False
    heals: bool = False

    def called(self, evolved: bool) -> str:
        """The pet's name in lower case, by whether it has evolved (10.2)."""
        return self.evolved if evolved else self.name


STARTERS = ("attack", "heal", "counter")
"""The starters, in the order of the rulebook (1.3)."""

WAIT = Card("wait", turn.WAIT, "2.1")
"""What a player does who can do nothing else (2.1 to 2.4); not a card of any deck."""

_CARDS = (
    Card("attack", turn.ATTACK, "3.1"),
    Card("heal", turn.HEAL, "3.2"),
    Card("counter", turn.COUNTER, "3.3"),
    Card("wild", turn.WILD, "6.1", 5),
    Card("poison", turn.POISON, "5.1", 5),
    Card("blind", turn.BLIND, "6.2", 5),
    Card("revive", turn.REVIVE, "6.5", 10),
    Card("sacrifice", turn.SACRIFICE, "6.3", 10),
    Card("shield", turn.SHIELD, "4.3", 5),
    Card("hide", turn.HIDE, "6.4", 5),
    Card("refreshment", turn.REFRESHMENT, "6.7", 5),
    Card("copycat", turn.COPYCAT, "6.10", 10),
)

CARDS = MappingProxyType({card.name: card for card in _CARDS})
"""Every card by its name: the starters (1.3) and the nine of the market (10.1)."""

MARKET = tuple(name for name in CARDS if name not in STARTERS)
"""The cards that are bought (10.1)."""

PETS = MappingProxyType(
    {
        pet.name: pet
        for pet in (
            Pet("moss", "mosswood", "Root Guard", "7.1", heals=True),
            Pet("ember", "blaze", "Flare", "7.2", attacks=True),
            Pet("bloom", "blossom", "Spore Burst", "7.3"),
            Pet("tide", "tsunami", "Healing Wave", "7.4", heals=True),
            Pet("pebble", "boulder", "Stone Wall", "7.5"),
            Pet("spark", "thunder", "Flash Strike", "7.6", attacks=True),
        )
    }
)
"""The six pets by their unevolved names (1.1)."""

BY_CODE = tuple(card.name for card in sorted((WAIT, *CARDS.values()), key=lambda card: card.code))
"""The name of every code of `summon.turn`, Wait included."""
