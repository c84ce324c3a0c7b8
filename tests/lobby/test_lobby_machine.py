"""Anything that four people may do in the lobby, in any order and at any time, held against a plain model of it."""

import json
import pickle
import random
import sqlite3
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from shutil import copy

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from summon.battle import Battle, BattleError, IllegalChoice
from summon.cards import PETS
from summon.choices import Choice
from summon.lobby import AWAY, IDLE, LASTS, Invitation, LiveBattle, LiveSeat, Lobby
from summon.lobby.live import TOUCH_EVERY
from summon.lobby.lobby import LOOK_EVERY
from summon.player import Player
from summon.position import SIDES, Position
from summon.profile import Refused, Why
from summon.record import Record
from summon.store import Store
from summon.views.seat import seat_view
from tests.store.playing import rich
from tests.strategies import shown

STEPS = settings(max_examples=20, stateful_step_count=60, derandomize=True, deadline=None)

IDLE_SECONDS = IDLE.total_seconds()

SELDOM = 10
"""The server is started again, and nobody comes for long, not more often than after so many steps."""

GOLD = (10, 5, 5, 0)
"""What each of the four has at first."""

people = st.integers(0, 3)
tabs = st.sampled_from(["laptop", "phone", "another"])
cards = st.sampled_from(["attack", "attack", "heal", "counter", "counter", "poison", "sacrifice:1", "wait"])


@dataclass
class Fight:
    """A battle of the model. `live` is the lobby's, None where the lobby of this moment has not met it."""

    id: str
    kind: str
    seats: dict[int, int]
    players: tuple[Player, Player]
    position: Position
    chosen_at: float
    live: LiveBattle | None
    turns: list[tuple[Choice, Choice]] = field(default_factory=list)
    chosen: dict[int, Choice] = field(default_factory=dict)
    heard: dict[tuple[int, str], float] = field(default_factory=dict)
    wishes: list[bool] = field(default_factory=lambda: [False, False])
    successor: "Fight | None" = None
    outcome: str = "unfinished"
    ended: str = ""
    ended_at: float = 0.0
    gold: dict[int, int] = field(default_factory=dict)

    def seat(self, person: int) -> LiveSeat:
        assert self.live is not None
        return next(seat for seat in self.live.seats.values() if seat.side == self.seats[person])

    def friend_of(self, person: int) -> int | None:
        return next((one for one in self.seats if one != person), None)

    def committed(self) -> tuple[bool, bool]:
        """1.5: who has chosen; the computer always has, while the battle goes on."""
        sides = {self.seats[person] for person in self.chosen}
        if self.kind != "friend" and not self.ended:
            sides.add(1)
        return (0 in sides, 1 in sides)

    def present(self, now: float) -> tuple[bool, bool]:
        here = {self.seats[person] for (person, _), when in self.heard.items() if now - when < AWAY}
        return (0 in here, 1 in here)


@dataclass
class Asked:
    """An invitation of the model."""

    host: int
    closes: float
    real: Invitation
    state: str = "open"
    fight: Fight | None = None
    begun: set[str] = field(default_factory=set)


def what_comes_of(call: Callable[[], object]) -> object:
    """What a call returns, or why it is refused: these are all the ways in which anything may be refused."""
    try:
        return call()
    except Refused as refused:
        return refused.why
    except IllegalChoice:
        return IllegalChoice
    except BattleError:
        return BattleError


class Meeting(RuleBasedStateMachine):
    """Four people, their tabs, invitations and battles, time, and a server that is started again now and then."""

    new_place: Callable[[], Path]
    ids: tuple[str, ...]

    # The beginning and the end

    @initialize(seed=st.integers(0, 999))
    def begin(self, seed):
        self.now, self.dice = 1_000.0, random.Random(seed)
        self.place = self.new_place()
        self.connection = sqlite3.connect(self.place, isolation_level=None)
        self.store = self.opened()
        self.lobby = self.served()
        self.gold = {person: GOLD[person] for person in range(4)}
        self.bought: dict[int, list[str]] = {person: [] for person in range(4)}
        self.fights: list[Fight] = []
        self.last: dict[int, Fight] = {}
        self.asked: list[Asked] = []
        self.steps = self.waited = self.restarted = 0
        self.meet_each_other(0, 1)

    def opened(self) -> Store:
        return Store.open(self.place, clock=lambda: datetime(2030, 1, 1, tzinfo=UTC) + timedelta(seconds=self.now))

    def served(self) -> Lobby:
        return Lobby(self.store, random.Random(self.dice.random()), lambda: self.now)

    def teardown(self):
        if hasattr(self, "gold"):
            for fight in self.fights:
                if fight.ended:
                    self.check_end(fight)
            assert self.store.check().problems == ()
            self.connection.close()
            self.store.close()

    # The model

    def free(self) -> list[int]:
        return [person for person in range(4) if not self.fight_of(person)]

    def playing(self) -> list[int]:
        return [person for person in range(4) if self.fight_of(person)]

    def among_friends(self) -> list[int]:
        return [person for fight in self.fights if fight.kind == "friend" and not fight.ended for person in fight.seats]

    def have_chosen(self) -> list[int]:
        return [person for fight in self.fights for person in fight.chosen]

    def known_here(self) -> list[Fight]:
        """The battles that pages of this server may still show: mostly those of friends that are over."""
        known = [fight for fight in self.fights if fight.live is not None]
        return [fight for fight in known if fight.ended and fight.kind == "friend"] or known

    def fight_of(self, person: int) -> Fight | None:
        fights = [fight for fight in self.fights if person in fight.seats and not fight.ended]
        assert len(fights) <= 1, "11.5"
        return fights[0] if fights else None

    def open_invitation(self, host: int) -> Asked | None:
        return next((asked for asked in self.asked if asked.host == host and asked.state == "open"), None)

    def is_idle(self, fight: Fight) -> bool | None:
        """11.4: whether a battle has to be over by idle time; None within the minutes in which it may be."""
        idle = self.now - fight.chosen_at
        if IDLE_SECONDS - TOUCH_EVERY < idle < IDLE_SECONDS + LOOK_EVERY:
            return None
        return idle >= IDLE_SECONDS

    def time_has_passed(self) -> None:
        """Expire invitations, end idle battles, and forget what the lobby may have let go of."""
        self.lobby.look()
        for asked in self.asked:
            if asked.state == "open" and asked.closes <= self.now:
                asked.state = "expired"
        for fight in self.fights:
            if not fight.ended:
                person = next(iter(fight.seats))
                idle = self.is_idle(fight)
                if idle or (idle is None and self.store.unfinished(self.ids[person]) is None):
                    self.end(fight, "unfinished", "idle")
            elif self.now - fight.ended_at >= IDLE_SECONDS:
                fight.live = None
                self.last = {person: last for person, last in self.last.items() if last is not fight}

    def end(self, fight: Fight, outcome: str, ended: str) -> None:
        fight.outcome, fight.ended, fight.ended_at, fight.chosen = outcome, ended, self.now, {}
        for person, side in fight.seats.items():
            won = outcome == SIDES[side] and fight.kind != "practice"
            upset = fight.players[1 - side].evolved and not fight.players[side].evolved
            fight.gold[person] = (5 if upset else 1) if won else 0
            self.gold[person] += fight.gold[person]
        self.check_end(fight)

    def check_end(self, fight: Fight) -> None:
        """What the store tells of a battle that is over."""
        for person in fight.seats:
            saved = self.store.finished(self.ids[person], fight.id)
            assert (saved.outcome, saved.ended) == (fight.outcome, fight.ended)
            assert list(saved.record.turns) == fight.turns
            assert dict(saved.gold) == {self.ids[one]: gold for one, gold in fight.gold.items()}

    def begun(self, seat: LiveSeat, kind: str, *persons: int) -> Fight:
        """A battle that has just begun, for these persons in the order of their sides."""
        battle = seat.battle
        seats = {person: side for side, person in enumerate(persons)}
        position = Record(battle.players).opening()
        fight = Fight(seat.id, kind, seats, battle.players, position, self.now, seat.live)
        assert seat.id not in {other.id for other in self.fights}
        assert {one.profile_id: one.side for one in seat.live.seats.values()} == {
            self.ids[person]: side for person, side in seats.items()
        }
        for person, side in seats.items():
            if kind != "practice":
                brought = battle.players[side]
                assert (brought.pet, list(brought.cards)) == (list(PETS)[person], self.bought[person]), "1.6"
            self.goes_on(person)
            self.last[person] = fight
            asked = self.open_invitation(person)
            if asked is not None:
                asked.state = "withdrawn"
        self.fights.append(fight)
        return fight

    def goes_on(self, person: int) -> None:
        """Who turns to something else wishes for no other battle against the friend of before."""
        last = self.last.pop(person, None)
        if last is not None and last.ended:
            last.wishes[last.seats[person]] = False

    def revealed(self, fight: Fight, pair: tuple[Choice, Choice]) -> None:
        fight.turns.append(pair)
        fight.position = fight.position.reveal(*pair).after
        fight.chosen = {}
        if fight.position.outcome != "unfinished":
            self.end(fight, fight.position.outcome, "beaten")

    # Time, and the server

    @rule(seconds=st.sampled_from([1, 5, 11, 12, 13, 59, 60, 61]))
    def wait_a_little(self, seconds):
        self.wait_for(seconds)

    def wait_for(self, seconds: float) -> None:
        self.now += seconds
        self.time_has_passed()

    @precondition(lambda self: self.steps - self.waited > SELDOM)
    @rule(minutes=st.sampled_from([59, 60, 119, 120, 121, 125]))
    def wait_for_long(self, minutes):
        self.waited = self.steps
        self.wait_for(minutes * 60)

    @precondition(lambda self: self.steps - self.restarted > SELDOM)
    @rule()
    def start_the_server_again(self):
        self.restarted = self.steps
        self.store.close()
        self.store = self.opened()
        self.lobby = self.served()
        self.last = {}
        for fight in self.fights:
            fight.live, fight.chosen, fight.heard, fight.wishes = None, {}, {}, [False, False]
        for asked in self.asked:
            asked.state, asked.fight = ("lost" if asked.state == "open" else asked.state), None
        self.time_has_passed()

    # Invitations

    @rule(host=people)
    def invite(self, host):
        was_open = self.open_invitation(host)
        found = what_comes_of(lambda: self.lobby.invite(self.ids[host]))
        if self.fight_of(host):
            assert found is Why.IN_BATTLE
        elif was_open:
            assert found is was_open.real
        else:
            assert isinstance(found, Invitation)
            assert found.id not in {asked.real.id for asked in self.asked}
            self.asked.append(Asked(host, self.now + LASTS, found))

    @rule(host=people)
    def withdraw(self, host):
        self.lobby.withdraw(self.ids[host])
        asked = self.open_invitation(host)
        if asked is not None:
            asked.state = "withdrawn"

    @precondition(lambda self: self.asked)
    @rule(guest=people, data=st.data())
    def accept(self, guest, data):
        ahead = [asked for asked in self.asked if asked.state == "open"]
        self.answer(data.draw(st.sampled_from(ahead or self.asked) | st.sampled_from(self.asked)), guest)

    def answer(self, asked: Asked, guest: int) -> None:
        found = what_comes_of(lambda: self.lobby.accept(asked.real.id, self.ids[guest]))
        joined = asked.fight
        if joined is not None and guest in joined.seats and not joined.ended:
            assert found is joined.seat(guest)
        elif asked.state != "open":
            assert found is Why.NOT_INVITED
        elif asked.host == guest:
            assert found is Why.OWN_INVITATION
        elif self.fight_of(guest):
            assert found is Why.IN_BATTLE
        else:
            assert isinstance(found, LiveSeat)
            asked.state = "used"
            asked.fight = self.begun(found, "friend", asked.host, guest)
        if isinstance(found, LiveSeat):
            asked.begun.add(found.id)
            assert len(asked.begun) == 1, "1.8"

    @precondition(lambda self: len(self.free()) > 1)
    @rule(data=st.data())
    def meet(self, data):
        self.meet_each_other(*data.draw(st.permutations(self.free()))[:2])

    def meet_each_other(self, host: int, guest: int) -> None:
        self.invite(host)
        asked = self.open_invitation(host)
        assert asked is not None
        self.answer(asked, guest)

    # Battles

    @rule(person=people, evolved=st.booleans(), practice=st.booleans())
    def challenge_the_computer(self, person, evolved, practice):
        state = self.store.get(self.ids[person])

        def ask() -> LiveSeat:
            if practice:
                return self.lobby.practise(state, Player("me", "tide", cards=("poison",)), evolved)
            return self.lobby.begin(state, evolved)

        found = what_comes_of(ask)
        if self.fight_of(person):
            assert found is Why.IN_BATTLE
        else:
            assert isinstance(found, LiveSeat)
            self.begun(found, "practice" if practice else "computer", person)

    @precondition(playing)
    @rule(data=st.data(), card=cards, then=st.sampled_from(["", "", "", "take back", "choose", "wait"]))
    def choose(self, data, card, then):
        person = data.draw(st.sampled_from(self.among_friends() or self.playing()))
        self.play(person, card)
        if then == "wait":
            self.wait_for(TOUCH_EVERY / 2)
        if then == "take back" and self.fight_of(person):
            self.take_it_back(person)
        elif then == "choose" and self.fight_of(person):
            self.play(person, "counter")

    def play(self, person: int, card: str) -> None:
        fight, seat = self.fight_of(person), self.lobby.of(self.ids[person])
        assert fight is not None and seat is not None
        choice, side = Choice.parse(card), fight.seats[person]
        found = what_comes_of(lambda: seat.choose(card))
        if person in fight.chosen:
            assert found is BattleError
        elif fight.position.refusal(side, choice) is not None:
            assert found is IllegalChoice
        else:
            assert found is None
            fight.chosen_at, fight.chosen[person] = self.now, choice
            friend = fight.friend_of(person)
            if friend is None:
                played = seat.battle.rounds[-1].choices
                assert played[0] == choice
                assert fight.position.refusal(1, played[1]) is None
                self.revealed(fight, played)
            elif friend in fight.chosen:
                first, second = sorted(fight.seats, key=lambda one: fight.seats[one])
                self.revealed(fight, (fight.chosen[first], fight.chosen[second]))

    @precondition(lambda self: self.among_friends() and self.steps - self.waited > SELDOM)
    @rule(data=st.data())
    def wait_for_a_friend(self, data):
        """Who chooses again and again keeps the battle alive, though nobody answers."""
        self.waited = self.steps
        person = data.draw(st.sampled_from(self.among_friends()))
        for _ in range(3):
            if self.fight_of(person):
                self.play(person, "counter")
            if self.fight_of(person):
                self.take_it_back(person)
            self.wait_for(59 * 60)

    @precondition(playing)
    @rule(data=st.data(), turns=st.integers(1, 8))
    def play_on(self, data, turns):
        """Turn after turn: who has come first attacks, and whoever is there answers."""
        person = data.draw(st.sampled_from(self.playing()))
        for _ in range(turns):
            fight = self.fight_of(person)
            if fight is not None:
                for one, side in fight.seats.items():
                    if fight.ended == "" and one not in fight.chosen:
                        legal = fight.position.legal(side)
                        wanted = ("attack", "counter") if side == 0 else ("heal", "counter")
                        self.play(one, next((card for card in wanted if card in legal), legal[0]))

    @precondition(playing)
    @rule(data=st.data())
    def take_back(self, data):
        self.take_it_back(data.draw(st.sampled_from(self.have_chosen() or self.playing())))

    def take_it_back(self, person: int) -> None:
        fight, seat = self.fight_of(person), self.lobby.of(self.ids[person])
        assert fight is not None and seat is not None
        found = what_comes_of(seat.take_back)
        if person in fight.chosen:
            assert found is None, "the friend is not in, or the turn were revealed"
            del fight.chosen[person]
        else:
            assert found is BattleError

    @rule(person=people)
    def leave(self, person):
        fight = self.fight_of(person)
        self.lobby.leave(self.ids[person])
        if fight is not None:
            other = SIDES[1 - fight.seats[person]]
            self.end(fight, other if fight.turns else "unfinished", "left")
        self.goes_on(person)

    @precondition(known_here)
    @rule(data=st.data(), wish=st.sampled_from([True, True, True, False]))
    def wish_for_another(self, data, wish):
        """From the newest page or an older one."""
        fight = data.draw(st.sampled_from(self.known_here()))
        person = data.draw(st.sampled_from(list(fight.seats)))
        self.wish(fight, person, wish)

    @precondition(known_here)
    @rule(data=st.data())
    def both_wish_for_another(self, data):
        fight = data.draw(st.sampled_from(self.known_here()))
        for person in data.draw(st.permutations(list(fight.seats))):
            self.wish(fight, person, True)

    def wish(self, fight: Fight, person: int, wish: bool) -> None:
        side, friend = fight.seats[person], fight.friend_of(person)
        before = fight.live.successor
        found = what_comes_of(lambda: self.lobby.rematch(fight.seat(person), wish))
        if friend is None or not fight.ended or fight.successor is not None:
            assert found is None
            assert fight.live.successor is before
        elif not wish:
            assert found is None
            fight.wishes[side] = False
        elif not fight.wishes[1 - side]:
            assert found is (Why.FRIEND_BUSY if self.fight_of(friend) else None)
            fight.wishes[side] |= found is None
        elif self.fight_of(person) or self.fight_of(friend):
            busy = {Why.IN_BATTLE} if self.fight_of(person) else set()
            assert found in busy | ({Why.FRIEND_BUSY} if self.fight_of(friend) else set())
        else:
            assert found is None
            successor = fight.live.successor
            first, second = sorted(fight.seats, key=lambda one: fight.seats[one])
            fight.successor = self.begun(successor.seats[self.ids[first]], "friend", first, second)

    @rule(person=people, card=st.sampled_from(["poison", "shield"]))
    def buy(self, person, card):
        found = what_comes_of(lambda: self.store.buy(self.ids[person], f"card:{card}"))
        if card in self.bought[person]:
            assert found is Why.OWNED
        elif self.gold[person] < 5:
            assert found is Why.GOLD
        else:
            self.gold[person] -= 5
            self.bought[person].append(card)

    # Tabs

    @precondition(lambda self: self.last)
    @rule(data=st.data(), tab=tabs, here=st.sampled_from([True, True, False]))
    def look_at_the_battle(self, data, tab, here):
        person = data.draw(st.sampled_from(sorted(self.last)))
        fight = self.last[person]
        fight.seat(person).heard(tab, here)
        if here:
            fight.heard[person, tab] = self.now
        else:
            fight.heard.pop((person, tab), None)

    # What must always hold

    @invariant()
    def another_step(self):
        self.steps += 1

    @invariant()
    def the_store_says_what_the_model_says(self):
        assert dict(self.asks("SELECT id, gold FROM profiles")) == {self.ids[one]: self.gold[one] for one in self.gold}
        going_on = [fight for fight in self.fights if not fight.ended]
        assert sorted(self.asks("SELECT battle_id, profile_id, side FROM seats WHERE open = 1")) == sorted(
            (fight.id, self.ids[one], SIDES[side]) for fight in going_on for one, side in fight.seats.items()
        )
        for battle_id, record in self.asks("SELECT id, record FROM battles WHERE ended = ''"):
            (fight,) = [fight for fight in going_on if fight.id == battle_id]
            assert json.loads(record)["turns"] == [[str(one), str(other)] for one, other in fight.turns]

    def asks(self, statement: str) -> list[tuple]:
        """What the database says, asked behind the back of the store."""
        return self.connection.execute(statement).fetchall()

    @invariant()
    def everybody_is_where_the_model_says(self):
        for person in self.gold:
            fight, seat = self.fight_of(person), self.lobby.of(self.ids[person])
            assert (seat and seat.id) == (fight and fight.id)
            if fight is None or seat is None:
                self.check_last(person)
                continue
            fight.live = fight.live or seat.live
            self.last[person] = fight
            assert seat is fight.seat(person), "one battle, and one seat for all tabs"
            assert seat.battle.players == fight.players
            assert seat.locked == fight.chosen.get(person)
            assert seat.gold is None and seat.trouble is None

    def check_last(self, person: int) -> None:
        """How the last battle of who is in none has ended can be looked at."""
        last, seat = self.last.get(person), self.lobby.ended(self.ids[person])
        if last is not None:
            assert seat is last.seat(person)
            assert seat.gold == last.gold[person]

    @invariant()
    def every_battle_is_as_the_model_says(self):
        for fight in self.fights:
            if fight.live is not None:
                battle = fight.live.battle
                fight.live.look()
                assert battle.position == fight.position
                assert (battle.outcome, battle.ended) == (fight.outcome, fight.ended)
                assert battle.committed == fight.committed()
                assert fight.live.present == fight.present(self.now)
                if fight.successor is None:
                    assert fight.live.wishes == tuple(fight.wishes)
                if len(fight.chosen) == 1:
                    self.check_secret(fight, fight.live)

    def check_secret(self, fight: Fight, live: LiveBattle) -> None:
        """1.9: a battle in which another card was chosen looks the same to all but the one who chose."""
        ((person, choice),) = fight.chosen.items()
        side, other = fight.seats[person], live.seats[self.ids[fight.friend_of(person)]]
        twin = Battle.from_record(live.battle.to_record())
        legal = [card for card in fight.position.legal(side) if card != "sacrifice"]
        twin.choose(side, next((card for card in legal if card != choice.card), legal[0]))
        assert shown(live.battle) == shown(twin)
        assert repr(live.battle) == repr(twin)
        assert pickle.loads(pickle.dumps(live.battle)).committed == (False, False)
        assert seat_view(live.battle, other.side, locked=other.locked) == seat_view(twin, other.side)
        assert str(choice) not in f"{live!r} {other!r} {other.friend!r} {self.lobby!r}".replace(fight.id, "")

    @invariant()
    def every_invitation_is_as_the_model_says(self):
        for asked in self.asked:
            is_open = asked.state == "open"
            assert self.lobby.find(asked.real.id) is (asked.real if is_open else None)
            assert (self.lobby.invitation(self.ids[asked.host]) is asked.real) == is_open
            assert asked.state in (asked.real.state, "lost")

    @invariant()
    def the_numbers_are_right(self):
        going_on = sum(not fight.ended for fight in self.fights)
        invitations = sum(asked.state == "open" for asked in self.asked)
        assert self.lobby.counts() == {"battles": going_on, "invitations": invitations}


@pytest.mark.rule("1.8", "1.9", "9.1", "9.2", "9.3", "11.1", "11.4", "11.5")
def test_whatever_four_people_do_the_lobby_does_what_a_plain_model_says(tmp_path: Path, sqlite_place: str) -> None:
    with Store.open(sqlite_place) as store:
        states = [store.create(f"browser {person}", pet) for person, pet in zip(range(4), PETS, strict=False)]
        for state, gold in zip(states, GOLD, strict=True):
            assert rich(store, state, gold).gold == gold
    Meeting.ids = tuple(state.id for state in states)
    numbers = iter(range(10**9))
    Meeting.new_place = staticmethod(lambda: copy(sqlite_place, tmp_path / f"{next(numbers)}.db"))
    run_state_machine_as_test(Meeting, settings=STEPS)
