"""Pages through the proxy: its policy allows all that they need, and blocks the rest."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.conftest import Visit, visiting
from tests.browser.lessons.test_training_run import begin, past
from tests.browser.serving import ROOT
from tests.browser.test_save import of_picture, save
from tests.faults.cluster import HOSTS, Cluster
from tests.faults.conftest import PATIENCE, needs_the_proxy
from tests.faults.proxying import DEPLOY, proxied, until

pytestmark = pytest.mark.walk("faults", alone=True)

TOLD = """addEventListener("securitypolicyviolation", (event) => {
  console.error(`forbidden: ${event.effectiveDirective} ${event.blockedURI} ${event.sourceFile}`);
  window.forbidden = (window.forbidden ?? 0) + 1;
});"""
"""Writes every violation of the policy to the console: the browser leaves some of them out."""
PATHS = ["/", *sorted(f"/{page.stem}" for page in (ROOT / "pages").glob("*.py"))]
VIEWS = {
    "head": "/heads?see=BertViz+head+view",
    "model": "/heads?see=BertViz+model+view",
}


@pytest.fixture(params=["light"])
def visit(browser: Browser, cluster: Cluster, request: pytest.FixtureRequest) -> Iterator[Visit]:
    """A visitor whose browser reports every violation of the policy; light or dark."""
    options = {"ignore_https_errors": True, "color_scheme": request.param}
    with visiting(browser, cluster.proxy.address, options) as tab:
        tab.page.set_default_timeout(PATIENCE)
        tab.page.add_init_script(TOLD)
        yield tab


in_the_dark = pytest.mark.parametrize("visit", ["dark"], indirect=True)


def forbidden(tab: Visit) -> list[str]:
    """The violations so far; after that, no error of the tab so far counts."""
    found = [said for said in tab.complaints if "forbidden: " in said]
    tab.complaints.clear()
    return found


@pytest.mark.parametrize("path", PATHS)
def test_a_page_needs_nothing_that_is_forbidden(visit: Visit, path: str) -> None:
    visit.open(path)


@in_the_dark
@pytest.mark.parametrize("path", ["/neuron", "/heads", "/training"])
def test_a_page_needs_nothing_that_is_forbidden_in_the_dark(visit: Visit, path: str) -> None:
    visit.open(path)


@pytest.mark.parametrize("view", list(VIEWS))
def test_bertviz_draws_in_its_frames(visit: Visit, view: str) -> None:
    page = visit.open(VIEWS[view])
    inner = page.frame_locator("[data-testid=stIFrame]").frame_locator("iframe[sandbox]")
    expect(inner.locator("svg line").first).to_be_attached()
    expect(inner.get_by_role("heading", name=f"BertViz, {view} view")).to_be_attached()


@pytest.mark.parametrize("kind", ["SVG", "PNG"])
def test_a_picture_is_saved(visit: Visit, kind: str) -> None:
    page = visit.open("/neuron")
    name, path = save(page, of_picture(page, kind))
    assert name == f"neuron.{kind.lower()}" and path.stat().st_size > 1000


def test_a_run_is_watched_as_it_learns(visit: Visit) -> None:
    page = begin(visit)
    past(page, 20)
    page.get_by_role("button", name="Stop", exact=True).click()
    expect(page.locator(".run .state")).to_have_text("stopped", timeout=PATIENCE)


@needs_the_proxy
@pytest.mark.parametrize("header", ["X-Forwarded-For", "X-Forwarded-Proto", "Origin"])
def test_a_proxy_that_drops_a_header_serves_the_same_pages(
    browser: Browser, cluster: Cluster, tmp_path: Path, header: str
) -> None:
    text = (DEPLOY / "haproxy.cfg").read_text("utf-8")
    last = "    default_backend replicas\n"
    assert text.count(last) == 1
    config = tmp_path / "haproxy.cfg"
    config.write_text(text.replace(last, f"    http-request del-header {header}\n{last}"))
    app = cluster.proxy.app
    with (
        proxied(tmp_path, HOSTS, app, config=config) as proxy,
        visiting(browser, proxy.address, {"ignore_https_errors": True}, who=header) as tab,
    ):
        proxy.wait_until(HOSTS[0], "UP")
        tab.page.set_default_timeout(PATIENCE)
        tab.open("/neuron?w=4%2C+4%2C+4&b=2")
        tab.type("bias b", "1")
        assert tab.query()["b"] == "1"


FORBIDDEN = {
    "a script": (
        "const s = document.createElement('script'); s.textContent = 'window.ran = 1';"
        "document.head.append(s)",
        {"script-src-elem"},
    ),
    "a handler": (
        "document.body.insertAdjacentHTML('beforeend',"
        "'<img src=data: onerror=\"window.ran = 1\">')",
        {"script-src-attr"},
    ),
    "a text as a script": ("setTimeout(() => new Function('window.ran = 1')())", {"script-src"}),
    "another host": ("fetch('https://localhost:1/').catch(() => 0)", {"connect-src"}),
    "a frame": (
        "const f = document.createElement('iframe'); f.src = 'https://localhost:1/';"
        "document.body.append(f)",
        {"default-src", "frame-src"},
    ),
}
"""An action that no page takes → its script, and the directives that forbid it."""


def test_what_no_page_does_is_forbidden(visit: Visit) -> None:
    page = visit.open("/neuron")
    for name, (script, directives) in FORBIDDEN.items():
        page.evaluate(f"() => {{ window.forbidden = 0; {script} }}")
        until(lambda: page.evaluate("window.forbidden"), f"{name}: the browser says so")
        found = forbidden(visit)
        assert any(said.split()[1] in directives for said in found), (name, found)
        assert page.evaluate("window.ran ?? null") is None, f"{name} did not run"
    visit.requests[:] = [url for url in visit.requests if "localhost:1/" not in url]
