"""Every page of the game that is not the board: the first visit, home, the market, the deck, the rulebook and so on.

The pages only show. They are given a `state` with the name of the page and what is on it, and tell what the player did
by messages, which are checked here and handed to `on_action`. No property can be set from the browser.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from functools import cache
from itertools import groupby
from pathlib import Path
from typing import Any, ClassVar

import param
from panel.custom import JSComponent

from summon import art, rulebook, words
from summon.cards import PETS
from summon.market import ITEMS
from summon.player import check_bought, check_pet
from summon.rules import Rules

Action = dict[str, Any]

PLACES = ("welcome", "home", "fight", "practice", "market", "deck", "save", "battles", "rulebook")
"""Where a player may ask to go."""

LARGEST = 999_999_999
"""The largest revision a message may name."""

LONGEST_ADDRESS = 500
"""So many letters of an address are looked at."""

LONGEST_CODE = 500
"""So many letters of a recovery code are looked at, however it was typed."""

_BATTLE = re.compile(r"[A-Za-z0-9_-]{1,64}")

_SIGNS = {
    "practice": "r = red\nw = white\nb = brown\n\n"
    "./rrrrrr\\.\n/rwwwwwwr\\\nrrwrrrrwrr\nrrwrwwrwrr\nrrwrrrrwrr\n\\rwwwwwwr/\n.\\rrrrrr/.\n..bb..bb..\n.bbb..bbb.",
    "market": "r = red\nw = white\nb = brown\nt = tan\ny = yellow\ng = green\n\n"
    "/rrwwrrwwrr\\\nrrrwwrrwwrrr\n\\rrwwrrwwrr/\n.b........b.\n.b.yy..gg.b.\n.b.yy..gg.b.\nbbbbbbbbbbbb\n"
    "bttttttttttb\nbbbbbbbbbbbb",
    "deck": "b = blue\ng = green\nr = red\nw = white\ny = yellow\np = pink\n\n"
    "bbbb........\nbwwb........\nbwwbgggg....\nbbbbgppg....\nbbbbgppgrrrr\nbbbbggggryyr\n....ggggryyr\n"
    "....ggggrrrr\n........rrrr",
    "battles": "y = yellow\no = orange\nb = brown\nd = dark brown\n\n"
    "..yyyyyy..\nyyyyyyyyyy\ny.yyyyyy.y\nyyyyyyyyyy\n..oyyyyo..\n..\\oyyo/..\n....oo....\n...bbbb...\n..dddddd..",
    "save": "b = brown\nd = dark brown\ny = yellow\no = orange\n\n"
    "./bbbbbbbb\\.\n/bbbbbbbbbb\\\nbbbbbbbbbbbb\nyyyyyooyyyyy\ndddddooddddd\ndbbbbyybbbbd\ndbbbbbbbbbbd\n"
    "dddddddddddd",
    "rulebook": "b = blue\nd = dark blue\nw = white\ny = yellow\n\n"
    "bbbbbbbbb.\ndbbbbbbbbw\ndbyyyyybbw\ndbbbbbbbbw\ndbyyyybbbw\ndbbbbbbbbw\ndbbbbbbbbw\ndwwwwwwwww\nddddddddd.",
}
"""What stands on the doors to the pages, as grids of bricks."""


@cache
def _doors() -> dict[str, str]:
    return {f"door-{name}": art.render(grid, source=name) for name, grid in _SIGNS.items()}


def pictures() -> dict[str, str]:
    """Every picture by its name, doors as `door-…`, and the bricks they are built of under "shapes"."""
    return {"shapes": art.shapes(), **art.bundle(), **_doors()}


def content(rules: Rules | None = None) -> dict[str, Any]:
    """All that never changes on the pages: words, the pets in pairs, their healths, and the rulebook."""
    rules = Rules() if rules is None else rules
    return {
        "words": words.PAGES,
        "pets": [{"pet": pet.name, "evolved": pet.evolved, "name": words.PET_NAMES[pet.name]} for pet in PETS.values()],
        "health": {"plain": rules.base_health, "evolved": rules.evolved_health},
        "rulebook": _sections(),
    }


def _sections() -> list[dict[str, Any]]:
    """The rulebook section by section, as its page shows it."""
    return [
        {"title": title, "rules": [{"number": it.number, "text": it.text, "status": it.status} for it in section]}
        for title, section in groupby(rulebook.rules().values(), key=lambda rule: rule.section)
    ]


def checked(message: object) -> Action | None:
    """A message from a browser as an action, or None if it is not exactly what the pages send.

    Only shape and types are checked; whether the action is allowed is for the game to say.
    """
    if not isinstance(message, dict) or not isinstance(message.get("type"), str):
        return None
    fields = _MESSAGES.get(message["type"])
    if fields is None or message.keys() != {"type", *fields}:
        return None
    return dict(message) if all(check(message[name]) for name, check in fields.items()) else None


def _is_pet(value: object) -> bool:
    return _passes(check_pet, value)


def _is_deck(value: object) -> bool:
    return isinstance(value, list) and _passes(check_bought, value)


def _passes(check: Callable[[object], object], value: object) -> bool:
    try:
        check(value)
    except ValueError:
        return False
    return True


def _is_revision(value: object) -> bool:
    return type(value) is int and 0 <= value <= LARGEST


def _is_truth(value: object) -> bool:
    return type(value) is bool


def _is_code(value: object) -> bool:
    return isinstance(value, str) and len(value) <= LONGEST_CODE


def is_battle(value: object) -> bool:
    """Whether a value looks like the id of a battle."""
    return isinstance(value, str) and _BATTLE.fullmatch(value) is not None


def _is_address(value: object) -> bool:
    return isinstance(value, str) and len(value) <= LONGEST_ADDRESS and (value == "" or value.startswith("?"))


def _one_of(names: tuple[str, ...]) -> Callable[[object], bool]:
    return lambda value: isinstance(value, str) and value in names


_MESSAGES: Mapping[str, Mapping[str, Callable[[object], bool]]] = {
    "go": {"page": _one_of(PLACES)},
    "address": {"search": _is_address},
    "choose_pet": {"pet": _is_pet},
    "fight": {"rival_evolved": _is_truth},
    "resume": {},
    "buy": {"item": _one_of(tuple(ITEMS)), "revision": _is_revision},
    "deck": {"cards": _is_deck, "revision": _is_revision},
    "save": {},
    "show_code": {},
    "hide_code": {},
    "replace_code": {},
    "load": {"code": _is_code, "sure": _is_truth},
    "sign_out": {},
    "watch": {"battle": is_battle},
    "record": {"battle": is_battle},
    "more": {},
}
"""Every message that the pages send, with the check of each of its fields."""


@cache
def _art() -> str:
    # A text is shared by all sessions of the process, where a dict would be copied into each.
    return json.dumps(pictures())


@cache
def _content() -> str:
    return json.dumps(content())


class Pages(JSComponent):
    """All pages but the board. Set `state`, and hear of the player by `on_action`.

    `on_action` is called with each action that passes the check: `go` (page), `address` (search, that the browser went
    back to), `choose_pet` (pet), `fight`
    (rival_evolved), `resume`, `buy` (item, revision), `deck` (cards, revision), `save`, `show_code`, `hide_code`,
    `replace_code`, `load` (code, sure), `sign_out`, `watch` (battle), `record` (battle) and `more`. Messages that do
    not pass are dropped and counted in `ignored`. The answers `refuse` and `send_record` go to the browser once and are
    not kept.
    """

    state = param.Dict(default={}, doc="The page and all that is on it; the whole of it, every time.")

    content = param.String(default="", constant=True, doc="What never changes: `content()` as JSON; sent once.")

    art = param.String(default="", constant=True, doc="The pictures by name and `shapes`, as JSON; sent once.")

    address = param.String(default="", doc="What the browser's address says behind the page's name, as `?page=home`.")

    theme: Any = param.Selector(default="auto", objects=["auto", "light", "dark"], doc="auto follows the device.")

    _bundle = Path(__file__).parent / "static" / "pages.js"

    _stylesheets: ClassVar[list[Any]] = [
        Path(__file__).parent / "static" / name
        for name in ("tokens.css", "board.css", "motion.css", "setup.css", "pages.css")
    ]

    def __init__(self, on_action: Callable[[Action], object] | None = None, **params: Any) -> None:
        params.setdefault("margin", 0)
        params.setdefault("sizing_mode", "stretch_width")
        params.setdefault("content", _content())
        params.setdefault("art", _art())
        super().__init__(**params)
        self.on_action = on_action
        self.ignored = 0

    def refuse(self, text: str) -> None:
        """Tell the player why an action was not done; the page lets them try again."""
        self._send_msg({"type": "refused", "text": text})

    def send_record(self, name: str, text: str) -> None:
        """Answer `record`: the browser saves the text as a file of that name."""
        self._send_msg({"type": "record", "name": name, "text": text})

    @property
    def _linked_properties(self) -> tuple[str, ...]:
        # Panel would copy what a browser sets on the model into the parameters; the pages are output only.
        return ()

    def _handle_msg(self, msg: object) -> None:
        action = checked(msg)
        if action is None:
            self.ignored += 1
        elif self.on_action is not None:
            self.on_action(action)
