"""One step of greedy search or the random walk as rows: a token, its p after each thing that was
done to the scores, what cut it and why, and where the draw fell.

    p_i = softmax(s_i), s_i the scores after stage i;  u falls on the token with low ≤ u < high,
    low and high the sums of the last p before and with it, in the order of the ids

Nothing is computed twice: the scores are those of `Choice.stages`.

Source: as `filters.py` and `writing.py`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import torch
from jaxtyping import Float64, Int, Int64
from torch import Tensor

from lmcore.decoding import filter_explanations
from lmcore.decoding.next_token import NextTokenModel
from lmcore.decoding.writing import (
    GenerationStep,
    SamplingConfig,
    generate_steps,
    most_probable,
    sample_tokens,
)

SHOWN = 24
"""Tokens that a step shows, the most probable ones; what is chosen is always among them."""
RAISED = 4
"""So many of the most probable at the end are shown too, if a penalty moved them up."""


@dataclass(frozen=True, slots=True)
class DecodingStep:
    """One place of a text. Rows are tokens, the most probable to the model first."""

    number: int
    """From 0, after the prompt."""
    stages: tuple[str, ...]
    """`model`, then the fields of `Filters` that were used, in their order."""
    tokens: Int64[Tensor, " row"]
    ranks: Int64[Tensor, " row"]
    """1 is the model's first choice; a tie goes to the smaller id."""
    probabilities: Float64[Tensor, "stage row"]
    """0 from the stage on that cut it."""
    others: int
    """Tokens that are not among the rows."""
    other_probabilities: Float64[Tensor, " stage"]
    """Of those together."""
    left: tuple[int, ...]
    """Tokens that are not cut, after each stage; a tiny temperature may round their p to 0."""
    cut: tuple[int, ...]
    """The stage that cut each row, or `cuts.KEPT`."""
    why: tuple[str, ...]
    """In words, why it was cut; empty where it was not."""
    low: Float64[Tensor, " row"]
    high: Float64[Tensor, " row"]
    """Where the token lies on the line from 0 to 1."""
    luck: float | None
    """u; None where nothing is drawn."""
    free: int | None
    """What is chosen if nothing is forced; None where nothing is left to choose."""
    chosen: int | None
    forced: bool
    end: str
    """Why nothing is written after this step; empty while there is more."""


def decoding_steps(
    model: NextTokenModel, prompt: Int[Tensor, " time"], how: SamplingConfig, *, shown: int = SHOWN
) -> Iterator[DecodingStep]:
    """Every step of one text, as `write` makes them.

    Raises:
        ValueError: as `write`, or if a forced token is no id of the model.
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
    """One choice of one text, opened up."""
    scores = torch.stack([stage.scores[0].double().cpu() for stage in choice.stages])
    names = tuple(stage.name for stage in choice.stages)
    # Where nothing is left, softmax of nothing but −∞ is no number: p is 0.
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
        luck=None if choice.luck is None else float(choice.luck[0]),
        free=free,
        chosen=chosen,
        forced=number in how.forced and not nothing,
        end=choice.why,
    )


def _free(choice: GenerationStep) -> int:
    last = choice.stages[-1].scores
    tokens = most_probable(last) if choice.luck is None else sample_tokens(last, choice.luck)
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
