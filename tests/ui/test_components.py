"""All scripts are sent as one library that needs nothing else."""

import json
import re
from pathlib import Path

import numpy as np
import pytest

from drawing.events import Moved, Place
from drawing.live import LiveNumbers
from drawing.payload import Script
from drawing.theme import palette
from ui.browser_modules import join_modules, read_module
from ui.components import COMPONENTS, component_stub, main_picture, script_library

ROOT = Path(__file__).parents[2]
LIBRARY = script_library()
SCRIPTS = {
    path.relative_to(ROOT).as_posix()
    for folder in ("drawing", "ui/browser", "lessons")
    for path in (ROOT / folder).glob("**/*.js")
}


def modules(text: str) -> list[str]:
    """The modules of a joined text, as `folder/file.js`."""
    return re.findall(r"^// (\S+/\S+\.js)\nconst module\d+ = ", text, re.MULTILINE)


def test_every_script_is_in_the_library_once():
    names = ["/".join(Path(path).parts[-2:]) for path in SCRIPTS]
    written = ["browser/registry.js", "drawing/served.js"]
    assert sorted(modules(LIBRARY)) == sorted([*names, *written])


def test_the_library_holds_the_text_of_every_script():
    for path in SCRIPTS:
        module = read_module(ROOT / path, (ROOT / path).read_text("utf-8"))
        assert LIBRARY.count(module.body) == 1, path


@pytest.mark.parametrize("name", COMPONENTS)
def test_a_component_is_the_default_export_of_a_script_of_its_name(name):
    (path,) = (path for path in SCRIPTS if path.endswith(f"/{name}.js"))
    exported = read_module(ROOT / path, (ROOT / path).read_text("utf-8")).exports
    assert f"default: {name}" in exported


def test_the_registry_holds_every_component_whose_script_names_its_payload():
    (listed,) = re.findall(r"const components = \{ (.*) \};", LIBRARY)
    assert listed.split(", ") == list(COMPONENTS)
    for name, path in COMPONENTS.items():
        assert f'Scripts["{name}"]' in path.read_text("utf-8"), name


def test_only_the_loader_is_exported():
    assert len(re.findall(r"^export ", LIBRARY, re.MULTILINE)) == 1
    assert re.search(r"^export default module\d+\.default;\n\Z", LIBRARY, re.MULTILINE)


def test_the_palette_and_the_style_are_there_once():
    assert LIBRARY.count("const PALETTE = ") == LIBRARY.count("const STYLE = ") == 1
    assert f"const PALETTE = {json.dumps(palette())};" in LIBRARY
    (style,) = re.findall(r"const STYLE = (.*);\n", LIBRARY)
    sheets = [ROOT / "drawing/style.css", *(ROOT / "lessons").glob("*/*.css")]
    assert len(sheets) > 1
    assert all(sheet.read_text("utf-8") in json.loads(style) for sheet in sheets)


def test_the_library_imports_nothing_and_fetches_nothing():
    assert not re.search(r"^\s*import\b|\bimport\(|XMLHttpRequest", LIBRARY, re.MULTILINE)
    # Requests to the server from an open page use addresses relative to the page's address.
    asked = re.findall(r"(?:\bfetch|new EventSource)\((.*)", LIBRARY)
    assert asked and all(call.startswith("liveAddress(") for call in asked)
    assert "return new URL(`live/${what}`, base);" in LIBRARY
    assert set(re.findall(r"const base = new URL\((.*)\);", LIBRARY)) == {
        r'/\/live\/[^/]+$/.test(location.pathname) ? ".." : ".", location.href'
    }
    # The only address is the SVG namespace, which is never fetched.
    assert set(re.findall(r"https?://[^\"'\s`]+", LIBRARY)) == {"http://www.w3.org/2000/svg"}
    assert not re.search(r"\beval\(|new Function\(|innerHTML", LIBRARY)


def test_a_script_has_no_global_but_the_one_where_stubs_meet_the_library():
    assert set(re.findall(r"globalThis\.(\w+)", LIBRARY)) == {"lmlLibrary"}
    assert not re.findall(r"\bwindow\.\w+ = ", LIBRARY)


@pytest.mark.parametrize("name", COMPONENTS)
def test_a_stub_waits_for_the_library_and_draws_its_component(name):
    stub = component_stub(name)
    assert "await (globalThis.lmlLibrary ??= Promise.withResolvers()).promise" in stub
    assert f'draw("{name}", component)' in stub
    assert len(stub) < 400


# --- main pictures ---------------------------------------------------------------------------


def drawn(names: tuple[str, ...], patterns: tuple[str, ...], **how: object) -> None:
    live = LiveNumbers("neuron", names, np.zeros(len(names)))
    main_picture(Script("neuron", dict, patterns, Place), live, {}, {}, **how)


@pytest.mark.parametrize("name", ["w", "w1.5", "w1x", "@say", "word", "the"])
def test_a_picture_refuses_a_number_that_its_script_does_not_name(name):
    with pytest.raises(ValueError, match=f"must be named w#, z, word \\*; got {name}$"):
        drawn(("w1", "w12", "z", "word \n*", name), ("w#", "z", "word *"))


def test_a_picture_refuses_a_handler_of_another_event_than_its_script_reports():
    def moved(event: Moved) -> None: ...

    with pytest.raises(TypeError, match=r"must take .*int.*; got .*Moved"):
        drawn(("z",), (), on_event=moved)


# --- joining modules -------------------------------------------------------------------------


def written(folder: Path, **texts: str) -> Path:
    """Scripts in `folder`; the path of the one called `entry`."""
    for name, text in texts.items():
        (folder / f"{name}.js").write_text(text, "utf-8")
    return folder / "entry.js"


def test_a_module_comes_after_those_that_it_imports(tmp_path):
    entry = written(
        tmp_path,
        entry='import { b } from "./b.js";\nimport c from "./c.js";\n'
        "export default function f() {}\n",
        b='import {\n  c1 as one,\n} from "./c.js";\n\nexport const b = one;\n',
        c="export const c1 = 1;\nexport default function c() {}\n",
    )
    joined = join_modules(entry)
    assert [name.split("/")[1] for name in modules(joined)] == ["c.js", "b.js", "entry.js"]
    assert "const { c1: one } = module0;" in joined and "const { default: c } = module0;" in joined
    assert "return { c1, default: c };" in joined
    assert joined.endswith("export default module2.default;\n")


@pytest.mark.parametrize(
    ("texts", "message"),
    [
        (
            {"b": 'import { x } from "./entry.js";\nexport const b = 1;\n'},
            "entry.js → b.js → entry",
        ),
        ({"b": "export const other = 1;\n"}, "entry.js must import what b.js exports; got b"),
        ({"b": 'export * from "./c.js";\n'}, "got 'export \\* from"),
        ({"b": 'import * as c from "./c.js";\nexport const b = 1;\n'}, "got 'import \\* as c"),
    ],
)
def test_what_cannot_be_joined_is_refused_with_its_reason(tmp_path, texts, message):
    entry = 'import { b } from "./b.js";\nexport default function f() {}\n'
    with pytest.raises(ValueError, match=message):
        join_modules(written(tmp_path, entry=entry, **texts))
