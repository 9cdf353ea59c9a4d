"""Interventions on a running Transformer, as arguments of `forward`: one dataclass per kind.

Layers, heads, places and rows of the batch are counted from 0; `row` None is every row. A layer's
attention is "self", or "cross" where a decoder attends to its source.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal, get_args

from jaxtyping import Float
from torch import Tensor

from lmcore.models.attention import AttentionTrace

AttentionKind = Literal["self", "cross"]


@dataclass(frozen=True, slots=True)
class Mute:
    """Set a head's context to 0 at every position."""

    layer: int
    head: int
    row: int | None = None
    where: AttentionKind = "self"


@dataclass(frozen=True, slots=True)
class Average:
    """Replace a head's context at every position by its mean over the positions of the text."""

    layer: int
    head: int
    row: int | None = None
    where: AttentionKind = "self"


@dataclass(frozen=True, slots=True)
class Patch:
    """Replace a head's context by `context`, from another run of the same length."""

    layer: int
    head: int
    context: Float[Tensor, "query d_k"]
    row: int | None = None
    where: AttentionKind = "self"


@dataclass(frozen=True, slots=True)
class ForceWeights:
    """Replace a head's weights α, the output of its softmax."""

    layer: int
    head: int
    weights: Float[Tensor, "query key"]
    row: int | None = None
    where: AttentionKind = "self"


@dataclass(frozen=True, slots=True)
class ReplaceResidual:
    """Replace the residual stream at the input of a layer, at one position or at all.

    Layer N is the stream after the last layer, from which the model computes its output.
    """

    layer: int
    residual: Float[Tensor, "time width"]
    place: int | None = None
    row: int | None = None


HeadEdit = Mute | Average | Patch | ForceWeights
Edit = HeadEdit | ReplaceResidual


def check_edits(edits: Sequence[Edit], *, layers: int, heads: int, cross: bool) -> None:
    """Reject a layer, a head or an attention that the model does not have.

    Raises:
        ValueError: naming it.
    """
    for edit in edits:
        last = layers if isinstance(edit, ReplaceResidual) else layers - 1
        if not 0 <= edit.layer <= last:
            raise ValueError(f"the edited layer must be from 0 to {last}; got {edit.layer}")
        if isinstance(edit, ReplaceResidual):
            continue
        if not 0 <= edit.head < heads:
            raise ValueError(f"the edited head must be from 0 to {heads - 1}; got {edit.head}")
        there = get_args(AttentionKind) if cross else ("self",)
        if edit.where not in there:
            raise ValueError(
                f"the edited attention must be {' or '.join(there)}; got {edit.where!r}"
            )


def head_edits(edits: Sequence[Edit], where: AttentionKind) -> tuple[HeadEdit, ...]:
    """The edits on the heads of one of a layer's attentions."""
    return tuple(
        edit for edit in edits if not isinstance(edit, ReplaceResidual) and edit.where == where
    )


def apply_head_edits(
    seen: AttentionTrace, value: Float[Tensor, "batch head key d_k"], edits: Sequence[HeadEdit]
) -> AttentionTrace:
    """The trace after the edits to its weights and contexts, applied in order.

    Raises:
        ValueError: if a patch or the weights have another shape than what they replace, or a row
            is not in the batch.
    """
    weights, context = seen.weights, seen.context
    for edit in edits:
        rows, head = _rows(edit.row, len(weights)), edit.head
        if isinstance(edit, ForceWeights):
            given = _fitting("forced weights", edit.weights, weights[0, 0])
            weights = _put(weights, rows, head, given)
            context = _put(context, rows, head, given @ value[rows, head])
        elif isinstance(edit, Patch):
            given = _fitting("a patched context", edit.context, context[0, 0])
            context = _put(context, rows, head, given)
        elif isinstance(edit, Average):
            context = _put(context, rows, head, context[rows, head].mean(dim=-2, keepdim=True))
        else:
            context = _put(context, rows, head, context.new_zeros(()))
    return replace(seen, weights=weights, context=context)


def apply_residual_edits(
    residual: Float[Tensor, "batch time width"], edits: Sequence[Edit]
) -> Float[Tensor, "batch time width"]:
    """The residual stream at the input of a layer, after the edits.

    Raises:
        ValueError: if a replacement has another shape, or a row or position does not exist.
    """
    for edit in edits:
        if isinstance(edit, ReplaceResidual):
            given = _fitting("a replaced residual", edit.residual, residual[0])
            rows = _rows(edit.row, len(residual))
            places = _rows(edit.place, residual.shape[1], "place")
            residual = residual.clone()
            residual[rows, places] = given[places]
    return residual


def _put(
    whole: Float[Tensor, "batch head query width"],
    rows: slice,
    head: int,
    part: Float[Tensor, ...],
) -> Float[Tensor, "batch head query width"]:
    changed = whole.clone()
    changed[rows, head] = part
    return changed


def _rows(index: int | None, count: int, name: str = "row") -> slice:
    if index is None:
        return slice(None)
    if not 0 <= index < count:
        raise ValueError(f"the edited {name} must be from 0 to {count - 1}; got {index}")
    return slice(index, index + 1)


def _fitting(name: str, given: Tensor, like: Tensor) -> Tensor:
    if given.shape != like.shape:
        raise ValueError(f"{name} must have shape {tuple(like.shape)}; got {tuple(given.shape)}")
    return given.to(like)
