"""The five steps over a text are the model's own, and one-hot × E is a look-up."""

import pytest
import torch

from lmcore.embeddings import pipeline
from lmcore.models import registry
from lmcore.models.feedforward import FeedforwardConfig
from lmcore.models.registry import NeuralModel
from lmcore.models.rnn import RNNConfig
from lmcore.vocabulary import Vocabulary

WORDS = Vocabulary(("<s>", "a", "b", "c", "d", "e", "f"))


def model(seed=3):
    return NeuralModel(registry.build(FeedforwardConfig(7, 5, 11, 3), seed), WORDS)


TEXT = torch.tensor([0, 3, 1, 4, 1, 6])


def test_the_probabilities_are_those_the_model_gives():
    ours = model()
    trace = pipeline.trace_pipeline(ours, TEXT)
    torch.testing.assert_close(
        trace.probabilities.log(), ours.log_probabilities(TEXT), atol=1e-5, rtol=1e-5
    )
    torch.testing.assert_close(trace.probabilities.sum(1), torch.ones(6, dtype=torch.float64))


def test_one_hot_times_e_is_the_row_that_is_looked_up():
    trace = pipeline.trace_pipeline(model(), TEXT)
    torch.testing.assert_close(trace.product, trace.embedding)
    assert trace.difference.max() == (trace.product - trace.embedding).abs().max()


def test_each_place_sees_the_three_words_before_the_guess_and_no_other():
    trace = pipeline.trace_pipeline(model(), TEXT)
    assert trace.window.tolist()[0] == [0, 0, 0]
    assert trace.window.tolist()[4] == [1, 4, 1]
    other = pipeline.trace_pipeline(model(), torch.tensor([0, 5, 1, 4, 1, 6]))
    assert torch.equal(trace.probabilities[4:], other.probabilities[4:])
    assert not torch.equal(trace.probabilities[1:4], other.probabilities[1:4])


def test_the_steps_follow_from_each_other():
    ours = model()
    trace = pipeline.trace_pipeline(ours, TEXT)
    network = ours.network.double()
    z = trace.concatenated @ network.hidden.weight.T + network.hidden.bias
    torch.testing.assert_close(trace.pre_activation, z)
    torch.testing.assert_close(trace.hidden, z.tanh())
    torch.testing.assert_close(trace.concatenated, trace.embedding.flatten(1))


def test_the_true_next_word_has_its_probability_and_its_rank():
    trace = pipeline.trace_pipeline(model(), TEXT)
    for at, word in enumerate(TEXT[1:].tolist()):
        assert trace.true_probabilities[at] == trace.probabilities[at, word]
        order = trace.probabilities[at].argsort(descending=True).tolist()
        assert order.index(word) + 1 == trace.ranks[at]
    assert trace.best[0].tolist() == trace.probabilities[0].argsort(descending=True)[:6].tolist()


def test_the_model_that_was_asked_is_left_as_it_was():
    ours = model()
    pipeline.trace_pipeline(ours, TEXT)
    assert ours.network.embedding.weight.dtype == torch.float32


def test_another_kind_of_model_is_refused():
    other = NeuralModel(registry.build(RNNConfig(7, 5, 11)), WORDS)
    with pytest.raises(ValueError, match="the model must be a feedforward one; got rnn"):
        pipeline.trace_pipeline(other, TEXT)


@pytest.mark.parametrize("count", [0, 65])
def test_a_text_without_words_or_too_long_is_refused(count):
    with pytest.raises(ValueError, match=f"the text must have 1 to 64 tokens; got {count}"):
        pipeline.trace_pipeline(model(), torch.zeros(count, dtype=torch.int64))


def test_neighbours_are_those_of_the_largest_cosine():
    ours = model()
    found = pipeline.neighbours(ours, 2, count=6)
    E = ours.network.embedding.weight.detach().double()
    for i, cosine in zip(found.ids.tolist(), found.cosines.tolist(), strict=True):
        assert cosine == pytest.approx(float(E[i] @ E[2] / (E[i].norm() * E[2].norm())))
    assert 2 not in found.ids.tolist()
    assert found.cosines.tolist() == sorted(found.cosines.tolist(), reverse=True)


def test_neighbours_of_no_word_or_too_many_are_refused():
    with pytest.raises(ValueError, match="the token must be an id from 0 to 6; got 7"):
        pipeline.neighbours(model(), 7)
    with pytest.raises(ValueError, match="the neighbours must be 1 to 6; got 8"):
        pipeline.neighbours(model(), 2)


def test_the_largest_terms_are_parts_of_the_sums():
    ours = model()
    trace = pipeline.trace_pipeline(ours, TEXT)
    every = pipeline.unit_terms(ours, trace, unit=4, count=99)
    network = ours.network.double()
    z = every.input_terms.sum(1) + network.hidden.bias[4]
    torch.testing.assert_close(z, trace.pre_activation[:, 4])
    best = trace.best[:, 0]
    logits = every.unit_terms.sum(1) + network.output.bias[best]
    torch.testing.assert_close(logits, trace.logits.gather(1, best[:, None])[:, 0])
    few = pipeline.unit_terms(ours, trace, unit=4, count=2)
    assert torch.equal(few.inputs, every.inputs[:, :2])
    assert (every.input_terms.abs().diff(dim=1) <= 0).all()


def test_without_a_unit_it_is_the_one_that_adds_most_to_the_best_word():
    ours = model()
    trace = pipeline.trace_pipeline(ours, TEXT)
    terms = pipeline.unit_terms(ours, trace, count=99)
    largest = terms.unit_terms.max(1)
    assert torch.equal(terms.unit, terms.units.gather(1, largest.indices[:, None])[:, 0])


@pytest.mark.parametrize(("unit", "count"), [(-1, 3), (11, 3), (0, 0)])
def test_a_unit_or_a_count_that_is_not_there_is_refused(unit, count):
    ours = model()
    trace = pipeline.trace_pipeline(ours, TEXT)
    with pytest.raises(ValueError, match="must be"):
        pipeline.unit_terms(ours, trace, unit=unit, count=count)
