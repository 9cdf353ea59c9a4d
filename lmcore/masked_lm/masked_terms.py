"""One text of masked language modelling: what goes in, and what each chosen word costs.

    x̃        the text in which chosen words have become [MASK], or another word
    z_i      row i of h_N, what the blocks give for token i of x̃
    ŷ_i      softmax of the logits at i
    term_i = −log ŷ_i[x_i]  for the chosen i only        L = the mean of the terms, nats

Source: lecture "Masked Language Modeling (MLM) Example"; Devlin et al. 2019, section 3.1.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import torch
from jaxtyping import Float, Float64, Int
from torch import Tensor

from lmcore import dataframes
from lmcore.masked_lm.cloze import ClozeText, cover_places
from lmcore.models.bert import BERT
from lmcore.pretrained.reading import TokenizingModel

if TYPE_CHECKING:
    from pandas import DataFrame


@dataclass(frozen=True, slots=True)
class TermsTrace:
    """Every quantity, in the order it is computed; one row per chosen position."""

    places: tuple[int, ...]
    corrupted: Int[Tensor, " time"]
    hidden: Float[Tensor, "time width"]
    log_q: Float64[Tensor, "place vocabulary"]
    terms: Float64[Tensor, " place"]
    ranks: Int[Tensor, " place"]
    """1 where the covered word is the likeliest."""

    @property
    def loss(self) -> float:
        """The mean of the terms; nan if there is none."""
        return float(self.terms.mean()) if len(self.terms) else float("nan")

    def to_frame(self) -> DataFrame:
        """One row per chosen position: place, −log ŷ, and the rank of the covered word."""
        return dataframes.frame({"place": self.places, "−log ŷ": self.terms, "rank": self.ranks})


def swapped_ids(reader: TokenizingModel, swaps: Mapping[int, str]) -> dict[int, int]:
    """The id of each word that stands in place of a chosen one.

    Raises:
        ValueError: if one is not a single token of the model.
    """
    found = {}
    for place, word in swaps.items():
        reading = reader.read(word)
        shown = [t for t, s in zip(reading.tokens, reading.special.tolist(), strict=True) if not s]
        if len(shown) != 1:
            raise ValueError(
                f"a word in place of another must be one token; {word!r:.40} is "
                f"{len(shown)}: {' '.join(shown)[:60]}"
            )
        found[place] = int(reading.ids[~reading.special][0])
    return found


def trace_terms(
    network: BERT, text: ClozeText, places: Collection[int], swaps: Mapping[int, int] | None = None
) -> TermsTrace:
    """The terms of the chosen positions; `swaps` has the ids that stand there instead of [MASK].

    Typed [MASK]s stay in the text, but have no term: what they cover is unknown.

    Raises:
        ValueError: if a position cannot be chosen, or the model has no head for masked tokens.
    """
    swaps = swaps or {}
    judged = tuple(sorted({*places, *swaps} - set(text.typed)))
    if strange := [place for place in judged if place not in text.maskable]:
        raise ValueError(f"a chosen word must be one of {text.maskable}; got {strange[0]}")
    row = cover_places(text, {*judged, *text.typed})
    for place, i in swaps.items():
        row[place] = i
    with torch.inference_mode():
        trace = network(row[None].to(network.embedding.token.weight.device))
    if trace.logits is None:
        raise ValueError("the model must have a head that fills in masked tokens; it has none")
    log_q = trace.logits[0, list(judged)].double().log_softmax(-1).cpu()
    own = log_q.gather(1, text.reading.ids[list(judged), None])
    ranks = (log_q > own).sum(1) + 1
    return TermsTrace(judged, row, trace.hidden[0].cpu(), log_q, -own[:, 0], ranks)
