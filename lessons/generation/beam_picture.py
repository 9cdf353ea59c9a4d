"""Beam search: the data of its picture, the scores of ended texts, and the sentences."""

from __future__ import annotations

from typing import NamedTuple, TypedDict

import torch
from jaxtyping import Float64
from torch import Tensor

from lessons.shared.payload import NumberArray, Script
from lmcore.decoding import beam_tree
from lmcore.decoding.beam_tree import EndedText, SearchTree
from lmcore.decoding.writer import Writer
from lmcore.numbers import format_number

OUTCOMES = ("goes on", "ends", "pruned")
POWER = "a"
"""The slider of the length penalty."""


class BeamSearchState(NamedTuple):
    """A search on screen: its tree, its model, and the ended texts that some a would show."""

    tree: SearchTree
    writer: Writer
    ended_texts: tuple[EndedText, ...]


def beam_search_state(
    tree: SearchTree, writer: Writer, powers: Float64[Tensor, " power"]
) -> BeamSearchState:
    """The search with its ended texts: those kept, and those that one of these a would rank in."""
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
    """A whole search; what begins with `b_`, and the lists beside it, have an entry a branch."""

    b_parent: NumberArray
    b_step: NumberArray
    b_group: NumberArray
    b_rank: NumberArray
    b_log_p: NumberArray
    b_total: NumberArray
    b_score: NumberArray
    b_greedy: NumberArray
    name: str
    tokens: list[str]
    outcomes: list[int]
    outcome_names: list[str]
    reasons: list[str]
    beginnings: dict[str, str]
    """The text of a branch that goes on, by its number."""
    groups: int
    width: int
    at: int
    steps: int
    why: str
    searched: float
    """The length penalty that the search ran with."""
    greedy: list[str]
    greedy_text: str
    greedy_total: float
    ended: list[EndedPayload]
    alt: str


BEAM = Script("beam", BeamPayload)


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
        "b_group": column("group"),
        "b_rank": column("rank"),
        "b_log_p": column("log_p"),
        "b_total": column("total"),
        "b_score": column("score"),
        "b_greedy": column("greedy"),
        "name": "beam-search",
        "tokens": [writer.shown(b.token) for b in branches],
        "outcomes": [OUTCOMES.index(b.outcome) for b in branches],
        "outcome_names": list(OUTCOMES),
        "reasons": [b.reason for b in branches],
        "beginnings": {str(n): writer.text(tree.tokens(n)) for n in begun},
        "groups": tree.how.groups,
        "width": tree.how.width,
        "at": step,
        "steps": tree.steps,
        "why": tree.why,
        "searched": tree.how.length_penalty,
        "greedy": [writer.shown(token) for token in tree.greedy.tokens],
        "greedy_text": writer.text(tree.greedy.tokens),
        "greedy_total": tree.greedy.total,
        "ended": [_one(shown, each) for each in shown.ended_texts],
        "alt": describe(shown, step),
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


def describe(shown: BeamSearchState, step: int) -> str:
    """Alt text: the candidates of the step and their outcomes."""
    candidates = [
        f"{shown.writer.shown(b.token)} {format_number(b.total)}: {b.outcome}"
        for b in shown.tree.of_step(step)
    ]
    return (
        f"Step {step} of {shown.tree.steps}. Candidates, the best first: {'; '.join(candidates)}."
    )


def notice(shown: BeamSearchState, step: int) -> list[str]:
    """The outcome of a step; at the last step, whether the beam beat greedy search."""
    tree = shown.tree
    here = tree.of_step(step)
    counts = {outcome: sum(b.outcome == outcome for b in here) for outcome in OUTCOMES}
    under_way, types = tree.under_way[step - 1], shown.writer.types
    drawn = tree.how.seed is not None
    sentences = [
        f"Step {step}: {_counted(under_way, 'hypothesis', 'hypotheses')} times {types:,} tokens "
        f"are {under_way * types:,} candidates. Of the {len(here)} {'drawn' if drawn else 'best'}, "
        f"listed here, {_with_verb(counts['goes on'], 'go', 'goes')} on, "
        f"{_with_verb(counts['ends'], 'end', 'ends')} and "
        f"{_with_verb(counts['pruned'], 'are', 'is')} pruned."
    ]
    most = max(tree.under_way)
    if most < tree.how.width and tree.steps > 1:
        sentences.append(
            f"There are never more than {most} hypotheses with a probability above 0: a beam of "
            f"{tree.how.width} is wider than needed, and prunes no hypothesis."
        )
    return sentences if step < tree.steps else [*sentences, *_outcome(shown)]


def _outcome(shown: BeamSearchState) -> list[str]:
    tree = shown.tree
    sentences = [f"The search stops: {tree.why}."]
    if not tree.ended:
        return sentences
    kept = [each for each in tree.ended if each.kept]
    power = tree.how.length_penalty
    best = max(kept, key=lambda each: each.total / len(each.tokens) ** power)
    greedy = tree.greedy
    if best.tokens == greedy.tokens:
        return [*sentences, "Its best text is also the one that greedy search writes."]
    verdict = "more" if best.total > greedy.total else "less"
    doubt = ": beam search does not guarantee the best text, and scores are divided by tᵃ"
    why = "" if verdict == "more" else doubt
    return [
        *sentences,
        f"Its best text has log p **{format_number(best.total)}**, greedy’s "
        f"**{format_number(greedy.total)}**: it is {verdict} probable{why}.",
    ]


def writer_words(writer: Writer) -> str:
    """Explains the numbers of the table."""
    return (
        f"log p under {writer.name}, in nats, after n-gram blocking and the penalties of groups. A "
        "token that ends the text is counted in t."
    )


def other_power_words(power: float, searched: float) -> str:
    """Explains how a ranking with this a differs from the search's own."""
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


def _counted(count: int, one: str, many: str) -> str:
    return f"{count} {one if count == 1 else many}"


def _with_verb(count: int, many: str, one: str) -> str:
    return f"{count} {one if count == 1 else many}"
