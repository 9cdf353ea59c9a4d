import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lmcore.attention.matrices import parse_matrix
from lmcore.attention.permutation import parse_order
from lmcore.corpora.microworld import microworld
from lmcore.corpora.translation import COPIED as KNOWN
from lmcore.corpora.translation import parse_source
from lmcore.decoding.tree_paths import parse_edges
from lmcore.graph import parse_program, trace_graph
from lmcore.models.masks import parse_mask
from lmcore.networks.points import parse_points
from lmcore.parsing import parse_rows
from lmcore.transformer.tiny import parse_edits
from lmcore.typed import fold, fold_number, is_ambiguous, split_numbers
from lmcore.vocabulary import UnknownTokenError, Vocabulary

ROWS = "0.5 0.25 0.25, 0.5 0.5 0, 1 0 0"
COPIED = next(word for word in sorted(KNOWN) if len(word) > 2)


@pytest.mark.parametrize("mark", "’‘\u02bc`\u00b4\uff07\u2032")
def test_every_apostrophe_is_the_plain_one(mark):
    assert fold(f"didn{mark}t") == "didn't"


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("“so” „so“", '"so" "so"'),
        ("ani\u00admal", "animal"),
        ("\ufeff\u200ethe\u200b cat\u2060", "the cat"),
        ("\ufb01ne, o\ufb03ce", "fine, office"),
        ("\uff54\uff48\uff45\u3000\uff43at\uff01", "the cat!"),
        ("the\u00a0cat\u202f.", "the cat ."),
        ("cafe\u0301", "café"),
        ("non\u2011word", "non-word"),
        ("x² ½ x₁ – « »", "x² ½ x₁ – « »"),
    ],
)
def test_other_programs_spellings_are_read(written, read):
    assert fold(written) == read


@given(st.text())
def test_what_is_folded_once_stays_and_is_composed(text):
    once = fold(text)
    assert fold(once) == once == unicodedata.normalize("NFC", once)


def test_characters_that_are_known_stay():
    assert fold("‘a’ `b`", keep="’`") == "'a’ `b`"


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("–1", "-1"),
        ("−0,5", "-0.5"),
        ("1e\u22123", "1e-3"),
        ("\uff10\uff0c\uff15", "0.5"),
        ("\u0663\u066b\u0665", "3.5"),
        (" \u200b,25\u00a0", ".25"),
        ("1,5e-3", "1.5e-3"),
        ("0,500", "0.500"),
        ("1,000,000", "1000000"),
        ("1,500", "1,500"),
        ("two", "two"),
    ],
)
def test_a_number_is_read_in_the_signs_of_every_language(written, read):
    assert fold_number(written) == read
    assert is_ambiguous(read) == (read == "1,500")


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("0,5; 1,5", ["0.5", "1.5"]),
        ("0,5 1,5", ["0.5", "1.5"]),
        ("0,5\t–1", ["0.5", "-1"]),
        ("[0,5; 1,5]", ["0.5", "1.5"]),
        ("0,5", ["0", "5"]),
        ("0.5,1.5", ["0.5", "1.5"]),
        ("1,2,3", ["1", "2", "3"]),
        ("1, 2; 3, 4", ["1", "2", "3", "4"]),
        ("0.5 1,5", ["0.5", "1", "5"]),
        ("", []),
    ],
)
def test_a_list_has_decimal_commas_where_another_sign_separates(written, read):
    assert split_numbers(written) == read


def test_how_many_there_must_be_says_what_a_comma_means():
    assert split_numbers("1,2 3", 3) == ["1", "2", "3"]
    assert split_numbers("1,2 3", 2) == ["1.2", "3"]


PARSED = {
    "matrix": (lambda text: parse_matrix(text, "Q"), "–1 \uff10,5\uff1b2,5 3", "-1 0.5; 2.5 3"),
    "points": (parse_points, "0,5 –1,5 1\u200b\uff1b1,2,0", "0.5 -1.5 1; 1,2,0"),
    "painted mask": (parse_mask, "\uff11\u0660\uff0e\uff11\uff11\u00a0", "10.11"),
    "edits": (parse_edits, "40\uff1aWQ\uff3b1,2\uff3d=\u00a0–0,5", "40: WQ[1,2] = -0.5"),
    "edges": (parse_edges, ROWS.replace(",", "\uff1b").replace(".", ","), ROWS),
    "order": (lambda text: parse_order("a b c", text), "2\u00a0\u0660 1", "2 0 1"),
    "table": (lambda text: parse_rows(text, 2), "\ufeffa;b\r\n0,5;–1\r\n", "a,b\n0.5,-1"),
    "source": (lambda text: parse_source(text, "copy"), COPIED[:1] + "\u00ad" + COPIED[1:], COPIED),
}


@pytest.mark.parametrize("name", PARSED)
def test_what_is_parsed_is_folded(name):
    parse, written, plain = PARSED[name]
    assert str(parse(written)) == str(parse(plain))


@pytest.mark.parametrize(
    ("written", "plain"),
    [
        ("a = –0,5; b = \uff12\nL = a×b", "a = -0.5; b = 2\nL = a*b"),
        ("x = [1,2]\nL\u200b = sum(x)·1,5", "x = [1,2]\nL = sum(x)*1.5"),
        ("L = max(1,5)", "L = max(1, 5)"),
    ],
)
def test_a_program_has_decimal_commas_outside_of_its_brackets(written, plain):
    one, other = (trace_graph(parse_program(text)) for text in (written, plain))
    assert one.to_frame().value.tolist() == other.to_frame().value.tolist()


def test_a_place_in_a_program_is_that_of_what_was_typed():
    with pytest.raises(ValueError, match=r"line 1, column 7: .* got '`'"):
        parse_program("\u200ba = 2`")


def test_our_models_read_every_apostrophe_and_a_vocabulary_keeps_its_own():
    known = Vocabulary(("<s>", "the", "animal", "didn't"))
    assert known.read("the ani\u00admal didn’t") == [0, 1, 2, 3]
    assert Vocabulary(("’", "a", "'")).read("’") == [0]
    with pytest.raises(UnknownTokenError, match="one of the 3 words the model knows; got 'cat'"):
        known.read("the cat")


@pytest.mark.parametrize(
    ("typed", "near"),
    [("dgo", ("dog",)), ("hrse", ("horse",)), ("sleeping", ("sleep", "sleeps")), ("love", ())],
)
def test_similar_words_are_mistyped_ones_or_other_endings(typed, near):
    assert microworld().vocabulary.similar(typed) == near


def test_the_most_similar_word_comes_first():
    known = Vocabulary(("dogs", "dog", "door", "cat"))
    assert known.similar("dogz") == ("dog", "dogs") and known.similar("qqq") == ()
