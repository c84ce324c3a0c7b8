"""The colours of the game: in both themes everything can be read (WCAG 2, level AA)."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from summon.cards import CARDS, PETS
from summon.views import board

TOKENS = (Path(board.__file__).parent / "static" / "tokens.css").read_text(encoding="utf-8")

WORDS_NEED, SHAPES_NEED = 4.5, 3.0

WORDS = [
    *((ink, ground) for ink in ("ink", "ink-soft") for ground in ("page", "panel", "sunk")),
    *((ink, ground) for ink in ("good", "bad") for ground in ("page", "panel")),
    ("action-ink", "action"),
    ("on-warn", "warn"),
    ("off-ink", "off"),
    ("off-ink", "panel"),
    *((f"on-{card}", card) for card in (*CARDS, "wait")),
    *(("ink", f"{pet}-sky") for pet in PETS),
]
SHAPES = [
    *(("focus", ground) for ground in ("page", "panel")),
    *(("line-strong", ground) for ground in ("page", "panel")),
    *(("off-line", ground) for ground in ("page", "off")),
]


COLOUR = r"#[0-9a-f]{6}"
BOTH = {name: (one, one) for name, one in re.findall(rf"--([\w-]+): ({COLOUR});", TOKENS)}
EACH = {
    name: (light, dark)
    for name, light, dark in re.findall(rf"--([\w-]+): light-dark\(({COLOUR}), ({COLOUR})\);", TOKENS)
}
THEMES = {theme: {name: two[n] for name, two in (BOTH | EACH).items()} for n, theme in enumerate(("light", "dark"))}


def luminance(colour: str) -> float:
    parts = (int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5))
    linear = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return sum(share * part for share, part in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


def contrast(one: str, other: str) -> float:
    dark, light = sorted((luminance(one), luminance(other)))
    return (light + 0.05) / (dark + 0.05)


def test_contrast_of_black_and_white() -> None:
    assert contrast("#000000", "#ffffff") == pytest.approx(21)


def test_every_token_is_told_once_and_the_themes_differ() -> None:
    told = re.findall(r"--([\w-]+):", TOKENS)
    assert len(told) == len(set(told))
    assert {"page", "panel", "ink"} <= EACH.keys()
    assert all(light != dark for light, dark in EACH.values())


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize(("pairs", "need"), [(WORDS, WORDS_NEED), (SHAPES, SHAPES_NEED)], ids=["words", "shapes"])
def test_everything_can_be_read(theme: str, pairs: list[tuple[str, str]], need: float) -> None:
    colour = THEMES[theme]
    low = {pair: contrast(colour[pair[0]], colour[pair[1]]) for pair in pairs}
    assert {pair: ratio for pair, ratio in low.items() if ratio < need} == {}
