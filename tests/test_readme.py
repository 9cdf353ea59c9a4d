"""The README is true: its commands and files exist, and the page it shows is the written one."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from ui.new_page import new_page

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text("utf-8")


def blocks(section):
    """The Python code blocks of a section."""
    text = README.split(f"\n## {section}\n")[1].split("\n## ")[0]
    return re.findall(r"```python\n(.*?)```", text, flags=re.DOTALL)


def test_the_page_it_shows_is_the_one_that_the_command_writes():
    made = new_page("temperature", "Softmax temperature").made
    (code,) = blocks("Adding a page")
    assert code == made[Path("pages/temperature.py")]
    section = README.split("\n## Adding a page\n")[1].split("\n## ")[0]
    named = set(re.findall(r"^\| `([^`]+)` \|", section, flags=re.MULTILINE))
    assert named == {str(path) for path in made} - {"lessons/temperature/__init__.py"}


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
        r"`((?:lmcore|drawing|lessons|ui|tests|assets|benchmarks|pages)/[\w./]+\.\w+)`", README
    )
    named += re.findall(r"\]\(((?!http)[^)]+)\)", README)  # the picture
    assert len(named) >= 4
    new = {str(path) for path in new_page("temperature", "Softmax temperature").made}
    assert [name for name in named if not (ROOT / name).exists() and name not in new] == []


def test_the_files_that_the_pages_readme_names_are_there():
    text = (ROOT / "ui" / "README.md").read_text("utf-8")
    named = re.findall(r"`([a-z_/]+(?:\.(?:py|js|css|toml)|/))`", text)
    assert len(named) > 20
    folders = ROOT, *(ROOT / "ui" / each for each in ("", "browser", "compute"))
    missing = {n for n in named if not any((folder / n).exists() for folder in folders)}
    assert missing == {"lesson.toml"}  # each page has its own


def test_ci_calls_the_test_command_and_then_the_walks_of_some_pages():
    called = [
        line for line in (ROOT / ".ci" / "run").read_text().splitlines() if line.startswith("make")
    ]
    assert called == ["make test", "make walks PAGES=turn"]
