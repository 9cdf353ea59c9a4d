"""The tree of Figure 13.7 as a language model: every edge is a probability.

A text is a path from `<s>`: at most two words, then `</s>`. The lecture's text gives two paths,
ok ok .28 and yes yes .20; the other edges follow the textbook's figure, those of "yes" adjusted to
sum to 1.

Source: lecture "How to use an LM for Generation"; Jurafsky & Martin, Figure 13.7.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field

import torch
from jaxtyping import Float64, Int
from torch import Tensor

from lmcore.vocabulary import END, START, Vocabulary

WORDS = ("yes", "ok")
TOKENS = Vocabulary((START, *WORDS, END))
NEXT = (*WORDS, END)
"""The tokens that edges lead to."""
DEPTH = 2
"""Words before the text must end."""
NEAR = 1e-9

Edges = Mapping[tuple[str, ...], tuple[float, ...]]
FIGURE: Edges = {
    (): (0.5, 0.4, 0.1),
    ("yes",): (0.4, 0.3, 0.3),
    ("ok",): (0.2, 0.7, 0.1),
}
"""Words so far → p of each of `NEXT`."""


@dataclass(frozen=True, slots=True)
class TreeModel:
    """A `LanguageModel` defined by the edges of the tree."""

    edges: Edges = field(default_factory=lambda: FIGURE)
    vocabulary: Vocabulary = TOKENS

    def __post_init__(self) -> None:
        """Raises ValueError naming the node whose edges are not a distribution."""
        if set(self.edges) != set(FIGURE):
            raise ValueError(f"the tree must have the nodes {sorted(FIGURE)}; got others")
        for node, edges in self.edges.items():
            name = " ".join((START, *node))
            if len(edges) != len(NEXT) or not all(0 <= p <= 1 for p in edges):
                raise ValueError(
                    f"the edges of {name} must be {len(NEXT)} probabilities; got {edges}"
                )
            if abs(sum(edges) - 1) > NEAR:
                raise ValueError(f"the edges of {name} must sum to 1; got {sum(edges):.10g}")

    def log_probabilities(self, tokens: Int[Tensor, " time"]) -> Float64[Tensor, "time vocabulary"]:
        """As `LanguageModel.log_probabilities`: all −∞ after `</s>`, or off the tree."""
        words = self.vocabulary.decode(tokens.tolist())
        return torch.stack([self._row(tuple(words[: t + 1])) for t in range(len(words))])

    def _row(self, prefix: tuple[str, ...]) -> Float64[Tensor, " vocabulary"]:
        row = torch.full((len(self.vocabulary),), -math.inf, dtype=torch.float64)
        start, *so_far = prefix
        if start != START or not set(so_far) <= set(WORDS) or len(so_far) > DEPTH:
            return row
        edges = self.edges.get(tuple(so_far), (0.0,) * len(WORDS) + (1.0,))
        for word, p in zip(NEXT, edges, strict=True):
            row[self.vocabulary.ids[word]] = math.log(p) if p else -math.inf
        return row
