"""Each fault of the slide's class, put back into the corrected code as text, and run here."""

import math
import traceback

import pytest
import torch
import torch.nn.functional as F
from torch import nn

from drawing import code_lines
from lessons.attention import class_faults_view
from lmcore.attention import slide_attention
from lmcore.attention.slide_attention import IMPORT, PLACES, SelfAttention

RUN = {fault.slide: fault for fault in slide_attention.compare_with_pytorch().faults}
FAULTS = tuple(class_faults_view._placed(place, RUN[place.slide]) for place in PLACES)
LINES = [IMPORT, *code_lines.code_lines(SelfAttention)]
SPOTS = code_lines.picture(LINES, FAULTS)["spots"]


def run_lines(lines):
    """The weights of one batch by the class of these lines, or the exception and its line."""
    known = {"torch": torch, "nn": nn, "math": math}
    torch.manual_seed(0)
    try:
        exec(compile("\n".join(lines), "class", "exec"), known)
        module = known["SelfAttention"](8).eval()
        return module(torch.randn(3, 5, 8)), -1
    except Exception as error:
        places = [
            each for each in traceback.extract_tb(error.__traceback__) if each.filename == "class"
        ]
        return error, places[-1].lineno - 1 if places else None


def test_the_lines_that_are_drawn_are_the_class_that_ran():
    theirs, stopped = run_lines(LINES)
    torch.manual_seed(0)
    ours = SelfAttention(8).eval()(torch.randn(3, 5, 8))
    assert stopped == -1 and torch.allclose(theirs, ours)


@pytest.mark.parametrize("n", range(len(PLACES)), ids=[place.slide for place in PLACES])
@pytest.mark.filterwarnings("ignore:Implicit dimension choice", "ignore:The use of `x.T`")
def test_each_fault_put_back_alone_does_what_the_picture_says(n):
    spot, fault = SPOTS[n], FAULTS[n]
    line = LINES[spot["line"]]
    lines = [*LINES]
    lines[spot["line"]] = line[: spot["start"]] + fault.put + line[spot["end"] :]
    found, stopped = run_lines(lines)
    assert (spot["stops"] >= 0) == (fault.kind == "stops") == isinstance(found, Exception)
    if fault.kind == "stops":
        assert type(found).__name__ == spot["head"]
        assert stopped in (None, spot["stops"])  # None: PyTorch calls the method
        if stopped is not None:  # else the types of the test's own run are checked first
            assert str(found)[:60] == spot["says"][:60]


def test_the_headline_counts():
    assert code_lines.sentences(FAULTS)[0] == (
        "**Eight faults**: ==six stop== with an error, ==two run== and give wrong numbers."
    )
    assert class_faults_view.WHY.keys() == RUN.keys()
    scores = F.softmax(torch.randn(3, 5, 5), dim=0)
    assert not torch.allclose(scores.sum(-1), torch.ones(3, 5))
