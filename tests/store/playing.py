"""Battles for the tests of the store: records that are won, and gold without playing for it."""

from itertools import count

from summon.battle import Battle
from summon.player import Player
from summon.profile import ProfileState
from summon.record import Record
from summon.store import SavedBattle, Store

MOSS = Player("rival", "moss")
GREAT = Player("rival", "moss", True)
"""An evolved rival: to beat it with a pet that is not evolved earns five."""

_numbers = count(1)


def new_record(state: ProfileState, rival: Player = MOSS) -> Record:
    """The record of a battle that begins, the profile on the first side."""
    return Record((state.player("me"), rival))


def played(record: Record, turns: int | None = None, winner: int = 0) -> Battle:
    """The battle in which one side attacks and the other heals, whenever they may: up to a turn, or to the end."""
    battle = Battle.from_record(record)
    while not battle.over and (turns is None or len(battle.rounds) < turns):
        strong = "attack" if "attack" in battle.legal(winner) else "counter"
        weak = "heal" if "heal" in battle.legal(1 - winner) else "counter"
        battle.play(*((strong, weak) if winner == 0 else (weak, strong)))
    return battle


def win(store: Store, state: ProfileState, rival: Player = MOSS) -> SavedBattle:
    """A battle that a profile won against the computer, begun and finished in a store."""
    record, battle_id = new_record(state, rival), f"won-{next(_numbers)}"
    store.begin_battle(battle_id, record, "computer", {state.id: "first"})
    battle = played(record)
    return store.finish_battle(battle_id, battle.to_record(), battle.outcome, battle.ended)


def rich(store: Store, state: ProfileState, gold: int) -> ProfileState:
    """The profile after winning at least so much gold, which one that has not evolved earns five at a time."""
    while state.gold < gold:
        win(store, state, GREAT)
        state = store.get(state.id)
    return state
