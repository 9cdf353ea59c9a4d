"""One query's row of scores and weights in every head.

w3 is the weight of key 3 (from 0), s3 its score q · k / √d_k before the softmax, o3 its weight in
the other text; dot is q · k of the key that the head marks. Opening a head selects its row.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import torch
from jaxtyping import Float
from torch import Tensor

from lmcore.attention import heads
from lmcore.attention.heads import Head, HeadsTrace
from lmcore.numbers import format_number

STEADY = 0.02
"""A weight that changes by less counts as about the same."""
CHANGES = ("falls", "rises", "stays about the same")


class OtherText(NamedTuple):
    """The same query in the other text: its row of weights, in the order of this text's keys."""

    weights: Float[Tensor, "layer head key"]
    tokens: Sequence[str]


class QueryRow(NamedTuple):
    """The numbers of one query with each head open: `table[h, n]` is `names[n]` in head h."""

    place: int
    key: int | None
    names: tuple[str, ...]
    table: np.ndarray

    def focus(self, head: int) -> int:
        """The key that a head marks, by the head's place in the table."""
        if self.key is not None:
            return self.key
        first = self.names.index("w0")
        weights = self.table[head, first : first + self.length]
        return int(weights.argmax())

    def number(self, name: str, head: int) -> float:
        """A number of a head, by its name."""
        return float(self.table[head, self.names.index(name)])

    @property
    def length(self) -> int:
        """The number of keys."""
        return sum(name[0] == "w" for name in self.names)


def query_row(
    trace: HeadsTrace,
    place: int,
    key: int | None,
    other: OtherText | None,
    threshold: float,
) -> QueryRow:
    """The numbers of the query at `place`, one row per head."""
    layers, count = trace.shape
    weights = trace.weights[:, :, place].double().flatten(0, 1)
    scores, scaled = (each.flatten(0, 1) for each in heads.row_scores(trace, place))
    best = weights.argmax(-1)
    focus = best if key is None else torch.full_like(best, key)
    at = torch.arange(layers * count)
    columns: dict[str, Tensor] = {
        "@layer": at // count,
        "@head": at % count,
        "@say": best if key is None or other is None else _change(weights, other, key),
        "@formula": focus if key is None else torch.zeros_like(best),
        "threshold": torch.full((layers * count,), threshold),
        "left": heads.count_at_least(trace.weights.flatten(0, 1), threshold),
        "dot": scores[at, focus],
        **{f"w{j}": each for j, each in enumerate(weights.T)},
        **{f"s{j}": each for j, each in enumerate(scaled.T)},
    }
    if other is not None:
        there = other.weights.double().flatten(0, 1)
        columns |= {f"o{j}": each for j, each in enumerate(there.T)}
    table = torch.stack([each.double() for each in columns.values()], dim=-1).numpy()
    return QueryRow(place, key, tuple(columns), table)


def _change(weights: Tensor, other: OtherText, key: int) -> Tensor:
    """The index in `CHANGES` of what happens to a key's weight, by head."""
    difference = other.weights.double().flatten(0, 1)[:, key] - weights[:, key]
    return torch.where(difference.abs() < STEADY, 2, (difference > 0).long())


def change(row: QueryRow, head: int) -> str:
    """What happens to the weight of the followed key in the other text, in one head."""
    return CHANGES[int(row.number("@say", head))]


def compares(row: QueryRow) -> bool:
    """Whether the followed key has a weight in the other text too."""
    return row.key is not None and f"o{row.key}" in row.names


def expand_hidden(names: Sequence[str], row: QueryRow) -> tuple[str, ...]:
    """`names`, with weights, scores and other expanded to the numbers of a whole row."""
    letters = {"weights": "wo", "scores": "s", "other": "o"}
    found = list(names)
    for whole, part in letters.items():
        if whole in names:
            found += [name for name in row.names if name[0] in part and name[1:].isdigit()]
    return tuple(found)


def other_name(tokens: Sequence[str], others: Sequence[str]) -> str:
    """What the outlines of the row show."""
    at = heads.changed_token(tokens, others)
    return "in the other text" if at is None else f"with “{others[at]}”"


def describe_largest(trace: HeadsTrace, model: str) -> str:
    """Alt text of a picture of all weights: the largest one between two words."""
    layers, count = trace.shape
    words = ~trace.text.special
    between = trace.weights * (words[:, None] & words).to(trace.weights)
    layer, head, i, j = (int(n) for n in np.unravel_index(int(between.argmax()), between.shape))
    tokens, head_at = trace.text.tokens, Head(layer, head)
    return (
        f"The attention weights of {model} over {len(tokens)} tokens, {layers} layers of {count} "
        f"heads. The largest between words: layer {layer}, head {head}, {tokens[i]} to "
        f"{tokens[j]}, {format_number(float(trace.weights[head_at][i, j]))}."
    )


def scaled_answer(row: QueryRow, head: int) -> float:
    """The score of the marked key before the softmax."""
    return row.number(f"s{row.focus(head)}", head)


def four_keys(tokens: Sequence[str], row: QueryRow, head: int) -> tuple[str, ...]:
    """The most attended key of a head and three others with distinct names, in text order."""
    first = row.names.index("w0")
    order = np.argsort(-row.table[head, first : first + len(tokens)], kind="stable").tolist()
    named: dict[str, int] = {}
    for j in order:
        named.setdefault(tokens[j], j)
    chosen = sorted(list(named.values())[:4])
    return tuple(tokens[j] for j in chosen)
