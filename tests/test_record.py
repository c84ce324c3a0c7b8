"""Records: every field with its default, the files that hold them, and what a replay tells of them."""

import json
import tracemalloc
from collections.abc import Iterator
from typing import Any

import pytest

from summon.battle import Battle
from summon.choices import Choice
from summon.player import Player
from summon.position import AHEAD
from summon.record import FORMAT, LAST_TURN, Record, RecordError, read_records, replay, situation
from summon.rules import Rules

SMALLEST = {"format": FORMAT, "players": [{"pet": "moss"}, {"pet": "spark"}]}

FULL: dict[str, Any] = {
    "format": FORMAT,
    "players": [
        {
            "name": "left",
            "pet": "moss",
            "evolved": True,
            "tiers": {"attack": 3, "heal": 2},
            "cards": ["wild", "poison", "blind", "revive", "sacrifice", "shield", "hide"],
        },
        {"name": "right", "pet": "tide", "cards": ["copycat", "refreshment"]},
    ],
    "rules": {"base_health": 6, "attack_damage": [2, 3, 4], "shields_add_up": True, "reserve_health": 2},
    "start": {
        "turn": 6,
        "first": {
            "health": 4,
            "reserve": 1,
            "boosted": True,
            "wild_used": True,
            "revive_used": True,
            "blinded": True,
            "restricted": True,
            "streak": ["attack", 2],
            "ready": {"sacrifice": 7, "blind": 8, "copycat": 7},
            "poison": [1, 0, 1],
            "shield": [1],
            "block": [0, 2],
        },
        "second": {"health": 3},
    },
    "turns": [["wait", "refreshment"], ["sacrifice:2", "copycat"]],
}
"""A record with every key there is, none of them at its default, that is written as it was read."""


# Fields and defaults


def test_what_may_be_left_out_has_its_default():
    record = Record.from_dict(SMALLEST)
    first, second = record.players
    assert (first.name, second.name) == ("first", "second")
    assert (first.pet, first.evolved, dict(first.tiers), first.cards) == (
        "moss",
        False,
        {"attack": 1, "heal": 1, "counter": 1},
        (),
    )
    assert (record.changed, record.rules, record.start, record.turns) == ((), Rules(), None, ())
    assert [side.health for side in record.opening().sides] == [5, 5]
    assert record.opening().turn == 1


def test_a_record_has_every_field_it_was_given():
    record = Record.from_dict(FULL)
    cards = ("wild", "poison", "blind", "revive", "sacrifice", "shield", "hide")
    assert record.players[0] == Player("left", "moss", True, {"attack": 3, "heal": 2}, cards)
    assert record.rules == Rules(base_health=6, attack_damage=(2, 3, 4), shields_add_up=True, reserve_health=2)
    assert record.turns[1] == (Choice("sacrifice", 2), Choice("copycat"))
    side = record.opening().sides[0]
    assert (side.health, side.reserve, side.boosted, side.wild_used, side.revive_used) == (4, 1, 1, 1, 1)
    assert (side.blinded, side.restricted, side.streak) == (1, 1, 2)
    assert (side.sacrifice_ready, side.blind_ready, side.copycat_ready) == (7, 8, 7)
    assert [side.poison_1, side.poison_2, side.poison_3, side.poison_4] == [1, 0, 1, 0]
    assert [side.shield_1, side.shield_2, side.block_1, side.block_2] == [1, 0, 0, 2]
    assert record.opening().turn == 6


@pytest.mark.parametrize("told", [{**SMALLEST, "turns": []}, FULL])
def test_a_record_is_written_as_it_was_read(told):
    record = Record.from_dict(told)
    named = [{"name": name, **player} for name, player in zip(("first", "second"), told["players"], strict=True)]
    assert record.to_dict() == {**told, "players": named}
    assert json.loads(record.to_json()) == record.to_dict()
    assert "\n" not in record.to_json()


@pytest.mark.parametrize(
    "empty", [{"rules": {}}, {"turns": []}, {"rules": {"base_health": 5, "attack_damage": [1, 2, 3]}}]
)
def test_what_is_the_default_makes_no_difference(empty):
    assert Record.from_dict({**SMALLEST, **empty}) == Record.from_dict(SMALLEST)


def test_an_empty_start_is_turn_1_at_full_health():
    record = Record.from_dict({**SMALLEST, "start": {}})
    assert record.opening() == Record.from_dict(SMALLEST).opening()
    assert record.to_dict()["start"] == {"turn": 1}


@pytest.mark.parametrize("name", ["", " ", "Zoë", "\u001b[31m", "a\nb", "\ud800", "x" * 10_000])
def test_a_name_is_any_text(name):
    record = Record.from_dict({**SMALLEST, "players": [{"pet": "moss", "name": name}, {"pet": "moss"}]})
    assert Record.from_json(record.to_json()).players[0].name == name
    assert Battle.from_record(record).to_record() == record


# Starts


@pytest.mark.rule("2.6", "2.7")
def test_ready_in_the_past_means_now():
    cards = ["sacrifice", "blind", "copycat"]
    ready = {"sacrifice": 1, "blind": 6, "copycat": 2}
    record = situation({"pet": "moss", "cards": cards, "ready": ready}, "moss", turn=6)
    assert set(cards) <= set(record.opening().legal(0))
    assert Record.from_json(record.to_json()) == record


@pytest.mark.rule("2.6")
def test_the_first_turn_of_sacrifice_holds_besides_ready():
    record = situation({"pet": "moss", "cards": ["sacrifice"], "ready": {"sacrifice": 1}}, "moss", turn=4)
    assert "sacrifice" not in record.opening().legal(0)


@pytest.mark.rule("2.5")
def test_a_streak_goes_on_from_a_start():
    record = situation({"pet": "moss", "streak": ["attack", 2]}, {"pet": "spark", "streak": ["heal", 3]})
    battle = Battle.from_record(record)
    assert battle.legal(1) == ["attack", "counter"]
    battle.play("attack", "counter")
    assert battle.legal(0) == ["counter", "heal"]


@pytest.mark.rule("4.4", "4.5")
def test_the_lists_of_a_start_are_totals_by_source():
    first = {"pet": "pebble", "cards": ["shield", "wild"], "shield": [2, 2, 1], "block": [1]}
    record = situation(first, {"pet": "spark", "evolved": True, "tiers": {"attack": 3}})
    battle = Battle.from_record(record)
    battle.play("wild", "attack")
    assert (battle.last.shares[0].reduction, battle.first.block, battle.first.shield) == (2 + 1 + 2, (2,), (2, 1))
    battle.play("shield", "attack")
    assert (battle.last.shares[0].reduction, battle.first.shield) == (2 + 2, (1,))


def test_rounds_count_on_from_the_turn_of_the_start():
    told = replay(Record.from_dict(FULL))
    assert [round_["turn"] for round_ in told["rounds"]] == [6, 7]
    assert told["start"]["health"] == [4, 3]
    assert told["start"]["reserve"] == [1, 0]
    assert told["start"]["legal"] == [["wait"], ["attack", "copycat", "counter", "heal", "refreshment"]]


def test_a_start_holds_numbers_up_to_its_bounds():
    most = {"ready": dict.fromkeys(("sacrifice", "blind", "copycat"), LAST_TURN), "poison": [999] * AHEAD}
    record = situation(dict(pet="moss", **most, shield=[999] * 4, block=[999] * 4), "moss", turn=LAST_TURN)
    assert Record.from_json(record.to_json()) == record
    assert replay(Record(record.players, start=record.start, turns=((Choice("attack"), Choice("attack")),)))


@pytest.mark.parametrize(
    ("card", "first", "rules", "turn"),
    [
        ("attack", {}, {}, LAST_TURN),
        ("blind", {}, {"blind_interval": 999}, LAST_TURN - 500),
        ("shield", {"shield": [0, 999]}, {"shields_add_up": True}, 1),
    ],
)
def test_what_no_start_can_hold_is_an_error_and_not_a_guess(card, first, rules, turn):
    side = dict(pet="moss", cards=["blind", "shield"], **first)
    battle = Battle.from_record(situation(side, "spark", rules=rules, turn=turn))
    battle.play(card, "attack")
    assert battle.fork().turn == turn + 1
    with pytest.raises(RecordError, match="start: "):
        battle.moment().to_json()


# situation


def test_a_situation_is_the_record_that_says_the_same():
    told = situation(
        {"pet": "moss", "health": 1, "poison": (1, 1), "name": "me"},
        {"pet": "ember", "cards": ("revive",), "health": 0},
        turn=6,
        rules=Rules(revive_health=2),
    )
    players = [{"pet": "moss", "name": "me"}, {"pet": "ember", "cards": ["revive"]}]
    start = {"turn": 6, "first": {"health": 1, "poison": [1, 1]}, "second": {"health": 0}}
    assert told == Record.from_dict(
        {"format": FORMAT, "players": players, "rules": {"revive_health": 2}, "start": start}
    )
    assert situation("moss", "spark") == Record.from_dict({**SMALLEST, "start": {}})
    assert situation("moss", "spark", rules={"attack_damage": (2, 2, 2)}).rules.attack_damage == (2, 2, 2)


@pytest.mark.parametrize(
    ("first", "rules"),
    [
        ("dragon", {}),
        ({"health": 1}, {}),
        ({"pet": "moss", "luck": 1}, {}),
        ({"pet": "moss", "health": 6}, {}),
        ({"pet": "moss", "health": 0}, {}),
        ({"pet": "moss", "health": 10**5000}, {}),
        ("moss", {"base_health": 0}),
        ("moss", {"luck": 1}),
        ("moss", {"base_health": 10**5000}),
    ],
)
def test_a_situation_that_cannot_be_is_a_record_error(first, rules):
    with pytest.raises(RecordError):
        situation(first, "spark", rules=rules)


# Replay


def test_a_replay_of_no_turns_tells_the_start():
    assert replay(Record.from_dict(SMALLEST)) == {
        "outcome": "unfinished",
        "gold": [0, 0],
        "start": {"health": [5, 5], "legal": [["attack", "counter", "heal"]] * 2},
        "rounds": [],
    }


@pytest.mark.rule("8.2", "9.1")
@pytest.mark.parametrize(
    ("evolved", "gold"), [([False, True], [5, 0]), ([True, False], [1, 0]), ([True, True], [1, 0])]
)
def test_gold_is_told_under_any_rules(evolved, gold):
    record = situation(
        {"pet": "moss", "evolved": evolved[0]},
        {"pet": "moss", "evolved": evolved[1], "health": 1},
        rules={"base_health": 7},
    )
    told = replay(Record(record.players, record.changed, record.start, ((Choice("attack"), Choice("heal")),)))
    assert (told["outcome"], told["gold"], told["rounds"][0]["legal"]) == ("first", gold, [[], []])


def test_reserve_is_told_only_where_the_rules_keep_one():
    plain, kept = (
        replay(Record.from_dict({**SMALLEST, "rules": {"reserve_health": most}, "turns": [["heal", "counter"]]}))
        for most in (0, 1)
    )
    assert "reserve" not in plain["start"] and "reserve" not in plain["rounds"][0]
    assert (kept["start"]["reserve"], kept["rounds"][0]["reserve"]) == ([0, 0], [1, 0])
    assert (kept["rounds"][0]["healed"], kept["rounds"][0]["health"]) == ([0, 0], [5, 5])


@pytest.mark.rule("6.12")
def test_the_effect_of_a_copy_is_told_and_its_amount_is_not():
    record = Record.from_dict(
        {
            "format": FORMAT,
            "players": [{"pet": "moss", "cards": ["copycat"]}, {"pet": "spark", "cards": ["sacrifice", "copycat"]}],
            "rules": {"sacrifice_first_turn": 2},
            "turns": [["copycat", "copycat"], ["attack", "attack"], ["attack", "attack"], ["copycat", "sacrifice:2"]],
        }
    )
    rounds = replay(record)["rounds"]
    assert (rounds[0]["cards"], rounds[0]["effects"]) == (["copycat", "copycat"], ["copycat", "copycat"])
    assert (rounds[3]["cards"], rounds[3]["effects"]) == (["copycat", "sacrifice:2"], ["sacrifice", "sacrifice"])
    assert (rounds[3]["cost"], rounds[3]["damage"]) == ([2, 2], [2, 2])


@pytest.mark.rule("6.5")
def test_healed_counts_the_return_of_revive():
    record = situation({"pet": "moss", "health": 0, "cards": ["revive"]}, "spark", rules={"revive_health": 3})
    told = replay(Record(record.players, record.changed, record.start, ((Choice("revive"), Choice("heal")),)))
    assert (told["rounds"][0]["healed"], told["rounds"][0]["health"]) == ([3, 0], [3, 5])


# Files


def lines_of(*records: dict[str, Any]) -> list[bytes]:
    return [json.dumps(record).encode() + b"\n" for record in records]


def read(lines: list[bytes]) -> list[tuple[int, Any]]:
    return list(read_records(lines))


def test_a_file_has_a_record_a_line():
    assert read(lines_of(SMALLEST, FULL)) == [(1, Record.from_dict(SMALLEST)), (2, Record.from_dict(FULL))]


@pytest.mark.parametrize("blank", [b"\n", b"\r\n", b"  \t \n", b"\n\n\n"])
def test_blank_lines_are_skipped_and_counted(blank):
    one, two = lines_of(SMALLEST, FULL)
    skipped = blank.splitlines(keepends=True)
    numbers = [number for number, _ in read([*skipped, one, *skipped, two, *skipped])]
    assert numbers == [len(skipped) + 1, 2 * len(skipped) + 2]


@pytest.mark.parametrize("ending", [b"\r\n", b" \n", b""])
def test_the_end_of_a_line_does_not_matter(ending):
    one, two = (line.rstrip(b"\n") for line in lines_of(SMALLEST, FULL))
    assert read([one + b"\r\n", two + ending]) == [(1, Record.from_dict(SMALLEST)), (2, Record.from_dict(FULL))]


@pytest.mark.parametrize("lines", [[], [b"\n"], [b"\r\n", b"  "]])
def test_a_file_may_hold_no_record(lines):
    assert read(lines) == []


@pytest.mark.parametrize("indent", [0, 1, 4, "\t"])
@pytest.mark.parametrize("told", [SMALLEST, FULL])
@pytest.mark.parametrize("before", [0, 2])
@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_a_single_object_may_be_pretty_printed(indent, told, before, newline):
    text = "\n" * before + json.dumps(told, indent=indent) + "\n"
    lines = text.replace("\n", newline).encode().splitlines(keepends=True)
    assert read(lines) == [(before + 1, Record.from_dict(told))]
    without_newline = [*lines[:-1], lines[-1].rstrip()]
    assert read(without_newline) == [(before + 1, Record.from_dict(told))]


def test_a_pretty_printed_object_with_a_fault_is_one_error():
    for fault in ('"evolved": true, "evolved": true', '"luck": 1', '"evolved": NaN', '"evolved": ' + "9" * 5000):
        text = json.dumps(FULL, indent=2).replace('"evolved": true', fault, 1)
        ((number, error),) = read(text.encode().splitlines(keepends=True))
        assert number == 1
        assert isinstance(error, RecordError)


def test_a_pretty_printed_object_and_another_one_are_no_records():
    lines = json.dumps(SMALLEST, indent=2).encode().splitlines(keepends=True)
    told = read([*lines, b"\n", *lines_of(SMALLEST)])
    assert isinstance(told[0][1], RecordError)
    assert told[-1] == (len(lines) + 2, Record.from_dict(SMALLEST))


@pytest.mark.parametrize("cut", range(1, 76, 4))
def test_a_line_that_is_cut_off_spoils_only_itself(cut):
    one, two = lines_of(SMALLEST, FULL)
    for lines in ([one[:cut] + b"\n", two, one, one], [two, one[:cut] + b"\n", one, one], [two, one, one, one[:cut]]):
        told = read(lines)
        assert [number for number, _ in told] == [1, 2, 3, 4]
        assert sum(isinstance(record, RecordError) for _, record in told) == 1


def peak(records: int, first: bytes = b"") -> int:
    """The most memory that reading so many records takes, when none of them is kept."""
    line = lines_of(SMALLEST)[0]

    def stream() -> Iterator[bytes]:
        if first:
            yield first
        for _ in range(records):
            yield bytes(bytearray(line))

    for _ in read_records([line, line]):
        pass
    tracemalloc.start()
    try:
        assert sum(1 for _ in read_records(stream())) == records + (1 if first else 0)
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("first", [b"", b'{"format": "summon-battle/1", "turns": [\n'])
def test_memory_does_not_grow_with_the_file(first):
    few, many = peak(2_000, first), peak(20_000, first)
    assert many < 1.5 * few + 100_000
