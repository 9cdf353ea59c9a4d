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
from lmcore.evaluation.sentence import Answer
from lmcore.models.scoring import unknowing


def show(answers: Mapping[str, Answer], types: int) -> None:
    """Opens at the loss of the best model on screen, of `types` words known."""
    found = words.losses(answers)
    opens = found[0].loss if found else unknowing(types)
    left, right = st.columns(2, gap="medium")
    with left:
        loss = ui.last_good("surprise", lambda: asked(opens), lambda: opens)
        live = follow_the_hand(loss, unknowing(types))
        ui.sliders(live, on_settled=settle)
        ui.steps(words.STEPS, live, caption="From loss to perplexity and back")
    with right:
        ui.show(
            words.curve(found, loss, ui.mode()),
            name="surprise",
            reading="A word that was certain costs nothing; the less likely it was, the more.",
            alt=words.describe(found, loss),
        )
    st.markdown(words.said(found, types))


def asked(opens: float) -> float:
    """The loss that the sliders were left at, or the one that the view opens on."""
    typed = st.session_state["lm_loss"]
    return perplexity.of("loss", parsing.number(typed, "the loss")) if typed else opens


def follow_the_hand(loss: float, highest: float) -> ui.Live:
    """The numbers now and at every position of either slider: a loss, or a perplexity."""
    along = perplexity.positions(loss, highest)
    now = perplexity.run(torch.tensor(loss, dtype=torch.float64)).by_name()
    sliders = [
        ui.Slider(
            name,
            label,
            spoken,
            perplexity.shown(float(now[name])),
            row.numpy(),
            help=look_for,
            role=role,
        )
        for (name, label, spoken, look_for, role), row in zip(words.SLIDERS, along, strict=True)
    ]
    swept = perplexity.run(torch.stack([along[0], along[1].log()]))
    return ui.follow("surprise", now, sliders, swept.by_name())


def settle(moved: dict[str, Any]) -> None:
    """A slider was let go, or a number typed beside it."""
    name = moved["name"]
    try:
        loss = perplexity.of(name, parsing.number(moved["typed"], f"the {name}"))
        st.session_state["lm_loss"] = f"{loss:.12g}"
    except ValueError as error:
        ui.refuse_later(error)
