"""Head surgery: heads are muted, averaged or patched, and what is lost is measured and ranked."""

from __future__ import annotations

from functools import partial
from typing import NamedTuple, cast

import numpy as np
import streamlit as st

import ui
from lessons.heads import figures as maps
from lessons.heads import text as words
from lessons.heads.picture import HeadsSelection
from lessons.heads.sections import open_head
from lessons.heads.texts import HeadsRequest, HeadsResult, other_text_heads
from lmcore.attention import ablation
from lmcore.attention.ablation import AblationEffect, AblationKind
from lmcore.attention.heads import Head, HeadsTrace, Network
from lmcore.numbers import format_number
from lmcore.pretrained.loading import PretrainedModel
from lmcore.pretrained.reading import TokenizingModel, VocabularyModel
from ui import pretrained, settings
from ui.compute import shared_results

METHODS = {
    "mute": "Mute: it says nothing",
    "average": "Average: it says the same at every place",
    "patch": "Patch: it says what it says in the other text",
}
DONE = {"mute": "muted", "average": "averaged", "patch": "patched"}
PATIENCE = 3.0
"""Seconds; what takes longer is begun by hand, and can be stopped."""


class AblationTask(NamedTuple):
    """What is measured: everything it depends on."""

    asked: HeadsRequest
    place: int
    cut: AblationKind
    other: str
    token: int | None


def show(asked: HeadsRequest, shown: HeadsResult, at: HeadsSelection) -> None:
    """What is done to the heads, what the chosen token loses by each, and by several at once."""
    seen = shown.seen
    settings.pills("heads_cut", "To each head in turn", METHODS)
    cut = cast(AblationKind, settings.allowed_value("heads_cut", METHODS))
    place = at.query if at.query is not None else len(seen.text.tokens) - 1
    other = other_text_heads(asked) if cut == "patch" else None
    reader = pretrained.load(asked.model)
    name = f"“{ui.escape_markdown(seen.text.tokens[place])}”"
    try:
        if cut == "patch" and other is None:
            raise ValueError("a patch must have another text to come from; type one above")
        ablation.check_patch(cut, seen, other)
        token = watched_token(asked)
        task = AblationTask(
            asked, place, cut, st.session_state["heads_other"] if other else "", token
        )
        several = selected_heads(seen, at)
        joint_ablation(reader, seen, several, place, cut, other, token, name)
        found = measure_effects(task, reader.network, shown, other)
    except ValueError as error:
        ui.show_error(error)
        return
    if found:
        known = ablation.compared_token(ablation.predict_token(reader.network, seen, place), token)
        asked_of = None if known is None else f"“{ui.escape_markdown(type_text(reader, known))}”"
        ranking(found, at, name, asked_of, cut)


def watched_token(asked: HeadsRequest) -> int | None:
    """The id of the token whose log-probability is watched; None: the most probable one.

    Raises:
        ValueError: if it is not one token.
    """
    reader = pretrained.load(asked.model)
    if not has_output_matrix(reader.network):
        return None
    settings.text_field("heads_watch", "Token to watch", "Empty: the one the model predicts here")
    typed = st.session_state["heads_watch"].strip()
    if not typed:
        return None
    read = reader.read(typed)
    ids = read.ids[~read.special].tolist()
    if len(ids) != 1:
        raise ValueError(f"the token to watch must be one token; got {len(ids)} in {typed[:24]!r}")
    return int(ids[0])


def has_output_matrix(network: Network) -> bool:
    """Whether the model was given an output matrix, and so has log-probabilities."""
    return getattr(network, "head", True) is not None


def measure_effects(
    task: AblationTask, network: Network, shown: HeadsResult, other: HeadsTrace | None
) -> list[AblationEffect]:
    """The effects, as far as they are known: at once, or with a start, a stop and a way on."""
    state = st.session_state
    if state.get("heads-task") != task:
        state["heads-task"], state["heads-effects"], state["heads-go"] = task, [], False
    found: list[AblationEffect] = state["heads-effects"]
    layers, heads = shown.seen.shape
    left = layers - len(found) // heads
    seconds = shown.seconds * heads * left * (left + 1) / (2 * layers)
    if not left:
        return found
    if seconds <= PATIENCE and not found:
        measure = partial(_all, network, shown.seen, task, other)
        found[:] = shared_results.shared_result(
            "worth of heads", task, measure, most=64, says="Measuring every head"
        )
        return found
    if seconds > PATIENCE and not state["heads-go"]:
        label = f"Measure {left * heads} heads, about {seconds:.0f} s"
        st.button(label, key="heads-start", on_click=_go, args=(True,))
        return found
    bar = st.progress(1 - left / layers, text="One layer after the other")
    st.button("Stop", key="heads-stop", on_click=_go, args=(False,))
    tried = ablation.ablation_effects(
        network,
        shown.seen,
        task.place,
        task.cut,
        other=other,
        token=task.token,
        first=layers - left,
    )
    for layer in shared_results.compute_parts(iter(tried), says="Measuring a layer"):
        found += layer
        bar.progress(len(found) / (layers * heads), text="One layer after the other")
    state["heads-go"] = False
    bar.empty()
    return found


def _all(
    network: Network, seen: HeadsTrace, task: AblationTask, other: HeadsTrace | None
) -> list[AblationEffect]:
    layers = ablation.ablation_effects(
        network, seen, task.place, task.cut, other=other, token=task.token
    )
    return [effect for layer in layers for effect in layer]


def _go(on: bool) -> None:
    st.session_state["heads-go"] = on


def ranking(
    found: list[AblationEffect],
    at: HeadsSelection,
    token: str,
    asked_of: str | None,
    cut: AblationKind,
) -> None:
    """All heads by what they are worth: a sentence, a map and a table."""
    measure = "gained" if found[0].gained is not None else "turned"
    st.markdown(words.surgery(found, measure, at.head, token, DONE[cut], asked_of))
    ui.show_figure(
        maps.effect_map(found, measure, at.head, ui.theme_mode()),
        name="heads-worth",
        reading="Each head alone is changed, the rest of the model runs on. Framed: the open head.",
        alt=maps.describe_effect_map(found, measure),
    )
    how = words.effect_table(found, at.head, measure)
    ui.picture("ranking", ui.LiveNumbers("effects", (), np.empty(0)), how, on_told=open_head)


def selected_heads(seen: HeadsTrace, at: HeadsSelection) -> list[Head]:
    """The heads that are tried together: those that are typed, or the open one.

    Raises:
        ValueError: if one is not there.
    """
    settings.text_field(
        "heads_together", "Heads together", "As 3.1, 4.2; empty: the open head alone"
    )
    typed = [each for each in st.session_state["heads_together"].split(",") if each.strip()]
    return list(dict.fromkeys(Head.parse(each, seen.shape) for each in typed)) or [at.head]


def joint_ablation(
    reader: TokenizingModel,
    seen: HeadsTrace,
    several: list[Head],
    place: int,
    cut: AblationKind,
    other: HeadsTrace | None,
    token: int | None,
    name: str,
) -> None:
    """Several heads at once, and the predictions before and after."""
    network = reader.network
    edits = [ablation.head_edit(cut, head, other, layer=head.layer, row=None) for head in several]
    before = ablation.predict_token(network, seen, place)
    after = ablation.predict_token(network, seen, place, edits)
    (effect,) = ablation.compare_predictions(
        several[:1], before, after, ablation.compared_token(before, token)
    )
    named = ", ".join(map(str, several))
    st.markdown(
        f"With {named} {DONE[cut]}, the last vector of {name} turns by 1 − cosine = "
        f"**{format_number(effect.turned)}** and moves by **{format_number(effect.moved)}** of "
        "its length."
    )
    if before.predicted is None or after.predicted is None:
        st.caption(
            "This model was given no output matrix: it predicts no tokens, it gives vectors."
        )
        return
    best = before.predicted[0].topk(5).indices.tolist()
    best += [each for each in after.predicted[0].topk(5).indices.tolist() if each not in best]
    rows = [
        (type_text(reader, each), float(before.predicted[0, each].exp()),
         float(after.predicted[0, each].exp()))
        for each in best
    ]  # fmt: skip
    columns = ["predicted here", "p, whole", f"p, {DONE[cut]}"]
    ui.table(columns, rows, name="heads-predicted", caption="The most probable tokens")


def type_text(reader: TokenizingModel, token: int) -> str:
    """A token by its id, as it is written."""
    if isinstance(reader, VocabularyModel):
        return reader.vocabulary.decode([token])[0]
    if isinstance(reader, PretrainedModel):
        return reader.tokenizer.decode([token], skip_special_tokens=False) or f"id {token}"
    return f"id {token}"
