"""The picture of the unrolled network, and beside it its controls."""

from __future__ import annotations

from typing import NamedTuple

from jaxtyping import Float64
from torch import Tensor

import ui
from lessons.rnn import rnn_picture, rnn_questions, rnn_state, rnn_text
from lmcore.corpora.microworld import microworld
from lmcore.models.rnn import RNN
from lmcore.recurrence import unrolled
from lmcore.recurrence.unrolled import RNNMatrices, Unrolled, UnrolledPosition
from ui import guide
from ui.models import ModelEntry


class Steps(NamedTuple):
    """A model over a text: all its steps, the place in them, and the numbers of the picture."""

    entry: ModelEntry
    walk: UnrolledPosition
    network: RNN
    seen: Unrolled
    truth: Float64[Tensor, " loss"]
    """The grammar's own losses."""
    live: ui.LiveNumbers
    how: rnn_picture.UnrolledPayload


def read(entry: ModelEntry, walk: UnrolledPosition) -> Steps:
    """Unroll the model over the text."""
    network = unrolled.rnn_network(entry.model)
    weights = RNNMatrices.from_network(network)
    seen = unrolled.unroll(weights, walk.tokens)
    truth = unrolled.token_losses(microworld(), walk.tokens)
    live, how = rnn_state.live_numbers(entry, weights, walk, seen, truth)
    return Steps(entry, walk, network, seen, truth, live, how)


def show(rows: ui.Rows, steps: Steps, entries: dict[str, ModelEntry]) -> None:
    """Draw the chain on the stage, and the text and the step in the rail."""
    entry, walk, _, seen, truth, live, how = steps
    with rows.rail:
        hidden = ui.predict_first(rnn_questions.questions(entry, walk, seen))
        rnn_state.controls(entry, entries)
        ui.sliders(live, on_settled=rnn_state.store_slider)
        rnn_state.SETTINGS.draw("rnn_unit")
        with ui.more(rows):
            rnn_state.more_controls(entry)
    with rows.picture:
        beat = guide.beat(rnn_state.LESSON)
        unseen = {*hidden, *(beat.hide if beat else ())}
        facts = rnn_text.walk_facts(walk, seen, entry.model.vocabulary, truth)
        texts = ui.stage_texts(
            rnn_state.LESSON,
            sentences=rnn_text.sentences(facts, unseen),
            formula=rnn_text.formulas(facts, unseen),
            alt=rnn_text.describe(facts),
            kind="measured here",
            hidden=hidden,
        )
        ui.main_picture(rnn_picture.UNROLLED, live, how, texts, on_event=rnn_state.store_event)
