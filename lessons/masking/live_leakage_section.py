"""The leakage experiment, live: one small Transformer trained with the causal mask and without."""

from __future__ import annotations

from functools import partial
from typing import NamedTuple

import streamlit as st

from lessons.masking import text as words
from lessons.masking.state import SETTINGS
from lessons.shared import run_text
from lmcore import parsing
from lmcore.corpora.microworld import microworld
from lmcore.device import device
from lmcore.masking import without_causal_mask
from lmcore.masking.without_causal_mask import GeneratedTexts
from lmcore.models import masks
from lmcore.training import checkpoint, loop
from lmcore.training.batches import validation_documents
from lmcore.training.pool.runs import RESTING_STATES, RunView
from lmcore.training.precheck import check_runnable
from lmcore.training.spec import RunSpec
from ui import components, compute, runs
from ui.run_access import access_row
from ui.widgets import notice, show_code, validated_or_previous

TEXTS = 50
"""Texts that a model writes, to be checked against the grammar."""


class LeakageResult(NamedTuple):
    """The losses of a run in nats per token, and the texts that it writes.

    `loss_without_future` is the loss of the same weights where the words to come are missing.
    """

    loss: float
    loss_without_future: float
    grammar_loss: float
    writing: GeneratedTexts


def panel() -> None:
    """Start both runs, watch them, and read their results when they pause or end."""
    specs = validated_or_previous("leak", read_specs, lambda: without_causal_mask.run_specs(3000))
    with st.container(horizontal=True, vertical_alignment="bottom"):
        pressed = st.button("Train both", key="masking-train", icon=":material/play_arrow:")
        SETTINGS.draw("masking_steps", "masking_seed")
    if pressed:
        runs.start_runs(specs, "masking_runs")
    views = runs.started_runs("masking_runs", "Train both again.", most=2)
    if not views:
        runs.pool().warm()
        st.info(
            "Two runs of one small Transformer on the microworld: one sees only what came before, "
            "one sees everything. Which has the lower loss, and which can write?"
        )
        return
    components.training_runs("leak", run_text.runs_payload(views))
    access_row("masking_runs", views, run_text.labels(views))
    show_results(views)


def read_specs() -> tuple[RunSpec, RunSpec]:
    """The two runs that the controls describe.

    Raises:
        ValueError: naming the wrong setting, or saying why such a run cannot start here.
    """
    state = st.session_state
    steps = parsing.parse_integer(state["masking_steps"], "the number of steps")
    seed = parsing.parse_integer(state["masking_seed"], "the seed")
    specs = without_causal_mask.run_specs(steps, seed)
    for spec in specs:
        check_runnable(spec, device().type)
    return specs


def show_results(views: list[RunView]) -> None:
    """The numbers of the runs that have paused or ended, and what they write."""
    rows, sentences, texts = [], [], []
    for view, label in zip(views, run_text.labels(views), strict=True):
        if view.state not in RESTING_STATES:
            continue
        key = (view.name, view.state, view.step)
        judge = partial(leakage_result, view.name, view.step)
        result = compute.shared_result(
            "run and its leak", key, judge, most=64, says=f"Testing {label}"
        )
        if result is None:
            continue
        causal = view.spec.model.causal
        rows.append(words.training_row(label, *result))
        sentences.append(words.training_verdict(*result, causal=causal))
        texts.append((label, words.excerpt(result.writing)))
    if not rows:
        st.caption(
            "Thick lines: the loss on text never trained on. Thin and dashed: the grammar's own."
        )
        return
    notice(*sentences, kind="measured here", key="notice-leak")
    components.table(
        [*words.TRAINING_COLUMNS], rows, name="leak", caption="With the mask and without"
    )
    for label, writing in texts:
        st.markdown(f"**{label}** writes:")
        for text in writing:
            st.text(text)
    state = st.session_state
    show_code(
        masks.causal,
        without_causal_mask.prefix_loss,
        snippet=words.training_snippet(int(state["masking_steps"]), int(state["masking_seed"])),
        name="leak",
    )


def leakage_result(name: str, step: int) -> LeakageResult | None:
    """The result of a paused or ended run; None if it was never saved."""
    saved = runs.pool().checkpoint(name)
    if saved is None or not step:
        return None
    run = checkpoint.restore(saved)
    model, documents = run.language_model(), validation_documents()
    loss_without_future = without_causal_mask.prefix_loss(model.network, documents)
    writing = without_causal_mask.generate_texts(model, microworld(), TEXTS)
    grammar_loss = run.feed.truth
    assert grammar_loss is not None
    return LeakageResult(loop.validation_loss(run), loss_without_future, grammar_loss, writing)
