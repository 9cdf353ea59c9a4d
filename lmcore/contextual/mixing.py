"""Layers mixed for a task, as in ELMo, and other ways to combine all layers into one vector.

    ELMo_k = γ Σ_j s_j LN(h_{k,j}),   s = softmax(w)        j = 0 … L
    the loss of a tagger + λ ‖w‖²                            a large λ draws s to the mean of layers

w and γ are learned together with the tagger that reads the mixture, one pair for each task. LN
centres and scales each vector, so that the s_j of layers with larger numbers can be compared.

Source: Peters et al. 2018, section 3.2, equation 1, who apply layer normalisation where it helps.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import torch
import torch.nn.functional as F
from jaxtyping import Float, Float64
from torch import Tensor

from lmcore import dataframes
from lmcore.contextual.probes import RIDGE, LayerSplit, LinearProbe, TaskVectors, fit_probe

if TYPE_CHECKING:
    from pandas import DataFrame

STEPS = 150
"""Steps of L-BFGS, each on all words at once."""
MOST_TESTED = 1500
"""Words that the quick probe of a mixture is tested on."""
DECAY = 1e-4
"""Weight decay of the tagger's own weights."""


def normalise_layers(
    vectors: Float[Tensor, "*vector width"],
) -> Float[Tensor, "*vector width"]:
    """LN of every vector, without a gain or a bias."""
    normed: Tensor = F.layer_norm(vectors, vectors.shape[-1:])
    return normed


def mix_layers(
    layers: Float[Tensor, "layer word width"],
    weights: Float[Tensor, " layer"],
    gamma: Float[Tensor, ""] | float = 1.0,
) -> Float[Tensor, "word width"]:
    """γ Σ_j s_j h_j with s = softmax(w)."""
    mixed: Tensor = gamma * torch.einsum("l,lwd->wd", weights.softmax(0), layers)
    return mixed


@dataclass(frozen=True, slots=True)
class Mixture:
    """What was learned for one task."""

    weights: Float64[Tensor, " layer"]
    """w, before the softmax."""
    gamma: float
    accuracy: float
    """The accuracy on held-out words."""
    single: tuple[float, ...]
    """The accuracy of the same tagger on each layer alone."""

    @property
    def shares(self) -> Float64[Tensor, " layer"]:
        """The softmax of w, which sums to 1."""
        return self.weights.softmax(0)

    def to_frame(self) -> DataFrame:
        """One row per layer: layer, s, accuracy of the layer alone."""
        return dataframes.frame(
            {
                "layer": list(range(len(self.weights))),
                "s": self.shares,
                "accuracy alone": list(self.single),
            }
        )


def learn_mixture(vectors: TaskVectors, classes: int, penalty: float = 0.0) -> Mixture:
    """Learn w, γ and a softmax tagger for a task, and the same tagger for each layer alone.

    `penalty` is λ. Learning starts from s = 1/(L + 1), γ = 1 and a tagger of zeros: nothing is
    random.

    Raises:
        ValueError: if λ is below 0.
    """
    if not 0 <= penalty < torch.inf:
        raise ValueError(f"λ must be at least 0; got {penalty:g}")
    w, gamma, accuracy = _learn(vectors, classes, penalty)
    single = []
    for layer in range(len(vectors.train.vectors)):
        alone = TaskVectors(*(_only(part, layer) for part in vectors))
        single.append(_learn(alone, classes, 0.0)[2])
    return Mixture(w, gamma, accuracy, tuple(single))


def _only(part: LayerSplit, layer: int) -> LayerSplit:
    return part._replace(vectors=part.vectors[layer : layer + 1])


def _learn(
    vectors: TaskVectors, classes: int, penalty: float
) -> tuple[Float64[Tensor, " layer"], float, float]:
    train, test = (normalise_layers(part.vectors) for part in vectors)
    labels = vectors.train.labels
    w = torch.zeros(len(train), dtype=torch.float64, requires_grad=True)
    gamma = torch.ones((), dtype=torch.float64, requires_grad=True)
    weight = torch.zeros(train.shape[-1], classes, dtype=torch.float64, requires_grad=True)
    bias = torch.zeros(classes, dtype=torch.float64, requires_grad=True)
    optimizer: Any = torch.optim.LBFGS(
        [w, gamma, weight, bias], max_iter=STEPS, history_size=20, line_search_fn="strong_wolfe"
    )

    def loss() -> Tensor:
        optimizer.zero_grad()
        logits = mix_layers(train, w, gamma) @ weight + bias
        value = F.cross_entropy(logits, labels)
        value = value + DECAY * weight.square().sum() + penalty * w.square().sum()
        torch.autograd.backward(value)
        return value

    with torch.enable_grad():
        optimizer.step(loss)
    with torch.no_grad():
        said = (mix_layers(test, w, gamma) @ weight + bias).argmax(-1)
    right = float((said == vectors.test.labels).double().mean())
    return w.detach(), gamma.item(), right


class MixtureProbe:
    """Computes the accuracy of a linear probe of Σ s_j LN(h_j) quickly for any s.

    γ is left out: a probe that is fitted anew undoes it.

    With X = Σ s_j X_j both XᵀX = Σ_ij s_i s_j X_iᵀX_j and XᵀY = Σ s_j X_jᵀY are sums of blocks that
    do not depend on s: they are computed once.
    """

    def __init__(self, vectors: TaskVectors, classes: int) -> None:
        self.test_labels = vectors.test.labels[:MOST_TESTED]
        train, test = (normalise_layers(part.vectors) for part in vectors)
        test = test[:, :MOST_TESTED]
        mean = train.mean(1, keepdim=True)
        train, self.test = train - mean, test - mean
        goal = F.one_hot(vectors.train.labels, classes).double()
        self.bias = goal.mean(0)
        words = train.shape[1]
        self.grams = torch.einsum("iwd,jwe->ijde", train, train) / words
        self.goals = torch.einsum("iwd,wc->idc", train, goal - self.bias) / words

    def accuracy(self, shares: Float64[Tensor, " layer"]) -> float:
        """The share of the test words that a ridge probe of this mixture gets right."""
        gram = torch.einsum("i,j,ijde->de", shares, shares, self.grams)
        gram = gram + RIDGE * torch.eye(len(gram), dtype=gram.dtype)
        weight = torch.linalg.solve(gram, torch.einsum("i,idc->dc", shares, self.goals))
        scores = torch.einsum("i,iwd->wd", shares, self.test) @ weight + self.bias
        return float((scores.argmax(-1) == self.test_labels).double().mean())


def triangle(steps: int) -> Float64[Tensor, "point 3"]:
    """All shares of three layers that are multiples of 1/steps.

    Raises:
        ValueError: if `steps` is not 1 to 50.
    """
    if not 1 <= steps <= 50:
        raise ValueError(f"the steps of a side must be from 1 to 50; got {steps}")
    pairs = ((i, j) for i in range(steps + 1) for j in range(steps + 1 - i))
    return torch.tensor([(i, j, steps - i - j) for i, j in pairs], dtype=torch.float64) / steps


COMBINATIONS: dict[str, Callable[[Tensor], Tensor]] = {
    "first layer": lambda layers: layers[0],
    "last layer": lambda layers: layers[-1],
    "sum of all layers": lambda layers: layers[1:].sum(0),
    "second-to-last layer": lambda layers: layers[-2],
    "sum of the last four": lambda layers: layers[-4:].sum(0),
    "last four, end to end": lambda layers: torch.cat(tuple(layers[-4:]), -1),
}
"""How a vector is made of h^(0) … h^(L); the first layer is the embedding, as in Table 7."""
TABLE_7 = {
    "first layer": 91.0,
    "last layer": 94.9,
    "sum of all layers": 95.5,
    "second-to-last layer": 95.6,
    "sum of the last four": 95.9,
    "last four, end to end": 96.1,
}
"""F1 on the development set of CoNLL-2003: Devlin et al. 2019, Table 7, with weighted sums."""


def combine_layers(
    layers: Float64[Tensor, "layer word width"], how: str
) -> Float64[Tensor, "word wide"]:
    """The layers combined into one vector, by the name of the combination.

    Raises:
        ValueError: if there is none of that name, or the model has fewer than four layers.
    """
    if how not in COMBINATIONS:
        raise ValueError(f"the combination must be one of {', '.join(COMBINATIONS)}; got {how!r}")
    if len(layers) < 5:
        raise ValueError(f"a model must have at least 4 layers for this; got {len(layers) - 1}")
    return COMBINATIONS[how](layers)


def combination_accuracy(vectors: TaskVectors, how: str, classes: int) -> float:
    """The accuracy of a linear probe of a combination on the test words."""
    train, test = (combine_layers(part.vectors, how) for part in vectors)
    probe: LinearProbe = fit_probe(train, vectors.train.labels, classes)
    return float((probe(test) == vectors.test.labels).double().mean())
