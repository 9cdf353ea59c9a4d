"""The page on language models: one sentence under n-gram models and networks, and their cost."""

import contextlib
import io
import math

import pytest
import streamlit as st
from test_screen import by_key, choose, drawn, fine, opened, put, said

import ui
from drawing import probability_grid
from lessons.language_model import lanes, model_choices
from lmcore.evaluation import costs

LESSON = ui.lesson("language_model")
PRESETS = {preset.label: preset for preset in LESSON.presets}
FEW = {"lm_models": "trigram, trigram-kn, rnn"}
TRUTH = {"lm_truth": "true"}
GRAMMAR = FEW | TRUTH | {"lm_model": "grammar"}


@pytest.fixture(autouse=True)
def few_documents(monkeypatch):
    monkeypatch.setattr(costs, "DOCUMENTS", 8)
    monkeypatch.setattr(costs, "ROWS", 4)


def picture(app):
    return drawn(app, "sentence-language_model")


def numbers(app):
    """Every number of the picture, by name."""
    told = picture(app)
    return dict(zip(told["names"], told["now"].tolist(), strict=True))


def grid(app):
    """Label of a model → p of each word, in the picture."""
    told, now = picture(app), numbers(app)
    places = range(1, len(told["words"]) + 1)
    return {each["label"]: [now[f"{each['name']}.{t}"] for t in places] for each in told["lanes"]}


def test_it_opens_on_the_slide_with_zeros_by_counting_and_none_by_networks():
    app = fine(opened("language_model"))
    rows = grid(app)
    assert list(rows) == [
        probability_grid.LABELS[n] for n in LESSON.defaults["lm_models"].split(", ")
    ]
    assert rows["Trigram"][-2:] == [0, 0]
    assert all(p > 0 for label in ("Trigram, Kneser–Ney", "RNN") for p in rows[label])
    assert "“dog gets” never occurred in training: Trigram gives “fed” p = 0" in said(app)
    assert "RNN gives it 0.5317" in said(app)
    assert "count(dog gets fed) / count(dog gets) = 0 / 0 (no estimate)" in said(app)


def test_one_more_model_is_no_error():
    app = fine(opened("language_model"))
    shown = [*LESSON.defaults["lm_models"].split(", "), "lstm"]
    choose(app, "lm_models-shown", shown)
    assert not fine(app).error and list(grid(app))[-1] == "LSTM"


def test_the_truth_is_shown_where_it_is_asked_for():
    app = fine(opened("language_model", lm_truth="true"))
    rows = grid(app)
    assert rows[lanes.GRAMMAR][-1] == 0 and all(rows[lanes.COMPLETED_GRAMMAR])


def test_the_cat_gets_fed_by_every_model():
    cat = "i forgot to make sure that the cat gets fed"
    app = fine(opened("language_model", lm_text=cat, lm_truth="true"))
    assert all(p > 0 for row in grid(app).values() for p in row)
    assert lanes.COMPLETED_GRAMMAR not in grid(app)
    assert "count(cat gets fed) / count(cat gets) = 272 / 399 = 0.6817" in said(app)


@pytest.mark.parametrize(
    ("settings", "reason"),
    [
        (
            {"lm_text": "the dgo sleeps"},
            "word 2 must be one of the 279 words the model knows; got 'dgo'",
        ),
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
    app = fine(opened("language_model", lm_text="xyzzy", see="?", lm_end="maybe"))
    assert len(app.error) == 3
    assert picture(app)["words"] == LESSON.defaults["lm_text"].split()


def test_a_place_behind_a_shorter_sentence_is_what_comes_next():
    app = fine(opened("language_model", lm_text="the dog", lm_word="10", **FEW))
    assert app.session_state["lm_word"] == "3"
    assert not app.error


def test_an_end_is_scored_as_a_token():
    app = fine(opened("language_model", lm_text="the dog sleeps", lm_end="true", **FEW))
    assert picture(app)["words"][-1] == "</s>"


def test_step_by_step_multiplies_up_to_the_product_of_the_chosen_model():
    app = fine(opened("language_model", see="Step by step", lm_model="trigram-kn", **FEW))
    table = drawn(app, "table-chain")
    rows = table["numbers"].reshape(len(table["labels"]), -1)
    assert table["labels"][-1] == "dog gets → fed"
    assert rows[-1][2] == pytest.approx(math.prod(rows[:, 0]))
    assert math.exp(rows[-1][3]) == pytest.approx(rows[-1][2])
    assert numbers(app)["trigram-kn.product"] == pytest.approx(rows[-1][2])
    for model in ("lstm", "grammar"):  # neither is on screen
        app = fine(opened("language_model", see="Step by step", lm_model=model, **FEW))
        assert picture(app)["chosen"] == 0
        assert drawn(app, "table-chain")["caption"].startswith("Trigram,")
    there = opened("language_model", see="Step by step", lm_model="grammar", **FEW, **TRUTH)
    assert drawn(fine(there), "table-chain")["caption"].startswith("Grammar,")


def test_the_next_words_are_those_each_model_expects_there():
    app = fine(opened("language_model", see="Next word", lm_word="11", **FEW))
    told = drawn(app, "cells-expected")
    assert told["labels"][:3] == ["Trigram", "Trigram, Kneser–Ney", "RNN"]
    assert "fed" in said(app) and len(told["columns"]) <= 10


@pytest.mark.parametrize("models", ["trigram, trigram-kn, rnn", "rnn"])
def test_why_zero_shows_the_counts_of_the_n_grams_or_of_two_of_its_own(models):
    app = fine(opened("language_model", see="Why 0?", lm_models=models))
    shown = said(app)
    assert "“dog gets” never occurred: 0 / 0 gives no estimate" in shown
    rows = drawn(app, "table-explained-trigram-kn")
    kept, weight, lower, p = rows["numbers"][-4:]
    assert kept + weight * lower == pytest.approx(p)
    assert "✕ 0" in drawn(app, "cells-bigrams")["texts"]


def test_four_advantages_and_the_cost_are_measured_and_said():
    app = fine(opened("language_model", see="Four advantages, one cost", **FEW))
    assert not app.error
    assert drawn(app, "table-gives")["labels"] == ["Trigram", "Trigram, Kneser–Ney", "RNN"]
    takes = drawn(app, "table-takes")["numbers"].reshape(3, -1)
    assert (takes > 0).all()
    assert said(app).count("hold") >= 5
    alone = fine(opened("language_model", see="Four advantages, one cost", lm_models="rnn"))
    assert not alone.error and "table-gives" not in str(alone)


def test_the_floor_falls_with_every_word_seen():
    app = fine(opened("language_model", see="How much context is worth", **FEW))
    floors = drawn(app, "table-floors")["numbers"].reshape(8, 2)[:, 0]
    assert (floors[1:] < floors[:-1]).all()
    assert drawn(app, "table-marks")["labels"][-1] == "LSTM"


def test_training_pairs_are_cut_to_the_order():
    app = fine(opened("language_model", see="Training pairs", lm_order="2", **FEW))
    pairs = drawn(app, "table-pairs")
    assert pairs["labels"][-1] == "gets → fed"
    assert "N − 1 = 1 word" in said(app)


def test_the_questions_are_computed_and_hide_what_they_ask_for():
    app = fine(opened("language_model", ask="count", **FEW))
    assert "What p does a trigram give “fed” without smoothing?" in said(app)
    assert {"trigram.10", "trigram.product", "count"} <= set(picture(app)["hidden"])
    assert "no estimate" not in "".join(picture(app)["formula"][0])
    assert "product is 0" not in picture(app)["sentences"][0]
    app.button(key="reveal-count").click().run()
    assert "It is **0**" in said(fine(app)) and picture(app)["hidden"] == []


def test_the_best_model_is_asked_for_by_name():
    app = fine(opened("language_model", ask="best", **FEW))
    assert "rnn.perplexity" in picture(app)["hidden"]
    choose(app, "guess-best-RNN", "Trigram")
    assert "Not that one." in said(app)
    choose(app, "guess-best-RNN", "RNN")
    assert "**RNN** is right" in said(fine(app))


def test_the_perplexity_is_asked_for_of_the_best_model():
    app = fine(opened("language_model", ask="perplexity", **FEW))
    assert "Σ log p of RNN over the 10 words is −11.04" in said(app)
    by_key(app.number_input, "guess-perplexity-" + str(numbers(app)["rnn.perplexity"])).set_value(
        3.0
    ).run()
    assert "3.016** is right" in said(fine(app))


def test_where_every_model_gives_zero_only_counts_are_asked_for():
    app = fine(opened("language_model", lm_models="trigram", ask="count"))
    assert "does a trigram give" in said(app)
    assert not fine(opened("language_model", lm_models="trigram", ask="best")).error


def opened_world(**address):
    """The page with the popover of the Microworld open."""
    app = opened("language_model", **FEW, **address)
    app.session_state["microworld"] = True
    return fine(app.run())


def test_the_microworld_is_introduced_and_its_words_are_listed():
    app = opened_world()
    assert "A tiny English of **279 words**" in said(app)
    words = by_key(app.button_group, "microworld-word")
    assert "cat" in words.options and "<s>" not in words.options
    assert words.label == "Press a word: it stands in place of “fed”"


@pytest.mark.parametrize(
    ("address", "word", "text"),
    [
        ({"lm_word": "8"}, "cat", "i forgot to make sure that the cat gets fed"),
        ({"lm_word": "4", "lm_text": "the dog sleeps"}, ".", "the dog sleeps ."),
        ({"lm_word": "1", "lm_text": "the dog", "lm_end": "true"}, "a", "a dog"),
    ],
)
def test_a_word_of_the_list_goes_into_the_sentence(address, word, text):
    app = choose(opened_world(**address), "microworld-word", word)
    assert fine(app).session_state["lm_text"] == text
    assert picture(app)["words"][: len(text.split())] == text.split()


def test_words_spelt_like_an_unknown_one_are_offered():
    app = fine(opened("language_model", lm_text="the dgo sleeps", **FEW))
    app.button(key="offer-dgo-dog").click().run()
    assert picture(fine(app))["words"] == ["the", "dog", "sleeps"] and not app.error
    strange = fine(opened("language_model", lm_text="the 😀 $x$ </script>", **FEW))
    assert len(strange.error) == 1


def test_a_press_looks_at_a_word_or_a_model(monkeypatch):
    real = ui.main_picture
    pressed = [(-1, 0)]

    def main_picture(*args, on_event):
        real(*args, on_event=on_event)
        st.button("go", key="go", on_click=lambda: on_event(pressed[0]))

    monkeypatch.setattr(ui, "main_picture", main_picture)
    app = opened("language_model", **FEW)
    for pressed[0], here, chosen in (((2, 8), 8, 2), ((-1, 0), 0, 2), ((1, -1), 0, 1)):
        app.button(key="go").click().run()
        told = picture(fine(app))
        assert (told["here"], told["chosen"]) == (here, chosen)


def test_what_comes_next_is_in_the_picture():
    preset = PRESETS["What comes next?"]
    app = fine(opened("language_model", **LESSON.address(preset)))
    told, now = picture(app), numbers(app)
    expected = {lane["name"]: [each["word"] for each in lane["expected"]] for lane in told["lanes"]}
    assert expected["trigram"] == [] and expected["rnn"][0] == "fed"
    assert now["rnn.next0"] == pytest.approx(0.5317, abs=5e-5)
    assert "RNN expects “fed” most" in said(app)
    nothing = fine(opened("language_model", **LESSON.address(preset) | {"lm_model": "trigram"}))
    assert "Trigram gives every next word p = 0" in said(nothing)


@pytest.mark.parametrize(
    ("address", "sentence", "formula"),
    [
        ({"lm_model": "rnn"}, "“fed” p = 0.5317, a cost −log p of 0.6317 of 11.04", "exp("),
        ({"lm_model": "rnn", "lm_word": "9"}, "its costliest word: 5.833 of 11.04", "Σ exp(z)"),
        ({"lm_word": "9"}, "times, never with “gets” after it: Trigram gives it p = 0", "0 / "),
        ({"lm_word": "1"}, "yet its product is 0: “gets” has p = 0.", "count(<s> i)"),
        (
            {"lm_model": "trigram-kn"},
            "sees only “dog gets” and gives “fed”",
            "kept + λ·p(fed | gets)",
        ),
        (
            {"lm_model": "grammar", "lm_word": "9"},
            "“gets” here, on purpose",
            "P(… that the dog gets)",
        ),
        ({"lm_model": "completed", "lm_word": "9"}, "“gets” would have p = 0.5", "/ P("),
        ({"lm_model": "trigram-add", "lm_models": "trigram-add"}, "add-1 gives “fed”", "+ 1) / ("),
        ({"lm_models": "unigram", "lm_model": "unigram"}, "Unigram gives “fed”", "/ all words"),
    ],
)
def test_the_finding_and_the_formula_speak_of_what_is_looked_at(address, sentence, formula):
    app = fine(opened("language_model", **FEW | TRUTH | address))
    shown = said(app)
    assert sentence in shown and formula in shown
    now, live = numbers(app), picture(app)
    parts = dict(zip(live["names"], live["now"], strict=True))
    if "exps" in parts:  # the softmax of a network
        slot = f"{live['lanes'][live['chosen']]['name']}.{live['here'] + 1}"
        assert parts["exp"] / parts["exps"] == pytest.approx(now[slot])


def test_the_snippet_runs_and_prints_the_same_numbers():
    app = fine(opened("language_model", see="Code", lm_models="bigram"))
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
    hole = fine(opened("language_model", lm_word="9", **GRAMMAR))
    assert lanes.COMPLETED_GRAMMAR in grid(hole) and "“gets” here, on purpose" in said(hole)
    sayable = fine(opened("language_model", lm_text="the dog sleeps .", **GRAMMAR))
    assert lanes.COMPLETED_GRAMMAR not in grid(sayable) and "on purpose" not in said(sayable)


def test_the_training_pairs_end_as_the_microworld_does():
    preset = PRESETS["UW slide: training pairs"]
    app = fine(opened("language_model", **LESSON.address(preset)))
    assert picture(app)["words"][-2:] == [".", "</s>"]
    assert all(p > 0 for row in grid(app).values() for p in row)


def test_rows_of_zeros_are_named_beside_the_next_words():
    app = fine(opened("language_model", see="Next word", **FEW, **TRUTH))
    assert "0 for every word: Trigram, since the context never occurred; Grammar" in said(app)


@pytest.mark.parametrize("model", ["gpt", "Grammar, completed"])
def test_a_model_to_look_at_that_is_not_there_is_said(model):
    app = fine(opened("language_model", lm_model=model, **FEW))
    assert any("lm_model in the address" in e.value.replace("\\", "") for e in app.error)


def surprise(app):
    data = drawn(app, "surprise-steps")
    return dict(zip(data["names"], data["now"], strict=True))


def test_loss_and_perplexity_open_at_the_best_model_on_screen():
    app = fine(opened("language_model", see="Loss and perplexity", **FEW, **TRUTH))
    now = surprise(app)
    assert now["perplexity"] == pytest.approx(numbers(app)["completed.perplexity"])
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
    app = opened("language_model", see="Loss and perplexity", **FEW)
    app = fine(app.button(key="go").click().run())
    assert surprise(app)["loss"] == pytest.approx(loss)
    assert surprise(app)["perplexity"] == pytest.approx(math.exp(loss))


@pytest.mark.parametrize("loss", ["-1", "99", "much"])
def test_a_loss_that_is_none_is_refused_and_the_view_opens_as_ever(loss):
    app = fine(opened("language_model", see="Loss and perplexity", lm_loss=loss, **FEW, **TRUTH))
    assert "the loss must be" in app.error[0].value
    assert surprise(app)["loss"] < 1


@pytest.mark.parametrize("order", [1, 2, 3, 5])
def test_the_pairs_have_the_counts_of_the_ngram(order):
    address = {"lm_text": "today the dog is hungry .", "lm_word": "5", "lm_window": str(order)}
    data = drawn(fine(opened("language_model", **address, see="Pairs")), "pairs-textpairs")
    numbers = dict(zip(data["names"], data["now"], strict=True))
    model = model_choices.ngram(order, "none")
    ids = model.vocabulary.read("today the dog is hungry .")
    for t in range(1, len(ids)):
        step = model.explain(ids[:t], ids[t]).steps[-1]
        assert (numbers[f"c{t}"], numbers[f"f{t}"]) == (step.context_count, step.count)
    assert numbers["p"] == pytest.approx(numbers["f5"] / numbers["c5"])


@pytest.mark.parametrize(
    ("order", "says"),
    [
        (1, "N = 1: nothing before it counts. Of {c5} words, =={f5}== are **hungry**."),
        (2, "N = 2 forgets all but the last word: “**is**” was counted =={c5}== times, {f5} times"),
        (5, "N = 5 forgets all but the last 4 words: “**today the dog is**”"),
        (6, "The **whole past**: “**<s> today the dog is**”"),
    ],
)
def test_the_sentence_of_the_pairs_names_what_is_kept(order, says):
    address = {"lm_text": "today the dog is hungry .", "lm_word": "5", "lm_window": str(order)}
    data = drawn(fine(opened("language_model", **address, see="Pairs")), "pairs-textpairs")
    assert says in data["sentences"][order - 1]


def test_a_context_that_was_never_counted_is_said_to_say_nothing():
    address = {"lm_text": "the dog gets fed", "lm_word": "4", "lm_window": "3"}
    data = drawn(fine(opened("language_model", **address, see="Pairs")), "pairs-textpairs")
    assert data["sentences"][2].endswith("=={c4}== times: no count says what comes next.")
    assert "not defined" in data["formula"][2][0]


def test_the_question_of_the_pairs_has_the_count_of_the_whole_past():
    address = {"lm_text": "today the dog is hungry .", "lm_word": "5", "ask": "past"}
    app = fine(opened("language_model", **address, see="Pairs"))
    (question,) = [each for each in app.session_state["questions"] if each.key == "past"]
    assert question.answer == 45
    assert "“is” was counted 7,827 times" in question.ask
