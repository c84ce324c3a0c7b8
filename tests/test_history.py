"""The history frames: their columns and types, and that they tell what the replay tells."""

import json
import random
import sys
import weakref
from io import BytesIO, TextIOWrapper

import pandas as pd
import pytest

from summon import cli, history, words
from summon.battle import Battle, Fighter
from summon.cards import BY_CODE, PETS
from summon.events import Kind
from summon.history import EVENT_COLUMNS, LOG_COLUMNS, ROUND_COLUMNS, Logged, battles_log, event_log, round_log
from summon.position import OUTCOMES, SIDES
from summon.record import Record, RecordError, replay, situation
from summon.transcript import pet_names
from tests.strategies import random_choice, random_player


def random_battles(number: int) -> list[Battle]:
    rng = random.Random(number)
    battles = []
    for _ in range(number):
        battle = Battle(random_player(rng), random_player(rng))
        while not battle.over and battle.turn < 40:
            battle.play(*(str(random_choice(battle.position, side, rng)) for side in (0, 1)))
        battles.append(battle)
    return battles


BATTLES = [Battle(), *random_battles(12)]


@pytest.mark.parametrize(("frame", "columns"), [(round_log, ROUND_COLUMNS), (event_log, EVENT_COLUMNS)])
def test_the_columns_and_types_are_those_that_are_documented(frame, columns):
    for battle in BATTLES:
        told = frame(battle)
        assert list(told.columns) == list(columns)
        for name, (dtype, meaning) in columns.items():
            assert told[name].dtype == pd.Series([], dtype=dtype).dtype, name
            assert meaning
    assert len(frame(Battle())) == 0


def test_categories_are_the_whole_table_in_its_order():
    told, happened = round_log(BATTLES[1]), event_log(BATTLES[1])
    assert list(told["side"].cat.categories) == list(happened["on"].cat.categories) == list(SIDES)
    assert list(told["card"].cat.categories) == list(told["effect"].cat.categories) == list(BY_CODE)
    assert list(told["pet"].cat.categories) == list(PETS)
    assert list(happened["kind"].cat.categories) == [str(kind) for kind in Kind]


def test_the_round_log_has_the_numbers_of_the_replay():
    for battle in BATTLES:
        rows = round_log(battle).to_dict("records")
        rounds = replay(battle.to_record())["rounds"]
        assert len(rows) == 2 * len(rounds)
        for place, row in enumerate(rows):
            round_, side = rounds[place // 2], place % 2
            player = battle.players[side]
            assert (row["turn"], row["side"]) == (round_["turn"], SIDES[side])
            assert (row["pet"], row["evolved"]) == (player.pet, player.evolved)
            amount = f":{row['amount']}" if row["card"] == "sacrifice" else ""
            assert row["card"] + amount == round_["cards"][side]
            assert row["effect"] == round_["effects"][side]
            assert [row[key] for key in ("cost", "healed", "damage", "poison", "health")] == [
                round_[key][side] for key in ("cost", "healed", "damage", "poison", "health")
            ]
            assert row["dealt"] == battle.rounds[place // 2].shares[side].dealt
            assert row["amount"] == 0 or row["card"] == "sacrifice"


def test_the_round_log_keeps_the_reserve():
    record = situation(
        {"pet": "tide", "reserve": 1, "cards": ["wild"]}, {"pet": "moss", "poison": [1]}, rules={"reserve_health": 4}
    )
    battle = Battle.from_record(record)
    battle.play("wild", "attack")
    assert list(round_log(battle)["reserve"]) == [3, 0]
    assert replay(battle.to_record())["rounds"][0]["reserve"] == [3, 0]


def test_the_event_log_has_the_events_of_the_battle():
    for battle in BATTLES:
        names = pet_names(battle.players)
        rows = event_log(battle).to_dict("records")
        assert len(rows) == len(battle.events)
        place, turn = 0, 0
        for row, event in zip(rows, battle.events, strict=True):
            place = place + 1 if event.turn == turn else 0
            turn = event.turn
            assert row == {
                "turn": event.turn,
                "place": place,
                "side": SIDES[event.side],
                "on": SIDES[event.on],
                "kind": str(event.kind),
                "card": event.card,
                "number": event.number,
                "rule": event.rule,
                "because": words.because(event),
                "text": words.sentence(event, names),
            }


def test_the_largest_numbers_of_the_rules_fit_the_columns():
    rules = {
        "base_health": 999,
        "evolved_health": 999,
        "evolved_bonus": 999,
        "refreshment_bonus": 999,
        "attack_damage": [999] * 3,
    }
    rules |= {"attack_bonus_against_heal": 999, "poison_damage": 999, "poison_turns": 4, "hide_cost": 0}
    both = {"pet": "ember", "evolved": True, "boosted": True, "cards": ["poison"], "poison": [999] * 4}
    battle = Battle.from_record(situation(both, both, rules=rules, turn=9999))
    battle.play("attack", "heal")
    row = round_log(battle).to_dict("records")[1]
    assert (row["turn"], row["damage"], row["poison"], row["health"]) == (9999, 4 * 999, 999, 0)


def test_a_small_battle_reads_as_expected():
    battle = Battle(Fighter("moss"), Fighter("spark", cards=["sacrifice"]))
    battle.play("attack", "heal")
    assert round_log(battle)[["turn", "side", "card", "dealt", "damage", "health"]].values.tolist() == [
        [1, "first", "attack", 2, 0, 5],
        [1, "second", "heal", 0, 2, 3],
    ]
    assert event_log(battle)[["kind", "rule", "because", "text"]].values.tolist() == [
        ["stop", "3.2", "3.2", "Spark's Heal is stopped."],
        ["hit", "3.1", "3.1, +1 against Heal", "Attack hits Spark for 2."],
    ]


@pytest.mark.parametrize("frame", [round_log, event_log])
def test_the_frames_do_not_tell_the_turn_in_play(frame):
    battle = Battle.from_record(Record(BATTLES[1].players))
    battle.choose(0, "attack")
    assert frame(battle).empty


# Many battles

RECORDS = [battle.to_record() for battle in BATTLES]
ILLEGAL = {**BATTLES[1].to_record().to_dict(), "turns": [["wait", "attack"]]}


def types(frame):
    return {name: str(dtype) for name, dtype in frame.dtypes.items()}


def test_a_log_of_many_battles_is_that_of_each_with_its_number_and_outcome():
    told = battles_log(RECORDS)
    assert list(told.columns) == list(LOG_COLUMNS)
    assert all(meaning for _, meaning in LOG_COLUMNS.values())
    assert types(told) == {name: str(pd.Series([], dtype=dtype).dtype) for name, (dtype, _) in LOG_COLUMNS.items()}
    assert list(told["outcome"].cat.categories) == list(OUTCOMES)
    for number, battle in enumerate(BATTLES, 1):
        rows = told[told["battle"] == number]
        assert set(rows["outcome"]) == ({battle.outcome} if battle.rounds else set())
        pd.testing.assert_frame_equal(rows[list(ROUND_COLUMNS)].reset_index(drop=True), round_log(battle))


def test_a_log_of_no_battles_has_its_columns():
    assert types(battles_log([])) == types(battles_log(RECORDS))
    assert battles_log([]).empty


def test_a_long_log_is_made_in_parts_and_is_the_same(monkeypatch):
    whole = battles_log(RECORDS)
    monkeypatch.setattr(history, "ROWS_AT_ONCE", 7)
    pd.testing.assert_frame_equal(battles_log(iter(RECORDS)), whole)


def test_an_outcome_that_the_turns_do_not_tell_is_kept():
    left = Battle()
    left.play("attack", "heal")
    left.leave("first")
    told = battles_log([Logged("here", left.to_record(), left.outcome), left.to_record()])
    assert list(told.groupby("battle")["outcome"].first()) == ["second", "unfinished"]


def test_what_cannot_be_played_is_named_left_out_whole_and_leaves_a_gap():
    late = {**ILLEGAL, "turns": [*RECORDS[1].to_dict()["turns"][:1], ["wait", "attack"]]}
    mixed = [RECORDS[1], Record.from_dict(late), Logged("f, line 9", RecordError("not JSON")), RECORDS[2]]
    wrong = []
    told = battles_log(mixed, wrong.append)
    assert set(told["battle"]) == {1, 4}
    assert str(wrong[0]).startswith("battle 2: turn 2, first: ")
    assert "(rule 2." in str(wrong[0])
    assert str(wrong[1]) == "f, line 9: not JSON"
    with pytest.raises(RecordError, match="battle 2: turn 2"):
        battles_log(mixed)


@pytest.mark.parametrize("suffix", ["parquet", "csv"])
def test_a_log_is_written_part_by_part_and_no_part_is_kept(tmp_path, monkeypatch, suffix):
    if suffix == "parquet":
        pytest.importorskip("pyarrow")
    monkeypatch.setattr(history, "ROWS_AT_ONCE", 1)
    before = []

    def parts():
        for part in history.log_parts(RECORDS):
            assert not [old for old in before[:-1] if old() is not None]
            before.append(weakref.ref(part))
            yield part

    history.write_log(parts(), tmp_path / f"log.{suffix}")
    assert len(before) > 3
    pd.testing.assert_frame_equal(history.read_log(tmp_path / f"log.{suffix}"), battles_log(RECORDS))


@pytest.mark.parametrize("suffix", ["parquet", "csv"])
def test_what_is_not_written_whole_leaves_what_was_there(tmp_path, suffix):
    if suffix == "parquet":
        pytest.importorskip("pyarrow")
    history.write_log(battles_log(RECORDS), tmp_path / f"log.{suffix}")

    def parts():
        yield battles_log(RECORDS)
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        history.write_log(parts(), tmp_path / f"log.{suffix}")
    pd.testing.assert_frame_equal(history.read_log(tmp_path / f"log.{suffix}"), battles_log(RECORDS))
    assert len(list(tmp_path.iterdir())) == 1


@pytest.mark.parametrize("suffix", ["parquet", "csv"])
def test_a_log_is_the_same_after_a_file(tmp_path, suffix):
    if suffix == "parquet":
        pytest.importorskip("pyarrow")
    for frame in (battles_log(RECORDS), battles_log([]), round_log(BATTLES[2])):
        history.write_log(frame, tmp_path / f"log.{suffix}")
        pd.testing.assert_frame_equal(history.read_log(tmp_path / f"log.{suffix}"), frame)


def test_what_is_no_log_is_refused(tmp_path):
    with pytest.raises(ValueError, match=r"\.parquet or \.csv, not .*log\.txt"):
        history.write_log(battles_log([]), tmp_path / "log.txt")
    (tmp_path / "other.csv").write_text("a,b\n1,2\n")
    with pytest.raises(ValueError, match=r"other\.csv is no log"):
        history.read_log(tmp_path / "other.csv")


@pytest.fixture
def folder(tmp_path):
    """Give a folder with three files: two good records in all, and two bad ones."""
    place = tmp_path / "played"
    place.mkdir()
    (place / "a.jsonl").write_text("\n".join([RECORDS[1].to_json(), "nonsense", json.dumps(ILLEGAL)]))
    (place / "b.json").write_text(json.dumps(RECORDS[2].to_dict(), indent=1))
    (place / "notes.txt").write_text("no record")
    return place


def test_a_folder_is_read_file_by_file(folder):
    told = list(history.recorded([folder]))
    wheres = [("a.jsonl", 1), ("a.jsonl", 2), ("a.jsonl", 3), ("b.json", 1)]
    assert [logged.where for logged in told] == [f"{folder / name}, line {line}" for name, line in wheres]
    assert [logged.record for logged in told][::3] == RECORDS[1:3]
    assert isinstance(told[1].record, RecordError)


def test_the_command_writes_what_can_be_played_and_names_the_rest(folder, capsys):
    out = folder / "log.csv"
    assert cli.main(["log", str(folder), "--out", str(out)]) == 1
    told = capsys.readouterr()
    assert [line.partition(", ")[2].partition(":")[0] for line in told.err.splitlines()] == ["line 2", "line 3"]
    assert all(line.startswith("summon log: ") for line in told.err.splitlines())
    assert told.out == f"2 battles, {len(history.read_log(out))} rows: {out}\n"
    expected = battles_log([RECORDS[1], RECORDS[2]])
    expected["battle"] = expected["battle"].replace({2: 4})
    pd.testing.assert_frame_equal(history.read_log(out), expected)


def test_the_command_prints_csv(folder, capsys):
    assert cli.main(["log", str(folder / "b.json")]) == 0
    assert capsys.readouterr().out == battles_log([RECORDS[2]]).to_csv(index=False)


def test_the_command_reads_its_input(folder, monkeypatch, capsys):
    text = RECORDS[1].to_json() + "\nnonsense\n"
    monkeypatch.setattr("sys.stdin", TextIOWrapper(BytesIO(text.encode())))
    assert cli.main(["log", str(folder / "b.json"), "-"]) == 1
    told = capsys.readouterr()
    assert told.out == battles_log([RECORDS[2], RECORDS[1]]).to_csv(index=False)
    assert told.err == "summon log: -, line 2: not JSON: Expecting value at place 1\n"


def test_the_command_does_not_write_over_what_it_reads(tmp_path, capsys):
    file = tmp_path / "records.csv"
    file.write_text(RECORDS[1].to_json())
    with pytest.raises(SystemExit) as caught:
        cli.main(["log", str(file), "--out", str(tmp_path / "." / "records.csv")])
    assert caught.value.code == 2
    assert "OUT is one of the FILEs" in capsys.readouterr().err
    assert file.read_text() == RECORDS[1].to_json()


def test_a_folder_without_records_is_said(tmp_path, capsys):
    (tmp_path / "notes.txt").write_text("no record")
    assert cli.main(["log", str(tmp_path)]) == 2
    assert f"{tmp_path}: no file in it is named .json or .jsonl" in capsys.readouterr().err


def test_the_command_reads_the_ended_battles_of_the_store(store, sqlite_place, monkeypatch, capsys):
    me = store.create("me", "moss")
    for name in ("left", "goes on"):
        record = Record((store.get(me.id).player("me"), RECORDS[1].players[1]))
        store.begin_battle(name, record, "computer", {me.id: "first"})
        battle = Battle.from_record(record)
        battle.play("attack", "heal")
        if name == "left":
            battle.leave("first")
            store.finish_battle(name, battle.to_record(), battle.outcome, "left")
    monkeypatch.setenv("SUMMON_STORE", sqlite_place)
    assert cli.main(["log", "--store"]) == 0
    assert [line.split(",")[:3] for line in capsys.readouterr().out.splitlines()[1:]] == [["1", "second", "1"]] * 2


@pytest.mark.parametrize(
    ("arguments", "says"),
    [([], "--store"), (["x.jsonl", "--out", "x.txt"], ".parquet or .csv")],
)
def test_wrong_usage_of_the_command(arguments, says, capsys):
    with pytest.raises(SystemExit) as caught:
        cli.main(["log", *arguments])
    assert caught.value.code == 2
    assert says in capsys.readouterr().err


def test_a_file_that_is_not_there_and_one_that_cannot_be_written(folder, tmp_path, capsys):
    assert cli.main(["log", str(tmp_path / "none")]) == 2
    assert cli.main(["log", str(folder / "b.json"), "--out", str(tmp_path / "none" / "x.csv")]) == 1
    assert "x.csv cannot be written: No such file or directory" in capsys.readouterr().err


def test_without_the_extra_the_command_says_how_to_get_it(folder, tmp_path, monkeypatch, capsys):
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    assert cli.main(["log", str(folder / "b.json"), "--out", str(tmp_path / "x.parquet")]) == 1
    assert "pip install 'summon[lab]'" in capsys.readouterr().err
