"""Beam search: the k best prefixes at each step, each extended by every token.

    score(x_1 … x_t) = log p(x_1 … x_t | prompt)               while a text is under way
    score / t^a                                                once the text has ended

t counts the generated tokens, the ending one included. Of all k·|V| candidates the best (1 + n)·k
are examined in order, where n is the number of tokens that end a text but at least 1, so that k can
always continue; ties keep their order. A candidate that ends a text, if it is among the first k,
joins the ended texts, of which the best k are kept. The first k candidates that do not end a text
continue. The search stops as soon as k texts have ended (`early`) or, otherwise, when even the best
prefix, its score divided by t^a for its present t, is no better than the worst of k ended texts.

With `groups` the k beams are divided among groups that take turns; a token that earlier groups
chose at this step costs `diversity` for each of them. With `seed` the candidates are drawn instead.

Source: lecture "How to use an LM for Generation" (whose code never prunes: errata X42); Wu et al.
2016 (length penalty; here the power alone, as in `transformers`); Vijayakumar et al. 2018 (groups);
Kool et al. 2019 (drawing without replacement).
"""

from __future__ import annotations

import math
import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, NamedTuple

import torch
from jaxtyping import Float, Int
from torch import Tensor

from lmcore import dataframes
from lmcore.checks import check_between, check_row, check_whole
from lmcore.decoding.filters import NO_FILTERS, Filters, apply_narrowing, apply_penalties
from lmcore.decoding.next_token import NextTokenModel
from lmcore.decoding.token_by_token import LONGEST, SECONDS

if TYPE_CHECKING:
    from pandas import DataFrame

    from lmcore.vocabulary import Vocabulary

WIDEST = 16
MAX_DIVERSITY = 10.0
CandidateOutcome = Literal["goes on", "ends", "pruned"]


@dataclass(frozen=True, slots=True)
class BeamConfig:
    """Width k, and how candidates are generated and ranked.

    With `seed`, candidates are sampled instead of the best chosen. Of `filters` the penalties
    always apply, the narrowing ones only when sampling. Penalties change log p, as in
    `transformers`; at width 1 they change the logits before the softmax, as in greedy search.
    """

    width: int
    length: int
    stop: tuple[int, ...] = ()
    length_penalty: float = 1.0
    """a: 0 compares sums, 1 means; a larger one favours longer texts."""
    early: bool = False
    groups: int = 1
    diversity: float = 0.0
    filters: Filters = NO_FILTERS
    seed: int | None = None
    seconds: float = SECONDS

    def __post_init__(self) -> None:
        """Raises ValueError naming what is out of bounds."""
        check_between("the beam width", self.width, 1, WIDEST)
        check_whole("the length", self.length)
        if not 1 <= self.length <= LONGEST:
            raise ValueError(f"the length must be from 1 to {LONGEST} tokens; got {self.length}")
        check_row("stop", self.stop, "(1,) for one token")
        if not abs(self.length_penalty) <= MAX_DIVERSITY:
            raise ValueError(
                f"the length penalty must be from {-MAX_DIVERSITY:g} to {MAX_DIVERSITY:g}; "
                f"got {self.length_penalty:g}"
            )
        if self.groups < 1 or self.width % self.groups:
            raise ValueError(
                f"the number of groups must divide the width, {self.width}; got {self.groups}"
            )
        if not 0 <= self.diversity <= 100:
            raise ValueError(f"the diversity must be from 0 to 100; got {self.diversity:g}")
        if not 0 < self.seconds <= SECONDS:
            raise ValueError(
                f"the time must be above 0 and at most {SECONDS:g} s; got {self.seconds:g}"
            )


class Beam(NamedTuple):
    """A prefix, or a finished text: the tokens after the prompt, and their total log p."""

    tokens: tuple[int, ...]
    log_p: float

    def score(self, length_penalty: float) -> float:
        """The score that ranks ended texts: log p / t^a."""
        return float(self.log_p / len(self.tokens) ** length_penalty)


class BeamCandidate(NamedTuple):
    """A beam extended by one token. `parent` is the index of that beam."""

    parent: int
    token: int
    log_p: float
    """The total of all its tokens, after filters and diversity."""
    outcome: CandidateOutcome


@dataclass(frozen=True, slots=True)
class Expansion:
    """One step of one group: its beams, the candidates, and their outcomes."""

    group: int
    under_way: tuple[Beam, ...]
    scores: Float[Tensor, "beam vocabulary"]
    """log p of each beam extended by each token."""
    candidates: tuple[BeamCandidate, ...]
    """The best (1 + n)·k, the best first."""
    go_on: tuple[Beam, ...]
    ended: tuple[Beam, ...]
    """The best k so far, the best first."""

    def to_frame(self, vocabulary: Vocabulary | None = None) -> DataFrame:
        """One row per candidate: beam, from 0, token, Σ log p, outcome.

        Tokens are ids, or words if the vocabulary is given.
        """
        rows = self.candidates
        return dataframes.frame(
            {
                "beam": [c.parent for c in rows],
                "token": dataframes.token_names([c.token for c in rows], vocabulary),
                "Σ log p": [c.log_p for c in rows],
                "outcome": [c.outcome for c in rows],
            }
        )


@dataclass(slots=True)
class _Group:
    """The state of a group; `rows` holds the row of each beam in the model's memory."""

    go_on: list[Beam]
    rows: list[int]
    ended: list[Beam]
    done: bool = False


def search(
    model: NextTokenModel, prompt: Int[Tensor, " time"], how: BeamConfig
) -> Iterator[tuple[Expansion, ...]]:
    """Run the search: for each step, an `Expansion` of every group that is not finished.

    Raises:
        ValueError: if the prompt is empty, or leaves no room for another token.
    """
    if not len(prompt):
        raise ValueError("a prompt must have at least one token to go on from; got none")
    room = LONGEST if model.longest is None else model.longest - len(prompt)
    if room < 0:
        raise ValueError(f"a prompt must leave room for a token; it is {-room} tokens too long")
    generator = None if how.seed is None else torch.Generator().manual_seed(how.seed)
    started = time.monotonic()
    groups = [_Group([Beam((), 0.0)], [0], []) for _ in range(how.groups)]
    scores, memory = model.start(prompt[None])
    for n in range(how.length):
        late = time.monotonic() - started > how.seconds
        last = n + 1 == how.length or n + 1 > room or late
        yield extend_beams(scores, prompt, groups, how, generator, last=last)
        at_it = [group for group in groups if not group.done]
        if last or not at_it:
            return
        parents = [row for group in at_it for row in group.rows]
        tokens = [beam.tokens[-1] for group in at_it for beam in group.go_on]
        if parents != list(range(len(scores))):
            memory = model.select(memory, torch.tensor(parents))
        scores, memory = model.step(torch.tensor(tokens), memory)
        _renumber(at_it)


def finished_beams(
    steps: tuple[tuple[Expansion, ...], ...] | list[tuple[Expansion, ...]],
) -> list[Beam]:
    """The ended texts of a whole search, group after group, the best first in each."""
    last: dict[int, tuple[Beam, ...]] = {}
    for step in steps:
        last |= {expansion.group: expansion.ended for expansion in step}
    return [beam for group in sorted(last) for beam in last[group]]


def extend_beams(
    scores: Float[Tensor, "row vocabulary"],
    prompt: Int[Tensor, " time"],
    groups: list[_Group],
    how: BeamConfig,
    generator: torch.Generator | None,
    *,
    last: bool,
) -> tuple[Expansion, ...]:
    """One step of the search: each group's beams, their candidates, and what becomes of them."""
    chosen = torch.zeros(scores.shape[1])
    expansions = []
    for number, group in enumerate(groups):
        if group.done:
            continue
        under_way, rows = tuple(group.go_on), torch.tensor(group.rows)
        log_p = _log_p(scores[rows], prompt, under_way, how)
        total = log_p + torch.tensor([beam.log_p for beam in under_way], dtype=log_p.dtype)[:, None]
        total = total - how.diversity * chosen.to(total.dtype)
        candidates = judge_candidates(rank_candidates(total, how, generator), how, last=last)
        _move(group, under_way, candidates, how)
        for beam in group.go_on:
            chosen[beam.tokens[-1]] += 1
        state = (tuple(group.go_on), tuple(group.ended))
        expansions.append(Expansion(number, under_way, total, tuple(candidates), *state))
    return tuple(expansions)


def _log_p(
    scores: Float[Tensor, "beam vocabulary"],
    prompt: Int[Tensor, " time"],
    under_way: tuple[Beam, ...],
    how: BeamConfig,
) -> Float[Tensor, "beam vocabulary"]:
    """log p of each next token, after the filters."""
    log_p = scores.log_softmax(dim=-1)
    if how.filters == NO_FILTERS:
        return log_p
    prefixes = torch.tensor([beam.tokens for beam in under_way], dtype=torch.long)
    texts = torch.cat([prompt.expand(len(under_way), -1), prefixes], dim=1)
    stages = apply_penalties(scores if how.width == 1 else log_p, texts, how.filters)
    log_p = stages[-1].scores if stages else log_p
    if how.width == 1:  # where every token is forbidden, the softmax of −∞ alone is undefined
        log_p = log_p.log_softmax(dim=-1).nan_to_num(nan=-math.inf, neginf=-math.inf)
    stages = apply_narrowing(log_p, how.filters) if how.seed is not None else []
    return stages[-1].scores if stages else log_p


def rank_candidates(
    total: Float[Tensor, "beam vocabulary"], how: BeamConfig, generator: torch.Generator | None
) -> list[tuple[int, int, float]]:
    """The parent, token and log p of the best (1 + n)·k, or of that many drawn; without any −∞."""
    flat = total.flatten()
    most = min((1 + max(1, len(set(how.stop)))) * how.width // how.groups, len(flat))
    if generator is None:
        order = _largest(flat, most)
    else:
        # The largest values of log p plus Gumbel noise are draws without replacement.
        noise = -torch.empty_like(flat).exponential_(generator=generator).log()
        order = _largest(flat + noise, most)
        order = order[flat[order].argsort(descending=True, stable=True)]
    types = total.shape[1]
    pairs = zip(order.tolist(), flat[order].tolist(), strict=True)
    return [(i // types, i % types, log_p) for i, log_p in pairs]


def _largest(values: Float[Tensor, " all"], count: int) -> Int[Tensor, " some"]:
    """The indices of the largest values, the largest first, ties in order; −∞ is left out."""
    least = values.topk(count).values[-1]
    among = ((values >= least) & (values > -math.inf)).nonzero()[:, 0]
    return among[values[among].argsort(descending=True, stable=True)][:count]


def judge_candidates(
    ranked: list[tuple[int, int, float]], how: BeamConfig, *, last: bool
) -> list[BeamCandidate]:
    """Decide the outcome of each candidate; at the last step every text ends."""
    width, on = how.width // how.groups, 0
    judged = []
    for rank, (parent, token, log_p) in enumerate(ranked):
        outcome: CandidateOutcome = "pruned"
        if last or token in how.stop:
            outcome = "ends" if rank < width else "pruned"
        elif on < width:
            outcome, on = "goes on", on + 1
        judged.append(BeamCandidate(parent, token, log_p, outcome))
    return judged


def _move(
    group: _Group, under_way: tuple[Beam, ...], candidates: list[BeamCandidate], how: BeamConfig
) -> None:
    """Continue with the survivors, rank the ended texts, and decide whether the group is done.

    Where every token is forbidden and no text has ended, the beams are the result as they are.
    """
    width, power = how.width // how.groups, how.length_penalty
    rows, group.go_on, group.rows = group.rows, [], []
    for each in candidates:
        beam = Beam((*under_way[each.parent].tokens, each.token), each.log_p)
        if each.outcome == "goes on":
            group.go_on.append(beam)
            group.rows.append(rows[each.parent])
        elif each.outcome == "ends":
            group.ended.append(beam)
    if not candidates and not group.ended:
        group.ended = [beam for beam in under_way if beam.tokens]
    group.ended = sorted(group.ended, key=lambda beam: -beam.score(power))[:width]
    full = len(group.ended) == width
    best = group.go_on[0].score(power) if group.go_on else -math.inf
    hopeless = full and best <= group.ended[-1].score(power)
    group.done = not group.go_on or hopeless or (how.early and full)


def _renumber(groups: list[_Group]) -> None:
    """Renumber the memory's rows after a selection: one per beam, in order."""
    row = 0
    for group in groups:
        group.rows = list(range(row, row + len(group.go_on)))
        row += len(group.go_on)
