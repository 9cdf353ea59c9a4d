"""Results are computed once for all visitors, in turn; a page says why a result is refused."""

import threading
from dataclasses import dataclass
from functools import partial

import pytest
import torch
from streamlit.testing.v1 import AppTest

from tests.patience import PLENTY
from ui.compute import process_pool, shared_results
from ui.compute.executor import ComputationRefused, Executor
from ui.compute.shared_results import shared_result, shared_results_by_key, unshared_result


@pytest.fixture(autouse=True)
def nothing_kept():
    shared_results.clear_results()
    yield
    shared_results.clear_results()


@pytest.fixture
def small(monkeypatch):
    """An executor with one thread, no queue, and 50 ms for a computation."""
    made = Executor(threads=1, queue=0, seconds=0.05)
    monkeypatch.setattr(shared_results, "shared_executor", lambda: made)
    yield made
    made.close()


MADE: list[object] = []
"""The arguments of each computation of `make`."""


def make(*its, **named):
    MADE.append((*its, *named.values()))
    return len(MADE)


@pytest.fixture(autouse=True)
def nothing_made():
    MADE.clear()


def test_a_result_is_computed_once():
    for _ in range(3):
        assert shared_result("squares", partial(pow, 3, 2), most=2) == 9
        assert shared_result("made", partial(make, 3), most=2) == 1
    assert MADE == [(3,)]
    assert shared_results.result_counts() == {"squares": 1, "made": 1}


def test_the_last_few_are_kept(monkeypatch):
    monkeypatch.setenv("LMCORE_KEPT", "2")
    for key in (1, 2, 3, 3, 2, 1):
        shared_result("few", partial(make, key), most=10)
    assert MADE == [(1,), (2,), (3,), (1,)]
    assert shared_results.result_counts() == {"few": 2}


@dataclass(frozen=True)
class Asked:
    prompt: str = "the cat"
    strategy: str = "greedy"
    k: int = 5


def test_a_result_of_other_arguments_is_another_one():
    asked = [
        partial(make, "gpt", Asked()),
        partial(make, "lstm", Asked()),
        partial(make, "gpt", Asked(prompt="the dog")),
        partial(make, "gpt", Asked(strategy="beam")),
        partial(make, "gpt", Asked(k=6)),
        partial(make, "gpt", Asked(), width=2),
        partial(make, "gpt", Asked(), width=3),
        partial(make, "gpt"),
        partial(str, "gpt"),
    ]
    results = [shared_result("texts", each, most=20) for each in asked]
    assert results == [*range(1, 9), "gpt"]
    assert [shared_result("texts", each, most=20) for each in asked] == results


def test_a_model_that_is_sent_by_name_is_that_name_in_a_key():
    one, other, third = (Unhashed() for _ in range(3))
    process_pool.send_by_name(one, partial(make, "gpt"))
    process_pool.send_by_name(other, partial(make, "gpt"))
    process_pool.send_by_name(third, partial(make, "lstm"))
    assert shared_result("texts", partial(make, one), most=9) == 1
    assert shared_result("texts", partial(make, other), most=9) == 1
    assert shared_result("texts", partial(make, third), most=9) == 2
    assert shared_result("texts", partial(make, (one, 5)), most=9) == 3
    assert shared_result("texts", partial(make, (other, 5)), most=9) == 3
    weights = (torch.ones(2), "learned")
    process_pool.send_by_name(weights, partial(make, "weights"))
    assert shared_result("texts", partial(make, weights), most=9) == 4


class Unhashed:
    """A model, compared by identity: loaded again, it is another object."""


@pytest.mark.parametrize(
    ("call", "says"),
    [
        (partial(lambda: 1), "a function of a module; got <function"),
        (partial(Asked().__eq__, 1), "a function of a module; got <"),
        (partial(make, [1]), "arguments of make must be values"),
        (partial(make, 1, of=torch.ones(2)), "arguments of make must be values"),
        (partial(make, partial(make, 1)), "arguments of make must be values"),
        (partial(make, (1, torch.ones(2))), "arguments of make must be values"),
    ],
    ids=["closure", "method", "list", "tensor", "partial", "tensor in a tuple"],
)
def test_what_a_key_cannot_hold_is_refused(call, says):
    with pytest.raises(TypeError, match=says):
        shared_result("any", call, most=2)


def test_what_is_refused_is_raised_and_not_kept():
    for _ in range(2):
        with pytest.raises(ValueError, match="invalid literal"):
            shared_result("numbers", partial(int, "x"), most=2)
    assert shared_results.result_counts() == {"numbers": 0}


def outer() -> int:
    inner = shared_result("inner", partial(abs, -2), most=1)
    return inner + unshared_result(lambda: 3, of=3)


def test_one_result_may_need_another(small):
    assert shared_result("outer", partial(outer), most=1) == 5


BEGUN, TOLD = threading.Event(), threading.Event()


def wait_until_told():
    BEGUN.set()
    assert TOLD.wait(PLENTY)
    return make()


def test_two_that_want_the_same_wait_for_one_computation():
    BEGUN.clear()
    TOLD.clear()
    found = []
    ask = lambda: found.append(  # noqa: E731
        shared_result("shared", partial(wait_until_told), most=1)
    )
    threads = [threading.Thread(target=ask) for _ in range(3)]
    for thread in threads:
        thread.start()
    assert BEGUN.wait(PLENTY)
    TOLD.set()
    for thread in threads:
        thread.join(PLENTY)
    assert (found, MADE) == ([1] * 3, [()])


@pytest.mark.parametrize("seconds", [60.0, -1.0], ids=["one batch", "a batch each"])
def test_several_come_together_and_each_is_kept(monkeypatch, seconds):
    monkeypatch.setattr(shared_results, "BATCH_SECONDS", seconds)
    trips = []

    def call(make):
        trips.append(len(make.args[0]))
        return make()

    monkeypatch.setattr(shared_results.process_pool, "call_in_process", call)
    wanted = {n: partial(pow, n, 2) for n in range(4)}
    shared_result("squares", partial(pow, 2, 2), most=9)
    found = shared_results_by_key("squares", wanted, most=9)
    assert found == {0: 0, 1: 1, 2: 4, 3: 9}
    assert trips == ([3] if seconds > 0 else [3, 2, 1])
    assert shared_results_by_key("squares", wanted, most=9) == found
    assert shared_results_by_key("squares", {}, most=9) == {}
    assert len(trips) == (1 if seconds > 0 else 3) and shared_results.result_counts() == {
        "squares": 4
    }


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
    from functools import partial

    import streamlit as st

    from tests.ui.compute.pressed import PRESSES, seven
    from tests.ui.streamlit_internals.names import presser
    from ui.compute.shared_results import shared_result, unshared_result

    text = st.text_input("text", "one")

    @st.fragment
    def part():
        if "tried" not in st.session_state:
            PRESSES.append(presser("stop-"))
        st.session_state["tried"] = True
        if st.session_state.get("alone"):
            st.text(str(unshared_result(seven, of=text)))
        else:
            st.text(str(shared_result("slow", partial(seven, text), most=1)))

    part()


def test_a_long_computation_is_stopped_and_asked_for_again(monkeypatch):
    monkeypatch.setattr(shared_results, "STOP_AFTER_SECONDS", 0.2)
    app = AppTest.from_function(page_whose_visitor_presses_stop, default_timeout=PLENTY).run()
    assert [error.value for error in app.error] == [shared_results.STOPPED]
    assert not app.text
    assert shared_results._pending == {}
    app.run()
    assert [error.value for error in app.error] == [shared_results.STOPPED]  # also after a rerun
    app.button(shared_results.TRY_AGAIN_KEY).click().run()
    assert not app.error
    assert [text.value for text in app.text] == ["7"]


@pytest.mark.parametrize("alone", [True, False], ids=["unshared", "shared"])
def test_what_a_visitor_stopped_is_computed_once_it_is_of_something_else(monkeypatch, alone):
    monkeypatch.setattr(shared_results, "STOP_AFTER_SECONDS", 0.2)
    app = AppTest.from_function(page_whose_visitor_presses_stop, default_timeout=PLENTY)
    app.session_state["alone"] = alone
    app.run()
    app.run()
    assert [error.value for error in app.error] == [shared_results.STOPPED]
    app.text_input[0].set_value("two").run()
    assert not app.error
    assert [text.value for text in app.text] == ["7"]
