"""Presses every option that a page offers, from its examples and views, without a screen.

    python -m benchmarks.offered [page …]

It prints each press that leads to an error, an exception or no more than a notice, and how many
presses were made. Numbers are not checked, only that every offer opens. Finally, huge numbers, tiny
numbers and texts that are no numbers are typed into every field, which may refuse them.
"""

from __future__ import annotations

import math
import os
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import groupby
from typing import Any, NamedTuple

os.environ.setdefault("OMP_NUM_THREADS", "1")

from streamlit.testing.v1 import AppTest

import ui
from lmcore.device import share_cores
from lmcore.training.pool.runs import LIVE_STATES
from tests.ui.streamlit_internals.names import share_between_app_tests
from tests.ui.streamlit_internals.pressing import Moment, Press, offered, press, session_values
from ui.contents import PAGES
from ui.lessons import FOLDER
from ui.runs import pool

APP = FOLDER.parent / "app.py"
SLUGS = [page.slug for page in PAGES if page.built]
LEAVES = frozenset(("tour-start", "present-start", "log-out", "preset-shown"))
"""Buttons that leave the state under test, and the examples, where each walk begins."""
ANSWERED = (
    "A decision surface needs two inputs",
    "Paste a text of your own",
    "Links never contain your own text",
    "Type a sentence",
    "The curve ends after",
    "Stopped: ",
)
"""Beginnings of notices that are no fault: beside the button or field that resolves them, beside
the
curve that they explain, or on what the press did."""
MANY = 24
"""The most options that are pressed of a long list, such as all words of the Microworld."""


EXTREMES = ("1e308", "-1e308", "1e-320", "0", "nan", "99999999999999999999999", "−5", "1,5")
WHOLE = 2**53 - 1
"""The largest integer that JavaScript represents exactly."""


class Finding(NamedTuple):
    """A press that should not have been offered."""

    page: str
    example: str
    view: str
    key: str
    option: str
    what: str


class NotOfferedError(LookupError):
    """A press that a page does not offer under these settings."""


class Walk:
    """Presses the options of one page, and collects the findings."""

    def __init__(self, slug: str, *, many: int = MANY) -> None:
        """`many` is the most options that are pressed of a list; at least 2."""
        self.slug, self.lesson, self.many = slug, ui.lesson(slug), many
        self.findings: list[Finding] = []
        self.presses = self.moments = 0
        self.app = AppTest.from_file(str(APP), default_timeout=600)
        self.app.switch_page(f"pages/{slug}.py")
        self.app.run()
        self._opened = Moment.of(self.app)

    def everything(self) -> None:
        """From each example, press all options of its view, and in other views the additional ones.

        Where several options can be selected, all are added, and then all are released.
        """
        for example in self.lesson.presets:
            self._from_example(example.label, example.settings)

    def views(self) -> Iterator[AppTest]:
        """The page in each of its views, from its first example or the first that has it."""
        first = self.lesson.presets[0].settings
        self._open(first)
        views = [each.option for each in offered(self.app) if each.key == "see-shown"]
        states = [{**first, "see": view} for view in views] or [first]
        known = {*views, None}
        for settings in (each.settings for each in self.lesson.presets):
            if settings.get("see") not in known:
                known.add(settings["see"])
                states.append(settings)
        for settings in states:
            self._open(settings)
            yield self.app

    def extremes(self) -> None:
        """Type extreme and invalid numbers into every field of every view; they may be refused."""
        tried = set[str]()
        for app in self.views():
            begun, view = Moment.of(app), shown_view(app)
            for key in [each.key for each in fields(app) if each.key not in tried]:
                tried.add(key)
                for typed in EXTREMES:
                    begun.go_back(app)
                    field = next((each for each in fields(app) if each.key == key), None)
                    if field is None or (value := _fitting(field, typed)) is None:
                        continue
                    field.set_value(value).run()
                    self.presses += 1
                    for each in app.exception:
                        found = Finding(self.slug, "", view, key, typed, each.message)
                        self.findings.append(found)

    def one(self, settings: Mapping[str, str], key: str, option: str) -> None:
        """Make one press on the page with these settings: the one whose option begins with
        `option`.

        Raises:
            NotOfferedError: if the control with that key has no such option.
            KeyError: if no control has that key.
        """
        self._open({**self.lesson.defaults, **self.lesson.looks, **settings})
        there = [each for each in offered(self.app) if each.key == key]
        if not there:
            raise KeyError(key)
        made = next((each for each in there if each.option.startswith(option)), None)
        if made is None:
            raise NotOfferedError(option)
        self._press(Moment.of(self.app), made, str(settings), str(settings.get("see", "")))

    def _from_example(self, example: str, settings: Mapping[str, Any]) -> None:
        self._open(settings)
        here = list(offered(self.app))
        self._press_all(here, example, str(settings.get("see", "")))
        for view in [each.option for each in here if each.key == "see-shown"]:
            self._open({**settings, "see": view})
            new = [each for each in offered(self.app) if each[:2] not in {e[:2] for e in here}]
            self._press_all([each for each in new if each.key != "see-shown"], example, view)

    def _open(self, settings: Mapping[str, Any]) -> None:
        self._opened.go_back(self.app)
        for name, value in settings.items():
            self.app.session_state[name] = value
        self.app.run()
        self.moments += 1
        self._judge("(opened)", str(settings.get("see", "")), "", "")

    def _press_all(self, several: Sequence[Press], example: str, view: str) -> None:
        begun = Moment.of(self.app)
        for each in _thinned([each for each in several if each.key not in LEAVES], self.many):
            self._press(begun, each, example, view)
        for key in sorted({each.key for each in several if each.option.startswith("add ")}):
            begun.go_back(self.app)
            self._one_after_another(key, "add ", example, view)
            self._one_after_another(key, "release ", example, view)

    def _one_after_another(self, key: str, sign: str, example: str, view: str) -> None:
        """Press options that begin with `sign`, as long as their number decreases."""
        left = math.inf
        while more := [e for e in offered(self.app) if e.key == key and e.option.startswith(sign)]:
            if len(more) >= left:
                return
            left = len(more)
            self._press(None, more[0], example, view)

    def _press(self, begun: Moment | None, each: Press, example: str, view: str) -> None:
        if begun:
            begun.go_back(self.app)
        press(self.app, each)
        self.presses += 1
        self._judge(example, view, each.key, each.option)
        self._end_runs()

    def _end_runs(self) -> None:
        """Stop the runs that a press has started: a visitor may have only a few at a time."""
        for key, begun in session_values(self.app).items():
            for name in begun if key.endswith("-begun") else ():
                with suppress(ValueError):  # it may be over, or gone
                    patience = time.monotonic() + 120  # a busy or starting worker stops late
                    while pool().stop(name).state in LIVE_STATES and time.monotonic() < patience:
                        pass

    def _judge(self, example: str, view: str, key: str, option: str) -> None:
        for what in complaints(self.app):
            self.findings.append(Finding(self.slug, example, view, key, option, what))


def shown_view(app: AppTest) -> str:
    """The view that is open, or "" on a page that has none."""
    return str(app.session_state["see"]) if "see" in app.session_state else ""


def fields(app: AppTest) -> list[Any]:
    """The fields of a page into which text or numbers can be typed."""
    return [each for each in (*app.text_input, *app.number_input) if not each.disabled]


def _fitting(field: Any, typed: str) -> str | float | None:
    """The value that the browser sends for a typed text; None if it does not accept the text."""
    if field.type == "text_input":
        return typed
    try:
        value = float(typed)
    except ValueError:
        return None
    if math.isnan(value):
        return None
    low, high = (-WHOLE, WHOLE) if isinstance(field.step, int) else (-math.inf, math.inf)
    low = low if field.min is None else max(low, field.min)
    high = high if field.max is None else min(high, field.max)
    value = min(max(value, low), high)
    return int(value) if isinstance(field.step, int) else value


def _thinned(several: Sequence[Press], many: int) -> Iterator[Press]:
    """All presses; of a widget with more than `many`, some at even distances."""
    for _, group in groupby(several, key=lambda each: each.key):
        presses = list(group)
        if len(presses) > many:
            last = len(presses) - 1
            presses = [presses[round(i * last / (many - 1))] for i in range(many)]
        yield from presses


def complaints(app: AppTest) -> Iterator[str]:
    """The faults on screen: exceptions, errors, and notices in place of a view."""
    yield from (f"exception: {each.message}" for each in app.exception)
    yield from (f"error: {each.value}" for each in app.error)
    said = (each.value for each in (*app.info, *app.warning))
    yield from (f"notice: {each}" for each in said if not each.startswith(ANSWERED))


def main(slugs: list[str]) -> int:
    """Walk the pages of these names; all if none is named. Returns the number of findings."""
    share_between_app_tests()
    share_cores()
    found = presses = 0
    for slug in slugs or SLUGS:
        began = time.monotonic()
        walk = Walk(slug)
        walk.everything()
        walk.extremes()
        for each in walk.findings:
            print(" · ".join(each), flush=True)
        found, presses = found + len(walk.findings), presses + walk.presses
        print(
            f"{slug}: {walk.presses} presses from {walk.moments} states, {len(walk.findings)} "
            f"findings, {time.monotonic() - began:.0f} s",
            flush=True,
        )
    print(f"{len(slugs or SLUGS)} pages, {presses} presses, {found} findings")
    return found


if __name__ == "__main__":
    sys.exit(bool(main(sys.argv[1:])))
