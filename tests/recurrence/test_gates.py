import math

import pytest
import torch

from lmcore.models.lstm import LSTMWeights, lstm_step
from lmcore.recurrence.gates import FAR_STEPS, NAMES, GateUnit, gate_step, sweep, trace_gates, unit

CELL = GateUnit(0.8, 1.5, -0.5, 0.7, 2.0)


def sigmoid(z):
    return 1 / (1 + math.exp(-z))


def test_one_step_by_hand():
    trace = trace_gates(CELL)
    f, i, new, o = sigmoid(1.5), sigmoid(-0.5), math.tanh(0.7), sigmoid(2)
    c = f * 0.8 + i * new
    expected = {"forget": f, "input": i, "candidate": new, "kept": f * 0.8, "written": i * new}
    expected |= {"cell": c, "output": o, "squashed": math.tanh(c), "hidden": o * math.tanh(c)}
    expected |= {"cell_by_before": f, "cell_by_candidate": i, "far": f**50}
    for name, value in expected.items():
        assert float(trace.by_name()[name]) == pytest.approx(value, rel=1e-12), name
    assert FAR_STEPS == 50


def test_it_is_the_step_of_the_lstm_with_the_pre_activations_as_biases():
    zero = torch.zeros(1, 2, dtype=torch.float64)
    biases = (torch.tensor([z], dtype=torch.float64) for z in (1.5, -0.5, 0.7, 2.0))
    weights = LSTMWeights(zero, zero, zero, zero, *biases)
    nothing = torch.zeros(1, 1, dtype=torch.float64)
    found = lstm_step(nothing, weights, nothing, torch.full_like(nothing, 0.8))
    trace = trace_gates(CELL)
    names = ("forget", "input", "candidate", "cell", "output", "hidden")
    for name, value in zip(names, found, strict=True):
        assert float(getattr(trace, name)) == pytest.approx(float(value), rel=1e-14), name


def test_the_slopes_are_those_of_autograd():
    numbers = torch.tensor([0.8, 1.5, -0.5, 0.7, 2.0], dtype=torch.float64, requires_grad=True)
    trace = gate_step(numbers)
    slopes = {name: float(value.detach()) for name, value in trace.by_name().items()}
    (by,) = torch.autograd.grad(trace.cell, numbers, retain_graph=True)
    assert float(by[0]) == pytest.approx(slopes["cell_by_before"])
    (by,) = torch.autograd.grad(trace.cell, trace.candidate, retain_graph=True)
    assert float(by) == pytest.approx(slopes["cell_by_candidate"])
    (by,) = torch.autograd.grad(trace.hidden, trace.cell)
    assert float(by) == pytest.approx(slopes["hidden_by_cell"])


def test_an_open_forget_gate_and_a_shut_input_gate_remember():
    trace = trace_gates(GateUnit(0.8, 20.0, -20.0, 1.0, 0.0))
    assert float(trace.cell) == pytest.approx(0.8, abs=1e-8)
    assert float(trace.cell_by_before) == pytest.approx(1)


def test_a_sweep_moves_one_number_and_leaves_the_others():
    positions = torch.linspace(-3, 3, 7, dtype=torch.float64).repeat(5, 1)
    swept = sweep(CELL, positions).by_name()
    for control, name in enumerate(NAMES):
        for place, value in enumerate(positions[control].tolist()):
            alone = trace_gates(CELL.with_value(name, value)).by_name()
            for key, number in alone.items():
                torch.testing.assert_close(swept[key][control, place], number)


def test_numbers_that_cannot_be_are_refused():
    with pytest.raises(ValueError, match="z_i must be from −20 to 20; got 21"):
        GateUnit(0.0, 0.0, 21.0, 0.0, 0.0)
    with pytest.raises(ValueError, match="c_before must be from −20 to 20; got nan"):
        GateUnit(math.nan, 0.0, 0.0, 0.0, 0.0)
    with pytest.raises(ValueError, match=r"must be one of c_before, .*; got z_x"):
        CELL.with_value("z_x", 1.0)
    with pytest.raises(ValueError, match=r"the gates must be 5 numbers, c_before, .*; got 2"):
        unit((1.0, 2.0))
    with pytest.raises(ValueError, match="5 rows of positions; got 3"):
        sweep(CELL, torch.zeros(3, 7, dtype=torch.float64))
    assert unit((0.8, 1.5, -0.5, 0.7, 2.0)) == CELL
