"""How the book looks: the game's own colours, and its pictures of bricks."""

from __future__ import annotations

import re
from pathlib import Path

TOKENS = Path(__file__).parents[1] / "views" / "static" / "tokens.css"

_TOKEN = re.compile(r"--([\w-]+): (?:light-dark\((#\w+), (#\w+)\)|(#\w+));")

_FURO = {
    "color-background-primary": "panel",
    "color-background-secondary": "page",
    "color-background-hover": "sunk",
    "color-background-border": "line",
    "color-foreground-primary": "ink",
    "color-foreground-secondary": "ink-soft",
    "color-foreground-muted": "ink-soft",
    "color-foreground-border": "line-strong",
    "color-sidebar-background": "page",
    "color-sidebar-search-background": "panel",
    "color-sidebar-link-text": "ink",
    "color-sidebar-caption-text": "ink-soft",
    "color-sidebar-item-background--hover": "sunk",
    "color-inline-code-background": "page",
    "color-code-background": "page",
    "color-code-foreground": "ink",
    "color-header-background": "page",
    "color-header-text": "ink",
    "color-header-border": "line",
    "color-toc-item-text": "ink-soft",
    "color-toc-item-text--hover": "ink",
    "color-toc-item-text--active": "ink",
}
"""Which of the game's tokens each colour of the theme Furo is."""

_LINK = ("#1d55a8", "#8fc4ff")
"""The colour of links: in the game a brick is pressed, in a book words are."""

_SHOWN = ("action", "action-edge", "action-ink", "good", "bad", "shield", "on-shield", "line", "line-strong", "sunk")


def stylesheet() -> str:
    """The colours as Furo's variables, and some tokens of the game as `--brick-…`, in the light and in the dark."""
    light, dark = (_variables(tokens, link) for tokens, link in zip(colours(), _LINK, strict=True))
    return (
        f"body {{ {light} }}\n@media not print {{\nbody[data-theme=dark] {{ {dark} }}\n"
        f"@media (prefers-color-scheme: dark) {{ body:not([data-theme=light]) {{ {dark} }} }}\n}}\n"
    )


def colours() -> tuple[dict[str, str], dict[str, str]]:
    """The tokens that are colours, as they are in the light and in the dark."""
    found = _TOKEN.findall(TOKENS.read_text(encoding="utf-8"))
    light = {name: one or same for name, one, _, same in found}
    return light, {name: other or same for name, _, other, same in found}


def _variables(tokens: dict[str, str], link: str) -> str:
    furo = {name: tokens[token] for name, token in _FURO.items()}
    links = dict.fromkeys(("color-brand-primary", "color-brand-content", "color-brand-visited"), link)
    shown = {f"brick-{name}": tokens[name] for name in _SHOWN}
    return " ".join(f"--{name}: {value};" for name, value in (furo | links | shown).items())
