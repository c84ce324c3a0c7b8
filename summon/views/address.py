"""A page whose address tells what it shows: a reload comes back to it, and who is sent the address sees the same."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from urllib.parse import urlencode, urlsplit

import panel as pn

from summon.lab import LinkError

_KEEP = "try { history.replaceState(null, '', source.value || location.pathname) } catch {}"


def address_field(label: str, **params: Any) -> pn.widgets.TextInput:
    """A field with a link, to be copied, which becomes the page's address; without a link that tells nothing more."""
    field = pn.widgets.TextInput(label=label, css_classes=["lab-link"], **params)
    field.jscallback(value=_KEEP)
    return field


def address_of(told: Mapping[str, str]) -> str:
    """The address of this page with what it has to tell."""
    return f"{_here()}?{urlencode(told)}"


def _here() -> str:
    """The address of this page as its visitor asked for it, without a query; empty where nobody did."""
    document: Any = pn.state.curdoc
    if document is None or document.session_context is None:
        return ""
    request = document.session_context.request
    # A session that begins anew by its websocket is asked for there.
    return f"{request.protocol}://{request.host}{urlsplit(request.uri).path.removesuffix('/ws')}"


def asked_for(*keys: str) -> dict[str, str]:
    """What the address of this page tells by these keys; LinkError where it is not text."""
    try:
        told = {key: values[0].decode() for key, values in (pn.state.session_args or {}).items() if values}
    except UnicodeDecodeError as error:
        raise LinkError("it is not UTF-8") from error
    return {key: told[key] for key in keys if key in told}
