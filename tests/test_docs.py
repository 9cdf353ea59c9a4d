"""The index of the library builds without the network, and every module is described."""

import importlib
import os
import pkgutil
import re
import subprocess
import sys
from pathlib import Path

import lmcore

ROOT = Path(__file__).resolve().parent.parent


def test_the_index_is_built_from_the_docstrings(tmp_path):
    run = subprocess.run(
        [sys.executable, ".ci/docs", str(tmp_path), "lmcore", "lmcore.graph.descent"],
        capture_output=True,
        text=True,
        cwd=ROOT,
        env=os.environ | {"PYTHONPATH": "."},
        check=False,
    )
    assert run.returncode == 0, run.stderr
    front = (tmp_path / "lmcore.html").read_text("utf-8")
    assert [name for name in lmcore.__all__ if f'id="{name}"' not in front] == []
    page = (tmp_path / "lmcore" / "graph" / "descent.html").read_text("utf-8")
    assert "Stochastic gradient descent on the leaves of a graph." in page
    for path in tmp_path.rglob("*.html"):
        loaded = re.findall(
            r"<(?:script|link|img)[^>]*(?:src|href)=\"(http[^\"]*)", path.read_text()
        )
        assert loaded == []


def test_every_module_is_imported_and_described():
    for module in pkgutil.walk_packages(lmcore.__path__, "lmcore."):
        assert importlib.import_module(module.name).__doc__, module.name


def test_the_make_target_is_that():
    assert ".ci/docs build/docs" in (ROOT / "Makefile").read_text("utf-8")
    ignored = (ROOT / ".gitignore").read_text("utf-8").splitlines()
    assert "/build/" in ignored
