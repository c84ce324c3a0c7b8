"""Hypothesis strategies for players, rules, situations and whole battles, and what tests need to play them."""

import random
from typing import Any

from hypothesis import settings
from hypothesis import strategies as st

from summon.battle import Battle
from summon.cards import CARDS, MARKET, MAX_BOUGHT, PETS, STARTERS
from summon.choices import Choice
from summon.player import Player
from summon.position import SIDES, Position
from summon.record import FORMAT, Record
from summon.rules import Rules, Switch, WholeNumbers

settings.register_profile("summon", derandomize=True, deadline=None, max_examples=100)
settings.load_profile("summon")

ALL_CHOICES = (*CARDS, "wait")
"""Everything that may stand in a turn, without amounts."""

names = st.text(max_size=8)
evolutions = st.booleans()
tiers = st.fixed_dictionaries({}, optional={card: st.integers(1, 3) for card in STARTERS})
decks = st.lists(st.sampled_from(MARKET), unique=True, max_size=MAX_BOUGHT).map(tuple)
players = st.builds(Player, name=names, pet=st.sampled_from(list(PETS)), evolved=evolutions, tiers=tiers, cards=decks)


def _value(name: str) -> st.SearchStrategy[Any]:
    """A value of a rule, more often a small one, which makes for livelier battles."""
    rule = Rules.param[name]
    if isinstance(rule, Switch):
        return st.booleans()
    low, high = rule.bounds
    number = st.integers(low, min(high, 6)) | st.integers(low, high)
    return st.tuples(*[number] * rule.length) if isinstance(rule, WholeNumbers) else number


changed_rules = st.fixed_dictionaries({}, optional={name: _value(name) for name in Rules.names()})
"""Any rules at all, as keyword arguments of `Rules`."""

few_changed_rules = st.lists(st.sampled_from(Rules.names()), max_size=6, unique=True).flatmap(
    lambda chosen: st.fixed_dictionaries({name: _value(name) for name in chosen})
)
"""Rules with a few changes, which leave most of a battle as it is."""

rules = (few_changed_rules | changed_rules).map(lambda values: Rules(**values))


@st.composite
def starts(draw: st.DrawFn, both: tuple[Player, Player], by: Rules) -> dict[str, Any]:
    """A record's `start` that is within its bounds; the battle may be over in it."""
    start: dict[str, Any] = draw(st.fixed_dictionaries({}, optional={"turn": st.integers(1, 30)}))
    for name, player in zip(SIDES, both, strict=True):
        setup = by.setup(player)
        ready = st.fixed_dictionaries({}, optional=dict.fromkeys(("sacrifice", "blind", "copycat"), st.integers(1, 40)))
        amounts = st.lists(st.integers(0, 4), max_size=4)
        flags = dict.fromkeys(("boosted", "wild_used", "revive_used", "blinded", "restricted"), st.booleans())
        side = {
            "health": st.integers(0, setup.top),
            "reserve": st.integers(0, setup.reserve_health),
            "streak": st.tuples(st.sampled_from(player.deck), st.integers(1, setup.streak_limit)).map(list),
            "ready": ready,
            "poison": amounts,
            "shield": amounts,
            "block": amounts,
            **flags,
        }
        start[name] = draw(st.fixed_dictionaries({}, optional=side))
    return start


def options(position: Position, side: int) -> list[Choice]:
    """What a side may choose, Sacrifice with its least and its greatest amount."""
    legal = position.legal(side)
    amounts = sorted({1, position.most(side)}) if "sacrifice" in legal else []
    return [*(Choice(card) for card in legal if card != "sacrifice"), *(Choice("sacrifice", n) for n in amounts)]


@st.composite
def records(draw: st.DrawFn, most_turns: int = 10, plain: bool = False) -> Record:
    """A record with some turns played; with `plain`, under the default rules and from full health."""
    both = (draw(players), draw(players))
    by = Rules() if plain else draw(rules)
    begun = Record(both, by.changed())
    if not plain and draw(st.booleans()):
        told = {"format": FORMAT, "players": [player.to_dict() for player in both], "rules": by.to_dict()}
        position = begun.opening()
        start = draw(starts(both, by))
        if not is_over(start, both, by):
            begun = Record.from_dict({**told, "start": start})
    position, turns = begun.opening(), []
    for _ in range(draw(st.integers(0, most_turns))):
        if position.outcome != "unfinished":
            break
        pair = (draw(st.sampled_from(options(position, 0))), draw(st.sampled_from(options(position, 1))))
        turns.append(pair)
        position = position.reveal(*pair).after
    return Record(both, by.changed(), begun.start, tuple(turns))


def is_over(start: dict[str, Any], both: tuple[Player, Player], by: Rules) -> bool:
    """8.2, 8.3: whether a start is a battle that has ended already."""
    down, pending = [], []
    for name, player in zip(SIDES, both, strict=True):
        side = start.get(name, {})
        down.append(side.get("health") == 0)
        pending.append(down[-1] and "revive" in player.cards and not side.get("revive_used", False))
    beaten = [fell and not may for fell, may in zip(down, pending, strict=True)]
    return any(beaten) and not (any(pending) and by.pending_revival_decides)


def random_choice(position: Position, side: int, rng: random.Random) -> Choice:
    """Any legal choice, each card equally likely."""
    card = rng.choice(position.legal(side))
    return Choice(card, rng.randint(1, position.most(side)) if card == "sacrifice" else 0)


def random_player(rng: random.Random) -> Player:
    """Any player at all."""
    cards = rng.sample(MARKET, rng.randint(0, MAX_BOUGHT))
    tier = {card: rng.randint(1, 3) for card in STARTERS}
    return Player("somebody", rng.choice(list(PETS)), rng.random() < 0.5, tier, tuple(cards))


def shown(battle: Battle) -> dict[str, Any]:
    """All that the parameters of a battle and its fighters show, but the names that Param numbers them with."""

    def values(of: Any) -> dict[str, Any]:
        return {name: value for name, value in of.param.values().items() if name != "name"}

    told = values(battle)
    return {**told, "first": values(told["first"]), "second": values(told["second"])}
