"""Cutting words into pieces: the library's WordPiece and BPE cut every word in the same way."""

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tokenizers.models import WordPiece

from lmcore.tokenization import library, merges, pieces, split, texts
from lmcore.tokenization.pieces import UNKNOWN, longest_match, segmentations, split_by_merges
from lmcore.tokenization.rules import MERGE_RULES

WORD = st.text("abc", min_size=1, max_size=10)
PIECE = st.builds(lambda mark, text: mark + text, st.sampled_from(["", "##"]), WORD)
FEW = settings(max_examples=100)


@given(word=WORD, known=st.sets(PIECE, max_size=30))
@FEW
def test_longest_match_is_the_librarys_on_any_vocabulary(word, known):
    ids = {piece: i for i, piece in enumerate([UNKNOWN, *sorted(known)])}
    asked = WordPiece(ids, unk_token=UNKNOWN, max_input_chars_per_word=100).tokenize(word)
    assert [token.value for token in asked] == [*longest_match(word, ids).pieces]


@given(word=WORD, known=st.sets(PIECE, max_size=30))
@FEW
def test_every_attempt_is_one_letter_less_until_one_is_known(word, known):
    found = longest_match(word, known)
    start, end = 0, len(word) + 1
    for attempt in found.attempts:
        assert (attempt.start, attempt.end) == (start, end - 1)
        assert attempt.piece == ("##" if start else "") + word[start : end - 1]
        assert attempt.known == (attempt.piece in known)
        start, end = (attempt.end, len(word) + 1) if attempt.known else (start, attempt.end)
    taken = [each.piece for each in found.attempts if each.known]
    assert found.pieces == (UNKNOWN,) if found.unknown else tuple(taken)
    assert found.unknown or "".join(piece.removeprefix("##") for piece in taken) == word


@pytest.mark.parametrize("name", ["bpe", "wordpiece"])
@given(
    text=st.lists(WORD, min_size=1, max_size=8).map(" ".join),
    asked=st.lists(st.text("abcd", min_size=1, max_size=8), min_size=1, max_size=3),
)
@settings(max_examples=40)
def test_at_every_merge_the_words_are_cut_as_the_library_cuts_them(name, text, asked):
    trace = merges.train(split.count_words(text), MERGE_RULES[name], 45)
    cut = segmentations(asked, trace)
    assert [each.merges for each in cut] == sorted({each.merges for each in cut})
    for count in range(len(trace.merges) + 1):
        now = next(each for each in reversed(cut) if each.merges <= count)
        reader = library.build_tokenizer(trace, count)
        for word, ours in zip(asked, now.words, strict=True):
            assert tuple(reader.encode(word, add_special_tokens=False).tokens) == ours


def test_a_reading_is_only_kept_where_something_changes():
    trace = merges.train(texts.shipped_word_counts("birds"), MERGE_RULES["wordpiece"], 200)
    cut = segmentations(["flightless"], trace)
    assert cut[-1].merges == 12 and cut[-1].words == (("flight", "##less"),)
    assert all(a.words != b.words for a, b in pairwise(cut))


def test_one_unknown_letter_makes_the_whole_word_unknown_in_wordpiece_and_not_in_bpe():
    trace = merges.train(texts.shipped_word_counts("birds"), MERGE_RULES["wordpiece"], 200)
    found = longest_match("naïve", trace.vocabulary(60))
    assert found.unknown and found.attempts[-1].piece == "##ï"
    assert any(each.known for each in found.attempts)
    trace = merges.train(texts.shipped_word_counts("birds"), MERGE_RULES["bpe"], 200)
    ranks = {merge.pair: i for i, merge in enumerate(trace.merges)}
    assert split_by_merges("naïve", trace.rule, ranks, trace.base) == [
        "n",
        "a",
        UNKNOWN,
        UNKNOWN,
        "e</w>",
    ]


def test_more_than_a_hundred_letters_are_unknown_without_an_attempt():
    known = {"a", "##a"}
    assert len(longest_match("a" * 100, known).pieces) == 100
    assert longest_match("a" * 101, known).pieces == (UNKNOWN,)
    assert longest_match("a" * 101, known).attempts == ()


def test_a_text_read_anew_has_the_tokens_the_library_counts():
    for name in MERGE_RULES:
        trace = merges.train(texts.shipped_word_counts("story"), MERGE_RULES[name], 300)
        count = len(trace.merges)
        reader = library.build_tokenizer(trace, count)
        told = sum(n * len(reader.encode(word).ids) for word, n in trace.words.counts.items())
        assert pieces.count_tokens(trace, count) == told


def test_no_letter_is_refused():
    with pytest.raises(ValueError, match="at least one letter; got none"):
        longest_match("", {"a"})
    with pytest.raises(ValueError, match="at least one letter; got none"):
        split_by_merges("", MERGE_RULES["bpe"], {}, ())


@pytest.mark.parametrize("word", ["flightless", "naïve", "a", "penguin"])
@pytest.mark.parametrize("name", ["wordpiece", "gain"])
def test_the_lookups_after_every_merge_are_those_of_the_vocabulary_then(word, name):
    trace = merges.train(texts.shipped_word_counts("birds"), MERGE_RULES[name], 200)
    found = pieces.longest_matches(word, trace)
    assert [*found] == sorted(found) and next(iter(found)) == 0
    for n in range(len(trace.merges) + 1):
        now = found[max(step for step in found if step <= n)]
        assert now == longest_match(word, trace.vocabulary(n))
    assert all(a != b for a, b in pairwise(found.values()))
