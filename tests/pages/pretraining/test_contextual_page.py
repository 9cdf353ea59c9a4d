"""The Contextual embeddings page: occurrences of a word by layer, and each view of each preset."""

import math

import pytest
import streamlit as st
import torch
from test_screen import by_key, choose, drawn, fine, held, opened, put, said

import ui
from lessons.contextual import contextual_state
from lessons.contextual.mix_view import set_shares
from lmcore.contextual.bilm import bilm_losses, load_bilm
from lmcore.contextual.clouds import english_contexts, find_word, microworld_contexts, trace_clouds
from lmcore.contextual.mixing import TABLE_7
from lmcore.contextual.persons import WORDS, trace_persons
from lmcore.contextual.record import MODELS, layered_model, load_record
from lmcore.contextual.tasks import TASKS
from lmcore.numbers import format_number
from lmcore.pretrained import wheel
from lmcore.vocabulary import END, START

LESSON = ui.lesson("contextual")
PRESETS = {preset.label: preset for preset in LESSON.presets}
VIEWS = [
    *(
        "Picture",
        "Eight words",
        "Seven senses",
        "Two readers",
        "Layers by task",
        "In a tagger",
        "Order of tasks",
        "Sum or end to end",
        "Their plane",
        "Mix layers",
        "Probes",
        "Which layer?",
        "The biLM",
        "Three models",
    ),
    *("Tagger, λ", "Type a context", "Code"),
]
ENGLISH = pytest.mark.skipif(wheel.package_folder() is None, reason="MiniLM is not installed")


def words(app):
    """The text of the page, without the marks of bold text."""
    return said(app).replace("**", "")


def on(label):
    return fine(choose(opened("contextual"), "preset-shown", label))


def page(**address):
    return fine(opened("contextual", **address))


def test_the_views_are_those_that_these_tests_open():
    assert by_key(opened("contextual").button_group, "see-shown").options == VIEWS


@pytest.mark.parametrize("model", ["bilm", "encoder", "gpt"])
def test_the_sentence_has_the_cosines_of_the_layer(model):
    found = trace_clouds(layered_model(model), microworld_contexts("great").occurrences)
    for layer in range(len(found.within)):
        app = page(ct_model=model, ct_word="great", ct_layer=str(layer))
        between = format_number(float(found.between[layer]))
        shown = words(app)
        assert f"At layer {layer}" in shown
        assert f"between senses {between}" in shown
        if layer == 0:
            assert "18 occurrences are one point, at cosine 1." in shown
        else:
            clouds = float(found.accuracy[layer]) >= 0.8 and float(found.p[layer]) <= 0.05
            assert ("falls into two clouds" in shown) == clouds
            assert ("the two senses of great overlap" in shown) != clouds


@ENGLISH
@pytest.mark.parametrize("label", ["fine", "die", "great", "Nail and beam"])
def test_a_preset_shows_two_english_senses(label):
    settings = PRESETS[label].settings
    found = trace_clouds(layered_model("minilm"), english_contexts(settings["ct_word"]).occurrences)
    layer = int(settings["ct_layer"]) % len(found.within)
    data = drawn(on(label), "contextual-contextual")
    assert data["now"][data["names"].index("layer")] == layer
    for name in ("within", "between", "accuracy"):
        number = data["now"][data["names"].index(name)]
        assert number == pytest.approx(float(getattr(found, name)[layer]), abs=1e-6)
    points = torch.frombuffer(bytearray(data["points"]), dtype=torch.float32)
    expected = found.points.float().flatten()
    torch.testing.assert_close(points, expected, atol=1e-4, rtol=0)


@ENGLISH
def test_at_layer_0_all_occurrences_are_one_point():
    data = drawn(on("Static"), "contextual-contextual")
    assert data["now"][data["names"].index("layer")] == 0
    points = torch.frombuffer(bytearray(data["points"]), dtype=torch.float32)
    assert torch.equal(points[: 2 * len(data["texts"])], torch.zeros(2 * len(data["texts"])))
    assert "14 occurrences are one point" in words(on("Static"))


@pytest.mark.parametrize("model", ["bilm", "gpt"])
def test_eight_words_are_fans_of_the_true_angle(model):
    app = page(ct_model=model, see="Eight words")
    data = drawn(app, "fans-fans")
    now = dict(zip(data["names"], data["now"].tolist(), strict=True))
    found = trace_persons(layered_model(model)).cosines[-1]
    for n, fan in enumerate(data["fans"]):
        cosine = float(found[WORDS.index(fan["word"])])
        assert now[f"cosine {n}"] == pytest.approx(cosine, abs=1e-6)
        assert now[f"angle {n}"] == round(math.degrees(math.acos(cosine)))
    first = page(ct_model=model, ct_layer="0", see="Eight words")
    assert "one direction" in words(first)


@pytest.mark.parametrize("model", ["bilm", "gpt"])
def test_eight_words_are_eight_points_or_sixteen(model):
    found = trace_persons(layered_model(model))
    first = words(page(ct_model=model, ct_layer="0", see="Their plane"))
    assert "the eight words are eight points" in first
    last = words(page(ct_model=model, see="Their plane"))
    cosines = found.cosines[-1]
    lowest = WORDS[int(cosines.argmin())]
    assert f"lowest for {lowest}, {float(cosines.min()):.3f}" in last
    record = load_record().english
    parted = sum(max(record[word]) >= 0.8 for word in WORDS)
    assert parted >= 6
    assert f"for {parted} of the 8 words" in last


def test_a_typed_context_is_a_point_with_its_neighbours():
    typed = "today i was ill . the note said fine . it was cold ."
    app = page(ct_model="bilm", ct_own=typed, see="Type a context")
    data = drawn(app, "contextual-contextual")
    assert data["texts"][-1]["sense"] == -1
    assert " ".join(data["texts"][-1]["words"]) == typed
    its = (*microworld_contexts("fine").occurrences, find_word(typed, "fine"))
    found = trace_clouds(layered_model("bilm"), its)
    row = found.cosines[2, -1, :-1]
    shown = words(app)
    assert f"{float(row.max()):.4f}"[:5] in shown.replace("−", "-")
    means = [float(row[found.senses[:-1] == sense].mean()) for sense in (0, 1)]
    nearer = ("well", "a penalty")[int(means[1] > means[0])]
    assert f"is nearer to {nearer} at layer 2: mean cosine {max(means):.3f}" in shown


@pytest.mark.parametrize(
    ("settings", "error"),
    [
        ({"ct_own": "no such word here"}, "each context must have the word 'fine'"),
        ({"ct_own": "fine\n" * 9}, "at most 8 own contexts; got 9"),
        (
            {"ct_model": "bilm", "ct_own": "a fine xylophone"},
            "one of the 279 words the model knows",
        ),
        ({"see": "The biLM", "bi_text": "colourless ideas"}, "got 'colourless'"),
        ({"see": "The biLM", "bi_text": "the cat", "bi_at": "3"}, "word k must be from 1 to 2"),
        ({"see": "Three models", "bi_text": ""}, "1 to 24 words; got 0"),
    ],
)
def test_what_cannot_be_is_refused_and_the_example_stays(settings, error):
    app = opened("contextual", **settings)
    assert not app.exception
    assert any(error in each.value.replace("\\", "") for each in app.error), [
        each.value for each in app.error
    ]
    assert "Still showing" in said(app)


def test_another_model_has_its_own_words_and_shows_its_last_layer():
    app = page(ct_word="beam", ct_layer="1")
    app = fine(choose(app, "ct_model-shown", "bilm"))
    assert held(app, "ct_layer", "-1") == "-1"
    data = drawn(app, "contextual-contextual")
    assert data["word"] == "fine"
    assert data["now"][data["names"].index("layer")] == 2


def test_the_bilm_view_has_both_losses_and_their_sum():
    network, vocabulary = load_bilm()
    text = LESSON.defaults["bi_text"].split()
    ids = torch.tensor([vocabulary.encode([START, *text, END])])
    losses = bilm_losses(network(ids), ids, torch.tensor([ids.shape[1]]))
    shown = words(on("Two losses"))
    left, right = float(losses.left_to_right), float(losses.right_to_left)
    assert f"L = L→ + L← = {left:.3f} + {right:.3f} = {left + right:.3f} nats" in shown
    assert "2L + 1 = 5 vectors of 96 numbers" in shown
    assert "end to end 3 vectors hₖ,ⱼ of 192" in shown


def test_the_sizes_of_elmo_are_counted():
    shown = words(on("Two losses"))
    for number in ("74,496", "75,513,856", "98,816"):
        assert number in shown


def test_another_word_leaves_out_typed_contexts_that_lack_it():
    app = page(ct_word="fine", ct_own="a fine day and a great one\nshe paid the fine")
    app = fine(choose(app, "ct_word-shown", "great"))
    assert not app.error
    assert app.session_state["ct_own"] == "a fine day and a great one"


def test_a_mixture_has_the_accuracy_of_its_shares_and_what_was_learned():
    record = load_record()
    app = on("Mix the layers")
    data = drawn(app, "mix-mix")
    shares = [data["now"][data["names"].index(f"s{j}")] for j in range(3)]
    assert shares == pytest.approx([1 / 3] * 3)
    learned = record.mixtures["bilm"]["part of speech"]
    assert data["learned"].tolist() == pytest.approx(learned.shares.tolist())
    assert f"all mixed {learned.accuracy:.3f}" in words(app)
    corner = [i for i in range(66) if data["shares"][3 * i] == 1]
    assert data["accuracies"][corner[0]] < max(data["accuracies"])
    for model in MODELS:
        for task in TASKS:
            assert f"{MODELS[model]}, {task}" in words(app)


def test_pressed_shares_become_the_weights_whose_softmax_they_are(monkeypatch):
    stored = {}
    monkeypatch.setattr(ui, "set_controls", stored.update)
    set_shares([0.5, 0.3, 0.2])
    found = torch.tensor([float(stored[f"mx_w{j}"]) for j in range(3)])
    torch.testing.assert_close(found.softmax(0), torch.tensor([0.5, 0.3, 0.2]), atol=1e-3, rtol=0)
    set_shares([1.0, 0.0, 0.0])
    found = [float(stored[f"mx_w{j}"]) for j in range(3)]
    assert found == [4, -4, -4]
    assert math.exp(4) / (math.exp(4) + 2 * math.exp(-4)) > 0.99


def test_the_probes_are_those_recorded_with_the_order_they_give():
    record = load_record()
    shown = words(page(see="Probes", ct_model="encoder", pr_task="number"))
    best = max(s.accuracy for s in record.probes if (s.model, s.task) == ("encoder", "number"))
    assert f"our mini-BERT {best:.3f} (layer" in shown
    assert (
        f"The word alone, without its context, gives {record.baselines['number'][1]:.3f}" in shown
    )
    assert "POS → parsing → named entities → semantic roles → coreference" in shown
    assert record.date in shown


def test_table_7_stands_beside_ours():
    shown = words(page(see="Which layer?", pr_task="number"))
    record = load_record()
    for how, f1 in TABLE_7.items():
        assert how in shown
        assert f"{f1:g}" in shown
        assert f"{record.combinations['number'][how]:.6g}" in shown


def test_three_models_see_what_the_gradients_reach():
    app = on("Who sees what")
    data = drawn(app, "reach-reach")
    count = len(data["words"])
    assert count == 12
    for name, expected in (
        ("left", torch.ones(count, count).tril()),
        ("right", torch.ones(count, count).triu()),
        ("gpt", torch.ones(count, count).tril()),
        ("bert", torch.ones(count, count)),
    ):
        assert torch.equal(torch.tensor(data[name]).reshape(count, count).float(), expected), name
    best = {
        model: max(
            s.accuracy for s in load_record().probes if (s.model, s.task) == (model, "reference")
        )
        for model in ("bilm", "gpt", "encoder")
    }
    assert best["encoder"] > 0.9 > 0.6 > max(best["bilm"], best["gpt"])
    for accuracy in best.values():
        assert f"{accuracy:.2f}" in words(app)


def test_the_taggers_are_those_recorded():
    record = load_record()
    shown = words(page(see="Tagger, λ"))
    runs = [r for r in record.taggers if (r.task, r.placement) == ("sense", "none")]
    mean = sum(run.accuracy for run in runs) / len(runs)
    assert f"sense {mean:.3f} →" in shown
    assert "With 40 labelled texts" in shown


@pytest.mark.parametrize("place", ["none", "input", "output", "both"])
def test_the_errors_of_a_tagger_are_those_recorded(place):
    data = drawn(page(see="In a tagger", tg_place=place), "tagger-tagger")
    found = dict(zip(data["names"], data["now"].tolist(), strict=True))
    for n, task in enumerate(data["tasks"]):
        runs = [
            100 * (1 - r.accuracy)
            for r in load_record().taggers
            if (r.task, r.placement, r.penalty) == (task, place, 0)
        ]
        assert found[f"now {n}"] == pytest.approx(sum(runs) / len(runs))
        assert (found[f"low {n}"], found[f"high {n}"]) == pytest.approx((min(runs), max(runs)))
        assert found[f"gain {n}"] == pytest.approx(found[f"before {n}"] - found[f"now {n}"])
        assert max(runs) <= data["most"]
    assert data["place"] == place


def test_a_press_on_elmo_puts_it_into_the_tagger(monkeypatch):
    real = ui.main_picture

    def stand_in(kind, live, how, told, *, on_event=None):
        real(kind, live, how, told, on_event=on_event)
        st.button("press", key="press", on_click=lambda: on_event({"place": "input"}))

    monkeypatch.setattr(ui, "main_picture", stand_in)
    app = page(see="In a tagger")
    fine(app.button(key="press").click().run())
    assert drawn(app, "tagger-tagger")["place"] == "input"


def test_a_question_hides_the_number_it_asks_for():
    data = drawn(page(ask="static"), "contextual-contextual")
    assert "between" in data["hidden"]


@pytest.mark.parametrize(("key", "answer"), [("static", 1), ("vectors", 5), ("size", 75_513_856)])
def test_the_answers_are_those_of_the_page(key, answer):
    app = page(ask=key)
    guess = next(each for each in app.number_input if each.label == "Your prediction")
    app = fine(guess.set_value(float(answer)).run())
    assert "is right" in said(app)


def test_the_snippet_names_what_is_on_screen():
    app = page(ct_model="bilm", ct_word="die", see="Code")
    snippet = app.code[0].value
    assert "microworld_contexts('die')" in snippet
    assert "layered_model('bilm')" in snippet
    compile(snippet, "snippet", "exec")


def test_a_released_slider_is_stored_and_a_layer_that_is_not_there_is_refused(monkeypatch):
    stored = {}
    monkeypatch.setattr(ui, "set_controls", stored.update)
    contextual_state.store_slider({"typed": "2"})
    assert stored == {"ct_layer": "2"}
    with pytest.raises(ValueError, match="from 0 to 24; got 30"):
        contextual_state.store_event({"layer": 30})


def test_the_address_holds_the_word_and_the_model():
    app = fine(put(opened("contextual"), {"ct_model": "gpt", "ct_word": "rest"}))
    assert held(app, "ct_word", "fine") == "rest"
    assert drawn(app, "contextual-contextual")["word"] == "rest"
