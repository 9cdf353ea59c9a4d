"""What is saved is what is shown: pictures, tables in full precision, and code that runs."""

from __future__ import annotations

import base64
import csv
import os
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest
import torch
from playwright.sync_api import Locator, Page, expect

from lmcore.graph import compare_gradients, parse_program, trace_graph
from lmcore.neuron.activations import ACTIVATIONS
from lmcore.numbers import format_number
from tests.browser.conftest import Visit
from tests.browser.serving import ROOT
from tests.sampled import sampled

COLOURS = """async (source) => {
    const image = new Image();
    image.src = source;
    await image.decode();
    const canvas = new OffscreenCanvas(image.width, image.height);
    const brush = canvas.getContext('2d');
    brush.drawImage(image, 0, 0);
    const pixels = new Uint32Array(brush.getImageData(0, 0, image.width, image.height).data.buffer);
    return [image.width, image.height, new Set(pixels).size];
}"""
PICTURES = {
    "/neuron": ("neuron", ["0.3", "0.6660", "z = 0.69", "slope 0.2225"]),
    "/networks": ("networks", ["0 of 4 wrong", "0.9857", "a⁽¹⁾ = tanh(z⁽¹⁾)", "step 500"]),
    "/seq2seq": ("seq2seq", ["All weights αᵢⱼ", "7 of 9 words right", "α = 0.9995"]),
    "/results": ("results", ["Transformer (big)", "28.4", "× 0.2987", "+2.04"]),
    "/contextual": ("contextual", ["a penalty", "0.3887", "14 of 14 right"]),
    "/transfer": ("transfer", ["new head, 258 weights", "fine-tuned", "0.9637"]),
    "/transformer": ("transformer", ["Block 2", "tripped", "0.37"]),
    "/descent": ("descent", ["0.9199 of 2/λₘₐₓ", "L = 0.4338"]),
    "/backprop?at=-1": ("backprop", ["−10", "∂L/∂a = −2", "∂L/∂b = −4", "∂L/∂c = 5"]),
}


def save(page: Page, button: Locator) -> tuple[str, Path]:
    """The name and the path of the file that a button saves."""
    button.scroll_into_view_if_needed()
    with page.expect_download() as download:
        button.click()
    return download.value.suggested_filename, Path(download.value.path())


def texts(path: Path) -> list[str]:
    """Every text of an SVG file, which must be well-formed."""
    root = ElementTree.parse(path).getroot()
    assert root.tag == "{http://www.w3.org/2000/svg}svg"
    return ["".join(node.itertext()) for node in root.iter("{http://www.w3.org/2000/svg}text")]


def picture_of(page: Page, path: Path) -> tuple[int, int, int]:
    """Width, height and number of colours of a PNG file."""
    data = path.read_bytes()
    assert data.startswith(b"\x89PNG\r\n\x1a\n")
    source = f"data:image/png;base64,{base64.b64encode(data).decode()}"
    width, height, colours = page.evaluate(COLOURS, source)
    return width, height, colours


def table(path: Path) -> list[list[str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.reader(file))


def button(page: Page, kind: str, nth: int = 0) -> Locator:
    return page.get_by_role("button", name=kind, exact=True).nth(nth)


def of_picture(page: Page, kind: str) -> Locator:
    """The button that saves the main picture: outside presenter mode it is in a popover."""
    if not page.locator(".st-key-save").count():
        return button(page, kind)
    if not page.get_by_test_id("stPopoverBody").count():
        page.get_by_role("button", name="Save", exact=True).click()
    return page.get_by_role("button", name=f"Picture ({kind})", exact=True)


def test_the_numbers_of_a_picture_are_saved_in_full(visit: Visit) -> None:
    page = visit.open("/neuron")
    page.get_by_role("button", name="Save", exact=True).click()
    name, path = save(page, page.get_by_role("button", name="Its numbers (CSV)", exact=True))
    assert name == "neuron.csv"
    head, *rows = table(path)
    assert head == ["name", "value"]
    numbers = {row[0]: float(row[1]) for row in rows}
    assert numbers["z"] == pytest.approx(0.69, rel=1e-14)
    assert numbers["y"] == pytest.approx(0.665967, rel=1e-5)
    assert not any(row[0].startswith("@") for row in rows)


def test_a_saved_picture_has_its_sentence_and_its_formula(visit: Visit) -> None:
    page = visit.open("/neuron")
    _, svg = save(page, of_picture(page, "SVG"))
    said = texts(svg)
    assert said[0].startswith("Input 3 moves z most: its term is 0.18 of z = 0.69.")
    assert any("y = σ(0.69) = 0.6660" in text for text in said)


@pytest.mark.parametrize("path", sampled(PICTURES, ("/neuron", "/transformer")))
def test_the_live_picture_is_saved_as_svg_and_png(visit: Visit, path: str) -> None:
    stem, numbers = PICTURES[path]
    page = visit.open(path)
    name, svg = save(page, of_picture(page, "SVG"))
    assert name == f"{stem}.svg"
    assert set(numbers) <= set(texts(svg))
    name, png = save(page, of_picture(page, "PNG"))
    assert name == f"{stem}.png"
    width, height, colours = picture_of(page, png)
    assert width > 600
    assert height > 300
    assert colours > 20


def test_a_chart_is_saved_as_svg_and_png(visit: Visit) -> None:
    page = visit.open("/neuron?see=Activations")
    page.locator(".js-plotly-plot .xtitle").first.wait_for()
    name, svg = save(page, button(page, "SVG"))
    assert name == "activations.svg"
    assert ACTIVATIONS.keys() <= set(texts(svg))
    name, png = save(page, button(page, "PNG"))
    assert name == "activations.png"
    width, height, colours = picture_of(page, png)
    assert width > 600
    assert height > 300
    assert colours > 20


@pytest.mark.walk("neuron", alone=True)
def test_the_activations_are_saved_in_full_precision(visit: Visit) -> None:
    page = visit.open("/neuron?see=Activations")
    name, path = save(page, button(page, "CSV"))
    assert name == "activations.csv"
    head, *rows = table(path)
    assert head == ["activation", "g(0.69)", "dg/dz at 0.69"]
    z = torch.tensor(0.1 * 0.3 + 0.4 * 0.2 + 0.2 * 0.9 + 0.4, dtype=torch.float64)
    assert [row[0] for row in rows] == list(ACTIVATIONS)
    for label, value, slope in rows:
        g = ACTIVATIONS[label]
        assert float(value) == pytest.approx(float(g.function(z)), rel=1e-14)
        assert float(slope) == pytest.approx(float(g.derivative(z)), rel=1e-14)


@pytest.mark.walk("backprop", alone=True)
def test_the_gradients_are_saved_in_full_precision(visit: Visit) -> None:
    program = "x = 0.3\nL = sigmoid(x)*exp(x)\n"
    page = visit.open("/backprop?see=Three+methods")
    visit.write(program)
    name, path = save(page, button(page, "CSV"))
    assert name == "gradients.csv"
    head, *rows = table(path)
    assert head[:3] == ["node", "by hand", "autograd"]
    graph = parse_program(program)
    compared = {
        graph.nodes[each.node].name: each for each in compare_gradients(graph, trace_graph(graph))
    }
    assert [row[0] for row in rows] == list(compared)
    for label, *numbers in rows:
        assert [float(number) for number in numbers] == [float(t) for t in compared[label][1:6]]


@pytest.mark.parametrize("path", ["/neuron?see=Step+by+step", "/backprop?see=Step+by+step"])
@pytest.mark.walk(alone=True)
def test_the_steps_are_saved_with_every_digit(visit: Visit, path: str) -> None:
    page = visit.open(path)
    _, saved = save(page, button(page, "CSV"))
    head, *rows = table(saved)
    assert head == ["step", "symbol", "with the numbers in", "value", "shape"]
    on_screen = page.locator("tbody tr .number").all_text_contents()
    assert [format_number(float(row[3])) for row in rows] == on_screen
    assert all(len(row) == 5 for row in rows)


def output(path: Path) -> list[str]:
    """The lines that a saved snippet prints when it is run in the project's folder."""
    ran = subprocess.run(
        [sys.executable, str(path)],
        cwd=ROOT,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    return ran.stdout.splitlines()


def test_the_neurons_code_runs_and_prints_the_numbers_on_screen(visit: Visit) -> None:
    page = visit.open("/neuron?w=0.7,0.4,0.2&g=tanh&see=Code")
    name, path = save(page, page.get_by_role("button", name="Save as .py"))
    assert name == "neuron.py"
    printed = dict(line.split(maxsplit=1) for line in output(path))
    assert f"z = {format_number(float(printed['z']))}" in visit.drawn()
    assert format_number(float(printed["y"])) in visit.drawn()
    assert f"slope {format_number(float(printed['dy/dz']))}" in visit.drawn()


@pytest.mark.walk("backprop", alone=True)
def test_the_graphs_code_runs_and_prints_the_numbers_on_screen(visit: Visit) -> None:
    page = visit.open("/backprop?see=Code&at=-1")
    visit.type("b", "1.75")
    expect(page.get_by_text("b = 1.75").first).to_be_visible()
    name, path = save(page, page.get_by_role("button", name="Save as .py"))
    assert name == "backprop.py"
    drawn = visit.drawn()
    for line in output(path):
        node, value, gradient = line.split()
        at = next(i for i, text in enumerate(drawn) if text.split(" = ")[0] == node)
        assert drawn[at + 1] == format_number(float(value))
        assert drawn[at + 2] == f"∂L/∂{node} = {format_number(float(gradient))}"
