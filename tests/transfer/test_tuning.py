"""Tuning: frozen weights stay bit for bit, losses are those of their formulas, runs repeat."""

from dataclasses import replace

import pytest
import torch

from lmcore.models.gpt import GPT
from lmcore.shipped.models import load_shipped
from lmcore.transfer.inputs import encode_examples
from lmcore.transfer.networks import frozen_parts
from lmcore.transfer.tasks import TASKS, draw_examples
from lmcore.transfer.tuning import (
    TuneSpec,
    begin,
    parts,
    schedule,
    tune,
    tune_network,
)

QUICK = TuneSpec(network="gpt", labels=40, steps=4, batch=8)


def copied(network):
    return {name: weight.clone() for name, weight in network.state_dict().items()}


@pytest.mark.parametrize("network", ["gpt", "encoder", "bilm"])
def test_frozen_parts_stay_bit_for_bit_and_the_others_learn(network):
    for frozen in range(parts(network) + 1):
        spec = replace(QUICK, network=network, frozen=frozen)
        tuned, vocabulary = begin(spec)
        before = copied(tuned.network)
        kept = {
            id(weight)
            for part in frozen_parts(tuned.network, frozen)
            for weight in part.parameters()
        }
        list(tune_network(tuned, vocabulary, spec))
        changed = 0
        for name, weight in tuned.network.named_parameters():
            if id(weight) in kept:
                assert torch.equal(weight, before[name]), name
            else:
                changed += not torch.equal(weight, before[name])
        assert bool(changed) == (frozen < parts(network))
        assert len(kept) == sum(not weight.requires_grad for weight in tuned.network.parameters())


def test_with_all_parts_frozen_only_the_head_learns():
    tuned, _ = begin(replace(QUICK, frozen=parts("gpt")))
    assert [n for n, w in tuned.named_parameters() if w.requires_grad] == [
        "head.weight",
        "head.bias",
    ]


def test_pretrained_weights_are_those_that_ship_and_a_run_leaves_them():
    model, *_ = load_shipped("gpt")
    tuned, vocabulary = begin(QUICK)
    for name, weight in model.network.state_dict().items():
        assert torch.equal(tuned.network.state_dict()[name], weight)
    list(tune_network(tuned, vocabulary, QUICK))
    again, _ = begin(QUICK)
    for name, weight in model.network.state_dict().items():
        assert torch.equal(again.network.state_dict()[name], weight)


def test_from_scratch_has_the_same_shapes_and_other_weights():
    scratch, _ = begin(replace(QUICK, start="scratch"))
    known, _ = begin(QUICK)
    one, other = scratch.network.state_dict(), known.network.state_dict()
    assert {n: w.shape for n, w in one.items()} == {n: w.shape for n, w in other.items()}
    assert not torch.equal(one["embedding.token.weight"], other["embedding.token.weight"])


@pytest.mark.parametrize("task", TASKS)
@pytest.mark.parametrize("network", ["gpt", "encoder", "bilm"])
def test_a_run_is_repeatable_and_ends_with_its_accuracy(network, task):
    spec = replace(QUICK, network=network, task=task, steps=2)
    first, second = list(tune(spec)), list(tune(spec))
    assert first == second
    assert [step.accuracy is None for step in first] == [True, False]
    assert 0 <= first[-1].accuracy <= 1


def test_the_loss_of_a_span_by_hand():
    tuned, vocabulary = begin(TuneSpec(network="encoder", task="answer"))
    examples = draw_examples("answer", 3, 1)
    batch = encode_examples(tuned.task, examples, vocabulary, bert=True)
    with torch.no_grad():
        hidden = tuned.network(batch.ids, segments=batch.segments).hidden
        total = 0.0
        for n, example in enumerate(examples):
            words = hidden[n, 1 : 1 + len(example.first)]
            for end in (0, 1):
                scores = words @ tuned.head.weight[end] + tuned.head.bias[end]
                total -= float(scores.log_softmax(0)[example.answer[end]])
        assert float(tuned.loss(batch)) == pytest.approx(total / 6, abs=1e-5)


def test_the_auxiliary_loss_is_that_of_the_language_model():
    tuned, vocabulary = begin(TuneSpec(network="gpt", task="acceptable"))
    examples = draw_examples("acceptable", 2, 1)
    batch = encode_examples(tuned.task, examples, vocabulary, bert=False)
    with torch.no_grad():
        assert isinstance(tuned.network, GPT)
        chances = tuned.network(batch.ids).logits.log_softmax(-1)
        losses = [
            -float(chances[n, t, batch.ids[n, t + 1]])
            for n in range(2)
            for t in range(int(batch.present[n].sum()) - 1)
        ]
        plain = float(tuned.loss(batch))
        expected = plain + 0.3 * sum(losses) / len(losses)
        assert float(tuned.loss(batch, 0.3)) == pytest.approx(expected, abs=1e-5)


def test_the_learning_rate_rises_and_falls():
    rates = [schedule(step, 100) for step in range(1, 101)]
    assert rates[0] == 0.1
    assert max(rates) == rates[9] == 1
    assert rates[-1] == pytest.approx(1 / 90)
