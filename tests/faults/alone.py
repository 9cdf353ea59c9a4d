"""A separate server with the settings that a fault needs, its readiness, clock and metrics."""

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
from tests.patience import PLENTY


@dataclass(frozen=True)
class Alone:
    """A server on `port`."""

    port: int
    process: psutil.Process

    @property
    def address(self) -> str:
        """The address that a browser opens."""
        return f"http://127.0.0.1:{self.port}"

    def asked(self, path: str) -> str:
        """The text of the server's answer at `path`."""
        with urllib.request.urlopen(self.address + path, timeout=PLENTY) as answer:
            text: str = answer.read().decode()
        return text

    def ready(self) -> bool:
        """Whether the server is ready for visitors."""
        return bool(json.loads(self.asked("/readyz"))["status"] == "ready")

    def ahead(self) -> float:
        """The seconds by which the server's clock is ahead of the clock of the test."""
        with urllib.request.urlopen(self.address + "/healthz", timeout=PLENTY) as answer:
            said = parsedate_to_datetime(answer.headers["date"])
        return said.timestamp() - time.time()

    def counted(self, name: str, **labels: str) -> float:
        """A value of the server's metrics, summed over all other labels."""
        return sum(
            sample.value
            for family in families(self.asked("/metrics"))
            for sample in family.samples
            if sample.name == name and labels.items() <= sample.labels.items()
        )

    def workers(self) -> list[psutil.Process]:
        """The training processes of the server."""
        return [
            child
            for child in self.process.children(recursive=True)
            if "lmcore.training.pool.worker" in child.cmdline()
        ]


@contextmanager
def alone(**settings: str) -> Iterator[Alone]:
    """Run a server with these settings, and those of the environment."""
    port = free_port("127.0.0.1")
    server = start(ROOT / "serve.py", "127.0.0.1", port, {"LMCORE_WARM_UP": "false"} | settings)
    try:
        wait_for(f"http://127.0.0.1:{port}/readyz", server)
        yield Alone(port, psutil.Process(server.pid))
    finally:
        server.terminate()
        server.wait(timeout=20)


def until(true: Callable[[], bool], what: str) -> None:
    """Wait until `true()` is true; fail with `what` after PLENTY seconds."""
    deadline = time.monotonic() + PLENTY
    while not true():
        assert time.monotonic() < deadline, what
        time.sleep(0.05)
