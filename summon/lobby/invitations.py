"""Invitations to play with a friend: each is a link that works once (1.8)."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import param

LASTS = 2 * 60 * 60.0
"""An invitation is open for so long, in seconds."""


class Invitation(param.Parameterized):
    """A profile's wish to play with whoever opens its link.

    Whoever watches `state` is told when a friend has come.
    """

    id = param.String(constant=True, doc="96 random bits, which nobody can guess.")
    host = param.String(constant=True, doc="The id of the profile that invites.")
    closes = param.Number(constant=True, doc="When it expires, on the lobby's clock in seconds.")
    state: param.Selector[str] = param.Selector(
        default="open", objects=["open", "used", "withdrawn", "expired"], constant=True, doc="What has become of it."
    )

    def become(self, state: str) -> None:
        """Close it: `used`, `withdrawn` or `expired`. What is closed stays as it is."""
        if self.state == "open":
            with param.edit_constant(self):
                self.state = state


class Invitations:
    """The open invitations of one process, at most one a profile, on a clock that gives seconds."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._open: dict[str, Invitation] = {}

    def __len__(self) -> int:
        return len(self._open)

    def make(self, host: str) -> Invitation:
        """The open invitation of a profile: the one it has, or a new one."""
        found = self.of(host)
        if found is None:
            found = Invitation(id=secrets.token_urlsafe(12), host=host, closes=self._clock() + LASTS)
            self._open[found.id] = found
        return found

    def of(self, host: str) -> Invitation | None:
        """The open invitation of a profile, or None."""
        self.expire()
        return next((one for one in self._open.values() if one.host == host), None)

    def find(self, invitation_id: str) -> Invitation | None:
        """The open invitation of this id, or None, be it unknown or closed."""
        self.expire()
        return self._open.get(invitation_id)

    def close(self, invitation: Invitation, state: str) -> None:
        """Close an invitation as `used`, `withdrawn` or `expired`, which tells whoever watches it."""
        self._open.pop(invitation.id, None)
        invitation.become(state)

    @contextmanager
    def using(self, invitation: Invitation) -> Iterator[None]:
        """Close an invitation as `used` if what is done with it succeeds; it stays open where that raises."""
        del self._open[invitation.id]
        try:
            yield
        except BaseException:
            self._open[invitation.id] = invitation
            raise
        invitation.become("used")

    def minutes_left(self, invitation: Invitation) -> int:
        """How long an invitation is still open, in whole minutes, at least 1."""
        return max(1, round((invitation.closes - self._clock()) / 60))

    def expire(self) -> None:
        """Close what has been open for too long."""
        now = self._clock()
        for one in [one for one in self._open.values() if one.closes <= now]:
            self.close(one, "expired")
