"""The browser's script, used during a drag, computes the same as lmcore.optimization."""

import json
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest
import torch

from lessons.descent import numbers
from lmcore.networks.landscape import xor_network
from lmcore.networks.network import forward, random_parameters
from lmcore.optimization.landscapes import landscape
from lmcore.optimization.loss_grid import loss_grid
from lmcore.optimization.paths import DescentConfig
from lmcore.optimization.regression import draw_regression
from lmcore.optimization.schedules import Schedule
from lmcore.optimization.sweeps import sweep_rates

ROOT = Path(__file__).resolve().parents[3]
HEAD = """
import { readFileSync } from "node:fs";
import * as runs from "./lessons/descent/dragged_runs.js";
const given = JSON.parse(readFileSync(0, "utf8"));
"""
REGRESSION = draw_regression(9, noise=0.5)
START = (1.5, -0.7)
CONFIGS = (
    DescentConfig(),
    DescentConfig("SGD", batch=2, seed=4),
    DescentConfig("momentum", Schedule("cosine")),
    DescentConfig("Adam", Schedule("exponential", factor=0.95)),
)
RATES = torch.tensor([0.02, 0.2, 0.35], dtype=torch.float64)
STEPS = 30


def in_the_browsers_language(script, given):
    run = subprocess.run(
        ["node", "--input-type=module", "-e", f"{HEAD}console.log(JSON.stringify({script}));"],
        input=json.dumps(given),
        capture_output=True,
        text=True,
        cwd=ROOT,
        check=True,
    )
    return json.loads(run.stdout)


def close(found, wanted, rtol=1e-9):
    given = torch.tensor(found, dtype=torch.float64)
    torch.testing.assert_close(given, wanted.double(), rtol=rtol, atol=1e-10)


def swept(objective, start, configs):
    sweep = sweep_rates(objective, start, configs, RATES, STEPS)
    paths = torch.cat([sweep.parameters, sweep.loss[..., None]], dim=-1).permute(1, 2, 0, 3)
    how = {
        "start": list(start),
        "rules": [config.optimizer for config in configs],
        "rates": RATES.tolist(),
        "shares": sweep.shares.flatten().tolist(),
        "steps": STEPS,
    }
    return sweep, paths.flatten(), how


def test_runs_on_a_regression_are_those_of_lmcore():
    sweep, paths, how = swept(REGRESSION, START, CONFIGS)
    given = {
        "x": REGRESSION.x.tolist(),
        "y": REGRESSION.y.tolist(),
        "batches": sweep.weights[:, 1].tolist(),
        "how": how,
    }
    script = """(() => {
      const { x, y, batches, how } = given;
      const its = runs.regression(x, y, (step) => batches[step], how.steps);
      return [...runs.sweep(how.rules.map((_, run) => (run === 1 ? its.drawn : its.whole)), how)];
    })()"""
    close(in_the_browsers_language(script, given), paths)


@pytest.mark.parametrize("name", ["saddle", "plateau", "plateau, cross-entropy"])
def test_runs_on_other_surfaces_are_those_of_lmcore(name):
    configs = [replace(config, batch=0) for config in CONFIGS]
    _, paths, how = swept(landscape(name).objective, (1.2, 0.3), configs)
    given = {"how": how, "cross": name.endswith("cross-entropy"), "saddle": name == "saddle"}
    script = """(() => {
      const its = given.saddle ? runs.saddle : runs.unit([-1, 1], [0, 1], given.cross);
      return [...runs.sweep(given.how.rules.map(() => its), given.how)];
    })()"""
    close(in_the_browsers_language(script, given), paths)


def test_what_is_said_of_dragged_points_is_what_the_server_says():
    """Compares the closed form, the curvature, and η with the largest rate."""
    given = {"x": REGRESSION.x.tolist(), "y": REGRESSION.y.tolist(), "rates": RATES.tolist()}
    script = """(() => {
      const m = runs.moments(given.x, given.y);
      const { loss } = runs.regression(given.x, given.y, null, 0).whole;
      return given.rates.map((eta) => runs.closedNumbers(m, eta, loss));
    })()"""
    found = in_the_browsers_language(script, given)
    wanted = numbers._regression_numbers(REGRESSION, RATES)
    assert found[0].keys() == wanted.keys()
    for name, values in wanted.items():
        close([each[name] for each in found], values)


def test_points_of_one_x_have_no_closed_form():
    given = {"x": [2.0, 2.0, 2.0], "y": [1.0, 2.0, 3.0]}
    script = "runs.solve(runs.moments(given.x, given.y))"
    assert in_the_browsers_language(script, given) is None


def test_the_map_is_that_of_lmcore():
    given = {"x": REGRESSION.x.tolist(), "y": REGRESSION.y.tolist()}
    script = """[...runs.gridOf(runs.regression(given.x, given.y, null, 0).whole.loss,
      [0.5, -1], 2.5, 9)]"""
    wanted = loss_grid(REGRESSION, (0.5, -1.0), (2.5, 2.5), 9).loss.flatten()
    close(in_the_browsers_language(script, given), wanted)


def test_the_network_of_xor_is_that_of_lmcore():
    config, data = xor_network()
    row = 3 * random_parameters(config, 2)
    given = {"theta": row.tolist(), "x": data.x.tolist()}
    script = "given.x.map(([x, y]) => runs.xor(given.theta, x, y))"
    wanted = forward(config, row, data.x).output[..., 0].flatten()
    close(in_the_browsers_language(script, given), wanted)
