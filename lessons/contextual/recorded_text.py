"""Sentences about what was measured once: probes, mixtures, combinations of layers, taggers."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache
from statistics import mean

from lmcore.contextual.mixing import TABLE_7
from lmcore.contextual.probes import ProbeScore, expected_layer
from lmcore.contextual.record import MODELS, Recorded
from lmcore.contextual.tagger import Placement, TaggerRun
from lmcore.contextual.tasks import TASKS

SUBSCRIPTS = "₀₁₂₃₄₅₆"
PIPELINE = "POS → parsing → named entities → semantic roles → coreference"
"""The order of Tenney et al. 2019 in BERT, from low layers to high ones."""

PLACES: dict[Placement, str] = {
    "none": "nowhere",
    "input": "at the input",
    "output": "at the output",
    "both": "at both",
}
"""Where a tagger has ELMo → how it is called."""


def scores_of(record: Recorded, model: str, task: str) -> list[ProbeScore]:
    """The probes of a model's layers on a task, layer 0 first."""
    found = [s for s in record.probes if (s.model, s.task) == (model, task)]
    return sorted(found, key=lambda score: score.layer)


def best_layer(scores: Sequence[ProbeScore]) -> ProbeScore:
    """The lowest of the layers with the highest accuracy."""
    return max(scores, key=lambda score: (score.accuracy, -score.layer))


def finding_of_probes(record: Recorded, task: str) -> str:
    """Where each model solves a task, compared with what the word alone gives away."""
    by_word = record.baselines[task][1]
    parts = []
    for model, label in MODELS.items():
        best = best_layer(scores_of(record, model, task))
        parts.append(f"{label} **{best.accuracy:.3f}** (layer {best.layer})")
    return (
        f"The word alone, without its context, gives **{by_word:.3f}** of the answers. "
        f"Best layer: {', '.join(parts)}."
    )


def expected_layers(record: Recorded, model: str) -> dict[str, float]:
    """Each task's expected layer in a model; NaN if no layer adds anything to layer 0."""
    return {
        task: expected_layer([score.accuracy for score in scores_of(record, model, task)])
        for task in TASKS
    }


@lru_cache(maxsize=len(MODELS))
def order_of_tasks(record: Recorded, model: str) -> str:
    """The tasks from low layers to high ones, each with its expected layer."""
    found = expected_layers(record, model)
    known = sorted((layer, task) for task, layer in found.items() if not math.isnan(layer))
    order = " → ".join(f"{task} ({layer:.1f})" for layer, task in known)
    unsolved = [task for task, layer in found.items() if math.isnan(layer)]
    rest = f"; no layer adds to layer 0: {', '.join(unsolved)}" if unsolved else ""
    return f"**{MODELS[model]}**: {order}{rest}"


def finding_of_mixtures(record: Recorded, task: str) -> str:
    """Whether all layers beat the last one, and the last one beats static vectors."""
    mixture = record.mixtures["bilm"][task]
    shares = ", ".join(
        f"s{SUBSCRIPTS[j]} = {share:.2f}" for j, share in enumerate(mixture.shares.tolist())
    )
    static, last, mixed = mixture.single[0], mixture.single[-1], mixture.accuracy
    return (
        f"The biLM’s layers, learned: {shares}, γ = {mixture.gamma:.2f}. Accuracy: layer 0 "
        f"**{static:.3f}**, last layer **{last:.3f}**, all mixed **{mixed:.3f}**. "
        f"{ranking(static, last, mixed)}"
    )


def ranking(static: float, last: float, mixed: float) -> str:
    """The claim “all layers > last only > static”, compared with the numbers."""
    holds = [static < last, last < mixed]
    if all(holds):
        return "All layers > last only > static, as the slide says."
    if holds[0]:
        return "Last only > static as the slide says; mixing all layers gains nothing here."
    if holds[1]:
        return "All layers > last only as the slide says; the last layer is not above static."
    return "The slide’s order does not come out here."


def finding_of_combinations(record: Recorded, task: str) -> str:
    """The best and the worst combination here, compared with those of the paper."""
    ours = record.combinations[task]
    best, worst = (pick(ours, key=ours.__getitem__) for pick in (max, min))
    quoted = max(TABLE_7, key=TABLE_7.__getitem__)
    ties = [how for how, value in ours.items() if value == ours[best]]
    many = f" (and {len(ties) - 1} more)" if len(ties) > 1 else ""
    return (
        f"On **{task}**, MiniLM’s best vector is the **{best}**{many}, {ours[best]:.3f}; the worst "
        f"is the **{worst}**, {ours[worst]:.3f}. In the BERT paper’s Table 7 the best is the "
        f"**{quoted}**, F1 {TABLE_7[quoted]}."
    )


def tagger_means(
    runs: Sequence[TaggerRun], task: str
) -> dict[tuple[str, float], tuple[float, float, float]]:
    """Placement and λ → mean, lowest and highest accuracy over the seeds."""
    found: dict[tuple[str, float], list[float]] = {}
    for run in runs:
        if run.task == task:
            found.setdefault((run.placement, run.penalty), []).append(run.accuracy)
    return {key: (mean(each), min(each), max(each)) for key, each in found.items()}


def finding_of_taggers(record: Recorded) -> str:
    """What ELMo adds to a tagger with few labels, task by task."""
    tasks = list(dict.fromkeys(run.task for run in record.taggers))
    parts = []
    for task in tasks:
        means = tagger_means(record.taggers, task)
        without = means[("none", 0.0)][0]
        place = max(("input", "output", "both"), key=lambda name: means[(name, 0.0)][0])
        parts.append(f"{task} {without:.3f} → **{means[(place, 0.0)][0]:.3f}** ({place})")
    texts = record.taggers[0].texts
    return f"With {texts} labelled texts, without ELMo and with it where it is best: " + (
        "; ".join(parts) + "."
    )
