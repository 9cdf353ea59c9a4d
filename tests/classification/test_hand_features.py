import math

import numpy as np
import pytest
import torch

from lmcore.classification.accuracy import Accuracy, measure_accuracy
from lmcore.classification.features import feature_matrix
from lmcore.classification.hand_features import (
    HandConfig,
    held_out_by_negation,
    train_hand_features,
)
from lmcore.classification.reviews import (
    LabelledReviews,
    ReviewConfig,
    best_linear_accuracy,
    draw_reviews,
)

REVIEWS = draw_reviews(ReviewConfig())
TRAINED = train_hand_features(REVIEWS, HandConfig())


def standardized(reviews):
    x = feature_matrix(reviews.texts).numpy()
    seen = x[~reviews.held_out.numpy()]
    return (x - seen.mean(axis=0)) / seen.std(axis=0)


def newton(x, y):
    """Logistic regression by Newton's method (iteratively reweighted least squares)."""
    X = np.column_stack([x, np.ones(len(x))])
    beta = np.zeros(X.shape[1])
    for _ in range(30):
        p = 1 / (1 + np.exp(-X @ beta))
        hessian = X.T @ (X * (p * (1 - p))[:, None])
        beta = beta - np.linalg.solve(hessian, X.T @ (p - y))
    p = 1 / (1 + np.exp(-X @ beta))
    return beta, -np.log(np.where(y == 1, p, 1 - p)).mean()


def test_logistic_regression_ends_where_newtons_method_does():
    x, y = standardized(REVIEWS), REVIEWS.labels.numpy()
    held = REVIEWS.held_out.numpy()
    beta, loss = newton(x[~held], y[~held])
    longer = train_hand_features(REVIEWS, HandConfig(1, learning_rate=0.02, steps=1000)).logistic
    assert float(longer.trajectory.loss[-1]) == pytest.approx(loss, abs=1e-9)
    np.testing.assert_allclose(longer.parameters.numpy(), beta, atol=1e-4)
    assert float(TRAINED.logistic.trajectory.loss[-1]) == pytest.approx(loss, abs=1e-5)
    right = ((x @ beta[:6] + beta[6] > 0) == (y == 1))[held]
    assert TRAINED.logistic.held_out_accuracy == Accuracy(int(right.sum()), len(right))


def test_the_network_computes_what_linear_layers_compute():
    layers = torch.nn.Sequential(
        torch.nn.Linear(6, 6), torch.nn.Tanh(), torch.nn.Linear(6, 1), torch.nn.Sigmoid()
    ).double()
    row = TRAINED.one_hidden_layer.parameters
    torch.nn.utils.vector_to_parameters(row.clone(), layers.parameters())
    x = torch.tensor(standardized(REVIEWS))
    for i in range(5):
        trace = TRAINED.one_hidden_layer.classify(REVIEWS.texts[i])
        torch.testing.assert_close(trace.standardized, x[i])
        with torch.no_grad():
            torch.testing.assert_close(trace.hidden, layers[:2](x[i]))
            torch.testing.assert_close(trace.probability, layers(x[i])[0])


def test_a_hidden_layer_solves_what_no_linear_classifier_can():
    assert TRAINED.one_hidden_layer.held_out_accuracy.share == 1
    for accuracy in (TRAINED.logistic.train_accuracy, TRAINED.logistic.held_out_accuracy):
        low = accuracy.interval[1]
        assert low < best_linear_accuracy(0.3) < 1


def test_without_negation_a_hidden_layer_adds_nothing():
    plain = train_hand_features(draw_reviews(ReviewConfig(negated=0.0)), HandConfig())
    assert plain.logistic.held_out_accuracy.share == 1
    assert plain.one_hidden_layer.held_out_accuracy.share == 1


def test_logistic_regression_has_no_hidden_layer_in_its_trace():
    trace = TRAINED.logistic.classify("no charm!")
    assert trace.hidden is None and trace.hidden_pre_activation is None
    z = trace.standardized @ TRAINED.logistic.parameters[:6] + TRAINED.logistic.parameters[6]
    assert float(trace.logit) == pytest.approx(float(z), abs=1e-12)
    assert float(trace.probability) == pytest.approx(1 / (1 + math.exp(-float(z))), abs=1e-12)
    assert trace.features.values.tolist()[:3] == [1, 0, 1]


@pytest.mark.parametrize("name", ["logistic", "one_hidden_layer"])
def test_the_accuracies_are_those_of_the_traces(name):
    classifier = getattr(TRAINED, name)
    labels = torch.tensor([classifier.classify(text).label for text in REVIEWS.texts])
    held = REVIEWS.held_out
    assert classifier.held_out_accuracy == measure_accuracy(labels[held], REVIEWS.labels[held])
    assert classifier.train_accuracy == measure_accuracy(labels[~held], REVIEWS.labels[~held])


def test_the_training_features_are_standardized():
    x = TRAINED.logistic
    seen = (feature_matrix(REVIEWS.texts)[~REVIEWS.held_out] - x.means) / x.deviations
    torch.testing.assert_close(seen.mean(dim=0), torch.zeros(6).double(), rtol=0, atol=1e-12)
    torch.testing.assert_close(seen.std(dim=0, correction=0), torch.ones(6).double())


def test_a_feature_that_never_changes_is_divided_by_one():
    few = LabelledReviews(
        ("good film", "bad film"), torch.tensor([1, 0]), torch.tensor([False, False])
    )
    trained = train_hand_features(few, HandConfig(steps=5)).logistic
    assert trained.deviations.tolist() == [0.5, 0.5, 1, 1, 1, 1]
    assert trained.classify("no good film").standardized.tolist()[2] == 1


def test_the_same_seed_gives_the_same_numbers():
    again = train_hand_features(REVIEWS, HandConfig())
    assert torch.equal(again.one_hidden_layer.parameters, TRAINED.one_hidden_layer.parameters)
    other = train_hand_features(REVIEWS, HandConfig(seed=1))
    assert not torch.equal(other.one_hidden_layer.parameters, TRAINED.one_hidden_layer.parameters)


def test_the_frames_hold_the_numbers():
    table = TRAINED.to_frame()
    assert table["classifier"].tolist() == ["logistic regression", "one hidden layer"]
    assert table["parameters"].tolist() == [7, 49]
    assert table["held out low"][0] == TRAINED.logistic.held_out_accuracy.interval[1]
    assert len(TRAINED.logistic.to_frame()) == HandConfig().steps + 1
    for classifier in (TRAINED.logistic, TRAINED.one_hidden_layer):
        trace = classifier.classify("fine")
        numbers = trace.to_frame().set_index("quantity")["value"]
        assert numbers["logit"] == float(trace.logit)
        assert numbers["features.values"].tolist() == trace.features.values.tolist()
        assert ("hidden" in numbers.index) == (trace.hidden is not None)


def test_wilsons_interval_solves_its_equation():
    """Its ends are the p for which |share − p| = z √(p (1 − p) / n)."""
    accuracy = Accuracy(83, 120)
    share, *ends = accuracy.interval
    for p in ends:
        assert abs(share - p) == pytest.approx(1.959964 * math.sqrt(p * (1 - p) / 120), rel=1e-6)
    table = accuracy.to_frame()
    assert table["accuracy"].item() == share == 83 / 120
    assert math.isnan(Accuracy(0, 0).share)


@pytest.mark.parametrize(
    ("changed", "error"),
    [
        ({"hidden": 0}, "the number of hidden units must be from 1 to 8; got 0"),
        ({"steps": 0}, "steps must be from 1 to 2000; got 0"),
        ({"learning_rate": -1.0}, "the learning rate η must be from 0"),
    ],
)
def test_settings_out_of_bounds_are_refused(changed, error):
    with pytest.raises(ValueError, match=error):
        HandConfig(**changed)


def test_reviews_that_are_all_held_out_are_refused():
    held = LabelledReviews(("a", "b"), torch.tensor([0, 1]), torch.tensor([True, True]))
    with pytest.raises(ValueError, match="some that are not held out; got none"):
        train_hand_features(held, HandConfig())


@pytest.mark.parametrize("which", ["logistic", "one_hidden_layer"])
def test_held_out_reviews_are_judged_apart_without_no_and_with_it(which):
    classifier = getattr(TRAINED, which)
    right = {"no": [], "": []}
    for text, label, held in zip(
        REVIEWS.texts, REVIEWS.labels.tolist(), REVIEWS.held_out.tolist(), strict=True
    ):
        if held:
            having = "no" if "no" in text.replace(",", " ").split() else ""
            right[having].append(classifier.classify(text).label == label)
    assert held_out_by_negation(classifier, REVIEWS) == tuple(
        Accuracy(sum(each), len(each)) for each in (right[""], right["no"])
    )
