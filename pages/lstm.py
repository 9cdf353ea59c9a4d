"""LSTM gates and vanishing gradients: set the gates of one cell, then see a trained one do it."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import astuple, replace
from functools import partial
from typing import Any, cast

import numpy as np
import streamlit as st
import torch

import ui
from lessons.lstm import cell_probes
from lessons.lstm import figures as pictures
from lessons.lstm import picture as words
from lessons.lstm import recall_figures as distances
from lessons.lstm import vanishing_picture as curves
from lmcore import parsing
from lmcore.models import lstm
from lmcore.models.lstm import LSTM
from lmcore.models.registry import NeuralModel
from lmcore.numbers import format_number
from lmcore.recurrence import gate_clamping, gates, recall, unit_probes, vanishing
from lmcore.recurrence.gates import GateTrace, GateUnit
from lmcore.recurrence.vanishing import Gains, VanishingSpec
from lmcore.vocabulary import Vocabulary
from ui import settings
from ui.compute import shared_results
from ui.models import ModelEntry

LESSON = ui.lesson("lstm")
REMEMBER = GateUnit(0.8, 6.0, -6.0, 1.5, 3.0)


@st.fragment
def lab() -> None:
    """Controls left, picture right; only this reruns while the cell is explored."""
    top = st.container(key="presets")
    left, right = st.columns([2, 5], gap="medium")
    with left:
        settings.keep_in_address(LESSON.defaults)
        unit = ui.validated_or_previous("gates", read_unit, lambda: REMEMBER)
        trace = gates.trace_gates(unit)
        live = slider_numbers(unit, trace)
        ui.sliders(live, on_settled=store_slider)
    with right:
        ui.picture("gates", live, words.gates_picture())
        ui.notice(*words.gates_notice(trace))
    draw = {
        "Step by step": lambda: step_by_step(trace, live),
        "Gates over a text": over_a_text,
        "Cells that mean something": cell_probes.show,
        "Vanishing gradients": vanishing_gradients,
        "Recall at distance": recall_at_distance,
        "Check yourself": lambda: predict(unit),
        "Code": lambda: source(unit),
        "The slide says": lambda: ui.slide_corrections("lstm"),
    }
    check_the_address(draw)
    ui.sections(draw, key="lstm_view")
    with top:
        ui.presets(LESSON)


def check_the_address(views: Collection[str]) -> None:
    """Controls that have no such value as the address gives them say so."""
    ui.check_address_value("lstm_view", views)
    ui.check_address_value("lstm_reader", (*pictures.READERS, *session_models()))
    ui.check_address_value("quantity", pictures.QUANTITIES)
    ui.check_address_value("hold_gate", pictures.CLAMPABLE)
    ui.check_address_value("linear", ("true", "false"))
    cell_probes.check_the_address()


def read_unit() -> GateUnit:
    """The cell that the sliders describe."""
    return gates.unit(parsing.parse_numbers(st.session_state["gates"], "gates"))


def slider_numbers(unit: GateUnit, trace: GateTrace) -> ui.LiveNumbers:
    """The cell's numbers now and at every position of every slider."""
    sliders = []
    for name, value in unit.by_name().items():
        spoken, look_for, role = words.SPOKEN[name]
        reach = 2.0 if name == "c_before" else 8.0
        positions = ui.slider_positions(value, reach=reach, limit=gates.MAX_MAGNITUDE)
        label = words.LABELS[name]
        sliders.append(ui.Slider(name, label, spoken, value, positions, help=look_for, role=role))
    swept = gates.sweep(unit, torch.tensor(np.array([s.positions for s in sliders])))
    return ui.live_numbers("gates", trace.by_name(), sliders, swept.by_name())


def store_slider(moved: dict[str, Any]) -> None:
    """A slider was let go, or a number typed beside it."""
    unit: GateUnit = st.session_state["gates-good"]
    name = moved["name"]
    try:
        unit = unit.with_value(name, parsing.parse_number(moved["typed"], name))
        st.session_state["gates"] = ", ".join(f"{value:.12g}" for value in astuple(unit))
    except ValueError as error:
        ui.show_error_later(error)


def step_by_step(trace: GateTrace, live: ui.LiveNumbers) -> None:
    st.latex(words.gates_formula(trace))
    ui.step_table(words.gates_steps(), live, caption="One LSTM cell, one operation a row")


def available_models() -> dict[str, ModelEntry]:
    """The LSTMs that come with the app, and this session's own."""
    ships = {
        name: ui.models.shipped_network(name)._replace(label=label)
        for name, label in pictures.READERS.items()
    }
    return ships | session_models()


def session_models() -> dict[str, ModelEntry]:
    """The LSTMs that this session trained on the microworld."""
    return {
        name: entry
        for name, entry in ui.models.session_models("microworld").items()
        if isinstance(cast(NeuralModel, entry.model).network, LSTM)
    }


def over_a_text() -> None:
    """The gates of a trained LSTM over typed text; one of them held, if asked for."""
    state = st.session_state
    known = available_models()
    labels = {name: entry.label for name, entry in known.items()}
    settings.pills("lstm_reader", "A trained LSTM reads", labels)
    name = settings.allowed_value("lstm_reader", known)
    usual = pictures.TEXTS.get(name, pictures.TEXTS["lstm"])
    settings.text_field("lstm_text", "Text", f"Empty stands for: {usual}")
    found = cast(NeuralModel, known[name].model)
    network, vocabulary = cast(LSTM, found.network), found.vocabulary
    settings.pills("quantity", "Show", pictures.QUANTITIES)
    settings.pills("hold_gate", "Hold", pictures.CLAMPABLE)
    left, right = st.columns(2)
    with left:
        settings.text_field("hold_value", "Hold it at", "From 0 to 1; the candidate from −1")
    with right:
        settings.text_field("heat_unit", "Unit to look at", "Its six numbers stand below all units")
    try:
        tokens = vocabulary.read(state["lstm_text"] or usual)
        unit = unit_probes.parse_unit(state["heat_unit"], network.config.hidden)
        clamps = gate_clamping.parse_clamps(
            settings.allowed_value("hold_gate", pictures.CLAMPABLE), state["hold_value"]
        )
        readings = {"free": gate_clamping.trace_clamped(network, torch.tensor(tokens))}
        if clamps:
            readings["held"] = gate_clamping.trace_clamped(network, torch.tensor(tokens), clamps)
    except ValueError as error:
        ui.show_error(error)
        return
    show_reading(readings, vocabulary, tokens, unit)


def show_reading(
    readings: dict[str, gate_clamping.ClampedTrace],
    vocabulary: Vocabulary,
    tokens: list[int],
    unit: int,
) -> None:
    """Strips of all units and of one, the gradient back, and what comes next."""
    last = list(readings.values())[-1]
    quantity, names = (
        settings.allowed_value("quantity", pictures.QUANTITIES),
        vocabulary.decode(tokens),
    )
    ui.show_figure(
        pictures.heat(last, quantity, names, ui.theme_mode()),
        name="strips",
        reading=pictures.heat_reading(last, quantity),
        alt=pictures.describe_heat(last, quantity, names),
    )
    ui.show_figure(
        pictures.unit_strips(last, unit, names, ui.theme_mode()),
        name="unit",
        reading=f"Unit {unit}: where f is high c stays, where i is high c moves.",
        alt=pictures.describe_unit(last, unit),
    )
    ui.show_figure(
        pictures.gradient_back(readings, names[:-1], ui.theme_mode()),
        name="gradient",
        reading=pictures.GRADIENT_READING,
        alt=pictures.describe_gradient(readings),
    )
    st.caption(pictures.losses_words(readings))
    columns = ["next token", *(f"p, {name}" for name in readings)]
    rows = pictures.next_rows(readings, vocabulary)
    ui.table(columns, rows, name="next", caption="The most probable next tokens")


def vanishing_gradients() -> None:
    """A plain network beside an LSTM whose forget gate is held: what is left, step by step back."""
    left, right = st.columns([2, 5], gap="medium")
    with left:
        spec = ui.validated_or_previous(
            "vanishing", read_vanishing, lambda: VanishingSpec(0.9, 0.95)
        )
        now = vanishing.gains(spec)
        live = vanishing_slider_numbers(spec, now)
        ui.sliders(live, on_settled=store_vanishing_slider)
        settings.text_field("drive", "Size of the inputs", "Large inputs bend tanh flat: g′ falls")
        settings.toggle("linear", "Plain RNN without tanh")
    with right:
        ui.picture("vanish", live, curves.vanishing_picture(spec))
    st.markdown(" ".join(curves.vanishing_notice(spec, now)))
    st.caption(curves.READING)


def read_vanishing() -> VanishingSpec:
    """The setting that the sliders and controls describe."""
    state = st.session_state
    spoken = {"radius": "ρ", "forget_rate": "f", "drive": "the size of the inputs"}
    radius, forget, drive = (
        parsing.parse_number(state[name], what) for name, what in spoken.items()
    )
    return VanishingSpec(radius, forget, drive, "identity" if state["linear"] == "true" else "tanh")


def vanishing_slider_numbers(spec: VanishingSpec, now: Gains) -> ui.LiveNumbers:
    """The curves now and at every position of ρ and f."""
    base = replace(spec, radius=1.0, forget=1.0)
    moved = shared_results.shared_result(
        "vanishing", base, partial(vanishing.gains_at_positions, base), most=16
    )
    sliders = [
        ui.Slider(name, label, spoken, value, positions, help=look_for, role=role)
        for (name, label, spoken, look_for, role), value, positions in zip(
            curves.SLIDERS, (spec.radius, spec.forget), vanishing.POSITIONS.numpy(), strict=True
        )
    ]
    swept = vanishing.by_control(now, Gains(*moved))
    return ui.live_numbers("vanish", now.by_name(), sliders, swept.by_name())


def store_vanishing_slider(moved: dict[str, Any]) -> None:
    """ρ or f was let go."""
    st.session_state[moved["name"]] = moved["typed"]


def recall_at_distance() -> None:
    """How far back small trained networks can remember: a measurement that ships."""
    found = recall.load_results()
    ui.show_figure(
        distances.curves(found, ui.theme_mode()),
        name="recall",
        reading=distances.READING,
        alt=distances.describe(found),
    )
    st.markdown(distances.recall_words(found))
    st.caption(distances.how_measured(found))


def predict(unit: GateUnit) -> None:
    turned = gates.trace_gates(replace(unit, z_f=-unit.z_f))
    ui.check_yourself(
        f"Turn the forget gate around: z_f = {format_number(-unit.z_f)}. What is c_t?",
        answer=float(turned.cell),
        because=f"f becomes {format_number(float(turned.forget))}: 1 − f of before.",
        key="turned",
    )
    ui.check_yourself(
        curves.FIFTY_STEPS_QUESTION,
        answer=curves.gain_after_fifty_steps(),
        because="0.9⁵⁰: 0.9 a step.",
        key="fifty",
    )
    size = lstm.layer_parameters(64, 128, biases=1)
    ui.check_yourself(
        words.SIZE, answer=float(size), because=words.WHY_SIZE, key="weights", near=0.001
    )


def source(unit: GateUnit) -> None:
    snippet = f"""from lmcore.recurrence.gates import GateUnit, trace_gates

unit = {unit!r}
trace = trace_gates(unit)
for name, value in trace.by_name().items():
    print(f"{{name:18}} {{value.item():.6g}}")
"""
    ui.show_code(
        gates.gate_step, lstm.lstm_step, vanishing.plain_gains, snippet=snippet, name="lstm"
    )


ui.open_page("lstm")
lab()
ui.neighbour_links("lstm")
