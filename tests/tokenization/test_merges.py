"""Learning pieces: equal to a full recount and to the library, merge by merge, ties included."""

from collections import Counter
from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tokenizers import Tokenizer, models, pre_tokenizers, trainers

from lmcore.tokenization import library, merges, rules, split, texts
from lmcore.tokenization.rules import (
    CONTINUATION_MARK,
    END_OF_WORD_MARK,
    MERGE_RULES,
    SPECIAL_TOKENS,
)

WORDS = st.lists(st.text("abc", min_size=1, max_size=9), min_size=1, max_size=14)
BY_COUNT = ("bpe", "wordpiece")
FEW = settings(max_examples=60)


def train_wordpiece(counts, types):
    """The vocabulary that the library's `WordPieceTrainer` learns."""
    made = Tokenizer(models.WordPiece(unk_token=SPECIAL_TOKENS[1]))
    made.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    trainer = trainers.WordPieceTrainer(
        vocab_size=types, min_frequency=1, show_progress=False, special_tokens=list(SPECIAL_TOKENS)
    )
    made.train_from_iterator((" ".join([word] * n) for word, n in counts.items()), trainer)
    return dict(made.get_vocab())


def counted_anew(cut):
    """How often each pair and each piece occurs."""
    pairs, single = Counter(), Counter()
    for pieces, n in cut:
        for piece in pieces:
            single[piece] += n
        for pair in pairwise(pieces):
            pairs[pair] += n
    return pairs, single


def merge_everywhere(cut, pair, new):
    for pieces, _ in cut:
        i = 0
        while i + 1 < len(pieces):
            if (pieces[i], pieces[i + 1]) == pair:
                pieces[i : i + 2] = [new]
            i += 1


def recounted(counts, rule, base, limit):
    """The merges by a full recount before each one, in whole numbers and fractions."""
    ids = {piece: i for i, piece in enumerate(base)}
    cut = [(rule.letters(word), n) for word, n in counts.items()]
    found = []
    while len(ids) < limit:
        pairs, single = counted_anew(cut)
        if not pairs:
            break

        def rank(pair, pairs=pairs, single=single):
            by_gain = rule.by == "gain"
            worth = Fraction(pairs[pair], single[pair[0]] * single[pair[1]] if by_gain else 1)
            return -worth, ids[pair[0]], ids[pair[1]]

        best = min(pairs, key=rank)
        new = best[0] + (best[1][2:] if rule.mark == CONTINUATION_MARK else best[1])
        found.append((best, new, pairs[best], sum(n * len(pieces) for pieces, n in cut)))
        ids.setdefault(new, len(ids))
        merge_everywhere(cut, best, new)
    return found


@pytest.mark.parametrize("name", MERGE_RULES)
@given(words=WORDS)
@FEW
def test_every_merge_is_that_of_a_full_recount(name, words):
    counted = split.count_words(" ".join(words))
    trace = merges.train(counted, MERGE_RULES[name], 60)
    expected = recounted(counted.counts, MERGE_RULES[name], trace.base, 60 - len(SPECIAL_TOKENS))
    ours = [
        (merge.pair, merge.piece, merge.count, int(trace.tokens[step]))
        for step, merge in enumerate(trace.merges)
    ]
    assert ours == expected
    for rivals in trace.candidates:
        worth = [each.gain if name == "gain" else each.count for each in rivals]
        assert worth == sorted(worth, reverse=True)


@pytest.mark.parametrize("name", BY_COUNT)
@given(words=WORDS)
@FEW
def test_every_merge_is_the_librarys_once_the_letters_stand_in_its_order(name, words):
    counted = split.count_words(" ".join(words))
    told = library.train(counted.counts, MERGE_RULES[name], 60)
    trace = merges.train(counted, MERGE_RULES[name], 60, base=told.base)
    assert tuple(merge.pair for merge in trace.merges) == told.merges
    assert trace.vocabulary(len(trace.merges)) == told.vocabulary


@given(words=st.lists(st.text("ab", min_size=1, max_size=30), min_size=1, max_size=6))
@FEW
def test_long_words_of_two_letters_in_which_pairs_overlap_are_merged_alike(words):
    counted = split.count_words(" ".join(words))
    told = library.train(counted.counts, MERGE_RULES["bpe"], 90)
    trace = merges.train(counted, MERGE_RULES["bpe"], 90, base=told.base)
    assert tuple(merge.pair for merge in trace.merges) == told.merges


@pytest.mark.parametrize("name", BY_COUNT)
@pytest.mark.parametrize("source", ["birds", "classic", "microworld", "story"])
def test_the_texts_of_the_app_are_merged_alike(name, source):
    counted = texts.shipped_word_counts(source)
    told = library.train(counted.counts, MERGE_RULES[name], 400)
    trace = merges.train(counted, MERGE_RULES[name], 400, base=told.base)
    assert tuple(merge.pair for merge in trace.merges) == told.merges


def test_the_librarys_wordpiece_trainer_merges_by_count_and_not_by_gain():
    counted = texts.shipped_word_counts("story")
    vocabulary = train_wordpiece(counted.counts, 500)
    ranked = sorted(vocabulary, key=vocabulary.__getitem__)[len(SPECIAL_TOKENS) :]
    base = [piece for piece in ranked if len(MERGE_RULES["wordpiece"].bare(piece)) == 1]
    by_count = merges.train(counted, MERGE_RULES["wordpiece"], 500, base=base)
    assert by_count.vocabulary(len(by_count.merges)) == vocabulary
    by_gain = merges.train(counted, MERGE_RULES["gain"], 500, base=base)
    assert by_gain.vocabulary(len(by_gain.merges)).keys() != vocabulary.keys()


def test_what_the_page_says_of_the_library_is_counted():
    trace = merges.train(texts.shipped_word_counts("story"), MERGE_RULES["wordpiece"], 400)
    found, again = library.agreement(trace, 400)
    assert found.same_in_its_order == found.merges == len(trace.merges)
    assert 0 < found.same <= found.merges and again in (True, False)
    trace = merges.train(texts.shipped_word_counts("story"), MERGE_RULES["gain"], 400)
    found, _ = library.agreement(trace, 400)
    assert found.same_in_its_order < found.merges


def test_the_counts_of_the_paper_of_2016():
    counted = texts.shipped_word_counts("classic")
    assert counted.counts == {"low": 5, "lower": 2, "newest": 6, "widest": 3}
    trace = merges.train(counted, MERGE_RULES["bpe"], 60)
    made = [(*merge.pair, merge.count) for merge in trace.merges[:3]]
    assert made == [("e", "s", 6 + 3), ("es", "t" + END_OF_WORD_MARK, 6 + 3), ("l", "o", 5 + 2)]
    assert trace.tokens[0] == 5 * 3 + 2 * 5 + 6 * 6 + 3 * 6
    assert trace.exhausted and trace.tokens[-1] == 16


def test_flightless_comes_about_in_a_text_that_does_not_hold_it():
    counted = texts.shipped_word_counts("birds")
    assert "flightless" not in counted.counts and "flight" in counted.counts
    trace = merges.train(counted, MERGE_RULES["wordpiece"], 200)
    assert {"flight", "##less"} <= trace.vocabulary(12).keys()


@pytest.mark.parametrize("name", MERGE_RULES)
def test_the_vocabulary_is_special_tokens_letters_and_pieces_in_order(name):
    trace = merges.train(texts.shipped_word_counts("birds"), MERGE_RULES[name], 90)
    for step in (0, 5, len(trace.merges)):
        known = trace.vocabulary(step)
        assert [*known][:5] == ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
        assert [*known.values()] == [*range(len(known))] == [*range(trace.types[step])]
    assert (np.diff(trace.tokens) < 0).all()


@pytest.mark.parametrize(
    "text",
    [
        "a",
        "aaaa",
        "🙂🙂 🙂",
        "שלום עולם שלום",
        "e\u0301te\u0301",
        "日本語のテキスト",
        "a,b!c",
        "# ## ###",
        "</w>",
    ],
)
@pytest.mark.parametrize("name", MERGE_RULES)
def test_any_letters_can_be_learnt_from_until_every_word_is_one_piece(name, text):
    counted = split.count_words(text)
    trace = merges.train(counted, MERGE_RULES[name], 200)
    assert trace.exhausted and trace.tokens[-1] == counted.total


def test_a_text_of_one_letter_has_nothing_to_merge():
    trace = merges.train(split.count_words("a a a"), MERGE_RULES["wordpiece"], 50)
    assert trace.merges == () and trace.base == ("a",) and trace.tokens.tolist() == [3]


@pytest.mark.parametrize("text", ["ab" * 50_000, "word " * 20_000, "日本" * 50_000])
def test_a_hundred_thousand_characters_are_no_burden(text):
    try:
        counted = split.count_words(text)
    except ValueError as error:
        assert "at most 100 letters" in str(error) and text.startswith("ab")
        return
    trace = merges.train(counted, MERGE_RULES["bpe"], 200)
    assert trace.exhausted


def test_words_that_are_too_long_are_left_out_and_counted():
    counted = split.count_words("short " + "x" * 101 + " short " + "y" * 100)
    assert counted.too_long == 1 and counted.counts == {"short": 2, "y" * 100: 1}
    assert counted.total == 3


def test_words_stand_where_they_are_said_to():
    text = "Café, naïve 🙂 (日本) שלום!"
    found = split.split_words(text)
    assert [word.text for word in found] == [
        "Café", ",", "naïve", "🙂", "(", "日", "本", ")", "שלום", "!",
    ]  # fmt: skip
    assert all(text[word.start : word.end] == word.text for word in found)


def test_what_cannot_be_trained_is_refused():
    counted = texts.shipped_word_counts("classic")
    with pytest.raises(ValueError, match=r"from 18 types \(5 special tokens and 13 single letters"):
        merges.train(counted, MERGE_RULES["bpe"], 17)
    with pytest.raises(ValueError, match=r"to 3,000; got 3,001"):
        merges.train(counted, MERGE_RULES["bpe"], 3001)
    with pytest.raises(ValueError, match="base must hold the 13 letters; got 2 pieces"):
        merges.train(counted, MERGE_RULES["bpe"], 60, base=("l", "o"))
    trace = merges.train(counted, MERGE_RULES["bpe"], 60)
    with pytest.raises(ValueError, match="the number of merges must be from 0 to 13; got 14"):
        trace.vocabulary(14)
    with pytest.raises(ValueError, match="the rule must be one of wordpiece, bpe, gain; got 'x'"):
        rules.merge_rule("x")
    with pytest.raises(ValueError, match="at most 100 letters to learn from; got none"):
        split.count_words("x" * 101)


def test_a_persons_own_text_is_read_with_care():
    assert texts.own_word_counts("a b a").counts == {"a": 2, "b": 1}
    with pytest.raises(ValueError, match="at most 200,000 characters; got 200,001"):
        texts.own_word_counts("a" * 200_001)
    with pytest.raises(ValueError, match=r"got U\+0007 in line 2, character 2"):
        texts.own_word_counts("one\nt\x07wo")
    with pytest.raises(ValueError, match=r"got U\+D800 in line 1, character 1"):
        texts.own_word_counts("\ud800")
    with pytest.raises(ValueError, match="got only spaces"):
        texts.own_word_counts(" \n")
    with pytest.raises(ValueError, match=r"the text must be one of birds, .*; got 'x'"):
        texts.shipped_word_counts("x")
