"""Head surgery: mutes, averages or patches heads, and ranks them by the effect."""

from __future__ import annotations

from functools import partial
from typing import NamedTuple, cast

import numpy as np
import streamlit as st
from torch import Tensor

import ui
from lessons.heads import heads_figures, heads_text
from lessons.heads.heads_picture import RANKING, HeadsSelection, head_name
from lessons.heads.heads_state import (
    SETTINGS,
    HeadsRequest,
    HeadsResult,
    open_head,
    other_text_heads,
    read_heads,
)
from lmcore.attention import ablation
from lmcore.attention.ablation import AblationEffect, AblationKind
from lmcore.attention.heads import Head, HeadsTrace, Network
from lmcore.numbers import format_number
from lmcore.pretrained.loading import PretrainedModel
from lmcore.pretrained.reading import TokenizingModel, VocabularyModel
from lmcore.typed import fold
from ui import compute, pretrained

DONE = {"mute": "muted", "average": "averaged", "patch": "patched"}
PATIENCE = 3.0
"""Seconds; a longer measurement is started with a button, and can be stopped."""


class AblationTask(NamedTuple):
    """Everything that the measured effects depend on."""

    request: HeadsRequest
    place: int
    method: AblationKind
    other: str
    """The text that a head is patched from, or nothing."""
    token: int | None


def show(request: HeadsRequest, result: HeadsResult, selection: HeadsSelection, place: int) -> None:
    """Draw head surgery: the method, the effect of each head, and of several together."""
    trace = result.trace
    SETTINGS.draw("heads_cut")
    method = cast(AblationKind, SETTINGS.choice("heads_cut"))
    other = other_text_heads(request) if method == "patch" else None
    reader = pretrained.load(request.model)
    name = f"“{ui.escape_markdown(trace.text.tokens[place])}”"
    try:
        if method == "patch" and other is None:
            raise ValueError("the text under “Compared with” must be one that the model can read")
        ablation.check_patch(method, trace, other)
        token = watched_token(request)
        task = AblationTask(
            request, place, method, st.session_state["heads_other"] if other else "", token
        )
        chosen = selected_heads(trace, selection)
        joint_ablation(reader, trace, chosen, place, method, other, token, name)
        effects = measure_effects(task, reader.network, result, other)
    except ValueError as error:
        ui.show_error(error)
        return
    if effects:
        known = ablation.compared_token(ablation.predict_token(reader.network, trace, place), token)
        watched = None if known is None else f"“{ui.escape_markdown(token_text(reader, known))}”"
        ranking(effects, selection, name, watched, method)


def watched_token(request: HeadsRequest) -> int | None:
    """The id of the token whose log-probability is compared; None: the most probable one.

    Raises:
        ValueError: if the typed text is not one token.
    """
    reader = pretrained.load(request.model)
    if not has_output_matrix(reader.network):
        return None
    SETTINGS.draw("heads_watch")
    typed = fold(st.session_state["heads_watch"]).strip()
    if not typed:
        return None
    read = reader.read(typed)
    ids = read.ids[~read.special].tolist()
    if len(ids) != 1:
        raise ValueError(f"the token to watch must be one token; got {len(ids)} in {typed[:24]!r}")
    return int(ids[0])


def has_output_matrix(network: Network) -> bool:
    """Whether the model has an output matrix, and so predicts tokens."""
    return getattr(network, "head", True) is not None


def measure_effects(
    task: AblationTask, network: Network, result: HeadsResult, other: HeadsTrace | None
) -> list[AblationEffect]:
    """The effects measured so far; a long measurement can be started, stopped and continued."""
    state = st.session_state
    if state.get("heads-task") != task:
        state["heads-task"], state["heads-effects"], state["heads-go"] = task, [], False
    effects: list[AblationEffect] = state["heads-effects"]
    layers, heads = result.trace.shape
    left = layers - len(effects) // heads
    seconds = result.seconds * heads * left * (left + 1) / (2 * layers)
    if not left:
        return effects
    if seconds <= PATIENCE and not effects:
        measure = partial(_all_effects, task)
        found = compute.shared_result("head effects", measure, most=64, says="Measuring every head")
        effects[:] = found
        return effects
    if seconds > PATIENCE and not state["heads-go"]:
        label = f"Measure {left * heads} heads, about {seconds:.0f} s"
        st.button(label, key="heads-start", on_click=_set_measuring, args=(True,))
        return effects
    _measure_layers(task, network, result.trace, other, effects)
    return effects


def _measure_layers(
    task: AblationTask,
    network: Network,
    trace: HeadsTrace,
    other: HeadsTrace | None,
    effects: list[AblationEffect],
) -> None:
    """Measure the layers that `effects` lacks, from the last one down, and add each to it."""
    layers, heads = trace.shape
    left = layers - len(effects) // heads
    bar = st.progress(1 - left / layers, text="One layer after the other")
    st.button("Stop", key="heads-stop", on_click=_set_measuring, args=(False,))
    layers_left = ablation.ablation_effects(
        network,
        trace,
        task.place,
        task.method,
        other=other,
        token=task.token,
        first=layers - left,
    )
    for layer in compute.compute_parts(iter(layers_left), of=task, says="Measuring a layer"):
        effects += layer
        bar.progress(len(effects) / (layers * heads), text="One layer after the other")
    st.session_state["heads-go"] = False
    bar.empty()


def _all_effects(task: AblationTask) -> list[AblationEffect]:
    model = task.request.model
    network, trace = pretrained.load(model).network, read_heads(task.request).trace
    other = read_heads(HeadsRequest(model, task.other, "")).trace if task.other else None
    layers = ablation.ablation_effects(
        network, trace, task.place, task.method, other=other, token=task.token
    )
    return [effect for layer in layers for effect in layer]


def _set_measuring(on: bool) -> None:
    st.session_state["heads-go"] = on


def ranking(
    effects: list[AblationEffect],
    selection: HeadsSelection,
    token: str,
    watched: str | None,
    method: AblationKind,
) -> None:
    """All heads ranked by their effect: a sentence, a map and a table."""
    measure = "gained" if effects[0].gained is not None else "turned"
    st.markdown(heads_text.surgery(effects, measure, selection.head, token, DONE[method], watched))
    ui.show_figure(
        heads_figures.effect_map(effects, measure, selection.head, ui.theme_mode()),
        name="heads-worth",
        reading="One head at a time is changed, the rest of the model runs as before. Framed: the "
        "open head.",
        alt=heads_figures.describe_effect_map(effects, measure),
    )
    payload = heads_text.effect_table(effects, selection.head, measure)
    nothing = ui.LiveNumbers("effects", (), np.empty(0))
    ui.picture(RANKING, nothing, payload, on_event=open_head)


def selected_heads(trace: HeadsTrace, selection: HeadsSelection) -> list[Head]:
    """The heads that are changed together: those typed, or else the open one.

    Raises:
        ValueError: if the model has no such head.
    """
    SETTINGS.draw("heads_together")
    typed = SETTINGS.several("heads_together")
    return list(dict.fromkeys(Head.parse(each, trace.shape) for each in typed)) or [selection.head]


def joint_ablation(
    reader: TokenizingModel,
    trace: HeadsTrace,
    chosen: list[Head],
    place: int,
    method: AblationKind,
    other: HeadsTrace | None,
    token: int | None,
    name: str,
) -> None:
    """The effect of changing several heads at once, with the predictions before and after."""
    network = reader.network
    edits = [ablation.head_edit(method, head, other, layer=head.layer, row=None) for head in chosen]
    before = ablation.predict_token(network, trace, place)
    after = ablation.predict_token(network, trace, place, edits)
    (effect,) = ablation.compare_predictions(
        chosen[:1], before, after, ablation.compared_token(before, token)
    )
    named = "; ".join(map(head_name, chosen))
    st.markdown(
        f"With {named} {DONE[method]}, the last vector of {name} turns by 1 − cosine = "
        f"**{format_number(effect.turned)}** and moves by **{format_number(effect.moved)}** of "
        "its length."
    )
    if before.predicted is None or after.predicted is None:
        st.caption("This model has no output matrix: it outputs vectors and predicts no tokens.")
        return
    columns = ["predicted here", "p, whole", f"p, {DONE[method]}"]
    rows = _predictions(reader, before.predicted[0], after.predicted[0])
    ui.table(columns, rows, name="heads-predicted", caption="The most probable tokens")


def _predictions(
    reader: TokenizingModel, before: Tensor, after: Tensor
) -> list[tuple[str, float, float]]:
    """The five best tokens before and after a change, with both probabilities."""
    best = before.topk(5).indices.tolist()
    best += [each for each in after.topk(5).indices.tolist() if each not in best]
    return [
        (token_text(reader, each), float(before[each].exp()), float(after[each].exp()))
        for each in best
    ]


def token_text(reader: TokenizingModel, token: int) -> str:
    """The text of a token id."""
    if isinstance(reader, VocabularyModel):
        return reader.vocabulary.decode([token])[0]
    if isinstance(reader, PretrainedModel):
        return reader.tokenizer.decode([token], skip_special_tokens=False) or f"id {token}"
    return f"id {token}"
