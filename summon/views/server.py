"""Starting the game's own server: for this machine, for the home network, or behind a reverse proxy."""

from __future__ import annotations

import os
import secrets
import socket
import sys
from collections.abc import Callable, Sequence
from io import StringIO
from typing import Any

import panel as pn
import segno
from bokeh.util.browser import view
from tornado.ioloop import IOLoop

from summon import lan
from summon.views import book, health, reach
from summon.views.play import play_page
from summon.views.world import world

ADDRESS = "127.0.0.1"
EVERYWHERE = "0.0.0.0"

PORT = 5006
"""Where the game listens if nothing else is said, or at one of the next ports if that is taken."""

LARGEST_MESSAGE = 1_000_000
"""How many bytes a browser may send at once. The largest thing it has to send, a text that was pasted, has a tenth."""

LARGEST_REQUEST = 100_000
"""How many bytes a request may have that is no message. Pages are asked for without any."""

NO_NETWORK = """\
No address in a network was found, so the game is open to this machine alone. Connect it to the network and start again,
or say with --address by which address the others reach it."""

OPENED = """\
Everybody in your network can open the game now, and what is sent is not encrypted. It is not meant for the internet.
Ctrl+C ends it. Where another device finds nothing, let this machine's firewall accept connections to port {port}."""

PUBLIC = "Careful: {address} is an address of the internet. Where no firewall is in the way, the whole world gets in."

NOT_HERE = (
    "Note: {address} is no address of this machine. It works if what is sent there is handed on to port {port} here."
)


def free_port(wanted: int, address: str = ADDRESS, tries: int = 20) -> int:
    """The first port from `wanted` on that nobody listens on at an address, and on this machine itself.

    OSError where there is none among `tries`.
    """
    last = min(wanted + tries, 65536) - 1
    for port in range(wanted, last + 1):
        if address != ADDRESS and port and not _is_free(ADDRESS, port):
            continue
        if found := _is_free(address, port):
            return found
    ports = f"no port from {wanted} to {last} is" if last > wanted else f"port {wanted} is not"
    raise OSError(f"{ports} free for this")


def _is_free(address: str, port: int) -> int | None:
    """The port if it may be listened on, any free one for 0; else None."""
    with socket.socket() as probe:
        # Elsewhere this means that an address just left may be taken again; on Windows, that a used one may be.
        if os.name == "posix":
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((address, port))
        except OSError:
            return None
        return int(probe.getsockname()[1])


def serve(
    port: int | None, open_browser: bool, *, network: bool = False, address: str | None = None, proxy: str | None = None
) -> int:
    """Serve the game until it is interrupted; returns the exit status.

    It listens at the `port` that is named and no other; where none is, at the first free one from `PORT` on.
    It is open to this machine alone, or to the home `network` too, at its addresses or at the one `address` that is
    named. Behind a `proxy`, which is the address that people open (`host`, `host:port`, either with a path), it listens
    on this machine, and believes what the proxy says of its visitors.
    """
    others = ((address,) if address else lan.addresses()) if network else ()
    listen = EVERYWHERE if others else ADDRESS
    try:
        # A proxy asks at one port, and no other will do.
        chosen = free_port(PORT if port is None else port, listen, tries=20 if port is None and not proxy else 1)
    except OSError as error:
        print(f"summon play: {error}; name another with --port", file=sys.stderr)
        return 1
    here = f"http://{ADDRESS}:{chosen}/play"
    if (store := world().store) is not None:
        print(f"Pets and gold are saved in {store.place}")
    if proxy:
        opened = [f"https://{proxy}/play"]
        print(f"Summon is ready: {opened[0]}, by way of the proxy, which finds it at {ADDRESS}:{chosen}", end="")
    else:
        opened = [f"http://{other}:{chosen}/play" for other in others]
        print(f"Summon is ready: {here}", end="")
    print("  (Ctrl+C ends it)")
    if network:
        tell_network(others, opened, chosen)
    sys.stdout.flush()
    reach.open_to(opened)
    if open_browser and not proxy:
        # By this machine's own address also on the home network: it is by that one that its browser is known.
        IOLoop.current().add_callback(view, here)
    return run(
        "play",
        play_page,
        title="Summon",
        address=listen,
        port=chosen,
        websocket_origin=origins(others, chosen, proxy),
        extra_patterns=[*health.ROUTES, *book.ROUTES],
        use_xheaders=proxy is not None,
        compress_response=True,
        sign_sessions=True,
        # A page from before a restart is refused with it, and loads itself anew.
        secret_key=secrets.token_bytes(32),
    )


def run(name: str, page: Callable[[], object], **how: Any) -> int:
    """Serve the page of a command of this name, within bounds, until it is interrupted; returns the exit status."""
    try:
        pn.serve(
            {name: page},
            # Panel's reading of an address fails at some, such as `?x=²`.
            location=False,
            websocket_max_message_size=LARGEST_MESSAGE,
            http_server_kwargs={"max_body_size": LARGEST_REQUEST},
            show=False,
            verbose=False,
            **how,
        )
    except OSError as error:  # somebody else took the port just now
        print(f"summon {name}: the server cannot start: {error.strerror}", file=sys.stderr)
        return 1
    return 0


def origins(others: Sequence[str], port: int, proxy: str | None = None) -> list[str]:
    """Whose pages may talk with the game: those of the addresses by which it is opened, and no others."""
    if proxy:
        host = proxy.partition("/")[0]
        # What has no port has the one of its scheme, which Bokeh takes for 80 with https as well.
        return [host.removesuffix(":443")]
    name = lan.host_name() if others else None
    hosts = [ADDRESS, "localhost", *others, *([f"{name}.local"] if name else [])]
    return [f"{host}:{port}" for host in dict.fromkeys(host.lower() for host in hosts)]


def tell_network(others: Sequence[str], opened: Sequence[str], port: int) -> None:
    """Say how other devices open the game, with a QR code of the best address, and what that means."""
    if not others:
        print(NO_NETWORK)
        return
    print("\nOn another device in your network, open")
    for url in opened:
        print(f"    {url}")
    if name := lan.host_name():
        print(f"    or, on devices that know this machine by name, http://{name}.local:{port}/play")
    print_qr(opened[0])
    print(OPENED.format(port=port))
    for other in others:
        if lan.is_public(other):
            print(PUBLIC.format(address=other))
        elif other[-1].isdigit() and not lan.is_here(other):
            print(NOT_HERE.format(address=other, port=port))


def print_qr(url: str) -> None:
    """Print an address as a QR code of about 30 columns; nothing where the output cannot show one."""
    try:
        "▀▄█".encode(sys.stdout.encoding or "ascii")
    except UnicodeEncodeError:
        return
    drawn = StringIO()
    segno.make(url, error="l", micro=False).terminal(drawn, border=2, compact=True)
    # White on black whatever the terminal's colours are: not every camera reads a code that is turned around.
    before, after = ("\033[97;40m", "\033[0m") if sys.stdout.isatty() else ("", "")
    print("", *(f"{before}{row}{after}" for row in drawn.getvalue().splitlines()), "", sep="\n")
