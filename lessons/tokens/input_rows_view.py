"""The view “Text to rows”: every token of a text with the rows that it fetches, and their sum."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, TypedDict

import streamlit as st
import torch

import ui
from drawing import theme
from drawing.events import Place
from drawing.payload import NumberArray, NumberName, Script
from lessons.tokens import input_rows_text, tokens_text
from lessons.tokens.input_view import numbers_by_dimension, read_spot, store_slider, store_token
from lessons.tokens.tokens_questions import input_questions, rows_question
from lessons.tokens.tokens_state import LESSON, SETTINGS, encoder_models, read_pair
from lmcore.models.bert import BERT
from lmcore.models.gpt import GPT
from lmcore.pretrained.reading import PAD, TokenizingModel
from lmcore.tokenization.inputs import InputTrace, pad_reading, trace_inputs, word_spans
from ui import guide, pretrained

ROWS = "Text to rows"
"""The view that this picture draws."""
SHOWN, MOST_TOKENS, BATCH = 24, 32, 4
"""Numbers of each row, and tokens, that are drawn; [PAD] fills up to a multiple of 4."""
DARKEST = 0.9
"""Numbers beyond this quantile of the sums have the darkest colour."""


class TableRows(TypedDict):
    """A table that is added, or the sum."""

    name: NumberName
    symbol: str
    role: str
    rows: int
    """How many rows it has; 0 for the sum."""


class SpanOfWord(TypedDict):
    """A word over its pieces."""

    text: str
    first: int
    last: int


class InputRowsPayload(TypedDict):
    """What `lessons/tokens/input_rows.js` draws besides the numbers of the chosen token."""

    tokens: list[str]
    ids: list[int]
    letters: list[str]
    """The sentence of each token, A or B."""
    special: list[int]
    """The places of special tokens."""
    words: list[SpanOfWord]
    tables: list[TableRows]
    """The tables, and last the sum."""
    values: NumberArray
    """Table by table, token by token, the numbers that are drawn."""
    shown: int
    wide: int
    reach: float
    fills: list[str]
    at: int


class Given(NamedTuple):
    """A model's input, and the sizes of its tables."""

    trace: InputTrace
    model: str
    sizes: dict[str, int]


INPUT_ROWS = Script(
    "input_rows",
    InputRowsPayload,
    ("tokens_dim", "token", "position", "segment", "input", "rows", "words"),
    Place,
)
"""Its event is the place of the pressed token; a question hides all columns under `rows`."""


def show(rows: ui.Rows) -> None:
    """Draw all tokens with their rows on the stage, and the two sentences beside it."""
    models = encoder_models()
    with rows.errors:
        given = read_given(models) if models else None
        spot = ui.validated_or_previous("tokens_spot", read_spot, lambda: (0, 0))
    if given is None:
        with rows.picture:
            st.info("No model is installed whose input this page could show.")
        return
    trace = given.trace
    at = min(spot[0], len(trace.output) - 1), min(spot[1], SHOWN - 1)
    live = live_numbers(trace, at)
    with rows.rail:
        hidden = ui.predict_first([*rows_question(trace), *input_questions(trace, at)[:1]])
        asked = "rows" in (*hidden, *hidden_by_beat())
        if not asked:
            ui.sliders(live, on_settled=store_slider)
        SETTINGS.draw("tokens_first", "tokens_second")
        with ui.more(rows):
            SETTINGS.draw("tokens_pad")
            if len(models) > 1:
                SETTINGS.draw("tokens_model")
            st.caption(input_rows_text.note(trace, given.model))
    with rows.picture:
        draw(given, at, live, hidden, asked=asked)


def hidden_by_beat() -> Sequence[str]:
    """The names of what the current beat hides."""
    beat = guide.beat(LESSON)
    return beat.hide if beat else ()


def draw(
    given: Given, at: tuple[int, int], live: ui.LiveNumbers, hidden: Sequence[str], *, asked: bool
) -> None:
    """The picture with its sentence and formula; with `asked` the tables stand there instead."""
    texts = ui.stage_texts(
        LESSON,
        sentences=[input_rows_text.sentence(given.trace, at[0])],
        moved=input_rows_text.moved(given.trace, at[0]),
        formula=[input_rows_text.formula(given.trace, at[0], asked=asked)],
        alt=input_rows_text.describe(given.trace, at[0]),
        kind="measured here",
        hidden=hidden,
    )
    ui.main_picture(INPUT_ROWS, live, picture(given, at[0]), texts, on_event=store_token)


def read_given(models: dict[str, str]) -> Given | None:
    """The input that the controls describe, or the last valid one; None if no model loads."""

    def of_model() -> Given:
        return given_input(pretrained.load(SETTINGS.choice("tokens_model")), *read_pair())

    found: Given | None = ui.validated_or_previous("tokens_rows", of_model, lambda: None)
    return found


def given_input(reader: TokenizingModel, first: str, second: str) -> Given:
    """The rows of a pair of sentences, with [PAD] if it is switched on.

    Raises:
        ValueError: as `TokenizingModel.read`.
    """
    read = reader.read(first, second, MOST_TOKENS)
    pad = pad_id(reader) if SETTINGS.switch("tokens_pad") else None
    if pad is not None:
        read = pad_reading(read, pad, BATCH)
    return Given(trace_inputs(reader.network, read), reader.name, table_sizes(reader.network))


def pad_id(reader: TokenizingModel) -> int | None:
    """The id of [PAD]; None if the model has none."""
    read = reader.read(PAD)
    return int(read.ids[read.tokens.index(PAD)]) if PAD in read.tokens else None


def table_sizes(network: BERT | GPT) -> dict[str, int]:
    """Table → its rows."""
    config = network.config
    return {"token": config.vocabulary, "position": config.longest, "segment": config.segments}


def live_numbers(trace: InputTrace, at: tuple[int, int]) -> ui.LiveNumbers:
    """The numbers of the chosen token in every dimension that is drawn."""
    read = trace.reading
    words = len(word_spans(read.tokens, read.special.tolist()))
    return numbers_by_dimension(
        "input_rows",
        trace,
        at,
        shown=SHOWN,
        look_for="Drag along the strips: three numbers and their sum in every dimension",
        constant={"rows": float(len(read.tokens)), "words": float(words)},
    )


def picture(given: Given, at: int) -> InputRowsPayload:
    """The data of `input_rows.js` other than the numbers."""
    trace = given.trace
    read = trace.reading
    wide = trace.output.shape[1]
    shown = min(SHOWN, wide)
    values = torch.stack([each[:, :shown] for each in trace.rows.values()]).double()
    special = read.special.tolist()
    return {
        "tokens": list(read.tokens),
        "ids": read.ids.tolist(),
        "letters": ["AB"[segment] for segment in read.segments.tolist()],
        "special": [place for place, each in enumerate(special) if each],
        "words": [
            {
                "text": input_rows_text.word_of(read.tokens, span),
                "first": span.start,
                "last": span.stop - 1,
            }
            for span in word_spans(read.tokens, special)
        ],
        "tables": [
            {
                "name": name,
                "symbol": tokens_text.SYMBOLS[name],
                "role": tokens_text.ROLES[name],
                "rows": given.sizes.get(name, 0),
            }
            for name in trace.rows
        ],
        "values": values.numpy(),
        "shown": shown,
        "wide": wide,
        "reach": float(trace.output[:, :shown].abs().quantile(DARKEST)) or 1.0,
        "fills": theme.diverging_scale()[0],
        "at": at,
    }
