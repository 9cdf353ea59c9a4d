"""Head surgery: heads are muted, averaged or patched, and what is lost is measured and ranked."""

from __future__ import annotations

from functools import partial
from typing import NamedTuple, cast

import numpy as np
import streamlit as st

import ui
from lessons.heads import figures as maps
from lessons.heads import text as words
from lessons.heads.picture import At
from lessons.heads.sections import opens
from lessons.heads.texts import Asked, Shown, other_seen
from lmcore.attention import ablation
from lmcore.attention.ablation import Cut, Effect
from lmcore.attention.heads import Head, Network, Seen
from lmcore.numbers import significant
from lmcore.pretrained.loading import Pretrained
from lmcore.pretrained.reading import OfVocabulary, Reader
from ui import pretrained, settings
from ui.compute import shared_results

CUTS = {
    "mute": "Mute: it says nothing",
    "average": "Average: it says the same at every place",
    "patch": "Patch: it says what it says in the other text",
}
DONE = {"mute": "muted", "average": "averaged", "patch": "patched"}
PATIENCE = 3.0
"""Seconds; what takes longer is begun by hand, and can be stopped."""


class Task(NamedTuple):
    """What is measured: everything it depends on."""

    asked: Asked
    place: int
    cut: Cut
    other: str
    token: int | None


def show(asked: Asked, shown: Shown, at: At) -> None:
    """What is done to the heads, what the chosen token loses by each, and by several at once."""
    seen = shown.seen
    settings.chosen("heads_cut", "To each head in turn", CUTS)
    cut = cast(Cut, settings.among("heads_cut", CUTS))
    place = at.query if at.query is not None else len(seen.text.tokens) - 1
    other = other_seen(asked) if cut == "patch" else None
    reader = pretrained.load(asked.model)
    name = f"“{ui.plain(seen.text.tokens[place])}”"
    try:
        if cut == "patch" and other is None:
            raise ValueError("a patch must have another text to come from; type one above")
        ablation.fits(cut, seen, other)
        token = watched(asked)
        task = Task(asked, place, cut, st.session_state["heads_other"] if other else "", token)
        several = listed(seen, at)
        together(reader, seen, several, place, cut, other, token, name)
        found = measured(task, reader.network, shown, other)
    except ValueError as error:
        ui.refuse(error)
        return
    if found:
        known = ablation.watched(ablation.outcome(reader.network, seen, place), token)
        asked_of = None if known is None else f"“{ui.plain(spelled(reader, known))}”"
        ranking(found, at, name, asked_of, cut)


def watched(asked: Asked) -> int | None:
    """The id of the token whose log-probability is watched; None: the most probable one.

    Raises:
        ValueError: if it is not one token.
    """
    reader = pretrained.load(asked.model)
    if not predicts(reader.network):
        return None
    settings.typed("heads_watch", "Token to watch", "Empty: the one the model predicts here")
    typed = st.session_state["heads_watch"].strip()
    if not typed:
        return None
    read = reader.read(typed)
    ids = read.ids[~read.special].tolist()
    if len(ids) != 1:
        raise ValueError(f"the token to watch must be one token; got {len(ids)} in {typed[:24]!r}")
    return int(ids[0])


def predicts(network: Network) -> bool:
    """Whether the model was given an output matrix, and so has log-probabilities."""
    return getattr(network, "head", True) is not None


def measured(task: Task, network: Network, shown: Shown, other: Seen | None) -> list[Effect]:
    """The effects, as far as they are known: at once, or with a start, a stop and a way on."""
    state = st.session_state
    if state.get("heads-task") != task:
        state["heads-task"], state["heads-effects"], state["heads-go"] = task, [], False
    found: list[Effect] = state["heads-effects"]
    layers, heads = shown.seen.shape
    left = layers - len(found) // heads
    seconds = shown.seconds * heads * left * (left + 1) / (2 * layers)
    if not left:
        return found
    if seconds <= PATIENCE and not found:
        measure = partial(_all, network, shown.seen, task, other)
        found[:] = shared_results.kept(
            "worth of heads", task, measure, most=64, says="Measuring every head"
        )
        return found
    if seconds > PATIENCE and not state["heads-go"]:
        label = f"Measure {left * heads} heads, about {seconds:.0f} s"
        st.button(label, key="heads-start", on_click=_go, args=(True,))
        return found
    bar = st.progress(1 - left / layers, text="One layer after the other")
    st.button("Stop", key="heads-stop", on_click=_go, args=(False,))
    tried = ablation.effects(
        network,
        shown.seen,
        task.place,
        task.cut,
        other=other,
        token=task.token,
        first=layers - left,
    )
    for layer in shared_results.one_by_one(iter(tried), says="Measuring a layer"):
        found += layer
        bar.progress(len(found) / (layers * heads), text="One layer after the other")
    state["heads-go"] = False
    bar.empty()
    return found


def _all(network: Network, seen: Seen, task: Task, other: Seen | None) -> list[Effect]:
    layers = ablation.effects(network, seen, task.place, task.cut, other=other, token=task.token)
    return [effect for layer in layers for effect in layer]


def _go(on: bool) -> None:
    st.session_state["heads-go"] = on


def ranking(found: list[Effect], at: At, token: str, asked_of: str | None, cut: Cut) -> None:
    """All heads by what they are worth: a sentence, a map and a table."""
    measure = "gained" if found[0].gained is not None else "turned"
    st.markdown(words.surgery(found, measure, at.head, token, DONE[cut], asked_of))
    ui.show(
        maps.worth(found, measure, at.head, ui.mode()),
        name="heads-worth",
        reading="Each head alone is changed, the rest of the model runs on. Framed: the open head.",
        alt=maps.describe_worth(found, measure),
    )
    how = words.effect_table(found, at.head, measure)
    ui.picture("ranking", ui.Live("effects", (), np.empty(0)), how, on_told=opens)


def listed(seen: Seen, at: At) -> list[Head]:
    """The heads that are tried together: those that are typed, or the open one.

    Raises:
        ValueError: if one is not there.
    """
    settings.typed("heads_together", "Heads together", "As 3.1, 4.2; empty: the open head alone")
    typed = [each for each in st.session_state["heads_together"].split(",") if each.strip()]
    return list(dict.fromkeys(Head.read(each, seen.shape) for each in typed)) or [at.head]


def together(
    reader: Reader,
    seen: Seen,
    several: list[Head],
    place: int,
    cut: Cut,
    other: Seen | None,
    token: int | None,
    name: str,
) -> None:
    """Several heads at once, and the predictions before and after."""
    network = reader.network
    edits = [ablation.edit(cut, head, other, layer=head.layer, row=None) for head in several]
    before = ablation.outcome(network, seen, place)
    after = ablation.outcome(network, seen, place, edits)
    (effect,) = ablation.compare(several[:1], before, after, ablation.watched(before, token))
    named = ", ".join(map(str, several))
    st.markdown(
        f"With {named} {DONE[cut]}, the last vector of {name} turns by 1 − cosine = "
        f"**{significant(effect.turned)}** and moves by **{significant(effect.moved)}** of "
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
        (spelled(reader, each), float(before.predicted[0, each].exp()),
         float(after.predicted[0, each].exp()))
        for each in best
    ]  # fmt: skip
    columns = ["predicted here", "p, whole", f"p, {DONE[cut]}"]
    ui.table(columns, rows, name="heads-predicted", caption="The most probable tokens")


def spelled(reader: Reader, token: int) -> str:
    """A token by its id, as it is written."""
    if isinstance(reader, OfVocabulary):
        return reader.vocabulary.decode([token])[0]
    if isinstance(reader, Pretrained):
        return reader.tokenizer.decode([token], skip_special_tokens=False) or f"id {token}"
    return f"id {token}"
