"""The picture of recall at a distance: two measurements of small trained networks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypedDict

import numpy as np
import streamlit as st

import ui
from drawing.payload import NumberName, Script
from lessons.lstm.lstm_state import LESSON
from lmcore.recurrence import recall
from lmcore.recurrence.recall import CHANCE, RecallPoint, RecallResults
from ui import guide


class RecallLine(TypedDict):
    """A kind of cell: its mean at each distance, and each of its networks."""

    name: NumberName
    """The number at its end."""
    label: str
    role: str
    dash: str | None
    far: list[int]
    mean: list[float]
    seeds: list[list[float]]
    said: str
    """The mean at the greatest distance."""


class RecallPanel(TypedDict):
    """One way of training; `edge`, if not 0, is where the distances of the training end."""

    title: str
    ticks: list[int]
    edge: float
    edgeSaid: str
    lines: list[RecallLine]


class RecallPayload(TypedDict):
    """The panels, and the share that guessing gives."""

    panels: list[RecallPanel]
    chance: float
    chanceSaid: str
    xTitle: str
    named: str
    """The cell whose number in the first panel the sentence marks."""


RECALL = Script("recall", RecallPayload, ("alone * #", "mixed * #"))
CELLS = {
    "gru": ("GRU", "activation", None),
    "lstm": ("LSTM", "input", "10 5"),
    "rnn": ("RNN", "gradient", None),
}
"""Kind of cell → its label, role and dash pattern."""


def show(rows: ui.Rows) -> None:
    """Draw both measurements on the stage, and their results beside it."""
    found = recall.load_results()
    with rows.rail:
        hidden = ui.predict_first(questions(found))
        if not hidden and guide.mode() != "present":
            st.caption(alone_words(found))
        with ui.more(rows):
            st.markdown(mixed_words(found))
            st.caption(method_words(found))
    with rows.picture:
        texts = ui.stage_texts(
            LESSON,
            sentences=[ASKED if hidden else finding(found)],
            formula=[[mixed_finding(found)]],
            alt=ASKED if hidden else f"{describe(found.alone)} {describe(found.points)}",
            kind="measured",
            hidden=hidden,
        )
        ui.main_picture(RECALL, live_numbers(found), recall_picture(found), texts)


ASKED = "Networks that saw one distance only, and networks that saw many: what do they recall?"


def questions(found: RecallResults) -> list[ui.Question]:
    """The view's question: how often the plain network is right at the greatest distance."""
    far, alone = _at_the_end(found.alone)
    mixed = _at_the_end(found.points)[1]
    shares = [float(np.mean(shares["rnn"])) for shares in (alone, mixed)]
    options = sorted({*shares, 0.5, 1.0})
    return [
        ui.Question(
            "recalled",
            f"Trained across {far} symbols only: how often is the plain RNN right?",
            f"{shares[0]:.0%}",
            "Over so many steps next to no gradient comes back to teach it.",
            hint=f"Guessing is right in {CHANCE:.1%}.",
            options=tuple(dict.fromkeys(f"{share:.0%}" for share in options)),
            hides=(f"alone rnn {far}",),
        )
    ]


def live_numbers(found: RecallResults) -> ui.LiveNumbers:
    """The mean of each point, for the saved numbers of the picture."""
    trained = {"alone": found.alone, "mixed": found.points}
    named = {
        f"{way} {point.cell} {point.distance}": _mean(point)
        for way, points in trained.items()
        for point in points
    }
    return ui.LiveNumbers("recall", tuple(named), np.array(list(named.values())))


def recall_picture(found: RecallResults) -> RecallPayload:
    """The data of `lessons/lstm/recall.js`."""
    edge = float(found.how["trained_to"])
    return {
        "panels": [
            _panel(found.alone, "alone", "trained on that distance only"),
            _panel(found.points, "mixed", f"trained on 1 to {edge:g}, mixed", edge),
        ],
        "chance": CHANCE,
        "chanceSaid": f"guessing {CHANCE:.1%}",
        "xTitle": "distance, symbols between",
        "named": "RNN",
    }


def _panel(points: Sequence[RecallPoint], way: str, title: str, edge: float = 0.0) -> RecallPanel:
    lines = list[RecallLine]()
    for cell, (label, role, dash) in CELLS.items():
        its = [point for point in points if point.cell == cell]
        line: RecallLine = {
            "name": f"{way} {cell} {its[-1].distance}",
            "label": label,
            "role": role,
            "dash": dash,
            "far": [point.distance for point in its],
            "mean": [_mean(point) for point in its],
            "seeds": [list(point.accuracies) for point in its],
            "said": f"{_mean(its[-1]):.0%}",
        }
        lines.append(line)
    ticks = sorted({point.distance for point in points})
    said = "trained to here" if edge else ""
    return {"title": title, "ticks": ticks, "edge": edge, "edgeSaid": said, "lines": lines}


def _mean(point: RecallPoint) -> float:
    return float(np.mean(point.accuracies))


def finding(found: RecallResults) -> str:
    """What the first of the two measurements shows, in one sentence."""
    far, shares = _at_the_end(found.alone)
    return (
        f"Trained across {far} symbols only, the plain RNN recalls =={np.mean(shares['rnn']):.0%}=="
        f", where guessing gives {CHANCE:.1%}; the LSTM **[input|{np.mean(shares['lstm']):.0%}]**."
    )


def mixed_finding(found: RecallResults) -> str:
    """What the second measurement shows."""
    far, shares = _at_the_end(found.points)
    low, high = min(shares["rnn"]), max(shares["rnn"])
    return (
        f"With short distances too, the plain RNN recalls **[gradient|{np.mean(shares['rnn']):.0%}]"
        f"** at {far}; its networks {low:.0%} to {high:.0%}. The LSTM: "
        f"**[input|{np.mean(shares['lstm']):.0%}]**."
    )


def alone_words(found: RecallResults) -> str:
    """What networks that saw only the greatest distance have learned."""
    far, shares = _at_the_end(found.alone)
    rnn, lstm, gru = (float(np.mean(shares[cell])) for cell in ("rnn", "lstm", "gru"))
    learned = "next to nothing" if rnn < 2 * CHANCE else "something"
    return (
        f"Across **{far}** symbols only, the plain RNN learned {learned}: {rnn:.0%} right. The "
        f"LSTM: {lstm:.0%} (its seeds {min(shares['lstm']):.0%} to {max(shares['lstm']):.0%}), the "
        f"GRU: {gru:.0%}. What should teach a network to carry the symbol is the gradient that "
        f"comes back over all {far} steps."
    )


def mixed_words(found: RecallResults) -> str:
    """What the plain network has learned where short distances were among those trained on."""
    points = [point for point in found.points if point.cell == "rnn"]
    trained_to = float(found.how["trained_to"])
    edge = max((point for point in points if point.distance <= trained_to), key=_far)
    last = max(points, key=_far)
    low, high = min(last.accuracies), max(last.accuracies)
    levels = (
        f"The plain RNN: {_mean(edge):.0%} at distance {edge.distance}, the longest trained on, "
        f"and {_mean(last):.0%} at {last.distance}; its seeds at {last.distance}: {low:.0%} to "
        f"{high:.0%}."
    )
    if abs(_mean(edge) - _mean(last)) < high - low:
        return (
            f"With short distances in training as well, a plain RNN can learn it. {levels} The "
            "seed matters more than the distance: what a network has learned to carry, it keeps. "
            "Its memory does not fade by itself; the signal to learn one does."
        )
    return (
        f"{levels} Distance matters more than the seed: what the network has learned to carry "
        f"fades."
    )


def method_words(found: RecallResults) -> str:
    """The recall at the greatest distance, and the method of measurement."""
    how = found.how
    far, shares = _at_the_end(found.points)
    ends = ", ".join(f"{CELLS[cell][0]} {np.mean(each):.0%}" for cell, each in shares.items())
    return (
        f"Mixed distances, at {far}: {ends}. Measured on {how['date']}, {how['device']}, torch "
        f"{how['torch']}, in {how['seconds']} s: {how['seeds']} networks per cell type and "
        f"training, {how['hidden']} units each, {how['steps']:,} steps of {how['batch']} sequences,"
        f" η = {how['learning_rate']}, {how['tested']:,} test sequences per point. The task: eight "
        "symbols; when asked, recall the first one, after others of the same eight. `python -m "
        "lmcore.recurrence.recall` measures again."
    )


def describe(points: Sequence[RecallPoint]) -> str:
    """Alt text for one panel."""
    said = []
    for cell, (label, *_) in CELLS.items():
        first, *_, last = (point for point in points if point.cell == cell)
        said.append(
            f"{label} {_mean(first):.0%} at distance {first.distance} and {_mean(last):.0%} at "
            f"{last.distance}"
        )
    return f"Share recalled correctly: {'; '.join(said)}."


def _at_the_end(points: Sequence[RecallPoint]) -> tuple[int, dict[str, tuple[float, ...]]]:
    """The greatest distance, and each cell's accuracies there."""
    far = max(points, key=_far).distance
    return far, {cell: shares for cell, n, shares in points if n == far}


def _far(point: RecallPoint) -> int:
    return point.distance
