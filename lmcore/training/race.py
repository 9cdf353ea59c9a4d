"""Several models on the same text, so that only the model differs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from lmcore.models.registry import NAMES, config_of_size
from lmcore.training.batches import corpus_vocabulary
from lmcore.training.spec import RunSpec

MAX_MODELS = 4


def race_specs(base: RunSpec, kinds: Sequence[str], *, same_size: bool) -> tuple[RunSpec, ...]:
    """One spec per kind of model, otherwise equal to `base`.

    `same_size` gives each, within 2 %, as many weights as an LSTM with the sizes of `base`.

    Raises:
        ValueError: if there is no model, a repeated one, too many, or no matching size.
    """
    if (
        not 1 <= len(kinds) <= MAX_MODELS
        or len(set(kinds)) < len(kinds)
        or not {*kinds} <= {*NAMES}
    ):
        raise ValueError(
            f"the models must be 1 to {MAX_MODELS} different ones of {', '.join(NAMES)}; "
            f"got {', '.join(kinds) or 'none'}"
        )
    sizes, types = base.model, len(corpus_vocabulary(base.corpus)) if same_size else 0
    goal = replace(sizes, kind="lstm").config(types).parameters if same_size else 0
    specs = []
    for kind in kinds:
        model = replace(sizes, kind=kind)
        if same_size and kind != "lstm":
            config = config_of_size(kind, types, goal, embedding=sizes.embedding)
            model = replace(model, hidden=config.hidden, layers=1)
        specs.append(replace(base, model=model))
    return tuple(specs)
