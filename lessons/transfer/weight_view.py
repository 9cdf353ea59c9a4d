"""The view “λ”: the task's loss plus λ times the language model's loss, as in GPT."""

from __future__ import annotations

from functools import partial
from typing import NamedTuple

import numpy as np
import streamlit as st
import torch

import ui
from drawing.events import Moved
from drawing.steps import StepRow
from lessons.transfer import transfer_figures, transfer_picture
from lessons.transfer.transfer_state import SETTINGS, TASK_NAMES
from lessons.transfer.two_losses_picture import POSITIONS, recorded_weights
from lessons.transfer.two_losses_text import compare_weights
from lmcore import parsing
from lmcore.models.gpt import GPT
from lmcore.transfer import curves
from lmcore.transfer.inputs import encode_examples
from lmcore.transfer.networks import pretrained_network
from lmcore.transfer.tasks import draw_examples
from lmcore.transfer.tuning import TuneSpec, begin
from ui import compute, contents

BATCH = 32
LABELS = curves.AUXILIARY_LABELS


class Losses(NamedTuple):
    """The two losses of a batch before the first step, in nats."""

    task: float
    language: float


def weight_view() -> None:
    """Draw L₃ = L₂ + λ L₁ on a batch, and what was recorded with each λ."""
    task = SETTINGS.choice("lm_task")
    losses = compute.shared_result(
        "two losses", partial(losses_before, task), most=8, says="Reading a batch"
    )
    live = weighed(losses, SETTINGS.number("lm_weight"))
    st.markdown(finding(task))
    left, right = st.columns([1, 2])
    with left:
        SETTINGS.draw("lm_task")
        ui.sliders(live, on_settled=store_weight)
    with right:
        ui.step_table(rows(), live, caption="The losses of one batch before the first step")
    st.caption(
        "As losses, to be minimised: each is the mean of −log p. The slides write the sums of log "
        "p, to be maximised: L₃(C) = L₂(C) + λ L₁(C). Here both are means, per text and per token."
    )
    show_model()
    show_recorded(task)


def show_model() -> None:
    """Show the equations of the first GPT, which our model shares, and the effect of tying E."""
    network, _ = pretrained_network("gpt")
    assert isinstance(network, GPT)
    matrix = network.embedding.token.weight
    st.markdown(
        f"**The model.** $h_0 = U W_e + W_p$, $h_l = \\text{{block}}(h_{{l-1}})$ for "
        f"$l = 1 … {network.config.layers}$, $P(u) = \\text{{softmax}}(h_n W_e^\\top)$. "
        f"$W_e$ stands at both ends: a second matrix of {matrix.shape[0]} × {matrix.shape[1]} "
        f"would be **{matrix.numel():,}** more weights."
    )
    page = contents.page("transformer")
    st.page_link(page.script, label="Follow it number by number", icon=page.icon)


def losses_before(task: str) -> Losses:
    """Both losses of our mini-GPT with a new head, on its first batch."""
    spec = TuneSpec("gpt", task, 100)
    tuned, vocabulary = begin(spec)
    examples = draw_examples(task, BATCH, spec.seed)
    batch = encode_examples(tuned.task, examples, vocabulary, bert=False)
    with torch.no_grad():
        alone = float(tuned.loss(batch).double())
        both = float(tuned.loss(batch, 1.0).double())
    return Losses(alone, both - alone)


def weighed(losses: Losses, weight: float) -> ui.LiveNumbers:
    """The numbers for this λ, and along its slider."""
    names = ("weight", "task", "language", "product", "total")

    def row(value: float) -> list[float]:
        product = value * losses.language
        return [value, losses.task, losses.language, product, losses.task + product]

    positions = POSITIONS.copy()
    positions[np.abs(positions - weight).argmin()] = weight
    slider = ui.Slider(
        "weight",
        "λ",
        "lambda",
        weight,
        positions,
        "How much the language model’s loss counts",
        role="loss",
    )
    table = np.array([row(float(value)) for value in positions])
    return ui.LiveNumbers("weight", names, np.array(row(weight)), (slider,), [table])


def rows() -> tuple[StepRow, ...]:
    """The rows of the step table."""
    return (
        StepRow("of the task", "mean of −log p(y | x)", "{task}", "L₂", "loss"),
        StepRow(
            "of the language model", "mean of −log p(xₜ | x₁ … xₜ₋₁)", "{language}", "L₁", "loss"
        ),
        StepRow("weighted", "{weight} · {language}", "{product}", "λ L₁", "loss"),
        StepRow("together", "{task} + {product}", "{total}", "L₃", "loss"),
    )


def store_weight(moved: Moved) -> None:
    """Store the released slider's λ, or the number typed beside it."""
    try:
        value = parsing.parse_number(moved["typed"], "λ")
        if not 0 <= value <= 2:
            raise ValueError(f"λ must be from 0 to 2; got {value:g}")
        ui.set_controls({"lm_weight": f"{value:g}"})
    except ValueError as error:
        ui.show_error_later(error)


def finding(task: str) -> str:
    """Whether a λ above 0 helps, at each recorded number of labels."""
    said = [compare_weights(labels, recorded_weights(task, labels)) for labels in LABELS]
    return f"“{TASK_NAMES[task]}”. {' '.join(said)}"


def show_recorded(task: str) -> None:
    """Draw the recorded accuracy against λ."""
    shown = {f"{labels} labels": recorded_weights(task, labels) for labels in LABELS}
    ui.show_figure(
        transfer_figures.scores_figure(shown, ui.theme_mode(), across={"title": "λ"}, low=0.25),
        name="weights",
        reading=f"Our mini-GPT, all weights fine-tuned, {transfer_picture.BUDGET}; "
        f"95 % intervals, of {len(curves.SEEDS)} seeds and of the test texts; recorded on "
        f"{curves.recorded_on('gpt')[0]}.",
        alt="; ".join(
            f"{name}: " + ", ".join(f"λ {w:g}: {score.mean:.2f}" for w, score in found.items())
            for name, found in shown.items()
        ),
    )
