"""Texts of the view “Four claims”: what each experiment found, and what is quoted."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import groupby
from typing import NamedTuple

from lmcore.attention.permutation import ShuffleResult
from lmcore.models.positions import EncodingFacts
from lmcore.numbers import format_number
from lmcore.recurrence.recall import CHANCE, RecallResults
from lmcore.transformer.four_claims import DISTANCE, HeadRelation, Recalled
from lmcore.transformer.measured_cost import MeasuredCost
from lmcore.transformer.path_length import PathLengths

DECK = "Stony Brook, “The Transformer: Motivation” and “Take Away”"
CLAIMS = {
    "distance": (
        "Long distances",
        "Capture long-distance dependencies: self-attention treats far away words similar to "
        "those close",
    ),
    "order": (
        "Order",
        "Preserving sequential distances / periodicity: positional embeddings encode "
        "distances/periods",
    ),
    "heads": (
        "Several relationships",
        "Capture multiple relationships: multi-headed attention enables multiple compositions",
    ),
    "parallel": (
        "Parallel",
        "Easy to parallelize: entire layer can be computed at once",
    ),
}
"""Experiment → its title, and the claim in the deck's words."""
ABSTRACT = """
* English to German, WMT 2014: **28.4** BLEU, more than 2 above the best earlier results, ensembles
  included.
* English to French: **41.0** BLEU for a single model in the conference paper of 2017, **41.8** in
  the later arXiv version. The slide “Transformer (as of 2017)” prints the later one.
* Training: **3.5 days** on **eight GPUs**.

Vaswani et al. 2017, “Attention Is All You Need”, abstract. :gray-badge[quoted]
"""
APPLICATIONS = """
* Machine translation · web search · sentiment analysis · document classification · assistants and
  question answering.
* ChatGPT, November 2022, on GPT-3.5.
* GLUE and SuperGLUE: collections of tasks on which models are compared.
* Human Language Modeling: a model reads a text together with earlier texts of the same author.
  Soni, Matero, Balasubramanian & Schwartz 2022, Findings of ACL, pp. 622–636.

Stony Brook, “Transformers as of 2023”; the sentence on the paper is ours. :gray-badge[quoted]
"""


class Finding(NamedTuple):
    """What an experiment found: in a few words, and in a sentence or two."""

    short: str
    sentence: str


def percent(share: float) -> str:
    """A share in percent, as a whole number or with one decimal."""
    return f"{100 * share:.1f} %".replace(".0 %", " %")


def recall_finding(found: Sequence[Recalled]) -> Finding:
    """What each network recalls after the training steps."""
    best, second, *others = sorted(found, key=lambda each: -each.accuracy)
    rest = ", ".join(f"{each.network} {percent(each.accuracy)}" for each in (second, *others))
    return Finding(
        f"{best.accuracy:.0%} against {second.accuracy:.0%}".replace("%", " %"),
        f"One word is to be recalled after {DISTANCE} others. After {best.steps} training steps "
        f"**{best.network} recalls {percent(best.accuracy)}**, {rest}; chance is "
        f"{percent(CHANCE)}.",
    )


def recall_sizes(found: Sequence[Recalled]) -> str:
    """The numbers of weights, for a fair comparison."""
    return "Weights: " + ", ".join(f"{each.network} {each.parameters:,}" for each in found) + "."


def recorded_recall(results: RecallResults) -> str:
    """What the recurrent networks recall after more steps, as recorded."""
    shares = {
        point.cell.upper(): sum(point.accuracies) / len(point.accuracies)
        for point in results.alone
        if point.distance == DISTANCE
    }
    listed = ", ".join(f"{cell} {percent(share)}" for cell, share in shares.items())
    return (
        f"Recorded {results.how['date']}, after {results.how['steps']:,} steps, mean of "
        f"{results.how['seeds']} seeds: {listed}."
    )


def order_finding(found: Mapping[bool, ShuffleResult], facts: EncodingFacts) -> Finding:
    """What a new order changes, and that PE encodes distances."""
    without, with_them = found[False], found[True]
    count = len(without.differences)
    return Finding(
        f"{count - with_them.unchanged} of {count} against {count - without.unchanged}",
        f"Two of {count} words change places in an encoder. With positions the vectors of "
        f"**{count - with_them.unchanged}** words change, without them of "
        f"**{count - without.unchanged}** (largest difference {format_number(without.largest)}, "
        f"rounding). Distances: PE(5)·PE(8) = PE(50)·PE(53) = {format_number(facts.near)}.",
    )


def heads_finding(found: Sequence[HeadRelation]) -> Finding:
    """For each relation, the head it needs most, and how that head affects the other relations."""
    shares = {(each.relation, each.head): each.right for each in found}
    worst = {
        relation: min((one for one in each if one.head is not None), key=lambda one: one.right)
        for relation, each in groupby(found, key=lambda one: one.relation)
    }
    parts = list[str]()
    for relation, least in worst.items():
        others = ", ".join(
            f"{other} {'stays at' if right == shares[other, None] else 'falls to'} {percent(right)}"
            for (other, head), right in shares.items()
            if other != relation and head == least.head
        )
        assert least.head is not None
        parts.append(
            f"without {least.head} **{relation}** falls from {percent(shares[relation, None])} to "
            f"{percent(least.right)}, {others}"
        )
    different = len({least.head for least in worst.values()})
    return Finding(
        f"{len(worst)} relations, {different} heads",
        f"Heads of our small GPT, written layer.head, are muted one at a time: {'; '.join(parts)}.",
    )


def parallel_finding(cost: MeasuredCost, paths: Mapping[str, PathLengths], where: str) -> Finding:
    """The steps and the time of a block and of an RNN with as many weights."""
    block, rnn = 1000 * (cost.attention + cost.mlp), 1000 * cost.rnn
    steps, more = paths["block"].longest, paths["RNN"].longest
    return Finding(
        f"{steps} steps against {more}",
        f"For {cost.time} tokens an RNN computes **{more}** matrix products one after another, a "
        f"block of the same size needs **{steps}**. On {where}: RNN {format_number(rnn)} ms, block "
        f"{format_number(block)} ms.",
    )
