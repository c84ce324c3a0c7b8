"""Programs that race: what must be true afterwards."""

import json
import subprocess
import sys
from collections import Counter
from pathlib import Path

from summon.store import Store
from tests.store.model import PRICES

ROOT = Path(__file__).resolve().parents[2]


def start(*arguments: str) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "tests.store.workers", *arguments]
    return subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE)


def race(place: str, programs: int, threads: int, each: int, profiles: int) -> Counter:
    """Let programs race on a few profiles, and check that the books say exactly what came of it."""
    with Store.open(place) as store:
        ids = [store.create(f"token {number}", "ember").id for number in range(profiles)]
        running = [start(place, str(number), str(threads), str(each), *ids) for number in range(programs)]
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
