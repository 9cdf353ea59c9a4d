"""A slider from loss to perplexity and back, beside the curve −log p: a view of the first page."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import streamlit as st
import torch

import ui
from lessons.language_model import perplexity_text as words
from lmcore import parsing
from lmcore.evaluation import perplexity
from lmcore.evaluation.sentence import SentenceAnswer
from lmcore.models.scoring import uniform_loss


def show(answers: Mapping[str, SentenceAnswer], types: int) -> None:
    """Opens at the loss of the best model on screen, of `types` words known."""
    found = words.losses(answers)
    opens = found[0].loss if found else uniform_loss(types)
    left, right = st.columns(2, gap="medium")
    with left:
        loss = ui.validated_or_previous("surprise", lambda: read_loss(opens), lambda: opens)
        live = slider_numbers(loss, uniform_loss(types))
        ui.sliders(live, on_settled=store_slider)
        ui.step_table(words.STEPS, live, caption="From loss to perplexity and back")
    with right:
        ui.show_figure(
            words.curve(found, loss, ui.theme_mode()),
            name="surprise",
            reading="A word that was certain costs nothing; the less likely it was, the more.",
            alt=words.describe(found, loss),
        )
    st.markdown(words.loss_words(found, types))


def read_loss(opens: float) -> float:
    """The loss that the sliders were left at, or the one that the view opens on."""
    typed = st.session_state["lm_loss"]
    return perplexity.loss_from("loss", parsing.parse_number(typed, "the loss")) if typed else opens


def slider_numbers(loss: float, highest: float) -> ui.LiveNumbers:
    """The numbers now and at every position of either slider: a loss, or a perplexity."""
    along = perplexity.slider_positions(loss, highest)
    now = perplexity.perplexity_trace(torch.tensor(loss, dtype=torch.float64)).by_name()
    sliders = [
        ui.Slider(
            name,
            label,
            spoken,
            perplexity.round_for_slider(float(now[name])),
            row.numpy(),
            help=look_for,
            role=role,
        )
        for (name, label, spoken, look_for, role), row in zip(words.SLIDERS, along, strict=True)
    ]
    swept = perplexity.perplexity_trace(torch.stack([along[0], along[1].log()]))
    return ui.live_numbers("surprise", now, sliders, swept.by_name())


def store_slider(moved: dict[str, Any]) -> None:
    """A slider was let go, or a number typed beside it."""
    name = moved["name"]
    try:
        loss = perplexity.loss_from(name, parsing.parse_number(moved["typed"], f"the {name}"))
        st.session_state["lm_loss"] = f"{loss:.12g}"
    except ValueError as error:
        ui.show_error_later(error)
