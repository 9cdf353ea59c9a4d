"""What the views of search, bench and slide's tree draw and say, against what they are told."""

import json
import math

import numpy as np
import pytest
import torch

from lessons.generation import beam_picture as figures
from lessons.generation import slide_tree_picture
from lessons.generation import text as words
from lessons.generation.slide_tree_picture import SlideTreeState
from lmcore.corpora.microworld import microworld
from lmcore.decoding import beam_tree, bench, tree_paths
from lmcore.decoding.beam import BeamConfig
from lmcore.decoding.strategies import STRATEGIES, StrategySettings
from lmcore.decoding.tree import NEXT, TreeModel
from lmcore.decoding.tree_paths import TEXTS
from lmcore.decoding.writer import writer_from_vocabulary
from lmcore.shipped.models import load_shipped

NEURAL = load_shipped("gpt")[0]
GPT = writer_from_vocabulary("Small GPT", NEURAL, NEURAL.vocabulary, microworld())
PROMPT = GPT.read("the animal didn't cross the")
TREE = writer_from_vocabulary("The slide's tree", TreeModel(), TreeModel().vocabulary)
SLIDE = tree_paths.edges_tensor(TreeModel())
POWERS = torch.linspace(-4, 4, 33, dtype=torch.float64)


def found(writer=GPT, prompt=PROMPT, width=4, length=40, **how):
    tree = beam_tree.grow_tree(
        writer.model, prompt, BeamConfig(width, length, (writer.end,), **how)
    )
    return figures.beam_search_state(tree, writer, POWERS)


def test_the_picture_has_every_branch_with_its_numbers_and_reason():
    shown = found()
    drawn, branches = figures.picture(shown, 3), shown.tree.branches
    assert drawn["tokens"] == [NEURAL.vocabulary.tokens[b.token] for b in branches]
    for name in ("parent", "step", "rank", "log_p", "total", "score", "greedy", "group"):
        assert drawn[f"b_{name}"].tolist() == [float(getattr(b, name)) for b in branches]
    assert [drawn["outcome_names"][i] for i in drawn["outcomes"]] == [b.outcome for b in branches]
    assert drawn["reasons"] == [b.reason for b in branches]
    for b in branches:
        begun = GPT.text(shown.tree.tokens(b.parent))
        assert drawn["beginnings"][str(b.parent)] == begun
    json.dumps({name: value for name, value in drawn.items() if not name.startswith("b_")})
    assert drawn["alt"].startswith(f"Step 3 of {shown.tree.steps}.")


def test_ended_texts_are_those_that_some_a_puts_among_the_first():
    shown = found(width=3, length_penalty=0.0)
    every = shown.tree.ended
    for power in POWERS.tolist():
        best = sorted(every, key=lambda each: each.total / len(each.tokens) ** power)[-3:]
        assert {each.tokens for each in best} <= {each.tokens for each in shown.ended_texts}
    assert [each for each in every if each.kept] == list(shown.ended_texts[:3])
    swept = figures.numbers(shown, POWERS)
    for i, each in enumerate(shown.ended_texts):
        assert swept[f"s{i}"][20].item() == pytest.approx(
            each.total / len(each.tokens) ** POWERS[20]
        )


def test_the_notice_counts_and_says_who_is_more_probable():
    shown = found(length_penalty=1.0)
    last = shown.tree.steps
    (counted,) = figures.notice(shown, 2)
    assert "4 hypotheses times 282 tokens are 1,128 candidates" in counted
    assert "Of the 8 best, listed here, 4 go on, 0 end and 4 are pruned." in counted
    said = " ".join(figures.notice(shown, last))
    best = max((e for e in shown.tree.ended if e.kept), key=lambda e: e.total / len(e.tokens))
    word = "more" if best.total > shown.tree.greedy.total else "less"
    assert f"it is {word} probable" in said and f"The search stops: {shown.tree.why}." in said
    alone = found(width=1, length_penalty=0.0)
    said = " ".join(figures.notice(alone, alone.tree.steps))
    assert "also the one that greedy search writes" in said
    assert "drawn" in figures.notice(found(seed=3), 1)[0]


def test_a_beam_wider_than_what_there_is_says_so():
    shown = found(TREE, TREE.read(""), 16, 5, length_penalty=0.0)
    said = " ".join(figures.notice(shown, 2))
    assert "never more than 4 hypotheses" in said and "a beam of 16 is wider" in said


def test_another_a_is_said():
    assert "ran with this a = 1" in figures.other_power_words(1.0, 1.0)
    said = figures.other_power_words(0.5, 1.0)
    assert said.startswith("Ranked with a = 0.5; the search ran with 1.")


def slide(edges=SLIDE, width=2, sample_count=100, seed=1):
    return SlideTreeState(edges, width, sample_count, tree_paths.uniform_draws(seed))


def read_now(shown):
    return {name: float(value) for name, value in slide_tree_picture.current_numbers(shown).items()}


def test_the_slides_numbers_open():
    read = read_now(slide())
    texts = [" ".join(text) for text in TEXTS]
    assert texts[int(read["greedy"])] == "yes yes" and read["greedyp"] == pytest.approx(0.2)
    assert texts[int(read["beam"])] == "ok ok" and read["beamp"] == pytest.approx(0.28)
    assert [read[f"e0{i}"] for i in range(3)] == [0.5, 0.4, 0.1]
    said = " ".join(slide_tree_picture.notice(2, read))
    assert "*yes yes*, **0.2**" in said and "*ok ok*, **0.28**" in said
    assert "missed it at its first step" in said
    assert "Greedy search finds yes yes" in slide_tree_picture.picture(2, read)["alt"]
    assert slide_tree_picture.is_the_slides(SLIDE)
    (row,) = (row for row in slide_tree_picture.rows(read) if row[0] == "ok ok")
    assert row[1:4] == pytest.approx((0.28, -1.2730, -0.4243), abs=1e-4)
    assert {len(row) for row in slide_tree_picture.rows(read)} == {
        len(slide_tree_picture.columns(100))
    }


def test_every_position_of_every_slider_is_the_tree_that_it_makes():
    shown = slide(sample_count=50)
    positions = torch.linspace(0, 1, 5, dtype=torch.float64).expand(9, -1)
    sizes = torch.tensor([[1, 10, 50, 1000, 10_000]], dtype=torch.float64)
    swept = slide_tree_picture.swept_numbers(shown, torch.cat([positions, sizes]))
    for at in range(9):
        for p, value in enumerate(positions[at].tolist()):
            to = torch.tensor([value], dtype=torch.float64)
            edges = tree_paths.move_edge(SLIDE, *divmod(at, len(NEXT)), to)[0]
            for name, expected in slide_tree_picture.current_numbers(
                shown._replace(edges=edges)
            ).items():
                assert float(swept[name][at, p]) == pytest.approx(float(expected)), (at, p, name)
    for p, size in enumerate(sizes[0].tolist()):
        for name, expected in slide_tree_picture.current_numbers(
            shown._replace(sample_count=int(size))
        ).items():
            assert float(swept[name][9, p]) == pytest.approx(float(expected)), (p, name)


def test_the_notice_of_a_tree_in_which_greed_pays():
    edges = tree_paths.move_edge(SLIDE, 1, 0, torch.tensor([0.9], dtype=torch.float64))[0]
    said = " ".join(slide_tree_picture.notice(2, read_now(slide(edges))))
    assert "No text is more probable than greedy’s" in said
    assert not slide_tree_picture.is_the_slides(edges)


def rows(*names, writer=GPT, prompt=PROMPT, seeds=(1, 2, 3)):
    return [
        bench.measure_strategy(writer, prompt, STRATEGIES[name], StrategySettings(), seeds, 12)
        for name in names
    ]


@pytest.mark.parametrize("with_grammar", [True, False])
def test_the_bench_has_a_number_under_each_title(with_grammar):
    writer, prompt = (GPT, PROMPT) if with_grammar else (TREE, TREE.read(""))
    measured = rows("greedy", "walk", writer=writer, prompt=prompt)
    titles = words.bench_columns(with_grammar=with_grammar)
    table = words.bench_rows(measured, with_grammar=with_grammar)
    assert {len(row) for row in table} == {len(titles)}
    at = titles.index("mean log p")
    assert [row[at] for row in table] == [each.mean_log_p for each in measured]
    assert table[0][titles.index("texts")] == 1 and table[1][titles.index("texts")] == 3
    assert titles[-1] == "seconds" and table[1][-1] == measured[1].seconds
    assert ("by grammar" in titles) == with_grammar
    assert np.isfinite([each for row in table for each in row[1:4]]).all()
    said = " ".join(words.bench_notice(measured, with_grammar=with_grammar))
    best = max(measured, key=lambda each: each.mean_log_p)
    label = STRATEGIES[best.strategy].label
    assert said.startswith(f"The tokens of **{label}** are the most probable")
    assert ("grammar" in said) == with_grammar
    assert "Li et al. 2016" in words.bench_definitions(with_grammar=with_grammar).replace("\n", " ")


def test_a_bench_of_nothing_says_so():
    nothing = rows("repetition", writer=TREE, prompt=torch.tensor([0, 3]))
    assert math.isnan(nothing[0].mean_log_p)
    assert "single token" in words.bench_notice(nothing, with_grammar=False)[0]
