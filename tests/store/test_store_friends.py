"""Battles of two profiles in the store: begun with what both have, paid once to whoever won, and told to both."""

from dataclasses import replace
from datetime import timedelta
from threading import Barrier, Thread

import pytest
from sqlalchemy import make_url

from summon.battle import Battle
from summon.player import Player
from summon.profile import ProfileState, Refused, Why
from summon.record import Record
from summon.rules import Rules
from summon.store import NoBattle, Stale, Store
from tests.store.playing import new_record, played, rich

HOURS = timedelta(hours=1)


def record_of(one: ProfileState, two: ProfileState) -> Record:
    return Record((one.player("one"), two.player("two")))


def begin(store: Store, one: ProfileState, two: ProfileState, battle_id: str = "b", **changes: object) -> Record:
    """Begin a battle of two profiles as they are now, the first one on the first side."""
    record = replace(record_of(store.get(one.id), store.get(two.id)), **changes)
    store.begin_battle(battle_id, record, "friend", {one.id: "first", two.id: "second"})
    return record


def finish(store: Store, battle: Battle, battle_id: str = "b"):
    return store.finish_battle(battle_id, battle.to_record(), battle.outcome, battle.ended)


def evolved(store: Store, state: ProfileState) -> ProfileState:
    rich(store, state, 25)
    return store.buy(state.id, "evolution")


# Begun


@pytest.mark.rule("1.6", "1.8")
@pytest.mark.parametrize("changed", [0, 1])
@pytest.mark.parametrize("sides", [(0, 1), (1, 0)])
def test_both_sides_bring_what_their_profile_has_now(store, me, friend, changed, sides):
    both = [rich(store, me, 5), rich(store, friend, 5)]
    seen = [both[number] for number in sides]
    seats = {seen[0].id: "first", seen[1].id: "second"}
    now = store.buy(both[changed].id, "card:poison")
    with pytest.raises(Stale) as stale:
        store.begin_battle("b", record_of(*seen), "friend", seats)
    assert stale.value.state == now, "which says whose deck is another now"
    assert store.unfinished(me.id) is store.unfinished(friend.id) is None
    both[changed] = now
    record = record_of(*(both[number] for number in sides))
    saved = store.begin_battle("b", record, "friend", seats)
    assert (saved.seats, saved.record, saved.gold) == (seats, record, {me.id: 0, friend.id: 0})
    assert store.unfinished(me.id) == store.unfinished(friend.id) == saved


@pytest.mark.rule("9.3")
def test_a_side_with_another_pet_is_told(store, me, friend):
    for number, owner in enumerate((me, friend)):
        players = list(record_of(me, friend).players)
        players[number] = Player("x", "spark")
        with pytest.raises(Stale) as stale:
            store.begin_battle("b", Record(tuple(players)), "friend", {me.id: "first", friend.id: "second"})
        assert stale.value.state.id == owner.id


@pytest.mark.rule("11.5")
@pytest.mark.parametrize("kind", ["computer", "practice", "friend"])
@pytest.mark.parametrize("busy", [0, 1])
def test_who_is_in_a_battle_is_named(store, me, friend, kind, busy):
    both, third = (me, friend), store.create("third", "moss")
    if kind == "friend":
        begin(store, both[busy], third, "other")
    else:
        store.begin_battle("other", new_record(both[busy]), kind, {both[busy].id: "first"})
    with pytest.raises(Refused) as refused:
        begin(store, me, friend)
    assert (refused.value.why, refused.value.rule, refused.value.subject) == (Why.IN_BATTLE, "11.5", both[busy].id)
    assert store.unfinished(both[1 - busy].id) is None
    assert store.unfinished(both[busy].id).id == "other"


@pytest.mark.rule("11.5")
def test_nobody_plays_against_themselves(store, me):
    with pytest.raises(ValueError, match="a battle is one of"):
        store.begin_battle("b", record_of(me, me), "friend", {me.id: "second"})
    assert store.unfinished(me.id) is None


@pytest.mark.rule("11.5")
def test_of_battles_that_begin_at_once_each_profile_is_in_one(place, store, me, friend):
    others = [store.create(f"other {number}", "moss") for number in range(6)]
    pairs = [(me, other) for other in others[:3]] + [(other, me) for other in others[3:]] + [(me, friend), (friend, me)]
    begun, refused = together(
        place,
        [lambda at, number=number, pair=pair: begin(at, *pair, f"b{number}") for number, pair in enumerate(pairs)],
    )
    assert len(begun) == 1
    assert {(it.why, it.rule) for it in refused} == {(Why.IN_BATTLE, "11.5")}
    assert me.id in {it.subject for it in refused}
    assert store.counts()["unfinished"] == 1
    assert store.check().problems == ()


def together(place, calls):
    """Make calls at the same time, each on a store of its own; what they returned, and what refused them."""
    start, returned, refused = Barrier(len(calls)), [], []

    def make(call):
        with Store.open(place) as at:
            start.wait()
            try:
                returned.append(call(at))
            except Refused as error:
                refused.append(error)

    threads = [Thread(target=make, args=(call,)) for call in calls]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(returned) + len(refused) == len(calls)
    return returned, refused


# Paid


@pytest.mark.rule("9.1")
@pytest.mark.parametrize("winner", [0, 1])
@pytest.mark.parametrize(
    ("grown", "gold"),
    [((False, False), (1, 1)), ((True, False), (1, 5)), ((False, True), (5, 1)), ((True, True), (1, 1))],
    ids=["neither evolved", "first evolved", "second evolved", "both evolved"],
)
def test_whoever_wins_is_paid_by_the_evolution_of_both(store, me, friend, grown, gold, winner):
    for state, grows in zip((me, friend), grown, strict=True):
        if grows:
            evolved(store, state)
    before = [store.get(me.id), store.get(friend.id)]
    battle = played(begin(store, me, friend), winner=winner)
    saved = finish(store, battle)
    assert (saved.outcome, saved.ended) == (("first", "second")[winner], "beaten")
    paid = [gold[0] if winner == 0 else 0, gold[1] if winner == 1 else 0]
    assert saved.gold == {me.id: paid[0], friend.id: paid[1]}
    after = [store.get(me.id), store.get(friend.id)]
    assert [now.gold - then.gold for now, then in zip(after, before, strict=True)] == paid
    assert after[1 - winner] == before[1 - winner], "who lost has not changed at all"
    assert store.unfinished(me.id) is store.unfinished(friend.id) is None
    assert store.check().problems == ()


@pytest.mark.rule("9.1")
def test_a_draw_of_friends_pays_nobody(store, me, friend):
    battle = Battle.from_record(begin(store, me, friend))
    while not battle.over:
        battle.play(*("attack" if "attack" in battle.legal(side) else "counter" for side in (0, 1)))
    saved = finish(store, battle)
    assert (saved.outcome, saved.gold) == ("draw", {me.id: 0, friend.id: 0})
    assert (store.get(me.id), store.get(friend.id)) == (me, friend)


@pytest.mark.rule("9.3")
def test_other_rules_are_never_paid_between_friends(store, me, friend):
    battle = played(begin(store, me, friend, changed=Rules(base_health=4).changed()))
    assert finish(store, battle).gold == {me.id: 0, friend.id: 0}


@pytest.mark.rule("9.1")
def test_both_who_say_at_once_that_it_is_over_are_paid_once(place, store, me, friend):
    for number in range(5):
        battle = played(begin(store, me, friend, f"b{number}"), winner=number % 2)
        ended, refused = together(place, [lambda at, b=battle, n=number: finish(at, b, f"b{n}")] * 4)
        assert refused == []
        assert all(it == ended[0] for it in ended)
        assert ended[0].gold == {me.id: 1 - number % 2, friend.id: number % 2}
    assert (store.get(me.id).gold, store.get(friend.id).gold) == (3, 2)
    assert store.check().problems == ()


@pytest.mark.rule("9.1", "9.2")
def test_both_who_leave_at_once_end_it_one_way(place, store, me, friend):
    record = begin(store, me, friend)
    leavers = []
    for side in (0, 1):
        battle = played(record, 2)
        battle.leave(side)
        leavers.append(battle)
    ended, _ = together(place, [lambda at, battle=battle: finish(at, battle) for battle in leavers])
    assert ended[0] == ended[1]
    assert sorted(ended[0].gold.values()) == [0, 1]
    assert store.get(me.id).gold + store.get(friend.id).gold == 1
    assert store.check().problems == ()


# Left, idle, begun again


@pytest.mark.rule("9.2")
@pytest.mark.parametrize("leaver", [0, 1])
def test_who_leaves_a_friend_after_a_reveal_has_lost(store, me, friend, leaver):
    battle = played(begin(store, me, friend), 1)
    battle.leave(leaver)
    saved = finish(store, battle)
    assert (saved.ended, saved.gold) == ("left", {me.id: leaver, friend.id: 1 - leaver})
    assert [it.id for it in store.history(me.id)] == [it.id for it in store.history(friend.id)] == ["b"]


@pytest.mark.rule("9.2", "11.5")
def test_left_before_the_first_turn_it_counts_for_neither(store, me, friend):
    record = begin(store, me, friend)
    saved = store.finish_battle("b", record, "unfinished", "left")
    assert saved.gold == {me.id: 0, friend.id: 0}
    assert store.history(me.id) == store.history(friend.id) == []
    assert (store.get(me.id), store.get(friend.id)) == (me, friend)
    begin(store, friend, me, "next")


@pytest.mark.rule("11.4")
def test_a_choice_of_either_keeps_a_battle_of_friends_from_being_idle(store, clock, me, friend):
    begin(store, me, friend)
    for _ in range(3):
        clock.now += 1.5 * HOURS
        store.touch_battle("b")
        clock.now += 1.5 * HOURS
        assert store.abandon_idle(2 * HOURS) == []
        assert store.unfinished(me.id).id == store.unfinished(friend.id).id == "b"
    clock.now += 1 * HOURS
    assert store.abandon_idle(2 * HOURS) == ["b"]
    for state in (me, friend):
        assert store.unfinished(state.id) is None
        assert [(it.outcome, it.ended, it.gold[state.id]) for it in store.history(state.id)] == [
            ("unfinished", "idle", 0)
        ]
        assert store.get(state.id) == state


@pytest.mark.rule("9.1", "11.4")
@pytest.mark.parametrize("winner", [0, 1])
def test_a_decided_battle_of_friends_is_paid_though_nobody_said_so(store, clock, me, friend, winner):
    store.save_battle("b", played(begin(store, me, friend), winner=winner).to_record())
    clock.now += 3 * HOURS
    assert store.abandon_idle(2 * HOURS) == ["b"]
    assert store.finished(me.id, "b").gold == {me.id: 1 - winner, friend.id: winner}
    assert store.abandon_idle(2 * HOURS) == []
    assert store.check().problems == ()


@pytest.mark.rule("11.4")
def test_after_a_restart_both_find_the_same_battle(place, clock):
    with Store.open(place, clock=clock) as store:
        me, friend = store.create("me", "ember"), store.create("friend", "tide")
        battle = played(begin(store, me, friend), 2)
        store.save_battle("b", battle.to_record())
    with Store.open(place, clock=clock) as store:
        mine, theirs = store.unfinished(me.id), store.unfinished(friend.id)
        assert mine == theirs
        assert (mine.id, mine.kind, mine.record, mine.turn) == ("b", "friend", battle.to_record(), 3)
        assert mine.seats == {me.id: "first", friend.id: "second"}
        assert finish(store, played(mine.record)).gold == {me.id: 1, friend.id: 0}


@pytest.mark.rule("11.4")
@pytest.mark.parametrize("place", ["postgres"], indirect=True)
def test_who_ends_idle_battles_waits_for_profiles_in_the_one_order_of_all(place, store, clock, server):
    first, second = sorted((store.create(f"me {number}", "ember") for number in range(2)), key=lambda it: it.id)
    for battle_id, state in (("a", second), ("b", first)):
        record = new_record(state)
        store.begin_battle(battle_id, record, "computer", {state.id: "first"})
        store.save_battle(battle_id, played(record).to_record())
    clock.now += 3 * HOURS
    locked = "SELECT id FROM profiles WHERE id = %s FOR UPDATE"
    database = make_url(place).database
    with server.connect(database) as held, server.connect(database) as other:
        held.execute("BEGIN")
        held.execute(locked, (first.id,))
        ending = Thread(target=store.abandon_idle, args=(2 * HOURS,))
        ending.start()
        try:
            waiting = "SELECT count(*) FROM pg_stat_activity WHERE datname = %s AND wait_event_type = 'Lock'"
            while other.execute(waiting, (database,)).fetchone() == (0,):
                assert ending.is_alive(), "it did not wait"
            other.execute(f"{locked} NOWAIT", (second.id,))
        finally:
            held.execute("COMMIT")
            ending.join()
    assert [store.get(state.id).gold for state in (first, second)] == [1, 1]


# Told to both


@pytest.mark.rule("1.9")
def test_neither_sees_which_unplayed_cards_a_friend_brought(store, me, friend):
    for state, cards in ((me, ("poison", "shield", "blind")), (friend, ("hide", "wild"))):
        rich(store, state, 20)
        for card in cards:
            store.buy(state.id, f"card:{card}")
        store.buy(state.id, "tier:heal:2")
    battle = Battle.from_record(begin(store, me, friend))
    battle.play("shield", "wild")
    battle.play("attack", "attack")
    battle.leave("first")
    whole = finish(store, battle)
    assert whole.record == battle.to_record()
    for state, mine, theirs in (
        (me, ("poison", "shield", "blind"), ("wild",)),
        (friend, ("hide", "wild"), ("shield",)),
    ):
        seen = store.finished(state.id, "b")
        side = 0 if state is me else 1
        assert (seen.record.players[side].cards, seen.record.players[1 - side].cards) == (mine, theirs)
        assert (seen.record.players[side].tiers["heal"], seen.record.players[1 - side].tiers["heal"]) == (2, 1)
        assert seen.record.turns == whole.record.turns
        assert seen._replace(record=whole.record) == whole
        assert store.history(state.id)[0] == seen
    with pytest.raises(NoBattle):
        store.finished(store.create("third", "moss").id, "b")


def test_the_computers_deck_is_no_secret(store, me):
    record = replace(new_record(me), players=(me.player("me"), Player("rival", "moss", cards=("wild",))))
    store.begin_battle("b", record, "computer", {me.id: "first"})
    finish(store, played(record))
    assert store.finished(me.id, "b").record.players == record.players
