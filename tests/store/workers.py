"""What the programs do that race: `python -m tests.store.workers PLACE SEED THREADS EACH PROFILE ...`.

Each tells on its output, as a JSON object, what came of it.
"""

import json
import random
import sys
import threading

from summon.profile import Refused
from summon.store import Stale, Store
from tests.store.model import PRICES
from tests.store.playing import GREAT, new_record, played


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
    print(json.dumps(done))


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
    race(*sys.argv[1:])
