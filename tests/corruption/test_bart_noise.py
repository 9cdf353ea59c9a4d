"""BART's corruptions change only what they should; RoBERTa's inputs are full and in order."""

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from lmcore.corruption import bart_noise
from lmcore.corruption.bart_noise import (
    MASK,
    document_rotation,
    sentence_permutation,
    sentences,
    text_infilling,
    token_deletion,
    token_masking,
)
from lmcore.corruption.full_sentences import LONGEST, pack, shortest_length

TEXT = ["a", "b", "c", ".", "d", "e", "f", "g", ".", "h", "i", "."]
LONG = [str(n) for n in range(200)]


def drawn(seed):
    return torch.Generator().manual_seed(seed)


@given(st.integers(0, 2**31), st.floats(0, 1))
@settings(max_examples=40)
def test_masking_and_deletion_leave_the_rest_alone(seed, share):
    masked = token_masking(TEXT, drawn(seed), share=share)
    assert len(masked.corrupted) == len(TEXT)
    assert all(now in (was, MASK) for was, now in zip(TEXT, masked.corrupted, strict=True))
    deleted = token_deletion(TEXT, drawn(seed), share=share)
    # From the same random numbers, deletion removes the tokens that masking masks.
    kept = [was for was, now in zip(TEXT, masked.corrupted, strict=True) if now != MASK]
    assert list(deleted.corrupted) == kept


def test_shares_are_met_on_average():
    for noise in (token_masking, token_deletion):
        hit = [noise(LONG, drawn(seed)) for seed in range(100)]
        gone = sum(piece.what != "kept" for trace in hit for piece in trace.pieces)
        assert gone / 20_000 == pytest.approx(0.3, abs=0.015)


@given(st.integers(0, 2**31), st.floats(0, 1), st.floats(0.2, 8))
@settings(max_examples=60)
def test_infilling_covers_its_share_in_runs_and_can_be_undone(seed, share, mean):
    trace = text_infilling(LONG[:40], drawn(seed), share=share, mean=mean)
    filled = [piece.places for piece in trace.pieces if piece.what == "filled"]
    covered = sum(map(len, filled))
    assert share * 40 - 1e-6 <= covered < share * 40 + 1
    everything = [place for piece in trace.pieces for place in piece.places]
    assert everything == list(range(40))
    masks = sum(piece.what in ("filled", "inserted") for piece in trace.pieces)
    assert trace.corrupted.count(MASK) == masks == len(trace.drawn)
    assert sum(length == 0 for length in trace.drawn) == sum(
        piece.what == "inserted" for piece in trace.pieces
    )
    assert all(not piece.places for piece in trace.pieces if piece.what == "inserted")


def test_the_lengths_of_runs_are_poisson_with_mean_three():
    # The last run of each text is left out: a longer run is likelier to be the last.
    found = [n for seed in range(300) for n in text_infilling(LONG, drawn(seed)).drawn[:-1]]
    counted = torch.tensor(found).bincount(minlength=9)[:9] / len(found)
    wanted = torch.distributions.Poisson(3.0).log_prob(torch.arange(9)).exp()
    assert counted.tolist() == pytest.approx(wanted.tolist(), abs=0.02)


def test_sentences_change_places_whole():
    assert [list(part) for part in sentences(["a", "b", ".", "c"])] == [[0, 1, 2], [3]]
    parts = [["a", "b", "c", "."], ["d", "e", "f", "g", "."], ["h", "i", "."]]
    seen = set()
    for seed in range(60):
        trace = sentence_permutation(TEXT, drawn(seed))
        assert list(trace.corrupted) == [token for n in trace.drawn for token in parts[n]]
        seen.add(trace.drawn)
    assert len(seen) == 6


def test_a_rotation_begins_anywhere_and_keeps_the_order():
    starts = set()
    for seed in range(200):
        trace = document_rotation(TEXT, drawn(seed))
        (first,) = trace.drawn
        assert list(trace.corrupted) == TEXT[first:] + TEXT[:first]
        starts.add(first)
    assert starts == set(range(len(TEXT)))


@pytest.mark.parametrize("name", ["token_masking", "token_deletion", "text_infilling"])
def test_shares_that_cannot_be_are_refused(name):
    with pytest.raises(ValueError, match=r"the share must be from 0 to 1; got 1\.2"):
        getattr(bart_noise, name)(TEXT, drawn(0), share=1.2)


def test_no_text_and_no_length_are_refused():
    for noise in (token_masking, text_infilling, sentence_permutation, document_rotation):
        with pytest.raises(ValueError, match="1 token or more; got none"):
            noise([], drawn(0))
    with pytest.raises(ValueError, match=r"the mean length must be from 0\.1 to 100 tokens; got 0"):
        text_infilling(TEXT, drawn(0), mean=0.0)


DOCUMENTS = [[["a", "b", "."], ["c", "."]], [["d", "e", "f", "."]], [["g", "."], ["h", "."]]]


def written(trace):
    return [" ".join(item.token for item in items) for items in trace.inputs]


def test_inputs_go_on_past_the_end_of_a_document_after_one_more_separator():
    # By hand: 2 at the ends + 3 + 2 + 1 [SEP] + 4 = 12; the third document begins a new input.
    assert written(pack(DOCUMENTS, 12)) == [
        "[CLS] a b . c . [SEP] d e f . [SEP]",
        "[CLS] g . h . [SEP]",
    ]
    assert written(pack(DOCUMENTS, 11)) == [
        "[CLS] a b . c . [SEP]",
        "[CLS] d e f . [SEP] g . h . [SEP]",
    ]
    assert written(pack(DOCUMENTS, 12, across=False)) == [
        "[CLS] a b . c . [SEP]", "[CLS] d e f . [SEP]", "[CLS] g . h . [SEP]",
    ]  # fmt: skip
    assert pack(DOCUMENTS, 12).filled == pytest.approx((12 + 6) / 24)


@given(st.lists(st.lists(st.integers(1, 9), min_size=1, max_size=5), min_size=1, max_size=5),
       st.integers(11, 60), st.booleans())  # fmt: skip
@settings(max_examples=60)
def test_no_token_is_lost_and_no_sentence_could_have_gone_before(sizes, length, across):
    documents = [[[f"{d}.{s}.{t}" for t in range(size)] for s, size in enumerate(each)]
                 for d, each in enumerate(sizes)]  # fmt: skip
    trace = pack(documents, length, across=across)
    read = [item.token for items in trace.inputs for item in items if item.what == "word"]
    assert read == [token for each in documents for sentence in each for token in sentence]
    assert all(len(items) <= length for items in trace.inputs)
    for one, following in zip(trace.inputs, trace.inputs[1:], strict=False):
        first = following[1]
        new = first.document != one[-2].document
        size = len(documents[first.document][first.sentence])
        assert len(one) + new + size > length or (new and not across)


def test_sentences_that_cannot_be_packed_are_refused():
    assert shortest_length(DOCUMENTS) == 6
    with pytest.raises(
        ValueError, match="sentence 1 of document 2 must have at most 3 tokens; got 4"
    ):
        pack(DOCUMENTS, 5)
    with pytest.raises(ValueError, match="must have a sentence, and each sentence a token"):
        pack([])
    assert pack(DOCUMENTS).length == LONGEST == 512
