"""Permuting inputs permutes outputs: when it holds, and when it must not."""

import re

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from lmcore.attention import permutation
from lmcore.attention.permutation import (
    OrderSpec,
    next_seed,
    parse_order,
    random_order,
    sentence_similarity,
    shuffle_words,
)
from lmcore.models.bert import BERT
from lmcore.models.transformer_config import TransformerConfig

WORDS = ("the", "dog", "bit", "the", "man")
texts = st.lists(st.sampled_from("abcdefg"), min_size=2, max_size=9).map(tuple)


@settings(max_examples=25, deadline=None)
@given(texts, st.integers(0, 10_000), st.integers(0, 50))
def test_without_positions_and_mask_every_word_keeps_its_vector(words, seed, weights):
    found = shuffle_words(OrderSpec(words, random_order(len(words), seed)), weights)
    assert found.is_equivariant and found.unchanged == len(words)
    assert torch.allclose(found.back, found.before, atol=1e-12)


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 10_000), st.integers(0, 50))
def test_with_positions_or_a_causal_mask_a_shuffle_shows(seed, weights):
    words = tuple("abcdefg")
    for told in ({"positions": True}, {"causal": True}, {"positions": True, "causal": True}):
        found = shuffle_words(OrderSpec(words, random_order(7, seed), **told), weights)
        assert found.largest > 1e-3, told


def test_the_same_word_twice_has_one_vector_without_positions_and_two_with():
    plain = shuffle_words(OrderSpec(WORDS, random_order(5, 1))).before
    assert torch.allclose(plain[0], plain[3], atol=1e-12)
    placed = shuffle_words(OrderSpec(WORDS, random_order(5, 1), positions=True)).before
    assert (placed[0] - placed[3]).abs().max() > 1e-3


def test_under_a_causal_mask_only_what_saw_the_same_keeps_its_vector():
    found = shuffle_words(OrderSpec(WORDS, (0, 4, 2, 3, 1), causal=True))
    assert found.unchanged == 1 and found.differences[0] == 0


def test_after_is_in_the_new_order_and_back_in_the_old():
    spec = OrderSpec(tuple("abc"), (2, 0, 1), positions=True)
    found = shuffle_words(spec)
    assert spec.shuffled == ("c", "a", "b")
    assert torch.equal(found.back[2], found.after[0])
    assert torch.equal(found.back[0], found.after[1])


def test_positions_change_no_weight():
    with_positions, without = (
        permutation.untrained_encoder(4, positions=on) for on in (True, False)
    )
    for one, other in zip(with_positions.parameters(), without.parameters(), strict=True):
        assert torch.equal(one, other)


@given(st.integers(2, 24), st.integers(0, 10_000))
def test_a_drawn_order_is_a_permutation_that_moves_something(count, seed):
    found = random_order(count, seed)
    assert sorted(found) == list(range(count)) != list(found)
    assert found == random_order(count, seed)


@pytest.mark.parametrize(
    ("text", "places"),
    [
        ("0 4 2 3 1", (0, 4, 2, 3, 1)),
        ("4,3,2,1,0", (4, 3, 2, 1, 0)),
        ("Seed 3", random_order(5, 3)),
    ],
)
def test_an_order_is_read_as_places_or_as_a_seed(text, places):
    assert parse_order(" ".join(WORDS), text).order == places


@pytest.mark.parametrize(
    ("text", "places", "reason"),
    [
        ("", "seed 1", "the text must have from 2 to 24 words; got 0"),
        ("one", "seed 1", "the text must have from 2 to 24 words; got 1"),
        ("a " * 25, "seed 1", "the text must have from 2 to 24 words; got 25"),
        ("a" * 4001, "seed 1", "the text must be at most 4,000 characters; got 4,001"),
        ("a b c", "0 1", "each place from 0 to 2 once; got 0 1"),
        ("a b c", "0 1 1", "each place from 0 to 2 once; got 0 1 1"),
        ("a b c", "", "each place from 0 to 2 once; got nothing"),
        ("a b c", "0 x 1", "number 2 of the order must be a whole number such as 100; got 'x'"),
        ("a b c", "seed", "the seed of the shuffle must be a whole number"),
        ("a b c", "seed -1", "the seed of the shuffle must be 0 or more; got -1"),
    ],
    ids=str,
)
def test_what_cannot_be_shuffled_is_refused(text, places, reason):
    with pytest.raises(ValueError, match=re.escape(reason)):
        parse_order(text, places)


@pytest.mark.parametrize(
    ("now", "then"), [("seed 1", 2), ("Seed  41 ", 42), ("0 2 1", 1), ("", 1), ("seed x", 1)]
)
def test_the_next_seed_follows_the_last(now, then):
    assert next_seed(now) == then


def test_a_trained_encoder_reads_both_orders_alike_where_all_tokens_stand_at_one_place():
    network = BERT(TransformerConfig(11, 12, 3, 2, 24, norm="post"), 3, head=False)
    with torch.no_grad():
        for number, weight in enumerate(network.parameters()):
            if weight.ndim == 2:
                weight.normal_(generator=torch.Generator().manual_seed(number))
    first, second = torch.tensor([1, 2, 3, 4]), torch.tensor([1, 4, 3, 2])
    found = sentence_similarity(network, first, second)
    assert found.without_positions == pytest.approx(1, abs=1e-6)
    assert found.with_positions < 0.999
    with pytest.raises(ValueError, match="the same tokens, in any order"):
        sentence_similarity(network, first, torch.tensor([1, 4, 3, 3]))
