"""The calls between the replicas of a server: JSON over HTTP, signed with their common secret.

Anyone who has the secret counts as a replica. Nothing in a call or an answer can run, and no
address in it is followed: a replica calls only those that its own settings name.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import secrets
from collections.abc import Sequence
from contextlib import closing
from http.client import HTTPConnection, HTTPException
from typing import Any, Literal, NamedTuple

from pydantic import Base64Bytes, TypeAdapter

from lmcore.configuration import configuration
from lmcore.training.pool.run_changes import HistoryCursor, RunChanges
from lmcore.training.pool.service import Outcome, RunService

PATH = "/inside/runs"
"""The path at which a replica is called; the proxy must block all other callers."""
SIGNATURE = "signature"
"""The header with the signature of a call, or of an answer."""
LARGEST_CALL = 1_000_000
"""Bytes of the largest call that is read."""
CONNECT_SECONDS = 1.0
"""Seconds for a replica to accept a connection."""
ITSELF = "itself"
"""The outcome of a call that a replica made to itself."""
Proofs = Sequence[str] | None


class Call(NamedTuple):
    """The types of the arguments of a call, and of its answer."""

    given: TypeAdapter[Any]
    answer: TypeAdapter[Any]


def _call(answer: Any, *given: Any) -> Call:
    return Call(TypeAdapter(tuple[given]), TypeAdapter(answer))  # type: ignore[valid-type]


Verb = Literal["pause", "stop", "resume", "rename"]
CALLS = {
    "changes": _call(dict[str, RunChanges | str], dict[str, HistoryCursor]),
    "control": _call(RunChanges, Verb, str, HistoryCursor, Sequence[int | str | None], Proofs),
    "fork": _call(str, str, str),
    "delete": _call(None, str, Proofs),
    "control_link": _call(str, str, Proofs),
    "withdraw_link": _call(None, str, Proofs),
    "checkpoint": _call(Base64Bytes | None, str),
    "live_runs": _call(list[str], str),
    "processor_seconds": _call(float, str),
}
"""The methods of each other's `RunService` that replicas call."""


class NoReplica(Exception):
    """The called address does not answer, or not as a replica of this server does."""


class Signer:
    """Signs what replicas send each other, with a key made of their common secret."""

    def __init__(self, secret: str) -> None:
        self._key = hashlib.sha256(f"replicas {secret}".encode()).digest()

    def sign(self, *parts: bytes) -> str:
        """The signature of these bytes, in this order."""
        whole = b"".join(hashlib.sha256(part).digest() for part in parts)
        return hmac.new(self._key, whole, hashlib.sha256).hexdigest()

    def is_signed(self, signature: str, *parts: bytes) -> bool:
        """Whether the signature is that of these bytes."""
        return hmac.compare_digest(self.sign(*parts).encode(), signature.encode())


def ask(
    host: str,
    port: int,
    signer: Signer,
    life: str,
    verb: str,
    given: Sequence[Any],
    seconds: float,
) -> tuple[Outcome | Literal["itself"], Any]:
    """Call a replica as the replica `life`; returns the outcome, and the result or the refusal.

    Raises:
        NoReplica: if it is silent for `seconds`, or its answer is too long or not signed.
    """
    call = {"life": life, "verb": verb, "given": CALLS[verb].given.dump_python(tuple(given))}
    call["nonce"] = secrets.token_hex(8)  # the answer to an equal earlier call answers no other
    body = json.dumps(call).encode()
    try:
        with closing(HTTPConnection(host, port, timeout=CONNECT_SECONDS)) as connection:
            connection.connect()
            connection.sock.settimeout(seconds)
            signature = signer.sign(body)
            connection.request("POST", PATH, body, {SIGNATURE: signature})
            got = connection.getresponse()
            answer = got.read(most_answered() + 1)
        if len(answer) > most_answered():
            raise NoReplica
        if not signer.is_signed(got.headers.get(SIGNATURE, ""), signature.encode(), answer):
            raise NoReplica
        outcome, result = json.loads(answer)
        if outcome == "answered":
            result = CALLS[verb].answer.validate_python(result)
        return outcome, result
    except (OSError, HTTPException, ValueError) as error:
        raise NoReplica from error


def most_answered() -> int:
    """Bytes of the longest answer: a checkpoint, its weights and two moments of each, in Base64."""
    return 16 * configuration().weights + 16_000_000


def answer(service: RunService, signer: Signer, body: bytes, signature: str) -> tuple[bytes, str]:
    """Answer the call of a replica; returns the answer and its signature.

    Raises:
        NoReplica: if the call is not signed, or there is no such call.
    """
    if not signer.is_signed(signature, body):
        raise NoReplica
    try:
        call = json.loads(body)
        known, given = CALLS[call["verb"]], call["given"]
        if call["life"] == service.life:
            said: tuple[str, Any] = (ITSELF, None)
        else:
            said = service.call(call["verb"], *known.given.validate_python(given))
    except (ValueError, TypeError, LookupError) as error:
        raise NoReplica from error
    outcome, result = said
    if outcome == "answered":
        result = known.answer.dump_python(result)
    text = json.dumps((outcome, result), default=bytes.decode).encode()
    return text, signer.sign(signature.encode(), text)
