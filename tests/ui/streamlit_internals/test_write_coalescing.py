"""What goes out within a moment goes out in one write, whole and in order, and nothing is lost."""

import asyncio

import pytest
from uvicorn.config import Config

import serve
from ui.streamlit_internals import write_coalescing
from ui.streamlit_internals.write_coalescing import CoalescingTransport, CoalescingWebSocketProtocol


class Wire:
    """A transport that remembers what was written to it."""

    def __init__(self):
        self.said, self.closed, self.reading = [], False, True

    def write(self, data):
        self.said.append(data)

    def close(self):
        self.closed = True

    def is_closing(self):
        return self.closed

    def get_extra_info(self, name, default=None):
        return ("127.0.0.1", 5) if name == "peername" else default

    def pause_reading(self):
        self.reading = False

    def resume_reading(self):
        self.reading = True


@pytest.fixture
def wire():
    return Wire()


def test_what_follows_in_a_moment_goes_with_it(wire):
    async def say():
        corked = CoalescingTransport(wire, asyncio.get_running_loop())
        corked.write(b"one ")
        corked.write(b"two ")
        assert wire.said == []
        await asyncio.sleep(write_coalescing.HOLD_SECONDS * 5)
        corked.write(b"three")
        await asyncio.sleep(write_coalescing.HOLD_SECONDS * 5)

    asyncio.run(say())
    assert wire.said == [b"one two ", b"three"]


def test_much_does_not_wait(wire, monkeypatch):
    monkeypatch.setattr(write_coalescing, "MAX_HELD_BYTES", 10)

    async def say():
        corked = CoalescingTransport(wire, asyncio.get_running_loop())
        corked.write(b"0123456")
        corked.write(b"789ab")
        assert wire.said == [b"0123456789ab"]
        await asyncio.sleep(write_coalescing.HOLD_SECONDS * 5)

    asyncio.run(say())
    assert wire.said == [b"0123456789ab"]


def test_closing_sends_the_rest_and_a_closed_wire_is_left_alone(wire):
    async def say():
        corked = CoalescingTransport(wire, asyncio.get_running_loop())
        corked.write(b"good-bye")
        corked.close()
        corked.write(b"too late")
        await asyncio.sleep(write_coalescing.HOLD_SECONDS * 5)

    asyncio.run(say())
    assert wire.said == [b"good-bye"] and wire.closed


def test_all_else_is_the_transports_own(wire):
    corked = CoalescingTransport(wire, None)
    assert corked.get_extra_info("peername") == ("127.0.0.1", 5)
    assert corked.get_extra_info("none", "else") == "else"
    corked.pause_reading()
    assert not wire.reading
    corked.resume_reading()
    assert wire.reading and not corked.is_closing()


def test_the_server_speaks_through_it(wire):
    async def connect():
        config = Config(serve.app, ws="serve:Together", log_config=None)
        config.load()
        assert config.ws_protocol_class is CoalescingWebSocketProtocol
        made = CoalescingWebSocketProtocol(config, Server(), {})
        made.connection_made(wire)
        assert isinstance(made.transport, CoalescingTransport)
        assert made.client == ("127.0.0.1", 5)

    class Server:
        connections, tasks, default_headers = set(), set(), []

    asyncio.run(connect())
