"""Programs that are killed at any moment, and programs that race: what must be true afterwards."""

import json
import random
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path
from typing import Any

from summon.store import Store
from tests.store.model import PRICES, said

ROOT = Path(__file__).resolve().parents[2]


def start(*arguments: str) -> subprocess.Popen:
    command = [sys.executable, "-m", "tests.store.workers", *arguments]
    return subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE)


# Killed


def kill_rounds(place: str, times: int, seed: int) -> Counter:
    """Kill a program so often, and check the store after each time; what it was about to do when it was killed."""
    dice, kept, asked = random.Random(seed), {}, Counter()
    for number in range(times):
        # The first ones are killed while they make the store.
        told = killed(place, f"{seed} {number}", "asks" if number < 3 else "confirmed", dice)
        asked[check_after(place, told, kept)] += 1
    return asked


def killed(place: str, seed: str, after: str, dice: random.Random) -> list[dict[str, Any]]:
    """Start a program, kill it some time after it first told of something, and return all that it told."""
    program = start("kill", place, seed)
    lines = []
    for line in program.stdout:
        lines.append(line)
        if after in json.loads(line):
            break
    time.sleep(dice.uniform(0, 0.5))
    assert program.poll() is None, f"the program ended by itself: {b''.join(lines).decode()}"
    program.kill()
    lines += program.communicate()[0].splitlines(keepends=True)
    return [json.loads(line) for line in lines if line.endswith(b"\n")]


def check_after(place: str, told: list[dict[str, Any]], kept: dict[str, Any]) -> str:
    """Check that a store holds all that was confirmed, and of what was asked last all or nothing.

    `kept` is what earlier programs had confirmed, by profile, and is added to.
    """
    asked: dict[str, Any] = told[-1] if "asks" in told[-1] else {}
    kept |= {line["profile"]: line["confirmed"] for line in told if "confirmed" in line}
    turns = {line["battle"]: line["turns"] for line in told if "turns" in line and "asks" not in line}
    with Store.open(place) as store:
        if asked.get("profile") in kept:
            before = kept[asked["profile"]]
            fighting = store.unfinished(asked["profile"])
            now = said(store.get(asked["profile"]))
            assert now in (before, after(before, asked)), (before, asked, now)
            if asked["asks"] == "finish":
                assert (fighting is None) == (now != before)
            kept[asked["profile"]] = now
        if asked.get("asks") == "create":
            made = store.profile_of(asked["token"])
            assert made is None or (made.pet, made.gold, made.revision) == (asked["pet"], 0, 1)
        if asked.get("asks") in ("begin", "save", "finish"):
            check_battle(store, asked, turns)
        for profile_id, confirmed in kept.items():
            assert said(store.get(profile_id)) == confirmed
        report = store.check()
        assert report.ok, report.problems
    return asked.get("asks", "nothing")


def check_battle(store: Store, asked: dict[str, Any], turns: dict[str, int]) -> None:
    confirmed = turns.get(asked["battle"])
    saved = store.unfinished(asked["profile"])
    found = None if saved is None else len(saved.record.turns)
    possible = {"begin": {None, 0}, "save": {confirmed, asked.get("turns")}, "finish": {None, confirmed}}
    assert found in possible[asked["asks"]], (found, asked, confirmed)


def after(before: dict[str, Any], asked: dict[str, Any]) -> dict[str, Any]:
    """A profile after what was asked last, if that was done."""
    now = dict(before)
    if asked["asks"] == "finish":
        return now | {"gold": now["gold"] + asked["gold"], "revision": now["revision"] + 1}
    if asked["asks"] == "deck" and asked["deck"] != now["deck"]:
        return now | {"deck": asked["deck"], "revision": now["revision"] + 1}
    if asked["asks"] == "buy" and now["gold"] >= PRICES[asked["item"]]:
        return bought(now, asked["item"])
    return now


def bought(now: dict[str, Any], item: str) -> dict[str, Any]:
    kind, _, name = item.partition(":")
    now = now | {"gold": now["gold"] - PRICES[item], "revision": now["revision"] + 1}
    if kind == "evolution":
        return now | {"evolved": True}
    if kind == "tier":
        starter, _, tier = name.partition(":")
        return now | {"tiers": now["tiers"] | {starter: int(tier)}}
    deck = [*now["deck"], name] if len(now["deck"]) < 7 else now["deck"]
    return now | {"cards": [*now["cards"], name], "deck": deck}


# Raced


def race(place: str, programs: int, threads: int, each: int, profiles: int) -> Counter:
    """Let programs race on a few profiles, and check that the books say exactly what came of it."""
    with Store.open(place) as store:
        ids = [store.create(f"token {number}", "ember").id for number in range(profiles)]
        running = [start("race", place, str(number), str(threads), str(each), *ids) for number in range(programs)]
        told = [json.loads(program.communicate()[0]) for program in running]
        assert [failure for each_told in told for failure in each_told["failures"]] == []
        items = Counter((profile_id, item) for each_told in told for profile_id, item in each_told["bought"])
        won = {battle: (profile_id, gold) for each_told in told for profile_id, battle, gold in each_told["won"]}
        assert max(items.values(), default=0) <= 1, "something was sold twice"
        for profile_id in ids:
            earned = sum(gold for owner, gold in won.values() if owner == profile_id)
            spent = sum(PRICES[item] for owner, item in items if owner == profile_id)
            assert store.get(profile_id).gold == earned - spent
        report = store.check()
        assert report.ok, report.problems
        assert report.battles >= len(won)
    return Counter(wins=len(won), told_wins=sum(len(each_told["won"]) for each_told in told), bought=len(items))
