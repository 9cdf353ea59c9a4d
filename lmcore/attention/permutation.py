"""Permutation equivariance: attention ignores word order, unless positions or a mask encode it.

    f(P x) = P f(x)        for every permutation P of the words

holds for a Transformer without positions and without a mask: each word's vector moves with the word
and is otherwise unchanged. It does not hold with positions, nor with a causal mask, under which a
later word sees more. The weights do not matter: `untrained_encoder` draws them at random. A shuffle
changes the order of summation, so equal means equal up to rounding.

Source: Vaswani et al. 2017, section 3.5; lecture "Representing Order".
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import torch
from jaxtyping import Float, Int
from torch import Tensor

from lmcore import dataframes
from lmcore.models.bert import BERT
from lmcore.models.masks import causal as causal_mask
from lmcore.models.transformer_config import TransformerConfig
from lmcore.parsing import MAX_CHARACTERS, parse_integer
from lmcore.typed import fold, fold_numbers

if TYPE_CHECKING:
    from pandas import DataFrame

MOST_WORDS = 24
WIDTH = 16
TOLERANCE = 1e-9
"""In float64, smaller differences are rounding errors."""


@dataclass(frozen=True, slots=True)
class OrderSpec:
    """Words, their new order, and whether the network has positions and a causal mask.

    `order[t]` is the original position of the word at position t of the shuffled text.
    """

    words: tuple[str, ...]
    order: tuple[int, ...]
    positions: bool = False
    causal: bool = False

    def __post_init__(self) -> None:
        """Raises ValueError naming what is out of bounds."""
        count = len(self.words)
        if not 2 <= count <= MOST_WORDS:
            raise ValueError(f"the text must have from 2 to {MOST_WORDS} words; got {count}")
        if sorted(self.order) != list(range(count)):
            raise ValueError(
                f"the order must hold each place from 0 to {count - 1} once; got "
                f"{' '.join(map(str, self.order)) or 'nothing'}"
            )

    @property
    def shuffled(self) -> tuple[str, ...]:
        """The words in their new order."""
        return tuple(self.words[place] for place in self.order)

    @property
    def unchanged(self) -> bool:
        """Whether every word keeps its place."""
        return self.order == tuple(range(len(self.words)))


def parse_order(
    text: str, order: str, *, positions: bool = False, causal: bool = False
) -> OrderSpec:
    """A spec from typed text: `order` is "seed 3", or positions such as "0 4 2 3 1".

    Raises:
        ValueError: naming what cannot be parsed or is out of bounds.
    """
    if len(text) > MAX_CHARACTERS:
        raise ValueError(
            f"the text must be at most {MAX_CHARACTERS:,} characters; got {len(text):,}"
        )
    words, order = tuple(fold(text).split()), fold_numbers(order).strip()
    if order.lower().startswith("seed"):
        seed = parse_integer(order[len("seed") :], "the seed of the shuffle")
        if seed < 0:
            raise ValueError(f"the seed of the shuffle must be 0 or more; got {seed}")
        places = random_order(len(words), seed)
    else:
        places = tuple(
            parse_integer(place, f"number {i} of the order")
            for i, place in enumerate(order.replace(",", " ").split(), start=1)
        )
    return OrderSpec(words, places, positions, causal)


def next_seed(order: str) -> int:
    """The seed in `order` plus 1, or 1 if it has none."""
    match = re.fullmatch(r"seed\s+(\d{1,8})", order.strip(), re.IGNORECASE)
    return int(match[1]) + 1 if match else 1


class ShuffleResult(NamedTuple):
    """The words' vectors before and after a shuffle, and how much each changed."""

    before: Float[Tensor, "time width"]
    after: Float[Tensor, "time width"]
    """In the new order."""
    back: Float[Tensor, "time width"]
    """The vectors of `after`, in the original order."""
    differences: Float[Tensor, " time"]
    """The largest absolute difference within each word's vector."""

    @property
    def largest(self) -> float:
        """The largest difference over all words."""
        return float(self.differences.max())

    @property
    def unchanged(self) -> int:
        """How many words' vectors are unchanged."""
        return int((self.differences < TOLERANCE).sum())

    @property
    def is_equivariant(self) -> bool:
        """Whether f(P x) = P f(x): the vectors only moved with their words."""
        return self.largest < TOLERANCE

    def to_frame(self) -> DataFrame:
        """One row per word in its old order: place, from 0, and its largest difference."""
        return dataframes.entries("place", {"largest difference": self.differences})


def random_order(count: int, seed: int) -> tuple[int, ...]:
    """A random order for each seed; never the identity, if there is another order."""
    generator = torch.Generator().manual_seed(seed)
    order = tuple(torch.randperm(count, generator=generator).tolist())
    unmoved = order == tuple(range(count))
    return order[1:] + order[:1] if unmoved else order


def untrained_encoder(types: int, *, positions: bool, seed: int = 0) -> BERT:
    """An untrained two-layer encoder in float64, its weights from N(0, 1/n) with n inputs.

    Its weights are the same with sinusoids and without.
    """
    config = TransformerConfig(
        types, WIDTH, 2, 2, 2 * WIDTH, positions="sinusoidal" if positions else "none", norm="post"
    )
    network = BERT(config, seed, head=False).double()
    generator = torch.Generator().manual_seed(seed)
    with torch.no_grad():
        for weight in network.parameters():
            if weight.ndim == 2:
                fan = 1 if weight is network.embedding.token.weight else weight.shape[1]
                weight.normal_(0, fan**-0.5, generator=generator)
    return network


@torch.no_grad()
def shuffle_words(spec: OrderSpec, seed: int = 0) -> ShuffleResult:
    """Run the untrained encoder on the words in both orders."""
    types = {word: i for i, word in enumerate(dict.fromkeys(spec.words))}
    network = untrained_encoder(len(types), positions=spec.positions, seed=seed)
    ids = torch.tensor([[types[word] for word in spec.words]])
    mask = causal_mask(len(spec.words)) if spec.causal else None
    before = network(ids, mask=mask).hidden[0]
    after = network(ids[:, list(spec.order)], mask=mask).hidden[0]
    return compare_orders(before, after, spec.order)


def compare_orders(
    before: Float[Tensor, "time width"], after: Float[Tensor, "time width"], order: Sequence[int]
) -> ShuffleResult:
    """Compare each word's vector in both orders."""
    back = torch.empty_like(after)
    back[list(order)] = after
    return ShuffleResult(before, after, back, (before - back).abs().amax(dim=-1))


class SentenceSimilarity(NamedTuple):
    """The cosine of a trained encoder's mean vectors for two orders of the same words."""

    with_positions: float
    """With its positions."""
    without_positions: float
    """With every word at position 0."""


@torch.no_grad()
def sentence_similarity(
    network: BERT, first: Int[Tensor, " time"], second: Int[Tensor, " time"]
) -> SentenceSimilarity:
    """The similarity of two texts of the same tokens to an encoder, with positions and without.

    Raises:
        ValueError: if the texts do not consist of the same tokens.
    """
    if sorted(first.tolist()) != sorted(second.tolist()):
        raise ValueError("both texts must have the same tokens, in any order; got others")
    where = network.embedding.token.weight.device
    both = (first.to(where), second.to(where))
    cosines = []
    for places in (None, torch.zeros_like(both[0])):
        one, other = (network(ids[None], places=places).hidden[0].mean(0) for ids in both)
        cosines.append(float(torch.cosine_similarity(one.double(), other.double(), dim=0)))
    return SentenceSimilarity(*cosines)
