"""The page on gradient descent: a run with its numbers, and each view of each surface."""

import pytest
from test_screen import by_key, choose, drawn, fine, held, opened, said

import ui
from lmcore.numbers import format_number
from lmcore.optimization.landscapes import landscape
from lmcore.optimization.loss_grid import loss_grid
from lmcore.optimization.paths import DescentConfig, descend
from lmcore.optimization.regression import regression_from_points, solve_regression, trace_curvature
from lmcore.optimization.schedules import Schedule
from ui import compute

LESSON = ui.lesson("descent")
PRESETS = {preset.label: preset for preset in LESSON.presets}
VIEWS = [
    "Picture",
    "Step by step",
    "A weight of an LM",
    "Faults put back",
    "Two codes",
    "Solved at once",
    "Closed form",
    "3-D",
    "Batches",
    "Schedules",
    "Slide code",
    "Code",
]
POINTS = [tuple(map(float, point.split())) for point in LESSON.defaults["gd_points"].split("; ")]
START = (3.0, -1.5)


def words(app):
    """The text of the page, without the marks of bold text."""
    return said(app).replace("**", "")


def on(label):
    return fine(choose(opened("descent"), "preset-shown", label))


def test_another_rate_of_the_slider_needs_no_other_runs():
    compute.clear_results()
    slider = drawn(fine(opened("descent")), "descent-sliders")["sliders"][0]
    assert slider["name"] == "eta"
    kept = compute.result_counts()
    for rate in (slider["positions"][3], slider["positions"][-2]):
        fine(opened("descent", gd_eta=f"{rate:.10g}"))
    assert compute.result_counts() == kept
    fine(opened("descent", gd_eta="0.123"))
    assert compute.result_counts()["descent"] == kept["descent"] + 1
    assert compute.result_counts()["loss maps"] == kept["loss maps"]


def test_the_views_are_those_that_these_tests_open():
    assert by_key(opened("descent").button_group, "see-shown").options == VIEWS


@pytest.mark.parametrize(
    ("label", "numbers"),
    [
        ("Gradient descent", ["η = 0.36 is 0.9199 of the limit of convergence, 2/λₘₐₓ", "0.3913"]),
        ("Too large", ["η = 0.43 is 1.099 times the limit of convergence, 2/λₘₐₓ", "diverges"]),
        ("Long valley", ["2/λₘₐₓ = 0.1242"]),
        ("Race", ["momentum is lowest"]),
        ("SGD", ["one η: GD is lowest"]),
        ("Decay", ["SGD reads 2 of 8 points at each step"]),
        ("Saddle", ["at the saddle both slopes are almost 0"]),
        ("Plateau", ["σ is", "saturated", "with squared error its slope is almost 0"]),
        ("Same, cross-entropy", ["with cross-entropy there is a slope to follow here"]),
        ("Two layers", ["found a valley, where XOR is solved"]),
        ("A weight of an LM", ["the cat gets → fed", "from hidden unit", "of “fed”"]),
        ("Slide code", ["new(): data must be a sequence (got builtin_function_or_method)"]),
    ],
)
def test_a_preset_shows_its_numbers(label, numbers):
    shown = words(on(label))
    for number in numbers:
        assert number in shown


def test_the_numbers_are_those_of_the_run():
    regression = regression_from_points(POINTS)
    path = descend(regression, START, DescentConfig(schedule=Schedule(rate=0.36)), 30)
    for step in (0, 6, 29):
        shown = words(fine(opened("descent", gd_step=str(step))))
        b0, b1 = (format_number(float(each)) for each in path.parameters[step])
        assert f"= ({b0}, {b1}) − 0.36·(" in shown
        assert f"L = {format_number(float(path.loss[step]))} → " in shown


def test_the_paths_that_travel_are_those_of_every_rate_of_the_slider():
    app = fine(opened("descent", gd_rules="GD, Adam", gd_steps="20"))
    data = drawn(app, "descent-descent")
    import numpy

    paths = numpy.frombuffer(data["paths"], dtype="<f4").reshape(len(data["rates"]), 2, 21, 3)
    regression = regression_from_points(POINTS)
    curved = trace_curvature(regression)
    for exact in (0.36, float(curved.largest_rate), float(curved.best_rate)):
        assert exact in data["rates"].tolist()
    for place in (3, 20, 40):
        for run, rule in enumerate(("SGD", "Adam")):
            schedule = Schedule(rate=float(data["rates"][place]))
            path = descend(regression, START, DescentConfig(rule, schedule), 20)
            numpy.testing.assert_allclose(
                paths[place, run, :, :2], path.parameters.numpy(), rtol=1e-5, atol=1e-5
            )


def test_the_map_that_travels_is_lowest_at_the_closed_form():
    data = drawn(fine(opened("descent")), "descent-descent")
    import numpy

    grid = numpy.frombuffer(data["grid"], dtype="<f4").reshape(data["side"], data["side"])
    row, column = numpy.unravel_index(grid.argmin(), grid.shape)
    step = 2 * data["reach"] / (data["side"] - 1)
    best = solve_regression(regression_from_points(POINTS)).solution.tolist()
    found = [data["center"][i] - data["reach"] + step * k for i, k in ((0, column), (1, row))]
    assert found == pytest.approx(best, abs=2 * step)


def test_the_map_that_travels_is_that_of_the_start_that_is_shown():
    """Opens other starts one after the other, as visitors do: each moves the middle of the map."""
    import numpy

    regression = regression_from_points(POINTS)
    centers = set()
    for start in ("", "-6, 5", "9, -7", ""):
        data = drawn(fine(opened("descent", gd_start=start)), "descent-descent")
        grid = numpy.frombuffer(data["grid"], dtype="<f4").reshape(data["side"], data["side"])
        center, reach = tuple(data["center"].tolist()), data["reach"]
        wanted = loss_grid(regression, center, (reach, reach), data["side"]).loss
        numpy.testing.assert_allclose(grid, wanted, rtol=1e-4, atol=1e-4)
        assert all(abs(a - b) < reach for a, b in zip(data["start"], center, strict=True)), start
        centers.add(center)
    assert len(centers) == 3


def test_the_closed_form_stands_with_its_numbers():
    shown = words(fine(opened("descent", see="Closed form")))
    found = solve_regression(regression_from_points(POINTS))
    for value in (*found.moments, *found.solution):
        assert format_number(float(value)).replace("−", "-") in shown
    assert "is within 10⁻⁶ of β* after 52 steps" in shown


def test_the_step_table_spells_out_a_step():
    shown = words(fine(opened("descent", see="Step by step")))
    for number in ("(1.289, 0.2401)", "(−0.5163, −1.438)", "(0.1859, 0.5177)", "0.4338", "0.3329"):
        assert number in shown


def test_a_weight_of_the_language_model_moves_against_its_slope():
    app = fine(opened("descent", see="A weight of an LM", gd_lm_matrix="W", gd_lm_place="15, 140"))
    data = drawn(app, "descent-model-steps")
    numbers = dict(zip(data["names"], data["now"], strict=True))
    assert numbers["after"] == pytest.approx(numbers["before"] - 0.05 * numbers["gradient"])
    assert numbers["loss1"] < numbers["loss"]
    assert numbers["loss2"] < numbers["loss1"]
    assert "from number 141 of the concatenated embeddings to hidden unit 16" in words(app)


def test_the_slide_code_is_run_and_so_is_its_correction():
    shown = words(fine(opened("descent", see="Slide code")))
    for part in (
        "AttributeError: module 'torch.random' has no attribute 'randn'",
        "torch.random.randn",
        "from the closed form",
        "wrong number",
    ):
        assert part in shown


@pytest.mark.parametrize("surface", ["saddle", "plateau", "two-layer network"])
@pytest.mark.parametrize("view", VIEWS[1:])
def test_every_view_opens_on_every_surface(surface, view):
    app = fine(opened("descent", gd_surface=surface, see=view, gd_eta="0.1"))
    assert not app.error


def test_another_surface_brings_its_start_its_rate_and_leaves_out_sgd():
    app = fine(opened("descent", gd_rules="SGD, Adam", gd_start="1, 1"))
    app = fine(choose(app, "gd_surface-shown", "saddle"))
    assert not app.error
    now = app.session_state["descent-good"]
    assert [rule.optimizer for rule in now.rules] == ["Adam"]
    assert now.start is None
    data = drawn(app, "descent-descent")
    assert data["start"].tolist() == list(landscape("saddle").start)


def test_what_the_picture_reports_is_kept_in_the_settings():
    from lessons.descent import descent_state

    app = fine(opened("descent", gd_points="0 0; 1 1; 2 3", gd_start="0.5, -1", gd_step="4"))
    now = app.session_state["descent-good"]
    assert (now.points, now.start, now.step) == (((0, 0), (1, 1), (2, 3)), (0.5, -1.0), 4)
    assert descent_state.write_points([(0.0, 0.12345678), (1.0, -2.0)]) == "0 0.1235; 1 -2"
    assert descent_state.read_points("0 0.1235; 1 -2") == ((0, 0.1235), (1, -2))


@pytest.mark.parametrize(
    ("setting", "value", "message"),
    [
        ("gd_points", "1 2", "x must have at least two different values"),
        ("gd_points", "1 2; 1 3", "x must have at least two different values"),
        ("gd_points", "1 2; 3", "point 2 must be two numbers, x and y; got 1"),
        ("gd_points", "1 2; 3 x", "number 2 of point 2 must be a number"),
        ("gd_start", "1", "the start must be two numbers; got 1"),
        ("gd_eta", "1e9", "the learning rate η must be from 0 to 100"),
        ("gd_steps", "0", "steps must be from 1 to 200; got 0"),
        ("gd_steps", "201", "steps must be from 1 to 200; got 201"),
        ("gd_factor", "2", "the factor γ must be above 0"),
        ("gd_warmup", "0", "the steps of warm"),
        ("gd_lm_context", "the cat", "the words before must be 3"),
        ("gd_lm_word", "xyzzy", "xyzzy"),
        ("gd_lm_place", "999, 0", "number 1 of a place in U must be from 0 to 281; got 999"),
        ("gd_lm_eta", "9", "the learning rate η must be from 0 to 0"),
    ],
)
def test_what_is_not_allowed_is_named_and_the_last_good_state_stays(setting, value, message):
    view = "A weight of an LM" if setting.startswith("gd_lm") else "Picture"
    app = opened("descent", see=view, **{setting: value})
    assert message in words(app).replace("\\", "")
    assert not app.exception


def test_sgd_needs_points():
    shown = words(opened("descent", gd_surface="saddle", gd_rules="SGD"))
    assert "SGD must have points to draw batches from; got saddle" in shown


def test_a_batch_is_at_most_all_points():
    shown = words(opened("descent", gd_rules="SGD", gd_batch="9"))
    assert "the points per step of SGD must be from 1 to 8; got 9" in shown


def test_a_run_that_overflows_still_has_a_page():
    for view in VIEWS:
        app = fine(opened("descent", gd_eta="90", gd_steps="200", gd_step="199", see=view))
        assert "diverges" in words(app)


def test_every_preset_is_looked_at_and_tells_what_it_is_for():
    for label, preset in PRESETS.items():
        app = on(label)
        assert preset.help in [element.value for element in app.caption]
        for name, value in preset.settings.items():
            assert held(app, name, {**LESSON.defaults, **LESSON.looks}[name]) == value


def test_each_question_has_the_answer_that_the_page_computes():
    app = fine(opened("descent", ask="largest"))
    largest = float(trace_curvature(regression_from_points(POINTS)).largest_rate)
    assert {"rmax", "share"} <= set(drawn(app, "descent-descent")["hidden"])
    app = fine(by_key(app.button, "reveal-largest").click().run())
    assert f"It is {format_number(largest)}" in words(app)
