"""SECURITY.md names tests that exist, and no file of the project does what is forbidden."""

import ast
import re
from multiprocessing import Pipe
from pathlib import Path

import pytest
import streamlit as st

from lmcore.pretrained import allowed
from lmcore.training.pool.runs import new_name
from lmcore.training.pool.worker import Worker
from lmcore.training.pool.worker_storage import DiskStorage
from ui.lectures.files import lectures_of_folder

ROOT = Path(__file__).parent.parent
TABLE = (ROOT / "SECURITY.md").read_text("utf-8")
ROWS = [line for line in TABLE.splitlines() if line.startswith("| ")][1:]
FILES = [
    *ROOT.glob("*.py"),
    *(p for f in ("lmcore", "drawing", "ui", "lessons", "pages") for p in (ROOT / f).rglob("*.py")),
]
RUNS_CODE = {
    "eval",
    "exec",
    "compile",
    "__import__",
    "pickle",
    "marshal",
    "shelve",
    "dill",
    "system",
}


@pytest.mark.parametrize("row", ROWS, ids=[row.split(" | ")[0].strip("| ")[:50] for row in ROWS])
def test_every_row_of_the_threat_model_has_its_test(row):
    named = re.findall(r"`(tests/[\w/]+\.py)::(\w+)`", row)
    assert named
    for path, name in named:
        assert re.search(rf"^def {name}\(", (ROOT / path).read_text("utf-8"), re.MULTILINE), name


def words(tree):
    """Every name that is called, imported or given as a keyword."""
    for node in ast.walk(tree):
        match node:
            case ast.Call(func=ast.Name(id=word)):
                yield word
            case ast.Call(func=ast.Attribute(value=ast.Name(id=of), attr=word)):
                yield f"{of}.{word}"
            case ast.Import(names=names) | ast.ImportFrom(names=names):
                yield from (alias.name.split(".")[0] for alias in names)
                if isinstance(node, ast.ImportFrom):
                    yield (node.module or "").split(".")[0]
            case ast.keyword(arg=str(word)):
                yield word
            case _:
                pass


def found(wanted):
    """The files that use one of these names."""
    return {
        str(path.relative_to(ROOT)): hit
        for path in FILES
        if (hit := wanted & set(words(ast.parse(path.read_text("utf-8")))))
    }


def test_nothing_runs_code_that_was_read():
    assert found(RUNS_CODE) == {"ui/compute/process_pool.py": {"pickle"}}, (
        "between our own processes alone"
    )
    assert not any("shell=True" in path.read_text("utf-8") for path in FILES)


def test_what_runs_code_would_be_found():
    text = "import pickle\nfrom dill import loads\nf(unsafe_allow_html=True)\neval(os.system('1'))"
    known = {"pickle", "dill", "unsafe_allow_html", "eval", "os.system"}
    assert known <= set(words(ast.parse(text)))


def test_nothing_typed_can_become_html():
    assert not found({"unsafe_allow_html", "unsafe_allow_javascript", "st.html"})


def test_the_name_of_a_run_cannot_be_guessed():
    names = {new_name() for _ in range(1000)}
    assert len(names) == 1000
    assert all(len(name) == 12 for name in names)  # 9 random bytes of the system, in base 64


def test_what_streamlit_can_do_and_we_do_not_need_is_off():
    assert st.get_option("client.showErrorDetails") == "none"
    assert st.get_option("server.enableXsrfProtection")
    assert st.get_option("server.enableCORS")
    assert not st.get_option("server.enableAgentApi")
    assert not st.get_option("server.enableStaticServing")
    assert not st.get_option("logger.enableRich")
    assert not st.get_option("browser.gatherUsageStats")
    assert st.get_option("logger.level") == "warning"


def test_an_error_of_the_disk_is_told_without_its_path(tmp_path, monkeypatch):
    """The errors that visitors read: of lectures, of models, and of a run's worker."""
    (tmp_path / "week-3.toml").mkdir()  # a folder cannot be read as a file
    monkeypatch.setenv("LMCORE_LECTURES", str(tmp_path))
    (lecture,) = lectures_of_folder().refused
    monkeypatch.setenv("LMCORE_MODELS", str(tmp_path / "gone"))
    with pytest.raises(ValueError, match="not any more") as models:
        allowed.allowed_folders()
    near, far = Pipe()
    worker = Worker(far, DiskStorage(10**9))
    with worker.isolate("run"):
        (tmp_path / "gone").read_bytes()
    for told in (lecture, str(models.value), near.recv().why):
        assert str(tmp_path) not in told and len(told) > 10
