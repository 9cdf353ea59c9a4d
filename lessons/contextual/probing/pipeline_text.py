"""The sentence, the formula and the description of where each task is gained."""

from __future__ import annotations

import math
from collections.abc import Sequence

from lessons.contextual.probing.pipeline_picture import LITTLE, ROWS, STAGES, TASKS, Gained
from lmcore.contextual.record import MODELS

APART = 0.3
"""Layers by which a task must be gained earlier to stand out of the slide's order."""
ALIKE = 0.1
"""Tasks whose expected layers span less of the depth than this are gained together."""


def reading(date: str) -> str:
    """Where the numbers come from, and what they are."""
    return (
        "Expected layer, as Tenney et al. 2019 define it: the mean of the layers, each weighted "
        "by Δ, what it adds to the best accuracy below it. Their probes read all layers up to l, "
        f"ours one. Linear probes on words of the Microworld, recorded on {date}. Depth of a "
        "clause and number of the subject stand for parsing, reference of “it” for coreference; "
        "named entities and semantic roles were not probed."
    )


def inversion(found: Sequence[Gained]) -> tuple[Gained, Gained] | None:
    """The two tasks farthest out of the slide's order, the one that is gained first as first."""
    known = [its for its in found if its.stage >= 0 and not math.isnan(its.layer)]
    pairs = [
        (late, early)
        for early in known
        for late in known
        if early.stage < late.stage and early.layer - late.layer >= APART
    ]
    return max(pairs, key=lambda pair: pair[1].layer - pair[0].layer, default=None)


def sentence(found: Sequence[Gained], model: str, *, hidden: bool = False) -> str:
    """The order found here, and whether it is the slide's; `hidden`: it is asked."""
    if hidden:
        return (
            f"On the slide, BERT finds {STAGES[0]} first, {STAGES[-1]} last. And {MODELS[model]}?"
        )
    name = MODELS[model]
    unsolved = [its.task for its in found if math.isnan(its.layer)]
    rest = f"; no layer solves “{unsolved[0]}”" if unsolved else ""
    if pair := inversion(found):
        late, early = pair
        return (
            f"**Not the slide’s order** in {name}: {STAGES[late.stage]} (“{late.task}”) at layer "
            f"=={{layer {TASKS.index(late.task)}}}==, before “{early.task}” at "
            f"{{layer {TASKS.index(early.task)}}}{rest}."
        )
    ranked = sorted((its for its in found if its.layer > 0), key=lambda its: its.layer)
    first, last = (TASKS.index(its.task) for its in (ranked[0], ranked[-1]))
    depth = len(found[0].accuracies) - 1
    if ranked[-1].layer - ranked[0].layer < ALIKE * depth:
        between = f"from layer {{layer {first}}} to =={{layer {last}}}== of {depth}"
        return f"**No pipeline** in {name}: all tasks are gained close together, {between}{rest}."
    return (
        f"**The slide’s order, as far as it goes**, in {name}: from “{TASKS[first]}” at layer "
        f"{{layer {first}}} to “{TASKS[last]}” at =={{layer {last}}}=={rest}."
    )


def formula(found: Sequence[Gained], task: str, *, hidden: bool = False) -> list[str]:
    """The expected layer of a task with its numbers."""
    n = TASKS.index(task)
    its = found[n]
    general = "expected layer = Σ l Δₗ / Σ Δₗ"
    if hidden:
        return [general]
    if sum(its.gains) < LITTLE:
        best = max(range(len(its.accuracies)), key=its.accuracies.__getitem__)
        says = "the word alone tells it" if its.layer == 0 else "no layer solves it"
        best_of = f"at most [activation|{{right {n} {best}}}], at layer {best}"
        return [general, f"{task}: {says}: {best_of}"]
    added = [k for k, gain in enumerate(its.gains) if gain > 0]
    top = " + ".join(f"{k}·[activation|{{gain {n} {k}}}]" for k in added)
    low = " + ".join(f"[activation|{{gain {n} {k}}}]" for k in added)
    return [general, f"{task}: ({top}) / ({low}) = **{{layer {n}}}**"]


def describe(found: Sequence[Gained], model: str) -> str:
    """The alt text, as a template."""
    stages = {task: STAGES[stage] if stage >= 0 else "not on the slide" for stage, task in ROWS}
    each = "; ".join(
        f"{its.task} ({stages[its.task]}): "
        + ("no layer solves it" if math.isnan(its.layer) else f"{{layer {n}}}")
        for n, its in enumerate(found)
    )
    return (
        f"The slide’s order in BERT: {', '.join(STAGES)}. The expected layers of "
        f"{len(found[0].accuracies) - 1} in {MODELS[model]}: {each}."
    )
