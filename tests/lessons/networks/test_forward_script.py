"""The browser's script, used during a drag, computes the same as lmcore.networks."""

import json
import subprocess
from pathlib import Path

import torch

from lessons.networks.networks_picture import function_names
from lmcore.networks.network import NetworkConfig, forward, losses, predictions, random_parameters
from lmcore.networks.points import Window, surface_points
from lmcore.neuron.activations import ACTIVATIONS

ROOT = Path(__file__).resolve().parents[3]
RUN = """
import { readFileSync } from "node:fs";
import { forward, judge, maps } from "./lessons/networks/forward.js";
const cases = JSON.parse(readFileSync(0, "utf8"));
console.log(JSON.stringify(cases.map(({ net, parameters, x, points, window }) => ({
  layers: forward(net, parameters, x),
  judged: [0, 1].map((which) => judge(net, parameters, points, which)),
  maps: maps(net, parameters, window, 9).map((units) => units.map((map) => [...map])),
}))));
"""
WINDOW = Window(-1.5, 1.5)
HELD = [0, 1, 0, 0, 1, 0]
"""1: a point that is held out."""


def cases():
    """Networks of every activation and depth, with an input and labelled points."""
    generator = torch.Generator().manual_seed(0)
    for g in ACTIVATIONS:
        for hidden in ((), (3,), (8, 8, 8)):
            for classes in (2, 3):
                config = NetworkConfig(hidden, (g,) * len(hidden), classes=classes)
                row = random_parameters(config, len(g)) * 3 + 0.2
                x = torch.randn(6, 2, generator=generator, dtype=torch.float64)
                labels = torch.randint(classes, (6,), generator=generator)
                yield config, row, x, labels


def in_the_browsers_language(made):
    given = [
        {
            "net": {"sizes": config.sizes, "functions": function_names(config)},
            "parameters": row.tolist(),
            "x": x[0].tolist(),
            "points": {"x": x.flatten().tolist(), "labels": labels.tolist(), "held": HELD},
            "window": WINDOW._asdict(),
        }
        for config, row, x, labels in made
    ]
    run = subprocess.run(
        ["node", "--input-type=module", "-e", RUN],
        input=json.dumps(given),
        capture_output=True,
        text=True,
        cwd=ROOT,
        check=True,
    )
    return json.loads(run.stdout)


def test_the_script_computes_what_lmcore_does_to_1e_12():
    made = list(cases())
    for (config, row, x, labels), found in zip(made, in_the_browsers_language(made), strict=True):
        trace = forward(config, row, x)
        for layer, its in enumerate(found["layers"]):
            close(its["z"], trace.pre_activations[layer][0])
            close(its["a"], trace.activations[layer][0])
        for which, judged in enumerate(found["judged"]):
            its = torch.tensor(HELD) == which
            close(judged["loss"], losses(config, trace, labels)[its].mean())
            wrong = (predictions(config, trace) != labels)[its].sum()
            assert (judged["wrong"], judged["count"]) == (int(wrong), int(its.sum()))
        over = forward(config, row, surface_points(WINDOW, 9))
        for layer, units in enumerate(found["maps"]):
            close(units, over.activations[layer].T)


def close(found, wanted):
    given = torch.tensor(found, dtype=torch.float64)
    torch.testing.assert_close(given, wanted, rtol=1e-12, atol=1e-12)
