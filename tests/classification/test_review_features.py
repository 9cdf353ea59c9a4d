import math
import re

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from lmcore.classification import lexicons
from lmcore.classification.features import extract_features, feature_matrix
from lmcore.classification.lexicons import NEGATIVE, POSITIVE, PRONOUNS, tokenize_review

SMALL = "I saw no charm, only noise. No, YOU won't love my great, great town!"
texts = st.lists(
    st.sampled_from(
        [*sorted(POSITIVE)[:4], *sorted(NEGATIVE)[:4], "no", "not", "you", "film", "!", "NO", "It"]
    ),
    min_size=1,
    max_size=30,
).filter(lambda words: any(word != "!" for word in words))


def test_the_six_features_of_a_small_text_counted_by_hand():
    trace = extract_features(SMALL)
    assert trace.values.tolist() == [4, 1, 1, 3, 1, math.log(14)]
    assert trace.values.dtype == torch.float64
    words = [[token.text for token in each.matches] for each in trace.features]
    assert words[:5] == [
        ["charm", "love", "great", "great"],
        ["noise"],
        ["no", "no"],
        ["i", "you", "my"],
        ["!"],
    ]


def test_a_span_is_where_the_word_stands_in_the_typed_text():
    trace = extract_features(SMALL)
    for feature in trace.features:
        for token, (start, end) in zip(feature.matches, feature.spans, strict=True):
            assert SMALL[start:end].lower() == token.text


@given(texts)
def test_the_features_are_what_counting_with_regular_expressions_gives(words):
    text = " ".join(words)
    low = text.lower()

    def count(lexicon):
        return len(re.findall(rf"\b(?:{'|'.join(sorted(lexicon))})\b", low))

    wanted = [
        count(POSITIVE),
        count(NEGATIVE),
        float(count({"no"}) > 0),
        count(PRONOUNS),
        float("!" in text),
        math.log(len(re.findall(r"\w+", low))),
    ]
    torch.testing.assert_close(
        extract_features(text).values, torch.tensor(wanted, dtype=torch.float64), rtol=0, atol=1e-14
    )


@given(texts, st.randoms(use_true_random=False))
def test_the_order_of_the_words_does_not_matter_to_the_features(words, random):
    shuffled = random.sample(words, len(words))
    same = extract_features(" ".join(words)).values, extract_features(" ".join(shuffled)).values
    assert torch.equal(*same)


def test_no_is_a_word_and_not_a_part_of_one():
    assert extract_features("not nobody nothing know").values[2] == 0
    assert extract_features("NO way").values[2] == 1


def test_a_pronoun_before_an_apostrophe_counts():
    pronouns = extract_features("I'm sure you’re here, it's theirs").features[3]
    assert [token.text for token in pronouns.matches] == ["i'm", "you're"]


def test_the_exclamation_mark_is_a_token_but_not_a_word():
    tokens = tokenize_review("Wow!! Fine.")
    assert [token.text for token in tokens] == ["wow", "!", "!", "fine"]
    assert float(extract_features("Wow!! Fine.").values[5]) == math.log(2)


def test_the_lexicons_have_25_to_40_words_and_share_none():
    assert 25 <= len(POSITIVE) <= 40
    assert 25 <= len(NEGATIVE) <= 40
    assert not POSITIVE & NEGATIVE
    assert not PRONOUNS & (POSITIVE | NEGATIVE)


def test_a_matrix_has_one_row_per_text():
    rows = feature_matrix([SMALL, "fine"])
    assert rows.shape == (2, 6)
    assert torch.equal(rows[0], extract_features(SMALL).values)


def test_the_frame_has_one_row_per_feature():
    table = extract_features(SMALL).to_frame()
    assert table["feature"].tolist() == ["x1", "x2", "x3", "x4", "x5", "x6"]
    assert table["value"].tolist() == extract_features(SMALL).values.tolist()
    assert table["words"][3] == "i you my"


@pytest.mark.parametrize(
    ("text", "got"), [("", "an empty text"), (" \n", "an empty text"), (" !!", "got '!!'")]
)
def test_a_text_without_a_word_is_refused(text, got):
    with pytest.raises(ValueError, match=f"the text must have at least one word; .*{got}"):
        extract_features(text)


def test_a_text_with_too_many_words_is_refused():
    most = lexicons.MOST_WORDS
    assert len(tokenize_review("a " * most)) == most
    with pytest.raises(ValueError, match=f"from 1 to {most}; got {most + 1}"):
        tokenize_review("a " * (most + 1))
