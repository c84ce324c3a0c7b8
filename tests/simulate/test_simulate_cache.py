"""Where compiled rules are kept: nothing stale is ever run, and it works without a place as well."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from summon import turn, words
from summon.simulate import cache, engine
from tests.simulate.match_ups import ten_cards

PACKAGE = Path(turn.__file__).parent

PLAYED = """
import json, sys
from summon.record import Record
from summon.simulate import simulate, simulated_records
match_up = Record.from_json(sys.argv[1])
ends = [list(record.play())[-1].after.outcome for record in simulated_records(match_up, 300, 1)]
totals = simulate(match_up, 300, 1)
assert [ends.count(name) for name in ("first", "second", "draw")] == list(totals[1:4])
print(json.dumps(totals))
"""


def test_a_changed_source_of_the_rules_never_runs_a_stale_compiled_version(tmp_path):
    shutil.copytree(PACKAGE, tmp_path / "summon", ignore=shutil.ignore_patterns("__pycache__", "static"))
    rules = tmp_path / "summon" / "turn.py"
    before = rules.read_text(encoding="utf-8")
    after = before.replace("foe_effect) & (rest > 0) else 0", "foe_effect) & (rest > 1) else 0")
    assert after != before

    def play(source: str) -> tuple[list[int], bool]:
        rules.write_text(source, encoding="utf-8")
        run = subprocess.run(
            [sys.executable, "-c", PLAYED, ten_cards().to_json()],
            env={**os.environ, "PYTHONPATH": str(tmp_path), "XDG_CACHE_HOME": str(tmp_path / "cache")},
            cwd=tmp_path,
            capture_output=True,
            text=True,
        )
        assert run.returncode == 0, run.stderr
        return json.loads(run.stdout), words.COMPILING in run.stderr

    first, compiled = play(before)
    assert compiled
    changed, compiled = play(after)
    assert compiled
    assert changed != first
    assert play(before) == (first, False)


def test_the_folder_is_named_by_all_that_the_rules_are_made_of(monkeypatch):
    names = [cache.key()]
    assert cache.key() == names[0]
    for where, what, other in (
        (turn, "LIVING_CARDS", 1),
        (turn.legal, "__code__", turn.beaten.__code__),
        (cache.numba, "__version__", "0"),
        (cache.llvmlite.binding, "get_host_cpu_name", lambda: "abacus"),
    ):
        monkeypatch.setattr(where, what, other)
        assert cache.key() not in names, what
        names.append(cache.key())


def test_where_nothing_can_be_kept_there_is_no_folder(monkeypatch, tmp_path):
    (tmp_path / "file").write_text("in the way")
    monkeypatch.setattr(cache, "home", lambda: tmp_path / "file" / "simulate")
    assert cache.folder() is None


def test_folders_that_nobody_used_for_long_are_removed(monkeypatch, tmp_path):
    monkeypatch.setattr(cache, "home", lambda: tmp_path)
    long_ago = 1_000_000_000
    for name, when in (("old", long_ago), ("new", None)):
        (tmp_path / name).mkdir()
        (tmp_path / name / "used").touch()
        if when:
            os.utime(tmp_path / name / "used", (when, when))
    (tmp_path / "something else").mkdir()
    place = cache.folder()
    assert {path.name for path in tmp_path.iterdir()} == {"new", "something else", place.name}
    assert place.is_dir()


class Compiler:
    """In place of numba's: it fails where it is to keep what it compiles."""

    def __init__(self, place: Path | None, while_keeping: bool) -> None:
        self.place, self.while_keeping, self.signatures = place, while_keeping, []

    def compile(self, signature: object) -> None:
        if self.place is None or self.while_keeping:
            self.signatures.append(signature)
        if self.place is not None:
            raise OSError("no space left on device")


@pytest.mark.parametrize("while_keeping", [True, False])
def test_what_cannot_be_kept_or_read_is_compiled_all_the_same(monkeypatch, tmp_path, while_keeping, capsys):
    made = []

    def jitted(place):
        made.append(Compiler(place, while_keeping))
        return made[-1]

    monkeypatch.setattr(engine, "_jitted", jitted)
    monkeypatch.setattr(cache, "home", lambda: tmp_path)
    compiled = engine._loop.__wrapped__()
    assert compiled is made[-1]
    assert len(compiled.signatures) == 1
    assert [one.place is None for one in made] == ([False] if while_keeping else [False, True])
    assert list(tmp_path.iterdir()) == []
    assert capsys.readouterr().err == words.COMPILING + "\n"


def test_the_package_and_the_command_load_no_numba():
    script = "import sys, summon.cli, summon.simulate.command; assert not {'numba', 'llvmlite'} & set(sys.modules)"
    subprocess.run([sys.executable, "-c", script], check=True)


def test_without_numba_it_is_said_how_to_get_it(tmp_path):
    match_up = tmp_path / "match-up.json"
    match_up.write_text(ten_cards().to_json())
    script = "import sys; sys.modules['numba'] = None; from summon.cli import main; sys.exit(main(sys.argv[1:]))"
    run = subprocess.run(
        [sys.executable, "-c", script, "simulate", str(match_up)], capture_output=True, text=True, check=False
    )
    assert run.returncode == 1
    assert run.stderr == f"summon simulate: {words.NO_LAB}\n"
    assert run.stdout == ""
