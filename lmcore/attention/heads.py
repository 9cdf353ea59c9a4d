"""Every attention head of a network over a text: its weights, and statistics that tell heads apart.

Layers, heads and positions are counted from 0. α[i, j] is the weight of position j, the key, for
position i, the query.

Source: Vaswani et al. 2017, section 3.2.2; Clark et al. 2019, "What Does BERT Look At?", sections 3
and 4 (the patterns; entropy).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import torch
from jaxtyping import Float
from torch import Tensor

from lmcore import dataframes
from lmcore.models.attention import Mask
from lmcore.models.bert import BERT
from lmcore.models.blocks import Block
from lmcore.models.gpt import GPT
from lmcore.pretrained.reading import TokenizedText
from lmcore.typed import fold_numbers

if TYPE_CHECKING:
    from pandas import DataFrame

Network = BERT | GPT


@dataclass(frozen=True, slots=True)
class HeadsTrace:
    """Every head's queries, keys, weights and outputs over a text, on the CPU."""

    text: TokenizedText
    mask: Mask | None
    residual: Float[Tensor, "depth time width"]
    """h_0 … h_N: the input of each layer, and the output of the last."""
    query: Float[Tensor, "layer head time d_k"]
    key: Float[Tensor, "layer head time d_k"]
    weights: Float[Tensor, "layer head query key"]
    """α"""
    context: Float[Tensor, "layer head time d_k"]
    """The output of each head: αV"""

    @property
    def shape(self) -> tuple[int, int]:
        """Layers, and heads per layer."""
        return self.weights.shape[0], self.weights.shape[1]

    def to_frame(self) -> DataFrame:
        """One row per query and key of each head: layer, head, query, key, their tokens, α."""
        found = dataframes.entries("layer head query key", {"α": self.weights})
        tokens = dict(enumerate(self.text.tokens))
        found.insert(4, "query token", found["query"].map(tokens))
        found.insert(5, "key token", found["key"].map(tokens))
        return found


class Head(NamedTuple):
    """The address of a head: layer and head, both from 0."""

    layer: int
    head: int

    def __str__(self) -> str:
        return f"{self.layer}.{self.head}"

    @classmethod
    def parse(cls, text: str, shape: tuple[int, int]) -> Head:
        """Parse an address, layer.head.

        Raises:
            ValueError: if it is not an address, or the network has no such head.
        """
        layers, heads = shape
        parts = fold_numbers(text).strip().split(".")
        if len(parts) == 2 and all(part.isdecimal() and len(part) < 4 for part in parts):
            head = cls(int(parts[0]), int(parts[1]))
            if head.layer < layers and head.head < heads:
                return head
        raise ValueError(
            f"a head must be layer.head from 0.0 to {layers - 1}.{heads - 1}; got {text[:24]!r}"
        )


@torch.no_grad()
def trace_heads(network: Network, text: TokenizedText) -> HeadsTrace:
    """One forward over the text, without the unembedding: no head depends on it."""
    residual, mask = initial_residual_and_mask(network, text)
    depths, traces = [residual[0]], []
    for block in transformer_blocks(network):
        trace = block(residual, mask)
        residual = trace.output
        depths.append(residual[0])
        found = trace.attention
        traces.append((found.query[0], found.key[0], found.weights[0], found.context[0]))
        del trace, found  # a layer's trace is large: free it before the next layer
    mask = None if mask is None else mask.cpu()
    parts = (torch.stack(list(part)).cpu() for part in (depths, *zip(*traces, strict=True)))
    return HeadsTrace(text, mask, *parts)


def initial_residual_and_mask(
    network: Network, text: TokenizedText
) -> tuple[Float[Tensor, "1 time width"], Mask | None]:
    """h_0, and the mask that the network applies in every head."""
    device = network.embedding.token.weight.device
    ids = text.ids[None].to(device)
    if isinstance(network, BERT) and network.config.segments > 1:
        _, start = network.embed(ids, segments=text.segments[None].to(device))
    else:
        _, start = network.embed(ids)
    return start, network.attention_mask(ids)


def transformer_blocks(network: Network) -> list[Block]:
    """The layers."""
    return [block for block in network.blocks if isinstance(block, Block)]


TITLES = {
    "entropy": "entropy, nats",
    "distance": "distance, places",
    "previous": "token before",
    "following": "token after",
    "itself": "itself",
    "first": "first token",
    "separator": "[SEP]",
    "special": "special tokens",
    "same": "same token",
}
"""Statistic → the title of its column."""


class HeadStatistics(NamedTuple):
    """One number per head: `entropy` in nats, `distance` in positions, the others shares of weight.

    Each is a mean over all queries; `previous` leaves out the first, `following` the last. `same`
    is the weight on other positions with the same token.
    """

    entropy: Float[Tensor, "layer head"]
    distance: Float[Tensor, "layer head"]
    previous: Float[Tensor, "layer head"]
    following: Float[Tensor, "layer head"]
    itself: Float[Tensor, "layer head"]
    first: Float[Tensor, "layer head"]
    separator: Float[Tensor, "layer head"]
    special: Float[Tensor, "layer head"]
    same: Float[Tensor, "layer head"]

    def to_frame(self) -> DataFrame:
        """One row per head: layer, head, and each statistic under its title on the page."""
        columns = {title: getattr(self, name) for name, title in TITLES.items()}
        return dataframes.entries("layer head", columns)


def head_statistics(
    weights: Float[Tensor, "layer head query key"], text: TokenizedText
) -> HeadStatistics:
    """The statistics of each head; `first` is the first token's share, `separator` [SEP]'s."""
    places = torch.arange(len(text.tokens), device=weights.device)
    away = (places[:, None] - places).abs().to(weights)
    tokens = text.tokens
    separator = torch.tensor([token == "[SEP]" for token in tokens]).to(weights)
    same = torch.tensor([[a == b for b in tokens] for a in tokens]).to(weights)
    same.fill_diagonal_(0)
    return HeadStatistics(
        torch.special.entr(weights).sum(-1).mean(-1),
        (weights * away).sum(-1).mean(-1),
        _mean(weights.diagonal(-1, -2, -1)),
        _mean(weights.diagonal(1, -2, -1)),
        _mean(weights.diagonal(0, -2, -1)),
        weights[..., 0].mean(-1),
        (weights @ separator).mean(-1),
        (weights @ text.special.to(weights)).mean(-1),
        (weights * same).sum(-1).mean(-1),
    )


def _mean(along: Float[Tensor, "layer head place"]) -> Float[Tensor, "layer head"]:
    """The mean over positions; 0 in a text of one token, where there is none."""
    return along.mean(-1) if along.shape[-1] else along.new_zeros(along.shape[:-1])


def largest_word_weights(seen: HeadsTrace) -> Float[Tensor, "layer head"]:
    """Each head's largest weight from one word to another, special tokens left out."""
    words = ~seen.text.special
    pairs = (words[:, None] & words).fill_diagonal_(False)
    return (seen.weights * pairs).flatten(-2).max(-1).values


def count_at_least(
    weights: Float[Tensor, "*head query key"], threshold: float
) -> Float[Tensor, "*head"]:
    """How many weights of each head are at least the threshold."""
    return (weights >= threshold).sum((-1, -2)).to(torch.double)


def count_at_each(
    weights: Float[Tensor, "query key"], thresholds: Float[Tensor, " position"]
) -> Float[Tensor, " position"]:
    """How many weights of one head are at least each of the thresholds."""
    ordered = weights.flatten().sort().values
    below = torch.searchsorted(ordered, thresholds.to(weights))
    return (len(ordered) - below).to(torch.double)


def rank_heads(numbers: Float[Tensor, "layer head"]) -> list[tuple[Head, float]]:
    """All heads, the largest number first."""
    order = numbers.reshape(-1).argsort(descending=True, stable=True).tolist()
    heads = numbers.shape[1]
    flat = numbers.reshape(-1).tolist()
    return [(Head(*divmod(at, heads)), flat[at]) for at in order]


class QueryScores(NamedTuple):
    """One query and all keys in one head, in double precision from the head's own q and k."""

    query: Float[Tensor, " d_k"]
    keys: Float[Tensor, "key d_k"]
    products: Float[Tensor, "key d_k"]
    """q × k, number by number"""
    scores: Float[Tensor, " key"]
    """q · k, the sum of the products"""
    scaled: Float[Tensor, " key"]
    """q · k / √d_k; −∞ where the mask hides the key"""
    weights: Float[Tensor, " key"]
    """softmax(scaled)"""

    def to_frame(self) -> DataFrame:
        """One row per key: key, q·k, q·k/√d_k, α."""
        columns = {"q·k": self.scores, "q·k/√d_k": self.scaled, "α": self.weights}
        return dataframes.entries("key", columns)


def query_scores(seen: HeadsTrace, head: Head, place: int) -> QueryScores:
    """The computation of one query's weights in one head."""
    query = seen.query[head][place].double()
    keys = seen.key[head].double()
    products = keys * query
    scores = products.sum(-1)
    scaled = _masked(scores / math.sqrt(len(query)), seen, place)
    return QueryScores(query, keys, products, scores, scaled, scaled.softmax(-1))


class RowScores(NamedTuple):
    """One query's row in every head before the softmax, in double precision."""

    scores: Float[Tensor, "layer head key"]
    """q · k"""
    scaled: Float[Tensor, "layer head key"]
    """q · k / √d_k; −∞ where the mask hides the key"""

    def to_frame(self) -> DataFrame:
        """One row per layer, head and key: q·k, q·k/√d_k."""
        return dataframes.entries("layer head key", {"q·k": self.scores, "q·k/√d_k": self.scaled})


def row_scores(seen: HeadsTrace, place: int) -> RowScores:
    """The scores of one query with every key, in every head."""
    scores = (seen.key.double() @ seen.query[:, :, place, :, None].double()).squeeze(-1)
    return RowScores(scores, _masked(scores / math.sqrt(seen.query.shape[-1]), seen, place))


def visible_keys(seen: HeadsTrace, place: int) -> int:
    """How many keys the mask leaves to a query."""
    if seen.mask is None:
        return len(seen.text.tokens)
    return int(seen.mask.expand(1, *seen.weights.shape[2:])[0, place].sum())


def _masked(
    scaled: Float[Tensor, "*head key"], seen: HeadsTrace, place: int
) -> Float[Tensor, "*head key"]:
    if seen.mask is None:
        return scaled
    visible = seen.mask.expand(1, *seen.weights.shape[2:])[0, place]
    return scaled.masked_fill(~visible, -math.inf)


def find_place(tokens: Sequence[str], wanted: str) -> int | None:
    """The position given as a number, or of the first token spelled `wanted`; None if none fits."""
    if wanted.isdecimal() and len(wanted) < 5:
        return int(wanted) if int(wanted) < len(tokens) else None
    spelled = [token.strip("␣").casefold() for token in tokens]
    return spelled.index(wanted.casefold()) if wanted and wanted.casefold() in spelled else None


def matching_place(place: int, tokens: Sequence[str], others: Sequence[str]) -> int | None:
    """The position in another text of the same occurrence of the token (the n-th), or None."""
    nth = tokens[:place].count(tokens[place])
    places = [at for at, token in enumerate(others) if token == tokens[place]]
    return places[nth] if nth < len(places) else None


def matching_row(
    weights: Float[Tensor, "layer head other"], tokens: Sequence[str], others: Sequence[str]
) -> Float[Tensor, "layer head key"]:
    """A row of weights over `others`, in the order of the keys `tokens`; NaN for a key it lacks.

    The key of a token is the same occurrence of it in the other text. In a text of the same length
    a token that the other lacks has the key at its own position.
    """
    places = [matching_place(at, tokens, others) for at in range(len(tokens))]
    if len(tokens) == len(others):
        places = [at if place is None else place for at, place in enumerate(places)]
    found = weights.new_full((*weights.shape[:-1], len(tokens)), math.nan)
    known = [at for at, place in enumerate(places) if place is not None]
    found[..., known] = weights[..., [place for place in places if place is not None]]
    return found


def changed_token(tokens: Sequence[str], others: Sequence[str]) -> int | None:
    """The position at which two texts of the same length differ; None unless it is exactly one."""
    if len(tokens) != len(others):
        return None
    differ = [at for at, (a, b) in enumerate(zip(tokens, others, strict=True)) if a != b]
    return differ[0] if len(differ) == 1 else None


def weight_shifts(
    one: HeadsTrace, other: HeadsTrace, pair: tuple[int, int], pair_there: tuple[int, int]
) -> Float[Tensor, "layer head"]:
    """For each head, its weight on a pair of tokens in one text minus that in the other.

    Raises:
        ValueError: if the two networks differ in their numbers of layers and heads.
    """
    if one.shape != other.shape:
        raise ValueError(
            f"the two models must have as many layers and heads; got {one.shape} and {other.shape}"
        )
    (i, j), (k, m) = pair, pair_there
    return one.weights[..., i, j] - other.weights[..., k, m]
