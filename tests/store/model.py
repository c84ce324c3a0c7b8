"""The store as a few plain values: what it must say, told by other means, for the tests that do things at random."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from summon.battle import Battle
from summon.cards import MARKET, MAX_BOUGHT, STARTERS
from summon.player import Player
from summon.position import SIDES
from summon.profile import ProfileState

PRICES = {f"card:{card}": 10 if card in ("sacrifice", "revive", "copycat") else 5 for card in MARKET}
PRICES |= {"evolution": 25}
PRICES |= {f"tier:{starter}:{tier}": {2: 5, 3: 10}[tier] for starter in STARTERS for tier in (2, 3)}
"""Rules 10.1 to 10.3, written down once more."""


@dataclass
class Owner:
    """What one profile owns: its purchases in order, its deck and its gold."""

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

    def player(self) -> Player:
        """What it brings to a battle."""
        told = self.told()
        return Player("somebody", self.pet, told["evolved"], told["tiers"], tuple(self.deck))

    def told(self) -> dict[str, Any]:
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


@dataclass(frozen=True)
class Fight:
    """A battle as far as it is saved: who plays which side (0 or 1), and how it ended, once it has."""

    id: str
    kind: str
    battle: Battle
    seats: dict[str, int]
    ended: str = ""
    outcome: str = "unfinished"

    @property
    def counts(self) -> bool:
        """Rule 9.2: not where it was left before the first reveal."""
        return bool(self.ended) and not (self.ended == "left" and not self.battle.rounds)

    def gold(self, name: str) -> int:
        """Rules 9.1 and 9.3, written down once more."""
        side = self.seats[name]
        if self.kind == "practice" or self.outcome != SIDES[side]:
            return 0
        mine, other = self.battle.players[side], self.battle.players[1 - side]
        return 5 if other.evolved and not mine.evolved else 1


@dataclass
class World:
    """Everything that is kept: owners by a name of the model's own, browsers by their token, battles by their id."""

    owners: dict[str, Owner] = field(default_factory=dict)
    browsers: dict[str, str | None] = field(default_factory=dict)
    fights: dict[str, Fight] = field(default_factory=dict)

    def copy(self) -> "World":
        owners = {name: owner.copy() for name, owner in self.owners.items()}
        return World(owners, {**self.browsers}, {**self.fights})

    def fight_of(self, name: str) -> Fight | None:
        """Rule 11.5: the one battle that an owner is in."""
        return next((it for it in self.fights.values() if name in it.seats and not it.ended), None)

    def end(self, fight: Fight, battle: Battle, outcome: str, ended: str) -> Fight:
        """End a battle and pay for it, if that has not been done."""
        if not fight.ended:
            fight = replace(fight, battle=battle, outcome=outcome, ended=ended)
            self.fights[fight.id] = fight
            for name in fight.seats:
                self.owners[name].pay(fight.gold(name))
        return fight

    def told(self, ids: Mapping[str, str]) -> dict[str, Any]:
        """What the store must say of it all, its id for each owner given."""
        return {
            "browsers": {token: name and ids[name] for token, name in self.browsers.items()},
            "profiles": {ids[name]: self._told(name, ids) for name in self.owners},
        }

    def _told(self, name: str, ids: Mapping[str, str]) -> dict[str, Any]:
        now, mine = self.fight_of(name), [it for it in self.fights.values() if name in it.seats and it.counts]
        return {
            **self.owners[name].told(),
            "fighting": now and (now.id, now.kind, seated(now, ids), len(now.battle.rounds)),
            "history": {
                it.id: (it.outcome, it.ended, {ids[who]: it.gold(who) for who in it.seats}, len(it.battle.rounds))
                for it in mine
            },
        }


def seated(fight: Fight, ids: Mapping[str, str]) -> dict[str, str]:
    """The seats of a battle as the store has them."""
    return {ids[name]: SIDES[side] for name, side in fight.seats.items()}
