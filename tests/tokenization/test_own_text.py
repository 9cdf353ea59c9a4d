"""A visitor's own text: read with care, refused in plain words, counted correctly."""

import codecs
import unicodedata
from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lmcore.tokenization.own_text import LARGEST_BYTES, MIN_TOKENS, MOST_MARKS, OwnText, read_text
from lmcore.vocabulary import END, START, UNKNOWN

POEM = "The cat sleeps.\nThe dog sleeps too.\n"


@given(st.binary())
def test_any_bytes_are_a_text_or_are_refused(data):
    try:
        text = read_text(data)
    except ValueError:
        return
    assert text.strip()
    assert unicodedata.is_normalized("NFC", text)
    assert read_text(text) == read_text(text.encode()) == text


@given(st.text(st.characters(exclude_categories=[])) | st.text(st.sampled_from("a é\u0301\r\n\0")))
def test_any_string_is_a_text_or_is_refused(data):
    try:
        text = read_text(data)
    except ValueError:
        return
    assert text.strip()
    assert "\r" not in text
    assert read_text(text.encode()) == text


def test_a_text_is_made_uniform():
    assert read_text("caf\u0065\u0301".encode()) == "café"
    assert read_text(codecs.BOM_UTF8 + b"cat") == "cat"
    assert read_text("\ufeffcat") == "cat"
    assert read_text(b"a\r\nb\rc\nd") == "a\nb\nc\nd"
    assert read_text("a\fb\vc\u2028d\u2029e\u0085f") == "a\nb\nc\nd\ne\nf"
    assert read_text(b"a\tb ") == "a\tb "


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"", "must have at least one word; got an empty text"),
        (codecs.BOM_UTF8, "must have at least one word; got an empty text"),
        (b" \n\t \r\n", "must have at least one word; got only spaces"),
        (b"PNG\0\1", r"must be plain text in UTF-8; got byte 0x00 at byte 4"),
        ("cat".encode("utf-16"), "must be UTF-8; got UTF-16 or UTF-32: save it as UTF-8"),
        (codecs.BOM_UTF16_BE + b"\0c", "must be UTF-8; got UTF-16 or UTF-32: save it as UTF-8"),
        ("cat".encode("utf-32"), "must be UTF-8; got UTF-16 or UTF-32: save it as UTF-8"),
        (codecs.BOM_UTF32_BE + b"\0\0\0c", "got UTF-16 or UTF-32"),
        ("cat".encode("utf-16-le"), "got byte 0x00 at byte 2, as in a picture"),
        ("le café".encode("latin-1"), r"got byte 0xE9 at byte 7, which is not: save it as UTF-8"),
        (b"x" * (LARGEST_BYTES + 1), "must have at most 1,000,000 bytes; got 1,000,001"),
        ("é" * (LARGEST_BYTES // 2 + 1), "must have at most 1,000,000 bytes; got 1,000,002"),
        (b"one\r\ntwo\x07", r"but tabs and line ends; got U\+0007 in line 2, character 4"),
        ("one\0", r"but tabs and line ends; got U\+0000 in line 1, character 4"),
        ("\ud800", r"got U\+D800 in line 1, character 1"),
        ("\x9b0m", r"got U\+009B in line 1, character 1"),
        (
            "x\na" + "\u0300" * (MOST_MARKS + 1),
            "at most 30 marks on one letter; got more in line 2",
        ),
    ],
)
def test_what_is_no_text_is_refused_with_the_place(data, said):
    with pytest.raises(ValueError, match=said):
        read_text(data)


def test_a_server_may_allow_less(monkeypatch):
    monkeypatch.setenv("LMCORE_TEXT_KB", "1")
    assert len(read_text("x" * 1000)) == 1000
    with pytest.raises(ValueError, match="must have at most 1,000 bytes; got 1,001"):
        read_text("x" * 1001)


def test_a_megabyte_is_not_too_long_and_thirty_marks_are_not_too_many():
    assert len(read_text(b"x" * LARGEST_BYTES)) == LARGEST_BYTES
    assert read_text("a" + "\u0316\u0300" * (MOST_MARKS // 2))


def test_no_error_shows_a_piece_of_the_text():
    secret = "secret"
    for data in (f"{secret}\0", f"{secret}\x1b", f"{secret}é".encode("latin-1"), secret * 200_000):
        with pytest.raises(ValueError, match="must") as refused:
            read_text(data)
        assert secret not in str(refused.value)
    with pytest.raises(ValueError, match="must") as refused:
        OwnText(secret)
    assert secret not in str(refused.value)
    assert secret not in repr(OwnText(f"{secret} " * MIN_TOKENS))


@given(st.lists(st.sampled_from(["cat", "dog", "the", "sleeps", "."]), min_size=1, max_size=9))
def test_the_statistics_are_those_of_a_plain_count(some):
    words = some * MIN_TOKENS
    own = OwnText("\n".join(words), limit=10)
    found, counts = own.statistics, Counter(words)
    assert (found.words, found.lines, found.tokens) == (len(words),) * 3
    assert found.characters == len(own.text)
    assert found.types == len(counts)
    assert (found.covered, found.unknown) == (1, 0)


def test_what_the_vocabulary_leaves_out_is_counted_as_unknown():
    own = OwnText(" ".join(f"{chr(97 + i)} " * (20 - i) for i in range(20)), limit=10)
    assert own.vocabulary.tokens == (START, END, UNKNOWN, *"abcdefg")
    size = sum(range(1, 21))
    assert own.statistics.unknown == sum(range(1, 14)) / size
    assert own.statistics.covered == pytest.approx(1 - own.statistics.unknown)
    assert (own.ids == own.vocabulary.ids[UNKNOWN]).sum() / size == own.statistics.unknown
    assert own.statistics.types == 20
    assert own.statistics.singletons == 1


def test_lines_are_documents_where_no_blank_line_parts_paragraphs():
    own = OwnText(POEM * 30)
    written = " ".join(own.vocabulary.decode(own.ids[:12].tolist()))
    assert written == "<s> The cat sleeps . </s> <s> The dog sleeps too ."
    assert (own.ids == own.vocabulary.ids[START]).sum() == 60


def test_paragraphs_are_documents_where_blank_lines_part_them():
    own = OwnText(f"\n\n{POEM}   \n\n" * 30)
    written = " ".join(own.vocabulary.decode(own.ids[:12].tolist()))
    assert written == "<s> The cat sleeps . The dog sleeps too . </s> <s>"
    assert own.ids[-1] == own.vocabulary.ids[END]
    assert own.statistics.lines == 60


def test_what_looks_like_an_end_inside_the_text_is_unknown():
    own = OwnText("a <s> b </s> <unk> " * 60)
    assert own.vocabulary.decode(own.ids[:7].tolist()) == [
        START,
        "a",
        UNKNOWN,
        "b",
        UNKNOWN,
        UNKNOWN,
        "a",
    ]
    assert (own.ids == own.vocabulary.ids[START]).sum() == 1
    assert own.statistics.unknown == 0.6


def test_characters_are_read_as_they_stand():
    own = OwnText(POEM * 10, "character")
    assert "".join(own.vocabulary.decode(own.ids.tolist())) == POEM * 10
    assert own.statistics.tokens == own.statistics.characters == len(own.ids)
    assert START not in own.vocabulary


@pytest.mark.parametrize("unit", ["word", "character"])
def test_the_last_tenth_is_for_validation(unit):
    own = OwnText(POEM * 30, unit)
    assert len(own.validation) == len(own.ids) // 10
    np.testing.assert_array_equal(np.concatenate([own.training, own.validation]), own.ids)


def test_a_megabyte_of_one_letter_is_a_text_of_one_type():
    own = OwnText(read_text(b"a" * LARGEST_BYTES), "character")
    assert own.vocabulary.tokens == (UNKNOWN, "a")
    assert own.statistics.types == 1
    assert set(own.ids.tolist()) == {1}
    with pytest.raises(ValueError, match="must have at least 200 words; got 1"):
        OwnText("a" * LARGEST_BYTES)


def test_a_text_of_very_many_types_is_cut_to_the_vocabulary():
    own = OwnText(" ".join(f"w{i}" for i in range(100_000)))
    assert len(own.vocabulary) == 10_000
    assert own.statistics.unknown == pytest.approx(1 - 9_997 / 100_000)
    assert own.statistics.singletons == 100_000


@pytest.mark.parametrize(
    ("text", "unit", "said"),
    [
        ("one", "word", "to train on must have at least 200 words; got 1"),
        ("x " * 199, "word", "at least 200 words; got 199"),
        ("x" * 199, "character", "at least 200 characters; got 199"),
        ("", "character", "at least 200 characters; got 0"),
    ],
)
def test_too_short_a_text_is_refused(text, unit, said):
    with pytest.raises(ValueError, match=said):
        OwnText(text, unit)


@pytest.mark.parametrize("limit", [9, 10_001])
def test_a_limit_out_of_bounds_is_refused(limit):
    with pytest.raises(ValueError, match=f"limited to 10 to 10,000 types; got {limit:,}"):
        OwnText(POEM * 60, limit=limit)
