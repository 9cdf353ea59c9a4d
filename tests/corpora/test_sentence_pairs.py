import numpy as np
import pytest

from lmcore.corpora import microworld_rules
from lmcore.corpora.coreference import resolve_pronoun
from lmcore.corpora.microworld import microworld
from lmcore.corpora.sentence_pairs import IS_NEXT, NO_PAIR, NOT_NEXT, cut_positions, draw_pairs

WORLD = microworld()
STOP, END = (WORLD.vocabulary.ids[token] for token in (".", "</s>"))
DOCUMENTS = list(WORLD.sample(2000, np.random.default_rng(8)))


def test_whom_it_means_is_whom_the_last_sentence_names():
    nouns = {
        *microworld_rules.CREATURES,
        *microworld_rules.WAYS,
        *microworld_rules.LOADS,
        *microworld_rules.HOLDERS,
    }
    found = 0
    for document in DOCUMENTS:
        words = WORLD.vocabulary.decode(document.tolist())
        pronoun = resolve_pronoun(words)
        if pronoun is None:
            assert "too" not in words
            continue
        found += 1
        after = [word for word in words[pronoun.adjective :] if word in nouns]
        assert after == [words[pronoun.noun]]
        assert words[pronoun.it] == "it"
    assert found > 400


@pytest.mark.parametrize(
    "text", ["the cat sleeps .", "because it was too", "i ran because it was late .", "because"]
)
def test_other_texts_have_no_such_pronoun(text):
    assert resolve_pronoun(text.split()) is None


def test_pairs_are_halves_of_one_document_or_of_two():
    rng = np.random.default_rng(3)
    texts = draw_pairs(DOCUMENTS, 0.6, rng, stop=STOP, separator=END)
    can = [len(cut_positions(document, STOP)) > 0 for document in DOCUMENTS]
    made = [text.label != NO_PAIR for text in texts]
    assert not any(pair and not able for pair, able in zip(made, can, strict=True))
    assert np.mean(np.array(made)[can]) == pytest.approx(0.6, abs=0.05)
    labels = [text.label for text in texts if text.label != NO_PAIR]
    assert np.mean(labels) == pytest.approx(0.5, abs=0.06)
    halves = {tuple(d[at:].tolist()) for d in DOCUMENTS for at in cut_positions(d, STOP)}
    for text, document in zip(texts, DOCUMENTS, strict=True):
        if text.label == NO_PAIR:
            assert text.ids.tolist() == document.tolist()
            assert not text.segments.any()
            continue
        at = int((text.segments == 0).sum()) - 1
        assert text.ids[at] == END
        assert text.ids[at - 1] == STOP
        assert text.ids[:at].tolist() == document[:at].tolist()
        second = text.ids[at + 1 :].tolist()
        assert tuple(second) in halves
        assert text.label == NOT_NEXT or second == document[at:].tolist()


def test_of_one_document_that_can_be_cut_there_is_no_wrong_half():
    one = [next(d for d in DOCUMENTS if len(cut_positions(d, STOP)))]
    for seed in range(9):
        (text,) = draw_pairs(one, 1.0, np.random.default_rng(seed), stop=STOP, separator=END)
        assert text.label == IS_NEXT
