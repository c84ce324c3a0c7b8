"""Every case of `tests/cases`: a short battle, and what the rulebook says must be true of it.

A case is a line of JSON with an `id`, the `rules` that it shows, what it `says`, a battle `record`, and what to
`expect`: for a turn's number the pair of both sides' health, damage and so on after it, what is legal at its start, and
the end; or that the record is refused. What a case does not name is left open.
"""

import json
from pathlib import Path
from typing import Any

import pytest

from summon import Battle, Record, RecordError, replay
from summon.cards import CARDS

PAIRS = ("health", "reserve", "effects", "damage", "poison", "healed", "cost")
"""What `expect` tells by turn, a pair each; turn 0 is the start."""

KEYS = {*PAIRS, "legal", "outcome", "gold", "refused"}
NAMES = {*CARDS, "wait"}
SWAPPED = {"first": "second", "second": "first"}


def read_cases() -> list[dict[str, Any]]:
    files = sorted((Path(__file__).parent / "cases").glob("*.jsonl"))
    return [json.loads(line) for file in files for line in file.read_text(encoding="utf-8").splitlines()]


CASES = read_cases()


def by_id(cases: list[dict[str, Any]]) -> list[Any]:
    return [pytest.param(case, id=case["id"]) for case in cases]


every_case = pytest.mark.parametrize("case", by_id(CASES))
every_battle = pytest.mark.parametrize("case", by_id([case for case in CASES if "refused" not in case["expect"]]))


def test_the_cases_have_ids_of_their_own():
    ids = [case["id"] for case in CASES]
    assert ids
    assert len(set(ids)) == len(ids)


@every_case
def test_a_case_is_whole(case):
    assert case.keys() == {"id", "rules", "says", "record", "expect"}
    assert case["id"].startswith(f"{case['rules'][0]}-")
    assert case["expect"]
    assert case["expect"].keys() <= KEYS


def first_turn(record: dict[str, Any]) -> int:
    return record.get("start", {}).get("turn", 1)


def states(record: dict[str, Any], result: dict[str, Any]) -> dict[int, dict[str, Any]]:
    """What the record's output tells of the moment at the start of each turn, by the turn's number."""
    return dict(enumerate([result["start"], *result["rounds"]], first_turn(record)))


def check_pairs(name: str, expected: dict[str, list[Any]], result: dict[str, Any]) -> None:
    rounds = {0: result["start"]} | {played["turn"]: played for played in result["rounds"]}
    for turn, pair in expected.items():
        told = rounds[int(turn)][name]
        seen = [None if value is None else there for value, there in zip(pair, told, strict=True)]
        assert seen == pair, f"{name} of turn {turn}"


def check_legal(turn: str, side: str, expected: dict[str, list[str]], legal: list[str]) -> None:
    where = f"legal for {side} on turn {turn}"
    assert expected.keys() <= {"exactly", "has", "lacks"}, where
    assert {name for names in expected.values() for name in names} <= NAMES, where
    if "exactly" in expected:
        assert legal == sorted(expected["exactly"]), where
    assert set(expected.get("has", ())) <= set(legal), where
    assert not set(expected.get("lacks", ())) & set(legal), where


def check(case: dict[str, Any], result: dict[str, Any]) -> None:
    expect = case["expect"]
    for name in PAIRS:
        check_pairs(name, expect.get(name, {}), result)
    at = states(case["record"], result)
    for turn, sides in expect.get("legal", {}).items():
        for side, expected in sides.items():
            check_legal(turn, side, expected, at[int(turn)]["legal"][("first", "second").index(side)])
    for name in ("outcome", "gold"):
        if name in expect:
            assert result[name] == expect[name], name


def refused(record: dict[str, Any]) -> RecordError:
    with pytest.raises(RecordError) as caught:
        replay(Record.from_dict(record))
    return caught.value


@every_case
def test_case(case):
    expected = case["expect"].get("refused")
    if expected is None:
        check(case, replay(Record.from_dict(case["record"])))
        return
    assert expected.keys() <= {"rule", "turn", "player"}
    error = refused(case["record"])
    assert {name: getattr(error, name) for name in expected} == expected


def mirrored_record(record: dict[str, Any]) -> dict[str, Any]:
    swapped = record | {
        "players": record["players"][::-1],
        "turns": [turn[::-1] for turn in record.get("turns", [])],
    }
    if "start" in record:
        swapped["start"] = {SWAPPED.get(key, key): value for key, value in record["start"].items()}
    return swapped


def mirrored_state(state: dict[str, Any]) -> dict[str, Any]:
    return {key: value[::-1] if isinstance(value, list) else value for key, value in state.items()}


def mirrored_result(result: dict[str, Any]) -> dict[str, Any]:
    return {
        "outcome": SWAPPED.get(result["outcome"], result["outcome"]),
        "gold": result["gold"][::-1],
        "start": mirrored_state(result["start"]),
        "rounds": [mirrored_state(played) for played in result["rounds"]],
    }


@every_case
def test_the_other_way_round_it_comes_out_the_other_way_round(case):
    record = case["record"]
    if "refused" not in case["expect"]:
        expected = mirrored_result(replay(Record.from_dict(record)))
        assert replay(Record.from_dict(mirrored_record(record))) == expected
        return
    error, mirrored = refused(record), refused(mirrored_record(record))
    assert (mirrored.turn, mirrored.rule) == (error.turn, error.rule)
    over = error.rule == "8.2"  # then neither may choose, and the first side is told
    assert mirrored.player == (error.player if over else SWAPPED.get(error.player))


@every_battle
def test_from_each_of_its_turns_it_goes_on_the_same(case):
    record = case["record"]
    result = replay(Record.from_dict(record))
    battle = Battle.from_record(record)
    at = states(record, result)
    for done, played in enumerate(result["rounds"]):
        moment = battle.moment(played["turn"]).to_dict() | {"turns": record["turns"][done:]}
        start = {name: at[played["turn"]][name] for name in result["start"]}
        assert replay(Record.from_dict(moment)) == result | {"start": start, "rounds": result["rounds"][done:]}
