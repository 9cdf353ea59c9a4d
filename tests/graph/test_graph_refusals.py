"""Every error that refuses a program: its message, and the line and column as typed."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lmcore.graph import parse_program

ALLOWED = "must hold only numbers, names, .* exp, log, sigmoid, tanh, relu, max and sum; got "

REFUSED = {
    "": "a program must have at least one line, such as L = 3\\*2; got none",
    " \n # only a comment": "a program must have at least one line",
    "a" * 2_001: "a program must have at most 2000 characters; got 2001",
    "a=3\na=4": "line 2, column 1: a name must be given once; got a again, after line 1",
    "L=3; L*2": "line 1, column 6: a name must be given once; got L again, after line 1",
    "ϵ = 1\nε = 2\nL = ε": "line 2, column 1: a name must be given once; got ε again, after line 1 "
    r"\(ϵ and ε are read as one name, ε\)",
    "x₁ = 3": "line 1, column 2: a number in a name must be a plain digit, such as x1; got '₁'",
    "a = 3\nL = a²": r"line 2, column 6: a power must be written with \^, such as a\^2; got '²'",
    "exp = 3": "line 1, column 1: a name must not be a function's; got exp",
    "a=3\n  L = a + q": "line 2, column 11: a name must have a value on a line of its own above, "
    "such as q = 1; got q without one",
    "L = a; a = 1": "line 1, column 5: a name must have a value .* above",
    "a = 1; L = a + exp": r"line 1, column 16: exp must be followed by its values in \( \)",
    "a = 3\nb^2 # here\nL = a": "line 2, column 1: every line but the last must give its value a "
    r"name, such as d = 2\*b; got 'b\^2'",
    "a = b = 3": "line 1, column 1: a line must read like d = 2\\*b; got 'a = b = 3'",
    "a = 1; a += 3": "line 1, column 8: a line must read like",
    "import os": "a line must read like",
    "a, b = 3": "a line must read like",
    "a = 2\nL = a^2 + 3a": "line 2, column 11: a line must read like .*a product needs its sign",
    "lambda = 3": "lambda is a word of Python's own: take another name",
    "a = 3 +": "line 1, column 8: a line must read like .*got 'a = 3 \\+'",
    "a b": "line 1, column 3: a line must read like",
    "a = 1\nL = ((a + 2)": r"line 2, column 5: every \( must be closed",
    "L = (1]": r"line 1, column 7: every \] must close a \[",
    "L = 2)": r"line 1, column 6: every \) must close a \(",
    "a = 1; L = " + "(" * 41 + "a" + ")" * 41: "line 1, column 52: brackets must nest at most 40",
    "a = 1; L = " + "-" * 41 + "a": "line 1, column 53: an expression must nest at most 40 deep",
    "a = 1; L = " + "a^" * 41 + "a": "an expression must nest at most 40 deep",
    "L = __import__('os')": 'line 1, column 16: a program must hold only .*; got "\'"',
    "L = __import__(2)": f"line 1, column 5: a line {ALLOWED}a call, '__import__\\(2\\)'",
    "a = 1; L = a(2)": f"line 1, column 12: a line {ALLOWED}a call, 'a\\(2\\)'",
    "L = sum(a=2)": f"{ALLOWED}a call",
    "L = (2)(3)": f"{ALLOWED}a call",
    "a = 1; L = a.real": f"line 1, column 12: a line {ALLOWED}a dot after a name",
    "a = 1; L = a[0]": f"line 1, column 12: a line {ALLOWED}an index in brackets",
    "a = 1; L = a == 1": f"line 1, column 12: a line {ALLOWED}a comparison",
    "a = 1; L = a < 1": "line 1, column 14: a program must hold only .*; got '<'",
    "a = 1; L = a and a": f"{ALLOWED}and / or",
    "L = 1 if 2 else 3": f"{ALLOWED}a condition",
    "a = 1; L = a, a": f"{ALLOWED}a comma outside a function or list",
    "a = 1; L = a + [1]": f"{ALLOWED}a list inside an expression",
    "a = 1; L = a // 2": f"{ALLOWED}another operator",
    "L = 1j": f"{ALLOWED}'1j'",
    "L = True": f"{ALLOWED}'True'",
    "L = not 2": f"{ALLOWED}'not 2'",
    "a = 'text'": "line 1, column 5: a program must hold only",
    "a = 1\0": "line 1, column 6: a program must hold only .*; got '.x00'",
    "a = \ud800": "line 1, column 5: a program must hold only",
    "a = 3 % 2": "line 1, column 7: a program must hold only .*; got '%'",
    "a = 1; L = exp(a, a)": "line 1, column 12: exp must be given one value; got 2",
    "a = 1; L = max(a)": "line 1, column 12: max must be given two values or more; got 1",
    "a = 2; L = a*1e308": "line 1, column 14: a number must lie between −1e100 and 1e100; "
    "got 1e308",
    "L = 1e999": "a number must lie between .*; got 1e999",
    "L = " + "9" * 1_900: "line 1, column 5: a number must lie between",
    "L = 10^200": "line 1, column 5: a number must lie between .*; got 10\\^200 = 1×10²⁰⁰",
    "a = 1; L = a + 1/0": "line 1, column 16: a number must lie between .*; got 1 ÷ 0 = ∞",
    "L = log(-1)": "a number must lie between .* = undefined",
    "L = 2 @ 3": "in a matrix product the shapes must be vectors or matrices",
    "W = [[1, 2], [3]]": "line 1, column 5: the rows of a matrix must have one length",
    "W = [1, [2]]": "the rows of a matrix must have one length",
    "W = [[]]": "the rows of a matrix must have one length",
    "W = []": "line 1, column 5: a list must hold at least one number",
    "W = [[[1]]]": "line 1, column 7: a list must have at most two axes",
    "a = 1; x = [1, a]": "line 1, column 16: a list must hold numbers only; got a",
    f"x = {[1] * 65}": "line 1, column 5: x must have at most 2 axes and 64 "
    "entries; got a vector of 65",
    f"a = {[[1]] * 9}\nb = {[[1] * 9]}\nL = sum(a*b)": "line 3, column 9: v1 must "
    "have .*; got a 9 × 9",
    "W = [[1, 2, 3], [4, 5, 6]]; x = [1, 2]\nz = 3*(W @ x)": "line 2, column 8: in v1 = W @ x the "
    "shapes must be vectors or matrices, .*; got 2 × 3 and vector of 2",
    "a = 2; x = [1, 2]; L = a @ x": "in L = a @ x .*; got scalar and vector of 2",
    "a = [1, 2]; x = [1, 2, 3]; L = sum(a + x)": "in v1 = a \\+ x the shapes must be equal, .*"
    "; got vector of 2 and vector of 3",
    "x = [1, 2]; L = 2*x": "line 1, column 17: the result L must be a scalar, such as "
    r"L = sum\(2 × x\); got a vector of 2",
    "x = [1, 2]": r"such as x = sum\(x\); got a vector of 2",
    "a = 1\n" + "\n".join(f"b{i} = a" for i in range(60)): "line 61, column 7: a program must have "
    "at most 60 nodes",
}


@pytest.mark.parametrize(("program", "text"), REFUSED.items())
def test_what_is_refused_is_named_with_its_place(program, text):
    with pytest.raises(ValueError, match=text):
        parse_program(program)


def test_columns_are_those_typed_whatever_the_letters_turn_into():
    with pytest.raises(ValueError, match=r"line 2, column 14: .*got q without one"):
        parse_program("β = 2\n   L = β^2·β*q")
    with pytest.raises(ValueError, match="line 2, column 9: a line must read like"):
        parse_program("ŷ = 2\n ŷ2 = ŷ ŷ")


def test_a_million_characters_are_refused_at_once():
    with pytest.raises(ValueError, match="got 1000000"):
        parse_program("a" * 10**6)


@pytest.mark.parametrize("character", ["(", "-", "[", "-(", "max(", "a^", "a**-"])
@pytest.mark.parametrize("length", [10**4, 1_900])
def test_deep_nesting_is_refused(character, length):
    program = "a = 1\nL = " + character * (length // len(character)) + "a"
    with pytest.raises(ValueError, match="must"):
        parse_program(program)


@settings(max_examples=500, deadline=None, derandomize=True, database=None)
@given(
    st.text(max_size=60)
    | st.lists(
        st.sampled_from(
            [*"ab12+-*/^@()[]=,.;_ \n#·", "max(", "exp", "σ(", " = ", "1e", "if", "\t"]
        ),
        max_size=40,
    ).map("".join)
)
def test_any_text_is_read_or_refused_with_a_sentence(program):
    try:
        parse_program(program)
    except ValueError as error:
        assert "must" in str(error)
        assert "; got " in str(error)


@pytest.mark.parametrize("error", [RecursionError, MemoryError, ValueError])
def test_what_the_parser_itself_cannot_take_is_refused(error, monkeypatch):
    def overwhelmed(text):
        raise error("too much")

    monkeypatch.setattr("lmcore.graph.source.ast.parse", overwhelmed)
    with pytest.raises(ValueError, match="must nest at most 40 deep; got one too deep to read"):
        parse_program("a = 1")
