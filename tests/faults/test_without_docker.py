"""One command serves a class without Docker: the replicas, their name and the proxy.

With `LMLIVE_RESTARTS=10` the walk restarts it ten times in each way, instead of once.
"""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.conftest import visiting
from tests.browser.lessons.test_run_control import button, state
from tests.browser.lessons.test_training_run import ENDLESS, PATIENCE, begin, past, steps
from tests.browser.serving import free_port
from tests.faults.cluster import HOSTS
from tests.faults.names import Names
from tests.faults.proxying import DEPLOY, HAPROXY, MISSING, Proxy, certificate, until
from tests.faults.test_replicas import host
from tests.faults.test_shared_runs import path, put

pytestmark = pytest.mark.walk("faults", alone=True)

PASSCODE = "the passcode of the class"
RESTARTS = int(os.environ.get("LMLIVE_RESTARTS", "1"))
NAMES = shutil.which("dnsmasq", path=f"{os.environ.get('PATH', '')}:/usr/sbin")


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Served]:
    """`deploy/bare.sh 2`, run as its first comment says, but on free ports."""
    if not (HAPROXY and NAMES):
        pytest.skip(f"{MISSING}, or dnsmasq (dnsmasq-base)")
    authority = certificate(tmp_path)
    secrets = tmp_path / "secrets"
    secrets.mkdir()
    (secrets / "STREAMLIT_SERVER_COOKIE_SECRET").write_text("0123456789abcdef" * 2)
    (secrets / "LMCORE_PASSCODE").write_text(PASSCODE)
    app = free_port(*HOSTS)
    http, https, inside, names = (free_port("127.0.0.1") for _ in range(4))
    said = {
        "PORT": str(app),
        "NAMES_PORT": str(names),
        "SECRETS_FOLDER": str(secrets),
        "RUNS_VOLUME": str(tmp_path / "runs"),
        "PROXY_HTTP": f"127.0.0.1:{http}",
        "PROXY_HTTPS": f"127.0.0.1:{https}",
        "PROXY_INSIDE": f"127.0.0.1:{inside}",
        "PROXY_CERTIFICATES": str(tmp_path / "served"),
        "LMCORE_WARM_UP": "false",
    }
    served = Served(Names({}), app, http, https, inside, authority, serve(said), said)
    try:
        yield served
    finally:
        end(served.process)


@dataclass
class Served(Proxy):
    """The proxy of a `bare.sh`, which can be started again with the same settings."""

    settings: dict[str, str]

    def again(self) -> None:
        """Start `bare.sh` again, whether the previous one has ended or not."""
        self.process = serve(self.settings)

    def wait(self) -> None:
        """Wait until a replica serves, and the proxy sends visitors to every replica."""
        until(lambda: replica(HOSTS[0], self.app), "a replica is begun", 300)
        until(lambda: listens(self.inside), "the proxy is begun")
        for there in HOSTS:
            self.wait_until(there, "UP")


def serve(settings: dict[str, str]) -> subprocess.Popen[bytes]:
    command = [str(DEPLOY / "bare.sh"), str(len(HOSTS))]
    return subprocess.Popen(command, env=os.environ | settings, start_new_session=True)


def end(process: subprocess.Popen[bytes]) -> None:
    process.terminate()
    process.wait(timeout=30)


def replica(host: str, port: int) -> int | None:
    """The id of the process that serves at this host and port, or None."""
    return next(iter(replicas(host, port)), None)


def replicas(host: str, port: int) -> list[int]:
    """The ids of the processes that serve at this host and port, or are about to."""
    wanted, found = f"--host\0{host}\0--port\0{port}\0", []
    for folder in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            if wanted in (folder / "cmdline").read_text():
                found.append(int(folder.name))
    return found


def test_a_class_is_served_and_what_dies_comes_back(served: Served) -> None:
    served.wait()
    page = served.ask("/")
    assert page.status == 401, "the passcode of the secrets holds"
    assert page.one("Strict-Transport-Security") == "max-age=31536000"
    assert served.ask("/metrics").status == 404

    killed = replica(HOSTS[1], served.app)
    assert killed
    os.kill(killed, signal.SIGKILL)
    until(lambda: replica(HOSTS[1], served.app) not in (None, killed), "it is begun again")
    served.wait_until(HOSTS[1], "UP")

    served.process.terminate()
    assert served.process.wait(timeout=30) == 0
    until(lambda: not any(replica(there, served.app) for there in HOSTS), "all have ended")
    assert not listens(served.https)


def listens(port: int) -> bool:
    """Whether a process listens on this port of loopback."""
    with socket.socket() as there:
        return there.connect_ex(("127.0.0.1", port)) == 0


def at_once(served: Served) -> None:
    """A restart in which the old one ends before the new one starts."""
    end(served.process)
    served.again()


def overlapping(served: Served) -> None:
    """A restart in which the new one starts while the old one still runs."""
    old, before = served.process, {pid for there in HOSTS for pid in replicas(there, served.app)}
    served.again()
    until(
        lambda: all(set(replicas(there, served.app)) - before for there in HOSTS),
        "its replicas are loading, or wait for the addresses of the old ones",
    )
    end(old)


def test_after_a_restart_every_owner_has_the_run_whichever_replica_they_land_on(
    served: Served, browser: Browser, walking: bool
) -> None:
    """`make test` leaves this walk out; a sample of it would be one restart, which overlaps."""
    served.wait()
    options = {"ignore_https_errors": True}
    with (
        visiting(browser, served.address, options, "visitor") as one,
        visiting(browser, served.address, options, "friend") as other,
    ):
        runs: list[str] = []
        for seed, (tab, there) in enumerate(zip((one, other), HOSTS, strict=True)):
            put(tab, served, there)
            tab.page.goto(f"{served.address}/neuron")
            tab.page.get_by_label("Passcode").fill(PASSCODE)
            tab.page.keyboard.press("Enter")
            tab.settle()
            page = begin(tab, f"{ENDLESS}&run_seed={seed}")
            past(page, 5)
            assert host(served, tab) == there
            runs.append(path(page.url))
        for restart in (at_once, overlapping) * RESTARTS if walking else (overlapping,):
            for tab in (one, other):
                tab.page.goto("about:blank")
            restart(served)
            served.wait()
            for tab, run in zip((one, other), runs, strict=True):
                page = tab.open(run)
                expect(state(page)).to_have_text("interrupted", timeout=PATIENCE)
                button(page, "Resume").click()
                past(page, steps(page) + 5)
        for tab in (one, other):
            tab.complaints[:] = [said for said in tab.complaints if "status of 401" not in said]
