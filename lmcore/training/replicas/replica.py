"""Another replica of this server, and its runs as they are seen from here."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Sequence
from typing import Any, NamedTuple

from lmcore.configuration import variable_name
from lmcore.training.pool.backend import RunUnreachable
from lmcore.training.pool.control import ControlRefused
from lmcore.training.pool.mirrored import MirroredRuns
from lmcore.training.replicas import wire

ANSWER_SECONDS = 6.0
"""Seconds for a replica to answer."""
RETRY_SECONDS = 2.0
"""Seconds after a failure before a replica is called again."""
RESOLVE_SECONDS = 2.0
"""Seconds for which the addresses of the replicas are reused."""
SILENT = (
    "The server that may have this run does not answer at the moment. The run is looked for again "
    "as soon as it does."
)


class Address(NamedTuple):
    """Where a replica, or all replicas of one name, are called."""

    host: str
    port: int


class Replica(MirroredRuns):
    """The runs of the replica at an address; `itself` once that is known to be this one."""

    def __init__(self, at: Address, signer: wire.Signer, life: str) -> None:
        super().__init__()
        self._at, self._signer, self._life = at, signer, life
        self._failed = -RETRY_SECONDS
        self.itself = False

    def _ask(self, verb: str, *given: Any, seconds: float | None = None) -> Any:
        if time.monotonic() < self._failed + RETRY_SECONDS:
            raise RunUnreachable(SILENT)
        try:
            outcome, result = wire.ask(
                *self._at, self._signer, self._life, verb, given, seconds or ANSWER_SECONDS
            )
        except wire.NoReplica:
            self._failed = time.monotonic()
            raise RunUnreachable(SILENT) from None
        if outcome == wire.ITSELF:
            self.itself = True
            raise ValueError("this replica has no other runs")
        if outcome == "forbidden":
            raise ControlRefused(result)
        if outcome == "refused":
            raise ValueError(result)
        return result


class Replicas:
    """The other replicas that a setting names: found anew, as they come and go."""

    def __init__(self, named: Sequence[Address], signer: wire.Signer, life: str) -> None:
        self._named, self._signer, self._life = named, signer, life
        self._resolving = threading.Lock()
        self._known: dict[Address, Replica] = {}
        self._resolved = -RESOLVE_SECONDS

    def now(self) -> list[Replica]:
        """The other replicas, as far as they are known now."""
        with self._resolving:
            if time.monotonic() >= self._resolved + RESOLVE_SECONDS:
                self._resolved = time.monotonic()
                there = dict.fromkeys(one for each in self._named for one in _resolve(each))
                if there:  # this replica is one of them: without any address the look-up has failed
                    self._known = {
                        at: self._known.get(at) or Replica(at, self._signer, self._life)
                        for at in there
                    }
            return [each for each in self._known.values() if not each.itself]


def _resolve(named: Address) -> list[Address]:
    """The addresses of a name; none while nothing has that name."""
    try:
        found = socket.getaddrinfo(*named, type=socket.SOCK_STREAM)
    except OSError:
        return []
    return [Address(str(at[0]), named.port) for *_, at in found]


def read_addresses(text: str) -> tuple[Address, ...]:
    """The addresses in a text, separated by commas.

    Raises:
        ValueError: naming the one that is not a host and a port.
    """
    return tuple(_read_address(each.strip()) for each in text.split(",") if each.strip())


def _read_address(text: str) -> Address:
    host, _, port = text.rpartition(":")
    host = host.removeprefix("[").removesuffix("]")
    if not host or not port.isdecimal() or not 0 < int(port) < 65_536:
        raise ValueError(
            f"{variable_name('replicas')} must be hosts with their ports, such as app:8501, "
            f"separated by commas; got {text!r}"
        )
    return Address(host, int(port))
