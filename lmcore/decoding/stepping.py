"""One decoding step as table rows, for greedy search and sampling.

A row is a token: its p after each filter, what cut it and why, and its interval for the draw.

    p_i = softmax(s_i), s_i the scores after stage i;  u falls on the token with low ≤ u < high,
    low and high the sums of the last p before and with it, in the order of the ids

The scores are those of `GenerationStep.stages`; nothing is computed twice.

Source: as `filters.py` and `token_by_token.py`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import torch
from jaxtyping import Float64, Int, Int64
from torch import Tensor

from lmcore import dataframes
from lmcore.decoding import filter_explanations
from lmcore.decoding.next_token import NextTokenModel
from lmcore.decoding.token_by_token import (
    GenerationStep,
    SamplingConfig,
    generate_steps,
    most_probable,
    sample_tokens,
)

if TYPE_CHECKING:
    from pandas import DataFrame

    from lmcore.vocabulary import Vocabulary

SHOWN = 24
"""How many of the most probable tokens a step shows; the chosen one is always among them."""
RAISED = 4
"""How many of the tokens most probable after all filters are shown in any case."""


@dataclass(frozen=True, slots=True)
class DecodingStep:
    """One generated position. Rows are tokens, the model's most probable first."""

    number: int
    """From 0, after the prompt."""
    stages: tuple[str, ...]
    """`model`, then the fields of `Filters` that were used, in their order."""
    tokens: Int64[Tensor, " row"]
    ranks: Int64[Tensor, " row"]
    """1 is the model's first choice; a tie goes to the smaller id."""
    probabilities: Float64[Tensor, "stage row"]
    """0 from the stage that cut the token on."""
    others: int
    """The number of tokens without a row."""
    other_probabilities: Float64[Tensor, " stage"]
    """Their total probability."""
    left: tuple[int, ...]
    """How many tokens are left after each stage; a tiny temperature may round their p to 0."""
    cut: tuple[int, ...]
    """The stage that cut each row, or `filter_explanations.NOT_CUT`."""
    why: tuple[str, ...]
    """Why the row was cut, in words; empty if it was not."""
    low: Float64[Tensor, " row"]
    high: Float64[Tensor, " row"]
    """The upper end of the token's interval in [0, 1]."""
    uniform: float | None
    """u; None without sampling."""
    free: int | None
    """The token chosen unless one is forced; None if no token is left."""
    chosen: int | None
    forced: bool
    end: str
    """Why generation stops after this step; empty if it continues."""

    def to_frame(self, vocabulary: Vocabulary | None = None) -> DataFrame:
        """One row per token: token, rank, p after each stage, why it was cut, chosen.

        The most probable come first. Tokens are ids, or words if the vocabulary is given.
        """
        stages = dict(zip(self.stages, self.probabilities, strict=True))
        return dataframes.frame(
            {
                "token": dataframes.token_names(self.tokens, vocabulary),
                "rank": self.ranks,
                **stages,
                "cut": list(self.why),
                "chosen": [token == self.chosen for token in self.tokens.tolist()],
            }
        )


def decoding_steps(
    model: NextTokenModel, prompt: Int[Tensor, " time"], how: SamplingConfig, *, shown: int = SHOWN
) -> Iterator[DecodingStep]:
    """Every step of one text, generated as by `generate_steps`.

    Raises:
        ValueError: as `generate_steps`, or if a forced token is not an id of the model.
    """
    for number, choice in enumerate(generate_steps(model, prompt[None], how)):
        types = choice.stages[0].scores.shape[1]
        for place, token in how.forced.items():
            if not 0 <= token < types:
                raise ValueError(
                    f"the token forced at {place + 1} must be an id from 0 to {types - 1}; "
                    f"got {token}"
                )
        yield explain_step(choice, how, number, shown=shown)


def explain_step(
    choice: GenerationStep, how: SamplingConfig, number: int, *, shown: int = SHOWN
) -> DecodingStep:
    """The table of one step of one text."""
    scores = torch.stack([stage.scores[0].double().cpu() for stage in choice.stages])
    names = tuple(stage.name for stage in choice.stages)
    # Where no token is left, the softmax of only −∞ is nan: p is 0.
    p = scores.softmax(dim=-1).nan_to_num(0.0)
    nothing = choice.why == "nothing left"
    free = None if nothing else _free(choice)
    chosen = None if nothing else int(choice.tokens[0])
    ranking = scores[0].argsort(descending=True, stable=True)
    rows = _rows(ranking, p[-1], shown, {free, chosen})
    ranks = torch.empty_like(ranking)
    ranks[ranking] = torch.arange(1, len(ranking) + 1)
    line = p[-1].cumsum(0)
    whole = line[-1] if line[-1] > 0 else torch.ones(())
    why = filter_explanations.explain_cuts(scores, names, rows, how.filters)
    return DecodingStep(
        number=number,
        stages=names,
        tokens=rows,
        ranks=ranks[rows],
        probabilities=p[:, rows],
        others=p.shape[1] - len(rows),
        other_probabilities=(p.sum(dim=1) - p[:, rows].sum(dim=1)).clamp(min=0),
        left=tuple(scores.isfinite().sum(dim=1).tolist()),
        cut=tuple(filter_explanations.cutting_stages(scores, rows)),
        why=why,
        low=((line - p[-1]) / whole)[rows],
        high=(line / whole)[rows],
        uniform=None if choice.uniforms is None else float(choice.uniforms[0]),
        free=free,
        chosen=chosen,
        forced=number in how.forced and not nothing,
        end=choice.why,
    )


def _free(choice: GenerationStep) -> int:
    last = choice.stages[-1].scores
    tokens = (
        most_probable(last) if choice.uniforms is None else sample_tokens(last, choice.uniforms)
    )
    return int(tokens[0])


def _rows(
    ranking: Int64[Tensor, " vocabulary"],
    last: Float64[Tensor, " vocabulary"],
    shown: int,
    wanted: set[int | None],
) -> Int64[Tensor, " row"]:
    """The tokens to show, in the model's order."""
    first = set(ranking[:shown].tolist()) | {each for each in wanted if each is not None}
    first |= set(last.topk(min(RAISED, len(last))).indices.tolist())
    among = torch.zeros(len(ranking), dtype=torch.bool)
    among[list(first)] = True
    return ranking[among[ranking]]
