"""What if: lines of choices from one situation, beside each other, and turns that are taken back."""

import pytest

from summon import Battle, Fighter, RecordError, Rules
from summon.battle import IllegalChoice
from summon.lines import set_up, what_if


def test_lines_begin_where_the_battle_stands_and_leave_it_there():
    battle = set_up({"pet": "moss", "health": 3}, "spark", turn=4)
    first, second = what_if(battle, ("attack", "heal"), [("counter", "attack"), ("heal", "attack")])
    assert first.label == "Attack against Heal"
    assert second.label == "Counter against Attack, then Heal against Attack"
    assert (first.health, second.health) == ((3, 3), (1, 3))
    assert [round_.turn for round_ in second.rounds] == [4, 5]
    assert (battle.turn, battle.rounds) == (4, ())


def test_a_line_goes_on_from_a_battle_under_way():
    battle = Battle(Fighter("moss"), Fighter("spark"))
    battle.play("attack", "attack")
    (line,) = what_if(battle, ("heal", "heal"))
    assert (line.before.turn, line.health) == (2, (5, 5))
    assert line.events and line.outcome == "unfinished"


def test_a_line_can_be_played_on_and_taken_back():
    (line,) = what_if(set_up("moss", "spark"), ("attack", "attack"))
    battle = line.battle()
    assert battle.turn == 2
    assert battle.undo().turn == 1
    assert (battle.first.health, battle.second.health) == (5, 5)


def test_the_same_line_under_two_rule_sets():
    situation = {"pet": "moss", "evolved": True}
    now, other = what_if(
        set_up(situation, "spark"), ("attack", "heal"), rules={"now": {}, "no bonus": {"evolved_bonus": 0}}
    )
    assert (now.label, other.label) == ("now", "no bonus")
    assert now.health[1] == other.health[1] - 1
    assert other.battle().rules == Rules(evolved_bonus=0)


def test_rule_sets_change_the_battles_own_rules():
    battle = set_up("moss", "spark", rules={"base_health": 7})
    (line,) = what_if(battle, ("attack", "attack"), rules={"stronger": {"attack_damage": (2, 2, 3)}})
    assert line.health == (5, 5)


def test_several_lines_under_several_rule_sets_are_told_apart():
    lines = what_if(set_up("moss", "spark"), ("attack", "heal"), ("heal", "heal"), rules={"a": {}, "b": {}})
    assert [line.label for line in lines] == [
        *("a: Attack against Heal", "b: Attack against Heal"),
        *("a: Heal against Heal", "b: Heal against Heal"),
    ]


def test_what_a_rule_forbids_ends_its_line_there_and_is_told():
    (line,) = what_if(set_up("moss", "spark"), [("heal", "counter")] * 4)
    assert len(line.rounds) == 3
    assert line.refused is not None
    assert (line.refused.turn, line.refused.player, line.refused.rule) == (4, "first", "2.5")
    assert len(line.record.turns) == 3


def test_a_turn_after_the_end_is_refused():
    (line,) = what_if(set_up({"pet": "moss", "health": 1}, "spark"), [("heal", "attack"), ("heal", "attack")])
    assert line.outcome == "second"
    assert line.refused is not None and line.refused.rule == "8.2"


@pytest.mark.parametrize(
    "line", [("attack",), ("attack", "heal", "heal"), ["attack heal"], [("attack", "boo")], ("", "")]
)
def test_what_is_no_turn_is_said(line):
    with pytest.raises(ValueError, match=r"a turn is what both sides choose|is not a choice"):
        what_if(set_up("moss", "spark"), line)


def test_a_situation_that_cannot_be_under_other_rules_is_said():
    with pytest.raises(RecordError, match="start: health is a whole number from 0 to 3"):
        what_if(set_up({"pet": "moss", "health": 4}, "spark"), ("heal", "heal"), rules={"small": {"base_health": 3}})


def test_turns_are_taken_back_one_by_one_or_together():
    battle = Battle(Fighter("moss"), Fighter("spark"))
    for choices in (("attack", "attack"), ("heal", "attack"), ("counter", "heal")):
        battle.play(*choices)
    told = []
    battle.param.watch(lambda event: told.append(event.new), "turn")
    battle.undo()
    assert (battle.turn, len(battle.rounds), told) == (3, 2, [3])
    battle.undo(2)
    assert (battle.turn, battle.last, battle.first.health) == (1, None, 5)


def test_taking_back_opens_what_was_chosen_for_the_turn_in_play():
    battle = Battle(Fighter("moss"), Fighter("spark"))
    battle.play("attack", "attack")
    battle.choose("first", "heal")
    battle.undo()
    assert battle.committed == (False, False)
    battle.play("heal", "heal")


def test_a_battle_that_was_won_goes_on_from_before():
    battle = set_up({"pet": "moss", "health": 1}, "spark")
    battle.play("heal", "attack")
    assert battle.over
    assert not battle.undo().over
    with pytest.raises(IllegalChoice):
        battle.choose("first", "hide")
    battle.play("counter", "attack")
    assert not battle.over


@pytest.mark.parametrize("turns", [0, -1, 2, True, "1"])
def test_no_more_turns_are_taken_back_than_there_are(turns):
    battle = Battle(Fighter("moss"), Fighter("spark"))
    battle.play("attack", "attack")
    with pytest.raises(ValueError, match="1 turn can be taken back here"):
        battle.undo(turns)
    assert battle.turn == 2


@pytest.mark.parametrize("line", [3, None, "attack", ("attack",), (3, "attack"), {"attack": "heal"}, [[]]])
def test_what_is_no_line_is_told_with_what_a_turn_is(line: object) -> None:
    with pytest.raises(ValueError, match="a turn is what both sides choose"):
        what_if(set_up("moss", "spark"), line)


@pytest.mark.parametrize("rules", [3, [{}], {"other": 3}, {"heal_amount": 1}, {"other": None}])
def test_what_are_no_rule_sets_is_told_with_what_they_are(rules: object) -> None:
    with pytest.raises(ValueError, match="rules are rule sets, each by a name"):
        what_if(set_up("moss", "spark"), ("attack", "heal"), rules=rules)


@pytest.mark.parametrize("side", [3, None, ["moss"]])
def test_what_is_no_side_is_told_with_where(side: object) -> None:
    with pytest.raises(RecordError, match="second: a side is a pet's name or an object"):
        set_up("moss", side)


@pytest.mark.parametrize("rules", ["x", [1], 3])
def test_what_are_no_rules_is_told(rules: object) -> None:
    with pytest.raises(RecordError, match="rules is not an object"):
        set_up("moss", "spark", rules=rules)
