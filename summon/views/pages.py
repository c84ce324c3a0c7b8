"""Every page of the game that is not the board: the first visit, home, the market, the deck, the rulebook and so on.

The pages only show. They are given a `state` with the name of the page and what is on it, and tell what the player did
by messages, which are checked here and handed to `on_action`. No property can be set from the browser.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from itertools import groupby
from typing import Any, ClassVar

import param

from summon import art, rulebook, words
from summon.cards import CARDS, PETS
from summon.market import ITEMS
from summon.player import check_bought, check_pet
from summon.rules import Rules
from summon.views import assets
from summon.views.component import STATIC, Action, Showing, styles, text_of

PLACES = ("welcome", "home", "fight", "practice", "market", "deck", "save", "battles", "rulebook", "friend", "lesson")
"""Where a player may ask to go."""

LARGEST = 999_999_999
"""The largest revision a message may name."""

LONGEST_ADDRESS = 500
"""So many letters of an address are looked at."""

LONGEST_CODE = 500
"""So many letters of a recovery code are looked at, however it was typed."""

LONGEST_BASE = 300
"""So many letters the address that an invitation leads to may have."""

CONTENT, RULEBOOK = "pages.json", "rulebook.json"
"""What the pages' content and the rulebook are served as."""

_NAME = re.compile(r"[A-Za-z0-9_-]{1,64}")
_BASE = re.compile(r"https?://[^\s\"'`<>]+")


def pictures() -> dict[str, str]:
    """Every picture by its name, doors as `door-…`, and the bricks they are built of under "shapes"."""
    return {"shapes": art.shapes(), **art.bundle()}


def content(rules: Rules | None = None) -> dict[str, Any]:
    """All that never changes on the pages, but for the rulebook: words, the pets in pairs, and their healths."""
    rules = Rules() if rules is None else rules
    return {
        "words": words.PAGES,
        "pets": [{"pet": pet.name, "evolved": pet.evolved, "name": words.PET_NAMES[pet.name]} for pet in PETS.values()],
        "health": {"plain": rules.base_health, "evolved": rules.evolved_health},
    }


def sections() -> list[dict[str, Any]]:
    """The rulebook section by section, as its page shows it."""
    return [
        {"title": title, "rules": [{"number": it.number, "text": it.text, "status": it.status} for it in section]}
        for title, section in groupby(rulebook.rules().values(), key=lambda rule: rule.section)
    ]


assets.shelf.add(CONTENT, lambda: text_of(content))
assets.shelf.add(RULEBOOK, lambda: text_of(sections))


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
    return isinstance(value, str) and _NAME.fullmatch(value) is not None


def _is_invite(value: object) -> bool:
    return isinstance(value, str) and _NAME.fullmatch(value) is not None


def _is_base(value: object) -> bool:
    return isinstance(value, str) and len(value) <= LONGEST_BASE and _BASE.fullmatch(value) is not None


def _is_address(value: object) -> bool:
    return isinstance(value, str) and len(value) <= LONGEST_ADDRESS and (value == "" or value.startswith("?"))


def _one_of(names: tuple[str, ...]) -> Callable[[object], bool]:
    return lambda value: isinstance(value, str) and value in names


_MESSAGES: Mapping[str, Mapping[str, Callable[[object], bool]]] = {
    "go": {"page": _one_of(PLACES)},
    "address": {"search": _is_address},
    "choose_pet": {"pet": _is_pet},
    "fight": {"rival_evolved": _is_truth, "sure": _is_truth},
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
    "card": {"card": _one_of(tuple(CARDS))},
    "invite": {"base": _is_base, "sure": _is_truth},
    "withdraw": {},
    "accept": {"invite": _is_invite, "sure": _is_truth},
}
"""Every message that the pages send, with the check of each of its fields."""


class Pages(Showing):
    """All pages but the board. Set `state`, and hear of the player by `on_action`.

    `on_action` is called with each action that passes the check: `go` (page), `address` (search, that the browser went
    back to), `choose_pet` (pet), `fight` (rival_evolved, sure), `resume`, `buy` (item, revision), `deck` (cards,
    revision), `save`, `show_code`, `hide_code`, `replace_code`, `load` (code, sure), `sign_out`, `watch` (battle),
    `record` (battle), `more`, `card` (card: whose page to show), `invite` (base: the address that an invitation leads
    to, sure), `withdraw` and `accept` (invite, sure). The answers `refuse`, `send_card` and `send_record` go to the
    browser once and are not kept.
    """

    content = param.String(
        default="", constant=True, doc="What never changes: `content()` as JSON, or where that is found; sent once."
    )

    rulebook = param.String(
        default="", constant=True, doc="The rulebook's sections as JSON, or where they are found once it is opened."
    )

    address = param.Dict(
        default={},
        doc="What the browser's address says: `search`, as `?page=home`, and whether to `replace` the one it has, so "
        "that Back does not lead to it. What stands here at first always replaces.",
    )

    _bundle = STATIC / "pages.js"

    _stylesheets: ClassVar[list[Any]] = styles(
        "tokens", "board", "motion", "states", "setup", "pages", "moments", "learn"
    )

    _check = staticmethod(checked)

    _pictures = staticmethod(pictures)

    def __init__(self, on_action: Callable[[Action], object] | None = None, **params: Any) -> None:
        params.setdefault("content", assets.address(CONTENT) or text_of(content))
        params.setdefault("rulebook", assets.address(RULEBOOK) or text_of(sections))
        super().__init__(on_action, **params)

    def send_card(self, page: dict[str, Any]) -> None:
        """Answer `card` with the page of that card (`card_page`)."""
        self._send_msg({"type": "card", "page": page})
