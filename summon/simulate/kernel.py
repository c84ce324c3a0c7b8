"""The compiled loop: many battles in lock step, by the very functions of `summon.turn`.

Each of `LANES` lanes plays a battle; in a step all of them play a turn. A lane whose battle ends begins the next number
that is to be played, so that all battles with a number are played to their end, however long they are.

Everything of 16 bits is in one array, in rows of a value for every lane; the constant distances between the rows let
LLVM compute on many lanes at once.
"""

from __future__ import annotations

import inspect
from typing import Any, NamedTuple

from numba.extending import register_jitable

from summon import turn
from summon.simulate.chance import begin, below, draw, inline, nth_bit
from summon.simulate.narrow import count_bits, narrow, reader, wide, word, writer
from summon.turn import COPYCAT, HEAL, SACRIFICE, Setup, Side, legal, result, reveal, spendable

LANES = 128
"""How many battles a core plays at once: as many as its nearest memory holds."""

CARDS = COPYCAT + 1
"""How many codes of choices there are."""

PLAIN, OBSERVED, LOGGED = range(3)
"""What is kept of a battle besides its outcome and length: nothing, what `Tally` counts, or every choice."""

NEXT, END, BUSY = range(3)
"""The places of a run's progress: the next battle's number, the number to stop before, and how many lanes play one."""

TURNS = 4
"""Where the outcomes' counts are followed by the number of all turns."""

_PAIR = 4
"""How many bits a card has in a pair of them."""

_BOTH = 2 * LANES
_CARD = len(Side._fields) * _BOTH
_AMOUNT = _CARD + _BOTH
_TURN = _AMOUNT + _BOTH
_OVER = _TURN + LANES
ROWS = _OVER + LANES
"""The length of the array of lanes."""

DRAWS = 4 * LANES
"""The length of the array of draws: a card and an amount for each side."""

_read_setup = reader(Setup, 1)
_read_start = reader(Side, 1)
_read_side = reader(Side, _BOTH)
_write_side = writer(Side, _BOTH)


class Match(NamedTuple):
    """What is played: the same for all battles of a run."""

    setups: Any
    """The values of both sides' `Setup`, in 16 bits."""
    starts: Any
    """The values of both sides' `Side` at the start, in 16 bits."""
    first_turn: int
    last_turn: int
    """The turn with which a battle that nobody has won is given up."""
    seed: Any
    """64 bits without sign."""
    by_weight: Any
    """For each side whether it chooses by `weights` and `amounts`, or as 1.7 says."""
    weights: Any
    """For each side the weights of the choices by their codes."""
    amounts: Any
    """For each side and amount of Sacrifice the sum of the weights up to it."""


class Lanes(NamedTuple):
    """What a core needs to play `LANES` battles at once."""

    values: Any
    generators: Any
    draws: Any
    numbers: Any
    """The number of each lane's battle; below 0 where it plays none."""
    ending: Any
    """Room for the lanes whose battles end in a step."""
    pairs: Any
    """Where they are observed, for each lane and turn the first side's card and the second's in eight bits."""


class Kept(NamedTuple):
    """What is kept of the battles, as in `summon.simulate.Tally`. What a run does not keep is of length 0."""

    lengths: Any
    health: Any
    pairs: Any
    """By outcome (`summon.turn`), the first side's card and the second's."""
    cards: Any
    """By outcome, side and card."""
    first_number: int
    """The battle that `choices` begins with."""
    choices: Any
    """For each battle and turn the first side's card and amount, then the second's; below 0 where none was."""


for _rule in vars(turn).values():
    if inspect.isfunction(_rule) and _rule.__module__ == turn.__name__:
        inline(_rule)


@inline
def _choose(setup: Any, lanes: Any, draws: Any, side: int) -> None:
    """1.7: a legal card for a side of every lane, but never Heal at full health; then an amount of health."""
    for lane in range(LANES):
        at = side * LANES + lane
        state = _read_side(lanes, at)
        cards = legal(setup, state, narrow(lanes[_TURN + lane]))
        cards = cards & ~((1 if state.health == setup.top else 0) << HEAL)
        card = nth_bit(cards, narrow(below(draws[at], word(count_bits(cards)))))
        amount = 1 + below(draws[_BOTH + at], word(spendable(setup, state)))
        lanes[_CARD + at] = wide(card)
        lanes[_AMOUNT + at] = amount if card == SACRIFICE else 0


@inline
def _choose_by_weight(setup: Any, lanes: Any, draws: Any, side: int, weights: Any, amounts: Any) -> None:
    """A legal card for a side of every lane, by the cards' weights, and an amount by the amounts'.

    `amounts` holds the sums of the weights of the amounts so far. Where all weights are 0, all that is legal is as
    likely.
    """
    for lane in range(LANES):
        at = side * LANES + lane
        cards = wide(legal(setup, _read_side(lanes, at), narrow(lanes[_TURN + lane])))
        total = 0.0
        for code in range(CARDS):
            total += weights[code] if cards >> code & 1 else 0.0
        aim, so_far, card = draws[at] * 2.0**-32 * total, 0.0, 0
        for code in range(CARDS):
            so_far += weights[code] if cards >> code & 1 else 0.0
            card += 1 if so_far <= aim else 0
        lanes[_CARD + at] = card
    for lane in range(LANES):
        at = side * LANES + lane
        if lanes[_CARD + at] == CARDS:
            cards = legal(setup, _read_side(lanes, at), narrow(lanes[_TURN + lane]))
            lanes[_CARD + at] = wide(nth_bit(cards, narrow(below(draws[at], word(count_bits(cards))))))
        amount = 0
        if lanes[_CARD + at] == SACRIFICE:
            most = spendable(setup, _read_side(lanes, at))
            sum_of_all = amounts[wide(most)]
            if sum_of_all > 0:
                while amounts[amount] <= draws[_BOTH + at] * 2.0**-32 * sum_of_all:
                    amount += 1
            else:
                amount = 1 + below(draws[_BOTH + at], word(most))
        lanes[_AMOUNT + at] = amount


@register_jitable
def _reveal(setup_1: Any, setup_2: Any, lanes: Any, last_turn: int) -> None:
    """Play a turn in every lane, and note which battles are over with it."""
    for lane in range(LANES):
        number = narrow(lanes[_TURN + lane])
        side_1, side_2, _, _ = reveal(
            setup_1,
            _read_side(lanes, lane),
            narrow(lanes[_CARD + lane]),
            narrow(lanes[_AMOUNT + lane]),
            setup_2,
            _read_side(lanes, LANES + lane),
            narrow(lanes[_CARD + LANES + lane]),
            narrow(lanes[_AMOUNT + LANES + lane]),
            number,
        )
        _write_side(lanes, lane, side_1)
        _write_side(lanes, LANES + lane, side_2)
        lanes[_TURN + lane] = wide(number + 1)
        outcome = result(setup_1, side_1, setup_2, side_2)
        lanes[_OVER + lane] = outcome | (4 if number >= narrow(last_turn) else 0)


@register_jitable
def _observe(lanes: Any, numbers: Any, first_turn: int, pairs_log: Any, health: Any) -> None:
    """Count both sides' health at the end of the turn, and note which card was played against which."""
    for lane in range(LANES):
        if numbers[lane] >= 0:
            played = lanes[_TURN + lane] - 1 - first_turn
            pairs_log[lane, played] = lanes[_CARD + lane] << _PAIR | lanes[_CARD + LANES + lane]
            if played < health.shape[1]:
                health[0, played, lanes[lane]] += 1
                health[1, played, lanes[LANES + lane]] += 1


@register_jitable
def _observe_end(played: Any, outcome: int, lengths: Any, pairs: Any, cards: Any) -> None:
    """Count what was played in a battle by its outcome."""
    lengths[len(played)] += 1
    seen_1, seen_2 = 0, 0
    for pair in played:
        one, two = pair >> _PAIR, pair & (1 << _PAIR) - 1
        seen_1 |= 1 << one
        seen_2 |= 1 << two
        pairs[outcome, one, two] += 1
    for code in range(CARDS):
        cards[outcome, 0, code] += seen_1 >> code & 1
        cards[outcome, 1, code] += seen_2 >> code & 1


@register_jitable
def _log(lanes: Any, numbers: Any, first_turn: int, first_number: int, choices: Any) -> None:
    """Write down what was chosen in this turn."""
    for lane in range(LANES):
        if numbers[lane] >= 0:
            turn_log = choices[numbers[lane] - first_number, lanes[_TURN + lane] - 1 - first_turn]
            for side in range(2):
                turn_log[2 * side] = lanes[_CARD + side * LANES + lane]
                turn_log[2 * side + 1] = lanes[_AMOUNT + side * LANES + lane]


def play(match: Match, lanes: Lanes, kept: Kept, totals: Any, progress: Any, keep: int, closing: bool) -> None:
    """Play the battles `progress[NEXT]` up to `progress[END]`.

    It returns when the last number is given to a lane, or, when `closing`, once all of them have ended. `totals` counts
    battles by outcome, and all turns at `TURNS`.
    """
    values, numbers = lanes.values, lanes.numbers
    setup_1, setup_2 = _read_setup(match.setups[0], 0), _read_setup(match.setups[1], 0)
    start_1, start_2 = _read_start(match.starts[0], 0), _read_start(match.starts[1], 0)
    for lane in range(LANES):
        if numbers[lane] < 0 and progress[NEXT] < progress[END]:
            numbers[lane] = progress[NEXT]
            progress[NEXT] += 1
            progress[BUSY] += 1
            begin(lanes.generators, LANES, lane, match.seed, numbers[lane])
            _write_side(values, lane, start_1)
            _write_side(values, LANES + lane, start_2)
            values[_TURN + lane] = match.first_turn
    while progress[NEXT] < progress[END] or (closing and progress[BUSY] > 0):
        draw(lanes.generators, lanes.draws, DRAWS // LANES, LANES)
        if match.by_weight[0]:
            _choose_by_weight(setup_1, values, lanes.draws, 0, match.weights[0], match.amounts[0])
        else:
            _choose(setup_1, values, lanes.draws, 0)
        if match.by_weight[1]:
            _choose_by_weight(setup_2, values, lanes.draws, 1, match.weights[1], match.amounts[1])
        else:
            _choose(setup_2, values, lanes.draws, 1)
        _reveal(setup_1, setup_2, values, match.last_turn)
        if keep == OBSERVED:
            _observe(values, numbers, match.first_turn, lanes.pairs, kept.health)
        elif keep == LOGGED:
            _log(values, numbers, match.first_turn, kept.first_number, kept.choices)
        ending = 0
        for lane in range(LANES):
            lanes.ending[ending] = lane
            ending += values[_OVER + lane] != 0
        for place in range(ending):
            lane = lanes.ending[place]
            if numbers[lane] >= 0:
                outcome = values[_OVER + lane] & 3
                length = values[_TURN + lane] - match.first_turn
                totals[outcome] += 1
                totals[TURNS] += length
                if keep == OBSERVED:
                    _observe_end(lanes.pairs[lane, :length], outcome, kept.lengths, kept.pairs, kept.cards)
                if progress[NEXT] < progress[END]:
                    numbers[lane] = progress[NEXT]
                    progress[NEXT] += 1
                    begin(lanes.generators, LANES, lane, match.seed, numbers[lane])
                else:
                    numbers[lane] = -1
                    progress[BUSY] -= 1
            _write_side(values, lane, start_1)
            _write_side(values, LANES + lane, start_2)
            values[_TURN + lane] = match.first_turn
