"""The sentences, the formulas and the description of the six uses of a network."""

from __future__ import annotations

from lessons.transfer.transfer_state import NETWORK_NAMES
from lessons.transfer.use_state import USES
from lessons.transfer.uses.roles_picture import (
    CUT,
    KEPT,
    learning_weights,
    roles_of,
    weights_of,
)
from lmcore.transfer.networks import part_names

MOST_TERMS = 3
"""The most terms of a sum that a formula prints."""


def sentences(network: str, task: str, *, hidden: bool = False) -> list[str]:
    """What each use does, in the order of the uses; `hidden`: how many weights learn is asked."""
    top = part_names(network)[-1]
    at = {use: f"=={'?' if hidden else _learn(network, task, use)}==" for use in USES}
    return [
        f"**Zero-shot**: {at['Zero-shot']} weights learn; the task is put as a text that the "
        "model continues.",
        f"**Embeddings**: {at['Embeddings']} weights learn; the network is cut below {top}, and "
        "the vectors there are the product.",
        f"**Features**: {at['Features']} weights learn, those of the new head; the network stays "
        "as it is.",
        f"**Few layers**: {at['Few layers']} weights learn, those of the new head and of {top}.",
        f"**Fine-tuning**: {at['Fine-tuning']} weights learn, those of the new head and all below "
        "it.",
        f"**LM fine-tuning**: pre-training goes on with other texts; all {at['LM fine-tuning']} "
        "weights learn, and no head is added.",
    ]


def formulas(network: str, task: str, *, hidden: bool = False) -> list[list[str]]:
    """The sum of the weights that learn, and how many are kept, in the order of the uses.

    With `hidden`, a question hides how many weights learn.
    """
    return [] if hidden else [_formula(network, task, use) for use in USES]


def _learn(network: str, task: str, use: str) -> str:
    return f"{sum(size for _, size in learning_weights(network, task, use)):,}"


def _formula(network: str, task: str, use: str) -> list[str]:
    sizes = [size for _, size in learning_weights(network, task, use)]
    terms = [f"{size:,}" for size in sizes]
    if len(terms) > MOST_TERMS:
        terms = [*terms[: MOST_TERMS - 1], "…", terms[-1]]
    learn = f"**[weight|{sum(sizes):,}]**"
    total = f"{' + '.join(terms)} = {learn}" if len(terms) > 1 else learn
    roles = roles_of(use, len(part_names(network)))
    every = weights_of(network, task)
    kept = sum(size for size, role in zip(every, roles, strict=True) if role == KEPT)
    cut = sum(size for size, role in zip(every, roles, strict=True) if role == CUT)
    found = [f"learn {total}", f"keep [mask|{kept:,}]"]
    return [*found, f"leave out {cut:,}"] if cut else found


def describe(network: str, task: str) -> str:
    """The alt text."""
    names = ["new head", "head of pre-training", *reversed(part_names(network))]
    uses = "; ".join(
        f"{use}: "
        + ", ".join(
            f"{name} {role}"
            for name, role in zip(names, roles_of(use, len(names) - 2), strict=True)
            if role
        )
        + f", {_learn(network, task, use)} weights learn"
        for use in USES
    )
    return f"Six uses of {NETWORK_NAMES[network]}. {uses}."
