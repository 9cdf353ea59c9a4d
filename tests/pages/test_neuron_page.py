"""The Neuron page shows the slide's numbers, and each view of each preset."""

import json
import math

import pytest
from test_screen import by_key, choose, drawn, fine, held, opened, put, said

import ui
from lmcore.neuron.activations import ACTIVATIONS

LESSON = ui.lesson("neuron")
PRESETS = {preset.label: preset for preset in LESSON.presets}
VIEWS = [
    "Picture",
    "Formula",
    "Step by step",
    "Slopes",
    "Activations",
    "Decision surface",
    "Many inputs",
    "Code",
]
SLIDE = "CMU slide: A Unit Illustrated"


def on(label):
    return fine(choose(opened("neuron"), "preset-shown", label))


def test_the_views_are_those_that_these_tests_open():
    assert by_key(opened("neuron").button_group, "see-shown").options == VIEWS


@pytest.mark.parametrize(
    ("label", "numbers"),
    [
        ("Formula of a unit", ["adds up weighted inputs to z", "(1) z = b + Σ wᵢxᵢ"]),
        ("From z to y", ["z = 0.69 goes into the sigmoid", "= 0.29 + 0.4", "σ(0.69) = 0.6660"]),
        (SLIDE, ["its term is 0.18 of z = 0.69", "0.1·0.3 + 0.4·0.2", "= 0.6660", "= 0.2225"]),
        ("Saturated", ["4·0.3", "z = 7.6", "saturated"]),
        ("Bias as w₀x₀", ["0.4·1", "w₀x₀", "z = 0.69", "0.6660"]),
        ("GELU at 1", ["GELU(1) = 0.8413", "0.841345"]),
        ("AND", ["decides 4 of 4 corners as AND wants: one line"]),
        ("OR", ["decides 4 of 4 corners as OR wants: one line"]),
        ("NAND", ["decides 4 of 4 corners as NAND wants: one line"]),
        ("XOR fails", ["3 of 4 corners as XOR wants; it misses (1, 1).", "No line separates"]),
    ],
)
def test_a_preset_shows_its_numbers(label, numbers):
    shown = said(on(label))
    for number in numbers:
        assert number in shown


def test_every_preset_is_looked_at_and_tells_what_it_is_for():
    for label, preset in PRESETS.items():
        app = on(label)
        assert preset.help in [element.value for element in app.caption]
        for name, value in preset.settings.items():
            assert held(app, name, {**LESSON.defaults, **LESSON.looks}[name]) == value


def test_the_slides_without_its_bias_is_0_5720():
    shown = said(fine(opened("neuron", b="0")))
    assert "z = 0.1·0.3 + 0.4·0.2 + 0.2·0.9 + 0 = 0.29" in shown
    assert "σ(0.29) = 0.5720" in shown


@pytest.mark.parametrize(
    ("g", "x", "y"),
    [
        ("tanh", "0.69", math.tanh(0.69)),
        ("ReLU", "0.69", 0.69),
        *(("GELU", x, float(x) * (1 + math.erf(float(x) / math.sqrt(2))) / 2) for x in ("-1", "2")),
        ("GELU", "0.5", 0.345731),
    ],
)
def test_an_activation_shows_what_its_formula_gives(g, x, y):
    app = fine(opened("neuron", x=x, w="1", b="0", g=g))
    data = drawn(app, "neuron-neuron")
    assert data["now"][data["names"].index("y")] == pytest.approx(y, abs=5e-7)


@pytest.mark.parametrize("view", VIEWS)
def test_a_view_opens_under_every_preset(view):
    for preset in PRESETS.values():
        app = fine(opened("neuron", **LESSON.address(preset) | {"see": view}))
        assert not app.error


@pytest.mark.parametrize("gate", ["AND", "OR", "NAND", "XOR"])
def test_a_gate_can_be_chosen_beside_any_unit_of_two_inputs(gate):
    app = choose(choose(on("AND"), "see", "Decision surface"), "gate-shown", gate)
    assert f"corners as {gate} requires" in said(fine(app))
    assert f"best gets **{3 if gate == 'XOR' else 4} of 4**" in said(app)
    (chart,) = app.get("plotly_chart")
    heat = json.loads(chart.proto.spec)["data"][0]
    assert (heat["zmin"], heat["zmax"]) == (0, 1)


def test_a_decision_surface_of_three_inputs_offers_the_unit_with_two():
    app = choose(opened("neuron"), "see", "Decision surface")
    assert not fine(app).error
    next(b for b in app.button if "two inputs" in b.label).click().run()
    assert app.session_state["x"] == "0.3, 0.2"
    assert fine(app).get("plotly_chart")


@pytest.mark.parametrize("g", ACTIVATIONS)
def test_every_activation_draws_its_picture_and_its_step_table(g):
    app = fine(choose(opened("neuron"), "g-shown", g))
    assert not app.error
    assert app.session_state["g"] == g
    assert drawn(app, "neuron-neuron")["alt"].startswith("A unit with 3 inputs")


def ask(app, key):
    """Open the questions, and advance to the one with that key."""
    by_key(app.button, "predict").click().run()
    while app.session_state["ask"] != key:
        next(b for b in app.button if b.label == "Reveal").click().run()
        by_key(app.button, "predict-next").click().run()
    return fine(app)


def guess(app, number):
    app.number_input[0].set_value(number).run()
    return said(fine(app))


def test_what_is_asked_for_is_hidden_until_it_is_answered():
    app = ask(opened("neuron"), "sum")
    assert drawn(app, "neuron-neuron")["hidden"] == ["z", "y", "slope"]
    assert "check the sign" in guess(app, -0.69)
    assert "decimal point" in guess(app, 6.9)
    assert "round only at the end" in guess(app, 0.65)
    assert drawn(app, "neuron-neuron")["hidden"] == ["z", "y", "slope"]
    assert "**0.69** is right" in guess(app, 0.69)
    assert drawn(app, "neuron-neuron")["hidden"] == []


def test_a_right_answer_stays_right_only_as_long_as_the_question_is_the_same():
    app = ask(opened("neuron"), "weight")
    assert "**0.9** is right" in guess(app, 0.9)
    app = put(app, {"x": "0.3, 0.2, -0.5"})
    assert "is right" not in said(app)
    assert "**−0.5** is right" in guess(app, -0.5)


def test_an_answer_may_be_revealed_and_the_next_question_is_another():
    app = ask(opened("neuron"), "zero")
    next(b for b in app.button if b.label == "Reveal").click().run()
    assert "It is **0.5987**" in said(app)  # σ(0.4) = 1 / (1 + exp(−0.4))
    by_key(app.button, "predict-next").click().run()
    assert app.session_state["ask"] == ""
    assert by_key(app.button, "predict")


def test_the_number_of_inputs_grows_and_shrinks_to_its_ends():
    app = opened("neuron")
    count = by_key(app.number_input, "inputs")
    assert (count.min, count.max) == (1, 8)
    for value in (8, 1, 3):
        by_key(app.number_input, "inputs").set_value(value).run()
        assert not fine(app).error
        assert len(app.session_state["x"].split(",")) == value
        assert drawn(app, "neuron-neuron")["alt"].startswith(f"A unit with {value} input")


def test_a_list_typed_under_more_is_taken_over():
    app = opened("neuron")
    by_key(app.text_input, "w-shown").set_value("[1; 0; 0]").run()
    assert "z = 1·0.3 + 0·0.2 + 0·0.9 + 0.4" in said(fine(app))
    app.toggle[0].set_value(True).run()
    assert app.session_state["fold"] == "true"
    assert "0.4·1" in said(fine(app))


def test_many_inputs_are_a_table_with_one_row_each():
    app = choose(opened("neuron"), "see", "Many inputs")
    by_key(app.text_area, "rows3").set_value("a,b,c\n0.3,0.2,0.9\n0,0,0").run()
    data = drawn(fine(app), "table-outputs")
    assert data["columns"] == ["row", "x₁", "x₂", "x₃", "z", "y"]
    rows = data["numbers"].reshape(2, 5).tolist()
    assert rows[0] == pytest.approx([0.3, 0.2, 0.9, 0.69, 1 / (1 + math.exp(-0.69))])
    assert rows[1] == pytest.approx([0, 0, 0, 0.4, 1 / (1 + math.exp(-0.4))])


def test_the_rows_to_try_follow_the_number_of_inputs():
    app = choose(opened("neuron"), "see", "Many inputs")
    assert not fine(put(app, {"x": "1, 2", "w": "1, 1"})).error


@pytest.mark.parametrize(("big", "g"), [("1000", "identity"), ("-1000", "GELU")])
def test_the_largest_numbers_still_have_a_picture(big, g):
    lists = ", ".join([big] * 8)
    for view in VIEWS:
        fine(opened("neuron", x=lists, w=lists, b=big, g=g, see=view))


def test_the_largest_weight_can_still_be_asked_about():
    fine(opened("neuron", x="1", w="1000", b="0", ask="weight"))


def test_the_code_of_the_page_prints_the_numbers_on_screen():
    app = choose(opened("neuron"), "see", "Code")
    snippet = app.code[0].value
    assert "Neuron(inputs=(0.3, 0.2, 0.9)" in snippet
    assert "def neuron_forward(" in app.code[1].value
