import copy
import itertools
import math
from dataclasses import replace

import pytest
import torch
import torch.nn.functional as F
from runs_at_hand import QUOTED, TINY, of

from lmcore.models.rnn import RNN, RNNConfig
from lmcore.training.events import Diverged, Evaluated, Finished, Stepped
from lmcore.training.loop import (
    ADAM_BETAS,
    STEADY_RATES,
    Training,
    layer_norms,
    learning_rate,
    optimizer,
    training_step,
)
from lmcore.training.spec import CorpusSpec

KINDS = ("feedforward", "rnn", "gru", "lstm", "transformer", "encoder")


def losses(spec):
    return [event.loss for event in Training(spec) if isinstance(event, Stepped)]


def weights(run):
    return {name: weight.detach().clone() for name, weight in run.network.named_parameters()}


@pytest.mark.parametrize("kind", KINDS)
def test_an_untrained_model_knows_nothing(kind):
    run = Training(of(kind, batch=16))
    first = next(iter(run))
    assert first == Evaluated(0, first.loss, ())
    assert first.loss == pytest.approx(math.log(len(run.feed.vocabulary)), rel=0.04)


@pytest.mark.parametrize("kind", KINDS)
def test_the_loss_falls(kind):
    on_answer = [e.loss for e in Training(of(kind, batch=16, steps=60)) if isinstance(e, Evaluated)]
    assert on_answer[-1] < on_answer[0] - 0.5
    assert all(later < earlier + 0.1 for earlier, later in itertools.pairwise(on_answer))


def test_the_loss_stays_above_the_truth():
    run = Training(replace(TINY, batch=16))
    for event in run:
        if isinstance(event, Evaluated):
            assert event.loss > run.feed.truth


@pytest.mark.parametrize("corpus", [CorpusSpec(), CorpusSpec(documents=13), QUOTED])
def test_the_same_run_twice_tells_the_same(corpus):
    spec = replace(TINY, corpus=corpus, dropout=0.2)
    assert list(Training(spec)) == list(Training(spec))


def test_another_seed_is_another_run():
    assert losses(TINY)[0] != losses(replace(TINY, seed=1))[0]


def test_each_step_is_told_once_and_last_and_every_tenth_is_validated():
    events = list(Training(replace(TINY, steps=23)))
    steps = [event.step for event in events if isinstance(event, Stepped)]
    assert steps == list(range(1, 24))
    assert [e.step for e in events if isinstance(e, Evaluated)] == [0, 10, 20, 23]
    assert events[-1] == Finished(23)
    for event, following in itertools.pairwise(events):
        if isinstance(event, Evaluated):
            assert following.step == max(event.step, 1)
            assert isinstance(following, Stepped)


def test_tokens_are_the_targets_that_a_loss_is_taken_on():
    run = Training(TINY)
    for event in itertools.islice((e for e in run if isinstance(e, Stepped)), 9):
        assert event.tokens == int((run.feed.batch(event.step - 1).targets != -100).sum())


def test_the_learning_rate_falls_linearly_or_stays():
    falling = [learning_rate(TINY, step) for step in range(41)]
    assert falling == pytest.approx([1e-2 * (40 - step) / 40 for step in range(41)])
    assert {learning_rate(replace(TINY, decay=False), step) for step in range(40)} == {1e-2}


@pytest.mark.parametrize("decay", [True, False])
def test_a_step_uses_the_learning_rate_of_that_step(decay):
    run = Training(replace(TINY, decay=decay, optimizer="sgd"))
    for step in range(5):
        training_step(run, run.feed.batch(step))
        assert run.optimizer.param_groups[0]["lr"] == learning_rate(run.spec, step)


@pytest.mark.parametrize("kind", KINDS)
def test_a_frozen_embedding_does_not_change_by_a_bit_and_the_rest_does(kind):
    run = Training(of(kind, freeze_embedding=True))
    before = weights(run)
    list(run)
    for name, after in weights(run).items():
        assert torch.equal(before[name], after) == name.startswith("embedding.")


def test_a_frozen_embedding_has_no_norm_of_its_own():
    run = Training(replace(TINY, freeze_embedding=True))
    on_answer = [event for event in run if isinstance(event, Evaluated)]
    assert dict(on_answer[-1].norms).keys() == {"layer 1", "output"}


def test_clipping_bounds_the_gradient_that_is_applied_and_keeps_its_direction():
    free, clipped = (
        Training(replace(TINY, optimizer="sgd", decay=False, learning_rate=1.0, clip=clip))
        for clip in (0.0, 0.125)
    )
    before = weights(free)
    batch = free.feed.batch(0)
    told = [training_step(run, batch).norm for run in (free, clipped)]
    moved = [
        torch.cat([(before[name] - after).flatten() for name, after in weights(run).items()])
        for run in (free, clipped)
    ]
    assert told[0] == told[1] > 0.125
    assert float(moved[0].norm()) == pytest.approx(told[0], rel=1e-4)
    assert float(moved[1].norm()) == pytest.approx(0.125, rel=1e-4)
    assert float(F.cosine_similarity(*moved, dim=0)) == pytest.approx(1, abs=1e-5)


def gradient(network, batch):
    """The gradient by torch alone, on a network of its own."""
    twin = copy.deepcopy(network)
    twin.zero_grad()
    if batch.pairs is None:
        logits, pairs = twin.logits_and_state(batch.inputs)[0], 0.0
    else:
        seen = twin(batch.inputs, segments=batch.segments)
        logits, pairs = seen.logits, F.cross_entropy(seen.next, batch.pairs)
    (F.cross_entropy(logits.flatten(0, 1), batch.targets.flatten()) + pairs).backward()
    return {name: weight.grad for name, weight in twin.named_parameters()}


@pytest.mark.parametrize(("name", "share"), [("sgd", 0.0), ("momentum", 0.9)])
def test_gradient_descent_is_that_of_the_book(name, share):
    run = Training(replace(TINY, optimizer=name, clip=0.0))
    velocity = {key: torch.zeros_like(weight) for key, weight in weights(run).items()}
    for step in range(4):
        before, batch = weights(run), run.feed.batch(step)
        for key, slope in gradient(run.network, batch).items():
            velocity[key] = share * velocity[key] + slope
        training_step(run, batch)
        rate = 1e-2 * (1 - step / 40)
        for key, after in weights(run).items():
            expected = before[key] - rate * velocity[key]
            torch.testing.assert_close(after, expected, rtol=1e-5, atol=1e-7)


def test_adam_is_that_of_the_paper():
    run = Training(replace(TINY, clip=0.0, decay=False))
    # In double precision: where a gradient is nearly 0, Adam magnifies its rounding error.
    run.network.double()
    run.optimizer = optimizer(run.network, run.spec)
    fast, slow = ADAM_BETAS
    first, second = ({k: torch.zeros_like(w) for k, w in weights(run).items()} for _ in range(2))
    for step in range(1, 4):
        before, batch = weights(run), run.feed.batch(step - 1)
        for key, slope in gradient(run.network, batch).items():
            first[key] = fast * first[key] + (1 - fast) * slope
            second[key] = slow * second[key] + (1 - slow) * slope**2
        training_step(run, batch)
        for key, after in weights(run).items():
            m, v = first[key] / (1 - fast**step), second[key] / (1 - slow**step)
            expected = before[key] - 1e-2 * m / (v.sqrt() + 1e-8)
            torch.testing.assert_close(after, expected, rtol=0, atol=1e-9)


@pytest.mark.parametrize("kind", KINDS)
def test_layer_norms_are_those_of_the_parts_and_together_the_whole(kind):
    run = Training(of(kind))
    batch = run.feed.batch(0)
    slopes = gradient(run.network, batch)
    for name, weight in run.network.named_parameters():
        weight.grad = slopes[name]
    told = dict(layer_norms(run.network))
    last = {"transformer": "norm", "encoder": "head"}.get(kind, "output")
    parts = {"embedding": "embedding", last: last}
    if last != "output":
        parts["layer 1"] = "blocks.0."
    for part, starts in parts.items():
        own = torch.cat([s.flatten() for name, s in slopes.items() if name.startswith(starts)])
        assert told[part] == pytest.approx(float(own.norm()), rel=1e-5)
    whole = torch.cat([slope.flatten() for slope in slopes.values()]).norm()
    assert math.hypot(*told.values()) == pytest.approx(float(whole), rel=1e-5)
    assert training_step(run, batch).norm == pytest.approx(float(whole), rel=1e-5)


def test_each_layer_of_a_deep_network_has_its_own_norm():
    spec = replace(TINY, model=replace(TINY.model, layers=3), steps=10)
    on_answer = [event for event in Training(spec) if isinstance(event, Evaluated)]
    names = [name for name, _ in on_answer[-1].norms]
    assert names == ["embedding", "layer 1", "layer 2", "layer 3", "output"]
    assert all(norm > 0 for _, norm in on_answer[-1].norms)


def test_dropout_changes_the_run_but_not_the_validation():
    dry, wet = (Training(replace(TINY, dropout=rate)) for rate in (0.0, 0.5))
    dry_events, wet_events = list(dry), list(wet)
    assert dry_events[0] == wet_events[0]
    assert dry_events[1] != wet_events[1]
    wet.network.load_state_dict(dry.network.state_dict())
    assert list(wet)[-1] == Finished(40)


@pytest.mark.parametrize("clip", [0.0, 1.0])
@pytest.mark.parametrize("optimizer_name", ["adam", "sgd", "momentum"])
def test_a_run_that_diverges_stops_and_says_why(clip, optimizer_name):
    spec = replace(
        TINY, learning_rate=100.0, clip=clip, optimizer=optimizer_name, decay=False, steps=400
    )
    events = list(Training(spec))
    *_, before, last = events
    assert isinstance(last, Diverged)
    assert isinstance(before, Stepped)
    assert before.step == last.step < 400
    assert f"η = 100 is too large; try η = {STEADY_RATES[optimizer_name]:g}" in last.why
    assert ("clipped to 1" if clip else "not clipped") in last.why
    assert ("clip the gradient to norm 1" in last.why) == (clip == 0)


def test_a_network_of_rectifiers_runs_out_of_numbers_and_says_so():
    run = Training(replace(TINY, optimizer="sgd", learning_rate=100.0, clip=0.0, steps=400))
    config = RNNConfig(len(run.feed.vocabulary), embedding=5, hidden=7, nonlinearity="relu")
    run.network = RNN(config)
    run.optimizer = optimizer(run.network, run.spec)
    *_, last = run
    assert isinstance(last, Diverged)
    assert "the loss overflowed" in last.why
    assert "(not clipped)" in last.why


def test_what_blew_up_without_running_out_of_numbers_is_told_with_the_mean():
    *_, last = Training(replace(TINY, learning_rate=100.0, steps=400))
    assert "over the last 20 steps the loss was" in last.why
    assert "ln |V| = 5." in last.why


def test_a_run_that_has_diverged_makes_no_more_steps():
    run = Training(replace(TINY, learning_rate=100.0, steps=400))
    *_, last = run
    assert list(run) == [last]


def test_no_other_source_of_chance_is_touched():
    before = torch.get_rng_state()
    list(Training(replace(TINY, dropout=0.3, steps=10)))
    assert torch.equal(before, torch.get_rng_state())


def test_the_model_can_be_asked_while_it_is_trained():
    run = Training(TINY)
    undisturbed = losses(TINY)
    told = []
    for event in run:
        if isinstance(event, Stepped):
            told.append(event.loss)
            rows = run.language_model().log_probabilities(torch.tensor([0, 3]))
            torch.testing.assert_close(rows.exp().sum(-1), torch.ones(2, dtype=torch.float64))
    assert told == undisturbed
