"""Runs of one deep, narrow GPT on the microworld, with a part of its blocks changed or left out."""

from __future__ import annotations

from dataclasses import replace

from lmcore.checks import check_between
from lmcore.training.spec import SWITCHES, ModelSpec, RunSpec

WIDTH, LAYERS, HEADS, HIDDEN = 32, 6, 4, 128
"""d, N, n_h and d_ff."""
STEPS = 1500
MOST_STEPS = 5000
EVERY = 50
SEEDS = (0, 1, 2)
"""Seeds of the recorded runs with every part, which show how far apart equal models end."""
NAMES = {
    ("norm", "post"): "post-norm",
    ("norm", "none"): "no LayerNorm",
    ("positions", "sinusoidal"): "sinusoids",
    ("positions", "none"): "no positions",
    ("residual", False): "no residuals",
    ("mlp", False): "no MLP",
}
"""A part and what it is instead → its name."""


def switched_run(
    *,
    residual: bool = True,
    norm: str = "pre",
    positions: bool = True,
    split: bool = True,
    mlp: bool = True,
    steps: int = STEPS,
    seed: int = 0,
) -> RunSpec:
    """A run of the GPT; `split` False is one head as wide as all, `positions` False is no P.

    Raises:
        ValueError: naming what is out of bounds.
    """
    check_between("the number of steps", steps, 1, MOST_STEPS)
    model = ModelSpec(
        "transformer",
        WIDTH,
        HIDDEN,
        LAYERS,
        heads=HEADS if split else 1,
        norm=norm,
        positions="learned" if positions else "none",
        residual=residual,
        mlp=mlp,
    )
    return RunSpec(
        model=model,
        learning_rate=3e-3,
        clip=1.0,
        batch=32,
        steps=steps,
        every=min(EVERY, steps),
        seed=seed,
    )


BASES = tuple(switched_run(seed=seed) for seed in SEEDS)
BASE = BASES[0]
SINGLE = (
    switched_run(residual=False),
    switched_run(norm="post"),
    switched_run(norm="none"),
    switched_run(positions=False),
    switched_run(split=False),
    switched_run(mlp=False),
)
"""One part changed or left out in each."""
BARE = switched_run(residual=False, norm="none")
EXAMPLES = (*BASES, *SINGLE, BARE)
"""The runs of which a recording comes with the application."""


def recorded_spec(spec: RunSpec) -> RunSpec:
    """The spec itself if it is recorded, else the same switches with the usual steps and seed."""
    return spec if spec in EXAMPLES else replace(BASE, model=spec.model)


def name_switches(model: ModelSpec) -> str:
    """What is changed or left out in a Transformer, in words; empty if nothing is."""
    changed = [(name, getattr(model, name)) for name in SWITCHES]
    words = [NAMES[pair] for pair in changed if pair in NAMES]
    return ", ".join(words + ["one head"] * (model.heads == 1))
