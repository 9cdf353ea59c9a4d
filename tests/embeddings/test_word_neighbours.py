"""Neighbours, analogies and axes by hand; every method finds the planted groups again."""

import numpy as np
import pytest
import torch
import torch.nn.functional as F
from hypothesis import given
from hypothesis import strategies as st

from lmcore.corpora.microworld import microworld
from lmcore.embeddings.static import neighbours, planted
from lmcore.embeddings.static.counts import SMOOTHING, count_cooccurrences, mutual_information
from lmcore.embeddings.static.glove import GloveConfig, train_glove
from lmcore.embeddings.static.neighbours import neighbour_precision
from lmcore.embeddings.static.pairs import index_sentences, window_pairs
from lmcore.embeddings.static.skipgram import Word2VecConfig, train_word2vec
from lmcore.embeddings.static.svd import truncated_svd
from lmcore.embeddings.static.vectors import WordVectors

WORDS = ("cat", "cats", "dog", "dogs", "barn")
NUMBER = WordVectors(
    WORDS, torch.tensor([[3.0, 0, 1], [3, 2, 1], [0, 0, 3], [0, 2, 3], [-1, -1, -1]]).double()
)


@pytest.fixture(scope="module")
def pairs():
    return window_pairs(index_sentences(planted.microworld_sentences()), 2)


def test_cosines_are_those_of_torch():
    rows = NUMBER.vectors
    table = F.cosine_similarity(rows[:, None], rows[None], dim=-1)
    assert neighbours.word_cosine(NUMBER, "cat", "dogs") == pytest.approx(float(table[0, 3]))
    assert neighbours.word_cosine(NUMBER, "cat", "cat") == pytest.approx(1)


@given(st.floats(0.1, 10), st.sampled_from(WORDS))
def test_neighbours_do_not_depend_on_length(scale, word):
    longer = WordVectors(WORDS, NUMBER.vectors * scale)
    one, other = (neighbours.nearest_words(each, word, 4) for each in (NUMBER, longer))
    assert one.words == other.words and word not in one.words
    torch.testing.assert_close(one.cosines, other.cosines)
    assert one.cosines.tolist() == sorted(one.cosines.tolist(), reverse=True)


@pytest.mark.parametrize("rounding", [0, 1e-12, -1e-12])
def test_equal_cosines_are_in_the_order_of_the_vocabulary(rounding):
    turned = torch.tensor(
        [[1.0, 0], [1, 1 + rounding], [1, 1], [1, 1 - rounding], [1, 0.5]], dtype=torch.float64
    )
    found = neighbours.nearest_words(WordVectors(WORDS, turned), "cat", 4)
    assert found.words == ("barn", "cats", "dog", "dogs")


def test_an_analogy_leaves_its_words_out_if_it_is_asked_to():
    found = neighbours.solve_analogy(NUMBER, "cats", "cat", "dog", 2)
    assert found.words[0] == "dogs"
    assert not {"cats", "cat", "dog"} & set(found.words)
    same = neighbours.solve_analogy(NUMBER, "cats", "cats", "dog", 1, exclude_inputs=False)
    assert same.words == ("dog",)
    assert same.to_frame()["cosine"].tolist() == pytest.approx([1])


def test_poles_are_at_0_and_1_and_their_mean_halfway():
    found = neighbours.project_on_axis(NUMBER, WORDS, ["cat"], ["dogs"])
    assert found.positions[[0, 3]].tolist() == pytest.approx([0, 1])
    assert found.distances[[0, 3]].tolist() == pytest.approx([0, 0])
    middle = WordVectors(
        (*WORDS, "both"), torch.cat([NUMBER.vectors, NUMBER.vectors[[0, 3]].mean(0)[None]])
    )
    half = neighbours.project_on_axis(middle, ["both"], ["cat"], ["dogs"])
    assert float(half.positions) == pytest.approx(0.5)
    groups = neighbours.project_on_axis(NUMBER, WORDS, ["cat", "dog"], ["cats", "dogs"])
    assert groups.positions[:4].tolist() == pytest.approx([0, 1, 0, 1])
    lengths = groups.positions[:, None] * torch.tensor([0.0, 2, 0]).double()
    away = NUMBER.vectors - torch.tensor([1.5, 0, 2]).double() - lengths
    torch.testing.assert_close(groups.distances, away.norm(dim=1) / 2)


def test_precision_is_counted_at_the_size_of_the_set_where_that_is_smaller():
    similar = {"cat": {"cats", "dog"}, "cats": {"cat"}, "dog": {"cat"}, "zebra": {"cat"}}
    found = neighbour_precision(NUMBER, similar, 3)
    nearest = {
        word: neighbours.nearest_words(NUMBER, word, 2).words for word in similar if word in WORDS
    }
    expected = [
        len(set(nearest["cat"]) & {"cats", "dog"}) / 2,
        float(nearest["cats"][0] == "cat"),
        float(nearest["dog"][0] == "cat"),
    ]
    assert found.words == ("cat", "cats", "dog")
    assert found.precisions.tolist() == expected
    assert found.mean == pytest.approx(sum(expected) / 3)
    assert found.to_frame()["neighbours"].tolist()[1:] == [nearest["cats"][0], nearest["dog"][0]]


def test_vectors_of_one_direction_per_group_have_precision_1():
    similar = planted.similar_words()
    words = tuple(dict.fromkeys(similar))
    names = list(planted.GROUPS)
    rows = [[float(word in planted.GROUPS[name]) for name in names] for word in words]
    assert neighbour_precision(WordVectors(words, torch.tensor(rows).double()), similar).mean == 1


def test_the_grammar_lets_all_words_of_a_slot_follow_one_beginning():
    world = microworld()
    for slots in planted.SLOTS.values():
        for slot in slots:
            ids = world.vocabulary.encode(slot)
            assert np.any((world.rows[:, ids] > 0).all(axis=1)), slot


def test_groups_share_no_word_and_similarity_is_mutual():
    members = [word for words in planted.GROUPS.values() for word in words]
    assert len(members) == len(set(members)) == 72
    similar = planted.similar_words()
    assert all(word in similar[other] for word, others in similar.items() for other in others)
    assert all(word not in others for word, others in similar.items())


def test_sentences_are_whole_and_a_seed_is_a_corpus():
    sentences = planted.microworld_sentences(300)
    assert len(sentences) == 300
    planted.microworld_sentences.cache_clear()
    assert planted.microworld_sentences(300) == sentences
    assert planted.microworld_sentences(300, 1) != sentences
    assert all(sentence and "." not in sentence for sentence in sentences)


def test_the_svd_of_ppmi_finds_the_planted_groups(pairs):
    counts = count_cooccurrences(pairs)
    ppmi = mutual_information(counts.counts, SMOOTHING).ppmi
    vectors = WordVectors(pairs.words, truncated_svd(ppmi).vectors)
    assert neighbour_precision(vectors, planted.similar_words()).mean >= 0.9


@pytest.mark.parametrize("model", ["skip-gram", "CBOW"])
def test_word2vec_finds_the_planted_groups_and_begins_without_them(pairs, model):
    config = Word2VecConfig(model=model, epochs=5 if model == "skip-gram" else 20)
    every = list(train_word2vec(pairs, config))
    first, last = (
        neighbour_precision(WordVectors(pairs.words, each.vectors), planted.similar_words()).mean
        for each in (every[0], every[-1])
    )
    assert last >= 0.9 and first < 0.2
    assert 50 <= len(every) <= 60


def test_glove_finds_most_of_the_planted_groups(pairs):
    *_, last = train_glove(count_cooccurrences(pairs).counts, GloveConfig())
    vectors = WordVectors(pairs.words, last.vectors)
    assert neighbour_precision(vectors, planted.similar_words()).mean >= 0.7


def test_the_plural_is_an_analogy_of_the_microworld(pairs):
    *_, last = train_word2vec(pairs, Word2VecConfig())
    vectors = WordVectors(pairs.words, last.vectors)
    found = neighbours.solve_analogy(vectors, "barns", "barn", "farm", 3)
    assert "farms" in found.words


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (
            lambda: WordVectors(("a",), torch.zeros(2, 3).double()),
            "one row for each of 1 words; got 2",
        ),
        (lambda: neighbours.nearest_words(NUMBER, "zebra"), "one of the 5 known; got 'zebra'"),
        (lambda: neighbours.nearest_words(NUMBER, "cat", 5), "must be from 1 to 4; got 5"),
        (
            lambda: neighbours.solve_analogy(NUMBER, "cat", "dog", "barn", 3),
            "the neighbours must be from 1 to 2; got 3",
        ),
        (
            lambda: neighbours.project_on_axis(NUMBER, WORDS, [], ["cat"]),
            "the low pole must have at least 1 word; got 0",
        ),
        (
            lambda: neighbours.project_on_axis(NUMBER, WORDS, ["cat"], ["cat"]),
            "the poles must be two different points; got",
        ),
        (
            lambda: neighbour_precision(NUMBER, {"zebra": {"cat"}}, 2),
            "similar must name words among the 5 known; got none",
        ),
        (
            lambda: planted.microworld_sentences(0),
            "the number of sentences must be from 1 to 20000; got 0",
        ),
    ],
)
def test_what_is_out_of_bounds_is_refused(call, message):
    with pytest.raises(ValueError, match=message):
        call()
