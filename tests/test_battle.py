"""Battles as Param objects: sealed choices, the reveal, leaving, and what those who watch get to see."""

import copy
import itertools
import pickle
from typing import Any

import pytest

from summon.battle import Battle, BattleError, Fighter, IllegalChoice
from summon.choices import Choice, Reason
from summon.history import event_log, round_log
from summon.player import Player
from summon.position import SIDES
from summon.record import RecordError, situation
from summon.rules import Rules
from summon.views.seat import round_lines, seat_view
from tests.strategies import options, shown

TURNS = [("attack", "heal"), ("shield", "attack"), ("blind", "poison"), ("attack", "wait"), ("copycat", "hide")]
"""A few turns that both decks of `fight` may play."""


def fight(**rules: Any) -> Battle:
    return Battle(
        Fighter("ember", cards=["shield", "blind", "sacrifice", "wild", "copycat"], name="left"),
        Fighter("tide", evolved=True, cards=["poison", "sacrifice", "hide", "refreshment", "revive"], name="right"),
        rules=Rules(**rules),
    )


def after(turns: int) -> Battle:
    battle = fight()
    for pair in TURNS[:turns]:
        battle.play(*pair)
    return battle


# Sealed choices (1.5, 1.9)


def public(battle: Battle, side: int) -> dict[str, Any]:
    """Everything that anybody may look at while `side` has chosen and the other has not.

    Even of the private attributes it has the printed and pickled forms, which end up in logs and caches; without those
    that hold the names that Param numbers its objects with.
    """
    other = 1 - side
    private = {name: value for name, value in vars(battle).items() if name not in ("_param__private", "_fighters")}
    plain = {name: value for name, value in vars(battle).items() if not name.startswith("_")}
    return {
        "parameters": shown(battle),
        "texts": [repr(battle), str(battle), *(text(fighter) for fighter in battle.fighters for text in (repr, str))],
        "attributes": plain,
        "fighters": [{n: v for n, v in vars(one).items() if not n.startswith("_")} for one in battle.fighters],
        "events": battle.events,
        "rounds": battle.rounds,
        "position": battle.position,
        "frames": [round_log(battle).to_csv(), event_log(battle).to_csv()],
        "record": [battle.to_record().to_dict(), battle.moment().to_json()],
        "legal": [battle.legal(0), battle.legal(1)],
        "refusals": [battle.refusal(other, card) for card in battle.fighters[other].deck],
        "view": seat_view(battle, other),
        "log": round_lines(battle, other),
        "printed": {name: repr(value) for name, value in private.items()},
        "pickled": {name: pickle.dumps(value) for name, value in private.items()},
        "pickle": pickle.dumps(battle),
        "copies": [pickle.dumps(copy.deepcopy(battle)), pickle.dumps(copy.copy(battle))],
        "fork": shown(battle.fork()),
    }


@pytest.mark.rule("1.5", "1.9")
@pytest.mark.parametrize("side", [0, 1])
@pytest.mark.parametrize("turns", [0, 3, 5])
def test_nothing_tells_what_was_chosen_before_the_reveal(side, turns):
    told = []
    for choice in options(after(turns).position, side):
        battle = after(turns)
        battle.choose(side, str(choice))
        told.append(public(battle, side))
    assert len(told) > 3 or after(turns).legal(side) == ["wait"]
    for one in told[1:]:
        assert one == told[0]
        assert pickle.dumps(one) == pickle.dumps(told[0])


@pytest.mark.rule("1.5")
def test_what_is_public_does_change_with_what_was_revealed():
    one, two = fight(), fight()
    one.play("attack", "heal")
    two.play("attack", "poison")
    assert {key for key, value in public(one, 0).items() if value != public(two, 0)[key]} >= {
        "parameters",
        "events",
        "frames",
        "record",
        "view",
        "pickle",
    }


@pytest.mark.rule("1.9")
@pytest.mark.parametrize("copied", [copy.deepcopy, lambda battle: pickle.loads(pickle.dumps(battle)), Battle.fork])
def test_a_copy_has_nothing_of_the_turn_in_play(copied):
    battle = after(2)
    battle.choose(0, "attack")
    other = copied(battle)
    assert other.committed == (False, False)
    with pytest.raises(BattleError):
        other.reveal()
    assert battle.committed == (True, False)


def test_a_plain_copy_does_not_share_the_choices_of_its_battle():
    battle = after(2)
    battle.choose(0, "attack")
    other = copy.copy(battle)
    other.choose(1, "heal")
    assert battle.committed == (True, False)


@pytest.mark.rule("1.5")
def test_committed_says_who_has_chosen_and_the_reveal_clears_it():
    battle = fight()
    assert battle.committed == (False, False)
    battle.choose("second", "heal")
    assert battle.committed == (False, True)
    battle.choose("first", "attack")
    assert battle.committed == (True, True)
    events = battle.reveal()
    assert battle.committed == (False, False)
    assert (battle.turn, battle.last.choices) == (2, (Choice("attack"), Choice("heal")))
    assert battle.events == events


def test_a_choice_can_be_taken_back_until_the_other_is_in():
    battle = fight()
    before = shown(battle)
    battle.choose(0, "attack")
    battle.take_back(0)
    assert shown(battle) == before
    battle.choose(0, "shield")
    battle.choose(1, "heal")
    for side in (0, 1):
        with pytest.raises(BattleError):
            battle.take_back(side)
    assert [event.card for event in battle.reveal() if event.side == 0] == ["shield"]


def test_there_is_nothing_to_take_back_before_a_choice():
    battle = fight()
    battle.choose(1, "heal")
    with pytest.raises(BattleError):
        battle.take_back(0)
    assert battle.committed == (False, True)


def test_choosing_twice_is_refused_and_the_first_choice_stays():
    battle = fight()
    battle.choose(0, "attack")
    for card in ("attack", "heal"):
        with pytest.raises(BattleError):
            battle.choose(0, card)
    battle.choose(1, "heal")
    battle.reveal()
    assert battle.last.choices[0] == Choice("attack")


@pytest.mark.rule("1.5")
@pytest.mark.parametrize("chosen", [(), (0,), (1,)])
def test_nothing_is_revealed_before_both_have_chosen(chosen):
    battle = fight()
    for side in chosen:
        battle.choose(side, "attack")
    before = shown(battle)
    with pytest.raises(BattleError):
        battle.reveal()
    assert shown(battle) == before


# What is no choice


@pytest.mark.rule("2.12")
@pytest.mark.parametrize(
    ("card", "amount", "says"),
    [
        ("Attack", None, "is not a choice"),
        ("dragon", None, "is not a choice"),
        (None, None, "is not a choice"),
        ("sacrifice", None, "amount"),
        ("sacrifice", True, "whole number"),
        ("sacrifice", 1.0, "whole number"),
        ("sacrifice", "1", "whole number"),
        ("sacrifice:1", 1, "no amount"),
        ("attack", 1, "no amount"),
    ],
)
def test_what_is_no_choice_is_refused(card, amount, says):
    battle = after(5)
    before = shown(battle)
    with pytest.raises(ValueError, match=says):
        battle.choose(0, card, amount)
    assert shown(battle) == before


@pytest.mark.rule("2.12")
def test_an_illegal_choice_tells_its_rule_and_reason():
    battle = fight()
    with pytest.raises(IllegalChoice, match=r"too early for Sacrifice.*\(rule 2\.6\)") as caught:
        battle.choose(0, "sacrifice", 1)
    assert (caught.value.rule, caught.value.refusal.reason) == ("2.6", Reason.SACRIFICE_FIRST_TURN)


@pytest.mark.parametrize("card", ["Attack", "dragon", "sacrifice:x", ""])
def test_asking_why_something_is_refused_that_is_no_choice_is_a_value_error(card):
    with pytest.raises(ValueError, match="is not a choice"):
        fight().refusal(0, card)


@pytest.mark.parametrize("side", [2, -1, True, "third", None, 0.0])
def test_there_are_two_sides(side):
    battle = fight()
    calls = (battle.legal, battle.most, battle.take_back, battle.leave, lambda side: battle.choose(side, "attack"))
    for call in calls:
        with pytest.raises(ValueError, match="a side is"):
            call(side)
    assert shown(battle) == shown(fight())


# play


@pytest.mark.parametrize(
    ("first", "second", "says"),
    [
        ("attack", "sacrifice:1", "too early"),
        ("wait", "attack", "Nobody may Wait"),
        ("attack", "Heal", "is not a choice"),
        ("dragon", "heal", "is not a choice"),
        ("attack", None, "is not a choice"),
    ],
)
def test_play_with_a_fault_changes_nothing_and_tells_nobody(first, second, says):
    battle = fight()
    before, seen = shown(battle), []
    battle.param.watch(lambda *changes: seen.append(changes), ["committed", "turn"])
    with pytest.raises(ValueError, match=says):
        battle.play(first, second)
    assert shown(battle) == before
    assert seen == []
    battle.play("attack", "heal")
    assert battle.turn == 2


def test_play_is_refused_where_somebody_has_chosen():
    battle = fight()
    battle.choose(1, "heal")
    with pytest.raises(BattleError):
        battle.play("attack", "attack")
    assert battle.committed == (False, True)


def test_play_does_what_choose_and_reveal_do():
    played, chosen = after(5), fight()
    for first, second in TURNS:
        chosen.choose(1, second)
        chosen.choose(0, first)
        chosen.reveal()
    assert shown(played) == shown(chosen)
    assert played.to_record() == chosen.to_record()


# The end (8.2, 9.2)


@pytest.mark.rule("9.2")
@pytest.mark.parametrize("side", [0, 1])
def test_leaving_after_a_reveal_loses(side):
    battle = after(1)
    battle.leave(side)
    assert (battle.outcome, battle.ended, battle.over) == (SIDES[1 - side], "left", True)
    assert battle.gold == ((0, 1) if side == 0 else (5, 0))


@pytest.mark.rule("9.2")
@pytest.mark.parametrize("side", SIDES)
def test_leaving_before_the_first_reveal_ends_it_without_a_winner(side):
    battle = fight()
    battle.choose(0, "attack")
    battle.choose(1, "attack")
    battle.leave(side)
    assert (battle.outcome, battle.ended, battle.over, battle.gold) == ("unfinished", "left", True, (0, 0))


@pytest.mark.rule("9.2", "11.4")
def test_a_battle_that_idles_has_no_winner():
    battle = after(2)
    battle.choose(0, "attack")
    battle.end_idle()
    assert (battle.outcome, battle.ended, battle.over, battle.gold) == ("unfinished", "idle", True, (0, 0))


def ended_battles() -> list[Battle]:
    left, idle, beaten = after(1), after(1), Battle.from_record(situation({"pet": "moss", "health": 1}, "spark"))
    left.leave(0)
    idle.end_idle()
    beaten.play("heal", "attack")
    return [left, idle, beaten]


@pytest.mark.rule("8.2")
def test_nothing_more_happens_once_a_battle_is_over():
    for battle in ended_battles():
        before = shown(battle)
        assert (battle.legal(0), battle.legal(1), battle.committed) == ([], [], (False, False))
        assert battle.refusal(0, "attack").reason is Reason.OVER
        with pytest.raises(IllegalChoice):
            battle.choose(0, "attack")
        with pytest.raises(IllegalChoice):
            battle.play("attack", "attack")
        for call, given in ((battle.reveal, ()), (battle.end_idle, ()), (battle.leave, (1,)), (battle.take_back, (0,))):
            with pytest.raises(BattleError):
                call(*given)
        assert shown(battle) == before


def test_copies_and_pickles_keep_how_a_battle_ended():
    for battle in [fight(), after(3), *ended_battles()]:
        for other in (pickle.loads(pickle.dumps(battle)), copy.deepcopy(battle)):
            assert shown(other) == shown(battle)
            assert (other.over, other.gold) == (battle.over, battle.gold)
            assert other.to_record() == battle.to_record()
            assert other.events == battle.events


def test_a_pickled_battle_goes_on_like_the_one_it_was_made_from():
    battle = after(3)
    other = pickle.loads(pickle.dumps(battle))
    for pair in TURNS[3:]:
        assert other.play(*pair) == battle.play(*pair)


@pytest.mark.parametrize("what", ["players", "first", "last", "position", "rules", "events"])
def test_the_parts_of_a_battle_can_be_pickled_and_copied(what):
    part = getattr(after(3), what)
    for other in (pickle.loads(pickle.dumps(part)), copy.deepcopy(part)):
        assert repr(other) == repr(part)


# Moments


def test_the_moments_of_a_battle_are_its_turns():
    battle = after(3)
    assert battle.moment() == battle.moment(4)
    for turn in (0, 5, -1):
        with pytest.raises(ValueError, match="has the turns 1 to 4"):
            battle.position_at(turn)


@pytest.mark.rule("2.7")
@pytest.mark.parametrize(("turn", "ready"), [(4, {"blind": 6}), (5, {"blind": 6}), (6, None)])
def test_a_moment_holds_only_what_is_still_to_come(turn, ready):
    start = after(5).moment(turn).to_dict()["start"]
    told = {card: at for card, at in start["first"].get("ready", {}).items() if card == "blind"}
    assert told == (ready or {})


def test_there_is_nothing_to_go_on_from_where_a_battle_is_over():
    battle = ended_battles()[2]
    assert battle.moment(1) == battle.fork(1).moment()
    with pytest.raises(RecordError, match="over"):
        battle.moment()


def test_a_fork_does_not_touch_its_battle():
    battle = after(2)
    before = shown(battle)
    battle.fork().play("attack", "attack")
    assert shown(battle) == before


# What is fixed (1.6)


@pytest.mark.rule("1.6")
def test_rules_that_are_changed_later_do_not_touch_the_battle():
    rules = Rules(base_health=7)
    battle = Battle(Fighter("moss"), Fighter("spark"), rules=rules)
    rules.base_health, rules.attack_damage = 20, (9, 9, 9)
    battle.rules.base_health = 30
    battle.play("attack", "attack")
    assert battle.rules == Rules(base_health=7)
    assert (battle.first.max_health, battle.first.health, battle.second.health) == (7, 6, 6)


@pytest.mark.rule("1.6")
def test_the_fighters_of_a_battle_are_its_own():
    brought = Fighter("moss", cards=["shield"], tiers={"attack": 2})
    one, two = Battle(brought, brought), Battle(brought, Fighter("spark"))
    one.play("attack", "heal")
    assert (brought.health, one.first.health, one.second.health, two.first.health) == (0, 5, 2, 5)


@pytest.mark.rule("1.6")
def test_what_is_changed_later_does_not_touch_the_battle():
    tiers, cards = {"attack": 2}, ["shield"]
    fighter = Fighter("moss", tiers=tiers, cards=cards)
    battle = Battle(fighter, Fighter("spark"))
    tiers["attack"] = 3
    cards.append("poison")
    fighter.tiers["attack"] = 3
    assert (battle.first.tiers["attack"], battle.first.cards) == (2, ("shield",))
    battle.play("attack", "heal")
    assert battle.last.shares[0].dealt == 3


OTHERWISE: dict[str, Any] = {
    **{
        "pet": "spark",
        "evolved": True,
        "tiers": {"attack": 2},
        "cards": ("hide",),
        "max_health": 9,
        "health": 9,
        "reserve": 9,
    },
    **dict.fromkeys(("boosted", "blinded", "restricted", "wild_used", "revive_used"), True),
    **{"streak": ("hide", 9), "ready": {"blind": 9}, "poison": (9,), "shield": (9,), "block": (9,)},
    **{
        "first": Fighter(),
        "second": Fighter(),
        "turn": 9,
        "committed": (True, True),
        "outcome": "draw",
        "ended": "left",
    },
    "last": after(1).last,
}
"""For each parameter of a fighter and a battle, a value that it might have and that a new battle does not show."""


@pytest.mark.parametrize("name", sorted(set(Fighter.param) - {"name"}))
def test_a_fighter_is_constant_from_outside(name):
    for fighter in (Fighter(), *Battle().fighters):
        with pytest.raises(TypeError, match="onstant"):
            setattr(fighter, name, OTHERWISE[name])


@pytest.mark.parametrize("name", sorted(set(Battle.param) - {"name"}))
def test_a_battle_is_constant_from_outside(name):
    with pytest.raises(TypeError, match="onstant"):
        setattr(Battle(), name, OTHERWISE[name])


def test_what_a_fighter_shows_is_what_the_rules_say():
    battle = after(5)
    first, second = battle.fighters
    assert (first.max_health, second.max_health) == (5, 10)
    assert (first.health, second.health) == (1, 6)
    assert (first.ready, second.ready) == ({"copycat": 8}, {})
    assert (first.streak, second.streak) == (("copycat", 1), ("hide", 1))
    assert (first.restricted, second.restricted) == (True, True)
    third = after(3)
    assert (third.first.poison, third.first.ready, third.second.blinded) == ((1,), {"blind": 6}, True)
    assert after(2).first.shield == (1,)


def test_an_evolved_fighter_is_called_by_its_evolved_name():
    battle = Battle(Fighter("spark", evolved=True), Fighter("moss"))
    assert repr(battle.first) == str(battle.first) == "<Thunder, 10 of 10 health>"
    assert repr(battle) == "<Battle, turn 1: <Thunder, 10 of 10 health> against <Moss, 5 of 5 health>, unfinished>"


def test_a_fighter_has_the_name_it_was_given():
    battle = Battle(Fighter("moss", name="left"), Player("right", "spark"))
    assert [player.name for player in battle.players] == ["left", "right"]
    assert [player.name for player in Battle(Fighter("moss"), Fighter("moss")).players] == ["first", "second"]
    assert [player.name for player in Battle(Fighter("moss", name=""), Fighter("moss")).players] == ["", "second"]


@pytest.mark.parametrize(
    ("brought", "says"),
    [
        ({"pet": "dragon"}, "there is no pet"),
        ({"pet": "thunder"}, "there is no pet"),
        ({"evolved": 1}, "evolved"),
        ({"tiers": {"attack": 4}}, "the tier of attack"),
        ({"tiers": {"attack": True}}, "the tier of attack"),
        ({"tiers": {"wild": 1}}, "'wild' has no tiers"),
        ({"cards": ["attack"]}, "starter"),
        ({"cards": ["dragon"]}, "there is no card"),
        ({"cards": ["shield", "shield"]}, "twice"),
        ({"cards": "wild"}, "not a list"),
        ({"cards": ["wild", "poison", "blind", "revive", "sacrifice", "shield", "hide", "copycat"]}, "at most 7"),
    ],
)
@pytest.mark.rule("1.1", "1.3", "1.4")
def test_a_fighter_that_section_1_does_not_allow_is_refused(brought, says):
    with pytest.raises(ValueError, match=says):
        Fighter(**brought)


def test_a_start_that_belongs_to_other_players_or_rules_is_refused():
    position = situation("moss", {"pet": "spark", "evolved": True}, rules={"base_health": 9}).opening()
    with pytest.raises(ValueError, match="start"):
        Battle(Fighter("moss"), Fighter("spark"), start=position)


# Watchers


def watch_all(battle: Battle, watcher: Any) -> None:
    """Watch every parameter of a battle and its fighters, one by one."""
    for one in (battle, *battle.fighters):
        for name in one.param:
            if name != "name":
                one.param.watch(watcher, name)


def steps(battle: Battle) -> list[Any]:
    """The battle's turns as single deeds."""
    return [
        deed
        for first, second in TURNS
        for deed in (
            lambda first=first: battle.choose(0, first),
            lambda second=second: battle.choose(1, second),
            battle.reveal,
        )
    ]


def test_a_watcher_never_sees_half_a_turn():
    twin, battle, seen = fight(), fight(), []
    watch_all(battle, lambda *_: seen.append((shown(battle), battle.position, battle.legal(0), battle.to_record())))
    for deed, same in zip(steps(battle), steps(twin), strict=True):
        seen.clear()
        deed()
        same()
        complete = (shown(twin), twin.position, twin.legal(0), twin.to_record())
        assert seen
        assert all(one == complete for one in seen)


@pytest.mark.parametrize("deed", [lambda battle: battle.leave(0), Battle.end_idle, lambda b: b.play("attack", "heal")])
def test_a_watcher_sees_how_a_battle_ends_only_once_it_has(deed):
    start = situation({"pet": "moss", "health": 1}, {"pet": "ember", "health": 1, "poison": [1]})
    twin, battle, seen = Battle.from_record(start), Battle.from_record(start), []
    for one in (battle, *battle.fighters):
        names = [name for name in one.param if name not in ("name", "committed")]
        one.param.watch(lambda *_: seen.append((shown(battle), battle.over, battle.gold)), names)
    deed(battle)
    deed(twin)
    assert twin.over
    assert seen and all(one == (shown(twin), twin.over, twin.gold) for one in seen)


def watched() -> list[tuple[str, str]]:
    return [("battle", "turn"), ("battle", "committed"), ("battle", "last"), ("first", "streak"), ("second", "health")]


@pytest.mark.parametrize(("where", "name"), watched())
def test_a_watcher_that_raises_does_not_break_the_battle(where, name):
    def fail(*_: object) -> None:
        raise RuntimeError("a watcher failed")

    twin, battle = fight(), fight()
    shown_at = battle if where == "battle" else getattr(battle, where)
    watcher = shown_at.param.watch(fail, name)
    failed = 0
    for deed, same in zip(steps(battle), steps(twin), strict=True):
        same()
        try:
            deed()
        except RuntimeError:
            failed += 1
        assert shown(battle) == shown(twin)
        assert battle.to_record() == twin.to_record()
        with pytest.raises(TypeError):
            battle.turn = 99
        with pytest.raises(TypeError):
            battle.first.health = 99
    assert failed
    shown_at.param.unwatch(watcher)
    assert battle.play("attack", "counter") == twin.play("attack", "counter")


@pytest.mark.parametrize(("where", "name"), [("battle", "turn"), ("first", "streak"), ("second", "streak")])
def test_a_watcher_may_play_the_next_turn(where, name):
    battle, seen = fight(), []
    pairs = iter(TURNS[1:])

    def go_on(*_: object) -> None:
        seen.append(battle.turn)
        pair = next(pairs, None)
        if pair is not None:
            battle.play(*pair)

    (battle if where == "battle" else getattr(battle, where)).param.watch(go_on, name)
    watch_all(battle, lambda *_: seen.append((len(battle.rounds) + 1) / battle.turn))
    battle.play(*TURNS[0])
    assert shown(battle) == shown(after(5))
    assert battle.to_record() == after(5).to_record()
    assert {one for one in seen if isinstance(one, float)} == {1.0}


@pytest.mark.parametrize("name", ["committed", "turn", "ended"])
def test_a_watcher_cannot_change_what_a_battle_shows(name):
    battle, refused = fight(), []

    def meddle(*_: object) -> None:
        for one, changed, value in ((battle, "turn", 77), (battle.first, "health", 77)):
            with pytest.raises(TypeError):
                setattr(one, changed, value)
            refused.append(changed)

    battle.param.watch(meddle, name)
    for deed in steps(battle)[:3]:
        deed()
    battle.leave(0)
    assert refused


@pytest.mark.parametrize("name", ["committed", "turn", "ended"])
def test_a_battle_that_a_watcher_begins_is_like_any_other(name):
    battle, begun = fight(), []

    def begin(*_: object) -> None:
        another = fight()
        another.choose(0, "attack")
        begun.append(another)

    battle.param.watch(begin, name)
    for deed in steps(battle)[:3]:
        deed()
    battle.leave(0)
    for another, (changed, value) in itertools.product(begun, [("turn", 7), ("committed", (True, True))]):
        with pytest.raises(TypeError):
            setattr(another, changed, value)
    assert begun


def test_several_battles_do_not_touch_each_other():
    battles = [fight(), fight(base_health=9), fight()]
    seen: list[int] = []
    for number, battle in enumerate(battles):
        battle.param.watch(lambda *_, number=number: seen.append(number), "turn")
    battles[1].choose(0, "attack")
    battles[0].play("attack", "heal")
    assert seen == [0]
    assert [battle.turn for battle in battles] == [2, 1, 1]
    assert [battle.committed for battle in battles] == [(False, False), (True, False), (False, False)]
    assert shown(battles[2]) == shown(fight())


def test_the_classes_stay_constant_while_battles_are_played():
    after(5)
    for cls in (Battle, Fighter):
        assert all(cls.param[name].constant for name in cls.param if name != "name")


@pytest.mark.rule("5.6")
@pytest.mark.parametrize(("health", "number"), [(0, None), (2, -1)])
def test_a_tick_that_a_pet_at_zero_loses_nothing_to_has_no_number_on_the_board(health, number):
    waiting = {"pet": "bloom", "cards": ["revive"], "health": health, "blinded": True, "poison": [1]}
    battle = Battle.from_record(situation("ember", waiting, turn=6))
    battle.play("attack" if health == 0 else "heal", "wait")
    (tick,) = [step for step in seat_view(battle, 0)["last"]["steps"] if step["kind"] == "poison"]
    assert (tick["on"], tick["number"]) == ("rival", number)


# Several turns at once


def test_several_turns_are_played_at_once_and_watchers_are_told_once() -> None:
    told, battle = [], fight()
    battle.param.watch(lambda *events: told.append(events), ["turn", "last"])
    turns = [tuple(map(Choice.parse, pair)) for pair in TURNS]
    assert battle.play_on(turns) is battle
    assert (battle.rounds, battle.position) == (after(5).rounds, after(5).position)
    assert len(told) == 1
    assert battle.undo(5).play_on(turns[:2]).play_on(turns[2:]).rounds == after(5).rounds


def test_of_several_turns_none_is_played_where_one_is_forbidden() -> None:
    battle = after(1)
    with pytest.raises(RecordError, match="turn 3, first"):
        battle.play_on([(Choice("attack"), Choice("heal")), (Choice("revive"), Choice("heal"))])
    assert (len(battle.rounds), battle.turn) == (1, 2)
    battle.choose("first", "attack")
    with pytest.raises(BattleError, match="chosen already"):
        battle.play_on([(Choice("attack"), Choice("heal"))])
    battle.leave("first")
    with pytest.raises(BattleError, match="over"):
        battle.play_on([(Choice("attack"), Choice("heal"))])


@pytest.mark.parametrize("turn", ["2", 1.5, True, 9, 0])
def test_a_turn_that_there_is_not_is_told_with_those_that_there_are(turn: object) -> None:
    battle = after(1)
    for ask in (battle.position_at, battle.moment, battle.fork):
        with pytest.raises(ValueError, match="this battle has the turns 1 to 2, not "):
            ask(turn)
