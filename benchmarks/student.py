"""A student without a browser, with the state and the messages of Streamlit's frontend.

The state is: every element by its place, until a run leaves it out; the state of every widget on
screen, all of which are sent with every rerun; the messages that the server may refer to instead of
sending them again; and the address, which a bound widget changes by itself. `benchmarks.truth`
compares the messages with those of the frontend in Chromium.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qs

from benchmarks import mounting
from benchmarks.mounting import Mounted
from benchmarks.wire import Browser, Dropped, Place, Socket, websocket
from ui.streamlit_internals.messages import Alert, BackMsg, ClientState, ForwardMsg, WidgetState

PATIENCE = 60.0
"""Seconds after which a missing page is an error."""
DONE = (
    ForwardMsg.FINISHED_SUCCESSFULLY,
    ForwardMsg.FINISHED_FRAGMENT_RUN_SUCCESSFULLY,
)


class Trouble(Exception):
    """An error that a student sees: an exception, a refusal, a failed run."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What one rerun sent back."""

    seconds: float
    messages: int
    size: int


@dataclass(slots=True)
class Act:
    """One move: its control, the widget state that it sends, and its change of the address."""

    control: str
    value: str
    state: WidgetState
    fragment: str
    kind: str
    bound: tuple[str, list[str] | None] | None = None
    """The query parameter, and its values; None if it is removed."""
    sort: str = ""
    """Which sort of control was moved."""


@dataclass
class Student:
    """One session in a browser of its own."""

    url: str
    page: str = ""
    elements: dict[tuple[int, ...], Mounted] = field(default_factory=dict)
    states: dict[str, WidgetState] = field(default_factory=dict)
    cache: dict[str, tuple[ForwardMsg, int, str]] = field(default_factory=dict)
    """Hash → the message, the run that last used it, and its fragment."""
    query: str = ""
    script: str = ""
    """The hash of the page's script, as received from the server."""
    troubles: list[str] = field(default_factory=list)
    received: int = 0

    def __post_init__(self) -> None:
        self.browser = Browser(Place.of(self.url))
        self.socket: Socket | None = None
        self.run, self.runs, self.age = "", 0, 2
        self.count = self.size = 0
        self.sent: ClientState | None = None
        self.waiting: asyncio.Future[float] | None = None
        self.expected, self.early = "", False
        self.again: dict[str, asyncio.TimerHandle] = {}
        self.hears: dict[str, Callable[[ForwardMsg], None]] = {
            "delta": self._delta,
            "script_finished": self._finished,
            "new_session": self._began,
            "navigation": self._navigation,
            "page_info_changed": self._address,
            "page_not_found": self._lost,
            "auto_rerun": self._starts_again,
            "stop_auto_rerun": self._stops_again,
        }

    async def open(self, page: str = "", query: str = "") -> Answer:
        """Fetch the page, open the websocket, and wait for the first run to end."""
        self.page, self.query = page, query
        address = f"/{page}?{query}" if query else f"/{page}"
        start = time.perf_counter()
        found = await self.browser.get(address, "/_stcore/health", "/_stcore/host-config")
        if bad := [status for status, _ in found if status != 200]:
            raise Dropped(f"{address}: status {bad[0]}")
        token = self.browser.cookies.get("_streamlit_xsrf", "PLACEHOLDER_AUTH_TOKEN")
        self.socket = await websocket(
            self.browser, "/_stcore/stream", f"streamlit, {token}", self._hear, self._ended
        )
        return await self._rerun(ClientState(page_name=page), start)

    async def act(self, act: Act) -> Answer:
        """Move one control; its fragment runs again."""
        own, trigger = act.state.id, act.kind == "trigger"
        if act.bound:
            self.query = mounting.bound(self.query, *act.bound)
        before = self.states.get(own)
        self.states[own] = act.state
        client = ClientState(page_script_hash=self.script, fragment_id=act.fragment)
        client.widget_states.widgets.extend(self.states.values())
        if trigger:
            del self.states[own]
        elif before is not None:  # a changed state keeps its place among the others
            self.states[own] = act.state
        return await self._rerun(client)

    async def turn(self, script: str, page: str, query: str) -> Answer:
        """Follow a link to another page; the parameters of the old page's widgets are sent too."""
        names = {m.bound for m in self.elements.values() if m.bound}
        kept = {name: parse_qs(self.query)[name] for name in parse_qs(self.query) if name in names}
        self.query = "&".join(
            part for part in (query, mounting.written(kept, turning=True)) if part
        )
        self._leave()
        client = ClientState(page_script_hash=script)
        client.widget_states.SetInParent()
        answer = await self._rerun(client)
        self.page = page
        return answer

    def close(self) -> None:
        self._leave()
        if self.socket:
            self.received = self.socket.received + self.browser.received
            self.socket.close()

    def _leave(self) -> None:
        for timer in self.again.values():
            timer.cancel()
        self.again.clear()
        self.elements.clear()

    async def _rerun(self, client: ClientState, start: float | None = None) -> Answer:
        if self.socket is None or self.socket.over:
            raise Dropped("the websocket is closed")
        self.count = self.size = 0
        self.troubles.clear()
        self.expected, self.early = client.fragment_id, False
        self.waiting = asyncio.get_running_loop().create_future()
        began = time.perf_counter()
        self.socket.send(self._message(client))
        try:
            ended = await asyncio.wait_for(self.waiting, PATIENCE)
        except TimeoutError as error:
            raise Trouble(f"not finished within {PATIENCE:.0f} s") from error
        finally:
            self.waiting = None
        if self.troubles:
            raise Trouble("; ".join(self.troubles))
        return Answer(ended - (start or began), self.count, self.size)

    def _message(self, client: ClientState) -> bytes:
        client.query_string = self.query
        client.widget_states.SetInParent()
        client.cached_message_hashes.extend(self.cache)
        about = client.context_info
        about.timezone, about.timezone_offset, about.locale = "UTC", 0, "en-US"
        about.url = f"{self.browser.place.origin}/{self.page}"
        about.is_embedded, about.color_scheme = False, "light"
        self.sent = client
        return BackMsg(rerun_script=client).SerializeToString()

    def _ended(self, why: str) -> None:
        if self.waiting and not self.waiting.done():
            self.waiting.set_exception(Dropped(why))

    def _hear(self, data: bytes) -> None:
        self.count += 1
        self.size += len(data)
        message = ForwardMsg.FromString(data)
        kind = message.WhichOneof("type")
        if kind == "ref_hash":
            message = self._known(message)
            kind = "delta"
        elif message.metadata.cacheable and message.hash not in self.cache:
            self.cache[message.hash] = (message, self.runs, message.delta.fragment_id)
        if hear := self.hears.get(kind or ""):
            hear(message)

    def _address(self, message: ForwardMsg) -> None:
        self.query = message.page_info_changed.query_string

    def _navigation(self, message: ForwardMsg) -> None:
        self.script = message.navigation.page_script_hash

    def _lost(self, message: ForwardMsg) -> None:
        self.troubles.append("page not found")

    def _starts_again(self, message: ForwardMsg) -> None:
        self._repeat(message.auto_rerun.fragment_id, message.auto_rerun.interval)

    def _stops_again(self, message: ForwardMsg) -> None:
        for fragment in message.stop_auto_rerun.fragment_ids:
            if timer := self.again.pop(fragment, None):
                timer.cancel()

    def _known(self, reference: ForwardMsg) -> ForwardMsg:
        found = self.cache.get(reference.ref_hash)
        if found is None:
            self.troubles.append(f"a reference to an unknown message, {reference.ref_hash}")
            return reference
        message, _, fragment = found
        self.cache[reference.ref_hash] = (message, self.runs, fragment)
        whole = ForwardMsg(delta=message.delta)
        whole.metadata.CopyFrom(reference.metadata)
        return whole

    def _began(self, message: ForwardMsg) -> None:
        self.run = message.metadata.run.script_run_id
        self.script = message.new_session.page_script_hash
        self.age = message.new_session.config.max_cached_message_age

    def _delta(self, message: ForwardMsg) -> None:
        path, delta = tuple(message.metadata.delta_path), message.delta
        if delta.HasField("add_block"):
            new = Mounted(self.run, delta.fragment_id, delta.add_block)
        elif delta.HasField("new_element"):
            element = delta.new_element
            kind = element.WhichOneof("type")
            if kind == "exception":
                self.troubles.append(f"exception {element.exception.type}")
            elif kind == "alert" and element.alert.format == Alert.ERROR:
                self.troubles.append(f"refused: {element.alert.body[:160]}")
            new = Mounted(self.run, delta.fragment_id, getattr(element, kind), kind)
        else:
            return
        mounting.mount(self.elements, self.states, path, new)

    def _finished(self, message: ForwardMsg) -> None:
        status, run = message.script_finished, message.metadata.run
        fragments: Any = set(run.fragment_ids)
        if status in DONE:
            mounting.clear_stale(self.elements, run.script_run_id, fragments)
            mounting.forget(self.elements, self.states)
        if status != ForwardMsg.FINISHED_EARLY_FOR_RERUN:
            self._grow_old(fragments)
        waiting = self.waiting
        if waiting is None or waiting.done():
            return
        ours = not fragments or self.expected in fragments
        if status == ForwardMsg.FINISHED_WITH_COMPILE_ERROR:
            waiting.set_exception(Trouble("the script does not compile"))
        elif status == ForwardMsg.FINISHED_EARLY_FOR_RERUN and ours:
            self.early = True  # the next end, of any fragment, ends the wait
        elif status in DONE and (ours or self.early):
            waiting.set_result(time.perf_counter())

    def _grow_old(self, fragments: set[str]) -> None:
        """Drop messages that have not been used for some runs, as the server does."""
        self.runs += 1
        for key, (_, used, fragment) in list(self.cache.items()):
            if (not fragments or fragment in fragments) and self.runs - used > self.age:
                del self.cache[key]

    def _repeat(self, fragment: str, seconds: float) -> None:
        """Rerun a fragment at intervals, as requested by the page."""
        if before := self.again.get(fragment):
            before.cancel()

        def again() -> None:
            if self.socket is None or self.socket.over:
                return
            client = ClientState(page_script_hash=self.script, fragment_id=fragment)
            client.is_auto_rerun = True
            client.widget_states.widgets.extend(self.states.values())
            self.socket.send(self._message(client))
            self._repeat(fragment, seconds)

        self.again[fragment] = asyncio.get_running_loop().call_later(seconds, again)
