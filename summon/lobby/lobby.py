"""The lobby: the battles and invitations of one process, by the profiles that are in them (11.5)."""

from __future__ import annotations

import logging
import random
import secrets
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from datetime import timedelta
from threading import RLock

from summon import rivals
from summon.battle import Battle
from summon.lobby.invitations import Invitation, Invitations
from summon.lobby.live import LiveBattle, LiveSeat
from summon.player import Player
from summon.position import SIDES
from summon.profile import ProfileState, Refused, Why
from summon.store import SavedBattle, Stale, Store, StoreError

_log = logging.getLogger(__name__)

IDLE = timedelta(hours=2)
"""After so long without a choice a battle ends (11.4)."""

LOOK_EVERY = 60.0
"""Idle battles are looked for so often, in seconds."""


class Lobby:
    """The battles of one process. `clock` gives seconds that only go forward; `soon` is that of `LiveBattle`."""

    def __init__(
        self,
        store: Store,
        rng: random.Random | None = None,
        clock: Callable[[], float] = time.monotonic,
        soon: Callable[[Callable[[], object]], object] | None = None,
    ) -> None:
        self._store, self._clock, self._soon = store, clock, soon
        self._rng = random.SystemRandom() if rng is None else rng
        self._seats: dict[str, LiveSeat] = {}
        self._used: dict[str, LiveBattle] = {}
        self._invitations = Invitations(clock)
        self._lock = RLock()
        self._look_again = clock()

    # Battles

    def of(self, profile_id: str) -> LiveSeat | None:
        """The seat of a profile in the battle that it is in, also one that the server was restarted in the middle of.

        None where it is in none. Raises StoreError where the store cannot tell.
        """
        with self._lock:
            self.look()
            seat = self._seats.get(profile_id)
            if seat is not None and seat.trouble is not None:
                seat.keep()
            if seat is not None and (not seat.battle.over or seat.trouble is not None):
                return seat
            saved = self._store.unfinished(profile_id)
            return None if saved is None else self._enter(saved).seats[profile_id]

    def ended(self, profile_id: str) -> LiveSeat | None:
        """The seat in the battle that a profile has ended here last, to show how; None once another began."""
        seat = self._seats.get(profile_id)
        return seat if seat is not None and seat.battle.over else None

    def look(self) -> None:
        """11.4: end what nobody has played for two hours; looked for once a minute, and never in anybody's way."""
        now = self._clock()
        with self._lock:
            if now < self._look_again:
                return
            self._look_again = now + LOOK_EVERY
            self._invitations.expire()
            try:
                ended = set(self._store.abandon_idle(IDLE))
            except StoreError as error:
                _log.error("idle battles are not ended: %s", error.operator)
                return
            for live in {seat.live for seat in self._seats.values()}:
                if live.id in ended and not live.battle.over:
                    live.battle.end_idle()
            self._forget(now - IDLE.total_seconds())

    def _forget(self, before: float) -> None:
        """Let go of what ended so long ago that nobody looks at its end any more."""

        def is_old(live: LiveBattle) -> bool:
            return live.ended_at is not None and live.ended_at <= before and live.trouble is None

        self._seats = {profile_id: seat for profile_id, seat in self._seats.items() if not is_old(seat.live)}
        self._used = {name: live for name, live in self._used.items() if live.ended_at is None}

    def begin(self, profile: ProfileState, rival_evolved: bool) -> LiveSeat:
        """1.6, 1.7: begin a battle against the computer. Raises Refused, Stale and StoreError as the store does."""
        human = profile.player("you")
        rival = rivals.computer_player(human, rival_evolved, self._rng)
        return self._begin((human, rival), "computer", {profile.id: "first"}).seats[profile.id]

    def practise(self, profile: ProfileState, human: Player, rival_evolved: bool) -> LiveSeat:
        """9.3: begin a battle with any pet and cards, which pays nothing. Raises as `begin`."""
        rival = rivals.computer_player(human, rival_evolved, self._rng)
        return self._begin((human, rival), "practice", {profile.id: "first"}).seats[profile.id]

    def _begin(self, players: tuple[Player, Player], kind: str, seats: Mapping[str, str]) -> LiveBattle:
        with self._lock:
            record = Battle(*players).to_record()
            saved = self._store.begin_battle(secrets.token_urlsafe(12), record, kind, seats)
            before = [self._seats[profile_id] for profile_id in seats if profile_id in self._seats]
            live = self._enter(saved)
            for seat in before:
                # Who plays on with somebody else must not be called back when that is over.
                self.rematch(seat, wish=False)
            for profile_id in seats:
                # 11.5: who is in a battle cannot take a guest.
                self.withdraw(profile_id)
            return live

    def _enter(self, saved: SavedBattle) -> LiveBattle:
        live = LiveBattle(self._store, saved, self._rng, self._clock, self._soon)
        self._seats.update(live.seats)
        return live

    def leave(self, profile_id: str) -> None:
        """9.2: leave the battle that a profile is in, if it is in one; that loses it once a turn was revealed."""
        with self._lock:
            seat = self.of(profile_id)
            if seat is not None and not seat.battle.over:
                seat.leave()
            if seat is not None and seat.trouble is not None:
                raise seat.trouble
            ended = self._seats.pop(profile_id, None)
            if ended is not None:
                self.rematch(ended, wish=False)

    def counts(self) -> dict[str, int]:
        """How many battles are under way here and how many invitations are open."""
        under_way = {seat.id for seat in self._seats.values() if not seat.battle.over}
        return {"battles": len(under_way), "invitations": len(self._invitations)}

    # Friends

    def invite(self, profile_id: str) -> Invitation:
        """1.8: the open invitation of a profile, a new one where it has none.

        Refused where the profile is in a battle (11.5).
        """
        with self._lock:
            if self.of(profile_id) is not None:
                raise Refused(Why.IN_BATTLE, "11.5", profile_id)
            return self._invitations.make(profile_id)

    def invitation(self, profile_id: str) -> Invitation | None:
        """The open invitation that a profile has made, or None."""
        return self._invitations.of(profile_id)

    def minutes_left(self, invitation: Invitation) -> int:
        """How long an invitation is still open, in whole minutes."""
        return self._invitations.minutes_left(invitation)

    def withdraw(self, profile_id: str) -> None:
        """Take a profile's open invitation back, if it has one."""
        with self._lock:
            found = self._invitations.of(profile_id)
            if found is not None:
                self._invitations.close(found, "withdrawn")

    def find(self, invitation_id: str) -> Invitation | None:
        """The open invitation of this id; None where it is unknown, used, withdrawn or expired."""
        return self._invitations.find(invitation_id)

    def joined(self, invitation_id: str, profile_id: str) -> bool:
        """Whether a profile is in the battle that this invitation has begun."""
        live = self._used.get(invitation_id)
        return live is not None and profile_id in live.seats and not live.battle.over

    def accept(self, invitation_id: str, profile_id: str) -> LiveSeat:
        """1.8: begin the battle of an open invitation with the profile that accepts it; the host is the first side.

        Who has accepted it already is given the same seat again. Refused for one's own invitation, one that is not
        open, and where one of both is in another battle (11.5). Raises StoreError as the store does.
        """
        with self._lock:
            if self.joined(invitation_id, profile_id):
                return self._used[invitation_id].seats[profile_id]
            invitation = self.find(invitation_id)
            if invitation is None:
                raise Refused(Why.NOT_INVITED, "1.8")
            if invitation.host == profile_id:
                raise Refused(Why.OWN_INVITATION, "11.5")
            with self._invitations.using(invitation):
                live = self._match(invitation.host, profile_id, asked=profile_id)
                self._used[invitation_id] = live
            return live.seats[profile_id]

    def rematch(self, seat: LiveSeat, wish: bool = True) -> None:
        """Wish for another battle against the same friend, or no longer; it begins when both wish for it.

        Refused where the friend is in another battle by now (11.5). Raises StoreError as the store does.
        """
        live, friend = seat.live, seat.friend
        with self._lock:
            if friend is None or not live.battle.over or live.successor is not None:
                return
            wishes = tuple(wish if side == seat.side else other for side, other in enumerate(live.wishes))
            if not wish:
                live.set(wishes=wishes)
                return
            if not all(wishes):
                self._check_free(friend.profile_id)
                live.set(wishes=wishes)
                return
            first, second = sorted(live.seats.values(), key=lambda one: one.side)
            live.set(successor=self._match(first.profile_id, second.profile_id, asked=seat.profile_id))

    def _check_free(self, friend: str) -> None:
        if self.of(friend) is not None:
            raise Refused(Why.FRIEND_BUSY, "11.5")

    def _match(self, first: str, second: str, asked: str) -> LiveBattle:
        """Begin a battle of two profiles as they are now (1.6)."""
        try:
            with suppress(Stale):
                return self._begin_friends(first, second)
            # One of them has bought something since it was read.
            return self._begin_friends(first, second)
        except Refused as refused:
            if refused.why is Why.IN_BATTLE and refused.subject != asked:
                raise Refused(Why.FRIEND_BUSY, "11.5") from None
            raise

    def _begin_friends(self, first: str, second: str) -> LiveBattle:
        players = (self._store.get(first).player("host"), self._store.get(second).player("guest"))
        return self._begin(players, "friend", dict(zip((first, second), SIDES, strict=True)))
