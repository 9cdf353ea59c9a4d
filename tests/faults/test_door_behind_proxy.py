"""A passcode at two replicas: it is typed once, and holds where the visitor is moved to."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import Browser, expect

from tests.browser.conftest import visiting
from tests.faults.cluster import standing
from tests.faults.conftest import needs_the_proxy
from tests.faults.proxying import until
from tests.faults.test_replicas import host

PASSCODE = "gradient descent"


@needs_the_proxy
def test_the_passcode_is_typed_once_for_all_replicas(browser: Browser, tmp_path: Path) -> None:
    options = {"ignore_https_errors": True}
    with (
        standing(tmp_path, LMCORE_PASSCODE=PASSCODE) as cluster,
        visiting(browser, cluster.proxy.address, options, who="pupil") as tab,
    ):
        page = tab.page
        with cluster.proxy.websocket() as answer:
            assert answer.status == 403, "no session without it"
        page.goto(f"{tab.address}/neuron?g=tanh")
        page.get_by_label("Passcode").fill(PASSCODE)
        assert all("status of 401" in said for said in tab.complaints), "the door itself"
        tab.complaints.clear()
        page.keyboard.press("Enter")
        tab.settle()
        assert tab.query()["g"] == "tanh", "where they wanted to go"
        (pass_,) = (each for each in page.context.cookies() if each["name"] == "lmlive-door")
        assert pass_["secure"] and pass_["httpOnly"] and pass_["sameSite"] == "Lax"

        died = host(cluster.proxy, tab)
        page.goto("about:blank")
        cluster.replicas[died].kill()
        tab.open("/neuron?g=tanh")
        until(lambda: host(cluster.proxy, tab) != died, "another replica")
        expect(page.get_by_label("Passcode")).to_have_count(0)
