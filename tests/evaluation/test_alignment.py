"""Where the largest α is, counted again word by word, with the decoder stepped by hand."""

from collections import Counter
from functools import cache

import pytest
import torch

from lmcore.corpora.translation import (
    held_out_sources,
    task_words,
    translate_aligned,
    translation_vocabulary,
)
from lmcore.evaluation import alignment
from lmcore.evaluation.alignment import alignment_counts, largest_places, noun_place, word_class
from lmcore.shipped.models import load_translator
from lmcore.training.translation_batches import encode_sources
from lmcore.vocabulary import START

SOURCES = tuple(x for n in (5, 9, 25) for x in held_out_sources("mixture", n, 8, 2))
PHRASE = ["the", "big", "dogs", "that", "a", "small", "cat", "sees"]
IDS = translation_vocabulary().ids


@cache
def network(name="seq2seq_attention"):
    return load_translator(name)[0]


@torch.no_grad()
def places_by_hand(source):
    """The place of the largest α for each word of one target; the decoder reads the true words."""
    state, found = network().encode(encode_sources([source])), []
    target = translate_aligned(source, "mixture").target
    for word in (START, *target[:-1]):
        _, step, state = network().step(torch.tensor([IDS[word]]), state)
        weights = step.weights[0].tolist()
        found.append(weights.index(max(weights)))
    return found


@pytest.mark.parametrize("batch", [5, 500])
def test_the_largest_places_are_those_of_each_sentence_alone(monkeypatch, batch):
    monkeypatch.setattr(alignment, "BATCH", batch)
    found = largest_places(network(), SOURCES, "mixture")
    assert [list(each) for each in found] == [places_by_hand(source) for source in SOURCES]


def test_the_counts_are_those_of_a_loop():
    wanted = Counter()
    for source in SOURCES:
        pair, passive = translate_aligned(source, "mixture"), "was" in source or "were" in source
        for word, largest in zip(pair.alignment, places_by_hand(source), strict=True):
            kind = word_class(source[word])
            wanted[passive, kind, "words"] += 1
            wanted[passive, kind, "at_word"] += largest == word
            wanted[passive, kind, "at_next"] += largest == word + 1
            if kind in ("article", "adjective", "noun"):
                noun = next(j for j in range(word, len(source)) if word_class(source[j]) == "noun")
                wanted[passive, kind, "at_noun"] += largest == noun
    counts = alignment_counts(network(), SOURCES, "mixture")
    found = {
        (row.passive, row.kind, name): getattr(row, name)
        for row in counts
        for name in ("words", "at_word", "at_next", "at_noun")
    }
    assert found == {key: wanted[key] for key in found}
    assert sum(wanted.values()) == sum(found.values())
    assert {row.passive for row in counts} == {True, False}
    assert sum(row.words for row in counts) == sum(
        len(translate_aligned(x, "mixture").target) for x in SOURCES
    )


def test_articles_of_translations_are_written_from_their_nouns():
    sources = held_out_sources("translation", 8, 40)
    row = next(
        c for c in alignment_counts(network(), sources, "translation") if c.kind == "article"
    )
    assert row.words > 20
    assert (row.at_word, row.at_noun) == (0, row.words)


def test_every_word_has_a_class():
    found = {word: word_class(word) for word in task_words("mixture")}
    assert found["some"] == "article" and found["old"] == "adjective"
    assert found["foxes"] == found["box"] == "noun" and found["anna"] == "name"
    assert found["drawn"] == found["sleeps"] == found["see"] == "verb"
    assert {word for word, kind in found.items() if kind == "conjunction"} == {
        *("and", "that", "by", "was", "were")
    }


def test_only_a_word_of_a_noun_phrase_has_a_noun():
    found = [noun_place(PHRASE, place) for place in range(len(PHRASE))]
    assert found == [2, 2, 2, None, 6, 6, 6, None]
    assert noun_place(["the", "big"], 0) is None


def test_a_model_of_one_vector_has_no_weights_to_count():
    with pytest.raises(ValueError, match="only in a model with attention; it has none"):
        alignment_counts(network("seq2seq_vector"), SOURCES, "mixture")


def test_a_row_has_a_frame():
    rows = alignment_counts(network(), SOURCES, "mixture")
    table = rows.to_frame()
    assert list(table) == ["passive", "kind", "words", "at word", "at next", "at noun"]
    assert table["at noun"].tolist() == [row.at_noun for row in rows]
