"""A chosen mask is the mask of that kind, for a text of any length."""

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from lmcore.masking.mask_choice import (
    LONGEST,
    MASK_KINDS,
    MaskChoice,
    build_mask,
    complete_order,
    fit_painted_mask,
    parse_order,
    sweep_mask,
)
from lmcore.models import masks

LENGTHS = range(1, LONGEST + 1)


@pytest.mark.parametrize("length", LENGTHS)
def test_a_choice_is_the_mask_of_that_name(length):
    assert build_mask(MaskChoice(), length).equal(masks.causal(length))
    assert build_mask(MaskChoice("bidirectional"), length).all()
    for number in range(1, LONGEST + 1):
        cut = min(number, length)
        assert build_mask(MaskChoice("prefix", known=number), length).equal(
            masks.prefix(length, cut)
        )
        both = MaskChoice("sliding", window=number, ahead=True)
        assert build_mask(both, length).equal(masks.sliding(length, cut, ahead=True))


def test_an_order_holds_the_places_left_out_at_its_end():
    assert complete_order((4, 2, 9), 5) == [3, 1, 0, 2, 4]
    query = MaskChoice("permutation", order=(3, 1), content=False)
    assert build_mask(query, 3).equal(masks.permutation([2, 0, 1], content=False))


@pytest.mark.parametrize("kind", ["prefix", "sliding"])
@pytest.mark.parametrize("length", LENGTHS)
def test_a_sweep_holds_the_mask_at_every_value_of_its_number(kind, length):
    choice = MaskChoice(kind, known=5, window=5)
    found = sweep_mask(choice, length)
    assert found.values == tuple(range(kind == "sliding", length + 1))
    assert found.masks[found.at].equal(build_mask(choice, length))
    for value, mask in zip(found.values, found.masks, strict=True):
        made = masks.prefix(length, value) if kind == "prefix" else masks.sliding(length, value)
        assert mask.equal(made)


@pytest.mark.parametrize("kind", ["causal", "bidirectional", "permutation"])
def test_a_mask_without_a_number_is_alone_in_its_sweep(kind):
    found = sweep_mask(MaskChoice(kind), 4)
    assert (found.values, found.at, len(found.masks)) == ((0,), 0, 1)


@given(st.integers(0, 2**31), st.integers(1, LONGEST), st.integers(1, LONGEST))
def test_a_painted_mask_is_read_back_as_it_was_written(seed, queries, keys):
    mask = torch.rand(queries, keys, generator=torch.Generator().manual_seed(seed)) < 0.5
    assert masks.parse_mask(masks.format_mask(mask)).equal(mask)


def test_a_painted_mask_is_cut_to_a_shorter_text_and_causal_beyond_a_longer_one():
    painted = masks.parse_mask("01.10")
    assert fit_painted_mask(painted, 1).tolist() == [[False]]
    assert masks.format_mask(fit_painted_mask(painted, 4)) == "0100.1000.1110.1111"
    assert build_mask(MaskChoice("painted", painted="01.10"), 2).equal(painted)
    assert build_mask(MaskChoice("painted"), 4).equal(masks.causal(4))


@pytest.mark.parametrize(
    ("make", "says"),
    [
        (lambda: MaskChoice("random"), r"the kind of mask must be one of causal, .*; got 'random'"),
        (lambda: MaskChoice(known=-1), r"the prefix must be from 0 to 12; got -1"),
        (lambda: MaskChoice(window=0), r"the window must be from 1 to 12; got 0"),
        (lambda: MaskChoice(order=(1, 13)), r"place 2 of the order must be from 1 to 12; got 13"),
        (lambda: MaskChoice(order=(2, 2)), r"an order must name each place once; got 2 twice"),
        (
            lambda: MaskChoice("painted", painted=".01"),
            r"row 1 of a painted mask must be some marks.*got ''",
        ),
        (
            lambda: MaskChoice("painted", painted="01.0"),
            r"row 2 of a painted mask must be 2 marks, each 0 or 1; got '0'",
        ),
        (
            lambda: MaskChoice("painted", painted="01.0x"),
            r"row 2 of a painted mask must be 2 marks, each 0 or 1; got '0x'",
        ),
        (
            lambda: MaskChoice("painted", painted=".".join(["0" * 13] * 13)),
            r"a painted mask must be of at most 12 places; got 13",
        ),
        (lambda: parse_order("2 x"), r"number 2 of the order must be a number"),
        (lambda: parse_order("2.5"), r"place 1 of the order must be a whole number"),
    ],
)
def test_what_cannot_be_a_mask_is_refused(make, says):
    with pytest.raises(ValueError, match=says):
        make()


def test_an_order_may_be_left_empty():
    assert parse_order("  ") == ()
    assert parse_order("3, 1") == (3, 1)


def test_every_kind_can_be_chosen():
    for kind in MASK_KINDS:
        assert build_mask(MaskChoice(kind, painted="1"), 3).shape == (3, 3)
