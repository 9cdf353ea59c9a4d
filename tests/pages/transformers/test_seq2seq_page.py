"""The Encoder–decoder page: a translation word by word, with α as computed and forced."""

import numpy as np
import pytest
import torch
from test_screen import by_key, choose, drawn, fine, held, opened, said

import ui
from lessons.seq2seq import seq2seq_questions, seq2seq_views, translated
from lessons.seq2seq.translated import Translated
from lmcore.attention.translation_steps import one_place, trace_translation
from lmcore.corpora.translation import held_out_sources, parse_source, translate, translate_aligned
from lmcore.numbers import format_number
from lmcore.shipped.models import load_translator
from lmcore.training.translation_batches import encode_sources
from tests.ui.streamlit_internals.pressing import send

LESSON = ui.lesson("seq2seq")
PRESETS = {preset.label: preset for preset in LESSON.presets}
NETWORK, VOCABULARY, _, _ = load_translator("seq2seq_attention")
VECTOR, _, _, _ = load_translator("seq2seq_vector")
OPENING = parse_source(LESSON.defaults["s2_source"], "mixture")


def words(app):
    """The text of the page, without the marks of bold text and the escapes."""
    return said(app).replace("**", "").replace("\\", "")


def on(label):
    return fine(choose(opened("seq2seq"), "preset-shown", label))


def page(**address):
    return fine(opened("seq2seq", **address))


def trace(source=OPENING, network=NETWORK, **forced):
    return trace_translation(network, VOCABULARY, source, **forced)


def decoded(ids):
    return VOCABULARY.decode(ids.tolist())


def picture(app):
    return drawn(app, "seq2seq-seq2seq")


def floats(data, width):
    return np.frombuffer(data, dtype="<f4").reshape(-1, width)


@pytest.mark.parametrize("label", ["Man and cup", "The ball", "Too much", "Longer than trained"])
def test_the_picture_has_the_tensors_of_both_models(label):
    source = parse_source(PRESETS[label].settings["s2_source"], "mixture")
    its, vector = trace(source), trace(source, VECTOR)
    data = picture(on(label))
    places = len(source) + 1
    assert data["source"] == [*source, "</s>"]
    assert data["target"] == [*translate(source, "mixture"), "</s>"]
    assert data["attention"]["words"] == decoded(its.written)
    assert data["vector"]["words"] == decoded(vector.written)
    weights = its.trace.weights[0].numpy()
    np.testing.assert_array_equal(data["weights"].reshape(-1, places), weights)
    states = floats(data["states"], data["width"])
    np.testing.assert_array_equal(states, its.trace.encoder_states[0].numpy())
    contexts = floats(data["contexts"], data["width"])
    np.testing.assert_array_equal(contexts, its.trace.contexts[0].numpy())
    np.testing.assert_allclose(contexts, weights @ states, atol=1e-6)
    np.testing.assert_array_equal(
        floats(data["decoder"], data["width"]), its.trace.decoder_states[0].numpy()
    )
    assert data["instead"] == [decoded(row) for row in its.alternatives]
    with torch.no_grad():
        last = VECTOR.encode(encode_sources([source])).vector.numpy()
    np.testing.assert_allclose(floats(data["vectorState"], data["vectorWidth"]), last, atol=1e-6)


@pytest.mark.parametrize("step", range(1, 11))
def test_the_sentence_of_a_step_names_the_word_of_its_largest_weight(step):
    its, target = trace(), [*translate(OPENING, "mixture"), "</s>"]
    weights = its.trace.weights[0, step - 1]
    shown = words(page(s2_step=str(step)))
    best = format_number(float(weights.max()))
    if step == len(target):
        assert "Of 9 words, attention has 9 at the right place, one vector 7." in shown
        return
    word = decoded(its.written)[step - 1]
    assert f"To write {word}, the decoder attends to {OPENING[int(weights.argmax())]}" in shown
    assert f" = {best}." in shown
    vector = decoded(trace(network=VECTOR).written)[step - 1]
    assert (f"One vector alone gives {vector}" in shown) == (vector != target[step - 1])


def test_the_candidates_are_the_most_probable_words_and_their_shares():
    data = picture(page())
    for name, network in (("attention", NETWORK), ("vector", VECTOR)):
        best = trace(network=network).probabilities.topk(4, dim=-1)
        assert data[name]["next"] == [decoded(row) for row in best.indices]
        np.testing.assert_allclose(data[name]["probabilities"], best.values.flatten())


def test_a_forced_weight_changes_the_word_and_all_that_follows():
    app = on("Force α")
    forced = trace(forced={1: one_place(1, len(OPENING) + 1)})
    data = picture(app)
    assert data["attention"]["words"] == decoded(forced.written)
    assert data["forced"][:3] == [-1, 1, -1]
    assert "With all of α₂ forced on cup, the decoder writes cup instead of man." in words(app)


def test_a_wrong_word_is_told_from_the_right_one():
    app = on("Longer than trained")
    its = trace(parse_source(PRESETS["Longer than trained"].settings["s2_source"], "mixture"))
    written, target = decoded(its.written), picture(app)["target"]
    assert written[-1] == "</s>" and len(written) < len(target)
    right = [word == target[i] for i, word in enumerate(written)]
    assert picture(app)["attention"]["right"] == right and not all(right)


def test_while_the_state_is_asked_for_it_is_not_written():
    app = page(ask="attends")
    data = picture(app)
    assert "a1" in data["hidden"]
    assert not any("attends to **man**" in each for each in data["sentences"])
    assert not any("h₇" in part for part in data["formula"][1])
    by_key(app.button, "reveal-attends").click().run()
    assert "attends to man" in words(app)


def test_the_question_about_another_place_is_answered_by_the_network():
    assert "instead" in picture(page(ask="swap"))["hidden"]
    its, vector, pair = trace(), trace(network=VECTOR), translate_aligned(OPENING, "mixture")
    shown = Translated(pair, its, its, vector)
    for step in range(1, len(its.written) + 1):
        asked = seq2seq_questions.questions(shown, step)[1]
        place = next(
            j for j in range(len(OPENING) + 1) if seq2seq_views.named_place(shown, j) in asked.ask
        )
        forced = trace(forced={step - 1: one_place(place, len(OPENING) + 1)})
        assert asked.answer == decoded(forced.written)[step - 1] != decoded(its.written)[step - 1]
        assert asked.answer in asked.options and len(asked.options) == 4


def test_every_number_of_a_step_is_in_the_table():
    app = on("Every number")
    its = trace()
    shown = words(app)
    before = its.trace.decoder_states[0, 0].double().norm()
    assert f"‖sᵢ₋₁‖ = {format_number(float(before))}" in shown
    table = drawn(app, "table-weights")
    numbers = table["numbers"].reshape(len(OPENING) + 1, 3)
    np.testing.assert_allclose(numbers[:, 0], its.trace.scores[0, 1])
    np.testing.assert_allclose(numbers[:, 1], its.trace.weights[0, 1])
    np.testing.assert_allclose(numbers[:, 2], its.alternative_probabilities[1])
    assert table["labels"][1] == "x₂ cup → cup"


def test_another_sentence_is_held_out_and_as_long():
    app = page(s2_forced="2:2")
    by_key(app.button, "s2-another").click().run()
    source = tuple(app.session_state["s2_source"].split())
    assert source == held_out_sources("mixture", len(OPENING), 1)[0]
    assert (app.session_state["s2_forced"], app.session_state["s2_step"]) == ("", "1")
    by_key(app.button, "s2-another").click().run()
    assert app.session_state["s2_source"].split() != list(source)


def test_the_last_step_that_can_be_typed_is_that_of_the_words_on_screen():
    longer = page(s2_forced="3:1")
    last = len(picture(longer)["attention"]["words"])
    assert last > len(picture(page())["attention"]["words"]), "with nothing forced it writes fewer"
    app = fine(send(longer, {"name": "step", "typed": str(last)}))
    assert app.session_state["s2_step"] == str(last)
    app = send(longer, {"name": "step", "typed": str(last + 1)})
    assert app.session_state["s2_step"] == str(last)
    assert f"the step must be from 1 to {last}, the words written; got {last + 1}" in said(app)


@pytest.mark.parametrize(
    ("setting", "value", "message"),
    [
        ("s2_source", "the ball was kicked by nobody", "word 6 must be one of the"),
        ("s2_source", "the ball were kicked by kayla", "must be 'was', as the subject is singular"),
        ("s2_source", "", "a source must have 1 to 40 words; got 0"),
        ("s2_source", "tom runs " * 60, "a source must have 1 to 40 words; got 120"),
        ("s2_forced", "2", "forced α must be step:place, such as 2:6; got '2'"),
        ("s2_forced", "2:99", "the place of forced α must be from 1 to 14"),
        ("s2_forced", "0:1", "the step of forced α must be from 1 to 50; got 0"),
        ("s2_forced", "two:1", "the step of forced α must be"),
    ],
)
def test_what_is_not_allowed_is_named_and_the_last_good_state_stays(setting, value, message):
    app = opened("seq2seq", **{setting: value})
    assert message in words(app)
    assert not app.exception
    assert picture(app)["source"] == [*OPENING, "</s>"]


def test_without_its_models_the_page_says_so_and_still_trains(monkeypatch):
    monkeypatch.setattr(translated, "has_weights", lambda name: False)
    app = opened("seq2seq", see="Train it here")
    assert "The files of the translation models are missing" in words(app)
    assert drawn(app, "seq2seq-runs")["recorded"]
    assert not app.exception


def test_every_preset_is_looked_at_and_tells_what_it_is_for():
    for label, preset in PRESETS.items():
        app = on(label)
        assert preset.help in [element.value for element in app.caption]
        for name, value in preset.settings.items():
            assert held(app, name, {**LESSON.defaults, **LESSON.looks}[name]) == value


def test_the_recorded_run_of_the_settings_is_behind_the_one_to_train():
    data = drawn(on("Train your own"), "seq2seq-runs")
    assert data["runs"] == []
    assert [curve["label"] for curve in data["recorded"]] == ["recorded: attention, dot"]
    other = drawn(page(see="Train it here", s2t_task="copy"), "seq2seq-runs")
    assert other["recorded"] == []


@pytest.mark.parametrize(
    ("setting", "value", "message"),
    [
        ("s2t_steps", "0", "the number of steps must be from 1 to 3000; got 0"),
        ("s2t_longest", "4", "longest source of the task passive must be from 5 to 40"),
        ("s2t_eta", "-1", "the learning rate η must be from"),
        ("s2t_seed", "x", "the seed must be a whole number"),
    ],
)
def test_a_run_that_cannot_be_is_named(setting, value, message):
    app = opened("seq2seq", see="Train it here", **{setting: value})
    assert message in words(app)
    assert not app.exception
