"""A visitor without a browser that exchanges Streamlit's own WebSocket messages.

Only the server is timed: from the message that is sent to the end of the script run.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from random import Random

from websockets.sync.client import connect

from benchmarks import hands
from ui.streamlit_internals.messages import (
    BackMsg,
    ClientState,
    Element,
    ForwardMsg,
    WidgetState,
    component_event,
)


@dataclass(slots=True)
class Answer:
    """What one rerun sent back."""

    milliseconds: float
    messages: int
    size: int
    """Bytes."""


@dataclass
class Visitor:
    """One session on one page."""

    address: str
    page: str = ""
    elements: list[tuple[str, Element]] = field(default_factory=list)
    """(fragment, element) of the latest run."""

    def __enter__(self) -> Visitor:
        url = self.address.replace("http", "ws", 1) + "/_stcore/stream"
        self.socket = connect(url, subprotocols=["streamlit"], max_size=None)  # type: ignore[list-item]
        return self

    def __exit__(self, *_: object) -> None:
        self.socket.close()

    def open(self, query: str = "") -> Answer:
        """The first run of the page."""
        return self._run(ClientState(query_string=query, page_name=self.page))

    def move(self, component: str, rng: Random) -> Answer:
        """Move something in `component` as a user would: one trigger, one fragment rerun."""
        fragment, element = next(
            (fragment, element)
            for fragment, element in reversed(self.elements)
            if element.bidi_component.component_name == f"lml_{component}"
        )
        own = element.bidi_component.id
        moved = hands.event_of(f"lml_{component}", element.bidi_component.bytes, rng)
        assert moved is not None, f"nothing can be moved in {component}"
        state = WidgetState(id=own, json_value="{}")
        return self._change([state, component_event(own, *moved)], fragment)

    def slide(self, value: float) -> Answer:
        """Move the page's first Streamlit slider."""
        fragment, element = next(
            pair for pair in self.elements if pair[1].WhichOneof("type") == "slider"
        )
        state = WidgetState(id=element.slider.id)
        state.double_array_value.data.append(value)
        return self._change([state], fragment)

    def _change(self, states: list[WidgetState], fragment: str) -> Answer:
        client = ClientState(page_name=self.page, fragment_id=fragment)
        client.widget_states.widgets.extend([*states, *self._typed()])
        return self._run(client)

    def _typed(self) -> list[WidgetState]:
        """The contents of the page's text areas, which a browser sends with every rerun."""
        areas = [
            element.text_area
            for _, element in self.elements
            if element.WhichOneof("type") == "text_area"
        ]
        return [
            WidgetState(id=area.id, string_value=area.value if area.set_value else area.default)
            for area in areas
        ]

    def _run(self, client: ClientState) -> Answer:
        start = time.perf_counter()
        self.socket.send(BackMsg(rerun_script=client).SerializeToString())
        count = size = 0
        fresh: list[tuple[str, Element]] = []
        for message, length in self._messages():
            count, size = count + 1, size + length
            if message.WhichOneof("type") == "delta" and message.delta.HasField("new_element"):
                fresh.append((message.delta.fragment_id, message.delta.new_element))
            if message.WhichOneof("type") == "script_finished":
                break
        elapsed = 1000 * (time.perf_counter() - start)
        self.elements = fresh
        return Answer(elapsed, count, size)

    def _messages(self) -> Iterator[tuple[ForwardMsg, int]]:
        while True:
            data = self.socket.recv(timeout=60)
            message = ForwardMsg()
            message.ParseFromString(data)  # type: ignore[arg-type]
            yield message, len(data)
