"""The unit's labels, lines and steps, filled in and compared with hand-written texts."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drawing.live import SLOT
from lessons.neuron import neuron_picture, neuron_text
from lessons.neuron.neuron_state import slider_numbers
from lmcore.neuron import neuron
from lmcore.neuron.activations import ACTIVATIONS
from lmcore.neuron.neuron import MAX_MAGNITUDE, MOST_INPUTS, Neuron

SLIDE = Neuron(inputs=(0.3, 0.2, 0.9), weights=(0.1, 0.4, 0.2), bias=0.4)
NEGATIVE = Neuron(inputs=(2.0, -1.0), weights=(-0.5, 0.25), bias=-1.0)
each_activation = pytest.mark.parametrize("g", ACTIVATIONS.values(), ids=lambda g: g.name)


def live(unit, gate="none"):
    return slider_numbers(unit, neuron.trace_neuron(unit), 0.5, gate)


def lines(unit, *, fold=False):
    parts = neuron_text.unit_formula_parts(unit, fold_bias=fold)
    return [plain(live(unit).fill(part)) for part in parts]


def plain(text):
    return re.sub(r"\[\w+\||\]|\*\*|==", "", text)


@given(st.floats(0, MOST_INPUTS * MAX_MAGNITUDE**2 + MAX_MAGNITUDE))
def test_the_axis_reaches_past_whatever_a_unit_can_hold(largest):
    assert neuron_picture.axis_half_width(largest) > largest


def test_the_axis_grows_in_steps_that_hold_still_in_between():
    assert (
        neuron_picture.axis_half_width(0.0)
        == neuron_picture.axis_half_width(0.69)
        == neuron_picture.axis_half_width(5.0)
        == 6
    )
    assert neuron_picture.axis_half_width(5.5) == neuron_picture.axis_half_width(10.0) == 12
    assert list(neuron_picture.REACHES) == sorted(neuron_picture.REACHES)


def test_the_slide_is_written_as_on_the_slide():
    assert lines(SLIDE) == [
        "z = 0.1·0.3 + 0.4·0.2 + 0.2·0.9 + 0.4 = 0.69",
        "y = σ(0.69) = 0.6660",
        "dy/dz = 0.6660·(1 − 0.6660) = 0.2225",
    ]


def test_the_bias_may_be_one_more_term():
    assert lines(SLIDE, fold=True)[0] == "z = 0.1·0.3 + 0.4·0.2 + 0.2·0.9 + 0.4·1 = 0.69"


def test_negative_numbers_after_a_sign_stand_in_parentheses():
    assert lines(NEGATIVE)[0] == "z = (−0.5)·2 + 0.25·(−1) + (−1) = −2.25"


@each_activation
def test_every_template_names_a_number_there_is(g):
    unit = Neuron(SLIDE.inputs, SLIDE.weights, SLIDE.bias, g.name)
    known = set(live(unit).names)
    picture = neuron_picture.unit_picture(unit, 6.0, gate="none", fold_bias=True)
    slots = {term[key] for term in picture["terms"] for key in ("weight", "product", "sum")}
    slots |= {term["input_slot"] for term in picture["terms"] if "input_slot" in term}
    texts = [
        neuron_text.describe_unit(unit, "none"),
        *neuron_text.unit_formula_parts(unit, fold_bias=True),
    ]
    texts += neuron_text.unit_sentences(unit, "none")
    for step in neuron_picture.unit_steps(unit):
        texts += [step.formula, step.value, *(value for _, value in step.operands)]
    slots |= {name for text in texts for name, *_ in SLOT.findall(text)}
    assert slots <= known


@each_activation
def test_the_picture_draws_the_curve_within_its_axes(g):
    unit = Neuron(SLIDE.inputs, SLIDE.weights, SLIDE.bias, g.name)
    picture = neuron_picture.unit_picture(unit, 6.0, gate="none", fold_bias=False)
    across = [z for z, _ in picture["curve"]]
    assert (across[0], across[-1]) == (-6, 6) == (-picture["reach"], picture["reach"])
    assert all(picture["low"] <= y <= picture["high"] for _, y in picture["curve"])
    assert all(picture["low"] <= level <= picture["high"] for level in picture["levels"])
    assert picture["ticks"] == [-6, -4, -2, 0, 2, 4, 6]
    assert all(-6 <= left <= right <= 6 for left, right in picture["flat"])


def test_the_picture_has_a_term_for_each_input_and_the_bias_last():
    terms = neuron_picture.unit_picture(SLIDE, 6.0, gate="none", fold_bias=False)["terms"]
    assert [term["label"] for term in terms] == ["w₁x₁", "w₂x₂", "w₃x₃", "bias b"]
    assert [term["bias"] for term in terms] == [False, False, False, True]
    folded = neuron_picture.unit_picture(SLIDE, 6.0, gate="none", fold_bias=True)["terms"][-1]
    assert (folded["label"], folded["input"]) == ("w₀x₀", "x₀")


def test_the_words_of_the_picture_name_its_numbers():
    assert live(SLIDE).fill(neuron_text.describe_unit(SLIDE, "none")) == (
        "A unit with 3 inputs: z = 0.69, sigmoid gives y = 0.6660, slope 0.2225."
    )


def test_the_steps_of_the_slide_are_those_of_a_hand():
    here = live(SLIDE)
    rows = [
        (step.name, here.fill(step.formula), here.fill(step.value))
        for step in neuron_picture.unit_steps(SLIDE)
    ]
    assert rows == [
        ("term 1", "0.1 × 0.3", "0.03"),
        ("term 2", "0.4 × 0.2", "0.08"),
        ("term 3", "0.2 × 0.9", "0.18"),
        ("pre-activation", "0.03 + 0.08 + 0.18 + 0.4", "0.69"),
        ("output", "1 / (1 + exp(−0.69))", "0.6660"),
        ("derivative", "0.6660·(1 − 0.6660)", "0.2225"),
    ]


def test_a_step_opens_to_the_operands_it_used():
    here, steps = live(SLIDE), neuron_picture.unit_steps(SLIDE)
    operands = [(name, here.fill(value)) for name, value in steps[3].operands]
    assert operands == [("w₁x₁", "0.03"), ("w₂x₂", "0.08"), ("w₃x₃", "0.18"), ("b", "0.4")]
    assert [(n, here.fill(v)) for n, v in steps[1].operands] == [("w₂", "0.4"), ("x₂", "0.2")]


def test_the_formula_in_latex_has_each_number_over_its_symbol():
    formula = neuron_picture.unit_formula(NEGATIVE, neuron.trace_neuron(NEGATIVE))
    assert r"\underbrace{(-0.5)}_{w_1}\cdot\underbrace{2}_{x_1}" in formula
    assert formula.count("{") == formula.count("}")
    assert formula.endswith("= -2.25")


def sentence(unit, gate="none"):
    here = live(unit, gate)
    return plain(here.fill(neuron_text.unit_sentences(unit, gate)[int(here["@say"])]))


@pytest.mark.parametrize(
    ("unit", "says"),
    [
        (SLIDE, ["Input 3 moves z most: its term is 0.18 of z = 0.69.", "Drag a weight"]),
        (NEGATIVE, ["Input 1 moves z most: its term is −1 of z = −2.25."]),
        (Neuron((1.0,), (9.0,), 0.0), ["saturated"]),
        (Neuron((1.0,), (9.0,), 0.0, "step"), ["flat everywhere"]),
        (Neuron((1.0,), (-9.0,), 0.0, "ReLU"), ["saturated"]),
        (Neuron((1.0,), (9.0,), 0.0, "identity"), ["Drag a weight"]),
    ],
)
def test_the_sentence_says_what_this_state_shows(unit, says):
    said = sentence(unit)
    assert all(text in said for text in says)
    assert not re.search(r"[{}]", said)


@pytest.mark.parametrize(
    ("weights", "bias", "gate", "says"),
    [
        ((1.0, 1.0), -1.5, "AND", "4 of 4 corners as AND wants: one line separates"),
        ((1.0, 1.0), -0.5, "AND", "2 of 4 corners as AND wants; it misses (0, 1) and (1, 0)."),
        ((1.0, 1.0), -0.5, "XOR", "3 of 4 corners as XOR wants; it misses (1, 1). No line"),
        ((0.0, 0.0), 0.0, "NAND", "1 of 4 corners as NAND wants"),
    ],
)
def test_the_sentence_names_the_corners_that_a_gate_would_decide_otherwise(
    weights, bias, gate, says
):
    assert says in sentence(Neuron((1.0, 1.0), weights, bias, "step"), gate)


def test_a_gate_is_drawn_for_two_inputs_only():
    two = Neuron((1.0, 1.0), (1.0, 1.0), -1.5, "step")
    drawn = neuron_picture.unit_picture(two, 6.0, gate="AND", fold_bias=False)
    assert drawn["gate"] == "AND"
    assert drawn["corners"] == [(0, 0, 0), (0, 1, 0), (1, 0, 0), (1, 1, 1)]
    assert neuron_picture.unit_picture(SLIDE, 6.0, gate="AND", fold_bias=False)["gate"] == ""


@each_activation
def test_the_colours_of_the_plane_reach_from_the_lowest_output_to_the_highest(g):
    two = Neuron((1.0, 1.0), (1.0, 1.0), -1.5, g.name)
    drawn = neuron_picture.unit_picture(two, 6.0, gate="AND", fold_bias=False)
    assert drawn["shadeLow"] <= max(g.range[0], drawn["low"])
    assert drawn["shadeHigh"] >= min(g.range[1], drawn["high"])
