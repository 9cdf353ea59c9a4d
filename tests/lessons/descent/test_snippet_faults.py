"""Each fault of the slide's snippet, put back into the corrected code as text, and run here."""

import inspect
import math
import textwrap
import traceback

import pytest
import torch
from torch import nn

from drawing import code_lines
from lessons.descent import demos_picture, demos_text, snippet_faults_view
from lessons.descent.descent_questions import demos_questions
from lmcore.optimization import slide_snippet
from lmcore.optimization.regression import regression_from_points, solve_regression
from lmcore.optimization.slide_snippet import PLACES, corrected_snippet, snippet_result
from ui.lectures.code_faults import count_question

POINTS = ((-0.5, 0.9), (0.0, 0.6), (0.4, 1.7), (0.8, 1.2), (1.2, 2.3), (1.6, 1.9), (2.0, 3.0))
FAULTS, BETA = snippet_faults_view._run(POINTS)
LINES = code_lines.code_lines(corrected_snippet)
SPOTS = code_lines.picture(LINES, FAULTS)["spots"]


def run_lines(lines, regression):
    """Run the snippet from its lines; β, or the exception and the line at which it stops."""
    source = "def snippet(data, y, seed, rate, epochs):\n" + textwrap.indent(
        "\n".join(lines), "    "
    )
    known = {"torch": torch, "nn": nn, "relu": torch.relu}
    exec(compile(source, "snippet", "exec"), known)
    data, y = regression.design.tolist(), regression.y.tolist()
    try:
        return known["snippet"](data, y, torch.Generator().manual_seed(0), 0.3, 200), -1
    except Exception as error:
        (where,) = (
            each for each in traceback.extract_tb(error.__traceback__) if each.filename == "snippet"
        )
        return error, where.lineno - 2


def test_the_lines_that_are_drawn_are_the_code_that_ran():
    regression = regression_from_points(POINTS)
    beta, stopped = run_lines(LINES, regression)
    assert stopped == -1
    best = solve_regression(regression).solution
    assert torch.allclose(beta.detach()[:, 0].double(), best, atol=1e-5)
    assert torch.allclose(snippet_result(regression), best, atol=1e-5)
    source = inspect.getsource(corrected_snippet)
    for line in LINES:
        assert line.strip() in source


@pytest.mark.parametrize("n", range(len(PLACES)), ids=[place.slide for place in PLACES])
@pytest.mark.filterwarnings("ignore:Using a target size")
def test_each_fault_put_back_alone_does_what_the_picture_says(n):
    spot, fault = SPOTS[n], FAULTS[n]
    line = LINES[spot["line"]]
    assert line[spot["start"] : spot["end"]] == fault.right
    lines = [*LINES]
    lines[spot["line"]] = line[: spot["start"]] + fault.put + line[spot["end"] :]
    if fault.kind == "missing":
        lines = [*LINES[: spot["line"]], LINES[-1]]
    found, stopped = run_lines(lines, regression_from_points(POINTS))
    assert stopped == spot["stops"]
    assert (stopped >= 0) == (fault.kind == "stops")
    if fault.kind == "stops":
        assert type(found).__name__ == spot["head"]
        assert str(found)[:60] == spot["says"][:60]
    elif fault.kind == "missing":
        assert found.grad is None and "β.grad is None" in spot["says"]
    elif fault.put == "":
        assert float(found.detach()[1]) == pytest.approx(fault.numbers[1], abs=1e-4)


def test_the_headline_counts_and_the_question_asks_for_what_it_says():
    assert [fault.kind for fault in FAULTS].count("stops") == 6
    said = code_lines.sentences(FAULTS)
    assert said[0] == (
        "**Nine faults**: ==six stop== with an error, ==two run== and give wrong numbers, the end "
        "is missing."
    )
    assert len(said) == len(FAULTS) + 1
    assert count_question("descent", FAULTS).answer == 6
    live = code_lines.numbers("descent-faults", FAULTS, 8, {"end 0": BETA[0], "end 1": BETA[1]})
    assert live["fault"] == live["@say"] == 8
    assert math.isclose(live["wrong 7"], 0) and live["right 7"] == pytest.approx(BETA[1], abs=1e-4)
    (table,) = live.table
    assert table[:, live.names.index("@say")].tolist() == list(range(10))


def test_a_part_that_stands_in_the_code_twice_is_refused():
    with pytest.raises(ValueError, match="must stand in the code once; got 2 times"):
        code_lines.place_in(["a = b", "b"], "b")


@pytest.mark.parametrize("epochs", [0, 1, 40, 400])
def test_both_demos_end_at_the_same_line(epochs):
    regression = regression_from_points(POINTS)
    tensors, torch_nn = slide_snippet.run_demos(regression, (3.0, -1.5), (epochs,))
    assert torch.allclose(tensors, torch_nn, atol=1e-12)
    if epochs == 400:
        assert torch.allclose(tensors[0], solve_regression(regression).solution, atol=1e-9)


@pytest.mark.parametrize("chosen", [0, 4, 100])
def test_the_picture_of_two_codes_has_their_own_numbers_at_every_number_of_epochs(chosen):
    found = demos_picture.run(regression_from_points(POINTS))
    live = demos_picture.numbers(found, chosen)
    assert live["epochs"] == chosen
    assert live["b 0 1"] == pytest.approx(live["b 1 1"]) and live["loss 0"] == pytest.approx(
        live["loss 1"]
    )
    drawn = demos_picture.picture(found)
    for column, pair in zip(drawn["columns"], zip(*demos_picture.PAIRS, strict=True), strict=True):
        parts = zip(column["parts"], pair, strict=True)
        assert all(column["lines"][p["line"]][p["start"] : p["end"]] == text for p, text in parts)
    said = demos_text.sentences(found)[int(live["@say"])]
    assert ("**start**" in said) == (chosen == 0) and ("end at**" in said) == (chosen == 100)
    (question,) = demos_questions(found, live)
    assert question.answer == "at the same β"
