"""The Backprop page: the slides' numbers, and each view of each preset."""

import math

import pytest
from test_screen import by_key, choose, drawn, fine, held, opened, put, said

import ui
from lessons.backprop import chain_text

LESSON = ui.lesson("backprop")
PRESETS = {preset.label: preset for preset in LESSON.presets}
SLIDE, NETWORK, REGRESSION, TWICE, VANISHING, DEAD, KINK, CHAIN, BLAME = PRESETS
PICTURES = ["Picture", "Chain of slopes", "Blame flows back"]
VIEWS = [*PICTURES, "Step by step", "Three methods", "Gradient descent", "Code"]


def on(label):
    return fine(choose(opened("backprop"), "preset-shown", label))


def gradients(app):
    """{label: (hand, autograd, central difference)}, from the table of three methods."""
    data = drawn(fine(put(app, {"see": "Three methods"})), "table-gradients")
    rows = data["numbers"].reshape(len(data["labels"]), 5).tolist()
    return {label: row[:3] for label, row in zip(data["labels"], rows, strict=True)}


def test_the_views_are_those_that_these_tests_open():
    without_a_network = [view for view in VIEWS if view != "Blame flows back"]
    assert by_key(opened("backprop").button_group, "see-shown").options == without_a_network
    without_a_chain = [view for view in VIEWS if view != "Chain of slopes"]
    assert by_key(on(BLAME).button_group, "see-shown").options == without_a_chain


def test_the_page_opens_at_the_first_step_where_no_gradient_is_shown():
    for address in ({}, {"present": "1", "beat": "1"}, {"tour": "1"}):
        data = drawn(fine(opened("backprop", **address)), "backprop-graph")
        assert data["step"] == 1
        assert data["steps"][0]["kind"] == "forward"
        assert not any("∂" in text for text in (data["sentences"][1], *data["formula"][1]))


def test_the_beat_that_asks_hides_the_gradient_and_the_next_one_shows_it():
    asking = drawn(opened("backprop", present="1", beat="4"), "backprop-graph")
    assert asking["step"] == 6
    assert asking["hidden"] == ["∂L/∂e", "∂L/∂e through L"]
    assert "∂L/∂e" in asking["names"]
    shown = drawn(opened("backprop", present="1", beat="5"), "backprop-graph")
    assert shown["step"] == 7 and shown["hidden"] == []


def test_what_is_learned_has_a_squared_loss():
    for beat, loss in ((7, 4), (8, 0.16)):
        data = drawn(fine(opened("backprop", present="1", beat=str(beat))), "backprop-graph")
        formulas = {node["name"]: node["formula"] for node in data["nodes"]}
        assert formulas["L"] == "v2^2"
        assert data["now"][data["names"].index("L")] == pytest.approx(loss)


@pytest.mark.parametrize(
    ("label", "numbers"),
    [
        (SLIDE, ["d = 2 × b = 2 × 1 = 2", "e = a + d = 3 + 2 = 5", "L = c × e = (−2) × 5 = −10"]),
        (SLIDE, ["∂L/∂L = 1", "∂L/∂a = ∂L/∂e × ∂e/∂a = (−2) × 1 = −2"]),
        (SLIDE, ["∂L/∂b = ∂L/∂d × ∂d/∂b = (−2) × 2 = −4", "∂L/∂c = ∂L/∂L × ∂L/∂c = 1 × 5 = 5"]),
        (NETWORK, ["z1 = v1 + b1 = [0.2, 2.5, −2.1]", "a1 = ReLU(z1) = [0.2, 2.5, 0]"]),
        (NETWORK, ["∂L/∂z2 = a − y = 0.4110 − 1 = −0.5890"]),
        (REGRESSION, ["∂L/∂β = −8", "= 4"]),
        (TWICE, ["= 21", "5 × 2 + 6 × 1 = 16", "used more than once"]),
        (VANISHING, ["vanishes", "×10⁻⁷"]),
        (DEAD, ["z is below 0", "is dead"]),
        (KINK, ["z is exactly 0", "on the slide as 1", "central difference finds ½"]),
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
        for name in ("program", "at", "see", "update"):
            assert held(app, name, "") == preset.settings[name]


def test_three_methods_agree_on_the_slide():
    table = gradients(on(SLIDE))
    expected = {"a": -2, "b": -4, "c": 5, "d": -2, "e": -2, "L": 1}
    assert set(table) == set(expected)
    for label, row in table.items():
        assert row == pytest.approx([expected[label]] * 3, abs=1e-6)


def test_three_methods_disagree_at_the_kink_as_the_lesson_says():
    hand, autograd, central = gradients(on(KINK))["z"]
    assert (hand, autograd) == (0, 0)
    assert central == pytest.approx(1.5)  # half of the slope 3 to the right of the kink


def test_the_gradient_that_vanishes_is_below_a_quarter_to_the_tenth():
    hand, *_ = gradients(on(VANISHING))["x"]
    assert 0 < hand < 0.25**10


def test_nothing_reaches_the_leaves_of_a_dead_relu():
    table = gradients(on(DEAD))
    assert all(table[label] == pytest.approx([0, 0, 0], abs=1e-9) for label in "xwbz")


@pytest.mark.parametrize("view", VIEWS)
def test_a_view_opens_under_every_preset(view):
    app = opened("backprop")
    for label, preset in PRESETS.items():
        fine(put(app, dict(preset.settings) | {"see": view}))
        assert not app.error, label
        assert app.session_state["see"] == view


def test_one_step_downhill_takes_the_slide_from_minus_10_to_minus_15():
    app = fine(put(opened("backprop"), {"see": "Gradient descent"}))
    assert "one step takes L from **−10** to **−15**" in said(app)
    by_key(app.button, "take Take one step").click().run()
    assert "a = 3.2\nb = 1.4\nc = -2.5\n" in fine(app).session_state["program"]
    assert "L = c × e = (−2.5) × 6 = −15" in said(app)


def test_many_steps_are_taken_at_once_and_only_by_the_chosen_leaves():
    regression = dict(PRESETS[REGRESSION].settings) | {"see": "Gradient descent"}
    app = fine(put(opened("backprop"), regression))
    assert app.session_state["update"] == "β"
    next(
        b for b in app.button if b.label.startswith("Take ") and b.label != "Take one step"
    ).click().run()
    program = fine(app).session_state["program"]
    assert "x = 2\n" in program and "y = 3\n" in program
    beta = float(program.split("β = ")[1].split()[0])
    assert beta == pytest.approx(1.5, abs=1e-6)  # y / x, where the square is 0
    assert "# the slope to learn" in program


@pytest.mark.parametrize("key", ["eta", "steps"])
@pytest.mark.parametrize("label", [SLIDE, NETWORK])
def test_both_ends_of_a_number_survive(key, label):
    settings = dict(PRESETS[label].settings) | {"see": "Gradient descent"}
    app = put(opened("backprop"), settings)
    for end in ("min", "max"):
        number = by_key(app.number_input, key)
        number.set_value(getattr(number, end)).run()
        fine(app)


def test_a_path_that_leaves_the_numbers_says_where_it_ends():
    app = opened("backprop", see="Gradient descent", eta="100", steps="500")
    assert "The curve ends after" in fine(app).warning[0].value
    next(
        b for b in app.button if b.label.startswith("Take ") and b.label != "Take one step"
    ).click().run()
    fine(app)


def ask(app, key):
    """Open the question with this key."""
    return fine(put(app, {"ask": key}))


def test_the_next_step_can_be_predicted_and_the_question_goes_along_with_the_walk():
    app = opened("backprop")
    by_key(app.button, "predict").click().run()
    assert app.session_state["ask"] == "step2"
    assert "Next step: what is d = 2 × b?" in said(fine(app)).replace("\\", "")
    by_key(app.number_input, "guess-step2-2.0").set_value(3.0).run()
    assert "3 is too large." in said(fine(app))
    by_key(app.number_input, "guess-step2-2.0").set_value(2.0).run()
    assert "**2** is right." in said(fine(app))
    fine(put(app, {"at": "5"}))
    assert app.session_state["ask"] == "step6"
    assert "what is ∂L/∂e" in said(app)


def test_a_gradient_that_is_asked_for_is_hidden_until_it_is_revealed():
    app = ask(on(SLIDE), "gradient b")
    hidden = ["∂L/∂b", "∂L/∂b through d"]
    assert drawn(app, "backprop-graph")["hidden"] == hidden
    assert set(hidden) <= set(drawn(app, "backprop-graph")["names"])
    by_key(app.number_input, "guess-gradient b--4.0").set_value(4.0).run()
    assert "check the sign" in said(fine(app))
    by_key(app.button, "reveal-gradient b").click().run()
    assert "It is **−4**." in said(fine(app))
    assert drawn(app, "backprop-graph")["hidden"] == []


def test_a_gradient_is_the_change_for_a_small_move():
    app = ask(on(SLIDE), "nudge")
    assert "Raise c by 0.01" in said(app)
    by_key(app.number_input, "guess-nudge-0.05").set_value(0.05).run()
    assert "**0.05** is right. ∂L/∂c = 5" in said(fine(app))


@pytest.mark.parametrize("label", PRESETS)
def test_every_question_of_a_preset_hides_numbers_that_there_are(label):
    app = on(label)
    fine(put(app, {"at": "3", "see": "Picture"}))
    leaf = drawn(app, "backprop-sliders")["sliders"][0]["spoken"].split("[")[0]
    asked = [key for key in ("step4", "nudge", f"gradient {leaf}") if fine(put(app, {"ask": key}))]
    assert len(asked) == 3
    data = drawn(app, "backprop-graph")
    assert set(data["hidden"]) <= set(data["names"])


def test_many_numbers_get_sliders_a_leaf_at_a_time():
    app = on(NETWORK)
    names = {slider["label"] for slider in drawn(app, "backprop-sliders")["sliders"]}
    assert names == {"W2[1]", "W2[2]", "W2[3]"}
    choose(app, "leaf-shown", "W1")
    names = [slider["label"] for slider in drawn(fine(app), "backprop-sliders")["sliders"]]
    assert names == [f"W1[{row},{column}]" for row in (1, 2, 3) for column in (1, 2)]


def test_the_sliders_of_the_slide_say_what_happens_at_each_place():
    data = drawn(on(SLIDE), "backprop-sliders")
    slider = next(each for each in data["sliders"] if each["name"] == "c")
    result = slider["columns"].index(data["names"].index("L"))
    table = slider["table"].reshape(len(slider["positions"]), -1)
    assert table[:, result] == pytest.approx(5 * slider["positions"])  # L = c·e with e = 5


def test_a_program_of_one_number_is_one_leaf_and_its_own_result():
    for view in VIEWS:
        app = fine(opened("backprop", program="L = 2*3", see=view))
        assert not app.error
        assert [each["name"] for each in drawn(app, "backprop-sliders")["sliders"]] == ["L"]


def test_the_network_answers_with_the_sigmoid_of_its_last_sum():
    data = drawn(on(NETWORK), "backprop-graph")
    answer = next(node for node in data["nodes"] if node["name"] == "a")
    z2 = 0.7 * 0.2 - 0.4 * 2.5 + 0.3 * 0 + 0.5
    a = data["now"][data["names"].index(answer["name"])]
    assert a == pytest.approx(1 / (1 + math.exp(-z2)), abs=1e-15)


@pytest.mark.parametrize("view", VIEWS)
def test_a_square_matrix_times_a_vector_has_a_picture(view):
    program = "W = [[1, 2], [3, 4]]\nx = [5, 6]\nL = sum(W @ x)"
    assert not fine(opened("backprop", program=program, see=view)).error


def chain(app):
    return drawn(fine(app), "backprop-chainrule")


def number(data, name):
    return data["now"][data["names"].index(name)]


def test_a_nudge_of_b_becomes_minus_four_times_as_much():
    data = chain(opened("backprop", see="Chain of slopes"))
    (way,) = data["ways"]
    slopes = [number(data, link["slope"]) for link in way["links"]]
    moves = [number(data, node["move"]) for node in way["nodes"]]
    assert (way["leaf"], slopes, number(data, way["gradient"])) == ("b", [2, 1, -2], -4)
    assert moves == pytest.approx([0.1, 0.2, 0.2, -0.4])
    assert [node["name"] for node in way["nodes"]] == ["b", "d", "e", "L"]
    assert "doubled, kept, turned round and doubled. L moves by ==" in data["sentences"][0]


def test_a_link_that_is_closed_hides_its_slope_and_all_that_comes_behind_it():
    for seen, slopes in ((0, 3), (1, 2), (2, 1)):
        data = chain(opened("backprop", see="Chain of slopes", chain_seen=str(seen)))
        (way,) = data["ways"]
        closed = [link["slope"] for link in way["links"] if link["slope"] in data["hidden"]]
        assert closed == [link["slope"] for link in way["links"]][-slopes:]
        assert {way["nodes"][-1]["move"], "∂L/∂b"} <= set(data["hidden"])
        assert "?" in data["sentences"][0] and not any("{∂" in part for part in data["formula"][0])


def test_each_leaf_has_a_chain_of_its_own_and_its_product_can_be_asked_for_first():
    data = chain(opened("backprop", see="Chain of slopes", chain_of="each leaf", chain_seen="0"))
    assert {"∂L/∂b", "∂L/∂a", "∂L/∂c"} <= set(data["hidden"])
    data = chain(opened("backprop", see="Chain of slopes", chain_of="each leaf"))
    found = {way["leaf"]: number(data, way["gradient"]) for way in data["ways"]}
    assert found == {"b": -4, "a": -2, "c": 5}
    assert data["hidden"] == []


def test_every_slider_of_the_chain_moves_what_is_behind_it():
    app = opened("backprop", see="Chain of slopes")
    sliders = {each["name"]: each for each in drawn(fine(app), "backprop-sliders")["sliders"]}
    names = drawn(app, "backprop-sliders")["names"]
    for name, expected in (("nudge", lambda at: -4 * at), ("c", lambda at: 0.2 * at)):
        its = sliders[name]
        table = its["table"].reshape(len(its["positions"]), -1)
        column = its["columns"].index(names.index("ΔL from b"))
        assert table[:, column] == pytest.approx([expected(at) for at in its["positions"]])


def test_a_chain_with_a_curved_link_says_about():
    data = chain(opened("backprop", **dict(PRESETS[REGRESSION].settings) | {"see": VIEWS[1]}))
    assert "moves by about ==" in data["sentences"][0]
    assert "for a small nudge" in data["formula"][0]


@pytest.mark.parametrize("label", [NETWORK, TWICE, VANISHING])
def test_without_a_short_chain_the_page_shows_its_graph(label):
    app = fine(opened("backprop", **dict(PRESETS[label].settings) | {"see": "Chain of slopes"}))
    assert drawn(app, "backprop-graph")["step"] == -1


def test_how_far_the_result_moves_is_asked_with_all_slopes_hidden():
    app = fine(opened("backprop", see="Chain of slopes", ask="chain"))
    data = chain(app)
    assert {"ΔL from b", "∂L/∂b", "local ∂L/∂e"} <= set(data["hidden"])
    by_key(app.number_input, "guess-chain--0.4").set_value(0.4).run()
    assert "check the sign" in said(fine(app))
    by_key(app.number_input, "guess-chain--0.4").set_value(-0.4).run()
    assert "is right" in said(fine(app))
    assert chain(app)["hidden"] == []


def test_what_a_link_does_is_said_in_words():
    words = [chain_text.slope_words(slope) for slope in (2, 1, -2, -1, 0, 0.25)]
    turned = ["turned round and doubled", "turned round"]
    assert words == ["doubled", "kept", *turned, "stopped", "multiplied by 0.25"]


def blame(stage="weights", **changes):
    program = PRESETS[BLAME].settings["program"]
    for old, new in changes.items():
        program = program.replace(f"{old} = {OLD[old]}", f"{old} = {new}")
    return opened("backprop", program=program, see="Blame flows back", blame=stage)


OLD = {"b1": "[0.2, -0.5, 0.4]", "y": "1"}


def test_blame_starts_as_a_minus_y_and_each_weight_passes_on_its_share():
    data = drawn(fine(blame("output")), "backprop-blame")
    z = 0.7 * 0.2 - 0.4 * 2.5 + 0.5
    start = 1 / (1 + math.exp(-z)) - 1
    shares = [number(data, unit["blame"]) for unit in data["units"]]
    assert number(data, data["blame"]) == pytest.approx(start)
    assert shares == pytest.approx([start * 0.7, start * -0.4, start * 0.3])
    slopes = [number(data, name) for unit in data["units"] for name in unit["slopes"]]
    expected = [shares[0] * 2, shares[0], shares[1] * 2, shares[1], 0, 0]
    assert slopes == pytest.approx(expected)
    assert [number(data, unit["slope"]) for unit in data["units"]] == [1, 1, 0]


@pytest.mark.parametrize(
    ("stage", "changes", "words"),
    [
        ("forward", {}, "Who is to blame?"),
        ("forward", {"y": "0.4"}, "little to blame"),
        ("output", {}, "Blame starts as a − y = {a} − {y} = =={∂L/∂z2}=="),
        ("weights", {}, "Unit 3 was off, so its slope is =="),
        ("weights", {"b1": "[-3, -0.5, 0.4]"}, "Units 1 and 3 were off"),
        ("weights", {"b1": "[0.2, -0.5, 4]"}, "Every unit was on"),
        ("weights", {"b1": "[0.2, -0.5, 2.5]"}, "Unit 3 is exactly at 0"),
    ],
)
def test_the_sentence_of_each_stage_is_true_of_the_network(stage, changes, words):
    assert words in drawn(fine(blame(stage, **changes)), "backprop-blame")["sentences"][0]


def test_raising_the_bias_of_unit_3_opens_it():
    app = fine(blame())
    data = drawn(app, "backprop-sliders")
    slider = next(each for each in data["sliders"] if each["name"] == "b1(3)")
    table = slider["table"].reshape(len(slider["positions"]), -1)
    slope = table[:, slider["columns"].index(data["names"].index("∂L/∂W1(3,1)"))]
    for bias, gradient in zip(slider["positions"], slope, strict=True):
        assert (gradient != 0) == (bias > 2.5)


def test_central_differences_agree_away_from_the_kink():
    assert "central differences agree" in drawn(fine(blame()), "backprop-blame")["formula"][0]
    at_it = drawn(fine(blame(b1="[0.2, -0.5, 2.5]")), "backprop-blame")
    assert "central differences agree" not in at_it["formula"][0]


def test_how_many_weights_stay_is_asked_before_it_is_seen():
    app = fine(put(blame(), {"ask": "still"}))
    data = drawn(app, "backprop-blame")
    assert {name for unit in data["units"] for name in unit["slopes"]} <= set(data["hidden"])
    by_key(app.number_input, "guess-still-2.0").set_value(2.0).run()
    assert "**2** is right" in said(fine(app))


@pytest.mark.parametrize("label", [SLIDE, DEAD, VANISHING])
def test_what_is_no_such_network_is_shown_as_its_graph(label):
    app = fine(opened("backprop", **dict(PRESETS[label].settings) | {"see": "Blame flows back"}))
    assert drawn(app, "backprop-graph")["nodes"]
