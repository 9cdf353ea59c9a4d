"""The RNN page steps through a text, and shows what the model computed."""

import math

import numpy as np
import pytest
import torch
from test_screen import by_key, drawn, fine, opened, put, said

import ui
from lessons.rnn import deep_picture
from lmcore.models.registry import NeuralModel
from lmcore.shipped.models import load_shipped
from lmcore.training.loop import Training
from lmcore.training.loss import cross_entropy
from lmcore.training.spec import CorpusSpec, ModelSpec, RunSpec
from ui.models import ModelEntry

LESSON = ui.lesson("rnn")
PRESETS = {preset.label: preset for preset in LESSON.presets}
TEXT = LESSON.defaults["rnn_text"]
MODEL, _, _ = load_shipped("rnn")
TOKENS = MODEL.vocabulary.read(TEXT)


def picture(app):
    return drawn(app, "rnn-unrolled")


def now(app):
    shown = picture(app)
    return dict(zip(shown["names"], shown["now"], strict=True))


def means(app):
    """The mean of J(1) … J(t), at every t."""
    shown = picture(app)
    return shown["table"].reshape(-1, len(shown["names"]))[:, shown["names"].index("mean")]


def walk(app):
    return app.session_state["rnn-good"][1]


def asked(app, key):
    """Open the questions, and advance to the one with that key."""
    by_key(app.button, "predict").click().run()
    while app.session_state["ask"] != key:
        next(b for b in app.button if b.label == "Reveal").click().run()
        by_key(app.button, "predict-next").click().run()
    return fine(app)


def test_the_page_opens_on_the_sentence_of_the_slide_with_its_losses():
    app = fine(opened("rnn"))
    shown = picture(app)
    assert shown["words"] == MODEL.vocabulary.decode(TOKENS)
    assert (now(app)["@t"], shown["phases"][int(now(app)["@phase"])]) == (9, "J")
    ids = torch.tensor([TOKENS])
    with torch.no_grad():
        expected = float(cross_entropy(MODEL.network(ids[:, :-1]).logits, ids[:, 1:]))
    assert shown["losses"][:-1].mean() == pytest.approx(expected, rel=1e-5)
    assert means(app)[-2] == pytest.approx(expected, rel=1e-5)
    assert math.isnan(shown["losses"][-1])
    assert shown["choices"][8][0] == "is"
    assert "“tripped” came next, with p = 0.1731: loss 1.754 nats." in said(app)


@pytest.mark.parametrize(
    ("phase", "told"),
    [
        ("x", "Step 9 of 11 reads barn."),
        ("e", f"barn becomes 64 numbers: row {TOKENS[8]} of E."),
        ("h", "Unit 7: 1.107 from “barn”, 2.183 from h₈"),
        ("y", "After “barn” the model expects is most: p = 0.4641. “tripped” gets 0.1731."),
        ("J", "J(9) = −log ŷ₉[tripped] = −log 0.1731 = 1.754 nats"),
    ],
)
def test_each_quantity_of_a_step_is_told_with_its_numbers(phase, told):
    assert told in said(fine(opened("rnn", rnn_phase=phase)))


def test_the_slider_of_time_has_the_numbers_of_every_step():
    app = opened("rnn")
    (slider,) = drawn(app, "rnn-sliders")["sliders"]
    assert slider["positions"].tolist() == list(range(1, 12))
    shown = picture(app)
    rows = shown["table"].reshape(11, -1)
    swept = slider["table"].reshape(11, -1)
    np.testing.assert_array_equal(swept, rows[:, slider["columns"]])


def test_the_step_table_is_that_of_the_chosen_unit_and_step():
    app = fine(opened("rnn", rnn_unit="12", rnn_step="4", see="Step by step"))
    table = drawn(app, "rnn-steps")
    now = dict(zip(table["names"], table["now"], strict=True))
    assert now["t"] == 4 and now["id"] == TOKENS[3]
    assert now["wx"] + now["wh"] + now["b"] == pytest.approx(now["z"])
    assert math.tanh(now["z"]) == pytest.approx(now["h"])
    assert now["h"] == pytest.approx(picture(app)["h"]["values"].reshape(11, -1)[3, 11])
    assert -math.log(now["p"]) == pytest.approx(now["J"])


def test_the_whole_walk_travels_and_its_row_is_what_the_table_shows():
    app = opened("rnn", see="Step by step")
    shown, table = picture(app), drawn(app, "rnn-steps")
    rows = shown["table"].reshape(11, len(shown["names"]))
    assert np.array_equal(rows[8], table["now"])


def test_the_first_units_are_shown_and_all_if_asked_for():
    assert picture(opened("rnn"))["h"]["shown"] == 32
    shown = picture(fine(opened("rnn", rnn_all="true")))
    assert (shown["e"]["shown"], shown["h"]["shown"]) == (64, 160)


@pytest.mark.parametrize(
    ("settings", "reason"),
    [
        ({"rnn_text": "today is the first day"}, "word 4 must be one of the 279 words"),
        ({"rnn_text": ""}, "the text must have from 1 to 31 words; got 0"),
        ({"rnn_text": "the " * 40}, "the text must have from 1 to 31 words; got 40"),
        ({"rnn_unit": "161"}, "the hidden unit must be from 1 to 160; got 161"),
        ({"rnn_unit": "0"}, "the hidden unit must be 1 or more; got 0"),
        ({"rnn_unit": "x"}, "the hidden unit must be a whole number"),
        ({"rnn_step": "0"}, "the step must be from 1 to 11; got 0"),
        ({"rnn_phase": "q"}, "the phase must be one of x, e, h, y, J; got 'q'"),
    ],
    ids=str,
)
def test_what_is_wrong_is_refused_and_the_last_good_stays(settings, reason):
    app = opened("rnn", rnn_step="5")
    before = walk(app)
    fine(put(app, settings))
    assert any(reason in error.value.replace("\\", "") for error in app.error), app.error
    assert walk(app) == before


def test_an_unknown_word_is_told_its_neighbours_and_all_are_listed():
    app = fine(opened("rnn", rnn_text="the horze sleeps"))
    (error,) = app.error
    told = error.value.replace("\\", "")
    assert "similar words: horse" in told and "a tiny English of 279 words" in told
    words = sorted(MODEL.vocabulary.words)
    listed = [each.value.replace("\\", "") for each in app.markdown]
    assert ", ".join(words) in listed and len(words) == 279


def test_a_broken_address_opens_on_the_lesson():
    app = fine(opened("rnn", rnn_text="no such words"))
    assert app.error
    assert list(walk(app).tokens) == TOKENS


@pytest.mark.parametrize(
    ("name", "value"),
    [("rnn_both", "maybe"), ("rnn_layers", "9"), ("rnn_model", "gone")],
)
def test_an_address_that_asks_for_what_is_not_there_says_so(name, value):
    app = fine(opened("rnn", **{name: value}))
    assert any(f"got '{value}'" in error.value.replace("\\", "") for error in app.error)


def test_a_place_after_the_end_of_a_shorter_text_is_its_end():
    assert walk(put(opened("rnn"), {"rnn_text": "the horse"})).step == 3


def test_the_losses_are_compared_with_the_grammar_and_with_the_slide():
    app = fine(opened("rnn", see="Loss"))
    assert "Without the logarithm" in said(app)
    assert r"\hat y^{(t)}_{x_{t+1}}" in said(app)


@pytest.mark.parametrize(("cut", "pairs"), [("1", "10 of 55"), ("10", "55 of 55"), ("99", "55 of")])
def test_the_gradient_is_cut_where_the_slider_says(cut, pairs):
    app = fine(opened("rnn", see="Gradient through time", rnn_cut=cut))
    assert f"computes {pairs}" in said(app)


def test_one_word_has_one_loss_and_needs_no_slider():
    app = fine(opened("rnn", see="Gradient through time", rnn_text="the"))
    assert not app.slider
    assert "computes 1 of 1" in said(app)


@pytest.mark.parametrize("view", ["Gradient through time", "Loss"])
@pytest.mark.parametrize(
    ("reach", "reason"),
    [("far", "a whole number"), ("-1", "1 or more; got -1"), ("2.5", "a whole number")],
)
def test_a_bad_reach_is_said_and_the_page_goes_on(view, reach, reason):
    app = fine(opened("rnn", see=view, rnn_cut=reach))
    (error,) = app.error
    assert f"the reach must be {reason}" in error.value.replace("\\", "")


def test_a_bad_model_is_told_how_much_of_its_surprise_is_its_own(monkeypatch):
    run = Training(RunSpec(CorpusSpec(), ModelSpec("rnn", 8, 12), steps=1, every=1))
    mine = {"mine": ModelEntry("RNN mine", NeuralModel(run.network, run.feed.vocabulary))}
    monkeypatch.setattr(ui.models, "session_models", lambda: mine)
    app = fine(opened("rnn", rnn_model="mine"))
    assert "nats are unavoidable; the model adds" in said(
        app
    ) and "no model can predict" not in said(app)


def test_size_and_depth_are_counted_for_the_model_at_hand():
    assert f"{MODEL.network.config.parameters:,}" in said(fine(opened("rnn", see="Size")))
    app = fine(opened("rnn", see="Receptive field", rnn_layers="2", rnn_both="true"))
    types = len(MODEL.vocabulary)
    stack = torch.nn.RNN(64, 160, 2, bidirectional=True)
    weights = sum(weight.numel() for weight in stack.parameters())
    assert f"{weights + types * 64 + (2 * 160 + 1) * types:,}" in said(app)
    table = drawn(app, "table-rnn-cloze")["numbers"].reshape(-1, 2)
    assert len(table) == 10 and ((table >= 0) & (table <= 1 + 1e-9)).all()


@pytest.mark.parametrize(("both", "seen"), [("false", 3), ("true", 10)])
def test_a_second_direction_reads_every_word(both, seen):
    app = fine(opened("rnn", see="Deep and both ways", rnn_both=both))
    shown = drawn(app, "deep-deep")
    assert dict(zip(shown["names"], shown["now"], strict=True))["seen"] == seen
    assert [chain["shown"] for chain in shown["chains"]] == [True, True, *[both == "true"] * 2]


def test_a_word_after_the_end_is_the_last_one():
    shown = drawn(fine(opened("rnn", see="Deep and both ways", rnn_word="40")), "deep-deep")
    assert shown["now"][shown["names"].index("k")] == 10
    app = fine(opened("rnn", see="Deep and both ways", rnn_word="0"))
    assert app.error


def test_words_that_the_bilm_does_not_know_have_no_states_to_draw(monkeypatch):
    monkeypatch.setattr(deep_picture, "knows", lambda words: words != tuple(TEXT.split()))
    app = fine(opened("rnn", see="Deep and both ways"))
    assert picture(app) and "not with these settings" in said(app)


def test_a_text_the_grammar_never_says_has_no_table_of_gaps():
    text = "the horse raced past the barn tripped ."
    app = fine(opened("rnn", see="Receptive field", rnn_text=text))
    assert "cannot produce this text" in said(app)


def test_a_question_hides_what_it_asks_for_and_is_answered_from_the_text():
    app = asked(opened("rnn"), "next")
    assert picture(app)["hidden"] == ["y", "p", "J", "mean"]
    assert "“is”" not in said(app)
    app = asked(opened("rnn"), "loss")
    assert picture(app)["hidden"] == ["J", "mean"]
    app.number_input[0].set_value(-math.log(0.1731)).run()
    assert "**1.754** is right" in said(fine(app))
    assert picture(app)["hidden"] == []


@pytest.mark.parametrize(("key", "answer"), [("loop", "10"), ("vanish", "0.005154")])
def test_the_questions_on_the_loop_and_on_50_steps_back(key, answer):
    app = asked(opened("rnn"), key)
    next(b for b in app.button if b.label == "Reveal").click().run()
    assert f"It is **{answer}**" in said(fine(app))


def test_code_runs_and_the_slide_is_put_right(capsys):
    app = fine(opened("rnn", see="Code"))
    assert "def unroll(" in said(app)
    snippet = next(each.value for each in app.code if "from lmcore.shipped.models" in each.value)
    space = {}
    exec(snippet, space)
    assert f"mean         {means(app)[-2]:.12f}" in capsys.readouterr().out
    assert any("range(1, len(x))" in each.value for each in opened("rnn").markdown)


def test_a_run_of_ones_own_is_offered_if_it_is_an_rnn_of_one_layer(monkeypatch):
    spec = RunSpec(CorpusSpec(), ModelSpec("rnn", 8, 12), steps=1, every=1)
    deep = RunSpec(CorpusSpec(), ModelSpec("rnn", 8, 12, 2), steps=1, every=1)
    made = {}
    for name, each in {"mine": spec, "deep": deep}.items():
        run = Training(each)
        made[name] = ModelEntry(f"RNN {name}", NeuralModel(run.network, run.feed.vocabulary))
    monkeypatch.setattr(ui.models, "session_models", lambda: made)
    app = fine(opened("rnn", rnn_model="mine"))
    assert picture(app)["h"]["size"] == 12
    refused = fine(opened("rnn", rnn_model="deep")).error
    assert any("one of shipped, mine; got" in error.value.replace("\\", "") for error in refused)
