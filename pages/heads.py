"""Every attention head of a model over a text: what each looks at, and what is lost without it."""

from __future__ import annotations

from typing import Any

import numpy as np
import streamlit as st

import ui
from lessons.heads import ablation_section
from lessons.heads import picture as figures
from lessons.heads import sections as views
from lessons.heads import text as words
from lessons.heads.picture import HeadsSelection
from lessons.heads.texts import (
    MOST_TOKENS,
    HeadsRequest,
    HeadsResult,
    default_head,
    read_heads,
    weight_in_other_text,
)
from lmcore.attention import ablation, heads
from lmcore.attention.heads import Head, HeadsTrace
from lmcore.numbers import format_number
from ui import pretrained, settings

LESSON = ui.lesson("heads")
VIEWS = (
    "Neuron view",
    "Statistics",
    "Surgery",
    "Two texts, two models",
    "Five steps",
    "BertViz head view",
    "BertViz model view",
    "Check yourself",
    "Code",
    "The slide says",
)
NO_ENCODER = (
    "The real English encoder is not installed here: `make run` fetches it, once. What you see is "
    "a smaller model; its attention is its own, not BERT’s."
)
SIDES = ("all", "AA", "AB", "BA", "BB")
SWITCHES = ("heads_special", "heads_faint")


@st.fragment
def lab() -> None:
    """Controls above; the grid and the open head below; all weights are in the browser."""
    top = st.container(key="presets")
    kept = {**LESSON.defaults, **LESSON.looks}
    settings.keep_in_address({name: value for name, value in kept.items() if name != "heads_see"})
    models = available_models()
    if not models:
        return
    check_the_address(models)
    controls(models)
    asked = ui.validated_or_previous(
        "heads", lambda: read_request(models), lambda: default_request(models)
    )
    shown = read_heads(asked)
    at = ui.validated_or_previous(
        "heads_at", lambda: read_selection(asked, shown.seen), lambda: HeadsSelection(Head(0, 0))
    )
    if at.head >= shown.seen.shape or max(at.query or 0, at.key or 0) >= len(
        shown.seen.text.tokens
    ):
        at = HeadsSelection(default_head(asked, shown.seen, None, None))
    draw(asked, shown, at, models[asked.model])
    below = (
        lambda: views.neuron(shown.seen, at),
        lambda: views.statistics(shown.seen, at),
        lambda: ablation_section.show(asked, shown, at),
        lambda: views.compare(asked, shown.seen, at, models),
        lambda: views.five_steps(asked, shown.seen, at),
        lambda: views.bertviz("head", shown.seen, at, models[asked.model]),
        lambda: views.bertviz("model", shown.seen, at, models[asked.model]),
        lambda: predict(shown.seen, at),
        lambda: source(asked, shown.seen, at),
        lambda: ui.slide_corrections("heads"),
    )
    ui.sections(dict(zip(VIEWS, below, strict=True)), key="heads_see")
    with top:
        ui.presets(LESSON)


def available_models() -> dict[str, str]:
    """The models that this page can look into; if there is none, that is said."""
    try:
        models = pretrained.available_models()
    except ValueError as error:
        ui.show_error(error)
        return {}
    if not models:
        st.info("No model is installed here that this page could look into.")
    elif pretrained.WHEEL not in models:
        st.info(NO_ENCODER)
    return models


def check_the_address(models: dict[str, str]) -> None:
    """Controls that have no such value as the address gives them say so."""
    ui.check_address_value("heads_model", ("", *models))
    ui.check_address_value("heads_other_model", ("", *models))
    ui.check_address_value("heads_between", SIDES)
    ui.check_address_value("heads_threshold", (0.0, 1.0))
    ui.check_address_value("heads_find", tuple(figures.PATTERNS))
    ui.check_address_value("heads_cut", ablation.ABLATION_KINDS)
    for name in SWITCHES:
        ui.check_address_value(name, ("true", "false"))
    ui.check_address_value("heads_see", VIEWS)


def controls(models: dict[str, str]) -> None:
    """The text, the text it is compared with, and under "More" a second sentence and the model."""
    left, right, more = st.columns([5, 5, 1], vertical_alignment="bottom")
    with left:
        settings.text_field(
            "heads_text", "Text", "Every head looks at it anew when you press Enter"
        )
    with right:
        settings.text_field(
            "heads_other",
            "Another text, to compare with",
            "Change one word: where do the weights change?",
        )
    with more, st.popover("More"):
        settings.text_field(
            "heads_pair",
            "A sentence B after the text, for an encoder that reads pairs",
            "Above the picture you can then choose which sentence looks at which",
        )
        if len(models) > 1:
            settings.pills("heads_model", "Model", models)


def read_request(models: dict[str, str]) -> HeadsRequest:
    """What the controls ask for, once a model could read it."""
    state = st.session_state
    model = state["heads_model"] if state["heads_model"] in models else next(iter(models))
    asked = HeadsRequest(model, state["heads_text"], state["heads_pair"].strip())
    read_heads(asked)
    return asked


def default_request(models: dict[str, str]) -> HeadsRequest:
    """What the page opens on."""
    return HeadsRequest(next(iter(models)), LESSON.defaults["heads_text"], "")


def read_selection(asked: HeadsRequest, seen: HeadsTrace) -> HeadsSelection:
    """Which head is open, which tokens are followed, and the filters."""
    state = st.session_state
    tokens = seen.text.tokens
    query, key = (heads.find_place(tokens, state[f"heads_{name}"]) for name in ("query", "key"))
    head = (
        Head.parse(state["heads_head"], seen.shape)
        if state["heads_head"]
        else default_head(asked, seen, query, key)
    )
    threshold = float(state["heads_threshold"]) if _is_share(state["heads_threshold"]) else 0.0
    between = settings.allowed_value("heads_between", SIDES) if _is_pair(seen) else "all"
    special, faint = (state[name] == "true" for name in SWITCHES)
    return HeadsSelection(head, query, key, special, threshold, between, faint)


def _is_share(text: str) -> bool:
    return text.replace(".", "", 1).isdecimal() and 0 <= float(text) <= 1


def _is_pair(seen: HeadsTrace) -> bool:
    return bool(seen.text.segments.any())


def draw(asked: HeadsRequest, shown: HeadsResult, at: HeadsSelection, label: str) -> None:
    """The picture, what it says, and what it does not."""
    live = ui.LiveNumbers("heads", (), np.empty(0))
    of = str(shown.picture["of"])
    ui.picture("heads", live, shown.picture, on_told=store_selection)
    ui.picture("opened", live, figures.open_head_payload(shown.seen, at, of))
    st.session_state["heads-at"] = at
    if shown.seen.text.cut:
        st.info(
            f"The text is longer than {MOST_TOKENS} tokens: the first {MOST_TOKENS} are shown, no more."
        )
    plain = {token: ui.escape_markdown(token) for token in shown.seen.text.tokens}
    elsewhere = weight_in_other_text(asked, shown.seen, at)
    ui.notice(*figures.notice(shown.seen, at, plain, elsewhere), kind="measured here")
    st.caption(f"{figures.STANDING_NOTE} Model: {ui.escape_markdown(label)}.")


def store_selection(to: dict[str, Any]) -> None:
    """The hand came to rest: a head is open, tokens are followed, filters are set."""
    before: HeadsSelection = st.session_state["heads-at"]
    head = Head(int(to["layer"]), int(to["head"]))
    told = {
        "heads_query": "" if to["query"] < 0 else str(to["query"]),
        "heads_key": "" if to["key"] < 0 else str(to["key"]),
        "heads_special": str(to["special"]).lower(),
        "heads_faint": str(to["faint"]).lower(),
        "heads_threshold": f"{to['threshold']:g}",
        "heads_between": str(to["between"]),
    }
    # A token that is still followed keeps the word it was named by: other texts have it too.
    for name, now in (("query", before.query), ("key", before.key)):
        if to[name] == (-1 if now is None else now):
            told.pop(f"heads_{name}")
    # A head that was found for two tokens stays open when the hand follows others.
    if head != before.head or {"heads_query", "heads_key"} & told.keys():
        told["heads_head"] = str(head)
    ui.set_controls(told)


def predict(seen: HeadsTrace, at: HeadsSelection) -> None:
    """Predict, then reveal."""
    place = at.query if at.query is not None else 0
    met = heads.query_scores(seen, at.head, place)
    best = int(met.weights.argmax())
    name, key = (ui.escape_markdown(seen.text.tokens[each]) for each in (place, best))
    d_k = len(met.query)
    ui.check_yourself(
        f"In head {at.head}, q of “{name}” and k of “{key}” multiply to "
        f"{format_number(float(met.scores[best]))}; a head has d_k = {d_k}. What is "
        "the scaled score?",
        answer=float(met.scaled[best]),
        because=f"It is divided by √{d_k} = {format_number(d_k**0.5)}.",
        key="heads-scaled",
    )
    layers, each = seen.shape
    ui.check_yourself(
        f"The text has {len(seen.text.tokens)} tokens, the model {layers} × {each} heads. How many "
        "weights are there on this page?",
        answer=float(seen.weights.numel()),
        because="Layers × heads × tokens × tokens: twice the text, four times the weights.",
        key="heads-count",
    )


def source(asked: HeadsRequest, seen: HeadsTrace, at: HeadsSelection) -> None:
    """The code that ran, and a snippet that prints the number of the followed pair."""
    snippet = words.snippet(asked.model, asked.text, asked.pair, at)
    ui.show_code(
        heads.trace_heads,
        heads.query_scores,
        heads.head_statistics,
        ablation.ablation_effects,
        snippet=snippet,
        name="heads",
    )


ui.open_page("heads")
lab()
ui.neighbour_links("heads")
