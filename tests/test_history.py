"""The history frames: their columns and types, and that they tell what the replay tells."""

import random

import pandas as pd
import pytest

from summon import words
from summon.battle import Battle, Fighter
from summon.cards import BY_CODE, PETS
from summon.events import Kind
from summon.history import EVENT_COLUMNS, ROUND_COLUMNS, event_log, round_log
from summon.position import SIDES
from summon.record import Record, replay, situation
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
