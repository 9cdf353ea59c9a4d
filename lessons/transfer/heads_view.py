"""The view “Four heads”: what a head reads of a text, and every step to its answer."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import NamedTuple

import numpy as np
import streamlit as st
from typing_extensions import TypedDict

import ui
from drawing.events import Name
from drawing.payload import CHIPS, Chip, ChipRow, ChipsPayload, Script
from drawing.probability_grid import DescribedGrid, grid
from drawing.steps import StepRow
from lessons.transfer import transfer_picture
from lessons.transfer.transfer_state import NETWORK_NAMES, SETTINGS, TransferState
from lmcore.checks import check_one_of
from lmcore.numbers import format_number
from lmcore.pretrained.reading import CLS, SEP
from lmcore.transfer.heads import BATCH, LABELS, SPAN, STEPS, HeadTrace, recorded_head, trace_head
from lmcore.transfer.inputs import first_place, serialise
from lmcore.transfer.networks import NETWORKS
from lmcore.transfer.tasks import TASKS, Labelled
from lmcore.typed import fold
from lmcore.vocabulary import END, START
from ui import compute

MOST_WORDS = 30
MARKS = (CLS, SEP, START, END)
NOTHING = ui.LiveNumbers("heads", (), np.empty(0))
SETUPS = {
    "person": "**Single sentence** (SST-2, CoLA)",
    "acceptable": "**Single sentence** (SST-2, CoLA)",
    "entailment": "**Sentence pair** (MNLI, QQP, QNLI, STS-B, MRPC, RTE, SWAG)",
    "roles": "**Tagging** (CoNLL-2003 NER)",
    "answer": "**Question and text** (SQuAD v1.1)",
}
"""Task → the set-up of the slide that it belongs to, with the tasks that the slide names."""


FOUR = {
    "One text": ("acceptable", "person"),
    "Two texts": ("entailment",),
    "A tag for each word": ("roles",),
    "Words that answer": ("answer",),
}
"""The four ways in which a head reads, each with its tasks."""


class SetupData(TypedDict):
    """One way in which a head reads."""

    title: str
    tasks: Sequence[str]
    reads: str
    answers: str
    kinds: Sequence[int]
    """The kind of each token: 0: a mark, 1: the first text, 2: the second text."""
    read: Sequence[int]


class SetupsPayload(TypedDict):
    """The four ways of reading, and the open task."""

    setups: Sequence[SetupData]
    task: str
    alt: str


SETUPS_PICTURE = Script("setups", SetupsPayload)


class Reading(NamedTuple):
    """A text with the answers of every network's head, and whether its right answer is known."""

    example: Labelled
    known: bool
    traces: dict[str, HeadTrace]


def heads_view(now: TransferState) -> None:
    """Draw the text, the head's answers, and their steps."""
    task = TASKS[now.task]
    reading = ui.validated_or_previous(
        f"hd {now.task}", partial(read_text, now.task), partial(read_example, now.task)
    )
    trace = reading.traces[now.network]
    ui.picture(SETUPS_PICTURE, NOTHING, setups_picture(now), on_event=open_setup)
    st.markdown(
        f"{SETUPS[now.task]}: {NETWORK_NAMES[now.network]} reads "
        f"{transfer_picture.READS[task.reads]}; its head answers "
        f"**{ui.escape_markdown(trace.answer)}**"
        + (f", right is **{right_answer(now.task, reading.example)}**." if reading.known else ".")
    )
    chips: ChipsPayload = {"views": [[chip_row(trace)]], "pick": ""}
    ui.picture(CHIPS, NOTHING, chips)
    ui.probability_grid("head", answer_grid(now, reading))
    SETTINGS.draw("hd_text")
    if task.reads in ("pair", "span"):
        SETTINGS.draw("hd_second")
    place = shown_read(trace)
    ui.step_table(
        steps(trace, place, reading.known),
        step_numbers(trace, place, right_label(now.task, reading, trace, place)),
        caption="The head, one operation per row",
    )
    st.caption(
        f"The networks are frozen; each head was trained once on {LABELS:,} labels, in {STEPS} "
        f"steps of {BATCH} texts. Computed now from its recorded weights. At the start of training "
        "all labels are equally likely: of three labels the loss begins near ln 3 = 1.10."
    )


def setups_picture(now: TransferState) -> SetupsPayload:
    """The data of `lessons/transfer/setups.js`: the examples of four tasks."""
    found = [setup_data(now.network, title, tasks) for title, tasks in FOUR.items()]
    said = "; ".join(f"{each['title']}: {each['reads']}" for each in found)
    return {"setups": found, "task": now.task, "alt": f"Four ways to read a network. {said}."}


def setup_data(network: str, title: str, tasks: Sequence[str]) -> SetupData:
    """One way of reading, with the example of its first task."""
    task = tasks[0]
    example = transfer_picture.shown_example(task)
    tokens = serialise(example, bert=network == "encoder")
    start = first_place(example)
    second = start + len(example.first) + 1
    kinds = [0 if token in MARKS else 1 + (place >= second) for place, token in enumerate(tokens)]
    return {
        "title": title,
        "tasks": tasks,
        "reads": f"reads {transfer_picture.READS[TASKS[task].reads]}",
        "answers": ", ".join(TASKS[task].labels or SPAN),
        "kinds": kinds,
        "read": transfer_picture.read_places(network, task, example, len(tokens)),
    }


class Setup(TypedDict):
    """A task that was pressed."""

    task: Name


def open_setup(event: Setup) -> None:
    """Open the task that was pressed.

    Raises:
        ValueError: if there is no such task.
    """
    check_one_of("the task", event["task"], TASKS)
    ui.set_controls({"tr_task": event["task"], "hd_text": "", "hd_second": ""})


def read_example(task: str) -> Reading:
    """The example of the picture, read by every network."""
    return _read(task, transfer_picture.shown_example(task), known=True)


def read_text(task: str) -> Reading:
    """The typed text, or the example.

    Raises:
        ValueError: if a text is too long, or has a word that is not in the Microworld.
    """
    first, second = (fold(SETTINGS.text(name)).split() for name in ("hd_text", "hd_second"))
    example = transfer_picture.shown_example(task)
    for name, words in (("the text", first), ("the second text", second)):
        if len(words) > MOST_WORDS:
            raise ValueError(f"{name} must have at most {MOST_WORDS} words; got {len(words)}")
    if not first and not second:
        return read_example(task)
    pair = bool(example.second)
    typed = example._replace(
        first=tuple(first) or example.first,
        second=(tuple(second) or example.second) if pair else (),
    )
    return _read(task, typed, known=False)


def _read(task: str, example: Labelled, *, known: bool) -> Reading:
    return compute.shared_result(
        "heads over a text",
        partial(read_with_heads, task, example, known),
        most=128,
        says="Reading the text",
    )


def read_with_heads(task: str, example: Labelled, known: bool) -> Reading:
    """The answers of every network's head."""
    traces = {name: trace_head(recorded_head(name, task), name, example) for name in NETWORKS}
    return Reading(example, known, traces)


def right_answer(task: str, example: Labelled) -> str:
    """The right answer, ready for Markdown."""
    return ui.escape_markdown(transfer_picture.describe_answer(task, example))


def chip_row(trace: HeadTrace) -> ChipRow:
    """The tokens as chips; those that the head reads are marked, with the answer below."""
    chips = list[Chip]()
    for place, token in enumerate(trace.tokens):
        read = place in trace.places
        below = answer_below(trace, trace.places.index(place)) if read else ""
        kind = "extra" if read and len(trace.places) == 1 else "part1" if read else ""
        chips.append({"text": token, "kind": kind, "below": below})
    return {"title": "what the model reads", "said": "", "chips": chips}


def answer_below(trace: HeadTrace, row: int) -> str:
    """The text below a token whose vector the head reads."""
    if len(trace.places) == 1:
        return "z"
    if trace.labels == SPAN:
        return " ".join(
            label for k, label in enumerate(SPAN) if int(trace.probabilities[:, k].argmax()) == row
        )
    return trace.labels[int(trace.probabilities[row].argmax())]


def answer_grid(now: TransferState, reading: Reading) -> DescribedGrid:
    """The probabilities: one row per network for a single label, else one row per label."""
    trace = reading.traces[now.network]
    if len(trace.places) == 1:
        rows = {
            NETWORK_NAMES[name]: its.probabilities[0].tolist()
            for name, its in reading.traces.items()
        }
        columns = list(trace.labels)
    else:
        rows = {label: trace.probabilities[:, k].tolist() for k, label in enumerate(trace.labels)}
        columns = [trace.tokens[place] for place in trace.places]
    said = "; ".join(
        f"{name}: " + ", ".join(format_number(p) for p in row) for name, row in rows.items()
    )
    return {**grid(columns, rows), "alt": f"Probabilities over {', '.join(columns)}. {said}."}


# --- step by step ---------------------------------------------------------------------------------


def shown_read(trace: HeadTrace) -> int:
    """The vector whose steps are shown: for tags the first but –, for spans the likeliest."""
    if len(trace.places) == 1:
        return 0
    if trace.labels == SPAN:
        return int(trace.probabilities[:, 0].argmax())
    likely = trace.probabilities.argmax(-1).tolist()
    return next((row for row, label in enumerate(likely) if label), 0)


def right_label(task: str, reading: Reading, trace: HeadTrace, place: int) -> int:
    """The label whose −log p is the loss: the right one if known, else the head's answer."""
    answer = reading.example.answer
    if not reading.known:
        return int(trace.probabilities[place].argmax()) if trace.labels != SPAN else 0
    if isinstance(answer, int):
        return answer
    return 0 if trace.labels == SPAN else int(answer[place])


def steps(trace: HeadTrace, place: int, known: bool) -> tuple[StepRow, ...]:
    """The rows of the step table for one vector that is read."""
    token, width = trace.tokens[trace.places[place]], trace.vectors.shape[1]
    count = len(trace.labels)
    listed = [f"{label}: {{s{k}}}" for k, label in enumerate(trace.labels)]
    shares = [f"{label}: {{p{k}}}" for k, label in enumerate(trace.labels)]
    operands = tuple(
        (f"w · z + b of {label}", f"{{d{k}}} + {{b{k}}}") for k, label in enumerate(trace.labels)
    )
    over = "words" if trace.labels == SPAN else "labels"
    rows = (
        StepRow(
            "what is read", f"the vector of “{token}”", "‖z‖ = {norm}", "z", "input", f"[{width}]"
        ),
        StepRow("scores", "W z + b", ", ".join(listed), "s", "score", f"[{count}]", operands),
        StepRow(
            f"softmax over the {over}",
            "exp(s) / Σ exp(s)",
            ", ".join(shares),
            "ŷ",
            "activation",
            f"[{count}]",
        ),
    )
    if not known:
        return rows
    return (*rows, StepRow("loss", "−log p(right) = −log {right}", "{loss}", "L", "loss"))


def step_numbers(trace: HeadTrace, place: int, right: int) -> ui.LiveNumbers:
    """The numbers of the step table, in float64 from the head's own weights."""
    z = trace.vectors[place].double()
    weights, bias = trace.weights.double(), trace.bias.double()
    dots = weights @ z
    scores = trace.vectors.double() @ weights.T + bias
    shares = scores.softmax(0 if trace.labels == SPAN else 1)[place]
    named = {"norm": float(z.norm()), "right": float(shares[right])}
    named["loss"] = -float(shares[right].log())
    for k in range(len(trace.labels)):
        named |= {f"d{k}": float(dots[k]), f"b{k}": float(bias[k])}
        named |= {f"s{k}": float(scores[place, k]), f"p{k}": float(shares[k])}
    return ui.LiveNumbers("head-steps", tuple(named), np.array(list(named.values())))
