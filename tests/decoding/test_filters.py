"""The filters against the logits processors of `transformers`, on the same scores."""

import math
import random

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from lmcore.decoding.filters import Filters, apply_narrowing, apply_penalties
from tests.decoding.processors import PROCESSORS, processor

SEEDS = st.integers(0, 2**31)
OFF = Filters()


def some(seed, *, types=37, batch=3, time=9):
    """Random scores, sometimes with −∞ among them, texts with repeated tokens, and filters."""
    rng, generator = random.Random(seed), torch.Generator().manual_seed(seed)
    scores = torch.randn(batch, types, generator=generator) * rng.choice([0.1, 1, 5])
    if rng.random() < 0.3:
        scores[torch.rand(batch, types, generator=generator) < 0.3] = -math.inf
        scores[:, 1] = 0.5
    texts = torch.randint(rng.choice([3, types]), (batch, time), generator=generator)
    values = {
        "repetition": rng.uniform(0.5, 2.5),
        "no_repeat": rng.randint(1, 4),
        "temperature": rng.uniform(0.3, 3),
        "top_k": rng.randint(1, 50),
        "top_p": rng.uniform(0.02, 0.99),
        "min_p": rng.uniform(0.01, 0.95),
        "typical": rng.uniform(0.02, 0.99),
    }
    return scores, texts, {name: v for name, v in values.items() if rng.random() < 0.5}


@given(SEEDS)
@settings(max_examples=400, deadline=None)
def test_each_stage_is_that_of_transformers(seed):
    scores, texts, chosen = some(seed)
    filters = Filters(**chosen)
    stages = apply_penalties(scores, texts, filters)
    stages += apply_narrowing(stages[-1].scores if stages else scores, filters)
    assert [stage.name for stage in stages] == [name for name in PROCESSORS if name in chosen]
    for stage in stages:
        scores = processor(stage.name, chosen[stage.name])(texts, scores)
        assert torch.equal(stage.scores, scores), stage.name


@given(SEEDS)
@settings(max_examples=100, deadline=None)
def test_a_token_is_always_left_and_no_nan(seed):
    scores, _, chosen = some(seed)
    for name, least in (("top_k", 1), ("top_p", 0.0), ("min_p", 1.0), ("typical", 0.0)):
        (stage,) = apply_narrowing(scores, Filters(**{name: least}))
        assert (stage.scores > -math.inf).any(dim=-1).all(), name
        assert not stage.scores.isnan().any(), name
    assert chosen is not None


def test_a_filter_that_is_off_does_nothing():
    scores, texts, _ = some(1)
    assert apply_penalties(scores, texts, OFF) == apply_narrowing(scores, OFF) == []
    (stage,) = apply_narrowing(scores, Filters(top_k=10**6))
    assert torch.equal(stage.scores, scores)


def test_a_temperature_of_0_leaves_the_most_probable_and_a_huge_one_levels_all():
    scores = torch.tensor([[1.0, 3.0, 3.0, -math.inf]])
    (stage,) = apply_narrowing(scores, Filters(temperature=0.0))
    assert stage.scores.softmax(-1).tolist() == [[0, 0.5, 0.5, 0]]
    (stage,) = apply_narrowing(scores, Filters(temperature=1e9))
    assert stage.scores.softmax(-1)[0].tolist() == pytest.approx([1 / 3, 1 / 3, 1 / 3, 0])


def test_what_is_forbidden_stays_so_at_a_temperature_of_0():
    scores = torch.tensor([[-math.inf] * 3, [1.0, 2.0, -math.inf]])
    (stage,) = apply_narrowing(scores, Filters(temperature=0.0))
    assert stage.scores.tolist() == [[-math.inf] * 3, [-math.inf, 0, -math.inf]]


def test_a_sum_that_is_the_limit_reaches_it():
    """Holtzman's smallest set: 0.5 + 0.4 is 0.9, and 0.3 is half of 0.6, in floating point too."""

    def left(p, **how):
        return int((apply_narrowing(p.log(), Filters(**how))[0].scores > -math.inf).sum())

    slide = torch.tensor([[0.5, 0.4, 0.1]], dtype=torch.float64)
    assert [left(slide, top_p=p) for p in (0.5, 0.51, 0.9, 0.91)] == [1, 2, 2, 3]
    other = torch.tensor([[0.4, 0.3, 0.2, 0.1]], dtype=torch.float64)
    assert [left(other, top_p=p) for p in (0.4, 0.7, 0.9)] == [1, 2, 3]
    assert left(torch.tensor([[0.6, 0.3, 0.1]], dtype=torch.float64), min_p=0.5) == 2


@pytest.mark.parametrize(
    ("chosen", "says"),
    [
        ({"temperature": -0.1}, "temperature τ must be from 0 to 1,000,000,000; got -0.1"),
        ({"temperature": math.nan}, "temperature τ must be .*; got nan"),
        ({"temperature": math.inf}, "temperature τ must be .*; got inf"),
        ({"top_p": 1.01}, "p of top-p must be from 0 to 1; got 1.01"),
        ({"top_k": -1}, "k of top-k must be from 0 to .*; got -1"),
        ({"no_repeat": 17}, "n of “no n-gram twice” must be from 0 to 16; got 17"),
        ({"repetition": 0.0}, "the repetition penalty ρ must be from 0.01 to 100; got 0"),
        ({"min_p": 2.0}, "the share of min-p must be from 0 to 1; got 2"),
        ({"typical": -1.0}, "the mass of typical must be from 0 to 1; got -1"),
    ],
)
def test_what_cannot_be_is_refused(chosen, says):
    with pytest.raises(ValueError, match=says):
        Filters(**chosen)
