"""The sentences, the formula and the description of the network's picture."""

from __future__ import annotations

from lessons.networks.networks_picture import raised_layer
from lmcore.networks.network import NetworkConfig
from lmcore.numbers import format_number

MOVED = (
    "You moved **{label}** from {moved<} to =={moved}==: the loss went from {loss<} to **{loss}** "
    "nats, with **{wrong}** of the points on the wrong side."
)


def run_sentences(
    config: NetworkConfig, total: int, data: str, rate: float, stopped: int | None
) -> list[str]:
    """The findings by @say: some points are wrong, none is, then `STOPPED` and `OVERFLOWS`."""
    return [
        *_sides(config, total, data),
        f"η = {format_number(rate)} is **too large**: in step {(stopped or 0) + 1} the numbers "
        "overflow and the run stops. The step before is shown, with =={wrong} "
        f"of {total}== points on the wrong side.",
        "With these weights the numbers overflow: no point has a side, and the loss is "
        "==undefined==.",
    ]


def _sides(config: NetworkConfig, total: int, data: str) -> list[str]:
    """The finding if some points are wrong, and the finding if none is."""
    begin = "After **{step}** steps, "
    if not config.hidden:
        return [
            f"{begin}=={{wrong}} of {total}== points are on the wrong side: one layer draws "
            + ("**one line**." if config.classes == 2 else "**straight borders** only."),
            f"{begin}=={{wrong}} of {total}== points are on the wrong side: here "
            + ("one line is enough." if config.classes == 2 else "straight borders are enough."),
        ]
    units = " and ".join(str(each) for each in config.hidden)
    noun = "unit" if config.hidden == (1,) else "units"
    linear = set(config.activations) == {"identity"}
    wrong = f"{begin}=={{wrong}} of {total}== points are on the wrong side"
    if linear:
        drawn = "**one line**" if config.classes == 2 else "**straight borders**"
        enough = "one line is" if config.classes == 2 else "straight borders are"
        why = f"without a nonlinearity, more layers still draw {drawn}."
        return [f"{wrong}: {why}", f"{wrong}. Here {enough} enough."]
    if data == "XOR" and config.hidden == (2,):
        return [
            f"{wrong}, and the loss is {{loss}} nats. Drag the step.",
            f"{wrong}: each hidden unit draws **one line**, and the output joins them.",
        ]
    return [
        f"{wrong}, and the loss is {{loss}} nats. Drag the step.",
        f"{wrong}: the output joins what {units} hidden {noun} draw.",
    ]


def run_formula(config: NetworkConfig) -> list[str]:
    """The last layer at the input, and the loss, as templates."""
    n = raised_layer(config.layers)
    inputs = (
        "[input|x]" if not config.hidden else f"[activation|a{raised_layer(config.layers - 1)}]"
    )
    total = f"[weight|W{n}]{inputs} + [weight|b{n}]"
    if config.outputs == 1:
        return [
            f"[score|z{n}] = {total} = **[score|{{z1}}]**",
            "[activation|ŷ] = σ([score|{z1}]) = **[activation|{p1}]**",
            "[loss|L] = **[loss|{loss}]** nats",
        ]
    scores = ", ".join(f"{{z{k}}}" for k in range(1, config.classes + 1))
    chances = ", ".join(f"{{p{k}}}" for k in range(1, config.classes + 1))
    return [
        f"[score|z{n}] = ([score|{scores}])",
        f"[activation|ŷ] = softmax(z{n}) = **([activation|{chances}])**",
        "[loss|L] = **[loss|{loss}]** nats",
    ]


def describe_run(config: NetworkConfig, total: int) -> str:
    """The alt text of the picture, as a template."""
    units = ", ".join(str(each) for each in config.sizes[1:])
    return (
        f"A network with {config.inputs} inputs and layers of {units} units, after {{step}} steps "
        f"of training: loss {{loss}} nats, {{wrong}} of {total} points on the wrong side."
    )
