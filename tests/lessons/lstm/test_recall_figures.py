"""What the recall at a distance shows is said by its numbers."""

import numpy as np
import pytest

from lessons.lstm import figures
from lmcore.recurrence import recall
from lmcore.recurrence.recall import RecallPoint, RecallResults

FOUND = recall.load_results()


@pytest.mark.parametrize("which", ["points", "alone"])
def test_recall_is_drawn_as_a_mean_and_a_point_a_seed(which):
    figure = figures.recall_curves(FOUND, which, "light")
    lines = [trace for trace in figure.data if trace.mode == "lines"]
    assert [line.name for line in lines] == ["GRU", "LSTM", "RNN"]
    last = [point for point in getattr(FOUND, which) if point.cell == "rnn"][-1]
    assert lines[2].y[-1] == pytest.approx(np.mean(last.accuracies))
    assert f"at {last.distance}" in figures.describe_recall(FOUND, which)
    assert figures.RECALL_READING[which]


def test_the_method_is_told_with_the_recall_at_the_greatest_distance():
    last = [point for point in FOUND.points if point.cell == "rnn"][-1]
    assert f"RNN {np.mean(last.accuracies):.0%}" in figures.recall_method_words(FOUND)


def test_the_plain_network_learns_next_to_nothing_across_the_greatest_distance_alone():
    rnn, lstm = (
        next(p for p in FOUND.alone if p.cell == cell and p.distance == recall.ALONE[-1])
        for cell in ("rnn", "lstm")
    )
    assert np.mean(rnn.accuracies) < 2 * recall.CHANCE < 0.5 < np.mean(lstm.accuracies)
    said = figures.alone_words(FOUND)
    assert "next to nothing" in said and f"{np.mean(rnn.accuracies):.0%}" in said
    assert f"{min(lstm.accuracies):.0%} to {max(lstm.accuracies):.0%}" in said
    assert f"=={'[gradient|'}{np.mean(rnn.accuracies):.0%}]==" in figures.alone_finding(FOUND)


def test_a_network_that_has_learned_is_not_said_to_have_learned_nothing():
    alone = tuple(RecallPoint(cell, 20, (0.9,)) for cell in recall.CELLS)
    assert "learned something" in figures.alone_words(FOUND._replace(alone=alone))


def test_a_flat_curve_is_not_said_to_be_forgetting():
    said = figures.mixed_words(FOUND)
    last = [point for point in FOUND.points if point.cell == "rnn"][-1]
    assert f"{np.mean(last.accuracies):.0%} at {last.distance}" in said
    assert f"{min(last.accuracies):.0%} to {max(last.accuracies):.0%}" in said
    assert "The seed matters more than the distance" in said


def test_a_falling_curve_is():
    points = (RecallPoint("rnn", 40, (0.9, 0.91)), RecallPoint("rnn", 80, (0.2, 0.21)))
    said = figures.mixed_words(RecallResults(points, (), {"trained_to": 40}))
    assert "Distance matters more than the seed" in said
