"""The view “Inputs”: structured input as one token sequence, and the effect of its order."""

from __future__ import annotations

import numpy as np
import streamlit as st

import ui
from drawing.payload import CHIPS, Chip, ChipRow, ChipsPayload
from lessons.transfer import transfer_picture
from lessons.transfer.sequences_picture import (
    READ,
    READS,
    Texts,
    Tokens,
    bert_sequences,
    gpt_sequences,
)
from lessons.transfer.transfer_state import NETWORK_NAMES, SETTINGS, TASK_NAMES
from lmcore.transfer import curves
from lmcore.transfer.networks import NETWORKS
from lmcore.typed import fold

NOTHING = ui.LiveNumbers("inputs", (), np.empty(0))


def inputs_view() -> None:
    """Draw the builder, the sequences of GPT and BERT, and the measured effect of the order."""
    kind = SETTINGS.choice("in_kind")
    texts = ui.validated_or_previous("in texts", read_texts, default_texts)
    st.markdown(
        "The network stays as it is: **the input is fitted to the network**, not the network to "
        "the input. Only the head and, in GPT, the vectors of the delimiters are new."
    )
    left, right = st.columns([1, 2])
    with left:
        SETTINGS.draw("in_kind")
        draw_texts(kind)
    with right:
        chips: ChipsPayload = {"views": [rows_of(kind, texts)], "pick": ""}
        ui.picture(CHIPS, NOTHING, chips)
    order_table()


def draw_texts(kind: str) -> None:
    """Draw the fields of the texts that a kind of input has."""
    SETTINGS.draw("in_first")
    if kind != "single":
        SETTINGS.draw("in_second")
    if kind == "choice":
        SETTINGS.draw("in_third")


def read_texts() -> Texts:
    """The typed texts.

    Raises:
        ValueError: if a text that is needed is empty.
    """
    kind = SETTINGS.choice("in_kind")
    needed = {"single": 1, "choice": 3}.get(kind, 2)
    names = ("first", "second", "third")
    found = [tuple(fold(SETTINGS.text(f"in_{name}")).split()) for name in names]
    for name, words in list(zip(names, found, strict=True))[:needed]:
        if not words:
            raise ValueError(f"the {name} text must have a word; it is empty")
    return Texts(*found)


def default_texts() -> Texts:
    """The page's default texts."""
    defaults = ui.lesson("transfer").defaults
    return Texts(*(tuple(str(defaults[f"in_{n}"]).split()) for n in ("first", "second", "third")))


def rows_of(kind: str, texts: Texts) -> list[ChipRow]:
    """The sequences of GPT (2018) and of BERT."""
    return [
        *_rows("GPT, 2018", gpt_sequences(kind, texts), READS[kind][0]),
        *_rows("BERT", bert_sequences(kind, texts), READS[kind][1]),
    ]


def _rows(name: str, sequences: list[Tokens], said: str) -> list[ChipRow]:
    rows = list[ChipRow]()
    for n, sequence in enumerate(sequences):
        chips: list[Chip] = [
            {
                "text": token,
                "kind": "extra"
                if not text and token in READ
                else f"part{text}"
                if text
                else "frame",
                "below": "",
            }
            for token, text in sequence
        ]
        title = name if len(sequences) == 1 else f"{name}, sequence {n + 1}"
        rows.append({"title": title, "said": said if n == 0 else "", "chips": chips})
    return rows


def order_table() -> None:
    """Show the recorded effect of the order of two texts on each network."""
    rows = list[tuple[str, float, float, float, float, float, float]]()
    for task in curves.PAIRED:
        for network in NETWORKS:
            after, before = (
                curves.recorded_score(curves.order_spec(network, task, question_first=first))
                for first in (False, True)
            )
            name = f"{TASK_NAMES[task]} {NETWORK_NAMES[network]}"
            rows.append((name, *after[:3], *before[:3]))
    st.markdown(order_finding())
    ui.table(
        ["task and network", "text first", "low", "high", "question first", "low", "high"],
        rows,
        name="order",
        caption=f"Accuracy after fine-tuning on {curves.ORDER_LABELS:,} labels, "
        f"{transfer_picture.BUDGET}; "
        f"95 %, of {len(curves.SEEDS)} seeds and of the test texts",
    )
    date, torch_version = curves.recorded_on("gpt")
    st.caption(f"Recorded on {date} with torch {torch_version}.")


def order_finding() -> str:
    """The effect of the order of two texts on each network; the answer is in the first text."""
    said = list[str]()
    for network in NETWORKS:
        after, before = (
            curves.recorded_score(curves.order_spec(network, "answer", question_first=first))
            for first in (False, True)
        )
        said.append(f"{NETWORK_NAMES[network]} {compare_orders(after, before)}")
    allowed = curves.test_set(curves.order_spec("gpt", "answer", question_first=False))
    return (
        f"“{TASK_NAMES['answer']}”: {'; '.join(said)}. In a GPT the vectors of the text’s words "
        "have not seen a question that follows, nor the adjective at the end: with the text first "
        f"no more than **{allowed.best:.2f}** is to be expected."
    )


def compare_orders(after: curves.Score, before: curves.Score) -> str:
    """Which order has clearly more right answers, if one has."""
    shares = (
        f"{after.mean:.3f} right with the text first, {before.mean:.3f} with the question first"
    )
    if before.low > after.high:
        return f"has more right with the **question first**: {shares}"
    if after.low > before.high:
        return f"has more right with the **text first**: {shares}"
    return f"has about as many right in either order: {shares}, no clear difference"
