"""Exact matches are counted, and the losses are recomputed in other ways."""

import math
from functools import cache

import pytest
import torch
import torch.nn.functional as F

from lmcore.corpora.translation import held_out_sources, translate
from lmcore.evaluation import exact_match
from lmcore.evaluation.exact_match import (
    LengthScore,
    exact_match_by_length,
    exact_matches,
    measure_exposure_bias,
    measure_permutation,
    token_losses,
)
from lmcore.models.soft_attention import random_orders
from lmcore.training.batches import IGNORE_INDEX
from lmcore.training.loop import Training
from lmcore.training.spec import CorpusSpec, ModelSpec, RunSpec
from lmcore.training.translation_batches import encode_sources, translation_batch

SOURCES = (*held_out_sources("passive", 5, 6), *held_out_sources("passive", 8, 6))
BATCH = translation_batch(SOURCES, "passive")


@cache
def network(score="dot"):
    """A network trained for a few steps, so that its outputs differ and some are right."""
    model = ModelSpec("encoder_decoder", embedding=16, hidden=32, heads=2)
    if score != "two stacks":
        model = ModelSpec("seq2seq", embedding=16, hidden=32, score=score)
    spec = RunSpec(
        CorpusSpec("translation", task="passive", longest=8),
        model,
        learning_rate=1e-2,
        clip=1.0,
        batch=32,
        steps=60,
        every=60,
    )
    run = Training(spec)
    list(run)
    return run.network


def right_but_for(wrong):
    """A stand-in for `write_translations`: where `wrong` is true, the last word is wrong."""

    def write(network, sources, *, order=None):
        answers = [translate(source, "passive") for source in sources]
        return [
            (*answer[:-1], "zebra") if wrong(source) else answer
            for source, answer in zip(sources, answers, strict=True)
        ]

    return write


def test_exact_matches_are_counted_by_length(monkeypatch):
    named = lambda source: "the" in source  # noqa: E731
    monkeypatch.setattr(exact_match, "write_translations", right_but_for(named))
    found = exact_match_by_length(network(), "passive", [5, 8], sentences=40, seed=3)
    for score, length in zip(found, (5, 8), strict=True):
        sources = held_out_sources("passive", length, 40, 3)
        wanted = sum("the" not in source for source in sources)
        assert (score.length, score.exact, score.sentences) == (length, wanted, len(sources))


def test_a_long_list_is_translated_in_parts_and_in_order(monkeypatch):
    monkeypatch.setattr(exact_match, "BATCH", 5)
    named = lambda source: "tom" in source  # noqa: E731
    monkeypatch.setattr(exact_match, "write_translations", right_but_for(named))
    found = exact_matches(network(), SOURCES, "passive")
    assert found == ["tom" not in source for source in SOURCES]


@pytest.mark.parametrize(("exact", "sentences"), [(0, 7), (3, 7), (97, 100), (1000, 1000)])
def test_the_interval_holds_the_shares_that_the_count_does_not_rule_out(exact, sentences):
    share, low, high = LengthScore(5, exact, sentences).interval
    assert share == exact / sentences
    for end in (low, high):
        if 1e-9 < end < 1 - 1e-9:
            z = abs(share - end) / math.sqrt(end * (1 - end) / sentences)
            assert z == pytest.approx(1.96, abs=1e-3)
    frame = LengthScore(5, exact, sentences).to_frame()
    assert frame.loc[0].tolist() == [5, exact, sentences, share, low, high]


@pytest.mark.parametrize("score", [None, "dot", "two stacks"])
def test_the_teacher_forced_loss_is_torchs(score):
    made = network(score)
    logits = made.logits(BATCH.source, BATCH.inputs).double()
    losses = F.cross_entropy(
        logits.flatten(0, 1), BATCH.targets.flatten(), ignore_index=IGNORE_INDEX, reduction="none"
    ).view_as(BATCH.targets)
    torch.testing.assert_close(token_losses(made, BATCH), losses.detach(), rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("score", [None, "dot", "two stacks"])
def test_the_free_running_loss_is_that_of_the_true_words_after_its_own(score):
    made = network(score)
    found = token_losses(made, BATCH, free_running=True)
    for row in range(len(SOURCES)):
        read = BATCH.inputs[row, :1].tolist()
        for i, target in enumerate(BATCH.targets[row].tolist()):
            logits = (
                made(BATCH.source[row : row + 1], torch.tensor([read]))
                .logits[0, -1]
                .detach()
                .double()
            )
            expected = float(-logits.log_softmax(dim=-1)[target]) if target >= 0 else 0.0
            assert float(found[row, i]) == pytest.approx(expected, rel=1e-3, abs=1e-4)
            read.append(int(logits.argmax()))


def test_exposure_bias_is_the_mean_of_both_losses_place_by_place():
    made = network()
    bias = measure_exposure_bias(made, SOURCES, "passive")
    known = BATCH.targets >= 0
    for place in range(known.shape[1]):
        rows = known[:, place]
        one = token_losses(made, BATCH)[rows, place].mean()
        other = token_losses(made, BATCH, free_running=True)[rows, place].mean()
        assert float(bias.teacher_forced[place]) == pytest.approx(float(one))
        assert float(bias.free_running[place]) == pytest.approx(float(other))
        assert int(bias.tokens[place]) == int(rows.sum())
    # Both read <s> first. Later, reading a wrong word of its own costs the network more.
    assert float(bias.teacher_forced[0]) == float(bias.free_running[0])
    forced, free = bias.losses
    assert forced == pytest.approx(float(token_losses(made, BATCH)[known].mean()))
    assert free > forced
    assert bias.to_frame()["free-running"].tolist() == bias.free_running.tolist()


def test_permuting_the_weights_is_that_of_the_equations():
    made = network()
    found = measure_permutation(made, SOURCES, "passive", seed=5)
    source = encode_sources(SOURCES)
    order = random_orders(made.source_mask(source), torch.Generator().manual_seed(5))
    logits = made(source, BATCH.inputs, order=order).logits.detach().double()
    loss = F.cross_entropy(logits.flatten(0, 1), BATCH.targets.flatten())
    assert found.loss_permuted == pytest.approx(float(loss), rel=1e-4)
    assert found.loss < found.loss_permuted
    assert found.exact == sum(exact_matches(made, SOURCES, "passive")) >= found.exact_permuted
    frame = found.to_frame()
    assert frame["exact"].tolist() == [found.exact, found.exact_permuted]
    assert frame["L"].tolist() == [found.loss, found.loss_permuted]


def test_where_there_are_no_weights_none_are_permuted():
    with pytest.raises(ValueError, match="only in a model with attention; it has none"):
        measure_permutation(network(None), SOURCES, "passive")
    with pytest.raises(ValueError, match=r"the task must be one of .*; got 'latin'"):
        exact_match_by_length(network(), "latin", [5])
