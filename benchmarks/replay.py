"""How fast records are replayed in plain Python, beside reading the same lines as JSON in the same run.

    python benchmarks/replay.py [--battles 10000]

Plays random battles of full decks, and prints the rounds a second of `summon replay --json` without the printing, in
processor time.
"""

from __future__ import annotations

import argparse
import json
import random
import time

from summon.cards import MARKET, PETS
from summon.choices import Choice
from summon.player import Player
from summon.position import Position
from summon.record import Record, RecordError, read_records, replay


def random_player(rng: random.Random, name: str) -> Player:
    tiers = {card: rng.randint(1, 3) for card in ("attack", "heal", "counter")}
    return Player(name, rng.choice(list(PETS)), rng.random() < 0.5, tiers, tuple(rng.sample(MARKET, 7)))


def random_choice(rng: random.Random, position: Position, side: int) -> Choice:
    card = rng.choice(position.legal(side))
    return Choice(card, rng.randint(1, position.most(side)) if card == "sacrifice" else 0)


def random_record(rng: random.Random) -> Record:
    players = (random_player(rng, "first"), random_player(rng, "second"))
    position, turns = Record(players).opening(), []
    while position.outcome == "unfinished":
        pair = (random_choice(rng, position, 0), random_choice(rng, position, 1))
        turns.append(pair)
        position = position.reveal(*pair).after
    return Record(players, turns=tuple(turns))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--battles", type=int, default=10_000)
    battles = parser.parse_args().battles
    rng = random.Random(1)
    lines = [random_record(rng).to_json().encode() + b"\n" for _ in range(battles)]

    begun = time.process_time()
    for line in lines:
        json.loads(line)
    reading = time.process_time() - begun

    begun, rounds = time.process_time(), 0
    for _, record in read_records(lines):
        if isinstance(record, RecordError):
            raise record
        played = replay(record)
        json.dumps(played)
        rounds += len(record.turns)
    replaying = time.process_time() - begun
    print(f"{battles} battles, {rounds} rounds: {rounds / replaying:,.0f} rounds a second")
    print(f"replaying takes {replaying / reading:.0f} times as long as reading the lines as JSON")


if __name__ == "__main__":
    main()
