"""The texts of the view of the switches: the block's equations, and findings from numbers."""

from __future__ import annotations

from collections.abc import Sequence

from lmcore.numbers import format_number
from lmcore.shipped.recordings import Recording, find_recording, find_recordings
from lmcore.shipped.switch_runs import BASES, EXAMPLES, name_switches
from lmcore.training.spec import ModelSpec, RunSpec
from lmcore.transformer.gradient_norms import GradientNorms

EVERY_PART = "every part"
COLUMNS = (
    "recorded run",
    "validation loss",
    "above the grammar",
    "∇ block 1 ÷ last, step 50",
    "at the end",
    "weights",
)


def name_run(spec: RunSpec) -> str:
    """The name of a run: what is changed or left out in it."""
    return name_switches(spec.model) or EVERY_PART


def title_of(spec: RunSpec) -> str:
    """The beginning of a finding."""
    name = name_run(spec)
    return f"**{name[:1].upper()}{name[1:]}:**"


def block_formulas(model: ModelSpec) -> list[str]:
    """The equations of a block with its switches, in LaTeX."""
    parts = [r"\text{Attention}"] + [r"\text{MLP}"] * (model.mlp is not False)
    return [_formula(part, model.norm or "pre", residual=model.residual is None) for part in parts]


def _formula(part: str, norm: str, *, residual: bool) -> str:
    inputs = r"\text{LayerNorm}(x)" if norm == "pre" else "x"
    total = ("x + " if residual else "") + rf"{part}({inputs})"
    return r"x \leftarrow " + (rf"\text{{LayerNorm}}({total})" if norm == "post" else total)


def base_losses() -> tuple[float, ...]:
    """The final validation losses of the recorded runs with every part, one for each seed."""
    found = [each.final_loss for each in find_recordings(BASES)]
    return tuple(loss for loss in found if loss is not None)


def describe_loss(recording: Recording) -> str:
    """A recorded run's final loss, compared with the grammar's and the runs with every part."""
    name, ends, loss = name_run(recording.spec), base_losses(), recording.final_loss
    title = title_of(recording.spec)
    if recording.why or loss is None or recording.truth is None:
        return f"{title} the run diverged after step {recording.step:,}: {recording.why}"
    above = (
        f"{title} after {recording.step:,} steps the validation loss is {format_number(loss)} nats "
        f"per token, {format_number(loss - recording.truth)} above the grammar’s own "
        f"{format_number(recording.truth)}."
    )
    return f"{above} {_compare(loss, ends, switched=name != EVERY_PART)}"


def _compare(loss: float, ends: Sequence[float], *, switched: bool) -> str:
    low, high = min(ends), max(ends)
    spread = f"from {format_number(low)} to {format_number(high)}"
    if not switched:
        return f"The {len(ends)} recorded runs, which differ in the seed alone, end {spread}."
    others = f"whose {len(ends)} seeds end {spread}"
    beyond = max(low - loss, loss - high)
    if beyond <= 0:
        return f"It is among those with every part, {others}: this one run shows no difference."
    side = "higher" if loss > high else "lower"
    if beyond <= high - low:
        return f"It is a little {side} than with every part, {others}: more runs would tell."
    return f"It is {side} than with every part, {others}."


def describe_gradient(
    spec: RunSpec, norms: GradientNorms, base: tuple[RunSpec, GradientNorms] | None
) -> str:
    """How the gradient of the first block compares with that of the last, early and late."""
    moments = ["before the first step"]
    if recording := find_recording(spec):
        moments += [f"at step {recording.spec.every}", "at the end"]
    here = first_to_last(spec, norms)[: len(moments)]
    ratios = _listed([f"{_times(r)} {moment}" for r, moment in zip(here, moments, strict=True)])
    said = f"The gradient of block 1, over that of block {len(norms.blocks)}, is {ratios}"
    if base is None:
        return f"{said}."
    others = first_to_last(*base)[: len(here)]
    return f"{said}; with every part, {_listed([_times(r) for r in others])}."


def first_to_last(spec: RunSpec, norms: GradientNorms) -> list[float]:
    """‖∂L/∂θ_1‖ / ‖∂L/∂θ_N‖ before the first step; of a recorded run also early and at its end."""
    found = [_ratio(norms.blocks.tolist())]
    if recording := find_recording(spec):
        steps = (recording.spec.every, recording.step)
        found += [_ratio(block_norms(recording, step)) for step in steps]
    return found


def _times(ratio: float) -> str:
    return format_number(float(f"{ratio:.2g}"))


def _listed(parts: Sequence[str]) -> str:
    return ", ".join(parts[:-1]) + " and " * (len(parts) > 1) + parts[-1]


def block_norms(recording: Recording, step: int) -> list[float | None] | None:
    """The gradient's norm in each block at an evaluation; None if there was none at that step."""
    places = [2 + i for i, layer in enumerate(recording.layers) if layer.startswith("layer ")]
    for row in recording.evaluations:
        if row[0] == step and len(row) > 2:
            return [row[place] for place in places]
    return None


def example_rows() -> list[tuple[str, float, float, float, float, int]]:
    """For each recorded run: loss, loss above the grammar's, two ratios, number of weights."""
    rows = []
    for each in find_recordings(EXAMPLES):
        seed = f", seed {each.spec.seed}" if each.spec in BASES else ""
        loss, truth = each.final_loss or 0.0, each.truth or 0.0
        early, late = (_ratio(block_norms(each, step)) for step in (each.spec.every, each.step))
        name = name_run(each.spec) + seed
        rows.append((name, loss, loss - truth, early, late, each.parameters))
    return rows


def _ratio(norms: Sequence[float | None] | None) -> float:
    if not norms or norms[0] is None or not norms[-1]:
        return float("nan")
    return norms[0] / norms[-1]


def describe_recorded(recorded: Sequence[Recording], spec: RunSpec) -> str:
    """A sentence that says what the dashed curves are."""
    listed = "; ".join(
        f"{name_run(each.spec)}: {each.date}, seed {each.spec.seed}, {each.step:,} steps in "
        f"{format_number(each.seconds)} s on {each.device}"
        for each in recorded
    )
    if find_recording(spec) is None:
        return (
            "No run with these switches is recorded. *Train it here* draws yours over the recorded "
            f"one (dashed, {listed})."
        )
    return f"Dashed{' and dotted' * (len(recorded) > 1)}: recorded ({listed})."


def snippet(spec: RunSpec) -> str:
    """A program that makes the same run and prints its initial gradient and its losses."""
    model = spec.model
    return f"""from lmcore.shipped.switch_runs import switched_run
from lmcore.training.events import Evaluated
from lmcore.training.loop import Training
from lmcore.transformer.gradient_norms import norms_before_training

spec = switched_run(
    residual={model.residual is None}, norm={model.norm or "pre"!r},
    positions={model.positions is None}, split={model.heads > 1}, mlp={model.mlp is None},
    steps={spec.steps}, seed={spec.seed},
)
print(norms_before_training(spec).to_frame())
for event in Training(spec):
    if isinstance(event, Evaluated):
        print("step", event.step, "loss", event.loss, dict(event.norms))
"""
