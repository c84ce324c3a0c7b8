"""An easel on which to draw a pet of one's own: its bricks and its grid text side by side, both to be changed.

The browser shows the drawing and says where somebody tapped or what they typed; everything is checked and done here, by
`summon.art`, which makes the picture. So the same drawing can be changed from Python, as in a notebook.
"""

from __future__ import annotations

import json
import re
import secrets
from collections.abc import Callable, Mapping
from typing import Any, ClassVar

import panel as pn
import param

from summon import art, rivals, words
from summon.art.colours import colours
from summon.art.grid import MAX_SIDE, MAX_TEXT, GridError
from summon.art.prints import PRINTS
from summon.art.sketch import STAMPS, Sketch, brushes
from summon.cards import PETS
from summon.lobby import Seat
from summon.player import Player
from summon.views.board import Board
from summon.views.component import STATIC, Action, Showing, styles, text_of
from summon.views.play import PAGE
from summon.views.seat import seat_view
from summon.views.seated import SeatedBoard

LONGEST_TITLE = 24
"""So many letters the name of a drawing may have."""

STEPS_BACK = 200
"""So many changes can be taken back."""

MOST_PLACES = MAX_SIDE * MAX_SIDE
"""So many places may be painted at once."""

LARGEST = 999_999_999
"""The largest number that what was typed may have."""

DRAWN = "drawing"
"""The name under which a board finds the picture."""

_GROUNDS = {"spot": "teal", "bolt": "purple", "plus": "red", "skull": "purple", "shield": "blue", "star": "blue"}
"""On what the prints are shown that would not be seen on light yellow."""


def pictures() -> dict[str, str]:
    """The pets to start from, and the bricks that all pictures are built of under "shapes"."""
    return {"shapes": art.shapes(), **art.bundle("pets")}


def content() -> dict[str, Any]:
    """All that never changes on the easel: its words, and what there is to paint with and to start from."""
    return {
        "words": words.EASEL,
        "colours": [
            {"name": name, "hex": value, "picture": art.render(f"a = {name}\n\naa")}
            for name, value in colours().items()
        ],
        "prints": [{"name": name, "size": STAMPS[name], "picture": _tile(name)} for name in PRINTS],
        "pets": [{"pet": name, "name": words.PET_NAMES[name]} for name in _pets()],
        "fighters": [{"pet": name, "name": words.PET_NAMES[name]} for name in PETS],
        "longest": {"title": LONGEST_TITLE, "text": MAX_TEXT},
    }


def _tile(name: str) -> str:
    """A print on a tile of the size in which it is stamped, on a ground on which it is seen."""
    wide, high = STAMPS[name]
    ground = _GROUNDS.get(name, "light yellow")
    return art.render("\n".join([f"a = {name} on {ground}", "", *["a" * wide] * high]))


def _pets() -> list[str]:
    """The pets of the game, each before what it grows into."""
    return [name for pet in PETS.values() for name in (pet.name, pet.evolved)]


def checked(message: object) -> Action | None:
    """A message from a browser as an action, or None if it is not exactly what the easel sends."""
    if not isinstance(message, dict) or not isinstance(message.get("type"), str):
        return None
    check = _CHECKS.get(message["type"])
    return dict(message) if check is not None and check(message) else None


def _is_paint(message: Mapping[str, Any]) -> bool:
    if message.keys() != {"type", "places", "brush", "colour", "mirrored"}:
        return False
    places, brush, colour = message["places"], message["brush"], message["colour"]
    return (
        isinstance(places, list)
        and 0 < len(places) <= MOST_PLACES
        and all(map(_is_place, places))
        and isinstance(brush, str)
        and brush in brushes()
        and isinstance(colour, str)
        and colour in colours()
        and type(message["mirrored"]) is bool
    )


def _is_place(place: object) -> bool:
    return isinstance(place, list) and len(place) == 2 and all(type(n) is int and 0 <= n < MAX_SIDE for n in place)


def _is_write(message: Mapping[str, Any]) -> bool:
    if message.keys() != {"type", "text", "number"} or not isinstance(message["text"], str):
        return False
    return type(message["number"]) is int and 0 < message["number"] <= LARGEST and len(message["text"]) <= MAX_TEXT


def _is_title(message: Mapping[str, Any]) -> bool:
    title = message.get("title")
    return message.keys() == {"type", "title"} and isinstance(title, str) and len(title) <= LONGEST_TITLE


def _is_start(message: Mapping[str, Any]) -> bool:
    return message.keys() == {"type", "pet"} and (message["pet"] is None or message["pet"] in _pets())


def _is_try(message: Mapping[str, Any]) -> bool:
    return message.keys() == {"type", "pet"} and isinstance(message["pet"], str) and message["pet"] in PETS


def _is_bare(message: Mapping[str, Any]) -> bool:
    return message.keys() == {"type"}


_CHECKS: dict[str, Callable[[Mapping[str, Any]], bool]] = {
    "paint": _is_paint,
    "write": _is_write,
    "title": _is_title,
    "start": _is_start,
    "try": _is_try,
    "undo": _is_bare,
    "roomier": _is_bare,
    "tighter": _is_bare,
}


class EaselView(Showing):
    """The easel in the browser. Set `state`, and hear of the player by `on_action`.

    `on_action` is called with each action that passes the check: `paint` (places, brush, colour, mirrored), `write`
    (text, and a number that the answer names as `heard`), `title`, `start` (a pet, or None for an empty sheet), `try`
    (the pet it plays like), `undo`, `roomier` and `tighter`.
    """

    content = param.String(default="", constant=True, doc="What there is on an easel: `content()` as JSON; sent once.")

    _bundle = STATIC / "easel.js"

    _stylesheets: ClassVar[list[Any]] = styles("tokens", "board", "easel")

    _check = staticmethod(checked)

    _pictures = staticmethod(pictures)

    def __init__(self, on_action: Callable[[Action], object] | None = None, **params: Any) -> None:
        super().__init__(on_action, content=text_of(content), **params)


class Easel(pn.viewable.Viewer):
    """A pet of one's own on an easel: paint it with taps, write it as text, or change it from Python.

    It starts from a pet of the game, by its name, or from any grid text; without either, from an empty sheet. Raises
    GridError where the text is not a grid.
    """

    text: Any = param.String(doc="The grid text as it stands, mistakes included; setting it shows at once.")

    title: Any = param.String(default=words.EASEL["untitled"], doc="What the pet is called.")

    theme: Any = param.Selector(default="auto", objects=["auto", "light", "dark"], doc="auto follows the device.")

    embedded: Any = param.Boolean(default=True, constant=True, doc="Whether it is in a page with other things.")

    def __init__(self, start: str = "", **params: Any) -> None:
        params.setdefault("title", _usual_title(start))
        self._sketch = Sketch.of(start) if start else Sketch.empty()
        self._mistake: dict[str, Any] | None = None
        self._past: list[Sketch] = []
        self._heard = self._acts = 0
        self._refused = ""
        super().__init__(text=self._sketch.text, **params)
        self._sheet = EaselView(self.act, theme=self.theme, state=self._state())
        self._view = pn.Column(self._sheet, sizing_mode="stretch_width", margin=0)
        self.param.watch(self._text_changed, "text")
        self.param.watch(self._show, "title")

    def __panel__(self) -> Any:
        return self._view

    @property
    def sketch(self) -> Sketch:
        """The drawing as it was last without a mistake."""
        return self._sketch

    @property
    def mistake(self) -> dict[str, Any] | None:
        """What is wrong in the text: `text` says it, `line` and `place` where, if that is known; None if nothing is."""
        return self._mistake

    def draw(self, sketch: Sketch) -> None:
        """Put another drawing in the place of this one, which can be taken back."""
        self._keep(sketch)
        self.text = sketch.text
        self._show()

    def undo(self) -> None:
        """Take the last change back; a text with a mistake goes back to the drawing that was there before."""
        if self._mistake is None and self._past:
            self._sketch = self._past.pop()
        self.text = self._sketch.text
        self._show()

    def act(self, action: Action) -> None:
        """Do what somebody did in the browser; a message that passed its check."""
        self._acts += 1
        self._refused = ""
        try:
            if self._mistake is not None and action["type"] in ("paint", "roomier", "tighter", "try"):
                self._refused = words.EASEL["mend_first"]
            else:
                self._deeds()[action["type"]](action)
        except GridError as error:
            self._refused = words.EASEL["cannot"].format(why=_why(error))
        self._show()

    def _deeds(self) -> dict[str, Callable[[Action], object]]:
        return {
            "paint": self._paint,
            "write": self._write,
            "title": lambda action: self.param.update(title=action["title"]),
            "start": lambda action: self._start(action["pet"] or ""),
            "undo": lambda _: self.undo(),
            "roomier": lambda _: self.draw(self._sketch.roomier()),
            "tighter": lambda _: self.draw(self._sketch.tighter()),
            "try": lambda action: self._try(action["pet"]),
        }

    def _start(self, pet: str) -> None:
        self.draw(Sketch.of(pet) if pet else Sketch.empty())
        if self.title in map(_usual_title, ("", *_pets())):
            self.title = _usual_title(pet)

    def _paint(self, action: Action) -> None:
        places = [(x, y) for x, y in action["places"]]
        how = {"colour": action["colour"], "mirrored": action["mirrored"]}
        self.draw(self._sketch.painted(places, action["brush"], **how))

    def _write(self, action: Action) -> None:
        self._heard = action["number"]
        self.text = action["text"]

    def _try(self, pet: str) -> None:
        """Play a practice battle with the drawing, which plays like one of the pets."""
        if self._sketch.bare:
            self._refused = words.EASEL["bare"]
            return
        shown = json.loads(text_of(Board._pictures)) | {DRAWN: self._sketch.picture()}
        tried = Board(art=json.dumps(shown), embedded=self.embedded, theme=self.theme)
        self._battle(pet, tried)
        self._sheet.visible = False
        self._view.append(tried)

    def _battle(self, pet: str, tried: Board) -> None:
        battle = rivals.battle_against(Player("you", pet), False)
        seated = _OwnBoard(
            Seat(battle, "first"),
            battle_id=secrets.token_urlsafe(8),
            title=self.title,
            board=tried,
            on_again=lambda: after(lambda: self._battle(pet, tried)),
            on_home=lambda: after(self._come_back),
        )

        def after(then: Callable[[], None]) -> None:
            seated.end()
            then()

    def _come_back(self) -> None:
        self._view[:] = [self._sheet]
        self._sheet.visible = True

    def _text_changed(self, *_: object) -> None:
        self._mistake = None
        if self.text != self._sketch.text:
            try:
                self._keep(Sketch.of(self.text))
            except GridError as error:
                self._mistake = {"line": error.line, "place": error.column, "text": _why(error)}
        self._show()

    def _keep(self, sketch: Sketch) -> None:
        """Take a drawing for the one at hand, and remember the one before."""
        if sketch != self._sketch:
            self._past = [*self._past, self._sketch][-STEPS_BACK:]
        self._sketch = sketch

    def _show(self, *_: object) -> None:
        self._sheet.state = self._state()

    def _state(self) -> dict[str, Any]:
        """What the browser shows."""
        sketch = self._sketch
        return {
            "text": self.text,
            "heard": self._heard,
            "acts": self._acts,
            "refused": self._refused,
            "mistake": self._mistake,
            "title": self.title,
            "file": f"{_file_name(self.title)}.txt",
            "picture": "" if sketch.bare else sketch.picture(),
            "rows": list(sketch.rows),
            "legend": {letter: paint.print or paint.colour for letter, paint in sketch.legend.items()},
            "undo": bool(self._past) or self._mistake is not None,
        }


class _OwnBoard(SeatedBoard):
    """A board on which the player's pet is the drawing, under its own name."""

    def __init__(self, seat: Seat, *, title: str, **shown: Any) -> None:
        self._title = title
        super().__init__(seat, **shown)

    @property
    def names(self) -> tuple[str, str]:
        """What the pets are called: the drawing's name first."""
        return self._title or words.EASEL["untitled"], super().names[1]

    def refresh(self) -> None:
        """Show the battle as it is now, with the drawing for a pet."""
        state = seat_view(
            self.battle, self.side, battle_id=self._id, locked=self.seat.locked, names=self.names, home=True
        )
        state["you"] |= {"pet": DRAWN, "name": self.names[0]}
        self.board.state = state


def _why(error: GridError) -> str:
    """What is wrong, without the place."""
    return str(error).partition(": ")[2]


def _usual_title(start: str) -> str:
    """What a drawing is called as long as nobody names it."""
    like = words.PET_NAMES.get(start)
    return words.EASEL["untitled"] if like is None else words.EASEL["like"].format(pet=like)


def _file_name(title: str) -> str:
    return re.sub("[^a-z0-9]+", "-", title.lower()).strip("-") or "pet"


def easel_page() -> Easel:
    """The easel as a page of its own, with a pet to begin with."""
    document: Any = pn.state.curdoc
    if document is not None:
        document.template = PAGE
    return Easel("moss", embedded=False)
