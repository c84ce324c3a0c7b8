"""Quoting what came from outside in an error message."""

from __future__ import annotations

LONGEST = 60
"""How many characters of a value are quoted at most."""


def quoted(value: object) -> str:
    """A value as Python writes it, with lists for tuples, in printable characters and cut short where it is long."""
    try:
        text = repr(list(value) if isinstance(value, tuple) else value)
    except ValueError:
        return "a number with very many digits"
    except RecursionError:
        return "something nested very deeply"
    return text if len(text) <= LONGEST else text[: LONGEST - 3] + "..."


def printable(text: str) -> str:
    """Text as a terminal may show it: control characters and the like are shown as codes."""
    return "".join(letter if letter.isprintable() else repr(letter)[1:-1] for letter in text)
