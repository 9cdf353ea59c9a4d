"""The sentences, the formulas and the description of the layers mixed by task."""

from __future__ import annotations

from lessons.contextual.elmo.mixtures_picture import ASKS, MIXTURES, TaskShares

ALONE = 0.995
"""A share from which on a layer is taken alone."""
LEAST = 0.0005
"""A smaller share is left out of the formula."""
LITTLE = 0.1
"""A task that is solved better than by the word alone by less than this has learned little."""


def reading(date: str) -> str:
    """Where the numbers come from."""
    return (
        "The biLM is frozen; for each task only w, γ and a softmax tagger were trained, on words "
        f"of the microworld, recorded on {date}. What is mixed is LN(hₖ,ⱼ), each layer normalized. "
        "γ is no importance: the tagger that follows undoes it. Right: of held-out words; below, "
        "each word’s most frequent answer, without its context."
    )


def sentence(found: list[TaskShares], n: int, mixture: str) -> str:
    """The finding at task n of the picture, from 0."""
    its = found[n]
    if mixture == MIXTURES[0]:
        return (
            f"The simplest choice, the last layer alone: **{its.task}** is right in "
            f"=={{right {n}}}==% of words."
        )
    if mixture == MIXTURES[1]:
        return "Before learning, every task takes the same mixture: =={share}== of each layer."
    top = max(its.shares)
    layer = its.shares.index(top)
    start = f"Asked “{ASKS[its.task]}”, the task takes"
    much = f"layer {layer} alone: ==" if top >= ALONE else f"most of layer {layer}: =="
    return f"{start} {much}{{share}}=={_caution(its, n)}."


def _caution(its: TaskShares, n: int) -> str:
    if its.accuracy - its.by_word >= LITTLE:
        return ""
    if its.by_word > 1 - LITTLE:
        return "; the word alone nearly tells it"
    return f", yet only {{right {n}}}% are right"


def formula(found: list[TaskShares], n: int, mixture: str) -> list[str]:
    """The mixture of task n with its numbers."""
    if mixture == MIXTURES[0]:
        return ["E(Rₖ) = hₖ,L", f"{found[n].task}: [activation|{{right {n}}}]% right"]
    taken = [j for j, share in enumerate(found[n].shares) if share >= LEAST]
    parts = " + ".join(f"{{s {n} {j}}} h{'₀₁₂'[j]}" for j in taken)
    rest = "" if len(taken) == len(found[n].shares) else " + …"
    return [
        "ELMoₖ = [weight|γ] Σⱼ sⱼ LN(hₖ,ⱼ)",
        f"{found[n].task}: [weight|{{gamma {n}}}] · ({parts}{rest})",
    ]


def describe(found: list[TaskShares], mixture: str) -> str:
    """The alt text, as a template."""
    each = "; ".join(
        f"{its.task}: " + ", ".join(f"{{s {n} {j}}}" for j in range(len(its.shares)))
        for n, its in enumerate(found)
    )
    return f"The shares of layers 0, 1 and 2 for each task, {mixture}: {each}."
