import pytest
from hypothesis import given
from hypothesis import strategies as st

from lmcore.parsing import MAX_CHARACTERS, MOST_ROWS, parse_number, parse_numbers, parse_rows


@pytest.mark.parametrize("text", ["0.1, 0.4, 0.2", "[0.1 0.4 0.2]", "0.1;0.4;0.2", "(.1, .4, .2)"])
def test_a_list_may_be_written_in_many_ways(text):
    assert parse_numbers(text, "weights w") == (0.1, 0.4, 0.2)


def test_a_true_minus_sign_is_read():
    assert parse_numbers("−1, 2", "weights w") == (-1.0, 2.0)


@given(st.lists(st.floats(allow_nan=False, allow_infinity=False, width=32), min_size=1))
def test_what_is_written_is_read_back(values):
    assert parse_numbers(", ".join(map(repr, values)), "inputs x") == tuple(values)


@given(st.text(max_size=200))
def test_any_text_is_read_or_refused_with_a_reason(text):
    try:
        assert parse_numbers(text, "inputs x")
    except ValueError as error:
        assert "inputs x must" in str(error)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "weights w must hold at least one number such as 0.3, 0.2; got nothing"),
        ("[]", "weights w must hold at least one number"),
        ("1, two, 3", "number 2 of weights w must be a number such as 0.4; got 'two'"),
        ("1, nan", "number 2 of weights w must be a finite number; got 'nan'"),
        ("inf", "number 1 of weights w must be a finite number; got 'inf'"),
        ("1e999", "must be a finite number; got '1e999'"),
        ("__import__('os')", "must be a number such as 0.4"),
        ("1" * 10**6, "must be at most 4,000 characters; got 1,000,000"),
        ("x" * 100, "got 'xxxxxxxxxxxxxxxxxxxxxxxx…'"),
    ],
)
def test_a_list_that_cannot_be_read_is_refused(text, message):
    with pytest.raises(ValueError) as error:
        parse_numbers(text, "weights w")
    assert message in str(error.value)


def test_a_lone_number():
    assert parse_number(" 0.4 ", "bias b") == 0.4
    with pytest.raises(ValueError, match=r"bias b must be a number such as 0.4; got nothing"):
        parse_number("  ", "bias b")


def test_a_table_may_have_names_blank_lines_and_tabs():
    assert parse_rows("x1,x2\n1,2\n\n3,4\n", 2).tolist() == [[1, 2], [3, 4]]
    assert parse_rows("1\t2\n3\t4", 2).tolist() == [[1, 2], [3, 4]]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "the table must hold at least one row of numbers; got none"),
        ("a,b", "the table must hold at least one row of numbers; got none"),
        ("1,2\n3", "line 2 must have 2 numbers; got 1"),
        ("1,2\n3,x", "line 2, column 2 must be a number such as 0.4; got 'x'"),
        ("1,2\n3,nan", "line 2, column 2 must be a finite number"),
        ("1,2\n" * (MOST_ROWS + 1), f"at most {MOST_ROWS:,} rows; got {MOST_ROWS + 1:,}"),
        ("1," * MAX_CHARACTERS, "the table must be at most 4,000 characters"),
    ],
)
def test_a_table_that_cannot_be_read_is_refused(text, message):
    with pytest.raises(ValueError) as error:
        parse_rows(text, 2)
    assert message in str(error.value)
