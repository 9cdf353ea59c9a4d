"""The sentences, the formula and the description of the run on the loss surface."""

from __future__ import annotations

from lessons.descent.descent_picture import run_label
from lessons.descent.numbers import Descent, sentence_count
from lmcore.optimization.paths import DescentConfig

MOVED = "After **{step}** steps L = =={loss}==; at step {step<} it was {loss<}."
LEAST = " The minimum, at β*, is {least}."
AFTER = "after **{step}** steps L = =={loss}==."


def run_sentences(run: Descent) -> list[str]:
    """The findings, in the order in which the number @say counts them; then all of them again.

    The second set is for the last step, whose formula differs.
    """
    return _findings(run) * 2


def _findings(run: Descent) -> list[str]:
    configs, kind = run.sweep.configs, run.surface.kind
    if len(configs) > 1:
        least = LEAST if kind == "regression" else ""
        return [
            f"{{step}} steps from one start, with one η: **{run_label(config)}** is lowest, "
            f"L = =={{l{i}}}==.{least}"
            for i, config in enumerate(configs)
        ]
    one = configs[0]
    if kind == "regression":
        return _regression_sentences(one, run.surface.objective.examples)
    return _landscape_sentences(run_label(one), kind, run.surface.name)


def _regression_sentences(config: DescentConfig, points: int) -> list[str]:
    if config.optimizer == "momentum":
        return [f"Momentum adds 0.9 of the step before to each step: {AFTER}{LEAST}"] * 3
    if config.optimizer == "Adam":
        return [f"Adam divides each slope by its own recent size: {AFTER}{LEAST}"] * 3
    if config.batch and config.batch < points:
        read = f"{config.batch} of {points} points"
        return [f"SGD reads {read} at each step, so its slope is noisy: {AFTER}{LEAST}"] * 3
    if config.schedule.kind != "constant":
        return [f"η of the next step is {{rate}} ({config.schedule.kind}): {AFTER}{LEAST}"] * 3
    return [
        "η = {eta} is =={share}== of the limit of convergence, 2/λₘₐₓ = {rmax}: a step "
        "leaves at most {left} of the distance to β*.",
        "η = {eta} is =={share}== times the limit of convergence, 2/λₘₐₓ = {rmax}: the run "
        "**diverges**, by a factor of up to {left} a step.",
        "η = {eta} is =={share}== times 2/λₘₐₓ: along one direction each step lands **as far "
        "away on the other side**, and never arrives.",
    ]


def _landscape_sentences(name: str, kind: str, surface: str) -> list[str]:
    if kind == "saddle":
        return [
            f"Step {{step}}, L = =={{loss}}==: {name} comes down towards (0, 0), which is **no "
            "minimum**: along y, L falls to both sides.",
            "Step {step}, L = =={loss}==: at the **saddle** both slopes are almost 0, so the "
            "next step is only {size} long.",
            f"Step {{step}}, L = =={{loss}}==: {name} has **left the saddle**, and goes down to "
            "a minimum, L = −1.",
        ]
    if kind == "network":
        return [
            f"Step {{step}}, L = =={{loss}}== nats, near ln 2 = 0.6931: {name} is on a "
            "**plateau**, where the network tells nothing apart.",
            f"Step {{step}}, L = =={{loss}}== nats: {name} has left the plateau and found a "
            "**valley**, where XOR is solved.",
        ]
    loss = "cross-entropy" if surface.endswith("cross-entropy") else "squared error"
    return [
        f"Step {{step}}, L = =={{loss}}==: **σ is saturated**, and with {loss} its slope is almost "
        "0: the next step is {size} long.",
        f"Step {{step}}, L = =={{loss}}==: with {loss} there is a slope to follow here; the next "
        "step is {size} long.",
        f"Step {{step}}, L = =={{loss}}==: with {loss} little of the loss is left, and so the "
        "slope is small: the next step is {size} long.",
    ]


def run_formula(run: Descent) -> list[list[str]]:
    """The next step with its numbers, or where the last one led; as many as there are sentences."""
    config, symbol = run.sweep.configs[0], run.surface.symbol
    theta = f"[weight|{symbol}]"
    before, after = "([weight|{p0}, {p1}])", "**([weight|{n0}, {n1}])**"
    plain = config.optimizer == "SGD"
    change = (
        f"− η [gradient|∂L/∂{symbol}] = {before} − {{rate}}·([gradient|{{g0}}, {{g1}}])"
        if plain
        else f"+ [gradient|step] = {before} + ([gradient|{{c0}}, {{c1}}])"
    )
    ended = [f"{theta} = {before} after the last step", "[loss|L] = **[loss|{loss}]**"]
    count = sentence_count(run)
    going = [f"{theta} ← {theta} {change} = {after}", "[loss|L] = **[loss|{loss}]** → {nextloss}"]
    return [going] * count + [ended] * count


def describe_run(run: Descent) -> str:
    """The alt text of the picture, as a template."""
    one, two = run.surface.objective.names
    rules = ", ".join(run_label(config) for config in run.sweep.configs)
    return (
        f"The loss over {one} and {two} with the path of {rules}: after {{step}} steps with "
        f"η = {{eta}}, ({one}, {two}) = ({{p0}}, {{p1}}) and L = {{loss}}."
    )
