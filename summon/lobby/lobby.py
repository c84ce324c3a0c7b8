"""Battles under way, each found again by the profile that plays it, and kept in the store after each reveal."""

from __future__ import annotations

import logging
import random
import secrets
from datetime import timedelta
from threading import RLock
from time import monotonic

from summon import rivals
from summon.battle import Battle
from summon.player import Player
from summon.position import SIDES
from summon.profile import ProfileState, Refused, Why
from summon.store import SavedBattle, Store, StoreError

_log = logging.getLogger(__name__)

IDLE = timedelta(hours=2)
"""After so long without a choice a battle ends (11.4)."""

LOOK_EVERY = 60.0
"""Idle battles are looked for so often, in seconds."""


class LiveBattle:
    """A battle under way, with what the store has to know of it.

    `trouble` is what kept the last save from being done, or None; the next reveal or look tries again.
    """

    def __init__(self, store: Store, saved: SavedBattle, profile_id: str, rng: random.Random) -> None:
        self.id, self.kind, self.profile_id = saved.id, saved.kind, profile_id
        self.side = SIDES.index(saved.seats[profile_id])
        self.battle = Battle.from_record(saved.record)
        self.gold: int | None = None
        self.trouble: StoreError | None = None
        self._store = store
        # Watched first, so that a turn is saved before the rival chooses again and anybody is told.
        self.battle.param.watch(lambda *_: self.keep(), ["turn", "ended"])
        rivals.seat(self.battle, 1 - self.side, rng=rng)

    def keep(self) -> None:
        """11.1, 9.1: save what was revealed, and pay when the battle has ended; a second time changes nothing."""
        battle = self.battle
        try:
            if battle.over:
                done = self._store.finish_battle(self.id, battle.to_record(), battle.outcome, battle.ended)
                self.gold = done.gold.get(self.profile_id, 0)
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
        else:
            self.trouble = None


def unsaved_battle(human: Player, rival_evolved: bool, rng: random.Random | None = None) -> Battle:
    """1.7: a battle against the computer that nothing keeps, the human's side being the first."""
    source = random.SystemRandom() if rng is None else rng
    battle = Battle(human, rivals.computer_player(human, rival_evolved, source))
    rivals.seat(battle, "second", rng=source)
    return battle


class Lobby:
    """The battles of one process, by the profiles that are in them (11.5)."""

    def __init__(self, store: Store, rng: random.Random | None = None) -> None:
        self._store = store
        self._rng = random.SystemRandom() if rng is None else rng
        self._live: dict[str, LiveBattle] = {}
        self._lock = RLock()
        self._look_again = 0.0

    def of(self, profile_id: str) -> LiveBattle | None:
        """The battle that a profile is in, also one that the server was restarted in the middle of; None without.

        Raises StoreError where the store cannot tell.
        """
        with self._lock:
            self._end_idle()
            live = self._live.get(profile_id)
            if live is not None and live.trouble is not None:
                live.keep()
            if live is not None and (not live.battle.over or live.trouble is not None):
                return live
            saved = self._store.unfinished(profile_id)
            return None if saved is None else self._enter(saved, profile_id)

    def ended(self, profile_id: str) -> LiveBattle | None:
        """The battle of a profile that has ended here last, so that a reload shows how; None once another began."""
        live = self._live.get(profile_id)
        return live if live is not None and live.battle.over else None

    def _end_idle(self) -> None:
        """11.4: end what nobody has played for two hours; looked for once a minute, and never in anybody's way."""
        now = monotonic()
        if now < self._look_again:
            return
        self._look_again = now + LOOK_EVERY
        try:
            ended = set(self._store.abandon_idle(IDLE))
        except StoreError as error:
            _log.error("idle battles are not ended: %s", error.operator)
            return
        for live in self._live.values():
            if live.id in ended and not live.battle.over:
                live.battle.end_idle()

    def begin(self, profile: ProfileState, rival_evolved: bool) -> LiveBattle:
        """1.6, 1.7: begin a battle against the computer. Raises Refused, Stale and StoreError as the store does."""
        human = profile.player("you")
        return self._begin(human, rivals.computer_player(human, rival_evolved, self._rng), "computer", profile.id)

    def practise(self, profile: ProfileState, human: Player, rival_evolved: bool) -> LiveBattle:
        """9.3: begin a battle with any pet and cards, which pays nothing. Raises as `begin`."""
        return self._begin(human, rivals.computer_player(human, rival_evolved, self._rng), "practice", profile.id)

    def _begin(self, human: Player, rival: Player, kind: str, profile_id: str) -> LiveBattle:
        with self._lock:
            record = Battle(human, rival).to_record()
            saved = self._store.begin_battle(secrets.token_urlsafe(12), record, kind, {profile_id: "first"})
            return self._enter(saved, profile_id)

    def _enter(self, saved: SavedBattle, profile_id: str) -> LiveBattle:
        live = self._live[profile_id] = LiveBattle(self._store, saved, profile_id, self._rng)
        return live

    def leave(self, profile_id: str) -> None:
        """9.2: leave the battle that a profile is in, if it is in one; that loses it once a turn was revealed."""
        with self._lock:
            live = self.of(profile_id)
            if live is not None and not live.battle.over:
                live.battle.leave(live.side)
            if live is not None and live.trouble is not None:
                raise live.trouble
            self._live.pop(profile_id, None)
