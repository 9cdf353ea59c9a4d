"""A server with a login: no page is shown before it, and every page after it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.provider import CLIENT, SECRET, Provider, providing
from tests.browser.serving import ROOT, free_port, start, wait_for

pytestmark = pytest.mark.walk("faults", alone=True)


@pytest.fixture(scope="module")
def provider() -> Iterator[Provider]:
    with providing() as made:
        yield made


@pytest.fixture(scope="module")
def guarded(provider: Provider, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a server whose login goes through `provider`."""
    home, port = tmp_path_factory.mktemp("home"), free_port("127.0.0.1")
    address = f"http://127.0.0.1:{port}"
    secrets(home, provider, address)
    settings = {"LMCORE_LOGIN": "true", "HOME": str(home)}
    server = start(ROOT / "serve.py", "127.0.0.1", port, settings)
    try:
        wait_for(f"{address}/readyz", server)
        yield address
    finally:
        server.terminate()
        server.wait(timeout=20)


def secrets(home: Path, provider: Provider, address: str) -> None:
    (home / ".streamlit").mkdir()
    (home / ".streamlit" / "secrets.toml").write_text(
        f"""[auth]
redirect_uri = "{address}/oauth2callback"
cookie_secret = "a secret of this class, long enough"
client_id = "{CLIENT}"
client_secret = "{SECRET}"
server_metadata_url = "{provider.address}/.well-known/openid-configuration"
"""
    )


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    context = browser.new_context()
    yield context.new_page()
    context.close()


@pytest.mark.parametrize("path", ["/", "/neuron", "/training?present=1"])
def test_who_has_not_logged_in_sees_no_page(guarded: str, page: Page, path: str) -> None:
    page.goto(guarded + path)
    expect(page.get_by_text("This server asks you to log in first.")).to_be_visible()
    expect(page.locator("h1")).to_have_text("Language Models, Live")
    expect(page.get_by_test_id("stBidiComponentRegular")).to_have_count(0)
    expect(page.get_by_test_id("stSidebarNav")).to_have_count(0)
    expect(page.get_by_role("link", name="The neuron")).to_have_count(0)


def test_who_logs_in_sees_the_pages_and_stays_in_until_logging_out(
    guarded: str, provider: Provider, page: Page
) -> None:
    page.goto(guarded)
    page.get_by_role("button", name="Log in").click()
    page.get_by_role("link", name="Yes, I am Ada").click()
    page.wait_for_selector(".st-key-library", state="attached")
    assert page.url.startswith(guarded) and provider.asked[-1] == CLIENT
    page.goto(f"{guarded}/neuron")
    page.wait_for_selector(".stage")
    page.reload()
    page.wait_for_selector(".stage")
    expect(page.get_by_text("This server asks you to log in first.")).to_have_count(0)
    page.get_by_role("button", name="Pages").click()
    with page.expect_response("**/auth/logout*"):  # the cookie goes after the page has changed
        page.get_by_role("button", name="Log out").click()
    expect(page.get_by_text("This server asks you to log in first.")).to_be_visible()
    page.goto(f"{guarded}/neuron")
    expect(page.get_by_text("This server asks you to log in first.")).to_be_visible()


def test_who_says_no_stays_outside(guarded: str, page: Page) -> None:
    page.goto(guarded)
    page.get_by_role("button", name="Log in").click()
    page.get_by_role("link", name="No", exact=True).click()
    expect(page.get_by_text("This server asks you to log in first.")).to_be_visible()


def test_a_made_up_cookie_opens_nothing(guarded: str, page: Page) -> None:
    forged = '{"is_logged_in": true, "email": "eve@example.org"}'
    page.context.add_cookies([{"name": "_streamlit_user", "value": forged, "url": guarded}])
    page.goto(f"{guarded}/neuron")
    expect(page.get_by_text("This server asks you to log in first.")).to_be_visible()
