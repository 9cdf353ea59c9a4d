"""The view “Faults put back”: the slide's class corrected, and each of its faults run alone."""

from __future__ import annotations

import streamlit as st

import ui
from drawing.code_lines import CodeFault, Kind, code_lines
from lessons.attention.attention_state import SETTINGS
from lmcore.attention import slide_attention
from lmcore.attention.slide_attention import IMPORT, PLACES, SelfAttention, SlideFault
from ui.lectures import code_faults

NAME = "Faults put back"
FORMULA = "z = softmax(q kᵀ / √d_k) v, as PyTorch’s own function: they differ by **{end 0}**"

WHY = {
    "import nn.functional": "the package is torch.nn.functional",
    "no super().__init__()": "nn.Module must be set up before a layer is stored in it",
    "nn.dropout(p=0.1)": "nn.Dropout is the layer; functions are in F",
    "def forward(hidden_states)": "a method gets the object first: forward(self, hidden_states)",
    "k.T": "k.transpose(-2, -1) swaps the last two axes only: the batch stays in front",
    "no √d_k": "scores / √d_k, as in the deck’s own formula",
    "f.Softmax(attn_scores)": "F.softmax is the function; nn.Softmax is a layer",
    "softmax without dim": "dim=-1: over the keys, so that each query’s weights sum to 1",
}
"""What is right, and why, by the fault."""


def show(rows: ui.Rows) -> None:
    """Draw the corrected class on the stage, with the chosen fault put back."""
    comparison = slide_attention.compare_with_pytorch()
    run = {fault.slide: fault for fault in comparison.faults}
    faults = tuple(_placed(place, run[place.slide]) for place in PLACES)
    lines = [IMPORT, *code_lines(SelfAttention)]
    ends = {"end 0": comparison.difference}
    chosen = int(SETTINGS.number("attention_fault"))
    code_faults.show_faults(rows, "attention_fault", chosen, (lines, faults), (ends, [FORMULA]))
    with rows.rail, ui.more(rows):
        st.caption(
            f"Run on {slide_attention.BATCH} random texts of {slide_attention.TIME} tokens, width "
            f"{slide_attention.WIDTH}, in float64 and without dropout."
        )
        ui.errata(["X32", "X33"])


def _placed(place: slide_attention.FaultPlace, fault: SlideFault) -> CodeFault:
    """A fault where it stands in the class, and what it did."""
    kind: Kind = "runs" if fault.numbers else "stops"
    return CodeFault(*place[1:], kind, fault.happened, WHY[place.slide], fault.numbers)
