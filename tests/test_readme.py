"""The README's promises: its commands exist, its layout is true, its smallest page runs."""

import os
import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from ui import contents, lessons

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text("utf-8")


def blocks(section):
    """The Python in a section."""
    text = README.split(f"\n## {section}\n")[1].split("\n## ")[0]
    return re.findall(r"```python\n(.*?)```", text, flags=re.DOTALL)


@pytest.fixture
def smallest(monkeypatch):
    """A page and a lesson called "smallest", as its author would have added them."""
    page = replace(contents.page("neuron"), slug="smallest")
    monkeypatch.setattr(contents, "PAGES", (*contents.PAGES, page))
    lesson = lessons.Lesson("smallest", {"z": "0.69"}, {}, (), ())
    real = lessons.lesson
    for module in ("ui", "ui.desk"):
        monkeypatch.setattr(
            f"{module}.lesson", lambda slug: lesson if slug == "smallest" else real(slug)
        )
    (code,) = blocks("Adding a page")
    return code


def test_the_smallest_page_runs(smallest, tmp_path):
    (tmp_path / "pages").mkdir()
    (tmp_path / "app.py").touch()
    for page in (ROOT / "pages").glob("*.py"):
        (tmp_path / "pages" / page.name).touch()
    (tmp_path / "pages" / "smallest.py").write_text(smallest)
    app = AppTest.from_file(str(tmp_path / "app.py"), default_timeout=30).run()
    page = app.switch_page("pages/smallest.py").run()
    assert not page.exception
    assert not page.error
    assert len(page.title) == 1
    page.query_params["z"] = "nine"
    del page.session_state["z"]
    page.run()
    assert not page.exception
    assert ["got 'nine'" in error.value for error in page.error] == [True]


@pytest.mark.parametrize("command", ["run", "test", "docs", "stills"])
def test_the_commands_are_in_the_makefile(command):
    assert f"make {command}" in README
    assert re.search(rf"^{command}:", (ROOT / "Makefile").read_text(), flags=re.MULTILINE)


def test_the_quickstart_prints_what_is_said(tmp_path):
    (code,) = blocks("As a library")
    said = README.split("It prints:\n\n```\n")[1].split("```")[0]
    run = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": str(ROOT), "PYTHONUTF8": "1"},
        check=False,
    )
    assert run.stdout == said, run.stderr
    assert not run.stderr


def test_the_files_it_names_are_there():
    named = re.findall(
        r"`((?:lmcore|lessons|ui|tests|assets|benchmarks|pages)/[\w./]+\.\w+)`", README
    )
    named += re.findall(r"\]\(((?!http)[^)]+)\)", README)  # the picture
    assert len(named) >= 4
    assert [name for name in named if not (ROOT / name).exists()] == []


def test_ci_calls_the_test_command_and_then_the_walks_of_some_pages():
    called = [
        line for line in (ROOT / ".ci" / "run").read_text().splitlines() if line.startswith("make")
    ]
    assert called == ["make test", "make walks PAGES=turn"]
