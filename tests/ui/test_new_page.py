"""The command that writes a new page: the page runs, is drawn, and passes all pages' tests."""

import os
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from ui import contents
from ui.contents import ROOT
from ui.new_page import new_page

WRITTEN = (
    "app.py",
    "assets",
    "drawing",
    "lessons",
    "pages",
    "tests",
    "ui",
    ".ci",
    "pyproject.toml",
)
SHARED = ("benchmarks", "lmcore", "node_modules", "package.json")
TESTS = (
    "tests/pages/pictures/test_drawings.py",
    "tests/pages/pictures/test_recorded_views.py",
    "tests/pages/test_screen.py",
)


@pytest.fixture
def house(tmp_path):
    """A copy of the folders that a new page changes, with links to the project's other folders."""
    unneeded = shutil.ignore_patterns("__pycache__", "recorded", "*.webp")
    for name in WRITTEN:
        here = ROOT / name
        if here.is_dir():
            shutil.copytree(here, tmp_path / name, ignore=unneeded)
        else:
            shutil.copy(here, tmp_path / name)
    for name in SHARED:
        if (ROOT / name).exists():
            (tmp_path / name).symlink_to(ROOT / name)
    return tmp_path


def run(house: Path, *command: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTHONPATH": str(house)}
    return subprocess.run(
        [sys.executable, "-m", *command], cwd=house, env=environment, capture_output=True, text=True
    )


def test_a_page_that_the_command_has_written_runs_and_is_drawn(house):
    made = run(house, "ui.new_page", "temperature", "Softmax temperature", "--part", "foundations")
    assert made.returncode == 0, made.stderr
    assert "temperature: BarPayload & Shown;" in (house / "drawing/payloads.d.ts").read_text()
    (test,) = (house / "tests/pages").rglob("test_temperature_page.py")
    options = ["-q", "-p", "no:xdist", "--jaxtyping-packages=", "-k", "temperature", "--record"]
    tested = run(house, "pytest", *options, str(test), *TESTS)
    assert tested.returncode == 0, tested.stdout
    again = run(house, "ui.new_page", "temperature", "Softmax temperature")
    assert again.returncode == 1 and "there is a page 'temperature'" in again.stderr


@pytest.mark.parametrize("part", contents.PARTS)
def test_a_new_page_is_the_last_of_its_part(part):
    table = tomllib.loads(new_page("temperature", "Softmax temperature", part).table)
    before = tomllib.loads((ROOT / "assets/contents.toml").read_text(encoding="utf-8"))
    pages = table.pop("page")
    at = [each["slug"] for each in pages].index("temperature")
    assert pages[:at] + pages[at + 1 :] == before.pop("page") and table == before
    assert pages[at - 1]["part"] == part
    assert at + 1 == len(pages) or pages[at + 1]["part"] != part


def test_all_its_files_are_new_and_named_after_it():
    made = new_page("soft_max", "Softmax").made
    assert all("soft_max" in str(path) and not (ROOT / path).exists() for path in made)
    assert not any("SLUG" in text or "TITLE" in text for text in made.values())


@pytest.mark.parametrize(
    ("slug", "title", "part", "says"),
    [
        ("Temperature", "T", "use", "the slug must be a word of small letters.*got 'Temperature'"),
        ("../app", "T", "use", "the slug must be a word of small letters"),
        ("neuron", "T", "use", "the slug must be new; there is a page 'neuron'"),
        ("temperature", " ", "use", "the title must be a text"),
        ("temperature", 'a "b"', "use", "the title must be a text"),
        ("temperature", "T", "end", "the part must be one of foundations, .*got 'end'"),
    ],
)
def test_what_cannot_be_a_page_is_refused(slug, title, part, says):
    with pytest.raises(ValueError, match=says):
        new_page(slug, title, part)
