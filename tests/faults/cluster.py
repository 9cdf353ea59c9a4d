"""Two replicas of the app behind the proxy, all on loopback."""

from __future__ import annotations

import signal
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass
from http.client import HTTPConnection
from pathlib import Path

from tests.browser.serving import ROOT, free_port, start, wait_for
from tests.faults.proxying import Proxy, proxied

HOSTS = ("127.0.0.2", "127.0.0.3")
SHARED = {
    "STREAMLIT_SERVER_COOKIE_SECRET": "the same on every replica",
    # as deploy/ sets it
    "LMCORE_STREAMLIT_INTERNALS": "script_scheduler,message_batching,reconnect",
    # it takes fourteen seconds of a core at each start, and these tests do not need it
    "LMCORE_WARM_UP": "false",
}


@dataclass
class Replica:
    """One server of the app."""

    host: str
    port: int
    settings: dict[str, str]
    process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start the server's process; it takes some seconds until it answers."""
        self.process = start(ROOT / "serve.py", self.host, self.port, SHARED | self.settings)

    def wait(self) -> None:
        """Wait until the server answers."""
        assert self.process is not None
        wait_for(f"http://{self.host}:{self.port}/_stcore/health", self.process)

    def ask(
        self, path: str, method: str, body: bytes, headers: Mapping[str, str]
    ) -> tuple[int, bytes]:
        """Send a request to the replica directly, not through the proxy."""
        with closing(HTTPConnection(self.host, self.port, timeout=60)) as connection:
            connection.request(method, path, body, dict(headers))
            answer = connection.getresponse()
            return answer.status, answer.read()

    def kill(self) -> None:
        """Kill the process at once, without a shutdown."""
        if self.process is not None and self.process.poll() is None:
            self.process.send_signal(signal.SIGKILL)
            self.process.wait(timeout=20)


@dataclass
class Cluster:
    """The proxy, and the replicas by their hosts."""

    proxy: Proxy
    replicas: dict[str, Replica]

    def wait(self) -> None:
        """Wait until every replica is ready, and the proxy sends visitors to it."""
        for replica in self.replicas.values():
            replica.wait()
        for host in self.replicas:
            self.proxy.wait_until(host, "UP")


@contextmanager
def standing(folder: Path, **settings: str) -> Iterator[Cluster]:
    """Two replicas behind the proxy, ready for visitors; both save runs, as in deploy/."""
    app = free_port(*HOSTS)
    shared = {"LMCORE_REPLICAS": ",".join(f"{host}:{app}" for host in HOSTS)}
    shared["LMCORE_RUNS_FOLDER"] = str(folder / "runs")
    replicas = {host: Replica(host, app, shared | settings) for host in HOSTS}
    with ExitStack() as ended:
        for replica in replicas.values():
            replica.start()
            ended.callback(replica.kill)
        proxy = ended.enter_context(proxied(folder, HOSTS, app))
        cluster = Cluster(proxy, replicas)
        cluster.wait()
        yield cluster
