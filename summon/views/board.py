"""The board of a battle: one component for one seat, drawn in the browser.

The board only shows. It is given a `state` made for its seat and tells what the player did by messages, which are
checked here and handed to `on_action`. No property of it can be set from the browser.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import Any, ClassVar

import param
from panel.custom import JSComponent

from summon import art
from summon.cards import CARDS, WAIT
from summon.words import BOARD

Action = dict[str, Any]

LARGEST = 999_999
"""The largest number a message may hold; turns have no limit of their own (8.5)."""


def pictures() -> dict[str, str]:
    """Every picture by its name, and the shared bricks they are built of under "shapes"."""
    return {"shapes": art.shapes(), **art.bundle()}


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


def _is_of_a_turn(message: Mapping[str, Any]) -> bool:
    return message.keys() == {"type", "turn"} and _number(message["turn"])


def _is_bare(message: Mapping[str, Any]) -> bool:
    return message.keys() == {"type"}


_CHECKS: dict[str, Callable[[Mapping[str, Any]], bool]] = {
    "lock": _is_lock,
    "take_back": _is_of_a_turn,
    "log": _is_bare,
    "record": _is_bare,
    "again": _is_bare,
    "leave": _is_bare,
    "home": _is_bare,
    "next": _is_of_a_turn,
}


@cache
def _art() -> str:
    # A text is shared by all sessions of the process, where a dict would be copied into each.
    return json.dumps(pictures())


class Board(JSComponent):
    """The board of one seat. Set `state`, and hear of the player by `on_action`.

    `on_action` is called with each action that passes the check: `lock` (turn, card, amount), `take_back` (turn),
    `next` (turn, of a battle that is watched), `log`, `record`, `again`, `leave` and `home`. Messages that do not pass
    are dropped and counted in `ignored`. The answers `refuse`, `send_log` and `send_record` go to the browser once and
    are not kept.
    """

    state = param.Dict(default={}, doc="What this seat may see of its battle; the whole of it, every time.")

    art = param.String(default="", constant=True, doc="The pictures by name and `shapes`, as JSON; sent once.")

    words = param.String(default=json.dumps(BOARD), constant=True, doc="The board's fixed words, `BOARD`, as JSON.")

    embedded = param.Boolean(default=False, doc="Whether it is a box of bounded height in a page, as in a notebook.")

    theme: Any = param.Selector(default="auto", objects=["auto", "light", "dark"], doc="auto follows the device.")

    _bundle = Path(__file__).parent / "static" / "board.js"

    _stylesheets: ClassVar[list] = [
        Path(__file__).parent / "static" / name for name in ("tokens.css", "board.css", "motion.css")
    ]

    def __init__(self, on_action: Callable[[Action], object] | None = None, **params: Any) -> None:
        params.setdefault("margin", 0)
        params.setdefault("sizing_mode", "stretch_width")
        params.setdefault("art", _art())
        super().__init__(**params)
        self.on_action = on_action
        self.ignored = 0

    def refuse(self, text: str, rule: str) -> None:
        """Tell the player why an action was not accepted (2.12); the board lets them choose again."""
        self._send_msg({"type": "refused", "text": text, "rule": rule})

    def send_log(self, rounds: list[dict[str, Any]]) -> None:
        """Answer `log`: rounds as `{"turn": 1, "lines": [{"text": …, "rule": …}]}`, oldest first."""
        self._send_msg({"type": "log", "rounds": rounds})

    def send_record(self, name: str, text: str) -> None:
        """Answer `record`: the browser saves the text as a file of that name."""
        self._send_msg({"type": "record", "name": name, "text": text})

    @property
    def _linked_properties(self) -> tuple[str, ...]:
        # Panel would copy what a browser sets on the model into the parameters; the board is output only.
        return ()

    def _handle_msg(self, msg: object) -> None:
        action = checked(msg)
        if action is None:
            self.ignored += 1
        elif self.on_action is not None:
            self.on_action(action)
