"""Beam search: the data of its picture, and the scores of ended texts."""

from __future__ import annotations

from typing import NamedTuple, TypedDict

import torch
from jaxtyping import Float64
from torch import Tensor

from drawing.events import Place
from drawing.payload import NumberArray, Script
from lmcore.decoding import beam_tree
from lmcore.decoding.beam_tree import EndedText, SearchTree
from lmcore.decoding.writer import Writer
from lmcore.numbers import format_number

OUTCOMES = ("goes on", "ends", "pruned")
POWER = "a"
"""The slider of the length penalty."""


class BeamSearchState(NamedTuple):
    """A search on screen: its tree, its model, and the ended texts that are shown for some a."""

    tree: SearchTree
    writer: Writer
    ended_texts: tuple[EndedText, ...]


def beam_search_state(
    tree: SearchTree, writer: Writer, powers: Float64[Tensor, " power"]
) -> BeamSearchState:
    """The search with its ended texts: those kept, and those in the top `width` for some a."""
    if not tree.ended:
        return BeamSearchState(tree, writer, ())
    ranks = beam_tree.rerank_texts(tree.ended, powers).ranks.amin(dim=0).tolist()
    width = tree.how.width
    shown = [e for e, rank in zip(tree.ended, ranks, strict=True) if e.kept or rank <= width]
    return BeamSearchState(tree, writer, tuple(shown))


def numbers(
    shown: BeamSearchState, powers: Float64[Tensor, " power"]
) -> dict[str, Float64[Tensor, " power"]]:
    """a, and every ended text's score under it."""
    named = {POWER: powers}
    if shown.ended_texts:
        scores = beam_tree.rerank_texts(shown.ended_texts, powers).scores
        named |= {f"s{i}": scores[:, i] for i in range(len(shown.ended_texts))}
    return named


class EndedPayload(TypedDict):
    """A text that ended: its last branch, the step it ended at, and its sum of log p."""

    text: str
    branch: int
    step: int
    total: float
    length: int
    kept: bool
    greedy: bool


class BeamPayload(TypedDict):
    """A whole search; keys with `b_`, and the lists beside them, have one entry per branch."""

    b_parent: NumberArray
    b_step: NumberArray
    b_total: NumberArray
    b_greedy: NumberArray
    tokens: list[str]
    outcomes: list[int]
    outcome_names: list[str]
    reasons: list[str]
    beginnings: dict[str, str]
    """The text of a branch that continues, by its number."""
    width: int
    at: int
    steps: int
    greedy: list[str]
    ended: list[EndedPayload]


BEAM = Script("beam", BeamPayload, (POWER, "s#"), Place)
"""It reports the selected step."""


def picture(shown: BeamSearchState, step: int) -> BeamPayload:
    """The data of `lessons/generation/beam.js`: every step, with `step` selected."""
    tree, writer = shown.tree, shown.writer
    branches = tree.branches

    def column(name: str) -> NumberArray:
        values = [float(getattr(branch, name)) for branch in branches]
        return torch.tensor(values, dtype=torch.float64).numpy()

    begun = {b.parent for b in branches}
    return {
        "b_parent": column("parent"),
        "b_step": column("step"),
        "b_total": column("total"),
        "b_greedy": column("greedy"),
        "tokens": [writer.shown(b.token) for b in branches],
        "outcomes": [OUTCOMES.index(b.outcome) for b in branches],
        "outcome_names": list(OUTCOMES),
        "reasons": [b.reason for b in branches],
        "beginnings": {str(n): writer.text(tree.tokens(n)) for n in begun},
        "width": tree.how.width,
        "at": step,
        "steps": tree.steps,
        "greedy": [writer.shown(token) for token in tree.greedy.tokens],
        "ended": [_one(shown, each) for each in shown.ended_texts],
    }


def _one(shown: BeamSearchState, each: EndedText) -> EndedPayload:
    tree = shown.tree
    return {
        "text": shown.writer.text(each.tokens) or "(empty)",
        "branch": each.branch,
        "step": tree.branches[each.branch - 1].step,
        "total": each.total,
        "length": len(each.tokens),
        "kept": each.kept,
        "greedy": each.tokens == tree.greedy.tokens,
    }


COLUMNS = ("hypothesis, its new token, outcome", "log p of the token", "Σ log p", "score")


def rows(shown: BeamSearchState, step: int) -> list[tuple[str, *tuple[float, ...]]]:
    """One row per candidate of a step, the best first, with its outcome and the reason."""
    found = list[tuple[str, *tuple[float, ...]]]()
    for branch in shown.tree.of_step(step):
        before = shown.writer.text(shown.tree.tokens(branch.parent)) or "(prompt)"
        group = f"group {branch.group + 1}: " if shown.tree.how.groups > 1 else ""
        token = shown.writer.shown(branch.token)
        why = f"{branch.outcome}: {branch.reason}" if branch.reason else branch.outcome
        label = f"{group}{before} + {token}; {why}"
        found.append((label, branch.log_p, branch.total, branch.score))
    return found


def writer_words(writer: Writer) -> str:
    """Explains the numbers of the table."""
    return (
        f"log p under {writer.name}, in nats, after n-gram blocking and the penalties of groups. A "
        "token that ends the text is counted in t."
    )


def other_power_words(power: float, searched: float) -> str:
    """Explains how a ranking with this a differs from the search's own ranking."""
    if power == searched:
        return (
            f"The search ran with this a = {format_number(searched)}. Drag it: the ended texts are "
            "ranked again at once."
        )
    return (
        f"Ranked with a = {format_number(power)}; the search ran with "
        f"{format_number(searched)}. The search’s own a also decides which ended texts are kept "
        f"and when to stop, so a new search may find other texts."
    )
