"""Panel's own widgets in the game's colours, as the lab and "ask the rules" show them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, ClassVar

import panel as pn
from panel.theme.base import DefaultTheme, Design, Inherit, Theme
from panel.viewable import Viewable

from summon.views.component import STATIC


class LabTheme(DefaultTheme):
    """The game's colours, in the light and in the dark as the device has it."""

    base_css: Path = STATIC / "tokens.css"
    css: Path = STATIC / "lab.css"


class LabDesign(Design):
    """Panel's widgets in the game's colours."""

    modifiers: ClassVar[dict[type[Viewable], dict[str, Any]]] = {Viewable: {"stylesheets": [Inherit]}}

    _themes: ClassVar[dict[str, type[Theme]]] = {"default": LabTheme, "dark": LabTheme}


class AskDesign(LabDesign):
    """The same, with what only "ask the rules" has."""

    modifiers: ClassVar[dict[type[Viewable], dict[str, Any]]] = {
        Viewable: {"stylesheets": [Inherit, (STATIC / "ask.css").read_text(encoding="utf-8")]}
    }


@contextmanager
def designed(design: type[Design]) -> Iterator[None]:
    """What is made while this lasts has a design, whatever the rest of the page or notebook looks like."""
    before = pn.config.design
    pn.config.design = design
    try:
        yield
    finally:
        pn.config.design = before
