"""The messages of a run are sent together: in order, soon, and before all other events."""

import inspect
import threading
import time

import pytest
from streamlit.runtime.scriptrunner import ScriptRunnerEvent, script_runner
from streamlit.signal_util import Signal

from ui.compute.script_turn import yield_turn
from ui.streamlit_internals import message_batching
from ui.streamlit_internals.message_batching import MESSAGE, BatchingSignal

STARTED, ENDED = ScriptRunnerEvent.SCRIPT_STARTED, ScriptRunnerEvent.SCRIPT_STOPPED_WITH_SUCCESS


@pytest.fixture
def run():
    """A signal in a run on this thread, and the events that it has delivered."""
    signal, arrived = BatchingSignal(), []

    def receive(sender, event, what=None):
        arrived.append(event if what is None else what)

    signal.connect(receive, weak=False)
    signal.send(event=STARTED)
    assert arrived == [STARTED]
    arrived.clear()
    return signal, arrived


def test_messages_arrive_together_and_in_order_before_the_end_of_the_run(run):
    signal, arrived = run
    for n in range(3):
        signal.send(event=MESSAGE, what=n)
    assert arrived == []
    signal.send(event=ENDED)
    assert arrived == [0, 1, 2, ENDED]


def test_a_message_takes_those_before_it_along_when_they_have_waited_long_enough(run, monkeypatch):
    signal, arrived = run
    signal.send(event=MESSAGE, what=0)
    monkeypatch.setattr(message_batching, "HOLD_SECONDS", 0.0)
    time.sleep(0.001)
    signal.send(event=MESSAGE, what=1)
    assert arrived == [0, 1]


def test_a_message_of_another_thread_arrives_at_once_after_those_kept(run):
    signal, arrived = run
    signal.send(event=MESSAGE, what=0)
    spinner = threading.Thread(target=signal.send, kwargs={"event": MESSAGE, "what": "spinner"})
    spinner.start()
    spinner.join()
    assert arrived == [0, "spinner"]


def test_a_script_that_waits_has_its_messages_sent_first(run):
    signal, arrived = run
    signal.send(event=MESSAGE, what=0)
    with yield_turn():
        assert arrived == [0]


def test_a_run_that_fails_has_its_messages_sent(run):
    signal, arrived = run
    signal.send(event=MESSAGE, what=0)
    signal.send(event=ScriptRunnerEvent.SHUTDOWN)
    assert arrived == [0, ScriptRunnerEvent.SHUTDOWN]


def test_streamlit_still_reports_events_through_such_a_signal(monkeypatch):
    """The name is private to Streamlit: another version may have it elsewhere."""
    assert "self.on_event = Signal()" in inspect.getsource(script_runner.ScriptRunner)
    monkeypatch.setattr(script_runner, "Signal", Signal)
    message_batching.install()
    assert script_runner.Signal is BatchingSignal
