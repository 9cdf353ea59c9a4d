"""The best line, against every way to divide a few points; and layers multiplied out."""

import itertools
import math

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from lmcore.networks.lines import best_line, collapse
from lmcore.networks.network import NetworkConfig, forward, random_parameters
from lmcore.networks.points import PointSet, draw_points


def most_right(x, labels):
    """The most points that a line can put on the side of their class.

    The order of the points along a direction changes only where the direction is normal to a pair.
    One direction between each two such normals, cut at every place, gives every division.
    """
    pairs = [x[i] - x[j] for i, j in itertools.permutations(range(len(x)), 2)]
    turns = sorted(math.atan2(float(d[0]), -float(d[1])) for d in pairs)
    best = 0
    for one, next_one in itertools.pairwise([*turns, turns[0] + 2 * math.pi]):
        middle = (one + next_one) / 2
        along = x @ torch.tensor([math.cos(middle), math.sin(middle)], dtype=x.dtype)
        wanted = (labels[along.argsort()] == 1).tolist()
        for cut in range(len(x) + 1):
            best = max(best, sum(wanted[cut:]) + sum(not each for each in wanted[:cut]))
    return best


@given(st.integers(0, 999), st.integers(3, 6))
@settings(max_examples=15, deadline=None)
def test_no_line_is_better_than_the_best_line(seed, count):
    generator = torch.Generator().manual_seed(seed)
    x = torch.randn(count, 2, generator=generator, dtype=torch.float64)
    labels = torch.randint(2, (count,), generator=generator)
    assert int(best_line(x, labels).right.sum()) == most_right(x, labels)


@pytest.mark.parametrize(("gate", "right"), [("XOR", 3), ("AND", 4), ("OR", 4)])
def test_the_best_line_misses_one_corner_of_xor_and_none_of_and_or_or(gate, right):
    points = draw_points(PointSet(gate))
    best = best_line(points.x, points.labels)
    assert int(best.right.sum()) == right == most_right(points.x, points.labels)
    distances = (points.x @ best.weights + best.bias).abs()
    assert float(distances.min()) > 0.3, "its margin is the widest"


def test_too_many_points_are_refused():
    points = draw_points(PointSet("moons", count=100))
    with pytest.raises(ValueError, match="the number of points must be from 2 to 60; got 100"):
        best_line(points.x, points.labels)


@given(st.lists(st.integers(1, 8), max_size=3), st.integers(0, 99))
@settings(max_examples=30, deadline=None)
def test_layers_without_a_nonlinearity_are_one_matrix_within_1e_12(units, seed):
    config = NetworkConfig(tuple(units), ("identity",) * len(units))
    row = random_parameters(config, seed) + 0.1
    found = collapse(config, row, draw_points(PointSet("moons")).x)
    assert found.difference <= 1e-12
    bent = NetworkConfig(tuple(units), ("tanh",) * len(units))
    same = collapse(bent, row, draw_points(PointSet("moons")).x)
    assert torch.equal(same.weights, found.weights)
    if units:
        z = forward(bent, row, draw_points(PointSet("moons")).x).pre_activations[-1]
        assert float((z - same.single).abs().max()) > 1e-6, "with tanh they are not"
