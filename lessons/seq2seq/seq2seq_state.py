"""The settings of the page on encoder–decoder models, read and stored, and what they describe."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import partial

import numpy as np
import streamlit as st

import ui
from drawing.events import Moved
from lessons.seq2seq import cross_picture, seq2seq_picture
from lessons.seq2seq.translated import Translated, has_models, translator
from lmcore import parsing
from lmcore.attention.translation_steps import TranslationSteps, one_place, trace_translation
from lmcore.corpora.translation import Words, held_out_sources, parse_source, translate_aligned
from lmcore.training.translation_batches import MOST_WRITTEN
from lmcore.typed import fold_numbers
from lmcore.vocabulary import END
from ui import compute
from ui.settings import Between, Bound, Choice, SettingsTable, Text
from ui.widgets import address_value

LESSON = ui.lesson("seq2seq")
TASK = "mixture"
"""The task of both translation models that come with the application."""
TASK_LABELS = {
    "passive": "passive → active",
    "translation": "→ invented language",
    "mixture": "both",
    "copy": "copy",
    "reverse": "reverse",
}
SCORES = {
    "vector": "one vector",
    "dot": "attention, dot",
    "cosine": "attention, cosine",
    "mlp": "attention, MLP",
}
"""How a run trained here may compute c_i."""
OFFERED = 40
"""The number of sentences of one length through which *Another sentence* cycles."""


def forget_forced() -> None:
    """Release every forced α and go to the first word, for another source."""
    ui.set_controls({"s2_forced": "", "s2_step": "1"})


SETTINGS = SettingsTable(
    LESSON,
    {
        "s2_source": Text(
            "Source",
            "Passive (the ball was kicked by kayla): it becomes active. Active, in the present "
            "(the big dogs see a cat): it goes into an invented language",
            longest=600,
            height=68,
            then=forget_forced,
        ),
        "s2_forced": Text("Forced α", "step:place, such as 2:6; all of α of that step is there"),
        "s2_step": Between(1, MOST_WRITTEN, whole=True),
        "s2_head": Choice(
            cross_picture.HEADS,
            "Block.head",
            help="Of the decoder; or the mean over a block’s heads",
        ),
        "s2_length": Text("Words of a source", "From 4 to 40"),
        "s2_count": Text("Sentences", "10 to 300 that no model was trained on"),
        "s2_seed": Text("Seed", "Another seed, other sentences"),
        "s2_model": Choice({"attention": "Attention", "vector": "One vector"}, "Model"),
        "s2_width": Text("Beam width k", "1 to 16"),
        "s2_penalty": Text("Length penalty a", "score ÷ tᵃ; 0: none"),
        "s2t_task": Choice(TASK_LABELS, "Task"),
        "s2t_cell": Choice({"rnn": "RNN", "gru": "GRU", "lstm": "LSTM"}, "Cell"),
        "s2t_score": Choice(SCORES, "Context cᵢ"),
        "s2t_longest": Text("Longest source", "In words, at most 40"),
        "s2t_steps": Text("Steps", "1 to 3,000"),
        "s2t_eta": Text("Learning rate η", "0.008 suits these sizes"),
        "s2t_seed": Text("Seed", "Of the weights and of the sentences"),
        "see": Bound(),
    },
    besides={
        "s2t_task": "passive",
        "s2t_cell": "gru",
        "s2t_score": "dot",
        "s2t_longest": "12",
        "s2t_steps": "800",
        "s2t_eta": "0.008",
        "s2t_seed": "0",
        "s2_runs": "",
    },
)


def seen() -> str:
    """The view that is open, before its bar has been drawn."""
    return address_value("see", "Picture")


@dataclass(frozen=True, slots=True)
class Seq2SeqState:
    """What the controls describe: a source, the step, and where α is forced."""

    source: Words
    step: int = 1
    """The place i of the target, from 1."""
    forced: Mapping[int, int] = field(default_factory=dict)
    """Step → the place of the source that its α is forced on; both from 1."""


def read_state() -> Seq2SeqState:
    """The state of the controls.

    Raises:
        ValueError: naming what is wrong.
    """
    state = st.session_state
    source = parse_source(state["s2_source"], TASK)
    forced = parse_forced(state["s2_forced"], len(source) + 1)
    return Seq2SeqState(source, int(SETTINGS.number("s2_step")), forced)


def parse_forced(text: str, places: int) -> dict[int, int]:
    """Pairs step:place, separated by commas; both from 1.

    Raises:
        ValueError: naming the malformed pair, or the number that is out of bounds.
    """
    forced = dict[int, int]()
    for pair in filter(None, (part.strip() for part in fold_numbers(text).split(","))):
        step, colon, place = pair.partition(":")
        if not colon:
            raise ValueError(f"forced α must be step:place, such as 2:6; got {pair[:20]!r}")
        i = parsing.parse_integer(step, "the step of forced α")
        j = parsing.parse_integer(place, "the place of forced α")
        if not 1 <= i <= MOST_WRITTEN:
            raise ValueError(f"the step of forced α must be from 1 to {MOST_WRITTEN}; got {i}")
        if not 1 <= j <= places:
            raise ValueError(
                f"the place of forced α must be from 1 to {places}, the words of the source and "
                f"{END}; got {j}"
            )
        if i in forced:
            raise ValueError(f"a step must have forced α once; got step {i} twice")
        forced[i] = j
    return forced


def default_state() -> Seq2SeqState:
    """The page's example."""
    opens = {**LESSON.defaults, **LESSON.looks}
    return Seq2SeqState(parse_source(opens["s2_source"], TASK), int(opens["s2_step"]))


def first_translations() -> None:
    """Translate the page's default source before the first visit, if its models are installed."""
    if has_models():
        translated(default_state())


def translated(now: Seq2SeqState) -> Translated:
    """Both translations of a source; a forced α changes only the one by attention."""
    found = _kept_translations(now.source)
    if not now.forced:
        return found
    return replace(found, attention=_kept_forced(now.source, tuple(sorted(now.forced.items()))))


def _kept_translations(source: Words) -> Translated:
    """Both translations with nothing forced, computed once for all visitors."""
    make = partial(_translate, source)
    return compute.shared_result("translations", make, most=64, says="Translating")


def _translate(source: Words) -> Translated:
    attention, vector = translator("seq2seq_attention"), translator("seq2seq_vector")
    free = trace_translation(attention.network, attention.vocabulary, source)
    alone = trace_translation(vector.network, vector.vocabulary, source)
    return Translated(translate_aligned(source, TASK), free, free, alone)


def _kept_forced(source: Words, forced: tuple[tuple[int, int], ...]) -> TranslationSteps:
    """The translation by attention with α of some steps forced; steps and places from 1."""
    make = partial(_translate_forced, source, forced)
    return compute.shared_result("forced translations", make, most=64, says="Translating")


def _translate_forced(source: Words, forced: tuple[tuple[int, int], ...]) -> TranslationSteps:
    attention = translator("seq2seq_attention")
    alphas = {i - 1: one_place(j - 1, len(source) + 1) for i, j in forced}
    return trace_translation(attention.network, attention.vocabulary, source, forced=alphas)


def live_numbers(shown: Translated, step: int) -> ui.LiveNumbers:
    """The numbers at a step, from 1, and along the slider of the step."""
    named = seq2seq_picture.step_numbers(shown)
    rows = np.stack([each.numpy() for each in named.values()], axis=-1)
    at = min(step, len(rows)) - 1
    positions = named["step"].numpy()
    return ui.LiveNumbers(
        "seq2seq",
        tuple(named),
        rows[at],
        (
            ui.Slider(
                "step",
                "step i",
                "step i of the decoder",
                float(positions[at]),
                positions,
                help="Which word of the target is being written",
                role="weight",
            ),
        ),
        [rows],
    )


def draw_another() -> None:
    """Replace the source with the next held-out sentence of the same length."""
    source = default_state().source
    with suppress(ValueError):  # the typed text may not be a valid sentence
        source = parse_source(st.session_state["s2_source"], TASK)
    drawn = held_out_sources(TASK, len(source), OFFERED)
    place = drawn.index(source) + 1 if source in drawn else 0
    forget_forced()
    ui.set_controls({"s2_source": " ".join(drawn[place % len(drawn)])})


def store_slider(moved: Moved) -> None:
    """Store a released slider's value, or the number typed beside it."""
    try:
        step = parsing.parse_integer(moved["typed"], "the step")
        last = len(translated(read_state()).attention.written)
        if not 1 <= step <= last:
            raise ValueError(f"the step must be from 1 to {last}, the words written; got {step}")
        store_event({"step": step})
    except ValueError as error:
        ui.show_error_later(error)


def store_event(event: seq2seq_picture.TranslationMoves) -> None:
    """Store what the picture reports: the step, or a place that α is forced on or released from."""
    if "step" in event:
        step = round(event["step"])
        if not 1 <= step <= MOST_WRITTEN:
            raise ValueError(f"the step must be from 1 to {MOST_WRITTEN}; got {step}")
        ui.set_controls({"s2_step": str(step)})
    if "force" in event:
        step, place = event["force"]
        _force(step, place)
    if event.get("release"):
        ui.set_controls({"s2_forced": ""})


def _force(step: int, place: int) -> None:
    """Force α of a step on a place, or release it if it is already forced there."""
    places = len(parse_source(st.session_state["s2_source"], TASK)) + 1
    forced = parse_forced(st.session_state["s2_forced"], places)
    if forced.get(step) == place:
        del forced[step]
    else:
        forced |= parse_forced(f"{step}:{place}", places)
    ui.set_controls({"s2_forced": ", ".join(f"{i}:{j}" for i, j in sorted(forced.items()))})
