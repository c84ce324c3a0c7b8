"""The colours of the bricks, and their shades in light and in shadow."""

from functools import cache
from pathlib import Path

LIGHT, SHADOW = "#fffbe0", "#1b0f3a"
STEP = 0.085


@cache
def colours() -> dict[str, str]:
    """The colour of each name, such as {"red": "#d8321f"}, in the order of colours.txt."""
    lines = (Path(__file__).parent / "colours.txt").read_text(encoding="utf-8").splitlines()
    return dict(line.split(" = ") for line in lines if line)


def mix(colour: str, other: str, share: float) -> str:
    """A colour with a share (0 to 1) of another mixed in. Both are written like #d8321f."""
    pairs = [(int(colour[i : i + 2], 16), int(other[i : i + 2], 16)) for i in (1, 3, 5)]
    return "#" + "".join(f"{round(a + (b - a) * share):02x}" for a, b in pairs)


def shade(colour: str, level: int) -> str:
    """One of seven shades: level 3 is the brightest (warm white), -3 the darkest (plum), 0 the colour itself."""
    return mix(colour, LIGHT if level > 0 else SHADOW, STEP * abs(level))
