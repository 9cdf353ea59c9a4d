"""Messages of a run are handed over together, in their order, and none stays behind."""

import asyncio
import threading

import pytest
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.runtime import websocket_session_manager
from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager
from streamlit.runtime.runtime import Runtime
from streamlit.runtime.script_data import ScriptData
from streamlit.runtime.scriptrunner import ScriptRunner, ScriptRunnerEvent
from streamlit.runtime.scriptrunner.script_cache import ScriptCache

from ui.streamlit_internals import message_batching
from ui.streamlit_internals.message_batching import BatchingSession, BatchingSignal, MessageBatch
from ui.streamlit_internals.script_scheduler import ScheduledScriptRunner

MESSAGE = ScriptRunnerEvent.ENQUEUE_FORWARD_MSG
STARTED = ScriptRunnerEvent.SCRIPT_STARTED
STOPPED = ScriptRunnerEvent.SCRIPT_STOPPED_WITH_SUCCESS


@pytest.fixture
def heard():
    """What the receiver of a signal has heard so far, and the signal."""
    signal, said = BatchingSignal(), []

    def receive(sender, event, forward_msg=None):
        said.append(event if forward_msg is None else (sender, forward_msg))

    signal.connect(receive, weak=False)
    return signal, said


def test_messages_wait_for_those_that_follow_and_come_before_the_end(heard, monkeypatch):
    monkeypatch.setattr(message_batching, "HOLD_SECONDS", 60.0)
    signal, said = heard
    signal.send("run", event=STARTED)
    for n in range(3):
        signal.send("run", event=MESSAGE, forward_msg=n)
    assert said == [STARTED]
    signal.send("run", event=STOPPED)
    assert said == [STARTED, ("run", 0), ("run", 1), ("run", 2), STOPPED]


def test_what_has_waited_long_enough_goes(heard, monkeypatch):
    now = [100.0]
    monkeypatch.setattr(message_batching.time, "monotonic", lambda: now[0])
    signal, said = heard
    signal.send("run", event=STARTED)
    signal.send("run", event=MESSAGE, forward_msg="first")
    now[0] += 2 * message_batching.HOLD_SECONDS
    signal.send("run", event=MESSAGE, forward_msg="second")
    assert said[1:] == [("run", "first"), ("run", "second")]
    signal.send("run", event=MESSAGE, forward_msg="third")
    assert len(said) == 3


def test_a_page_that_steps_aside_leaves_nothing_behind(heard):
    signal, said = heard
    signal.send("run", event=STARTED)
    signal.send("run", event=MESSAGE, forward_msg="busy")
    signal.hand_over()
    signal.hand_over()
    assert said[1:] == [("run", "busy")]


def test_a_message_from_another_thread_does_not_wait_and_overtakes_none(heard):
    signal, said = heard
    signal.send("run", event=STARTED)
    signal.send("run", event=MESSAGE, forward_msg="held")
    other = threading.Thread(target=lambda: signal.send("x", event=MESSAGE, forward_msg="other"))
    other.start()
    other.join()
    assert said == [STARTED, ("run", "held"), ("x", "other")]


def test_every_run_of_a_page_has_one(monkeypatch):
    made = lambda runner, *given, **more: setattr(runner, "on_event", "Streamlit's")  # noqa: E731
    monkeypatch.setattr(ScriptRunner, "__init__", made)
    assert isinstance(ScheduledScriptRunner().on_event, BatchingSignal)


def message(text):
    made = ForwardMsg()
    made.delta.new_element.text.body = text
    made.metadata.delta_path.extend([0, int(text)])
    return made


def test_what_is_handed_over_together_is_one_turn_of_the_loop_and_one_parcel():
    async def run():
        told, asked, loop = [], [], asyncio.get_running_loop()
        soon = loop.call_soon_threadsafe
        loop.call_soon_threadsafe = lambda *given, **more: (asked.append(1), soon(*given, **more))
        given = ScriptData("none.py", False), MemoryUploadedFileManager("/files"), ScriptCache()
        session = BatchingSession(*given, lambda: told.append("something to send"), {})
        session._scriptrunner = runner = object()
        signal = BatchingSignal()
        signal.connect(session._on_scriptrunner_event, weak=False)

        def page():
            signal._thread = threading.get_ident()
            for text in "012":
                signal.send(runner, event=MESSAGE, forward_msg=message(text))
            signal.hand_over()
            signal.send(runner, event=MESSAGE, forward_msg=message("3"))
            signal.hand_over()

        await asyncio.to_thread(page)
        session._scriptrunner = None
        found = session.flush_browser_queue(), session.flush_browser_queue()
        session.shutdown()
        return len(asked) - 1, told, *found  # the end of the thread is one more

    turns, told, parcel, nothing = asyncio.run(run())
    texts = [each.delta.new_element.text.body for each in parcel[0].messages]
    assert (texts, len(parcel), nothing) == (["0", "1", "2", "3"], 1, [])
    assert turns == len(told) == 2


def test_what_is_in_a_parcel_is_sent_in_its_order(monkeypatch):
    sent = []
    monkeypatch.setattr(message_batching, "_send", lambda *given: sent.append(given))
    message_batching.send_batch("runtime", "visitor", MessageBatch(["first", "second"]))
    assert sent == [("runtime", "visitor", "first"), ("runtime", "visitor", "second")]


def test_from_the_beginning_sessions_speak_in_parcels(monkeypatch):
    monkeypatch.setattr(websocket_session_manager, "AppSession", None)
    monkeypatch.setattr(Runtime, "_send_message", None)
    message_batching.install()
    assert websocket_session_manager.AppSession is BatchingSession
    assert Runtime._send_message is message_batching.send_batch
