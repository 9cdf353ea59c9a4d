"""Labels for several runs: the settings in which they differ."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields

from lmcore.training.spec import SWITCHES, RunSpec

SETTING_LABELS = {
    "learning_rate": "η",
    "clip": "clipped at",
    "documents": "documents",
    "freeze_embedding": "E frozen",
    "decay": "η falls",
    "norm": "LayerNorm",
    "residual": "residuals",
    "mlp": "MLP",
}
"""Setting → its name in a label, where that is not the setting's own."""
OMITTED_SETTINGS = ("text", "kind", "every")
"""Settings left out of labels: too long, already shown, or irrelevant."""


def difference_labels(specs: Sequence[RunSpec]) -> list[str]:
    """For each run its values of the settings that differ: "η 0.008, seed 2".

    Equal runs are numbered, "no. 2". Empty for a single run.
    """
    flat = [settings(spec) for spec in specs]
    names = [name for name in settings(RunSpec()) if len({each[name] for each in flat}) > 1]
    labels = [
        ", ".join(f"{SETTING_LABELS.get(n, n)} {_written(each[n])}" for n in names) for each in flat
    ]
    kinds = [(spec.model.kind, words) for spec, words in zip(specs, labels, strict=True)]
    return [
        _joined(words, kinds[: i + 1].count(kind) if kinds.count(kind) > 1 else 0)
        for i, (words, kind) in enumerate(zip(labels, kinds, strict=True))
    ]


def settings(spec: RunSpec) -> dict[str, object]:
    """Every setting by its name, those of the text and of the model among them."""
    parts = (spec.corpus, spec.model, spec)
    found = {
        field.name: getattr(part, field.name)
        for part in parts
        for field in fields(part)
        if field.name not in ("corpus", "model", *OMITTED_SETTINGS)
    }
    return found | {name: usual for name, usual in SWITCHES.items() if found[name] is None}


def _written(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"{value:g}" if isinstance(value, float) else str(value)


def _joined(words: str, place: int) -> str:
    return ", ".join([part for part in (words, f"no. {place}" if place else "") if part])
