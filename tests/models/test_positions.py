"""Positional encoding: the numbers of the lecture, and what depends on the offset alone."""

import math
import re

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from lmcore.attention.learned_positions import likeness
from lmcore.models.positions import (
    MOST,
    PLACES,
    PlacePair,
    compare_places,
    encoding_facts,
    evenly_spaced_pairs,
    other_pairs_sum,
    sinusoids,
    wavelengths,
)

widths = st.integers(1, 64).map(lambda half: 2 * half)
places = st.integers(0, MOST)


def by_hand(place, width):
    """PE, a number at a time, as the slide writes it."""
    found = []
    for i in range(width // 2):
        angle = place / 10000 ** (2 * i / width)
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


def test_what_is_not_named_remains():
    terms = compare_places(torch.tensor(7), torch.tensor(2), 12).terms
    assert float(other_pairs_sum(terms, (0, 5)) + terms[0] + terms[5]) == pytest.approx(
        float(terms.sum())
    )


@pytest.mark.parametrize(
    ("settings", "reason"),
    [
        ({"place": -1}, f"the place must be from 0 to {MOST}; got -1"),
        ({"place": 64}, f"the place must be from 0 to {MOST}; got 64"),
        ({"offset": 64}, f"the offset must be from 0 to {MOST}; got 64"),
        ({"width": 7}, "the width must be an even number, 2 or more; got 7"),
        ({"width": 0}, "the width must be an even number, 2 or more; got 0"),
        ({"width": 2000}, "the width d must be from 2 to 1024; got 2000"),
    ],
    ids=str,
)
def test_places_that_are_not_there_are_refused(settings, reason):
    with pytest.raises(ValueError, match=re.escape(reason)):
        PlacePair(**settings)


def test_any_place_and_offset_are_both_in_the_picture():
    assert MOST + MOST < PLACES


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
