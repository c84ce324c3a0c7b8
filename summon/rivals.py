"""Players that are no people: plain functions of what their side may see (1.7, 1.9)."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import NamedTuple

from summon.battle import Battle, side_number
from summon.cards import PETS
from summon.choices import Choice
from summon.player import Player
from summon.position import Position
from summon.turn import Setup, Side


class Sight(NamedTuple):
    """What one side may see at the start of a turn (1.9).

    Of itself everything; of the other its pet, evolution and state, which follow from what was revealed. Neither the
    other's deck nor, ever, a choice that is not revealed is in it.
    """

    turn: int
    legal: tuple[str, ...]
    """What this side may choose (2.1 to 2.10)."""
    most: int
    """The most health that Sacrifice may cost it (2.6)."""
    setup: Setup
    state: Side
    other_pet: str
    other_evolved: bool
    other_state: Side


Policy = Callable[[Sight, random.Random], Choice]
"""How a rival chooses: from what it sees, and numbers drawn from a generator."""


def sight(position: Position, players: tuple[Player, Player], side: int) -> Sight:
    """What a side (0 or 1) may see of a moment."""
    other = 1 - side
    return Sight(
        position.turn,
        tuple(position.legal(side)),
        position.most(side),
        position.setups[side],
        position.sides[side],
        players[other].pet,
        players[other].evolved,
        position.sides[other],
    )


def uniform(seen: Sight, rng: random.Random) -> Choice:
    """1.7: uniformly one of the legal cards, but never Heal at full health; then Sacrifice's amount uniformly."""
    full = seen.state.health == seen.setup.top
    card = rng.choice([card for card in seen.legal if not (full and card == "heal")])
    return Choice(card, rng.randint(1, seen.most) if card == "sacrifice" else 0)


def computer_player(human: Player, evolved: bool, rng: random.Random) -> Player:
    """1.7: the computer's side: a random pet, the human's deck, starters at tier 1, and the evolution asked for."""
    return Player("computer", rng.choice(list(PETS)), evolved, cards=human.cards)


def seat(battle: Battle, side: int | str, policy: Policy = uniform, rng: random.Random | None = None) -> None:
    """Let a policy play a side of a battle: it commits now, and at the start of every later turn (1.7).

    It is asked as soon as a turn begins, and handed nothing but its sight of that moment.
    """
    number = side_number(side)
    source = random.Random() if rng is None else rng

    def commit(*_: object) -> None:
        if battle.over or battle.committed[number]:
            return
        choice = policy(sight(battle.position, battle.players, number), source)
        battle.choose(number, str(choice))

    commit()
    battle.param.watch(commit, "turn")


def battle_against(human: Player, evolved: bool, rng: random.Random | None = None) -> Battle:
    """1.7: a battle against the computer, the human's side being the first."""
    source = random.SystemRandom() if rng is None else rng
    battle = Battle(human, computer_player(human, evolved, source))
    seat(battle, "second", rng=source)
    return battle
