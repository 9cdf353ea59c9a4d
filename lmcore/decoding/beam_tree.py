"""A beam search as a tree: every candidate is a branch with its outcome and the reason for it.

    total   Σ log p of the branch's tokens, after filters and the diversity penalty
    score   total / t^a for t generated tokens, which ranks ended texts
    outcome    goes on, ends, or pruned, as `beam.py` decides

The greedy path, with the same filters, is marked in it, as far as it lies in the tree.

Source: lecture "How to use an LM for Generation"; the search itself is `beam.py`.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import torch
from jaxtyping import Float64, Int, Int64
from torch import Tensor

from lmcore import dataframes
from lmcore.checks import check_kind
from lmcore.decoding.beam import BeamCandidate, BeamConfig, CandidateOutcome, Expansion, search
from lmcore.decoding.beam_explanations import explain_candidates, explain_stop
from lmcore.decoding.next_token import NextTokenModel, next_token_model
from lmcore.decoding.token_by_token import SamplingConfig, check_known, generate_steps
from lmcore.decoding.writer import Writer
from lmcore.models.language_model import LanguageModel
from lmcore.token_ids import TextIds, text_ids

if TYPE_CHECKING:
    from pandas import DataFrame

    from lmcore.vocabulary import Vocabulary

ROOT = 0
"""The number of the prompt, the root of the tree."""


class SearchBranch(NamedTuple):
    """One candidate of one step. Branches are numbered from 1, in the order of the search."""

    number: int
    parent: int
    step: int
    """Generated tokens, this one included."""
    group: int
    rank: int
    """The rank among the candidates of its group and step, from 1."""
    token: int
    log_p: float
    """log p of this token alone."""
    total: float
    score: float
    outcome: CandidateOutcome
    reason: str
    greedy: bool
    """Whether the branch is on the greedy path."""


class EndedText(NamedTuple):
    """A text that ended: its last branch, and whether the search kept it to the end."""

    branch: int
    tokens: tuple[int, ...]
    total: float
    kept: bool
    group: int


class GreedyPath(NamedTuple):
    """The tokens that greedy search generates, and log p of each."""

    tokens: tuple[int, ...]
    log_p: tuple[float, ...]

    @property
    def total(self) -> float:
        """log p of the whole path."""
        return sum(self.log_p)


@dataclass(frozen=True, slots=True)
class SearchTree:
    """A whole search: its branches, step after step, the texts that ended, and why it stopped."""

    how: BeamConfig
    branches: tuple[SearchBranch, ...]
    under_way: tuple[int, ...]
    """How many unfinished beams each step expanded."""
    ended: tuple[EndedText, ...]
    """The kept texts, each group's best first; then those that better ones displaced."""
    greedy: GreedyPath
    why: str
    """Why the search stopped after the last step."""

    @property
    def steps(self) -> int:
        """The number of steps."""
        return len(self.under_way)

    def of_step(self, step: int) -> tuple[SearchBranch, ...]:
        """The candidates of a step, counted from 1; in each group the best first."""
        return tuple(branch for branch in self.branches if branch.step == step)

    def tokens(self, number: int) -> tuple[int, ...]:
        """The tokens from the prompt to a branch, inclusive."""
        path: list[int] = []
        while number != ROOT:
            branch = self.branches[number - 1]
            path.append(branch.token)
            number = branch.parent
        return tuple(reversed(path))

    def to_frame(self, vocabulary: Vocabulary | None = None) -> DataFrame:
        """One row per branch.

        The columns are branch (from 1), parent, step, group, rank, token, log p, Σ log p, score,
        outcome, reason, and whether the branch is on the greedy path. Tokens are ids, or words if
        the vocabulary is given.
        """
        titles = {"number": "branch", "log_p": "log p", "total": "Σ log p"}
        columns = zip(SearchBranch._fields, zip(*self.branches, strict=True), strict=True)
        found = {titles.get(name, name): list(values) for name, values in columns}
        return dataframes.frame(
            found | {"token": dataframes.token_names(found["token"], vocabulary)}
        )


def grow_tree(
    model: NextTokenModel | LanguageModel, prompt: TextIds, how: BeamConfig
) -> SearchTree:
    """Run a beam search and record its tree.

    Raises:
        ValueError: as `beam.search`, or if a token of the prompt is not an id, or `how` is not a
            `BeamConfig`.
    """
    check_kind("how", how, BeamConfig)
    prompt = text_ids(prompt)
    if not isinstance(model, NextTokenModel):
        check_known(prompt, model)
        model = next_token_model(model)
    steps = list(search(model, prompt, how))
    greedy = greedy_path(model, prompt, how)
    branches = _branches(steps, how, greedy)
    under_way = tuple(sum(len(each.under_way) for each in step) for step in steps)
    why = explain_stop(steps, how, None if model.longest is None else model.longest - len(prompt))
    return SearchTree(how, branches, under_way, _ended(steps, branches), greedy, why)


def greedy_path(model: NextTokenModel, prompt: Int[Tensor, " time"], how: BeamConfig) -> GreedyPath:
    """Greedy search with the same filters, length and end."""
    asked = SamplingConfig(how.length, how.stop, how.filters, seconds=how.seconds)
    tokens, log_p = [], []
    for choice in generate_steps(model, prompt[None], asked):
        if choice.why == "nothing left":
            break
        token = int(choice.tokens[0])
        tokens.append(token)
        log_p.append(float(choice.stages[0].scores[0].double().log_softmax(-1)[token]))
    return GreedyPath(tuple(tokens), tuple(log_p))


def _branches(
    steps: Sequence[tuple[Expansion, ...]], how: BeamConfig, greedy: GreedyPath
) -> tuple[SearchBranch, ...]:
    """Every candidate of every step, with its parent branch."""
    branches: list[SearchBranch] = []
    known: dict[tuple[int, tuple[int, ...]], int] = {}
    for step, expansions in enumerate(steps, start=1):
        for expansion in expansions:
            reasons = explain_candidates(expansion, how)
            for rank, (each, reason) in enumerate(
                zip(expansion.candidates, reasons, strict=True), start=1
            ):
                before = expansion.under_way[each.parent].tokens
                tokens = (*before, each.token)
                known[expansion.group, tokens] = len(branches) + 1
                branch = SearchBranch(
                    len(branches) + 1,
                    known.get((expansion.group, before), ROOT),
                    step,
                    expansion.group,
                    rank,
                    each.token,
                    each.log_p - expansion.under_way[each.parent].log_p,
                    each.log_p,
                    _score(each, step, how),
                    each.outcome,
                    reason,
                    tokens == greedy.tokens[:step],
                )
                branches.append(branch)
    return tuple(branches)


def _score(candidate: BeamCandidate, length: int, how: BeamConfig) -> float:
    return float(candidate.log_p / length**how.length_penalty)


def _ended(
    steps: Sequence[tuple[Expansion, ...]], branches: tuple[SearchBranch, ...]
) -> tuple[EndedText, ...]:
    """All ended texts; each group's last step decides which are kept."""
    last = {each.group: each.ended for step in steps for each in step}
    kept = [(group, beam.tokens) for group in sorted(last) for beam in last[group]]
    numbered = {branch.number: branch for branch in branches}
    ended: dict[tuple[int, tuple[int, ...]], EndedText] = {}
    for branch in branches:
        if branch.outcome != "ends":
            continue
        tokens, at = [branch.token], branch.parent
        while at != ROOT:
            tokens.append(numbered[at].token)
            at = numbered[at].parent
        key = branch.group, tuple(reversed(tokens))
        ended[key] = EndedText(branch.number, key[1], branch.total, key in kept, branch.group)
    lost = [each for key, each in ended.items() if key not in kept]
    return (*(ended[key] for key in kept), *sorted(lost, key=lambda each: -each.total))


class Reranking(NamedTuple):
    """The ended texts under other length penalties: one row per penalty."""

    scores: Float64[Tensor, "power text"]
    ranks: Int64[Tensor, "power text"]
    """From 1."""

    def to_frame(self) -> DataFrame:
        """One row per penalty and text: power and text, both from 0; score; rank, from 1."""
        return dataframes.entries("power text", {"score": self.scores, "rank": self.ranks})


def rerank_texts(ended: Sequence[EndedText], powers: Float64[Tensor, " power"]) -> Reranking:
    """Scores total / t^a and ranks for each a, of the texts that the search found.

    Raises:
        ValueError: if there is no text.
    """
    if not ended:
        raise ValueError("there must be a text that ended to rank; got none")
    totals = torch.tensor([each.total for each in ended], dtype=torch.float64)
    lengths = torch.tensor([len(each.tokens) for each in ended], dtype=torch.float64)
    scores = totals / lengths ** powers[:, None]
    order = scores.argsort(dim=1, descending=True, stable=True)
    return Reranking(scores, order.argsort(dim=1) + 1)


def export_tree(tree: SearchTree, writer: Writer, prompt: Int[Tensor, " time"]) -> bytes:
    """The whole search as JSON: the settings, each branch, the ended texts, the greedy path."""
    how = tree.how
    settings = {
        "width": how.width,
        "length": how.length,
        "length_penalty": how.length_penalty,
        "no_repeat": how.filters.no_repeat,
        "groups": how.groups,
        "diversity": how.diversity,
        "early": how.early,
        "seed": how.seed,
    }
    content = {
        "model": writer.name,
        "prompt": {"ids": prompt.tolist(), "text": writer.text(prompt.tolist())},
        "settings": settings,
        "branches": [each._asdict() | {"text": writer.shown(each.token)} for each in tree.branches],
        "ended": [each._asdict() | {"text": writer.text(each.tokens)} for each in tree.ended],
        "greedy": tree.greedy._asdict() | {"text": writer.text(tree.greedy.tokens)},
        "stopped": tree.why,
    }
    return json.dumps(content, ensure_ascii=False, indent=1, allow_nan=False).encode()
