"""The Networks page: a network with its run, and each view of each preset."""

import pytest
from test_screen import by_key, choose, fine, held, opened, said

import ui
from lmcore.classification.hand_features import HandConfig, train_hand_features
from lmcore.classification.reviews import ReviewConfig, draw_reviews
from lmcore.networks.network import NetworkConfig
from lmcore.networks.points import PointSet, draw_points
from lmcore.networks.seeds import solve_from_seeds
from lmcore.networks.training import TrainingConfig, train_network
from lmcore.numbers import format_number
from tests.ui.streamlit_internals.pressing import send

LESSON = ui.lesson("networks")
PRESETS = {preset.label: preset for preset in LESSON.presets}
VIEWS = [
    "Picture",
    "Forward pass",
    "One line",
    "Many seeds",
    "Classifiers",
    "Words pooled",
    "Softmax shares",
    "Reviews",
    "Embeddings",
    "Softmax",
    "Elman network",
    "Code",
]


def words(app):
    """The text of the page, without the marks of bold text."""
    return said(app).replace("**", "")


def on(label):
    return fine(choose(opened("networks"), "preset-shown", label))


def test_the_views_are_those_that_these_tests_open():
    assert by_key(opened("networks").button_group, "see-shown").options == VIEWS


@pytest.mark.parametrize(
    ("label", "numbers"),
    [
        ("XOR solved", ["After 500 steps, 0 of 4 points are on the wrong side", "two lines"]),
        ("XOR, one layer", ["of 4 points are on the wrong side: one layer draws one line."]),
        ("AND, one layer", ["0 of 4 points are on the wrong side"]),
        ("Three classes", ["straight borders are enough", "softmax(z⁽¹⁾)"]),
        ("Linear layers", ["without a nonlinearity, more layers still draw one line"]),
        ("Moons", ["0 of 56 points are on the wrong side"]),
        ("Spiral", ["0 of 112 points are on the wrong side: the output joins what 8 and 8"]),
        ("Softmax at 1000", ["In float32, e^(1000) is ∞", "undefined", "0.6652"]),
        ("Elman network", ["h₄ = 0.3163"]),
        (
            "Review features",
            ["x₁: count(positive-lexicon words ∈ doc)", "(positive-lexicon", "0.85"],
        ),
        ("Texts of any length", ["great but good not", "Mean and max change by 0 and 0"]),
    ],
)
def test_a_preset_shows_its_numbers(label, numbers):
    shown = words(on(label))
    for number in numbers:
        assert number in shown


def test_the_numbers_are_those_of_the_run():
    run = train_network(NetworkConfig(), draw_points(PointSet()), TrainingConfig(seed=1))
    for step in (0, 120, 500):
        shown = words(fine(opened("networks", nn_step=str(step))))
        assert f"L = {format_number(float(run.loss[step]))} nats" in shown
        assert f"{int(run.wrong[step])} of 4 points" in shown


def test_the_best_line_gets_three_of_the_four_corners_of_xor():
    shown = words(fine(opened("networks", see="One line", nn_units="")))
    assert "puts 3 of 4 points on the side of their class" in shown


def test_linear_layers_come_to_one_matrix():
    shown = words(fine(opened("networks", see="One line", nn_units="4, 4", nn_g="identity")))
    assert "Without a nonlinearity, these layers are one" in shown


def test_the_share_of_starts_is_measured_and_has_its_interval():
    runs = solve_from_seeds(NetworkConfig(), draw_points(PointSet()), TrainingConfig(seed=1))
    share, low, high = runs.interval
    shown = words(fine(opened("networks", see="Many seeds")))
    assert f"{share:.1%} of 200 random starts solve XOR" in shown
    assert f"95 % interval {low:.1%} to {high:.1%}" in shown


def test_what_the_picture_reports_is_kept_in_the_settings():
    from lessons.networks import networks_state

    app = opened("networks")
    now = app.session_state["networks-good"]
    assert (now.step, now.input, now.weight) == (500, (1.0, 0.0), 0)
    app = fine(opened("networks", nn_step="80", nn_x="0.25, 1", nn_weight="8", nn_hand="8:2.5"))
    now = app.session_state["networks-good"]
    run = networks_state.Run(
        draw_points(now.which), train_network(now.config, draw_points(now.which), now.how)
    )
    row = networks_state.parameters_now(now, run)
    assert float(row[8]) == 2.5
    assert float(row[0]) == float(run.trajectory.parameters[80, 0])


@pytest.mark.parametrize(
    ("setting", "value", "message"),
    [
        ("nn_units", "9", "the number of units of layer 1 must be from 1 to 8; got 9"),
        ("nn_units", "2, 2, 2, 2", "the number of layers must be from 1 to 4; got 5"),
        ("nn_units", "two", "units of layer 1"),
        ("nn_eta", "1e9", "the learning rate η must be from 0 to 100"),
        ("nn_steps", "0", "steps must be from 1 to 2000; got 0"),
        ("nn_noise", "2", "noise must be from 0 to 0"),
        ("nn_x", "1", "the input x must be"),
        ("nn_hand", "99:1", "must be from 0 to 8; got 99"),
        ("soft_t", "0", "temperature must be a number above 0"),
        ("elman_x", "1, 2, 3, 4, 5, 6, 7, 8, 9", "number of inputs must be from 1 to 8; got 9"),
    ],
)
def test_what_is_not_allowed_is_named_and_the_last_good_state_stays(setting, value, message):
    view = {"soft": "Softmax", "elma": "Elman network"}.get(setting[:4], "Picture")
    app = opened("networks", see=view, **{setting: value})
    assert message in words(app)
    assert not app.exception


def test_two_classifiers_of_reviews_are_trained_and_compared():
    both = train_hand_features(draw_reviews(ReviewConfig("negation")), HandConfig())
    one, two = both.logistic.held_out_accuracy, both.one_hidden_layer.held_out_accuracy
    shown = words(fine(opened("networks", see="Reviews")))
    assert f"gets {one.correct} of {one.total} right, one hidden layer {two.correct} of" in shown
    found = both.one_hidden_layer.classify(LESSON.defaults["rv_text"])
    assert f"{format_number(float(found.probability))} with one hidden layer" in shown


def test_own_reviews_are_trained_on_and_refused_by_their_line():
    shown = words(fine(opened("networks", see="Reviews", rv_data="own")))
    assert "depends on your texts" in shown
    app = opened("networks", see="Reviews", rv_data="own", rv_own="good film,1\nbad film,maybe")
    assert "line 2" in words(app)
    assert not app.exception


def test_embeddings_pool_a_text_of_any_length():
    shown = words(fine(opened("networks", see="Embeddings", em_text="great", em_pool="max")))
    assert "element-wise maximum" in shown
    app = opened("networks", see="Embeddings", em_text="quux was great")
    assert "Not in the training reviews, so a zero embedding: quux" in words(fine(app))


def test_the_class_is_hidden_while_it_is_asked_for():
    shown = words(fine(opened("networks", ask="class")))
    assert "Which class does the network give the input (1, 0)?" in shown


def test_the_neuron_that_cannot_do_xor_leads_to_the_network_that_can():
    settings = {"x": "1, 1", "w": "1, 1", "b": "-0.5", "g": "step", "gate": "XOR"}
    app = fine(opened("neuron", see="Decision surface", **settings))
    assert "A hidden layer solves XOR" in [link.label for link in app.get("page_link")]


def test_own_points_are_classified():
    own = "0 0 0; 1 1 1; 0.2 0.9 1"
    shown = words(fine(opened("networks", nn_data="own", nn_own=own)))
    assert "of 3 points" in shown


def test_every_preset_is_looked_at_and_tells_what_it_is_for():
    for label, preset in PRESETS.items():
        app = on(label)
        assert preset.help in [element.value for element in app.caption]
        for name, value in preset.settings.items():
            assert held(app, name, {**LESSON.defaults, **LESSON.looks}[name]) == value


def test_a_word_of_the_second_review_is_moved_one_place_on():
    app = fine(opened("networks", see="Words pooled", wp_shows="orders"))
    send(app, {"word": 2})
    assert app.session_state["wp_other"] == "good but great not"
    send(fine(app), {"word": 3})
    assert app.session_state["wp_other"] == "not good but great"
    assert "Twice the same review" in said(fine(app))


def test_a_released_score_is_stored_and_the_earlier_ones_are_marked():
    app = fine(opened("networks", see="Softmax shares"))
    send(app, {"name": "z3", "value": 2.0, "typed": "2", "index": 40})
    assert app.session_state["share_z"] == "2, 1, 2"
    assert app.session_state["share_was"] == "2, 1, 0"


@pytest.mark.parametrize(
    ("typed", "message"),
    [
        ("9, 1, 0", "the scores z must be from -2 to 2.5; got 9"),
        ("1, 0", "the scores z must be 3 numbers; got 2"),
    ],
)
def test_scores_that_do_not_fit_are_refused(typed, message):
    app = opened("networks", see="Softmax shares", share_z=typed)
    assert message in "\n".join(each.value.replace("\\", "") for each in app.error)
