import math
from collections import Counter, defaultdict

import numpy as np
import pytest
import torch
from grammar_oracles import TINY, every_document, inside, misfit
from hypothesis import given
from hypothesis import strategies as st

from lmcore.corpora.automaton import compile_grammar
from lmcore.corpora.documents import concatenate
from lmcore.corpora.grammar import parse, vocabulary
from lmcore.corpora.microworld import microworld, microworld_grammar
from lmcore.vocabulary import Vocabulary

GRAMMAR = parse(TINY, start="S")
TRUTH = compile_grammar(GRAMMAR, vocabulary(GRAMMAR))


def encode(automaton, words):
    return automaton.vocabulary.encode(["<s>", *words, "</s>"])


def prefix_sums(grammar):
    """Prefix → {next word: p(next word | prefix)}, by adding up whole documents."""
    sums = defaultdict(lambda: defaultdict(float))
    for words, p in every_document(grammar).items():
        for place, word in enumerate([*words, "</s>"]):
            sums[words[:place]][word] += p
    return {
        prefix: {word: p / math.fsum(row.values()) for word, p in row.items()}
        for prefix, row in sums.items()
    }


@st.composite
def grammars(draw):
    """Texts of small grammars in which each nonterminal leads only to later ones."""
    lines = []
    for place, left in enumerate("STU"):
        below = st.sampled_from([*"STU"[place + 1 :], *"ab"])
        sides = draw(st.lists(st.lists(below, min_size=1, max_size=3), min_size=1, max_size=3))
        weighed = (f"{' '.join(side)} {{{draw(st.integers(1, 5))}}}" for side in sides)
        lines.append(f"{left} -> " + " | ".join(weighed))
    return "\n".join([*lines, "S -> T U"])


@given(grammars())
def test_next_words_of_any_grammar_are_those_of_its_documents(text):
    grammar = parse(text, start="S")
    automaton = compile_grammar(grammar, vocabulary(grammar))
    for prefix, row in prefix_sums(grammar).items():
        ids = automaton.vocabulary.encode(["<s>", *prefix])
        found = automaton.next_probabilities(np.array(ids))[-1]
        expected = {automaton.vocabulary.ids[word]: p for word, p in row.items()}
        assert {int(i): found[i] for i in np.flatnonzero(found)} == pytest.approx(expected)


def test_next_words_of_the_tiny_grammar_are_those_of_its_documents():
    for prefix, row in prefix_sums(GRAMMAR).items():
        ids = TRUTH.vocabulary.encode(["<s>", *prefix])
        found = TRUTH.log_probabilities(torch.tensor(ids))[-1].exp()
        for i, word in enumerate(TRUTH.vocabulary.tokens):
            assert float(found[i]) == pytest.approx(row.get(word, 0.0), rel=1e-12)


def test_documents_of_the_tiny_grammar_have_their_probability():
    for words, p in every_document(GRAMMAR).items():
        assert TRUTH.log_probability(encode(TRUTH, words)) == pytest.approx(math.log(p), rel=1e-12)


def test_the_inside_algorithm_agrees_on_documents_of_the_microworld():
    world, grammar = microworld(), microworld_grammar()
    for document in world.sample(500, np.random.default_rng(3)):
        words = world.vocabulary.decode(document.tolist())[1:-1]
        p = math.exp(world.log_probability(document))
        assert p == pytest.approx(inside(grammar, words), rel=1e-12)


def test_the_inside_algorithm_agrees_on_a_deeper_world():
    world, grammar = microworld(4, complete=True), microworld_grammar(4, complete=True)
    for document in world.sample(50, np.random.default_rng(4)):
        words = world.vocabulary.decode(document.tolist())[1:-1]
        p = math.exp(world.log_probability(document))
        assert p == pytest.approx(inside(grammar, words), rel=1e-12)


@pytest.mark.parametrize(
    "compiled", [lambda: TRUTH, microworld, lambda: microworld(3, complete=True)]
)
def test_arcs_of_every_state_but_the_last_sum_to_one(compiled):
    automaton = compiled()
    sums = automaton.rows.sum(axis=1)
    ends = np.diff(automaton.offsets) == 0
    assert ends.sum() == 1
    np.testing.assert_allclose(sums[:-1][~ends], 1, atol=1e-12)
    assert sums[-1] == 0


def test_no_state_is_met_twice_in_a_document():
    world = microworld()
    for document in world.sample(200, np.random.default_rng(8)):
        states = world.states(document)
        assert len(set(states.tolist())) == len(document)


def test_log_probabilities_answer_the_language_model_question():
    ids = torch.tensor(TRUTH.vocabulary.read("the cat sleeps"))
    rows = TRUTH.log_probabilities(ids)
    assert rows.shape == (4, len(TRUTH.vocabulary))
    assert rows.exp().sum(dim=1).tolist() == pytest.approx([1.0] * 4)
    assert TRUTH.log_probabilities(ids[:0]).shape == (0, len(TRUTH.vocabulary))


@pytest.mark.parametrize(
    "words", ["<s> sleeps the cat", "<s> the cat sleeps </s> the", "the cat", "<s> <s>"]
)
def test_nothing_follows_what_is_impossible(words):
    ids = TRUTH.vocabulary.encode(words.split())
    last = TRUTH.log_probabilities(torch.tensor(ids))[-1]
    assert torch.isneginf(last).all()
    assert TRUTH.states(np.array(ids))[-1] == -1
    assert TRUTH.log_probability(ids) == -math.inf


def test_a_document_without_tokens_is_impossible():
    assert TRUTH.log_probability([]) == -math.inf


def test_rows_of_many_documents_are_those_of_each():
    world = microworld()
    documents = world.sample(40, np.random.default_rng(1))
    rows = world.next_probabilities(documents.padded())
    for row, document in zip(rows, documents, strict=True):
        alone = world.log_probabilities(torch.from_numpy(document.copy())).exp().numpy()
        np.testing.assert_allclose(row[: len(document)], alone, rtol=1e-14)
        assert not row[len(document) - 1 :].any()


def test_log_probabilities_of_many_documents_add_up_to_those_of_each():
    world = microworld()
    documents = world.sample(40, np.random.default_rng(2))
    every = world.batch_log_probability(documents)
    assert len(every) == len(documents.tokens) - len(documents)
    parts = np.split(every, np.cumsum(documents.lengths - 1)[:-1])
    alone = [world.log_probability(document) for document in documents]
    np.testing.assert_allclose([part.sum() for part in parts], alone, rtol=1e-12)


def test_an_impossible_document_in_a_batch_leaves_the_others_alone():
    good = encode(TRUTH, ["the", "cat", "sleeps"])
    bad = encode(TRUTH, ["cat", "the", "sleeps", "sleeps", "sleeps"])
    found = TRUTH.batch_log_probability(concatenate([good, bad]))
    assert found[: len(good) - 1].sum() == pytest.approx(TRUTH.log_probability(good))
    assert np.isneginf(found[len(good) :]).all()


def test_samples_are_as_frequent_as_they_are_probable():
    documents = TRUTH.sample(50_000, np.random.default_rng(0))
    found = Counter(tuple(document.tolist()) for document in documents)
    truth = {tuple(encode(TRUTH, words)): p for words, p in every_document(GRAMMAR).items()}
    assert abs(misfit(found, truth)) < 4


def test_the_same_generator_samples_the_same():
    first, second, other = (
        microworld().sample(300, np.random.default_rng(seed)) for seed in (1, 1, 2)
    )
    assert first.tokens.tolist() == second.tokens.tolist()
    assert first.offsets.tolist() == second.offsets.tolist()
    assert first.tokens.tolist() != other.tokens.tolist()


def test_every_sample_is_a_whole_document():
    world = microworld()
    documents = world.sample(2_000, np.random.default_rng(9))
    assert all(d[0] == 0 and d[-1] == 1 for d in documents)
    assert np.isfinite(world.batch_log_probability(documents)).all()


@pytest.mark.parametrize("count", [0, -3])
def test_at_least_one_document_is_sampled(count):
    message = f"number of documents to sample must be at least 1; got {count}"
    with pytest.raises(ValueError, match=message):
        TRUTH.sample(count, np.random.default_rng(0))


def test_the_vocabulary_must_have_every_word():
    with pytest.raises(ValueError, match="must be one of the 1 word the model knows; got"):
        compile_grammar(GRAMMAR, Vocabulary(("<s>", "</s>", "the")))
    with pytest.raises(ValueError, match=r"word 2 must be one of the 1 word .* got '</s>'"):
        compile_grammar(GRAMMAR, Vocabulary(("<s>", "the")))
