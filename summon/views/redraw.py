"""Bringing a chart up to date in place, so that it neither blinks nor loses its place on the page."""

from __future__ import annotations

from typing import Any, NamedTuple

from bokeh.model import Model
from bokeh.models import DataRange1d
from bokeh.models.css import StyleSheet

_OF_THE_BROWSER: dict[type[Model], tuple[str, ...]] = {DataRange1d: ("start", "end")}
"""What a browser finds out by itself and tells the server."""


class _Pair(NamedTuple):
    """Two models that stand in the same place, and the names of what is set in one of them."""

    shown: Model
    wanted: Model
    names: tuple[str, ...]


def redraw(shown: Model, wanted: Model) -> bool:
    """Give a chart that is shown all that another one says; False, and nothing is done, where it is built otherwise."""
    pairs: dict[Model, _Pair] = {}
    if not _alike(shown, wanted, pairs):
        return False
    for pair in pairs.values():
        for name in pair.names:
            value = getattr(pair.wanted, name)
            if not _has_models(value) and not pair.shown.lookup(name).property.matches(
                getattr(pair.shown, name), value
            ):
                setattr(pair.shown, name, dict(value) if isinstance(value, dict) else value)
    return True


def _alike(one: Any, other: Any, pairs: dict[Model, _Pair]) -> bool:
    """Whether two values are built alike of models, of which `pairs` gets those in the same places."""
    if isinstance(one, Model):
        if one in pairs:
            return pairs[one].wanted is other
        if type(one) is not type(other):
            return False
        values = [model.properties_with_values(include_defaults=False) for model in (one, other)]
        if isinstance(one, StyleSheet):
            # A page does not follow one that changes.
            return bool(values[0] == values[1])
        own = _OF_THE_BROWSER.get(type(one), ())
        names = tuple(name for name in {**values[0], **values[1]} if name not in own and not one.lookup(name).readonly)
        pairs[one] = _Pair(one, other, names)
        return all(_alike(getattr(one, name), getattr(other, name), pairs) for name in names)
    if not _has_models(one) and not _has_models(other):
        return True
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(_alike(one[key], other[key], pairs) for key in one)
    if isinstance(one, list | tuple) and isinstance(other, list | tuple):
        return len(one) == len(other) and all(_alike(*two, pairs) for two in zip(one, other, strict=True))
    return False


def _has_models(value: Any) -> bool:
    inside = value.values() if isinstance(value, dict) else value if isinstance(value, list | tuple) else [value]
    return any(isinstance(part, Model) or (isinstance(part, list | tuple) and _has_models(part)) for part in inside)
