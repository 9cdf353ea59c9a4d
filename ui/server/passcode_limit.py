"""How often a wrong passcode may be tried: per address and in all, without shutting others out.

A class shares one address, perhaps with somebody who guesses: neither can be refused by address. So
every attempt is checked, and wrong ones take a token from two buckets that refill slowly. While a
bucket is empty, attempts wait, and the visitor with the fewest tries goes first. Tries are counted
by the form that the attempt came from; attempts without a form count as one visitor.
"""

from __future__ import annotations

import asyncio
import ipaddress
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import count

from cachetools import TTLCache

BURST, PER_SECOND = 20, 5.0
"""Wrong passcodes of one address that are answered at once, and then per second."""
BURST_OF_ALL, PER_SECOND_OF_ALL = 60, 20.0
"""The same for all addresses together."""
MOST_WAITING = 500
"""Attempts that may wait; if there are more, the one that is last in order is refused."""
REMEMBERED, REMEMBERED_SECONDS = 20_000, 600.0
"""Addresses and forms that are stored, and for how many seconds after they were last seen."""


@dataclass(slots=True)
class Bucket:
    """Wrong passcodes that may be answered now: `left` of at most `burst`, `rate` a second more."""

    burst: float
    rate: float
    seen: float
    left: float = field(init=False)

    def __post_init__(self) -> None:
        self.left = self.burst

    def ready_in(self, now: float) -> float:
        """The seconds until one more may be answered; 0 if it may now."""
        self.left = min(self.burst, self.left + self.rate * (now - self.seen))
        self.seen = now
        return max((1 - self.left) / self.rate, 0.0)


@dataclass(order=True, slots=True)
class _Attempt:
    tries: int
    order: int
    right: bool = field(compare=False)
    buckets: tuple[Bucket, ...] = field(compare=False)
    turn: asyncio.Future[bool] = field(compare=False)


class Guesses:
    """The attempts at one server; used in one event loop."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._all = Bucket(BURST_OF_ALL, PER_SECOND_OF_ALL, clock())
        self._addresses: TTLCache[str, Bucket] = TTLCache(REMEMBERED, REMEMBERED_SECONDS)
        self._tries: TTLCache[str, int] = TTLCache(REMEMBERED, REMEMBERED_SECONDS)
        self._waiting: list[_Attempt] = []
        self._order = count()
        self._again: asyncio.TimerHandle | None = None

    async def turn(self, address: str, form: str, *, right: bool) -> bool:
        """Wait until this attempt may be answered; False if too many wait.

        Args:
            address: the client's address; for IPv6, its /64 network counts.
            form: the form that the attempt came from, or empty.
            right: whether the passcode is right; then the attempt takes from no bucket.
        """
        tries = self._tries.get(form, 0)
        if not right:
            self._tries[form] = tries + 1
        network = network_of(address)
        bucket = self._addresses.get(network) or Bucket(BURST, PER_SECOND, self._clock())
        self._addresses[network] = bucket
        turn = asyncio.get_running_loop().create_future()
        attempt = _Attempt(tries, next(self._order), right, (self._all, bucket), turn)
        self._waiting.append(attempt)
        self.serve()  # before any is refused: one address that fills the queue shuts out no other
        if len(self._waiting) > MOST_WAITING:
            last = max(self._waiting)
            self._waiting.remove(last)
            if not last.turn.done():
                last.turn.set_result(False)
        answered: bool = await turn
        return answered

    def serve(self) -> None:
        """Answer those whose turn it is, and call this again when the next may be answered."""
        now, soonest = self._clock(), float("inf")
        for attempt in sorted(self._waiting):
            ready_in = max(bucket.ready_in(now) for bucket in attempt.buckets)
            if ready_in > 0 and not attempt.turn.done():
                soonest = min(soonest, ready_in)
                continue
            self._waiting.remove(attempt)
            if attempt.turn.done():  # the visitor has left
                continue
            attempt.turn.set_result(True)
            for bucket in attempt.buckets:
                bucket.left -= not attempt.right
        if self._again:
            self._again.cancel()
        loop = asyncio.get_running_loop()
        self._again = loop.call_later(soonest, self.serve) if self._waiting else None


def network_of(address: str) -> str:
    """The network that counts as one address: for IPv6 a /64, which one visitor may have."""
    try:
        found = ipaddress.ip_address(address)
    except ValueError:
        return address[:60]
    if isinstance(found, ipaddress.IPv4Address) or found.ipv4_mapped:
        return str(getattr(found, "ipv4_mapped", None) or found)
    return str(ipaddress.ip_network((found, 64), strict=False))
