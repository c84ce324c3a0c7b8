"""A question to the rules without its page: the situation, and lines of choices of which none is lost."""

from dataclasses import replace
from urllib.parse import urlencode

import pytest

from summon import Battle, Record, RecordError, situation
from summon.asking import (
    LONGEST_RECORD,
    Lines,
    Question,
    Standing,
    amounts_from,
    link_to,
    record_from,
    record_of_link,
)
from summon.choices import Choice
from summon.lab import LONGEST_LINK, LinkError

ALL = {
    "pet": "bloom",
    "name": "<b>me</b>",
    "evolved": True,
    "tiers": {"heal": 3},
    "cards": ["copycat", "sacrifice"],
    "health": 4,
    "reserve": 2,
    "boosted": True,
    "blinded": True,
    "restricted": True,
    "wild_used": True,
    "revive_used": True,
    "streak": ["copycat", 2],
    "ready": {"sacrifice": 9, "copycat": 8},
    "poison": [1, 2],
    "shield": [0, 1],
    "block": [3],
}


def asked() -> Question:
    question = Question()
    question.turn = 6
    question.first.param.update(cards=["copycat"], health=1)
    question.second.param.update(cards=["sacrifice"])
    return question


def labels(lines: Lines) -> list[str]:
    return [line.label for line in lines.played()]


def test_everything_of_a_situation_goes_in_and_comes_out() -> None:
    record = situation(ALL, "tide", turn=7, rules={"reserve_health": 2, "poison_damage": 3})
    question = Question(record)
    assert question.record() == record
    question.take(situation("moss", "spark"))
    assert question.record() == situation("moss", "spark")
    assert question.rules.changed() == ()


def test_a_side_at_full_health_stays_there_when_it_evolves() -> None:
    question = Question()
    question.first.evolved = True
    assert question.record().opening().sides[0].health == 10


def test_every_part_can_be_set() -> None:
    assert {"pet", "attack", "cards", "health", "streak", "blind_ready", "block"} <= set(Standing.names())
    assert "name" not in Standing.names()


def test_what_cannot_be_is_said() -> None:
    question = asked()
    question.first.health = 9
    with pytest.raises(RecordError, match="first: start: health is a whole number from 0 to 5, not 9"):
        question.record()
    question.first.param.update(health=0)
    with pytest.raises(RecordError, match="already over"):
        question.record()


@pytest.mark.rule("6.10")
def test_copycat_copies_sacrifice_at_one_health_unless_it_is_blinded() -> None:
    lines = Lines(asked().record())
    lines.play("copycat", "sacrifice:2")
    (line,) = lines.played()
    assert [event.rule for event in line.events] == ["6.10", "6.3", "6.3", "6.3", "6.3", "8.2"]
    assert (line.health, line.outcome) == ((0, 2), "second")
    question = asked()
    question.first.blinded = True
    (blind,) = lines.under(question.record()).played()
    assert (blind.refused.rule, blind.rounds) == ("2.1", ())


def test_another_choice_begins_another_line_and_the_old_one_stays() -> None:
    lines = Lines(asked().record())
    lines.play("attack", "heal")
    lines.play("heal", "counter")
    lines.battle.undo(2)
    lines.follow()
    assert (labels(lines), lines.at, lines.depth) == (["Attack against Heal, then Heal against Counter"], 0, 0)
    lines.play("attack", "heal")
    assert (len(labels(lines)), lines.depth) == (1, 1)
    lines.play("attack", "counter")
    assert labels(lines)[1] == "Attack against Heal, then Attack against Counter"
    assert (lines.at, lines.depth, lines.shared) == (1, 2, 1)
    lines.go(0, 0)
    lines.play("attack", "heal")
    lines.play("attack", "counter")
    assert (lines.at, len(labels(lines))) == (1, 2)


def test_a_line_is_gone_to_and_gone_on_with() -> None:
    lines = Lines(asked().record())
    lines.play("attack", "heal")
    lines.go(0, 0)
    lines.play("counter", "attack")
    battle = lines.battle
    lines.go(0, 1)
    lines.play("heal", "attack")
    assert labels(lines) == ["Attack against Heal, then Heal against Attack", "Counter against Attack"]
    assert lines.battle is battle
    with pytest.raises(IndexError):
        lines.go(2, 0)


def test_a_line_that_is_taken_away_leaves_one_at_another() -> None:
    lines = Lines(asked().record())
    lines.play("attack", "heal")
    lines.play("attack", "attack")
    lines.go(0, 1)
    lines.play("heal", "counter")
    lines.forget(1)
    assert (len(labels(lines)), lines.at, lines.depth) == (1, 0, 1)
    with pytest.raises(IndexError):
        lines.forget(0)
    lines.go(0, 0)
    lines.play("counter", "heal")
    lines.forget(0)
    assert (labels(lines), lines.at, lines.depth) == (["Counter against Heal"], 0, 1)


def test_a_line_stops_where_the_rules_forbid_it_and_comes_back_with_them() -> None:
    question = asked()
    question.first.health = 3
    lines = Lines(question.record())
    lines.play("attack", "sacrifice:1")
    lines.play("attack", "heal")
    question.rules.sacrifice_first_turn = 9
    under = lines.under(question.record())
    assert (under.depth, under.played()[0].refused.rule) == (0, "2.6")
    question.rules.sacrifice_first_turn = 1
    again = under.under(question.record())
    assert (again.played()[0].refused, len(again.played()[0].rounds)) == (None, 2)


def test_a_battle_that_others_play_is_followed() -> None:
    lines = Lines(asked().record())
    lines.battle.play("attack", "heal")
    lines.follow()
    lines.battle.undo().play("heal", "heal")
    lines.follow()
    assert labels(lines) == ["Attack against Heal", "Heal against Heal"]


def test_a_record_with_turns_is_a_line() -> None:
    battle = Battle.from_record(situation("moss", "spark"))
    battle.play("attack", "heal")
    lines = Lines(battle.to_record())
    assert (lines.depth, labels(lines)) == (1, ["Attack against Heal"])
    assert replace(lines.battle.to_record(), turns=()) == situation("moss", "spark")


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "not JSON"),
        ("{", "not JSON"),
        ("[]", "not an object"),
        (
            '{"format": "summon-battle/1", "players": [{"pet": "moss"}, {"pet": "cat"}]}',
            "second: there is no pet 'cat'",
        ),
        (
            '{"format": "summon-battle/1", "players": [{"pet": "moss"}, {"pet": "moss"}], "turns": [["heal", "wild"]]}',
            r"turn 1, second: Wild is not in your deck\. \(rule 2\.4\)",
        ),
        ("[" * (LONGEST_RECORD + 1), "at most 100000 characters"),
    ],
)
def test_what_is_wrong_with_a_record_is_said(text: str, told: str) -> None:
    with pytest.raises(ValueError, match=told):
        record_from(text)


def test_a_record_is_read() -> None:
    record = situation(ALL, "tide", turn=7, rules={"reserve_health": 2})
    assert record_from(record.to_json()) == record
    assert isinstance(record, Record)


def test_numbers_ahead_are_read() -> None:
    assert amounts_from("", "poison") == ()
    assert amounts_from(" 1, 2  3 ", "poison") == (1, 2, 3)
    for text in ("1, 2, 3, 4, 5", "one", "-1", "1000", "٣"):
        with pytest.raises(ValueError, match="poison"):
            amounts_from(text, "poison")


def test_a_long_line_is_gone_along_in_one_step() -> None:
    turns = [["heal", "heal"], ["counter", "counter"]] * 20
    lines = Lines(Record.from_dict(situation("moss", "spark").to_dict() | {"turns": turns}))
    told = []
    lines.battle.param.watch(lambda *events: told.append(lines.battle.turn), ["turn"])
    lines.go(0, 0)
    lines.go(0, 40)
    assert told == [1, 41]
    lines.go(0, -3)
    assert lines.depth == 0


def test_a_line_is_played_once_and_anew_when_it_has_changed() -> None:
    lines = Lines(asked().record())
    lines.play("attack", "heal")
    [before] = lines.played()
    lines.battle.undo()
    lines.follow()
    assert lines.played() == (before,)
    assert lines.played()[0] is before
    lines.play("heal", "attack")
    assert lines.played()[0] is before
    assert labels(lines) == ["Attack against Heal", "Heal against Attack"]


def test_a_link_leads_to_its_record():
    record = situation(ALL, {"pet": "spark", "name": "Ü & ?"}, turn=7, rules={"reserve_health": 2})
    played = replace(record, turns=((Choice.parse("wait"), Choice.parse("attack")),))
    assert record_of_link(link_to(played)) == played
    assert record_of_link({}) is None


def test_no_link_is_longer_than_an_address_may_be():
    turns = ((Choice.parse("attack"), Choice.parse("counter")),)
    lengths = [len(urlencode(link_to(replace(situation("moss", "spark"), turns=turns * many)))) for many in range(200)]
    assert 5_900 < max(lengths) <= LONGEST_LINK
    assert lengths == sorted(lengths[: lengths.index(0)]) + [0] * lengths.count(0)


@pytest.mark.parametrize(
    ("told", "says"),
    [
        ("", "not JSON"),
        ("{", "not JSON"),
        ('{"format": "summon-battle/1"}', "players"),
        ('{"format": "summon-battle/1", "players": [{"pet": "<b>"}, {"pet": "moss"}]}', "'<b>'"),
        (" " * (LONGEST_LINK + 1), "the link is too long"),
    ],
)
def test_a_broken_link_says_what_is_wrong(told, says):
    with pytest.raises(LinkError, match=says):
        record_of_link({"record": told})
