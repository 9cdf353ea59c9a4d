"""A link restores the view it was copied from."""

import re

import pytest
from test_screen import BUILT, by_key, choose, drawn, fine, held, opened, put, said

import ui
from lessons.feedforward import feedforward_views
from lessons.generation import bench_view
from lmcore.shipped.models import load_shipped

MEASURED = re.compile(r"-?[\d.]+(e-\d+)?|.* s\b.*")
"""A number of a table, or a sentence with seconds in it."""
EVERY = [(slug, preset) for slug in BUILT for preset in ui.lesson(slug).presets]
SAMPLE = dict(reversed(EVERY))
"""The first example of each page; a walk tests all examples."""


@pytest.mark.parametrize(
    ("slug", "preset"),
    [
        pytest.param(*each, marks=[pytest.mark.walk] * (each not in SAMPLE.items()))
        for each in EVERY
    ],
    ids=lambda one: getattr(one, "label", one),
)
def test_a_preset_and_its_address_show_the_same(slug, preset, monkeypatch):
    monkeypatch.setattr(bench_view, "WAIT", 60.0)  # wait until the bench has measured
    lesson = ui.lesson(slug)
    part = {name: value for name, value in preset.settings.items() if name.endswith("_tab")}
    app = fine(choose(opened(slug, **part), "preset-shown", preset.label))
    linked = fine(opened(slug, **lesson.address(preset)))
    assert not app.error and not linked.error
    if preset.label in ("UW slide: cherry-picked", "This server"):  # seconds are measured anew
        assert untimed(app) == untimed(linked)
    else:
        assert said(app) == said(linked)
    assert preset.help in [element.value for element in linked.caption]
    assert by_key(linked.button_group, "preset-shown").value == preset.label
    for name, value in preset.settings.items():
        assert held(linked, name, {**lesson.defaults, **lesson.looks}[name]) == value, name
    if slug in SHOWS:
        SHOWS[slug](linked, preset.settings)


def untimed(app):
    """The lines of a page's text without those that hold measurements."""
    return [line for line in said(app).splitlines() if not MEASURED.fullmatch(line)]


def shows_its_words(app, settings):
    if settings.get("see") in feedforward_views.PICTURES:  # pictures of their own, of other words
        return
    vocabulary = load_shipped("feedforward")[0].vocabulary
    words = vocabulary.decode(vocabulary.read(settings["ff_text"]))
    assert drawn(app, "feedforward-feedforward")["words"] == words


def scores_its_sentence(app, settings):
    if settings.get("see") == "Pairs":  # a picture of its own, of two texts
        return
    typed = settings["lm_text"].split()
    assert drawn(app, "sentence-language_model")["words"][: len(typed)] == typed


def walks_to_its_step(app, settings):
    assert app.session_state["rnn-good"][1].step == int(settings["rnn_step"])


def describes_its_runs(app, settings):
    assert len(app.session_state["training-good"]) == len(settings["models"].split(","))


SHOWS = {
    "feedforward": shows_its_words,
    "language_model": scores_its_sentence,
    "rnn": walks_to_its_step,
    "training": describes_its_runs,
}
"""Page → a check of what its presets must show, for the test above."""


@pytest.mark.parametrize("label", [p.label for _, p in EVERY if p.settings.get("update")])
def test_the_address_of_a_preset_says_which_leaves_learn(label):
    preset = next(preset for _, preset in EVERY if preset.label == label)
    app = opened("backprop", **ui.lesson("backprop").address(preset))
    choose(app, "see", "Gradient descent")
    learning = by_key(app.button_group, "update-shown").value
    assert ", ".join(learning) == preset.settings["update"]


def test_leaves_that_learn_are_restored_from_the_address():
    app = fine(opened("backprop", see="Gradient descent", update="a, c"))
    assert by_key(app.button_group, "update-shown").value == ["a", "c"]
    assert "from **−10** to **−13.5" not in said(app)
    # a and c alone: a = 3.2, c = −2.5, b stays 1, so L = −2.5 · (3.2 + 2)
    assert "one step takes L from **−10** to **−13**" in said(app)


@pytest.mark.parametrize(
    ("slug", "address", "shows"),
    [
        (
            "neuron",
            {"x": "1, 2", "w": "3, 4", "b": "-5"},
            "z = 3·1 + 4·2 + (−5) = 6",
        ),
        ("neuron", {"g": "tanh"}, "y = tanh(0.69) = 0.5980"),
        ("neuron", {"g": "ReLU"}, "y = ReLU(0.69) = 0.69"),
        ("neuron", {"fold": "true"}, "0.4·1"),
        ("neuron", {"see": "Step by step"}, "0.03 + 0.08 + 0.18 + 0.4"),
        ("backprop", {"program": "a = 2\nL = a^3"}, "L = a^3 = 2^3 = 8"),
        ("backprop", {"see": "Gradient descent", "eta": "0.5"}, "η = 0.5"),
        ("backprop", {"see": "Gradient descent", "steps": "3"}, "3 steps to"),
        ("backprop", {"see": "Code"}, "from lmcore.graph import parse_program, trace_graph"),
    ],
    ids=str,
)
def test_a_link_restores_a_control(slug, address, shows):
    app = fine(opened(slug, **address))
    assert not app.error
    assert shows in said(app)


@pytest.mark.parametrize("at", ["0", "1", "5", "10"])
def test_a_link_restores_the_step_of_the_walk(at):
    assert drawn(opened("backprop", at=at), "backprop-graph")["step"] == int(at)


def test_a_link_restores_the_leaf_whose_sliders_are_shown():
    network = ui.lesson("backprop").presets[1]
    address = ui.lesson("backprop").address(network) | {"leaf": "b1"}
    names = drawn(fine(opened("backprop", **address)), "backprop-sliders")["sliders"]
    assert [each["label"] for each in names] == ["b1[1]", "b1[2]", "b1[3]"]


def test_the_address_follows_what_is_chosen_and_forgets_defaults():
    app = choose(opened("neuron"), "preset-shown", "Saturated")
    assert app.query_params["w"] == ["4, 4, 4"] or app.query_params["w"] == "4, 4, 4"
    choose(app, "preset-shown", "CMU slide: A Unit Illustrated")
    assert "w" not in app.query_params
    assert "x" not in app.query_params


def test_what_was_changed_by_hand_is_no_preset():
    app = fine(put(opened("neuron"), {"b": "0.5"}))
    assert "Your own settings" in [e.value for e in app.caption]
    assert held(app, "preset", None) is None
