"""Linear probes, control tasks, mixtures of layers, combinations, taggers, and the record."""

import math

import numpy as np
import pytest
import torch

from lmcore.contextual import probes, tagger
from lmcore.contextual.mixing import (
    COMBINATIONS,
    TABLE_7,
    MixtureProbe,
    combine_layers,
    learn_mixture,
    mix_layers,
    normalise_layers,
    triangle,
)
from lmcore.contextual.probes import LayerSplit, TaskVectors, expected_layer, fit_probe
from lmcore.contextual.reach import transformer_reach
from lmcore.contextual.record import MODELS, layered_model, load_record
from lmcore.contextual.tasks import TASKS
from lmcore.models.bert import BERT
from lmcore.models.gpt import GPT
from lmcore.models.transformer_config import TransformerConfig


def made_task(layers=3, words=200, width=6, classes=3, seed=0, told_by=1):
    """Labels that only layer `told_by` encodes: its vectors are class means plus noise."""
    generator = torch.Generator().manual_seed(seed)

    def part():
        labels = torch.randint(classes, (words,), generator=generator)
        vectors = torch.randn(layers, words, width, generator=generator, dtype=torch.float64)
        vectors[told_by] *= 0.3
        vectors[told_by, torch.arange(words), labels] += 2
        return LayerSplit(vectors, labels, tuple(f"w{int(k)}" for k in labels))

    return TaskVectors(part(), part())


def test_a_probe_is_the_least_squares_solution():
    task = made_task()
    inputs, labels = task.train.vectors[1], task.train.labels
    ridge = 0.03
    probe = fit_probe(inputs, labels, 3, ridge)
    scaled = ((inputs - inputs.mean(0)) / inputs.std(0, unbiased=False)).numpy()
    goal = np.eye(3)[labels]
    goal = goal - goal.mean(0)
    stacked = np.vstack([scaled, math.sqrt(ridge * len(scaled)) * np.eye(6)])
    wanted = np.linalg.lstsq(stacked, np.vstack([goal, np.zeros((6, 3))]))[0]
    np.testing.assert_allclose(probe.weight.numpy(), wanted, atol=1e-10)


def test_the_layer_that_tells_the_class_is_found():
    accuracies = [probes.layer_accuracy(made_task(), layer, 3) for layer in range(3)]
    assert accuracies[1] > 0.95 > 0.6 > max(accuracies[0], accuracies[2])


def test_a_control_task_is_one_label_for_each_word():
    labels = probes.control_labels(["a", "b", "a", "c", "b"], 1000)
    assert labels[0] == labels[2]
    assert labels[1] == labels[4]
    assert len(set(labels.tolist())) == 3
    assert torch.equal(labels, probes.control_labels(["a", "b", "a", "c", "b"], 1000))


def test_the_baselines_by_hand():
    empty = torch.zeros(1, 4, 1, dtype=torch.float64)
    train = LayerSplit(empty, torch.tensor([0, 1, 1, 0]), ("a", "a", "a", "b"))
    test = LayerSplit(empty, torch.tensor([1, 0, 1, 1]), ("a", "b", "b", "z"))
    assert probes.word_accuracy(TaskVectors(train, test)) == 0.5
    assert probes.majority_accuracy(TaskVectors(train, test)) == pytest.approx(0.25)


@pytest.mark.parametrize(
    ("accuracies", "wanted"),
    [((0.5, 0.9, 0.9), 1), ((0.5, 0.5, 0.9), 2), ((0.4, 0.8, 0.6, 1.0), 5 / 3)],
)
def test_the_expected_layer_by_hand(accuracies, wanted):
    assert expected_layer(accuracies) == pytest.approx(wanted)


def test_no_gain_has_no_expected_layer():
    assert math.isnan(expected_layer((0.9, 0.8)))


def test_a_mixture_by_hand():
    layers = torch.tensor([[[1.0, 2.0]], [[3.0, 6.0]]], dtype=torch.float64)
    weights = torch.tensor([math.log(3), 0.0], dtype=torch.float64)  # s = 3/4, 1/4
    torch.testing.assert_close(
        mix_layers(layers, weights, 2.0), torch.tensor([[3.0, 6.0]], dtype=torch.float64)
    )


def test_a_mixture_learns_to_read_the_layer_that_tells():
    learned = learn_mixture(made_task(), 3)
    assert learned.shares[1] > 0.8
    assert learned.accuracy >= max(learned.single) - 0.03
    even = learn_mixture(made_task(), 3, penalty=100.0)
    torch.testing.assert_close(even.shares, torch.full((3,), 1 / 3).double(), atol=0.02, rtol=0)


def test_the_quick_probe_of_a_mixture_is_that_of_the_mixed_vectors():
    task = made_task()
    quick = MixtureProbe(task, 3)
    shares = torch.tensor([0.2, 0.5, 0.3], dtype=torch.float64)
    train, test = (
        torch.einsum("l,lwd->wd", shares, normalise_layers(part.vectors)) for part in task
    )
    mean = train.mean(0)
    goal = torch.nn.functional.one_hot(task.train.labels, 3).double()
    gram = (train - mean).mT @ (train - mean) / len(train) + probes.RIDGE * torch.eye(6)
    weight = torch.linalg.solve(gram, (train - mean).mT @ (goal - goal.mean(0)) / len(train))
    said = ((test - mean) @ weight + goal.mean(0)).argmax(-1)
    wanted = (said == task.test.labels).double().mean().item()
    assert quick.accuracy(shares) == pytest.approx(wanted)


def test_the_points_of_the_triangle_are_shares():
    points = triangle(4)
    assert len(points) == 15
    assert torch.equal(points.sum(1), torch.ones(15).double())
    assert (points >= 0).all()


def test_combinations_of_layers_by_hand():
    layers = torch.arange(5).double()[:, None, None].expand(5, 1, 2)  # layer l holds l
    found = {how: combine_layers(layers, how)[0].tolist() for how in COMBINATIONS}
    assert found["first layer"] == [0, 0]
    assert found["last layer"] == [4, 4]
    assert found["sum of all layers"] == [10, 10]
    assert found["second-to-last layer"] == [3, 3]
    assert found["sum of the last four"] == [10, 10]
    assert found["last four, end to end"] == [1, 1, 2, 2, 3, 3, 4, 4]
    assert COMBINATIONS.keys() == TABLE_7.keys()
    with pytest.raises(ValueError, match="at least 4 layers for this; got 3"):
        combine_layers(layers[:4], "last layer")


def test_a_gpt_sees_the_left_and_a_bert_both_sides():
    config = TransformerConfig(vocabulary=9, width=8, heads=2, hidden=8, layers=2, longest=6)
    tokens = torch.tensor([1, 2, 3, 4])
    left = torch.ones(4, 4).tril().bool()
    assert torch.equal(transformer_reach(GPT(config), tokens) > 0, left)
    assert (transformer_reach(BERT(config), tokens) > 0).all()


@pytest.fixture(scope="module")
def record():
    return load_record()


def test_the_sense_probe_of_the_bilms_best_layer_is_as_good_as_wanted(record):
    scores = [s for s in record.probes if (s.model, s.task) == ("bilm", "sense")]
    assert max(score.accuracy for score in scores) >= 0.95


def test_a_static_vector_knows_no_more_than_its_word(record):
    for score in record.probes:
        if score.layer == 0 and score.model != "minilm":
            assert score.accuracy <= record.baselines[score.task][1] + 0.05, score


def test_every_model_task_and_layer_is_recorded_once(record):
    found = [(score.model, score.task, score.layer) for score in record.probes]
    assert len(found) == len(set(found))
    assert {model for model, _, _ in found} == set(MODELS)
    for model in MODELS:
        layers = {layer for m, _, layer in found if m == model}
        assert len([1 for m, _, _ in found if m == model]) == len(layers) * len(TASKS)
        for task in TASKS:
            assert record.mixtures[model][task].shares.sum().item() == pytest.approx(1)


def test_a_small_probe_of_today_is_near_what_is_recorded(record):
    """1,500 documents instead of 12,000: within the sampling error of so few test words."""
    found = probes.task_vectors(layered_model("bilm"), 1500, tasks=("number", "sense"))
    for task, vectors in found.items():
        told = {s.layer: s.accuracy for s in record.probes if (s.model, s.task) == ("bilm", task)}
        for score in probes.probe_layers("bilm", task, vectors):
            spread = math.sqrt(0.25 / score.words)
            assert abs(score.accuracy - told[score.layer]) < 4 * spread


def test_a_tagger_without_elmo_has_no_use_for_its_layers(monkeypatch):
    monkeypatch.setattr(tagger, "DRAWN", 800)
    parts = tagger.texts_of_task("sense", 4, 3)
    train, test = (tagger.tagged_texts(layered_model("bilm"), part, "sense") for part in parts)
    changed = [part._replace(layers=part.layers * 0) for part in (train, test)]
    for placement in ("none", "input"):
        one = tagger.train_tagger("sense", train, test, placement, seed=1)
        made = tagger.Tagger(placement, 282, 3, train.layers.shape[-1], 16, 1)
        same = torch.equal(made(train), made(changed[0]))
        assert same == (placement == "none")
        assert one.shares == () if placement == "none" else sum(one.shares) == pytest.approx(1)


def test_what_cannot_be_is_refused():
    with pytest.raises(ValueError, match="λ must be at least 0; got -1"):
        learn_mixture(made_task(), 3, penalty=-1.0)
    with pytest.raises(ValueError, match="from 1 to 50; got 0"):
        triangle(0)
    with pytest.raises(ValueError, match="the task must be one of"):
        tagger.texts_of_task("weather", 1, 1)
    with pytest.raises(ValueError, match="the model must be one of bilm"):
        layered_model("elmo")
    with pytest.raises(ValueError, match="words and λ above 0"):
        fit_probe(torch.zeros(0, 2).double(), torch.zeros(0).long(), 2)
