"""The view “Mix layers”: γ Σ s_j h_j by hand, and the shares that were learned for each task."""

from __future__ import annotations

import math
from functools import partial
from typing import Annotated

import numpy as np
import streamlit as st
import torch
from jaxtyping import Float64
from pydantic import Field
from torch import Tensor
from typing_extensions import TypedDict

import ui
from drawing.events import Moved
from lessons.contextual import contextual_figures, mix_picture
from lessons.contextual.bilm_view import Sentence, default_sentence, read_sentence
from lessons.contextual.contextual_state import REACH, SETTINGS
from lessons.contextual.mix_picture import MIX, MixedTask, MixPayload, mix_numbers, mixed_task
from lessons.contextual.recorded_text import finding_of_mixtures
from lmcore import parsing
from lmcore.contextual.mixing import normalise_layers
from lmcore.contextual.record import MODELS, Recorded, load_record
from lmcore.contextual.tasks import TASKS
from ui import compute

POSITIONS = 21
WEIGHTS = ("mx_w0", "mx_w1", "mx_w2")
SLIDERS = {"w0": "w₀", "w1": "w₁", "w2": "w₂", "gamma": "γ"}


def mix_view() -> None:
    """Draw the mixture with its sliders, and below it what was learned."""
    task = SETTINGS.choice("mx_task")
    made = compute.shared_result(
        "mixed layers",
        partial(mixed_task, task),
        most=len(TASKS),
        says="Reading documents with the biLM",
        apart=True,
    )
    compute.send_by_name(made, partial(mixed_task, task))
    sentence = ui.validated_or_previous("bi_text", read_sentence, default_sentence)
    record = load_record()
    live = live_mixture(task, made, sentence)
    learned = record.mixtures["bilm"][task].shares
    drawing = mix_picture.mix_picture(task, made, learned, sentence.word, word_layers(sentence))
    st.markdown(f"**{TASKS[task].asks}** {finding_of_mixtures(record, task)}")
    _mixture_with_sliders(task, live, drawing, record.date)
    _learned_shares(record)
    _mixtures_table(record)


def _mixture_with_sliders(
    task: str, live: ui.LiveNumbers, drawing: MixPayload, recorded: str
) -> None:
    # On a projector the sliders are in a row.
    left, right = (st.container(), st.container()) if ui.presenting() else st.columns([4, 1])
    with right:
        SETTINGS.draw("mx_task")
        ui.sliders(live, on_settled=store_weight)
        st.button("Set what was learned", on_click=set_learned, args=(task,), width="stretch")
    with left:
        ui.picture(MIX, live, drawing, on_event=store_point)
        st.caption(
            "Each disc is a mixture: the darker, the more test words a linear probe gets right; "
            "press one to go there. γ scales the vector, and a probe that is fitted anew undoes "
            f"it. Measured here on {mix_picture.DOCUMENTS:,} documents; learned shares recorded "
            f"on {recorded}."
        )


def _learned_shares(record: Recorded) -> None:
    ui.show_figure(
        contextual_figures.shares_figure(record, ui.theme_mode()),
        name="shares",
        reading="sⱼ by model and task, learned with the tagger from sⱼ = 1/(L + 1); "
        f"recorded on {record.date}.",
        alt="; ".join(
            f"{MODELS[model]}, {task}: "
            + ", ".join(f"{share:.2f}" for share in of_task[task].shares.tolist())
            for model, of_task in record.mixtures.items()
            for task in TASKS
        ),
    )


def _mixtures_table(record: Recorded) -> None:
    ui.table(
        ["model and task", "layer 0 alone", "last layer alone", "best layer alone", "all, mixed"],
        [
            (
                f"{MODELS[model]}, {name}",
                mixture.single[0],
                mixture.single[-1],
                max(mixture.single),
                mixture.accuracy,
            )
            for model, of_task in record.mixtures.items()
            for name, mixture in of_task.items()
        ],
        name="mixtures",
        caption="Accuracy of a softmax tagger on one layer, and on all layers mixed",
    )


def word_layers(sentence: Sentence) -> Float64[Tensor, "layer width"]:
    """LN(h_{k,j}) of the chosen word, layer by layer."""
    return normalise_layers(sentence.trace.layers[:, 0, sentence.at + 1].double())


def live_mixture(task: str, made: MixedTask, sentence: Sentence) -> ui.LiveNumbers:
    """The numbers of the mixture now, and along each slider."""
    now = torch.tensor([SETTINGS.number(name) for name in WEIGHTS], dtype=torch.float64)
    gamma = SETTINGS.number("mx_gamma")
    layers = tuple(tuple(row) for row in word_layers(sentence).tolist())
    names, first, tables = compute.shared_result(
        "mixtures by hand",
        partial(sweep, made, layers, tuple(now.tolist()), gamma),
        most=64,
        says="Fitting probes",
        apart=True,
    )
    values = {**dict(zip(("w0", "w1", "w2"), now.tolist(), strict=True)), "gamma": gamma}
    sliders = tuple(
        ui.Slider(
            name,
            label,
            name if name != "gamma" else "gamma",
            values[name],
            positions(name, values[name]),
            help="Shares are softmax(w)" if name != "gamma" else "Scales the whole vector",
            role="weight",
        )
        for name, label in SLIDERS.items()
    )
    return ui.LiveNumbers("mix", names, first, sliders, tables)


def positions(name: str, value: float) -> Float64[np.ndarray, " position"]:
    """The places of a slider; the value replaces the nearest."""
    low, high = (0.1, 4.0) if name == "gamma" else (-REACH, REACH)
    places = np.round(np.linspace(low, high, POSITIONS), 6)
    places[np.abs(places - value).argmin()] = value
    return places


def sweep(
    made: MixedTask,
    layers: tuple[tuple[float, ...], ...],
    weights: tuple[float, ...],
    gamma: float,
) -> tuple[tuple[str, ...], np.ndarray, list[np.ndarray]]:
    """The names, their numbers with these weights and γ, and a table for each slider.

    `layers` are the word's vectors, layer by layer.
    """
    now = torch.tensor(weights, dtype=torch.float64)
    every, gammas = [now[None]], [torch.tensor([gamma], dtype=torch.float64)]
    for j, name in enumerate(SLIDERS):
        value = gamma if name == "gamma" else float(now[j])
        places = torch.from_numpy(positions(name, value))
        rows = now.repeat(POSITIONS, 1)
        if name != "gamma":
            rows[:, j] = places
        every.append(rows)
        gammas.append(places if name == "gamma" else torch.full((POSITIONS,), gamma).double())
    word = torch.tensor(layers, dtype=torch.float64)
    named = mix_numbers(made.probe, word, torch.cat(every), torch.cat(gammas))
    found = np.stack([each.numpy() for each in named.values()], axis=-1)
    return tuple(named), found[0], list(np.split(found[1:], len(SLIDERS)))


def store_weight(moved: Moved) -> None:
    """Store a released slider's value, or the number typed beside it."""
    name = f"mx_{moved['name']}"
    low, high = (0.1, 4.0) if name == "mx_gamma" else (-REACH, REACH)
    try:
        value = parsing.parse_number(moved["typed"], SLIDERS[moved["name"]])
        if not low <= value <= high:
            raise ValueError(
                f"{SLIDERS[moved['name']]} must be from {low:g} to {high:g}; got {value:g}"
            )
    except ValueError as error:
        ui.show_error_later(error)
        return
    ui.set_controls({name: f"{value:g}"})


Share = Annotated[float, Field(ge=0, le=1)]


class Point(TypedDict):
    """The shares of the layers at a point of the triangle."""

    shares: tuple[Share, Share, Share]


def store_point(event: Point) -> None:
    """Store a pressed point of the triangle."""
    set_shares(list(event["shares"]))


def set_learned(task: str) -> None:
    """Set w to the weights that were learned for a task."""
    set_shares(load_record().mixtures["bilm"][task].shares.tolist())


def set_shares(shares: list[float]) -> None:
    """Set w so that its softmax is `shares`, as far as w reaches: their logarithms, centred."""
    logs = [math.log(max(share, math.exp(-2 * REACH))) for share in shares]
    middle = (max(logs) + min(logs)) / 2
    found = [min(max(log - middle, -REACH), REACH) for log in logs]
    ui.set_controls({name: f"{w:.4g}" for name, w in zip(WEIGHTS, found, strict=True)})
