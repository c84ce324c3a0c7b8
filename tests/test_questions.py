"""The balance questions, on battles whose right answer can be worked out by hand."""

import subprocess
import sys
from collections import Counter
from itertools import product

import numpy as np
import pandas as pd
import pytest

from summon import questions
from summon.battle import Battle
from summon.cards import CARDS, MARKET, PETS, STARTERS
from summon.events import events
from summon.market import ITEMS
from summon.player import Player
from summon.record import Record, situation
from summon.rules import Rules
from summon.simulate import Policy, simulate, simulated_records

pytest.importorskip("numba")

ATTACK, HEAL, WILD = (Policy({card: 1}) for card in ("attack", "heal", "wild"))


def match_up(first=None, second=None, **rules):
    """Moss against Tide, with what is changed of their players, and rules."""
    players = (Player("one", **{"pet": "moss", **(first or {})}), Player("two", **{"pet": "tide", **(second or {})}))
    return Record(players, Rules(**rules).changed())


RICH = match_up({"cards": ("wild", "poison", "sacrifice")}, {"cards": ("wild", "shield", "hide")})
"""A match-up in which both sides have bought cards."""

ASKED = {
    "matchups": lambda **how: questions.matchups(**how),
    "card_worth": lambda **how: questions.card_worth(RICH, **how),
    "price_worth": lambda **how: questions.price_worth(RICH, **how),
    "evolution_and_tiers": lambda **how: questions.evolution_and_tiers(RICH, **how),
    "first_to_last": lambda **how: questions.first_to_last(RICH, **how),
    "card_against_card": lambda **how: questions.card_against_card(RICH, **how),
    "rules_fired": lambda **how: questions.rules_fired(RICH, **how),
    "rules_changed": lambda **how: questions.rules_changed(RICH, ["base_health", "shields_add_up"], **how),
}
"""Every question, of some match-up."""


def one(frame, **where):
    """The one row in which columns have these values."""
    rows = frame
    for name, value in where.items():
        rows = rows[rows[name] == value]
    assert len(rows) == 1
    return rows.iloc[0]


# What all have in common


@pytest.mark.parametrize("name", ASKED)
def test_every_row_is_an_estimate_with_its_interval_and_number_of_battles(name):
    frame = ASKED[name](battles=200, seed=1)
    assert len(frame) and not frame.index.has_duplicates
    assert {"battles": "int64", "value": "float64", "low": "float64", "high": "float64"}.items() <= {
        column: str(dtype) for column, dtype in frame.dtypes.items()
    }.items()
    assert frame[["value", "low", "high"]].notna().all(axis=None) or name == "first_to_last"
    told = frame.dropna(subset=["low"])
    assert (told["low"] <= told["value"] + 1e-12).all() and (told["value"] <= told["high"] + 1e-12).all()
    assert (frame["battles"] > 0).all()


@pytest.mark.parametrize("name", ASKED)
def test_the_same_seed_gives_the_same_and_another_does_not(name):
    frame = ASKED[name](battles=60, seed=1)
    pd.testing.assert_frame_equal(frame, ASKED[name](battles=60, seed=1, cores=1))
    assert not frame["value"].equals(ASKED[name](battles=60, seed=2)["value"])


@pytest.mark.parametrize("name", ASKED)
def test_one_battle_is_answered_and_leaves_open_how_sure_that_is(name):
    frame = ASKED[name](battles=1)
    assert set(frame["battles"]) <= {0, 1}
    assert (frame["low"].isna() | (frame["high"] - frame["low"] > 0.5)).all()


@pytest.mark.parametrize("name", ASKED)
def test_more_battles_make_it_surer(name):
    few, many = (ASKED[name](battles=battles, seed=3) for battles in (40, 1000))
    assert (many["high"] - many["low"]).mean() < (few["high"] - few["low"]).mean()


@pytest.mark.parametrize("name", ASKED)
def test_progress_grows_to_the_end(name):
    told = []
    ASKED[name](battles=100, progress=lambda done, total: told.append((done, total)))
    assert len({total for _, total in told}) == 1
    assert [done for done, _ in told] == sorted(done for done, _ in told)
    assert told[-1][0] == told[-1][1]


@pytest.mark.parametrize("name", ASKED)
def test_what_is_stopped_at_once_has_the_same_columns_and_few_battles(name):
    frame = ASKED[name](battles=10**6, stop=lambda: True)
    assert list(frame.columns) == list(ASKED[name](battles=1).columns)
    assert (frame["battles"] < 10**6).all()


def test_what_is_stopped_rests_on_whole_blocks_of_all_that_is_compared():
    asked = 0

    def stop():
        nonlocal asked
        asked += 1
        return asked > 150

    frame = questions.card_worth(RICH, battles=2000, stop=stop)
    done = frame["battles"].iloc[0]
    assert set(frame["battles"]) == {done}
    assert 0 < done < 2000 and done % 100 == 0


@pytest.mark.parametrize("battles", [0, -1, 1.0, True, None])
def test_a_number_of_battles_that_is_none_is_refused(battles):
    with pytest.raises(ValueError, match="battles is a whole number from 1"):
        questions.matchups(battles=battles)


@pytest.mark.parametrize("name", ["card_worth", "price_worth", "evolution_and_tiers", "rules_changed"])
def test_what_changes_the_beginning_takes_no_start(name):
    with pytest.raises(ValueError, match="no start"):
        getattr(questions, name)(situation("moss", {"pet": "tide", "health": 1}), battles=10)


def test_asking_is_light_until_something_is_played():
    code = "import sys, summon.questions; print({'numba', 'bokeh', 'panel'} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "set()"


# Who wins


def test_every_pair_is_told_with_all_its_battles():
    frame = questions.matchups(battles=100)
    assert len(frame) == 6 * 6 * 4
    assert list(frame["first"].cat.categories) == list(PETS)
    assert (frame.groupby(["first", "second"], observed=True)["count"].sum() == 100).all()
    assert (frame["value"] == frame["count"] / 100).all()


def test_the_table_of_matchups_is_symmetric():
    counts = questions.matchups(battles=500).set_index(["first", "second", "outcome"])["count"]
    for pet, other in product(PETS, PETS):
        if pet != other:
            assert counts[pet, other, "first"] == counts[other, pet, "second"]
            assert counts[pet, other, "draw"] == counts[other, pet, "draw"]


def test_a_pair_told_the_other_way_is_what_comes_of_playing_it_so():
    moss, bloom = (Player(pet, pet, cards=("wild",)) for pet in ("moss", "bloom"))
    told = one(questions.matchups([moss, bloom], battles=10_000), first="bloom", second="moss", outcome="first")
    played = simulate(Record((bloom, moss)), 10_000, 99)
    assert abs(told["value"] - played.first / 10_000) < 4 * (0.5 / 10_000) ** 0.5


def test_alike_win_alike():
    frame = questions.matchups([Player("me", "moss", cards=("wild", "poison"))], battles=20_000)
    won, lost = (one(frame, outcome=side) for side in ("first", "second"))
    assert abs(won["value"] - lost["value"]) < 4 * (1 / 20_000) ** 0.5


def test_who_may_only_attack_at_one_health_draws():
    frame = questions.matchups(battles=10, rules=Rules(base_health=1), policies=(ATTACK, ATTACK))
    assert set(frame[frame["value"] == 1]["outcome"]) == {"draw"}
    assert (frame["value"].isin([0, 1])).all()


def test_sides_of_different_policies_are_played_both_ways():
    frame = questions.matchups(battles=10, policies=(ATTACK, HEAL))
    assert (frame[frame["outcome"] == "first"]["value"] == 1).all()


def test_evolved_pets_go_by_their_names():
    names = [player.name for player in questions.all_pets(evolved=True)]
    assert names == [pet.evolved for pet in PETS.values()]


def test_entrants_need_names_of_their_own():
    with pytest.raises(ValueError, match=r"names of their own.*'a', 'a'"):
        questions.matchups([Player("a", "moss"), Player("a", "tide")])
    assert questions.matchups([]).empty


# What a card, a tier and evolution are worth


def test_a_card_that_wins_at_once_is_worth_everything():
    # Flare and its bonus against Heal are 3 damage on the first turn; without it nothing happens in one turn.
    one_turn = match_up({"pet": "ember", "cards": ("wild",)}, base_health=3)
    policies = (Policy({"wild": 1e9, "heal": 1e-9}), HEAL)
    frame = questions.card_worth(one_turn, battles=100, max_turns=1, policies=policies)
    wild = one(frame, card="wild", instead="nothing")
    assert (wild["with_it"], wild["without"], wild["value"], wild["in_deck"]) == (1, 0, 1, True)
    assert 0.9 < wild["low"] < wild["high"] == 1
    assert one(frame, card="wild", instead="poison")["value"] == 1


def test_a_card_that_is_never_played_is_worth_nothing_for_sure():
    frame = questions.card_worth(RICH, battles=3000, policies=(Policy({"attack": 1, "heal": 1, "wild": 1}), None))
    poison = one(frame, card="poison", instead="nothing")
    assert (poison["value"], poison["low"], poison["high"]) == (0, -0.001, 0.001)
    assert one(frame, card="wild", instead="nothing")["value"] != 0


def test_every_card_is_compared_with_nothing_and_with_what_could_be_in_its_place():
    frame = questions.card_worth(RICH, battles=20)
    pairs = Counter(frame["card"])
    deck = set(RICH.players[0].cards)
    assert pairs == {card: 1 + len(MARKET) - len(deck) if card in deck else 1 for card in MARKET}
    assert set(frame[frame["in_deck"]]["card"]) == deck
    assert not set(frame["instead"]) & deck


def test_a_full_deck_has_no_room_for_another_card():
    frame = questions.card_worth(match_up({"cards": MARKET[:7]}), battles=20)
    assert set(frame["card"]) == set(MARKET[:7])
    assert set(frame["instead"]) == {"nothing", *MARKET[7:]}
    bought = questions.price_worth(match_up({"cards": MARKET[:7]}), battles=20)
    assert not bought["item"].str.startswith("card:").any()


def test_everything_that_can_be_bought_has_its_price():
    frame = questions.price_worth(match_up(), battles=20)
    assert set(frame["item"]) == set(ITEMS)
    for item, gold in zip(frame["item"], frame["gold"], strict=True):
        steps = [ITEMS[item]] if not item.endswith(":3") else [ITEMS[item[:-1] + tier] for tier in "23"]
        assert gold == sum(step.price for step in steps)
    assert frame["per_gold"].to_numpy() == pytest.approx((frame["value"] / frame["gold"]).to_numpy())


def test_the_price_of_a_tier_counts_from_what_is_there():
    frame = questions.price_worth(match_up({"tiers": {"attack": 2}}), battles=20)
    assert one(frame, item="tier:attack:3")["gold"] == 10
    assert "tier:attack:2" not in set(frame["item"])


def test_who_has_everything_can_buy_nothing():
    everything = {"evolved": True, "tiers": dict.fromkeys(STARTERS, 3), "cards": MARKET[:7]}
    frame = questions.price_worth(match_up(everything), battles=20)
    assert frame.empty and list(frame.columns) == list(questions.price_worth(match_up(), battles=1).columns)


def test_evolution_and_tiers_that_win_at_once_are_the_ladder():
    # One turn: Attack and its bonus against Heal are 2 damage at tier 1, and 3 at tier 2 or evolved.
    frame = questions.evolution_and_tiers(
        match_up(base_health=3), battles=20, max_turns=1, policies=(ATTACK, Policy({"heal": 1}))
    )
    assert len(frame) == 2 * 3**3
    assert (frame["value"] == ((frame["attack"] > 1) | frame["evolved"])).all()
    best = frame[frame["best"]]
    assert best[["gold", "value"]].values.tolist() == [[0, 0], [5, 1]]
    assert (best["attack"].iloc[1], best["evolved"].iloc[1]) == (2, False)
    assert one(frame, evolved=True, attack=3, heal=3, counter=3)["gold"] == 25 + 3 * 15


# From the first turn to the last


def test_health_and_length_of_a_battle_that_can_only_go_one_way():
    # Attack and its bonus against Heal: 5, 3, 1, 0.
    frame = questions.first_to_last(match_up(), battles=50, policies=(ATTACK, HEAL))
    health = frame[frame["measure"] == "health"]
    for side, numbers in (("first", [5, 5, 5]), ("second", [3, 1, 0])):
        rows = health[health["side"] == side]
        assert rows["turn"].tolist() == [1, 2, 3]
        for name in ("value", "low", "high", "p10", "p25", "p50", "p75", "p90"):
            assert rows[name].tolist() == numbers
        assert set(rows["battles"]) == {50}
    assert frame[frame["measure"] == "length"][["turn", "value"]].values.tolist() == [[1, 0], [2, 0], [3, 1]]


def test_a_side_at_one_health_falls_to_the_first_attack():
    begun = situation("moss", {"pet": "tide", "health": 1}, turn=4)
    frame = questions.first_to_last(begun, battles=50, policies=(ATTACK, HEAL))
    assert one(frame, measure="health", side="second")["value"] == 0
    assert one(frame, measure="length")["turn"] == 1


def test_health_and_length_are_those_of_the_battles_as_records():
    frame = questions.first_to_last(RICH, battles=300, seed=4)
    battles = [Battle.from_record(record) for record in simulated_records(RICH, 300, 4)]
    lengths = Counter(len(battle.rounds) for battle in battles)
    for _, row in frame[frame["measure"] == "length"].iterrows():
        assert row["value"] == lengths[row["turn"]] / 300
    for _, row in frame[frame["measure"] == "health"].iterrows():
        place = ("first", "second").index(row["side"])
        health = [
            battle.rounds[row["turn"] - 1].after.sides[place].health
            for battle in battles
            if len(battle.rounds) >= row["turn"]
        ]
        assert row["battles"] == len(health)
        assert row["value"] == pytest.approx(np.mean(health))
        assert row["p50"] == np.quantile(health, 0.5, method="inverted_cdf")


def test_battles_that_do_not_end_have_no_length():
    frame = questions.first_to_last(match_up(), battles=20, max_turns=3, policies=(HEAL, HEAL))
    assert frame[frame["measure"] == "length"].empty
    assert frame[frame["measure"] == "health"]["turn"].max() == 3
    some = questions.first_to_last(RICH, battles=500, max_turns=8)
    ended = some[some["measure"] == "length"]["value"].sum()
    totals = simulate(RICH, 500, 0, max_turns=8)
    assert totals.unfinished and ended == pytest.approx(1 - totals.unfinished / 500)


def test_the_payoff_of_the_one_pair_there_is():
    frame = questions.card_against_card(match_up(), battles=50, policies=(ATTACK, HEAL))
    pair = one(frame, first="attack", second="heal")
    assert len(frame) == 1
    assert (pair["turns"], pair["battles"], pair["value"], pair["high"]) == (150, 50, 1, 1)
    assert 0.9 < pair["low"] < 1


def test_the_payoff_of_alike_is_antisymmetric():
    alike = match_up({"pet": "moss", "cards": ("poison",)}, {"pet": "moss", "cards": ("poison",)})
    frame = questions.card_against_card(alike, battles=50_000).set_index(["first", "second"])
    cards = [card for card in CARDS if card in alike.players[0].deck]
    for card, other in product(cards, cards):
        row, mirrored = frame.loc[(card, other)], frame.loc[(other, card)]
        error = 2 * max(row["high"] - row["low"], mirrored["high"] - mirrored["low"])
        assert abs(row["value"] + mirrored["value"]) < error


def test_the_turns_of_all_pairs_are_all_turns():
    frame = questions.card_against_card(RICH, battles=1)
    totals = simulate(RICH, 1, int(np.random.SeedSequence(0).generate_state(1)[0]))
    assert frame["turns"].sum() == totals.turns


# The rules themselves


def test_the_rules_of_a_battle_that_can_only_go_one_way():
    frame = questions.rules_fired(match_up(), battles=10, policies=(ATTACK, HEAL))
    assert set(frame["rule"]) == {"3.1", "3.2", "8.2"}
    for rule, measure, value in (
        ("3.1", "fires", 1),
        ("3.1", "times", 3),
        ("3.1", "decides", 1),
        ("3.2", "times", 3),
        ("3.2", "decides", 1),
        ("8.2", "times", 1),
    ):
        assert one(frame, rule=rule, measure=measure)["value"] == value
    assert frame[(frame["rule"] == "8.2") & (frame["measure"] == "decides")].empty


def test_rules_are_in_the_order_of_their_numbers():
    rules = list(questions.rules_fired(RICH, battles=100)["rule"].cat.categories)
    assert rules == sorted(rules, key=lambda number: [int(part) for part in number.split(".")])


def test_battles_that_do_not_end_are_decided_by_nothing():
    frame = questions.rules_fired(match_up(), battles=10, max_turns=1, policies=(HEAL, HEAL))
    decides = frame[frame["measure"] == "decides"]
    assert set(decides["battles"]) == {0} and decides["value"].isna().all()


DECIDED = [
    ("attack", {"pet": "moss"}, "poison", {"health": 1}, {"3.1"}),
    ("attack", {"pet": "moss", "evolved": True}, "poison", {"health": 2}, {"3.1", "4.2"}),
    ("attack", {"pet": "moss", "boosted": True}, "heal", {"health": 3}, {"3.1", "3.2", "6.9"}),
    # 5.3: the Heal that is not stopped does not save; the attack that comes too late does not count.
    ("counter", {"pet": "moss"}, "heal", {"health": 1, "poison": [1]}, {"5.3"}),
    ("attack", {"pet": "moss"}, "poison", {"health": 3, "poison": [2]}, {"3.1", "5.2"}),
    ("attack", {"pet": "moss"}, "revive", {"health": 0}, {"6.6"}),
    ("counter", {"pet": "moss"}, "sacrifice:1", {"health": 1}, {"6.3"}),
    ("wait", {"pet": "moss", "health": 0}, "revive", {"health": 0}, {"6.5"}),
    ("attack", {"pet": "moss", "health": 1}, "attack", {"health": 1}, {"3.1"}),
]


@pytest.mark.parametrize(("choice", "first", "other", "standing", "rules"), DECIDED)
def test_what_decides_is_what_took_the_last_health_or_kept_it_from_coming_back(choice, first, other, standing, rules):
    cards = ["poison", "revive", "sacrifice"] if other == "revive" else ["poison", "sacrifice"]
    battle = Battle.from_record(situation(first, {"pet": "tide", "cards": cards, **standing}, turn=6))
    battle.play(choice, other)
    assert battle.outcome != "unfinished"
    assert questions.deciding_rules(battle.rounds[-1]) == rules


def test_the_rules_that_fired_are_those_of_the_events():
    frame = questions.rules_fired(RICH, battles=50, seed=7)
    seen = Counter()
    for record in simulated_records(RICH, 50, 7):
        seen.update({event.rule for round_ in record.play() for event in events(round_)})
    for rule, count in seen.items():
        assert one(frame, rule=rule, measure="fires")["value"] >= count / 50


def test_a_rule_that_is_in_no_card_of_the_match_changes_nothing():
    names = ["bloom_damage", "shields_add_up", "base_health"]
    frame = questions.rules_changed(match_up(), names, battles=3000)
    rows = frame[(frame["name"] != "base_health") & (frame["measure"] != "turns")]
    assert rows[["value", "low", "high"]].drop_duplicates().values.tolist() == [[0, -0.001, 0.001]]
    assert one(frame, change="5 → 6", measure="turns")["low"] > 0
    assert one(frame, change="5 → 4", measure="turns")["high"] < 0


def test_changes_are_told_as_far_as_the_bounds_allow():
    frame = questions.rules_changed(match_up(base_health=1, shield_block=999, moss_block=(0, 5)), battles=1)
    told = frame.drop_duplicates(["name", "change"]).groupby("name", observed=True)["change"].apply(list)
    assert told["base_health"] == ["1 → 2"]
    assert told["shield_block"] == ["999 → 998"]
    assert told["moss_block"] == ["0, 5 → 1, 6"]
    assert told["attack_damage"] == ["1, 2, 3 → 0, 1, 2", "1, 2, 3 → 2, 3, 4"]
    assert told["shields_add_up"] == ["off → on"]
    assert set(told.index) == set(Rules.names())
    assert one(frame, name="base_health", measure="turns")["rule"] == "1.2"


def test_a_change_is_after_less_before():
    sudden = match_up(base_health=3)
    frame = questions.rules_changed(sudden, ["base_health"], battles=20, policies=(ATTACK, HEAL))
    # Two damage a turn: two turns for 3 and 4 health, one for 2.
    assert one(frame, change="3 → 2", measure="turns")["value"] == -1
    assert one(frame, change="3 → 4", measure="turns")["value"] == 0


def test_a_rule_that_is_not_there_is_named():
    with pytest.raises(ValueError, match="no rule named 'speed'"):
        questions.rules_changed(match_up(), ["speed"])
