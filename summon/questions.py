"""The questions of whoever balances the game, each answered from simulated battles as a tidy DataFrame.

A question takes a match-up, which is a record without turns, how many `battles` to play of each match-up that it
compares, and a `seed`. What it compares is played with the same random numbers. Both sides choose as `policies` say, by
default as the computer does (1.7).

Every row is an estimate: `value`, with `low` and `high` as the ends of its 95 % interval (`summon.estimates` says by
which method), and `battles`, on how many it rests. Rates are parts of 1. Where `stop` ends a question early, the rows
rest on what is done so far. Playing needs the extra `lab`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import product
from typing import Any, TypedDict, TypeVar, Unpack

import numpy as np
import pandas as pd

from summon import estimates
from summon.cards import BY_CODE, CARDS, MARKET, MAX_BOUGHT, MAX_TIER, PETS, STARTERS
from summon.events import Event, Kind, events
from summon.market import EVOLUTION_PRICE, TIER_PRICES
from summon.player import Player
from summon.position import SIDES, Round
from summon.quoting import quoted
from summon.record import Record
from summon.rules import Changed, Rules, Switch, WholeNumbers
from summon.simulate import MAX_TURNS, Policy, Tally, observe, simulate, simulated_records

NOTHING = "nothing"
"""What stands for a card in a deck without it."""

_ENDS = ("first", "second", "draw", "unfinished")
_COUNTED = ("battles", *_ENDS, "turns")
_OUTCOME = pd.CategoricalDtype(list(_ENDS))
_SIDE = pd.CategoricalDtype(list(SIDES))
_CARD = pd.CategoricalDtype(list(BY_CODE))
_INSTEAD = pd.CategoricalDtype([NOTHING, *MARKET])
_QUANTILES = {"p10": 0.1, "p25": 0.25, "p50": 0.5, "p75": 0.75, "p90": 0.9}

# That a pet at zero is beaten ends every battle.
_BEATEN = "8.2"

Key = TypeVar("Key", bound=Hashable)


class How(TypedDict, total=False):
    """What every question takes besides: it is handed to the simulator, which says what each means."""

    max_turns: int
    policies: tuple[Policy | None, Policy | None]
    cores: int | None
    progress: Callable[[int, int], object] | None
    stop: Callable[[], bool] | None


def blocks(battles: int, seed: int) -> list[tuple[int, int]]:
    """The blocks in which a comparison is played: how many battles, and the seed. Neighbouring seeds share no block."""
    number = min(estimates.BLOCKS, battles)
    sizes = [battles // number + (place < battles % number) for place in range(number)]
    seeds = np.random.SeedSequence(seed).generate_state(number)
    return [(size, int(block_seed)) for size, block_seed in zip(sizes, seeds, strict=True)]


class _Games:
    """Plays what a question asks for, and tells its progress through all of it."""

    def __init__(self, battles: int, seed: int, how: How) -> None:
        if type(battles) is not int or battles < 1:
            raise ValueError(f"battles is a whole number from 1, not {quoted(battles)}")
        self.battles, self.seed = battles, seed
        self._given: dict[str, Any] = {name: value for name, value in how.items() if name not in ("progress", "stop")}
        self._progress, self._stop = how.get("progress"), how.get("stop")
        self._stopped = False

    def _options(self, done: int, total: int) -> dict[str, Any]:
        def tell(part: int, _: int) -> None:
            if self._progress is not None:
                self._progress(done + part, total)

        return {**self._given, "progress": tell, "stop": None if self._stop is None else self._asked}

    def _asked(self) -> bool:
        self._stopped = self._stopped or (self._stop is not None and self._stop())
        return self._stopped

    def compare(self, records: Mapping[Key, Record]) -> dict[Key, pd.DataFrame]:
        """What came of each match-up, a row for each block that was played of all: the columns are `_COUNTED`.

        A block is played of all of them before the next, so that what is stopped rests on the same battles.
        """
        counted: dict[Key, list[tuple[int, ...]]] = {key: [] for key in records}
        done, total = 0, self.battles * len(records)
        for size, seed in blocks(self.battles, self.seed):
            block = []
            for record in records.values():
                block.append(tuple(simulate(record, size, seed, **self._options(done, total)))[: len(_COUNTED)])
                done += size
                if self._asked():
                    break
            if len(block) < len(records) or any(totals[0] < size for totals in block):
                break
            for key, totals in zip(records, block, strict=True):
                counted[key].append(totals)
        return {key: pd.DataFrame(rows, columns=list(_COUNTED), dtype="int64") for key, rows in counted.items()}

    def observe(self, record: Record) -> Tally:
        """The tally of one match-up."""
        return observe(record, self.battles, self.seed, **self._options(0, self.battles))

    def observe_blocks(self, record: Record) -> list[Tally]:
        """The tallies of one match-up, block by block; the last one may be short where it was stopped."""
        tallies: list[Tally] = []
        done = 0
        for size, seed in blocks(self.battles, self.seed):
            tallies.append(observe(record, size, seed, **self._options(done, self.battles)))
            done += size
            if self._asked():
                break
        return tallies

    def records(self, record: Record) -> Iterable[Record]:
        """The battles of one match-up as records."""
        given = {name: value for name, value in self._given.items() if name in ("max_turns", "policies")}
        for done, played in enumerate(simulated_records(record, self.battles, self.seed, **given), 1):
            yield played
            if self._progress is not None:
                self._progress(done, self.battles)
            if self._asked():
                return


def _frame(rows: Iterable[Mapping[str, object]], columns: Mapping[str, Any]) -> pd.DataFrame:
    """A tidy frame of rows, with the columns and types of a question and of its estimates."""
    types = {**columns, "battles": "int64", "value": "float64", "low": "float64", "high": "float64"}
    return pd.DataFrame(list(rows), columns=list(types)).astype(types)


def _told(estimate: estimates.Estimate) -> dict[str, float]:
    return {name: float(part) for name, part in estimate._asdict().items()}


def _from_the_beginning(record: Record) -> None:
    if record.start is not None:
        raise ValueError("this question changes what the battle begins with, so its match-up may have no start")


def _gain(one: pd.DataFrame, other: pd.DataFrame, counted: str = "first", most: float = 1.0) -> dict[str, float]:
    """How much more of something there is in a battle of one match-up than of another."""
    return _told(estimates.difference(one[counted], other[counted], other["battles"], most))


# Who wins


def all_pets(cards: Sequence[str] = ("wild",), evolved: bool = False) -> list[Player]:
    """Every pet once, with these bought cards; unevolved ones differ in nothing but their Wilds."""
    return [Player(pet.called(evolved), pet.name, evolved, cards=tuple(cards)) for pet in PETS.values()]


def matchups(
    entrants: Sequence[Player] | None = None,
    *,
    rules: Rules | None = None,
    battles: int = 20_000,
    seed: int = 0,
    **how: Unpack[How],
) -> pd.DataFrame:
    """How every entrant does against every other one, and against its like: win, loss, draw, or unfinished.

    Entrants are told apart by their names, and are by default `all_pets()`. A row is an `outcome` between `first` and
    `second`, with its `count`; the interval is Wilson's. The rules are the same for both sides, so a pair is played
    once and told both ways, unless the sides have different policies. Raises ValueError where two have one name.
    """
    players = all_pets() if entrants is None else list(entrants)
    names = [player.name for player in players]
    if len(set(names)) < len(names):
        raise ValueError(f"the entrants need names of their own, and these are {quoted(names)}")
    changed = () if rules is None else rules.changed()
    one_policy, other_policy = how.get("policies", (None, None))
    both_ways = one_policy == other_policy
    places = range(len(players))
    pairs = {
        (one, two): Record((players[one], players[two]), changed)
        for one, two in product(places, places)
        if one <= two or not both_ways
    }
    played = {pair: counted.sum() for pair, counted in _Games(battles, seed, how).compare(pairs).items()}
    swapped = {"first": "second", "second": "first"}

    def rows() -> Iterable[dict[str, object]]:
        for one, two in product(places, places):
            mirrored = (one, two) not in played
            counted = played[(two, one) if mirrored else (one, two)]
            for outcome in _ENDS:
                count = counted[swapped.get(outcome, outcome) if mirrored else outcome]
                told = _told(estimates.rate(count, counted["battles"]))
                pair = {"first": names[one], "second": names[two], "outcome": outcome}
                yield {**pair, "count": count, "battles": counted["battles"], **told}

    of = pd.CategoricalDtype(names)
    return _frame(rows(), {"first": of, "second": of, "outcome": _OUTCOME, "count": "int64"})


# What a card, a tier and evolution are worth


def card_worth(record: Record, *, battles: int = 20_000, seed: int = 0, **how: Unpack[How]) -> pd.DataFrame:
    """What each card is worth to the first side: how much more often it wins with the card than with another deck.

    A row compares the deck with `card` to the same deck with another card `instead`, or with `nothing`: for a bought
    card of the deck, `nothing` and each card that is not in it; for any other card `nothing` alone, where the deck has
    room (1.4). `with_it` and `without` are the rates of winning, and `value` is their difference (paired batch means).
    The second side stays as it is, also where it is a computer (1.7).
    """
    _from_the_beginning(record)
    deck = record.players[0].cards
    spare = [card for card in MARKET if card not in deck]
    compared: list[tuple[str, str, tuple[str, ...], tuple[str, ...]]] = []
    for card in MARKET:
        if card in deck:
            rest = tuple(other for other in deck if other != card)
            compared += [(card, NOTHING, deck, rest), *((card, other, deck, (*rest, other)) for other in spare)]
        elif len(deck) < MAX_BOUGHT:
            compared.append((card, NOTHING, (*deck, card), deck))
    decks = {frozenset(cards): cards for _, _, one, other in compared for cards in (one, other)}
    played = _Games(battles, seed, how).compare(
        {key: _with_first(record, cards=cards) for key, cards in decks.items()},
    )

    def rows() -> Iterable[dict[str, object]]:
        for card, instead, one, other in compared:
            with_it, without = played[frozenset(one)], played[frozenset(other)]
            pair = {"card": card, "instead": instead, "in_deck": card in deck}
            rates = {"with_it": _rate_of_winning(with_it), "without": _rate_of_winning(without)}
            yield {**pair, **rates, "battles": with_it["battles"].sum(), **_gain(with_it, without)}

    types = {"card": _CARD, "instead": _INSTEAD, "in_deck": "bool", "with_it": "float64", "without": "float64"}
    return _frame(rows(), types)


def _with_first(record: Record, **changes: Any) -> Record:
    return replace(record, players=(replace(record.players[0], **changes), record.players[1]))


def _rate_of_winning(counted: pd.DataFrame) -> float:
    total = counted["battles"].sum()
    return float(counted["first"].sum() / total) if total else float("nan")


def price_worth(record: Record, *, battles: int = 20_000, seed: int = 0, **how: Unpack[How]) -> pd.DataFrame:
    """What the first side's gold buys: how much more often it wins with one more thing from the market (10.1 to 10.3).

    A row is an `item` as the market names it (`card:wild`, `evolution`, `tier:attack:3`) that the first side has not
    got, and for which its deck has room; `gold` is its price, of a tier that of all steps up to it. `value` is what is
    gained (paired batch means), and `per_gold` is that for each gold, with `per_gold_low` and `per_gold_high`.
    """
    _from_the_beginning(record)
    player = record.players[0]
    items: dict[str, tuple[int, dict[str, Any]]] = {}
    if len(player.cards) < MAX_BOUGHT:
        for card in MARKET:
            if card not in player.cards:
                items[f"card:{card}"] = (CARDS[card].price, {"cards": (*player.cards, card)})
    if not player.evolved:
        items["evolution"] = (EVOLUTION_PRICE, {"evolved": True})
    for card, tier in product(STARTERS, range(2, MAX_TIER + 1)):
        if tier > player.tiers[card]:
            price = _price_of_tier(tier) - _price_of_tier(player.tiers[card])
            items[f"tier:{card}:{tier}"] = (price, {"tiers": {**player.tiers, card: tier}})
    records = {item: _with_first(record, **changes) for item, (_, changes) in items.items()}
    played = _Games(battles, seed, how).compare({"": record, **records})

    def rows() -> Iterable[dict[str, object]]:
        for item, (gold, _) in items.items():
            gain = _gain(played[item], played[""])
            each = {"per_gold": gain["value"], "per_gold_low": gain["low"], "per_gold_high": gain["high"]}
            told = {"item": item, "gold": gold, **{name: part / gold for name, part in each.items()}}
            yield {**told, "battles": played[item]["battles"].sum(), **gain}

    per_gold = dict.fromkeys(("per_gold", "per_gold_low", "per_gold_high"), "float64")
    return _frame(rows(), {"item": "str", "gold": "int16", **per_gold})


def _price_of_tier(tier: int) -> int:
    """10.3: what it costs to have a starter at a tier."""
    return sum(TIER_PRICES[step] for step in range(2, tier + 1))


def evolution_and_tiers(record: Record, *, battles: int = 10_000, seed: int = 0, **how: Unpack[How]) -> pd.DataFrame:
    """How often the first side wins with every evolution and tiers that it could have, by the gold spent on these.

    A row is `evolved` or not with the tiers of `attack`, `heal` and `counter`; `gold` is the price of all of it, from
    nothing (10.2, 10.3), the deck's cards not counted. The interval is Wilson's. `best` says that nothing for as much
    gold or less has a larger value in this sample: these are the steps of a ladder, but where intervals overlap, who is
    best may be chance.
    """
    _from_the_beginning(record)
    tiers = range(1, MAX_TIER + 1)
    kinds = list(product((False, True), tiers, tiers, tiers))
    records = {
        kind: _with_first(record, evolved=kind[0], tiers=dict(zip(STARTERS, kind[1:], strict=True))) for kind in kinds
    }
    played = _Games(battles, seed, how).compare(records)

    def rows() -> Iterable[dict[str, object]]:
        for kind in kinds:
            counted = played[kind].sum()
            gold = EVOLUTION_PRICE * kind[0] + sum(_price_of_tier(tier) for tier in kind[1:])
            told = dict(zip(("evolved", *STARTERS), kind, strict=True)) | {"gold": gold, "best": False}
            yield {
                **told,
                "battles": counted["battles"],
                **_told(estimates.rate(counted["first"], counted["battles"])),
            }

    types = {"evolved": "bool", **dict.fromkeys(STARTERS, "int8"), "gold": "int16", "best": "bool"}
    frame = _frame(rows(), types).sort_values(["gold", "value"], ascending=[True, False], kind="stable")
    frame = frame.reset_index(drop=True)
    frame["best"] = frame["value"] > frame["value"].cummax().shift(fill_value=-1.0)
    return frame


# From the first turn to the last


def first_to_last(record: Record, *, battles: int = 100_000, seed: int = 0, **how: Unpack[How]) -> pd.DataFrame:
    """Both sides' health turn by turn, and how long battles last.

    `measure` says what a row is about. `health`: a `side`'s health at the end of a `turn` of those battles that had it,
    where `battles` says how many these are; `value` is the mean (normal interval), and `p10` to `p90` are the bands
    that hold 80 and 50 of 100 battles, and the median. `length`: the part of all battles that ended with this turn
    (Wilson's interval); `side` and bands are empty. Turns are counted from the beginning of the battle or its start,
    from 1; battles that were unfinished after the most turns are in no length.
    """
    tally = _Games(battles, seed, how).observe(record)
    health = np.asarray(tally.health)
    reached = health.sum(axis=-1)
    means = estimates.mean(np.arange(health.shape[-1]), health)
    bands = {name: estimates.quantile(health, part) for name, part in _QUANTILES.items()}
    total = tally.totals.battles
    most = how.get("max_turns", MAX_TURNS)

    def rows() -> Iterable[dict[str, object]]:
        for side, turn in zip(*np.nonzero(reached), strict=True):
            row = {"measure": "health", "side": SIDES[side], "turn": turn + 1, "battles": reached[side, turn]}
            row |= {name: part[side, turn] for name, part in means._asdict().items()}
            yield row | {name: band[side, turn] for name, band in bands.items()}
        ended = np.array(tally.lengths)
        ended[most] -= tally.totals.unfinished
        for turn in range(1, int(np.nonzero(ended)[0].max(initial=0)) + 1):
            told = _told(estimates.rate(ended[turn], total))
            yield {"measure": "length", "turn": turn, "battles": total, **told}

    measure = pd.CategoricalDtype(["health", "length"])
    types = {"measure": measure, "side": _SIDE, "turn": "int32", **dict.fromkeys(_QUANTILES, "float64")}
    return _frame(rows(), types)


def card_against_card(record: Record, *, battles: int = 50_000, seed: int = 0, **how: Unpack[How]) -> pd.DataFrame:
    """Which card against which: how battles end in which the first side chose one card as the second chose another.

    A row is a pair of cards chosen in the same turn, and `turns` on how many; `value` is the payoff to the first side,
    from -1 to 1: the part of these turns whose battles it won, less the part whose battles it lost (turns of unfinished
    battles count as neither). The turns of one battle belong together, so the interval is that of a ratio between
    blocks, or Wilson's where that is wider. `battles` is how many were played in all.

    This is what went together, not what a card brings about: a card that is chosen by those who are losing, as Revive
    is, has a low payoff, however useful it is. For that there is `card_worth`.
    """
    tallies = _Games(battles, seed, how).observe_blocks(record)
    pairs = np.stack([tally.pairs for tally in tallies])
    turns, won, lost = (pairs[..., place] for place in range(3))
    payoff = estimates.balance(won, lost, turns)
    total = sum(tally.totals.battles for tally in tallies)
    often = turns.sum(axis=0)

    def rows() -> Iterable[dict[str, object]]:
        for one, two in zip(*np.nonzero(often), strict=True):
            row = {"first": BY_CODE[one], "second": BY_CODE[two], "turns": often[one, two], "battles": total}
            yield row | {name: part[one, two] for name, part in payoff._asdict().items()}

    return _frame(rows(), {"first": _CARD, "second": _CARD, "turns": "int64"})


# The rules themselves


def rules_fired(record: Record, *, battles: int = 1_000, seed: int = 0, **how: Unpack[How]) -> pd.DataFrame:
    """How often each rule fires, by its number, and how often it decides the battle.

    A rule fires where an event or a part of its number names it (`summon.events`); rules that no event names, as those
    of what may be chosen, are not told. `measure` says what a row is about: `fires` is the part of all battles in which
    the rule fired at least once, `times` how often it fired a battle, and `decides` the part of the battles that ended
    in which it decided (`deciding_rules`). Intervals are Wilson's, of `times` the normal one. Battles are replayed in
    plain Python, so this is for thousands of them, not for millions.
    """
    total, ended = 0, 0
    times: dict[str, Counter[int]] = {}
    decided: Counter[str] = Counter()
    for played in _Games(battles, seed, how).records(record):
        rounds = list(played.play())
        fired = Counter(rule for round_ in rounds for event in events(round_) for rule in _rules_of(event))
        total += 1
        for rule, often in fired.items():
            times.setdefault(rule, Counter())[often] += 1
        if rounds and rounds[-1].after.outcome != "unfinished":
            ended += 1
            decided.update(deciding_rules(rounds[-1]))

    def rows() -> Iterable[dict[str, object]]:
        for rule in sorted(times, key=_by_number):
            in_battles = sum(times[rule].values())
            often = Counter({**times[rule], 0: total - in_battles})
            for measure, trials, estimate in (
                ("fires", total, estimates.rate(in_battles, total)),
                ("times", total, estimates.mean(list(often), list(often.values()))),
                ("decides", ended, estimates.rate(decided[rule], ended)),
            ):
                if rule == _BEATEN and measure == "decides":
                    continue
                yield {"rule": rule, "measure": measure, "battles": trials, **_told(estimate)}

    rule = pd.CategoricalDtype(sorted(times, key=_by_number))
    return _frame(rows(), {"rule": rule, "measure": pd.CategoricalDtype(["fires", "times", "decides"])})


def deciding_rules(last: Round) -> set[str]:
    """The numbers of the rules that decided a battle, from its last turn.

    Those are the rules of every event that took health from a pet which is beaten in this turn, with what was added to
    the number of that event, and of every event that stopped its Heal or Revive. Where no pet is beaten in it, the
    other's return by Revive has decided (8.3). That a pet at zero is beaten (8.2) ends every battle, and is left out.
    """
    told = events(last)
    beaten = {event.on for event in told if event.kind == Kind.KNOCKOUT and event.rule == _BEATEN}
    if not beaten:
        return {event.rule for event in told if event.kind == Kind.RETURN}
    rules: set[str] = set()
    health = [side.health for side in last.before.sides]
    for event in told:
        lost = event.health[event.on] < health[event.on]
        if event.on in beaten and (lost or event.kind == Kind.STOP):
            rules |= {event.rule, *(part.rule for part in event.parts if part.number > 0)}
        health = list(event.health)
    return rules


def _rules_of(event: Event) -> set[str]:
    return {event.rule, *(part.rule for part in event.parts if part.number)}


def _by_number(rule: str) -> tuple[int, ...]:
    return tuple(int(part) for part in rule.split("."))


def rules_changed(
    record: Record, names: Sequence[str] | None = None, *, battles: int = 20_000, seed: int = 0, **how: Unpack[How]
) -> pd.DataFrame:
    """Which number or switch of section 12 changes how much, if it alone is changed in the match-up's rules.

    Switches are turned, and numbers and lists of numbers made 1 larger and 1 smaller, as far as their bounds allow.
    `names` limits it to some of `Rules.names()`; ValueError where there is no such rule. A row is a `change` to a
    `name`, which belongs to `rule`, and what it does to a `measure`: the part of battles that the `first` side wins,
    the part that is a `draw`, and the mean number of `turns`; `value` is after less before (paired batch means).
    """
    _from_the_beginning(record)
    asked = Rules.names() if names is None else tuple(names)
    unknown = [name for name in asked if name not in Rules.names()]
    if unknown:
        raise ValueError(f"there is no rule named {quoted(unknown[0])}")
    changes = [(name, after) for name in asked for after in _changes(record.rules, name)]
    most = {"first": 1.0, "draw": 1.0, "turns": float(how.get("max_turns", MAX_TURNS))}
    before = record.rules
    records: dict[tuple[str, Any] | None, Record] = {None: record}
    records |= {(name, after): replace(record, changed=_changed(before, name, after)) for name, after in changes}
    played = _Games(battles, seed, how).compare(records)

    def rows() -> Iterable[dict[str, object]]:
        for name, after in changes:
            counted = played[(name, after)]
            told = {"name": name, "rule": Rules.rule_of(name), "change": _arrow(getattr(before, name), after)}
            for measure, limit in most.items():
                gain = _gain(counted, played[None], measure, limit)
                yield {**told, "measure": measure, "battles": counted["battles"].sum(), **gain}

    name = pd.CategoricalDtype(list(Rules.names()))
    return _frame(rows(), {"name": name, "rule": "str", "change": "str", "measure": pd.CategoricalDtype(list(most))})


def _changes(rules: Rules, name: str) -> list[Any]:
    """What a rule is changed to."""
    rule, value = Rules.param[name], getattr(rules, name)
    if isinstance(rule, Switch):
        return [not value]
    low, high = rule.bounds
    if isinstance(rule, WholeNumbers):
        moved = [tuple(number + step for number in value) for step in (-1, 1)]
        return [numbers for numbers in moved if all(low <= number <= high for number in numbers)]
    return [number for number in (value - 1, value + 1) if low <= number <= high]


def _changed(rules: Rules, name: str, value: object) -> Changed:
    other = rules.copy()
    other.param.update(**{name: value})
    return other.changed()


def _arrow(before: object, after: object) -> str:
    """A change in short: `5 → 6`, `off → on`, `1, 2, 3 → 2, 3, 4`."""

    def short(value: object) -> str:
        if isinstance(value, bool):
            return "on" if value else "off"
        return ", ".join(str(number) for number in value) if isinstance(value, tuple) else str(value)

    return f"{short(before)} → {short(after)}"
