"""Scripts take turns, first come first served; one that waits yields its turn."""

import threading

from tests.patience import PLENTY
from ui.compute import script_turn
from ui.compute.script_turn import FairLock, yield_turn


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


def test_a_script_that_yields_its_turn_has_it_again_afterwards(monkeypatch):
    one = FairLock(1)
    monkeypatch.setattr(script_turn, "SCRIPT_LOCK", one)
    monkeypatch.setattr(script_turn._this_thread, "has_turn", True, raising=False)
    one.acquire()
    with yield_turn():
        one.acquire()
        one.release()
    assert one._free == 0
    monkeypatch.setattr(script_turn._this_thread, "has_turn", False)
    with yield_turn():  # outside a page's run there is no turn to yield
        assert one._free == 0


def test_a_script_that_returns_goes_before_new_ones():
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
