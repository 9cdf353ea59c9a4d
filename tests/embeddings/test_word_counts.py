"""Counts equal a double loop, PMI its definition, and the SVD the eigenvalues of M Mᵀ."""

import math

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from lmcore.embeddings.static.counts import cell_places, count_cooccurrences, mutual_information
from lmcore.embeddings.static.pairs import index_sentences, subsample, window_pairs
from lmcore.embeddings.static.svd import truncated_svd

SENTENCES = [["the", "cat", "sleeps"], ["the", "dog", "sees", "the", "cat"], ["stop"]]
texts = st.lists(st.lists(st.sampled_from("abcde"), max_size=7), min_size=1, max_size=6).filter(any)


def counts_of(sentences, window):
    return count_cooccurrences(window_pairs(index_sentences(sentences), window))


def counted_by_hand(sentences, words, window):
    table = np.zeros((len(words), len(words)))
    for sentence in sentences:
        for i, word in enumerate(sentence):
            for j, context in enumerate(sentence):
                if i != j and abs(i - j) <= window:
                    table[words.index(word), words.index(context)] += 1
    return table


def drawn(*shape, seed=0):
    generator = torch.Generator().manual_seed(seed)
    return torch.randn(shape, generator=generator, dtype=torch.float64)


@given(texts, st.integers(1, 4))
def test_counts_are_those_of_a_double_loop(sentences, window):
    counts = counts_of(sentences, window)
    assert np.array_equal(counts.counts, counted_by_hand(sentences, counts.words, window))


@given(texts, st.integers(1, 4))
def test_counts_are_symmetric_and_each_cell_has_as_many_places_as_its_count(sentences, window):
    counts = counts_of(sentences, window)
    assert torch.equal(counts.counts, counts.counts.T)
    for i, word in enumerate(counts.words):
        for j, context in enumerate(counts.words):
            places = cell_places(counts, word, context)
            assert len(places.sentences) == counts.counts[i, j]
            for row in places.to_frame().itertuples(index=False):
                sentence, position, other = row
                assert sentences[sentence][position] == word
                assert sentences[sentence][other] == context


def test_pairs_do_not_cross_the_end_of_a_sentence():
    counts = counts_of([["a", "b"], ["c", "d"]], 3)
    assert counts.counts[counts.words.index("b"), counts.words.index("c")] == 0
    assert counts.counts.sum() == 4


def test_three_sentences_by_hand():
    counts = counts_of(SENTENCES, 1)
    assert counts.words == ("the", "cat", "dog", "sees", "sleeps", "stop")
    table = counts.to_frame().set_index(["word", "context"])["count"].to_dict()
    assert table["the", "cat"] == 2 and table["the", "dog"] == 1 and table["sees", "the"] == 1
    assert not any("stop" in pair for pair in table)
    places = cell_places(counts, "cat", "the")
    assert places.sentences.tolist() == [0, 1]
    assert places.positions.tolist() == [1, 4]
    assert places.context_positions.tolist() == [0, 3]


def test_tables_have_one_row_per_token_and_per_pair():
    text = index_sentences(SENTENCES)
    assert text.to_frame()["word"].tolist() == [word for each in SENTENCES for word in each]
    table = window_pairs(text, 1).to_frame()
    assert table.iloc[0].tolist() == [0, 0, 1, "the", "cat"]
    assert len(table) == 12


def test_pmi_is_its_definition_and_0_where_the_count_is_0():
    counts = counts_of(SENTENCES, 2)
    found = mutual_information(counts.counts)
    total = float(counts.counts.sum())
    for (i, j), count in np.ndenumerate(counts.counts.numpy()):
        expected = 0.0
        if count:
            row, column = counts.counts[i].sum(), counts.counts[:, j].sum()
            expected = math.log(count * total / (row * column))
        assert float(found.pmi[i, j]) == pytest.approx(expected, abs=1e-14)
        assert float(found.ppmi[i, j]) == pytest.approx(max(0.0, expected), abs=1e-14)


@given(texts.filter(lambda rows: any(len(row) > 1 for row in rows)))
def test_mutual_information_is_never_negative_on_average(sentences):
    found = mutual_information(counts_of(sentences, 2).counts)
    assert float((found.joint * found.pmi).sum()) >= -1e-12
    assert float(found.context.sum()) == pytest.approx(1)


def test_independent_words_have_pmi_0():
    rows, columns = torch.tensor([1.0, 2.0, 5.0]).double(), torch.tensor([3.0, 4.0]).double()
    found = mutual_information(torch.outer(rows, columns))
    torch.testing.assert_close(found.pmi, torch.zeros(3, 2).double())


def test_smoothing_lowers_the_pmi_of_a_rare_context():
    counts = counts_of(SENTENCES, 2).counts
    plain, smoothed = mutual_information(counts), mutual_information(counts, 0.75)
    rare, frequent = int(plain.context.argmax()), int(counts.sum(0).argmax())
    least = min((i for i in range(5)), key=lambda i: float(plain.context[i]))
    assert rare == frequent
    assert smoothed.context[least] > plain.context[least]
    assert smoothed.context[frequent] < plain.context[frequent]
    seen = counts[:, least] > 0
    assert bool((smoothed.pmi[seen, least] < plain.pmi[seen, least]).all())


def test_the_svd_has_the_eigenvalues_of_m_mt_and_their_vectors():
    matrix = drawn(9, 6)
    found = truncated_svd(matrix, 4)
    values, vectors = np.linalg.eigh((matrix @ matrix.T).numpy())
    largest = values[::-1][:6]
    np.testing.assert_allclose(found.singular_values**2, largest, atol=1e-12)
    overlap = np.abs(vectors[:, ::-1][:, :4].T @ found.left.numpy())
    np.testing.assert_allclose(overlap, np.eye(4), atol=1e-10)
    np.testing.assert_allclose(found.share, largest.cumsum() / largest.sum(), atol=1e-12)


def test_all_dimensions_reconstruct_the_matrix_and_fewer_do_so_best():
    matrix = drawn(8, 5)
    torch.testing.assert_close(truncated_svd(matrix, 5).reconstruction, matrix)
    found = truncated_svd(matrix, 2)
    best = (matrix - found.reconstruction).square().sum()
    torch.testing.assert_close(best, found.singular_values[2:].square().sum())
    assert found.explained == pytest.approx(1 - float(best / matrix.square().sum()))
    for seed in range(20):
        other = drawn(8, 2, seed=seed)
        fitted = other @ torch.linalg.lstsq(other, matrix).solution
        assert (matrix - fitted).square().sum() >= best


@pytest.mark.parametrize("power", [0.0, 0.5, 1.0])
def test_the_power_scales_the_columns(power):
    found = truncated_svd(drawn(8, 5), 3, power)
    lengths = found.vectors.norm(dim=0)
    torch.testing.assert_close(lengths, found.singular_values[:3] ** power)


def test_the_sign_is_the_same_for_a_matrix_and_its_negative_factors():
    matrix = drawn(7, 7)
    one, other = truncated_svd(matrix, 3), truncated_svd(-matrix, 3)
    torch.testing.assert_close(one.left, other.left)
    torch.testing.assert_close(one.right, -other.right)
    largest = one.left.gather(0, one.left.abs().argmax(dim=0, keepdim=True))
    assert bool((largest > 0).all())


def test_subsampling_keeps_rare_words_and_drops_frequent_ones_as_often_as_its_formula():
    text = index_sentences([["often"] * 9 + ["rare"]] * 2000)
    kept = subsample(text, 0.1, seed=3)
    often, rare = kept.frequencies.tolist()
    assert rare == 2000
    share = math.sqrt(0.1 / 0.9)
    assert often / 18_000 == pytest.approx(share, abs=4 * math.sqrt(share * (1 - share) / 18_000))
    assert torch.equal(subsample(text, 0.1, seed=3).ids, kept.ids)


def test_a_window_reaches_over_what_was_dropped():
    text = index_sentences([["x", "the", "y"]] + [["the"]] * 5000)
    kept = subsample(text, 2e-4, seed=0)
    pairs = window_pairs(kept, 1).to_frame()
    near = pairs[(pairs["word"] == "x") & (pairs["context"] == "y")]
    assert near[["position", "context position"]].to_numpy().tolist() == [[0, 2]]


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: index_sentences([[]]), "the number of tokens must be from 1 to 500000; got 0"),
        (lambda: counts_of(SENTENCES, 0), "the window m must be from 1 to 10; got 0"),
        (
            lambda: index_sentences([[f"w{i}" for i in range(3001)]]),
            "the number of distinct words must be from 1 to 3000; got 3001",
        ),
        (
            lambda: cell_places(counts_of(SENTENCES, 1), "cat", "zebra"),
            "a word must be one of the 6 known; got 'zebra'",
        ),
        (
            lambda: subsample(index_sentences(SENTENCES), 0.0),
            "the threshold must be above 0 and at most 1; got 0",
        ),
        (
            lambda: mutual_information(torch.ones(2, 2).double(), 0.0),
            "the smoothing α must be above 0 and at most 1; got 0",
        ),
        (lambda: mutual_information(torch.zeros(2, 2).double()), "one above 0; got 0 to 0"),
        (lambda: mutual_information(-torch.ones(2, 2).double()), "none below 0 .* got -1 to -1"),
        (lambda: truncated_svd(drawn(4, 3), 4), "the dimensions d must be from 1 to 3; got 4"),
        (lambda: truncated_svd(drawn(4, 3), 2, 1.5), "the power p must be from 0 to 1; got 1.5"),
        (
            lambda: truncated_svd(torch.zeros(3, 3).double(), 2),
            "finite entries that are not all 0; got 0 to 0",
        ),
    ],
)
def test_what_is_out_of_bounds_is_refused(call, message):
    with pytest.raises(ValueError, match=message):
        call()
