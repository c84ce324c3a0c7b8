"""The market (section 10): what there is to buy, what it costs, who may buy it now, and what it changes."""

from __future__ import annotations

from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import NamedTuple

from summon.cards import CARDS, MARKET, MAX_BOUGHT, MAX_TIER, STARTERS
from summon.profile import ProfileState, Refused, Why
from summon.quoting import quoted

EVOLUTION_PRICE = 25
"""The gold of evolution (10.2)."""

TIER_PRICES = MappingProxyType({2: 5, 3: 10})
"""The gold of each tier of a starter (10.3)."""


@dataclass(frozen=True, slots=True)
class Item:
    """Something to buy, by its name: `card:poison`, `evolution` or `tier:attack:2`.

    `price` is in gold and `rule` the number that states it. `card` is the card that is bought, or the starter whose
    `tier` is; both are empty where they do not apply.
    """

    name: str
    price: int
    rule: str
    card: str = ""
    tier: int = 0


_ITEMS = (
    *(Item(f"card:{card}", CARDS[card].price, "10.1", card) for card in MARKET),
    Item("evolution", EVOLUTION_PRICE, "10.2"),
    *(
        Item(f"tier:{card}:{tier}", TIER_PRICES[tier], "10.3", card, tier)
        for card in STARTERS
        for tier in range(2, MAX_TIER + 1)
    ),
)

ITEMS = MappingProxyType({item.name: item for item in _ITEMS})
"""Everything that is sold (10.1 to 10.3)."""


class Offer(NamedTuple):
    """An item as the market offers it to a profile.

    `refused` says why it cannot be bought now, or is None. `after` is the profile with the item and before it is paid:
    where that differs from the profile is what the item changes.
    """

    item: Item
    refused: Refused | None
    after: ProfileState

    @property
    def price(self) -> int:
        """What it costs, in gold."""
        return self.item.price

    @property
    def missing(self) -> int:
        """How much gold is missing; 0 where there is enough, or where gold is not the reason."""
        return self.refused.number if self.refused is not None and self.refused.why is Why.GOLD else 0


def item_of(name: str) -> Item:
    """The item of a name; ValueError where nothing of that name is sold."""
    try:
        return ITEMS[name]
    except (KeyError, TypeError):
        raise ValueError(f"the market does not sell {quoted(name)}") from None


def owns(state: ProfileState, item: Item) -> bool:
    """Whether a profile has an item (10.5)."""
    if item.tier:
        return state.tiers[item.card] >= item.tier
    return item.card in state.cards if item.card else state.evolved


def refusal(state: ProfileState, item: Item) -> Refused | None:
    """10.1 to 10.3, 10.5: why an item is not sold to a profile now, or None where it is."""
    if owns(state, item):
        return Refused(Why.OWNED, item.rule, item.name)
    if item.tier and state.tiers[item.card] < item.tier - 1:
        return Refused(Why.TIER_FIRST, "10.3", item.name, item.tier - 1)
    if state.gold < item.price:
        return Refused(Why.GOLD, "10.5", item.name, item.price - state.gold)
    return None


def offer(state: ProfileState, name: str) -> Offer:
    """An item as it is offered to a profile; ValueError where nothing of that name is sold."""
    item = item_of(name)
    return Offer(item, refusal(state, item), state if owns(state, item) else added(state, item))


def offers(state: ProfileState) -> list[Offer]:
    """Everything that is sold, as it is offered to a profile."""
    return [offer(state, name) for name in ITEMS]


def bought(state: ProfileState, name: str) -> ProfileState:
    """10.1 to 10.5: the profile after buying an item; Refused where it is not sold to it now.

    What a battle under way brought along is not touched (10.4): a battle goes by what each side had at its start.
    """
    item = item_of(name)
    refused = refusal(state, item)
    if refused is not None:
        raise refused
    return replace(added(state, item), gold=state.gold - item.price)


def added(state: ProfileState, item: Item) -> ProfileState:
    """The profile with an item besides, whatever it costs; a card goes into the deck while there is room (1.4)."""
    if item.tier:
        return replace(state, tiers={**state.tiers, item.card: item.tier})
    if not item.card:
        return replace(state, evolved=True)
    deck = (*state.deck, item.card) if len(state.deck) < MAX_BOUGHT else state.deck
    return replace(state, cards=(*state.cards, item.card), deck=deck)
