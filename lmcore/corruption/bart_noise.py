"""BART's five noising functions, whose output its decoder must reconstruct.

    token masking          a token becomes [MASK]
    token deletion         a token is removed without a trace
    text infilling         a span of tokens becomes one [MASK]; an empty span inserts one
    sentence permutation   the sentences are shuffled
    document rotation      the text is rotated to begin at a random token

The span lengths of text infilling have a Poisson distribution with λ = 3; 0 is possible.

Source: Lewis et al. 2020, "BART", section 2.2 and figure 2; UW, "BART". Sentences end in a full
stop. BART itself was trained with text infilling of 30 % and sentence permutation (section 5.1).
Variant: spans are placed at random among the tokens that stay; two may be adjacent. As in their
code, the last span is cut off where the share is used up.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, NamedTuple

import torch

from lmcore import dataframes

if TYPE_CHECKING:
    from pandas import DataFrame

MASK = "[MASK]"
STOP = "."
LAMBDA = 3.0
"""The mean length of a span in text infilling, in tokens."""
MEANS = (0.1, 100.0)
"""The range of λ: with almost only empty spans, drawing would not terminate."""
SHARE = 0.3
"""The share of tokens that BART was trained with."""

PieceKind = Literal["kept", "masked", "deleted", "filled", "inserted"]


class NoisePiece(NamedTuple):
    """The outcome for one token, for a span, or for an inserted [MASK]."""

    what: PieceKind
    places: tuple[int, ...]
    """In the given text, from 0."""


@dataclass(frozen=True, slots=True)
class NoiseTrace:
    """The text, its pieces in their new order, and the corrupted tokens."""

    tokens: tuple[str, ...]
    pieces: tuple[NoisePiece, ...]
    drawn: tuple[int, ...]
    """The random numbers: lengths of spans, order of sentences, or index of the first token."""
    corrupted: tuple[str, ...]

    def to_frame(self) -> DataFrame:
        """One row per piece in its new order: outcome, and its tokens before."""
        return dataframes.frame(
            {
                "outcome": [piece.what for piece in self.pieces],
                "tokens": [tuple(self.tokens[at] for at in piece.places) for piece in self.pieces],
            }
        )


def token_masking(
    tokens: Sequence[str], generator: torch.Generator, *, share: float = SHARE
) -> NoiseTrace:
    """Each token becomes [MASK] with probability `share`.

    Raises:
        ValueError: if there is no token, or the share is not from 0 to 1.
    """
    hit = _hit(tokens, generator, share)
    pieces = [NoisePiece("masked" if each else "kept", (n,)) for n, each in enumerate(hit)]
    return _trace(tokens, pieces, ())


def token_deletion(
    tokens: Sequence[str], generator: torch.Generator, *, share: float = SHARE
) -> NoiseTrace:
    """Each token is removed with probability `share`.

    Raises:
        ValueError: as `token_masking`.
    """
    hit = _hit(tokens, generator, share)
    pieces = [NoisePiece("deleted" if each else "kept", (n,)) for n, each in enumerate(hit)]
    return _trace(tokens, pieces, ())


def text_infilling(
    tokens: Sequence[str],
    generator: torch.Generator,
    *,
    share: float = SHARE,
    mean: float = LAMBDA,
) -> NoiseTrace:
    """Spans of Poisson length, ⌈share · tokens⌉ tokens in all, become one [MASK] each.

    Raises:
        ValueError: as `token_masking`, or if `mean` is not from 0.1 to 100.
    """
    _check(tokens, share)
    low, high = MEANS
    if not low <= mean <= high:
        raise ValueError(f"the mean length must be from {low:g} to {high:g} tokens; got {mean:g}")
    left = math.ceil(round(share * len(tokens), 9))
    stay = len(tokens) - left
    drawn, runs = [], []
    while left:
        drawn.append(int(torch.poisson(torch.tensor(mean), generator=generator)))
        runs.append(min(drawn[-1], left))
        left -= runs[-1]
    # Spans, and tokens that stay (−1), in a random order: all arrangements are equally likely.
    items = [*runs, *[-1] * stay]
    pieces, place = list[NoisePiece](), 0
    for at in torch.randperm(len(items), generator=generator).tolist():
        size = abs(items[at])
        kind: PieceKind = "kept" if items[at] < 0 else "filled" if items[at] else "inserted"
        pieces.append(NoisePiece(kind, tuple(range(place, place + size))))
        place += size
    return _trace(tokens, pieces, tuple(drawn))


def sentence_permutation(tokens: Sequence[str], generator: torch.Generator) -> NoiseTrace:
    """The sentences in a random order.

    Raises:
        ValueError: if there is no token.
    """
    _check(tokens, SHARE)
    parts = sentences(tokens)
    order = torch.randperm(len(parts), generator=generator).tolist()
    pieces = [NoisePiece("kept", (place,)) for n in order for place in parts[n]]
    return _trace(tokens, pieces, tuple(order))


def document_rotation(tokens: Sequence[str], generator: torch.Generator) -> NoiseTrace:
    """The text from a random token on, followed by the tokens before it.

    Raises:
        ValueError: if there is no token.
    """
    _check(tokens, SHARE)
    first = int(torch.randint(len(tokens), (1,), generator=generator))
    turned = [*range(first, len(tokens)), *range(first)]
    return _trace(tokens, [NoisePiece("kept", (place,)) for place in turned], (first,))


def sentences(tokens: Sequence[str]) -> list[range]:
    """The positions of each sentence; the last one may lack its full stop."""
    ends = [n + 1 for n, token in enumerate(tokens) if token == STOP]
    if not ends or ends[-1] < len(tokens):
        ends.append(len(tokens))
    return [range(start, end) for start, end in zip([0, *ends], ends, strict=False)]


def _check(tokens: Sequence[str], share: float) -> None:
    if not tokens:
        raise ValueError("the text must have 1 token or more; got none")
    if not (math.isfinite(share) and 0 <= share <= 1):
        raise ValueError(f"the share must be from 0 to 1; got {share:g}")


def _hit(tokens: Sequence[str], generator: torch.Generator, share: float) -> list[bool]:
    _check(tokens, share)
    below: list[bool] = (torch.rand(len(tokens), generator=generator) < share).tolist()
    return below


def _trace(
    tokens: Sequence[str], pieces: Sequence[NoisePiece], drawn: tuple[int, ...]
) -> NoiseTrace:
    left = list[str]()
    for kind, places in pieces:
        if kind == "kept":
            left += [tokens[place] for place in places]
        elif kind != "deleted":
            left.append(MASK)
    return NoiseTrace(tuple(tokens), tuple(pieces), drawn, tuple(left))
