"""The view “A weight of an LM”: one step of the shipped feedforward model, number by number."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import streamlit as st
import torch

import ui
from drawing.events import Moved
from drawing.steps import StepRow
from lessons.descent import descent_figures
from lessons.descent.descent_state import LESSON, SETTINGS
from lmcore import parsing
from lmcore.models.feedforward import Feedforward
from lmcore.models.registry import NeuralModel
from lmcore.numbers import subscript
from lmcore.optimization.schedules import Schedule
from lmcore.optimization.weight_step import WeightStep, trace_weight_step
from lmcore.shipped.models import load_shipped

HIGHEST = 0.5
"""The end of the slider of η."""


@dataclass(frozen=True, slots=True)
class ModelStep:
    """A window of the model, its correct next word, and the weight that is spelled out."""

    context: tuple[str, ...]
    word: str
    matrix: str
    place: tuple[int, ...] | None
    eta: float


@lru_cache(maxsize=1)
def shipped_feedforward() -> NeuralModel:
    """The feedforward model that comes with the application."""
    return load_shipped("feedforward")[0]


def model_view() -> None:
    """Draw the step of one weight, its slider of η, and −log p."""
    st.latex(
        r"\theta = E, W, b, U, b_2 \qquad L = -\log p(w_t \mid w_{t-1}, \dots, w_{t-n+1}) \qquad "
        r"\theta^{s+1} = \theta^s - \eta\, \partial L / \partial\theta"
    )
    asked = ui.validated_or_previous("descent-model", read_step, default_step)
    positions = np.round(np.linspace(0, HIGHEST, 51), 6)
    positions[np.abs(positions - asked.eta).argmin()] = asked.eta
    trace, place = trace_step(asked, torch.from_numpy(positions))
    live = step_numbers(asked, trace)
    left, right = st.columns([1, 3])
    with left:
        ui.sliders(live, on_settled=store_rate)
        SETTINGS.draw("gd_lm_context", "gd_lm_word", "gd_lm_matrix", "gd_lm_place")
    with right:
        st.markdown(finding(asked, place, live))
        ui.step_table(step_rows(asked, place), live, caption="One step of one weight")
    ui.show_figure(
        descent_figures.cross_entropy_figure(live["p"], ui.theme_mode()),
        name="cross-entropy",
        reading="The loss is −log of the probability of the correct word: 0 where that is 1.",
        alt=f"−log p over p; p of {asked.word} is {live['p']:.4f}, the loss {live['loss']:.4f}.",
    )


def read_step() -> ModelStep:
    """What the controls describe.

    Raises:
        ValueError: naming what is wrong.
    """
    state = st.session_state
    typed = state["gd_lm_place"].strip()
    place = None
    if typed:
        place = tuple(
            parsing.parse_integer(part, f"number {i} of the place")
            for i, part in enumerate(typed.split(","), start=1)
        )
    eta = parsing.parse_number(state["gd_lm_eta"], "the learning rate η")
    if not 0 <= eta <= HIGHEST:
        raise ValueError(f"the learning rate η must be from 0 to {HIGHEST:g}; got {eta:g}")
    context = tuple(state["gd_lm_context"].split())
    found = ModelStep(
        context, state["gd_lm_word"].strip(), SETTINGS.choice("gd_lm_matrix"), place, eta
    )
    trace_step(found, torch.tensor([eta], dtype=torch.float64))
    return found


def default_step() -> ModelStep:
    """The page's example."""
    opens = LESSON.defaults
    words = tuple(opens["gd_lm_context"].split())
    return ModelStep(
        words, opens["gd_lm_word"], opens["gd_lm_matrix"], None, float(opens["gd_lm_eta"])
    )


def trace_step(asked: ModelStep, rates: torch.Tensor) -> tuple[WeightStep, tuple[int, ...]]:
    """The step at each η, and the place of the weight.

    Raises:
        ValueError: if a word is not known, or as `trace_weight_step`.
    """
    model = shipped_feedforward()
    network = model.network
    assert isinstance(network, Feedforward)
    needed = network.config.context
    if len(asked.context) != needed:
        raise ValueError(
            f"the words before must be {needed}, as many as the model reads; "
            f"got {len(asked.context)}"
        )
    ids = model.vocabulary.encode([*asked.context, asked.word])
    return trace_weight_step(network, ids[:-1], ids[-1], asked.matrix, asked.place, rates)


def step_numbers(asked: ModelStep, trace: WeightStep) -> ui.LiveNumbers:
    """The numbers of the step now, and along the slider of η."""
    count = len(trace.rates)
    columns = {
        "eta": trace.rates,
        "before": trace.before.expand(count),
        "gradient": trace.gradient.expand(count),
        "change": -trace.rates * trace.gradient,
        "after": trace.after,
        "p": (-trace.loss_before).exp().expand(count),
        "loss": trace.loss_before.expand(count),
        "loss1": trace.loss_after_one,
        "predicted": trace.loss_before - trace.rates * trace.gradient.square(),
        "loss2": trace.loss_after_all,
        "p2": (-trace.loss_after_all).exp(),
        "p1": (-trace.loss_after_one).exp(),
    }
    table = np.stack([each.detach().numpy() for each in columns.values()], axis=-1)
    positions = trace.rates.numpy()
    at = int(np.abs(positions - asked.eta).argmin())
    slider = ui.Slider(
        "eta", "η", "learning rate η", asked.eta, positions,
        help="One weight alone hardly moves L; all together do", role="weight",
    )  # fmt: skip
    return ui.LiveNumbers("descent-model", tuple(columns), table[at], (slider,), [table])


def weight_name(asked: ModelStep, place: tuple[int, ...]) -> str:
    """The name of the weight, such as U₇₉,₇₈: counted from 1, rows first."""
    digits = ",".join(subscript(each + 1) for each in place)
    return f"{asked.matrix}{digits}"


def meaning(asked: ModelStep, place: tuple[int, ...]) -> str:
    """The place of the weight in the model, in words."""
    tokens = shipped_feedforward().vocabulary.tokens
    first = place[0] + 1
    if asked.matrix == "E":
        return f"number {place[1] + 1} of the embedding of “{tokens[place[0]]}”"
    if asked.matrix == "W":
        return f"from number {place[1] + 1} of the concatenated embeddings to hidden unit {first}"
    if asked.matrix == "b":
        return f"the bias of hidden unit {first}"
    if asked.matrix == "U":
        return f"from hidden unit {place[1] + 1} to the score of “{tokens[place[0]]}”"
    return f"the bias of the score of “{tokens[place[0]]}”"


def finding(asked: ModelStep, place: tuple[int, ...], live: ui.LiveNumbers) -> str:
    """The step in a sentence."""
    name = weight_name(asked, place)
    steepest = " It has the steepest slope of its matrix." if asked.place is None else ""
    context = ui.escape_markdown(" ".join(asked.context))
    return live.fill(
        f"**{context} → {ui.escape_markdown(asked.word)}**. **{name}** is the weight "
        f"{meaning(asked, place)}.{steepest} One step at η = {{eta}} moves it from {{before}} to "
        "**{after}**. Moved alone it takes L from {loss} to {loss1}; with all parameters moved by "
        "the same rule, L is **{loss2}** nats."
    )


def step_rows(asked: ModelStep, place: tuple[int, ...]) -> tuple[StepRow, ...]:
    """The rows of the step table."""
    name = weight_name(asked, place)
    return (
        StepRow("loss", "−log {p}", "{loss}", "L", "loss"),
        StepRow("θ before", name, "{before}", "θ", "weight"),
        StepRow("gradient", f"∂L/∂{name}", "{gradient}", "g", "gradient"),
        StepRow("learning rate", "η", "{eta}", "η", "weight"),
        StepRow("change", "−{eta} · {gradient:p}", "{change}", "Δ", "gradient"),
        StepRow("θ after", "{before} + {change:p}", "{after}", "θ", "weight"),
        StepRow("predicted L", "{loss} − {eta} · {gradient:p}²", "{predicted}", "", "loss"),
        StepRow("L, this weight moved", "−log {p1}", "{loss1}", "L", "loss"),
        StepRow("L, all weights moved", "−log {p2}", "{loss2}", "L", "loss"),
    )


def store_rate(moved: Moved) -> None:
    """Store a released slider's η."""
    try:
        value = parsing.parse_number(moved["typed"], "the learning rate η")
        Schedule(rate=value)
        ui.set_controls({"gd_lm_eta": f"{value:.10g}"})
    except ValueError as error:
        ui.show_error_later(error)
