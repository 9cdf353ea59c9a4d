"""Which tests are walks, of which page, and which pages are walked.

A walk is exhaustive: every example, window, view, beat and option of a page. A test that takes the
fixture `walking` covers a sample in `make test` and everything in `make walks`.
"""

import re
import subprocess
from collections import Counter
from collections.abc import Collection, Iterable
from datetime import date
from pathlib import Path
from urllib.parse import urlsplit

import pytest

ROOT = Path(__file__).resolve().parent.parent
Turn = tuple[int, list[str]]
"""The number of a day, and the files that were changed in the last day."""
TURNS = 12
"""The number of days after which every page has had its turn."""
MOST_TOUCHED = 1
"""How many changed pages are walked besides, at most: those with the most changed files."""
NO_PAGES = {
    "faults": r"deploy/|serve\.py|ui/server/|ui/streamlit_internals/|tests/faults/",
    "lectures": r"assets/lectures/|ui/lectures/|ui/browser/lecture|tests/browser/test_lecture",
}
"""What is walked like a page → the pattern of its own files."""
CHANGES = ("git", "log", "--since=1 day ago", "--format=", "--name-only")


def walked_page(item: pytest.Item) -> str:
    """The page of which a test is a walk: its argument `slug` or `path`, or what its mark names."""
    marked = item.get_closest_marker("walk")
    if not marked and not samples(item):
        return ""
    given = item.callspec.params if hasattr(item, "callspec") else {}
    path = marked.args[0] if marked and marked.args else given.get("slug", given.get("path", ""))
    return urlsplit(path).path.strip("/") or "home"


def walks_alone(item: pytest.Item) -> bool:
    """Whether a test is left out of `make test`: a walk that has no sample there."""
    marked = item.get_closest_marker("walk")
    return marked is not None and (marked.kwargs.get("alone", False) or not samples(item))


def samples(item: pytest.Item) -> bool:
    """Whether a test covers a sample in `make test`."""
    return "walking" in getattr(item, "fixturenames", ())


def turn() -> Turn:
    """Today's number and the files that were changed within a day."""
    return date.today().toordinal(), changed_files()


def chosen_pages(asked: str, known: Collection[str], at: Turn) -> list[str]:
    """The pages of `--walks`: the named ones, all, or the pages in turn and the changed ones.

    Raises:
        UsageError: if a requested page has no walk.
    """
    if asked == "all":
        return sorted(known)
    if asked == "turn":
        day, changed = at
        in_turn = sorted(known)[day % TURNS :: TURNS]
        return [*dict.fromkeys([*in_turn, *touched_pages(changed, known)])]
    pages = asked.split(",")
    if unknown := [each for each in pages if each not in known]:
        raise pytest.UsageError(
            f"walks must be of all, turn or {', '.join(sorted(known))}; got {', '.join(unknown)}"
        )
    return pages


def changed_files() -> list[str]:
    """The files that the commits of the last day changed; none without git."""
    try:
        said = subprocess.run(CHANGES, cwd=ROOT, capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        return []
    return said.stdout.split()


def touched_pages(changed: Iterable[str], known: Collection[str]) -> list[str]:
    """The pages with the most changed files: their own, or in the `lmcore` folders they use."""
    touched = Counter[str]()
    for page in sorted(known):
        folder = ROOT / "lessons" / page
        sources = [path.read_text("utf-8") for path in folder.glob("*.py")]
        rooms = {room for text in sources for room in re.findall(r"\bfrom lmcore\.(\w+)", text)}
        page_files = rf"lessons/{page}/|pages/{page}\.py|lmcore/({'|'.join(rooms) or '$'})/"
        own = re.compile(NO_PAGES.get(page, page_files))
        touched[page] = sum(bool(own.match(name)) for name in changed)
    return [page for page, count in touched.most_common(MOST_TOUCHED) if count]
