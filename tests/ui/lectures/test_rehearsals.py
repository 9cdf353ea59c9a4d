"""Slides that are opened before they are shown: which, in which order, and how often."""

import asyncio
import threading

import pytest

from tests.patience import PLENTY
from ui.lectures import lectures, rehearsals
from ui.lectures.rehearsals import AHEAD, Rehearsals

DECK = "encoders"
SLIDES = [each for each in lectures()[DECK].slides if each.page]


class Opened:
    """Opens no page: keeps the addresses, and waits at each until it is let go."""

    def __init__(self):
        self.addresses, self.came, self.go = [], threading.Semaphore(0), threading.Semaphore(0)

    async def __call__(self, page, query):
        self.addresses.append(f"/{page}?{query}")
        self.came.release()
        while not self.go.acquire(blocking=False):
            await asyncio.sleep(0.002)

    def pages(self, count):
        """Let so many pages open, and wait for the next one."""
        for _ in range(count):
            assert self.came.acquire(timeout=PLENTY)
            self.go.release()


@pytest.fixture
def loop():
    made = asyncio.new_event_loop()
    thread = threading.Thread(target=made.run_forever, daemon=True)
    thread.start()
    yield made
    asyncio.run_coroutine_threadsafe(cancel_all(), made).result(PLENTY)
    made.call_soon_threadsafe(made.stop)
    thread.join(PLENTY)
    made.close()


async def cancel_all():
    others = asyncio.all_tasks() - {asyncio.current_task()}
    for each in others:
        each.cancel()
    await asyncio.gather(*others, return_exceptions=True)


@pytest.fixture
def opened(loop):
    return Opened()


@pytest.fixture
def rehearsed(loop, opened):
    made = Rehearsals(opened)
    made.begin(loop)
    return made


def until_rest(made, deck=DECK):
    for _ in range(int(PLENTY * 100)):
        if not made.progress(deck).runs:
            return
        threading.Event().wait(0.01)
    raise AssertionError("it goes on and on")


def test_the_next_slides_are_opened_at_each_of_their_stops(rehearsed, opened):
    rehearsed.ahead(SLIDES[2])
    stops = [stop for slide in SLIDES[3 : 3 + AHEAD] for stop in dict.fromkeys(slide.stops())]
    opened.pages(len(stops))
    until_rest(rehearsed)
    assert opened.addresses == stops
    assert rehearsed.progress(DECK) == (AHEAD, len(SLIDES), False)
    rehearsed.ahead(SLIDES[2])
    assert not rehearsed.progress(DECK).runs, "none is opened twice"


def test_a_whole_lecture_is_opened_and_what_stands_next_comes_first(rehearsed, opened):
    rehearsed.warm_up(DECK)
    assert opened.came.acquire(timeout=PLENTY)  # the first slide is being opened
    rehearsed.ahead(SLIDES[-2])
    opened.go.release()
    opened.pages(len(dict.fromkeys(SLIDES[0].stops())) - 1)
    assert opened.came.acquire(timeout=PLENTY)
    assert opened.addresses[-1] == SLIDES[-1].shown()
    opened.go.release()
    for _ in range(400):
        opened.go.release()
    until_rest(rehearsed)
    assert rehearsed.progress(DECK) == (len(SLIDES), len(SLIDES), False)
    wanted = {stop for slide in SLIDES for stop in slide.stops()}
    assert set(opened.addresses) == wanted


def test_it_stops_when_told(rehearsed, opened):
    rehearsed.warm_up(DECK)
    assert opened.came.acquire(timeout=PLENTY)
    rehearsed.stop(DECK)
    assert rehearsed.progress(DECK) == (0, len(SLIDES), False)
    for _ in range(20):
        opened.go.release()
    rehearsed.ahead(SLIDES[0])
    until_rest(rehearsed)
    pages = len({stop for slide in SLIDES[: 1 + AHEAD] for stop in slide.stops()})
    assert len(opened.addresses) == pages


def test_a_slide_that_does_not_open_in_time_is_left(monkeypatch, rehearsed, opened):
    monkeypatch.setattr(rehearsals, "MOST_SECONDS", 0.01)
    rehearsed.ahead(SLIDES[0])
    until_rest(rehearsed)
    assert rehearsed.progress(DECK).opened == AHEAD


def test_after_an_hour_a_slide_is_opened_again(monkeypatch, rehearsed, opened):
    for _ in range(40):
        opened.go.release()
    rehearsed.ahead(SLIDES[0])
    until_rest(rehearsed)
    before = len(opened.addresses)
    monkeypatch.setattr(rehearsals, "KEPT_SECONDS", 0.0)
    rehearsed.ahead(SLIDES[0])
    until_rest(rehearsed)
    assert len(opened.addresses) == 2 * before


def test_without_warming_up_only_what_is_asked_for_is_opened(loop, opened):
    made = Rehearsals(opened)
    made.begin(loop, ahead=False)
    made.ahead(SLIDES[0])
    assert not made.progress(DECK).runs
    made.warm_up(DECK)
    assert opened.came.acquire(timeout=PLENTY), "the button asks for it"
    made.stop(DECK)


def test_without_a_server_nothing_is_opened(opened):
    made = Rehearsals(opened)
    made.warm_up(DECK)
    assert made.progress(DECK) == (0, len(SLIDES), False) and opened.addresses == []
