"""The proxy in front of two real replicas, and in front of two stubs."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager

import pytest
from playwright.sync_api import Browser

from tests.browser.conftest import Visit, visiting
from tests.browser.serving import free_port
from tests.faults.cluster import HOSTS, Cluster, standing
from tests.faults.proxying import HAPROXY, MISSING, Proxy, proxied
from tests.faults.stub import Stub, stub

needs_the_proxy = pytest.mark.skipif(HAPROXY is None, reason=MISSING)
PATIENCE = 60_000
"""Milliseconds; many, as two servers run beside the browser and open pages for the first time."""
Coming = Callable[[str], AbstractContextManager[Visit]]


@pytest.fixture(scope="session")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    """Two replicas of the app behind the proxy."""
    if HAPROXY is None:
        pytest.skip(MISSING)
    with standing(tmp_path_factory.mktemp("cluster")) as there:
        yield there


@pytest.fixture(scope="session")
def coming(browser: Browser, cluster: Cluster) -> Coming:
    """Opens a visit through the proxy; its argument names the visitor."""
    return coming_to(browser, cluster)


def coming_to(browser: Browser, cluster: Cluster) -> Coming:
    """A function that opens a visit to these replicas through their proxy, by a visitor's name."""

    @contextmanager
    def comes(who: str) -> Iterator[Visit]:
        options = {"ignore_https_errors": True}
        with visiting(browser, cluster.proxy.address, options, who) as tab:
            tab.page.set_default_timeout(PATIENCE)
            yield tab

    return comes


@pytest.fixture
def stubs() -> Iterator[dict[str, Stub]]:
    """Host → stub replica, for two hosts."""
    port = free_port(*HOSTS)
    with ExitStack() as ended:
        yield {host: ended.enter_context(stub(host, port)) for host in HOSTS}


@pytest.fixture
def proxy(stubs: dict[str, Stub], tmp_path_factory: pytest.TempPathFactory) -> Iterator[Proxy]:
    """The proxy in front of the stubs."""
    if HAPROXY is None:
        pytest.skip(MISSING)
    port = stubs[HOSTS[0]].server_port
    with proxied(tmp_path_factory.mktemp("proxy"), HOSTS, port) as there:
        for host in HOSTS:
            there.wait_until(host, "UP")
        yield there
