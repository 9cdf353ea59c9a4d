"""What may import what, how folders are laid out, and what is never called: one test per rule."""

import ast
import re
import subprocess
import sys
from collections import defaultdict
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
FOLDERS = ("lmcore", "drawing", "ui", "lessons", "pages")
"""From the innermost to the outermost: each folder may import the folders before it."""
PATHS = [*ROOT.glob("*.py"), *(p for name in FOLDERS for p in (ROOT / name).rglob("*.py"))]
NAMES = sorted(path.relative_to(ROOT).as_posix() for path in PATHS)
MODULES = {name.removesuffix(".py").removesuffix("/__init__").replace("/", ".") for name in NAMES}

IMPORT_EVERYTHING = """
import importlib, pkgutil, sys, lmcore
for module in pkgutil.walk_packages(lmcore.__path__, "lmcore."):
    importlib.import_module(module.name)
words = {name.partition(".")[0] for name in sys.modules}
sys.exit(bool(words & {"streamlit", "drawing", "ui", "lessons", "pages"}))
"""


@cache
def trees():
    """Every file of the product, parsed: {path from the root: its tree}."""
    return {name: ast.parse((ROOT / name).read_text("utf-8")) for name in NAMES}


def imported(tree):
    """The dotted name of everything a file imports, wherever it does so."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        if isinstance(node, ast.ImportFrom) and node.module:
            for alias in node.names:
                whole = f"{node.module}.{alias.name}"
                yield whole if whole in MODULES else node.module


def room(name):
    """The dotted name of the folder that contains a file or module of this project."""
    dotted = name.removesuffix(".py").replace("/", ".").removesuffix(".__init__")
    return dotted if (ROOT / dotted.replace(".", "/")).is_dir() else dotted.rpartition(".")[0]


def misplaced(files):
    """Imports that break the order lmcore → drawing → ui → lessons → pages, or its other rules."""
    for name, tree in files.items():
        here, *inside = name.split("/")
        if here not in FOLDERS:
            continue
        inner = FOLDERS[: FOLDERS.index(here)]
        for used in imported(tree):
            there, *within = used.split(".")
            own = there == here and (here not in ("lessons", "pages") or within[:1] == inside[:1])
            unfit = there in FOLDERS and not own and there not in inner
            screen = there == "streamlit" and here in ("lmcore", "drawing")
            if unfit or screen or there in ("tests", "benchmarks"):
                yield f"{name} imports {used}"


def test_imports_point_inwards():
    assert list(misplaced(trees())) == []


@pytest.mark.parametrize(
    ("name", "line"),
    [
        ("lmcore/numbers.py", "from ui import live"),
        ("lmcore/numbers.py", "import drawing.theme"),
        ("lmcore/numbers.py", "import streamlit"),
        ("lessons/neuron/text.py", "import pages.neuron"),
        ("lessons/neuron/text.py", "from lessons.heads import text"),
        ("drawing/theme.py", "import streamlit as st"),
        ("drawing/theme.py", "from ui.desk import page"),
        ("drawing/live.py", "from lessons.heads import text"),
        ("pages/neuron.py", "import pages.backprop"),
        ("pages/neuron.py", "from tests import conftest"),
    ],
)
def test_an_import_that_points_outwards_would_be_found(name, line):
    assert len(list(misplaced({name: ast.parse(line)}))) == 1


SCRIPT_IMPORT = re.compile(r'^import [^;]* from "(\..*)";', re.MULTILINE)


def misplaced_scripts(scripts):
    """Imports of scripts that break the order drawing → ui/browser → lessons/<page>."""
    order = [ROOT / "drawing", ROOT / "ui" / "browser"]
    for name, text in scripts.items():
        own = (ROOT / name).parent
        allowed = {own, *order[: order.index(own) if own in order else None]}
        for source in SCRIPT_IMPORT.findall(text):
            if (own / source).resolve().parent not in allowed:
                yield f"{name} imports {source}"


def test_imports_of_scripts_point_inwards():
    paths = [path for name in ("drawing", "ui", "lessons") for path in (ROOT / name).rglob("*.js")]
    scripts = {path.relative_to(ROOT).as_posix(): path.read_text("utf-8") for path in paths}
    assert len(scripts) > 40
    assert list(misplaced_scripts(scripts)) == []


@pytest.mark.parametrize(
    ("name", "source"),
    [
        ("ui/browser/index.js", "../../lessons/neuron/neuron.js"),
        ("drawing/chips.js", "../lessons/neuron/neuron.js"),
        ("drawing/pen.js", "../ui/browser/sliders.js"),
        ("lessons/rnn/unrolled.js", "../neuron/neuron.js"),
    ],
)
def test_a_script_that_imports_outwards_would_be_found(name, source):
    assert len(list(misplaced_scripts({name: f'import a from "{source}";\n'}))) == 1


def test_what_is_shared_serves_several_pages():
    """A module that only one page uses belongs in the folder of that page."""
    uses = {name: set(imported(tree)) for name, tree in trees().items()}
    for path in (ROOT / "drawing").glob("[!_]*.py"):
        module = f"drawing.{path.stem}"
        users = {
            name.split("/")[0 if name.startswith("ui/") else 1]
            for name, used in uses.items()
            if not name.startswith("drawing/") and any(each.startswith(module) for each in used)
        }
        assert "ui" in users or len(users) > 1, f"{module} serves {users}"


def renamed_modules(files):
    """Modules of the lessons that an import renames."""
    for name, tree in files.items():
        for node in ast.walk(tree):
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("lessons."):
                modules = [each for each in node.names if f"{node.module}.{each.name}" in MODULES]
                yield from (
                    f"{name}: {each.name} as {each.asname}" for each in modules if each.asname
                )


def test_a_module_of_the_lessons_has_one_name_everywhere():
    """A search for a module's name finds one file, and every use of that file."""
    paths = [p for p in (ROOT / "lessons").rglob("*") if p.suffix in (".py", ".js")]
    names = [path.name for path in paths if path.name != "__init__.py"]
    assert len(names) > 400
    assert sorted(names) == sorted(set(names))
    assert list(renamed_modules(trees())) == []


def test_an_import_that_renames_a_module_of_the_lessons_would_be_found():
    renamed = ast.parse("from lessons.neuron import neuron_picture as words")
    assert len(list(renamed_modules({"pages/neuron.py": renamed}))) == 1


NAMED = re.compile(r"(?<![\w/])(?:lmcore|drawing|ui|lessons|pages)/[\w/]+\.(?:py|js|css|toml)\b")
GENERATED = "drawing/served.js"


def unknown_files(text):
    """Files of the product that a text names and that do not exist."""
    for name in NAMED.findall(text):
        path = ROOT / name
        types = path.with_suffix(".d.ts")  # the types that scripts import
        if name != GENERATED and not path.exists() and not types.exists():
            yield name


def test_a_file_that_code_or_a_comment_names_is_there():
    folders = [ROOT / name for name in FOLDERS]
    paths = [p for f in folders for p in f.rglob("*") if p.suffix in (".py", ".js", ".css")]
    found = {str(path): [*unknown_files(path.read_text("utf-8"))] for path in paths}
    assert {path: names for path, names in found.items() if names} == {}


def test_a_file_that_is_not_there_would_be_found():
    said = "What `lessons/attention/flow_picture.js` draws"
    assert list(unknown_files(said)) == ["lessons/attention/flow_picture.js"]


def test_no_two_rooms_import_each_other():
    """In lmcore, folder by folder."""
    rooms = defaultdict(set)
    for name, tree in trees().items():
        if name.startswith("lmcore/"):
            used = {room(each) for each in imported(tree) if each in MODULES}
            rooms[room(name)] |= used - {room(name), "lmcore"}
    rooms.pop("lmcore")
    try:
        TopologicalSorter(rooms).prepare()
    except CycleError as error:
        pytest.fail(" → ".join(error.args[1]))


STREAMLIT = re.compile(
    r"^\s*(?:from|import) (streamlit\.(?!testing\.v1 import AppTest$)[\w.]+)"
    r"|^\s*from (streamlit) import "
    r"|\b(st\._\w+)"
    r"|\$\$(STREAMLIT_INTERNAL\w+)",
    re.MULTILINE,
)
"""An undocumented name of Streamlit, in code or in a script within a string."""


def private_names(source):
    return ["".join(match) for match in STREAMLIT.findall(source)]


def test_streamlits_private_names_are_in_one_folder():
    files = [path for name in ("tests", "benchmarks") for path in (ROOT / name).rglob("*.py")]
    outside = {
        path.relative_to(ROOT).as_posix(): names
        for path in (*PATHS, *files)
        if "ui/streamlit_internals" not in path.as_posix() and path != Path(__file__)
        if (names := private_names(path.read_text("utf-8")))
    }
    assert outside == {}


@pytest.mark.parametrize(
    "line",
    [
        "from streamlit.runtime import app_session",
        "    import streamlit.config",
        "from streamlit import config",
        "from streamlit.testing.v1 import AppTest, app_test",
        "st._config.get_option(name)",
        'key = f"$$STREAMLIT_INTERNAL_KEY_{component}__events"',
    ],
)
def test_a_private_name_of_streamlit_would_be_found(line):
    assert len(private_names(f"import os\n{line}\n")) == 1


def test_all_of_lmcore_is_imported_without_streamlit():
    run = subprocess.run([sys.executable, "-c", IMPORT_EVERYTHING], cwd=ROOT, check=False)
    assert run.returncode == 0


def test_pictures_figures_and_texts_know_no_streamlit():
    plain = re.compile(r"lessons/\w+/(?:\w*_)?(?:picture|figures|text|sentences)\.py")
    looked_at = [name for name in NAMES if plain.fullmatch(name)]
    assert len(looked_at) > 30
    for name in looked_at:
        words = {used.partition(".")[0] for used in imported(trees()[name])}
        assert not words & {"streamlit", "ui"}, name


def test_a_folder_holds_at_most_25_python_files_and_lmcore_itself_12():
    for folder in {path.parent for path in [*PATHS, *(ROOT / "tests").rglob("*.py")]}:
        held = len(list(folder.glob("*.py")))
        assert held <= (12 if folder == ROOT / "lmcore" else 25), (folder, held)


def test_a_page_reads_in_two_screens():
    for path in (ROOT / "pages").glob("*.py"):
        assert len(path.read_text("utf-8").splitlines()) <= 120, path.name


def test_a_file_says_what_it_is_and_is_no_drawer_for_odds_and_ends():
    for name, tree in trees().items():
        assert not set(re.split(r"[/_.]", name)) & {"utils", "util", "helpers", "misc", "common"}
        assert ast.get_docstring(tree), name


def test_what_is_caught_is_named():
    for name, tree in trees().items():
        for node in ast.walk(tree):
            if isinstance(node, ast.ExceptHandler):
                assert node.type is not None, f"{name}:{node.lineno}"
                caught = {each.id for each in ast.walk(node.type) if isinstance(each, ast.Name)}
                # The tokenizers library raises nothing narrower.
                asked = name == "lmcore/pretrained/tokenizing.py"
                assert asked or not caught & {"Exception", "BaseException"}, f"{name}:{node.lineno}"


def test_no_text_is_ever_run_as_code():
    allowed = {
        "pickle.loads": {"ui/compute/process_pool.py"},  # between our own processes
        "subprocess.Popen": {"lmcore/training/pool/worker_process.py"},  # starts modules of ours
        "subprocess.run": {"ui/new_page/__main__.py"},  # a developer's command; starts one of ours
    }
    for name, tree in trees().items():
        for call in (node for node in ast.walk(tree) if isinstance(node, ast.Call)):
            dotted = ast.unparse(call.func)
            assert dotted not in ("eval", "exec", "compile", "__import__"), f"{name}:{call.lineno}"
            assert dotted not in ("os.system", "pickle.load", "torch.load"), name
            if dotted == "pickle.loads" or dotted.startswith("subprocess."):
                assert name in allowed.get(dotted, ()), f"{name}:{call.lineno}"
            assert not any(each.arg == "unsafe_allow_html" for each in call.keywords), name


def bare(tree):
    """The lines of expression statements that call nothing: Streamlit would print their values."""
    inside = (ast.Module, ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
    documented = [node for node in ast.walk(tree) if isinstance(node, inside)]
    docstrings = {id(node.body[0]) for node in documented if ast.get_docstring(node)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Expr) and id(node) not in docstrings and not acts(node.value):
            yield node.lineno


def acts(expression):
    """Whether an expression is evaluated for its effect."""
    return isinstance(expression, ast.Call | ast.Await | ast.Yield | ast.YieldFrom)


def test_a_page_has_no_bare_expression_that_would_be_printed():
    for name, tree in trees().items():
        if name.startswith(("pages/", "app")):
            assert list(bare(tree)) == [], name


def test_a_bare_expression_would_be_found():
    assert list(bare(ast.parse("'doc'\nN = 3\n'said of N'\nf()\ndef g():\n    'doc'\n    N"))) == [
        3,
        7,
    ]


def caches(tree):
    """Every use of a cache of Streamlit's or of functools, with its keywords, called or not."""
    called = {id(node.func): node for node in ast.walk(tree) if isinstance(node, ast.Call)}
    for node in ast.walk(tree):
        word = node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", "")
        if word in ("cache_data", "cache_resource", "cache", "lru_cache"):
            call = called.get(id(node))
            yield node.lineno, {k.arg for k in call.keywords} if call else set()


def test_every_cache_has_a_limit():
    for name, tree in trees().items():
        for line, keywords in caches(tree):
            assert keywords & {"max_entries", "maxsize"}, f"{name}:{line}"


def test_a_cache_without_a_limit_would_be_found():
    found = list(caches(ast.parse("@st.cache_data\ndef f(): ...\nst.cache_data(g, max_entries=2)")))
    assert [keywords for _, keywords in found] == [set(), {"max_entries"}]


def test_requirements_are_pinned_exactly():
    for path in sorted(ROOT.glob("requirements*.txt")):
        lines = path.read_text("utf-8").replace("\\\n", " ").splitlines()
        wanted = [stripped for line in lines if (stripped := line.partition("#")[0].strip())]
        hashed = any("--hash" in each for each in wanted)
        for each in wanted:
            pin, *hashes = each.split()
            if pin != "-r":
                assert re.fullmatch(r"[\w.-]+(\[[\w,-]+\])?==[\w.+]+", pin), f"{path.name}: {each}"
                assert bool(hashes) == hashed, f"{path.name}: {each}"
                assert all(re.fullmatch("--hash=sha256:[0-9a-f]{64}", h) for h in hashes), each


def test_no_two_test_files_have_one_name():
    names = [path.name for path in (ROOT / "tests").rglob("test_*.py")]
    assert len(names) == len(set(names))


def test_every_field_of_several_lines_has_its_button():
    fields = [path for path in PATHS if "st.text_area(" in path.read_text("utf-8")]
    assert [path.relative_to(ROOT).as_posix() for path in fields] == ["ui/widgets.py"]
