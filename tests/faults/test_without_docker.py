"""One command serves a class without Docker: the replicas, their name and the proxy."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.browser.serving import free_port
from tests.faults.cluster import HOSTS
from tests.faults.names import Names
from tests.faults.proxying import DEPLOY, HAPROXY, MISSING, Proxy, certificate, until

NAMES = shutil.which("dnsmasq", path=f"{os.environ.get('PATH', '')}:/usr/sbin")


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Proxy]:
    """`deploy/bare.sh 2`, as its head says, on ports of our own."""
    if not (HAPROXY and NAMES):
        pytest.skip(f"{MISSING}, or dnsmasq (dnsmasq-base)")
    authority = certificate(tmp_path)
    secrets = tmp_path / "secrets"
    secrets.mkdir()
    (secrets / "STREAMLIT_SERVER_COOKIE_SECRET").write_text("0123456789abcdef" * 2)
    (secrets / "LMCORE_PASSCODE").write_text("the passcode of the class")
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
    }
    command = [str(DEPLOY / "bare.sh"), str(len(HOSTS))]
    process = subprocess.Popen(command, env=os.environ | said, start_new_session=True)
    try:
        yield Proxy(Names({}), app, http, https, inside, authority, process)
    finally:
        process.terminate()
        process.wait(timeout=30)


def replica(host: str, port: int) -> int | None:
    """The process that serves there."""
    wanted = f"--host\0{host}\0--port\0{port}\0"
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            if wanted in (folder / "cmdline").read_text():
                return int(folder.name)
        except OSError:
            continue
    return None


def test_a_class_is_served_and_what_dies_comes_back(served: Proxy) -> None:
    until(lambda: replica(HOSTS[0], served.app), "a replica is begun", 300)
    until(lambda: listens(served.inside), "the proxy is begun")
    for host in HOSTS:
        served.wait_until(host, "UP")
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
    until(lambda: not any(replica(host, served.app) for host in HOSTS), "all have ended")
    assert not listens(served.https)


def listens(port: int) -> bool:
    """Whether anybody does, on loopback."""
    with socket.socket() as there:
        return there.connect_ex(("127.0.0.1", port)) == 0
