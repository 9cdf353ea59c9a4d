"""What is on a page, line by line: its texts, controls, tables, charts and questions."""

import base64
import json
import re
from collections.abc import Iterator
from typing import Any

import numpy as np
from streamlit.testing.v1 import AppTest
from test_screen import KINDS, texts, told, unpacked

from drawing.live import LiveNumbers
from drawing.theme import palette
from ui.components import COMPONENTS

MAIN = [name for name, script in COMPONENTS.items() if "mainPicture(" in script.read_text("utf-8")]
MEASURED = re.compile(
    r"(?<=-runs: ).*|\d.*measured.*|Since \d.*|(?<=The cost: slower).*|(?<=The block is faster).*",
    re.IGNORECASE,
)
OF_ALL_PAGES = re.compile(
    r"caption: \d+ of \d+$|slide-links: |page_link: |button_group: label Examples, "
)
CONTROLS = ("label", "options", "min", "max", "step", "value")
ROLES = {colour.lower(): role for role, colour in palette()["light"].items()}


def view_lines(app: AppTest) -> list[str]:
    """Every element of the page in order, in one line or more, and then its questions.

    The menu, the links to slides and the names of the examples are left out, since they depend on
    more than what is shown. Of a text with measurements only the beginning is kept, since its
    numbers differ each time.
    """
    every = [*elements(app.main)]
    first = next((n for n, each in enumerate(every) if each.type == "title"), 0)
    found = [line for element in every[first:] for line in lines_of(element)]
    found = [MEASURED.sub("…", line) for line in found if not OF_ALL_PAGES.match(line)]
    asked = app.session_state["questions"] if "questions" in app.session_state else ()  # noqa: SIM401
    for question in asked:
        parts = (question.ask, question.answer, question.because, question.hint, question.options)
        found.append(f"question {question.key}: {' | '.join(map(printed, parts))}")
    return found


def elements(block: Any) -> Iterator[Any]:
    for child in block.children.values():
        if hasattr(child, "children"):
            yield from elements(child)
        else:
            yield child


def lines_of(element: Any) -> Iterator[str]:
    if element.type in KINDS:
        yield from (f"{element.type}: {line}" for line in str(element.value).splitlines() if line)
    elif element.type == "plotly_chart":
        yield from chart_lines(json.loads(element.proto.spec))
    elif element.type in ("arrow_data_frame", "arrow_table"):
        table = element.value
        yield f"table: {' | '.join(map(str, table.columns))}"
        for n in sorted({0, len(table) // 2, len(table) - 1} & {*range(len(table))}):
            yield f"row {n}: {' | '.join(map(str, table.iloc[n]))}"
    elif element.type == "bidi_component":
        yield from component_lines(element.proto)
    elif said := [f"{name} {each}" for name in CONTROLS if (each := getattr(element, name, None))]:
        yield f"{element.type}: {', '.join(said)}"


def component_lines(proto: Any) -> Iterator[str]:
    """All templates of a main picture; of other components, the texts with numbers filled in."""
    name = proto.id.split("-", 2)[-1]
    data = unpacked(proto.bytes) if proto.bytes else {}
    if not isinstance(data, dict) or "-kept-" in proto.id:
        return
    if any(proto.id.endswith(f"-{each}") for each in MAIN) and "sentences" in data:
        parts = [*data["sentences"], *(part for row in data["formula"] for part in row)]
        yield from (f"{name} has {part}" for part in parts)
        return
    now = data.get("now", np.empty(0))
    live = LiveNumbers(data.get("group", ""), tuple(data.get("names", ())), now)
    for text in texts(data | (told(data) if "sentences" in data else {})):
        if text and not text.startswith(("data:", "http")):
            yield f"{name}: {live.fill(text) if 'now' in data else text}"


def chart_lines(spec: Any) -> Iterator[str]:
    """The axes, shapes, texts and traces of a Plotly figure, with colours by role."""
    layout = spec["layout"]
    for name in sorted(each for each in layout if each[1:5] == "axis"):
        axis = layout[name]
        title = axis.get("title", {}).get("text", "")
        way = axis.get("range", "") or ("reversed" if axis.get("autorange") == "reversed" else "")
        ticks = " ".join(str(each) for each in axis.get("ticktext", ()))
        yield f"chart {name}: {title!r} {axis.get('type', '')} {way} {ticks}".rstrip()
    for each in layout.get("shapes", ()):
        line = each.get("line", {})
        place = [each.get(side) for side in ("x0", "y0", "x1", "y1")]
        yield f"chart {each.get('type')}: {place} {role(line.get('color'))} {line.get('dash', '')}"
    measured = any("measured" in each.get("name", "") for each in spec["data"])
    written = [
        (each.get("text"), each.get("x"), each.get("y")) for each in layout.get("annotations", ())
    ]
    for text, x, y in sorted(written, key=str) if measured else written:
        at = "" if measured else f" at {printed(x)}, {printed(y)}"
        yield f"chart text: {text!r}{at}"
    for each in spec["data"]:
        line, marker = each.get("line", {}), each.get("marker", {})
        look = [role(line.get("color")), line.get("dash", ""), role(marker.get("color"))]
        yield f"chart {each.get('type')} {each.get('name', '')!r}: {' '.join(map(str, look))}"
        for axis in () if measured else ("x", "y", "z", "text"):
            if (values := array(each.get(axis))).size:
                some = values.ravel()[[0, values.size // 2, -1]]
                yield f"chart {axis}, {values.size} values: {' … '.join(map(printed, some))}"


def role(colour: Any) -> str:
    """The role of a palette colour; another colour as it is. Of several colours, the first."""
    if isinstance(colour, list):
        colour = colour[0] if colour else ""
    return ROLES.get(str(colour).lower(), str(colour or "") if isinstance(colour, str) else "")


def array(values: Any) -> np.ndarray:
    if isinstance(values, dict) and "bdata" in values:
        return np.frombuffer(base64.b64decode(values["bdata"]), dtype=values["dtype"])
    return np.array(values if isinstance(values, list) else [], dtype=object)


def printed(each: Any) -> str:
    return f"{each:.4g}" if isinstance(each, int | float | np.number) else str(each)
