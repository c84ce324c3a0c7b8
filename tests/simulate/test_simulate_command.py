"""The command `summon simulate`."""

import io
import json
import os
import signal
import sys

import pytest

from summon import simulate
from summon.cli import main
from summon.estimates import rate
from summon.record import Record
from summon.simulate import command, simulated_records
from tests.simulate.match_ups import counted, match_up_of, ten_cards


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "match-up.json"
    path.write_text(ten_cards().to_json() + "\n")
    return str(path)


def answer(capsys, *arguments):
    """What the command prints with --json."""
    assert main(["simulate", *arguments, "--json"]) == 0
    told = capsys.readouterr()
    assert told.err == ""
    return json.loads(told.out)


def test_json_has_the_counts_and_the_mean(file, capsys):
    totals = simulate.simulate(ten_cards(), 3000, 4)
    told = answer(capsys, file, "--battles", "3000", "--seed", "4")
    assert list(told) == ["battles", "first", "second", "draw", "unfinished", "turns_mean"]
    assert tuple(told.values())[:5] == totals[:5]
    assert told["turns_mean"] == round(totals.turns / 3000, 4)


def test_the_defaults_are_those_of_the_contract(file, capsys):
    given = answer(capsys, file, "--battles", "100000", "--seed", "0", "--max-turns", "500")
    assert answer(capsys, file) == given
    assert given["battles"] == 100_000


def test_the_number_of_cores_changes_nothing(file, capsys):
    assert answer(capsys, file, "--cores", "1") == answer(capsys, file, "--cores", "2")


def test_a_battle_that_takes_longer_is_unfinished(file, capsys):
    assert answer(capsys, file, "--max-turns", "1", "--battles", "50") == {
        "battles": 50,
        "first": 0,
        "second": 0,
        "draw": 0,
        "unfinished": 50,
        "turns_mean": 1.0,
    }


def test_without_json_it_is_told_in_words(tmp_path, capsys):
    path = tmp_path / "match-up.json"
    players = [{"name": "Ada\x1b[2J", "pet": "moss", "evolved": True}, {"pet": "spark"}]
    path.write_text(match_up_of(*players).to_json())
    assert main(["simulate", str(path), "--battles", "2000", "--seed", "3"]) == 0
    totals = simulate.simulate(match_up_of(*players), 2000, 3)

    def share(count):
        value, low, high = rate(count, 2000)
        return f"{count:5,} {value:7.2%}  ({low:.2%} to {high:.2%})"

    assert capsys.readouterr().out.splitlines() == [
        "2,000 battles, seed 3",
        f"  Ada\\x1b[2J (mosswood) wins {share(totals.first)}",
        f"  second (spark) wins        {share(totals.second)}",
        f"  draw                       {share(totals.draw)}",
        "  unfinished                     0   0.00%  (0.00% to 0.19%)",
        f"A battle took {totals.turns_mean:.4f} turns on average.",
        "In brackets is where each share lies 95 times in 100, of any number of battles.",
    ]


def test_it_reads_the_input_and_a_record_over_several_lines(monkeypatch, capsys):
    text = json.dumps({**ten_cards().to_dict(), "turns": []}, indent=1).encode()
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"\n" + text)))
    assert answer(capsys, "-", "--battles", "10")["battles"] == 10


def test_it_plays_from_a_start(tmp_path, capsys):
    path = tmp_path / "start.json"
    start = {"turn": 9, "second": {"health": 1, "poison": [1]}}
    path.write_text(match_up_of({"pet": "moss"}, {"pet": "tide"}, start=start).to_json())
    told = answer(capsys, str(path), "--battles", "100")
    assert (told["second"], told["turns_mean"]) == (0, 1.0)


def test_the_first_battles_are_written_as_records(file, tmp_path, capsys):
    out = tmp_path / "out.jsonl"
    told = answer(capsys, file, "--battles", "700", "--seed", "5", "--records", "700", str(out))
    records = [Record.from_json(line) for line in out.read_text().splitlines()]
    totals = counted(records, 500).totals
    assert tuple(told.values())[:5] == totals[:5]
    assert told["turns_mean"] == round(totals.turns / 700, 4)
    answer(capsys, file, "--battles", "900", "--seed", "5", "--records", "3", str(out))
    assert [Record.from_json(line) for line in out.read_text().splitlines()] == records[:3]


def test_written_records_keep_to_the_most_turns(file, tmp_path, capsys):
    out = tmp_path / "out.jsonl"
    answer(capsys, file, "--battles", "20", "--max-turns", "3", "--records", "20", str(out))
    assert {len(json.loads(line)["turns"]) for line in out.read_text().splitlines()} <= {1, 2, 3}


GOOD = ten_cards().to_json()
PLAYED = next(simulated_records(ten_cards(), 1)).to_json()


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (f"\n{GOOD}\n{GOOD}\n", "line 3: a second record, and only one is asked for"),
        (f"{GOOD}\nnonsense\n", "line 2: not JSON: Expecting value at place 1"),
        (PLAYED, "line 1: the record has turns already, and only a match-up can be simulated"),
        ("", "there is no record in the file"),
        ("\n\n", "there is no record in the file"),
        ("{}", "line 1: format is missing"),
        (GOOD.replace('"moss"', '"mouse"'), "line 1: first: there is no pet 'mouse'"),
        (GOOD.replace('"turns"', '"start": {"first": {"health": 0}}, "turns"'), None),
        (GOOD.replace('"turns"', '"start": {"first": {"health": 6}}, "turns"'), "line 1: first: start: health"),
    ],
)
def test_what_is_wrong_with_the_file_is_told_with_its_line(tmp_path, capsys, text, says):
    path = tmp_path / "file.json"
    path.write_text(text)
    status = main(["simulate", str(path), "--battles", "10", "--json"])
    told = json.loads(capsys.readouterr().out)
    if says is None:
        assert (status, told["battles"]) == (0, 10)
    else:
        assert status == 1
        assert told["error"].startswith(says)
        assert main(["simulate", str(path)]) == 1
        assert capsys.readouterr().out.startswith(says)


@pytest.mark.parametrize(
    "arguments",
    [
        ["--battles", "0"],
        ["--battles", "-1"],
        ["--battles", "1e3"],
        ["--battles", "٣"],
        ["--battles", "9" * 5000],
        ["--seed", "-1"],
        ["--seed", str(2**64)],
        ["--max-turns", "0"],
        ["--max-turns", "100000"],
        ["--cores", "0"],
        ["--records", "3"],
        ["--records", "0", "out"],
        ["--records", "11", "out", "--battles", "10"],
        ["--records", "x", "out"],
        ["--records", "3", "-"],
        ["--battle", "5"],
        ["second file"],
    ],
)
def test_wrong_usage_ends_with_two(file, arguments, capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SystemExit) as ended:
        main(["simulate", file, *arguments])
    assert ended.value.code == 2
    told = capsys.readouterr()
    assert told.out == ""
    assert "summon" in told.err
    assert not os.path.exists("out")


def test_the_file_itself_is_not_overwritten(file, capsys):
    with pytest.raises(SystemExit) as ended:
        main(["simulate", file, "--records", "1", file])
    assert ended.value.code == 2
    assert "OUT is FILE itself" in capsys.readouterr().err


def test_a_file_that_is_not_there_ends_with_two(tmp_path, capsys):
    assert main(["simulate", str(tmp_path / "none")]) == 2
    assert capsys.readouterr().err == f"summon simulate: {tmp_path / 'none'}: No such file or directory\n"


def test_records_that_cannot_be_written_are_told(file, tmp_path, capsys):
    for out, why in ((tmp_path / "none" / "out", "No such file or directory"), (tmp_path, "Is a directory")):
        assert main(["simulate", file, "--battles", str(10**12), "--records", "3", str(out)]) == 1
        assert capsys.readouterr() == ("", f"summon simulate: {out} cannot be written: {why}\n")


@pytest.fixture
def interrupted(monkeypatch):
    """Press Ctrl-C as soon as a simulation runs, so many times."""

    def press(times):
        run = simulate.simulate

        def simulated(*arguments, stop, **options):
            for _ in range(times):
                signal.raise_signal(signal.SIGINT)
            return run(*arguments, stop=stop, **options)

        monkeypatch.setattr(simulate, "simulate", simulated)

    return press


def test_interrupted_it_tells_what_it_has(file, tmp_path, capsys, interrupted):
    interrupted(1)
    out = tmp_path / "out.jsonl"
    arguments = ["simulate", file, "--battles", str(10**11), "--seed", "6", "--json", "--records", "5", str(out)]
    assert main(arguments) == 130
    told = capsys.readouterr()
    result = json.loads(told.out)
    assert 0 < result["battles"] < 10**11
    assert told.err == f"Stopped. These are the first {result['battles']:,} of 100,000,000,000 battles.\n"
    assert len(out.read_text().splitlines()) == 5
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_interrupted_twice_it_ends_at_once(file, capsys, interrupted):
    interrupted(2)
    assert main(["simulate", file, "--battles", str(10**11)]) == 130
    assert capsys.readouterr().out == ""
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


class Terminal(io.StringIO):
    """An output that says it is a terminal."""

    def isatty(self) -> bool:
        return True


def test_a_terminal_is_shown_how_far_a_long_run_is(file, capsys, monkeypatch):
    monkeypatch.setattr(command, "SHOWN_AFTER", 0.0)
    monkeypatch.setattr(command, "SHOWN_EVERY", 0.0)
    monkeypatch.setattr(sys, "stderr", Terminal())
    assert main(["simulate", file, "--battles", "2000"]) == 0
    *_, last, gone, end = sys.stderr.getvalue().split("\r")
    assert last == "2,000 of 2,000 battles (100%)"
    assert (gone.strip(), end) == ("", "")


def test_a_short_run_shows_nothing(file, capsys, monkeypatch):
    monkeypatch.setattr(command, "SHOWN_AFTER", 1000.0)
    monkeypatch.setattr(sys, "stderr", Terminal())
    assert main(["simulate", file, "--battles", "2000"]) == 0
    assert sys.stderr.getvalue() == ""
