"""The benchmarks, with tiny numbers: that those of friends' battles run, and that they see what is wrong."""

import json
import random
import socket
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from benchmarks import frame_times, lighthouse, pairs
from benchmarks.figures import percentile
from benchmarks.serving import ADDRESS, free_port
from benchmarks.slow_link import CHUNK, SlowLink
from benchmarks.visitors import make_profiles
from summon.battle import Battle
from summon.store import Store
from summon.views import identity
from tests.browser.traffic import LIBRARIES, kind_of

ROOT = Path(__file__).resolve().parents[1]
SECONDS = 240


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    """Run a benchmark as a person does. (In this process Playwright may run, which suffers no other event loop.)"""
    command = [sys.executable, "-m", *arguments]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=SECONDS, check=False)


def test_a_percentile_lies_between_what_was_measured() -> None:
    assert percentile([4.0, 1.0, 3.0, 2.0, 5.0], 50) == 3.0
    assert percentile([float(number) for number in range(101)], 95) == 95.0
    assert percentile([7.0], 95) == 7.0
    assert percentile([], 50) == 0.0


@pytest.mark.flaky(reruns=1)
def test_three_pairs_come_play_and_go_twice_and_nothing_is_wrong() -> None:
    done = run("benchmarks.pairs", "--check", "--pairs", "3", "--seconds", "4", "--waves", "2")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "Nothing was wrong." in done.stdout
    assert "battles of friends" in done.stdout


@pytest.mark.flaky(reruns=1)
def test_the_ramp_tells_turns_and_memory() -> None:
    done = run("benchmarks.pairs", "--ramp", "1", "2", "--seconds", "2")
    assert done.returncode == 0, done.stdout + done.stderr
    rows = [line.split() for line in done.stdout.splitlines()[1:3]]
    assert [row[0] for row in rows] == ["1", "2"]
    assert all(float(row[1]) > 0 for row in rows)
    assert "MB a pair" in done.stdout


@pytest.mark.parametrize("seen", ["another card", "a round less", "nothing"])
def test_the_soak_sees_players_whose_rounds_are_not_those_of_the_store(tmp_path: Path, seen: str) -> None:
    place = tmp_path / "summon.db"
    cookies = make_profiles(place, 2, random.Random(3))
    with Store.open(place) as store:
        states = [store.profile_of(identity.hash_of(cookie)) for cookie in cookies]
        first, second = (state for state in states if state is not None)
        battle = Battle(first.player("host"), second.player("guest"))
        store.begin_battle("b", battle.to_record(), "friend", {first.id: "first", second.id: "second"})
        while not battle.over:
            battle.play("attack" if "attack" in battle.legal("first") else "counter", "counter")
        store.finish_battle("b", battle.to_record(), battle.outcome, battle.ended)
    rounds = pairs.rounds_of(battle.to_record())
    assert pairs.kept(place, cookies, {"b": rounds}) == []

    turn, _, *rest = rounds[0]
    wrong = {"another card": [(turn, "blind 0", *rest), *rounds[1:]], "a round less": rounds[:-1], "nothing": []}
    assert pairs.kept(place, cookies, {"b": wrong[seen]}) == [
        "the players of battle b saw other rounds than it has in the store"
    ]
    assert "battle c is not saved" in pairs.kept(place, cookies, {"b": rounds, "c": rounds})


def test_the_soak_sees_errors_in_the_log_and_memory_that_grows() -> None:
    assert pairs.is_bad("2030-01-01 00:00:00,000 ERROR summon.lobby.live: battle b is not saved")
    assert not pairs.is_bad("2030-01-01 00:00:00,000 WebSocket connection closed: code=None, reason=None")
    assert pairs.grown([100.0, 120.0, 130.0, 140.0], 200.0) == ["memory grows by 10.0 MB a wave"]
    assert pairs.grown([100.0, 120.0, 121.0], 200.0) == []


def test_a_slow_link_passes_everything_on_in_its_order() -> None:
    said = bytes(range(256)) * (CHUNK // 32)
    with socket.create_server((ADDRESS, 0)) as listening:

        def answer() -> None:
            taken, _ = listening.accept()
            with taken:
                asked = taken.recv(100)
                taken.sendall(said + asked)

        server = threading.Thread(target=answer)
        server.start()
        link = SlowLink(free_port(), listening.getsockname()[1], down=8e6, up=8e6, delay=0.01)
        with link.open(), socket.create_connection((ADDRESS, link.port), timeout=30) as browser:
            browser.sendall(b"play")
            heard = b"".join(iter(lambda: browser.recv(65536), b""))
        server.join()
    assert heard == said + b"play"
    assert link.down.passed == len(heard)


def test_what_is_fetched_is_of_the_kind_that_its_address_tells() -> None:
    base = "http://127.0.0.1:5006"
    assert kind_of(f"{base}/static/js/bokeh.min.js?v=1", "Script") == LIBRARIES
    assert kind_of(f"{base}/static/extensions/panel/css/loading.css?v=1", "Stylesheet") == LIBRARIES
    assert kind_of(f"{base}/summon/0123456789ab/board.js", "Fetch") == "scripts"
    assert kind_of(f"{base}/summon/0123456789ab/pictures.json", "Fetch") == "pictures and texts"
    assert kind_of(f"{base}/play?page=home", "Document") == "document"


def test_frames_are_those_of_the_page_between_its_marks() -> None:
    marks = [
        {"cat": "blink.user_timing", "name": name, "pid": 1, "ts": at} for name, at in (("begin", 500), ("end", 80_000))
    ]
    frames = [{"name": "DrawFrame", "pid": 1, "ts": at} for at in (400, 1_000, 51_000, 17_000, 90_000)]
    others = [{"name": "DrawFrame", "pid": 2, "ts": 20_000}, {"name": "Other", "pid": 1, "ts": 20_000}]
    trace = json.dumps({"traceEvents": [*frames, *marks, *others]}).encode()
    assert frame_times.intervals(trace) == [16.0, 34.0]


@pytest.mark.parametrize(("score", "good"), [(1.0, True), (0.95, True), (0.94, False)])
def test_a_page_is_good_from_95_points(score: float, good: bool, capsys: pytest.CaptureFixture[str]) -> None:
    parts = [{"id": "label", "weight": 7}, {"id": "title", "weight": 3}, {"id": "notes", "weight": 0}]
    report = {
        "categories": {name: {"score": score, "auditRefs": parts} for name in lighthouse.CATEGORIES},
        "audits": {
            "label": {"title": "Has no label", "score": score},
            "title": {"title": "Has a title", "score": 1},
            "notes": {"title": "Costs nothing", "score": 0},
        },
    }
    assert lighthouse.tell("board", report) is good
    told = capsys.readouterr().out
    assert str(round(score * 100)) in told and "Costs nothing" not in told
    assert ("Has no label" in told) is (score < 1)
