"""Runs a Transformer under given masks: what one head computes, and what the model predicts.

All masks of a text form one batch, one row each, so that a slider can move through them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor

from lmcore import dataframes
from lmcore.dataframes import Trace
from lmcore.evaluation import sentence
from lmcore.masking.mask_choice import LONGEST
from lmcore.models.attention import attention
from lmcore.models.encoder_decoder import Transformer
from lmcore.models.gpt import GPT
from lmcore.models.transformer_config import TransformerConfig
from lmcore.typed import fold
from lmcore.vocabulary import START, Vocabulary

if TYPE_CHECKING:
    from pandas import DataFrame

PAD = "[PAD]"
TEXTS = 3
"""The most texts in a batch."""
LETTERS = 20
"""The longest word, in letters; longer ones are truncated."""
ROWS = 64
"""Rows of an untrained model's E, assigned to words in order of appearance."""
SMALL = TransformerConfig(ROWS, longest=2 * LONGEST)


class MaskText(NamedTuple):
    """A typed text as tokens and ids."""

    tokens: tuple[str, ...]
    ids: tuple[int, ...]
    cut: bool = False
    """Whether the text was truncated"""


@dataclass(frozen=True, slots=True)
class MaskedHeadTrace(Trace):
    """One head under each mask of a batch, then the output of the whole model, in this order."""

    mask: Bool[Tensor, "batch query key"]
    scaled: Float[Tensor, "batch query key"]
    """q·k/√d_k"""
    masked: Float[Tensor, "batch query key"]
    weights: Float[Tensor, "batch query key"]
    context: Float[Tensor, "batch query d_k"]
    """z: the weighted average of the head's values"""
    output: Float[Tensor, "batch query width"]
    """The vector of each position after the last layer"""
    logits: Float[Tensor, "batch query vocabulary"]


def encode_text(text: str, vocabulary: Vocabulary | None = None, *, start: bool = True) -> MaskText:
    """The first tokens of a text, `<s>` in front; without a vocabulary any words are allowed.

    Raises:
        ValueError: if there is no word, or a word is not in the vocabulary.
    """
    most = LONGEST - start
    split_up = fold(text).split() if vocabulary is None else vocabulary.split(text)
    typed = [word for word in split_up if word != START]
    if not typed:
        raise ValueError(f"the text must have 1 word or more, of which {most} are read; got none")
    if vocabulary is None:
        shown = [w if len(w) <= LETTERS else w[: LETTERS - 1] + "…" for w in typed[:most]]
        tokens = (*([START] if start else []), *shown)
        (one,) = number_words([MaskText(tokens, (), len(typed) > most)])
        return one
    ids = sentence.encode_sentence(vocabulary, " ".join(typed[:most]))
    return MaskText(tuple(vocabulary.decode(ids)), ids, len(typed) > most)


def encode_batch(text: str, vocabulary: Vocabulary | None = None) -> tuple[MaskText, ...]:
    """Texts separated by a vertical bar: `the cat sleeps | nobody was there`.

    Raises:
        ValueError: if there are none or too many, or as `encode_text`, naming the text.
    """
    parts = [part for part in text.split("|") if part.strip()]
    if not 2 <= len(parts) <= TEXTS:
        raise ValueError(
            f"a batch must hold 2 or {TEXTS} texts with | between them; got {len(parts)}"
        )
    if vocabulary is None:
        return number_words([encode_text(part) for part in parts])
    return tuple(_encode_numbered(n, part, vocabulary) for n, part in enumerate(parts, start=1))


def number_words(texts: Sequence[MaskText]) -> tuple[MaskText, ...]:
    """The texts with ids assigned to their words: a word has the same id in all of them."""
    known = list(dict.fromkeys([START, PAD, *(word for one in texts for word in one.tokens)]))
    return tuple(one._replace(ids=tuple(map(known.index, one.tokens))) for one in texts)


def _encode_numbered(n: int, text: str, vocabulary: Vocabulary) -> MaskText:
    try:
        return encode_text(text, vocabulary)
    except ValueError as error:
        error.args = (f"text {n} of the batch: {error}",)
        raise


def pad_batch(batch: Sequence[MaskText], filler: int) -> tuple[tuple[tuple[str, ...], ...], Tensor]:
    """The texts padded with [PAD] to the longest: their tokens, and their ids."""
    longest = max(len(one.ids) for one in batch)
    missing = [longest - len(one.ids) for one in batch]
    tokens = tuple(one.tokens + (PAD,) * n for one, n in zip(batch, missing, strict=True))
    ids = [one.ids + (filler,) * n for one, n in zip(batch, missing, strict=True)]
    return tokens, torch.tensor(ids)


def untrained_gpt(seed: int = 0) -> GPT:
    """A GPT with random weights, in float64: it reads any words; its outputs are meaningless."""
    return GPT(SMALL, seed).double()


def untrained_transformer(seed: int = 0) -> Transformer:
    """An encoder and a decoder as in the paper, with random weights, in float64."""
    config = replace(SMALL, norm="post", activation="relu", positions="sinusoidal")
    return Transformer(config, seed).double()


@torch.no_grad()
def trace_masked_head(
    network: GPT,
    tokens: Int[Tensor, "#batch time"],
    mask: Bool[Tensor, "#batch #query key"],
    *,
    layer: int = 0,
    head: int = 0,
) -> MaskedHeadTrace:
    """One forward for all the masks; a single text is repeated for each mask.

    The model computes Q, K and V of the head; `attention` applies the mask, as in its forward.

    Raises:
        ValueError: if the model has no such layer or head.
    """
    _check_index("the layer", layer, network.config.layers)
    _check_index("the head", head, network.config.heads)
    mask = mask.expand(-1, tokens.shape[1], -1)
    trace = network(tokens.expand(len(mask), -1), mask=mask)
    heads = trace.blocks[layer].attention
    one = attention(heads.query[:, head], heads.key[:, head], heads.value[:, head], mask)
    return MaskedHeadTrace(
        mask, one.scaled, one.masked, one.weights, one.context, trace.normed, trace.logits
    )


@torch.no_grad()
def trace_cross_attention(
    network: Transformer,
    source: Int[Tensor, " source"],
    target: Int[Tensor, " target"],
    *,
    layer: int = 0,
    head: int = 0,
) -> tuple[MaskedHeadTrace, MaskedHeadTrace]:
    """A decoder's self-attention and its cross-attention, from one forward.

    Raises:
        ValueError: if the model has no such layer or head.
    """
    _check_index("the layer", layer, network.config.layers)
    _check_index("the head", head, network.config.heads)
    trace = network(source[None], target[None])
    block = trace.decoder[layer]
    traces = []
    for heads in (block.attention, block.cross):
        q, k, v = heads.query[:, head], heads.key[:, head], heads.value[:, head]
        shape = len(q), q.shape[1], k.shape[1]
        mask = torch.ones(shape, dtype=torch.bool) if heads.mask is None else heads.mask
        one = attention(q, k, v, mask.expand(shape))
        traces.append(
            MaskedHeadTrace(
                mask.expand(shape),
                one.scaled,
                one.masked,
                one.weights,
                one.context,
                trace.hidden,
                trace.logits,
            )
        )
    return traces[0], traces[1]


def _check_index(name: str, index: int, count: int) -> None:
    if not 0 <= index < count:
        raise ValueError(f"{name} must be from 0 to {count - 1}; got {index}")


class NextTokenComparison(NamedTuple):
    """The most probable next tokens under one mask, and their p under both."""

    ids: tuple[int, ...]
    one: Float[Tensor, " token"]
    other: Float[Tensor, " token"]

    def to_frame(self, vocabulary: Vocabulary | None = None) -> DataFrame:
        """One row per token: the token, p under one mask, p under the other.

        Tokens are ids, or words if the vocabulary is given.
        """
        tokens = dataframes.token_names(self.ids, vocabulary)
        return dataframes.frame({"token": tokens, "one": self.one, "other": self.other})


def compare_next_tokens(
    one: Float[Tensor, " vocabulary"], other: Float[Tensor, " vocabulary"], count: int = 5
) -> NextTokenComparison:
    """The `count` most probable tokens of the first logits, with their p in both."""
    p, q = one.double().softmax(-1), other.double().softmax(-1)
    ids = p.topk(min(count, len(p))).indices
    return NextTokenComparison(tuple(ids.tolist()), p[ids], q[ids])
