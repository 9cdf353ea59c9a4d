"""The views on length, permuted α, teacher forcing and search, with the controls they read."""

import re

import pytest
from streamlit.testing.v1 import AppTest
from test_screen import by_key, choose, drawn, said

from lmcore.corpora.translation import held_out_sources, parse_source, translate
from lmcore.decoding.search_errors import compare_searches, find_translations
from lmcore.evaluation.exact_match import exact_matches, measure_exposure_bias, measure_permutation
from lmcore.numbers import format_number
from lmcore.shipped.models import load_translator

ATTENTION, VECTOR = (load_translator(f"seq2seq_{name}")[0] for name in ("attention", "vector"))
OPENING = parse_source("the cup was hidden by a man and paul was found by kayla", "mixture")
VIEWS = ("length", "permuted", "teacher", "search")


def page():
    import streamlit as st

    from lessons.seq2seq import measured_view, search_view, seq2seq_state

    seq2seq_state.SETTINGS.restore()
    now = seq2seq_state.read_state()
    shown = seq2seq_state.translated(now)
    match st.query_params["view"]:
        case "length":
            measured_view.length_view()
        case "permuted":
            measured_view.permuted_view(shown)
        case "teacher":
            measured_view.teacher_view(shown)
        case _:
            search_view.search_view(shown)


def opened(view, **address):
    app = AppTest.from_function(page, default_timeout=60)
    for name, value in {"view": view, **address}.items():
        app.query_params[name] = value
    app.run()
    assert not app.exception, [each.message for each in app.exception]
    return app


def plain(app):
    return said(app).replace("**", "").replace("\\", "")


def typed(app, name, value):
    by_key(app.text_input, f"{name}-shown").set_value(value).run()
    assert not app.exception
    return app


def numbers(app, name):
    """The rows of a table: label → numbers."""
    data = drawn(app, f"table-{name}")
    width = len(data["columns"]) - 1
    rows = data["numbers"].reshape(-1, width).tolist()
    return dict(zip(data["labels"], rows, strict=True))


def test_the_length_view_measures_what_is_set_and_compares_it_with_the_recording():
    app = opened("length", s2_length="19", s2_count="40", s2_seed="7")
    sources = held_out_sources("mixture", 19, 40, 7)
    rows = numbers(app, "s2-measured")
    for network, label in ((ATTENTION, "attention"), (VECTOR, "one vector")):
        right = sum(exact_matches(network, sources, "mixture"))
        assert rows[f"{label}, measured here"][:2] == [40, right]
        assert f"19 words, measured here: {right} of 40" in plain(app)
    assert rows["one vector, recorded"][:2] == [1000, 502]
    assert f"attention {ATTENTION.config.parameters:,}" in plain(app)
    assert f"one vector {VECTOR.config.parameters:,}" in plain(app)
    assert "the first 40 of the recorded" not in plain(app)
    assert numbers(app, "s2-curves")["20"][4:6] == [1.0, 365]


def test_another_length_is_measured_when_it_is_typed():
    app = typed(opened("length", s2_count="20", s2_seed="0"), "s2_length", "22")
    assert "22 words, measured here" in plain(app)
    assert "With seed 0 these are the first 20 of the recorded sentences" in plain(app)


@pytest.mark.parametrize("view", VIEWS)
@pytest.mark.parametrize(
    ("name", "value", "wrong"),
    [
        ("s2_length", "3", "the words of a source must be from 4 to 40; got 3"),
        ("s2_count", "301", "the number of sentences must be from 10 to 300; got 301"),
        ("s2_seed", "x", "the seed must be a whole number"),
    ],
)
def test_a_wrong_sample_is_named_and_the_last_one_stays(view, name, value, wrong):
    app = opened(view, s2_length="6", s2_count="12", s2_seed="4")
    tables = [e.proto.bytes for e in app.get("bidi_component")]
    typed(app, name, value)
    assert len(app.error) == 1 and wrong in app.error[0].value.replace("\\", "")
    assert "Still showing the last valid setting." in plain(app)
    assert [e.proto.bytes for e in app.get("bidi_component")] == tables


def test_permuted_weights_are_shown_and_measured():
    app = opened("permuted", s2_length="9", s2_count="30", s2_seed="2")
    effect = measure_permutation(ATTENTION, held_out_sources("mixture", 9, 30, 2), "mixture", 2)
    rows = numbers(app, "s2-permuted")
    assert rows["as computed"][:2] == [30, effect.exact]
    assert rows["permuted"][:2] == [30, effect.exact_permuted]
    assert rows["permuted"][-1] == pytest.approx(effect.loss_permuted)
    assert "depends on where α points" in plain(app)
    (chips,) = drawn(app, "seq2seq-texts-chips")["views"]
    assert [row["title"] for row in chips][1:] == [f"α permuted, seed {s}" for s in (2, 3, 4)]
    computed = [chip["text"] for chip in chips[0]["chips"]]
    assert tuple(computed) == translate(OPENING, "mixture")
    assert all(any(chip["kind"] == "deleted" for chip in row["chips"]) for row in chips[1:])


def test_teacher_forcing_shows_the_shift_the_parting_and_both_losses():
    app = opened("teacher", s2_length="18", s2_count="25")
    shown = plain(app)
    assert "| reads yᵢ₋₁ | <s> | a | man | hid | the | cup |" in shown
    assert "| target yᵢ | a | man | hid | the | cup | and |" in shown
    assert "| one vector reads | <s> | a | cup | hid | the | man |" in shown
    assert "Attention writes every word right" in shown
    assert "One vector writes “cup” at step 2, where “man” is right" in shown
    assert "| target yᵢ | Adoro | le | escursioni | . | </s> |" in shown
    assert re.search("Quoted from the Stony Brook slide.*not computed", shown)
    bias = measure_exposure_bias(VECTOR, held_out_sources("mixture", 18, 25, 1), "mixture")
    forced, free = map(format_number, bias.losses)
    assert f"One vector: L = {forced} after the true words, {free} after its own" in shown
    assert f"over {int(bias.tokens.sum()):,} tokens of 25 sentences" in shown


@pytest.mark.parametrize(("model", "network"), [("attention", ATTENTION), ("vector", VECTOR)])
def test_the_search_view_lists_the_hypotheses_of_the_chosen_model(model, network):
    app = opened("search", s2_model=model, s2_width="3", s2_penalty="0.5", s2_length="20")
    found = find_translations(network, OPENING, 3, 0.5)
    rows = numbers(app, "s2-hypotheses")
    assert [label.partition(". ")[2] for label in rows] == [" ".join(h.words) for h in found]
    assert [row[1] for row in rows.values()] == pytest.approx([h.score for h in found])
    assert "beam search with k = 1 writes the same words as greedy search" in plain(app)
    sources = held_out_sources("mixture", 20, 50, 1)
    compared = compare_searches(network, sources, "mixture", 3, 0.5)
    assert numbers(app, "s2-searches")["beam"][:2] == [50, compared.beam]
    assert numbers(app, "s2-searches")["greedy"][:2] == [50, compared.greedy]


def test_another_model_searches_when_it_is_chosen():
    app = opened("search", s2_count="10")
    assert "Beam search ranks first the text that greedy search writes" in plain(app)
    choose(app, "s2_model-shown", "vector")
    assert not app.exception
    found = find_translations(VECTOR, OPENING, 4)
    assert next(iter(numbers(app, "s2-hypotheses"))) == f"1. {' '.join(found[0].words)}"
    assert found[0].words != translate(OPENING, "mixture")
    assert "the model’s error" in plain(app)


@pytest.mark.parametrize(
    ("name", "value", "wrong"),
    [
        ("s2_width", "17", "the beam width k must be from 1 to 16; got 17"),
        ("s2_penalty", "11", "the length penalty a must be from -10 to 10; got 11"),
        ("s2_penalty", "many", "the length penalty a must be a number"),
    ],
)
def test_a_wrong_search_is_named_and_the_last_one_stays(name, value, wrong):
    app = opened("search", s2_width="2", s2_count="10")
    before = numbers(app, "s2-hypotheses")
    typed(app, name, value)
    assert len(app.error) == 1 and wrong in app.error[0].value.replace("\\", "")
    assert numbers(app, "s2-hypotheses") == before
