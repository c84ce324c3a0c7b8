"""Anything that several browsers may do, in any order, asked of a program that is killed now and then.

What it keeps is held against a plain model. After a kill it is what it was before the call, or what it is after it.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from functools import wraps
from typing import Any

from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.errors import Flaky
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule, run_state_machine_as_test

from summon.battle import Battle
from summon.cards import MARKET, PETS
from summon.player import Player
from summon.profile import Refused
from summon.record import Record
from summon.store import Stale
from tests.store.clerk import LOST, Clerk
from tests.store.model import PRICES, Fight, Owner, World, seated
from tests.store.playing import GREAT, MOSS, played

# What depends on the moment of a kill does not come again in the same way, so it cannot be made smaller.
STEPS = settings(
    deadline=None, database=None, phases=[Phase.generate], suppress_health_check=list(HealthCheck), print_blob=False
)

NEVER = None
MOMENTS = st.sampled_from([NEVER, NEVER, NEVER, 0.0, 0.2, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0, 1.3])
"""When the program is killed during a call: after this part of the time that such a call takes."""

BROWSERS = st.integers(0, 4)
"""The browsers by their number: three with a pet of their own, a second one of the first owner, and a new one."""

FIRST_GUESS = 0.004
"""How long a call takes, in seconds, before one was measured."""


@dataclass
class Browser:
    """A browser with the page that it shows: what its owner was like at some time."""

    token: str
    revision: int = 1
    brought: Player | None = None

    def sees(self, owner: Owner) -> None:
        """It shows its owner as it is now."""
        self.revision, self.brought = owner.revision, owner.player()

    def forgets(self) -> None:
        """It shows the oldest page that there was, as it may have another owner now."""
        self.revision, self.brought = 1, None


def noted(function: Callable[..., None]) -> Callable[..., None]:
    """Note the first thing that was wrong: by the moment of a kill, it may not be when Hypothesis tries it again."""

    @wraps(function)
    def trying(shop: Shop, *arguments: Any, **drawn: Any) -> None:
        try:
            function(shop, *arguments, **drawn)
        except Exception as error:
            shop.well, Shop.wrong = False, Shop.wrong or error
            raise

    return trying


def step(**drawn: Any) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """A step of a story."""
    return lambda function: rule(**drawn)(noted(function))


class Shop(RuleBasedStateMachine):
    """Browsers, profiles, purchases, decks and battles.

    What is drawn never depends on what the store has kept, as that is by chance after a kill.
    """

    place: str
    settled: Callable[[], None]
    numbers = iter(range(10**9))
    kills: Counter[str]
    times: dict[str, float]
    wrong: Exception | None
    well = True
    unseen = False
    """Whether something was asked that nobody has looked at."""

    @initialize(pets=st.lists(st.sampled_from(list(PETS)), min_size=3, max_size=3), gold=st.permutations([0, 20, 30]))
    @noted
    def begin(self, pets, gold):
        self.world, self.ids = World(), dict[str, str]()
        self.browsers = [Browser(f"token {next(self.numbers)}") for _ in range(5)]
        self.world.browsers = {browser.token: None for browser in self.browsers}
        self.start()
        for number, pet in enumerate(pets):
            self.choose_a_pet(number, pet, NEVER)
            for _ in range(0, gold[number], 5):
                self.challenge_the_computer(number, "computer", GREAT, False, NEVER)
                self.end_the_battle(number, 0, "beaten", NEVER)
        self.come_with_the_code(3, 0, NEVER)

    def owner_of(self, number: int) -> str | None:
        """Who uses a browser, by the model's name."""
        return self.world.browsers[self.browsers[number].token]

    def start(self) -> None:
        self.clerk = Clerk(self.place)
        self.clerk.opened()
        self.unseen = True

    @noted
    def teardown(self) -> None:
        if self.well:
            self.clerk.ask("check")
            assert self.clerk.answer().problems == ()
            self.clerk.end()

    # Asking

    def do(self, after: World, moment: float | None, name: str, *arguments: Any, refused: type | None = None) -> Any:
        """Ask for what makes the world as it is `after`, or what is refused; the answer, or None where it was lost."""
        self.unseen = True
        if after == self.world:
            moment = NEVER  # There is nothing that could be done by halves.
        begun = time.perf_counter()
        self.clerk.ask(name, *arguments)
        if moment is NEVER:
            answer = self.clerk.answer()
            assert answer is not LOST, f"the program ended by itself in {name}"
            took = time.perf_counter() - begun
            self.times[name] = 0.7 * self.times.get(name, took) + 0.3 * took
        else:
            answer = self.clerk.kill(moment * self.times.get(name, FIRST_GUESS))
            self.settled()
            self.start()
        if answer is LOST:
            self.take_what_is_there(after)
            return None
        if moment is not NEVER:
            self.kills["answered"] += 1
        if refused is not None:
            assert isinstance(answer, refused), answer
            return answer
        assert not isinstance(answer, Exception), answer
        self.world = after
        return answer

    def take_what_is_there(self, after: World) -> None:
        """After a call that was lost: all of it was done or nothing, and the model follows."""
        found = self.look(after)
        undone, done = (self.told(world) == found for world in (self.world, after))
        assert undone or done, f"{found} is neither {self.told(self.world)} nor {self.told(after)}"
        self.kills["done" if done else "undone"] += 1
        if done:
            self.world = after

    def told(self, world: World) -> dict[str, Any] | None:
        known = all(name in self.ids for name in world.owners)
        return world.told(self.ids) if known else None

    def look(self, world: World) -> dict[str, Any]:
        """What the store says of everybody in a world; who was made since the last look is known from then on."""
        self.clerk.ask("look", [*self.world.browsers], [self.ids[name] for name in self.world.owners])
        found: dict[str, Any] = self.clerk.answer()
        for token, name in world.browsers.items():
            if name is not None and name not in self.ids and found["browsers"].get(token) is not None:
                self.ids[name] = found["browsers"][token]
        return found

    # Browsers

    @step(browser=BROWSERS, pet=st.sampled_from(list(PETS)), moment=MOMENTS)
    def choose_a_pet(self, browser, pet, moment):
        token = self.browsers[browser].token
        if self.world.browsers[token] is not None:
            refused = self.do(self.world, moment, "create", token, pet, refused=Refused)
            assert refused is None or refused.why == "has profile"
            return
        after, name = self.world.copy(), f"owner {next(self.numbers)}"
        after.owners[name], after.browsers[token] = Owner(pet), name
        self.browsers[browser].forgets()
        made = self.do(after, moment, "create", token, pet)
        if made is not None:
            self.ids[name] = made.id

    @step(browser=BROWSERS, other=BROWSERS, moment=MOMENTS)
    def come_with_the_code(self, browser, other, moment):
        token, name = self.browsers[browser].token, self.owner_of(other)
        if name is not None:
            after = self.world.copy()
            after.browsers[token] = name
            self.browsers[browser].forgets()
            self.do(after, moment, "link", token, self.ids[name])

    @step(browser=BROWSERS, moment=MOMENTS)
    def sign_out_the_others(self, browser, moment):
        token, name = self.browsers[browser].token, self.owner_of(browser)
        if name is None:
            return
        after = self.world.copy()
        others = [other for other, owner in after.browsers.items() if owner == name and other != token]
        after.browsers |= dict.fromkeys(others, None)
        count = self.do(after, moment, "sign_out_others", self.ids[name], token)
        assert count in (None, len(others))

    @step(browser=BROWSERS)
    def look_again(self, browser):
        owner = self.world.owners.get(self.owner_of(browser))
        if owner is not None:
            self.browsers[browser].sees(owner)

    # The program

    @step()
    def start_the_program_again(self):
        self.clerk.end()
        self.start()

    @step(seconds=st.sampled_from([0.0, 0.005, 0.01, 0.02, 0.04]))
    def kill_the_program_while_it_opens_the_store(self, seconds):
        self.clerk.kill()
        self.settled()
        Clerk(self.place).kill(seconds)
        self.settled()
        self.start()

    # Buying

    @step(
        browser=BROWSERS,
        items=st.permutations(list(PRICES)),
        sold=st.sampled_from([True, True, True, False]),
        tells=st.booleans(),
        moment=MOMENTS,
    )
    def buy(self, browser, items, sold, tells, moment):
        """Buy the first of these items that is sold to the owner, or the very first."""
        name = self.owner_of(browser)
        if name is None:
            return
        after, revision = self.world.copy(), self.browsers[browser].revision if tells else None
        owner, refused = after.owners[name], None
        item = next((each for each in items if sold and owner.may_buy(each)), items[0])
        if owner.may_buy(item):
            owner.buy(item)
        else:
            refused = Stale if tells and revision != owner.revision else Refused
        if self.do(after, moment, "buy", self.ids[name], item, revision, refused=refused) is not None:
            self.look_again(browser)

    @step(
        browser=BROWSERS,
        cards=st.permutations(MARKET),
        size=st.integers(0, 8),
        owned=st.sampled_from([True, True, True, False]),
        moment=MOMENTS,
    )
    def choose_a_deck(self, browser, cards, size, owned, moment):
        name = self.owner_of(browser)
        if name is None:
            return
        after, refused = self.world.copy(), None
        owner, revision = after.owners[name], self.browsers[browser].revision
        deck = [card for card in cards if f"card:{card}" in owner.items or not owned][:size]
        if deck != owner.deck and revision < owner.deck_revision:
            refused = Stale
        elif not owner.may_have(deck):
            refused = Refused
        else:
            owner.set_deck(deck)
        if self.do(after, moment, "set_deck", self.ids[name], deck, revision, refused=refused) is not None:
            self.look_again(browser)

    # Battles

    @step(
        browser=BROWSERS,
        kind=st.sampled_from(["computer", "computer", "practice"]),
        rival=st.sampled_from([GREAT, GREAT, MOSS]),
        old=st.booleans(),
        moment=MOMENTS,
    )
    def challenge_the_computer(self, browser, kind, rival, old, moment):
        name = self.owner_of(browser)
        if name is not None:
            mine = self.brought(browser, name, old)
            self.challenge(kind, Record((mine, rival)), {name: 0}, moment)

    @step(one=BROWSERS, two=BROWSERS, old=st.booleans(), moment=MOMENTS)
    def challenge_a_friend(self, one, two, old, moment):
        names = [self.owner_of(one), self.owner_of(two)]
        if None not in names and names[0] != names[1]:
            players = (self.brought(one, names[0], False), self.brought(two, names[1], old))
            self.challenge("friend", Record(players), {names[0]: 0, names[1]: 1}, moment)

    def brought(self, browser: int, name: str, old: bool) -> Player:
        """What an owner brings to a battle, perhaps as a browser showed it some time ago."""
        seen = self.browsers[browser].brought
        return seen if old and seen is not None else self.world.owners[name].player()

    def challenge(self, kind: str, record: Record, seats: dict[str, int], moment: float | None) -> None:
        after = self.world.copy()
        fight = Fight(f"battle {next(self.numbers)}", kind, Battle.from_record(record), seats)
        changed = [name for name, side in seats.items() if after.owners[name].player() != record.players[side]]
        refused = None
        if any(map(after.fight_of, seats)):
            refused = Refused
        elif changed and kind != "practice":
            refused = Stale
        else:
            after.fights[fight.id] = fight
        told = seated(fight, self.ids)
        answer = self.do(after, moment, "begin_battle", fight.id, record, kind, told, refused=refused)
        if refused is Stale and answer is not None:
            assert answer.state.id in [self.ids[name] for name in changed]
        if refused is Refused and answer is not None:
            assert answer.subject in [self.ids[name] for name in seats if after.fight_of(name)]

    @step(browser=BROWSERS, turns=st.integers(1, 30), moment=MOMENTS)
    def reveal_turns(self, browser, turns, moment):
        fight = self.fight_of(browser)
        if fight is None:
            return
        after = self.world.copy()
        battle = played(fight.battle.to_record(), len(fight.battle.rounds) + turns)
        after.fights[fight.id] = Fight(fight.id, fight.kind, battle, fight.seats)
        self.do(after, moment, "save_battle", fight.id, battle.to_record())

    def fight_of(self, browser: int) -> Fight | None:
        """The battle of a browser's owner, who begins one for it where there is none; None without an owner."""
        name = self.owner_of(browser)
        if name is not None and self.world.fight_of(name) is None:
            self.challenge_the_computer(browser, "computer", GREAT, False, NEVER)
        return None if name is None else self.world.fight_of(name)

    @step(
        browser=BROWSERS,
        winner=st.integers(0, 1),
        how=st.sampled_from(["beaten", "beaten", "beaten", "left", "idle"]),
        moment=MOMENTS,
    )
    def end_the_battle(self, browser, winner, how, moment):
        fight = self.fight_of(browser)
        if fight is not None:
            self.end(fight, winner, how, moment)

    @step(number=st.integers(0, 99), winner=st.integers(0, 1), moment=MOMENTS)
    def end_a_battle_that_is_over_once_more(self, number, winner, moment):
        over = [fight for fight in self.world.fights.values() if fight.ended]
        if over:
            self.end(over[number % len(over)], winner, "beaten", moment)

    def end(self, fight: Fight, winner: int, how: str, moment: float | None) -> None:
        battle = played(fight.battle.to_record(), 999 if how == "beaten" else 0, winner)
        if not battle.over:
            battle.leave(1 - winner) if how == "left" else battle.end_idle()
        after = self.world.copy()
        ended = after.end(fight, battle, battle.outcome, battle.ended)
        answer = self.do(after, moment, "finish_battle", fight.id, battle.to_record(), battle.outcome, battle.ended)
        if answer is not None:
            assert answer.gold == {self.ids[name]: ended.gold(name) for name in ended.seats}
            assert (answer.outcome, answer.ended) == (ended.outcome, ended.ended)

    @step(browser=BROWSERS, moment=MOMENTS)
    def nobody_plays_for_hours(self, browser, moment):
        if self.fight_of(browser) is None:
            return
        after = self.world.copy()
        for fight in list(after.fights.values()):
            decided = fight.battle.outcome != "unfinished"
            after.end(fight, fight.battle, fight.battle.outcome, "beaten" if decided else "idle")
        self.do(after, moment, "abandon_idle", timedelta(0))

    # What must always hold

    @invariant()
    @noted
    def the_store_says_what_the_model_says(self):
        if self.unseen:
            assert self.look(self.world) == self.told(self.world)
            self.unseen = False


def keep_shop(place: str, settled: Callable[[], None], stories: int, steps: int, anew: bool) -> Counter[str]:
    """Run so many stories of so many steps, `anew` others than last time; how the calls that were killed came out."""
    Shop.place, Shop.settled = place, staticmethod(settled)
    Shop.kills, Shop.times, Shop.wrong = Counter(), {}, None
    size = settings(STEPS, max_examples=stories, stateful_step_count=steps, derandomize=not anew)
    try:
        run_state_machine_as_test(Shop, settings=size)
    except Flaky:
        raise Shop.wrong from None
    return Shop.kills
