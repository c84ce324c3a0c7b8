"""The store as a few plain values: what it must say, told by other means, for the tests that do things at random."""

from dataclasses import dataclass, field

from summon.battle import Battle
from summon.cards import MARKET, MAX_BOUGHT, STARTERS
from summon.profile import ProfileState

PRICES = {f"card:{card}": 10 if card in ("sacrifice", "revive", "copycat") else 5 for card in MARKET}
PRICES |= {"evolution": 25}
PRICES |= {f"tier:{starter}:{tier}": {2: 5, 3: 10}[tier] for starter in STARTERS for tier in (2, 3)}
"""Rules 10.1 to 10.3, written down once more."""


@dataclass
class Owner:
    """What one profile owns: its purchases in order, its deck, its gold, and the battle it is in."""

    pet: str
    gold: int = 0
    items: list[str] = field(default_factory=list)
    deck: list[str] = field(default_factory=list)
    revision: int = 1
    deck_revision: int = 1

    def copy(self) -> "Owner":
        return Owner(self.pet, self.gold, [*self.items], [*self.deck], self.revision, self.deck_revision)

    def may_buy(self, item: str) -> bool:
        needs = item[:-1] + "2" if item.endswith(":3") else None
        return item not in self.items and self.gold >= PRICES[item] and (needs is None or needs in self.items)

    def buy(self, item: str) -> None:
        assert self.may_buy(item)
        self.gold -= PRICES[item]
        self.items.append(item)
        self.revision += 1
        if item.startswith("card:") and len(self.deck) < MAX_BOUGHT:
            self.deck.append(item.removeprefix("card:"))
            self.deck_revision = self.revision

    def may_have(self, deck: list[str]) -> bool:
        owned = [item.removeprefix("card:") for item in self.items]
        return len(deck) <= MAX_BOUGHT and len(set(deck)) == len(deck) and set(deck) <= set(owned)

    def set_deck(self, deck: list[str]) -> None:
        if deck != self.deck:
            self.revision += 1
            self.deck_revision = self.revision
            self.deck = [*deck]

    def pay(self, gold: int) -> None:
        if gold:
            self.gold += gold
            self.revision += 1

    def told(self) -> dict[str, object]:
        """What the store must say of it."""
        return {
            "pet": self.pet,
            "evolved": "evolution" in self.items,
            "gold": self.gold,
            "tiers": {each: 1 + sum(item.startswith(f"tier:{each}:") for item in self.items) for each in STARTERS},
            "cards": [item.removeprefix("card:") for item in self.items if item.startswith("card:")],
            "deck": self.deck,
            "revision": self.revision,
        }


def said(state: ProfileState) -> dict[str, object]:
    """What the store says of a profile, to be compared with `Owner.told`."""
    return {
        "pet": state.pet,
        "evolved": state.evolved,
        "gold": state.gold,
        "tiers": dict(state.tiers),
        "cards": list(state.cards),
        "deck": list(state.deck),
        "revision": state.revision,
    }


def gold_of(battle: Battle, side: int) -> int:
    """Rule 9.1, written down once more."""
    if battle.outcome != ("first", "second")[side]:
        return 0
    mine, other = battle.players[side], battle.players[1 - side]
    return 5 if other.evolved and not mine.evolved else 1
