"""A Ray cluster on this machine for the tests, which leaves no process behind."""

import contextlib
import inspect
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
from pathlib import Path

from runs_at_hand import PLENTY, until

from lmcore.training.pool import mirrored
from lmcore.training.pool.limits import Limits
from lmcore.training.ray import bridge, pool
from lmcore.training.ray.pool import RayPool
from lmcore.training.ray.terms import QUIET_ENVIRONMENT, RaySettings

TERMS = RaySettings(Limits(), workers=1, cpus=0.5, response_seconds=PLENTY)


def free_port():
    with socket.socket() as door:
        door.bind(("127.0.0.1", 0))
        return door.getsockname()[1]


def killed(session):
    """Kill the processes of a session; returns the processes that were still alive."""
    found = []
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):
            state, _, _, of = stat.read_text().rpartition(")")[2].split()[:4]
            if int(of) == session and state != "Z":
                found.append(int(stat.parent.name))
                os.kill(found[-1], signal.SIGKILL)
    return found


GUARD = f"""
import sys
sys.stdin.read()
import contextlib, os, signal
from pathlib import Path
{inspect.getsource(killed)}
while killed(int(sys.argv[1])):
    pass
"""


class Head:
    """The head node of a cluster, its only machine."""

    def __init__(self):
        self.folder = Path(tempfile.mkdtemp(prefix="lmray-"))
        self.port = free_port()
        self.begin()

    @property
    def address(self):
        return f"{self.host}:{self.port}"

    def begin(self):
        ray = Path(sys.executable).parent / "ray"
        command = [
            str(ray), "start", "--head", "--block", f"--port={self.port}", "--num-cpus=2",
            "--num-gpus=0", "--include-dashboard=false", "--include-log-monitor=false",
            "--disable-usage-stats", "--object-store-memory=100000000",
            f"--temp-dir={self.folder}",
            f"--dashboard-agent-listen-port={free_port()}",
        ]  # fmt: skip
        out = self.folder / "said"
        with out.open("w") as file:
            self.process = subprocess.Popen(
                command, env={**os.environ, **QUIET_ENVIRONMENT}, stdout=file, stderr=file,
                start_new_session=True,
            )  # fmt: skip
            # This process ends with the tests, even if they are killed, and then kills the cluster.
            guard = [sys.executable, "-c", GUARD, str(self.process.pid)]
            self.guard = subprocess.Popen(guard, stdin=subprocess.PIPE)
        until(lambda: "Ray runtime started" in out.read_text() or self.process.poll() is not None)
        said = out.read_text()
        assert self.process.poll() is None, said
        self.host = said.partition("Local node IP: ")[2].split()[0]

    def end(self):
        """Kill the cluster: all its processes are in the session that was started here."""
        until(lambda: not killed(self.process.pid))
        self.process.wait()
        self.guard.stdin.close()
        self.guard.wait()

    def close(self):
        self.end()
        shutil.rmtree(self.folder, ignore_errors=True)


def patient(monkeypatch):
    """Raise the time limits: on busy cores an answer takes longer than in a real cluster."""
    monkeypatch.setattr(pool, "ANSWER_SECONDS", 150.0)
    monkeypatch.setattr(pool, "TRANSFER_SECONDS", 150.0)
    monkeypatch.setattr(mirrored, "TRANSFER_SECONDS", 150.0)
    monkeypatch.setattr(bridge, "CONNECTING", PLENTY)


@contextlib.contextmanager
def replica(head, terms=TERMS):
    runs = RayPool(head.address, terms)
    try:
        yield runs
    finally:
        runs.close()
