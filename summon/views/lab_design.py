"""Panel's own widgets in the game's colours, as the lab and "ask the rules" show them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, ClassVar

import panel as pn
from bokeh.models import ImportedStyleSheet, InlineStyleSheet
from panel.io.notebook import replace_inline_css
from panel.io.resources import component_resource_path
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


class Page(pn.Column):
    """A page in this design. Where nobody serves its styles, as in a notebook, it has them along, once for all."""

    def _get_model(self, doc: Any, root: Any = None, parent: Any = None, comm: Any = None) -> Any:
        if doc.session_context is None:
            # Panel looks here for a stylesheet before it names an address to fetch it from.
            held: dict[str, Any] = pn.state._stylesheets.setdefault(doc, {})
            for name in ("base_css", "css"):
                path = getattr(LabTheme, name)
                held[component_resource_path(LabTheme, name, path)] = InlineStyleSheet(css=path.read_text("utf-8"))
        return super()._get_model(doc, root, parent, comm)


class Html(pn.pane.HTML):
    """Markup that asks nobody for its styles in a notebook; Panel names their address anew whenever it changes."""

    def _get_properties(self, doc: Any) -> dict[str, Any]:
        properties = super()._get_properties(doc)
        if doc is not None and doc.session_context is None and "stylesheets" in properties:
            properties["stylesheets"] = [
                replace_inline_css(sheet) if isinstance(sheet, ImportedStyleSheet) else sheet
                for sheet in properties["stylesheets"]
            ]
        return properties


@contextmanager
def designed(design: type[Design]) -> Iterator[None]:
    """What is made while this lasts has a design, whatever the rest of the page or notebook looks like."""
    before = pn.config.design
    pn.config.design = design
    try:
        yield
    finally:
        pn.config.design = before
