"""Wrong passcodes: how many are answered at once, who goes first, and who is refused."""

import asyncio

import pytest

from ui.server import passcode_limit
from ui.server.passcode_limit import Guesses, network_of


class Clock:
    """A clock that moves only when it is set."""

    now = 0.0

    def __call__(self):
        return self.now


@pytest.fixture
def clock():
    return Clock()


def told(attempts, clock, later=0.0):
    """The attempts that are answered, in order: before and after the clock is set forward."""
    answered = []

    async def attempt(there, name, address, form, right):
        if await there.turn(address, form, right=right):
            answered.append(name)

    async def run():
        there = Guesses(clock)
        tasks = [asyncio.create_task(attempt(there, *each)) for each in attempts]
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        before = answered.copy()
        clock.now += later
        there.serve()
        await asyncio.sleep(0)
        for task in tasks:
            task.cancel()
        return before, answered[len(before) :]

    return asyncio.run(run())


def wrong(count, address="10.0.0.1", form=""):
    return [(f"{address} {form}{i}", address, form, False) for i in range(count)]


def right(address="10.0.0.1", form="shown"):
    return ("right", address, form, True)


def test_one_address_that_fills_the_queue_shuts_out_no_other(clock):
    each_with_its_form = [
        (f"guess {i}", "10.0.0.1", f"form {i}", False)
        for i in range(passcode_limit.MOST_WAITING + 100)
    ]
    first, _ = told([*each_with_its_form, right("10.0.0.2", form="last")], clock)
    assert first[-1] == "right" and len(first) == passcode_limit.BURST + 1


def test_an_address_has_its_burst_and_then_so_many_a_second(clock):
    first, then = told(wrong(100), clock, later=2.0)
    assert len(first) == passcode_limit.BURST
    assert len(then) == 2 * passcode_limit.PER_SECOND


def test_all_addresses_together_have_theirs(clock):
    many = [each for i in range(50) for each in wrong(5, f"10.0.1.{i}")]
    first, then = told(many, clock, later=1.0)
    assert len(first) == passcode_limit.BURST_OF_ALL
    assert len(then) == passcode_limit.PER_SECOND_OF_ALL


def test_the_right_one_is_before_the_guesses_of_its_address_and_takes_nothing(clock):
    first, then = told([*wrong(100), right()], clock, later=1 / passcode_limit.PER_SECOND)
    assert "right" not in first
    assert then[0] == "right" and len(then) == 2


def test_a_class_that_types_it_at_once_comes_in_at_once(clock):
    first, _ = told([right(form=f"form {i}") for i in range(300)], clock)
    assert len(first) == 300


def test_who_tries_elsewhere_waits_for_nobody(clock):
    first, _ = told([*wrong(25), right("10.0.0.2")], clock)
    assert "right" in first


def test_of_too_many_the_one_that_has_tried_most_is_refused(clock, monkeypatch):
    monkeypatch.setattr(passcode_limit, "MOST_WAITING", 10)
    attempts = [*wrong(60), right(), *wrong(3, form="shown too ")]
    _, then = told(attempts, clock, later=1000.0)
    assert then[0] == "right" and len(then) == 10


@pytest.mark.parametrize(
    ("address", "network"),
    [
        ("192.0.2.7", "192.0.2.7"),
        ("2001:db8:1:2:3::7", "2001:db8:1:2::/64"),
        ("::ffff:192.0.2.7", "192.0.2.7"),
        ("testclient", "testclient"),
        ("", ""),
    ],
)
def test_an_address_of_ipv6_is_its_network(address, network):
    assert network_of(address) == network
