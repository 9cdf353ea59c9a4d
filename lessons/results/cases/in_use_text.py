"""The sentences, the formula and the description of five uses of Transformers."""

from __future__ import annotations

from lessons.results.cases.in_use_picture import MODELS, USES, Use


def sentences() -> list[str]:
    """The model and the head of each use, and how many uses its model serves."""
    return [_sentence(use) for use in USES.values()]


def _sentence(use: Use) -> str:
    models = " or ".join(f"{_article(model)} **{model}**" for model in use.runs)
    head = use.runs[use.model].head
    if not head.startswith("one "):
        head = f"{_article(head)} {head}"
    serves = f"{_article(use.model)} {use.model} serves =={{same}}== of {{uses}} uses here."
    return f"{use.name}: {models} with {head}; {serves}"


def _article(noun: str) -> str:
    return "an" if noun[0] in "aeio" else "a"


def formula() -> list[str]:
    """How many uses each model serves."""
    return [f"{model}: **{{count {n}}}** of {{uses}}" for n, model in enumerate(MODELS)]


def describe() -> str:
    """The alt text, as a template."""
    uses = "; ".join(
        f"{use.name}: "
        + " or ".join(
            f"{model} with {run.head}, gives {run.gives}" for model, run in use.runs.items()
        )
        for use in USES.values()
    )
    return (
        "Three models side by side. In the encoder each word sees all, in the decoder those before "
        f"it. {uses}."
    )
