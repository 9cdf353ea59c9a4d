"""Text to tokens, tokens to ids, and both back again."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lmcore.vocabulary import (
    END,
    MAX_TYPES,
    START,
    UNKNOWN,
    Vocabulary,
    build_vocabulary,
    join_tokens,
    split_text,
)

FED = Vocabulary((START, END, ".", "cat", "gets", "fed", "the"), lower=True)
WITH_UNKNOWN = Vocabulary((START, END, UNKNOWN, "cat", "the"))


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("The cat didn't eat.", ["The", "cat", "didn't", "eat", "."]),
        ("the dogs’ bowl, isn’t it?", ["the", "dogs", "’", "bowl", ",", "isn’t", "it", "?"]),
        ("<s> Today is </s>", [START, "Today", "is", END]),
        ("an <unk> (word)", ["an", UNKNOWN, "(", "word", ")"]),
        ("a<b", ["a", "<", "b"]),
        (" \n\t", []),
        ("Größe 575", ["Größe", "575"]),
    ],
)
def test_words_keep_their_apostrophes_and_marks_stand_alone(text, tokens):
    assert split_text(text, "word") == tokens


@given(st.text())
def test_characters_are_the_text_itself(text):
    assert split_text(text, "character") == list(text)
    assert join_tokens(split_text(text, "character"), "character") == text


@given(st.text())
def test_no_letter_is_lost_between_words(text):
    assert "".join(split_text(text, "word")) == "".join(text.split())


@pytest.mark.parametrize(
    "text", ["The cat (a big one) sleeps.", "It’s late, isn't it? ‘Yes!’", "one", ""]
)
def test_words_come_together_as_they_were_typed(text):
    assert join_tokens(split_text(text, "word"), "word") == text


@given(st.text())
def test_what_was_joined_is_split_the_same_again(text):
    joined = join_tokens(split_text(text, "word"), "word")
    assert join_tokens(split_text(joined, "word"), "word") == joined


def test_the_id_of_a_type_is_its_place():
    assert FED.encode(["the", "cat", "."]) == [6, 3, 2]
    assert FED.decode([6, 3, 2]) == ["the", "cat", "."]
    assert len(FED) == 7
    assert "cat" in FED
    assert "dog" not in FED
    assert FED.ids["gets"] == 4


def test_typed_words_are_read_after_the_start():
    assert FED.read("The cat gets fed.") == [0, 6, 3, 4, 5, 2]
    assert FED.read("<s> the cat") == [0, 6, 3]
    assert FED.read("") == [0]


def test_typed_characters_have_no_start():
    assert Vocabulary(("a", "b"), "character").read("bab") == [1, 0, 1]


def test_upper_case_is_kept_unless_the_vocabulary_is_lower():
    assert WITH_UNKNOWN.read("The cat") == [0, 2, 3]


def test_ids_are_written_without_the_ends():
    assert FED.write([0, 6, 3, 4, 5, 2, 1]) == "the cat gets fed."
    assert WITH_UNKNOWN.write([0, 2, 3]) == "<unk> cat"


@given(st.lists(st.sampled_from(FED.tokens)))
def test_decoding_undoes_encoding(tokens):
    assert FED.decode(FED.encode(tokens)) == tokens


def test_an_unknown_word_is_unknown_or_refused_by_its_place():
    assert WITH_UNKNOWN.encode(["the", "dog"]) == [4, 2]
    with pytest.raises(
        ValueError, match=r"word 2 must be one of the 4 words the model knows; got 'dog'"
    ):
        FED.encode(["the", "dog", "gets", "paid"])
    letters = Vocabulary(("a", "b"), "character")
    with pytest.raises(ValueError, match=r"character 3 must be one of the 2 .* got 'c'"):
        letters.read("abc")


def test_the_place_of_an_unknown_word_is_counted_as_it_was_typed():
    with pytest.raises(ValueError, match="word 2 must"):
        FED.read("the dog")
    with pytest.raises(ValueError, match="word 3 must"):
        FED.read("<s> the dog")


def test_a_built_vocabulary_has_the_frequent_first_and_ties_by_the_alphabet():
    words = build_vocabulary(["b", "a", "a", "c", "b", "d", "a"], "word")
    assert words.tokens == (START, END, UNKNOWN, "a", "b", "c", "d")
    assert build_vocabulary("cab", "character").tokens == (UNKNOWN, "a", "b", "c")
    assert words.unit == "word"
    assert not words.lower


def test_the_rare_are_set_aside_and_become_unknown():
    words = build_vocabulary(["b", "a", "a", "c", "b", "d", "a"], "word", limit=5)
    assert words.tokens == (START, END, UNKNOWN, "a", "b")
    assert words.encode(["a", "c"]) == [3, 2]


def test_the_ends_in_a_text_are_not_counted_twice():
    assert build_vocabulary([START, "a", UNKNOWN, END], "word").tokens == (START, END, UNKNOWN, "a")


def test_ten_thousand_types_are_allowed_and_a_larger_text_is_cut_to_them():
    assert len(build_vocabulary(map(str, range(MAX_TYPES + 5)), "word")) == MAX_TYPES


@pytest.mark.parametrize(
    ("unit", "limit", "said"),
    [
        ("word", 3, "limit must be from 4 to 10,000 types; got 3"),
        ("character", 1, "limit must be from 2 to 10,000 types; got 1"),
        ("word", 10_001, "limit must be from 4 to 10,000 types; got 10,001"),
    ],
)
def test_a_limit_without_room_is_refused(unit, limit, said):
    with pytest.raises(ValueError, match=said):
        build_vocabulary("abc", unit, limit=limit)


@pytest.mark.parametrize(
    ("tokens", "said"),
    [
        ((), "must hold 1 to 10,000 types; got 0"),
        (tuple(map(str, range(10_001))), "must hold 1 to 10,000 types; got 10,001"),
        (("a", "b", "a"), "must hold each type once; got 'a' twice"),
    ],
)
def test_a_vocabulary_that_is_none_is_refused(tokens, said):
    with pytest.raises(ValueError, match=said):
        Vocabulary(tokens)


def test_tokens_that_are_all_known_are_not_folded_one_by_one(monkeypatch):
    monkeypatch.setattr("lmcore.vocabulary.fold", None)
    assert FED.encode(["the", "cat", "the"]) == [6, 3, 6]
