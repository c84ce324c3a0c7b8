"""What one player brings to a battle: pet, evolution, tiers and deck (section 1)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType

from summon.cards import CARDS, MARKET, MAX_BOUGHT, MAX_TIER, PETS, STARTERS, Pet
from summon.quoting import quoted


def _one_of(names: Sequence[str] | Mapping[str, object]) -> str:
    return ", ".join(names)


def check_pet(pet: object) -> str:
    """The pet's name; ValueError where there is no such pet (1.1)."""
    if not isinstance(pet, str) or pet not in PETS:
        raise ValueError(f"there is no pet {quoted(pet)}; there are {_one_of(PETS)}")
    return pet


def check_tiers(tiers: object) -> dict[str, int]:
    """The tier of every starter; ValueError unless each one named is a starter and from 1 to 3 (1.3, 10.3)."""
    if not isinstance(tiers, Mapping):
        raise ValueError("tiers is not a list of names and numbers")
    for name, tier in tiers.items():
        if name not in STARTERS:
            raise ValueError(f"{quoted(name)} has no tiers; those who have are {_one_of(STARTERS)}")
        if type(tier) is not int or not 1 <= tier <= MAX_TIER:
            raise ValueError(f"the tier of {name} is a whole number from 1 to {MAX_TIER}, not {quoted(tier)}")
    return {name: tiers.get(name, 1) for name in STARTERS}


def check_bought(cards: object) -> tuple[str, ...]:
    """The bought cards of a deck, in order; ValueError for an unknown one, one named twice or too many (1.4)."""
    if isinstance(cards, str) or not isinstance(cards, Sequence):
        raise ValueError("cards is not a list of names")
    for place, card in enumerate(cards):
        if card in STARTERS:
            raise ValueError(f"{card} is a starter, which is always in the deck: leave it out of cards")
        if not isinstance(card, str) or card not in CARDS:
            raise ValueError(f"there is no card {quoted(card)}; there are {_one_of(MARKET)}")
        if card in cards[:place]:
            raise ValueError(f"{card} is named twice in cards")
    if len(cards) > MAX_BOUGHT:
        raise ValueError(f"a deck holds at most {MAX_BOUGHT} bought cards, not {len(cards)}")
    return tuple(cards)


@dataclass(frozen=True, slots=True)
class Player:
    """One side's part of a battle record (1.6).

    `pet` is the unevolved name in lower case, `cards` the bought cards of the deck in the player's order, `tiers` the
    tier (1 to 3) of starters that are not at 1. Raises ValueError for what section 1 does not allow.
    """

    name: str
    pet: str
    evolved: bool = False
    tiers: Mapping[str, int] = field(default_factory=dict)
    cards: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if not isinstance(self.name, str):
            raise ValueError(f"a name is text, not {quoted(self.name)}")
        check_pet(self.pet)
        if type(self.evolved) is not bool:
            raise ValueError(f"evolved is true or false, not {quoted(self.evolved)}")
        object.__setattr__(self, "tiers", MappingProxyType(check_tiers(self.tiers)))
        object.__setattr__(self, "cards", check_bought(self.cards))

    def __reduce__(self) -> tuple[type[Player], tuple[object, ...]]:
        return (Player, (self.name, self.pet, self.evolved, dict(self.tiers), self.cards))

    @property
    def deck(self) -> tuple[str, ...]:
        """The whole deck: the starters, then the bought cards (1.3, 1.4)."""
        return (*STARTERS, *self.cards)

    @property
    def kind(self) -> Pet:
        """What the table of pets says of this one."""
        return PETS[self.pet]

    @property
    def pet_name(self) -> str:
        """What the pet is called now, in lower case: its evolved name if it has evolved (10.2)."""
        return self.kind.called(self.evolved)

    def to_dict(self) -> dict[str, object]:
        """The player as a record has it, without what is the default."""
        out: dict[str, object] = {"name": self.name, "pet": self.pet}
        if self.evolved:
            out["evolved"] = True
        tiers = {name: tier for name, tier in self.tiers.items() if tier != 1}
        if tiers:
            out["tiers"] = tiers
        if self.cards:
            out["cards"] = list(self.cards)
        return out
