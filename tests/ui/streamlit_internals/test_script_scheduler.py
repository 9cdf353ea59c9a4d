"""Pages run a few at a time, first come first served; one that waits steps aside."""

import inspect
import threading

from streamlit.runtime import app_session
from streamlit.runtime.scriptrunner import ScriptRunner

from ui.streamlit_internals import script_scheduler
from ui.streamlit_internals.script_scheduler import FairLock, ScheduledScriptRunner, yield_turn

PLENTY = 20.0


def test_turns_are_given_in_the_order_they_were_asked_for():
    one, order = FairLock(1), []
    one.acquire()
    threads = []
    for n in range(5):
        asked = threading.Event()

        def come(n=n, asked=asked):
            asked.set()
            one.acquire()
            order.append(n)
            one.release()

        threads.append(threading.Thread(target=come))
        threads[-1].start()
        assert asked.wait(PLENTY)
        while len(one._new) <= n:
            pass
    assert order == []
    one.release()
    for thread in threads:
        thread.join(PLENTY)
    assert order == [0, 1, 2, 3, 4]


def test_so_many_may_have_one():
    two = FairLock(2)
    two.acquire()
    two.acquire()
    third = threading.Thread(target=two.acquire)
    third.start()
    assert not third.join(0.05) and third.is_alive()
    two.release()
    third.join(PLENTY)
    assert not third.is_alive()


def test_who_steps_aside_lets_the_next_one_in_and_comes_back(monkeypatch):
    one = FairLock(1)
    monkeypatch.setattr(script_scheduler, "SCRIPT_LOCK", one)
    monkeypatch.setattr(script_scheduler._this_thread, "has_turn", True, raising=False)
    one.acquire()
    with yield_turn():
        one.acquire()
        one.release()
    assert one._free == 0
    monkeypatch.setattr(script_scheduler._this_thread, "has_turn", False)
    with yield_turn():  # not in a page's run: there is nothing to give
        assert one._free == 0


def test_streamlit_still_runs_a_page_where_we_wait_for_a_turn(monkeypatch):
    """Of Streamlit's own parts this one is not public: another version may have it elsewhere."""
    assert inspect.isfunction(ScriptRunner._run_script)
    assert "self._run_script(" in inspect.getsource(ScriptRunner._run_script_thread)
    assert "ScriptRunner(" in inspect.getsource(app_session.AppSession)
    monkeypatch.setattr(app_session, "ScriptRunner", ScriptRunner)
    script_scheduler.install()
    assert app_session.ScriptRunner is ScheduledScriptRunner


def test_who_comes_back_goes_before_who_has_not_run_yet():
    one, order = FairLock(1), []
    one.acquire()
    threads = []
    for n, back in enumerate((False, False, True, True)):

        def come(n=n, back=back):
            one.acquire(returning=back)
            order.append(n)
            one.release()

        threads.append(threading.Thread(target=come))
        threads[-1].start()
        while len(one._new) + len(one._returning) <= n:
            pass
    one.release()
    for thread in threads:
        thread.join(PLENTY)
    assert order == [2, 3, 0, 1]
