from itertools import combinations

import numpy as np
import pytest
from grammar_oracles import TINY, every_document

from lmcore.corpora.automaton import compile_grammar
from lmcore.corpora.grammar import parse, vocabulary
from lmcore.corpora.masked_words import leave_one_out_posteriors, posterior, posteriors
from lmcore.corpora.microworld import microworld

GRAMMAR = parse(TINY, start="S")
TRUTH = compile_grammar(GRAMMAR, vocabulary(GRAMMAR))
DOCUMENTS = {
    tuple(TRUTH.vocabulary.encode(["<s>", *words, "</s>"])): p
    for words, p in every_document(GRAMMAR).items()
}


def by_counting(ids, positions):
    rows = np.zeros((len(positions), len(TRUTH.vocabulary)))
    for document, p in DOCUMENTS.items():
        pairs = enumerate(zip(document, ids, strict=False))
        if len(document) == len(ids) and all(t in positions or a == b for t, (a, b) in pairs):
            for row, t in zip(rows, positions, strict=True):
                row[document[t]] += p
    return rows / rows.sum(axis=1, keepdims=True)


@pytest.mark.parametrize("count", [1, 2, 3])
def test_covered_words_are_as_probable_as_documents_say(count):
    for ids in list(DOCUMENTS)[::29]:
        for positions in combinations(range(1, len(ids) - 1), count):
            found = posteriors(TRUTH, ids, positions)
            np.testing.assert_allclose(found, by_counting(ids, positions), atol=1e-12)


def test_a_covered_word_of_the_microworld_is_weighed_by_every_substitution():
    world = microworld()
    for document in world.sample(6, np.random.default_rng(5)):
        for position in range(1, len(document), 3):
            swapped = np.repeat(document[None], len(world.vocabulary), axis=0)
            swapped[:, position] = np.arange(len(world.vocabulary))
            weights = np.exp([world.log_probability(row) for row in swapped])
            found = posterior(world, document, position)
            np.testing.assert_allclose(found, weights / weights.sum(), atol=1e-12)


def test_covering_one_by_one_is_covering_each_alone():
    world = microworld()
    for document in world.sample(10, np.random.default_rng(6)):
        rows = leave_one_out_posteriors(world, document)
        alone = [posterior(world, document, t) for t in range(1, len(document))]
        np.testing.assert_allclose(rows, alone, atol=1e-12)


def test_the_covered_token_is_not_read():
    ids = TRUTH.vocabulary.encode(["<s>", "the", "cat", "sleeps", "</s>"])
    other = TRUTH.vocabulary.encode(["<s>", "the", "again", "sleeps", "</s>"])
    assert posterior(TRUTH, ids, 2).tolist() == posterior(TRUTH, other, 2).tolist()


def test_the_last_token_of_a_beginning_is_what_comes_next():
    ids = TRUTH.vocabulary.encode(["<s>", "the", "cat", "near"])
    following = TRUTH.next_probabilities(np.array(ids))[-2]
    np.testing.assert_allclose(posterior(TRUTH, ids, 3), following, atol=1e-15)


@pytest.mark.parametrize("position", [0, 5, -1])
def test_a_position_past_the_start_can_be_covered(position):
    ids = TRUTH.vocabulary.encode(["<s>", "the", "cat", "sleeps", "</s>"])
    message = f"a covered position must be from 1 to 4; got {position}"
    with pytest.raises(ValueError, match=message):
        posterior(TRUTH, ids, position)


@pytest.mark.parametrize("words", ["<s> sleeps the cat </s>", "the the cat sleeps </s>"])
def test_words_around_that_never_stand_so_are_refused(words):
    ids = TRUTH.vocabulary.encode(words.split())
    with pytest.raises(ValueError, match="words around must have a probability above 0; got"):
        posterior(TRUTH, ids, 2)
    with pytest.raises(ValueError, match="words around must have a probability above 0; got"):
        leave_one_out_posteriors(TRUTH, ids)
