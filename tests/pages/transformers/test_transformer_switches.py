"""The switches of the Transformer page: recorded runs, their gradients, and a visitor's own run."""

import json
import time

import pytest
from test_screen import drawn, fine, opened, said

from lmcore.shipped.recordings import find_recording
from lmcore.shipped.switch_runs import BASE, switched_run
from lmcore.training import checkpoint, loop
from lmcore.training.pool.runs import RESTING_STATES
from lmcore.training.spec import ModelSpec, RunSpec
from lmcore.transformer.gradient_norms import norms_before_training, norms_of_batch
from tests.patience import PLENTY
from ui import runs


def switches(**address):
    return fine(opened("transformer", see="Switches", **address))


def norms_drawn(app):
    (chart,) = [each for each in app.get("plotly_chart") if "chart-switches" in each.proto.id]
    return {line["name"]: line["y"] for line in json.loads(chart.proto.spec)["data"]}


def until(name, reached):
    """Wait until the run's view is as wanted."""
    deadline = time.monotonic() + PLENTY
    while not reached(runs.pool().view(name)):
        assert time.monotonic() < deadline
        time.sleep(0.05)


@pytest.fixture
def run():
    """A function that starts a run and waits until it rests; the runs are deleted afterwards."""
    started = []

    def start(spec, pause_at=None):
        name = runs.pool().start(spec)
        started.append(name)
        if pause_at is not None:
            until(name, lambda view: view.step >= pause_at)
            runs.pool().pause(name)
        until(name, lambda view: view.state in RESTING_STATES)
        return name

    yield start
    for name in started:
        runs.pool().delete(name)


def test_a_recorded_run_without_residuals_is_beside_that_with_every_part():
    app = switches(sw_residual="false")
    recorded = drawn(app, "switches-runs")["recorded"]
    assert [each["label"] for each in recorded] == ["every part", "no residuals"]
    bare = find_recording(switched_run(residual=False))
    assert recorded[1]["evaluations"][-1][1] == bare.final_loss
    assert "**No residuals:** after 1,500 steps the validation loss is 4.392 nats" in said(app)
    at_50 = next(row for row in bare.evaluations if row[0] == 50)
    assert norms_drawn(app)["no residuals"] == pytest.approx(at_50[3:9])


def test_before_the_first_step_the_gradient_is_computed():
    app = switches(sw_norm="none", sw_at="0")
    for name, spec in (("every part", BASE), ("no LayerNorm", switched_run(norm="none"))):
        expected = norms_before_training(spec).blocks.tolist()
        assert norms_drawn(app)[name] == pytest.approx(expected, rel=1e-4)


def test_switches_that_are_not_recorded_say_so():
    app = switches(sw_norm="post", sw_mlp="false")
    assert len(drawn(app, "switches-runs")["recorded"]) == 1
    assert "**Post-norm, no MLP:** not recorded." in said(app)
    assert "No run with these switches is recorded" in said(app)
    assert list(norms_drawn(app)) == ["every part"]


def test_a_run_is_started_with_the_switches():
    app = switches(sw_residual="false", sw_heads="1", sw_steps="3", sw_seed="5")
    app = fine(app.button(key="sw-start").click().run())
    (name,) = app.session_state["sw_runs"].split(",")
    expected = switched_run(residual=False, split=False, steps=3, seed=5)
    assert runs.pool().view(name).spec == expected
    (shown,) = drawn(app, "switches-runs")["runs"]
    assert shown["label"] == "Transformer, no residuals, one head"
    runs.pool().delete(name)


def test_the_gradient_of_a_run_at_rest_is_that_of_its_network(run):
    name = run(switched_run(mlp=False, steps=4))
    network, _, spec, step = checkpoint.load_network(runs.pool().checkpoint(name))
    norms = norms_of_batch(network, loop.training_feed(spec).batch(step))
    app = switches(sw_mlp="false", sw_runs=name)
    assert norms_drawn(app)["yours, step 4"] == pytest.approx(norms.blocks.tolist(), rel=1e-4)


def test_after_each_pause_the_gradient_is_that_of_the_step_reached(run):
    name = run(switched_run(mlp=False, steps=5000), pause_at=2)
    before = 0
    for _ in range(2):
        network, _, spec, step = checkpoint.load_network(runs.pool().checkpoint(name))
        norms = norms_of_batch(network, loop.training_feed(spec).batch(step))
        shown = norms_drawn(switches(sw_mlp="false", sw_runs=name))
        assert [each for each in shown if each.startswith("yours")] == [f"yours, step {step}"]
        assert shown[f"yours, step {step}"] == pytest.approx(norms.blocks.tolist(), rel=1e-4)
        assert runs.pool().view(name).step == step > before
        before = step
        runs.pool().resume(name, steps=2)
        until(name, lambda view: view.state == "paused")


def test_a_run_of_another_page_in_the_address_is_left_out(run):
    name = run(RunSpec(model=ModelSpec("rnn", 4, 4), batch=2, steps=2, every=1))
    assert drawn(switches(sw_runs=name), "switches-runs")["runs"] == []


@pytest.mark.parametrize(
    ("setting", "value", "says"),
    [
        ("sw_steps", "0", "the number of steps must be from 1 to 5000; got 0"),
        ("sw_seed", "x", "the seed must be a whole number"),
    ],
)
def test_a_wrong_setting_is_named_and_the_base_stays(setting, value, says):
    app = opened("transformer", see="Switches", **{setting: value})
    assert says in " ".join(each.value for each in app.error)
    assert "**Every part:**" in said(app)
