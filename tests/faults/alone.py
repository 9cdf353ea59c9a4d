"""One server of its own, with the settings that a fault needs, and what it says of itself."""

from __future__ import annotations

import json
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from email.utils import parsedate_to_datetime

import psutil
from prometheus_client.parser import text_string_to_metric_families as families

from tests.browser.serving import ROOT, free_port, start, wait_for

PLENTY = 60.0
"""Seconds within which everything here has happened."""


@dataclass(frozen=True)
class Alone:
    """A server on `port`."""

    port: int
    process: psutil.Process

    @property
    def address(self) -> str:
        """What a browser opens."""
        return f"http://127.0.0.1:{self.port}"

    def asked(self, path: str) -> str:
        """What it answers."""
        with urllib.request.urlopen(self.address + path, timeout=PLENTY) as answer:
            text: str = answer.read().decode()
        return text

    def ready(self) -> bool:
        """Whether it takes visitors."""
        return bool(json.loads(self.asked("/readyz"))["status"] == "ready")

    def ahead(self) -> float:
        """Seconds that its clock is ahead of ours."""
        with urllib.request.urlopen(self.address + "/healthz", timeout=PLENTY) as answer:
            said = parsedate_to_datetime(answer.headers["date"])
        return said.timestamp() - time.time()

    def counted(self, name: str, **labels: str) -> float:
        """A figure of its metrics, the sum over all other labels."""
        return sum(
            sample.value
            for family in families(self.asked("/metrics"))
            for sample in family.samples
            if sample.name == name and labels.items() <= sample.labels.items()
        )

    def workers(self) -> list[psutil.Process]:
        """Its training processes."""
        return [
            child
            for child in self.process.children(recursive=True)
            if "lmcore.training.pool.worker" in child.cmdline()
        ]


@contextmanager
def alone(**settings: str) -> Iterator[Alone]:
    """A server with those settings, and the environment's own."""
    port = free_port("127.0.0.1")
    server = start(ROOT / "serve.py", "127.0.0.1", port, {"LMCORE_WARM_UP": "false"} | settings)
    try:
        wait_for(f"http://127.0.0.1:{port}/readyz", server)
        yield Alone(port, psutil.Process(server.pid))
    finally:
        server.terminate()
        server.wait(timeout=20)


def until(true: Callable[[], bool], what: str) -> None:
    """Wait for it."""
    deadline = time.monotonic() + PLENTY
    while not true():
        assert time.monotonic() < deadline, what
        time.sleep(0.05)
