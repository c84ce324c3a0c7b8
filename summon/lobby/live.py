"""A battle under way: its seats, who is there, and what the store has to know of it."""

from __future__ import annotations

import logging
import random
from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager
from threading import RLock

import param

from summon import rivals
from summon.battle import Battle, BattleError, IllegalChoice
from summon.lobby.seat import Seat
from summon.position import SIDES
from summon.profile import Refused, Why
from summon.store import SavedBattle, Store, StoreError, Trouble

_log = logging.getLogger(__name__)

AWAY = 12.0
"""Who was not heard of for so long, in seconds, is away; a page that is looked at is heard of every few seconds."""

TOUCH_EVERY = 60.0
"""A choice is noted in the store so often, in seconds, so that its battle is not idle (11.4)."""


class LiveBattle(param.Parameterized):
    """A battle under way, of one profile against the computer or of two.

    Its parameters tell both seats what is going on around the battle; the battle itself is `battle`. `soon` does
    something in a moment, before which both players can be told that they have locked in; without it a turn is revealed
    at once.
    """

    present = param.Tuple(default=(False, False), constant=True, doc="Which side's player is looking at the battle.")
    wishes = param.Tuple(default=(False, False), constant=True, doc="Which side would like another battle.")
    successor = param.Parameter(default=None, constant=True, doc="The battle that both went on with, or None.")

    def __init__(
        self,
        store: Store,
        saved: SavedBattle,
        rng: random.Random,
        clock: Callable[[], float],
        soon: Callable[[Callable[[], object]], object] | None = None,
    ) -> None:
        super().__init__()
        self.id, self.kind = saved.id, saved.kind
        self.battle = Battle.from_record(saved.record)
        self.trouble: StoreError | None = None
        """What kept the last save from being done; the next reveal or look tries again."""
        self.ended_at: float | None = None
        """When it ended, on the lobby's clock; None while it goes on."""
        # Against the computer there is nobody else to be told.
        self._store, self._clock, self._soon = store, clock, soon if len(saved.seats) == 2 else None
        self._lock = RLock()
        # Found again after a restart, it may have been idle for long, so the first choice is noted.
        self._touched = clock() - TOUCH_EVERY
        self._heard: tuple[dict[Hashable, float], dict[Hashable, float]] = ({}, {})
        self.seats = {profile_id: LiveSeat(self, side, profile_id) for profile_id, side in saved.seats.items()}
        # Watched first, so that a turn is saved before the rival chooses again and anybody is told.
        self.battle.param.watch(lambda *_: self.keep(), ["turn", "ended"])
        for side in {0, 1} - {seat.side for seat in self.seats.values()}:
            rivals.seat(self.battle, side, rng=rng)

    def set(self, **values: object) -> None:
        """Set parameters, and tell whoever watches them if anything has changed."""
        with param.edit_constant(self):
            self.param.update(**values)

    # Kept in the store

    def keep(self) -> None:
        """11.1, 9.1: save what was revealed, and pay when the battle has ended; a second time changes nothing."""
        battle = self.battle
        if battle.over and self.ended_at is None:
            self.ended_at = self._clock()
        try:
            if battle.over:
                done = self._store.finish_battle(self.id, battle.to_record(), battle.outcome, battle.ended)
                for profile_id, seat in self.seats.items():
                    seat.gold = done.gold.get(profile_id, 0)
            elif battle.last is not None:
                self._store.save_battle(self.id, battle.to_record())
        except Refused as refused:
            # Another process has ended it, by idle time.
            if refused.why is not Why.BATTLE_OVER:
                raise
            if not battle.over:
                battle.end_idle()
        except StoreError as error:
            _log.error("battle %s is not saved: %s", self.id, error.operator)
            self.trouble = error
        except Exception as error:
            # Whatever it is, the players go on, and the record is there for whoever mends it.
            _log.exception("battle %s cannot be saved: %s", self.id, battle.to_record().to_json())
            self.trouble = StoreError(Trouble.FAILED, self._store.place, str(error))
        else:
            self.trouble = None

    def complete(self, side: int, card: str, amount: int | None) -> None:
        """Choose for a side when the other is in, and reveal; raises as `Battle.choose`, changing nothing."""
        if self._soon is None:
            with self._ends_if_broken():
                self.battle.complete(side, card, amount)
        else:
            self.battle.choose(side, card, amount)
            self._soon(self.reveal)

    def reveal(self) -> None:
        """1.5: reveal the turn in play if both are still in."""
        with self._lock, self._ends_if_broken():
            if all(self.battle.committed):
                self.battle.reveal()

    @contextmanager
    def _ends_if_broken(self) -> Iterator[None]:
        """A fault of the program ends this battle without a winner, and touches nothing else."""
        try:
            yield
        except (BattleError, IllegalChoice):
            raise
        except Exception:
            record = self.battle.to_record().to_json()
            _log.exception("battle %s broke at turn %d: %s", self.id, self.battle.turn, record)
            if not self.battle.over:
                self.battle.end_broken()

    def touch(self) -> None:
        """11.4: note that somebody has chosen, though not at every choice."""
        now = self._clock()
        if now - self._touched < TOUCH_EVERY or self.battle.over:
            return
        try:
            self._store.touch_battle(self.id)
        except StoreError as error:
            _log.error("a choice in battle %s is not noted: %s", self.id, error.operator)
        else:
            self._touched = now

    # Who is there

    def heard(self, side: int, tab: Hashable, here: bool) -> None:
        """Note that a side's player looks at the battle in this tab, or does not any more."""
        with self._lock:
            if here:
                self._heard[side][tab] = self._clock()
            else:
                self._heard[side].pop(tab, None)
            self.look()

    def look(self) -> None:
        """See who has not been heard of for too long, and tell if anything has changed."""
        with self._lock:
            since = self._clock() - AWAY
            for tabs in self._heard:
                # Let go of: a tab that was closed without a word is not heard of again.
                for tab in [tab for tab, when in tabs.items() if when <= since]:
                    del tabs[tab]
            present = tuple(map(bool, self._heard))
            if present != self.present:
                self.set(present=present)


class LiveSeat(Seat):
    """A profile's seat in a battle under way, whichever of its tabs and devices acts.

    `gold` is what was paid to it once the battle has ended, else None.
    """

    def __init__(self, live: LiveBattle, side: str, profile_id: str) -> None:
        super().__init__(live.battle, SIDES.index(side))
        self.live, self.profile_id = live, profile_id
        self.gold: int | None = None

    @property
    def id(self) -> str:
        """The id of the battle."""
        return self.live.id

    @property
    def kind(self) -> str:
        """What kind of battle it is: `computer`, `friend` or `practice`."""
        return self.live.kind

    @property
    def trouble(self) -> StoreError | None:
        """What kept the last save from being done, or None."""
        return self.live.trouble

    @property
    def friend(self) -> LiveSeat | None:
        """The seat of the other player; None against the computer."""
        return next((seat for seat in self.live.seats.values() if seat is not self), None)

    @property
    def friend_is_here(self) -> bool:
        """Whether the other player is looking at the battle."""
        return bool(self.live.present[1 - self.side])

    def choose(self, card: str, amount: int | None = None) -> None:
        """1.5: commit a choice; once the other side is in, the reveal follows. Raises as `Battle.choose` does."""
        with self.live._lock:
            super().choose(card, amount)
            self.live.touch()

    def _complete(self, card: str, amount: int | None) -> None:
        self.live.complete(self.side, card, amount)

    def keep(self) -> None:
        """Try again to save what could not be saved."""
        self.live.keep()

    def heard(self, tab: Hashable, here: bool = True) -> None:
        """Note that the player looks at the battle in this tab, or does not any more."""
        self.live.heard(self.side, tab, here)

    def __repr__(self) -> str:
        return f"<LiveSeat {self.side} of battle {self.id}>"
