"""How often the words before each word were counted, against a count with strings."""

import re

import numpy as np
import pytest

from lmcore.corpora.microworld import microworld
from lmcore.evaluation.pasts import count_pasts


@pytest.fixture(scope="module")
def documents():
    return microworld().sample(400, np.random.default_rng(3))


def counted(documents, words):
    """Places where the words stand in a document, each after its first token."""
    text = "|".join(f" {' '.join(map(str, each))} " for each in documents)
    return len(re.findall(f"(?={re.escape(' ' + ' '.join(map(str, words)) + ' ')})", text))


@pytest.mark.parametrize("sentence", ["the dog is hungry .", "the cat", "dog dog the"])
def test_every_context_is_counted_as_a_search_for_its_words_does(documents, sentence):
    ids = np.array(microworld().vocabulary.read(sentence))
    contexts, pairs = count_pasts(documents, ids)
    assert contexts.shape == pairs.shape == (len(ids) - 1, len(ids))
    assert set(contexts[:, 0]) == {len(documents.tokens) - len(documents)}
    for t in range(1, len(ids)):
        for k in range(1, len(ids)):
            past = ids[max(t - k, 0) : t]
            ends = sum(each[-len(past) :].tolist() == past.tolist() for each in documents)
            assert contexts[t - 1, k] == counted(documents, past) - ends
            assert pairs[t - 1, k] == counted(documents, [*past, ids[t]])


def test_a_text_without_a_second_token_is_refused(documents):
    with pytest.raises(ValueError, match="at least two tokens; got 1"):
        count_pasts(documents, np.array([0]))
