"""Beam search, the bench and the slide's tree on the Generation page: the engine's own numbers."""

import json
import math
from dataclasses import fields, replace
from functools import partial

import numpy as np
import pytest
import streamlit as st
import torch
from test_screen import by_key, drawn, fine, opened, put, said

from lessons.generation import (
    beam_view,
    bench_view,
    generation_state,
    generation_views,
    stepping_view,
)
from lessons.generation.generation_state import GenerationState
from lmcore.decoding import beam_tree, bench, tree_paths
from lmcore.decoding.beam import BeamConfig
from lmcore.decoding.strategies import STRATEGIES, StrategySettings
from lmcore.decoding.tree import TreeModel
from lmcore.decoding.tree_paths import TEXTS
from ui.compute import key_of
from ui.lessons import lesson

LESSON = lesson("generation")
SEE = {"beam": "Beam search", "bench": "Bench", "tree": "The slide’s tree"}
ANIMAL = "the animal didn't cross the"
FEW = {"gen_text": ANIMAL, "gen_seed": "1"}
WRITER = generation_state.session_writer("gpt")
PROMPT = WRITER.read(ANIMAL)


@pytest.fixture(autouse=True)
def patience(monkeypatch):
    """Wait long enough that a bench is done before the page is read, even on a busy machine."""
    monkeypatch.setattr(bench_view, "WAIT", 60.0)


def view(name, **settings):
    return fine(opened("generation", see=SEE[name], **(FEW | settings)))


def plainly(app):
    return [error.value.replace("\\", "") for error in app.error]


def beams(app):
    return drawn(app, "beam-beam")


def numbers(app, key):
    data = drawn(app, key)
    return dict(zip(data["names"], data["now"].tolist(), strict=True))


@pytest.mark.parametrize(
    "setting", [{"gen_width": "5"}, {"gen_no_repeat": "2"}, {"gen_text": "the cats"}], ids=str
)
def test_a_changed_setting_of_the_search_leaves_nothing_of_the_one_before(setting):
    app = fine(put(view("beam"), setting))
    assert beams(app)["b_total"].tolist() == beams(view("beam", **setting))["b_total"].tolist()
    assert beams(app)["b_total"].tolist() != beams(view("beam"))["b_total"].tolist()


def test_the_lesson_opens_on_the_edges_of_the_slide():
    edges = tree_paths.edges_tensor(TreeModel())
    assert LESSON.looks["tree_edges"] == tree_paths.format_edges(edges)


def test_a_search_on_screen_is_the_engines_with_the_pages_settings():
    app = view("beam", gen_width="3", gen_length_penalty="0.5", gen_no_repeat="2", beam_step="4")
    settings = StrategySettings(width=3, length_penalty=0.5, no_repeat=2)
    how = STRATEGIES["beam"].search(settings, 1, 40, WRITER.stop)
    tree = beam_tree.grow_tree(WRITER.model, PROMPT, how)
    shown = beams(app)
    assert shown["at"] == 4 and shown["steps"] == tree.steps
    assert shown["b_total"].tolist() == [b.total for b in tree.branches]
    assert shown["reasons"] == [b.reason for b in tree.branches]
    best = shown["ended"][0]
    assert best["text"] == WRITER.text(tree.ended[0].tokens) and best["kept"]
    assert numbers(app, "beam-beam")["s0"] == pytest.approx(best["total"] / best["length"] ** 0.5)


def test_ended_texts_are_there_at_every_a_and_the_search_goes_again():
    app = view("beam", beam_a="0", beam_step="15")
    data, slider = beams(app), drawn(app, "beam-sliders")["sliders"][0]
    assert slider["value"] == 0 and "the search ran with 1." in said(app)
    table = slider["table"].reshape(len(slider["positions"]), -1)
    names = [data["names"][i] for i in slider["columns"]]
    for at, power in enumerate(slider["positions"].tolist()):
        for i, each in enumerate(data["ended"]):
            score = each["total"] / each["length"] ** power
            assert table[at, names.index(f"s{i}")] == pytest.approx(score)
    app = fine(by_key(app.button, "beam-again").click().run())
    assert app.session_state["gen_length_penalty"] == "0"
    assert not [b for b in app.button if b.key == "beam-again"]


def test_the_whole_search_is_saved_as_json():
    app = view("beam")
    assert any(each.proto.label.startswith("Save the whole search") for each in app.get(
        "download_button"
    ))  # fmt: skip
    tree = beam_tree.grow_tree(WRITER.model, PROMPT, BeamConfig(4, 40, WRITER.stop))
    saved = json.loads(beam_tree.export_tree(tree, WRITER, PROMPT))
    assert [b["total"] for b in saved["branches"]] == beams(app)["b_total"].tolist()


@pytest.mark.parametrize("model", ["lstm", "rnn", "trigram", "grammar", "tree", "character_lstm"])
def test_every_model_is_searched_and_measured(model):
    app = view("beam", gen_model=model, gen_length="8", gen_no_repeat="2")
    shown = beams(app)
    assert not app.error and np.isfinite(shown["b_total"]).all()
    asked = {"bench_shown": "beam, walk", "bench_seeds": "2", "bench_length": "6"}
    app = view("bench", gen_model=model, **asked)
    assert not app.error and len(drawn(app, "table-generation-bench")["labels"]) == 2


def test_where_nothing_may_follow_it_is_said(monkeypatch):
    nothing = beam_tree.SearchTree(
        BeamConfig(2, 5), (), (1,), (), beam_tree.GreedyPath((), ()), "no hypothesis is left"
    )
    monkeypatch.setattr(beam_view, "_tree", lambda scene, how: nothing)
    assert "nothing to search" in view("beam").warning[0].value


def test_groups_and_draws_are_searches_too():
    groups = beams(view("beam", gen_width="4", gen_groups="2", gen_diversity="3"))
    table = drawn(view("beam", gen_width="4", gen_groups="2", gen_diversity="3"),
                  "table-beam-step-2")  # fmt: skip
    assert {label.split(":")[0] for label in table["labels"]} == {"group 1", "group 2"}
    assert len(groups["tokens"]) > len(table["labels"])
    one = beams(view("beam", beam_drawn="true", gen_seed="1"))
    same = beams(view("beam", beam_drawn="true", gen_seed="1"))
    other = beams(view("beam", beam_drawn="true", gen_seed="2"))
    assert one["tokens"] == same["tokens"] != other["tokens"]


def test_a_beam_wider_than_the_tree_is_explained():
    app = view("beam", gen_model="tree", gen_width="16", gen_length_penalty="0")
    assert "is wider than needed" in said(app)
    assert len(beams(app)["ended"]) == 7


@pytest.mark.parametrize(
    ("name", "settings", "reason"),
    [
        ("beam", {"beam_step": "x"}, "the step of the search must be a whole number"),
        ("beam", {"beam_step": "0"}, "the step of the search must be 1 or more; got 0"),
        ("beam", {"beam_a": "11"}, "the length penalty a must be from -10 to 10; got 11"),
        ("beam", {"beam_drawn": "maybe"}, "beam_drawn in the address must be one of"),
        ("bench", {"bench_seeds": "51"}, "the number of seeds must be from 1 to 50; got 51"),
        ("bench", {"bench_length": "0"}, "the length must be from 1 to 100 tokens; got 0"),
        ("bench", {"bench_shown": "fast"}, "a strategy must be one of greedy"),
        ("bench", {"bench_shown": ""}, "there must be a strategy on the bench; got none"),
        ("tree", {"tree_edges": "1 2"}, "the edges must be 3 numbers for each of 3 nodes"),
        ("tree", {"tree_texts": "10001"}, "the number of texts must be from 1 to 10,000"),
        ("tree", {"tree_seed": "-1"}, "the seed must be 0 or more; got -1"),
        ("tree", {"tree_width": "5"}, "tree_width in the address must be one of 1, 2, 3, 4"),
    ],
    ids=str,
)
def test_what_is_wrong_is_refused_and_something_stays(name, settings, reason):
    few = {"bench_shown": "greedy", "bench_seeds": "1"} if name == "bench" else {}
    app = view(name, **(few | settings))
    assert any(reason in error for error in plainly(app)), plainly(app)
    key = {"beam": "beam-beam", "bench": "table-generation-bench", "tree": "tree-slidetree"}[name]
    assert drawn(app, key)


def test_a_step_beyond_the_end_is_the_end():
    assert beams(view("beam", beam_step="999"))["at"] == beams(view("beam"))["steps"]


def test_the_bench_is_measured_with_the_pages_seeds_and_repeats():
    asked = {"bench_shown": "greedy, walk, top_k", "bench_seeds": "3", "bench_length": "8"}
    app = view("bench", gen_seed="5", gen_top_k="2", **asked)
    table = drawn(app, "table-generation-bench")
    assert table["labels"] == ["Greedy", "Random walk", "Top-k"]
    shown = table["numbers"].reshape(3, -1)
    for row, name in zip(shown, ("greedy", "walk", "top_k"), strict=True):
        settings, seeds = StrategySettings(top_k=2), bench.seeds_from(5, 3)
        one = bench.measure_strategy(WRITER, PROMPT, STRATEGIES[name], settings, seeds, 8)
        assert row[:3].tolist() == pytest.approx([len(one.texts), one.tokens, one.mean_log_p])
    again = drawn(view("bench", gen_seed="5", gen_top_k="2", **asked), "table-generation-bench")
    assert np.array_equal(shown[:, :-1], again["numbers"].reshape(3, -1)[:, :-1], equal_nan=True)


def test_what_is_measured_is_kept_and_what_was_stopped_can_go_on():
    asked = {"bench_seeds": "2", "bench_length": "5"}
    app = view("bench", bench_shown="greedy", **asked)
    (key,) = app.session_state["bench-rows"]
    kept = app.session_state["bench-rows"][key]
    app = put(app, {"bench_shown": "greedy, walk"})
    assert app.session_state["bench-rows"][key] is kept
    job = app.session_state["bench-job"]
    assert [part.label for part in job.parts.values()] == ["Random walk"]
    job.results.clear()  # as after a stop
    app = put(app, {"bench-rows": {key: kept}})
    assert "1 of 2 strategies are not measured" in said(app)
    assert drawn(app, "table-generation-bench")["labels"] == ["Greedy"]
    app = fine(by_key(app.button, "bench-go-on").click().run())
    assert drawn(app, "table-generation-bench")["labels"] == ["Greedy", "Random walk"]


def test_a_run_of_ones_own_is_measured_in_the_server_and_can_be_stopped():
    own = replace(WRITER, unknown=lambda prompt: ())  # a lambda cannot be sent to a process
    settings = StrategySettings()
    state = GenerationState(own, PROMPT, "", settings, 1, 40, "run:1")
    part = bench_view._part(state, bench_view._Plan(("walk",), (1,), 5), "walk")
    checks = []
    measured = part.compute_here(lambda: checks.append(1))
    assert len(checks) >= 5
    assert measured.texts == part.compute().texts


def test_a_model_without_a_grammar_has_no_columns_of_it():
    app = view("bench", gen_model="tree", bench_shown="greedy, walk", bench_seeds="4")
    assert "grammatical" not in drawn(app, "table-generation-bench")["columns"]


def test_the_slides_tree_opens_on_the_slide():
    app = view("tree")
    read = numbers(app, "tree-slidetree")
    p = {" ".join(text): read[f"p{i}"] for i, text in enumerate(TEXTS)}
    assert p["yes yes"] == pytest.approx(0.2) and p["ok ok"] == pytest.approx(0.28)
    assert sum(p.values()) == pytest.approx(1)
    texts = drawn(app, "tree-slidetree")["texts"]
    assert (texts[int(read["@greedy"])], texts[int(read["@beam"])]) == ("yes yes", "ok ok")
    assert "The lecture gives two paths" in said(app)


def test_an_edge_that_is_let_go_is_in_the_address_and_its_node_sums_to_1():
    app = view("tree")
    edges = tree_paths.move_edge(
        tree_paths.parse_edges(LESSON.looks["tree_edges"]), 0, 1,
        torch.tensor([0.88], dtype=torch.float64),
    )[0]  # fmt: skip
    app = fine(put(app, {"tree_edges": tree_paths.format_edges(edges)}))
    assert "0.1 0.88 0.02" in str(app.query_params["tree_edges"])
    read = numbers(app, "tree-slidetree")
    assert read["e00"] == pytest.approx(0.1) and read["greedyp"] == pytest.approx(0.88 * 0.7)
    assert "no text is more probable" in said(app)
    app = fine(by_key(app.button, "tree-back").click().run())
    assert numbers(app, "tree-slidetree")["e00"] == 0.5


def test_the_stream_of_a_seed_grows_and_another_seed_is_another():
    def shares(**settings):
        read = numbers(view("tree", **settings), "tree-slidetree")
        return [read[f"f{i}"] for i in range(len(TEXTS))]

    u = tree_paths.uniform_draws(7, 500)
    edges = tree_paths.parse_edges(LESSON.looks["tree_edges"])[None]
    walks = tree_paths.sample_texts(edges, u)[0]
    tally = [float((walks == i).double().mean()) for i in range(len(TEXTS))]
    assert shares(tree_seed="7", tree_texts="500") == pytest.approx(tally)
    assert shares(tree_seed="8", tree_texts="500") != pytest.approx(tally)
    most = shares(tree_seed="7", tree_texts="10000")
    assert most[4] == pytest.approx(0.28, abs=4 * math.sqrt(0.28 * 0.72 / 10_000))


def test_texts_that_leave_the_session_while_others_come_are_not_missed(monkeypatch):
    """A full session drops its oldest text, which may be one of the requested texts."""
    monkeypatch.setattr(generation_views, "REMEMBERED", 3)
    monkeypatch.setattr(st, "session_state", {})
    ask = generation_views.get_or_make_all
    assert ask([partial(pow, n, 2) for n in (1, 2, 3)]) == [1, 4, 9]
    assert ask([partial(pow, n, 2) for n in (4, 1, 2)]) == [16, 1, 4]
    assert ask([partial(pow, n, 2) for n in (5, 4, 3)]) == [25, 16, 9]


OTHERS = StrategySettings(0.5, 5, 0.5, 0.2, 0.5, 1.1, 2, 0.5, 2, 2, 1.0, True)
"""No setting has its default value."""


@pytest.mark.parametrize("name", STRATEGIES)
def test_a_text_is_kept_by_its_prompt_and_the_settings_that_it_uses(name):
    scene = GenerationState(WRITER, PROMPT, "", StrategySettings(), 1, 9, "gpt")
    strategy = STRATEGIES[name]

    def key(**changed):
        plan = generation_views.text_plan(scene._replace(**changed), strategy)
        return key_of(partial(generation_views.write_text, plan))

    moved = {
        each.name: replace(scene.settings, **{each.name: getattr(OTHERS, each.name)})
        for each in fields(StrategySettings)
    }
    assert all(settings != scene.settings for settings in moved.values())
    told_apart = {name for name, settings in moved.items() if key(settings=settings) != key()}
    assert told_apart == {*strategy.takes}
    assert key(prompt=PROMPT[:-1]) != key() and key(length=8) != key()
    assert key(writer=generation_state.session_writer("lstm")) != key()
    assert (key(seed=2) != key()) is strategy.draws


def test_a_branch_that_is_written_twice_is_one(monkeypatch):
    state = {"gen_forced": "gpt~2:31;02:31;4:7;", "gen_branch": "9", "gen_at": "0"}
    monkeypatch.setattr(st, "session_state", state)
    found = stepping_view.read_branches(
        GenerationState(WRITER, PROMPT, "", StrategySettings(), 1, 9, "gpt")
    )
    assert found.forced == ({}, {1: 31}, {3: 7}) and found.branch == 2
