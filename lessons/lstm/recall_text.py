"""What the measurements of recall at a distance show, in sentences."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from lmcore.recurrence.recall import CHANCE, RecallPoint, RecallResults

CELLS = {
    "gru": ("GRU", "activation", None),
    "lstm": ("LSTM", "input", "10 5"),
    "rnn": ("RNN", "gradient", None),
}
"""Kind of cell → its label, role and dash pattern."""


def mean_accuracy(point: RecallPoint) -> float:
    """The mean accuracy of the networks at a distance."""
    return float(np.mean(point.accuracies))


def finding(found: RecallResults) -> str:
    """What the first of the two measurements shows, in one sentence."""
    far, shares = at_the_end(found.alone)
    return (
        f"Trained across {far} symbols only, the plain RNN recalls =={np.mean(shares['rnn']):.0%}=="
        f", where guessing gives {CHANCE:.1%}; the LSTM **[input|{np.mean(shares['lstm']):.0%}]**."
    )


def mixed_finding(found: RecallResults) -> str:
    """What the second measurement shows."""
    far, shares = at_the_end(found.points)
    low, high = min(shares["rnn"]), max(shares["rnn"])
    return (
        f"With short distances too, the plain RNN recalls **[gradient|{np.mean(shares['rnn']):.0%}]"
        f"** at {far}; its networks {low:.0%} to {high:.0%}. The LSTM: "
        f"**[input|{np.mean(shares['lstm']):.0%}]**."
    )


def alone_words(found: RecallResults) -> str:
    """What networks that saw only the greatest distance have learned."""
    far, shares = at_the_end(found.alone)
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
        f"The plain RNN: {mean_accuracy(edge):.0%} at distance {edge.distance}, the longest "
        f"trained on, and {mean_accuracy(last):.0%} at {last.distance}; its seeds at "
        f"{last.distance}: {low:.0%} to {high:.0%}."
    )
    if abs(mean_accuracy(edge) - mean_accuracy(last)) < high - low:
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
    far, shares = at_the_end(found.points)
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
            f"{label} {mean_accuracy(first):.0%} at distance {first.distance} and "
            f"{mean_accuracy(last):.0%} at {last.distance}"
        )
    return f"Share recalled correctly: {'; '.join(said)}."


def at_the_end(points: Sequence[RecallPoint]) -> tuple[int, dict[str, tuple[float, ...]]]:
    """The greatest distance, and each cell's accuracies there."""
    far = max(points, key=_far).distance
    return far, {cell: shares for cell, n, shares in points if n == far}


def _far(point: RecallPoint) -> int:
    return point.distance
