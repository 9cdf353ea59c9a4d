"""Positional encoding: the numbers of the lecture, and what depends on the offset alone."""

import math
import re

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from lmcore.attention.learned_positions import likeness
from lmcore.models.positions import (
    compare_places,
    encoding_facts,
    evenly_spaced_pairs,
    sinusoids,
    telling_pairs,
    wavelengths,
)

widths = st.integers(1, 64).map(lambda half: 2 * half)
places = st.integers(0, 63)


def by_hand(place, width, base=10000):
    """PE, one number at a time, by the slide's formula."""
    found = []
    for i in range(width // 2):
        angle = place / base ** (2 * i / width)
        found += [math.sin(angle), math.cos(angle)]
    return torch.tensor(found, dtype=torch.float64)


@given(places, widths)
def test_a_sinusoid_is_the_slides_formula(place, width):
    assert torch.allclose(sinusoids(torch.tensor(place), width), by_hand(place, width), atol=1e-12)


def test_a_place_far_out_has_its_angle_in_double_precision():
    assert torch.allclose(sinusoids(torch.tensor(100_003), 8), by_hand(100_003, 8), atol=1e-9)


def test_the_first_places_in_four_dimensions_are_those_of_the_lecture():
    expected = [
        [0, 1, 0, 1],
        [0.841471, 0.540302, 0.01, 0.99995],
        [0.909297, -0.416147, 0.019999, 0.9998],
        [0.14112, -0.989992, 0.029996, 0.99955],
    ]
    assert torch.allclose(encoding_facts().first, torch.tensor(expected).double(), atol=1e-6)


def test_every_vector_is_equally_long():
    assert torch.allclose(encoding_facts().squared, torch.tensor(256.0).double(), atol=1e-10)
    assert len(encoding_facts().squared) == 10_000


def test_three_places_apart_is_the_same_near_and_far():
    found = encoding_facts()
    assert found.near == pytest.approx(211.749, abs=5e-4)
    assert found.far == pytest.approx(found.near, abs=1e-10)
    assert found.far == pytest.approx(float(by_hand(50, 512) @ by_hand(53, 512)), abs=1e-9)


def test_wavelengths_run_from_two_pi_to_60611():
    found = wavelengths(512)
    assert float(found[0]) == pytest.approx(2 * math.pi)
    assert round(float(found[-1])) == 60_611 < 10_000 * 2 * math.pi


@given(places, places, places, widths)
def test_the_dot_product_depends_on_the_offset_alone(one, other, offset, width):
    found = compare_places(torch.tensor([one, other]), torch.tensor([offset, offset]), width)
    assert float(found.dot[0]) == pytest.approx(float(found.dot[1]), abs=1e-9)
    assert torch.allclose(found.terms, found.turn.cos(), atol=1e-12)
    assert torch.allclose(found.terms.sum(-1), found.dot, atol=1e-10)
    assert torch.allclose(found.squared, torch.full((2,), width / 2).double(), atol=1e-10)
    assert torch.equal(found.there[0], sinusoids(torch.tensor(one + offset), width))


@given(widths, st.integers(1, 40))
def test_pairs_are_spread_from_the_fastest_to_the_slowest(width, most):
    found = evenly_spaced_pairs(width, most)
    assert len(found) == len(set(found)) == min(most, width // 2)
    assert found[0] == 0
    assert len(found) == 1 or found[-1] == width // 2 - 1
    assert list(found) == sorted(found)


def test_each_base_of_several_has_its_own_waves():
    bases = torch.tensor([2.0, 100.0, 1e6], dtype=torch.float64)
    found = sinusoids(torch.tensor([3, 3, 9]), 8, bases)
    for row, (place, base) in zip(found, ((3, 2.0), (3, 100.0), (9, 1e6)), strict=True):
        assert torch.allclose(row, by_hand(place, 8, base), atol=1e-12)
    both = compare_places(torch.tensor([3, 3, 9]), torch.tensor([-1, 0, 4]), 8, bases)
    assert torch.allclose(both.terms, both.turn.cos(), atol=1e-12)
    assert torch.equal(wavelengths(8, bases)[1], wavelengths(8, 100.0))


@pytest.mark.parametrize("width", [0, 7, -2])
def test_a_width_that_is_not_even_is_refused(width):
    with pytest.raises(ValueError, match=re.escape(f"an even number, 2 or more; got {width}")):
        wavelengths(width)


@pytest.mark.parametrize(
    ("width", "base", "pairs"),
    [
        (2, 1e4, (0,)),
        (4, 1e4, (0, 1)),
        (8, 1e4, (0, 1, 2, 3)),
        (16, 1e4, (0, 1, 2, 7)),
        (512, 1e4, (0, 32, 64, 255)),
        (16, 10.0, (0, 1, 4, 7)),
    ],
)
def test_the_pairs_that_tell_most(width, base, pairs):
    assert telling_pairs(width, base) == pairs
    if width == 512:
        lengths = wavelengths(512)[list(pairs)]
        assert lengths.tolist() == pytest.approx([6.283, 19.869, 62.832, 60_611], rel=1e-4)


def test_the_likeness_of_sinusoids_depends_on_the_offset_alone_and_of_a_random_table_does_not():
    fixed = likeness(sinusoids(torch.arange(40), 24))
    assert fixed.spread < 1e-12
    assert fixed.mean[0] == pytest.approx(1)
    assert float(fixed.cosines[3, 9]) == pytest.approx(float(fixed.mean[6]))
    learned = likeness(torch.randn(40, 24, generator=torch.Generator().manual_seed(0)))
    assert learned.spread > 0.5
    assert (learned.low <= learned.mean + 1e-12).all() and (
        learned.mean <= learned.high + 1e-12
    ).all()
    with pytest.raises(ValueError, match="two places or more to compare; got 1"):
        likeness(torch.ones(1, 4))
