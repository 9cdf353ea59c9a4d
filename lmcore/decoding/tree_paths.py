"""Greedy search, beam search and sampling in closed form, for a batch of the slide's trees.

A batch of trees is a tensor of edges: for each of the nodes `<s>`, `<s> yes` and `<s> ok` the
probabilities of yes, ok and `</s>`. A text's probability is the product along its path.

    greedy     the largest edge at each node
    beam, k    as `beam.py` with a length penalty of 0: whole texts are compared by log p
    sampling   at each node the first edge up to which the probabilities sum to more than u

`beam.search` and `writing.generate_steps` give the same results one tree at a time, also for ties,
as tests verify.

Source: lecture "How to use an LM for Generation"; Jurafsky & Martin, Figure 13.7.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

import torch
from jaxtyping import Float64, Int64
from torch import Tensor

from lmcore import dataframes
from lmcore.decoding.tree import NEXT, Edges, TreeModel
from lmcore.typed import fold_number, fold_numbers

if TYPE_CHECKING:
    from pandas import DataFrame

NODES: tuple[tuple[str, ...], ...] = ((), ("yes",), ("ok",))
"""The nodes with several edges, in the order of a tensor of edges."""
TEXTS: tuple[tuple[str, ...], ...] = (
    ("yes", "yes"),
    ("yes", "ok"),
    ("yes",),
    ("ok", "yes"),
    ("ok", "ok"),
    ("ok",),
    (),
)
"""All texts of the tree: those that begin with yes, those with ok, and the empty one."""
EMPTY = len(TEXTS) - 1
WORDS = len(NEXT) - 1
STREAM = 10_000
"""The most texts that are sampled."""
DIGITS = 12
"""Significant digits of an edge in the page address: a node's sum stays within `tree.NEAR` of 1."""


class SearchResults(NamedTuple):
    """For each tree, indices into `TEXTS`: of greedy search, of each beam, and of the best."""

    greedy: Int64[Tensor, " tree"]
    beams: Int64[Tensor, "width tree"]
    """One row per width, in the given order."""
    best: Int64[Tensor, " tree"]


class SampledShares(NamedTuple):
    """The share of each text among the samples, and its standard error."""

    shares: Float64[Tensor, "*batch text"]
    errors: Float64[Tensor, "*batch text"]
    """√(p(1 − p)/n), of the tree's own p"""

    def to_frame(self) -> DataFrame:
        """One row per text: the index in `TEXTS`, its share, the standard error."""
        return dataframes.entries("*batch text", {"share": self.shares, "error": self.errors})


def edges_tensor(tree: TreeModel) -> Float64[Tensor, "node edge"]:
    """The edges of one tree."""
    return torch.tensor([tree.edges[node] for node in NODES], dtype=torch.float64)


def move_edge(
    edges: Float64[Tensor, "node edge"], node: int, edge: int, to: Float64[Tensor, " tree"]
) -> Float64[Tensor, "tree node edge"]:
    """Set one edge to each of these probabilities; the other edges of its node share the rest.

    They keep their proportions; if all of them are 0 they get equal shares.

    Raises:
        ValueError: if a probability is not from 0 to 1.
    """
    if not bool(((to >= 0) & (to <= 1)).all()):
        worst = to[((to < 0) | (to > 1) | to.isnan())][0]
        raise ValueError(f"the probability of an edge must be from 0 to 1; got {float(worst):g}")
    others = edges[node].clone()
    others[edge] = 0
    total = float(others.sum())
    if total > 0:
        shares = others / total
    else:
        shares = torch.ones_like(others) / (len(others) - 1)
        shares[edge] = 0
    rows = (1 - to)[:, None] * shares
    rows[:, edge] = to
    batch = edges.expand(len(to), -1, -1).clone()
    batch[:, node] = rows
    return batch


def text_probabilities(edges: Float64[Tensor, "tree node edge"]) -> Float64[Tensor, "tree text"]:
    """p of each of `TEXTS`."""
    root, rest = edges[:, 0], edges[:, 1:]
    return torch.cat([(root[:, :WORDS, None] * rest).flatten(1), root[:, WORDS:]], dim=1)


def scores(p: Float64[Tensor, "*tree text"]) -> Float64[Tensor, "*tree text"]:
    """log p / t of each of `TEXTS`, t its words and `</s>`; −∞ where p is 0."""
    return p.log() / torch.tensor([len(text) + 1 for text in TEXTS])


def search_results(
    edges: Float64[Tensor, "tree node edge"], widths: Sequence[int] = (1, 2, 3, 4)
) -> SearchResults:
    """The texts found by greedy search and by beams of these widths, and the best text."""
    log_p = edges.log().log_softmax(dim=-1)
    first = log_p[:, 0].argmax(dim=1)
    second = log_p[:, 1:].argmax(dim=2)
    below = second.gather(1, first.clamp(max=WORDS - 1)[:, None])[:, 0]
    greedy = torch.where(first == WORDS, EMPTY, len(NEXT) * first + below)
    beams = torch.stack([_beam(log_p, width) for width in widths])
    return SearchResults(greedy, beams, text_probabilities(edges).argmax(dim=1))


def _beam(log_p: Float64[Tensor, "tree node edge"], width: int) -> Int64[Tensor, " tree"]:
    """The best text that ends in a beam of this width; of ties, the first to end."""
    root = log_p[:, 0]
    empty = root[:, WORDS:].where(_place(root)[:, WORDS:] < width, -math.inf)
    # The survivors, in the order of the beam, which also decides later ties.
    order = root[:, :WORDS].argsort(dim=1, descending=True, stable=True)
    begun = root[:, :WORDS].gather(1, order).where(torch.arange(WORDS) < width, -math.inf)
    after = log_p[:, 1:].gather(1, order[:, :, None].expand(-1, -1, len(NEXT)))
    total = begun[:, :, None] + after
    ends, words = total[:, :, WORDS], total[:, :, :WORDS].flatten(1)
    ends = ends.where(_place(total.flatten(1)).view_as(total)[:, :, WORDS] < width, -math.inf)
    words = words.where(_place(words) < width, -math.inf)
    numbers = len(NEXT) * order[:, :, None] + torch.arange(len(NEXT))
    texts = (
        torch.full_like(numbers[:, 0, :1], EMPTY),
        numbers[:, :, WORDS],
        numbers[:, :, :WORDS].flatten(1),
    )
    best = torch.cat([empty, ends, words], dim=1).argmax(dim=1, keepdim=True)
    return torch.cat(texts, dim=1).gather(1, best)[:, 0]


def _place(p: Float64[Tensor, "tree some"]) -> Int64[Tensor, "tree some"]:
    """The rank of each from 0, the largest first; ties keep their order."""
    return p.argsort(dim=1, descending=True, stable=True).argsort(dim=1)


def uniform_draws(seed: int, count: int = STREAM) -> Float64[Tensor, "draw step"]:
    """The u's of a series of samples; a longer series begins with the shorter one.

    Raises:
        ValueError: if the count is not from 1 to `STREAM`.
    """
    if not 1 <= count <= STREAM:
        raise ValueError(f"the number of texts must be from 1 to {STREAM:,}; got {count:,}")
    generator = torch.Generator().manual_seed(seed)
    return torch.rand(STREAM, WORDS, dtype=torch.float64, generator=generator)[:count]


def sample_texts(
    edges: Float64[Tensor, "tree node edge"], u: Float64[Tensor, "draw step"]
) -> Int64[Tensor, "tree draw"]:
    """The index of the text that each sample ends in."""
    steps = edges.cumsum(dim=2)
    ladder = (steps / steps[:, :, -1:])[:, :, :WORDS]
    first = (ladder[:, 0, :, None] <= u[:, 0]).sum(dim=1)
    below = torch.stack([(ladder[:, 1 + w, :, None] <= u[:, 1]).sum(dim=1) for w in range(WORDS)])
    second = below.gather(0, first.clamp(max=WORDS - 1)[None])[0]
    return torch.where(first == WORDS, EMPTY, len(NEXT) * first + second)


def sampled_shares(
    found: Int64[Tensor, "tree draw"], p: Float64[Tensor, "tree text"]
) -> SampledShares:
    """The share of each text among the draws, with the standard error of such a share."""
    count = found.shape[1]
    rows = torch.arange(len(found), device=found.device)[:, None] * len(TEXTS)
    counts = torch.bincount((found + rows).flatten(), minlength=len(found) * len(TEXTS))
    shares = counts.view(len(found), len(TEXTS)).double() / count
    return SampledShares(shares, (p * (1 - p) / count).sqrt())


def running_shares(
    found: Int64[Tensor, " draw"], p: Float64[Tensor, " text"], counts: Int64[Tensor, " size"]
) -> SampledShares:
    """The same for the first n draws, for each n of `counts`."""
    ever = torch.nn.functional.one_hot(found, len(TEXTS)).cumsum(dim=0)
    shares = ever[counts - 1].double() / counts[:, None]
    return SampledShares(shares, (p * (1 - p) / counts[:, None]).sqrt())


def format_edges(edges: Float64[Tensor, "node edge"]) -> str:
    """The edges as text for the page address: three numbers per node, nodes separated by commas."""
    return ", ".join(" ".join(f"{p:.{DIGITS}g}" for p in row) for row in edges.tolist())


def parse_edges(text: str) -> Float64[Tensor, "node edge"]:
    """The edges from a text of `format_edges`.

    Raises:
        ValueError: if there are not three numbers for each of three nodes, or one is not a
            probability, or those of a node do not sum to 1.
    """
    typed = fold_numbers(text)
    rows = [part.split() for part in typed.split(";" if ";" in typed else ",")]
    if [len(row) for row in rows] != [len(NEXT)] * len(NODES):
        raise ValueError(
            f"the edges must be {len(NEXT)} numbers for each of {len(NODES)} nodes, with commas "
            f"between the nodes; got {text[:60]!r}"
        )
    edges: Edges = {
        node: tuple(_number(cell) for cell in row) for node, row in zip(NODES, rows, strict=True)
    }
    return edges_tensor(TreeModel(edges))


def _number(text: str) -> float:
    try:
        return float(fold_number(text))
    except ValueError:
        raise ValueError(f"an edge must be a number; got {text[:40]!r}") from None
