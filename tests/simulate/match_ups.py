"""Match-ups for the tests of the simulator, and what its battles come to by the plain rules."""

import random
from collections import Counter
from collections.abc import Iterable
from typing import Any

import numpy as np

from summon.cards import BY_CODE
from summon.position import OUTCOMES, SIDES
from summon.record import FORMAT, Record, RecordError, fork
from summon.rules import Rules, Switch, WholeNumbers
from summon.simulate import Tally, Totals
from tests.strategies import random_choice, random_player

TEN_CARDS = ["poison", "blind", "sacrifice", "shield", "hide", "copycat", "revive"]
"""The bought cards of a deck of ten."""


def match_up_of(first: dict[str, Any], second: dict[str, Any], **more: Any) -> Record:
    """A record without turns."""
    return Record.from_dict({"format": FORMAT, "players": [first, second], **more})


def ten_cards(**more: Any) -> Record:
    """Two unevolved pets with ten cards each."""
    return match_up_of({"pet": "moss", "cards": TEN_CARDS}, {"pet": "spark", "cards": TEN_CARDS}, **more)


def random_match_up(rng: random.Random) -> Record:
    """Any players by any rules; half of them begin in the middle of a battle."""
    record = Record((random_player(rng), random_player(rng)), _random_rules(rng).changed())
    position = record.opening()
    for _ in range(rng.choice((0, 0, 2, 5, 12))):
        position = position.reveal(*(random_choice(position, side, rng) for side in range(2))).after
        if position.outcome != "unfinished":
            return record
    started = Record(record.players, record.changed, fork(position))
    try:
        started.to_dict()
    except RecordError:
        return record
    return started


def _random_rules(rng: random.Random) -> Rules:
    how_many = rng.choice((0, 4, len(Rules.names())))
    return Rules(**{name: _random_value(Rules.param[name], rng) for name in rng.sample(Rules.names(), how_many)})


def _random_value(rule: Any, rng: random.Random) -> Any:
    if isinstance(rule, Switch):
        return rng.random() < 0.5
    low, high = rule.bounds
    most = high if rng.random() < 0.1 else min(high, 7)
    if isinstance(rule, WholeNumbers):
        return tuple(rng.randint(low, most) for _ in range(rule.length))
    return rng.randint(low, most)


def counted(records: Iterable[Record], max_turns: int) -> Tally:
    """What the simulator should have counted, worked out by playing its battles as records by the plain rules."""
    outcomes: Counter[str] = Counter()
    battles, turns, tally = 0, 0, None
    for record in records:
        if tally is None:
            tally = _empty(record, max_turns)
        rounds = list(record.play())
        outcome = OUTCOMES.index(rounds[-1].after.outcome)
        battles += 1
        turns += len(rounds)
        outcomes[OUTCOMES[outcome]] += 1
        kinds = {0, outcome}
        tally.lengths[len(rounds)] += 1
        for place, played in enumerate(rounds):
            one, two = (choice.code for choice in played.choices)
            for kind in kinds:
                tally.pairs[one, two, kind] += 1
            for side in range(2):
                if place < tally.health.shape[1]:
                    tally.health[side, place, played.after.sides[side].health] += 1
        for side in range(2):
            for card in {played.choices[side].code for played in rounds}:
                for kind in kinds:
                    tally.cards[side, card, kind] += 1
    assert tally is not None
    counts = (outcomes[name] for name in (*SIDES, "draw", "unfinished"))
    return tally._replace(totals=Totals(battles, *counts, turns))


def _empty(record: Record, max_turns: int) -> Tally:
    top = max(setup.top for setup in record.setups)
    cards = len(BY_CODE)
    return Tally(
        Totals(0, 0, 0, 0, 0, 0),
        np.zeros(max_turns + 1, int),
        np.zeros((2, min(max_turns, 100), top + 1), int),
        np.zeros((cards, cards, 4), int),
        np.zeros((2, cards, 4), int),
    )


def assert_same(one: Tally, other: Tally) -> None:
    """Assert that two tallies agree in every count."""
    assert one.totals == other.totals
    for name in ("lengths", "health", "pairs", "cards"):
        np.testing.assert_array_equal(getattr(one, name), getattr(other, name), err_msg=name)
