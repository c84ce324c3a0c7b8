"""Sweeps over match-ups and rules, on a real cluster of worker processes."""

import json
import os
import shutil
import signal
import subprocess
import sys

import pandas as pd
import pytest
from distributed import LocalCluster

from summon import cli
from summon.record import FORMAT as RECORD_FORMAT
from summon.record import Record
from summon.simulate import simulate
from summon.sweep import COLUMNS, FORMAT, Spec, SweepError, _put, results, sweep

PLAYERS = [{"pet": "moss"}, {"name": "big", "pet": "ember", "evolved": True}, {"pet": "tide", "cards": ["shield"]}]
RULES = [{}, {"base_health": 7}]
SPEC = {"format": FORMAT, "players": PLAYERS, "rules": RULES, "battles": 20_000, "seed": 3}

PAIRS = [(0, 1), (0, 2), (1, 2)]


@pytest.fixture(scope="module")
def cluster():
    with LocalCluster(n_workers=2, threads_per_worker=1, processes=True, dashboard_address="127.0.0.1:0") as made:
        yield made


@pytest.fixture
def address(cluster):
    return cluster.scheduler_address


def plain(spec):
    """What a sweep must give, played here one after another."""
    return [
        tuple(
            simulate(
                Record.from_dict({"format": RECORD_FORMAT, "players": [PLAYERS[one], PLAYERS[two]], "rules": rules}),
                spec.battles,
                spec.seed,
                max_turns=spec.max_turns,
            )
        )
        for rules in RULES
        for one, two in PAIRS
    ]


def numbers(frame):
    return [
        tuple(row) for row in frame[["battles", "first_wins", "second_wins", "draws", "unfinished", "turns"]].values
    ]


def test_every_match_up_is_played_under_all_rules(tmp_path, address):
    spec = Spec.from_json(json.dumps(SPEC))
    frame = sweep(spec, tmp_path / "out", scheduler=address)
    assert numbers(frame) == plain(spec)
    assert pd.read_parquet(tmp_path / "out")["turns"].tolist() == frame["turns"].tolist()
    assert list(frame.columns) == list(COLUMNS)
    assert [json.loads(rules) for rules in frame["rules"]] == [rules for rules in RULES for _ in PAIRS]
    assert json.loads(frame["second"][0]) == PLAYERS[1]
    # A row's record is played again to the same numbers.
    assert tuple(simulate(Record.from_json(frame["record"][4]), 20_000, 3)) == numbers(frame)[4]


def test_a_worker_that_is_killed_changes_nothing(tmp_path, cluster):
    spec = Spec.from_json(json.dumps(SPEC | {"battles": 2_000_000}))
    victims = [nanny.pid for nanny in cluster.workers.values()][:1]

    def kill(done, _):
        if done == 1 and victims:
            os.kill(victims.pop(), signal.SIGKILL)

    frame = sweep(spec, tmp_path / "out", scheduler=cluster.scheduler_address, progress=kill)
    assert not victims
    assert numbers(frame) == plain(spec)


def test_a_sweep_that_was_stopped_goes_on_where_it_was(tmp_path, address):
    spec, folder = Spec.from_json(json.dumps(SPEC)), tmp_path / "out"

    def stop(done, _):
        if done == 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        sweep(spec, folder, scheduler=address, progress=stop)
    kept = {part: part.stat().st_mtime_ns for part in folder.glob("*.parquet")}
    assert len(kept) == len(results(folder)) == 2
    told = []
    frame = sweep(spec, folder, scheduler=address, progress=lambda *done: told.append(done))
    assert numbers(frame) == plain(spec)
    assert told == [(done, 6) for done in range(2, 7)]
    assert {part: part.stat().st_mtime_ns for part in kept} == kept


def test_what_is_done_is_not_played_again(tmp_path, address):
    spec, folder = Spec.from_json(json.dumps(SPEC | {"battles": 100})), tmp_path / "out"
    frame = sweep(spec, folder, scheduler=address)
    # There is nobody at this address, and nobody is needed.
    assert sweep(spec, folder, scheduler="tcp://127.0.0.1:9").equals(frame)


def test_a_folder_keeps_to_its_sweep(tmp_path, address):
    folder = tmp_path / "out"
    sweep(Spec.from_json(json.dumps(SPEC | {"battles": 100})), folder, scheduler=address)
    with pytest.raises(SweepError, match="another sweep"):
        sweep(Spec.from_json(json.dumps(SPEC | {"battles": 101})), folder, scheduler=address)
    with pytest.raises(SweepError, match="something else"):
        sweep(Spec.from_json(json.dumps(SPEC)), tmp_path, scheduler=address)


def test_what_is_damaged_or_not_its_own_is_played_again(tmp_path, address):
    spec, folder = Spec.from_json(json.dumps(SPEC | {"battles": 100})), tmp_path / "out"
    frame = sweep(spec, folder, scheduler=address)
    (folder / "0000001.parquet").write_bytes(b"")
    shutil.copy(folder / "0000003.parquet", folder / "0000004.parquet")
    pd.DataFrame({"other": [1]}).to_parquet(folder / "0000005.parquet")
    with pytest.raises(SweepError, match=r"0000001\.parquet is damaged"):
        results(folder)
    told = []
    assert sweep(spec, folder, scheduler=address, progress=lambda *done: told.append(done)).equals(frame)
    assert told == [(done, 6) for done in range(3, 7)]
    assert results(folder).equals(frame)


def test_a_folder_can_be_read_whatever_stopped_the_writing(tmp_path, address, monkeypatch):
    spec, folder = Spec.from_json(json.dumps(SPEC | {"battles": 100})), tmp_path / "out"
    sweep(spec, folder, scheduler=address)
    (folder / "0000005.parquet").unlink()

    def killed(_, file, **__):
        file.write_bytes(b"half of it")
        os.link(file, file.with_name(f"{file.name}-left"))  # as if nobody had tidied up
        raise KeyboardInterrupt

    monkeypatch.setattr(pd.DataFrame, "to_parquet", killed)
    with pytest.raises(KeyboardInterrupt):
        sweep(spec, folder, scheduler=address)
    assert [file.name for file in folder.glob("*-left")]
    assert len(pd.read_parquet(folder)) == len(results(folder)) == 5


def test_two_may_write_the_same_at_once(tmp_path):
    file = tmp_path / "part"

    def write(new):
        new.write_text("mine")
        _put(file, lambda other: other.write_text("theirs"))

    _put(file, write)
    assert [(kept.name, kept.read_text()) for kept in tmp_path.iterdir()] == [("part", "mine")]


def test_workers_with_other_rules_are_refused(tmp_path, address, monkeypatch):
    monkeypatch.setattr("summon.sweep.rules_version", lambda: "of tomorrow")
    with pytest.raises(SweepError, match="a worker has another version of the rules"):
        sweep(Spec.from_json(json.dumps(SPEC)), tmp_path / "out", scheduler=address)
    assert results(tmp_path / "out").empty


def test_what_goes_wrong_at_a_worker_is_said(tmp_path, address):
    played = Record.from_dict({"format": RECORD_FORMAT, "players": PLAYERS[:2], "turns": [["attack", "attack"]]})
    with pytest.raises(SweepError, match="match-up 1 could not be played: the record has turns already"):
        sweep(Spec((played,)), tmp_path / "out", scheduler=address)


@pytest.mark.skipif(os.name != "posix", reason="there is no terminal's Ctrl-C to be sent")
@pytest.mark.parametrize("at", ["0 of 3", "1 of 3"])
def test_ctrl_c_stops_all_of_it_with_a_word(tmp_path, at):
    file = tmp_path / "spec.json"
    file.write_text(json.dumps(SPEC | {"rules": [{}], "battles": 30_000_000}))
    command = [sys.executable, "-c", "import sys; from summon.cli import main; sys.exit(main())", "sweep", str(file)]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True, start_new_session=True) as running:
        assert any(line.startswith(at) for line in running.stderr)
        os.killpg(running.pid, signal.SIGINT)  # as a terminal does
        told = running.stderr.read()
    assert running.returncode == 130
    assert "Traceback" not in told
    assert told.endswith(f"stopped; the same command goes on from what is kept in {tmp_path / 'spec.sweep'}\n")


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"format": "summon-sweep/2"}, "format is 'summon-sweep/2', not 'summon-sweep/1'"),
        ({"players": [{"pet": "moss"}]}, "players is not a list of at least two"),
        ({"players": [{"pet": "moss"}, {"pet": "cat"}]}, "player 2: there is no pet 'cat'"),
        ({"players": [{"pet": "moss"}, 3]}, "player 2: the player is not an object"),
        ({"rules": {}}, "rules is not a list of at least one object"),
        ({"rules": [{}, {"base_health": 0}]}, "rules 2: rules: base_health is a whole number from 1 to 999, not 0"),
        ({"battles": 0}, "battles is a whole number from 1 to 1000000000000, not 0"),
        ({"battles": True}, "battles is a whole number"),
        ({"seed": -1}, "seed is a whole number"),
        ({"max_turns": 1.0}, "max_turns is a whole number"),
        ({"size": 1}, "the sweep has an unknown key 'size'"),
    ],
)
def test_what_is_wrong_is_said_with_its_place(change, says):
    with pytest.raises(SweepError, match=f"^{says}".replace("(", r"\(")):
        Spec.from_json(json.dumps(SPEC | change))


@pytest.mark.parametrize("text", ["", "[]", '{"format": 1, "format": 1}', "[" * 100_000])
def test_what_is_no_sweep_at_all_is_said(text):
    with pytest.raises(SweepError):
        Spec.from_json(text)


def test_without_dask_it_is_said_how_to_get_it(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(SweepError, match=r"\.\[cluster\]"):
        sweep(Spec.from_json(json.dumps(SPEC)), tmp_path / "out")


def test_the_command_keeps_the_results_and_says_where(tmp_path, address, capsys):
    file, folder = tmp_path / "spec.json", tmp_path / "out"
    file.write_text(json.dumps(SPEC | {"battles": 100}))
    assert cli.main(["sweep", str(file), "--out", str(folder), "--scheduler", address]) == 0
    assert f"6 match-ups, 600 battles: {folder}" in capsys.readouterr().out
    assert len(results(folder)) == 6


def test_the_command_starts_workers_of_its_own(tmp_path, capsys):
    file = tmp_path / "spec.json"
    file.write_text(json.dumps(SPEC | {"battles": 100}))
    assert cli.main(["sweep", str(file), "--workers", "2"]) == 0
    assert len(results(tmp_path / "spec.sweep")) == 6


@pytest.mark.parametrize(
    ("arguments", "says", "status"),
    [
        (["missing.json"], "missing.json: No such file or directory", 2),
        (["broken.json"], "broken.json: not JSON", 1),
        (["good.json", "--out", "."], "holds something else", 1),
        (["good.json", "--out", "broken.json"], "broken.json is no folder", 1),
        (["good.json", "--scheduler", "nowhere"], "nowhere", 1),
        (["good.json", "--scheduler", "tcp://127.0.0.1:9"], "no cluster answers at tcp://127.0.0.1:9", 1),
    ],
)
def test_the_command_says_what_is_wrong(arguments, says, status, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "broken.json").write_text("{")
    (tmp_path / "good.json").write_text(json.dumps(SPEC))
    assert cli.main(["sweep", *arguments]) == status
    assert says in capsys.readouterr().err
