"""The view “Parameters”: a model's tensors, counted as its sizes are dragged."""

from __future__ import annotations

from functools import lru_cache

import plotly.graph_objects as go
import streamlit as st

import ui
from drawing.theme import Mode
from lessons.transformer import cost_figures, cost_state, cost_text
from lessons.transformer.cost_state import Counted
from lessons.transformer.transformer_state import SETTINGS
from lmcore.transformer.parameters import Sizes
from lmcore.transformer.published import PUBLISHED

COMPARED = ("bert_base", "gpt2_small", "transformer_base", "xlm_roberta", "albert_base")
"""The models below the chosen one in the figure."""


def parameters_view() -> None:
    """Draw the choice of a model, the sliders of its sizes, its counts and its tensors."""
    SETTINGS.draw("pc_model")
    model = ui.validated_or_previous("parameters", cost_state.read_model, cost_state.opening_model)
    st.subheader(cost_text.count_title(model.label, model.sizes), anchor=False)
    known = cost_text.printed(model.published, changed=model.changed)
    st.markdown(f"{cost_text.largest_parts(model.sizes)} {known}")
    left, right = st.columns([2, 5])
    live = cost_state.size_numbers(model.sizes)
    with left:
        ui.sliders(live, on_settled=cost_state.store_size)
        if model.sizes.kind == "albert":
            SETTINGS.draw("pc_shared")
        if model.changed:
            st.button("Its own sizes again", key="pc-again", on_click=cost_state.forget_sizes)
    with right:
        ui.step_table(
            cost_text.count_rows(model.sizes),
            live,
            caption="The parameters of each part: formula, numbers, count",
        )
        st.caption(cost_text.heads_note(model.sizes))
        if note := cost_text.printed_note(model.sizes, st.session_state["pc_model"]):
            st.caption(note)
    figure, alt = compared_shares(model.label, model.sizes, ui.theme_mode())
    ui.show_figure(
        figure,
        name="parameter-shares",
        reading="Each bar is one model; its parts add up to 100 %. Computed from the sizes.",
        alt=alt,
    )
    _tensors(model)


@lru_cache(maxsize=cost_figures.KEPT)
def compared_shares(label: str, sizes: Sizes, mode: Mode) -> tuple[go.Figure, str]:
    """The figure of a model's shares above those of others, and its alt text."""
    models = {label: sizes}
    models |= {
        PUBLISHED[name].label: PUBLISHED[name].sizes
        for name in COMPARED
        if PUBLISHED[name].label != label
    }
    said = [
        f"{cost_text.count_title(label, sizes)}. {cost_text.largest_parts(sizes)}"
        for label, sizes in models.items()
    ]
    return cost_figures.share_figure(models, mode), " ".join(said)


def _tensors(model: Counted) -> None:
    st.markdown("**Every tensor**")
    st.caption(
        "n stands for a layer, counted from 0. Shapes are those of x W; torch stores Wᵀ. "
        "HuggingFace’s names are those inside the model, without its own name in front."
    )
    st.markdown(cost_text.module_table(model.sizes))
    ui.save_file(
        cost_text.tensor_file(model.sizes),
        label="Every tensor of every layer, CSV",
        name="tensors.csv",
    )
