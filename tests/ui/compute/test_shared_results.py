"""Computed once for everybody, in its turn; and what a page says when it is refused."""

import threading
from functools import partial

import pytest
from streamlit.testing.v1 import AppTest

from ui.compute import shared_results
from ui.compute.executor import ComputationRefused, Executor
from ui.compute.shared_results import shared_result, shared_results_by_key, unshared_result

PLENTY = 20.0


@pytest.fixture(autouse=True)
def nothing_kept():
    shared_results.clear_results()
    yield
    shared_results.clear_results()


@pytest.fixture
def small(monkeypatch):
    """A server that has one thread, lets nobody wait, and gives a computation 50 ms."""
    made = Executor(threads=1, queue=0, seconds=0.05)
    monkeypatch.setattr(shared_results, "shared_executor", lambda: made)
    yield made
    made.close()


def test_a_result_is_computed_once():
    made = []
    for _ in range(3):
        assert shared_result("squares", 3, lambda: made.append(1) or 9, most=2) == 9
    assert len(made) == 1
    assert shared_results.result_counts() == {"squares": 1}


def test_the_last_few_are_kept(monkeypatch):
    monkeypatch.setenv("LMCORE_KEPT", "2")
    made = []
    for key in (1, 2, 3, 3, 2, 1):
        shared_result("few", key, lambda key=key: made.append(key), most=10)
    assert made == [1, 2, 3, 1]
    assert shared_results.result_counts() == {"few": 2}


def test_what_is_refused_is_raised_and_not_kept():
    for _ in range(2):
        with pytest.raises(ValueError, match="invalid literal"):
            shared_result("numbers", "x", lambda: int("x"), most=2)
    assert shared_results.result_counts() == {"numbers": 0}


def test_one_result_may_need_another(small):
    inner = lambda: shared_result("inner", 1, lambda: 2, most=1)  # noqa: E731
    assert (
        shared_result("outer", 1, lambda: inner() + unshared_result(lambda: 3, of=3), most=1) == 5
    )


def test_two_that_want_the_same_wait_for_one_computation():
    begun, told, made = threading.Event(), threading.Event(), []

    def make():
        begun.set()
        assert told.wait(PLENTY)
        made.append(1)
        return "made"

    found = []
    ask = lambda: found.append(shared_result("shared", 1, make, most=1))  # noqa: E731
    threads = [threading.Thread(target=ask) for _ in range(3)]
    for thread in threads:
        thread.start()
    assert begun.wait(PLENTY)
    told.set()
    for thread in threads:
        thread.join(PLENTY)
    assert (found, made) == (["made"] * 3, [1])


@pytest.mark.parametrize("trip", [60.0, -1.0], ids=["one trip", "a trip each"])
def test_several_come_together_and_each_is_kept(monkeypatch, trip):
    monkeypatch.setattr(shared_results, "TRIP", trip)
    trips = []

    def call(make):
        trips.append(len(make.args[0]))
        return make()

    monkeypatch.setattr(shared_results.processes, "call_in_process", call)
    wanted = {n: partial(pow, n, 2) for n in range(4)}
    shared_result("squares", 2, lambda: "kept", most=9)
    found = shared_results_by_key("squares", wanted, most=9)
    assert found == {0: 0, 1: 1, 2: "kept", 3: 9}
    assert trips == ([3] if trip > 0 else [3, 2, 1])
    assert shared_results_by_key("squares", wanted, most=9) == found
    assert shared_results_by_key("squares", {}, most=9) == {}
    assert len(trips) == (1 if trip > 0 else 3) and shared_results.result_counts() == {"squares": 4}


def test_one_of_several_that_is_refused_is_raised():
    with pytest.raises(ValueError, match="invalid literal"):
        shared_results_by_key("numbers", {1: partial(int, "1"), 2: partial(int, "x")}, most=2)


def test_a_long_computation_comes_in_parts():
    assert list(shared_results.compute_parts(iter([1, 2, 3]), of="numbers")) == [1, 2, 3]


def test_too_many_are_refused_where_somebody_catches_it(small):
    told = threading.Event()
    small.submit(lambda: told.wait(PLENTY))
    with (
        shared_results.raise_refusals(),
        pytest.raises(ComputationRefused, match=r"server is busy \(0 waiting\)"),
    ):
        unshared_result(lambda: 1, of=1)
    told.set()


def slow_page():
    import streamlit as st

    from ui.compute.shared_results import unshared_result

    def for_ever():
        while True:
            pass

    unshared_result(for_ever, of="it", says="Never done")
    st.text("not reached")


def test_a_page_says_what_was_ended_and_offers_another_try(small):
    app = AppTest.from_function(slow_page, default_timeout=PLENTY).run()
    assert "stopped after 0.05 s" in app.error[0].value
    assert [button.label for button in app.button] == ["Try again"]
    assert not app.text and not app.exception


def quick_page():
    import streamlit as st

    from ui.compute.shared_results import unshared_result

    st.text(str(unshared_result(lambda: 7, of=7)))


def test_a_page_shows_what_was_computed():
    app = AppTest.from_function(quick_page, default_timeout=PLENTY).run()
    assert [text.value for text in app.text] == ["7"]


def test_whoever_leaves_last_ends_the_computation():
    begun, ended = threading.Event(), threading.Event()

    def run():
        begun.set()
        try:
            while True:
                pass
        finally:
            ended.set()

    at = ("left", 1)
    first, second = shared_results._join(at, run), shared_results._join(at, run)
    assert first is second
    assert begun.wait(PLENTY)
    shared_results._leave(at, first)
    assert not ended.is_set()
    shared_results._leave(at, second)
    assert ended.wait(PLENTY)
    again = shared_results._join(at, lambda: "anew")
    assert again.job.future.result(PLENTY) == "anew"
    shared_results._leave(at, again)


def test_a_page_may_be_busy_with_two_things():
    def two():
        import time

        import streamlit as st

        from ui.compute.shared_results import SPINNER_DELAY_SECONDS, unshared_result

        slow = [
            unshared_result(lambda: time.sleep(3 * SPINNER_DELAY_SECONDS), of=i) for i in range(2)
        ]
        st.text(f"{len(slow)} made")

    app = AppTest.from_function(two, default_timeout=PLENTY).run()
    assert not app.exception
    assert [text.value for text in app.text] == ["2 made"]


def page_whose_visitor_presses_stop():
    import threading
    import time

    import streamlit as st

    from tests.ui.streamlit_internals.names import presser
    from ui.compute.shared_results import shared_result, unshared_result

    text = st.text_input("text", "one")

    @st.fragment
    def part():
        press = presser("stop-")
        first = "tried" not in st.session_state
        st.session_state["tried"] = True

        def compute():
            if first:
                threading.Thread(target=press, daemon=True).start()
                while True:
                    time.sleep(0.01)
            return 7

        if st.session_state.get("alone"):
            st.text(str(unshared_result(compute, of=text)))
        else:
            st.text(str(shared_result("slow", 1, compute, most=1)))

    part()


def test_a_long_computation_is_stopped_and_asked_for_again(monkeypatch):
    monkeypatch.setattr(shared_results, "STOP_AFTER_SECONDS", 0.2)
    app = AppTest.from_function(page_whose_visitor_presses_stop, default_timeout=PLENTY).run()
    assert [error.value for error in app.error] == [shared_results.STOPPED]
    assert not app.text
    assert shared_results._flights == {}
    app.run()
    assert [error.value for error in app.error] == [shared_results.STOPPED]  # and stays so
    app.button(shared_results.TRY_AGAIN_KEY).click().run()
    assert not app.error
    assert [text.value for text in app.text] == ["7"]


def test_what_a_visitor_stopped_is_computed_once_it_is_of_something_else(monkeypatch):
    monkeypatch.setattr(shared_results, "STOP_AFTER_SECONDS", 0.2)
    app = AppTest.from_function(page_whose_visitor_presses_stop, default_timeout=PLENTY)
    app.session_state["alone"] = True
    app.run()
    app.run()
    assert [error.value for error in app.error] == [shared_results.STOPPED]
    app.text_input[0].set_value("two").run()
    assert not app.error
    assert [text.value for text in app.text] == ["7"]
