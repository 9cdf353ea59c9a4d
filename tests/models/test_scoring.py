"""The chain rule holds for every model, also where a token is impossible."""

import itertools
import math
from dataclasses import dataclass

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch import Tensor

from lmcore.corpora.documents import concatenate
from lmcore.models.ngram import NGramConfig, fit_ngram
from lmcore.models.scoring import BatchScorer, pairs, perplexity, score
from lmcore.vocabulary import Vocabulary

WORDS = Vocabulary(("<s>", "</s>", "a", "b", "c", "d", "e"))
IMPOSSIBLE = 6


@dataclass(frozen=True)
class Drawn:
    """A model with random rows, one for each length of the prefix; `IMPOSSIBLE` has p = 0."""

    seed: int
    vocabulary: Vocabulary = WORDS
    dtype: torch.dtype = torch.float64

    def log_probabilities(self, tokens: Tensor) -> Tensor:
        generator = torch.Generator().manual_seed(self.seed)
        rows = torch.rand(50, len(self.vocabulary), generator=generator, dtype=self.dtype)
        rows[:, IMPOSSIBLE:] = 0
        return (rows / rows.sum(dim=1, keepdim=True)).log()[: len(tokens)]


texts = st.lists(st.integers(1, IMPOSSIBLE - 1), min_size=1, max_size=12).map(lambda x: [0, *x])
models = st.integers(0, 1000).map(Drawn)


@given(models, texts)
def test_the_product_of_the_conditionals_is_exp_of_the_sum_of_their_logarithms(model, text):
    result = score(model, torch.tensor(text))
    rows = model.log_probabilities(torch.tensor(text)).exp()
    by_hand = [float(rows[t, token]) for t, token in enumerate(text[1:])]
    np.testing.assert_allclose(result.probabilities, by_hand, rtol=1e-12)
    np.testing.assert_allclose(
        result.running_product, list(itertools.accumulate(by_hand, lambda x, y: x * y)), rtol=1e-12
    )
    np.testing.assert_allclose(result.running_sum.exp(), result.running_product, rtol=1e-10)
    assert result.product == pytest.approx(math.prod(by_hand), rel=1e-10)
    assert result.total == pytest.approx(sum(map(math.log, by_hand)), rel=1e-12)
    assert result.perplexity == pytest.approx(math.prod(by_hand) ** (-1 / len(by_hand)), rel=1e-10)
    assert result.tokens.tolist() == text[1:]


@given(models, texts, texts)
def test_what_comes_later_changes_nothing_before(model, text, more):
    short, long = (score(model, torch.tensor(t)) for t in (text, text + more[1:]))
    assert torch.equal(short.log_probabilities, long.log_probabilities[: len(text) - 1])
    assert torch.equal(short.running_sum, long.running_sum[: len(text) - 1])


@given(models, texts)
def test_a_rank_is_the_place_among_all_types(model, text):
    result = score(model, torch.tensor(text))
    rows = model.log_probabilities(torch.tensor(text))
    for t, token in enumerate(text[1:]):
        best = sorted(range(len(WORDS)), key=lambda i: -float(rows[t, i]))
        assert best[int(result.ranks[t]) - 1] == token


@given(models, texts, st.integers(1, 12))
def test_one_impossible_token_makes_the_rest_0_and_never_nan(model, text, place):
    text = [*text[:place], IMPOSSIBLE, *text[place:]]
    at = text.index(IMPOSSIBLE) - 1
    result = score(model, torch.tensor(text))
    assert result.probabilities[at] == 0
    assert result.ranks[at] == len(WORDS)
    assert (result.running_product[at:] == 0).all()
    assert (result.running_sum[at:] == -math.inf).all()
    assert (result.total, result.product, result.perplexity) == (-math.inf, 0, math.inf)
    numbers = (result.running_product, result.running_sum)
    assert not any(each.isnan().any() for each in numbers)
    assert perplexity(model, concatenate([text])).perplexity == math.inf


def test_the_sum_goes_on_where_the_product_has_run_out_of_numbers():
    unlikely = Drawn(0, Vocabulary(tuple(map(str, range(10)))))
    flat = torch.full((5000, 10), -math.log(10), dtype=torch.float64)
    object.__setattr__(unlikely, "log_probabilities", lambda tokens: flat[: len(tokens)])
    result = score(unlikely, torch.zeros(1001, dtype=torch.int64))
    assert result.product == 0
    assert result.total == pytest.approx(-1000 * math.log(10))
    assert result.perplexity == pytest.approx(10)
    assert (result.ranks == 1).all()


def test_a_model_in_single_precision_is_scored_in_double():
    result = score(Drawn(3, dtype=torch.float32), torch.tensor([0, 2, 3]))
    assert result.log_probabilities.dtype == torch.float64


def test_an_estimate_that_does_not_exist_ranks_its_word_last():
    model = fit_ngram(NGramConfig(3, "none"), WORDS, concatenate([[0, 2, 3, 1]]))
    result = score(model, torch.tensor([0, 3, 2, 1]))
    assert result.ranks.tolist() == [7, 7, 7]
    assert result.perplexity == math.inf


@given(models, st.lists(texts, min_size=1, max_size=4))
def test_the_perplexity_of_a_corpus_weighs_every_token_alike(model, corpus):
    result = perplexity(model, concatenate(corpus))
    scores = [score(model, torch.tensor(text)) for text in corpus]
    predicted = sum(len(text) - 1 for text in corpus)
    assert result.predicted == predicted
    assert result.loss == pytest.approx(-sum(each.total for each in scores) / predicted)
    assert result.perplexity == pytest.approx(math.exp(result.loss))


@given(st.lists(texts, min_size=1, max_size=4))
def test_a_model_that_answers_in_batches_gets_the_same_perplexity(corpus):
    model = fit_ngram(NGramConfig(3), WORDS, concatenate([[0, 2, 3, 1], [0, 4, 3, 2, 1]]))
    assert isinstance(model, BatchScorer)
    scores = [score(model, torch.tensor(text)) for text in corpus]
    result = perplexity(model, concatenate(corpus))
    predicted = sum(len(text) - 1 for text in corpus)
    assert result.loss == pytest.approx(-sum(each.total for each in scores) / predicted)


def test_a_loss_too_large_for_a_perplexity_is_an_infinite_one():
    hopeless = Drawn(0)
    rows = torch.full((9, len(WORDS)), -800.0, dtype=torch.float64)
    object.__setattr__(hopeless, "log_probabilities", lambda tokens: rows[: len(tokens)])
    result = perplexity(hopeless, concatenate([[0, 2]]))
    assert (result.loss, result.perplexity) == (800, math.inf)


TODAY = ["<s>", "Today", "is", "the", "first", "day", "of", "575", "."]


def test_a_sentence_becomes_the_pairs_of_the_slide():
    assert [(" ".join(context), target) for context, target in pairs(TODAY)][:4] == [
        ("<s>", "Today"),
        ("<s> Today", "is"),
        ("<s> Today is", "the"),
        ("<s> Today is the", "first"),
    ]
    assert len(pairs(TODAY)) == 8


def test_a_window_leaves_the_last_words_of_each_context():
    assert pairs(TODAY, 3)[:3] == [
        (("<s>",), "Today"),
        (("<s>", "Today"), "is"),
        (("Today", "is"), "the"),
    ]
    assert pairs(TODAY, 1)[:2] == [((), "Today"), ((), "is")]


@given(st.lists(st.sampled_from("abc"), max_size=9), st.integers(1, 12))
def test_a_wide_window_is_none_and_every_pair_stands_in_the_text(text, order):
    assert pairs(text, 12) == pairs(text)
    for place, (context, target) in enumerate(pairs(text, order), start=1):
        assert target == text[place]
        assert list(context) == text[max(place - order + 1, 0) : place]


def test_what_cannot_be_scored_is_refused():
    with pytest.raises(ValueError, match="must have at least 2 tokens, <s> included; got 1"):
        score(Drawn(0), torch.tensor([0]))
    with pytest.raises(ValueError, match="at least one token to predict; got none"):
        perplexity(Drawn(0), concatenate([[0], []]))
    with pytest.raises(ValueError, match="order N must be at least 1; got 0"):
        pairs(TODAY, 0)
