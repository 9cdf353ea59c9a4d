"""Two classifiers of the six features: logistic regression, and a network with one hidden layer.

    logistic regression   ŷ = σ(w·x + b)
    one hidden layer      z^[1] = W^[1] x + b^[1],  a^[1] = tanh(z^[1]),  ŷ = σ(w^[2]·a^[1] + b^[2])

x has each feature less its mean over the training reviews, divided by its standard deviation
there. A feature that is the same in all of them is divided by 1.

Source: CMU 11-411, "Classification: Sentiment Analysis" and "Feedforward nets for simple
classification": the hidden layer "may (or may not) improve performance".
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from jaxtyping import Float64
from torch import Tensor

from lmcore import dataframes
from lmcore.checks import check_between
from lmcore.classification.accuracy import Accuracy, measure_accuracy
from lmcore.classification.features import NAMES, FeatureTrace, extract_features, feature_matrix
from lmcore.classification.reviews import LabelledReviews
from lmcore.dataframes import Trace
from lmcore.networks.network import MOST_UNITS, NetworkConfig, forward, predictions
from lmcore.networks.points import LabelledPoints
from lmcore.networks.training import TrainingConfig, Trajectory, train_network

if TYPE_CHECKING:
    from pandas import DataFrame


@dataclass(frozen=True, slots=True)
class HandConfig:
    """The units of the hidden layer, and how both classifiers are trained: Adam, full batch."""

    hidden: int = 6
    learning_rate: float = 0.1
    steps: int = 300
    seed: int = 0

    def __post_init__(self) -> None:
        """Raises ValueError naming what is out of bounds."""
        check_between("the number of hidden units", self.hidden, 1, MOST_UNITS)
        _ = self.training

    @property
    def training(self) -> TrainingConfig:
        """How each classifier is trained."""
        return TrainingConfig("Adam", self.learning_rate, self.steps, seed=self.seed)


@dataclass(frozen=True, slots=True)
class HandClassification(Trace):
    """A text through a classifier of the six features."""

    features: FeatureTrace
    standardized: Float64[Tensor, " feature"]
    """x: (feature − mean) / standard deviation"""
    hidden_pre_activation: Float64[Tensor, " unit"] | None
    """z^[1]; none for logistic regression"""
    hidden: Float64[Tensor, " unit"] | None
    """a^[1]; none for logistic regression"""
    logit: Float64[Tensor, ""]
    """z of the last layer"""
    probability: Float64[Tensor, ""]
    """ŷ = σ(logit), the probability of a positive review"""

    @property
    def label(self) -> int:
        """1, positive, where the probability is above ½, else 0."""
        return int(self.logit > 0)


@dataclass(frozen=True, slots=True)
class FeatureClassifier:
    """A trained classifier of the six features."""

    network: NetworkConfig
    means: Float64[Tensor, " feature"]
    deviations: Float64[Tensor, " feature"]
    """Standard deviations over the training reviews; 1 in place of 0."""
    trajectory: Trajectory
    """The training run: parameters and losses after every step."""
    train_accuracy: Accuracy
    held_out_accuracy: Accuracy

    @property
    def parameters(self) -> Float64[Tensor, " parameter"]:
        """W and b of every layer after the last step."""
        return self.trajectory.parameters[-1]

    def classify(self, text: str) -> HandClassification:
        """The features of a text, and what each layer makes of them.

        Raises:
            ValueError: if the text has no word, or too many.
        """
        features = extract_features(text)
        x = (features.values - self.means) / self.deviations
        trace = forward(self.network, self.parameters, x[None])
        z = [each[0] for each in trace.pre_activations]
        a = [each[0] for each in trace.activations]
        z_1, a_1 = (z[0], a[0]) if self.network.hidden else (None, None)
        return HandClassification(features, x, z_1, a_1, z[-1][0], a[-1][0])

    def to_frame(self) -> DataFrame:
        """One row per training step: L, validation L, wrong predictions."""
        return self.trajectory.to_frame()


@dataclass(frozen=True, slots=True)
class HandClassifiers:
    """Both classifiers, trained on the same reviews."""

    logistic: FeatureClassifier
    one_hidden_layer: FeatureClassifier

    def to_frame(self) -> DataFrame:
        """One row per classifier: parameters, accuracy in training and held out, intervals."""
        both = (self.logistic, self.one_hidden_layer)
        columns: dict[str, list[object]] = {
            "classifier": ["logistic regression", "one hidden layer"],
            "parameters": [each.network.parameters for each in both],
        }
        for name, accuracies in {
            "train": [each.train_accuracy for each in both],
            "held out": [each.held_out_accuracy for each in both],
        }.items():
            for i, quantity in enumerate(("accuracy", "low", "high")):
                columns[f"{name} {quantity}"] = [each.interval[i] for each in accuracies]
        return dataframes.frame(columns)


def train_hand_features(reviews: LabelledReviews, config: HandConfig) -> HandClassifiers:
    """Train logistic regression and the network on the reviews that are not held out.

    Raises:
        ValueError: if a text has no word, or too many, or no review is left for training.
    """
    if bool(reviews.held_out.all()):
        raise ValueError("the reviews must include some that are not held out; got none")
    features = feature_matrix(reviews.texts)
    seen = features[~reviews.held_out]
    means, deviations = seen.mean(dim=0), seen.std(dim=0, correction=0)
    deviations = deviations.where(deviations > 1e-12, 1.0)
    x = (features - means) / deviations
    points = LabelledPoints(x, reviews.labels, reviews.held_out)
    networks = (
        NetworkConfig(hidden=(), activations=(), inputs=len(NAMES)),
        NetworkConfig(hidden=(config.hidden,), activations=("tanh",), inputs=len(NAMES)),
    )
    logistic, hidden = (
        _trained(network, points, config.training, means, deviations) for network in networks
    )
    return HandClassifiers(logistic, hidden)


def _trained(
    network: NetworkConfig,
    points: LabelledPoints,
    training: TrainingConfig,
    means: Float64[Tensor, " feature"],
    deviations: Float64[Tensor, " feature"],
) -> FeatureClassifier:
    """One network, trained and measured."""
    trajectory = train_network(network, points, training)
    predicted = predictions(network, forward(network, trajectory.parameters[-1], points.x))
    held = points.held_out
    return FeatureClassifier(
        network,
        means,
        deviations,
        trajectory,
        measure_accuracy(predicted[~held], points.labels[~held]),
        measure_accuracy(predicted[held], points.labels[held]),
    )


def held_out_by_negation(
    classifier: FeatureClassifier, reviews: LabelledReviews
) -> tuple[Accuracy, Accuracy]:
    """The accuracy on held-out reviews without the word “no”, and on those with it."""
    features = feature_matrix(reviews.texts)
    x = (features - classifier.means) / classifier.deviations
    trace = forward(classifier.network, classifier.parameters, x)
    predicted, negated = predictions(classifier.network, trace), features[:, 2] > 0
    without, having = (
        measure_accuracy(predicted[chosen], reviews.labels[chosen])
        for chosen in (reviews.held_out & ~negated, reviews.held_out & negated)
    )
    return without, having
