"""The settings of the page on networks, read and stored, and the run that they describe."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import NamedTuple

import numpy as np
import streamlit as st
import torch
from jaxtyping import Float64
from torch import Tensor

import ui
from drawing.events import Moved
from lessons.networks import networks_picture
from lmcore import parsing
from lmcore.networks import points as plane
from lmcore.networks.network import TRAINABLE, NetworkConfig, forward, losses, predictions
from lmcore.networks.points import LabelledPoints, PointSet
from lmcore.networks.softmax import PRECISIONS
from lmcore.networks.training import MOST_STEPS, TrainingConfig, Trajectory, train_network
from lmcore.optimization.updates import OPTIMIZERS
from lmcore.typed import fold_numbers
from ui import compute
from ui.settings import Between, Bound, Choice, SettingsTable, Switch, Text
from ui.widgets import address_value

LESSON = ui.lesson("networks")
LONGEST_POINTS = 4000
BRUSHES = {
    "input": "move the input",
    "class 0": "add class 0",
    "class 1": "add class 1",
    "erase": "erase",
}
REACH = 12.0
"""A weight's slider covers at least ± this."""


def forget_hand() -> None:
    """Discard the parameters set by hand and choose the first one, for another run."""
    ui.set_controls({"nn_hand": "", "nn_weight": "0"})


SETTINGS = SettingsTable(
    LESSON,
    {
        "nn_data": Choice(plane.KINDS, "Data", then=forget_hand),
        "nn_units": Text(
            "Hidden units",
            "Of each hidden layer, as 2 or 4, 3; empty: none. The input is not a layer: it "
            "computes nothing",
            then=forget_hand,
        ),
        "nn_g": Choice(TRAINABLE, "Activation g", then=forget_hand),
        "nn_layers_g": Text("One g for each layer", "As tanh, ReLU; empty: the same for all"),
        "nn_flow": Choice({"weights": "weights", "gradients": "gradients"}, "Edges show"),
        "nn_optimizer": Choice(OPTIMIZERS, "Optimiser", then=forget_hand),
        "nn_eta": Text("Learning rate η", "Watch the loss curve: too high, and it jumps"),
        "nn_batch": Text("Points per step", "0: all of them"),
        "nn_steps": Text("Steps", f"1 to {MOST_STEPS}"),
        "nn_seed": Text("Seed of the weights", "Another seed, another start"),
        "nn_noise": Text("Noise", "0 to 0.5; a gate without noise is its four corners"),
        "nn_count": Text("Points", "4 to 400"),
        "nn_own": Text("Own points", "x₁ x₂ label; …", longest=LONGEST_POINTS, height=90),
        "nn_brush": Choice(BRUSHES, "A press on the plane"),
        "rv_text": Text("Review", "Words that a feature counts are lit", longest=2000),
        "rv_data": Choice(
            {"negation": "reviews with a known rule", "own": "my own reviews"}, "Trained on"
        ),
        "rv_own": Text(
            "My reviews",
            "One per line: the text, a comma, and 1 or 0; or cells pasted from a spreadsheet. It "
            "stays in this page.",
            longest=100_000,
            height=160,
        ),
        "rv_shows": Choice(
            {"features": "words into features", "classifiers": "both classifiers"}, "The picture"
        ),
        "rv_no": Switch("“no” stays in the review"),
        "em_text": Text("Text", "The words that are embedded", longest=2000),
        "wp_shows": Choice({"joined": "words joined", "orders": "two orders"}, "The picture"),
        "wp_other": Text("The same words in another order", "Press a word there", longest=2000),
        "em_pool": Choice(("pad", "mean", "max"), "Pooling of the vectors below"),
        "em_data": Choice(
            {
                "order": "reviews where order decides",
                "negation": "reviews with “no”",
                "own": "my own reviews",
            },
            "Trained on",
        ),
        "share_z": Text("Scores z", "Of the three output units"),
        "share_was": Text("Earlier scores", "They are marked in the picture"),
        "soft_z": Text("Logits z", "2 to 8 numbers, one for each class"),
        "soft_t": Text("Temperature τ", "Below 1 sharper, above 1 flatter"),
        "soft_bits": Choice(tuple(PRECISIONS), "Numbers"),
        "elman_x": Text("Inputs x₁ … x_T", "1 to 8 numbers, one for each step"),
        "nn_step": Between(0, MOST_STEPS, whole=True),
        "see": Bound(),
    },
)


@dataclass(frozen=True, slots=True)
class NetworkState:
    """What the controls describe: a network, its points, its training, and what is shown."""

    config: NetworkConfig
    which: PointSet
    how: TrainingConfig
    step: int = 500
    input: tuple[float, float] = (1.0, 0.0)
    weight: int = 0
    hand: tuple[tuple[int, float], ...] = ()


def seen() -> str:
    """The view that is open, before its bar has been drawn."""
    return address_value("see", "Picture")


def read_state() -> NetworkState:
    """The state of the controls.

    Raises:
        ValueError: naming what is wrong.
    """
    state = st.session_state
    kind = SETTINGS.choice("nn_data")
    own = plane.parse_points(state["nn_own"]) if kind == "own" else ()
    which = PointSet(
        kind,
        parsing.parse_integer(state["nn_count"], "the number of points"),
        parsing.parse_number(state["nn_noise"], "noise"),
        own=own,
    )
    config = _read_network(which.classes)
    how = TrainingConfig(
        SETTINGS.choice("nn_optimizer"),
        parsing.parse_number(state["nn_eta"], "the learning rate η"),
        parsing.parse_integer(state["nn_steps"], "steps"),
        parsing.parse_integer(state["nn_batch"], "the points per step"),
        parsing.parse_integer(state["nn_seed"], "the seed"),
    )
    x = parsing.parse_numbers(state["nn_x"], "the input x")
    if len(x) != config.inputs:
        raise ValueError(f"the input x must be {config.inputs} numbers; got {len(x)}")
    hand = _read_hand(state["nn_hand"], config)
    weight = parsing.parse_integer(state["nn_weight"], "the weight")
    weight = weight if 0 <= weight < config.parameters else 0
    step = min(int(SETTINGS.number("nn_step")), how.steps)
    return NetworkState(config, which, how, step, (x[0], x[1]), weight, hand)


def brush_setting(now: NetworkState) -> tuple[str, ...]:
    """The setting for a press on the plane, if the points are the visitor's own; else none."""
    return ("nn_brush",) if now.which.kind == "own" else ()


def default_state() -> NetworkState:
    """The page's example."""
    return NetworkState(NetworkConfig(), PointSet(), TrainingConfig(seed=1))


def _read_network(classes: int) -> NetworkConfig:
    typed = fold_numbers(st.session_state["nn_units"])
    hidden = tuple(
        parsing.parse_integer(part, f"the number of units of layer {layer}")
        for layer, part in enumerate((p for p in typed.split(",") if p.strip()), start=1)
    )
    given = SETTINGS.several("nn_layers_g")
    functions = tuple(given) if given else (SETTINGS.choice("nn_g"),) * len(hidden)
    return NetworkConfig(hidden, functions, classes=classes)


def _read_hand(text: str, config: NetworkConfig) -> tuple[tuple[int, float], ...]:
    """Parameters set by hand, as they are typed: place:value, separated by semicolons."""
    hand = []
    for entry in (part for part in fold_numbers(text).split(";") if part.strip()):
        place, _, value = entry.partition(":")
        at = parsing.parse_integer(place, "the place of a weight set by hand")
        if not 0 <= at < config.parameters:
            raise ValueError(
                f"the place of a weight set by hand must be from 0 to {config.parameters - 1}; "
                f"got {at}"
            )
        hand.append((at, parsing.parse_number(value, "a weight set by hand")))
    return tuple(hand)


@dataclass(frozen=True, slots=True)
class Run:
    """The points and the training run of a state."""

    points: LabelledPoints
    trajectory: Trajectory


def trained_run(now: NetworkState) -> Run:
    """The run that the state describes, computed once for all visitors."""
    make = partial(make_run, now.config, now.which, now.how)
    return compute.shared_result("network runs", make, most=64, says="Training", apart=True)


def make_run(config: NetworkConfig, which: PointSet, how: TrainingConfig) -> Run:
    """Draw the points and train on them."""
    points = plane.draw_points(which)
    return Run(points, train_network(config, points, how))


def first_run() -> None:
    """Train the run that the page opens with, before the first visit."""
    trained_run(default_state())


def parameters_now(now: NetworkState, run: Run) -> Float64[Tensor, " parameter"]:
    """The parameters at the step, with those set by hand."""
    row = run.trajectory.parameters[shown_step(now, run)].clone()
    for place, value in now.hand:
        row[place] = value
    return row


def shown_step(now: NetworkState, run: Run) -> int:
    """The step that is shown, at most the last one: a run that overflowed ends early."""
    return min(now.step, len(run.trajectory.parameters) - 1)


class _Places(NamedTuple):
    """Where the numbers are computed: an input, a step, parameters and how they are judged."""

    inputs: Float64[Tensor, "place coordinate"]
    steps: Tensor
    rows: Float64[Tensor, "place parameter"]
    judged: dict[str, Tensor]

    def repeat(self, count: int) -> _Places:
        """One place, `count` times."""
        return _Places(
            self.inputs.repeat(count, 1),
            self.steps.expand(count),
            self.rows.expand(count, -1),
            {name: numbers.expand(count) for name, numbers in self.judged.items()},
        )


def live_numbers(now: NetworkState, run: Run) -> ui.LiveNumbers:
    """The numbers of the sentence and the formula now, and along each slider."""
    row, rows = parameters_now(now, run), run.trajectory.parameters
    step = shown_step(now, run)
    swept = _sliders(now, row, step, len(rows), now.which.window)
    turned = row.repeat(len(swept["w"][1]) + 1, 1)  # the first is the row as it is
    turned[1:, now.weight] = swept["w"][1]
    judged = _judge(now, run, turned)
    here = _Places(
        torch.tensor([now.input], dtype=torch.float64),
        torch.tensor([step]),
        row[None],
        {name: numbers[:1] for name, numbers in judged.items()},
    )
    places = [here]
    for name, (_, values) in swept.items():
        along = here.repeat(len(values))
        if name == "step":
            every = torch.arange(len(values))
            along = along._replace(steps=every, rows=rows, judged=_judged_steps(run))
        elif name == "w":
            others = {each: numbers[1:] for each, numbers in judged.items()}
            along = along._replace(rows=turned[1:], judged=others)
        else:
            along.inputs[:, int(name[1]) - 1] = values
        places.append(along)
    named = _numbers(now, _joined(places), None if now.hand else run.trajectory.stopped)
    first, *tables = np.split(
        np.stack([each.numpy() for each in named.values()], axis=-1),
        np.cumsum([len(each.inputs) for each in places[:-1]]),
    )
    sliders = tuple(slider for slider, _ in swept.values())
    return ui.LiveNumbers("networks", tuple(named), first[0], sliders, tables)


def _joined(places: Sequence[_Places]) -> _Places:
    """All places, one after the other."""
    return _Places(
        torch.cat([each.inputs for each in places]),
        torch.cat([each.steps for each in places]),
        torch.cat([each.rows for each in places]),
        {name: torch.cat([each.judged[name] for each in places]) for name in places[0].judged},
    )


def _judge(
    now: NetworkState, run: Run, rows: Float64[Tensor, "place parameter"]
) -> dict[str, Tensor]:
    """The losses and the number of wrong points for each row of parameters."""
    config, points = now.config, run.points
    seen = ~points.held_out
    trace = forward(config, rows, points.x[seen])
    loss = losses(config, trace, points.labels[seen]).mean(dim=-1)
    wrong = (predictions(config, trace) != points.labels[seen]).sum(dim=-1)
    found = {"loss": loss, "wrong": wrong.double().where(loss.isfinite(), torch.nan)}
    if bool(points.held_out.any()):
        held = forward(config, rows, points.x[~seen])
        found["val"] = losses(config, held, points.labels[~seen]).mean(dim=-1)
    return found


def _judged_steps(run: Run) -> dict[str, Tensor]:
    """The same for every step of the run."""
    its = run.trajectory
    found = {"loss": its.loss, "wrong": its.wrong.double()}
    return found | ({"val": its.validation} if bool(run.points.held_out.any()) else {})


def _sliders(
    now: NetworkState,
    row: Float64[Tensor, " parameter"],
    step: int,
    steps: int,
    window: plane.Window,
) -> dict[str, tuple[ui.Slider, Tensor]]:
    """The sliders in the order of the rail, by name, each with its positions as a tensor."""
    weight = float(row[now.weight])
    label = networks_picture.weight_label(now.config, now.weight)
    found = [
        ui.Slider(
            "step",
            "step",
            "step of training",
            step,
            np.arange(steps, dtype=np.float64),
            help="Go through the training, forwards and back: watch what each unit draws",
            role="loss",
        ),
        ui.Slider(
            "w",
            label,
            f"parameter {label}",
            weight,
            ui.slider_positions(weight, reach=REACH, limit=1e6, count=121),
            help="Press an edge to choose another one; watch its unit's map",
            role="weight",
        ),
    ]
    for i, (value, name) in enumerate(zip(now.input, ("x₁", "x₂"), strict=True), start=1):
        along = np.round(np.linspace(window.low, window.high, 81), 10)
        along[np.abs(along - value).argmin()] = value
        found.append(
            ui.Slider(
                f"x{i}", name, f"input x{i}", value, along, help="The input the numbers are for"
            )
        )
    return {slider.name: (slider, torch.from_numpy(slider.positions)) for slider in found}


def _numbers(now: NetworkState, places: _Places, stopped: int | None) -> dict[str, Tensor]:
    """Each number at each place."""
    inputs, steps, rows, judged = places
    one = forward(now.config, rows, inputs[:, None, :])
    named = {
        "step": steps.double(),
        "x1": inputs[:, 0],
        "x2": inputs[:, 1],
        "w": rows[:, now.weight],
        **judged,
    }
    for k in range(now.config.outputs):
        named[f"z{k + 1}"] = one.pre_activations[-1][:, 0, k]
        named[f"p{k + 1}"] = one.output[:, 0, k]
    say = (judged["wrong"] == 0).double()
    if stopped is not None:
        say = say.where(steps != stopped, networks_picture.STOPPED)
    return named | {"@say": say.where(judged["loss"].isfinite(), networks_picture.OVERFLOWS)}


def store_slider(moved: Moved) -> None:
    """Store a released slider's value, or the number typed beside it."""
    now: NetworkState = st.session_state["networks-good"]
    try:
        value = parsing.parse_number(moved["typed"], moved["name"])
        if moved["name"] == "step":
            store_event({"step": value})
        elif moved["name"] == "w":
            store_event({"weight": now.weight, "value": value})
        else:
            at = list(now.input)
            at[int(moved["name"][1]) - 1] = value
            store_event({"x": (at[0], at[1])})
    except ValueError as error:
        ui.show_error_later(error)


def store_event(event: networks_picture.NetworkMoves) -> None:
    """Store what the picture reports: a step, an input, a weight, or points.

    Parameters set by hand belong to their step: another step shows the run's own.
    """
    now: NetworkState = st.session_state["networks-good"]
    if "step" in event:
        step = round(event["step"])
        if not 0 <= step <= now.how.steps:
            raise ValueError(f"step must be from 0 to {now.how.steps}; got {step}")
        ui.set_controls({"nn_step": str(step), "nn_hand": ""})
    if "x" in event:
        x, y = event["x"]
        ui.set_controls({"nn_x": f"{x:.4g}, {y:.4g}"})
    if "weight" in event:
        place = event["weight"]
        hand = dict(now.hand)
        if (by_hand := event.get("value")) is not None:
            hand[place] = by_hand
        typed = "; ".join(f"{at}:{value:.6g}" for at, value in hand.items())
        ui.set_controls({"nn_weight": str(place), "nn_hand": typed})
    if "points" in event:
        typed = "; ".join(f"{x:.3g} {y:.3g} {label:g}" for x, y, label in event["points"])
        ui.set_controls({"nn_data": "own", "nn_own": typed, "nn_hand": ""})
