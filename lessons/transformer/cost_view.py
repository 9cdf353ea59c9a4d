"""The view “Cost”: operations and memory against T, predicted and measured, and an RNN's."""

from __future__ import annotations

from functools import lru_cache, partial

import streamlit as st
import torch

import ui
from lessons.transformer import cost_figures, cost_state, cost_text
from lessons.transformer.transformer_state import SETTINGS
from lmcore.dataframes import Table
from lmcore.device import device, device_name
from lmcore.transformer.flops import FLOP_PARTS
from lmcore.transformer.measured_cost import MeasuredCost, affordable_times, measure_costs
from lmcore.transformer.path_length import (
    PathLengths,
    last_of_block,
    last_of_recurrent,
    measure_paths,
)
from ui import compute

INPUT = 512
"""The fixed length of BERT's input, in tokens."""
PATHS = (8, 64, 256)
"""Lengths of a text for which path lengths are counted."""


def cost_view() -> None:
    """Draw predicted costs, those measured on this device, and the comparison with an RNN."""
    _predicted()
    costs, where = _measured()
    _beside_an_rnn(costs, where)


def _predicted() -> None:
    SETTINGS.draw("pc_model")
    model = ui.validated_or_previous("parameters", cost_state.read_model, cost_state.opening_model)
    mode = ui.theme_mode()
    finding = cost_text.flops_finding(model.label, model.sizes, INPUT)
    st.markdown(f"{finding} :gray-badge[computed]")
    ui.show_figure(
        cost_figures.flops_figure(model.sizes, INPUT, mode),
        name="flops",
        reading=f"One text, forward; a multiply-add is two operations. Dotted: T = {INPUT}, BERT’s "
        "longest input. The steeper line is the one with T².",
        alt=finding.replace("**", ""),
    )
    kept = cost_text.memory_finding(model.sizes, INPUT)
    st.markdown(f"{kept} :gray-badge[computed]")
    ui.show_figure(
        cost_figures.memory_figure(model.sizes, INPUT, mode),
        name="memory",
        reading="Float32, one text, with all that the forward pass computes kept, as for a "
        "backward pass.",
        alt=kept,
    )
    ui.table(
        ["T", "operations", *FLOP_PARTS, "share with T²", "scores, MB", "rest, MB"],
        cost_text.cost_rows(model.sizes),
        name="costs",
        caption="Operations and memory of a forward pass by the length of the text",
    )


def measured_on() -> str:
    """The name of the device, and for a CPU its number of cores."""
    where, threads = device(), torch.get_num_threads()
    if where.type != "cpu":
        return device_name(where)
    return "one CPU core" if threads == 1 else f"{threads} CPU cores"


def measure_here(width: int, heads: int) -> tuple[Table[MeasuredCost], str]:
    """The costs measured on this device, and its name."""
    return measure_costs(width, heads, affordable_times(heads)), measured_on()


def _measured() -> tuple[Table[MeasuredCost], str]:
    st.markdown("**Measured here: one block**")
    for column, name in zip(st.columns(2), ("cost_d", "cost_h"), strict=True):
        with column:
            SETTINGS.draw(name)
    width, heads = int(SETTINGS.choice("cost_d")), int(SETTINGS.choice("cost_h"))
    costs, where = compute.shared_result(
        "block costs",
        partial(measure_here, width, heads),
        most=12,
        says="Measuring",
        apart=True,
    )
    mode = ui.theme_mode()
    finding = cost_text.growth_finding(costs)
    st.markdown(f"{finding} :gray-badge[measured here: {where}]")
    left, right = st.columns(2)
    with left:
        ui.show_figure(
            cost_figures.measured_figure(costs, width, mode),
            name="measured-time",
            reading="Points: the shortest of several calls. Lines: the predicted operations, at "
            "one rate for each part.",
            alt=finding.replace("**", ""),
        )
    with right:
        ui.show_figure(
            cost_figures.measured_memory_figure(costs, mode),
            name="measured-memory",
            reading="Points: the most memory of tensors at one time. Lines: T² and T.",
            alt=finding.replace("**", ""),
        )
    return costs, where


@lru_cache(maxsize=1)
def _paths() -> dict[str, Table[PathLengths]]:
    return {
        "RNN": measure_paths(last_of_recurrent, PATHS),
        "Transformer block": measure_paths(last_of_block, PATHS),
    }


def _beside_an_rnn(costs: Table[MeasuredCost], where: str) -> None:
    st.markdown("**Beside an RNN with as many weights**")
    st.markdown(
        "The path from the first word to the last output, in matrix products: an RNN passes every "
        "word between, attention none. The longest path is computed one product after another, on "
        "however many processors. :gray-badge[computed]"
    )
    ui.table(
        ["network, T", "shortest path", "one after another"],
        [
            (f"{name}, {each.time}", float(each.shortest), float(each.longest))
            for name, found in _paths().items()
            for each in found
        ],
        name="paths",
        caption="Matrix products between the first word and the last output, counted in the graph "
        "of one layer",
    )
    finding = cost_text.parallel_finding(costs, where)
    st.markdown(f"{finding} :gray-badge[measured here: {where}]")
    ui.show_figure(
        cost_figures.parallel_figure(costs, ui.theme_mode()),
        name="parallel",
        reading="A forward pass over T tokens that are all known, as in training.",
        alt=finding,
    )
    ui.table(
        ["T", "attention, ms", "MLP, ms", "RNN, ms", "attention, MB", "MLP, MB"],
        cost_text.measured_rows(costs),
        name="measured-costs",
        caption="The shortest of several calls, and the most memory at one time, measured here",
    )
    st.markdown(
        "**Writing stays sequential.** A GPT that writes T tokens computes T forward passes one "
        "after another: each needs the token before. “Entirely feed-forward” holds for training "
        "and for reading a text."
    )
