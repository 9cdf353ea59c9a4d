import csv
import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lmcore.classification import own_reviews
from lmcore.classification.embedding_classifier import EmbeddingConfig, train_embeddings
from lmcore.classification.hand_features import HandConfig, train_hand_features
from lmcore.classification.own_reviews import parse_reviews

SMALL = 'text,label\n"a great, funny film",1\n\nnothing but noise, negative\n'


def test_quotes_a_header_and_blank_lines_are_read():
    drawn = parse_reviews(SMALL)
    assert drawn.texts == ("a great, funny film", "nothing but noise")
    assert drawn.labels.tolist() == [1, 0]
    assert not drawn.held_out.any()


def test_bytes_and_text_give_the_same():
    assert parse_reviews(("\ufeff" + SMALL).encode()).texts == parse_reviews(SMALL).texts


def test_every_way_to_write_a_label_is_read():
    drawn = parse_reviews("a,0\nb,1\nc,negative\nd,Positive\n")
    assert drawn.labels.tolist() == [0, 1, 0, 1]


SPREADSHEETS = {
    "semicolons": 'Review;Sentiment\r\n"so; so";neg\r\nsehr schön;pos\r\n',
    "tabs": "review\tlabel\nso; so\tNEG\nsehr schön\tPOS\n",
    "row numbers": ',text,label\n0,"so; so",0\n1,sehr schön,1\n',
    "label first": 'label,text\n0,"so; so"\n1,sehr schön\n',
    "no header": '0;"so; so"\n1;sehr schön',
    "named delimiter": 'sep=;\n"so; so";0\n"sehr schön";1',
}


@pytest.mark.parametrize("table", SPREADSHEETS.values(), ids=SPREADSHEETS)
@pytest.mark.parametrize("encoding", ["utf-8-sig", "cp1252"])
def test_reviews_are_read_as_spreadsheets_write_them(table, encoding):
    drawn = parse_reviews(table.encode(encoding))
    assert drawn.texts == ("so; so", "sehr schön")
    assert drawn.labels.tolist() == [0, 1]


def test_a_table_of_50_mb_is_refused_before_it_is_read(monkeypatch):
    monkeypatch.setattr(own_reviews.spreadsheet, "decode", None)
    with pytest.raises(ValueError, match=r"at most 100,000 bytes; got 50,000,000"):
        parse_reviews(bytes(50_000_000))


def test_a_review_may_have_a_line_break_in_its_quotes():
    assert parse_reviews('"two\nlines",1\none,0').texts == ("two\nlines", "one")


rows = st.tuples(st.text("ab ,\"'\n", max_size=12).map(lambda t: f"w{t}w"), st.booleans())


@given(st.lists(rows, min_size=1, max_size=20))
def test_what_the_csv_module_writes_is_read_back(drawn):
    drawn = [*drawn, ("good", True), ("bad", False)]
    file = io.StringIO()
    csv.writer(file).writerows([(text, int(label)) for text, label in drawn])
    parsed = parse_reviews(file.getvalue())
    assert parsed.texts == tuple(text for text, _ in drawn)
    assert parsed.labels.tolist() == [label for _, label in drawn]


def test_both_kinds_of_classifier_train_on_own_reviews():
    lines = [f"a great film number {i},1\na dull film number {i},0" for i in range(10)]
    reviews = parse_reviews("\n".join(lines))
    assert int(reviews.held_out.sum()) == 6
    hand = train_hand_features(reviews, HandConfig(steps=100))
    assert hand.logistic.held_out_accuracy.share == 1
    assert hand.one_hidden_layer.held_out_accuracy.share == 1
    learned = train_embeddings(reviews, EmbeddingConfig(steps=100))
    assert learned.held_out_accuracy.share == 1
    assert learned.classify("dull").label == 0


def test_two_reviews_are_enough():
    two = parse_reviews("great,1\ndull,0")
    hand = train_hand_features(two, HandConfig(steps=20))
    assert hand.logistic.train_accuracy.share == 1
    assert hand.logistic.held_out_accuracy.total == 0
    assert train_embeddings(two, EmbeddingConfig(steps=50)).train_accuracy.share == 1


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("good,1", "the number of reviews must be from 2 to 2000; got 1"),
        ("a,1\nb,1", "the labels must include both 0 and 1; got only 1"),
        (
            "a,1\n\nb,2",
            "the label in line 3 must be one of 0, 1, negative, positive, neg, pos; got '2'",
        ),
        ("a,1\nb", "line 2 must be a text and a label, .* got 1 part"),
        ("a,1\nb, c,0", "line 2 must be a text and a label, .* got 3 parts"),
        ('"x\ny",1\nb,7', "the label in line 3"),
        ("a,1\n!,0", "line 2: the text must have at least one word; got '!'"),
        ("a,1\n" + "b " * 501 + ",0", "line 2: the number of words .* from 1 to 500; got 501"),
        ('a,1\nb,0\n"c,1', "line 3 must have its quotes in pairs"),
        ("a,1\ntext,label", "the label in line 2"),
        ("a,1\n" * 2001, "at most 2000; got 2001|at most 2,000; line 2001 is one more"),
        ("a" * 100_001, "at most 100,000 bytes; got 100,001"),
        ("", "the text must have at least one word; got an empty text"),
    ],
)
def test_an_error_names_the_line(text, error):
    with pytest.raises(ValueError, match=error):
        parse_reviews(text)
