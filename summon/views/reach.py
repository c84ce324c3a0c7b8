"""By which addresses other devices reach the game that this process serves, as whoever started it said."""

from __future__ import annotations

from collections.abc import Iterable

_addresses: tuple[str, ...] | None = None


def addresses() -> tuple[str, ...] | None:
    """The addresses of the play page for other devices, such as "http://192.168.1.5:5006/play", the best one first.

    () where no other device reaches the game; None where nobody said, as under a bare `panel serve`.
    """
    return _addresses


def open_to(addresses: Iterable[str] | None) -> None:
    """Say by which addresses the game is reached from now on, as `addresses` tells them."""
    global _addresses
    _addresses = None if addresses is None else tuple(addresses)
