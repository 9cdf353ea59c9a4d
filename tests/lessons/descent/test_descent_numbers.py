"""The numbers of the picture at any η and step, and the surfaces that they describe."""

import math

import pytest
import torch

from lessons.descent import descent_picture, descent_text, surfaces
from lessons.descent.numbers import Descent, numbers_at, place_of_rate, sentence_count
from lessons.descent.surfaces import NETWORK, SURFACES, build_surface, data_window, round_up
from lmcore.optimization.loss_grid import loss_grid
from lmcore.optimization.paths import DescentConfig
from lmcore.optimization.regression import regression_from_points, solve_regression, trace_curvature
from lmcore.optimization.sweeps import sweep_rates

POINTS = ((-0.5, 0.9), (0.0, 0.6), (1.2, 2.3), (2.5, 2.7))
RATES = torch.tensor([0.05, 0.2, 0.6], dtype=torch.float64)
GD, SGD, MOMENTUM = DescentConfig(), DescentConfig(batch=2), DescentConfig("momentum")


def descent(*configs, name="regression", start=None, rates=RATES, steps=12):
    surface = build_surface(name, POINTS, start)
    return Descent(surface, sweep_rates(surface.objective, surface.start, configs, rates, steps))


def at(run, rate, step):
    named = numbers_at(run, torch.tensor([rate]), torch.tensor([step]))
    return {name: float(value[0]) for name, value in named.items()}


@pytest.mark.parametrize("config", [GD, SGD, MOMENTUM], ids=lambda config: config.name)
def test_the_next_step_is_the_state_that_follows(config):
    run = descent(config)
    for step in range(12):
        now, then = at(run, 1, step), at(run, 1, step + 1)
        for i in range(2):
            assert now[f"n{i}"] == pytest.approx(then[f"p{i}"], rel=1e-12)
            assert now[f"p{i}"] + now[f"c{i}"] == pytest.approx(now[f"n{i}"], rel=1e-12)
        assert now["nextloss"] == pytest.approx(then["loss"], rel=1e-12)
        assert now["size"] == pytest.approx(math.hypot(now["c0"], now["c1"]))


def test_a_step_of_gd_is_eta_times_the_slope():
    now = at(descent(GD), 0, 3)
    for i in range(2):
        assert now[f"c{i}"] == pytest.approx(-now["rate"] * now[f"g{i}"], rel=1e-12)
    assert now["rate"] == now["eta"] == 0.05


def test_after_the_last_step_nothing_changes_and_the_other_formula_is_shown():
    run = descent(GD)
    now = at(run, 0, 12)
    assert (now["c0"], now["c1"], now["size"]) == (0, 0, 0)
    assert now["nextloss"] == now["loss"]
    assert now["@formula"] == at(run, 0, 11)["@formula"] + sentence_count(run)


def test_the_numbers_of_a_regression_are_those_of_its_closed_form_and_curvature():
    regression = regression_from_points(POINTS)
    best, curved = solve_regression(regression), trace_curvature(regression)
    now = at(descent(GD), 1, 4)
    assert (now["s0"], now["s1"]) == tuple(best.solution.tolist())
    assert now["least"] == float(best.loss)
    assert now["rmax"] == float(curved.largest_rate)
    assert now["share"] == pytest.approx(0.2 / float(curved.largest_rate))
    assert now["left"] == pytest.approx(curved.contraction(0.2))
    assert (now["k0"], now["k1"]) == pytest.approx(tuple(curved.factors(0.2).tolist()))


def test_the_sentence_says_whether_the_rate_converges():
    largest = float(trace_curvature(regression_from_points(POINTS)).largest_rate)
    rates = largest * torch.tensor([0.8, 1.0, 1.2], dtype=torch.float64)
    run = descent(GD, rates=rates)
    said = [descent_text.run_sentences(run)[int(at(run, rate, 2)["@say"])] for rate in range(3)]
    assert "a step leaves at most {left}" in said[0]
    assert "never arrives" in said[1]
    assert "diverges" in said[2]


def test_of_a_race_the_sentence_names_the_lowest():
    run = descent(GD, MOMENTUM, SGD)
    for step in (1, 5, 12):
        for rate in (0, 1):
            now = at(run, rate, step)
            losses = [now[f"l{i}"] for i in range(3)]
            name = descent_picture.run_label(run.sweep.configs[losses.index(min(losses))])
            assert f"**{name}** is lowest" in descent_text.run_sentences(run)[int(now["@say"])]


@pytest.mark.parametrize("name", SURFACES)
def test_there_is_a_sentence_and_a_formula_for_every_step(name):
    run = descent(GD, name=name, steps=60)
    sentences, formulas = descent_text.run_sentences(run), descent_text.run_formula(run)
    assert len(sentences) == len(formulas) == 2 * sentence_count(run)
    for rate in range(3):
        for step in range(61):
            assert 0 <= at(run, rate, step)["@say"] < len(sentences)


@pytest.mark.parametrize("name", SURFACES)
def test_the_start_is_in_the_square_that_is_seen(name):
    for start in (None, (4.0, -9.0)):
        its = build_surface(name, POINTS, start)
        for value, middle in zip(its.start, its.center, strict=True):
            assert abs(value - middle) <= its.half


def test_the_closed_form_is_in_the_square_that_is_seen():
    its = build_surface("regression", POINTS, (3.0, -1.5))
    for value, middle in zip(solve_regression(its.objective).solution, its.center, strict=True):
        assert abs(float(value) - middle) <= its.half


def test_the_network_starts_where_its_training_run_did_and_has_a_low_place():
    plane, start = surfaces.network_plane()
    begin = float(plane.losses(torch.tensor(start, dtype=torch.float64)))
    low = float(loss_grid(plane, (0.0, 0.0), (7.5, 7.5), 40).loss.min())
    assert begin == pytest.approx(math.log(2), abs=0.02)
    assert low < 0.05
    assert build_surface(NETWORK, (), None).start == start


def test_the_points_are_in_the_window_of_the_data():
    x0, x1, y0, y1 = data_window(regression_from_points(POINTS))
    assert all(x0 < x < x1 and y0 < y < y1 for x, y in POINTS)


@pytest.mark.parametrize(
    ("value", "up"), [(1.0, 1.0), (1.01, 1.5), (0.049, 0.05), (81.0, 100.0), (3e-7, 3e-7)]
)
def test_ends_of_axes_are_round(value, up):
    assert round_up(value) == pytest.approx(up)


def test_a_rate_has_the_place_that_is_nearest():
    assert place_of_rate(RATES, 0.19) == 1
