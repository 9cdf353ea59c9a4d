"""The Feedforward page shows what the shipped model makes of a text, and what was recorded."""

import math
import re

import numpy as np
import pytest
import torch
from streamlit.testing.v1 import AppTest
from test_screen import ROOT, choose, drawn, fine, opened, put, said

import ui
from lessons.feedforward.picture import WORDS
from lmcore.embeddings import drift, pipeline
from lmcore.evaluation import contexts
from lmcore.models.registry import NeuralModel
from lmcore.numbers import format_number
from lmcore.shipped.models import load_shipped
from lmcore.training.loop import Training
from lmcore.training.spec import CorpusSpec, ModelSpec, RunSpec
from ui.models import ModelEntry

LESSON = ui.lesson("feedforward")
PRESETS = {preset.label: preset for preset in LESSON.presets}
VIEWS = (
    "Step by step",
    "Embeddings drifting",
    "Freeze E",
    "Against n-grams",
    "Two benefits",
    "Check yourself",
    "Code",
    "Slide check",
)
MODEL = load_shipped("feedforward")[0]


def traced(text):
    return pipeline.trace_pipeline(MODEL, torch.tensor(MODEL.vocabulary.read(text)))


def picture(app):
    return drawn(app, "feedforward-pipeline")


def drawn_sizes(data):
    """The sizes of e and of h, as they stand above their strips."""
    return tuple(data["headings"][name][0].split(", ")[-1] for name in ("concatenated", "hidden"))


def test_the_page_opens_on_the_cat_that_gets_fed():
    app = fine(opened("feedforward"))
    data, trace = picture(app), traced("i have to make sure that the cat gets fed")
    assert data["window_words"][data["at"]] == ["the", "cat", "gets"]
    assert data["best"][data["at"]][0] == "fed"
    np.testing.assert_array_equal(data["true"], trace.true_probabilities)
    assert format_number(float(trace.true_probabilities[data["at"]])) in said(app)


def test_every_place_of_a_text_travels_with_its_first_numbers():
    data = picture(opened("feedforward"))
    trace = traced(LESSON.defaults["ff_text"])
    time = len(data["words"])
    z = data["strips"]["pre_activation"]
    np.testing.assert_array_equal(z["values"].reshape(time, 24), trace.pre_activation[:, :24])
    assert z["reach"] == float(trace.pre_activation[:, :24].abs().max())
    e = data["strips"]["concatenated"]["values"].reshape(time, 3, 8)
    np.testing.assert_array_equal(e, trace.concatenated.unflatten(1, (3, 64))[..., :8])
    assert data["sizes"] == {"context": 3, "width": 64}
    assert drawn_sizes(data) == ("1 × 192", "1 × 128")


@pytest.mark.parametrize("at", [0, 4, 10])
def test_the_place_of_the_address_is_shown(at):
    app = fine(opened("feedforward", ff_at=str(at)))
    assert picture(app)["at"] == at
    assert f"Of {at + 1} token" in said(app)
    seen = ", ".join(picture(app)["window_words"][at])
    assert f"one-hot of {seen}, times E" in said(app)


@pytest.mark.parametrize(
    ("settings", "reason"),
    [
        ({"ff_text": "the zebra gets"}, "word 2 must be one of the 282 the model knows"),
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
        {"drift_word": "zebra", "ff_view": "Embeddings drifting"},
        {"drift_at": "-3", "ff_view": "Embeddings drifting"},
    ],
    ids=str,
)
def test_what_the_address_has_wrong_is_said_and_left_aside(address):
    app = fine(opened("feedforward", **address))
    name = next(iter(address))
    assert any(error.value.startswith(name.replace("_", "\\_")) for error in app.error)


@pytest.mark.parametrize("view", VIEWS)
def test_every_view_opens_without_error(view):
    app = fine(opened("feedforward", ff_view=view))
    assert not app.error and not app.warning


def test_one_hot_times_e_is_said_to_be_the_look_up():
    difference = traced(LESSON.defaults["ff_text"]).difference[9]
    assert f"two is **{format_number(float(difference))}**" in said(opened("feedforward"))


@pytest.mark.parametrize(
    ("deck", "formula", "written"),
    [("cmu", "U h", "U h + b₂"), ("uw", "C w", "W₂ h + b₂"), ("feng", "+ p)", "U z + q")],
)
def test_equation_picture_and_table_are_in_the_letters_of_the_deck(deck, formula, written):
    app = fine(opened("feedforward", letters=deck))
    assert formula in app.latex[0].value
    assert picture(app)["headings"]["outcome"][0] == f"softmax({written}), 1 × 282"
    assert drawn(app, "feedforward-steps")["rows"][4]["formula"] == written


def test_the_preset_of_the_verb_stands_before_it():
    app = fine(choose(opened("feedforward"), "preset-shown", "The horse which was raced"))
    data = picture(app)
    assert data["words"][data["at"] + 1] == "tripped"


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
    assert picture(app)["sizes"] == {"context": 5, "width": 8}
    assert drawn_sizes(picture(app)) == ("1 × 40", "1 × 12")
    assert picture(app)["headings"]["hidden"][1] == "all 12"
    assert (
        r"x_{t-4};\, \dots;\, x_{t}"
        in opened("feedforward", ff_model="mine", letters="feng").latex[0].value
    )
    (choice,) = [each for each in app.get("button_group") if each.label == "Model"]
    assert len(choice.options) == 2
    assert (
        "saved.safetensors" in opened("feedforward", ff_model="mine", ff_view="Code").code[0].value
    )
    against = fine(opened("feedforward", ff_model="mine", ff_view="Against n-grams"))
    assert tuple(drawn(against, "table-fed")["numbers"][6:8]) == contexts.fed_probabilities(MODEL)


@pytest.mark.parametrize("slug", ["feedforward", "rnn"])
def test_a_link_leads_to_training_one_of_ones_own(slug):
    links = [each.proto for each in opened(slug).get("page_link")]
    (link,) = [each for each in links if each.label == "Train one yourself"]
    assert link.page == "training"


def test_the_claim_of_the_paper_is_held_against_the_numbers():
    app = fine(opened("feedforward", ff_view="Against n-grams"))
    ratios = drawn(app, "table-contexts")["numbers"].reshape(4, 4)[:, 1]
    better = "better here too" if ratios[3] < ratios[:3].min() else "not better here"
    assert better in said(app)


def test_the_embeddings_drift_as_they_were_recorded():
    app = opened("feedforward", ff_view="Embeddings drifting", drift_at="3", drift_word="wolf")
    data, record = drawn(app, "feedforward-drift"), drift.load_recorded("learned")
    assert (data["at"], data["word"]) == (3, "wolf")
    plane = drift.project(record, WORDS)
    np.testing.assert_array_equal(data["points"], plane.points.flatten())
    found = drift.nearest_words(record, WORDS)
    np.testing.assert_array_equal(data["near"], found.ids.flatten())
    assert "measured here" in said(app)


def test_what_freezing_cost_is_what_was_recorded():
    shown = said(opened("feedforward", ff_view="Freeze E"))
    ends = [float(drift.load_recorded(name).losses[-1]) for name in ("learned", "frozen")]
    assert f"ends at {format_number(ends[0])} nats; frozen, at {format_number(ends[1])}" in shown
    assert f"multiplies the perplexity by {format_number(math.exp(ends[1] - ends[0]))}" in shown


def test_the_models_stand_beside_the_floor_of_their_words():
    app = fine(opened("feedforward", ff_view="Against n-grams"))
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
    app = opened("feedforward", ff_view="Two benefits", near_word="wolf")
    found = pipeline.neighbours(MODEL, MODEL.vocabulary.ids["wolf"], count=6)
    assert drawn(app, "table-near")["labels"] == MODEL.vocabulary.decode(found.ids.tolist())
    app = fine(put(app, {"near_word": "zebra"}))
    assert any("the model knows; got 'zebra'" in e.value.replace("\\", "") for e in app.error)


def test_the_answers_to_the_questions_are_right():
    app = opened("feedforward", ff_view="Check yourself", **{"reveal-wide": "true"})
    assert "It is **192**" in said(app)
    app = opened("feedforward", ff_view="Check yourself", ff_at="0", **{"reveal-rows": "true"})
    assert "It is **1**" in said(app)
    app = opened("feedforward", ff_view="Check yourself", **{"reveal-share": "true"})
    share = MODEL.network.embedding.weight.numel() / MODEL.network.config.parameters
    assert f"It is **{format_number(share)}**" in said(app)


def test_the_snippet_prints_the_numbers_on_the_screen(capsys):
    app = opened("feedforward", ff_view="Code", ff_text="today the dog")
    snippet = app.code[0].value
    exec(compile(snippet, "snippet", "exec"), {})
    printed = capsys.readouterr().out
    assert re.search(r"window +\['<s>', 'today', 'the'\]", printed)
    best = picture(app)["best"][picture(app)["at"]]
    assert str(best) in printed


def test_the_slides_of_this_page_are_corrected():
    app = opened("feedforward", ff_view="Slide check")
    errata = [ui.contents.ERRATA[each] for each in ui.contents.page("feedforward").errata]
    kinds = [each.label.split(" … ")[0] for each in app.expander]
    assert kinds == [f"Slide check · {each.kind}" for each in errata]


def test_nothing_but_the_page_is_shown():
    app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=30)
    app.switch_page("pages/feedforward.py").run()
    assert app.markdown[0].value == ui.contents.page("feedforward").promise
