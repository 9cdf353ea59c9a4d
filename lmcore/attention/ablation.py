"""Head ablation: mute, average or patch a head, and measure how a token's prediction changes.

Two things are compared, with the head and without it: the token's final vector and, if the network
predicts tokens, the log-probability of one of them. The heads of a layer are ablated in one batch,
one row each; the layers below cannot change, so they are not computed again.

Source: Michel et al. 2019, "Are Sixteen Heads Really Better than One?" (muting);
Vig et al. 2020, "Causal Mediation Analysis" (patching, from another text).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Literal, NamedTuple, get_args

import torch
from jaxtyping import Float
from torch import Tensor

from lmcore import dataframes
from lmcore.attention.heads import Head, HeadsTrace, Network, transformer_blocks
from lmcore.checks import check_one_of
from lmcore.dataframes import Table
from lmcore.models.interventions import Average, HeadEdit, Mute, Patch

if TYPE_CHECKING:
    from pandas import DataFrame

AblationKind = Literal["mute", "average", "patch"]
ABLATION_KINDS = get_args(AblationKind)


class TokenPrediction(NamedTuple):
    """A token's final vector, and the log-probabilities in nats if the network predicts tokens."""

    hidden: Float[Tensor, "row width"]
    predicted: Float[Tensor, "row vocabulary"] | None


class AblationEffect(NamedTuple):
    """The effect of ablating a head.

    `turned` is 1 − the cosine of the two vectors, `moved` the length of their difference divided by
    that of the unablated vector; `gained` is the change of the token's log-probability in nats, or
    None.
    """

    head: Head
    turned: float
    moved: float
    gained: float | None

    def to_frame(self) -> DataFrame:
        """One row: head (layer.head, from 0), 1 − cosine, moved, Δ log p in nats."""
        return dataframes.one_row(
            {
                "head": str(self.head),
                "1 − cosine": self.turned,
                "moved": self.moved,
                "Δ log p, nats": self.gained,
            }
        )


def head_edit(
    cut: AblationKind, head: Head, other: HeadsTrace | None, *, layer: int, row: int | None
) -> HeadEdit:
    """The intervention on layer `layer`; a patch is the head's context in `other`.

    Raises:
        ValueError: if there is nothing to patch from.
    """
    if cut == "mute":
        return Mute(layer, head.head, row)
    if cut == "average":
        return Average(layer, head.head, row)
    if other is None:
        raise ValueError("a patch must have another text to come from; got none")
    return Patch(layer, head.head, other.context[head], row)


def check_patch(cut: str, seen: HeadsTrace, other: HeadsTrace | None) -> None:
    """Reject an unknown kind, and a patch between texts of different lengths.

    Raises:
        ValueError: naming the kind, or both lengths.
    """
    check_one_of("what is done", cut, ABLATION_KINDS)
    if cut != "patch" or other is None:
        return
    here, there = len(seen.text.tokens), len(other.text.tokens)
    if here != there or seen.context.shape != other.context.shape:
        raise ValueError(
            f"the text to patch from must have {here} tokens, in the same model; got {there}"
        )


@torch.no_grad()
def predict_token(
    network: Network, seen: HeadsTrace, place: int, edits: Sequence[HeadEdit] = ()
) -> TokenPrediction:
    """The final vector and prediction of the token at `place`, under `edits`."""
    first = min((each.layer for each in edits), default=len(transformer_blocks(network)))
    last = _run_layers(network, seen, first, edits, rows=1)
    return _prediction(network, last, place)


@torch.no_grad()
def ablation_effects(
    network: Network,
    seen: HeadsTrace,
    place: int,
    cut: AblationKind,
    *,
    other: HeadsTrace | None = None,
    token: int | None = None,
    first: int = 0,
) -> Iterator[Table[AblationEffect]]:
    """Layer by layer, from layer `first` on: the effect of each head on the token at `place`.

    `token` is the id whose log-probability is compared; None is the most probable one.

    Raises:
        ValueError: as `check_patch` and `head_edit`.
    """
    check_patch(cut, seen, other)
    before = predict_token(network, seen, place)
    token = compared_token(before, token)
    layers, heads = seen.shape
    for layer in range(first, layers):
        each = [Head(layer, n) for n in range(heads)]
        edits = [head_edit(cut, head, other, layer=layer, row=head.head) for head in each]
        last = _run_layers(network, seen, layer, edits, rows=heads)
        yield compare_predictions(each, before, _prediction(network, last, place), token)


def compared_token(before: TokenPrediction, token: int | None) -> int | None:
    """The id whose log-probability is compared: `token`, else the most probable one, else none."""
    if before.predicted is None:
        return None
    return int(before.predicted[0].argmax()) if token is None else token


def compare_predictions(
    heads: Sequence[Head], before: TokenPrediction, after: TokenPrediction, token: int | None
) -> Table[AblationEffect]:
    """Each row of `after` against `before`."""
    was, now = before.hidden.double(), after.hidden.double()
    turned = 1 - torch.cosine_similarity(now, was, dim=-1)
    moved = (now - was).norm(dim=-1) / was.norm(dim=-1)
    gained: list[float | None] = [None] * len(heads)
    if token is not None and before.predicted is not None and after.predicted is not None:
        gained = (after.predicted[:, token] - before.predicted[:, token]).tolist()
    # A rounding error may leave the cosine just above 1.
    effects = zip(heads, turned.clamp_min(0).tolist(), moved.tolist(), gained, strict=True)
    return Table(AblationEffect(*each) for each in effects)


def _run_layers(
    network: Network, seen: HeadsTrace, first: int, edits: Sequence[HeadEdit], *, rows: int
) -> Float[Tensor, "row time width"]:
    """The output of the last layer; the layers from `first` on are run without keeping traces."""
    where = network.embedding.token.weight.device
    residual = seen.residual[first].to(where).expand(rows, *seen.residual.shape[1:])
    mask = None if seen.mask is None else seen.mask.to(where)
    for layer, block in enumerate(transformer_blocks(network)[first:], start=first):
        here = [each for each in edits if each.layer == layer]
        residual = block(residual, mask, edits=here).output
    return residual


def _prediction(
    network: Network, last: Float[Tensor, "row time width"], place: int
) -> TokenPrediction:
    hidden = network.final_hidden(last[:, place])
    logits = network.unembed(hidden)
    return TokenPrediction(hidden, None if logits is None else logits.log_softmax(-1))
