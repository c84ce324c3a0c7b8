"""The addresses of this machine in its home network, and what may stand for one."""

import socket
from typing import Any

import pytest

from summon import lan


class Machine:
    """A machine with addresses of its own, one of them the way out."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.own: list[str] = []
        self.way_out: str | None = None
        self.named: list[str] = []
        self.sent: list[str] = []
        monkeypatch.setattr(socket, "socket", lambda *kind: Probe(self, *kind))
        monkeypatch.setattr(socket, "getaddrinfo", self._look_up)
        self.name = "laptop"
        monkeypatch.setattr(socket, "gethostname", lambda: self.name)

    def _look_up(self, *_: object) -> list[Any]:
        if not self.named:
            raise socket.gaierror("unknown")
        return [(socket.AF_INET, socket.SOCK_DGRAM, 17, "", (address, 0)) for address in self.named]


class Probe:
    """A socket of that machine, which only a datagram may be: connecting one sends nothing."""

    def __init__(self, machine: Machine, family: int, kind: int) -> None:
        assert (family, kind) == (socket.AF_INET, socket.SOCK_DGRAM)
        self._machine = machine

    def __enter__(self) -> "Probe":
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def connect(self, _: object) -> None:
        if self._machine.way_out is None:
            raise OSError("Network is unreachable")

    def getsockname(self) -> tuple[str | None, int]:
        return self._machine.way_out, 1

    def bind(self, where: tuple[str, int]) -> None:
        if where[0] not in self._machine.own:
            raise OSError("Cannot assign requested address")


@pytest.fixture
def machine(monkeypatch: pytest.MonkeyPatch) -> Machine:
    return Machine(monkeypatch)


def test_the_way_out_comes_first_and_each_address_once(machine: Machine) -> None:
    machine.own = ["10.8.0.2", "192.168.1.5", "127.0.1.1"]
    machine.way_out, machine.named = "192.168.1.5", ["127.0.1.1", "10.8.0.2", "192.168.1.5"]
    assert lan.addresses() == ("192.168.1.5", "10.8.0.2")


def test_what_is_of_no_use_to_others_is_left_out(machine: Machine) -> None:
    machine.own = machine.named = ["127.0.0.1", "169.254.3.4", "0.0.0.0"]
    machine.way_out = "127.0.0.1"
    assert lan.addresses() == ()


def test_a_name_that_stands_for_another_machine_does_not_count(machine: Machine) -> None:
    machine.own, machine.named = ["192.168.1.5"], ["192.168.1.77", "192.168.1.5"]
    assert lan.addresses() == ("192.168.1.5",)


def test_private_addresses_come_before_public_ones(machine: Machine) -> None:
    machine.own = ["8.8.4.4", "192.168.1.5"]
    machine.way_out, machine.named = "8.8.4.4", ["192.168.1.5"]
    assert lan.addresses() == ("192.168.1.5", "8.8.4.4")
    assert [lan.is_public(each) for each in lan.addresses()] == [False, True]


def test_without_a_network_there_is_none(machine: Machine) -> None:
    assert lan.addresses() == ()


def test_the_addresses_of_this_very_machine_are_its_own() -> None:
    for address in lan.addresses():
        assert lan.is_here(address)
        assert not lan.is_only_here(address)
    assert lan.is_here("127.0.0.1")
    assert not lan.is_here("192.0.2.254")


@pytest.mark.parametrize(
    ("name", "told"),
    [("laptop", "laptop"), ("Charlies-Mac.local", "charlies-mac"), ("localhost", None), ("", None), ("a_b", None)],
)
def test_the_name_of_this_machine(machine: Machine, name: str, told: str | None) -> None:
    machine.name = name
    assert lan.host_name() == told


@pytest.mark.parametrize(
    "text", ["192.168.1.5", "laptop", "Laptop.fritz.box", "xn--bcher-kva.example", "1and1.example"]
)
def test_what_is_a_host(text: str) -> None:
    assert lan.is_host(text)


@pytest.mark.parametrize(
    "text",
    [
        *("", "10.1", "1.2.3.4.5", "256.1.1.1", "5006", "a:80", "http://a", "a/b", "a b", "-a", "a.", "a..b", "ä"),
        *("::1", "*", "a" * 64, "a." * 130 + "b", "a\n"),
    ],
)
def test_what_is_none(text: str) -> None:
    assert not lan.is_host(text)


@pytest.mark.parametrize(
    ("host", "only_here"),
    [
        ("localhost", True),
        ("127.0.0.1", True),
        ("127.9.9.9", True),
        ("0.0.0.0", True),
        ("224.0.0.1", True),
        ("192.168.1.5", False),
        ("laptop.local", False),
    ],
)
def test_what_no_other_device_can_open(host: str, only_here: bool) -> None:
    assert lan.is_only_here(host) is only_here
