"""Starts servers as `make run` does, on a free port, and measures what they use.

The command and its environment are read from the Makefile, so that they cannot drift apart.
"""

from __future__ import annotations

import os
import re
import shlex
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.error import URLError

ROOT = Path(__file__).parent.parent
TICK = os.sysconf("SC_CLK_TCK")
PROCESS_CLOCK = 2
"""Linux: combined with a process id, the clock id of the processor time of all its threads."""
PLAIN = """
import numpy as np
import pandas as pd
import plotly.graph_objects as go
import streamlit as st

st.set_page_config(layout="wide")
values = [st.slider(f"value {n}", -4.0, 4.0, 0.0, 0.1) for n in range(1, 8)]
x = np.linspace(-4, 4, 101)
waves = {f"wave {n}": np.sin(x + value) for n, value in enumerate(values, 1)}
st.plotly_chart(go.Figure([go.Scatter(x=x, y=y, name=name) for name, y in waves.items()]))
st.plotly_chart(go.Figure(go.Bar(x=list(waves), y=[y.mean() for y in waves.values()])))
st.plotly_chart(go.Figure(go.Heatmap(z=np.array(list(waves.values()))[:, ::4])))
st.dataframe(pd.DataFrame(waves).describe())
"""


@dataclass(frozen=True, slots=True)
class Server:
    """A server process, and the seconds that it took to start."""

    url: str
    pid: int
    ready: float = 0.0

    def cpu(self) -> float:
        """Seconds of processor time so far, of the server alone; finer than a tick of /proc."""
        return time.clock_gettime(~self.pid << 3 | PROCESS_CLOCK)

    def workers(self) -> float:
        """Seconds of processor time of its children, the training processes."""
        return sum(_cpu(child) for child in self._children())

    def resident(self) -> float:
        """Resident memory in MB, of the server alone."""
        status = Path(f"/proc/{self.pid}/status").read_text()
        found = re.search(r"^VmRSS:\s+(\d+)", status, re.MULTILINE)
        return int(found[1]) / 1000 if found else 0.0

    def _children(self) -> list[int]:
        tasks = Path(f"/proc/{self.pid}/task").glob("*/children")
        return [int(child) for each in tasks for child in each.read_text().split()]


def stolen() -> float:
    """Steal time: seconds for which this virtual machine was ready, but the host ran others."""
    return int(Path("/proc/stat").read_text().split(maxsplit=9)[8]) / TICK


def _cpu(pid: int) -> float:
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0.0
    return (int(fields[11]) + int(fields[12])) / TICK


@contextmanager
def app(*, folder: Path = ROOT, module: str = "serve") -> Iterator[Server]:
    """`module` of `folder` on a free port of this machine; ended by its number."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command, environment = make_run_command("127.0.0.1", port, module)
    begun = time.perf_counter()
    with tempfile.TemporaryFile() as said:
        process = subprocess.Popen(
            [*command, "--app-dir", str(folder)],
            cwd=ROOT,
            env=os.environ | environment,
            stdout=said,
            stderr=said,
        )
        url = f"http://127.0.0.1:{port}"
        try:
            _wait_for(f"{url}/_stcore/health", process)
            yield Server(url, process.pid, time.perf_counter() - begun)
        finally:
            process.terminate()
            process.wait(timeout=30)
            _complaints(said)


@contextmanager
def plain_page() -> Iterator[Server]:
    """Serve a plain page of seven sliders, three charts and a table, without the app's code."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "plain_page.py").write_text(PLAIN)
        script = f"import streamlit as st\n\napp = st.App({str(folder / 'plain_page.py')!r})\n"
        (folder / "serve_plain.py").write_text(script)
        with app(folder=folder, module="serve_plain") as server:
            yield server


def make_run_command(
    host: str, port: int, module: str = "serve"
) -> tuple[list[str], dict[str, str]]:
    """The command and the environment with which `make run` serves, for the app of `module`."""
    made = dict(re.findall(r"^([A-Z]+) :=\s*(.*)$", (ROOT / "Makefile").read_text(), re.MULTILINE))
    made |= {"ADDRESS": host, "PORT": str(port), "BIN": str(Path(sys.executable).parent)}
    line = made["SERVE"]
    while slots := re.findall(r"\$\(([A-Z]+)\)", line):
        for slot in slots:
            line = line.replace(f"$({slot})", made[slot])
    words = shlex.split(line)
    first = next(n for n, word in enumerate(words) if not re.match(r"[A-Z_]+=", word))
    environment = dict(word.split("=", 1) for word in words[:first])
    command = [word.replace("serve:app", f"{module}:app") for word in words[first:]]
    return command, environment


def _wait_for(url: str, process: subprocess.Popen[bytes]) -> None:
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline and process.poll() is None:
        try:
            urllib.request.urlopen(url, timeout=2).close()
        except (URLError, OSError):
            time.sleep(0.02)
        else:
            return
    raise RuntimeError("the server did not come up within 60 s")


def _complaints(said: object) -> None:
    """Print the errors that the server has written; there should be none."""
    said.seek(0)  # type: ignore[attr-defined]
    text = said.read().decode(errors="replace")  # type: ignore[attr-defined]
    errors = re.findall(r"^\S*(?:Error|Exception)\b.*$", text, re.MULTILINE)
    for line in dict.fromkeys(errors):
        print(f"  the server wrote ({errors.count(line)} times): {line[:150]}")
