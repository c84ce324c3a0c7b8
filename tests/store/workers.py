"""What the programs do that are killed or raced: `python -m tests.store.workers kill|race PLACE SEED ...`.

Each tells on its output, a JSON object a line, what it is about to ask of the store and what the store confirmed.
"""

import json
import random
import sys
import threading
from contextlib import suppress

from summon.cards import PETS
from summon.profile import ProfileState, Refused
from summon.store import Stale, Store
from tests.store.model import PRICES, said
from tests.store.playing import GREAT, new_record, played


def tell(**what: object) -> None:
    print(json.dumps(what), flush=True)


# To be killed


def be_killed(place: str, seed: str) -> None:
    """Do things at random to one new profile after another until killed, telling each before and after."""
    dice = random.Random(seed)
    tell(asks="open")
    store = Store.open(place)
    tell(opened=True)
    for number in range(10**9):
        token, pet = f"token {seed} {number}", dice.choice(list(PETS))
        tell(asks="create", token=token, pet=pet)
        state = store.create(token, pet)
        tell(profile=state.id, confirmed=said(state))
        for step in range(30):
            state = do_something(store, state, dice, f"{token} {step}")


def do_something(store: Store, state: ProfileState, dice: random.Random, name: str) -> ProfileState:
    """One change of a profile: a battle that is won, a purchase or a deck."""
    item = dice.choice(list(PRICES))
    what = dice.choice(["win", "win", "buy", "deck"])
    if what == "win":
        fight(store, state, name)
        state = store.get(state.id)
    elif what == "buy":
        tell(asks="buy", profile=state.id, item=item)
        with suppress(Refused):
            state = store.buy(state.id, item)
    else:
        deck = dice.sample(state.cards, min(len(state.cards), 7))
        tell(asks="deck", profile=state.id, deck=deck)
        state = store.set_deck(state.id, deck, state.revision)
    tell(profile=state.id, confirmed=said(state))
    return state


def fight(store: Store, state: ProfileState, battle_id: str) -> None:
    """Win a battle, saving it after each reveal."""
    tell(asks="begin", profile=state.id, battle=battle_id)
    record = new_record(state, GREAT)
    store.begin_battle(battle_id, record, "computer", {state.id: "first"})
    tell(battle=battle_id, turns=0)
    battle = played(record, 1)
    while not battle.over:
        tell(asks="save", profile=state.id, battle=battle_id, turns=len(battle.rounds))
        store.save_battle(battle_id, battle.to_record())
        tell(battle=battle_id, turns=len(battle.rounds))
        battle = played(record, len(battle.rounds) + 1)
    tell(asks="finish", profile=state.id, battle=battle_id, gold=1 if state.evolved else 5)
    store.finish_battle(battle_id, battle.to_record(), battle.outcome, battle.ended)


# To be raced


def race(place: str, seed: str, threads: str, each: str, *profile_ids: str) -> None:
    """Buy and win in several threads, on profiles that other programs use as well; tell everything that came of it."""
    done: dict[str, list] = {"bought": [], "won": [], "failures": []}
    with Store.open(place) as store:
        workers = [
            threading.Thread(
                target=race_on, args=(store, random.Random(f"{seed} {number}"), int(each), profile_ids, done)
            )
            for number in range(int(threads))
        ]
        for worker in workers:
            worker.start()
        for worker in workers:
            worker.join()
    tell(**done)


def race_on(store: Store, dice: random.Random, each: int, profile_ids: tuple[str, ...], done: dict[str, list]) -> None:
    """One thread's part."""
    for _ in range(each):
        profile_id = dice.choice(profile_ids)
        try:
            if dice.random() < 0.5:
                item = dice.choice(list(PRICES))
                store.buy(profile_id, item)
                done["bought"].append([profile_id, item])
            else:
                done["won"] += win_something(store, profile_id, f"{profile_id} {dice.random()}")
        except (Refused, Stale):
            pass
        except Exception as error:
            done["failures"].append(repr(error))


def win_something(store: Store, profile_id: str, battle_id: str) -> list[list]:
    """End the battle that the profile is in, as others may do at the same time, or else begin one; what it paid."""
    fighting = store.unfinished(profile_id)
    if fighting is None:
        record = new_record(store.get(profile_id), GREAT)
        fighting = store.begin_battle(battle_id, record, "computer", {profile_id: "first"})
    battle = played(fighting.record)
    saved = store.finish_battle(fighting.id, battle.to_record(), battle.outcome, battle.ended)
    return [[profile_id, fighting.id, saved.gold[profile_id]]]


if __name__ == "__main__":
    {"kill": be_killed, "race": race}[sys.argv[1]](*sys.argv[2:])
