"""Many trees like the slide's at once, against the engine that decodes one tree at a time."""

import math
import random

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from lmcore.decoding import beam, tree_paths
from lmcore.decoding.beam import BeamConfig
from lmcore.decoding.next_token import RecomputingAdapter
from lmcore.decoding.token_by_token import SamplingConfig, generate, uniform_draws
from lmcore.decoding.tree import NEXT, TreeModel
from lmcore.decoding.tree_paths import NODES, TEXTS

SEEDS = st.integers(0, 2**31)
IDS = TreeModel().vocabulary.ids
START, END = IDS["<s>"], IDS["</s>"]
SLIDE = tree_paths.edges_tensor(TreeModel())[None]


def tree_from_edges(edges):
    """The tree whose nodes have these probabilities."""
    rows = zip(tree_paths.NODES, edges.tolist(), strict=True)
    return TreeModel({node: tuple(row) for node, row in rows})


def some(seed, count=6):
    """Random trees; some of their edges are 0, and some nodes have one edge only."""
    generator, rng = torch.Generator().manual_seed(seed), random.Random(seed)
    edges = torch.rand(count, 3, 3, dtype=torch.float64, generator=generator) + 1e-3
    for each in edges:
        if rng.random() < 0.4:
            each[rng.randrange(3), rng.randrange(3)] = 0
        if rng.random() < 0.2:
            each[rng.randrange(3)] = torch.eye(3, dtype=torch.float64)[rng.randrange(3)]
    return edges / edges.sum(dim=2, keepdim=True)


def number(tokens):
    """Which of the tree's texts these tokens are."""
    return TEXTS.index(tuple(TreeModel().vocabulary.tokens[i] for i in tokens if i != END))


def test_the_slide():
    p = tree_paths.text_probabilities(SLIDE)[0]
    found = {" ".join(text): round(float(each), 12) for text, each in zip(TEXTS, p, strict=True)}
    assert found == {
        "ok ok": 0.28, "yes yes": 0.2, "yes ok": 0.15, "yes": 0.15, "": 0.1, "ok yes": 0.08,
        "ok": 0.04,
    }  # fmt: skip
    verdict = tree_paths.search_results(SLIDE)
    assert TEXTS[int(verdict.greedy)] == ("yes", "yes")
    assert [TEXTS[int(each)] for each in verdict.beams] == [("yes", "yes")] + 3 * [("ok", "ok")]
    assert TEXTS[int(verdict.best)] == ("ok", "ok")


def test_scores_are_divided_by_the_length_with_the_end_counted():
    found = tree_paths.scores(tree_paths.text_probabilities(SLIDE))[0].tolist()
    scores = {" ".join(text): round(score, 4) for text, score in zip(TEXTS, found, strict=True)}
    assert scores == {
        "ok ok": -0.4243, "yes yes": -0.5365, "yes ok": -0.6324, "ok yes": -0.8419,
        "yes": -0.9486, "ok": -1.6094, "": -2.3026,
    }  # fmt: skip
    assert tree_paths.scores(torch.zeros(7, dtype=torch.float64))[0] == -math.inf


@given(SEEDS)
@settings(max_examples=20, deadline=None)
def test_chances_are_the_products_that_the_language_model_gives(seed):
    edges = some(seed, 3)
    for one, p in zip(edges, tree_paths.text_probabilities(edges), strict=True):
        model = tree_from_edges(one)
        for text, each in zip(TEXTS, p, strict=True):
            ids = torch.tensor(model.vocabulary.encode(["<s>", *text, "</s>"]))
            rows = model.log_probabilities(ids)
            total = float(rows[range(len(ids) - 1), ids[1:]].sum())
            assert math.exp(total) == pytest.approx(float(each), abs=1e-12)
    assert tree_paths.text_probabilities(edges).sum(dim=1).tolist() == pytest.approx([1, 1, 1])


def tied(seed, count=3):
    """Trees with few different edges, so that texts and prefixes tie."""
    rng = random.Random(seed)
    rows = ((1, 1, 1), (2, 2, 1), (1, 2, 1), (2, 1, 1), (1, 0, 1), (0, 1, 0), (1, 1, 0), (1, 0, 0))
    edges = torch.tensor(
        [[rng.choice(rows) for _ in NODES] for _ in range(count)], dtype=torch.float64
    )
    return edges / edges.sum(dim=2, keepdim=True)


@given(SEEDS, st.sampled_from([some, tied]))
@settings(max_examples=50, deadline=None)
def test_verdicts_are_those_of_the_engine(seed, trees):
    edges = trees(seed, 3)
    verdict = tree_paths.search_results(edges)
    for i, one in enumerate(edges):
        model, p = (
            RecomputingAdapter(tree_from_edges(one)),
            tree_paths.text_probabilities(one[None])[0],
        )
        (greedy,) = generate(model, torch.tensor([[START]]), SamplingConfig(5, (END,)))
        assert int(verdict.greedy[i]) == number(greedy)
        for width in (1, 2, 3, 4):
            how = BeamConfig(width, 5, (END,), length_penalty=0.0)
            best = beam.finished_beams(list(beam.search(model, torch.tensor([START]), how)))[0]
            assert int(verdict.beams[width - 1, i]) == number(best.tokens), (width, one)
        assert float(p[verdict.best[i]]) == float(p.max())


@given(SEEDS)
@settings(max_examples=15, deadline=None)
def test_walks_are_those_of_the_engine_with_the_same_luck(seed):
    edges = some(seed, 2)
    seeds = tuple(range(40))
    u = uniform_draws(seeds, 3)
    found = tree_paths.sample_texts(edges, u[:, :2])
    for i, one in enumerate(edges):
        model = RecomputingAdapter(tree_from_edges(one))
        texts = generate(model, torch.full((40, 1), START), SamplingConfig(3, (END,), seeds=seeds))
        assert found[i].tolist() == [number(text) for text in texts]


def test_an_edge_that_moves_rescales_the_others_in_proportion():
    to = torch.tensor([0.0, 0.5, 0.75, 1.0], dtype=torch.float64)
    new = tree_paths.move_edge(SLIDE[0], 0, 0, to)
    assert new[:, 0, 0].tolist() == to.tolist()
    assert new.sum(dim=2).flatten().tolist() == pytest.approx([1.0] * 12)
    assert new[:3, 0, 1].tolist() == pytest.approx([0.8, 0.4, 0.2])
    assert new[:3, 0, 2].tolist() == pytest.approx([0.2, 0.1, 0.05])
    assert torch.equal(new[:, 1:], SLIDE[:, 1:].expand(4, -1, -1))
    alone = new[3]
    again = tree_paths.move_edge(alone, 0, 0, torch.tensor([0.4], dtype=torch.float64))
    assert again[0, 0].tolist() == pytest.approx([0.4, 0.3, 0.3])
    with pytest.raises(ValueError, match=r"an edge must be from 0 to 1; got 1\.5"):
        tree_paths.move_edge(alone, 0, 0, torch.tensor([1.5], dtype=torch.float64))


def test_shares_come_to_the_probabilities_and_a_stream_begins_with_a_shorter_one():
    assert torch.equal(tree_paths.uniform_draws(5, 100), tree_paths.uniform_draws(5, 1000)[:100])
    assert not torch.equal(tree_paths.uniform_draws(5, 100), tree_paths.uniform_draws(6, 100))
    p, found = (
        tree_paths.text_probabilities(SLIDE),
        tree_paths.sample_texts(SLIDE, tree_paths.uniform_draws(1)),
    )
    all_of_it = tree_paths.sampled_shares(found, p)
    assert ((all_of_it.shares - p).abs() < 4 * all_of_it.errors).all()
    counts = torch.tensor([1, 7, 500, 10_000])
    grown = tree_paths.running_shares(found[0], p[0], counts)
    for row, count in enumerate(counts.tolist()):
        some_of_it = tree_paths.sampled_shares(found[:, :count], p)
        assert torch.allclose(grown.shares[row], some_of_it.shares[0])
        assert torch.allclose(grown.errors[row], some_of_it.errors[0])
    tally = [(found[0] == i).double().mean().item() for i in range(len(TEXTS))]
    assert all_of_it.shares[0].tolist() == pytest.approx(tally)
    assert float(grown.errors[3, 4]) == pytest.approx(math.sqrt(0.28 * 0.72 / 10_000))


@given(SEEDS)
@settings(max_examples=20, deadline=None)
def test_edges_are_read_as_they_were_written(seed):
    edges = some(seed, 1)[0]
    assert torch.allclose(tree_paths.parse_edges(tree_paths.format_edges(edges)), edges, atol=1e-11)


def test_the_names_of_the_tensor_are_those_of_the_tree():
    assert set(NODES) == set(TreeModel().edges)
    assert len(NEXT) == SLIDE.shape[2]


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "the edges must be 3 numbers for each of 3 nodes"),
        ("0.5 0.4 0.1, 1 0, 0 0 1", "the edges must be 3 numbers"),
        ("0.5 0.4 x, 1 0 0, 0 0 1", "an edge must be a number; got 'x'"),
        ("0.5 0.4 0.2, 1 0 0, 0 0 1", "the edges of <s> must sum to 1; got 1.1"),
        ("0.5 0.4 0.1, nan 0 0, 0 0 1", "the edges of <s> yes must be 3 probabilities"),
        ("0.5 0.4 0.1, 1 0 0, 2 -1 0", "the edges of <s> ok must be 3 probabilities"),
    ],
)
def test_edges_that_cannot_be_are_refused(text, says):
    with pytest.raises(ValueError, match=says):
        tree_paths.parse_edges(text)


def test_too_many_texts_are_refused():
    with pytest.raises(ValueError, match="number of texts must be from 1 to 10,000; got 10,001"):
        tree_paths.uniform_draws(1, 10_001)
