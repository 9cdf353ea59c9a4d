"""What the recall at a distance shows is said by its numbers."""

import numpy as np
import pytest

from lessons.lstm import figures
from lmcore.recurrence import recall
from lmcore.recurrence.recall import RecallPoint, RecallResults

FOUND = recall.load_results()


def test_recall_is_drawn_as_a_mean_and_a_point_a_seed():
    figure = figures.recall_curves(FOUND, "light")
    lines = [trace for trace in figure.data if trace.mode == "lines"]
    assert [line.name for line in lines] == ["GRU", "LSTM", "RNN"]
    last = [point for point in FOUND.points if point.cell == "rnn"][-1]
    assert lines[2].y[-1] == pytest.approx(np.mean(last.accuracies))
    assert f"RNN {np.mean(last.accuracies):.0%}" in figures.recall_method_words(FOUND)
    assert f"at {last.distance}" in figures.describe_recall(FOUND)


def test_a_flat_curve_is_not_said_to_be_forgetting():
    said = figures.recall_words(FOUND)
    last = [point for point in FOUND.points if point.cell == "rnn"][-1]
    assert f"{np.mean(last.accuracies):.0%} at {last.distance}" in said
    assert f"{min(last.accuracies):.0%} to {max(last.accuracies):.0%}" in said
    assert "The seed matters more than the distance" in said


def test_a_falling_curve_is():
    points = (RecallPoint("rnn", 40, (0.9, 0.91)), RecallPoint("rnn", 80, (0.2, 0.21)))
    said = figures.recall_words(RecallResults(points, {"trained_to": 40}))
    assert "Distance matters more than the seed" in said
