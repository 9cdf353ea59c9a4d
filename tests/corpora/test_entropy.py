import math
from collections import defaultdict

import numpy as np
import pytest
from grammar_oracles import TINY, derive, every_document, inside

from lmcore.corpora import entropy
from lmcore.corpora.automaton import compile_grammar
from lmcore.corpora.documents import concatenate
from lmcore.corpora.grammar import parse, vocabulary
from lmcore.corpora.microworld import microworld, microworld_grammar

GRAMMAR = parse(TINY, start="S")
TRUTH = compile_grammar(GRAMMAR, vocabulary(GRAMMAR))


def written_out(k):
    """The floor for k tokens of context, from the written-out documents and all their contexts."""
    joint, length = defaultdict(lambda: defaultdict(float)), 0.0
    for words, p in every_document(GRAMMAR).items():
        tokens = ["<s>", *words, "</s>"]
        length += p * (len(tokens) - 1)
        for t in range(1, len(tokens)):
            joint[tuple(tokens[max(0, t - k) : t])][tokens[t]] += p
    nats = sum(
        -p * math.log(p / math.fsum(row.values())) for row in joint.values() for p in row.values()
    )
    return math.exp(nats / length)


def test_entropy_is_that_of_the_written_out_documents():
    documents = every_document(GRAMMAR)
    assert math.fsum(documents.values()) == pytest.approx(1, abs=1e-12)
    nats = -math.fsum(p * math.log(p) for p in documents.values())
    length = math.fsum(p * (len(words) + 1) for words, p in documents.items())
    assert entropy.entropy(TRUTH) == pytest.approx(nats, rel=1e-12)
    assert entropy.expected_length(TRUTH) == pytest.approx(length, rel=1e-12)
    assert entropy.entropy_rate(TRUTH) == pytest.approx(nats / length, rel=1e-12)
    assert entropy.perplexity(TRUTH) == pytest.approx(math.exp(nats / length), rel=1e-12)


def test_entropy_of_the_microworld_is_that_of_documents_derived_from_the_top():
    grammar, world, generator = microworld_grammar(), microworld(), np.random.default_rng(11)
    documents = [derive(grammar, generator) for _ in range(20_000)]
    ids = [world.vocabulary.encode(["<s>", *words, "</s>"]) for words in documents]
    gathered = concatenate(ids)
    starts = gathered.offsets[:-1] - np.arange(len(ids))  # where each begins without its `<s>`
    surprise = -np.add.reduceat(world.batch_log_probability(gathered), starts)
    error = surprise.std() / math.sqrt(len(surprise))
    assert surprise.mean() == pytest.approx(entropy.entropy(world), abs=2 * error)
    some = [-math.log(inside(grammar, words)) for words in documents[:100]]
    np.testing.assert_allclose(some, surprise[:100], rtol=1e-12)
    lengths = gathered.lengths - 1
    error = lengths.std() / math.sqrt(len(lengths))
    assert lengths.mean() == pytest.approx(entropy.expected_length(world), abs=2 * error)


def test_each_document_is_in_one_state_at_a_time_until_it_ends():
    visits = entropy.visit_probabilities(microworld())
    assert visits[0, 0] == 1
    at_once = visits.sum(axis=1)
    assert at_once[:4] == pytest.approx(1, abs=1e-12)
    assert np.all(np.diff(at_once) < 1e-12)
    ended = np.diff(microworld().offsets) == 0
    assert visits[:, ended].sum() == pytest.approx(1, abs=1e-12)


@pytest.mark.parametrize("k", range(10))
def test_the_floor_is_that_of_the_written_out_contexts(k):
    assert entropy.perplexity_floor(TRUTH, k) == pytest.approx(written_out(k), rel=1e-10)


def test_the_floor_comes_down_to_the_perplexity():
    floors, truth = entropy.perplexity_floors(TRUTH, 12), entropy.perplexity(TRUTH)
    assert np.all(np.diff(floors) <= 1e-10)
    assert np.all(floors >= truth - 1e-10)
    assert floors[1] > truth + 0.1
    assert floors[-1] == pytest.approx(truth, rel=1e-12)


def test_the_floor_of_the_microworld_falls_and_stays_above_the_truth():
    floors, truth = entropy.perplexity_floors(microworld(), 7), entropy.perplexity(microworld())
    assert np.all(np.diff(floors) < 0)
    assert np.all(floors > truth)
    assert floors[2] == entropy.perplexity_floor(microworld(), 2)


def test_a_microworld_context_as_long_as_a_document_leaves_no_doubt():
    floors = entropy.perplexity_floors(microworld(), 40)
    assert floors[-1] == pytest.approx(entropy.perplexity(microworld()), rel=1e-9)


def test_the_microworld_with_one_word_seen_is_as_counted_by_pairs():
    """The joint distribution of adjacent tokens, from expected state visits, by dense matrices."""
    world = microworld()
    flow = entropy.visit_probabilities(world).sum(axis=0)[world.sources] * world.probabilities
    size = len(world.vocabulary)
    entering = np.zeros((size, world.size))
    np.add.at(entering, (world.tokens, world.targets), flow)
    entering[0, 0] = 1
    joint = entering @ world.rows[:-1]
    given = joint / np.maximum(joint.sum(axis=1, keepdims=True), 1e-300)
    nats = -(joint[joint > 0] * np.log(given[joint > 0])).sum()
    expected = math.exp(nats / entropy.expected_length(world))
    assert entropy.perplexity_floor(world, 1) == pytest.approx(expected, rel=1e-10)


def test_a_context_has_no_negative_length():
    with pytest.raises(ValueError, match="number of tokens seen must be at least 0; got -1"):
        entropy.perplexity_floors(TRUTH, -1)
