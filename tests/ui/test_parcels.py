"""Messages of a run are handed over together, in their order, and none stays behind."""

import threading

import pytest
from streamlit.runtime.scriptrunner import ScriptRunner, ScriptRunnerEvent

from ui import parcels
from ui.parcels import Parcels
from ui.turns import InTurn

MESSAGE = ScriptRunnerEvent.ENQUEUE_FORWARD_MSG
STARTED = ScriptRunnerEvent.SCRIPT_STARTED
STOPPED = ScriptRunnerEvent.SCRIPT_STOPPED_WITH_SUCCESS


@pytest.fixture
def heard():
    """What the receiver of a signal has heard so far, and the signal."""
    signal, said = Parcels(), []

    def receive(sender, event, forward_msg=None):
        said.append(event if forward_msg is None else (sender, forward_msg))

    signal.connect(receive, weak=False)
    return signal, said


def test_messages_wait_for_those_that_follow_and_come_before_the_end(heard, monkeypatch):
    monkeypatch.setattr(parcels, "HOLD", 60.0)
    signal, said = heard
    signal.send("run", event=STARTED)
    for n in range(3):
        signal.send("run", event=MESSAGE, forward_msg=n)
    assert said == [STARTED]
    signal.send("run", event=STOPPED)
    assert said == [STARTED, ("run", 0), ("run", 1), ("run", 2), STOPPED]


def test_what_has_waited_long_enough_goes(heard, monkeypatch):
    now = [100.0]
    monkeypatch.setattr(parcels.time, "monotonic", lambda: now[0])
    signal, said = heard
    signal.send("run", event=STARTED)
    signal.send("run", event=MESSAGE, forward_msg="first")
    now[0] += 2 * parcels.HOLD
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
    assert isinstance(InTurn().on_event, Parcels)
