"""The addresses at which other devices of the home network find this machine. Nothing is sent to find them."""

from __future__ import annotations

import ipaddress
import re
import socket
from collections.abc import Iterator

_TOWARDS = ("192.0.2.1", "192.168.0.1", "192.168.1.1", "10.0.0.1", "172.16.0.1")
"""Addresses outside (one that is nobody's, RFC 5737) and in usual home networks; nobody there is asked anything."""

_LABEL = re.compile(r"[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?")


def addresses() -> tuple[str, ...]:
    """This machine's addresses of IP version 4 in networks, the likeliest for the home network first; () without any.

    Private ones come before public ones. Addresses of version 6 are left out: no origin of theirs can be allowed.
    """
    found = dict.fromkeys(address for address in (*_by_route(), *_by_name()) if _is_in_a_network(address))
    return tuple(sorted(found, key=is_public))


def is_public(address: str) -> bool:
    """Whether an address is one of the internet, at which the whole world may reach this machine."""
    try:
        return ipaddress.ip_address(address).is_global
    except ValueError:
        return False


def is_here(address: str) -> bool:
    """Whether this machine itself has an address of version 4."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.bind((address, 0))
        except OSError:
            return False
    return True


def is_host(text: str) -> bool:
    """Whether a text can stand for a machine in an address: a name, or an address of version 4."""
    labels = text.lower().split(".")
    if not text or len(text) > 253 or not all(_LABEL.fullmatch(label) for label in labels):
        return False
    # What ends in a number is read as an address by browsers, also "10.1" and "1.2.3.4.5".
    return not labels[-1].isdigit() or _is_address(text)


def is_only_here(host: str) -> bool:
    """Whether a host stands for the very machine that asks, or for none: "localhost", 127.0.0.1, 0.0.0.0."""
    if not _is_address(host):
        return host.lower() == "localhost"
    plain = ipaddress.IPv4Address(host)
    return plain.is_loopback or plain.is_unspecified or plain.is_multicast


def host_name() -> str | None:
    """This machine's name without its domain, in small letters; None where it has none that others could use."""
    name = socket.gethostname().partition(".")[0].lower()
    return name if _LABEL.fullmatch(name) and name != "localhost" else None


def _is_address(text: str) -> bool:
    try:
        ipaddress.IPv4Address(text)
    except ValueError:
        return False
    return True


def _by_route() -> Iterator[str]:
    """The addresses that this machine would send from; choosing a way sends nothing with UDP."""
    for target in _TOWARDS:
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
            try:
                probe.connect((target, 9))
                yield str(probe.getsockname()[0])
            except OSError:
                continue


def _by_name() -> list[str]:
    """The addresses that this machine's own name stands for, as far as they are its own."""
    try:
        found = socket.getaddrinfo(socket.gethostname(), None, socket.AF_INET, socket.SOCK_DGRAM)
    except (OSError, UnicodeError):
        return []
    return [address for *_, (address, *_) in found if isinstance(address, str) and is_here(address)]


def _is_in_a_network(address: str) -> bool:
    return not is_only_here(address) and not ipaddress.IPv4Address(address).is_link_local
