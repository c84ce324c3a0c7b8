"""The command `summon`: replaying records, looking up rules, drawing pets, and how it ends."""

import io
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any
from urllib.request import url2pathname

import pytest

from summon import art, book, cli, rulebook, store
from summon.art.colours import colours
from summon.art.prints import PRINTS
from summon.record import FORMAT, Record, replay
from summon.transcript import transcript

PROJECT = Path(__file__).parents[1]

SUMMON = [sys.executable, "-c", "import sys; from summon.cli import main; sys.exit(main())"]
"""`summon` as a process of its own."""

GOOD: dict[str, Any] = {"format": FORMAT, "players": [{"pet": "moss"}, {"pet": "spark"}], "turns": [["attack", "heal"]]}
OTHER: dict[str, Any] = {**GOOD, "turns": [["counter", "attack"], ["heal", "attack"]]}
BROKEN: dict[str, Any] = {**GOOD, "turns": [["attack", "heal"], ["attack", "wait"]]}

EXAMPLE = {
    "format": "summon-battle/1",
    "players": [
        {
            "name": "left",
            "pet": "moss",
            "evolved": False,
            "tiers": {"attack": 1, "heal": 2, "counter": 1},
            "cards": ["shield", "poison"],
        },
        {"name": "right", "pet": "spark", "evolved": True, "cards": ["sacrifice"]},
    ],
    "rules": {"sacrifice_first_turn": 3},
    "turns": [["attack", "heal"], ["poison", "attack"], ["shield", "sacrifice:2"]],
}
"""The example of docs/records.md."""

LEGAL = [["attack", "counter", "heal", "poison", "shield"], ["attack", "counter", "heal"]]

ANSWER = {
    "outcome": "unfinished",
    "gold": [0, 0],
    "start": {"health": [5, 10], "legal": LEGAL},
    "rounds": [
        {
            "turn": 1,
            "cards": ["attack", "heal"],
            "effects": ["attack", "heal"],
            "cost": [0, 0],
            "healed": [0, 0],
            "damage": [0, 2],
            "poison": [0, 0],
            "health": [5, 8],
            "legal": LEGAL,
        },
        {
            "turn": 2,
            "cards": ["poison", "attack"],
            "effects": ["poison", "attack"],
            "cost": [0, 0],
            "healed": [0, 0],
            "damage": [2, 0],
            "poison": [0, 1],
            "health": [3, 7],
            "legal": [LEGAL[0], ["attack", "counter", "heal", "sacrifice"]],
        },
        {
            "turn": 3,
            "cards": ["shield", "sacrifice:2"],
            "effects": ["shield", "sacrifice"],
            "cost": [0, 2],
            "healed": [0, 0],
            "damage": [2, 0],
            "poison": [0, 1],
            "health": [1, 4],
            "legal": LEGAL,
        },
    ],
}
"""What the replay of the example is, worked out by hand."""


def written(path: Path, *records: object) -> str:
    lines = [record if isinstance(record, str) else json.dumps(record) for record in records]
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8", errors="surrogatepass")
    return str(path)


def run(*arguments: str, given: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [*SUMMON, *arguments], input=given, capture_output=True, cwd=PROJECT, timeout=120, check=False
    )


# Replay


def test_the_example_of_the_documentation(tmp_path, capsys):
    assert cli.main(["replay", "--json", written(tmp_path / "a", EXAMPLE)]) == 0
    assert json.loads(capsys.readouterr().out) == ANSWER


def test_the_documentation_shows_this_example():
    text = (PROJECT / "docs" / "records.md").read_text(encoding="utf-8")
    shown = [json.loads(block.partition("```")[0]) for block in text.split("```json\n")[1:]]
    assert EXAMPLE in shown
    answers = [block for block in shown if "outcome" in block]
    assert answers == [{**ANSWER, "rounds": ANSWER["rounds"][:1]}]


def test_a_pretty_printed_example_gives_the_same(tmp_path, capsys):
    path = tmp_path / "a"
    path.write_text(json.dumps(EXAMPLE, indent=2))
    assert cli.main(["replay", "--json", str(path)]) == 0
    assert json.loads(capsys.readouterr().out) == ANSWER


def test_json_is_one_object_a_line_in_order(tmp_path, capsys):
    assert cli.main(["replay", written(tmp_path / "a", GOOD, OTHER, GOOD), "--json"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [json.loads(line) for line in lines] == [replay(Record.from_dict(told)) for told in (GOOD, OTHER, GOOD)]


def test_the_readable_account_is_the_transcript(tmp_path, capsys):
    assert cli.main(["replay", written(tmp_path / "a", GOOD, OTHER)]) == 0
    assert capsys.readouterr().out == "".join(f"{transcript(Record.from_dict(told))}\n" for told in (GOOD, OTHER))


@pytest.mark.parametrize("as_json", [True, False])
def test_an_error_stands_in_its_place_and_the_rest_is_replayed(tmp_path, capsys, as_json):
    arguments = ["replay", written(tmp_path / "a", GOOD, BROKEN, "", "nonsense", OTHER), *["--json"] * as_json]
    assert cli.main(arguments) == 1
    captured = capsys.readouterr()
    assert captured.err == ""
    wrong = ("line 2: turn 2, second: Nobody may Wait freely. Choose a card. (rule 2.4)", "line 4: not JSON")
    if as_json:
        told = [json.loads(line) for line in captured.out.splitlines()]
        assert [told[0], told[3]] == [replay(Record.from_dict(GOOD)), replay(Record.from_dict(OTHER))]
        assert [list(error) for error in told[1:3]] == [["error"], ["error"]]
        assert told[1]["error"] == wrong[0] and told[2]["error"].startswith(wrong[1])
    else:
        first, rest = captured.out.split(wrong[0] + "\n\n")
        assert first == transcript(Record.from_dict(GOOD)) + "\n"
        assert rest.startswith(wrong[1]) and rest.endswith(transcript(Record.from_dict(OTHER)) + "\n")


def test_several_files_are_replayed_in_order_and_named_in_errors(tmp_path, capsys):
    names = [written(tmp_path / "a", GOOD), written(tmp_path / "b", BROKEN), written(tmp_path / "c", OTHER)]
    assert cli.main(["replay", "--json", *names]) == 1
    told = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [len(one.get("rounds", ())) for one in told] == [1, 0, 2]
    assert told[1]["error"].startswith(f"{names[1]}, line 1: turn 2, second: ")


def test_an_empty_file_is_no_error(tmp_path, capsys):
    assert cli.main(["replay", "--json", written(tmp_path / "a"), written(tmp_path / "b", "", " ")]) == 0
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize("as_json", [True, False])
def test_a_file_that_is_missing_is_told_before_anything_is_replayed(tmp_path, capsys, as_json):
    names = [written(tmp_path / "a", GOOD), str(tmp_path / "missing")]
    assert cli.main(["replay", *names, *["--json"] * as_json]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert names[1] in captured.err


def test_a_folder_is_no_file(tmp_path, capsys):
    assert cli.main(["replay", str(tmp_path)]) == 2
    assert str(tmp_path) in capsys.readouterr().err


@pytest.mark.parametrize(
    "arguments", [[], ["replay"], ["replay", "--nonsense", "x"], ["nonsense"], ["rule", "1.1", "2"]]
)
def test_wrong_usage(arguments, capsys):
    with pytest.raises(SystemExit) as caught:
        cli.main(arguments)
    assert caught.value.code == 2
    captured = capsys.readouterr()
    assert (captured.out, "usage: summon" in captured.err) == ("", True)


@pytest.mark.parametrize("as_json", [True, False])
def test_the_input_may_be_replayed(monkeypatch, capsys, as_json):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(json.dumps(GOOD).encode())))
    assert cli.main(["replay", "-", *["--json"] * as_json]) == 0
    assert ("outcome" in capsys.readouterr().out) == as_json


@pytest.mark.parametrize("command", [["replay"], ["simulate"], ["sweep"], ["log"], ["ask", "--no-browser"]])
def test_a_closed_input_is_told(monkeypatch, capsys, command):
    monkeypatch.setattr(sys, "stdin", None)
    assert cli.main([*command, "-"]) == 2
    assert capsys.readouterr().err == f"summon {command[0]}: -: the input is closed\n"


STRANGE = ["\u001b[31mred\u001b[0m", "two\nlines", "\ud800", "\r", "\u202e", "\u0000", "\u2028", "\x9b31m"]


@pytest.mark.parametrize("name", STRANGE)
def test_a_strange_name_is_harmless_in_readable_output(tmp_path, capsys, name):
    told = {**GOOD, "players": [{"name": name, "pet": "moss"}, {"name": "plain", "pet": "moss"}]}
    assert cli.main(["replay", written(tmp_path / "a", told)]) == 0
    out = capsys.readouterr().out
    assert all(letter == "\n" or letter.isprintable() for letter in out)
    assert len(out.splitlines()) == len(transcript(Record.from_dict(GOOD)).splitlines()) + 1
    assert "plain's Moss" in out


def test_a_strange_name_comes_through_json_as_ascii(tmp_path, capsys):
    told = {**GOOD, "players": [{"name": "".join(STRANGE), "pet": "moss"}, {"pet": "moss"}]}
    assert cli.main(["replay", "--json", written(tmp_path / "a", told)]) == 0
    assert capsys.readouterr().out.isascii()


def test_a_strange_file_name_is_harmless_in_errors(tmp_path, capsys):
    names = [written(tmp_path / "a\u001b[31m\nb", BROKEN), written(tmp_path / "c", GOOD)]
    assert cli.main(["replay", *names]) == 1
    assert "\u001b" not in capsys.readouterr().out


# As a process


def test_the_process_ends_with_the_status(tmp_path):
    good, broken = written(tmp_path / "a", GOOD), written(tmp_path / "b", BROKEN, GOOD)
    done = run("replay", good, "--json")
    assert (done.returncode, done.stderr) == (0, b"")
    assert json.loads(done.stdout) == replay(Record.from_dict(GOOD))
    done = run("replay", broken)
    assert (done.returncode, done.stderr) == (1, b"")
    assert b"(rule 2.4)" in done.stdout
    assert [run("replay", str(tmp_path / "missing")).returncode, run("replay").returncode, run().returncode] == [2] * 3


def test_the_process_reads_its_input():
    done = run("replay", "-", "--json", given=json.dumps(GOOD).encode() + b"\r\n\r\n" + b"\xff\n")
    assert done.returncode == 1
    first, second = (json.loads(line) for line in done.stdout.splitlines())
    assert (first, list(second)) == (replay(Record.from_dict(GOOD)), ["error"])
    assert second["error"].startswith("line 3: ")


def test_a_letter_that_the_terminal_cannot_show_is_shown_as_a_code(tmp_path):
    told = {**GOOD, "players": [{"name": "Zoë 🐢", "pet": "moss"}, {"pet": "spark"}]}
    environment = {**os.environ, "PYTHONIOENCODING": "ascii"}
    command = [*SUMMON, "replay", written(tmp_path / "a", told)]
    done = subprocess.run(command, capture_output=True, cwd=PROJECT, env=environment, timeout=120, check=False)
    assert (done.returncode, done.stderr) == (0, b"")
    assert b"Zo\\xeb \\U0001f422: Moss" in done.stdout


@pytest.mark.parametrize("arguments", [["--json"], []])
def test_a_reader_that_goes_away_is_no_failure_to_complain_about(tmp_path, arguments):
    path = written(tmp_path / "a", *[GOOD] * 1_000)
    process = subprocess.Popen(
        [*SUMMON, "replay", path, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=PROJECT
    )
    assert process.stdout is not None and process.stderr is not None
    assert process.stdout.readline()
    process.stdout.close()
    assert process.stderr.read() == b""
    process.stderr.close()
    assert process.wait(timeout=120) in (0, 1)


LEAN = """
import sys
from summon.cli import main
status = main(sys.argv[1:])
loaded = {"panel", "bokeh", "pandas", "numpy", "numba", "matplotlib"} & {name.partition(".")[0] for name in sys.modules}
print(sorted(loaded), status, file=sys.stderr)
"""


@pytest.mark.parametrize("arguments", [["replay", "--json", "FILE"], ["replay", "FILE"], ["rule", "5.3"], ["rule"]])
def test_a_lean_command_loads_nothing_heavy(tmp_path, arguments):
    path = written(tmp_path / "a", GOOD)
    told = [path if argument == "FILE" else argument for argument in arguments]
    command = [sys.executable, "-c", LEAN, *told]
    done = subprocess.run(command, capture_output=True, cwd=PROJECT, timeout=120, check=False)
    assert done.stderr.decode().splitlines() == ["[] 0"]


def test_importing_the_command_loads_nothing_heavy():
    code = "import sys, summon.cli; print(sorted({'panel', 'bokeh', 'pandas', 'numpy', 'numba'} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, cwd=PROJECT, timeout=120, check=False)
    assert done.stdout.split() == [b"[]"]


# Rules


def test_a_rule_is_printed_with_its_places(capsys):
    assert cli.main(["rule", "5.3"]) == 0
    out = capsys.readouterr().out
    assert out.startswith(f"5.3 {rulebook.rule('5.3').text}\n")
    assert "status: " in out and "section: 5 Poison" in out
    places = out[out.index("\ncode:\n") :]
    assert "summon/turn.py:" in places and "is_lethal" in places
    assert places.index("code:") < places.index("cases:")


def test_where_there_is_nothing_of_a_kind_nothing_is_said_of_it(capsys, monkeypatch):
    monkeypatch.setattr(rulebook, "cells", dict)
    assert cli.main(["rule", "5.3"]) == 0
    assert "notebook:" not in capsys.readouterr().out
    shown = rulebook.Place(PROJECT / "notebooks" / "05.ipynb", 3, "cell 3")
    monkeypatch.setattr(rulebook, "cells", lambda: {"5.3": (shown,)})
    assert cli.main(["rule", "5.3"]) == 0
    assert str(shown) in capsys.readouterr().out.partition("notebook:")[2]
    assert cli.main(["rule", "5.2"]) == 0
    assert capsys.readouterr().out.partition("notebook:")[2].split() == ["none"]


def test_all_rules_are_printed_in_order(capsys):
    assert cli.main(["rule"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines] == list(rulebook.rules())
    numbers = [tuple(map(int, number.split("."))) for number in rulebook.rules()]
    assert numbers == sorted(numbers)
    assert numbers[0] == (1, 1)


@pytest.mark.parametrize("number", ["5.99", "5", "", "5.3.1", "five", " 5.3", "\u0665.\u0663"])
def test_a_rule_that_there_is_not(capsys, number):
    assert cli.main(["rule", number]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert "there is no rule" in captured.err


def test_the_rule_command_as_a_process():
    assert run("rule", "8.2").returncode == 0
    assert run("rule", "99.9").returncode == 2


def test_more_files_than_may_be_open_at_once(tmp_path, capsys, monkeypatch):
    open_now, most = [], []

    class Counted:
        def __init__(self, file):
            self.file = file

        def __enter__(self):
            open_now.append(self)
            most.append(len(open_now))
            return self.file.__enter__()

        def __exit__(self, *args):
            open_now.remove(self)
            return self.file.__exit__(*args)

    monkeypatch.setattr(cli, "open", lambda *args: Counted(open(*args)), raising=False)  # noqa: SIM115
    names = [written(tmp_path / str(number), GOOD) for number in range(5)]
    assert cli.main(["replay", "--json", *names]) == 0
    assert len(capsys.readouterr().out.splitlines()) == 5
    assert max(most) == 1


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="a device of Linux")
def test_an_output_that_cannot_be_written_is_not_blamed_on_the_input(tmp_path):
    path = written(tmp_path / "a", GOOD)
    with open("/dev/full", "w") as full:
        process = subprocess.run([*SUMMON, "replay", path], stdout=full, stderr=subprocess.PIPE, text=True, cwd=PROJECT)
    assert process.returncode == 1
    assert "output" in process.stderr and path not in process.stderr


def test_an_abbreviated_option_is_wrong_usage(tmp_path):
    with pytest.raises(SystemExit) as ended:
        cli.main(["replay", "--js", written(tmp_path / "a", GOOD)])
    assert ended.value.code == 2


# Play


@pytest.fixture
def served(monkeypatch):
    """With what the game would be served, without serving it."""
    given = {}
    monkeypatch.setattr("summon.views.server.serve", lambda **options: given.update(options) or 0)
    return given


@pytest.mark.parametrize(
    ("arguments", "options"),
    [
        ([], {}),
        (["--port", "80", "--no-browser"], {"port": 80, "open_browser": False}),
        (["--lan"], {"network": True}),
        (["--lan", "--address", "192.168.1.5"], {"network": True, "address": "192.168.1.5"}),
        (["--lan", "--address", "Laptop.local"], {"network": True, "address": "laptop.local"}),
        (["--behind-proxy", "Summon.example"], {"proxy": "summon.example"}),
        (["--behind-proxy", "summon.example:8443/Games/"], {"proxy": "summon.example:8443/Games"}),
    ],
)
def test_how_the_game_is_served(served, arguments, options):
    assert cli.main(["play", *arguments]) == 0
    alone = {"port": None, "open_browser": True, "network": False, "address": None, "proxy": None}
    assert served == alone | options


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["--port", "65536"], "whole number from 0 to 65535"),
        (["--lan", "--address", "192.168.1.5:5006"], "an address like 192.168.1.5"),
        (["--lan", "--address", "http://laptop"], "an address like 192.168.1.5"),
        (["--lan", "--address", "127.0.0.1"], "an address like 192.168.1.5"),
        (["--lan", "--address", ""], "an address like 192.168.1.5"),
        (["--address", "192.168.1.5"], "say --lan as well"),
        (["--lan", "--behind-proxy", "summon.example"], "choose one"),
        (["--behind-proxy", "https://summon.example"], "summon.example:8443"),
        (["--behind-proxy", "summon.example:0"], "summon.example:8443"),
        (["--behind-proxy", "summon.example:https"], "summon.example:8443"),
        (["--behind-proxy", "summon.example/"], "summon.example:8443"),
        (["--behind-proxy", "summon.example/a?b"], "summon.example:8443"),
        (["--behind-proxy", "*"], "summon.example:8443"),
    ],
)
def test_how_it_cannot_be_served(served, capsys, arguments, told):
    with pytest.raises(SystemExit) as ended:
        cli.main(["play", *arguments])
    assert ended.value.code == 2
    assert told in capsys.readouterr().err
    assert served == {}


# Pets of one's own

FOX = """\
r = red
E = eye #b5480d on red

/rr\\
rEEr
rEEr
"""


@pytest.fixture
def fox(tmp_path, monkeypatch):
    """A grid file in the folder that the command is run in."""
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "red-fox.txt"
    path.write_text(FOX, encoding="utf-8")
    return path


def test_a_grid_file_is_drawn_beside_it(fox, capsys):
    assert cli.main(["pet", str(fox)]) == 0
    drawn = fox.with_suffix(".svg").read_text(encoding="utf-8")
    assert drawn == art.render(FOX, "Red Fox", shadow=True, standalone=True)
    assert capsys.readouterr().out == f"{fox} is drawn in {fox.with_suffix('.svg')}.\n"
    assert fox.read_text(encoding="utf-8") == FOX


def test_a_grid_file_of_another_editor_is_drawn_alike(fox):
    fox.write_bytes(b"\xef\xbb\xbf" + FOX.replace("\n", "\r\n").encode())
    assert cli.main(["pet", "red-fox.txt"]) == 0
    drawn = Path("red-fox.svg").read_text(encoding="utf-8")
    assert drawn == art.render(FOX, "Red Fox", shadow=True, standalone=True)


def test_a_pet_of_the_game_is_drawn_by_its_name(fox):
    assert cli.main(["pet", "moss"]) == 0
    assert Path("moss.svg").read_text(encoding="utf-8") == art.picture("moss", standalone=True)
    assert cli.main(["pet", "moss", "--output", "green.svg"]) == 0
    assert Path("green.svg").read_bytes() == Path("moss.svg").read_bytes()


def test_nothing_is_overwritten_without_being_asked(fox, capsys):
    Path("red-fox.svg").write_text("mine", encoding="utf-8")
    assert cli.main(["pet", "red-fox.txt"]) == 1
    assert capsys.readouterr() == ("", "summon pet: red-fox.svg is there already: -f overwrites it, -o names another\n")
    assert Path("red-fox.svg").read_text(encoding="utf-8") == "mine"
    assert cli.main(["pet", "red-fox.txt", "-f"]) == 0
    assert Path("red-fox.svg").read_text(encoding="utf-8").startswith("<svg ")


@pytest.mark.parametrize("arguments", [["drawing.svg", "-f"], ["red-fox.txt", "-f", "-o", "./red-fox.txt"]])
def test_the_drawing_itself_is_never_overwritten(fox, capsys, arguments):
    Path("drawing.svg").write_text(FOX, encoding="utf-8")
    assert cli.main(["pet", *arguments]) == 1
    assert "is the drawing itself" in capsys.readouterr().err
    assert Path(arguments[0]).read_text(encoding="utf-8") == FOX


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (FOX.replace("rEEr", "rEex", 1), "red-fox.txt, line 5, column 3: 'e' is not in the list of colours"),
        (FOX.replace("= red", "= rad", 1), "red-fox.txt, line 1, column 5: there is no colour 'rad'"),
        (FOX.replace("eye", "ear"), "red-fox.txt, line 2, column 5: there is no print 'ear'"),
        (FOX + "rr\n", "red-fox.txt, line 7, column 3: this row has 2 places, others have 4"),
        (FOX + "r" * 65 + "\n", "red-fox.txt, line 7, column 65: a row has at most 64 places"),
        (FOX + "rrrr\n" * 62, "red-fox.txt, line 68: a grid has at most 64 rows"),
        ("# note\n" * 4000, "red-fox.txt: a grid has at most 20000 characters"),
        ("", "red-fox.txt: there is not one brick in it"),
    ],
)
def test_what_is_wrong_with_a_drawing_is_told_with_its_place(fox, capsys, text, told):
    fox.write_text(text, encoding="utf-8")
    assert cli.main(["pet", "red-fox.txt"]) == 1
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.startswith(f"summon pet: {told}")
    assert not Path("red-fox.svg").exists()


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["nobody.txt"], "there is no file 'nobody.txt'. The pets of the game are: blaze, bloom,"),
        (["attack"], "there is no file 'attack'"),
        (["."], ". cannot be read: "),
        (["noise"], "noise is not a text file"),
        (["red-fox.txt", "-o", "nowhere/fox.svg"], "nowhere/fox.svg cannot be written: "),
        (["red\u001b[31m"], "there is no file 'red\\x1b[31m'"),
    ],
)
def test_what_cannot_be_read_or_written_is_told(fox, capsys, arguments, told):
    Path("noise").write_bytes(b"\xff\xfe\x00")
    assert cli.main(["pet", *arguments]) == 1
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.startswith(f"summon pet: {told}")


@pytest.mark.parametrize("command", [["pet", "red-fox.txt", "-o"], ["backup"]])
def test_a_name_that_no_file_can_have_is_told(fox, capsys, monkeypatch, command):
    monkeypatch.setenv("SUMMON_STORE", str(fox.parent / "summon.db"))
    store.Store.open().close()
    name = "n" * 300 + ".svg"
    assert cli.main([*command, name]) == 1
    assert name in capsys.readouterr().err


def test_the_browser_shows_a_file_that_is_not_kept_or_the_one_that_was_asked_for(fox, capsys, monkeypatch):
    opened = []
    monkeypatch.setattr("webbrowser.open", lambda address: opened.append(address) or True)
    monkeypatch.setattr("tempfile.tempdir", str(fox.parent / "temporary"))
    Path("temporary").mkdir()
    assert cli.main(["pet", "red-fox.txt", "--show"]) == 0
    assert cli.main(["pet", "red-fox.txt", "--show", "-o", "my fox.svg"]) == 0
    shown = [Path(url2pathname(address.removeprefix("file://"))) for address in opened]
    assert [path.read_text(encoding="utf-8") for path in shown] == [
        art.render(FOX, "Red Fox", shadow=True, standalone=True)
    ] * 2
    assert shown[0].parent.name == "temporary"
    assert shown[1] == fox.parent / "my fox.svg"
    assert not Path("red-fox.svg").exists()


def test_without_a_browser_the_file_is_named(fox, capsys, monkeypatch):
    monkeypatch.setattr("webbrowser.open", lambda address: False)
    assert cli.main(["pet", "red-fox.txt", "--show", "-o", "fox.svg"]) == 1
    captured = capsys.readouterr()
    assert captured.out == "red-fox.txt is drawn in fox.svg.\n"
    assert "no browser" in captured.err


def test_drawing_a_pet_loads_nothing_heavy(fox):
    command = [sys.executable, "-c", LEAN, "pet", str(fox)]
    environment = {**os.environ, "PYTHONPATH": str(PROJECT)}
    done = subprocess.run(command, capture_output=True, env=environment, timeout=120, check=False)
    assert done.stderr.decode().splitlines() == ["[] 0"]


def test_the_drawing_of_the_documentation_can_be_drawn(fox):
    text = (PROJECT / "docs" / "drawing.md").read_text(encoding="utf-8")
    fox.write_text(text.split("```\n")[1], encoding="utf-8")
    assert cli.main(["pet", "red-fox.txt"]) == 0


def test_the_documentation_names_every_colour_and_print():
    text = (PROJECT / "docs" / "drawing.md").read_text(encoding="utf-8")
    told = {name for line in text.splitlines() for name in line.split(": ", 1)[-1].rstrip(".").split(", ")}
    assert {*colours(), *PRINTS} <= told


def test_a_rule_tells_where_its_page_is_and_shows_it(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    opened: list[str] = []
    monkeypatch.setattr("webbrowser.open", lambda url: opened.append(url) or True)
    page = book.BUILT / "rules" / "5.3.html"
    assert cli.main(["rule", "5.3"]) == 0
    assert f"page: {page}\n" in capsys.readouterr().out
    assert opened == []
    assert cli.main(["rule", "5.3", "--show"]) == cli.main(["rule", "--show"]) == 0
    assert opened == [page.as_uri(), (book.BUILT / "index.html").as_uri()]

    monkeypatch.setattr(book, "BUILT", tmp_path)
    assert cli.main(["rule", "5.3"]) == 0
    assert "page:" not in capsys.readouterr().out.splitlines()[-1]
    assert cli.main(["rule", "5.3", "--show"]) == 1
    assert "the book is not here" in capsys.readouterr().err
