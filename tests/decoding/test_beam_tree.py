"""The tree of a beam search, against the search itself, the model's sums, and the figure."""

import json
import math
import random

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from lmcore.decoding import beam, beam_tree
from lmcore.decoding.beam import BeamConfig
from lmcore.decoding.beam_explanations import ordinal
from lmcore.decoding.filters import Filters
from lmcore.decoding.next_token import RecomputingAdapter, next_token_model
from lmcore.decoding.token_by_token import SamplingConfig, generate
from lmcore.decoding.tree import TreeModel
from lmcore.decoding.writer import writer_from_vocabulary
from lmcore.shipped.models import load_shipped

NEURAL = load_shipped("gpt")[0]
MODEL = next_token_model(NEURAL)
WORDS = NEURAL.vocabulary
END = WORDS.ids["</s>"]
PROMPT = torch.tensor(WORDS.read("the animal didn't cross the"))
TREE = TreeModel()
SLIDE = torch.tensor([TREE.vocabulary.ids["<s>"]])
SLIDE_END = TREE.vocabulary.ids["</s>"]


def some(seed):
    rng = random.Random(seed)
    groups = rng.choice([1, 1, 2])
    return BeamConfig(
        groups * rng.choice([1, 2, 3]),
        rng.randint(1, 12),
        (END,),
        length_penalty=rng.choice([0.0, 1.0, -0.5, 2.0]),
        early=rng.random() < 0.5,
        groups=groups,
        diversity=rng.choice([0.0, 1.5]),
        filters=Filters(no_repeat=rng.choice([0, 1, 2])),
    )


@given(st.integers(0, 2**31))
@settings(max_examples=8, deadline=None)
def test_the_tree_is_the_search(seed):
    how = some(seed)
    tree = beam_tree.grow_tree(MODEL, PROMPT, how)
    steps = list(beam.search(MODEL, PROMPT, how))
    assert tree.steps == len(steps)
    for number, step in enumerate(steps, start=1):
        mine = tree.of_step(number)
        theirs = [
            (each.group, c.outcome, c.log_p, (*each.under_way[c.parent].tokens, c.token))
            for each in step
            for c in each.candidates
        ]
        assert [(b.group, b.outcome, b.total, tree.tokens(b.number)) for b in mine] == theirs
        for b in mine:
            assert b.score == pytest.approx(b.total / number**how.length_penalty)
            assert b.parent == 0 or tree.branches[b.parent - 1].outcome == "goes on"
    kept = [(each.tokens, each.total) for each in tree.ended if each.kept]
    assert kept == [(each.tokens, each.log_p) for each in beam.finished_beams(steps)]


def test_totals_are_the_models_own_sums():
    tree = beam_tree.grow_tree(MODEL, PROMPT, BeamConfig(4, 12, (END,)))
    for each in tree.ended:
        text = torch.cat([PROMPT, torch.tensor(each.tokens)])
        rows = NEURAL.log_probabilities(text)
        total = rows[range(len(PROMPT) - 1, len(text) - 1), text[len(PROMPT) :]].sum()
        assert each.total == pytest.approx(float(total), abs=1e-4)
    for branch in tree.branches:
        before = 0.0 if branch.parent == 0 else tree.branches[branch.parent - 1].total
        assert branch.log_p == pytest.approx(branch.total - before)


def test_the_greedy_path_is_that_of_the_engine_and_is_marked_while_it_lasts():
    how = BeamConfig(3, 12, (END,), filters=Filters(no_repeat=2))
    tree = beam_tree.grow_tree(MODEL, PROMPT, how)
    (greedy,) = generate(MODEL, PROMPT[None], SamplingConfig(12, (END,), how.filters))
    assert list(tree.greedy.tokens) == greedy
    marked = [b for b in tree.branches if b.greedy]
    assert [b.token for b in marked] == greedy[: len(marked)]
    rows = NEURAL.log_probabilities(torch.cat([PROMPT, torch.tensor(greedy)]))
    total = sum(float(rows[len(PROMPT) - 1 + i, token]) for i, token in enumerate(greedy))
    assert tree.greedy.total == pytest.approx(total, abs=1e-4)


def test_the_figures_tree_is_grown_and_each_fate_has_its_reason():
    tree = beam_tree.grow_tree(
        RecomputingAdapter(TREE), SLIDE, BeamConfig(2, 5, (SLIDE_END,), length_penalty=0.0)
    )
    told = [(TREE.vocabulary.tokens[b.token], b.outcome, b.reason) for b in tree.of_step(1)]
    assert told == [
        ("yes", "goes on", "1st of the 2 that may go on"),
        ("ok", "goes on", "2nd of the 2 that may go on"),
        ("</s>", "pruned", "would end, but 3rd: not among the first 2"),
    ]
    texts = [TREE.vocabulary.write(tree.tokens(b.number)) for b in tree.of_step(2)]
    assert texts[:2] == ["ok ok", "yes yes"]
    pruned = {TREE.vocabulary.tokens[b.token]: b for b in tree.of_step(2) if b.outcome == "pruned"}
    assert [b.total for b in pruned.values()] == pytest.approx([math.log(0.15)] * 2)  # a tie
    assert pruned["ok"].reason == "3rd of those that could go on; only 2 may"
    assert (
        pruned["</s>"].reason
        == f"would end, but {pruned['</s>'].rank}"
        + ("rd" if pruned["</s>"].rank == 3 else "th")
        + ": not among the first 2"
    )
    best, second = (each for each in tree.ended if each.kept)
    assert math.exp(best.total) == pytest.approx(0.28)
    assert math.exp(second.total) == pytest.approx(0.2)
    assert second.tokens == tree.greedy.tokens
    assert math.exp(tree.greedy.total) == pytest.approx(0.2)
    assert tree.why == "no hypothesis is left that could go on"


@pytest.mark.parametrize(
    ("how", "says"),
    [
        (BeamConfig(4, 3, (END,)), "the length limit of 3 tokens is reached"),
        (
            BeamConfig(1, 30, (END,), length_penalty=0.0),
            "1 texts have ended, and the best hypothesis",
        ),
        (BeamConfig(3, 30, (END,), early=True), "3 texts have ended, and that is enough"),
        (BeamConfig(4, 30, (END,), seconds=1e-9), "the time limit of 1e-09 s is reached"),
        (BeamConfig(4, 30, (END,), groups=2, diversity=2.0), "in every group no hypothesis"),
    ],
)
def test_it_is_said_why_the_search_stopped(how, says):
    if how.seconds < 1:
        object.__setattr__(how, "seconds", 1e-9)
    tree = beam_tree.grow_tree(MODEL, PROMPT, how)
    assert tree.why.startswith(says)


def test_no_room_is_a_reason_and_so_is_being_cut_off():
    longest = MODEL.longest
    prompt = PROMPT.repeat(longest)[: longest - 2]
    tree = beam_tree.grow_tree(MODEL, prompt, BeamConfig(2, 20, ()))
    assert tree.why == "the model’s maximum length is reached"
    assert tree.steps == 3
    reasons = [b.reason for b in tree.of_step(3)]
    assert reasons[0] == "cut off: the last step, 1st of the step"
    assert reasons[3] == "the last step, but 4th: not among the first 2"


def test_a_beam_wider_than_what_there_is_prunes_nothing():
    tree = beam_tree.grow_tree(
        RecomputingAdapter(TREE), SLIDE, BeamConfig(16, 5, (SLIDE_END,), length_penalty=0.0)
    )
    assert {b.outcome for b in tree.branches} == {"goes on", "ends"}
    assert len(tree.ended) == 7 and all(each.kept for each in tree.ended)


def test_another_length_penalty_ranks_anew():
    tree = beam_tree.grow_tree(MODEL, PROMPT, BeamConfig(6, 20, (END,)))
    powers = torch.tensor([-2.0, 0.0, 0.7, 1.0, 4.0], dtype=torch.float64)
    found = beam_tree.rerank_texts(tree.ended, powers)
    for row, power in enumerate(powers.tolist()):
        scores = [each.total / len(each.tokens) ** power for each in tree.ended]
        assert found.scores[row].tolist() == pytest.approx(scores)
        order = sorted(range(len(scores)), key=lambda i: -scores[i])
        assert [found.ranks[row, i].item() for i in order] == list(range(1, len(scores) + 1))
    as_kept = [found.ranks[3, i].item() for i, each in enumerate(tree.ended) if each.kept]
    assert as_kept == list(range(1, 7))
    with pytest.raises(ValueError, match="a text that ended to rank; got none"):
        beam_tree.rerank_texts([], powers)


def test_the_export_is_the_tree():
    writer = writer_from_vocabulary("gpt", NEURAL, WORDS)
    tree = beam_tree.grow_tree(MODEL, PROMPT, BeamConfig(3, 6, (END,)))
    read = json.loads(beam_tree.export_tree(tree, writer, PROMPT))
    assert read["prompt"]["text"] == "the animal didn't cross the"
    assert len(read["branches"]) == len(tree.branches)
    assert read["branches"][5]["total"] == tree.branches[5].total
    assert read["branches"][5]["text"] == WORDS.tokens[tree.branches[5].token]
    assert [tuple(each["tokens"]) for each in read["ended"]] == [e.tokens for e in tree.ended]
    assert read["settings"]["width"] == 3 and read["stopped"] == tree.why


def test_ordinals():
    said = [ordinal(n) for n in (1, 2, 3, 4, 10, 11, 12, 13, 21, 22, 102, 111, 113)]
    assert " ".join(said) == "1st 2nd 3rd 4th 10th 11th 12th 13th 21st 22nd 102nd 111th 113th"
