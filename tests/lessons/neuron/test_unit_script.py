"""The browser's drawing of a gate's plane judges each corner as the sentence below it does."""

import json
import subprocess
from itertools import product
from pathlib import Path

import pytest

from lessons.neuron import neuron_picture
from lessons.neuron.neuron_state import slider_numbers
from lmcore.neuron import neuron
from lmcore.neuron.neuron import GATES, Neuron

ROOT = Path(__file__).resolve().parents[3]
RUN = """
import { readFileSync } from "node:fs";
import { Node } from "./tests/drawing/nodes.js";
const { drawUnit } = await import("./lessons/neuron/unit.js");
const { Pen } = await import("./drawing/pen.js");
const units = JSON.parse(readFileSync(0, "utf8"));
const drawn = units.map(({ data, numbers }) => {
  const svg = new Node("svg");
  const values = (name) => numbers[name];
  const asked = { text: (name) => String(values(name)), hidden: () => false, dim: () => false };
  const scene = { width: 1036, height: 514, narrow: false, before: null, moved: null, colour: {} };
  new Pen(svg, {}).draw((pen) => drawUnit(pen, { ...scene, ...asked, data, values }));
  return svg.all("text").map((each) => each.text);
});
console.log(JSON.stringify(drawn));
"""
GRID = (-1.0, -0.5, 0.0, 0.5, 1.0)


def in_the_browsers_language(units, gate):
    """The texts of the drawing of each unit."""
    given = []
    for unit in units:
        live = slider_numbers(unit, neuron.trace_neuron(unit), 0.5, gate)
        picture = neuron_picture.unit_picture(unit, 6.0, gate=gate, fold_bias=False)
        given.append({"data": picture, "numbers": dict(zip(live.names, live.now, strict=True))})
    ran = subprocess.run(
        ["node", "--input-type=module", "-e", RUN],
        input=json.dumps(given),
        capture_output=True,
        text=True,
        cwd=ROOT,
        check=True,
    )
    return [
        (each["numbers"], texts) for each, texts in zip(given, json.loads(ran.stdout), strict=True)
    ]


@pytest.mark.parametrize("gate", GATES)
def test_the_corners_that_are_drawn_as_missed_are_those_that_the_sentence_names(gate):
    """The line of many of these units goes exactly through a corner."""
    units = [Neuron((1.0, 1.0), (w1, w2), b, "step") for w1, w2, b in product(GRID, repeat=3)]
    on_line = 0
    for numbers, texts in in_the_browsers_language(units, gate):
        judged = [text for text in texts if text == "✓" or text.startswith("gets ")]
        missed = sum(2**i for i, text in enumerate(judged) if text != "✓")
        assert (len(judged), missed) == (4, numbers["@say"]), numbers
        wrong = [1 - int(text[-1]) for text in judged if text != "✓"]
        assert wrong == [GATES[gate][i] for i in range(4) if judged[i] != "✓"]
        on_line += any(numbers[f"c{i}z"] == 0 for i in range(4))
    assert on_line > 50
