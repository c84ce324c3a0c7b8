"""What a person owns: a profile's state, the same as a Param object, and why something asked of it is refused.

`ProfileState` is a plain value that cannot break the rules of sections 1 and 10; `summon.store` keeps and returns it.
`Profile` shows one to whoever watches.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from enum import StrEnum
from types import MappingProxyType

import param

from summon.cards import MARKET, MAX_BOUGHT, PETS, Pet
from summon.player import Player, check_bought, check_pet, check_tiers
from summon.quoting import quoted


class Why(StrEnum):
    """Why something asked of a profile is refused."""

    OWNED = "owned"
    """It is bought already (10.1 to 10.3, 10.5)."""
    TIER_FIRST = "tier first"
    """Tier 3 is sold to who has tier 2 (10.3)."""
    GOLD = "gold"
    """There is too little gold (10.5); `number` says how much is missing."""
    NOT_OWNED = "not owned"
    """A deck holds cards of one's own (1.4)."""
    TWICE = "twice"
    """A deck holds a card once (1.4)."""
    DECK_FULL = "deck full"
    """A deck holds at most seven bought cards (1.4); `number` says how many."""
    HAS_PROFILE = "has profile"
    """This browser has a profile, whose pet is for good (1.1)."""
    IN_BATTLE = "in battle"
    """One of the profiles is in a battle (11.5)."""
    BATTLE_KNOWN = "battle known"
    """There was a battle of this name before."""
    BATTLE_OVER = "battle over"
    """The battle has ended."""
    FRIEND_BUSY = "friend busy"
    """The one who is to play with this profile is in another battle (11.5)."""
    NOT_INVITED = "not invited"
    """There is no open invitation of this name, whether there was one or not (1.8)."""
    OWN_INVITATION = "own invitation"
    """Nobody plays against themselves (11.5)."""


class Refused(ValueError):
    """Something was asked of a profile that a rule forbids; nothing has changed.

    `why` is the reason, `rule` its number in the rulebook, `subject` the card, item, pet or battle that it is about,
    and `number` what the reason counts.
    """

    def __init__(self, why: Why, rule: str, subject: str = "", number: int = 0) -> None:
        self.why, self.rule, self.subject, self.number = why, rule, subject, number
        super().__init__(f"{quoted(subject)}: {why} (rule {rule})")

    def __reduce__(self) -> tuple[type[Refused], tuple[Why, str, str, int]]:
        return (Refused, (self.why, self.rule, self.subject, self.number))


@dataclass(frozen=True, slots=True)
class ProfileState:
    """What a person owns, at one moment.

    `id` names the profile and tells nothing else. `revision` grows by one with every change. `cards` are the bought
    cards in the order in which they were bought, `deck` those of them that come along to a battle, in the player's
    order. `saved` is when the last change was saved. Raises ValueError for what sections 1 and 10 do not allow.
    """

    id: str
    pet: str
    evolved: bool = False
    gold: int = 0
    tiers: Mapping[str, int] = field(default_factory=dict)
    cards: tuple[str, ...] = ()
    deck: tuple[str, ...] = ()
    revision: int = 1
    saved: datetime | None = None

    def __post_init__(self) -> None:
        check_pet(self.pet)
        if type(self.gold) is not int or self.gold < 0:
            raise ValueError(f"gold is a whole number and never below 0, not {quoted(self.gold)} (rule 10.5)")
        unknown = [card for card in self.cards if card not in MARKET]
        if unknown or len(set(self.cards)) < len(self.cards):
            raise ValueError(f"a card of the market is owned once, not as in {quoted(self.cards)} (rule 10.1)")
        if not set(self.deck) <= set(self.cards):
            raise ValueError(f"the deck {quoted(self.deck)} holds a card that is not owned (rule 1.4)")
        object.__setattr__(self, "tiers", MappingProxyType(check_tiers(self.tiers)))
        object.__setattr__(self, "deck", check_bought(self.deck))

    def __reduce__(self) -> tuple[type[ProfileState], tuple[object, ...]]:
        values = (self.id, self.pet, self.evolved, self.gold, dict(self.tiers), self.cards, self.deck)
        return (ProfileState, (*values, self.revision, self.saved))

    @property
    def kind(self) -> Pet:
        """What the table of pets says of its pet."""
        return PETS[self.pet]

    @property
    def pet_name(self) -> str:
        """What the pet is called now, in lower case: its evolved name if it has evolved (10.2)."""
        return PETS[self.pet].called(self.evolved)

    def player(self, name: str) -> Player:
        """1.6: what it brings to a battle that starts now."""
        return Player(name, self.pet, self.evolved, dict(self.tiers), self.deck)

    def with_deck(self, cards: tuple[str, ...]) -> ProfileState:
        """The same with another deck; Refused for a card that is not owned or named twice, or too many (1.4)."""
        for place, card in enumerate(cards):
            if card not in MARKET:
                raise ValueError(f"{quoted(card)} is not a card that is bought")
            if card not in self.cards:
                raise Refused(Why.NOT_OWNED, "1.4", card)
            if card in cards[:place]:
                raise Refused(Why.TWICE, "1.4", card)
        if len(cards) > MAX_BOUGHT:
            raise Refused(Why.DECK_FULL, "1.4", cards[MAX_BOUGHT], MAX_BOUGHT)
        return replace(self, deck=tuple(cards))


class Profile(param.Parameterized):
    """What a person owns, for whoever shows it; `take` brings it up to what the store says.

    All parameters are set by `take` alone, and in one batch, so that whoever watches sees one moment.
    """

    id = param.String(constant=True, doc="Names the profile, and tells nothing else.")
    revision = param.Integer(default=1, constant=True, doc="11.1: grows by one with every change that is saved.")
    pet: param.Selector[str] = param.Selector(
        default="moss", objects=list(PETS), constant=True, doc="1.1: the unevolved name."
    )
    evolved = param.Boolean(default=False, constant=True, doc="10.2: whether it has evolved.")
    gold = param.Integer(default=0, bounds=(0, None), constant=True, doc="9.1, 10.5: the gold that is left.")
    tiers = param.Dict(default={}, constant=True, doc="10.3: the tier (1 to 3) of each starter.")
    cards = param.ClassSelector(class_=tuple, default=(), constant=True, doc="10.1: the cards bought, in order.")
    deck = param.ClassSelector(class_=tuple, default=(), constant=True, doc="1.4: the bought cards of the deck.")
    saved = param.Date(default=None, allow_None=True, constant=True, doc="11.1: when the last change was saved, UTC.")

    def __init__(self, state: ProfileState) -> None:
        super().__init__(**_shown(state))
        self._state = state

    @property
    def state(self) -> ProfileState:
        """The same as a plain value."""
        return self._state

    def take(self, state: ProfileState) -> None:
        """Show what the store returned. What is older than what is shown changes nothing; ValueError for another's."""
        if state.id != self.id:
            raise ValueError("this is the state of another profile")
        if state.revision < self.revision:
            return
        self._state = state
        with param.edit_constant(self):
            self.param.update(**_shown(state))

    def player(self, name: str) -> Player:
        """1.6: what it brings to a battle that starts now."""
        return self._state.player(name)

    def __repr__(self) -> str:
        return f"<Profile: {self._state.pet_name}, {self.gold} gold>"

    __str__ = __repr__


def _shown(state: ProfileState) -> dict[str, object]:
    return {name: getattr(state, name) for name in ("id", "revision", "pet", "evolved", "gold", "cards", "deck")} | {
        "tiers": dict(state.tiers),
        "saved": state.saved,
    }
