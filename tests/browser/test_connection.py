"""A lost connection is reported; what is moved or typed meanwhile is sent when it is back."""

from __future__ import annotations

import pytest
from playwright.sync_api import WebSocketRoute, expect

from tests.browser.conftest import TWO_FRAMES, Visit

LOST = "Connection lost. Reconnecting"


class Wire:
    """The websocket of a page, which can be cut and joined again."""

    def __init__(self, visit: Visit) -> None:
        self.cut, self.open = False, list[WebSocketRoute]()
        self.deaf = False
        """Whether the page's messages are dropped although the connection is open."""
        visit.changed = True
        visit.page.route_web_socket("**/_stcore/stream", self._through)

    def _through(self, socket: WebSocketRoute) -> None:
        if self.cut:
            socket.close()
            return
        server = socket.connect_to_server()
        socket.on_message(lambda sent: None if self.deaf else server.send(sent))
        self.open.append(socket)

    def lose(self) -> None:
        self.cut = True
        for socket in self.open:
            socket.close()
        self.open.clear()

    def join(self) -> None:
        self.cut = self.deaf = False


def test_what_is_changed_while_the_connection_is_lost_arrives(visit: Visit) -> None:
    wire = Wire(visit)
    page = visit.open("/neuron")
    wire.lose()
    said = page.locator(".connection")
    expect(said).to_contain_text(LOST)
    expect(page.get_by_role("dialog")).to_have_count(0)
    slider = page.get_by_role("slider", name="bias b", exact=True)
    slider.focus()
    page.keyboard.press("ArrowRight")
    visit.typed("weight w1").fill("4")
    visit.typed("weight w1").press("Enter")
    wire.join()
    expect(said).to_have_count(0, timeout=30_000)
    visit.settle()
    expect(page.locator(".formula")).to_contain_text("4·0.3")
    expect(page.locator(".formula")).to_contain_text("+ 0.5 =")
    assert visit.query() == {"w": "4, 0.4, 0.2", "b": "0.5"}


@pytest.mark.walk("lectures", alone=True)
def test_a_press_and_the_clickers_keys_arrive_and_skip_no_beat(visit: Visit) -> None:
    wire = Wire(visit)
    page = visit.open("/masking?present=1&beat=1")
    rows = page.locator(".box svg [role=button]")
    wire.lose()
    expect(page.locator(".connection")).to_contain_text(LOST)
    rows.nth(4).click()
    wire.join()
    visit.until_address(beat="1", masking_at="5")
    wire.lose()
    expect(page.locator(".connection")).to_contain_text(LOST)
    rows.nth(3).click()
    page.keyboard.press("PageDown")
    wire.join()
    visit.until_address(beat="2")
    wire.lose()
    expect(page.locator(".connection")).to_contain_text(LOST)
    for _ in range(2):
        page.keyboard.press("PageDown")
    wire.join()
    visit.until_address(beat="4")
    page.keyboard.press("PageUp")
    visit.until_address(beat="3")


def test_a_beat_that_was_turned_as_the_connection_broke_is_sent_again(visit: Visit) -> None:
    wire = Wire(visit)
    page = visit.open("/masking?present=1&beat=1")
    wire.deaf = True
    page.keyboard.press("PageDown")
    page.evaluate(TWO_FRAMES)
    wire.lose()
    wire.join()
    visit.until_address(beat="2")
    page.keyboard.press("PageDown")
    visit.until_address(beat="3")
