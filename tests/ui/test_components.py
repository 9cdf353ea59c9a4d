"""All scripts travel as one library that needs nothing else."""

import json
import re

import pytest

from lessons.shared.theme import palette
from ui.components import FOLDER, SCRIPTS, _library, _stub

LIBRARY = _library()


def script(name):
    return (FOLDER / f"{name}.js").read_text("utf-8")


@pytest.mark.parametrize("name", SCRIPTS)
def test_a_script_is_in_the_library_once_and_is_not_exported_there(name):
    body = script(name).replace("export default function", "function", 1)
    assert LIBRARY.count(body) == 1
    assert LIBRARY.count(f"\n{name}: (() => {{") == 1
    assert len(re.findall(rf"^function {name}\(", LIBRARY, re.MULTILINE)) == 1


@pytest.mark.parametrize("name", SCRIPTS)
def test_a_script_exports_one_function_of_its_own_name(name):
    exported = re.findall(r"^export (.*?)\(", script(name), re.MULTILINE)
    assert exported == [f"default function {name}"]


def test_every_script_of_the_folder_travels():
    found = {path.stem for path in FOLDER.glob("*.js")}
    parts = {name for name in found if "_" in name}
    assert found - parts == {*SCRIPTS, "live"}
    for part in parts:
        assert part.partition("_")[0] in SCRIPTS
        assert LIBRARY.count(script(part)) == 1


def test_only_the_loader_is_exported():
    assert re.findall(r"^export .*?\(", LIBRARY, re.MULTILINE) == ["export default function load("]


def test_what_all_scripts_share_is_there_once_with_its_palette_and_style():
    assert LIBRARY.count(script("live")) == 1
    assert LIBRARY.count("const PALETTE = ") == LIBRARY.count("const STYLE = ") == 1
    assert f"const PALETTE = {json.dumps(palette())};" in LIBRARY
    assert json.dumps((FOLDER / "style.css").read_text("utf-8")) in LIBRARY


def test_the_library_imports_nothing_and_fetches_nothing():
    assert not re.search(r"^\s*import\b|\bimport\(|XMLHttpRequest", LIBRARY, re.MULTILINE)
    # Runs are followed and steered at addresses of this server, relative to the page's.
    asked = re.findall(r"(?:\bfetch|new EventSource)\((.*)", LIBRARY)
    assert asked and all(call.startswith("new URL(`live/runs") for call in asked)
    # The one address is the name of the SVG language, which is never fetched.
    assert set(re.findall(r"https?://[^\"'\s`]+", LIBRARY)) == {"http://www.w3.org/2000/svg"}
    assert not re.search(r"\beval\(|new Function\(|innerHTML", LIBRARY)


@pytest.mark.parametrize("name", SCRIPTS)
def test_a_stub_waits_for_the_library_and_hands_over_unpacked_data(name):
    stub = _stub(name)
    assert "await (globalThis.lmlLibrary ??= Promise.withResolvers()).promise" in stub
    assert f"library.{name}({{ ...component, data: unpack(component.data) }})" in stub
    assert len(stub) < 400
