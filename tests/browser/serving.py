"""A real server on a port of its own, and the Chromium that visits it."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import time
import urllib.request
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path
from urllib.error import URLError

from playwright.sync_api import Browser, Playwright

from benchmarks.servers import make_run_command

ROOT = Path(__file__).parent.parent.parent
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
NAMES = (
    # It has none of the windows that a headless browser still has: half the work for a page.
    "chromium-headless-shell",
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
)


PATIENCE = 180.0
"""Seconds within which a server must answer, on a machine with other work."""


@contextmanager
def serve(
    script: Path = ROOT / "serve.py", settings: Mapping[str, str] | None = None
) -> Iterator[str]:
    """The ASGI app of `script`, served as `make run` serves it; yields the address."""
    with served(script, settings) as (address, _):
        yield address


@contextmanager
def served(
    script: Path = ROOT / "serve.py", settings: Mapping[str, str] | None = None
) -> Iterator[tuple[str, int]]:
    """As `serve`, but yields the address and the id of the server's process."""
    port = free_port("127.0.0.1")
    server = start(script, "127.0.0.1", port, settings)
    try:
        wait_for(f"http://127.0.0.1:{port}/_stcore/health", server)
        yield f"http://127.0.0.1:{port}", server.pid
    finally:
        server.terminate()
        server.wait(timeout=20)


def free_port(*hosts: str) -> int:
    """A port that is free on each of these hosts."""
    while True:
        with ExitStack() as held:
            port = 0
            try:
                for host in hosts:
                    free = held.enter_context(socket.socket())
                    free.bind((host, port))
                    port = free.getsockname()[1]
            except OSError:
                continue
            return port


def start(
    script: Path, host: str, port: int, settings: Mapping[str, str] | None = None
) -> subprocess.Popen[bytes]:
    """Start the server as `make run` does and return its process; seconds later it answers."""
    command, environment = make_run_command(host, port, script.stem)
    command += ["--app-dir", str(script.parent)]
    # One process for computations: the machine's other cores have tests and servers of their own.
    ours = {"LMCORE_DEVICE": "cpu", "LMCORE_COMPUTATIONS": "1", "PYTHONPATH": str(ROOT)}
    environment = {**os.environ, **environment, **ours}
    environment |= settings or {}
    return subprocess.Popen(
        command, cwd=ROOT, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )


def wait_for(url: str, server: subprocess.Popen[bytes]) -> None:
    """Wait until the server answers at `url`; raises RuntimeError if it ends or takes too long."""
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline and server.poll() is None:
        try:
            urllib.request.urlopen(url, timeout=2).close()
        except (URLError, OSError):
            time.sleep(0.1)
        else:
            return
    raise RuntimeError(f"the server did not come up within {PATIENCE:g} s")


def chromium(playwright: Playwright) -> Browser:
    """The machine's own Chromium, else the one Playwright installed."""
    found = next((path for name in NAMES if (path := shutil.which(name))), None)
    return playwright.chromium.launch(executable_path=found, args=FLAGS)
