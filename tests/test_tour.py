"""README's tour: from a number on screen to the line that computes it, call by call.

Each page is opened, and the stack is read when the last function of the way is called. As in a
debugger, it holds every function of this project, including the functions of `ui/compute`: in the
page's thread, and in the thread or the process that computes.
"""

import re
import sys
from importlib import import_module
from itertools import groupby
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from ui import compute
from ui.compute import executor, process_pool

ROOT = Path(__file__).resolve().parent.parent
README = (ROOT / "README.md").read_text("utf-8")
STOP = re.compile(r"`([\w/]+\.py)` `([\w.]+)`")
OWN = ("pages", "lessons", "ui", "lmcore", "drawing")
OPENED = {
    "the neuron’s output y": ("neuron", {}),
    "a gradient of the graph": ("backprop", {}),
    "a masked probability": ("masking", {}),
    "a head’s weight": ("heads", {}),
    "a beam’s score": ("generation", {"see": "Beam search"}),
}
"""The page of each number, and the settings in which it is shown."""
IN_PROCESS = [
    ("ui/compute/process_pool.py", "call_in_process"),
    ("ui/compute/worker.py", "main"),
    ("ui/compute/process_pool.py", "serve"),
]
"""The calls on the way into a worker process and in it."""


def tours():
    """Each number of the table → how many calls lead to it, and the functions on the way."""
    table = README.split("## The tour")[1].split("\n## ")[0]
    rows = [line.split(" | ") for line in table.splitlines() if STOP.search(line)]
    return {number.strip("| "): (int(calls), STOP.findall(way)) for number, calls, way in rows}


def in_place(call, *_, **__):
    """Replaces `call_in_process`, because a stack cannot extend over two processes."""
    return call()


def stack():
    """The functions of this project that have been called, from the page's `lab` on."""
    found, frame = [], sys._getframe(2)
    while frame:
        if frame.f_code is in_place.__code__:
            found += reversed(IN_PROCESS)
        path = Path(frame.f_code.co_filename)
        name = path.relative_to(ROOT).as_posix() if path.is_relative_to(ROOT) else ""
        if name.startswith(OWN) and "<" not in frame.f_code.co_qualname.rpartition(".")[2]:
            found.append((name, frame.f_code.co_qualname))
        frame = frame.f_back
    return [each for each, _ in groupby(reversed(found))]


@pytest.mark.parametrize("number", OPENED)
def test_the_stack_is_the_way_and_has_so_many_calls(number, monkeypatch):
    calls, way = tours()[number]
    (path, target), seen, asked = way[-1], [], []
    module = import_module(path.removesuffix(".py").replace("/", "."))
    honest, submit = getattr(module, target), executor.Executor.submit

    def recorded(*given, **named):
        seen.append([*asked, *stack()])
        return honest(*given, **named)

    def noted(self, make):
        asked[:] = [*stack(), ("ui/compute/executor.py", "Executor.submit")]
        return submit(self, make)

    for name, loaded in list(sys.modules.items()):
        if name.startswith(OWN) and getattr(loaded, target, None) is honest:
            monkeypatch.setattr(loaded, target, recorded)
    monkeypatch.setattr(executor.Executor, "submit", noted)
    monkeypatch.setattr(process_pool, "call_in_process", in_place)
    compute.clear_results()
    slug, settings = OPENED[number]
    app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=120)
    app.switch_page(f"pages/{slug}.py")
    app.query_params.update(settings)
    app.run()
    assert not app.exception
    assert way[:-1] in seen  # another test's computation may still run
    assert calls == len(way) - 1


def test_every_number_has_its_way():
    assert tours().keys() == OPENED.keys()
