"""The page before a battle against the computer: choose a pet, how strong the rival is, and cards to try.

The page only shows what it is given at construction. What the player chose comes as one message, which is checked here
and handed to `on_start`. No property of it can be set from the browser.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import Any, ClassVar, NamedTuple

import param
from panel.custom import JSComponent

from summon import art, words
from summon.cards import MARKET, MAX_BOUGHT, PETS
from summon.player import Player, check_bought, check_pet
from summon.rules import Rules

RIVALS = {"plain": False, "evolved": True}
"""The two rivals there are, and whether they are evolved (1.7)."""


class Choice(NamedTuple):
    """What a player starts a battle with."""

    pet: str
    rival_evolved: bool
    cards: tuple[str, ...]


def checked(message: object) -> Choice | None:
    """A message from a browser as a choice, or None if it is not exactly what the page sends."""
    if not isinstance(message, dict) or message.keys() != {"type", *Choice._fields} or message["type"] != "start":
        return None
    if type(message["rival_evolved"]) is not bool or not isinstance(message["cards"], list):
        return None
    try:
        return Choice(check_pet(message["pet"]), message["rival_evolved"], check_bought(message["cards"]))
    except ValueError:
        return None


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
    return {"shapes": art.shapes(), **{name: art.picture(name) for name in ("summon", "what", *pets, *MARKET)}}


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


@cache
def _art() -> str:
    # A text is shared by all sessions of the process, where a dict would be copied into each.
    return json.dumps(pictures())


@cache
def _content() -> str:
    return json.dumps(content())


class SetUp(JSComponent):
    """The page before a battle. Hear of the player's choice by `on_start`.

    `on_start(pet, rival_evolved, cards)` is called with each choice that passes the check. Messages that do not pass
    are dropped and counted in `ignored`. If the battle cannot start, `refuse` says why and the player may try again.
    """

    content = param.String(default="", constant=True, doc="What the page says: `content()` as JSON; sent once.")

    art = param.String(default="", constant=True, doc="The pictures by name and `shapes`, as JSON; sent once.")

    initial = param.Dict(
        default=None, constant=True, doc="What is chosen at first: `pet`, `rival_evolved` and `cards`; nothing if None."
    )

    note = param.String(default="", constant=True, doc="What is said above all, besides that this is practice.")

    back = param.Boolean(
        default=False, constant=True, doc="Whether there is a way back, and practice is said to be one."
    )

    theme: param.Selector[str] = param.Selector(
        default="auto", objects=["auto", "light", "dark"], doc="auto follows the device."
    )

    _bundle = Path(__file__).parent / "static" / "setup.js"

    _stylesheets: ClassVar[list[Any]] = [
        Path(__file__).parent / "static" / name for name in ("tokens.css", "board.css", "motion.css", "setup.css")
    ]

    def __init__(
        self,
        on_start: Callable[[str, bool, tuple[str, ...]], object] | None = None,
        on_back: Callable[[], object] | None = None,
        **params: Any,
    ) -> None:
        params.setdefault("margin", 0)
        params.setdefault("sizing_mode", "stretch_width")
        params.setdefault("content", _content())
        params.setdefault("art", _art())
        initial = params.get("initial")
        if initial is not None and checked({"type": "start", **initial}) is None:
            raise ValueError(f"initial is a pet, rival_evolved and a list of cards, not {initial!r}")
        super().__init__(**params)
        self.on_start, self.on_back = on_start, on_back
        self.ignored = 0

    def ready(self) -> None:
        """Let the player start again, after the battle that was started last."""
        self._send_msg({"type": "ready"})

    def refuse(self, text: str) -> None:
        """Tell the player why the battle did not start; the page lets them try again."""
        self._send_msg({"type": "refused", "text": text})

    @property
    def _linked_properties(self) -> tuple[str, ...]:
        # Panel would copy what a browser sets on the model into the parameters; the page is output only.
        return ()

    def _handle_msg(self, msg: object) -> None:
        choice = checked(msg)
        if msg == {"type": "back"} and self.on_back is not None:
            self.on_back()
        elif choice is None:
            self.ignored += 1
        elif self.on_start is not None:
            self.on_start(*choice)
