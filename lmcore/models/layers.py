"""Shared by the networks: limits of sizes, initial weights, dropout, the state carried over.

Source: dropout is that of Srivastava et al. 2014, in the inverted form (the survivors are scaled).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import torch
from jaxtyping import Float, Int
from torch import Tensor, nn

from lmcore.token_ids import TextsIds, texts_ids

MOST_TYPES = 10_000
WIDEST = 1024
MOST_LAYERS = 4

State = Tensor | tuple[Tensor, ...] | None
"""What a network carries over to the next piece of a text; None at the beginning of a text."""


def check_size(name: str, value: int, most: int) -> None:
    """Reject a size that is not a whole number from 1 to `most`.

    Raises:
        ValueError: naming the size.
    """
    if isinstance(value, bool) or not isinstance(value, int) or not 1 <= value <= most:
        raise ValueError(f"{name} must be a whole number from 1 to {most:,}; got {value!r}")


def known_texts(tokens: TextsIds, types: int) -> Int[Tensor, "batch time"]:
    """Texts, as a tensor, for a network with a vocabulary of `types` types.

    Raises:
        ValueError: if there is no text, the texts are empty, or a token is not one of the ids.
    """
    ids = texts_ids(tokens)
    if not ids.numel():
        raise ValueError(
            "a text must have at least one token for a network to read; "
            f"got a batch of shape {tuple(ids.shape)}"
        )
    low, high = ids.aminmax()
    if low < 0 or high >= types:
        wrong = int(low if low < 0 else high)
        raise ValueError(f"a token must be an id from 0 to {types - 1}; got {wrong}")
    return ids


def known_sources(tokens: TextsIds, types: int, padding: int | None) -> Int[Tensor, "batch source"]:
    """Sources for a network that translates, as a tensor; `padding` fills up the short ones.

    Raises:
        ValueError: as `known_texts`, or if a source has no word, or padding before its last.
    """
    ids = known_texts(tokens, types)
    words = ids != (-1 if padding is None else padding)
    if not words[:, 0].all():
        raise ValueError("a source must begin with a word; got padding")
    if (words[:, 1:] & ~words[:, :-1]).any():
        raise ValueError("padding must come after the last word of a source; got it before one")
    return ids


def check_sizes(*, vocabulary: int, embedding: int, hidden: int, layers: int = 1) -> None:
    """Reject sizes that are out of bounds.

    Raises:
        ValueError: naming the first of them.
    """
    check_size("the vocabulary", vocabulary, MOST_TYPES)
    check_size("the embedding size", embedding, WIDEST)
    check_size("the hidden size", hidden, WIDEST)
    check_size("the number of layers", layers, MOST_LAYERS)


@torch.no_grad()
def initialise(network: nn.Module, seed: int, *, output_scale: float = 0.3) -> None:
    """Draw a network's initial weights: a pure function of `seed`.

    E is drawn from N(0, 1), a weight into a unit with n inputs uniformly from ±1/√n; biases are 0.
    U is multiplied by `output_scale`, so that every type is about equally probable and the initial
    loss is near ln |V|.
    """
    network.to_empty(device="cpu")
    generator = torch.Generator().manual_seed(seed)
    for name, weight in network.named_parameters():
        if name == "embedding.weight":
            weight.normal_(generator=generator)
        elif weight.ndim == 1:
            weight.zero_()
        else:
            reach = weight.shape[1] ** -0.5 * (output_scale if name == "output.weight" else 1.0)
            weight.uniform_(-reach, reach, generator=generator)


@dataclass(frozen=True, slots=True)
class Dropout:
    """Each number is 0 with probability `rate`; the others are divided by 1 − `rate`.

    The expected value is unchanged, so the trained model can be used without dropout.
    """

    rate: float
    generator: torch.Generator

    def __post_init__(self) -> None:
        """Raises ValueError if the rate is not from 0 to below 1."""
        if not 0 <= self.rate < 1:
            raise ValueError(f"dropout must be from 0 to below 1; got {self.rate:g}")


def apply_dropout(
    values: Float[Tensor, "*shape"], dropout: Dropout | None
) -> Float[Tensor, "*shape"]:
    """`values` with a fresh mask of `dropout`, or as they are without one."""
    if dropout is None or dropout.rate == 0:
        return values
    chance = torch.rand(values.shape, generator=dropout.generator, device=dropout.generator.device)
    kept = (chance >= dropout.rate).to(values)
    return values * kept / (1 - dropout.rate)


def initial_state(state: State, letters: str, zeros: Float[Tensor, "*shape"]) -> tuple[Tensor, ...]:
    """The tensors of a recurrent state, one per letter; zeros at the beginning of a text.

    Raises:
        ValueError: if there is not one tensor per letter, each of the shape of `zeros`.
    """
    if state is None:
        return (zeros,) * len(letters)
    parts = (state,) if isinstance(state, Tensor) else state
    shapes = [tuple(part.shape) for part in parts]
    if shapes != [tuple(zeros.shape)] * len(letters):
        raise ValueError(
            f"the state must hold {' and '.join(letters)} of shape [layer batch hidden] "
            f"{tuple(zeros.shape)}; got {', '.join(map(str, shapes)) or 'nothing'}"
        )
    return parts


def nudges(
    nudge: Float[Tensor, "*layer time hidden"] | None, shape: tuple[int, int, int]
) -> tuple[Tensor | None, ...]:
    """What to add to each layer's hidden state; a nudge without layers is for the last one.

    Raises:
        ValueError: if it is neither [time hidden] nor [layer time hidden] of `shape`.
    """
    if nudge is None:
        return (None,) * shape[0]
    if tuple(nudge.shape) == shape:
        return tuple(nudge)
    if tuple(nudge.shape) == shape[1:]:
        return (*(None,) * (shape[0] - 1), nudge)
    raise ValueError(
        f"a nudge must have shape [time hidden] {shape[1:]} or [layer time hidden] {shape}; "
        f"got {tuple(nudge.shape)}"
    )


def torch_weights(recurrent: nn.RNNBase, layer: int, *, reverse: bool) -> tuple[Tensor, ...]:
    """One layer's weights as torch stores them: from the input, from h, and the two biases."""
    way = "_reverse" if reverse else ""
    names = ("weight_ih", "weight_hh", "bias_ih", "bias_hh")
    return tuple(getattr(recurrent, f"{name}_l{layer}{way}") for name in names)


def reading_order(length: int, *, reverse: bool) -> range:
    """The positions of a text in reading order: forwards, or from the last to the first."""
    return range(length)[::-1] if reverse else range(length)


def stack_over_time(steps: Sequence[tuple[Tensor, ...]], *, reverse: bool) -> tuple[Tensor, ...]:
    """Each quantity of all steps, stacked along the time axis in the order of the text."""
    in_order = steps[::-1] if reverse else steps
    return tuple(torch.stack(each, dim=1) for each in zip(*in_order, strict=True))
