import ast
import inspect
import math

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import nn

from lmcore.optimization import slide_code
from lmcore.optimization.regression import draw_regression, regression_from_points, solve_regression
from lmcore.optimization.slide_code import (
    SLIDE_CODE,
    compare_slide_code,
    list_faults,
    slide_mean_loss,
    steady_rate,
)

REGRESSION = draw_regression(12)
FAULTS = {fault.slide: fault for fault in list_faults(REGRESSION)}


def statements(source):
    return [ast.unparse(node) for node in ast.parse(source).body]


def test_what_runs_as_the_slides_code_is_what_is_on_the_slide():
    (function,) = ast.parse(inspect.getsource(slide_code.run_as_written)).body
    _docstring, *ours, _return = (ast.unparse(node) for node in function.body)
    slide = [line for line in statements(SLIDE_CODE) if "import" not in line]
    assert ours == slide


def test_the_slides_code_stops_at_its_first_line():
    with pytest.raises(TypeError) as caught:
        slide_code.run_as_written()
    assert compare_slide_code(REGRESSION, epochs=1).as_written == f"TypeError: {caught.value}"


def test_each_exception_is_pytorchs_own():
    """Each line of the slide is run here again, outside the module."""
    X, y = REGRESSION.design, REGRESSION.y[:, None]
    beta = torch.zeros(2, 1, dtype=torch.float64)
    runs = {
        "x = torch.Tensor(input)": lambda: torch.Tensor(input),
        "torch.random.randn(…)": lambda: torch.random.randn(2, 1),
        "X.shape": lambda: undefined("X"),
        "randn(x.shape, 1)": lambda: torch.randn(X.shape, 1),
        "beta without requires_grad": lambda: nn.MSELoss()(X @ beta, y).backward(),
        "loss = nn.MSELoss(yhat, …)": lambda: nn.MSELoss(X @ beta, y),
        "ŷ = βX": lambda: beta @ X,
        "minimise (y − βX)²": lambda: (y - X @ beta.requires_grad_()).square().backward(),
    }
    assert {slide for slide, fault in FAULTS.items() if fault.kind == "stops"} == set(runs)
    for slide, run in runs.items():
        with pytest.raises((AttributeError, NameError, RuntimeError, TypeError)) as caught:
            run()
        wanted = f"{type(caught.value).__name__}: {caught.value}".strip()
        assert FAULTS[slide].happens == wanted


def undefined(name):
    raise NameError(f"name {name!r} is not defined")


def test_targets_without_a_column_are_compared_with_every_prediction():
    X, y = REGRESSION.design, REGRESSION.y
    beta = torch.randn(2, 1, generator=torch.Generator().manual_seed(0), dtype=torch.float64)
    with pytest.warns(UserWarning, match="target size"):
        loss = float(nn.MSELoss()(X @ beta, y))
    right = float(nn.MSELoss()(X @ beta, y[:, None]))
    fault = FAULTS["loss of yhat and torch.Tensor(y)"]
    assert "(12, 12)" in fault.happens and "least at β₁ = 0," in fault.happens
    assert f"L is {loss:.3f}, not {right:.4f}," in fault.happens
    # The mean over all pairs is least where every ŷ is the mean of y.
    flat = torch.stack([y.mean(), torch.zeros(()).double()])[:, None].requires_grad_()
    (gradient,) = torch.autograd.grad((X @ flat - y).square().mean(), flat)
    assert float(gradient.abs().max()) < 1e-12


def test_a_relu_cannot_predict_what_is_below_0():
    points = [(-1.0, -3.0), (0.0, -1.0), (1.0, 1.0), (2.0, 3.0)]
    fault = next(f for f in list_faults(regression_from_points(points)) if "relu" in f.slide)
    # y less its mean is −3, −1, 1, 3. ŷ fits it exactly; relu gives 0, 0, 1, 3: L = (9 + 1) / 4.
    assert "L of the closed form is 2.5, not 0" in fault.happens


def test_without_backward_there_is_no_gradient():
    assert "β.grad is None" in FAULTS["nothing after loss = …"].happens


def test_j_without_its_logarithm_is_another_number():
    printed, right = slide_mean_loss((0.1, 0.5, 0.9))
    assert printed == pytest.approx(-0.5)
    assert right == pytest.approx(-(math.log(0.1) + math.log(0.5) + math.log(0.9)) / 3)
    p = torch.tensor([0.1, 0.5, 0.9]).double()
    logits = torch.stack([p.log(), (1 - p).log()], dim=-1)
    wanted = nn.functional.cross_entropy(logits, torch.zeros(3).long())
    assert right == pytest.approx(float(wanted))
    assert "J is −0.5, not 1.034" in FAULTS["J(θ) = (1/T) Σ −ŷ"].happens


def test_every_fault_says_what_is_right():
    assert len(FAULTS) == len(list_faults(REGRESSION)) == 14
    for fault in FAULTS.values():
        assert fault.slide and fault.happens and fault.right
        assert fault.right != fault.slide
        assert (fault.kind == "stops") == ("Error: " in fault.happens)
    frame = list_faults(REGRESSION).to_frame()
    assert list(frame.columns) == ["slide", "kind", "the slide writes", "what happens", "right"]
    assert frame["the slide writes"].tolist() == list(FAULTS)


@settings(max_examples=20)
@given(st.integers(0, 200), st.integers(2, 30))
def test_both_corrected_codes_end_at_the_closed_form(seed, count):
    regression = draw_regression(count, seed=seed)
    found = compare_slide_code(regression, epochs=30, seed=seed)
    native, torch_nn = found.corrected
    assert found.difference < 1e-12
    torch.testing.assert_close(native.loss, torch_nn.loss, rtol=1e-12, atol=1e-14)
    best = solve_regression(regression)
    assert float(native.loss[-1]) >= float(best.loss) - 1e-12
    for line in found.corrected:
        wanted = float((line.parameters - best.solution).abs().max())
        assert line.distance == wanted
        assert float(line.loss[-1]) == pytest.approx(float(regression.losses(line.parameters)))


def test_both_corrected_codes_reach_it_within_1e_8():
    found = compare_slide_code(REGRESSION)
    assert [line.distance < 1e-8 for line in found.corrected] == [True, True]
    assert [line.name for line in found.corrected] == ["tensors only", "torch.nn"]
    assert found.corrected[0].to_frame()["L"].tolist() == found.corrected[0].loss.tolist()
    assert len(found.to_frame()) == len(found.faults)


@pytest.mark.parametrize("batch", [1, 5, 12])
def test_in_batches_both_make_the_same_steps(batch):
    found = compare_slide_code(REGRESSION, batch=batch, epochs=40)
    native, torch_nn = found.corrected
    assert found.difference < 1e-12
    torch.testing.assert_close(native.loss, torch_nn.loss, rtol=1e-12, atol=1e-14)
    assert float(native.loss[-1]) < float(native.loss[0])


@given(st.integers(0, 99), st.sampled_from([1, 2, 5]))
def test_the_steady_rate_shrinks_the_distance_in_every_batch(seed, batch):
    regression = draw_regression(10, seed=seed)
    rate = steady_rate(regression, batch)
    for chosen in torch.randperm(10, generator=torch.Generator().manual_seed(seed)).split(batch):
        X = regression.design[chosen]
        assert rate * float(torch.linalg.matrix_norm(2 / len(X) * X.T @ X, 2)) <= 1 + 1e-12


def test_what_is_shown_is_the_code_that_ran():
    for line, function in zip(
        compare_slide_code(REGRESSION, epochs=1).corrected,
        (slide_code.train_natively, slide_code.train_with_torch_nn),
        strict=True,
    ):
        assert line.source == inspect.getsource(function)


def test_the_global_generator_is_left_alone():
    before = torch.get_rng_state()
    first, second = (compare_slide_code(REGRESSION, batch=4, epochs=2) for _ in range(2))
    assert torch.get_rng_state().equal(before)
    assert first.corrected[0].parameters.equal(second.corrected[0].parameters)
    assert first.faults == second.faults


@pytest.mark.parametrize(
    ("points", "change", "message"),
    [
        ([(1.0, 2.0)], {}, "the number of points must be from 2 to 60; got 1"),
        ([(1.0, 2.0), (1.0, 3.0)], {}, "x must have at least two different values"),
        ([(1.0, 2.0), (2.0, 3.0)], {"batch": 3}, "the batch must be from 0 to 2; got 3"),
        ([(1.0, 2.0), (2.0, 3.0)], {"epochs": 0}, "epochs must be from 1 to 500; got 0"),
    ],
)
def test_what_is_out_of_bounds_is_refused(points, change, message):
    with pytest.raises(ValueError, match=message):
        compare_slide_code(regression_from_points(points), **change)
