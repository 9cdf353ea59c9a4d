"""The Generation page shows the engine's own texts and steps, and keeps the last good state."""

import math

import numpy as np
import pytest
import torch
from test_screen import by_key, choose, drawn, fine, in_pictures, opened, put, said
from test_training_page import started

import ui
from benchmarks import opening
from lessons.generation import generation_views
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
ANIMAL = "the animal didn't cross the"
FEW = {"gen_text": ANIMAL, "gen_seed": "1", "gen_top_k": "10"}
"""A prompt after which “tired” can be forced, with the engine's own settings."""
STEPS = {"see": "One token at a time"}
PROMPT = WRITER.read(ANIMAL)


def shown(app):
    return drawn(app, "generation-generation")


def strategies(app):
    return {each["name"]: each for each in shown(app)["strategies"]}


def lanes(app):
    every = strategies(app)
    return {name: every[name] for name in shown(app)["lanes"]}


def numbers(app):
    data = shown(app)
    return dict(zip(data["names"], data["now"].tolist(), strict=True))


def stepper(app):
    return drawn(app, "generation-step-stepping")


def tokens(chips):
    return [chip["text"] for chip in chips]


def plainly(error):
    return error.value.replace("\\", "")


def test_it_opens_on_the_lectures_three_and_the_others_are_cards():
    app = fine(opened("generation"))
    assert list(strategies(app)) == list(STRATEGIES)
    assert list(lanes(app)) == ["greedy", "beam", "walk"]
    defaults = LESSON.defaults
    prompt, seed = WRITER.read(defaults["gen_text"]), int(defaults["gen_seed"])
    settings = StrategySettings(top_k=int(defaults["gen_top_k"]))
    for name, each in strategies(app).items():
        text = continue_prompt(WRITER, prompt, STRATEGIES[name], settings, seed=seed, length=40)
        assert tokens(each["chips"]) == GPT.vocabulary.decode(text.tokens), name
        assert numbers(app)[f"{name}.total"] == pytest.approx(text.total)


def test_its_first_example_makes_every_point():
    """benchmarks/opening.py found the example, and lists the points."""
    defaults = LESSON.defaults
    settings = StrategySettings(
        **{name: float(defaults[f"gen_{name}"]) for name in ("temperature", "top_p", "min_p")},
        top_k=int(defaults["gen_top_k"]),
        width=int(defaults["gen_width"]),
    )
    seed = int(defaults["gen_seed"])
    found = opening.example(WRITER, defaults["gen_text"], settings, seed)
    assert found is not None
    assert found.texts["beam"].total - found.texts["greedy"].total > opening.CLEARLY
    app = fine(opened("generation"))
    assert "Beam search finds a text 1.815 times as probable as greedy’s" in said(app)
    kept = [numbers(app)[f"@{name}.kept"] for name in opening.FILTERS]
    assert kept == [2, 5, 6] and max(kept) <= len(shown(app)["rows"])


def test_the_live_bars_are_the_first_token_of_every_strategy():
    app = fine(opened("generation"))
    now, rows = numbers(app), shown(app)["rows"]
    prompt = WRITER.read(LESSON.defaults["gen_text"])
    with torch.no_grad():
        p = GPT.network(prompt[None]).logits[0, -1].double().softmax(-1)
    top = p.topk(len(rows))
    assert rows == GPT.vocabulary.decode(top.indices.tolist())
    for row, value in enumerate(top.values.tolist()):
        assert now[f"walk.{row}"] == pytest.approx(value, abs=1e-6)
        assert now[f"top_p.{row}"] == 0 or now[f"top_p.{row}"] >= value - 1e-6
    for name, each in strategies(app).items():
        at = int(now[f"@{name}.chosen"])
        if at >= 0:
            assert rows[at] == each["chips"][0]["text"] and each["first"] == at, name


def test_a_card_that_is_pressed_takes_the_place_of_the_lane_looked_at_else_of_the_last():
    press = generation_views.store_press
    app = fine(opened("generation", gen_shown="top_p, walk", gen_lane="walk"))
    assert list(lanes(app)) == ["top_p", "walk"] and shown(app)["lane"] == "walk"
    asked = {}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(generation_views.widgets, "set_controls", asked.update)
        press(("greedy", "beam", "walk"), "", {"promote": "top_k"})
        assert asked == {"gen_shown": "greedy, beam, top_k", "gen_lane": "top_k"}
        press(("greedy", "beam", "walk"), "beam", {"promote": "top_k"})
        assert asked == {"gen_shown": "greedy, top_k, walk", "gen_lane": "top_k"}
        press(("greedy",), "greedy", {"promote": "top_k"})
        assert asked == {"gen_shown": "greedy, top_k", "gen_lane": "top_k"}
        press(("greedy", "beam"), "", {"lane": "beam"})
        assert asked["gen_lane"] == "beam"


def test_more_than_three_lanes_or_none_are_three():
    assert list(lanes(opened("generation", gen_shown="top_k, walk, beam, greedy"))) == [
        "top_k", "walk", "beam",
    ]  # fmt: skip
    assert list(lanes(opened("generation", gen_shown=""))) == ["greedy", "beam", "walk"]


def test_the_sliders_are_those_of_the_lanes():
    def sliders(**address):
        app = fine(opened("generation", **address))
        return [each["name"] for each in drawn(app, "generation-sliders")["sliders"]]

    assert sliders() == ["temperature", "top_k", "top_p"]
    assert sliders(gen_shown="greedy, min_p, typical") == ["min_p", "typical"]


def test_a_step_is_the_engines_own_and_at_is_in_the_address():
    app = fine(opened("generation", gen_stepped="top_k", gen_at="2", **STEPS, **FEW))
    drawn_steps = stepper(app)
    how = STRATEGIES["top_k"].sampling_config(StrategySettings(), 1, length=40, stop=WRITER.stop)
    made = list(decoding_steps(WRITER.model, PROMPT, how))
    assert drawn_steps["at"] == 2 and len(drawn_steps["steps"]) == len(made)
    for step, told in zip(made, drawn_steps["steps"], strict=True):
        assert told["ids"] == step.tokens.tolist()
        assert np.array_equal(told["p"], step.probabilities.numpy().reshape(-1))
        assert told["why"] == list(step.why) and told["uniform"] == step.uniform


def test_a_forced_token_branches_and_both_stand_side_by_side():
    app = fine(opened("generation", gen_stepped="walk", gen_forced="gpt~6:247", gen_branch="1",
                      gen_at="6", **STEPS, **FEW))  # fmt: skip
    one, two = stepper(app)["branches"]
    assert tokens(one["chips"])[5] != "tired" == tokens(two["chips"])[5]
    assert tokens(one["chips"])[:5] == tokens(two["chips"])[:5]
    assert [chip["forced"] for chip in two["chips"]].index(True) == 5
    assert two["title"] == "Forced: token 6 = tired"
    assert tokens(one["chips"]) == tokens(strategies(app)["walk"]["chips"])


def test_branches_of_another_model_are_left_aside():
    app = fine(
        opened("generation", gen_model="tree", gen_forced="gpt~6:247", gen_branch="1", **STEPS)
    )
    assert not app.error and len(stepper(app)["branches"]) == 1


def test_the_same_link_gives_the_same_text_to_another_visitor():
    address = {"gen_seed": "77", "gen_temperature": "1.4", "gen_stepped": "temperature",
               "gen_shown": "temperature, drawn_beam", "gen_forced": "gpt~3:135",
               **STEPS}  # fmt: skip
    one, two = (fine(opened("generation", **address)) for _ in range(2))
    assert strategies(one) == strategies(two)
    assert stepper(one)["branches"] == stepper(two)["branches"]


def test_what_the_hand_does_is_answered_with_settings():
    from lessons.generation.stepping_view import (
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
    app = fine(opened("generation", gen_model=model, gen_length="2", gen_text=ANIMAL))
    assert not app.error
    assert all(each["chips"] for each in lanes(app).values())
    assert all(each["note"] == "no end token yet" or each["wrong"] for each in lanes(app).values())


def test_the_slides_tree_greedy_yes_yes_beam_ok_ok():
    app = fine(opened("generation", gen_model="tree", gen_width="2"))
    found = strategies(app)
    assert tokens(found["greedy"]["chips"]) == ["yes", "yes", "</s>"]
    assert tokens(found["beam"]["chips"]) == ["ok", "ok", "</s>"]
    assert "finds a text 1.4 times as probable" in said(app)
    assert "−1.273 / 3 = −0.4243" in said(app)
    assert "begins with <s> alone" in said(app).replace("\\", "")


@pytest.mark.parametrize("view", [
    "One token at a time", "Beam search", "The slide’s tree", "Bench", "Numbers", "Code",
])  # fmt: skip
def test_every_view_opens(view):
    app = fine(opened("generation", see=view))
    assert not app.error


def test_the_table_has_the_numbers_of_the_cards():
    app = fine(opened("generation", see="Numbers", **FEW))
    table = drawn(app, "table-generation-numbers")
    rows = table["numbers"].reshape(len(table["labels"]), -1)
    for row, name in zip(rows, STRATEGIES, strict=True):
        text = continue_prompt(
            WRITER, PROMPT, STRATEGIES[name], StrategySettings(), seed=1, length=40
        )
        expected = [len(text.tokens), text.total, text.mean, text.perplexity, text.judged.log_p]
        assert np.allclose(row[:5], expected)


def test_the_code_runs_and_writes_the_texts_on_screen():
    app = fine(opened("generation", see="Code", **(FEW | {"gen_seed": "5"})))
    assert "def generate_steps(" in said(app) and "1,398,101" in said(app)
    space = {}
    exec(next(each.value for each in app.code if "continue_prompt(writer" in each.value), space)
    assert set(space["texts"]) == set(lanes(app))
    for name, each in lanes(app).items():
        assert GPT.vocabulary.decode(space["texts"][name].tokens) == tokens(each["chips"])


def test_questions_are_computed_from_what_was_written_and_hide_what_they_ask_for():
    app = fine(opened("generation", ask="best"))
    assert "Whose text is the most probable one?" in said(app)
    assert {"greedy.total", "beam.total", "beam.score"} <= {*shown(app)["hidden"]}
    app = fine(by_key(app.button, "reveal-best").click().run())
    assert "It is **Beam search**" in said(app) and shown(app)["hidden"] == []
    app = fine(opened("generation", ask="kept"))
    assert "@top_p.kept" in shown(app)["hidden"]
    app = fine(by_key(app.button, "reveal-kept").click().run())
    assert "It is **5**" in said(app) and "is the first sum that reaches 0.9" in said(app)
    app = fine(opened("generation", ask="frontier"))
    app = fine(by_key(app.button, "reveal-frontier").click().run())
    assert "It is **37**" in said(app) and "1,398,101" in said(app)
    app = fine(opened("generation", ask="perplexity", **FEW))
    app = fine(by_key(app.button, "reveal-perplexity").click().run())
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
        (
            {"gen_model": "tree", "gen_tree": "no"},
            "must be one of the 2 words the model knows; got 'no'",
        ),
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
    app = opened("generation", gen_seed="3")
    before = strategies(app)
    fine(put(app, settings))
    assert any(reason in plainly(error) for error in app.error), [e.value for e in app.error]
    assert strategies(app) == before
    fresh = fine(opened("generation", **settings))
    assert any(reason in plainly(error) for error in fresh.error)
    assert strategies(fresh)


@pytest.mark.parametrize("settings", [
    {"gen_temperature": "0"}, {"gen_temperature": "1e9"}, {"gen_top_k": "0"},
    {"gen_top_k": "1000"}, {"gen_top_p": "0"}, {"gen_top_p": "1"}, {"gen_typical": "0"},
    {"gen_width": "16", "gen_model": "tree"}, {"gen_no_repeat": "1", "gen_model": "tree"},
    {"gen_text": ""}, {"gen_length": "1"}, {"gen_model": "trigram", "gen_length": "3"},
], ids=str)  # fmt: skip
def test_the_ends_of_what_is_allowed_are_defined(settings):
    app = fine(opened("generation", **settings))
    assert not app.error
    assert all(each["perplexity"] != "undefined" for each in strategies(app).values())
    assert "nan" not in said(app)
    assert not any("undefined" in text for text in in_pictures(app))


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
    app = fine(opened("generation", **STEPS, **settings))
    assert any(reason in plainly(error) for error in app.error), [e.value for e in app.error]
    assert lanes(app) and stepper(app)["steps"]


def test_a_prompt_far_too_long_is_cut_and_it_is_said():
    app = fine(opened("generation", gen_text="the dog " * 12_500))
    assert any("100,000 characters" in each.value for each in app.warning)
    assert len(app.session_state["gen_text"]) == 400
    assert strategies(app)


def test_another_seed_is_the_next_one():
    app = opened("generation", gen_seed="1")
    by_key(app.button, "gen-again").click().run()
    assert app.session_state["gen_seed"] == "2"
    assert app.query_params["gen_seed"] in ("2", ["2"])


def test_a_gpt2_of_the_server_writes_and_what_is_typed_is_text(tmp_path, monkeypatch):
    save(gpt2(1), merges(), tmp_path / "tiny-writer")
    monkeypatch.setenv("LMCORE_MODELS", str(tmp_path))
    compute.close()  # processes started from now on read the setting
    text = "<script>alert(1)</script> ![x](http://x)"[:30]
    app = fine(opened("generation", gen_model="folder:tiny-writer", gen_prose=text, gen_length="4"))
    assert not app.error, [e.value for e in app.error]
    assert drawn(app, "generation-generation")["prompt"] == text
    assert all(1 <= len(each["chips"]) <= 4 for each in lanes(app).values())
    assert [name for name, each in strategies(app).items() if each["written"]] == [*lanes(app)]
    assert "![" not in "".join(each.value for each in app.markdown)
    empty = fine(opened("generation", gen_model="folder:tiny-writer", gen_prose="", gen_length="4"))
    assert "begins with <|endoftext|> alone" in said(empty).replace("\\", "")


def test_a_bert_is_no_model_that_writes_and_says_so(tmp_path, monkeypatch):
    save(bert(1), pieces(), tmp_path / "reader")
    monkeypatch.setenv("LMCORE_MODELS", str(tmp_path))
    app = fine(opened("generation", gen_model="folder:reader"))
    assert any(
        "must be a GPT, so that it can write; got reader" in plainly(error) for error in app.error
    )
    assert strategies(app)


def test_a_run_of_this_session_writes_for_whoever_opens_its_link():
    _, (view,) = started(models="rnn")
    app = fine(opened("generation", runs=view.name, gen_model=view.name, gen_length="9"))
    assert not app.error
    assert "step 6" in app.session_state["gen-good"].writer.name
    assert all(each["chips"] for each in lanes(app).values())


@pytest.mark.parametrize("temperature", ["0.7", "0"])
def test_a_prompt_after_which_nothing_may_follow_is_said_to_be_one(temperature):
    app = fine(
        opened(
            "generation", gen_model="grammar", gen_text="animal the", gen_temperature=temperature
        )
    )
    assert "No strategy could write a token here" in said(app)


def test_a_word_of_the_microworld_is_added_to_the_prompt():
    app = opened("generation")
    app.session_state["microworld"] = True
    app = fine(choose(app.run(), "microworld-word", "strong"))
    assert app.session_state["gen_text"].endswith(" strong")


def test_a_gpt_that_has_read_a_dictionary_defines_any_word():
    app = fine(choose(opened("generation"), "preset-shown", "Defines any word"))
    assert "a person who is a member of a group of people" in said(app)
    app = fine(opened("generation", gen_model="english_gpt", gen_entry="teacher:"))
    assert "a person who is a member of a group of people" in said(app)
