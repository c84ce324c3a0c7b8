"""Anything that several browsers may do, in any order, on the store and on a plain model of it."""

from collections.abc import Callable
from dataclasses import dataclass

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    Bundle,
    RuleBasedStateMachine,
    initialize,
    invariant,
    rule,
    run_state_machine_as_test,
)

from summon.battle import Battle
from summon.cards import MARKET, PETS
from summon.profile import ProfileState, Refused
from summon.record import Record
from summon.store import Stale, Store
from tests.store.model import PRICES, Owner, gold_of, said
from tests.store.playing import GREAT, MOSS, played

STEPS = settings(max_examples=10, stateful_step_count=30, derandomize=True, deadline=None)


@dataclass
class Browser:
    """A browser with the page that it shows: a profile as it was at some time."""

    token: str
    seen: ProfileState


@dataclass
class Fight:
    """A battle of the model."""

    id: str
    kind: str
    battle: Battle
    seats: dict[str, int]
    over: bool = False


class Shop(RuleBasedStateMachine):
    """Browsers, profiles, purchases, decks and battles."""

    browsers = Bundle("browsers")
    fights = Bundle("fights")
    open_store: Callable[[], Store]
    numbers = iter(range(10**9))

    @initialize()
    def begin(self) -> None:
        self.store = self.open_store()
        self.owners: dict[str, Owner] = {}
        self.all_fights: list[Fight] = []

    def teardown(self) -> None:
        if hasattr(self, "store"):
            assert self.store.check().problems == ()
            self.store.close()

    def fight_of(self, profile_id: str) -> Fight | None:
        return next((fight for fight in self.all_fights if profile_id in fight.seats and not fight.over), None)

    # Browsers

    @rule(target=browsers, pet=st.sampled_from(list(PETS)))
    def come(self, pet):
        token = f"token {next(self.numbers)}"
        state = self.store.create(token, pet)
        self.owners[state.id] = Owner(pet)
        return Browser(token, state)

    @rule(target=browsers, browser=browsers)
    def come_with_the_code(self, browser):
        token = f"token {next(self.numbers)}"
        return Browser(token, self.store.link(token, browser.seen.id))

    @rule(browser=browsers)
    def come_twice(self, browser):
        with pytest.raises(Refused, match="has profile"):
            self.store.create(browser.token, "moss")

    @rule(browser=browsers)
    def look_again(self, browser):
        browser.seen = self.store.profile_of(browser.token)

    @rule()
    def start_the_program_again(self):
        self.store.close()
        self.store = self.open_store()

    # Buying

    @rule(browser=browsers, item=st.sampled_from(list(PRICES)), tells=st.booleans())
    def buy(self, browser, item, tells):
        owner, profile_id = self.owners[browser.seen.id], browser.seen.id
        revision = browser.seen.revision if tells else None
        if owner.may_buy(item):
            browser.seen = self.store.buy(profile_id, item, revision)
            owner.buy(item)
            return
        stale = revision is not None and revision != owner.revision
        with pytest.raises(Stale if stale else Refused):
            self.store.buy(profile_id, item, revision)

    @rule(browser=browsers, data=st.data())
    def choose_a_deck(self, browser, data):
        owner, profile_id = self.owners[browser.seen.id], browser.seen.id
        owned = [item.removeprefix("card:") for item in owner.items if item.startswith("card:")]
        deck = data.draw(st.permutations(owned).map(lambda cards: cards[:7]) | st.lists(st.sampled_from(MARKET)))
        if deck != owner.deck and browser.seen.revision < owner.deck_revision:
            with pytest.raises(Stale):
                self.store.set_deck(profile_id, deck, browser.seen.revision)
        elif not owner.may_have(deck):
            with pytest.raises(Refused):
                self.store.set_deck(profile_id, deck, browser.seen.revision)
        else:
            browser.seen = self.store.set_deck(profile_id, deck, browser.seen.revision)
            owner.set_deck(deck)

    # Battles

    @rule(target=fights, browser=browsers, kind=st.sampled_from(["computer", "practice"]), great=st.booleans())
    def challenge_the_computer(self, browser, kind, great):
        state = self.store.get(browser.seen.id)
        return self.start(kind, Record((state.player("a"), GREAT if great else MOSS)), {state.id: 0})

    @rule(target=fights, one=browsers, two=browsers)
    def challenge_a_friend(self, one, two):
        states = [self.store.get(browser.seen.id) for browser in (one, two)]
        record = Record((states[0].player("a"), states[1].player("b")))
        seats = {states[0].id: 0, states[1].id: 1}
        return self.start("friend", record, seats)

    def start(self, kind: str, record: Record, seats: dict[str, int]) -> Fight:
        fight = Fight(f"battle {next(self.numbers)}", kind, Battle.from_record(record), seats)
        told = {profile_id: ("first", "second")[side] for profile_id, side in seats.items()}
        if any(self.fight_of(profile_id) for profile_id in seats):
            with pytest.raises(Refused, match="in battle"):
                self.store.begin_battle(fight.id, record, kind, told)
            return next(filter(None, map(self.fight_of, seats)))
        self.store.begin_battle(fight.id, record, kind, told)
        self.all_fights.append(fight)
        return fight

    @rule(fight=fights)
    def reveal_a_turn(self, fight):
        if not fight.over:
            fight.battle = played(fight.battle.to_record(), len(fight.battle.rounds) + 1)
            if not fight.battle.over:
                self.store.save_battle(fight.id, fight.battle.to_record())

    @rule(fight=fights, winner=st.integers(0, 1), how=st.sampled_from(["beaten", "beaten", "left", "idle"]))
    def end(self, fight, winner, how):
        battle = fight.battle if fight.over else played(fight.battle.to_record(), 999 if how == "beaten" else 0, winner)
        if not battle.over:
            battle.leave(1 - winner) if how == "left" else battle.end_idle()
        saved = self.store.finish_battle(fight.id, battle.to_record(), battle.outcome, battle.ended)
        if not fight.over:
            fight.battle, fight.over = battle, True
            for profile_id, side in fight.seats.items():
                self.owners[profile_id].pay(self.paid(fight, side))
        assert saved.gold == {profile_id: self.paid(fight, side) for profile_id, side in fight.seats.items()}
        assert (saved.outcome, saved.ended) == (fight.battle.outcome, fight.battle.ended)

    @staticmethod
    def paid(fight: Fight, side: int) -> int:
        return 0 if fight.kind == "practice" else gold_of(fight.battle, side)

    # What must always hold

    @invariant()
    def the_store_says_what_the_model_says(self):
        for profile_id, owner in getattr(self, "owners", {}).items():
            state = self.store.get(profile_id)
            assert said(state) == owner.told()
            assert state.gold >= 0
            assert len(set(state.cards)) == len(state.cards)
            assert len(state.deck) <= 7
            fight, saved = self.fight_of(profile_id), self.store.unfinished(profile_id)
            assert (saved and saved.id) == (fight and fight.id)


@pytest.mark.rule("9.1", "9.3", "10.1", "10.2", "10.3", "10.5", "11.1", "11.5")
def test_whatever_browsers_do_the_store_says_what_a_plain_model_says(place):
    Shop.open_store = staticmethod(lambda: Store.open(place))
    run_state_machine_as_test(Shop, settings=STEPS)
