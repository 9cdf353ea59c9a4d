"""Fine-tuning: frozen weights stay bit for bit, losses equal their formulas, runs repeat."""

from dataclasses import replace

import numpy as np
import pytest
import torch

from lmcore.models.gpt import GPT
from lmcore.shipped.models import load_shipped
from lmcore.transfer import tuning
from lmcore.transfer.inputs import encode_examples
from lmcore.transfer.networks import frozen_parts
from lmcore.transfer.tasks import TASKS, draw_examples
from lmcore.transfer.tuning import TuneSpec, begin, parts, schedule, tune, tune_network

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


def test_the_learning_rate_rises_stays_and_falls():
    rates = [schedule(step, falls=100, last=140) for step in range(1, 141)]
    assert rates[0] == 1 / tuning.RISE
    assert rates[tuning.RISE - 1 : 101] == [1] * (102 - tuning.RISE)
    assert rates[-1] == pytest.approx(1 / 40)
    assert rates[101:] == sorted(rates[101:], reverse=True)


def test_a_run_ends_a_quarter_after_its_loss_is_that_of_the_best_model():
    steps = list(tune(TuneSpec(network="gpt", task="person", labels=10)))
    losses = [step.loss for step in steps]
    means = {n: np.mean(losses[n - tuning.WINDOW : n]) for n in range(tuning.WINDOW, len(losses))}
    flat = min(n for n, mean in means.items() if mean <= tuning.flat_loss("person", False))
    assert len(steps) == flat + flat // 4
    assert [step.accuracy is None for step in steps] == [True] * (len(steps) - 1) + [False]


def test_a_run_that_may_not_end_early_makes_all_its_steps():
    spec = TuneSpec(network="gpt", task="person", labels=10, steps=90, early=False)
    assert [step.step for step in tune(spec)] == list(range(1, 91))


@pytest.mark.parametrize(
    ("losses", "plateaus", "flat"),
    [
        ([0.7] * 400, True, False),  # a plateau, as at the start of a run from scratch
        ([0.7] * 400, False, True),
        ([0.7] * 399, False, False),
        ([0.7] * 200 + [0.69] * 200, False, False),
        ([0.7] * 60 + [0.01] * 50, True, True),
        ([0.01] * 49, True, False),
    ],
)
def test_where_only_the_head_learns_a_loss_that_stays_is_flat(losses, plateaus, flat):
    assert tuning._is_flat(losses, 0.02, plateaus=plateaus) is flat


@pytest.mark.parametrize("network", ["gpt", "bilm"])
def test_vectors_that_are_kept_give_the_run_that_reads_them_each_time(network, monkeypatch):
    spec = TuneSpec(network, "roles", 30, frozen=parts(network), steps=6)
    kept = [step.loss for step in tune(spec)]
    monkeypatch.setattr(tuning, "MOST_KEPT", 0)
    assert kept == pytest.approx([step.loss for step in tune(spec)], abs=1e-5)


def test_every_label_is_read_before_one_is_read_again():
    lengths = torch.randint(3, 20, (300,), generator=torch.Generator().manual_seed(0))
    batches = tuning._batches(lengths, 16, torch.Generator().manual_seed(1))
    for _ in range(2):
        read = list[int]()
        while len(read) < 300:
            read += next(batches).tolist()
        assert sorted(read) == list(range(300))


def test_some_rows_of_a_batch_are_those_examples_alone():
    for task in TASKS:
        examples = draw_examples(task, 12, 3)
        _, vocabulary = begin(TuneSpec("encoder", task))
        whole = encode_examples(TASKS[task], examples, vocabulary, bert=True)
        alone = encode_examples(TASKS[task], examples[4:7], vocabulary, bert=True)
        some = whole.rows(torch.arange(4, 7))
        for name in ("ids", "segments", "present", "first", "read", "answers"):
            assert torch.equal(getattr(some, name), getattr(alone, name)), (task, name)
