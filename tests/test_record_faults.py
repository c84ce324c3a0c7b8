"""Every fault that a record may have, at every place: each is an error that says what and where, and names no other."""

import copy
import json
import re
from typing import Any

import pytest

from summon import cli
from summon.record import FORMAT, Record, RecordError, read_records, replay

BASE: dict[str, Any] = {
    "format": FORMAT,
    "players": [
        {"name": "left", "pet": "moss", "evolved": True, "tiers": {"attack": 2}, "cards": ["shield", "sacrifice"]},
        {"name": "right", "pet": "spark", "evolved": True, "tiers": {}, "cards": ["poison"]},
    ],
    "rules": {"base_health": 6, "attack_damage": [1, 2, 3], "shields_add_up": False, "reserve_health": 2},
    "start": {
        "turn": 7,
        "first": {"health": 8, "reserve": 1, "streak": ["attack", 2], "ready": {"sacrifice": 6}, "poison": [1]},
        "second": {"health": 9},
    },
    "turns": [["attack", "heal"], ["shield", "poison"], ["sacrifice:2", "attack"]],
}
"""A record without a fault, with something at every place where one may be."""

GONE = object()
"""Stands for a key that is left out."""


def spoiled(*path: Any, value: Any) -> dict[str, Any]:
    """The record with one value put in, or a key left out."""
    told = copy.deepcopy(BASE)
    at = told
    for step in path[:-1]:
        at = at.setdefault(step, {}) if isinstance(at, dict) else at[step]
    if value is GONE:
        del at[path[-1]]
    else:
        at[path[-1]] = value
    return told


def error_of(told: object) -> RecordError:
    """What is wrong with a record, read from JSON as a file has it, and played."""
    text = told if isinstance(told, str) else json.dumps(told)
    ((line, read),) = read_records([text.encode("utf-8", "surrogatepass")])
    assert line == 1
    if isinstance(read, RecordError):
        return read
    with pytest.raises(RecordError) as caught:
        replay(read)
    return caught.value


def says(error: RecordError, *words: str) -> None:
    assert all(word in str(error) for word in words), str(error)


def at(turn: int | None = None, player: str | None = None, rule: str | None = None) -> tuple[Any, ...]:
    return (turn, player, rule)


def where(error: RecordError) -> tuple[Any, ...]:
    """Where an error says that it is, which its message says too; programs read it, so it names no other place."""
    assert re.findall(r"rule (\d+\.\d+)", str(error)) == ([] if error.rule is None else [error.rule])
    assert set(re.findall(r"\b(?:first|second)\b", str(error))) <= {error.player}
    if error.turn is not None:
        says(error, f"turn {error.turn}")
    if error.player is not None:
        says(error, error.player)
    if error.rule is not None:
        says(error, f"(rule {error.rule})")
    return (error.turn, error.player, error.rule)


def test_the_record_without_a_fault_has_none():
    assert len(replay(Record.from_dict(BASE))["rounds"]) == 3


SIDES = ((0, "first"), (1, "second"))
NOT_NUMBERS = [1.0, None, "1", True, False, [1], {}]
NOT_FLAGS = [0, 1, None, "true", 1.0, []]
NOT_OBJECTS = [None, 1, "x", True, [], [1]]
NOT_LISTS = [None, 1, "attack", True, {}]


# Keys


@pytest.mark.parametrize("key", ["luck", "Format", "outcome", "", "name"])
def test_an_unknown_key_of_the_record(key):
    error = error_of(spoiled(key, value=1))
    says(error, "unknown key", repr(key))
    assert where(error) == at()


@pytest.mark.parametrize(("number", "player"), SIDES)
@pytest.mark.parametrize("key", ["luck", "Pet", "health", "deck"])
def test_an_unknown_key_of_a_player(number, player, key):
    error = error_of(spoiled("players", number, key, value=1))
    says(error, "unknown key", repr(key))
    assert where(error) == at(player=player)


@pytest.mark.parametrize(("number", "player"), SIDES)
@pytest.mark.parametrize("key", ["wild", "poison", "Attack", "wait", ""])
def test_tiers_are_of_starters_alone(number, player, key):
    error = error_of(spoiled("players", number, "tiers", value={key: 1}))
    says(error, repr(key), "tiers")
    assert where(error) == at(player=player)


@pytest.mark.parametrize("key", ["luck", "Base_health", "name", "moss", "attack"])
def test_an_unknown_rule(key):
    error = error_of(spoiled("rules", key, value=1))
    says(error, "rule", repr(key))
    assert where(error) == at()


@pytest.mark.parametrize("key", ["third", "health", "rules", "First"])
def test_an_unknown_key_of_a_start(key):
    error = error_of(spoiled("start", key, value=1))
    says(error, "start", "unknown key", repr(key))
    assert where(error) == at()


@pytest.mark.parametrize("player", ["first", "second"])
@pytest.mark.parametrize("key", ["luck", "pet", "Health", "turn", "wait"])
def test_an_unknown_key_of_a_side(player, key):
    error = error_of(spoiled("start", player, key, value=1))
    says(error, "start", "unknown key", repr(key))
    assert where(error)[1] == player


@pytest.mark.parametrize("player", ["first", "second"])
@pytest.mark.parametrize("key", ["wild", "attack", "hide", "revive", "Blind"])
def test_only_three_cards_rest(player, key):
    error = error_of(spoiled("start", player, "ready", value={key: 3}))
    says(error, "ready", "unknown key", repr(key))
    assert where(error)[1] == player


@pytest.mark.parametrize(
    "key", ["format", "players", "rules", "turns", "name", "pet", "tiers", "attack", "base_health", "start", "health",
            "ready", "sacrifice", "turn", "first"],
)  # fmt: skip
def test_a_repeated_key_at_any_level(key):
    text = json.dumps(BASE)
    place = text.index(f'"{key}": ')
    value, end = json.JSONDecoder().raw_decode(text, place + len(f'"{key}": '))
    again = f', "{key}": {json.dumps(value)}'
    error = error_of(text[:end] + again + text[end:])
    says(error, "twice", repr(key))


@pytest.mark.parametrize(("path", "name"), [(("format",), "format"), (("players",), "players")])
def test_what_is_required_of_a_record(path, name):
    says(error_of(spoiled(*path, value=GONE)), name, "missing")


@pytest.mark.parametrize(("number", "player"), SIDES)
def test_a_player_has_a_pet(number, player):
    error = error_of(spoiled("players", number, "pet", value=GONE))
    says(error, "pet", "missing")
    assert where(error) == at(player=player)


# The record as a whole


@pytest.mark.parametrize("value", ["summon-battle/2", "summon-battle/1 ", "", None, 1, [FORMAT], {}])
def test_another_format(value):
    says(error_of(spoiled("format", value=value)), "format", FORMAT)


@pytest.mark.parametrize("value", [[], [BASE["players"][0]], [*BASE["players"], {"pet": "moss"}], *NOT_LISTS])
def test_players_are_exactly_two(value):
    says(error_of(spoiled("players", value=value)), "players")


@pytest.mark.parametrize("text", ["[]", "1", "null", "true", '"x"', "[{}]", "1.5", "-0"])
def test_a_record_is_an_object(text):
    says(error_of(text), "not an object")


@pytest.mark.parametrize(
    "text",
    ["{", "}", "{]", '{"format"', "nonsense", "'x'", "{'format': 1}", '{"format": 1,}', "{} {}", "NaN", "01",
     "\ufeff{}", '{"format": "a\tb"}', '{"turns": [1 2]}', "{}x", '{"format": Infinity}', '{"format": -Infinity}'],
)  # fmt: skip
def test_a_line_that_is_not_json(text):
    error = error_of(text)
    says(error, "not JSON")
    assert where(error) == at()


@pytest.mark.parametrize("cut", [1, 30, 60, 200, 400, -1])
def test_a_line_that_is_cut_off(cut):
    says(error_of(json.dumps(BASE)[:cut]), "not JSON")


@pytest.mark.parametrize(
    "raw",
    [
        b"\xff",
        b'{"format": "\xff"}',
        b"\x80abc",
        '{"é": 1}'.encode("latin-1"),
        "{}".encode("utf-16"),
        b'"\xed\xa0\x80"',
    ],
)
def test_a_line_that_is_not_utf_8(raw):
    ((_, error),) = read_records([raw])
    says(error, "not JSON", "UTF-8")


@pytest.mark.parametrize("depth", [1_000, 100_000])
@pytest.mark.parametrize(("begin", "end"), [("[", "]"), ('{"format":', "}"), ('{"turns":[', "]}")])
def test_a_deeply_nested_line(depth, begin, end):
    error = error_of(begin * depth + "1" + end * depth)
    assert isinstance(error, RecordError)
    assert len(str(error)) < 500
    assert isinstance(error_of(begin * depth), RecordError)


# Players

STARTER_CARDS = [["attack"], ["heal"], ["counter"]]


@pytest.mark.parametrize(("number", "player"), SIDES)
@pytest.mark.parametrize(
    ("key", "value"),
    [
        *(("name", value) for value in (None, 1, True, [], {})),
        *(("pet", value) for value in ("dragon", "Moss", "mosswood", "thunder", "", None, 1, ["moss"], {})),
        *(("evolved", value) for value in NOT_FLAGS),
        *(("tiers", value) for value in NOT_OBJECTS if value not in ([], [1])),
        *(("tiers", value) for value in ([], [1])),
        *(("tiers", {"attack": value}) for value in (0, 4, -1, 10**100, *NOT_NUMBERS)),
        *(("cards", value) for value in (*NOT_LISTS, "wild")),
        *(("cards", [value]) for value in ("dragon", "Shield", "wait", "sacrifice:2", "", None, 1, True, ["shield"])),
        *(("cards", value) for value in STARTER_CARDS),
        ("cards", ["shield", "poison", "shield"]),
        ("cards", ["wild", "poison", "blind", "revive", "sacrifice", "shield", "hide", "copycat"]),
    ],
)  # fmt: skip
def test_a_fault_of_a_player(number, player, key, value):
    error = error_of(spoiled("players", number, key, value=value))
    assert where(error) == at(player=player)
    says(error, {"tiers": "tier", "cards": "card"}.get(key, key) if value not in STARTER_CARDS else value[0])


@pytest.mark.parametrize(("number", "player"), SIDES)
@pytest.mark.parametrize("value", NOT_OBJECTS)
def test_a_player_is_an_object(number, player, value):
    error = error_of(spoiled("players", number, value=value))
    says(error, "not an object")
    assert where(error) == at(player=player)


# Rules


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("base_health", [0, -1, 1000, 10**100, *NOT_NUMBERS]),
        ("hide_cost", [-1, 1000, *NOT_NUMBERS]),
        ("streak_limit", [0, 1000]),
        ("poison_turns", [0, 5]),
        ("bloom_turns", [[0, 1], [1, 5], [1], 3, [3, 4, 4]]),
        ("attack_damage", [[1, 2], [1, 2, 3, 4], [], [1, 2, 1000], [-1, 2, 3], [1, 2, 3.0], [1, 2, True], [1, 2, "3"],
                           [1, 2, None], [1, [2], 3], 1, None, "123", {}, {"1": 1}]),
        ("moss_heal", [[2], [2, 3, 4], [2, -1]]),
        ("shields_add_up", NOT_FLAGS),
        ("reserve_health", [-1, 1000, True]),
    ],
)  # fmt: skip
def test_a_fault_of_a_rule(name, values):
    for value in values:
        error = error_of(spoiled("rules", name, value=value))
        says(error, name)
        assert where(error) == at()


@pytest.mark.parametrize("value", NOT_OBJECTS)
def test_rules_are_an_object(value):
    says(error_of(spoiled("rules", value=value)), "rules")


# Starts


@pytest.mark.parametrize("value", [0, -1, 10_000, 10**100, *NOT_NUMBERS])
def test_a_fault_of_the_turn_of_a_start(value):
    error = error_of(spoiled("start", "turn", value=value))
    says(error, "start", "turn", "1 to 9999")
    assert where(error) == at()


@pytest.mark.parametrize(("number", "player"), SIDES)
@pytest.mark.parametrize(
    ("key", "values"),
    [
        ("health", [-1, 11, 10**100, *NOT_NUMBERS]),
        ("reserve", [-1, 3, *NOT_NUMBERS]),
        ("boosted", NOT_FLAGS),
        ("wild_used", NOT_FLAGS),
        ("revive_used", NOT_FLAGS),
        ("blinded", NOT_FLAGS),
        ("restricted", NOT_FLAGS),
        ("streak", [[], ["attack"], ["attack", 1, 1], "attack", None, {"attack": 1}, 1, {}]),
        ("streak", [["attack", value] for value in (0, -1, 4, *NOT_NUMBERS)]),
        (
            "streak",
            [[card, 1] for card in ("hide", "wait", "Attack", "sacrifice:1", "dragon", "", None, 1, ["attack"], {})],
        ),
        ("ready", NOT_OBJECTS),
        ("ready", [{"blind": value} for value in (0, -1, 10_000, 10**100, *NOT_NUMBERS)]),
        *((key, [None, 1, "1", {}, True, [0] * 5]) for key in ("poison", "shield", "block")),
        *((key, [[0, value] for value in (-1, 1000, 10**100, *NOT_NUMBERS)]) for key in ("poison", "shield", "block")),
    ],
)
def test_a_fault_of_a_side_of_a_start(number, player, key, values):
    for value in values:
        error = error_of(spoiled("start", player, key, value=value))
        says(error, "start", key)
        assert where(error)[1:] == (player, None)


@pytest.mark.parametrize("player", ["first", "second"])
@pytest.mark.parametrize("value", NOT_OBJECTS)
def test_a_side_of_a_start_is_an_object(player, value):
    error = error_of(spoiled("start", player, value=value))
    says(error, "start", "not an object")
    assert where(error)[1:] == (player, None)


@pytest.mark.parametrize("value", NOT_OBJECTS)
def test_a_start_is_an_object(value):
    says(error_of(spoiled("start", value=value)), "start", "not an object")


@pytest.mark.rule("8.2", "8.3")
@pytest.mark.parametrize(
    ("cards", "sides", "decides"),
    [
        ([[], []], [{"health": 0}, {}], True),
        ([[], []], [{}, {"health": 0}], True),
        ([[], []], [{"health": 0}, {"health": 0}], True),
        ([["revive"], []], [{"health": 0, "revive_used": True}, {}], True),
        ([["revive"], ["revive"]], [{"health": 0, "revive_used": True}, {"health": 0, "revive_used": True}], True),
        ([[], ["revive"]], [{"health": 0}, {}], True),
        ([["revive"], []], [{"health": 0}, {"health": 0}], False),
    ],
)
def test_a_start_in_which_the_battle_is_over(cards, sides, decides):
    players = [{"pet": "moss", "cards": cards[0]}, {"pet": "spark", "cards": cards[1]}]
    told = {"format": FORMAT, "players": players, "rules": {"pending_revival_decides": decides}}
    error = error_of({**told, "start": {"turn": 4, "first": sides[0], "second": sides[1]}})
    says(error, "start", "over")


@pytest.mark.parametrize(
    ("cards", "sides"),
    [
        ([["revive"], []], [{"health": 0}, {}]),
        ([["revive"], []], [{"health": 0}, {"health": 0}]),
        ([["revive"], ["revive"]], [{"health": 0, "blinded": True}, {"health": 0, "restricted": True}]),
    ],
)
@pytest.mark.rule("8.3")
def test_a_start_with_an_attempt_pending_is_none(cards, sides):
    players = [{"pet": "moss", "cards": cards[0]}, {"pet": "spark", "cards": cards[1]}]
    start = {"first": sides[0], "second": sides[1]}
    assert Record.from_dict({"format": FORMAT, "players": players, "start": start}).opening().outcome == "unfinished"


# Turns


@pytest.mark.parametrize("value", NOT_LISTS)
def test_turns_are_a_list(value):
    says(error_of(spoiled("turns", value=value)), "turns")


@pytest.mark.parametrize("place", [0, 2])
@pytest.mark.parametrize("value", [[], ["attack"], ["attack", "heal", "heal"], *NOT_LISTS, "attack heal"])
def test_a_turn_has_two_choices(place, value):
    error = error_of(spoiled("turns", place, value=value))
    says(error, "two choices")
    assert where(error) == at(turn=7 + place)


NO_CHOICES = [
    *("Attack", "ATTACK", " attack", "attack ", "attack\n", "dragon", "", "Wait", "attack:1", "wait:0", "copycat:heal"),
    *("sacrifice", "sacrifice:", "sacrifice:02", "sacrifice:00", "sacrifice:-1", "sacrifice:+1", "sacrifice:1.0"),
    *("sacrifice: 1", "sacrifice:1 ", "sacrifice :1", "sacrifice:x", "sacrifice:1e1", "sacrifice:1_0", "Sacrifice:1"),
    *(
        "sacrifice:\uff12",
        "sacrifice:²",
        "sacrifice:\u0663",
        "sacrifice:1\n",
        "sacrifice:1:1",
        "\uff53acrifice:1",
        "attack\u200b",
    ),
    *(None, 1, 1.0, True, [], ["attack"], {}, {"sacrifice": 1}),
]


@pytest.mark.parametrize("value", NO_CHOICES)
@pytest.mark.parametrize(("number", "player"), SIDES)
def test_what_is_no_choice(number, player, value):
    error = error_of(spoiled("turns", 1, number, value=value))
    says(error, "sacrifice" if value == "sacrifice" else repr(value)[:50])
    assert where(error) == at(turn=8, player=player)


@pytest.mark.rule("2.6")
@pytest.mark.parametrize("amount", ["0", "9", "999", "999999999", "9999999999", "1" * 400, "1" * 5000])
def test_an_amount_that_the_health_does_not_allow(amount):
    error = error_of(spoiled("turns", 1, 0, value=f"sacrifice:{amount}"))
    assert where(error) == at(turn=8, player="first", rule="2.6")
    assert len(str(error)) < 500


ILLEGAL = [
    ("2.1", {"blinded": True}, "attack"),
    ("2.2", {"health": 0}, "attack"),
    ("2.2", {"health": 0}, "wait"),
    ("2.2", {"health": 0, "restricted": True}, "revive"),
    ("2.4", {}, "wait"),
    ("2.4", {}, "shield"),
    ("2.5", {"streak": ["attack", 3]}, "attack"),
    ("2.6", {}, "sacrifice:1"),
    ("2.6", {"ready": {"sacrifice": 9}}, "sacrifice:1"),
    ("2.7", {"ready": {"blind": 9}}, "blind"),
    ("2.7", {"ready": {"copycat": 9}}, "copycat"),
    ("2.8", {"wild_used": True}, "wild"),
    ("2.8", {"restricted": True}, "wild"),
    ("2.9", {"health": 1}, "hide"),
    ("2.9", {"restricted": True}, "hide"),
    ("2.9", {"restricted": True}, "heal"),
    ("2.10", {}, "revive"),
]


@pytest.mark.rule("2.12")
@pytest.mark.parametrize(("number", "player"), SIDES)
@pytest.mark.parametrize(("rule", "side", "choice"), ILLEGAL)
def test_a_choice_that_breaks_a_rule(number, player, rule, side, choice):
    cards = ["wild", "blind", "revive", "sacrifice", "hide", "copycat"]
    players, sides, turn = [{"pet": "spark"}, {"pet": "spark"}], [{}, {}], ["attack", "attack"]
    players[number], sides[number], turn[number] = {"pet": "moss", "cards": cards}, side, choice
    start = {"turn": 4, "first": sides[0], "second": sides[1]}
    error = error_of({"format": FORMAT, "players": players, "start": start, "turns": [turn]})
    assert where(error) == at(turn=4, player=player, rule=rule)


@pytest.mark.rule("2.3")
def test_a_beaten_pet_can_only_wait():
    players = [{"pet": "moss", "cards": ["revive"]}, {"pet": "spark"}]
    start = {"first": {"health": 0}, "second": {"health": 0}}
    error = error_of({"format": FORMAT, "players": players, "start": start, "turns": [["revive", "attack"]]})
    assert where(error) == at(turn=1, player="second", rule="2.3")


def test_where_both_sides_break_a_rule_the_first_is_told():
    error = error_of(spoiled("turns", 1, value=["wait", "dragon"]))
    assert where(error) == at(turn=8, player="second")  # what cannot be read comes before what cannot be played
    error = error_of(spoiled("turns", 1, value=["sacrifice:99", "wait"]))
    assert where(error) == at(turn=8, player="first", rule="2.6")


@pytest.mark.parametrize("more", [[["attack", "attack"]], [["wait", "wait"], ["attack", "heal"]]])
def test_a_turn_after_the_end(more):
    told = {
        "format": FORMAT,
        "players": [{"pet": "moss"}, {"pet": "spark"}],
        "start": {"turn": 5, "first": {"health": 1}},
        "turns": [["heal", "attack"], *more],
    }
    error = error_of(told)
    says(error, "over")
    assert where(error) == at(turn=6, player="first", rule="8.2")  # neither may choose, so the first is told


def test_the_first_fault_of_the_turns_is_told_where_it_is():
    error = error_of(spoiled("turns", 2, value=["sacrifice:2", "wait"]))
    assert where(error) == at(turn=9, player="second", rule="2.4")


# Numbers beyond all bounds, and text that is not harmless


@pytest.mark.parametrize(
    "path",
    [
        ("format",),
        ("players", 0, "evolved"),
        ("players", 1, "tiers", "attack"),
        ("rules", "base_health"),
        ("rules", "attack_damage"),
        ("start", "turn"),
        ("start", "first", "health"),
        ("start", "second", "poison"),
        ("turns", 0),
        ("turns", 0, 1),
    ],
)
@pytest.mark.parametrize("digits", [4000, 5000])
def test_a_number_of_thousands_of_digits(path, digits):
    text = json.dumps(spoiled(*path, value="HERE")).replace('"HERE"', "9" * digits)
    assert isinstance(error_of(text), RecordError)
    assert isinstance(error_of(text.replace("9" * digits, "-" + "9" * digits)), RecordError)


@pytest.mark.parametrize(
    "path",
    [
        ("format",),
        ("players", 0, "pet"),
        ("players", 0, "cards", 0),
        ("players", 0, "tiers", "HERE"),
        ("rules", "HERE"),
        ("HERE",),
        ("start", "first", "HERE"),
        ("start", "first", "streak", 0),
        ("turns", 0, 1),
    ],
)
@pytest.mark.parametrize("text", ["\u001b[31mred", "a\nb", "\ud800", "\u202eabc", "x" * 100_000, "\u0000"])
def test_strange_text_is_shown_harmlessly(path, text):
    told = json.dumps(spoiled(*path, value="HERE")).replace("HERE", json.dumps(text)[1:-1])
    error = str(error_of(told))
    assert error.isprintable()
    assert len(error) < 500


# In a file, the line is told too


@pytest.mark.parametrize("as_json", [True, False])
def test_the_line_is_told(tmp_path, capsys, as_json):
    path = tmp_path / "records.jsonl"
    lines = [json.dumps(BASE), "", json.dumps(spoiled("turns", 1, 1, value="wait")), "nonsense", json.dumps(BASE)]
    path.write_text("\n".join(lines) + "\n")
    assert cli.main(["replay", str(path), *(["--json"] if as_json else [])]) == 1
    out = capsys.readouterr().out
    if as_json:
        told = [json.loads(line) for line in out.splitlines()]
        assert [list(one) for one in told] == [list(told[0]), ["error"], ["error"], list(told[0])]
        wrong = [one["error"] for one in told[1:3]]
    else:
        wrong = [line for line in out.splitlines() if line.startswith("line ")]
    assert wrong[0].startswith("line 3: turn 8, second: ") and wrong[0].endswith("(rule 2.4)")
    assert wrong[1].startswith("line 4: not JSON")


def deep(depth: int) -> str:
    """A record with a rule nested as deep as the reader still reads, or just no more."""
    return json.dumps({"format": FORMAT, "players": [{"pet": "moss"}, {"pet": "moss"}], "rules": {}}).replace(
        "{}", '{"base_health": ' + "[" * depth + "1" + "]" * depth + "}"
    )


@pytest.mark.parametrize("depth", [10, 500, *range(900, 1000), 5_000, 100_000])
def test_deep_nesting_is_an_error_like_any_other(depth):
    says(error_of(deep(depth)), "base_health" if depth < 500 else "")


@pytest.mark.parametrize(
    ("told", "player", "words"),
    [
        ('"players": [{"pet": "moss", "pet": "moss"}, {"pet": "moss"}]', "first", "pet"),
        ('"players": [{"pet": "moss"}, {"pet": "moss", "tiers": {"heal": 1, "heal": 1}}]', "second", "heal"),
        (
            '"players": [{"pet": "moss"}, {"pet": "moss"}], "start": {"second": {"health": 1, "health": 2}}',
            "second",
            "health",
        ),
        ('"players": [{"pet": "moss"}, {"pet": "moss"}], "start": {"turn": 1, "turn": 1}', None, "start"),
        (
            '"players": [{"pet": "moss"}, {"pet": "moss"}], "start": {"first": {"ready": {"blind": 1, "blind": 2}}}',
            "first",
            "blind",
        ),
        ('"players": [{"pet": "moss"}, {"pet": "moss"}], "rules": {"hide_cost": 1, "hide_cost": 1}', None, "rules"),
    ],
)
def test_a_repeated_key_says_where_it_is(told, player, words):
    error = error_of('{"format": "summon-battle/1", ' + told + "}")
    says(error, "twice")
    says(error, words)
    assert error.player == player


def test_a_number_with_very_many_digits_says_where_it_is():
    digits = "1" * 5_000
    players = '"players": [{"pet": "moss"}, {"pet": "moss"}]'
    error = error_of(
        '{"format": "summon-battle/1", ' + players + ', "turns": [["attack", "heal"], ["attack", ' + digits + "]]}"
    )
    assert (error.turn, error.player) == (2, "second")
    says(
        error_of('{"format": "summon-battle/1", ' + players + ', "rules": {"hide_cost": ' + digits + "}}"), "hide_cost"
    )
