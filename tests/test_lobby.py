"""Battles under way: found again after a restart, saved after each reveal, paid once."""

import random
from collections.abc import Callable
from datetime import timedelta

import pytest

from summon.lobby import IDLE, LiveBattle, Lobby
from summon.player import Player
from summon.profile import ProfileState, Refused, Why
from summon.store import SavedBattle, Stale, Store, StoreError, Trouble
from tests.conftest import Clock
from tests.store.playing import rich


@pytest.fixture
def me(store: Store) -> ProfileState:
    return store.create("browser", "moss")


@pytest.fixture
def lobby(store: Store) -> Lobby:
    return Lobby(store, random.Random(1))


def restarted(store: Store) -> Lobby:
    """The lobby of the next server on the same store."""
    return Lobby(store, random.Random(2))


def play(live: LiveBattle, turns: int = 1_000, *wanted: str) -> None:
    """Play so many turns, or to the end: the first of these cards that is open, or the first of all."""
    for _ in range(turns):
        if live.battle.over:
            return
        legal = live.battle.legal(live.side)
        live.battle.choose(live.side, next((card for card in wanted if card in legal), legal[0]))
        live.battle.reveal()


def kept(store: Store, profile: ProfileState) -> SavedBattle:
    found = store.unfinished(profile.id)
    assert found is not None
    return found


def trouble(*_: object) -> None:
    raise StoreError(Trouble.FULL, "somewhere")


# How a battle begins


@pytest.mark.rule("1.6", "1.7")
def test_a_battle_begins_with_what_the_profile_has(store: Store, me: ProfileState, lobby: Lobby) -> None:
    state = rich(store, me, 20)
    for item in ("card:poison", "card:wild", "tier:attack:2"):
        state = store.buy(state.id, item)
    state = store.set_deck(state.id, ["wild"], state.revision)
    live = lobby.begin(state, rival_evolved=True)
    mine, rival = live.battle.players
    assert (mine.pet, mine.evolved, mine.cards, mine.tiers["attack"]) == ("moss", False, ("wild",), 2)
    assert (rival.evolved, rival.cards, rival.tiers["attack"]) == (True, ("wild",), 1)
    assert live.side == 0
    assert live.battle.committed == (False, True), "the computer has chosen before the human may"
    saved = kept(store, state)
    assert (saved.id, saved.kind, saved.record.players, saved.record.turns) == (
        live.id,
        "computer",
        live.battle.players,
        (),
    )


def test_a_battle_is_of_the_profile_as_it_is_now(store: Store, me: ProfileState, lobby: Lobby) -> None:
    old = rich(store, me, 5)
    store.buy(me.id, "card:poison")
    with pytest.raises(Stale):
        lobby.begin(old, rival_evolved=False)
    assert lobby.of(me.id) is None


@pytest.mark.rule("11.5")
def test_a_profile_is_in_one_battle(store: Store, me: ProfileState, lobby: Lobby) -> None:
    live = lobby.begin(me, rival_evolved=False)
    for other in (lobby, restarted(store)):
        with pytest.raises(Refused) as refused:
            other.begin(me, rival_evolved=False)
        assert (refused.value.why, refused.value.rule) == (Why.IN_BATTLE, "11.5")
    assert lobby.of(me.id) is live


def test_profiles_play_battles_of_their_own(store: Store, me: ProfileState, lobby: Lobby) -> None:
    you = store.create("another", "spark")
    one, two = lobby.begin(me, rival_evolved=False), lobby.begin(you, rival_evolved=False)
    play(one, 1, "counter")
    assert (one.battle.turn, two.battle.turn) == (2, 1)
    assert lobby.of(me.id) is one
    assert lobby.of(you.id) is two
    lobby.leave(me.id)
    assert lobby.of(you.id) is two


def test_nobody_is_in_a_battle_at_first(store: Store, me: ProfileState, lobby: Lobby) -> None:
    assert lobby.of(me.id) is None
    assert lobby.of("nobody") is None
    lobby.leave(me.id)
    assert store.history(me.id) == []


# Kept and found again


@pytest.mark.rule("11.1", "11.5")
def test_a_battle_is_found_again_after_a_restart(store: Store, me: ProfileState, lobby: Lobby) -> None:
    live = lobby.begin(me, rival_evolved=True)
    play(live, 2, "counter")
    again = restarted(store).of(me.id)
    assert again is not None
    assert (again.id, again.kind, again.side) == (live.id, "computer", 0)
    assert again.battle.to_record() == live.battle.to_record()
    assert again.battle.position == live.battle.position
    assert again.battle.committed == (False, True)
    turn = again.battle.turn
    play(again, 1, "attack")
    assert again.battle.turn == turn + 1
    assert len(kept(store, me).record.turns) == turn


@pytest.mark.rule("11.1")
def test_a_turn_is_on_disk_before_anybody_is_told(store: Store, me: ProfileState, lobby: Lobby) -> None:
    live = lobby.begin(me, rival_evolved=True)
    seen: list[tuple[int, int]] = []

    def look(*_: object) -> None:
        seen.append((live.battle.turn, len(kept(store, me).record.turns)))

    live.battle.param.watch(look, "turn")
    play(live, 3, "counter")
    assert seen == [(2, 1), (3, 2), (4, 3)]


@pytest.mark.rule("1.9")
def test_what_is_not_revealed_is_not_kept(store: Store, me: ProfileState, lobby: Lobby) -> None:
    live = lobby.begin(me, rival_evolved=True)
    live.battle.choose(0, "attack")
    assert kept(store, me).record.turns == ()
    again = restarted(store).of(me.id)
    assert again is not None
    assert not again.battle.committed[0]


# How a battle ends


@pytest.mark.rule("9.1")
@pytest.mark.parametrize(("evolved", "gold"), [(False, 1), (True, 5)])
def test_a_win_is_paid_once(store: Store, me: ProfileState, lobby: Lobby, evolved: bool, gold: int) -> None:
    state = rich(store, me, 15)
    for item in ("tier:attack:2", "tier:attack:3"):
        state = store.buy(state.id, item)
    for _ in range(200):
        live = lobby.begin(store.get(me.id), rival_evolved=evolved)
        before = store.get(me.id).gold
        play(live, 1_000, "attack")
        paid = gold if live.battle.outcome == "first" else 0
        assert live.gold == paid
        assert store.get(me.id).gold == before + paid
        live.keep()
        live.keep()
        assert live.gold == paid
        assert store.get(me.id).gold == before + paid
        assert lobby.of(me.id) is None
        assert store.history(me.id)[0].gold[me.id] == paid
        if paid:
            break
    else:
        pytest.fail("no battle was won")
    assert store.check().problems == ()


@pytest.mark.rule("9.1")
def test_two_servers_do_not_pay_one_battle_twice(store: Store, me: ProfileState, lobby: Lobby) -> None:
    live = lobby.begin(me, rival_evolved=True)
    play(live, 1, "counter")
    copy = restarted(store).of(me.id)
    assert copy is not None
    live.battle.leave(1)
    assert live.gold == 5
    copy.battle.leave(1)
    assert copy.gold == 5, "what was paid for it"
    assert store.get(me.id).gold == 5
    assert len(store.history(me.id)) == 1


@pytest.mark.rule("9.2")
def test_leaving_before_the_first_reveal_just_ends_it(store: Store, me: ProfileState, lobby: Lobby) -> None:
    live = lobby.begin(me, rival_evolved=False)
    lobby.leave(me.id)
    assert lobby.of(me.id) is None
    ended = store.finished(me.id, live.id)
    assert (ended.outcome, ended.ended) == ("unfinished", "left")
    assert store.history(me.id) == []
    lobby.begin(me, rival_evolved=False)


@pytest.mark.rule("9.2")
def test_leaving_after_a_reveal_loses(store: Store, me: ProfileState, lobby: Lobby) -> None:
    play(lobby.begin(me, rival_evolved=True), 1, "counter")
    # Also where the server was restarted meanwhile.
    restarted(store).leave(me.id)
    assert [(it.outcome, it.ended) for it in store.history(me.id)] == [("second", "left")]
    assert store.get(me.id).gold == 0


@pytest.mark.rule("9.3")
def test_practice_pays_nothing(store: Store, me: ProfileState, lobby: Lobby) -> None:
    human = Player("you", "spark", True, {"attack": 3, "heal": 1, "counter": 1}, ("poison", "wild"))
    won = 0
    for _ in range(20):
        live = lobby.practise(me, human, rival_evolved=False)
        play(live, 1_000, "wild", "attack")
        won += live.battle.outcome == "first"
        assert live.gold == 0
        assert store.history(me.id)[0].kind == "practice"
    assert won, "which was of no use"
    assert store.get(me.id).gold == 0
    assert store.get(me.id).revision == me.revision


@pytest.mark.rule("11.4")
def test_a_battle_is_over_when_it_was_idle(store: Store, me: ProfileState, lobby: Lobby, clock: Clock) -> None:
    play(lobby.begin(me, rival_evolved=True), 1, "counter")
    clock.now += IDLE - timedelta(minutes=1)
    found = restarted(store).of(me.id)
    assert found is not None, "not yet"
    clock.now += timedelta(minutes=2)
    assert restarted(store).of(me.id) is None
    assert [(it.outcome, it.ended) for it in store.history(me.id)] == [("unfinished", "idle")]
    assert store.get(me.id).gold == 0


@pytest.mark.rule("11.4")
def test_every_turn_begins_the_two_hours_anew(store: Store, me: ProfileState, lobby: Lobby, clock: Clock) -> None:
    live = lobby.begin(me, rival_evolved=True)
    for _ in range(3):
        clock.now += IDLE - timedelta(minutes=1)
        play(live, 1, "counter")
    assert restarted(store).of(me.id) is not None


# Trouble with the store


@pytest.mark.rule("11.1")
def test_a_turn_that_could_not_be_saved_is_saved_later(
    store: Store, me: ProfileState, lobby: Lobby, monkeypatch: pytest.MonkeyPatch
) -> None:
    live = lobby.begin(me, rival_evolved=True)
    with monkeypatch.context() as patch:
        patch.setattr(store, "save_battle", trouble)
        play(live, 1, "counter")
        assert live.trouble is not None
        assert live.trouble.kind is Trouble.FULL
        assert live.battle.committed == (False, True), "the battle goes on"
        play(live, 1, "attack")
        assert lobby.of(me.id) is live
        assert live.trouble is not None
        assert kept(store, me).record.turns == ()
    assert lobby.of(me.id) is live
    assert live.trouble is None
    assert len(kept(store, me).record.turns) == 2


@pytest.mark.rule("9.1", "11.1")
@pytest.mark.parametrize("how", ["of", "leave"])
def test_what_could_not_be_paid_is_paid_later(
    store: Store, me: ProfileState, lobby: Lobby, monkeypatch: pytest.MonkeyPatch, how: str
) -> None:
    live = lobby.begin(me, rival_evolved=True)
    play(live, 1, "counter")
    with monkeypatch.context() as patch:
        patch.setattr(store, "finish_battle", trouble)
        live.battle.leave(1)
        assert (live.gold, live.battle.outcome) == (None, "first")
        assert live.trouble is not None
        assert lobby.of(me.id) is live, "it is not forgotten"
        with pytest.raises(StoreError):
            lobby.leave(me.id)
        assert store.get(me.id).gold == 0
    later: Callable[[str], object] = getattr(lobby, how)
    assert later(me.id) is None
    assert (live.gold, live.trouble) == (5, None)
    assert store.get(me.id).gold == 5
    assert lobby.of(me.id) is None


def test_what_cannot_begin_is_not_there(
    store: Store, me: ProfileState, lobby: Lobby, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(store, "begin_battle", trouble)
        with pytest.raises(StoreError):
            lobby.begin(me, rival_evolved=False)
    assert lobby.of(me.id) is None
    assert lobby.begin(me, rival_evolved=False).battle.turn == 1
