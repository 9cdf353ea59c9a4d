"""Input that cannot be computed is refused with a reason, and the last good state stays shown."""

import re

import pytest
from test_screen import by_key, choose, drawn, fine, opened, put, said

from ui import escape_markdown

MILLION = "1" * 10**6
LISTS = {
    "": "inputs x must hold at least one number such as 0.3, 0.2; got nothing",
    "[]": "got nothing",
    "nan": "number 1 of inputs x must be a finite number; got 'nan'",
    "1, inf, 2": "number 2 of inputs x must be a finite number; got 'inf'",
    "1, -Infinity, 2": "must be a finite number; got '-Infinity'",
    "1, 2, 1e308": "x3 must be a number from −1000 to 1000; got 1e+308",
    "1, 2, 1e999": "must be a finite number; got '1e999'",
    "1, 2": "weights must hold one number per input; got 3 weights for 2 inputs",
    "1 2 3 4 5 6 7 8 9": "inputs must hold 1 to 8 numbers; got 9",
    MILLION: "inputs x must be at most 4,000 characters; got 1,000,000",
    "__import__('os').system('ls')": "number 1 of inputs x must be a number such as 0.4; got",
    "1, two, 3": "number 2 of inputs x must be a number such as 0.4; got 'two'",
    "![x](http://x.example/x.png)": "must be a number such as 0.4",
    "\0, 1, 2": "must be a number such as 0.4",
}
PROGRAMS = {
    "": "a program must have at least one line",
    "a = nan\nL = a*2": "must",
    "a = inf\nL = a*2": "must",
    "a = 1e308\nL = a*2": "line 1, column 5: a number must lie between",
    "x = [1, 2]\ny = [1, 2, 3]\nL = sum(x + y)": "vector of 2 and vector of 3",
    "x = [1, 2]\nL = x*2": "the result L must be a scalar",
    MILLION: "a program must have at most 2000 characters; got 1000000",
    "L = __import__('os')": "a program must hold only",
    "L = __import__(2)": "got a call",
    "a = 2\nL = a*q": "line 2, column 7: a name must have a value",
    "a = 0\nL = 1/a": "must",
    "a = -1\nL = log(a)": "must",
    "a = 1000\nL = exp(a)": "must",
    "a = 2\nL = a^2 + 3a": "a product needs its sign",
    "import www.x.example": "a line must read like d = 2*b",
}


def plainly(app):
    """The error as a person reads it, without the escapes."""
    (error,) = app.error
    return re.sub(r"\\(.)", r"\1", error.value.replace("\u2060", ""))


@pytest.fixture(scope="module")
def neuron():
    return opened("neuron")


@pytest.fixture(scope="module")
def backprop():
    return opened("backprop")


@pytest.mark.parametrize(("typed", "reason"), LISTS.items(), ids=lambda text: text[:20])
def test_a_list_that_is_none_is_refused_and_the_unit_stays(neuron, typed, reason):
    fine(put(neuron, {"x": "0.5, 0.25, 0.125"}))
    before = drawn(neuron, "neuron-neuron")["alt"], drawn(neuron, "neuron-neuron")["now"].tolist()
    fine(put(neuron, {"x": typed}))
    assert reason in plainly(neuron)
    after = drawn(neuron, "neuron-neuron")["alt"], drawn(neuron, "neuron-neuron")["now"].tolist()
    assert after == before


@pytest.mark.parametrize(("typed", "reason"), PROGRAMS.items(), ids=lambda text: text[:20])
def test_a_program_that_is_none_is_refused_and_the_graph_stays(backprop, typed, reason):
    fine(put(backprop, {"program": "a = 7\nL = a*a\n"}))
    before = drawn(backprop, "backprop-graph")["nodes"]
    fine(put(backprop, {"program": typed}))
    assert reason in plainly(backprop)
    assert drawn(backprop, "backprop-graph")["nodes"] == before
    assert "L = a × a = 7 × 7 = 49" in said(backprop)


@pytest.mark.parametrize("slug", ["neuron", "backprop"])
def test_a_page_opened_at_a_bad_address_shows_its_opening_state_and_why(slug):
    app = fine(opened(slug, x="what", program="what?"))
    assert len(app.error) == 1
    assert ("z = 0.69" if slug == "neuron" else "= −10") in said(app)


@pytest.mark.parametrize("at", ["x", "-7", "999", "9999", "1e5", "²", "", "0x1", " 3"])
def test_a_step_that_is_not_there_leaves_the_walk_at_its_start_or_beyond(at):
    app = fine(opened("backprop", at=at))
    assert drawn(app, "backprop-graph")["step"] in (1, 3, 999)
    errors = [error.value for error in app.error]
    assert errors == [] if at == "999" else "at in the address must be a whole" in errors[0]


@pytest.mark.parametrize(
    ("slug", "name", "typed"),
    [
        ("neuron", "g", "swish"),
        ("neuron", "see", "Nothing"),
        ("neuron", "fold", "perhaps"),
        ("backprop", "see", "Nothing"),
        ("backprop", "leaf", "nobody"),
        ("backprop", "update", "nobody"),
        ("backprop", "eta", "-1"),
        ("backprop", "eta", "nan"),
        ("backprop", "eta", "many"),
        ("backprop", "steps", "1000000000"),
        ("backprop", "present", "2"),
    ],
)
def test_a_control_in_the_address_that_has_no_such_value_is_named_and_left_aside(slug, name, typed):
    more = {"see": "Gradient descent"} if name in ("update", "eta", "steps") else {}
    app = fine(opened(slug, **more | {name: typed}))
    errors = [error.value.replace("\\", "") for error in app.error]
    named = [f"{name} in the address must be" in error for error in errors]
    assert named == ([] if name in ("leaf", "update", "present") else [True])


def test_a_gate_that_is_none_does_no_harm():
    fine(opened("neuron", x="1, 1", w="1, 1", see="Decision surface", gate="NOR"))


@pytest.mark.parametrize("typed", ["", "1, 2", "a, b, c", "1,2,nan", "1,2,3\n4,5", MILLION, "\0"])
def test_rows_that_are_none_are_refused(typed):
    app = choose(opened("neuron"), "see", "Many inputs")
    by_key(app.text_area, "rows3").set_value(typed).run()
    assert "must" in plainly(fine(app))


@pytest.mark.parametrize("slug", ["neuron", "backprop"])
@pytest.mark.parametrize(
    "typed",
    ["![i](//e.example)", "[l](//e.example)", "`c`", "**b**", "$x$", ":red[r]", "<b>", "# h"],
)
def test_what_was_typed_is_shown_and_not_rendered(slug, typed):
    bad = f"L = {typed} ?" if slug == "backprop" else typed.replace(" ", "")
    (error,) = fine(opened(slug, x=bad, program=bad)).error
    # Every character with a meaning in Markdown is escaped.
    assert not re.search(r"(?<!\\)(?:\\\\)*[`*_\[\]()$<>#!]", error.value)


@pytest.mark.parametrize("typed", ["http://e.example/a", "HTTPS://e.example", "www.e.example"])
def test_an_address_that_was_typed_does_not_turn_into_a_link(typed):
    (error,) = fine(opened("neuron", x=typed)).error
    assert "\u2060" in error.value
    assert escape_markdown(typed) in error.value
