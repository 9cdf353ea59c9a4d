"""The parameters of a Transformer, counted from a list of all its tensors.

    E   V × d        P   T_max × d        S   segments × d
    attention   4 (d² + d)         MLP   2 d d_ff + d_ff + d         LayerNorm   2 d

The sizes name a family: BERT, RoBERTa, ALBERT, GPT, GPT-2 or the encoder–decoder of the paper. The
number of heads n_h changes no count: n_h heads of d / n_h are as wide as one of d. Shapes are those
of x W, vectors in rows; torch stores Wᵀ.

Source: Vaswani et al. 2017, table 3; Devlin et al. 2019, section 3; Lan et al. 2020, section 3.1.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import groupby
from typing import TYPE_CHECKING, Literal, get_args

from lmcore import dataframes
from lmcore.checks import check_between
from lmcore.dataframes import Table
from lmcore.models.layers import check_size
from lmcore.pretrained.names import WeightName
from lmcore.transformer.weight_names import ENCODERS, Kind, weight_names

if TYPE_CHECKING:
    from pandas import DataFrame

    from lmcore.models.transformer_config import TransformerConfig

Part = Literal[
    "token embedding",
    "positions",
    "self-attention",
    "cross-attention",
    "MLP",
    "LayerNorm",
    "head",
]
PARTS: tuple[Part, ...] = get_args(Part)
MOST_TYPES, WIDEST, MOST_LAYERS, MOST_PLACES = 1_000_000, 20_000, 200, 100_000
MOST_SEGMENTS = 16
MATRICES: dict[str, tuple[str, str]] = {
    "embedding.token": ("V", "e"),
    "embedding.position": ("T_max", "e"),
    "embedding.segment": ("segments", "e"),
    "embedding.widen": ("e", "d"),
    "query": ("d", "d"),
    "key": ("d", "d"),
    "value": ("d", "d"),
    "attention.output": ("d", "d"),
    "cross.output": ("d", "d"),
    "mlp.up": ("d", "d_ff"),
    "mlp.down": ("d_ff", "d"),
    "pooler": ("d", "d"),
    "head.dense": ("d", "e"),
    "head.output": ("e", "V"),
    "output": ("d", "V"),
}
"""The end of a matrix's name → its rows and columns; of two that fit, the longer one."""
LETTERS = {
    "V": "vocabulary",
    "d": "width",
    "d_ff": "hidden",
    "e": "embedding",
    "T_max": "places",
    "segments": "segments",
}
"""A letter of `MATRICES` → the size that it stands for."""


@dataclass(frozen=True, slots=True)
class Sizes:
    """What a Transformer's parameters depend on.

    `width` is d, `layers` N (of an encoder–decoder: in each of the two stacks), `heads` n_h,
    `hidden` d_ff, `places` the rows of P: 0 for sinusoids. `head` is the one that fills in masked
    words, `pooler` the layer with tanh over [CLS]; only encoders have these. With `tied` U is Eᵀ.
    `narrow` is e, the width of ALBERT's embeddings, and `shared` whether all its layers have the
    same weights; other kinds have neither.
    """

    kind: Kind
    vocabulary: int
    width: int
    layers: int
    heads: int
    hidden: int
    places: int
    segments: int = 0
    head: bool = False
    pooler: bool = False
    tied: bool = True
    narrow: int | None = None
    shared: bool = False

    def __post_init__(self) -> None:
        """Raises ValueError naming what is out of bounds or does not go together."""
        check_size("the vocabulary V", self.vocabulary, MOST_TYPES)
        check_size("the width d", self.width, WIDEST)
        check_size("the number of layers N", self.layers, MOST_LAYERS)
        check_size("the number of heads n_h", self.heads, self.width)
        check_size("the MLP's width d_ff", self.hidden, 8 * WIDEST)
        check_between("the number of positions T_max", self.places, 0, MOST_PLACES)
        check_between("the number of segments", self.segments, 0, MOST_SEGMENTS)
        if self.width % self.heads:
            raise ValueError(
                f"the width d must be a multiple of the number of heads n_h, {self.heads}; "
                f"got {self.width}"
            )
        if self.kind == "albert":
            check_size("the embedding's width e", self.narrow or 0, WIDEST)
        elif self.narrow is not None or self.shared:
            raise ValueError(
                "the embedding's width e and shared layers must be those of an ALBERT; "
                f"got a model of the kind {self.kind}"
            )
        if (self.head or self.pooler) and self.kind not in ENCODERS:
            raise ValueError(
                f"a head for masked words and a pooler must be those of an encoder; got {self.kind}"
            )

    @property
    def embedding(self) -> int:
        """The width of E, P and S: e in an ALBERT, else d."""
        return self.narrow or self.width

    @property
    def stored_layers(self) -> int:
        """Layers with weights of their own in a stack."""
        return 1 if self.shared else self.layers

    def size(self, letter: str) -> int:
        """The size that a letter of `MATRICES` stands for."""
        return int(getattr(self, LETTERS[letter]))


@dataclass(frozen=True, slots=True)
class WeightTensor:
    """A tensor of a model, by all its names.

    `layer` is counted from 1; 0 outside the layers, and in a layer that all share.
    """

    part: Part
    layer: int
    symbol: str
    ours: str
    file: str
    """HuggingFace's name. Of GPT-2, Q, K and V are thirds of one tensor."""
    axes: tuple[str, ...]
    """The rows and columns of a matrix, in x W; the length of a vector."""
    shape: tuple[int, ...]

    @property
    def count(self) -> int:
        """The number of its entries."""
        return math.prod(self.shape)

    def to_frame(self) -> DataFrame:
        """One row: part, layer, symbol, axes, shape, parameters, our name, HuggingFace's name."""
        return dataframes.one_row(
            {
                "part": self.part,
                "layer": self.layer,
                "symbol": self.symbol,
                "axes": " × ".join(self.axes),
                "shape": " × ".join(map(str, self.shape)),
                "parameters": self.count,
                "lmcore": self.ours,
                "HuggingFace": self.file,
            }
        )


def weight_tree(sizes: Sizes) -> Table[WeightTensor]:
    """Every tensor of the model, in the order of the forward pass as far as the names have one."""
    rows = weight_names(sizes.kind, head=sizes.head, pooler=sizes.pooler, tied=sizes.tied)
    tensors = list[WeightTensor]()
    for stack, group in groupby(rows, key=_stack):
        named = [(row, i) for row in group for i in range(len(row.ours))]
        for n in range(sizes.stored_layers) if stack else (None,):
            tensors += (_tensor(sizes, row, i, n) for row, i in named)
    return Table(each for each in tensors if each.count)


def count_by_part(sizes: Sizes) -> dict[Part, int]:
    """The parameters of each part that the model has: those of one layer, times their number."""
    counts = dict.fromkeys(PARTS, 0)
    for each in weight_tree(replace(sizes, layers=1)):
        counts[each.part] += each.count * (sizes.stored_layers if each.layer else 1)
    return {part: count for part, count in counts.items() if count}


@lru_cache(maxsize=256)
def count_parameters(sizes: Sizes) -> int:
    """The parameters of the model."""
    return sum(count_by_part(sizes).values())


def sizes_of(
    config: TransformerConfig, kind: Kind, *, head: bool = False, pooler: bool = False
) -> Sizes:
    """The sizes of a model of lmcore.

    Raises:
        ValueError: as `Sizes`.
    """
    return Sizes(
        kind,
        config.vocabulary,
        config.width,
        config.layers,
        config.heads,
        config.hidden,
        config.longest if config.positions == "learned" else 0,
        config.segments,
        head,
        pooler,
        config.tied,
    )


def _stack(row: WeightName) -> str:
    """The stack of layers that a tensor is in, such as `blocks`; nothing outside the layers."""
    before, inside, _ = row.ours[0].partition(".{n}.")
    return before if inside else ""


def _tensor(sizes: Sizes, row: WeightName, i: int, n: int | None) -> WeightTensor:
    """The tensor `ours[i]` of a row, in layer n of its stack."""
    ours, thirds = row.ours[i], len(row.ours)
    axes = _axes(ours) if sizes.narrow else tuple("d" if a == "e" else a for a in _axes(ours))
    file = row.file.replace("{n}", str(n))
    return WeightTensor(
        _part(ours),
        0 if n is None or sizes.shared else n + 1,
        row.paper.strip("[]").split()[i],
        ours.replace("{n}", str(n)),
        f"{file} ({i + 1} of {thirds})" if thirds > 1 else file,
        axes,
        tuple(map(sizes.size, axes)),
    )


@lru_cache(maxsize=512)
def _axes(ours: str) -> tuple[str, ...]:
    """The axes of a tensor, from our name, whose layer is {n}."""
    module, _, kind = ours.rpartition(".")
    if module == "head":
        return ("V",)  # the bias b_2
    ends = [end for end in MATRICES if module == end or module.endswith(f".{end}")]
    if ends:
        matrix = MATRICES[max(ends, key=len)]
        return matrix[1:] if kind == "bias" else matrix
    return ("e",) if module in ("norm", "head.norm") else ("d",)  # γ or β


@lru_cache(maxsize=512)
def _part(ours: str) -> Part:
    """The part of a model that a tensor belongs to, from our name, whose layer is {n}."""
    module = ours.rpartition(".")[0]
    if module.startswith(("head", "pairs", "output")):
        return "head"
    if module.startswith("embedding"):
        at_positions = module in ("embedding.position", "embedding.segment")
        return "positions" if at_positions else "token embedding"
    if module.endswith("norm"):
        return "LayerNorm"
    inside = module.rpartition(".")[0]
    parts: dict[str, Part] = {"mlp": "MLP", "cross": "cross-attention"}
    return parts.get(inside.rpartition(".")[2], "self-attention")
