"""Panel's own widgets in the game's colours, as the lab and "ask the rules" show them."""

from __future__ import annotations

from pathlib import Path
from typing import Any, ClassVar

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
