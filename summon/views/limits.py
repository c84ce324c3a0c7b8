"""How often a visitor may try recovery codes (11.3), and the same answer for all that are not right.

A code of 77 bits cannot be guessed. The limit is there so that nobody tries to, at the cost of everybody's server.
"""

from __future__ import annotations

import ipaddress
import math
import threading
import time
from collections.abc import Callable
from typing import TypeVar

from limits import RateLimitItem, parse
from limits.storage import MemoryStorage
from limits.strategies import MovingWindowRateLimiter

from summon.recovery import code_hash

PER_BROWSER = "5 per 10 minutes"
PER_ADDRESS = "30 per 10 minutes"
"""More than a browser's, since all players of a school may share one; and a limit, since browsers may drop cookies."""

Found = TypeVar("Found")


class GuessLimit:
    """Counts the recovery codes tried by each browser and from each address, in moving windows.

    Right codes count as well, so that nobody can wipe out wrong ones with a code of their own.
    """

    def __init__(self, per_browser: str = PER_BROWSER, per_address: str = PER_ADDRESS) -> None:
        self._browser, self._address = parse(per_browser), parse(per_address)
        self._windows = MovingWindowRateLimiter(MemoryStorage())
        self._lock = threading.Lock()

    def guess_allowed(self, browser: str | None, address: str | None) -> bool:
        """Whether this visitor may try a code now, which is counted if so.

        A visitor is a browser's `token_hash` and the address it comes from. A refused try is not counted.
        """
        # One lock around all, so that tries at the same moment cannot pass together.
        with self._lock:
            limits = self._limits(browser, address)
            allowed = all(self._windows.test(*limit) for limit in limits)
            if allowed:
                for limit in limits:
                    self._windows.hit(*limit)
            return allowed

    def seconds_until_allowed(self, browser: str | None, address: str | None) -> int:
        """How long this visitor must wait before the next try: 0 where it may be made now."""
        with self._lock:
            full = [limit for limit in self._limits(browser, address) if not self._windows.test(*limit)]
            ends = [self._windows.get_window_stats(*limit).reset_time for limit in full]
        return max(1, math.ceil(max(ends) - time.time())) if ends else 0

    def _limits(self, browser: str | None, address: str | None) -> list[tuple[RateLimitItem, str, str]]:
        return [
            (self._browser, "browser", browser or "none"),
            (self._address, "address", _network(address) if address else "none"),
        ]


def _network(address: str) -> str:
    """What one visitor may choose addresses in: a single address of version 4, the first 64 bits of version 6."""
    try:
        plain = ipaddress.ip_address(address)
    except ValueError:
        return address
    return str(ipaddress.ip_network((plain, 64), strict=False)) if plain.version == 6 else str(plain)


def find_by_code(
    text: str,
    find: Callable[[str], Found | None],
    *,
    key: bytes,
    limit: GuessLimit,
    browser: str | None,
    address: str | None,
) -> Found | None:
    """What `find` gives for the hash of the recovery code that a visitor typed (11.3); None for anything else.

    An unknown code, a text that is no code, and any code of a visitor who tried too often get the same answer after the
    same work: two hashes and a look-up that finds nothing. So there is nothing left to hide by waiting. How long a text
    takes to read depends on the text alone, which its writer knows.
    """
    hashed, nobodys = code_hash(key, text), code_hash(key, "")
    return find(hashed if limit.guess_allowed(browser, address) else nobodys)
