"""The proxy with deploy/'s configuration on loopback, and a client for it without a browser."""

from __future__ import annotations

import csv
import json
import os
import shutil
import socket
import ssl
import subprocess
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass
from http.client import HTTPConnection, HTTPResponse, HTTPSConnection
from pathlib import Path
from typing import Any, TypeVar
from urllib.request import urlopen

from tests.browser.serving import ROOT, free_port, wait_for
from tests.faults.names import Names, name_server

DEPLOY = ROOT / "deploy"
FOUND = shutil.which("haproxy", path=f"{os.environ.get('PATH', '')}:/usr/sbin")
HAPROXY = FOUND if shutil.which("openssl") else None
MISSING = "HAProxy or openssl is not installed (Debian: apt-get install haproxy openssl)"
STICKY = "replica"
"""The cookie that ties a visitor to a replica."""
Seen = TypeVar("Seen")


def until(look: Callable[[], Seen], what: str, seconds: float = 60) -> Seen:
    """Wait until `look()` is true, and return its value; fail with `what` after `seconds`."""
    deadline = time.monotonic() + seconds
    while not (now := look()):
        if time.monotonic() > deadline:
            raise AssertionError(f"not within {seconds:g} s: {what}")
        time.sleep(0.05)
    return now


@dataclass(frozen=True)
class Answer:
    """An HTTP answer."""

    status: int
    headers: list[tuple[str, str]]
    body: bytes

    @classmethod
    def read(cls, got: HTTPResponse) -> Answer:
        # After a 101 come the websocket's messages, not a body.
        return cls(got.status, got.getheaders(), b"" if got.status == 101 else got.read())

    def all(self, name: str) -> list[str]:
        """Every value of a header."""
        return [value for key, value in self.headers if key.lower() == name.lower()]

    def one(self, name: str) -> str:
        """The only value of a header; empty if there is none."""
        values = self.all(name)
        assert len(values) <= 1, f"{name} stands there {len(values)} times"
        return values[0] if values else ""

    def sticky(self) -> str:
        """The cookie that ties a visitor to a replica; empty if this answer sets none."""
        ours = [each for each in self.all("Set-Cookie") if each.startswith(f"{STICKY}=")]
        return ours[0].partition(";")[0] if ours else ""


@dataclass(frozen=True)
class Seat:
    """A replica as the proxy reports it: UP, NOLB (no new visitors) or DOWN, with its requests."""

    host: str
    status: str
    cookie: str
    asked: int


@dataclass
class Proxy:
    """A running proxy: its DNS server, ports, certificate and process."""

    names: Names
    app: int
    http: int
    https: int
    inside: int
    authority: Path
    process: subprocess.Popen[bytes]

    @property
    def address(self) -> str:
        """The address that visitors open."""
        return f"https://localhost:{self.https}"

    def tls(self) -> ssl.SSLContext:
        """A TLS context that trusts this proxy's certificate, and no other."""
        return ssl.create_default_context(cafile=str(self.authority))

    def ask(
        self,
        path: str,
        method: str = "GET",
        body: bytes | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> Answer:
        """Send one request on a new connection, with no cookies but those in `headers`."""
        connection = HTTPSConnection("localhost", self.https, timeout=60, context=self.tls())
        with closing(connection):
            connection.request(method, path, body, dict(headers or {}))
            return Answer.read(connection.getresponse())

    @contextmanager
    def listen(self, path: str, cookies: str) -> Iterator[Iterator[Any]]:
        """The messages of a stream of server-sent events, each as it arrives."""
        connection = HTTPSConnection("localhost", self.https, timeout=60, context=self.tls())
        with closing(connection):
            connection.request("GET", path, headers={"Cookie": cookies})
            got = connection.getresponse()
            assert got.status == 200, got.status
            told = (line.removeprefix(b"data: ") for line in got if line.startswith(b"data: "))
            yield (json.loads(message) for message in told)

    def ask_plain(self, path: str) -> Answer:
        """Send a GET request without TLS."""
        with closing(HTTPConnection("localhost", self.http, timeout=60)) as connection:
            connection.request("GET", path)
            return Answer.read(connection.getresponse())

    def connect(self) -> ssl.SSLSocket:
        """A TLS connection on which nothing has been sent."""
        there = socket.create_connection(("localhost", self.https), timeout=60)
        return self.tls().wrap_socket(there, server_hostname="localhost")

    @contextmanager
    def websocket(self, **headers: str) -> Iterator[Answer]:
        """The answer to a websocket's handshake; the websocket then stays open, unused."""
        connection = HTTPSConnection("localhost", self.https, timeout=60, context=self.tls())
        said = {
            "Connection": "Upgrade",
            "Upgrade": "websocket",
            "Sec-WebSocket-Version": "13",
            "Sec-WebSocket-Key": "AAAAAAAAAAAAAAAAAAAAAA==",
            "Sec-WebSocket-Protocol": "streamlit",
            "Origin": self.address,
        }
        with closing(connection):
            connection.request("GET", "/_stcore/stream", headers=said | headers)
            yield Answer.read(connection.getresponse())

    def seats(self) -> list[Seat]:
        """Every replica that the proxy has found."""
        with urlopen(f"http://127.0.0.1:{self.inside}/;csv", timeout=60) as told:
            lines = told.read().decode("utf-8").removeprefix("# ").splitlines()
        return [
            Seat(row["addr"].partition(":")[0], row["status"], row["cookie"], int(row["stot"]))
            for row in csv.DictReader(lines)
            if row["pxname"] == "replicas" and row["addr"] and "MAINT" not in row["status"]
        ]

    def seat(self, sticky: str) -> Seat:
        """The replica to which a visitor's cookie, `name=value`, ties the visitor."""
        return next(seat for seat in self.seats() if sticky == f"{STICKY}={seat.cookie}")

    def wait_until(self, host: str, status: str) -> None:
        """Wait until the proxy reports this status for the replica on `host`."""
        until(
            lambda: any((seat.host, seat.status) == (host, status) for seat in self.seats()),
            f"{host} is {status}",
        )


def certificate(folder: Path) -> Path:
    """A self-signed certificate for localhost; `folder`/served has it as the proxy needs it."""
    key, signed = folder / "key", folder / "certificate"
    command = ["openssl", "req", "-x509", "-nodes", "-days", "2"]
    command += ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256"]
    command += ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost"]
    command += ["-keyout", str(key), "-out", str(signed)]
    subprocess.run(command, check=True, capture_output=True)
    served = folder / "served"
    served.mkdir()
    (served / "localhost.pem").write_text(signed.read_text() + key.read_text())
    return signed


@contextmanager
def proxied(
    folder: Path,
    hosts: Sequence[str],
    app: int,
    settings: Mapping[str, str] | None = None,
    config: Path = DEPLOY / "haproxy.cfg",
) -> Iterator[Proxy]:
    """Run the proxy before replicas on `hosts`, all at port `app`, set up as compose would do."""
    assert HAPROXY is not None, MISSING
    authority = certificate(folder)
    http, https, inside = (free_port("127.0.0.1") for _ in range(3))
    with ExitStack() as ended:
        names = ended.enter_context(name_server({"app": hosts, "acme": hosts[:1]}))
        said = {
            "PROXY_HTTP": f"127.0.0.1:{http}",
            "PROXY_HTTPS": f"127.0.0.1:{https}",
            "PROXY_PORT": str(https),
            "PROXY_INSIDE": f"127.0.0.1:{inside}",
            "PROXY_CERTIFICATES": str(folder / "served"),
            "PROXY_PAGES": str(DEPLOY),
            "PROXY_REPLICAS": f"app:{app}",
            "PROXY_RESOLVER": f"127.0.0.1:{names.port}",
            "PROXY_ACME": f"acme:{app}",
        }
        log = ended.enter_context((folder / "proxy.log").open("wb"))
        process = subprocess.Popen(
            [HAPROXY, "-f", str(config)],
            env=os.environ | said | dict(settings or {}),
            stdout=log,
            stderr=subprocess.STDOUT,
        )
        ended.callback(process.wait, 20)
        ended.callback(process.kill)
        wait_for(f"http://127.0.0.1:{inside}/healthz", process)
        yield Proxy(names, app, http, https, inside, authority, process)
