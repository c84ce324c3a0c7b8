"""What sessions leave behind on what they share: nothing."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
SESSIONS = 15


@pytest.mark.flaky(reruns=1)
def test_sessions_that_come_and_go_leave_nothing_behind() -> None:
    command = [sys.executable, "-m", "tests.sessions", str(SESSIONS)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=400, check=False)
    assert done.returncode == 0, done.stderr
    before, meanwhile, after, overtaking = json.loads(done.stdout)
    for kind in ("Document", "Game", "Pages", "Board", "LiveBoard"):
        assert meanwhile[kind] == before[kind] + SESSIONS, kind
        assert after[kind] <= before[kind], kind
    # Each board watches four parameters of the battle and three of what is around it.
    assert meanwhile["watchers"] == before["watchers"] + 7 * SESSIONS
    assert after["watchers"] == before["watchers"]
    assert after["timers"] <= before["timers"]
    assert after["threads"] <= meanwhile["threads"] <= before["threads"] + 2
    assert overtaking == {"updates": 0}
