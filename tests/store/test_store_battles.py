"""Battles in the store: begun, saved, finished, and paid once."""

from dataclasses import replace
from datetime import timedelta

import pytest

from summon.battle import Battle
from summon.player import Player
from summon.profile import Refused, Why
from summon.record import RecordError, situation
from summon.rules import Rules
from summon.store import NoBattle, Stale, Store, battles
from tests.store.playing import GREAT, MOSS, new_record, played, rich, win


def begin(store, state, battle_id="b", kind="computer", rival=MOSS, **changes):
    record = replace(new_record(state, rival), **changes)
    store.begin_battle(battle_id, record, kind, {state.id: "first"})
    return record


def finish(store, record, battle_id="b", winner=0):
    battle = played(record, winner=winner)
    return store.finish_battle(battle_id, battle.to_record(), battle.outcome, battle.ended)


# Begun and saved


@pytest.mark.rule("11.5")
def test_a_profile_is_in_at_most_one_battle(store, me, friend):
    record = begin(store, me)
    for kind, seats in (("practice", {me.id: "first"}), ("friend", {friend.id: "first", me.id: "second"})):
        with pytest.raises(Refused) as refused:
            store.begin_battle("other", record, kind, seats)
        assert (refused.value.why, refused.value.rule, refused.value.subject) == (Why.IN_BATTLE, "11.5", me.id)
    assert store.unfinished(friend.id) is None
    finish(store, record)
    begin(store, store.get(me.id), "next")


def test_an_id_is_good_for_one_battle(store, me, friend):
    finish(store, begin(store, me))
    with pytest.raises(Refused) as refused:
        begin(store, friend)
    assert refused.value.why is Why.BATTLE_KNOWN


@pytest.mark.parametrize(
    ("kind", "sides"),
    [
        ("duel", ["first"]),
        ("computer", []),
        ("computer", ["third"]),
        ("computer", ["first", "second"]),
        ("practice", ["first", "second"]),
        ("friend", ["first", "first"]),
        ("friend", ["first"]),
    ],
)
def test_a_battle_of_no_kind_or_side_is_told(store, me, friend, kind, sides):
    seats = dict(zip((me.id, friend.id), sides, strict=False))
    with pytest.raises(ValueError, match="a battle is one of"):
        store.begin_battle("b", new_record(me), kind, seats)
    assert store.unfinished(me.id) is None


@pytest.mark.rule("1.6")
def test_a_battle_for_gold_is_begun_with_what_the_profile_has_now(store, me):
    old = new_record(me)
    rich_me = rich(store, me, 5)
    store.buy(me.id, "card:poison")
    with pytest.raises(Stale) as stale:
        store.begin_battle("b", old, "computer", {me.id: "first"})
    assert stale.value.state.deck == ("poison",)
    assert rich_me.deck == ()
    store.begin_battle("b", new_record(stale.value.state), "computer", {me.id: "first"})


def test_a_battle_goes_on_where_it_was_saved(place, clock):
    with Store.open(place, clock=clock) as store:
        me = store.create("me", "ember")
        record = begin(store, me)
        battle = played(record, 2)
        store.save_battle("b", battle.to_record())
        saved_at = clock.now
    with Store.open(place, clock=clock) as store:
        saved = store.unfinished(me.id)
        assert (saved.id, saved.kind, saved.seats, saved.turn) == ("b", "computer", {me.id: "first"}, 3)
        assert (saved.record, saved.moved) == (battle.to_record(), saved_at)
        assert (saved.outcome, saved.ended, saved.finished, saved.gold) == ("unfinished", "", None, {me.id: 0})
        assert finish(store, saved.record).gold == {me.id: 1}


def test_an_older_record_does_not_overwrite_a_newer_one(store, me):
    record = begin(store, me)
    newer = played(record, 2).to_record()
    store.save_battle("b", newer)
    store.save_battle("b", played(record, 1).to_record())
    store.save_battle("b", newer)
    assert store.unfinished(me.id).record == newer


def test_the_record_of_another_battle_is_told(store, me):
    record = begin(store, me)
    store.save_battle("b", played(record, 2).to_record())
    other_turns = Battle.from_record(record)
    other_turns.play("counter", "counter")
    for wrong in (new_record(me, GREAT), replace(record, changed=(("base_health", 7),)), other_turns.to_record()):
        with pytest.raises(ValueError, match="another battle"):
            store.save_battle("b", wrong)
    shorter = played(record, 1)
    shorter.leave(0)
    with pytest.raises(ValueError, match="shorter"):
        store.finish_battle("b", shorter.to_record(), shorter.outcome, "left")


def test_a_battle_that_is_over_is_not_saved_further(store, me):
    record = begin(store, me)
    finish(store, record)
    with pytest.raises(Refused) as refused:
        store.save_battle("b", record)
    assert refused.value.why is Why.BATTLE_OVER


def test_an_unknown_battle_is_told(store, me):
    for call in (
        lambda: store.save_battle("none", new_record(me)),
        lambda: store.finish_battle("none", new_record(me), "draw", "beaten"),
        lambda: store.finished(me.id, "none"),
        lambda: store.history(me.id, before="none"),
    ):
        with pytest.raises(NoBattle):
            call()


# Paid


@pytest.mark.rule("9.1", "9.3")
@pytest.mark.parametrize(("rival", "gold"), [(MOSS, 1), (GREAT, 5)])
def test_a_win_is_paid_at_once(store, me, rival, gold):
    saved = win(store, me, rival)
    assert (saved.outcome, saved.ended, saved.gold) == ("first", "beaten", {me.id: gold})
    assert store.get(me.id).gold == gold
    assert store.unfinished(me.id) is None


@pytest.mark.rule("9.1")
def test_an_evolved_pet_earns_one_however_great_its_rival(store, me):
    state = rich(store, me, 25)
    state = store.buy(state.id, "evolution")
    assert win(store, state, GREAT).gold == {me.id: 1}


@pytest.mark.rule("9.1")
def test_a_loss_and_a_draw_earn_nothing(store, me):
    assert finish(store, begin(store, me), winner=1).gold == {me.id: 0}
    draw = Battle.from_record(begin(store, me, "draw"))
    while not draw.over:
        cards = [("attack" if "attack" in draw.legal(side) else "counter") for side in (0, 1)]
        draw.play(*cards)
    assert store.finish_battle("draw", draw.to_record(), "draw", "beaten").gold == {me.id: 0}
    assert store.get(me.id).gold == 0


@pytest.mark.rule("9.1")
@pytest.mark.parametrize("winner", [0, 1])
def test_a_battle_of_friends_pays_the_one_who_won(store, me, friend, winner):
    record = replace(new_record(me), players=(friend.player("you"), me.player("me")))
    store.begin_battle("b", record, "friend", {me.id: "second", friend.id: "first"})
    assert store.unfinished(friend.id) == store.unfinished(me.id)
    saved = finish(store, record, winner=winner)
    assert saved.gold == {friend.id: 1 - winner, me.id: winner}
    assert (store.get(friend.id).gold, store.get(me.id).gold) == (1 - winner, winner)


@pytest.mark.rule("9.1")
def test_a_battle_is_paid_once_whoever_says_that_it_is_over(place, store, me):
    record = begin(store, me)
    battle = played(record)
    first = store.finish_battle("b", battle.to_record(), "first", "beaten")
    with Store.open(place) as other:
        for _ in range(3):
            assert other.finish_battle("b", battle.to_record(), "first", "beaten") == first
    left = played(record, 1)
    left.leave(0)
    assert store.finish_battle("b", left.to_record(), "second", "left") == first
    assert store.get(me.id).gold == 1


@pytest.mark.rule("9.3")
@pytest.mark.parametrize("kind", ["computer", "practice"])
def test_other_rules_are_never_paid(store, me, kind):
    record = begin(store, me, kind=kind, changed=Rules(base_health=4).changed())
    assert finish(store, record).gold == {me.id: 0}


@pytest.mark.rule("9.3")
def test_practice_is_never_paid(store, me):
    assert finish(store, begin(store, me, kind="practice")).gold == {me.id: 0}


@pytest.mark.rule("9.3")
def test_a_position_gone_on_from_is_never_paid(store, me):
    record = situation({"pet": "ember", "name": "me"}, {"pet": "moss", "health": 1}, turn=3)
    store.begin_battle("b", record, "computer", {me.id: "first"})
    assert store.unfinished(me.id).turn == 3
    assert finish(store, record).gold == {me.id: 0}


@pytest.mark.rule("9.3")
@pytest.mark.parametrize(
    "brought",
    [Player("me", "tide"), Player("me", "ember", True), Player("me", "ember", cards=("poison",))],
    ids=["pet", "evolution", "deck"],
)
def test_what_a_profile_does_not_have_is_for_practice_alone(store, me, brought):
    record = replace(new_record(me), players=(brought, MOSS))
    with pytest.raises(Stale):
        store.begin_battle("b", record, "computer", {me.id: "first"})
    store.begin_battle("b", record, "practice", {me.id: "first"})
    assert finish(store, record).gold == {me.id: 0}


@pytest.mark.rule("10.4")
def test_what_is_bought_during_a_battle_serves_from_the_next_one(store, me):
    me = rich(store, me, 5)
    record = begin(store, me)
    after = store.buy(me.id, "card:poison")
    assert store.unfinished(me.id).record.players[0].cards == ()
    assert finish(store, record).gold == {me.id: 1}
    assert store.get(me.id).player("me").cards == after.deck == ("poison",)


def test_an_end_that_the_record_does_not_show_is_told(store, me):
    record = begin(store, me)
    begun, middle, over = record, played(record, 2).to_record(), played(record).to_record()
    wrong = [
        (middle, "first", "beaten"),
        (over, "second", "beaten"),
        (over, "draw", "beaten"),
        (over, "unfinished", "idle"),
        (over, "second", "left"),
        (begun, "first", "left"),
        (middle, "unfinished", "left"),
        (middle, "first", "idle"),
        (over, "first", "bribed"),
    ]
    for played_record, outcome, ended in wrong:
        with pytest.raises(ValueError, match="does not end"):
            store.finish_battle("b", played_record, outcome, ended)
    illegal = replace(record, turns=(*over.turns, *over.turns))
    with pytest.raises(RecordError):
        store.finish_battle("b", illegal, "first", "beaten")
    assert store.unfinished(me.id).ended == ""


@pytest.mark.rule("9.2")
def test_who_leaves_after_the_first_reveal_has_lost(store, me, friend):
    record = replace(new_record(me), players=(me.player("me"), friend.player("you")))
    store.begin_battle("b", record, "friend", {me.id: "first", friend.id: "second"})
    battle = played(record, 1)
    battle.leave("second")
    saved = store.finish_battle("b", battle.to_record(), battle.outcome, battle.ended)
    assert (saved.outcome, saved.gold) == ("first", {me.id: 1, friend.id: 0})


@pytest.mark.rule("9.2")
def test_who_leaves_before_the_first_reveal_just_ends_the_battle(store, me):
    record = begin(store, me)
    saved = store.finish_battle("b", record, "unfinished", "left")
    assert (saved.outcome, saved.gold) == ("unfinished", {me.id: 0})
    assert store.unfinished(me.id) is None


# Idle


@pytest.mark.rule("11.4")
def test_a_battle_ends_when_nobody_has_chosen_for_two_hours(store, clock, me, friend):
    begin(store, me, "mine")
    begin(store, friend, "theirs")
    clock.now += timedelta(minutes=90)
    store.touch_battle("theirs")
    clock.now += timedelta(minutes=40)
    assert store.abandon_idle(timedelta(hours=2)) == ["mine"]
    assert store.unfinished(me.id) is None
    assert store.unfinished(friend.id).id == "theirs"
    (ended,) = store.history(me.id)
    assert (ended.outcome, ended.ended, ended.gold) == ("unfinished", "idle", {me.id: 0})
    assert store.abandon_idle(timedelta(hours=2)) == []
    assert store.check().ok


@pytest.mark.rule("11.4", "9.1")
def test_a_battle_that_its_last_reveal_decided_is_paid_even_when_nobody_said_so(store, clock, me):
    store.save_battle("b", played(begin(store, me)).to_record())
    clock.now += timedelta(hours=3)
    assert store.abandon_idle(timedelta(hours=2)) == ["b"]
    (ended,) = store.history(me.id)
    assert (ended.outcome, ended.ended, ended.gold) == ("first", "beaten", {me.id: 1})


# History


def test_the_history_goes_back_in_pages(store, me, friend):
    won = [win(store, store.get(me.id)).id for _ in range(5)]
    win(store, friend)
    begin(store, store.get(me.id), "now")
    pages = [store.history(me.id, 2)]
    while pages[-1]:
        pages.append(store.history(me.id, 2, before=pages[-1][-1].id))
    assert [[saved.id for saved in page] for page in pages] == [won[:2:-1], won[2:0:-1], won[:1], []]
    assert [saved.id for saved in store.history(me.id)] == won[::-1]


def test_battles_of_one_moment_are_told_each_once(place, clock):
    with Store.open(place, clock=lambda: clock.now) as store:
        me = store.create("me", "ember")
        won = {win(store, store.get(me.id)).id for _ in range(4)}
        page = store.history(me.id, 2)
        rest = store.history(me.id, 9, before=page[-1].id)
        assert {saved.id for saved in (*page, *rest)} == won
        assert len(page) + len(rest) == 4


def test_an_ended_battle_is_for_who_played_it(store, me, friend):
    record = begin(store, me)
    with pytest.raises(NoBattle):
        store.finished(me.id, "b")
    saved = finish(store, record)
    assert store.finished(me.id, "b") == saved
    assert saved.record == played(record).to_record()
    with pytest.raises(NoBattle):
        store.finished(friend.id, "b")


@pytest.mark.rule("9.2")
def test_what_was_left_before_the_first_reveal_is_not_in_the_history(store, me):
    shown = []
    for number in range(9):
        record = begin(store, me, f"b{number}")
        if number % 3 == 0:
            battle = played(record, 1)
            battle.leave("first")
            store.finish_battle(f"b{number}", battle.to_record(), battle.outcome, "left")
            shown.append(f"b{number}")
        else:
            store.finish_battle(f"b{number}", record, "unfinished", "left")
    pages = [store.history(me.id, 2)]
    while pages[-1]:
        pages.append(store.history(me.id, 2, before=pages[-1][-1].id))
    assert [[saved.id for saved in page] for page in pages] == [["b6", "b3"], ["b0"], []]
    assert [saved.id for saved in store.history(me.id, before="b5")] == ["b3", "b0"]
    assert store.finished(me.id, "b8").ended == "left"


# Counted


def test_the_counts_say_how_much_there_is_and_name_nobody(store, me, friend):
    assert store.counts() == {"works": True, "profiles": 2, "unfinished": 0}
    record = replace(new_record(me), players=(me.player("me"), friend.player("you")))
    store.begin_battle("b", record, "friend", {me.id: "first", friend.id: "second"})
    assert store.counts() == {"works": True, "profiles": 2, "unfinished": 1}
    finish(store, record)
    other = store.create("other", "moss")
    begin(store, other, "of another")
    assert store.counts() == {"works": True, "profiles": 3, "unfinished": 1}


def test_the_counts_write_nothing(store, me, look):
    tables = ("profiles", "tokens", "battles", "seats", "ledger", "decks")
    before = [look(f"SELECT * FROM {table}") for table in tables]
    store.counts()
    assert [look(f"SELECT * FROM {table}") for table in tables] == before


def test_the_counts_tell_a_database_that_does_not_work(store, look):
    look("ALTER TABLE seats RENAME TO elsewhere")
    try:
        assert store.counts() == {"works": False}
    finally:
        look("ALTER TABLE elsewhere RENAME TO seats")


# For whoever runs the game


def test_all_ended_battles_are_told_in_order_whoever_played_them(store, me, friend):
    won = [win(store, store.get(me.id)).id, win(store, friend).id, win(store, store.get(me.id)).id]
    begin(store, store.get(me.id), "now")
    for at_once in (1, 2, 3, 500):
        told = list(store.all_ended(at_once))
        assert [battle_id for battle_id, _, _ in told] == won
    assert [(record, outcome) for _, record, outcome in told] == [
        (store.finished(owner, battle_id).record, "first")
        for owner, battle_id in zip((me.id, friend.id, me.id), won, strict=True)
    ]


def test_a_kept_record_that_cannot_be_read_comes_with_its_error():
    assert isinstance(battles.kept_record("{}"), RecordError)
