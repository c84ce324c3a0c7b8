"""Battles between friends: invitations that work once, two seats that keep their secrets, and who is there."""

import copy
import gc
import json
import logging
import pickle
import random
import re
from collections.abc import Callable
from datetime import timedelta
from typing import Any
from weakref import ref

import param
import pytest

from summon.battle import BattleError, IllegalChoice
from summon.choices import Choice
from summon.lobby import AWAY, IDLE, LASTS, Invitation, LiveBattle, LiveSeat, Lobby
from summon.lobby.live import TOUCH_EVERY
from summon.lobby.lobby import LOOK_EVERY
from summon.position import Position, Round
from summon.profile import ProfileState, Refused, Why
from summon.store import SavedBattle, Stale, Store, StoreError, Trouble
from summon.views.seated import LiveBoard, follow
from tests.conftest import Clock
from tests.store.playing import rich
from tests.strategies import shown

HOURS = 60 * 60.0


class Time:
    """The seconds of a lobby's clock, which a test moves, and with them the clock of the store."""

    def __init__(self, clock: Clock) -> None:
        self.seconds, self._clock = 1_000.0, clock

    def __call__(self) -> float:
        return self.seconds

    def passes(self, seconds: float) -> None:
        self.seconds += seconds
        self._clock.now += timedelta(seconds=seconds)


@pytest.fixture
def time(clock: Clock) -> Time:
    return Time(clock)


@pytest.fixture
def lobby(store: Store, time: Time) -> Lobby:
    return Lobby(store, random.Random(1), time)


@pytest.fixture
def host(store: Store) -> ProfileState:
    return store.create("host", "ember")


@pytest.fixture
def guest(store: Store) -> ProfileState:
    return store.create("guest", "tide")


@pytest.fixture
def third(store: Store) -> ProfileState:
    return store.create("third", "moss")


@pytest.fixture
def seats(lobby: Lobby, host: ProfileState, guest: ProfileState) -> tuple[LiveSeat, LiveSeat]:
    """The seats of a battle that has just begun, the host's first."""
    return meet(lobby, host, guest)


def meet(lobby: Lobby, host: ProfileState, guest: ProfileState) -> tuple[LiveSeat, LiveSeat]:
    theirs = lobby.accept(lobby.invite(host.id).id, guest.id)
    mine = lobby.of(host.id)
    assert mine is not None
    return mine, theirs


def restarted(store: Store, time: Time) -> Lobby:
    """The lobby of the next server on the same store, or of another one."""
    return Lobby(store, random.Random(2), time)


def refusal(call: Callable[..., object], *args: object, **more: object) -> tuple[Why, str, str, int]:
    """Why something is refused, with all that the refusal tells."""
    with pytest.raises(Refused) as refused:
        call(*args, **more)
    why = refused.value
    return why.why, why.rule, why.subject, why.number


NOT_INVITED = (Why.NOT_INVITED, "1.8", "", 0)
BUSY = (Why.FRIEND_BUSY, "11.5", "", 0)


def in_battle(profile: ProfileState) -> tuple[Why, str, str, int]:
    return (Why.IN_BATTLE, "11.5", profile.id, 0)


def play(seats: tuple[LiveSeat, LiveSeat], turns: int = 1_000, winner: int = 0) -> None:
    """Play so many turns, or to the end: one side attacks whenever it may, and the other heals."""
    for _ in range(turns):
        if seats[0].battle.over:
            return
        strong, weak = seats[winner], seats[1 - winner]
        strong.choose("attack" if "attack" in strong.battle.legal(strong.side) else "counter")
        weak.choose("heal" if "heal" in weak.battle.legal(weak.side) else "counter")


def kept(store: Store, profile: ProfileState) -> SavedBattle:
    found = store.unfinished(profile.id)
    assert found is not None
    return found


def endings(store: Store, *both: ProfileState) -> list[tuple[str, str]]:
    """How the last battle of each ended; every one of them has the same."""
    return [(one.outcome, one.ended) for one in (store.history(profile.id)[0] for profile in both)]


def trouble(*_: object) -> None:
    raise StoreError(Trouble.FULL, "somewhere")


def changes(of: param.Parameterized, *names: str) -> list[tuple[str, object]]:
    """A list to which every change of these parameters is added, as a watcher is told it."""
    told: list[tuple[str, object]] = []
    of.param.watch(lambda *events: told.extend((event.name, event.new) for event in events), list(names))
    return told


# Invitations


@pytest.mark.rule("1.8")
def test_an_invitation_begins_one_battle_of_two(
    store: Store, lobby: Lobby, host: ProfileState, guest: ProfileState
) -> None:
    invitation = lobby.invite(host.id)
    assert lobby.counts() == {"battles": 0, "invitations": 1}
    theirs = lobby.accept(invitation.id, guest.id)
    mine = lobby.of(host.id)
    assert mine is not None
    assert (mine.live, mine.side, mine.profile_id, mine.kind) == (theirs.live, 0, host.id, "friend")
    assert (theirs.side, theirs.profile_id, theirs.kind, theirs.id) == (1, guest.id, "friend", mine.id)
    assert (mine.friend, theirs.friend) == (theirs, mine)
    assert lobby.of(guest.id) is theirs
    assert [player.pet for player in mine.battle.players] == ["ember", "tide"]
    assert mine.battle.committed == (False, False), "nobody plays for a friend"
    assert dict(kept(store, host).seats) == {host.id: "first", guest.id: "second"}
    assert lobby.counts() == {"battles": 1, "invitations": 0}


@pytest.mark.rule("1.8")
def test_the_host_is_told_that_a_friend_has_come_when_the_battle_is_there(
    lobby: Lobby, host: ProfileState, guest: ProfileState
) -> None:
    invitation = lobby.invite(host.id)
    told: list[object] = []

    def look(event: param.parameterized.Event) -> None:
        told.append((event.new, lobby.of(host.id), lobby.joined(invitation.id, guest.id)))

    invitation.param.watch(look, "state")
    seat = lobby.accept(invitation.id, guest.id)
    assert told == [("used", seat.friend, True)], "once, and not that it was withdrawn"
    assert invitation.state == "used"


def test_an_invitation_cannot_be_guessed(lobby: Lobby) -> None:
    ids = [lobby.invite(f"somebody {number}").id for number in range(500)]
    assert len(set(ids)) == len(ids)
    # Every character is drawn from 64, six bits each, and every place varies.
    assert all(re.fullmatch(r"[\w-]+", one) for one in ids)
    varied = min(len({one[place] for one in ids}) for place in range(min(map(len, ids))))
    assert varied > 48, "of 64 in 500 draws"
    assert min(map(len, ids)) * 6 >= 64


def test_a_profile_has_one_open_invitation(lobby: Lobby, host: ProfileState, guest: ProfileState) -> None:
    first = lobby.invite(host.id)
    assert lobby.invite(host.id) is first
    assert lobby.invitation(host.id) is first
    assert lobby.find(first.id) is first
    assert lobby.invitation(guest.id) is None
    assert lobby.invite(guest.id).id != first.id
    assert lobby.counts()["invitations"] == 2


@pytest.mark.rule("1.8")
def test_an_invitation_expires(lobby: Lobby, host: ProfileState, guest: ProfileState, time: Time) -> None:
    invitation = lobby.invite(host.id)
    told = changes(invitation, "state")
    assert lobby.minutes_left(invitation) == LASTS / 60
    time.passes(LASTS - 1)
    assert lobby.find(invitation.id) is invitation
    assert lobby.minutes_left(invitation) == 1
    assert told == []
    time.passes(1)
    assert refusal(lobby.accept, invitation.id, guest.id) == NOT_INVITED
    assert told == [("state", "expired")]
    assert lobby.invitation(host.id) is None
    assert lobby.invite(host.id).id != invitation.id


def test_whoever_watches_is_told_that_an_invitation_has_expired_though_nobody_opens_it(
    lobby: Lobby, host: ProfileState, time: Time
) -> None:
    invitation = lobby.invite(host.id)
    time.passes(LASTS)
    lobby.look()
    assert invitation.state == "expired"
    assert lobby.counts()["invitations"] == 0


def test_an_invitation_can_be_withdrawn(lobby: Lobby, host: ProfileState, guest: ProfileState) -> None:
    invitation, other = lobby.invite(host.id), lobby.invite(guest.id)
    lobby.withdraw(host.id)
    lobby.withdraw(host.id)
    assert (invitation.state, other.state) == ("withdrawn", "open")
    assert refusal(lobby.accept, invitation.id, guest.id) == NOT_INVITED
    assert lobby.invite(host.id).id != invitation.id


def test_what_is_closed_stays_as_it_is(lobby: Lobby, host: ProfileState) -> None:
    invitation = lobby.invite(host.id)
    lobby.withdraw(host.id)
    invitation.become("used")
    assert invitation.state == "withdrawn"
    with pytest.raises(TypeError, match="onstant"):
        invitation.state = "open"


@pytest.mark.rule("11.5")
def test_nobody_accepts_their_own_invitation(lobby: Lobby, host: ProfileState, guest: ProfileState) -> None:
    invitation = lobby.invite(host.id)
    # A tab, and another one, which asks for an invitation again.
    for _ in range(2):
        assert refusal(lobby.accept, lobby.invite(host.id).id, host.id) == (Why.OWN_INVITATION, "11.5", "", 0)
        assert lobby.of(host.id) is None
    assert invitation.state == "open", "a friend can still take it"
    lobby.accept(invitation.id, guest.id)


@pytest.mark.rule("1.8")
def test_nobody_learns_why_an_invitation_is_not_open(
    lobby: Lobby, store: Store, time: Time, host: ProfileState, guest: ProfileState, third: ProfileState
) -> None:
    expired = lobby.invite(third.id)
    time.passes(LASTS)
    withdrawn = lobby.invite(third.id)
    lobby.withdraw(third.id)
    used = lobby.invite(host.id)
    lobby.accept(used.id, guest.id)
    for closed in (expired.id, withdrawn.id, used.id, "unknown", ""):
        assert lobby.find(closed) is None
        assert refusal(lobby.accept, closed, third.id) == NOT_INVITED
    assert [used.state, withdrawn.state, expired.state] == ["used", "withdrawn", "expired"]


@pytest.mark.rule("1.8", "11.5")
def test_who_accepts_twice_gets_the_same_seat_and_a_third_gets_none(
    lobby: Lobby, store: Store, host: ProfileState, guest: ProfileState, third: ProfileState
) -> None:
    invitation = lobby.invite(host.id)
    seat = lobby.accept(invitation.id, guest.id)
    assert lobby.accept(invitation.id, guest.id) is seat, "a double click"
    play((seat.live.seats[host.id], seat), 1)
    assert lobby.accept(invitation.id, guest.id) is seat, "another tab"
    assert lobby.accept(invitation.id, host.id) is seat.friend, "who opens their own link is in that battle too"
    assert lobby.joined(invitation.id, guest.id) and lobby.joined(invitation.id, host.id)
    assert not lobby.joined(invitation.id, third.id)
    assert refusal(lobby.accept, invitation.id, third.id) == NOT_INVITED
    assert lobby.of(third.id) is None
    assert lobby.counts() == {"battles": 1, "invitations": 0}
    assert len(kept(store, guest).record.turns) == 1


@pytest.mark.rule("1.8")
def test_an_invitation_begins_no_second_battle_when_the_first_is_over(
    lobby: Lobby, host: ProfileState, guest: ProfileState
) -> None:
    invitation = lobby.invite(host.id)
    seat = lobby.accept(invitation.id, guest.id)
    play((seat.live.seats[host.id], seat))
    assert not lobby.joined(invitation.id, guest.id)
    assert refusal(lobby.accept, invitation.id, guest.id) == NOT_INVITED
    assert lobby.of(guest.id) is None


@pytest.mark.rule("11.5")
@pytest.mark.parametrize("kind", ["computer", "practice", "accepted", "rematch"])
def test_whoever_begins_a_battle_withdraws_the_invitation(
    lobby: Lobby, store: Store, host: ProfileState, guest: ProfileState, third: ProfileState, kind: str
) -> None:
    both = meet(lobby, host, guest)
    lobby.leave(host.id)
    invitation = lobby.invite(host.id)
    told = changes(invitation, "state")
    if kind == "computer":
        lobby.begin(host, rival_evolved=False)
    elif kind == "practice":
        lobby.practise(host, host.player("me"), rival_evolved=False)
    elif kind == "accepted":
        lobby.accept(lobby.invite(third.id).id, host.id)
    else:
        lobby.rematch(both[1])
        lobby.rematch(both[0])
    assert lobby.of(host.id) is not None
    assert told == [("state", "withdrawn")]
    assert refusal(lobby.accept, invitation.id, guest.id) == NOT_INVITED
    assert lobby.counts()["invitations"] == 0


@pytest.mark.rule("11.5")
def test_who_is_in_a_battle_invites_nobody(lobby: Lobby, seats: tuple[LiveSeat, LiveSeat], host: ProfileState) -> None:
    assert refusal(lobby.invite, host.id) == in_battle(host)
    assert lobby.invitation(host.id) is None
    lobby.leave(host.id)
    assert lobby.invite(host.id).state == "open"


@pytest.mark.rule("11.5")
@pytest.mark.parametrize("elsewhere", [False, True], ids=["here", "at another server"])
def test_who_is_in_a_battle_accepts_nothing(
    lobby: Lobby, store: Store, time: Time, host: ProfileState, guest: ProfileState, elsewhere: bool
) -> None:
    invitation = lobby.invite(host.id)
    (restarted(store, time) if elsewhere else lobby).begin(guest, rival_evolved=False)
    assert refusal(lobby.accept, invitation.id, guest.id) == in_battle(guest)
    assert invitation.state == "open" and lobby.find(invitation.id) is invitation, "it can still be taken"
    assert lobby.of(host.id) is None
    lobby.leave(guest.id)
    assert lobby.accept(invitation.id, guest.id).friend is lobby.of(host.id)


@pytest.mark.rule("11.5")
def test_the_guest_of_a_host_who_is_in_a_battle_at_another_server_is_told_that_the_host_is_busy(
    lobby: Lobby, store: Store, time: Time, host: ProfileState, guest: ProfileState
) -> None:
    invitation = lobby.invite(host.id)
    elsewhere = restarted(store, time)
    elsewhere.begin(host, rival_evolved=False)
    assert refusal(lobby.accept, invitation.id, guest.id) == BUSY
    assert lobby.of(guest.id) is None
    elsewhere.leave(host.id)
    assert lobby.accept(invitation.id, guest.id).friend is not None


@pytest.mark.rule("11.5")
def test_the_host_is_busy_also_where_a_purchase_was_in_the_way_first(
    lobby: Lobby, store: Store, time: Time, host: ProfileState, guest: ProfileState, monkeypatch: pytest.MonkeyPatch
) -> None:
    invitation = lobby.invite(host.id)
    begin = store.begin_battle

    def stale_once(*asked: Any) -> SavedBattle:
        monkeypatch.setattr(store, "begin_battle", begin)
        restarted(store, time).begin(host, rival_evolved=False)
        raise Stale(guest)

    monkeypatch.setattr(store, "begin_battle", stale_once)
    assert refusal(lobby.accept, invitation.id, guest.id) == BUSY


# What both bring


@pytest.mark.rule("1.6", "1.8")
@pytest.mark.parametrize("buyer", [0, 1])
def test_both_bring_what_they_have_when_the_invitation_is_accepted(
    lobby: Lobby, store: Store, host: ProfileState, guest: ProfileState, buyer: int
) -> None:
    rich(store, (host, guest)[buyer], 10)
    invitation = lobby.invite(host.id)
    store.buy((host, guest)[buyer].id, "card:poison")
    live = lobby.accept(invitation.id, guest.id).live
    brought = live.battle.players
    assert (brought[buyer].cards, brought[1 - buyer].cards) == (("poison",), ())
    store.buy((host, guest)[buyer].id, "card:shield")
    assert live.battle.players == brought == kept(store, host).record.players


@pytest.mark.rule("1.6")
@pytest.mark.parametrize("buyer", [0, 1])
def test_a_purchase_at_the_moment_of_acceptance_comes_along(
    lobby: Lobby,
    store: Store,
    host: ProfileState,
    guest: ProfileState,
    monkeypatch: pytest.MonkeyPatch,
    buyer: int,
) -> None:
    rich(store, (host, guest)[buyer], 5)
    invitation = lobby.invite(host.id)
    begin, asked = store.begin_battle, []

    def buy_first(*about: Any) -> SavedBattle:
        asked.append(about[0])
        if len(asked) == 1:
            store.buy((host, guest)[buyer].id, "card:poison")
        return begin(*about)

    monkeypatch.setattr(store, "begin_battle", buy_first)
    seat = lobby.accept(invitation.id, guest.id)
    assert len(asked) == 2, "the first was of an older profile"
    assert seat.battle.players[buyer].cards == ("poison",)
    assert invitation.state == "used"


@pytest.mark.parametrize("error", [StoreError(Trouble.FULL, "somewhere"), RuntimeError("a fault")])
def test_an_invitation_stays_open_where_its_battle_could_not_begin(
    lobby: Lobby,
    store: Store,
    host: ProfileState,
    guest: ProfileState,
    monkeypatch: pytest.MonkeyPatch,
    error: Exception,
) -> None:
    invitation = lobby.invite(host.id)
    told = changes(invitation, "state")

    def fail(*_: object) -> None:
        raise error

    with monkeypatch.context() as patch:
        patch.setattr(store, "begin_battle", fail)
        with pytest.raises(type(error)):
            lobby.accept(invitation.id, guest.id)
    assert lobby.of(host.id) is None and lobby.of(guest.id) is None
    assert lobby.find(invitation.id) is invitation and told == []
    lobby.accept(invitation.id, guest.id)
    assert told == [("state", "used")]


# Found again


@pytest.mark.rule("11.1", "11.5")
@pytest.mark.parametrize("order", [(0, 1), (1, 0)])
@pytest.mark.parametrize("turns", [0, 2])
def test_both_are_in_one_battle_again_after_a_restart(
    lobby: Lobby, store: Store, time: Time, host: ProfileState, guest: ProfileState, order: tuple[int, int], turns: int
) -> None:
    before = meet(lobby, host, guest)
    play(before, turns)
    before[0].choose("counter")
    again = restarted(store, time)
    found = {number: again.of((host, guest)[number].id) for number in order}
    mine, theirs = found[0], found[1]
    assert mine is not None and theirs is not None
    assert mine.live is theirs.live and mine.live is not before[0].live
    assert (mine.id, mine.side, theirs.side) == (before[0].id, 0, 1)
    assert mine.battle.to_record() == before[0].battle.to_record()
    assert (mine.locked, mine.battle.committed) == (None, (False, False)), "the turn in play is chosen anew"
    assert again.counts()["battles"] == 1
    mine.choose("heal" if turns else "attack")
    theirs.choose("attack")
    assert str(kept(store, guest).record.turns[-1][0]) == ("heal" if turns else "attack")
    assert len(kept(store, guest).record.turns) == turns + 1
    assert [again.of(one.id) for one in (host, guest)] == [mine, theirs]


def test_nobody_is_asked_twice_for_what_is_there(
    lobby: Lobby, seats: tuple[LiveSeat, LiveSeat], host: ProfileState, guest: ProfileState
) -> None:
    for _ in range(2):
        assert lobby.of(host.id) is seats[0]
        assert lobby.of(guest.id) is seats[1]


# Choosing in secret


@pytest.mark.rule("1.5")
def test_a_turn_is_revealed_when_both_have_chosen(seats: tuple[LiveSeat, LiveSeat]) -> None:
    mine, theirs = seats
    battle = mine.battle
    mine.choose("attack")
    assert (battle.turn, battle.committed) == (1, (True, False))
    theirs.choose("counter")
    assert (battle.turn, battle.committed) == (2, (False, False))
    assert battle.last is not None
    assert battle.last.choices == (Choice("attack"), Choice("counter"))
    assert (mine.locked, theirs.locked) == (None, None), "the next turn is chosen anew"


@pytest.mark.rule("1.5")
def test_every_tab_of_a_player_knows_the_choice(
    lobby: Lobby, seats: tuple[LiveSeat, LiveSeat], host: ProfileState
) -> None:
    tabs = [board(seat) for seat in (seats[0], lobby.of(host.id)) if seat is not None]
    seats[0].choose("attack")
    assert seats[0].locked == Choice("attack")
    assert [tab.board.state["locked"] for tab in tabs] == [{"card": "attack", "amount": None}] * 2
    seats[0].take_back()
    assert [tab.board.state["locked"] for tab in tabs] == [None] * 2
    assert seats[0].locked is None


def board(seat: LiveSeat) -> LiveBoard:
    """The board of a seat, in a tab that has no browser."""
    return LiveBoard(seat, on_look=lambda: None, on_rematch=lambda _: None, on_next=lambda: None)


def secrets_of(lobby: Lobby, seat: LiveSeat, page: LiveBoard) -> str:
    """All that a side could get to know: what everything prints, holds, copies and pickles, and the page it is shown.

    Of the seats themselves it is what they print: each knows its own choice.
    """
    live, battle = seat.live, seat.battle
    objects = [lobby, live, battle, *battle.fighters, seat, seat.friend]
    printed = [f"{one!r} {one}" for one in objects]
    held = [repr(vars(one)) for one in (lobby, live, battle, *battle.fighters)]
    parameters = [repr(shown(battle)), repr(live.param.values())]
    copies = [pickle.dumps(battle).hex(), repr(vars(copy.copy(battle))), repr(vars(copy.deepcopy(battle)))]
    records = [battle.to_record().to_json(), battle.moment().to_json(), battle.to_record().seen_by(seat.side).to_json()]
    pages = [json.dumps(page.board.state), page._record()]
    texts = [*printed, *held, *parameters, *copies, *records, *pages]
    # Where an object lies in memory tells nothing, and what is copied lies elsewhere every time.
    return re.sub(r"0x[0-9a-f]+|(Battle|Fighter)\d{5}", "", "\n".join(texts))


@pytest.mark.rule("1.5", "1.9")
@pytest.mark.parametrize("secret", [0, 1])
def test_nothing_tells_the_other_what_was_chosen(
    lobby: Lobby,
    store: Store,
    host: ProfileState,
    guest: ProfileState,
    caplog: pytest.LogCaptureFixture,
    secret: int,
) -> None:
    owner = (host, guest)[secret]
    rich(store, owner, 10)
    store.buy(owner.id, "card:sacrifice")
    seats = meet(lobby, host, guest)
    for card in ("counter", "counter", "heal", "counter"):
        for seat in seats:
            seat.choose(card)
    mine, other = seats[secret], seats[1 - secret]
    page = board(other)
    caplog.set_level(logging.DEBUG)
    seen = []
    for choice in (("sacrifice", 2), ("sacrifice", 3), ("attack", None), ("heal", None), ("counter", None)):
        mine.choose(*choice)
        assert mine.locked == Choice(choice[0], choice[1] or 0)
        text = secrets_of(lobby, other, page)
        assert "sacrifice:" not in text
        assert "sacrifice" not in json.dumps(page.board.state) + page._record(), "nor that it is in the deck"
        assert page.board.state["rival_ready"] and page.board.state["locked"] is None
        seen.append(text)
        mine.take_back()
    assert set(seen) == {seen[0]}, "whatever is chosen looks the same"
    assert caplog.text == ""
    mine.choose("sacrifice:2")
    assert mine.locked == Choice("sacrifice", 2), "as a record writes it"
    other.choose("attack")
    assert "sacrifice" in json.dumps(page.board.state), "and now it is told"


@pytest.mark.rule("1.5")
def test_a_choice_can_be_taken_back_until_the_other_is_in(seats: tuple[LiveSeat, LiveSeat]) -> None:
    mine, theirs = seats
    with pytest.raises(BattleError, match="no choice"):
        mine.take_back()
    mine.choose("attack")
    with pytest.raises(BattleError, match="no choice"):
        theirs.take_back()
    mine.take_back()
    assert mine.battle.committed == (False, False)
    mine.choose("counter")
    theirs.choose("attack")
    assert mine.battle.turn == 2
    with pytest.raises(BattleError, match="no choice"):
        mine.take_back()
    assert mine.battle.rounds[0].choices[0] == Choice("counter")


@pytest.mark.rule("1.5", "2.12")
def test_a_turn_is_locked_once(seats: tuple[LiveSeat, LiveSeat]) -> None:
    mine, theirs = seats
    mine.choose("attack")
    for card in ("attack", "counter"):
        with pytest.raises(BattleError, match="locked"):
            mine.choose(card)
    assert mine.locked == Choice("attack")
    for card, error in (("sacrifice:1", IllegalChoice), ("sacrifice", ValueError), ("nonsense", ValueError)):
        with pytest.raises(error):
            theirs.choose(card)
    assert (theirs.locked, theirs.battle.committed) == (None, (True, False))
    theirs.choose("counter")
    assert mine.battle.rounds[0].choices == (Choice("attack"), Choice("counter"))


@pytest.mark.rule("11.1")
def test_a_reveal_is_on_disk_before_anybody_is_told(
    store: Store, seats: tuple[LiveSeat, LiveSeat], host: ProfileState
) -> None:
    battle = seats[0].battle
    seen: list[tuple[int, int]] = []

    def look(*_: object) -> None:
        saved = store.unfinished(host.id) or store.finished(host.id, seats[0].id)
        seen.append((len(battle.rounds), len(saved.record.turns)))

    battle.param.watch(look, ["turn", "last", "ended"])
    play(seats)
    assert battle.ended == "beaten"
    assert seen == [(turn, turn) for turn in range(1, len(battle.rounds) + 1)]


# How it ends


@pytest.mark.rule("9.1")
@pytest.mark.parametrize(("evolved", "winner", "gold"), [(False, 0, (1, 0)), (False, 1, (0, 1)), (True, 0, (5, 0))])
def test_the_winner_is_paid_once(
    lobby: Lobby,
    store: Store,
    time: Time,
    host: ProfileState,
    guest: ProfileState,
    evolved: bool,
    winner: int,
    gold: tuple[int, int],
) -> None:
    if evolved:
        rich(store, guest, 25)
        store.buy(guest.id, "evolution")
    before = [store.get(one.id).gold for one in (host, guest)]
    seats = meet(lobby, host, guest)
    play(seats, 1, winner)
    copies = [restarted(store, time).of(one.id) for one in (host, guest)]
    assert [seat.gold for seat in seats] == [None, None]
    play(seats, winner=winner)
    for again in copies:
        assert again is not None and again.friend is not None
        pair = (again, again.friend) if again.side == 0 else (again.friend, again)
        play(pair, winner=winner)
        assert (pair[0].gold, pair[1].gold) == gold, "what was paid for it"
    for seat in seats:
        seat.keep()
    assert (seats[0].gold, seats[1].gold) == gold
    after = [store.get(one.id).gold for one in (host, guest)]
    assert [new - old for new, old in zip(after, before, strict=True)] == list(gold)
    assert store.check().problems == ()
    assert lobby.of(host.id) is None and lobby.of(guest.id) is None
    assert [lobby.ended(one.id) for one in (host, guest)] == list(seats), "how it ended can be looked at"


@pytest.mark.rule("9.2")
def test_who_leaves_before_a_reveal_loses_nothing(
    lobby: Lobby, store: Store, seats: tuple[LiveSeat, LiveSeat], host: ProfileState, guest: ProfileState
) -> None:
    seats[1].choose("attack")
    lobby.leave(host.id)
    assert (seats[1].battle.outcome, seats[1].battle.ended) == ("unfinished", "left")
    assert (seats[0].gold, seats[1].gold) == (0, 0)
    assert seats[1].locked is None
    ended = store.finished(guest.id, seats[0].id)
    assert (ended.outcome, ended.ended) == ("unfinished", "left")
    assert lobby.of(host.id) is None and lobby.of(guest.id) is None


@pytest.mark.rule("9.1", "9.2")
@pytest.mark.parametrize("leaver", [0, 1])
@pytest.mark.parametrize("how", ["lobby", "seat", "after a restart"])
def test_who_leaves_after_a_reveal_has_lost(
    lobby: Lobby, store: Store, time: Time, host: ProfileState, guest: ProfileState, leaver: int, how: str
) -> None:
    seats, both = meet(lobby, host, guest), (host, guest)
    play(seats, 1)
    if how == "seat":
        seats[leaver].leave()
    else:
        (lobby if how == "lobby" else restarted(store, time)).leave(both[leaver].id)
    assert endings(store, host, guest) == [(("second", "first")[leaver], "left")] * 2
    assert [store.get(one.id).gold for one in both] == [leaver, 1 - leaver]
    assert store.unfinished(host.id) is None and store.unfinished(guest.id) is None


@pytest.mark.rule("11.4")
def test_two_idle_hours_end_it_for_both_without_a_winner(
    lobby: Lobby, store: Store, time: Time, seats: tuple[LiveSeat, LiveSeat], host: ProfileState, guest: ProfileState
) -> None:
    play(seats, 2)
    told = [changes(seats[0].battle, "ended") for _ in seats]
    time.passes(IDLE.total_seconds() - 60)
    lobby.look()
    assert told == [[], []]
    time.passes(LOOK_EVERY)
    lobby.look()
    assert told == [[("ended", "idle")]] * 2
    assert (seats[0].battle.outcome, seats[0].gold, seats[1].gold) == ("unfinished", 0, 0)
    assert lobby.of(host.id) is None and lobby.of(guest.id) is None
    assert endings(store, host, guest) == [("unfinished", "idle")] * 2
    assert [store.get(one.id).gold for one in (host, guest)] == [0, 0]


@pytest.mark.rule("11.4")
def test_idle_battles_are_looked_for_once_a_minute(
    lobby: Lobby, store: Store, time: Time, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[tuple[timedelta, float]] = []
    begun = time.seconds
    monkeypatch.setattr(store, "abandon_idle", lambda older: asked.append((older, time.seconds - begun)) or [])
    for _ in range(4):
        time.passes(LOOK_EVERY / 2)
        lobby.look()
        lobby.of("nobody")
    assert asked == [(IDLE, LOOK_EVERY / 2), (IDLE, LOOK_EVERY * 3 / 2)]


@pytest.mark.rule("11.4")
def test_choosing_keeps_a_battle_alive_though_the_other_does_not_come(
    lobby: Lobby, time: Time, seats: tuple[LiveSeat, LiveSeat], host: ProfileState
) -> None:
    for _ in range(4):
        time.passes(IDLE.total_seconds() / 2 + 60)
        seats[0].choose("attack")
        seats[0].take_back()
        assert lobby.of(host.id) is seats[0]
    time.passes(IDLE.total_seconds())
    assert lobby.of(host.id) is None


@pytest.mark.rule("11.4")
def test_the_first_choice_after_a_restart_keeps_an_old_battle_alive(
    lobby: Lobby, store: Store, time: Time, seats: tuple[LiveSeat, LiveSeat], host: ProfileState
) -> None:
    time.passes(IDLE.total_seconds() - 30)
    again = restarted(store, time)
    seat = again.of(host.id)
    assert seat is not None
    seat.choose("attack")
    time.passes(LOOK_EVERY)
    assert again.of(host.id) is seat


@pytest.mark.rule("11.4")
def test_a_choice_is_noted_at_most_once_a_minute(
    store: Store, time: Time, seats: tuple[LiveSeat, LiveSeat], monkeypatch: pytest.MonkeyPatch
) -> None:
    noted: list[float] = []
    touch = store.touch_battle
    monkeypatch.setattr(store, "touch_battle", lambda battle_id: (noted.append(time.seconds), touch(battle_id)))
    begun = time.seconds
    for _ in range(5):
        seats[1].choose("attack")
        seats[1].take_back()
        time.passes(TOUCH_EVERY / 2)
    assert noted == [begun, begun + TOUCH_EVERY, begun + 2 * TOUCH_EVERY]


def test_a_choice_that_could_not_be_noted_counts_and_is_noted_with_the_next(
    store: Store, seats: tuple[LiveSeat, LiveSeat], monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(store, "touch_battle", trouble)
        seats[0].choose("attack")
    assert seats[0].locked == Choice("attack")
    noted: list[str] = []
    monkeypatch.setattr(store, "touch_battle", noted.append)
    seats[0].take_back()
    seats[0].choose("counter")
    assert noted == [seats[0].id]


# Another battle


def finished(lobby: Lobby, host: ProfileState, guest: ProfileState) -> tuple[LiveSeat, LiveSeat]:
    """The seats of a battle that the host has won."""
    seats = meet(lobby, host, guest)
    play(seats)
    return seats


@pytest.mark.rule("1.6", "1.8")
@pytest.mark.parametrize("order", [(0, 1), (1, 0)])
def test_another_battle_begins_when_both_wish_for_it(
    lobby: Lobby, store: Store, host: ProfileState, guest: ProfileState, order: tuple[int, int]
) -> None:
    before = finished(lobby, host, guest)
    live = before[0].live
    told = changes(live, "successor")
    first, second = (before[number] for number in order)
    lobby.rematch(first)
    assert live.wishes == tuple(seat is first for seat in before)
    assert (live.successor, lobby.of(host.id), lobby.of(guest.id)) == (None, None, None)
    rich(store, guest, 5)
    store.buy(guest.id, "card:wild")
    lobby.rematch(second)
    new = live.successor
    assert told == [("successor", new)]
    assert (lobby.of(host.id), lobby.of(guest.id)) == (new.seats[host.id], new.seats[guest.id])
    assert [new.seats[one.id].side for one in (host, guest)] == [0, 1]
    assert new.id != live.id
    assert (new.battle.turn, [player.cards for player in new.battle.players]) == (1, [(), ("wild",)])
    for _ in range(2):
        lobby.rematch(second)
        lobby.rematch(first)
    assert live.successor is new and lobby.of(host.id) is new.seats[host.id], "by double taps nothing begins twice"
    assert lobby.counts()["battles"] == 1


def test_a_wish_is_one_tap_however_often_it_is_tapped(lobby: Lobby, host: ProfileState, guest: ProfileState) -> None:
    mine, theirs = finished(lobby, host, guest)
    told = changes(mine.live, "wishes")
    for _ in range(3):
        lobby.rematch(mine)
    assert told == [("wishes", (True, False))]
    assert mine.live.successor is None
    assert theirs.live is mine.live


def test_a_wish_can_be_taken_back(lobby: Lobby, host: ProfileState, guest: ProfileState) -> None:
    mine, theirs = finished(lobby, host, guest)
    lobby.rematch(mine)
    lobby.rematch(mine, wish=False)
    assert mine.live.wishes == (False, False)
    lobby.rematch(theirs)
    assert (mine.live.wishes, mine.live.successor, lobby.of(host.id)) == ((False, True), None, None)
    lobby.rematch(mine)
    assert mine.live.successor is not None


@pytest.mark.rule("11.5")
@pytest.mark.parametrize("elsewhere", [False, True], ids=["here", "at another server"])
@pytest.mark.parametrize("wished", [False, True])
def test_a_friend_who_plays_with_another_is_busy(
    lobby: Lobby,
    store: Store,
    time: Time,
    host: ProfileState,
    guest: ProfileState,
    wished: bool,
    elsewhere: bool,
) -> None:
    mine, theirs = finished(lobby, host, guest)
    if wished:
        lobby.rematch(theirs)
    (restarted(store, time) if elsewhere else lobby).begin(guest, rival_evolved=False)
    assert refusal(lobby.rematch, mine) == BUSY
    assert (mine.live.successor, mine.live.wishes[0], lobby.of(host.id)) == (None, False, None)
    if not wished:
        lobby.rematch(theirs)
        assert mine.live.wishes == (False, True), "their old tab may wish"
    assert refusal(lobby.rematch, mine) == BUSY


@pytest.mark.rule("11.5")
def test_who_plays_with_another_gets_no_other_battle(
    lobby: Lobby, store: Store, host: ProfileState, guest: ProfileState
) -> None:
    mine, theirs = finished(lobby, host, guest)
    lobby.begin(store.get(host.id), rival_evolved=False)
    lobby.rematch(mine)
    assert refusal(lobby.rematch, theirs) == BUSY
    assert lobby.of(guest.id) is None
    assert theirs.live.successor is None


@pytest.mark.parametrize("how", ["computer", "practice", "left"])
def test_who_went_on_to_something_else_is_not_called_back(
    lobby: Lobby, store: Store, host: ProfileState, guest: ProfileState, how: str
) -> None:
    mine, theirs = finished(lobby, host, guest)
    lobby.rematch(mine)
    if how == "computer":
        lobby.begin(store.get(host.id), rival_evolved=False)
    elif how == "practice":
        lobby.practise(host, host.player("me"), rival_evolved=False)
    lobby.leave(host.id)
    assert mine.live.wishes == (False, False)
    lobby.rematch(theirs)
    assert lobby.of(host.id) is None
    assert theirs.live.successor is None


def test_nobody_wishes_for_another_battle_before_this_one_is_over_or_against_the_computer(
    lobby: Lobby, host: ProfileState, guest: ProfileState, third: ProfileState
) -> None:
    mine, theirs = meet(lobby, host, guest)
    lobby.rematch(mine)
    lobby.rematch(theirs)
    assert (mine.live.wishes, mine.live.successor) == ((False, False), None)
    alone = lobby.begin(third, rival_evolved=False)
    lobby.leave(third.id)
    lobby.rematch(alone)
    assert (alone.live.wishes, alone.live.successor, alone.friend) == ((False, False), None, None)


def test_another_battle_that_could_not_begin_can_be_asked_for_again(
    lobby: Lobby, store: Store, host: ProfileState, guest: ProfileState, monkeypatch: pytest.MonkeyPatch
) -> None:
    mine, theirs = finished(lobby, host, guest)
    lobby.rematch(mine)
    with monkeypatch.context() as patch:
        patch.setattr(store, "begin_battle", trouble)
        with pytest.raises(StoreError):
            lobby.rematch(theirs)
    assert (mine.live.successor, lobby.of(guest.id)) == (None, None)
    lobby.rematch(theirs)
    assert mine.live.successor is not None


def test_friends_play_on_and_on(lobby: Lobby, store: Store, host: ProfileState, guest: ProfileState) -> None:
    mine, theirs = finished(lobby, host, guest)
    for number in range(1, 4):
        lobby.rematch(theirs)
        lobby.rematch(mine)
        mine, theirs = mine.live.successor.seats[host.id], mine.live.successor.seats[guest.id]
        play((mine, theirs))
        assert store.get(host.id).gold == number + 1
    assert len(store.history(host.id)) == len(store.history(guest.id)) == 4


# Who is there


def test_who_is_heard_of_is_here_until_they_are_silent(seats: tuple[LiveSeat, LiveSeat], time: Time) -> None:
    mine, theirs = seats
    live = mine.live
    told = changes(live, "present")
    assert (mine.friend_is_here, theirs.friend_is_here) == (False, False)
    theirs.heard("tab")
    assert (mine.friend_is_here, theirs.friend_is_here) == (True, False)
    mine.heard("tab")
    assert (mine.friend_is_here, theirs.friend_is_here) == (True, True)
    time.passes(AWAY - 1)
    mine.heard("tab")
    time.passes(0.5)
    live.look()
    assert mine.friend_is_here
    time.passes(0.5)
    live.look()
    assert (mine.friend_is_here, theirs.friend_is_here) == (False, True)
    theirs.heard("tab")
    assert told == [("present", now) for now in ((False, True), (True, True), (True, False), (True, True))]


def test_who_looks_in_any_tab_is_here(seats: tuple[LiveSeat, LiveSeat], time: Time) -> None:
    mine, theirs = seats
    told = changes(mine.live, "present")
    mine.heard("laptop")
    mine.heard("phone")
    mine.heard("laptop", False)
    assert theirs.friend_is_here
    time.passes(AWAY / 2)
    mine.heard("laptop")
    time.passes(AWAY / 2)
    mine.live.look()
    assert theirs.friend_is_here, "though the phone is silent"
    mine.heard("laptop", False)
    mine.heard("phone", False)
    mine.heard("never seen", False)
    assert not theirs.friend_is_here
    assert told == [("present", (True, False)), ("present", (False, False))]


def test_nobody_is_told_what_has_not_changed(seats: tuple[LiveSeat, LiveSeat], time: Time) -> None:
    mine, theirs = seats
    told = changes(mine.live, "present", "wishes", "successor")
    for _ in range(10):
        mine.heard("tab")
        theirs.heard("tab")
        mine.live.look()
        time.passes(AWAY / 3)
    assert told == [("present", (True, False)), ("present", (True, True))]
    time.passes(AWAY)
    for _ in range(3):
        mine.live.look()
    assert told[2:] == [("present", (False, False))]


def test_a_connection_that_is_lost_is_not_leaving(
    lobby: Lobby, seats: tuple[LiveSeat, LiveSeat], host: ProfileState, time: Time
) -> None:
    play(seats, 1)
    seats[0].heard("tab")
    seats[0].heard("tab", False)
    time.passes(HOURS)
    lobby.look()
    assert not seats[0].battle.over
    assert lobby.of(host.id) is seats[0]


# Faults


@pytest.mark.parametrize("turns", [0, 2])
def test_a_fault_in_a_reveal_ends_that_battle_alone(
    lobby: Lobby,
    store: Store,
    host: ProfileState,
    guest: ProfileState,
    third: ProfileState,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    turns: int,
) -> None:
    seats = meet(lobby, host, guest)
    others = meet(lobby, third, store.create("fourth", "pebble"))
    play(seats, turns)
    position, record, reveal = seats[0].battle.position, seats[0].battle.to_record(), Position.reveal

    def faulty(self: Position, first: Choice, second: Choice) -> Round:
        if self is position:
            raise ZeroDivisionError("a fault in the rules")
        return reveal(self, first, second)

    monkeypatch.setattr(Position, "reveal", faulty)
    seen = [board(seat) for seat in seats]
    told = changes(seats[0].battle, "ended")
    seats[0].choose("counter")
    seats[1].choose("counter")
    assert told == [("ended", "broken")]
    assert (seats[0].battle.outcome, seats[0].gold, seats[1].gold) == ("unfinished", 0, 0)
    assert all(one.board.state["over"] is not None for one in seen), "both are shown its end"
    assert [lobby.of(one.id) for one in (host, guest)] == [None, None]
    assert [lobby.ended(one.id) for one in (host, guest)] == list(seats)
    assert endings(store, host, guest) == [("unfinished", "broken")] * 2
    assert store.finished(host.id, seats[0].id).record.turns == record.turns
    assert store.check().problems == ()
    assert seats[0].id in caplog.text and record.to_json() in caplog.text
    assert "ZeroDivisionError" in caplog.text
    play(others)
    assert others[0].battle.ended == "beaten", "another battle goes on"
    lobby.rematch(seats[0])
    lobby.rematch(seats[1])
    assert lobby.of(host.id) is not None, "and they play again"


def test_a_view_that_fails_keeps_nothing_from_the_other(
    seats: tuple[LiveSeat, LiveSeat], caplog: pytest.LogCaptureFixture
) -> None:
    battle, shown_turns = seats[0].battle, []

    def fail() -> None:
        raise ZeroDivisionError("a fault in a view")

    follow(battle, ["turn", "committed"], fail)
    follow(battle, ["turn"], lambda: shown_turns.append(battle.turn))
    play(seats, 2)
    assert shown_turns == [2, 3]
    assert not battle.over
    assert "a fault in a view" in caplog.text


def test_a_watcher_that_fails_leaves_nobody_waiting(
    lobby: Lobby, store: Store, seats: tuple[LiveSeat, LiveSeat], host: ProfileState
) -> None:
    def fail(*_: object) -> None:
        raise ZeroDivisionError("a fault in a watcher")

    seats[0].battle.param.watch(fail, "turn")
    seats[0].choose("attack")
    seats[1].choose("counter")
    assert seats[0].battle.ended == "broken"
    assert lobby.of(host.id) is None
    assert len(store.finished(host.id, seats[0].id).record.turns) == 1, "what was revealed is kept"


@pytest.mark.rule("11.1")
def test_both_are_told_of_trouble_with_the_store_which_is_mended_later(
    lobby: Lobby,
    store: Store,
    seats: tuple[LiveSeat, LiveSeat],
    host: ProfileState,
    guest: ProfileState,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(store, "save_battle", trouble)
        play(seats, 2)
        assert [seat.trouble is not None and seat.trouble.kind for seat in seats] == [Trouble.FULL] * 2
        assert (lobby.of(host.id), lobby.of(guest.id)) == seats
        assert kept(store, host).record.turns == ()
    assert seats[0].id in caplog.text
    assert lobby.of(guest.id) is seats[1], "whoever looks first"
    assert [seat.trouble for seat in seats] == [None, None]
    assert len(kept(store, host).record.turns) == 2


@pytest.mark.rule("9.1", "11.1")
@pytest.mark.parametrize("how", ["of", "leave"])
@pytest.mark.parametrize("first", [0, 1])
def test_what_could_not_be_paid_is_paid_later(
    lobby: Lobby,
    store: Store,
    host: ProfileState,
    guest: ProfileState,
    monkeypatch: pytest.MonkeyPatch,
    first: int,
    how: str,
) -> None:
    seats, both = meet(lobby, host, guest), (host, guest)
    with monkeypatch.context() as patch:
        patch.setattr(store, "finish_battle", trouble)
        play(seats)
        assert [seat.gold for seat in seats] == [None, None]
        assert (lobby.of(host.id), lobby.of(guest.id)) == seats, "it is not forgotten"
        assert refusal(lobby.rematch, seats[1 - first]) == BUSY
        with pytest.raises(StoreError):
            lobby.leave(both[first].id)
    later: Callable[[str], object] = getattr(lobby, how)
    assert later(both[first].id) is None
    assert [seat.gold for seat in seats] == [1, 0]
    assert [seat.trouble for seat in seats] == [None, None]
    assert store.get(host.id).gold == 1
    assert lobby.of(both[1 - first].id) is None


def test_a_fault_while_saving_does_not_stop_the_players(
    lobby: Lobby,
    store: Store,
    seats: tuple[LiveSeat, LiveSeat],
    host: ProfileState,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    def fail(*_: object) -> None:
        raise ZeroDivisionError("a fault in the store")

    with monkeypatch.context() as patch:
        patch.setattr(store, "save_battle", fail)
        play(seats, 1)
    assert seats[1].trouble is not None and seats[1].trouble.kind is Trouble.FAILED
    assert seats[0].battle.to_record().to_json() in caplog.text, "it can be mended by hand"
    play(seats, 1)
    assert seats[1].trouble is None
    assert len(kept(store, host).record.turns) == 2


@pytest.mark.rule("11.4")
def test_a_battle_that_another_server_has_ended_is_over_here_at_the_next_reveal(
    lobby: Lobby, store: Store, time: Time, seats: tuple[LiveSeat, LiveSeat], host: ProfileState, guest: ProfileState
) -> None:
    play(seats, 1)
    restarted(store, time).leave(host.id)
    play(seats, 1)
    assert seats[0].battle.ended == "idle"
    assert [seat.gold for seat in seats] == [0, 1]
    assert endings(store, host, guest) == [("second", "left")] * 2
    assert store.get(guest.id).gold == 1


# Nothing is kept for ever


def test_how_much_is_going_on_is_counted(
    lobby: Lobby, store: Store, host: ProfileState, guest: ProfileState, third: ProfileState
) -> None:
    assert lobby.counts() == {"battles": 0, "invitations": 0}
    lobby.invite(third.id)
    seats = meet(lobby, host, guest)
    assert lobby.counts() == {"battles": 1, "invitations": 1}
    lobby.begin(third, rival_evolved=False)
    assert lobby.counts() == {"battles": 2, "invitations": 0}
    play(seats)
    assert lobby.counts() == {"battles": 1, "invitations": 0}


def test_what_is_over_for_long_is_let_go_of(lobby: Lobby, time: Time, host: ProfileState, guest: ProfileState) -> None:
    def whole_story() -> list[ref[Any]]:
        invitation = lobby.invite(host.id)
        theirs = lobby.accept(invitation.id, guest.id)
        mine = theirs.friend
        assert mine is not None
        play((mine, theirs))
        assert lobby.ended(host.id) is mine
        return [ref(invitation), ref(theirs), ref(theirs.live), ref(theirs.battle)]

    parts = whole_story()
    time.passes(IDLE.total_seconds() - 1)
    lobby.look()
    assert parts[2]() is not None, "not yet: somebody may look at its end"
    time.passes(LOOK_EVERY)
    lobby.look()
    gc.collect()
    assert [part() for part in parts] == [None] * 4
    assert lobby.ended(host.id) is None


@pytest.mark.parametrize("state", ["used", "withdrawn", "expired"])
def test_a_closed_invitation_is_not_kept(
    lobby: Lobby, time: Time, host: ProfileState, guest: ProfileState, state: str
) -> None:
    def close() -> ref[Invitation]:
        invitation = lobby.invite(host.id)
        if state == "used":
            lobby.accept(invitation.id, guest.id)
        elif state == "withdrawn":
            lobby.withdraw(host.id)
        else:
            time.passes(LASTS)
            lobby.find(invitation.id)
        assert invitation.state == state
        return ref(invitation)

    closed = close()
    gc.collect()
    assert closed() is None


def test_a_battle_that_goes_on_is_not_let_go_of(
    lobby: Lobby, time: Time, seats: tuple[LiveSeat, LiveSeat], host: ProfileState
) -> None:
    for _ in range(5):
        time.passes(IDLE.total_seconds() / 2 + 60)
        play(seats, 1, winner=1)
        if not seats[0].battle.over:
            assert lobby.of(host.id) is seats[0]
    assert len(seats[0].battle.rounds) >= 3


def test_a_tab_that_was_closed_without_a_word_is_let_go_of(seats: tuple[LiveSeat, LiveSeat], time: Time) -> None:
    class Tab:
        pass

    tab = Tab()
    closed = ref(tab)
    seats[0].heard(tab)
    del tab
    time.passes(AWAY)
    seats[1].heard("another")
    gc.collect()
    assert closed() is None


def test_a_battle_that_is_over_leaves_no_boards_behind(seats: tuple[LiveSeat, LiveSeat]) -> None:
    def looked_at(live: LiveBattle) -> ref[LiveBoard]:
        page = board(live.seats[seats[0].profile_id])
        assert live.present == (True, False)
        page.end()
        return ref(page)

    page = looked_at(seats[0].live)
    gc.collect()
    assert page() is None
    assert seats[0].live.present == (False, False)


# Both told before the reveal


class Later(list[Callable[[], object]]):
    """What a lobby is to do soon, which the test does."""

    def do(self) -> None:
        while self:
            self.pop(0)()


@pytest.fixture
def later() -> Later:
    return Later()


@pytest.fixture
def locked(
    store: Store, time: Time, later: Later, host: ProfileState, guest: ProfileState
) -> tuple[LiveSeat, LiveSeat]:
    """The seats of a battle in which both have just locked in, before anything is revealed."""
    mine, theirs = meet(Lobby(store, random.Random(1), time, later.append), host, guest)
    mine.choose("attack")
    theirs.choose("heal")
    return mine, theirs


@pytest.mark.rule("1.5", "1.9")
def test_both_are_told_that_both_are_in_before_the_turn_is_revealed(
    locked: tuple[LiveSeat, LiveSeat], later: Later, store: Store, host: ProfileState
) -> None:
    mine, theirs = locked
    battle = mine.battle
    assert (battle.committed, battle.turn, battle.last, len(later)) == ((True, True), 1, None, 1)
    assert (mine.locked, theirs.locked) == (Choice("attack"), Choice("heal"))
    later.do()
    assert (battle.committed, battle.turn) == ((False, False), 2)
    assert battle.last is not None and battle.last.choices == (Choice("attack"), Choice("heal"))
    saved = store.unfinished(host.id)
    assert saved is not None and saved.record == battle.to_record()


@pytest.mark.rule("1.5")
def test_who_is_in_stays_in_until_the_reveal(locked: tuple[LiveSeat, LiveSeat], later: Later) -> None:
    for seat in locked:
        with pytest.raises(BattleError, match="nothing can be taken back"):
            seat.take_back()
        with pytest.raises(BattleError, match="locked already"):
            seat.choose("counter")
    later.do()
    assert locked[0].battle.turn == 2


@pytest.mark.rule("9.2")
def test_what_is_left_before_the_reveal_is_not_revealed(locked: tuple[LiveSeat, LiveSeat], later: Later) -> None:
    mine, _ = locked
    mine.leave()
    later.do()
    assert (mine.battle.turn, mine.battle.ended, mine.battle.outcome) == (1, "left", "unfinished")


def test_an_illegal_second_choice_reveals_nothing(
    store: Store, time: Time, later: Later, host: ProfileState, guest: ProfileState
) -> None:
    mine, theirs = meet(Lobby(store, random.Random(1), time, later.append), host, guest)
    mine.choose("attack")
    with pytest.raises(IllegalChoice):
        theirs.choose("wild")
    assert (mine.battle.committed, len(later)) == ((True, False), 0)


def test_a_fault_in_the_reveal_ends_that_battle_alone(
    locked: tuple[LiveSeat, LiveSeat], later: Later, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(*_: object) -> Round:
        raise ZeroDivisionError

    monkeypatch.setattr(Position, "reveal", fail)
    later.do()
    assert locked[0].battle.ended == "broken"
    assert "broke at turn 1" in caplog.text


def test_after_a_restart_before_the_reveal_the_turn_is_chosen_again(
    locked: tuple[LiveSeat, LiveSeat], store: Store, time: Time, host: ProfileState
) -> None:
    again = restarted(store, time).of(host.id)
    assert again is not None
    assert (again.battle.turn, again.battle.committed) == (1, (False, False))


@pytest.mark.rule("1.7")
def test_against_the_computer_a_turn_is_revealed_at_once(
    store: Store, time: Time, later: Later, host: ProfileState
) -> None:
    seat = Lobby(store, random.Random(1), time, later.append).begin(host, rival_evolved=False)
    seat.choose("attack")
    assert (seat.battle.turn, len(later)) == (2, 0)
