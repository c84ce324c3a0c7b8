"""What happened in a reveal, event by event in the order of rule 8.1, each with the rule that caused it.

Events are made from a round's breakdown; they hold names and numbers, and `summon.words` has the sentences.
"""

from __future__ import annotations

from collections.abc import Iterator
from enum import StrEnum
from typing import NamedTuple

from summon import turn
from summon.cards import BY_CODE, CARDS
from summon.position import Round


class Kind(StrEnum):
    """What kind of event it is, in the order in which they come in a reveal (8.1)."""

    WAIT = "wait"
    """A side had to Wait (2.1 to 2.3)."""
    COPY = "copy"
    """Copycat took the other's effect (6.10), or failed (6.11, 6.12): then the card is Copycat itself."""
    COST = "cost"
    """Health paid for Sacrifice or Hide (6.3, 6.4)."""
    RETURN = "return"
    """Revive brought the pet back (6.5)."""
    STOP = "stop"
    """Heal or Revive was stopped by the other's effect (3.2, 6.6)."""
    HEAL = "heal"
    """Health restored, which may be 0 at full health (3.2, 3.7, 7.9)."""
    RESERVE = "reserve"
    """Healing beyond the maximum that was kept as white reserve (section 12)."""
    PROTECT = "protect"
    """Shield, a Wild's block or Hide begins (4.3, 7.1, 7.5, 4.6)."""
    HIT = "hit"
    """Direct damage taken, which may be 0 after every reduction (4.1)."""
    MISS = "miss"
    """An effect in vain: Counter without an attack (3.5), a blow at a pet at zero (8.4), a dose that is lost (5.5)."""
    DOSE = "dose"
    """A dose of poison was given (5.1, 7.3)."""
    POISON = "poison"
    """Poison ticked (5.2), lethally (5.3), or in vain on a pet at zero (5.6)."""
    BLIND = "blind"
    """The other must Wait next turn (6.2, 7.6)."""
    BOOST = "boost"
    """Refreshment waits for its card (6.7)."""
    KNOCKOUT = "knockout"
    """A pet is at zero: beaten (8.2), or with its revival attempt still to come (6.5)."""


class Part(NamedTuple):
    """One number that an event's number is made of: its rule, what it is, and how much it adds."""

    rule: str
    why: str
    number: int


class Event(NamedTuple):
    """One thing that happened in a reveal.

    `side` is the side (0 or 1) whose effect it is, `on` the side that it happened to, `card` the effect's card
    (`poison` for every tick), `number` how much health (0 where the kind has no number), `rule` the rule that caused
    it. `parts` is what a blow, a healing or a protection was made of, in order; of a blow at a pet at zero (8.4) it is
    the blow's own rule alone. `health` and `reserve` are both sides' after the event.
    """

    turn: int
    side: int
    on: int
    kind: Kind
    card: str
    number: int
    rule: str
    parts: tuple[Part, ...]
    health: tuple[int, int]
    reserve: tuple[int, int]


def wild_rule(round_: Round, side: int) -> str:
    """The number of this side's Wild in section 7, told by what its Wild does."""
    setup = round_.before.setups[side]
    if setup.wild_attacks:
        return "7.6" if setup.wild_blinds else "7.2"
    if setup.wild_heals:
        return "7.1" if setup.wild_block_turns else "7.4"
    return "7.3" if setup.wild_poison_turns else "7.5"


def events(round_: Round) -> list[Event]:
    """The events of a round, in the order of rule 8.1; of two at once the first side's comes first."""
    return _Teller(round_).tell()


class _Teller:
    """Walks through a round in the order of 8.1 and keeps both sides' running health."""

    def __init__(self, round_: Round) -> None:
        self.round = round_
        self.setups = round_.before.setups
        self.sides = round_.before.sides
        self.shares = round_.shares
        self.health = [side.health for side in self.sides]
        self.reserve = [side.reserve for side in self.sides]
        self.told: list[Event] = []

    def tell(self) -> list[Event]:
        steps = (
            self._waits,
            self._copies,
            self._costs,
            self._returns,
            self._heals,
            self._protects,
            self._hits,
            self._doses,
            self._ticks,
            self._blinds,
            self._boosts,
            self._knockouts,
        )
        for step in steps:
            for side in (0, 1):
                step(side)
        return self.told

    def _add(
        self,
        side: int,
        on: int,
        kind: Kind,
        rule: str,
        number: int = 0,
        parts: tuple[Part, ...] = (),
        card: str | None = None,
    ) -> None:
        self.told.append(
            Event(
                self.round.turn,
                side,
                on,
                kind,
                card or self._card(side),
                number,
                rule,
                parts,
                (self.health[0], self.health[1]),
                (self.reserve[0], self.reserve[1]),
            )
        )

    def _card(self, side: int) -> str:
        return BY_CODE[self.shares[side].effect]

    def _rule_of_effect(self, side: int) -> str:
        card = self._card(side)
        return wild_rule(self.round, side) if card == "wild" else CARDS[card].rule

    def _effect(self, side: int) -> int:
        return self.shares[side].effect

    def _waits(self, side: int) -> None:
        if self._effect(side) == turn.WAIT:
            state = self.sides[side]
            beaten = turn.beaten(self.setups[side], state)
            self._add(side, side, Kind.WAIT, "2.1" if state.blinded else "2.3" if beaten else "2.2")

    def _copies(self, side: int) -> None:
        if self.round.choices[side].card == "copycat":
            other = self.round.choices[1 - side].card
            rule = "6.10" if self._card(side) != "copycat" else "6.12" if other in ("copycat", "wait") else "6.11"
            self._add(side, side, Kind.COPY, rule)

    def _costs(self, side: int) -> None:
        share = self.shares[side]
        self.health[side] -= share.cost
        if share.cost:
            self._add(side, side, Kind.COST, self._rule_of_effect(side), share.cost)

    def _returns(self, side: int) -> None:
        share = self.shares[side]
        if share.effect != turn.REVIVE:
            return
        self.health[side] += share.returned
        if share.returned:
            self._add(side, side, Kind.RETURN, "6.5", share.returned)
        else:
            self._add(side, side, Kind.STOP, "6.6")

    def _heals(self, side: int) -> None:
        share, setup = self.shares[side], self.setups[side]
        foe, foe_effect = self.setups[1 - side], self._effect(1 - side)
        if share.effect == turn.HEAL and turn.stops_heal(foe, foe_effect):
            self._add(side, side, Kind.STOP, "3.2")
            return
        healing_wild = share.effect == turn.WILD and setup.wild_heals
        if share.effect != turn.HEAL and not healing_wild:
            return
        self.health[side] += share.healed
        amount = setup.wild_heal if healing_wild else setup.heal_amount
        parts = (Part(self._rule_of_effect(side), "base", amount), *self._boosted(side))
        full = self.health[side] == setup.top
        rule = "3.7" if full and not share.healed else self._rule_of_effect(side)
        self._add(side, side, Kind.HEAL, rule, share.healed, parts)
        self.reserve[side] += share.reserved
        if share.reserved:
            self._add(side, side, Kind.RESERVE, "3.7", share.reserved)

    def _boosted(self, side: int) -> tuple[Part, ...]:
        plus = turn.boost(self.setups[side], self.sides[side], self._effect(side))
        return (Part("6.9", "boost", plus),) if plus else ()

    def _protects(self, side: int) -> None:
        effect, setup = self._effect(side), self.setups[side]
        if effect == turn.SHIELD:
            amount, rule = setup.shield_block, "4.3"
        elif effect == turn.WILD and setup.wild_block_turns:
            amount, rule = setup.wild_block, self._rule_of_effect(side)
        elif effect == turn.HIDE:
            self._add(side, side, Kind.PROTECT, "4.6")
            return
        else:
            return
        parts = (Part(rule, "base", amount), *self._boosted(side))
        self._add(side, side, Kind.PROTECT, rule, sum(part.number for part in parts), parts)

    def _hits(self, side: int) -> None:
        """The blow of this side's effect, on the other; both are dealt at once."""
        effect, on = self._effect(side), 1 - side
        if not turn.lands(self.setups[side], effect, self.setups[on], self._effect(on)):
            if effect == turn.COUNTER:
                self._add(side, side, Kind.MISS, "3.5")
            return
        if self.sides[on].health == 0 and not self.shares[on].returned:
            self._add(side, on, Kind.MISS, "8.4", parts=(Part(self._rule_of_effect(side), "base", 0),))
            return
        share = self.shares[on]
        self.reserve[on] -= share.from_reserve
        self.health[on] = max(self.health[on] - (share.taken - share.from_reserve), 0)
        self._add(side, on, Kind.HIT, self._rule_of_effect(side), share.taken, tuple(self._blow(side)))

    def _blow(self, side: int) -> Iterator[Part]:
        """What a blow is made of: its own number, what is added, and what the other takes off."""
        setup, foe = self.setups[side], self.setups[1 - side]
        effect, foe_effect = self._effect(side), self._effect(1 - side)
        yield Part(self._rule_of_effect(side), "base", turn.strike(setup, effect, self.shares[side].amount))
        if setup.evolved_bonus:
            yield Part("4.2", "evolved", setup.evolved_bonus)
        yield from self._boosted(side)
        bonus = turn.against_heal(setup, effect, foe_effect)
        if bonus:
            yield Part("7.8" if effect == turn.WILD else "3.1", "against heal", bonus)
        blocked = turn.countered(setup, effect, foe, foe_effect)
        if blocked:
            yield Part("3.5", "counter", -blocked)
        if foe_effect == turn.HIDE:
            yield Part("4.6", "hide", -self.shares[side].dealt)
            return
        yield from self._reductions(1 - side)

    def _reductions(self, side: int) -> Iterator[Part]:
        """What Shield and a Wild's block take off what comes at this side."""
        setup, state, effect = self.setups[side], self.sides[side], self._effect(side)
        plus = turn.boost(setup, state, effect)
        shield = turn.shield_on(setup, effect, plus, state.shield_1, 0)
        block = turn.block_on(setup, effect, plus, state.block_1, 0)
        if not setup.shield_and_wild_add_up:
            shield, block = (shield, 0) if shield >= block else (0, block)
        if shield:
            yield Part("4.3", "shield", -shield)
        if block:
            yield Part("7.10", "block", -block)

    def _doses(self, side: int) -> None:
        """The dose that this side's effect gives the other."""
        effect, setup = self._effect(side), self.setups[side]
        if effect != turn.POISON and not (effect == turn.WILD and setup.wild_poison_turns):
            return
        if self._effect(1 - side) == turn.HIDE:
            self._add(side, 1 - side, Kind.MISS, "5.5")
            return
        amount = setup.poison_damage if effect == turn.POISON else setup.wild_poison
        parts = (Part(self._rule_of_effect(side), "base", amount), *self._boosted(side))
        self._add(side, 1 - side, Kind.DOSE, self._rule_of_effect(side), sum(part.number for part in parts), parts)

    def _ticks(self, side: int) -> None:
        share = self.shares[side]
        if not share.tick:
            return
        down = self.sides[side].health == 0 and not share.returned
        self.health[side] = self.round.after.sides[side].health
        rule = "5.6" if down else "5.3" if share.lethal else "5.2"
        self._add(1 - side, side, Kind.POISON, rule, share.tick, card="poison")

    def _blinds(self, side: int) -> None:
        goes_on = self.round.after.outcome == "unfinished"
        if goes_on and turn.blinds(self.setups[side], self._effect(side)):
            self._add(side, 1 - side, Kind.BLIND, self._rule_of_effect(side))

    def _boosts(self, side: int) -> None:
        goes_on = self.round.after.outcome == "unfinished"
        if goes_on and self._effect(side) == turn.REFRESHMENT:
            self._add(side, side, Kind.BOOST, "6.7")

    def _knockouts(self, side: int) -> None:
        """A pet that fell in this reveal, or whose last attempt was stopped."""
        before, after = self.sides[side], self.round.after.sides[side]
        stood = before.health > 0 or self.shares[side].returned > 0
        stopped = self._effect(side) == turn.REVIVE and not self.shares[side].returned
        if after.health == 0 and (stood or stopped):
            beaten = turn.beaten(self.setups[side], after)
            self._add(side, side, Kind.KNOCKOUT, "8.2" if beaten else "6.5")
