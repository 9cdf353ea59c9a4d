"""The page of language models: one sentence under counts and networks, and what each costs."""

import contextlib
import io
import math

import pytest
import streamlit as st
from test_screen import drawn, fine, opened, put, said

import ui
from lessons.language_model import model_choices
from lessons.language_model import picture as words
from lessons.shared import probability_grid
from lmcore.evaluation import costs
from lmcore.numbers import format_number

LESSON = ui.lesson("language_model")
PRESETS = {preset.label: preset for preset in LESSON.presets}
FEW = {"lm_models": "trigram, trigram-kn, rnn"}


@pytest.fixture(autouse=True)
def few_documents(monkeypatch):
    monkeypatch.setattr(costs, "DOCUMENTS", 8)
    monkeypatch.setattr(costs, "ROWS", 4)


def grid(app):
    """The picture: label → texts of its row."""
    told = drawn(app, "cells-sentence")
    width = len(told["columns"])
    texts = told["texts"]
    return {label: texts[i * width : (i + 1) * width] for i, label in enumerate(told["labels"])}


def test_it_opens_on_the_slide_with_zeros_by_counting_and_none_by_networks():
    app = fine(opened("language_model"))
    rows = grid(app)
    assert list(rows)[:6] == [
        probability_grid.LABELS[n] for n in LESSON.defaults["lm_models"].split(", ")
    ]
    assert rows["Trigram"][-1] == rows[words.GRAMMAR][-1] == probability_grid.IMPOSSIBLE
    for label in ("Trigram, Kneser–Ney", "Feedforward", "RNN", "LSTM", words.COMPLETED_GRAMMAR):
        assert probability_grid.IMPOSSIBLE not in rows[label], label
    assert "**exactly 0** from Trigram and Grammar" in said(app)


def test_the_cat_gets_fed_by_every_model():
    app = fine(opened("language_model", lm_text="i forgot to make sure that the cat gets fed"))
    assert all(probability_grid.IMPOSSIBLE not in row for row in grid(app).values())
    assert words.COMPLETED_GRAMMAR not in grid(app)


@pytest.mark.parametrize(
    ("settings", "reason"),
    [
        ({"lm_text": "the dgo sleeps"}, "word 2 must be one of the 282 the model knows; got 'dgo'"),
        ({"lm_text": "the dgo sleeps"}, "similar words: dog"),
        ({"lm_text": ""}, "the sentence must have 1 to 30 words; got 0"),
        ({"lm_models": ""}, "the models must be 1 to 6 different ones; got 0"),
        ({"lm_models": "gpt"}, "a model must be one of unigram"),
        ({"lm_models": ", ".join(probability_grid.LABELS)}, "got 10"),
        ({"lm_word": "x"}, "the place of the word must be a whole number such as"),
        ({"lm_word": "0"}, "the place of the word must be from 1 to"),
        ({"lm_order": "9"}, "the order N must be from 1 to 5; got 9"),
    ],
    ids=str,
)
def test_what_cannot_be_read_is_refused_and_the_last_good_stays(settings, reason):
    app = fine(opened("language_model", **FEW))
    before = grid(app)
    put(app, settings)
    assert any(reason in error.value.replace("\\", "") for error in fine(app).error), app.error
    assert grid(app) == before


def test_an_address_that_asks_for_nonsense_opens_on_the_slide():
    app = fine(opened("language_model", lm_text="xyzzy", lm_view="?", lm_end="maybe"))
    assert len(app.error) == 3
    assert drawn(app, "cells-sentence")["columns"] == LESSON.defaults["lm_text"].split()


def test_a_place_behind_a_shorter_sentence_is_what_comes_next():
    app = fine(opened("language_model", lm_text="the dog", lm_word="10", **FEW))
    assert app.session_state["lm_word"] == "3"
    assert not app.error


def test_an_end_is_scored_as_a_token():
    app = fine(opened("language_model", lm_text="the dog sleeps", lm_end="true", **FEW))
    assert drawn(app, "cells-sentence")["columns"][-1] == "</s>"


def test_step_by_step_multiplies_up_to_the_product_of_the_chosen_model():
    app = fine(opened("language_model", lm_model="trigram-kn", **FEW))
    table = drawn(app, "table-chain")
    rows = table["numbers"].reshape(len(table["labels"]), -1)
    assert table["labels"][-1] == "dog gets → fed"
    assert rows[-1][2] == pytest.approx(math.prod(rows[:, 0]))
    assert math.exp(rows[-1][3]) == pytest.approx(rows[-1][2])
    gone = fine(opened("language_model", lm_model="lstm", **FEW))
    assert gone.session_state["lm_model"] == "trigram"
    fine(opened("language_model", lm_model=words.GRAMMAR, **FEW))


def test_the_next_words_are_those_each_model_expects_there():
    app = fine(opened("language_model", lm_view="Next word", lm_word="11", **FEW))
    told = drawn(app, "cells-expected")
    assert told["labels"][:3] == ["Trigram", "Trigram, Kneser–Ney", "RNN"]
    assert "fed" in said(app) and len(told["columns"]) <= 10


@pytest.mark.parametrize("models", ["trigram, trigram-kn, rnn", "rnn"])
def test_why_zero_shows_the_counts_of_the_n_grams_or_of_two_of_its_own(models):
    app = fine(opened("language_model", lm_view="Why 0?", lm_models=models))
    shown = said(app)
    assert "“dog gets” never occurred: 0 / 0 gives no estimate" in shown
    rows = drawn(app, "table-explained-trigram-kn")
    kept, weight, lower, p = rows["numbers"][-4:]
    assert kept + weight * lower == pytest.approx(p)
    assert "✕ 0" in drawn(app, "cells-bigrams")["texts"]


def test_four_advantages_and_the_cost_are_measured_and_said():
    app = fine(opened("language_model", lm_view="Four advantages, one cost", **FEW))
    assert not app.error
    assert drawn(app, "table-gives")["labels"] == ["Trigram", "Trigram, Kneser–Ney", "RNN"]
    takes = drawn(app, "table-takes")["numbers"].reshape(3, -1)
    assert (takes > 0).all()
    assert said(app).count("hold") >= 5
    alone = fine(opened("language_model", lm_view="Four advantages, one cost", lm_models="rnn"))
    assert "at least one n" in alone.error[0].value.replace("\\", "")


def test_the_floor_falls_with_every_word_seen():
    app = fine(opened("language_model", lm_view="How much context is worth", **FEW))
    floors = drawn(app, "table-floors")["numbers"].reshape(8, 2)[:, 0]
    assert (floors[1:] < floors[:-1]).all()
    assert drawn(app, "table-marks")["labels"][-1] == "LSTM"


def test_training_pairs_are_cut_to_the_order():
    app = fine(opened("language_model", lm_view="Training pairs", lm_order="2", **FEW))
    pairs = drawn(app, "table-pairs")
    assert pairs["labels"][-1] == "gets → fed"
    assert "N − 1 = 1 word" in said(app)


def test_the_checks_are_computed_and_every_word_can_be_listed():
    app = opened("language_model", lm_view="Check yourself", **FEW, **{"reveal-lm-zero": "true"})
    assert "It is **0**" in said(fine(app))
    fine(opened("language_model", lm_known="true", **FEW))


def test_the_snippet_runs_and_prints_the_same_numbers():
    app = fine(opened("language_model", lm_view="Code", lm_models="bigram"))
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(app.code[0].value, {})
    assert "bigram [0.19" in printed.getvalue() and "inf" in printed.getvalue()
    assert "def ask_models(" in said(app)


def test_a_model_that_is_not_there_is_refused_by_name():
    with pytest.raises(ValueError, match=r"a model must be one of unigram, .*; got 'gpt'"):
        model_choices.entry("gpt")
    assert list(model_choices.entries(("gpt", "bigram"))) == ["bigram"]


def test_a_completed_grammar_is_shown_only_where_it_fills_a_hole():
    hole = fine(opened("language_model", **FEW))
    assert words.COMPLETED_GRAMMAR in grid(hole) and "deliberately never says “gets”" in said(hole)
    sayable = fine(opened("language_model", lm_text="the dog sleeps .", **FEW))
    assert words.COMPLETED_GRAMMAR not in grid(sayable) and "deliberately" not in said(sayable)


def test_the_training_pairs_end_as_the_microworld_does():
    preset = PRESETS["UW slide: training pairs"]
    app = fine(opened("language_model", **LESSON.address(preset)))
    assert drawn(app, "cells-sentence")["columns"][-2:] == [".", "</s>"]
    for label, row in grid(app).items():
        assert probability_grid.IMPOSSIBLE not in row, label


def test_rows_of_zeros_are_named_beside_the_next_words():
    app = fine(opened("language_model", lm_view="Next word", **FEW))
    assert "0 for every word: Trigram, since the context never occurred; Grammar" in said(app)


@pytest.mark.parametrize("model", ["gpt", "Grammar, completed"])
def test_a_model_to_look_at_that_is_not_there_is_said(model):
    app = fine(opened("language_model", lm_model=model, **FEW))
    assert any("lm_model in the address" in e.value.replace("\\", "") for e in app.error)


def surprise(app):
    data = drawn(app, "surprise-steps")
    return dict(zip(data["names"], data["now"], strict=True))


def test_loss_and_perplexity_open_at_the_best_model_on_screen():
    app = fine(opened("language_model", lm_view="Loss and perplexity", **FEW))
    ends = drawn(app, "cells-sentence")["ends"][1]["texts"]
    now = surprise(app)
    assert format_number(float(now["perplexity"])) == ends[-1]  # the completed grammar
    assert now["loss"] == pytest.approx(math.log(now["perplexity"]))
    sliders = drawn(app, "surprise-sliders")["sliders"]
    assert [each["name"] for each in sliders] == ["loss", "perplexity"]


@pytest.mark.parametrize(
    ("name", "typed", "loss"), [("loss", "2", 2.0), ("perplexity", "10", math.log(10))]
)
def test_a_slider_of_loss_or_perplexity_moves_both(monkeypatch, name, typed, loss):
    real = ui.sliders

    def sliders(live, *, on_settled):
        real(live, on_settled=on_settled)
        st.button("go", key="go", on_click=lambda: on_settled({"name": name, "typed": typed}))

    monkeypatch.setattr(ui, "sliders", sliders)
    app = opened("language_model", lm_view="Loss and perplexity", **FEW)
    app = fine(app.button(key="go").click().run())
    assert surprise(app)["loss"] == pytest.approx(loss)
    assert surprise(app)["perplexity"] == pytest.approx(math.exp(loss))


@pytest.mark.parametrize("loss", ["-1", "99", "much"])
def test_a_loss_that_is_none_is_refused_and_the_view_opens_as_ever(loss):
    app = fine(opened("language_model", lm_view="Loss and perplexity", lm_loss=loss, **FEW))
    assert "the loss must be" in app.error[0].value
    assert surprise(app)["loss"] < 1
