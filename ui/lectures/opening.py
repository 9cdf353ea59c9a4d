"""A page's own script, run without a browser at the address of a view."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from urllib.parse import parse_qsl, urlsplit

from streamlit.testing.v1 import AppTest

from lmcore.training.pool.copied import RunCopy
from ui import contents, runs
from ui.lectures.decks import HOME, PLACE
from ui.widgets import unescape_markdown

ROOT = Path(__file__).resolve().parents[2]
LONGEST_RUN = 60
"""The time limit of a run, in seconds."""


def plain_path(path: str) -> str:
    """The address of a view without its place in a lecture, and without an open question."""
    parts = urlsplit(path)
    left_out = {*PLACE, "ask"}
    given = parse_qsl(parts.query, keep_blank_values=True)
    settings = {name: value for name, value in given if name not in left_out}
    return contents.path_of(parts.path.removeprefix("/"), settings)


def page_of(path: str) -> str:
    """The page of an address; HOME for the first one.

    Raises:
        ValueError: if it is not a page of this app.
    """
    slug = urlsplit(path).path.removeprefix("/") or HOME
    if slug not in {HOME, *(page.slug for page in contents.PAGES if page.built)}:
        raise ValueError(f"the address must be of a page that has views; got '/{slug[:60]}'")
    return slug


def run_page(path: str, copies: Mapping[str, RunCopy], **more: str) -> AppTest:
    """The page of a view after its first run, with `more` parameters in its address.

    It is run in a process that has no training runs but `copies`, see `ui.runs.copies_for`.

    Raises:
        ValueError: if it is not a page of this app, the page reports an error, such as a setting
            that it refuses, or its script takes longer than `LONGEST_RUN`.
    """
    slug = page_of(path)
    app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=LONGEST_RUN)
    if slug != HOME:
        app.switch_page(contents.page(slug).script)
    for name, value in (*parse_qsl(urlsplit(path).query, keep_blank_values=True), *more.items()):
        app.query_params[name] = value
    try:
        with runs.instead_of_pool(copies):
            app.run()
    except RuntimeError as error:  # what AppTest raises when its time is up
        raise ValueError(f"{path[:60]} must be drawn within {LONGEST_RUN} s; it was not") from error
    if app.error:
        raise ValueError(unescape_markdown(app.error[0].value))
    if app.exception:
        raise ValueError(f"{path[:60]} could not be drawn")
    return app
