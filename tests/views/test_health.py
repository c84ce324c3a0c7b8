"""How the game is, as `/health` tells those who run it."""

import asyncio
import http.client
import json
import re
import time
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from summon.store import Store
from summon.views import health
from tests.views.test_server import ROOT, SUMMON, Served, page, serving

__all__ = ["serving"]

BARE = ["-m", "panel", "serve", "app/play.py", "--address", "127.0.0.1", "--plugins", "summon.views.health"]
"""Panel's own command."""


def asked(served: Served, method: str = "GET", path: str = "/health") -> http.client.HTTPResponse:
    connection = http.client.HTTPConnection("127.0.0.1", served.port, timeout=30)
    connection.request(method, path, headers={"Cookie": "summon_profile=" + "K" * 43})
    answer = connection.getresponse()
    answer.text = answer.read().decode()  # type: ignore[attr-defined]
    connection.close()
    return answer


def told(served: Served) -> Any:
    return json.loads(asked(served).text)  # type: ignore[attr-defined]


@pytest.mark.parametrize("command", [SUMMON, BARE], ids=["summon play", "panel serve"])
def test_a_game_that_runs_well_says_so(serving: Any, command: list[str], tmp_path: Path) -> None:
    served = serving(*command)
    answer = asked(served)
    assert answer.status == 200
    assert answer.headers["Content-Type"].startswith("application/json")
    assert answer.headers["Cache-Control"] == "no-store"
    assert answer.headers["Set-Cookie"] is answer.headers["ETag"] is answer.headers["Location"] is None
    said = told(served)
    assert 0 <= said.pop("uptime_seconds") < 300
    assert re.fullmatch(r"\d+\.\d+\.\d+", said.pop("version"))
    assert said == {
        "status": "ok",
        "sessions": 0,
        "battles": 0,
        "invitations": 0,
        "store": {"kind": "sqlite", "reachable": True, "profiles": 0, "unfinished": 0},
    }
    # Loaded before the first page, the game needs not ask for that again.
    assert asked(served, path="/play").status == 200
    assert told(served)["sessions"] == 1

    head = asked(served, "HEAD")
    assert (head.status, head.text) == (200, "")  # type: ignore[attr-defined]
    assert head.headers["Content-Length"] == answer.headers["Content-Length"]
    assert asked(served, "POST").status == 405

    with Store.open(tmp_path / "summon.db") as store:
        store.create("h" * 64, "moss")
    time.sleep(health.FRESH)
    assert told(served)["store"]["profiles"] == 1


def test_a_game_without_its_store_says_so(serving: Any, tmp_path: Path) -> None:
    broken = tmp_path / "broken.db"
    broken.write_text("no database " * 100)
    served = serving(*SUMMON, store=str(broken))
    answer = asked(served)
    assert answer.status == 503
    assert answer.headers["Cache-Control"] == "no-store"
    said = told(served)
    assert (said["status"], said["store"]) == ("degraded", {"kind": "sqlite", "reachable": False})
    assert str(tmp_path) not in json.dumps(said)
    assert "Summoning" in page(served.at("/play")), "practice goes on"


class Counted:
    """A store that is asked how it is, and may take its time."""

    def __init__(self, seconds: float = 0.0) -> None:
        self.asked, self.seconds = 0, seconds

    def counts(self) -> dict[str, int | bool]:
        self.asked += 1
        time.sleep(self.seconds)
        return {"works": True, "profiles": self.asked, "unfinished": 0}


def test_a_store_is_not_asked_more_often_than_need_be() -> None:
    store = Counted()
    watch = health.StoreWatch()

    async def look() -> list[dict[str, Any]]:
        return list(await asyncio.gather(*(watch.look(SimpleNamespace(store=store)) for _ in range(50))))  # type: ignore[arg-type]

    assert {said["profiles"] for said in asyncio.run(look())} == {1}
    time.sleep(health.FRESH)
    assert {said["profiles"] for said in asyncio.run(look())} == {2}


def test_a_store_that_hangs_counts_as_not_reachable_and_holds_nobody_up() -> None:
    watch, shared = health.StoreWatch(), SimpleNamespace(store=Counted(seconds=1.0))

    async def look() -> tuple[dict[str, Any], float]:
        begun = time.monotonic()
        said = await watch.look(shared, wait=0.1)  # type: ignore[arg-type]
        return said, time.monotonic() - begun

    said, seconds = asyncio.run(look())
    assert said["reachable"] is False
    assert seconds < 0.9


def test_a_store_that_does_not_work_is_not_reachable() -> None:
    for store in (None, SimpleNamespace(counts=lambda: {"works": False})):
        assert health.store_health(SimpleNamespace(store=store))["reachable"] is False  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("store", "kind"),
    [
        ("/a/summon.db", "sqlite"),
        ("postgresql+psycopg://me:secret@db/summon", "postgres"),
        ("mysql://me:secret@db/summon", "unknown"),
    ],
)
def test_the_kind_of_a_store_is_told_and_never_where_it_is(
    monkeypatch: pytest.MonkeyPatch, store: str, kind: str
) -> None:
    monkeypatch.setenv("SUMMON_STORE", store)
    assert health.kind_of_store() == kind


def test_the_documentation_shows_what_is_told(serving: Any) -> None:
    text = (ROOT / "docs" / "running.md").read_text(encoding="utf-8")
    shown = json.loads(text.split("```json\n")[1].partition("```")[0])
    said = told(serving(*SUMMON))
    assert (shown.keys(), shown["store"].keys()) == (said.keys(), said["store"].keys())
