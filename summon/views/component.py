"""What all components of the game have in common: they only show, and hear of the player by checked messages."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Callable
from functools import cache, partial
from pathlib import Path
from typing import Any, ClassVar

import panel as pn
import param
from panel.custom import JSComponent
from panel.io.resources import component_resource_path
from panel.reactive import Reactive

from summon import words
from summon.views import assets, book

Action = dict[str, Any]
"""A message that passed its check; `type` says what the player did."""

STATIC = assets.STATIC

PING, PONG = {"type": "ping"}, {"type": "pong"}
"""What a browser asks to learn whether its connection is alive; the answer holds the state as well, if there is one."""

BURST = 40
"""So many messages of a browser are taken at once."""

RATE = 10.0
"""So many messages a second are taken in the long run."""

_IMPORT = re.compile(r'^import \{([^}]*)\} from "\./(\w+)\.js";$', re.MULTILINE)

_EXPORTED = re.compile(r"^export (?:async )?(?:const|function|class) (\w+)", re.MULTILINE)


class Allowance:
    """A token bucket: what one browser may send. `clock` gives seconds that never go back."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock, self._left, self._at = clock, float(BURST), clock()

    def take(self) -> bool:
        """Whether one more message may be taken now, which is counted if so."""
        self._refill()
        allowed = self._left >= 1
        self._left -= allowed
        return allowed

    @property
    def half_full(self) -> bool:
        """Whether at least half a burst may be sent again."""
        self._refill()
        return self._left >= BURST / 2

    def _refill(self) -> None:
        now = self._clock()
        self._left, self._at = min(float(BURST), self._left + (now - self._at) * RATE), now


@cache
def text_of(content: Callable[[], Any]) -> str:
    """What a function gives, as JSON; it is asked once.

    A text is shared by all sessions of the process, where a dict would be copied into each.
    """
    return json.dumps(content())


def styles(*names: str) -> list[Path]:
    """The stylesheets of these names, in the order in which they apply."""
    return [STATIC / f"{name}.css" for name in names]


@cache
def _whole(script: Path) -> str:
    """A script as one text that needs no other file: each that it imports, once, stands before those that import it."""
    parts: dict[str, str] = {}

    def text_of_script(path: Path) -> str:
        text = path.read_text(encoding="utf-8")
        for _, name in _IMPORT.findall(text):
            if name not in parts:
                inside = text_of_script(STATIC / f"{name}.js")
                exported = ", ".join(_EXPORTED.findall(inside))
                inside = re.sub(r"^export ", "", inside, flags=re.MULTILINE)
                parts[name] = f"const from_{name} = (() => {{\n{inside}\nreturn {{ {exported} }};\n}})();\n"
        return _IMPORT.sub(lambda found: f"const {{{found[1]}}} = from_{found[2]};", text)

    whole = text_of_script(script)
    return "".join(parts.values()) + whole


def _document(ref: str) -> Any:
    """The document of a view, if it is that of the session at hand and in a browser by now; else None."""
    if ref not in pn.state._views or ref in pn.state._fake_roots:
        return None
    _, _, document, comm = pn.state._views[ref]
    return document if comm is None and document.session_context and pn.state._unblocked(document) else None


def _when_locked(document: Any, change: Callable[[], object]) -> bool:
    """Do something to a document while its session is locked; whether that is now."""
    if document.session_context.session._pending_writes is None:
        document.add_next_tick_callback(change)
        return False
    change()
    return True


def _held(document: Any, change: Callable[[], object]) -> None:
    """Do something to a document, and let Bokeh tell the browser of all of it afterwards."""
    if document.callbacks.hold_value:
        change()
        return
    document.hold("collect")
    try:
        change()
    finally:
        document.unhold()


def _is_text(message: object) -> bool:
    """Whether all text in a message is such: half of a letter of two codes can be neither saved nor sent."""
    if isinstance(message, str):
        return not any("\ud800" <= letter <= "\udfff" for letter in message)
    if isinstance(message, dict):
        return all(_is_text(key) and _is_text(value) for key, value in message.items())
    return not isinstance(message, list) or all(map(_is_text, message))


class InOrder(Reactive):
    """A view whose changes reach the browser in the order in which they were made, by Bokeh's own queue.

    Panel writes what changes in the session at hand past that queue, where messages overtake each other and may be left
    lying (`_dispatch_msgs` in panel.io.document drops the block on messages that came while it wrote): a browser hears
    of a view before it has it. Bokeh's queue is open while the session is locked: mostly now, else with the next
    callback.
    """

    def _apply_update(self, events: Any, msg: dict[str, Any], model: Any, ref: str) -> bool:
        document = _document(ref)
        if document is None:
            return super()._apply_update(events, msg, model, ref)
        change = partial(self._update_model, events, msg, pn.state._views[ref][1], model, document, None)
        return _when_locked(document, partial(_held, document, change))

    def _send_event(self, Event: Any, **event_kwargs: Any) -> None:
        places = [(model, _document(ref)) for ref, (model, _) in self._models.items()]
        if any(document is None for _, document in places):
            super()._send_event(Event, **event_kwargs)
            return
        for model, document in places:
            _when_locked(document, partial(document.callbacks.send_event, Event(model=model, **event_kwargs)))


class Stack(InOrder, pn.Column):
    """Components below each other, of which one may come later."""


class Component(InOrder, JSComponent):
    """A component that is output only: its parameters are set by the server, and the browser sends messages.

    A subclass has its `_bundle`, its `_stylesheets`, its `_pictures` and a check, `_check`: a message as an action, or
    None if it is not exactly what its script sends. `on_action` is called with each action. What does not pass is
    dropped and counted in `ignored`. What is more than `BURST` messages at once, and `RATE` a second after that, is
    dropped and counted in `flooded`; the player is told of it once, until half a burst may be sent again. A `PING` is
    answered here.
    """

    theme: Any = param.Selector(default="auto", objects=["auto", "light", "dark"], doc="auto follows the device.")

    art = param.String(
        default="", constant=True, doc="The pictures by name and `shapes`, as JSON or where that is found; sent once."
    )

    book = param.String(default="", constant=True, doc="Where the book of rules is; empty where nobody serves it.")

    # The scripts are served from one place for all components, so that each finds what it imports beside it, and a
    # browser fetches that once.
    _js: ClassVar[list[Path]] = sorted(STATIC.glob("*.js"))

    # Panel would serve the stylesheet of a script's name a second time, behind all others.
    _bundle_css: ClassVar[list[Path]] = []

    _stylesheets: ClassVar[list[Any]] = []

    def __init__(
        self,
        on_action: Callable[[Action], object] | None = None,
        clock: Callable[[], float] = time.monotonic,
        **params: Any,
    ) -> None:
        params.setdefault("margin", 0)
        params.setdefault("sizing_mode", "stretch_width")
        params.setdefault("art", assets.address(assets.PICTURES) or text_of(self._pictures))
        params.setdefault("book", book.place())
        super().__init__(**params)
        if (place := assets.place()) is not None:
            # Of this one alone: where nobody serves them, as in a notebook, they are in the component itself.
            object.__setattr__(self, "_stylesheets", [place + sheet.name for sheet in type(self)._stylesheets])
        self.on_action = on_action
        self.ignored = self.flooded = 0
        self._allowance, self._told = Allowance(clock), False

    @staticmethod
    def _check(message: object) -> Action | None:
        raise NotImplementedError

    @staticmethod
    def _pictures() -> dict[str, str]:
        raise NotImplementedError

    def refuse(self, text: str, rule: str | None = None) -> None:
        """Tell the player why an action was not done, with the rule that says so; they may try again."""
        self._send_msg({"type": "refused", "text": text} | ({} if rule is None else {"rule": rule}))

    def send_record(self, name: str, text: str) -> None:
        """Answer `record`: the browser saves the text as a file of that name."""
        self._send_msg({"type": "record", "name": name, "text": text})

    @property
    def _linked_properties(self) -> tuple[str, ...]:
        # Panel would copy what a browser sets on the model into the parameters.
        return ()

    def _answer(self) -> None:
        self._send_msg(PONG)

    def _handle_msg(self, msg: object) -> None:
        if self._allowance.half_full:
            self._told = False
        if not self._allowance.take():
            self._flood()
            return
        if msg == PING:
            self._answer()
            return
        action = self._check(msg) if _is_text(msg) else None
        if action is None:
            self.ignored += 1
        elif self.on_action is not None:
            self.on_action(action)

    def _flood(self) -> None:
        self.flooded += 1
        if not self._told:
            self._told = True
            self.refuse(words.TOO_FAST)

    @classmethod
    def _component_resource_path(cls, esm_path: Path, compiled: Any) -> str:
        return assets.address(esm_path.name) or component_resource_path(Component, "_js", esm_path)

    @classmethod
    def _render_esm(cls, compiled: Any = True, server: bool = False) -> str:
        """The address of the script where a server serves it, else its whole text."""
        return super()._render_esm(compiled, server) if server else _whole(cls._bundle_path)


class Showing(Component):
    """A component that shows a `state`: plain data that JSON can hold, the whole of it every time.

    It goes to the browser as `shown`, a text, which Bokeh neither walks through nor compares piece by piece. Each text
    has a `serial`: should two overtake each other on their way, a browser keeps to the higher one, and learns of one
    that was lost by the next answer.
    """

    shown = param.String(default="", doc="The `state` with its `serial`, as JSON.")

    def __init__(self, on_action: Callable[[Action], object] | None = None, **params: Any) -> None:
        state = params.pop("state", {})
        super().__init__(on_action, **params)
        self._serial, self._text = 0, "{}"
        self.state = state

    @property
    def state(self) -> dict[str, Any]:
        """What is shown; setting the same again sends nothing."""
        return self._state

    @state.setter
    def state(self, state: dict[str, Any]) -> None:
        text = json.dumps(state)
        self._state = state
        if text != self._text:
            self._text = text
            self._serial += 1
            self.shown = json.dumps({"serial": self._serial, "state": state})

    def _answer(self) -> None:
        self._send_msg(PONG | ({"shown": self.shown} if self.shown else {}))
