"""What may be chosen, and what a reveal does: sections 2 to 8 of the rulebook, as plain functions on small integers.

Each function says one rule, or a few that belong together, and names them. `Setup` is what is fixed for a side in a
battle, `Side` what changes; a reveal computes both new sides from both old ones. Cards are small numbers here, and sets
of cards are bits; names and words live elsewhere. Every rule is one expression without early return, and conditions are
joined by `&` and `|`, so that the very same functions can also be compiled and run over many battles at once.
"""

from __future__ import annotations

from typing import NamedTuple

WAIT, ATTACK, HEAL, COUNTER, WILD, POISON, BLIND, REVIVE, SACRIFICE, SHIELD, HIDE, REFRESHMENT, COPYCAT = range(13)
"""The codes of the choices. A failed copy has the effect COPYCAT."""

ONGOING, FIRST, SECOND, DRAW = range(4)
"""The results of a battle: nobody has won yet, the first or the second side has, or neither can."""

LIVING_CARDS = 0b1_1111_0111_1110
"""The bits of every card that a living pet may have a use for: all but Wait (2.4) and Revive (2.10)."""


class Setup(NamedTuple):
    """What is fixed for one side of a battle (1.6), worked out from pet, evolution, tiers, deck and rules.

    Amounts are in health, `…_turns` and `…_interval` in turns. Those named as in section 12 are those numbers, picked
    by tier or evolution; switches and the `wild_…` kinds are 0 or 1.
    """

    top: int
    """The most health the pet can have (1.2)."""
    deck: int
    """The cards of the deck as bits (1.4)."""
    evolved_bonus: int
    """What evolution adds to direct damage (4.2); 0 for an unevolved pet."""
    attack_damage: int
    heal_amount: int
    counter_block: int
    counter_return: int
    wild_attacks: int
    """Whether its Wild is an attack (3.4)."""
    wild_heals: int
    """Whether its Wild heals (7.9)."""
    wild_blinds: int
    """Whether its Wild blinds (7.6)."""
    wild_damage: int
    wild_heal: int
    wild_block: int
    wild_block_turns: int
    """For how many turns its Wild blocks; 0 where it does not."""
    wild_poison: int
    wild_poison_turns: int
    """For how many turns its Wild poisons; 0 where it does not."""
    attack_bonus_against_heal: int
    shield_block: int
    shield_turns: int
    poison_damage: int
    poison_turns: int
    streak_limit: int
    sacrifice_first_turn: int
    sacrifice_interval: int
    blind_interval: int
    copycat_interval: int
    hide_cost: int
    revive_health: int
    refreshment_bonus: int
    reserve_health: int
    counter_answers_sacrifice: int
    sacrifice_stops_heal: int
    sacrifice_may_spend_last_health: int
    healing_saves_from_poison: int
    shields_add_up: int
    shield_and_wild_add_up: int
    pending_revival_decides: int


class Side(NamedTuple):
    """What changes for one side: its state at the start of a turn.

    `poison_1` to `poison_4` are what will tick on this turn and the three after it; `shield_…` and `block_…` likewise
    what Shields and a Wild will take off. Flags are 0 or 1.
    """

    health: int
    reserve: int
    boosted: int
    """Whether Refreshment waits for its card (6.7)."""
    last: int
    """The card chosen last turn; WAIT where a Wait or nothing was (2.5)."""
    streak: int
    """On how many turns running it was chosen; 0 after a Wait."""
    sacrifice_ready: int
    """The first turn on which Sacrifice is ready again (2.6)."""
    blind_ready: int
    copycat_ready: int
    wild_used: int
    revive_used: int
    blinded: int
    """Whether it must Wait this turn (2.1)."""
    restricted: int
    """Whether this is the turn after Hide (6.4)."""
    poison_1: int
    poison_2: int
    poison_3: int
    poison_4: int
    shield_1: int
    shield_2: int
    shield_3: int
    shield_4: int
    block_1: int
    block_2: int
    block_3: int
    block_4: int


class Share(NamedTuple):
    """One side's share of a reveal, in health: what its effect did and what happened to it.

    `dealt` is what it sent before the other's protection, `taken` what reached it after its own; neither is capped by
    the health left, nor is `tick`.
    """

    effect: int
    amount: int
    cost: int
    returned: int
    healed: int
    reserved: int
    """How much its white reserve grew."""
    dealt: int
    reduction: int
    """What protection took off the damage that came, at most."""
    taken: int
    from_reserve: int
    tick: int
    lethal: int
    """Whether the tick alone knocked it out (5.3)."""


def start(setup: Setup) -> Side:
    """1.2, 2.5: a side at the start of a battle, at full health and with nothing running."""
    return Side(setup.top, 0, 0, WAIT, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)


# Section 2: what may be chosen


def has_attempt(setup: Setup, side: Side) -> bool:
    """6.5: Revive is in the deck and its one attempt is unused."""
    return ((setup.deck >> REVIVE & 1) != 0) & (side.revive_used == 0)


def beaten(setup: Setup, side: Side) -> bool:
    """8.2: at zero with no revival attempt left."""
    return (side.health == 0) & (not has_attempt(setup, side))


def may_revive(setup: Setup, side: Side) -> bool:
    """2.2, 2.10: at zero, with the attempt unused, on a turn that is not restricted."""
    return (side.health == 0) & has_attempt(setup, side) & (side.restricted == 0)


def tired(setup: Setup, side: Side) -> bool:
    """2.5: the last card was chosen as often running as the limit allows."""
    return side.streak >= setup.streak_limit


def spendable(setup: Setup, side: Side) -> int:
    """2.6, 6.3: the most that Sacrifice may cost, which is all the health unless the rules keep the last one."""
    return side.health if setup.sacrifice_may_spend_last_health != 0 else side.health - 1


def sacrifice_closed(setup: Setup, side: Side, turn: int) -> bool:
    """2.6: before its first turn, within its interval, or with nothing to spend."""
    return (turn < setup.sacrifice_first_turn) | (turn < side.sacrifice_ready) | (spendable(setup, side) < 1)


def wild_closed(setup: Setup, side: Side) -> bool:
    """2.8: used already, or a healing Wild on a restricted turn."""
    return (side.wild_used != 0) | ((setup.wild_heals != 0) & (side.restricted != 0))


def hide_closed(setup: Setup, side: Side) -> bool:
    """2.9: without more health than it costs, or on a restricted turn."""
    return (side.health <= setup.hide_cost) | (side.restricted != 0)


def without(cards: int, card: int, closed: bool) -> int:
    """The set of cards, without one that is closed."""
    return cards & ~((1 if closed else 0) << card)


def open_cards(setup: Setup, side: Side, turn: int) -> int:
    """2.6 to 2.10: the cards that a living pet's own limits leave open, in its deck or not, as bits.

    Attack and Counter have no such limit (3.6).
    """
    cards = without(LIVING_CARDS, SACRIFICE, sacrifice_closed(setup, side, turn))
    cards = without(cards, BLIND, turn < side.blind_ready)
    cards = without(cards, COPYCAT, turn < side.copycat_ready)
    cards = without(cards, WILD, wild_closed(setup, side))
    cards = without(cards, HIDE, hide_closed(setup, side))
    return without(cards, HEAL, side.restricted != 0)


def legal(setup: Setup, side: Side, turn: int) -> int:
    """2.1 to 2.10: what may be chosen this turn, as bits; Heal at full health is among it (2.11)."""
    living = without(setup.deck & open_cards(setup, side, turn), side.last, tired(setup, side))
    down = (1 << REVIVE) if may_revive(setup, side) else (1 << WAIT)
    cards = living if side.health > 0 else down
    return (1 << WAIT) if side.blinded != 0 else cards


# Copies


def copies(setup: Setup, side: Side, turn: int, other: int) -> bool:
    """6.11, 6.12: whether a copy of the other's choice succeeds; of Copycat and Wait it never does."""
    return ((open_cards(setup, side, turn) >> other & 1) != 0) & (other != COPYCAT)


def effect_of(setup: Setup, side: Side, turn: int, card: int, other: int) -> int:
    """6.10: what a choice does: the card itself, or what Copycat takes; COPYCAT where the copy fails."""
    copied = other if copies(setup, side, turn, other) else COPYCAT
    return copied if card == COPYCAT else card


def amount_of(setup: Setup, side: Side, card: int, amount: int, other_amount: int) -> int:
    """6.11: Sacrifice's amount: one's own, or for a copy the other's, capped at what one may spend."""
    most = spendable(setup, side)
    capped = other_amount if other_amount < most else most
    return capped if card == COPYCAT else amount


# What an effect does


def attacks(setup: Setup, effect: int) -> bool:
    """3.4, 7.8: Attack and the attacking Wilds."""
    return (effect == ATTACK) | ((effect == WILD) & (setup.wild_attacks != 0))


def stops_heal(setup: Setup, effect: int) -> bool:
    """3.2: an attacking effect, and Sacrifice where the rules say so (section 12)."""
    return attacks(setup, effect) | ((effect == SACRIFICE) & (setup.sacrifice_stops_heal != 0))


def answered_by_counter(setup: Setup, effect: int) -> bool:
    """3.3, 6.3: an attacking effect, and Sacrifice where the rules say so (section 12)."""
    return attacks(setup, effect) | ((effect == SACRIFICE) & (setup.counter_answers_sacrifice != 0))


def uses_boost(effect: int) -> bool:
    """6.8: the effects that use the boost up, whether or not they achieve anything."""
    strikes = (effect == ATTACK) | (effect == COUNTER) | (effect == SACRIFICE) | (effect == POISON)
    return strikes | (effect == HEAL) | (effect == SHIELD) | (effect == WILD)


def boost(setup: Setup, side: Side, effect: int) -> int:
    """6.7, 6.9: what Refreshment adds to this effect."""
    return setup.refreshment_bonus if (side.boosted != 0) & uses_boost(effect) else 0


def cost_of(setup: Setup, effect: int, amount: int) -> int:
    """6.3, 6.4: the health that Sacrifice or Hide costs its own player."""
    hide = setup.hide_cost if effect == HIDE else 0
    return amount if effect == SACRIFICE else hide


def returned_by(setup: Setup, effect: int, foe: Setup, foe_effect: int) -> int:
    """6.5, 6.6: the health that Revive returns with, at most the maximum; nothing against an attacking effect."""
    health = setup.revive_health if setup.revive_health < setup.top else setup.top
    return health if (effect == REVIVE) & (not attacks(foe, foe_effect)) else 0


def heals(setup: Setup, effect: int, plus: int, foe: Setup, foe_effect: int) -> int:
    """3.2, 7.1, 7.4, 7.9: what Heal restores unless it is stopped, or a healing Wild, before the cap (3.7)."""
    wild = (effect == WILD) & (setup.wild_heals != 0)
    works = wild | ((effect == HEAL) & (not stops_heal(foe, foe_effect)))
    amount = setup.wild_heal if wild else setup.heal_amount
    return amount + plus if works else 0


def strike(setup: Setup, effect: int, amount: int) -> int:
    """3.1, 3.3, 6.1, 6.3, 7.2, 7.6: the number that direct damage starts from, by the effect."""
    attack = setup.attack_damage if effect == ATTACK else 0
    wild = setup.wild_damage if effect == WILD else attack
    counter = setup.counter_return if effect == COUNTER else wild
    return amount if effect == SACRIFICE else counter


def lands(setup: Setup, effect: int, foe: Setup, foe_effect: int) -> bool:
    """3.3, 4.1: whether an effect deals direct damage: attacks and Sacrifice do, Counter against what it answers."""
    counter = (effect == COUNTER) & answered_by_counter(foe, foe_effect)
    return attacks(setup, effect) | (effect == SACRIFICE) | counter


def against_heal(setup: Setup, effect: int, foe_effect: int) -> int:
    """3.1, 7.8: what an effect that stops Heal gains against Heal."""
    return setup.attack_bonus_against_heal if stops_heal(setup, effect) & (foe_effect == HEAL) else 0


def countered(setup: Setup, effect: int, foe: Setup, foe_effect: int) -> int:
    """3.5: what the other's Counter takes off this effect."""
    return foe.counter_block if (foe_effect == COUNTER) & answered_by_counter(setup, effect) else 0


def dealt(setup: Setup, effect: int, amount: int, plus: int, foe: Setup, foe_effect: int) -> int:
    """4.1, 4.2, 3.5: the direct damage an effect sends, before the other's protection."""
    whole = strike(setup, effect, amount) + setup.evolved_bonus + plus
    rest = whole + against_heal(setup, effect, foe_effect) - countered(setup, effect, foe, foe_effect)
    return rest if lands(setup, effect, foe, foe_effect) & (rest > 0) else 0


def shield_on(setup: Setup, effect: int, plus: int, running: int, ahead: int) -> int:
    """4.3, 4.4: Shield's reduction so many turns ahead, with one played now; the larger counts, or they add up."""
    new = setup.shield_block + plus
    larger = new if new > running else running
    joined = running + new if setup.shields_add_up != 0 else larger
    return joined if (effect == SHIELD) & (ahead < setup.shield_turns) else running


def block_on(setup: Setup, effect: int, plus: int, running: int, ahead: int) -> int:
    """7.1, 7.5: a Wild's block so many turns ahead, with one played now."""
    new = running + setup.wild_block + plus
    return new if (effect == WILD) & (ahead < setup.wild_block_turns) else running


def reduction_of(setup: Setup, shield: int, block: int) -> int:
    """4.3, 4.5, 7.10: what protection takes off the turn's direct damage: Shield and a Wild's block add up."""
    larger = shield if shield > block else block
    return shield + block if setup.shield_and_wild_add_up != 0 else larger


def poison_on(effect: int, foe: Setup, foe_effect: int, foe_plus: int, running: int, ahead: int) -> int:
    """5.1, 7.3, 5.5: the poison that ticks so many turns ahead, with a dose given now; a pet that hides gets none."""
    card = (foe_effect == POISON) & (ahead < foe.poison_turns)
    wild = (foe_effect == WILD) & (ahead < foe.wild_poison_turns)
    dose = running + foe_plus + (foe.poison_damage if card else foe.wild_poison)
    return dose if (card | wild) & (effect != HIDE) else running


def taken_by(side: Side, effect: int, returned: int, reduction: int, sent: int) -> int:
    """4.3, 4.6, 8.4: the direct damage that reaches a pet: none while it hides or lies at zero."""
    there = ((side.health > 0) | (returned > 0)) & (effect != HIDE)
    return sent - reduction if there & (sent > reduction) else 0


def is_lethal(setup: Setup, side: Side, returned: int, tick: int) -> bool:
    """5.3: the tick alone is at least the health that the pet brought, or returned with."""
    brought = side.health if side.health > 0 else returned
    return (brought > 0) & (tick > 0) & (tick >= brought) & (setup.healing_saves_from_poison == 0)


def blinds(setup: Setup, effect: int) -> bool:
    """6.2, 7.6: Blind and Flash Strike make the other Wait next turn."""
    return (effect == BLIND) | ((effect == WILD) & (setup.wild_blinds != 0))


# Section 8: the reveal


def reveal_side(
    setup: Setup,
    side: Side,
    card: int,
    effect: int,
    amount: int,
    plus: int,
    sent: int,
    foe: Setup,
    foe_effect: int,
    foe_plus: int,
    foe_sent: int,
    turn: int,
) -> tuple[Side, Share]:
    """8.1: one side after a reveal, from the old state of both: costs, return, healing, damage, poison.

    Of both sides it is handed the effect, what Refreshment adds (`plus`) and the direct damage that is sent.
    """
    cost = cost_of(setup, effect, amount)
    returned = returned_by(setup, effect, foe, foe_effect)
    paid = side.health - cost + returned

    lifted = paid + heals(setup, effect, plus, foe, foe_effect)
    healed = (lifted if lifted < setup.top else setup.top) - paid  # 3.7
    room = setup.reserve_health - side.reserve
    over = lifted - paid - healed
    reserved = over if over < room else room  # section 12: white reserve health

    shield = shield_on(setup, effect, plus, side.shield_1, 0)
    block = block_on(setup, effect, plus, side.block_1, 0)
    reduction = reduction_of(setup, shield, block)
    taken = taken_by(side, effect, returned, reduction, foe_sent)
    reserve = side.reserve + reserved
    from_reserve = taken if taken < reserve else reserve
    struck = paid + healed - taken + from_reserve

    tick = poison_on(effect, foe, foe_effect, foe_plus, side.poison_1, 0)
    lethal = is_lethal(setup, side, returned, tick)
    left = (struck if struck > 0 else 0) - tick  # 5.2; nothing reduces it (5.4)
    health = 0 if lethal | (left < 0) else left

    kept = 1 if (side.boosted != 0) & (not uses_boost(effect)) else 0  # 6.8
    longer = side.streak + 1 if side.streak < setup.streak_limit else setup.streak_limit
    running = longer if (card == side.last) & (side.streak > 0) else 1
    after = Side(
        health,
        reserve - from_reserve,
        1 if effect == REFRESHMENT else kept,  # 6.7
        card,
        0 if card == WAIT else running,  # 2.5
        turn + setup.sacrifice_interval if effect == SACRIFICE else side.sacrifice_ready,  # 2.6, 6.13
        turn + setup.blind_interval if effect == BLIND else side.blind_ready,  # 2.7, 6.13
        turn + setup.copycat_interval if card == COPYCAT else side.copycat_ready,  # 2.7, 6.13
        1 if effect == WILD else side.wild_used,  # 2.8, 6.13
        1 if effect == REVIVE else side.revive_used,  # 6.5
        1 if blinds(foe, foe_effect) else 0,
        1 if effect == HIDE else 0,  # 6.4, 6.13
        poison_on(effect, foe, foe_effect, foe_plus, side.poison_2, 1),  # 5.6: doses move up, whatever the pet does
        poison_on(effect, foe, foe_effect, foe_plus, side.poison_3, 2),
        poison_on(effect, foe, foe_effect, foe_plus, side.poison_4, 3),
        0,
        shield_on(setup, effect, plus, side.shield_2, 1),
        shield_on(setup, effect, plus, side.shield_3, 2),
        shield_on(setup, effect, plus, side.shield_4, 3),
        0,
        block_on(setup, effect, plus, side.block_2, 1),
        block_on(setup, effect, plus, side.block_3, 2),
        block_on(setup, effect, plus, side.block_4, 3),
        0,
    )
    lethally = 1 if lethal else 0
    share = Share(
        effect, amount, cost, returned, healed, reserved, sent, reduction, taken, from_reserve, tick, lethally
    )
    return after, share


def reveal(
    setup_1: Setup,
    side_1: Side,
    card_1: int,
    amount_1: int,
    setup_2: Setup,
    side_2: Side,
    card_2: int,
    amount_2: int,
    turn: int,
) -> tuple[Side, Side, Share, Share]:
    """1.5, 8.1: both sides after a reveal, and what each did; amounts are 0 except for a chosen Sacrifice."""
    effect_1 = effect_of(setup_1, side_1, turn, card_1, card_2)
    effect_2 = effect_of(setup_2, side_2, turn, card_2, card_1)
    spent_1 = amount_of(setup_1, side_1, card_1, amount_1, amount_2)
    spent_2 = amount_of(setup_2, side_2, card_2, amount_2, amount_1)
    plus_1 = boost(setup_1, side_1, effect_1)
    plus_2 = boost(setup_2, side_2, effect_2)
    sent_1 = dealt(setup_1, effect_1, spent_1, plus_1, setup_2, effect_2)
    sent_2 = dealt(setup_2, effect_2, spent_2, plus_2, setup_1, effect_1)
    new_1, share_1 = reveal_side(
        setup_1, side_1, card_1, effect_1, spent_1, plus_1, sent_1, setup_2, effect_2, plus_2, sent_2, turn
    )
    new_2, share_2 = reveal_side(
        setup_2, side_2, card_2, effect_2, spent_2, plus_2, sent_2, setup_1, effect_1, plus_1, sent_1, turn
    )
    return new_1, new_2, share_1, share_2


def result(setup_1: Setup, side_1: Side, setup_2: Setup, side_2: Side) -> int:
    """8.2, 8.3: who has won, if anybody; while a revival attempt is pending nobody has, unless the rules say so.

    A battle that nobody wins goes on without end (8.5).
    """
    out_1 = beaten(setup_1, side_1)
    out_2 = beaten(setup_2, side_2)
    both_down = (side_1.health == 0) & (side_2.health == 0)
    at_once = both_down & (out_1 | out_2) & (setup_1.pending_revival_decides == 0)
    won = FIRST if out_2 & (side_1.health > 0) else ONGOING
    won = SECOND if out_1 & (side_2.health > 0) else won
    return DRAW if (out_1 & out_2) | at_once else won
