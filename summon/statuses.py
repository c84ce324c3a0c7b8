"""What is known of a pet besides its health: its statuses, each with its rule and its sentence."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from summon import words
from summon.position import RESTING, ahead
from summon.turn import Setup, Side


class Status(NamedTuple):
    """One status of a pet.

    `id` tells it from every other one, `card` is the card behind it, `badge` its number (empty where it has none),
    `text` a sentence, and `rule` the number of its rule.
    """

    id: str
    card: str
    badge: str
    text: str
    rule: str


def statuses(setup: Setup, side: Side, now: int, called: str) -> list[Status]:
    """The statuses of a side on turn `now`; `called` is what its pet is called in the middle of a sentence."""
    return list(_statuses(setup, side, now, called))


def _statuses(setup: Setup, side: Side, now: int, called: str) -> Iterator[Status]:
    bonus = setup.refreshment_bonus

    def status(kind: str, card: str, badge: str, status_id: str | None = None, **told: Any) -> Status:
        rule, text = words.status(kind, called, **told)
        return Status(status_id or kind, card, badge, text, rule)

    if poison := ahead(side, "poison"):
        yield status("poison", "poison", str(poison[0]), amounts=poison)
    if side.blinded:
        yield status("blinded", "blind", "")
    if side.restricted:
        yield status("restricted", "hide", "")
    if shield := ahead(side, "shield"):
        yield status("shield", "shield", str(shield[0]), amounts=shield)
    if block := ahead(side, "block"):
        yield status("block", "wild", str(block[0]), amounts=block)
    if side.boosted:
        yield status("boosted", "refreshment", f"+{bonus}", number=bonus)
    for card in RESTING:
        until = getattr(side, f"{card}_ready")
        if until > now:
            yield status(card, card, str(until - now), f"waiting-{card}", number=until)
    if side.wild_used:
        yield status("wild_used", "wild", "", "wild-used")
    if side.revive_used:
        yield status("revive_used", "revive", "", "revive-used")
