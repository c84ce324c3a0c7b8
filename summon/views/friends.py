"""The link of an invitation, and the square picture that another device can read it from (1.8)."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlsplit

import segno

from summon import lan
from summon.views import reach


def shown(invitation_id: str, base: str, minutes: int) -> dict[str, Any]:
    """What the page of an invitation shows.

    `base` is the address of the game in the inviting browser. `url` is the link, `squares` its QR code as rows of `1`
    (dark) and `0`, `nearby` whether other devices can open it, and `minutes` how long it still works.
    """
    url, nearby = link(invitation_id, base)
    return {"id": invitation_id, "url": url, "squares": squares(url), "nearby": nearby, "minutes": minutes}


def link(invitation_id: str, base: str) -> tuple[str, bool]:
    """The link of an invitation, and whether another device can open it.

    Where the inviting browser is on the server's own machine, the link leads to an address in the network, if the game
    can be reached by one.
    """
    nearby = True
    if lan.is_only_here(urlsplit(base).hostname or ""):
        known = reach.addresses()
        base, nearby = (known[0], True) if known else (base, False)
    return f"{base}?join={invitation_id}", nearby


def squares(text: str) -> list[str]:
    """The QR code of a text, without its quiet border, as rows of `1` (dark) and `0` (light)."""
    code = segno.make(text, error="m", micro=False)
    return ["".join("1" if square else "0" for square in row) for row in code.matrix]
