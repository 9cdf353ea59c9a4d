"""The views of the search, the bench and the slide's tree show the numbers they are given."""

import json
import math
import re

import numpy as np
import pytest
import torch

from drawing.live import LiveNumbers
from lessons.generation import (
    beam_picture,
    beam_text,
    generation_text,
    slide_tree_picture,
    slide_tree_text,
)
from lessons.generation.slide_tree_picture import SlideTreeState
from lmcore.corpora.microworld import microworld
from lmcore.decoding import beam_tree, bench, tree_paths
from lmcore.decoding.beam import BeamConfig
from lmcore.decoding.strategies import STRATEGIES, StrategySettings
from lmcore.decoding.tree import NEXT, TreeModel
from lmcore.decoding.tree_paths import TEXTS
from lmcore.decoding.writer import writer_from_vocabulary
from lmcore.numbers import format_number
from lmcore.shipped.models import load_shipped

NEURAL = load_shipped("gpt")[0]
GPT = writer_from_vocabulary("Small GPT", NEURAL, NEURAL.vocabulary, microworld())
PROMPT = GPT.read("the animal didn't cross the")
TREE = writer_from_vocabulary("The slide's tree", TreeModel(), TreeModel().vocabulary)
SLIDE = tree_paths.edges_tensor(TreeModel())
POWERS = torch.linspace(-4, 4, 33, dtype=torch.float64)


def found(writer=GPT, prompt=PROMPT, width=4, length=40, **how):
    tree = beam_tree.grow_tree(writer.model, prompt, BeamConfig(width, length, writer.stop, **how))
    return beam_picture.beam_search_state(tree, writer, POWERS)


def test_the_picture_has_every_branch_with_its_numbers_and_reason():
    shown = found()
    drawn, branches = beam_picture.picture(shown, 3), shown.tree.branches
    assert drawn["tokens"] == [NEURAL.vocabulary.tokens[b.token] for b in branches]
    for name in ("parent", "step", "total", "greedy"):
        assert drawn[f"b_{name}"].tolist() == [float(getattr(b, name)) for b in branches]
    assert [drawn["outcome_names"][i] for i in drawn["outcomes"]] == [b.outcome for b in branches]
    assert drawn["reasons"] == [b.reason for b in branches]
    for b in branches:
        begun = GPT.text(shown.tree.tokens(b.parent))
        assert drawn["beginnings"][str(b.parent)] == begun
    json.dumps({name: value for name, value in drawn.items() if not name.startswith("b_")})
    assert beam_text.describe(shown, 3).startswith(f"Step 3 of {shown.tree.steps}.")
    table = beam_picture.rows(shown, 3)
    assert {len(row) for row in table} == {len(beam_picture.COLUMNS)}
    for row, branch in zip(table, shown.tree.of_step(3), strict=True):
        assert row[1:] == (branch.log_p, branch.total, branch.score)
        assert branch.outcome in row[0] and branch.reason in row[0]


def test_ended_texts_are_those_that_some_a_puts_among_the_first():
    shown = found(width=3, length_penalty=0.0)
    every = shown.tree.ended
    for power in POWERS.tolist():
        best = sorted(every, key=lambda each: each.total / len(each.tokens) ** power)[-3:]
        assert {each.tokens for each in best} <= {each.tokens for each in shown.ended_texts}
    assert [each for each in every if each.kept] == list(shown.ended_texts[:3])
    swept = beam_picture.numbers(shown, POWERS)
    for i, each in enumerate(shown.ended_texts):
        assert swept[f"s{i}"][20].item() == pytest.approx(
            each.total / len(each.tokens) ** POWERS[20]
        )


def test_the_finding_counts_and_says_who_is_more_probable():
    shown = found(length_penalty=1.0)
    last = shown.tree.steps
    assert beam_text.finding(shown, 2) == (
        "Step 2: of the 8 best candidates ==4== go on, 0 end, 4 are pruned."
    )
    said = beam_text.finding(shown, last)
    best = max((e for e in shown.tree.ended if e.kept), key=lambda e: e.total / len(e.tokens))
    word = "more" if best.total > shown.tree.greedy.total else "less"
    assert f"is {word} probable than greedy’s" in said
    assert said.startswith(f"The search stops: {shown.tree.why}.")
    alone = found(width=1, length_penalty=0.0)
    assert "Its best text is greedy’s too" in beam_text.finding(alone, alone.tree.steps)
    assert "8 drawn candidates" in beam_text.finding(found(seed=3), 2)


def test_the_formula_adds_up_log_p_of_the_best_candidate():
    shown = found(length_penalty=0.5)
    best = max(shown.tree.of_step(3), key=lambda branch: branch.total)
    summed, score = beam_text.formula(shown, 3, str)
    assert summed.startswith(f"“{GPT.text(shown.tree.tokens(best.number))}”: Σ log p = ")
    assert format_number(best.total) in summed
    assert score.endswith(f"/ 3^0.5 = {format_number(best.score)}")
    assert "…" in beam_text.formula(shown, shown.tree.steps, str)[0]


def test_a_beam_wider_than_what_there_is_says_so():
    shown = found(TREE, TREE.read(""), 16, 5, length_penalty=0.0)
    said = beam_text.finding(shown, 2)
    assert "never more than ==4== hypotheses" in said and "a beam of 16 is wider" in said


def test_another_a_is_said():
    assert "ran with this a = 1" in beam_picture.other_power_words(1.0, 1.0)
    said = beam_picture.other_power_words(0.5, 1.0)
    assert said.startswith("Ranked with a = 0.5; the search ran with 1.")


def slide(edges=SLIDE, width=2, sample_count=100, seed=1):
    return SlideTreeState(edges, width, sample_count, tree_paths.uniform_draws(seed))


def read_now(shown):
    return {name: float(value) for name, value in slide_tree_picture.current_numbers(shown).items()}


def filled(template, read):
    return LiveNumbers("tree", tuple(read), np.array(list(read.values()))).fill(template)


def told(read, width=2):
    return filled(slide_tree_text.sentences(width)[int(read["@say"])], read)


def test_the_slides_numbers_open():
    read = read_now(slide())
    texts = [" ".join(text) for text in TEXTS]
    assert texts[int(read["@greedy"])] == "yes yes" and read["greedyp"] == pytest.approx(0.2)
    assert texts[int(read["@beam"])] == "ok ok" and read["beamp"] == pytest.approx(0.28)
    assert [read[f"e0{i}"] for i in range(3)] == [0.5, 0.4, 0.1]
    assert (
        told(read) == "Greedy search finds **yes yes**, 0.2. A beam of 2 finds **ok ok**, ==0.28==."
    )
    (formula,) = slide_tree_text.formulas()[int(read["@formula"])]
    assert filled(formula, read) == (
        "p(ok ok) = p(ok) · p(ok | ok) = 0.4 · 0.7 = **[activation|0.28]**"
    )
    assert "ok ok 0.28" in filled(slide_tree_text.describe(2), read)
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


def test_the_finding_of_a_tree_in_which_greed_pays_and_of_one_in_which_a_beam_is_too_narrow():
    edges = tree_paths.move_edge(SLIDE, 1, 0, torch.tensor([0.9], dtype=torch.float64))[0]
    assert "no text is more probable" in told(read_now(slide(edges)))
    assert not slide_tree_picture.is_the_slides(edges)
    narrow = told(read_now(slide(width=1)), 1)
    assert "find **yes yes**, ==0.2==" in narrow
    assert narrow.endswith("The most probable has 0.28; the beam pruned it.")


def test_every_formula_multiplies_the_edges_of_its_text():
    read = read_now(slide())
    for i, (formula,) in enumerate(slide_tree_text.formulas()):
        edges = re.findall(r"\{(e\d\d)\}", formula)
        assert math.prod(read[edge] for edge in edges) == pytest.approx(read[f"p{i}"])


def rows(*names, writer=GPT, prompt=PROMPT, seeds=(1, 2, 3)):
    return [
        bench.measure_strategy(writer, prompt, STRATEGIES[name], StrategySettings(), seeds, 12)
        for name in names
    ]


@pytest.mark.parametrize("with_grammar", [True, False])
def test_the_bench_has_a_number_under_each_title(with_grammar):
    writer, prompt = (GPT, PROMPT) if with_grammar else (TREE, TREE.read(""))
    measured = rows("greedy", "walk", writer=writer, prompt=prompt)
    titles = generation_text.bench_columns(with_grammar=with_grammar)
    table = generation_text.bench_rows(measured, with_grammar=with_grammar)
    assert {len(row) for row in table} == {len(titles)}
    at = titles.index("mean log p")
    assert [row[at] for row in table] == [each.mean_log_p for each in measured]
    assert table[0][titles.index("texts")] == 1 and table[1][titles.index("texts")] == 3
    assert titles[-1] == "seconds" and table[1][-1] == measured[1].seconds
    assert ("by grammar" in titles) == with_grammar
    assert np.isfinite([each for row in table for each in row[1:4]]).all()
    said = " ".join(generation_text.bench_notice(measured, with_grammar=with_grammar))
    best = max(measured, key=lambda each: each.mean_log_p)
    label = STRATEGIES[best.strategy].label
    assert said.startswith(f"The tokens of **{label}** are the most probable")
    assert ("grammar" in said) == with_grammar
    assert "Li et al. 2016" in generation_text.bench_definitions(with_grammar=with_grammar).replace(
        "\n", " "
    )


def test_a_bench_of_nothing_says_so():
    nothing = rows("repetition", writer=TREE, prompt=torch.tensor([0, 3]))
    assert math.isnan(nothing[0].mean_log_p)
    assert "single token" in generation_text.bench_notice(nothing, with_grammar=False)[0]
