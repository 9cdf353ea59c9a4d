"""How well a network translates: exact match by length of the source, and what its own words cost.

    exact match       share of sources whose whole target is written word for word, greedily
    teacher-forced    L = mean of −log p(y_i | y_1 … y_{i−1}, x)      after the true words
    free-running      L = mean of −log p(y_i | ŷ_1 … ŷ_{i−1}, x)      after its own words ŷ

The two losses differ by what training with the true words hides: exposure bias.

Source: Ranzato et al. 2016 (exposure bias); Cho et al. 2014b and Bahdanau et al. 2015, figure 2
(quality against length); Jain & Wallace 2019 (permuted attention).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import torch
from jaxtyping import Float64, Int
from torch import Tensor

from lmcore import dataframes
from lmcore.corpora.translation import (
    PAD,
    Words,
    held_out_sources,
    translate,
    translation_vocabulary,
)
from lmcore.dataframes import Table
from lmcore.models.recurrent_seq2seq import Seq2Seq
from lmcore.models.registry import TranslationModel, device_of
from lmcore.models.soft_attention import random_orders
from lmcore.networks.seeds import share_interval
from lmcore.training.batches import Batch
from lmcore.training.translation_batches import (
    encode_sources,
    translation_batch,
    write_translations,
)

if TYPE_CHECKING:
    from pandas import DataFrame

SENTENCES = 1000
"""Sources per length; fewer where the task has fewer held out."""
BATCH = 500
"""Sources translated at once."""


@dataclass(frozen=True, slots=True)
class LengthScore:
    """Exact match on held-out sources of one length."""

    length: int
    """Words of each source."""
    exact: int
    """How many targets are right in every word."""
    sentences: int

    @property
    def interval(self) -> tuple[float, float, float]:
        """The share of exact matches, and the ends of Wilson's 95 % interval."""
        return share_interval(self.exact, self.sentences)

    def to_frame(self) -> DataFrame:
        """One row: length, exact, sentences, share, low, high."""
        share, low, high = self.interval
        counted = {"length": self.length, "exact": self.exact, "sentences": self.sentences}
        return dataframes.one_row(counted | {"share": share, "low": low, "high": high})


@dataclass(frozen=True, slots=True)
class ExposureBias:
    """Losses per place of the target, nats per token, after the true words and after its own."""

    teacher_forced: Float64[Tensor, " place"]
    free_running: Float64[Tensor, " place"]
    tokens: Int[Tensor, " place"]
    """Targets that have a word at this place, `</s>` included."""

    @property
    def losses(self) -> tuple[float, float]:
        """Both losses over all tokens: teacher-forced, free-running."""
        whole = self.tokens.sum()
        means = (self.teacher_forced * self.tokens).sum(), (self.free_running * self.tokens).sum()
        return float(means[0] / whole), float(means[1] / whole)

    def to_frame(self) -> DataFrame:
        """One row per place of the target: both losses, and the number of tokens."""
        columns = {
            "teacher-forced": self.teacher_forced,
            "free-running": self.free_running,
            "tokens": self.tokens,
        }
        return dataframes.entries("place", columns)


@dataclass(frozen=True, slots=True)
class PermutationEffect:
    """What becomes of translations when each step's weights α are permuted at random."""

    sentences: int
    exact: int
    exact_permuted: int
    loss: float
    """Teacher-forced, nats per token."""
    loss_permuted: float

    def to_frame(self) -> DataFrame:
        """One row each for α as computed and as permuted: exact match and loss."""
        return dataframes.frame(
            {
                "weights": ["computed", "permuted"],
                "exact": [self.exact, self.exact_permuted],
                "sentences": [self.sentences] * 2,
                "L": [self.loss, self.loss_permuted],
            }
        )


def exact_matches(
    network: TranslationModel, sources: Sequence[Words], task: str, *, seed: int | None = None
) -> list[bool]:
    """For each source, whether its target is written word for word; `seed` permutes α of seq2seq.

    Raises:
        ValueError: as `translate`, for the first source that is not one of the task.
    """
    right: list[bool] = []
    for start in range(0, len(sources), BATCH):
        some = sources[start : start + BATCH]
        order = None if seed is None else _orders(network, encode_sources(some), seed + start)
        written = write_translations(network, some, order=order)
        right += [words == translate(x, task) for words, x in zip(written, some, strict=True)]
    return right


def exact_match_by_length(
    network: TranslationModel,
    task: str,
    lengths: Sequence[int],
    *,
    sentences: int = SENTENCES,
    seed: int = 0,
) -> Table[LengthScore]:
    """Exact match on held-out sources of each length.

    Raises:
        ValueError: as `held_out_sources`.
    """
    scores = []
    for length in lengths:
        sources = held_out_sources(task, length, sentences, seed)
        right = exact_matches(network, sources, task)
        scores.append(LengthScore(length, sum(right), len(right)))
    return Table(scores)


def measure_exposure_bias(
    network: TranslationModel, sources: Sequence[Words], task: str
) -> ExposureBias:
    """The loss after the true words and after the network's own, place by place.

    Raises:
        ValueError: as `translate`.
    """
    batch = translation_batch(sources, task)
    known = batch.targets >= 0
    forced = token_losses(network, batch)
    free = token_losses(network, batch, free_running=True)
    tokens = known.sum(dim=0)
    return ExposureBias(forced.sum(dim=0) / tokens, free.sum(dim=0) / tokens, tokens)


def measure_permutation(
    network: Seq2Seq, sources: Sequence[Words], task: str, seed: int = 0
) -> PermutationEffect:
    """Exact match and loss with the weights α as computed, and permuted within each source.

    Raises:
        ValueError: as `translate`, or if the network has no attention.
    """
    if network.attention is None:
        raise ValueError("weights α can be permuted only in a model with attention; it has none")
    batch = translation_batch(sources, task)
    order = _orders(network, encode_sources(sources), seed)
    tokens = int((batch.targets >= 0).sum())
    return PermutationEffect(
        len(sources),
        sum(exact_matches(network, sources, task)),
        sum(exact_matches(network, sources, task, seed=seed)),
        float(token_losses(network, batch).sum()) / tokens,
        float(token_losses(network, batch, order=order).sum()) / tokens,
    )


@torch.no_grad()
def token_losses(
    network: TranslationModel,
    batch: Batch,
    *,
    free_running: bool = False,
    order: Int[Tensor, "batch source"] | None = None,
) -> Float64[Tensor, "batch time"]:
    """−log p of each word of the targets, in nats; 0 at padding.

    `free_running` reads the most probable word at each step in place of the true one; `order`
    permutes α of seq2seq.
    """
    assert batch.source is not None
    where = device_of(network)
    inputs, targets = batch.inputs.to(where), batch.targets.to(where)
    state: Any = network.encode(batch.source.to(where))
    tokens, losses = inputs[:, 0], list[Tensor]()
    for i in range(inputs.shape[1]):
        logits, _, state = network.step(tokens, state, order=order)
        log_p = logits.double().log_softmax(dim=-1)
        losses.append(-log_p.gather(1, targets[:, i : i + 1].clamp(min=0))[:, 0])
        if i + 1 < inputs.shape[1]:
            tokens = logits.argmax(dim=-1) if free_running else inputs[:, i + 1]
    return (torch.stack(losses, dim=1) * (targets >= 0)).cpu()


def _orders(
    network: TranslationModel, source: Int[Tensor, "batch source"], seed: int
) -> Int[Tensor, "batch source"]:
    mask = source != translation_vocabulary().ids[PAD]
    return random_orders(mask, torch.Generator().manual_seed(seed)).to(device_of(network))
