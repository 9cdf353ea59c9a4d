"""The picture of two losses: its bars are the network's own losses, and λ adds them."""

import numpy as np
import pytest
import torch

from lessons.transfer import transfer_picture, two_losses_text
from lessons.transfer.transfer_questions import two_losses_questions
from lessons.transfer.two_losses_picture import picture, read_losses, recorded_weights, weighed
from lmcore.transfer import curves, tuning
from lmcore.transfer.curves import Score
from lmcore.transfer.inputs import encode_examples
from lmcore.transfer.networks import pretrained_network
from lmcore.transfer.tasks import TASKS


@pytest.mark.parametrize("task", TASKS)
def test_the_bars_are_the_losses_of_the_network_and_add_up(task):
    found = read_losses(task)
    network, vocabulary = pretrained_network("gpt")
    ids = torch.tensor([vocabulary.ids[token] for token in found.tokens])
    with torch.no_grad():
        shares = network(ids[None]).logits[0].double().softmax(-1)
    costs = [-np.log(float(shares[n, ids[n + 1]])) for n in range(len(ids) - 1)]
    assert found.each == pytest.approx(costs, abs=1e-4)
    tuned, _ = tuning.begin(tuning.TuneSpec("gpt", task, 100))
    example = transfer_picture.shown_example(task)
    batch = encode_examples(tuned.task, [example], vocabulary, bert=False)
    with torch.no_grad():
        both = float(tuned.loss(batch, 0.5))
    live = weighed(found, 0.5)
    assert live["total"] == pytest.approx(both, abs=1e-4)
    (table,) = live.table
    rows = [dict(zip(live.names, row, strict=True)) for row in table]
    assert rows[0]["weight"] == 0 and rows[0]["total"] == pytest.approx(found.task)
    for row in rows:
        assert row["total"] == pytest.approx(row["task"] + row["weight"] * np.mean(costs), abs=1e-4)
    drawn = picture(task, found)
    for each in drawn["recorded"]:
        spec = tuning.TuneSpec("gpt", task, 100, auxiliary=each["weight"])
        assert (each["mean"], each["low"], each["high"]) == curves.recorded_score(spec)[:3]


@pytest.mark.parametrize("task", TASKS)
def test_the_sentence_says_what_was_recorded(task):
    found = recorded_weights(task)
    said = two_losses_text.compare_weights(100, found)
    best = max(found, key=lambda weight: found[weight].mean)
    helped = any(each.low > found[0.0].high for each in found.values())
    assert ("helps" in said) == helped
    assert ("λ = 0 is the best" in said) == (not helped and best == 0)
    assert f"{found[0.0].mean:.3f}" in said


def test_a_weight_helps_only_if_its_interval_is_above_that_of_none():
    def score(mean):
        return Score(mean, mean - 0.01, mean + 0.01, *curves.recorded_score(tuning.TuneSpec())[3:])

    helps = two_losses_text.compare_weights(
        100, {0.0: score(0.6), 0.5: score(0.7), 1.0: score(0.65)}
    )
    assert "**λ = 0.5 helps**: 0.700 right, 0.600 without" in helps
    near = two_losses_text.compare_weights(100, {0.0: score(0.6), 0.5: score(0.61)})
    assert "no λ is clearly better than 0" in near and "λ = 0.5, 0.610" in near


@pytest.mark.parametrize("weight", [0.0, 0.37, 2.0])
def test_the_question_asks_for_the_sum(weight):
    live = weighed(read_losses("entailment"), weight)
    (question,) = two_losses_questions(live)
    assert question.answer == pytest.approx(live["task"] + weight * live["language"])
    assert ("total" in question.hides and live["total"] != live["task"]) or weight == 0
