"""Labelled points fit their description, lie in their window, and depend on their seed."""

import pytest
import torch

from lmcore.networks.points import (
    CLOUDS,
    GATE_NAMES,
    KINDS,
    PointSet,
    draw_points,
    parse_points,
    surface_points,
)

OWN = ((0.0, 0.0, 0), (1.0, 0.5, 1))


def described(kind, **how):
    return PointSet(kind, own=OWN if kind == "own" else (), **how)


@pytest.mark.parametrize(
    ("gate", "labels"), [("XOR", [0, 1, 1, 0]), ("AND", [0, 0, 0, 1]), ("OR", [0, 1, 1, 1])]
)
def test_a_gate_without_noise_is_its_four_corners(gate, labels):
    points = draw_points(PointSet(gate))
    assert points.x.tolist() == [[0, 0], [0, 1], [1, 0], [1, 1]]
    assert points.labels.tolist() == labels
    assert not points.held_out.any()


@pytest.mark.parametrize("kind", [*CLOUDS, *GATE_NAMES])
def test_clouds_have_their_count_their_classes_in_equal_parts_and_their_share_held_out(kind):
    which = described(kind, count=120, noise=0.05)
    points = draw_points(which)
    assert points.x.shape == (120, 2)
    assert int(points.held_out.sum()) == 36
    counts = points.labels.bincount().tolist()
    assert len(counts) == which.classes
    assert kind in ("AND", "OR") or max(counts) - min(counts) <= 1


@pytest.mark.parametrize("kind", KINDS)
def test_points_are_those_of_their_seed_and_nearly_all_lie_in_their_window(kind):
    which = described(kind, noise=0.1)
    points, window = draw_points(which), which.window
    assert torch.equal(points.x, draw_points(which).x)
    inside = ((points.x >= window.low) & (points.x <= window.high)).all(dim=-1)
    assert inside.double().mean() > 0.97
    if kind != "own":
        assert not torch.equal(points.x, draw_points(described(kind, noise=0.1, seed=1)).x)


def test_a_surface_begins_in_the_top_left_corner():
    grid = surface_points(PointSet("XOR").window, 4)
    assert grid[0].tolist() == [-0.25, 1.25]
    assert grid[3].tolist() == [1.25, 1.25]
    assert grid[-1].tolist() == [1.25, -0.25]


def test_own_points_are_read_from_text():
    assert parse_points("0 0 0; 1, 0.5, 1\n-1 2 0") == ((0, 0, 0), (1, 0.5, 1), (-1, 2, 0))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("0 0 0; 1 1", "point 2 must be x₁, x₂ and a label 0 or 1; got '1 1'"),
        ("0 0 a", "point 1 must be x₁, x₂ and a label"),
        ("0 0 2", "the label of point 1 must be 0 or 1; got 2"),
    ],
)
def test_text_that_is_no_point_is_refused_by_its_number(text, message):
    with pytest.raises(ValueError, match=message):
        parse_points(text)


@pytest.mark.parametrize(
    ("how", "message"),
    [
        ({"kind": "star"}, "the data must be one of .*; got 'star'"),
        ({"count": 3}, "points must be from 4 to 400; got 3"),
        ({"noise": -0.1}, r"noise must be from 0 to 0\.5; got -0\.1"),
        ({"held_out": 1.0}, r"held out must be from 0 to 0\.9; got 1"),
        ({"kind": "own"}, "own points must be 2 to 60; got 0"),
        (
            {"kind": "own", "own": (OWN[0], (9.0, 0.0, 1))},
            r"point 2 must lie within ±3; got \(9, 0\)",
        ),
        ({"kind": "own", "own": (OWN[0], (float("nan"), 0.0, 1))}, "point 2 must lie within ±3"),
        ({"kind": "own", "own": (OWN[0], (1.0, 0.0, 3))}, "label of point 2 must be 0 or 1; got 3"),
    ],
)
def test_a_set_that_cannot_be_is_refused(how, message):
    with pytest.raises(ValueError, match=message):
        PointSet(**how)
