"""Self-attention over the words in two orders, checked against PyTorch and word by word."""

import math
import re

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch.nn import functional

from lmcore.attention import two_orders
from lmcore.attention.permutation import MOST_WORDS, OrderSpec, parse_order, random_order
from lmcore.attention.two_orders import MOST_START, PLACES, TwoOrders, compare_two_orders
from lmcore.models.positions import BASE

DOG = parse_order("the dog bit the man", "0 4 2 3 1")
texts = st.lists(st.sampled_from("abcdefg"), min_size=2, max_size=9).map(tuple)


def compared(spec):
    return compare_two_orders(
        spec, torch.tensor(spec.start), torch.tensor(spec.base, dtype=torch.float64)
    )


def encoding(place, width, base):
    """The positional encoding PE, one number at a time, as on the slide."""
    angles = [place / base ** (2 * i / width) for i in range(width // 2)]
    numbers = [turn(angle) for angle in angles for turn in (math.sin, math.cos)]
    return torch.tensor(numbers, dtype=torch.float64)


@pytest.mark.parametrize("causal", [False, True])
def test_the_outputs_are_those_of_pytorch(causal):
    words = OrderSpec(DOG.words, DOG.order, causal=causal)
    found = compared(TwoOrders(words, 1, start=7, width=12, base=100.0))
    vectors = two_orders.word_vectors(words.words, 12)
    for with_positions, before, after in (
        (False, found.plain_before, found.plain_after),
        (True, found.before, found.after),
    ):
        for order, outputs in ((range(5), before), (words.order, after)):
            x = torch.stack(
                [
                    vectors[old] + with_positions * encoding(7 + t, 12, 100.0)
                    for t, old in enumerate(order)
                ]
            )
            expected = functional.scaled_dot_product_attention(x, x, x, is_causal=causal)
            for t, old in enumerate(order):
                assert torch.allclose(outputs[old], expected[t], atol=1e-12)
    assert torch.allclose(found.plain, (found.plain_before - found.plain_after).norm(dim=-1))
    assert torch.allclose(found.placed, (found.before - found.after).norm(dim=-1))


@settings(max_examples=25, deadline=None)
@given(texts, st.integers(0, 10_000), st.integers(2, 32))
def test_without_positions_and_mask_no_order_makes_a_difference(words, seed, half):
    spec = TwoOrders(OrderSpec(words, random_order(len(words), seed)), width=2 * half)
    assert float(compared(spec).plain.max()) < 1e-12


def test_positions_tell_the_orders_apart_wherever_the_text_begins():
    starts = torch.arange(MOST_START + 1)
    spec = TwoOrders(DOG, 1)
    found = compare_two_orders(spec, starts, torch.full(starts.shape, BASE).double())
    assert found.placed.shape == (MOST_START + 1, 5)
    assert float(found.placed[:, 1].min()) > 0.5
    for start in (0, 17, MOST_START):
        assert torch.allclose(found.placed[start], compared(TwoOrders(DOG, 1, start)).placed)


def test_a_word_that_stays_differs_all_the_same():
    found, spec = compared(TwoOrders(DOG, 2)), TwoOrders(DOG, 2)
    assert spec.offset == 0
    assert float(found.placed[2]) > 0.05


def test_under_a_causal_mask_only_the_words_that_see_the_same_keep_their_output():
    plain = compared(TwoOrders(OrderSpec(DOG.words, DOG.order, causal=True))).plain
    assert float(plain[0]) == 0 and int((plain < 1e-9).sum()) == 1


def test_equal_words_have_equal_vectors_and_a_wider_one_begins_with_the_same_numbers():
    vectors = two_orders.word_vectors(DOG.words, 16)
    assert torch.equal(vectors[0], vectors[3]) and not torch.equal(vectors[0], vectors[1])
    assert torch.equal(two_orders.word_vectors(DOG.words, 512)[:, :16], vectors)


def test_where_the_word_stands():
    spec = TwoOrders(DOG, 4, start=10)
    assert (spec.position, spec.moved_to, spec.offset) == (14, 1, -3)
    assert MOST_START + MOST_WORDS == PLACES


@pytest.mark.parametrize(
    ("settings", "reason"),
    [
        ({"word": 5}, "the word must be from 0 to 4; got 5"),
        ({"word": -1}, "the word must be from 0 to 4; got -1"),
        ({"start": -1}, "the position of the first word must be from 0 to 40; got -1"),
        ({"start": 41}, "the position of the first word must be from 0 to 40; got 41"),
        ({"width": 7}, "the width d must be an even number from 4 to 512; got 7"),
        ({"width": 2}, "the width d must be an even number from 4 to 512; got 2"),
        ({"width": 514}, "the width d must be an even number from 4 to 512; got 514"),
        ({"base": 1.0}, "the base must be from 2 to 1,000,000; got 1"),
        ({"base": math.nan}, "the base must be from 2 to 1,000,000; got nan"),
        ({"base": 1e7}, "the base must be from 2 to 1,000,000; got 1e+07"),
    ],
    ids=str,
)
def test_what_is_out_of_bounds_is_refused(settings, reason):
    with pytest.raises(ValueError, match=re.escape(reason)):
        TwoOrders(DOG, **settings)
