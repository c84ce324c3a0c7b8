"""The board of a battle: one component for one seat, drawn in the browser.

The board only shows. It is given a `state` made for its seat and tells what the player did by messages, which are
checked here and handed to `on_action`. No property of it can be set from the browser.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any, ClassVar

import param

from summon import art
from summon.cards import CARDS, WAIT
from summon.views.component import STATIC, Action, Showing, styles
from summon.words import BOARD

LARGEST = 999_999
"""The largest number a message may hold; turns have no limit of their own (8.5)."""


def pictures() -> dict[str, str]:
    """Every picture of a board by its name, and the shared bricks they are built of under "shapes"."""
    return {"shapes": art.shapes(), **art.bundle("pets", "cards", "letters", "states")}


def checked(message: object) -> Action | None:
    """A message from a browser as an action, or None if it is not exactly what the board sends.

    Only shape and types are checked; whether the action is allowed is for the battle to say.
    """
    if not isinstance(message, dict) or not isinstance(message.get("type"), str):
        return None
    check = _CHECKS.get(message["type"])
    return dict(message) if check is not None and check(message) else None


def _number(value: object, least: int = 1) -> bool:
    return type(value) is int and least <= value <= LARGEST


def _is_lock(message: Mapping[str, Any]) -> bool:
    if message.keys() != {"type", "turn", "card", "amount"} or not _number(message["turn"]):
        return False
    card, amount = message["card"], message["amount"]
    if not isinstance(card, str) or not (card in CARDS or card == WAIT.name):
        return False
    return _number(amount) if card == "sacrifice" else amount is None


def _is_card(message: Mapping[str, Any]) -> bool:
    return message.keys() == {"type", "card"} and isinstance(message["card"], str) and message["card"] in CARDS


def _is_of_a_turn(message: Mapping[str, Any]) -> bool:
    return message.keys() == {"type", "turn"} and _number(message["turn"])


def _is_here(message: Mapping[str, Any]) -> bool:
    return message.keys() == {"type", "here"} and type(message["here"]) is bool


def _is_bare(message: Mapping[str, Any]) -> bool:
    return message.keys() == {"type"}


_CHECKS: dict[str, Callable[[Mapping[str, Any]], bool]] = {
    "lock": _is_lock,
    "take_back": _is_of_a_turn,
    "card": _is_card,
    "log": _is_bare,
    "record": _is_bare,
    "again": _is_bare,
    "rematch": _is_bare,
    "leave": _is_bare,
    "home": _is_bare,
    "next": _is_of_a_turn,
    "here": _is_here,
}


class Board(Showing):
    """The board of one seat. Set `state`, and hear of the player by `on_action`.

    `on_action` is called with each action that passes the check: `lock` (turn, card, amount), `take_back` (turn),
    `next` (turn, of a battle that is watched), `here` (here: whether somebody looks at it), `card` (card: whose page to
    show), `log`, `record`, `again`, `rematch`, `leave` and `home`. The answers `refuse`, `send_log`, `send_card` and
    `send_record` go to the browser once and are not kept.
    """

    words = param.String(default=json.dumps(BOARD), constant=True, doc="The board's fixed words, `BOARD`, as JSON.")

    embedded = param.Boolean(default=False, doc="Whether it is a box of bounded height in a page, as in a notebook.")

    _bundle = STATIC / "board.js"

    _stylesheets: ClassVar[list[Any]] = styles("tokens", "board", "motion", "states", "moments", "learn")

    _check = staticmethod(checked)

    _pictures = staticmethod(pictures)

    def count(self, turn: int) -> None:
        """1.5: both have locked in, so the countdown begins; what happened in the turn comes with the next `state`."""
        self._send_msg({"type": "count", "turn": turn})

    def send_log(self, rounds: list[dict[str, Any]]) -> None:
        """Answer `log`: rounds as `{"turn": 1, "lines": [{"text": …, "rule": …}]}`, oldest first."""
        self._send_msg({"type": "log", "rounds": rounds})

    def send_card(self, page: dict[str, Any]) -> None:
        """Answer `card` with the page of that card (`card_page`)."""
        self._send_msg({"type": "card", "page": page})
