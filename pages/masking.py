"""Masks: who may look at whom, what −∞ does to the weights, what leaks; and corrupted texts."""

from __future__ import annotations

from functools import partial
from typing import Any

import streamlit as st

import ui
from lessons.masking import corruption_sections, live_leakage, sections, state
from lessons.masking import leakage_picture as leaks
from lessons.masking import picture as figures
from lessons.masking import text as words
from lessons.masking.state import OTHERS, MaskingModel, MaskingState
from lmcore.masking import leakage, mask_pairs, under_mask
from lmcore.masking.mask_choice import LONGEST
from lmcore.models import attention, masks
from ui import settings

LESSON = ui.lesson("masking")
VIEWS = (
    "Step by step",
    "Output and next word",
    "Leakage test",
    "Train without it",
    "Both ways, one way",
    "Check yourself",
    "Code",
    "The slide says",
)
STREAMS = {"content": "Content", "query": "Query"}
MOST_TYPED = 400  # characters: what is typed is also part of the address
TEXT_SETTINGS = (
    "masking_text",
    "masking_batch",
    "masking_source",
    *corruption_sections.TEXT_SETTINGS,
)


TABS = {"masks": "Attention masks", "corruption": "Corruption"}
ERRATA = ("X34", "X56")  # those of attention masks; the others are of masked language modelling


@st.fragment
def lab() -> None:
    """One of two tabs."""
    ui.check_address_value("masking_tab", tuple(TABS))
    keep_settings()
    settings.tab_bar("masking_tab", "Part of the page", TABS)
    if settings.allowed_value("masking_tab", TABS) == "corruption":
        corruption_sections.tab(LESSON)
    else:
        attention_masks()


def attention_masks() -> None:
    """Controls left, the two masks right."""
    top = st.container(key="presets")
    left, right = st.columns([2, 5], gap="medium")
    models = state.available_models()
    with right:  # what is refused is said beside the controls, not below them
        check_the_address(models)
        first = partial(state.default_state, models, LESSON.defaults["masking_text"])
        scene = ui.validated_or_previous("masking", lambda: state.read_state(models), first)
    with left:
        controls(models, scene)
    with right:
        query = ui.validated_or_previous(
            "masking_at", lambda: state.read_place("masking_at"), lambda: 0
        )
        query = min(query, len(scene.pair.queries) - 1)
        draw(scene, query)
    views = (
        lambda: sections.step_by_step(scene.pair, query),
        lambda: sections.output(scene, query),
        lambda: sections.leak(scene),
        live_leakage.panel,
        lambda: sections.readers(scene, query),
        lambda: predict(scene),
        lambda: source(scene),
        lambda: ui.errata(ERRATA),
    )
    ui.sections(dict(zip(VIEWS, views, strict=True)), key="masking_see")
    with top:
        ui.presets(LESSON.part("masking_tab", "masks", "masking_"))


def check_the_address(models: dict[str, MaskingModel]) -> None:
    """Controls that have no such value as the address gives them say so."""
    ui.check_address_value("masking_kind", tuple(figures.KINDS))
    ui.check_address_value("masking_other", OTHERS)
    ui.check_address_value("masking_model", tuple(models))
    ui.check_address_value("masking_stream", tuple(STREAMS))
    for name in ("masking_ahead", "masking_too", "masking_blank"):
        ui.check_address_value(name, ("true", "false"))
    ui.check_address_value("masking_see", VIEWS)


def keep_settings() -> None:
    """Every setting that no widget of its own keeps; a text far too long is cut, and it is said."""
    drawn = ("masking_see", "corrupt_see")
    kept = {name: value for name, value in LESSON.looks.items() if name not in drawn}
    settings.keep_in_address({**LESSON.defaults, **kept})
    for name in TEXT_SETTINGS:
        if (length := len(st.session_state[name])) > MOST_TYPED:
            ui.set_controls({name: st.session_state[name][:MOST_TYPED]})
            ui.address_value(name, LESSON.defaults[name])
            st.warning(f"Of {length:,} characters the first {MOST_TYPED} are kept.")


def controls(models: dict[str, MaskingModel], scene: MaskingState) -> None:
    """The text, the mask, what it is compared with, and the head that is looked at."""
    kind = settings.allowed_value("masking_kind", figures.KINDS)
    texts(kind)
    if scene.words.cut:
        st.caption(f"The text is longer: shown are its first {LONGEST} tokens.")
    settings.pills("masking_kind", "Mask", figures.KINDS)
    st.caption(figures.MASK_WORDS[kind])
    kind_controls(kind)
    if kind not in ("padding", "cross"):
        others = {name: figures.KINDS[name] for name in OTHERS if name != kind}
        settings.pills("masking_other", "Compare with", others)
    if kind != "cross":
        labels = {name: model.label for name, model in models.items()}
        settings.pills("masking_model", "Scores of", labels)
    head_controls(scene)


def texts(kind: str) -> None:
    """What is typed: one text, a batch of some, or a source and a target."""
    if kind == "padding":
        look_for = "Short texts are filled up with [PAD]; put | between texts"
        settings.text_field("masking_batch", "Texts of the batch, with | between", look_for)
        return
    if kind == "cross":
        settings.text_field("masking_source", "Source, read by the encoder", "Any words")
    settings.text_field(
        "masking_text", "Text", "Its first token is <s>; watch which words it may see"
    )


def kind_controls(kind: str) -> None:
    """Controls that only this kind of mask has."""
    if kind == "sliding":
        settings.toggle("masking_ahead", "The window reaches ahead too")
    if kind == "permutation":
        look_for = "Places from 1, in the order they are read; those left out come after"
        settings.text_field("masking_order", "Order of reading", look_for)
        settings.pills("masking_stream", "Stream", STREAMS)
    if kind == "padding":
        count = len([part for part in st.session_state["masking_batch"].split("|") if part.strip()])
        numbered = {str(n): f"Text {n}" for n in range(1, max(count, 1) + 1)}
        settings.pills("masking_one", "Look at", numbered)
        settings.toggle("masking_too", "Causal too")


def head_controls(scene: MaskingState) -> None:
    """The layer and the head, as many as the model has."""
    config = scene.model.network.config
    with st.container(horizontal=True):
        for name, label, count in (
            ("masking_layer", "Layer, from 0", config.layers),
            ("masking_head", "Head, from 0", config.heads),
        ):
            settings.pills(name, label, {str(n): str(n) for n in range(count)})


def draw(scene: MaskingState, query: int) -> None:
    """The picture, and what is to be noticed in it."""
    pair = scene.pair
    paints = scene.choice is not None
    told = figures.MaskPictureOptions(query, paints)
    ui.picture(
        "masking",
        sections.no_live_numbers("masking"),
        figures.picture(pair, told),
        on_told=store_event,
    )
    show_notice(scene, query)


def show_notice(scene: MaskingState, query: int) -> None:
    """What is to be noticed, and whose numbers these are."""
    pair, cross = scene.pair, scene.pair.chosen.name == "cross"
    trained = scene.model.vocabulary is not None and not cross
    found = mask_pairs.query_visibility(pair, query)
    said = words.notice(sections.escaped_pair(pair), query, found, scene.where.layer)
    if scene.batch is not None:
        effect = mask_pairs.padding_effect(scene.model.network, scene.batch, scene.one, pair)
        pads = len(pair.queries) - scene.batch.lengths[scene.one]
        said = [words.padding_words(effect, scene.one, pads), *said]
    if scene.choice is not None and scene.choice.kind == "permutation":
        said = [words.order_words(scene.choice, len(pair.queries)), *said]
    ui.notice(*said, kind="measured here" if trained else "computed")
    whose = words.model_words(trained=trained, cross=cross, filler=scene.filler)
    st.caption(ui.escape_markdown(whose))


def store_event(to: dict[str, Any]) -> None:
    """The query was moved, a number was dragged, or a cell was painted."""
    names = {"query": "masking_at", "known": "masking_prefix", "window": "masking_window"}
    if to["name"] == "painted":
        ui.set_controls({"masking_kind": "painted", "masking_painted": str(to["value"])})
    else:
        ui.set_controls({names[str(to["name"])]: str(to["value"])})


def predict(scene: MaskingState) -> None:
    pair = scene.pair
    place = min(3, len(pair.queries))
    mask = pair.chosen.now.mask[0]
    found = mask_pairs.query_visibility(pair, place - 1)
    ui.check_yourself(
        f"How many places can token {place}, “{ui.escape_markdown(pair.queries[place - 1])}”, see?",
        answer=float(found.sees),
        because=words.sees_words(sections.escaped_pair(pair), place - 1),
        key="masking-sees",
    )
    ui.check_yourself(
        f"How many of the {mask.numel()} weights does this mask make exactly 0?",
        answer=float((~mask).sum()),
        because="One for each −∞ in the grid.",
        key="masking-zeros",
    )
    if pair.chosen.name != "cross":
        ui.check_yourself(
            f"Through {leakage.DEPTH} layers, how many tokens can move the last output?",
            answer=float(leaks.receptive_field(leakage.paths(mask, leakage.DEPTH))),
            because="Follow the paths in the leakage test: each layer looks one mask further.",
            key="masking-reach",
        )


def source(scene: MaskingState) -> None:
    if scene.batch is not None:
        ids = [under_mask.pad_batch(scene.batch.texts, scene.batch.filler)[1][scene.one].tolist()]
    else:
        ids = [list(each.ids) for each in (scene.source, scene.words) if each is not None]
    snippet = words.snippet(scene.pair, scene.where, model=scene.model.name, ids=ids)
    ui.show_code(
        masks.causal, attention.apply_mask, attention.softmax, snippet=snippet, name="masking"
    )


ui.open_page("masking")
lab()
ui.neighbour_links("masking")
