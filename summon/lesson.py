"""The first battle, which teaches by doing: in three turns each starter shows what it is good for (section 3).

It is a battle like any other, by the same rules. In its lessons both sides play what is settled here, and from then on
the player chooses freely. Nobody keeps it, and it pays nothing (9.3).
"""

from __future__ import annotations

import random
from typing import NamedTuple

from summon import rivals
from summon.battle import Battle
from summon.cards import PETS
from summon.choices import Choice
from summon.record import situation
from summon.rivals import Sight
from summon.rules import Rules


class Lesson(NamedTuple):
    """One turn that teaches: what the player plays, and the card of the rival that it is good against."""

    card: str
    beats: str


LESSONS = (Lesson("attack", "heal"), Lesson("counter", "attack"), Lesson("heal", "counter"))
"""3.1 to 3.3: the lessons of the turns 1, 2 and 3."""

HURT = 1
"""So much health the player's pet lacks at first, for the last lesson to heal."""


def rival_of(pet: str) -> str:
    """The pet that helps this one to learn: always the same, and another one."""
    pets = list(PETS)
    return pets[(pets.index(pet) + len(pets) // 2) % len(pets)]


def battle(pet: str) -> Battle:
    """A first battle for this pet, on the first side. Both pets are unevolved and bring the starters alone."""
    health = Rules().base_health - HURT
    begun = Battle.from_record(situation({"name": "you", "pet": pet, "health": health}, rival_of(pet)))
    rivals.seat(begun, "second", _in_turn)
    return begun


def _in_turn(seen: Sight, rng: random.Random) -> Choice:
    """The rival plays the cards of the lessons in turn, over and over, so that nothing ever forbids one (2.5)."""
    return Choice(LESSONS[(seen.turn - 1) % len(LESSONS)].beats)


def lesson_of(turn: int) -> Lesson | None:
    """The lesson of a turn; None after the last one."""
    return LESSONS[turn - 1] if 1 <= turn <= len(LESSONS) else None
