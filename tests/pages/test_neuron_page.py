"""The Neuron page shows the slide's numbers, and each view of each preset."""

import json
import math

import pytest
from test_screen import by_key, choose, drawn, fine, held, opened, put, said

import ui

LESSON = ui.lesson("neuron")
PRESETS = {preset.label: preset for preset in LESSON.presets}
VIEWS = [
    "Step by step",
    "Activations",
    "Decision surface",
    "Many inputs",
    "Check yourself",
    "Code",
    "Slide check",
]
SLIDE = "CMU slide: A Unit Illustrated"


def on(label):
    return fine(choose(opened("neuron"), "preset-shown", label))


def test_the_views_are_those_that_these_tests_open():
    assert by_key(opened("neuron").button_group, "view").options == VIEWS


@pytest.mark.parametrize(
    ("label", "numbers"),
    [
        (SLIDE, ["0.03", "0.08", "0.18", "= 0.69", "= 0.6660", "= 0.2225", "1 / (1 + exp(−0.69))"]),
        ("Saturated", ["4·0.3", "z = 7.6", "**saturated**"]),
        ("Bias as w₀x₀", ["0.4·1", "w₀x₀", "z = 0.69", "0.6660"]),
        ("GELU at 1", ["GELU(1) = 0.8413", "0.841345"]),
        ("AND", ["decides **4 of 4** corners as AND requires", "best gets **4 of 4**"]),
        ("OR", ["decides **4 of 4** corners as OR requires", "best gets **4 of 4**"]),
        ("NAND", ["decides **4 of 4** corners as NAND requires", "best gets **4 of 4**"]),
        ("XOR fails", ["best gets **3 of 4**", "No line separates the corners of XOR"]),
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
    assert "z = 0.1·0.3 + 0.4·0.2 + 0.2·0.9 + 0·1" not in shown
    assert "z = 0.1·0.3 + 0.4·0.2 + 0.2·0.9 + 0 = 0.03 + 0.08 + 0.18 + 0 = 0.29" in shown
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
    for label, preset in PRESETS.items():
        app = fine(opened("neuron", **LESSON.address(preset) | {"view": view}))
        refused = [error.value for error in app.error]
        alone = view == "Decision surface" and len(preset.settings["x"].split(",")) != 2
        assert bool(refused) == alone, (label, refused)


@pytest.mark.parametrize("gate", ["AND", "OR", "NAND", "XOR"])
def test_a_gate_can_be_chosen_beside_any_unit_of_two_inputs(gate):
    app = fine(choose(on("AND"), "gate-shown", gate))
    assert f"corners as {gate} requires" in said(app)
    (chart,) = app.get("plotly_chart")
    heat = json.loads(chart.proto.spec)["data"][0]
    assert (heat["zmin"], heat["zmax"]) == (0, 1)


@pytest.mark.parametrize("g", ["sigmoid", "tanh", "ReLU", "GELU", "identity", "step"])
def test_every_activation_draws_its_picture_and_its_step_table(g):
    app = fine(choose(opened("neuron"), "g", g))
    assert not app.error
    assert app.session_state["g"] == g
    assert drawn(app, "neuron-neuron")["alt"].startswith("A unit with 3 inputs")


def test_what_is_predicted_is_judged_by_the_present_state():
    app = choose(opened("neuron"), "view", "Check yourself")
    app.toggle[0].set_value(True).run()
    assert "It is **0.9**" in said(app)
    by_key(app.number_input, "guess-weight").set_value(0.9).run()
    assert "You were right" in said(fine(app))
    by_key(app.number_input, "guess-weight").set_value(-3.0).run()
    assert "Not quite" in said(fine(app))
    app.toggle[1].set_value(True).run()
    assert "It is **0.5987**" in said(fine(app))  # σ(0.4) = 1 / (1 + exp(−0.4))


def test_the_number_of_inputs_grows_and_shrinks_to_its_ends():
    app = opened("neuron")
    app.session_state["more"] = True
    app.run()
    count = by_key(app.number_input, "inputs")
    assert (count.min, count.max) == (1, 8)
    for value in (8, 1, 3):
        by_key(app.number_input, "inputs").set_value(value).run()
        assert not fine(app).error
        assert len(app.session_state["x"].split(",")) == value
        assert drawn(app, "neuron-neuron")["alt"].startswith(f"A unit with {value} input")


def test_a_list_typed_under_more_is_taken_over():
    app = opened("neuron")
    app.session_state["more"] = True
    app.run()
    by_key(app.text_input, "w-shown").set_value("[1; 0; 0]").run()
    assert "z = 1·0.3 + 0·0.2 + 0·0.9 + 0.4" in said(fine(app))
    app.toggle[0].set_value(True).run()
    assert app.session_state["fold"] == "true"
    assert "0.4·1" in said(fine(app))


def test_many_inputs_are_a_table_with_one_row_each():
    app = choose(opened("neuron"), "view", "Many inputs")
    by_key(app.text_area, "rows3").set_value("a,b,c\n0.3,0.2,0.9\n0,0,0").run()
    data = drawn(fine(app), "table-outputs")
    assert data["columns"] == ["row", "x₁", "x₂", "x₃", "z", "y"]
    rows = data["numbers"].reshape(2, 5).tolist()
    assert rows[0] == pytest.approx([0.3, 0.2, 0.9, 0.69, 1 / (1 + math.exp(-0.69))])
    assert rows[1] == pytest.approx([0, 0, 0, 0.4, 1 / (1 + math.exp(-0.4))])


def test_the_rows_to_try_follow_the_number_of_inputs():
    app = choose(opened("neuron"), "view", "Many inputs")
    assert not fine(put(app, {"x": "1, 2", "w": "1, 1"})).error


@pytest.mark.parametrize(("big", "g"), [("1000", "identity"), ("-1000", "GELU")])
def test_the_largest_numbers_still_have_a_picture(big, g):
    lists = ", ".join([big] * 8)
    for view in (view for view in VIEWS if view != "Check yourself"):
        fine(opened("neuron", x=lists, w=lists, b=big, g=g, view=view))


def test_the_largest_weight_can_still_be_asked_about():
    fine(opened("neuron", x="1", w="1000", b="0", view="Check yourself"))


def test_the_code_of_the_page_prints_the_numbers_on_screen():
    app = choose(opened("neuron"), "view", "Code")
    snippet = app.code[0].value
    assert "Neuron(inputs=(0.3, 0.2, 0.9)" in snippet
    assert "def neuron_forward(" in app.code[1].value
