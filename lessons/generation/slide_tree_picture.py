"""The slide's tree: the numbers that follow the sliders, and its picture."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple, TypedDict

import torch
from jaxtyping import Float64, Int64
from torch import Tensor

from drawing.payload import Script
from lmcore.decoding import tree_paths
from lmcore.decoding.tree import NEXT, TreeModel
from lmcore.decoding.tree_paths import NODES, TEXTS, SampledShares
from lmcore.vocabulary import START

POSITIONS = 51
"""The number of positions of each slider."""
ROLES = ("activation", "input", "weight")
"""The colour roles of the sliders of each node."""
EDGE_SOURCES = (
    "The lecture gives two paths: *ok ok* .28 and *yes yes* .20. The single edges are filled in "
    "after the textbook’s figure (Jurafsky & Martin 13.7); there the edges after *yes* sum to .9, "
    "so its `</s>` is .3 here, which changes neither path."
)
STEADY = (
    "Here the probabilities of whole texts are compared (length penalty 0), as on the slide; log "
    "p / t counts the words and `</s>`. The standard error is that of a share of that many draws. "
    "Moving an edge changes the others of its node in proportion, so that all still sum to 1; "
    "where the others are all 0, they share equally."
)


class SlideTreeState(NamedTuple):
    """The tree, and the texts drawn from it."""

    edges: Float64[Tensor, "node edge"]
    width: int
    sample_count: int
    uniforms: Float64[Tensor, "draw step"]
    """The whole stream; the first `sample_count` draws are used."""


def edge_name(node: int, edge: int) -> str:
    """The name of an edge among the numbers."""
    return f"e{node}{edge}"


def text_label(text: tuple[str, ...]) -> str:
    """A text as it is written on screen."""
    return " ".join(text) or "(empty)"


def numbers(
    edges: Float64[Tensor, "tree node edge"],
    width: int,
    count: Int64[Tensor, " tree"],
    sampled: SampledShares,
) -> dict[str, Tensor]:
    """Every number on screen under its name, for each tree."""
    found: dict[str, Tensor] = {}
    for node in range(len(NODES)):
        for edge in range(len(NEXT)):
            found[edge_name(node, edge)] = edges[:, node, edge]
    p, verdicts = tree_paths.text_probabilities(edges), tree_paths.search_results(edges, (width,))
    for i in range(len(TEXTS)):
        found |= {f"p{i}": p[:, i], f"f{i}": sampled.shares[:, i], f"s{i}": sampled.errors[:, i]}
    picked = {"greedy": verdicts.greedy, "beam": verdicts.beams[0], "best": verdicts.best}
    for name, text in picked.items():
        found[f"@{name}"] = text.double()
        found[f"{name}p"] = p.gather(1, text[:, None])[:, 0]
    missed = found["beamp"] < found["bestp"]
    say = 2 * (verdicts.greedy * len(TEXTS) + verdicts.beams[0]) + missed
    chosen = {"@say": say.double(), "@formula": verdicts.beams[0].double()}
    return found | chosen | {"n": count.double()}


def current_numbers(shown: SlideTreeState) -> dict[str, Tensor]:
    """The numbers at the current settings."""
    one = shown.edges[None]
    return {name: each[0] for name, each in _of_trees(one, shown).items()}


def swept_numbers(
    shown: SlideTreeState, positions: Float64[Tensor, "slider position"]
) -> dict[str, Tensor]:
    """The numbers at every position of every slider: the edges, then the number of texts."""
    parts = []
    for at, values in enumerate(positions[:-1]):
        node, edge = divmod(at, len(NEXT))
        parts.append(_of_trees(tree_paths.move_edge(shown.edges, node, edge, values), shown))
    counts = positions[-1].long()
    walks = tree_paths.sample_texts(shown.edges[None], shown.uniforms)[0]
    p = tree_paths.text_probabilities(shown.edges[None])[0]
    still = shown.edges.expand(len(counts), -1, -1)
    grown = tree_paths.running_shares(walks, p, counts)
    parts.append(numbers(still, shown.width, counts, grown))
    return {name: torch.stack([part[name] for part in parts]) for name in parts[0]}


def _of_trees(edges: Float64[Tensor, "tree node edge"], shown: SlideTreeState) -> dict[str, Tensor]:
    p = tree_paths.text_probabilities(edges)
    walks = tree_paths.sample_texts(edges, shown.uniforms[: shown.sample_count])
    counts = torch.full((len(edges),), shown.sample_count)
    return numbers(edges, shown.width, counts, tree_paths.sampled_shares(walks, p))


class SlideTreePayload(TypedDict):
    """Every text of the slide's tree, and the words of an edge."""

    texts: list[str]
    words: list[str]
    start: str
    width: int


SEARCHED = ("greedy", "beam", "best")
SLIDE_TREE = Script(
    "slidetree",
    SlideTreePayload,
    (
        "e##",
        "p#",
        "f#",
        "s#",
        "n",
        *(f"@{name}" for name in SEARCHED),
        *(f"{name}p" for name in SEARCHED),
        "@say",
        "@formula",
    ),
)
"""`numbers` explains them."""


def picture(width: int) -> SlideTreePayload:
    """The data of `lessons/generation/slidetree.js` without the numbers."""
    return {
        "texts": [text_label(text) for text in TEXTS],
        "words": list(NEXT),
        "start": START,
        "width": width,
    }


def columns(drawn: int) -> list[str]:
    """The columns of the table of texts."""
    return ["text", "p", "log p", "log p / t", f"share of {drawn:,} drawn", "standard error"]


def rows(read: Mapping[str, float]) -> list[tuple[str, *tuple[float, ...]]]:
    """One row per text: p, log p, log p / t, the share drawn and its standard error."""
    p = torch.tensor([read[f"p{i}"] for i in range(len(TEXTS))], dtype=torch.float64)
    logs, scores = p.log().tolist(), tree_paths.scores(p).tolist()
    return [
        (text_label(text), read[f"p{i}"], logs[i], scores[i], read[f"f{i}"], read[f"s{i}"])
        for i, text in enumerate(TEXTS)
    ]


def is_the_slides(edges: Float64[Tensor, "node edge"]) -> bool:
    """Whether the edges are those of the slide."""
    return bool(torch.allclose(edges, tree_paths.edges_tensor(TreeModel()), atol=1e-9))
