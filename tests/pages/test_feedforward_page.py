"""The Feedforward page shows what the shipped model computes from a text, and recorded results."""

import math
import re

import numpy as np
import pytest
import torch
from test_screen import by_key, choose, drawn, fine, held, opened, put, said

import ui
from lessons.feedforward import feedforward_state
from lessons.feedforward.neighbours import WORDS
from lmcore.corpora.microworld import microworld, training_documents
from lmcore.corpora.microworld_rules import ANIMALS
from lmcore.embeddings import drift, pipeline
from lmcore.evaluation import contexts
from lmcore.models import ngram
from lmcore.models.registry import NeuralModel
from lmcore.numbers import format_number
from lmcore.shipped.models import load_shipped
from lmcore.training.loop import Training
from lmcore.training.spec import CorpusSpec, ModelSpec, RunSpec
from tests.ui.streamlit_internals.pressing import send
from ui import models
from ui.models import ModelEntry

LESSON = ui.lesson("feedforward")
PRESETS = {preset.label: preset for preset in LESSON.presets}
VIEWS = (
    "Picture",
    "Step by step",
    "Embeddings drifting",
    "Freeze E",
    "Against n-grams",
    "Word by word",
    "Two benefits",
    "Frozen E",
    "Nearest words",
    "Code",
)
MODEL = load_shipped("feedforward")[0]


def traced(text):
    return pipeline.trace_pipeline(MODEL, torch.tensor(MODEL.vocabulary.read(text)))


def picture(app):
    return drawn(app, "feedforward-feedforward")


def place(app):
    data = picture(app)
    return int(data["now"][data["names"].index("place")])


def strip(data, name):
    part = data["strips"][name]
    return part["numbers"].reshape(-1, part["cells"])


def test_the_page_opens_on_the_cat_that_gets_fed():
    app = fine(opened("feedforward"))
    data, trace = picture(app), traced("i have to make sure that the cat gets fed")
    at = place(app)
    assert data["window_words"][at] == ["the", "cat", "gets"]
    assert data["best"][at][0] == "fed"
    live = dict(zip(data["names"], data["now"], strict=True))
    assert live["pt"] == live["p1"] == trace.true_probabilities[at]
    chance = format_number(float(trace.true_probabilities[at]))
    assert (
        f"From the cat gets alone the model gives fed {chance}. The text indeed continues"
        in said(app)
    )
    assert f"ŷ(fed) = softmax(U h + b₂) = {chance}" in said(app)
    assert "e = [E the; E cat; E gets]" in said(app)


def test_every_place_of_a_text_travels_with_all_its_numbers():
    data = picture(opened("feedforward"))
    trace = traced(LESSON.defaults["ff_text"])
    np.testing.assert_array_equal(strip(data, "pre_activation"), trace.pre_activation)
    np.testing.assert_array_equal(strip(data, "hidden"), trace.hidden)
    np.testing.assert_array_equal(strip(data, "concatenated"), trace.concatenated)
    np.testing.assert_array_equal(strip(data, "logits"), trace.logits)
    np.testing.assert_array_equal(strip(data, "chances"), trace.probabilities)
    assert data["strips"]["chances"]["reach"] == 1
    sizes = np.sort(trace.pre_activation.abs().flatten())
    assert sizes[-1] >= data["strips"]["pre_activation"]["reach"] >= np.quantile(sizes, 0.95)
    assert data["sizes"] == {"context": 3, "width": 64, "hidden": 128, "types": 282}
    assert len(data["table"]["shades"]) == 282 * 64


def test_the_slider_holds_every_place_and_the_numbers_there():
    app = opened("feedforward")
    (slider,) = drawn(app, "sliders")["sliders"]
    trace = traced(LESSON.defaults["ff_text"])
    assert slider["positions"].tolist() == list(range(len(trace.tokens)))
    names = drawn(app, "sliders")["names"]
    rows = slider["table"].reshape(len(trace.tokens), -1)
    columns = [names[i] for i in slider["columns"]]
    np.testing.assert_array_equal(rows[:, columns.index("p1")], trace.probabilities.amax(1))


@pytest.mark.parametrize("at", [0, 4, 10])
def test_the_place_of_the_address_is_shown(at):
    app = fine(opened("feedforward", ff_at=str(at), see="Step by step"))
    assert place(app) == at
    seen = picture(app)["window_words"][at]
    assert f"From {' '.join(seen)} alone the model gives " in said(app)
    assert f"one-hot of {', '.join(seen)}, times E" in said(app)


def test_the_unit_of_the_address_is_drawn():
    data = picture(fine(opened("feedforward", ff_unit="5")))
    trace = traced(LESSON.defaults["ff_text"])
    terms = pipeline.unit_terms(MODEL, trace, 4)
    assert set(data["lines"]["unit"]) == {4}
    np.testing.assert_array_equal(data["lines"]["input_terms"], terms.input_terms.flatten())
    np.testing.assert_array_equal(data["lines"]["inputs"], terms.inputs.flatten())
    live = dict(zip(data["names"], data["now"], strict=True))
    assert live["h"] == trace.hidden[9, 4]


def test_a_word_is_chosen_from_the_list_of_all_known_words():
    app = opened("feedforward")
    last = by_key(app.selectbox, "word-2")
    assert (
        last.value == "gets" and len(last.options) == 281 and last.options == sorted(last.options)
    )
    app = fine(by_key(app.selectbox, "word-1").set_value("dog").run())
    assert app.session_state["ff_text"] == "i have to make sure that the dog gets fed"
    assert picture(app)["window_words"][place(app)] == ["the", "dog", "gets"]
    assert picture(app)["best"][place(app)][0] == "washed"


def test_where_the_window_begins_before_the_text_there_is_no_choice():
    app = fine(opened("feedforward", ff_at="1"))
    assert [by_key(app.selectbox, f"word-{i}").disabled for i in range(3)] == [True, True, False]


@pytest.mark.parametrize(
    ("typed", "reason"), [("99", "from 0 to 10; got 99"), ("2.5", "got 2.5"), ("x", "a number")]
)
def test_a_place_that_is_typed_wrongly_is_refused(typed, reason):
    app = opened("feedforward")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("streamlit.session_state", app.session_state)
        feedforward_state.store_place({"name": "place", "typed": typed})
    app = fine(app.run())
    assert any(reason in error.value.replace("\\", "") for error in app.error)
    assert place(app) == 9


@pytest.mark.parametrize(
    ("settings", "reason"),
    [
        ({"ff_text": "the zebra gets"}, "word 2 must be one of the 279 words the model knows"),
        ({"ff_text": "the " * 80}, "the text must have 1 to 64 tokens; got 81"),
    ],
    ids=str,
)
def test_a_text_that_cannot_be_read_is_refused_and_the_last_good_stays(settings, reason):
    app = fine(put(opened("feedforward", ff_text="the dog sleeps"), settings))
    assert any(reason in error.value.replace("\\", "") for error in app.error)
    assert picture(app)["words"] == ["<s>", "the", "dog", "sleeps"]


def test_a_text_of_no_word_is_one_guess_from_the_start():
    app = fine(put(opened("feedforward"), {"ff_text": ""}))
    assert picture(app)["words"] == ["<s>"] and not app.error


@pytest.mark.parametrize(
    "address",
    [
        {"ff_at": "x"},
        {"ff_at": "99"},
        {"ff_at": "6.5"},
        {"ff_model": "gone"},
        {"letters": "greek"},
        {"ff_unit": "-1"},
        {"see": "Check yourself"},
        {"drift_word": "zebra", "see": "Embeddings drifting"},
        {"drift_at": "-3", "see": "Embeddings drifting"},
    ],
    ids=str,
)
def test_what_the_address_has_wrong_is_said_and_left_aside(address):
    app = fine(opened("feedforward", **address))
    name = next(iter(address))
    assert any(error.value.startswith(name.replace("_", "\\_")) for error in app.error)


@pytest.mark.parametrize("view", VIEWS)
def test_every_view_opens_without_error(view):
    app = fine(opened("feedforward", see=view))
    assert not app.error and not app.warning


def test_one_hot_times_e_is_said_to_be_the_look_up():
    difference = traced(LESSON.defaults["ff_text"]).difference[9]
    shown = said(opened("feedforward", see="Step by step"))
    assert f"two is **{format_number(float(difference))}**" in shown


@pytest.mark.parametrize(
    ("deck", "formula", "written"),
    [("cmu", "U h", "U h + b₂"), ("uw", "C w", "W₂ h + b₂"), ("feng", "+ p)", "U z + q")],
)
def test_equation_picture_and_table_are_in_the_letters_of_the_deck(deck, formula, written):
    app = fine(opened("feedforward", letters=deck, see="Step by step"))
    assert formula in app.latex[0].value
    assert picture(app)["heads"]["output"] == written.replace(" h +", ",").replace(" z +", ",")
    assert f"softmax({written})" in said(app)
    assert drawn(app, "feedforward-view-steps")["rows"][4]["formula"] == written


def test_the_preset_of_the_verb_stands_before_it():
    app = fine(choose(opened("feedforward"), "preset-shown", "The horse which was raced"))
    assert picture(app)["words"][place(app) + 1] == "tripped"


def test_a_feedforward_model_of_ones_own_is_offered_with_its_own_window(monkeypatch):
    made = {}
    for name, spec in {
        "mine": ModelSpec("feedforward", 8, 12, context=5),
        "rnn": ModelSpec("rnn", 8, 12),
    }.items():
        run = Training(RunSpec(CorpusSpec(), spec, steps=1, every=1))
        made[name] = ModelEntry(
            f"{name}, trained here", NeuralModel(run.network, run.feed.vocabulary)
        )
    monkeypatch.setattr(ui.models, "session_models", lambda: made)
    app = fine(opened("feedforward", ff_model="mine"))
    assert not app.error
    assert picture(app)["sizes"] == {"context": 5, "width": 8, "hidden": 12, "types": 282}
    strips = picture(app)["strips"]
    assert [strips[name]["cells"] for name in ("concatenated", "hidden")] == [40, 12]
    assert [strips[name]["whole"] for name in ("concatenated", "hidden")] == [40, 12]
    assert (
        r"x_{t-4};\, \dots;\, x_{t}"
        in opened("feedforward", ff_model="mine", letters="feng", see="Step by step").latex[0].value
    )
    (choice,) = [each for each in app.get("button_group") if each.label == "Model"]
    assert len(choice.options) == 2
    assert "saved.safetensors" in opened("feedforward", ff_model="mine", see="Code").code[0].value
    against = fine(opened("feedforward", ff_model="mine", see="Against n-grams"))
    assert tuple(drawn(against, "table-fed")["numbers"][6:8]) == contexts.fed_probabilities(MODEL)


@pytest.mark.parametrize("slug", ["feedforward", "rnn"])
def test_a_link_leads_to_training_one_of_ones_own(slug):
    links = [each.proto for each in opened(slug).get("page_link")]
    (link,) = [each for each in links if each.label == "Train one yourself"]
    assert link.page == "training"


def test_the_claim_of_the_paper_is_held_against_the_numbers():
    app = fine(opened("feedforward", see="Against n-grams"))
    ratios = drawn(app, "table-contexts")["numbers"].reshape(4, 4)[:, 1]
    better = "better here too" if ratios[3] < ratios[:3].min() else "not better here"
    assert better in said(app)


def test_the_embeddings_drift_as_they_were_recorded():
    app = opened("feedforward", see="Embeddings drifting", drift_at="3", drift_word="wolf")
    data, record = drawn(app, "feedforward-view-drift"), drift.load_recorded("learned")
    assert (data["at"], data["word"]) == (3, "wolf")
    plane = drift.project(record, WORDS)
    np.testing.assert_array_equal(data["points"], plane.points.flatten())
    found = drift.nearest_words(record, WORDS)
    np.testing.assert_array_equal(data["near"], found.ids.flatten())
    assert "measured here" in said(app)


def test_what_freezing_cost_is_what_was_recorded():
    shown = said(opened("feedforward", see="Freeze E"))
    ends = [float(drift.load_recorded(name).losses[-1]) for name in ("learned", "frozen")]
    assert f"ends at {format_number(ends[0])} nats; frozen, at {format_number(ends[1])}" in shown
    assert f"multiplies the perplexity by {format_number(math.exp(ends[1] - ends[0]))}" in shown
    assert "58 of 58 words have a nearest neighbour of their own group; frozen, 12" in shown


def test_the_models_stand_beside_the_floor_of_their_words():
    app = fine(opened("feedforward", see="Against n-grams"))
    data = drawn(app, "table-contexts")
    rows = data["numbers"].reshape(4, 4)
    assert [label.partition(",")[0] for label in data["labels"]] == [
        "2-gram", "3-gram", "4-gram", "Feedforward",
    ]  # fmt: skip
    np.testing.assert_array_equal(rows[:, 0], [1, 2, 3, 3])
    assert (rows[:, 3] > 0).all()
    fed = drawn(app, "table-fed")["numbers"].reshape(5, 2)
    assert tuple(fed[3]) == contexts.fed_probabilities(MODEL)
    assert tuple(fed[4]) == pytest.approx((0.7, 0.7))


def test_the_neighbours_of_a_typed_word_are_listed_and_an_unknown_one_refused():
    app = opened("feedforward", see="Nearest words", near_word="wolf")
    found = pipeline.neighbours(MODEL, MODEL.vocabulary.ids["wolf"], count=6)
    assert drawn(app, "table-near")["labels"] == MODEL.vocabulary.decode(found.ids.tolist())
    assert "The nearest of all 282 tokens" in said(app)
    app = fine(put(app, {"near_word": "zebra"}))
    assert any("the model knows; got 'zebra'" in e.value.replace("\\", "") for e in app.error)


def test_the_answers_to_the_questions_are_right():
    def revealed(key, **address):
        app = opened("feedforward", ask=key, **address)
        return said(fine(by_key(app.button, f"reveal-{key}").click().run()))

    assert "It is **fed**" in revealed("winner")
    assert "It is **192**" in revealed("wide")
    assert "It is **1**" in revealed("rows", ff_at="0")
    share = MODEL.network.embedding.weight.numel() / MODEL.network.config.parameters
    assert f"It is **{format_number(share)}**" in revealed("share")
    assert "It is **7**" in revealed("unseen")
    assert "It is **0**" in revealed("unseen", ff_at="2")


def test_the_winner_is_hidden_until_it_is_answered():
    app = fine(opened("feedforward", ask="winner"))
    data = picture(app)
    assert {"p1", "p6", "pt"} <= set(data["hidden"])
    assert "the model gives" not in said(app)
    assert "Which word is most probable after" in data["sentences"][9]
    app = fine(by_key(app.button_group, "guess-winner-fed").set_value("fed").run())
    assert "p1" not in picture(app)["hidden"]
    assert "From the cat gets alone the model gives fed" in said(app)


def test_the_size_of_e_is_hidden_while_it_is_asked_for():
    data = picture(fine(opened("feedforward", ask="wide")))
    assert "size" in data["hidden"] and "192" not in data["alt"]
    assert "e, 192;" in picture(opened("feedforward"))["alt"]


def test_every_preset_shows_its_settings_and_tells_what_it_is_for():
    for label, preset in PRESETS.items():
        app = fine(choose(opened("feedforward"), "preset-shown", label))
        assert preset.help in [element.value for element in app.caption]
        for name, value in preset.settings.items():
            assert held(app, name, {**LESSON.defaults, **LESSON.looks}[name]) == value, name


def test_the_snippet_prints_the_numbers_on_the_screen(capsys):
    app = opened("feedforward", see="Code", ff_text="today the dog")
    snippet = app.code[0].value
    exec(compile(snippet, "snippet", "exec"), {})
    printed = capsys.readouterr().out
    assert re.search(r"window +\['<s>', 'today', 'the'\]", printed)
    best = picture(app)["best"][place(app)]
    assert str(best) in printed


def test_the_slides_of_this_page_are_corrected():
    app = opened("feedforward")
    errata = [ui.contents.ERRATA[each] for each in ui.contents.page("feedforward").errata]
    checks = [each for each in app.expander if each.label.startswith("Slide check")]
    kinds = [each.label.split(" … ")[0] for each in checks]
    assert kinds == [f"Slide check · {each.kind}" for each in errata]
    assert " over $w_t$ Using" in checks[0].label


def test_the_chosen_step_and_word_of_the_drift_are_stored():
    app = opened("feedforward", see="Embeddings drifting")
    send(app, [3, "wolf"])
    assert not app.exception
    assert (app.session_state["drift_at"], app.session_state["drift_word"]) == ("3", "wolf")


def benefits(**address):
    return drawn(fine(opened("feedforward", see="Two benefits", **address)), "benefits-benefits")


def named(data, name):
    return float(data["now"][data["names"].index(name)])


def test_counting_has_nothing_after_dog_gets_and_the_network_has():
    data = benefits(near_word="dog")
    lstm = load_shipped("lstm")[0]
    cat, dog = contexts.fed_probabilities(lstm)
    assert (named(data, "net 0 0"), named(data, "net 1 0")) == (cat, dog)
    counted = ngram.fit_ngram(
        ngram.NGramConfig(3, "none"),
        microworld().vocabulary,
        training_documents(microworld().sample(models.COUNTED, np.random.default_rng(1))),
    )
    assert named(data, "count 0 0") == pytest.approx(contexts.fed_probabilities(counted)[0])
    assert named(data, "count 1 0") == 0 and data["panels"][0]["never"]
    assert "was never read: counting gives fed {count 1 0}, the network" in data["sentences"][0]


@pytest.mark.parametrize(
    ("model", "words"),
    [
        ("lstm", "nearly as much as after “cat gets”"),
        ("feedforward", "; it prefers washed"),
        ("rnn", "==."),
    ],
)
def test_the_sentence_says_what_the_network_expects_after_dog_gets(model, words):
    assert words in benefits(benefit_model=model)["sentences"][0]


def test_all_words_are_on_the_scale_and_the_nearest_is_named():
    data = benefits(benefit="rows", near_word="dog")
    lstm = load_shipped("lstm")[0]
    table = torch.nn.functional.normalize(lstm.network.embedding.weight.detach().double(), dim=-1)
    cosines = table @ table[lstm.vocabulary.ids["dog"]]
    dots = {dot["word"]: dot["cosine"] for dot in data["dots"]}
    assert len(dots) == len(lstm.vocabulary) - 1 and "dog" not in dots
    for word in ("cat", "wolf", "street"):
        assert dots[word] == pytest.approx(float(cosines[lstm.vocabulary.ids[word]]))
    assert data["nearest"] == "cat" == max(dots, key=dots.get)
    assert data["sentences"][0].startswith("Nobody told it: ==cat==")
    assert {dot["word"] for dot in data["dots"] if dot["alike"]} == {*ANIMALS["one"]} - {"dog"}


def test_a_network_whose_rows_do_not_show_it_says_so():
    data = benefits(benefit="rows", near_word="dog", benefit_model="feedforward")
    assert data["sentences"][0].startswith("Here the second benefit is weak: ==deep==")


def test_what_the_network_expects_is_asked_before_it_is_seen():
    app = opened("feedforward", see="Two benefits", ask="dog")
    data = drawn(fine(app), "benefits-benefits")
    assert data["hidden"] == ["net 1 0"]
    by_key(app.button, "reveal-dog").click().run()
    assert "It is **0.7451**" in said(fine(app))


def test_a_word_that_is_pressed_becomes_the_one_that_all_are_compared_with():
    app = opened("feedforward", see="Two benefits", benefit="rows", near_word="dog")
    fine(app)
    send(app, {"word": "wolf"})
    assert app.session_state["near_word"] == "wolf"
    assert drawn(fine(app), "benefits-benefits")["xTitle"].startswith("cosine with the row of wolf")


def word_steps(**address):
    return drawn(
        fine(opened("feedforward", see="Word by word", **address)), "word-steps-wordbyword"
    )


def test_each_word_has_its_loss_and_one_step_of_all_weights_lowers_it():
    data = word_steps(walk_at="8")
    its = {name: named(data, name) for name in data["names"]}
    assert [each["word"] for each in data["steps"][:4]] == ["the", "cow", "sings", "."]
    assert len(data["steps"]) == feedforward_state.WALKED
    assert its["loss"] == pytest.approx(-math.log(its["p"])) == data["steps"][7]["loss"]
    assert its["next"] == pytest.approx(its["theta"] - data["rate"] * its["gradient"])
    assert its["after"] < its["loss"] == pytest.approx(data["uniform"], abs=0.2)
    mean = sum(step["loss"] for step in data["steps"][:8]) / 8
    assert its["mean"] == pytest.approx(mean)
    word = data["steps"][7]["word"]
    assert data["sentences"][7].startswith(f"“{word}” was given [activation|ŷ] = {{p}}")


def test_what_the_last_beat_says_of_the_text_is_so():
    beat = LESSON.beats[11]
    assert "*it was too* is cheap, *small* is not" in beat.say
    steps = word_steps(walk_at="225")["steps"][221:225]
    assert [each["word"] for each in steps] == ["it", "was", "too", "small"]
    assert max(each["loss"] for each in steps[:3]) < 1 < 4 < steps[3]["loss"]


def test_steps_that_are_too_large_are_called_so():
    data = word_steps(walk_rate="0.5", walk_at="240")
    assert "The steps are too large" in data["sentences"][239]
    assert named(data, "mean") > 1.2 * data["steps"][0]["loss"]


def test_the_words_read_are_stored_and_others_refused():
    app = fine(opened("feedforward", see="Word by word"))
    send(app, {"name": "s", "value": 30.0, "typed": "30", "index": 29})
    assert app.session_state["walk_at"] == "30"


def test_the_loss_of_random_weights_is_asked_before_it_is_seen():
    app = fine(opened("feedforward", see="Word by word", ask="random"))
    assert drawn(app, "word-steps-wordbyword")["hidden"] == ["p", "loss", "after", "mean"]
    by_key(app.button, "reveal-random").click().run()
    assert "It is **ln 282 = 5.642**" in said(fine(app))
