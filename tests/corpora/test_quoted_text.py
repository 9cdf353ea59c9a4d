"""The quoted text: its draws, its known entropy, its lines and its labels."""

import math
import re
from collections import Counter
from collections.abc import Callable
from itertools import islice, pairwise

import numpy as np
import pytest

from lmcore.corpora.quoted_text import (
    ASIDE_PROBABILITY,
    CLOSING_PROBABILITY,
    NAMES,
    QUOTED_PROBABILITY,
    SENTENCES,
    VOCABULARY,
    WIDTH,
    entropy,
    labels,
    stream,
    text,
    wrap,
)

LENGTH = 1_000_000
PIECE = re.compile(r"“([^”]+)”|\(([^()]+)\)|([^.“”()]+\.)")
SENTENCE = re.compile(r"[^.]+\.")
KINDS = ("quotation", "aside", "plain")


def read_back(characters: str) -> list[tuple[str, list[str]]]:
    """The whole pieces of a text, read by their spelling alone: kind and sentences."""
    words = characters.replace("\n", " ")
    return [
        (KINDS[match.lastindex - 1], [s.strip() for s in SENTENCE.findall(match[match.lastindex])])
        for match in PIECE.finditer(words)
        if match.lastindex
    ]


@pytest.fixture(scope="module")
def pieces() -> list[tuple[str, list[str]]]:
    return read_back(text(7, LENGTH))


def write(kind: str, sentences: list[str]) -> str:
    opening, closing = {"quotation": "“”", "aside": "()", "plain": ("", "")}[kind]
    return f"{opening}{' '.join(sentences)}{closing}"


def surprise(kind: str, sentences: list[str]) -> float:
    """−ln p of one piece, choice by choice, in nats."""
    p = {
        "quotation": QUOTED_PROBABILITY,
        "aside": ASIDE_PROBABILITY,
        "plain": 1 - QUOTED_PROBABILITY - ASIDE_PROBABILITY,
    }[kind]
    if kind == "quotation":
        p *= {1: CLOSING_PROBABILITY, 2: 1 - CLOSING_PROBABILITY}[len(sentences)]
    return -math.log(p) + len(sentences) * math.log(len(SENTENCES))


def test_one_seed_gives_one_text_and_another_seed_another() -> None:
    assert text(3, 5000) == text(3, 5000)
    assert text(3, 5000) != text(4, 5000)


@pytest.mark.parametrize("characters", [0, 1, 59, 60, 61, 2000, 90_000, 300_000])
def test_a_shorter_text_is_the_beginning_of_a_longer_one(characters: int) -> None:
    assert text(5, characters) == text(5, 400_000)[:characters]


def test_the_stream_is_the_text_in_whole_lines() -> None:
    chunks = list(islice(stream(2), 3))
    assert all(chunk.endswith("\n") for chunk in chunks)
    together = "".join(chunks)
    assert together == text(2, len(together))


def test_every_line_is_as_full_as_its_words_allow() -> None:
    *lines, _ = text(1, 300_000).split("\n")
    assert max(map(len, lines)) == WIDTH
    for line, following in pairwise(lines):
        assert len(line) + 1 + len(following.split(" ")[0]) > WIDTH


def test_the_text_reads_back_into_the_pieces_that_spell_it(
    pieces: list[tuple[str, list[str]]],
) -> None:
    spelled = " ".join(write(*piece) for piece in pieces)
    drawn = text(7, LENGTH).replace("\n", " ")
    assert drawn.startswith(spelled[:-WIDTH])
    assert {s for _, sentences in pieces[:-1] for s in sentences} == set(SENTENCES)


def test_sentences_are_short_differ_and_end_at_their_only_full_stop() -> None:
    assert len(set(SENTENCES)) == len(SENTENCES)
    assert all(2 <= len(sentence.split()) <= 5 for sentence in SENTENCES)
    assert all(sentence.index(".") == len(sentence) - 1 for sentence in SENTENCES)
    assert 40 <= len({word.strip(".") for s in SENTENCES for word in s.split()}) <= 60
    assert not any(mark in sentence for sentence in SENTENCES for mark in '"“”()\n')


def test_the_vocabulary_is_the_characters_in_use_in_order() -> None:
    assert set(VOCABULARY.tokens) == set(text(1, 100_000))
    assert list(VOCABULARY.tokens) == sorted(VOCABULARY.tokens)
    assert VOCABULARY.unit == "character"
    assert VOCABULARY.write(VOCABULARY.read(text(1, 500))) == text(1, 500)


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_the_entropy_is_that_of_a_sample_within_two_standard_errors(seed: int) -> None:
    whole = read_back(text(seed, LENGTH))[:-1]
    nats = np.array([surprise(*piece) for piece in whole])
    sizes = np.array([len(write(*piece)) + 1 for piece in whole])
    # The ratio of two means, and its error from the residuals of nats ≈ rate·characters.
    rate = nats.sum() / sizes.sum()
    error = (nats - rate * sizes).std() / math.sqrt(len(whole)) / sizes.mean()
    assert abs(rate - entropy()) < 2 * error
    assert error < 0.002 * entropy()


def test_pieces_come_as_often_as_their_probabilities_say(
    pieces: list[tuple[str, list[str]]],
) -> None:
    counts = Counter(kind for kind, _ in pieces)
    expected = (
        ("quotation", QUOTED_PROBABILITY),
        ("aside", ASIDE_PROBABILITY),
        ("plain", 1 - QUOTED_PROBABILITY - ASIDE_PROBABILITY),
    )
    for kind, p in expected:
        error = math.sqrt(p * (1 - p) / len(pieces))
        assert abs(counts[kind] / len(pieces) - p) < 4 * error


def test_the_same_sentences_stand_inside_and_outside(pieces: list[tuple[str, list[str]]]) -> None:
    for kind in KINDS:
        drawn = Counter(s for k, sentences in pieces[:-1] for s in sentences if k == kind)
        expected = drawn.total() / len(SENTENCES)
        statistic = sum((drawn[s] - expected) ** 2 for s in SENTENCES) / expected
        # χ² with |S| − 1 degrees of freedom has the mean |S| − 1 and the variance 2·(|S| − 1).
        freedom = len(SENTENCES) - 1
        assert abs(statistic - freedom) < 4 * math.sqrt(2 * freedom), kind


def test_labels_say_what_is_open_after_each_character() -> None:
    #           a    "    b    "    (    c    )
    after = labels('a"b"(c)')
    assert after.inside_quotes.tolist() == [False, True, True, False, False, False, False]
    assert after.inside_brackets.tolist() == [False, False, False, False, True, True, False]
    assert after.column.tolist() == [1, 2, 3, 4, 5, 6, 7]


def test_printed_quotation_marks_are_as_good_as_typed_ones() -> None:
    after = labels("a“b”c")
    assert after.inside_quotes.tolist() == [False, True, True, False, False]


def test_the_column_starts_again_after_each_line_break() -> None:
    assert labels("ab\n\nc\n").column.tolist() == [1, 2, 0, 0, 1, 0]


def test_marks_stay_open_over_a_line_end_and_in_one_another() -> None:
    after = labels('"a\n(b" c)')
    assert after.inside_quotes.tolist() == [True] * 5 + [False] * 4
    assert after.inside_brackets.tolist() == [False] * 3 + [True] * 5 + [False]


@pytest.mark.parametrize(
    ("characters", "inside"),
    [("((a)b)c", "1111100"), (")a(b)", "00110"), (":-)(x))(", "00011001"), ("", "")],
)
def test_brackets_nest_and_a_lone_closing_one_counts_for_nothing(
    characters: str, inside: str
) -> None:
    assert labels(characters).inside_brackets.tolist() == [c == "1" for c in inside]


def test_labels_agree_with_a_scan_character_by_character() -> None:
    characters = text(9, 20_000)
    quotes = brackets = False
    column = 0
    for character, *after in zip(characters, *labels(characters), strict=True):
        quotes = character == "“" or (quotes and character != "”")
        brackets = character == "(" or (brackets and character != ")")
        column = 0 if character == "\n" else column + 1
        assert after == [quotes, brackets, column]
    assert labels(characters).column.max() == WIDTH


def test_wrapping_fills_a_line_to_its_last_column() -> None:
    line = "a" * 29 + " " + "b" * 30
    assert wrap(line) == [line]
    assert wrap(line + " c") == [line, "c"]
    assert wrap(line + "b") == ["a" * 29, "b" * 31]
    assert wrap("") == [""]


def test_a_word_longer_than_a_line_cannot_be_wrapped() -> None:
    with pytest.raises(ValueError, match=r"a word must have at most 60 characters; got 'x{61}'"):
        wrap(f"{NAMES[0]} {'x' * 61} y")


def test_a_negative_length_is_refused() -> None:
    with pytest.raises(ValueError, match="characters must be 0 or more; got -1"):
        text(1, -1)


@pytest.mark.parametrize("draw", [lambda: text(-2, 10), lambda: stream(-2)])
def test_a_negative_seed_is_refused(draw: Callable[[], object]) -> None:
    with pytest.raises(ValueError, match="seed must be 0 or more; got -2"):
        draw()
