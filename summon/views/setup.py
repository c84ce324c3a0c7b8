"""The page before a battle against the computer: choose a pet, how strong the rival is, and cards to try.

The page only shows what it is given. What the player chose comes as one message, which is checked here and handed to
`on_start`. No property of it can be set from the browser.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, ClassVar

import param

from summon import art, words
from summon.cards import MARKET, MAX_BOUGHT, PETS
from summon.player import Player, check_bought, check_pet
from summon.rules import Rules
from summon.views.component import STATIC, Action, Component, styles, text_of

RIVALS = {"plain": False, "evolved": True}
"""The two rivals there are, and whether they are evolved (1.7)."""


def checked(message: object) -> Action | None:
    """A message from a browser as an action, or None if it is not exactly what the page sends.

    The actions are `start`, `back` and `lesson`.
    """
    if not isinstance(message, dict):
        return None
    return dict(message) if message in ({"type": "back"}, {"type": "lesson"}) or _is_start(message) else None


def _is_start(message: Mapping[str, Any]) -> bool:
    if message.keys() != {"type", "pet", "rival_evolved", "cards"} or message["type"] != "start":
        return False
    if type(message["rival_evolved"]) is not bool or not isinstance(message["cards"], list):
        return False
    try:
        check_pet(message["pet"])
        check_bought(message["cards"])
    except ValueError:
        return False
    return True


def content(rules: Rules | None = None) -> dict[str, Any]:
    """All that the page says, with the numbers of these rules: words, pets, rivals and cards."""
    rules = Rules() if rules is None else rules
    numbers = {name: _first(getattr(rules, name)) for name in Rules.names()}
    return {
        "words": words.SETUP,
        "pets": [_pet(name, numbers) for name in PETS],
        "rivals": [_rival(name, numbers) for name in RIVALS],
        "cards": [_card(name, rules) for name in MARKET],
        "most": MAX_BOUGHT,
    }


def pictures() -> dict[str, str]:
    """The pictures that the page shows, by name, and the bricks they are built of under "shapes"."""
    pets = (name for pet in PETS.values() for name in (pet.name, pet.evolved))
    return {"shapes": art.shapes(), **{name: art.picture(name) for name in ("summon", "what", "coach", *pets, *MARKET)}}


def _first(value: Any) -> Any:
    return value[0] if isinstance(value, tuple) else value


def _pet(name: str, numbers: Mapping[str, Any]) -> dict[str, str]:
    pet = PETS[name]
    return {
        "pet": name,
        "name": words.PET_NAMES[name],
        "evolved": pet.evolved,
        "evolved_name": words.PET_NAMES[pet.evolved],
        "wild": pet.wild,
        "does": words.SETUP[name].format(**numbers),
    }


def _rival(name: str, numbers: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "rival": name,
        "name": words.SETUP[name],
        "line": words.SETUP[f"{name}_line"].format(**numbers),
        "health": numbers["evolved_health" if RIVALS[name] else "base_health"],
        "evolved": RIVALS[name],
    }


def _card(name: str, rules: Rules) -> dict[str, str]:
    anyone = rules.setup(Player("", next(iter(PETS))))
    line = words.SETUP["wild_any"] if name == "wild" else words.card_line(name, anyone, False)
    return {"card": name, "name": words.CARD_NAMES[name], "line": line}


class SetUp(Component):
    """The page before a battle. Hear of the player's choice by `on_start`, and other ways by `on_back`, `on_lesson`.

    `on_start(pet, rival_evolved, cards)` is called with each choice that passes the check. If the battle cannot start,
    `refuse` says why and the player may try again.
    """

    content = param.String(default="", constant=True, doc="What the page says: `content()` as JSON; sent once.")

    initial = param.Dict(
        default=None, constant=True, doc="What is chosen at first: `pet`, `rival_evolved` and `cards`; nothing if None."
    )

    note = param.String(default="", constant=True, doc="What is said above all, besides that this is practice.")

    back = param.Boolean(
        default=False, constant=True, doc="Whether there is a way back, and practice is said to be one."
    )

    leaving = param.String(default="", doc="What starting means for a battle under way; asked before, unless empty.")

    _bundle = STATIC / "setup.js"

    _stylesheets: ClassVar[list[Any]] = styles("tokens", "board", "motion", "setup", "moments", "learn")

    _check = staticmethod(checked)

    _pictures = staticmethod(pictures)

    def __init__(
        self,
        on_start: Callable[[str, bool, tuple[str, ...]], object] | None = None,
        on_back: Callable[[], object] | None = None,
        on_lesson: Callable[[], object] | None = None,
        **params: Any,
    ) -> None:
        initial = params.get("initial")
        if initial is not None and not _is_start({"type": "start", **initial}):
            raise ValueError(f"initial is a pet, rival_evolved and a list of cards, not {initial!r}")
        params.setdefault("content", text_of(content))
        super().__init__(self._act, **params)
        self.on_start, self.on_back, self.on_lesson = on_start, on_back, on_lesson

    def _act(self, action: Action) -> None:
        if action["type"] in ("back", "lesson"):
            go = self.on_back if action["type"] == "back" else self.on_lesson
            if go is not None:
                go()
        elif self.on_start is not None:
            self.on_start(action["pet"], action["rival_evolved"], tuple(action["cards"]))

    def ready(self) -> None:
        """Let the player start again, after the battle that was started last."""
        self._send_msg({"type": "ready"})
