"""The Generation page shows the engine's own texts and steps, and keeps the last good ones."""

import math

import numpy as np
import pytest
import torch
from test_screen import drawn, fine, opened, put, said
from test_training_page import started

import ui
from lmcore.corpora.microworld import microworld
from lmcore.decoding.continuations import continue_prompt
from lmcore.decoding.stepping import decoding_steps
from lmcore.decoding.strategies import STRATEGIES, StrategySettings
from lmcore.decoding.writer import writer_from_vocabulary
from lmcore.shipped.models import load_shipped
from tests.pretrained.made import bert, gpt2, merges, pieces, save
from ui import compute

LESSON = ui.lesson("generation")
PRESETS = {preset.label: preset for preset in LESSON.presets}
GPT, _, _ = load_shipped("gpt")
WRITER = writer_from_vocabulary("gpt", GPT, GPT.vocabulary, microworld())
PROMPT = WRITER.read(LESSON.defaults["gen_text"])
FEW = {"gen_shown": "greedy, beam, walk"}


def cards(app):
    return {card["name"]: card for card in drawn(app, "generation-generation")["cards"]}


def stepper(app):
    return drawn(app, "generation-step-generation")


def tokens(chips):
    return [chip["text"] for chip in chips]


def plainly(error):
    return error.value.replace("\\", "")


def test_it_opens_on_the_slides_three_strategies_first_and_all_beside_them():
    app = fine(opened("generation"))
    shown = cards(app)
    assert list(shown) == list(STRATEGIES)
    assert [name for name, card in shown.items() if not card["beyond"]][:3] == [
        "greedy", "beam", "walk",
    ]  # fmt: skip
    for name, card in shown.items():
        text = continue_prompt(
            WRITER, PROMPT, STRATEGIES[name], StrategySettings(), seed=1, length=40
        )
        assert tokens(card["chips"]) == GPT.vocabulary.decode(text.tokens), name
    assert "most probable text" in said(app) and "seed 1" in said(app)


def test_the_live_bars_are_the_first_token_of_every_strategy():
    app = fine(opened("generation"))
    shown = drawn(app, "generation-generation")
    now = dict(zip(shown["names"], shown["now"], strict=True))
    with torch.no_grad():
        p = GPT.network(PROMPT[None]).logits[0, -1].double().softmax(-1)
    top = p.topk(len(shown["rows"]))
    assert shown["rows"] == GPT.vocabulary.decode(top.indices.tolist())
    for row, value in enumerate(top.values.tolist()):
        assert now[f"walk.{row}"] == pytest.approx(value, abs=1e-6)
        assert now[f"top_p.{row}"] == 0 or now[f"top_p.{row}"] >= value - 1e-6
    for name, card in cards(app).items():
        at = int(now[f"{name}.chosen"])
        if at >= 0:
            assert shown["rows"][at] == card["chips"][0]["text"], name


def test_a_step_is_the_engines_own_and_at_is_in_the_address():
    app = fine(opened("generation", gen_stepped="top_k", gen_at="2", **FEW))
    shown = stepper(app)
    how = STRATEGIES["top_k"].sampling_config(StrategySettings(), 1, length=40, stop=WRITER.stop)
    made = list(decoding_steps(WRITER.model, PROMPT, how))
    assert shown["at"] == 2 and len(shown["steps"]) == len(made)
    for step, told in zip(made, shown["steps"], strict=True):
        assert told["ids"] == step.tokens.tolist()
        assert np.array_equal(told["p"], step.probabilities.numpy().reshape(-1))
        assert told["why"] == list(step.why) and told["uniform"] == step.uniform


def test_a_forced_token_branches_and_both_stand_side_by_side():
    app = fine(opened("generation", gen_stepped="walk", gen_forced="gpt~6:247", gen_branch="1",
                      gen_at="6", **FEW))  # fmt: skip
    one, two = stepper(app)["branches"]
    assert tokens(one["chips"])[5] != "tired" == tokens(two["chips"])[5]
    assert tokens(one["chips"])[:5] == tokens(two["chips"])[:5]
    assert [chip["forced"] for chip in two["chips"]].index(True) == 5
    assert two["title"] == "Forced: token 6 = tired"
    assert tokens(one["chips"]) == tokens(cards(app)["walk"]["chips"])


def test_branches_of_another_model_are_left_aside():
    app = fine(
        opened("generation", gen_model="tree", gen_forced="gpt~6:247", gen_branch="1", **FEW)
    )
    assert not app.error and len(stepper(app)["branches"]) == 1


def test_the_same_link_gives_the_same_text_to_another_visitor():
    address = {"gen_seed": "77", "gen_temperature": "1.4", "gen_stepped": "temperature",
               "gen_shown": "temperature, drawn_beam", "gen_forced": "gpt~3:135"}  # fmt: skip
    one, two = (fine(opened("generation", **address)) for _ in range(2))
    assert cards(one) == cards(two)
    assert stepper(one)["branches"] == stepper(two)["branches"]


def test_what_the_hand_does_is_answered_with_settings():
    from lessons.generation.stepping_section import (
        BranchChoices,
        format_branches,
        settings_after_event,
    )

    now = BranchChoices(({}, {5: 247}), 1, 6)
    assert settings_after_event({"at": 3}, now, "gpt") == {"gen_at": "3"}
    assert settings_after_event({"branch": 0}, now, "gpt") == {"gen_branch": "0"}
    assert settings_after_event({"drop": 1}, now, "gpt") == {"gen_forced": "", "gen_branch": "0"}
    forked = settings_after_event({"force": [7, 9]}, now, "gpt")
    assert forked == {"gen_forced": "gpt~6:247;6:247,8:9", "gen_branch": "2", "gen_at": "8"}
    earlier = settings_after_event({"force": [2, 9]}, now, "gpt")
    assert earlier["gen_forced"] == "gpt~6:247;3:9"
    again = settings_after_event({"force": [5, 247]}, BranchChoices(({}, {5: 247}), 0, 5), "gpt")
    assert again == {"gen_forced": "gpt~6:247", "gen_branch": "1", "gen_at": "6"}
    many = BranchChoices(({}, *({0: n} for n in range(1, 5))), 0, 0)
    assert (
        settings_after_event({"force": [0, 9]}, many, "gpt")["gen_forced"] == "gpt~1:2;1:3;1:4;1:9"
    )
    assert format_branches("a~b", [{}, {0: 1}]) == "a~b~1:1"


@pytest.mark.parametrize("model", ["lstm", "rnn", "trigram", "grammar", "tree", "character_lstm"])
def test_every_model_writes_and_says_where_no_end_was_reached(model):
    app = fine(opened("generation", gen_model=model, gen_length="2", **FEW))
    assert not app.error
    assert all(card["chips"] for card in cards(app).values())
    assert all("no end token was reached" in card["end"] for card in cards(app).values())


def test_the_slides_tree_greedy_yes_yes_beam_ok_ok():
    app = fine(opened("generation", gen_model="tree", gen_width="2", **FEW))
    shown = cards(app)
    assert tokens(shown["greedy"]["chips"]) == ["yes", "yes", "</s>"]
    assert tokens(shown["beam"]["chips"]) == ["ok", "ok", "</s>"]
    facts = dict(shown["beam"]["facts"])
    assert facts["log p"] == "−1.273" and facts["per token"] == "−0.4243"
    assert "begins with <s> alone" in said(app).replace("\\", "")


@pytest.mark.parametrize("view", [
    "One token at a time", "Beam search", "Bench", "The slide’s tree", "Numbers",
    "Check yourself", "Code", "Slide check",
])  # fmt: skip
def test_every_view_opens(view):
    app = fine(opened("generation", gen_see=view, **FEW))
    assert not app.error


def test_the_table_has_the_numbers_of_the_cards():
    app = fine(opened("generation", gen_see="Numbers", **FEW))
    table = drawn(app, "table-generation-numbers")
    rows = table["numbers"].reshape(len(table["labels"]), -1)
    for row, name in zip(rows, ("greedy", "beam", "walk"), strict=True):
        text = continue_prompt(
            WRITER, PROMPT, STRATEGIES[name], StrategySettings(), seed=1, length=40
        )
        expected = [len(text.tokens), text.total, text.mean, text.perplexity, text.judged.log_p]
        assert np.allclose(row[:5], expected)


def test_the_code_runs_and_writes_the_texts_on_screen():
    app = fine(opened("generation", gen_see="Code", gen_seed="5", **FEW))
    assert "def generate_steps(" in said(app) and "1,398,101" in said(app)
    space = {}
    exec(next(each.value for each in app.code if "continue_prompt(writer" in each.value), space)
    for name, card in cards(app).items():
        assert GPT.vocabulary.decode(space["texts"][name].tokens) == tokens(card["chips"])


def test_the_checks_are_computed_from_what_was_written():
    reveal = {"reveal-gen-frontier": "true", "reveal-gen-perplexity": "true"}
    app = fine(opened("generation", gen_see="Check yourself", **reveal, **FEW))
    assert "It is **37**" in said(app) and "1,398,101" in said(app)
    best = continue_prompt(
        WRITER, PROMPT, STRATEGIES["greedy"], StrategySettings(), seed=1, length=40
    )
    assert f"It is **{math.exp(-best.mean):.4g}**" in said(app)


@pytest.mark.parametrize(
    ("settings", "reason"),
    [
        ({"gen_text": "the anmal"}, "got 'anmal'; similar words: animal"),
        ({"gen_text": "the </s>"}, "a prompt must not have </s>"),
        ({"gen_model": "character_lstm", "gen_letters": ""}, "at least one token"),
        ({"gen_model": "tree", "gen_tree": "no"}, "must be one of the 4 the model knows; got 'no'"),
        ({"gen_seed": "x"}, "the seed must be a whole number"),
        ({"gen_seed": "-1"}, "the seed must be 0 or more; got -1"),
        ({"gen_length": "0"}, "the length must be from 1 to 200 tokens; got 0"),
        ({"gen_length": "201"}, "the length must be from 1 to 200 tokens; got 201"),
        ({"gen_temperature": "-1"}, "the temperature τ must be from 0 to 1,000,000,000; got -1"),
        ({"gen_temperature": "nan"}, "the temperature τ must be a finite number; got 'nan'"),
        ({"gen_top_k": "1.5"}, "k of top-k must be a whole number"),
        ({"gen_top_k": "-3"}, "k of top-k must be from 0 to 1,000,000; got -3"),
        ({"gen_top_p": "1.2"}, "p of top-p must be from 0 to 1; got 1.2"),
        ({"gen_width": "17"}, "the beam width must be from 1 to 16; got 17"),
        ({"gen_groups": "3"}, "the number of groups must divide the width, 4; got 3"),
        ({"gen_repetition": "0"}, "the repetition penalty ρ must be from 0.01 to 100; got 0"),
    ],
    ids=str,
)
def test_what_is_wrong_is_refused_and_the_last_good_stays(settings, reason):
    app = opened("generation", gen_seed="3", **FEW)
    before = cards(app)
    fine(put(app, settings))
    assert any(reason in plainly(error) for error in app.error), [e.value for e in app.error]
    assert cards(app) == before
    fresh = fine(opened("generation", **settings, **FEW))
    assert any(reason in plainly(error) for error in fresh.error)
    assert cards(fresh)


@pytest.mark.parametrize("settings", [
    {"gen_temperature": "0"}, {"gen_temperature": "1e9"}, {"gen_top_k": "0"},
    {"gen_top_k": "1000"}, {"gen_top_p": "0"}, {"gen_top_p": "1"}, {"gen_typical": "0"},
    {"gen_width": "16", "gen_model": "tree"}, {"gen_no_repeat": "1", "gen_model": "tree"},
    {"gen_text": ""}, {"gen_length": "1"}, {"gen_model": "trigram", "gen_length": "3"},
], ids=str)  # fmt: skip
def test_the_ends_of_what_is_allowed_are_defined(settings):
    app = fine(opened("generation", **settings))
    assert not app.error
    for card in cards(app).values():
        assert "undefined" not in str(card["facts"])
    assert "nan" not in said(app)


@pytest.mark.parametrize(
    ("settings", "reason"),
    [
        ({"gen_forced": "gpt~x"}, "a forced token must be place:id"),
        ({"gen_forced": "gpt~0:3"}, "the place of a forced token must be 1 or more; got 0"),
        ({"gen_forced": "gpt~1:999"}, "forced at 1 must be an id from 0 to 281; got 999"),
        ({"gen_at": "-1"}, "the place must be a whole number"),
        ({"gen_branch": "b"}, "the branch must be a whole number"),
        ({"gen_shown": "best"}, "a strategy must be one of greedy"),
        ({"gen_model": "gpt9"}, "gen_model in the address must be one of gpt"),
        ({"gen_stepped": "beam"}, "gen_stepped in the address must be one of greedy"),
    ],
    ids=str,
)
def test_an_address_that_asks_for_what_is_not_there_says_so(settings, reason):
    app = fine(opened("generation", **settings))
    assert any(reason in plainly(error) for error in app.error), [e.value for e in app.error]
    assert cards(app) and stepper(app)["steps"]


def test_a_prompt_far_too_long_is_cut_and_it_is_said():
    app = fine(opened("generation", gen_text="the dog " * 12_500, **FEW))
    assert any("100,000 characters" in each.value for each in app.warning)
    assert len(app.session_state["gen_text"]) == 400
    assert cards(app)


def test_another_seed_is_the_next_one():
    app = opened("generation", **FEW)
    next(each for each in app.button if each.label == "Another seed").click().run()
    assert app.session_state["gen_seed"] == "2"
    assert app.query_params["gen_seed"] in ("2", ["2"])


def test_a_gpt2_of_the_server_writes_and_what_is_typed_is_text(tmp_path, monkeypatch):
    save(gpt2(1), merges(), tmp_path / "tiny-writer")
    monkeypatch.setenv("LMCORE_MODELS", str(tmp_path))
    compute.close()  # a process has the settings that the server had when it was started
    text = "<script>alert(1)</script> ![x](http://x)"[:30]
    app = fine(
        opened("generation", gen_model="folder:tiny-writer", gen_prose=text, gen_length="4", **FEW)
    )
    assert not app.error, [e.value for e in app.error]
    assert drawn(app, "generation-generation")["prompt"] == text
    assert all(len(card["chips"]) <= 4 for card in cards(app).values())
    assert "![" not in "".join(each.value for each in app.markdown)
    empty = fine(
        opened("generation", gen_model="folder:tiny-writer", gen_prose="", gen_length="4", **FEW)
    )
    assert "begins with <|endoftext|> alone" in said(empty).replace("\\", "")


def test_a_bert_is_no_model_that_writes_and_says_so(tmp_path, monkeypatch):
    save(bert(1), pieces(), tmp_path / "reader")
    monkeypatch.setenv("LMCORE_MODELS", str(tmp_path))
    app = fine(opened("generation", gen_model="folder:reader", **FEW))
    assert any(
        "must be a GPT, so that it can write; got reader" in plainly(error) for error in app.error
    )
    assert cards(app)


def test_a_run_of_this_session_writes_for_whoever_opens_its_link():
    _, (view,) = started(models="rnn")
    app = fine(opened("generation", runs=view.name, gen_model=view.name, gen_length="9", **FEW))
    assert not app.error
    assert "step 6" in app.session_state["gen-good"].writer.name
    assert all(card["chips"] for card in cards(app).values())


@pytest.mark.parametrize("temperature", ["0.7", "0"])
def test_a_prompt_after_which_nothing_may_follow_is_said_to_be_one(temperature):
    app = fine(
        opened(
            "generation", gen_model="grammar", gen_text="animal the", gen_temperature=temperature
        )
    )
    assert "No strategy could write a token here" in said(app)
