"""The formula of a unit: its sentences, its equations and its questions agree with its numbers."""

import pytest

from lessons.neuron import formula_text, formula_view
from lessons.neuron.neuron_picture import unit_picture
from lessons.neuron.neuron_questions import formula_questions
from lmcore.neuron import neuron
from lmcore.neuron.neuron import Neuron

SLIDE = Neuron(inputs=(0.3, 0.2, 0.9), weights=(0.1, 0.4, 0.2), bias=0.4)
NEGATIVE = Neuron(inputs=(2.0, -1.0), weights=(-0.5, 0.25), bias=0.1)
TIED = Neuron(inputs=(1.0,), weights=(-0.4,), bias=0.4)


def terms(unit):
    return unit_picture(unit, 6.0, gate="none", fold_bias=False)["terms"]


def live(unit, to):
    return formula_view.slider_numbers(unit, neuron.trace_neuron(unit), to)


def plain(text):
    for mark in ("**", "==", "[score|", "[activation|", "[weight|", "[input|", "]"):
        text = text.replace(mark, "")
    return text


@pytest.mark.parametrize(
    ("unit", "to", "says"),
    [
        (SLIDE, "sum", "The terms, laid end to end, are z = 0.69; the longest is b = 0.4"),
        (NEGATIVE, "sum", "The terms, laid end to end, are z = −1.15; the longest is w₁x₁ = −1"),
        (SLIDE, "bend", "z = 0.69 goes into the sigmoid, and y = 0.6660 comes out"),
        (SLIDE, "symbols", "A unit does two things: it adds up weighted inputs to z, then bends"),
    ],
)
def test_the_sentence_is_true_of_the_unit(unit, to, says):
    here = live(unit, to)
    template = formula_text.sentences(unit, to, terms(unit))[int(here["@say"])]
    assert plain(here.fill(template)).startswith(says)


def test_the_equations_have_numbers_as_far_as_they_are_computed():
    here = live(SLIDE, "bend")
    lines = {
        to: [plain(here.fill(line)) for line in formula_text.formulas(SLIDE, to)]
        for to in ("symbols", "sum", "bend")
    }
    assert lines["symbols"] == ["(1) z = b + Σ wᵢxᵢ", "(2) z = w · x + b", "(3) y = σ(z)"]
    assert lines["sum"][:2] == ["(1) z = b + Σ wᵢxᵢ = 0.69", "(2) z = w · x + b = 0.29 + 0.4"]
    assert lines["bend"][2] == "(3) y = σ(z) = σ(0.69) = 0.6660"
    assert lines["sum"][2] == lines["symbols"][2]


def test_the_longest_term_is_asked_for_with_the_terms_hidden():
    longest, without = formula_questions(SLIDE, neuron.trace_neuron(SLIDE), terms(SLIDE))
    assert longest.answer == "b" and longest.options == ("w₁x₁", "w₂x₂", "w₃x₃", "b")
    assert set(longest.hides) < set(live(SLIDE, "sum").names)
    assert without.answer == pytest.approx(0.29)
    (asked,) = formula_questions(TIED, neuron.trace_neuron(TIED), terms(TIED))
    assert asked.key == "unbiased" and asked.answer == -0.4
