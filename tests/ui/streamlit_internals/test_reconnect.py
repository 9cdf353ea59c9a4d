"""A session of a visitor who has a page already: actions wait until the page is drawn again."""

import asyncio
import inspect
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest
from streamlit.runtime import websocket_session_manager
from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager
from streamlit.runtime.script_data import ScriptData
from streamlit.runtime.scriptrunner import ScriptRunnerEvent
from streamlit.runtime.scriptrunner.script_cache import ScriptCache
from streamlit.runtime.scriptrunner_utils.run_descriptor import RunDescriptor

from ui.streamlit_internals import reconnect
from ui.streamlit_internals.messages import ClientState, ForwardMsg
from ui.streamlit_internals.reconnect import FRAGMENT_NAME, MAX_WAITING_MOVES, ReconnectingSession

STARTED = ScriptRunnerEvent.SCRIPT_STARTED
STOPPED = ScriptRunnerEvent.SCRIPT_STOPPED_WITH_SUCCESS
PART_STOPPED = ScriptRunnerEvent.FRAGMENT_STOPPED_WITH_SUCCESS


def move(widget: str, part: str = "", page: str = "") -> ClientState:
    made = ClientState(fragment_id=part, query_string="w=1", page_script_hash=page)
    made.widget_states.widgets.add(id=widget)
    return made


def tell(
    session: ReconnectingSession, event: ScriptRunnerEvent, parts: list[str] | None = None
) -> None:
    more: dict[str, Any] = {"run_descriptor": RunDescriptor.create(parts)}
    if event is STARTED:
        more |= {"page_script_hash": "", "fragment_ids_this_run": parts}
    session._on_scriptrunner_event(session._scriptrunner, event, **more)


@pytest.fixture
def session(monkeypatch: pytest.MonkeyPatch) -> Callable[[Callable[..., Any]], Any]:
    """Calls a function on an event loop with a session that runs nothing, the runs that were
    requested from it, and the fragments that exist."""
    parts: set[str] = set()
    monkeypatch.setattr(ReconnectingSession, "has_fragment", lambda _, part: part in parts)

    def within(play: Callable[..., Any]) -> Any:
        async def run() -> Any:
            given = ScriptData("none.py", False), MemoryUploadedFileManager("/files"), ScriptCache()
            made = ReconnectingSession(*given, lambda: None, {})
            made._create_new_session_message = lambda *_: None  # type: ignore[assignment]
            asked: list[tuple[str | None, list[str]]] = []

            def ask(data: Any) -> bool:
                asked.append((data.fragment_id, [each.id for each in data.widget_states.widgets]))
                return True

            made._create_scriptrunner = ask  # type: ignore[assignment,method-assign]
            made._scriptrunner = SimpleNamespace(request_rerun=ask, request_stop=int)  # type: ignore[assignment]
            try:
                return await play(made, asked, parts)
            finally:
                made._scriptrunner = None
                made.shutdown()

        return asyncio.run(run())

    return within


def test_a_move_of_a_part_waits_until_the_page_has_been_drawn(session):
    async def play(made, asked, parts):
        made.request_rerun(move("knob"))  # a browser's request after it has reconnected
        made.request_rerun(move("pill", "part"))
        made.request_rerun(move("slider", "part"))
        assert asked == [(None, ["knob"])]
        parts.add("part")
        tell(made, STARTED)
        tell(made, STOPPED)
        await asyncio.sleep(0)
        assert asked[1:] == [("part", ["pill"]), ("part", ["slider"])]

    session(play)


def test_a_newer_move_does_not_overtake_one_that_waits(session):
    async def play(made, asked, parts):
        made.request_rerun(move("knob"))
        made.request_rerun(move("first", "part"))
        parts.add("part")  # drawn by now; the run continues
        made.request_rerun(move("second", "part"))
        made.request_rerun(move("third"))
        tell(made, STOPPED)
        await asyncio.sleep(0)
        assert asked[1:] == [("part", ["first"]), ("part", ["second"]), (None, ["third"])]

    session(play)


def test_who_leaves_the_page_leaves_the_moves_that_wait(session):
    async def play(made, asked, parts):
        made.request_rerun(move("knob"))
        made.request_rerun(move("pill", "part"))
        made.request_rerun(move("knob", page="another"))
        parts.add("part")
        tell(made, STOPPED)
        await asyncio.sleep(0)
        assert asked == [(None, ["knob"]), (None, ["knob"])]

    session(play)


def test_no_more_moves_wait_than_a_hand_makes(session):
    async def play(made, asked, parts):
        for n in range(MAX_WAITING_MOVES + 5):
            made.request_rerun(move(f"{n}", "part"))
        parts.add("part")
        tell(made, STOPPED)
        await asyncio.sleep(0)
        assert [widgets for _, widgets in asked[1:]] == [
            [f"{n + 5}"] for n in range(MAX_WAITING_MOVES)
        ]

    session(play)


def test_a_browser_that_asked_for_nothing_has_the_page_drawn_by_its_first_move(session):
    async def play(made, asked, parts):
        made.request_rerun(move("pill", "part"))
        assert asked == [(None, [])]
        parts.add("part")
        tell(made, STOPPED)
        await asyncio.sleep(0)
        assert asked[1:] == [("part", ["pill"])]

    session(play)


def test_a_part_that_the_whole_page_did_not_draw_is_waited_for_no_more(session):
    async def play(made, asked, parts):
        made.request_rerun(move("pill", "gone"))
        tell(made, STOPPED)
        await asyncio.sleep(0)
        made.request_rerun(move("pill", "gone"))
        tell(made, STOPPED)
        await asyncio.sleep(0)
        assert asked == [(None, [])]

    session(play)


def test_an_end_of_a_run_that_is_not_the_last_one_asked_for_is_none(session):
    async def play(made, asked, parts):
        made.request_rerun(move("pill", "part"))
        parts.add("part")
        made._on_scriptrunner_event("another", STOPPED, run_descriptor=RunDescriptor.create(None))
        tell(made, PART_STOPPED, ["other part"])
        await asyncio.sleep(0)
        assert asked == [(None, [])]

    session(play)


def test_every_whole_page_has_its_browser_ask_when_it_is_back_and_no_part_does(session):
    async def play(made, asked, parts):
        told: list[ForwardMsg] = []
        made._create_new_session_message = lambda *_: ForwardMsg(script_finished=0)
        made._enqueue_forward_msg = told.append
        tell(made, STARTED, ["part"])
        await asyncio.sleep(0)
        assert [each.auto_rerun.fragment_id for each in told if each.HasField("auto_rerun")] == []
        told.clear()
        tell(made, STARTED)
        await asyncio.sleep(0)
        kinds = [each.WhichOneof("type") for each in told]
        assert kinds.index("auto_rerun") > kinds.index("script_finished"), "that would end it"
        (asking,) = (each.auto_rerun for each in told if each.HasField("auto_rerun"))
        assert asking.fragment_id == FRAGMENT_NAME
        assert asking.interval * 1000 < 2**31, "more than a browser's clock can count"

    session(play)


def test_sessions_are_made_where_we_put_ours(monkeypatch):
    """These names are private to Streamlit: another version may have them elsewhere."""
    make = inspect.getsource(websocket_session_manager.WebsocketSessionManager.connect_session)
    assert "AppSession(" in make
    streamlits = websocket_session_manager.AppSession
    monkeypatch.setattr(websocket_session_manager, "AppSession", streamlits)
    assert issubclass(ReconnectingSession, streamlits)
    reconnect.install()
    assert websocket_session_manager.AppSession is ReconnectingSession
