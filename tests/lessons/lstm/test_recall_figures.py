"""The picture and the texts of recall at a distance agree with its numbers."""

import json

import numpy as np
import pytest

from lessons.lstm import lstm_questions, recall_text, recall_view
from lmcore.recurrence import recall
from lmcore.recurrence.recall import RecallPoint, RecallResults

FOUND = recall.load_results()


def last_of(points, cell):
    return max((p for p in points if p.cell == cell), key=lambda point: point.distance)


@pytest.mark.parametrize(("at", "which"), [(0, "alone"), (1, "points")])
def test_recall_is_drawn_as_a_mean_and_a_point_a_seed(at, which):
    panel = recall_view.recall_picture(FOUND)["panels"][at]
    assert [line["label"] for line in panel["lines"]] == ["GRU", "LSTM", "RNN"]
    last = last_of(getattr(FOUND, which), "rnn")
    rnn = panel["lines"][2]
    assert rnn["mean"][-1] == pytest.approx(np.mean(last.accuracies))
    assert rnn["seeds"][-1] == list(last.accuracies)
    assert rnn["said"] == f"{np.mean(last.accuracies):.0%}"
    assert panel["ticks"][-1] == rnn["far"][-1] == last.distance
    assert f"at {last.distance}" in recall_text.describe(getattr(FOUND, which))
    assert panel["edge"] == (0 if which == "alone" else FOUND.how["trained_to"])


def test_the_numbers_can_be_saved_and_the_texts_ask_for_none():
    live = recall_view.live_numbers(FOUND)
    assert live["alone rnn 20"] == pytest.approx(np.mean(last_of(FOUND.alone, "rnn").accuracies))
    assert len(live.names) == len(FOUND.alone) + len(FOUND.points)
    panels = recall_view.recall_picture(FOUND)["panels"]
    assert {line["name"] for panel in panels for line in panel["lines"]} < set(live.names)
    (asked,) = lstm_questions.recall_questions(FOUND)
    assert asked.answer in asked.options and set(asked.hides) < set(live.names)
    assert "{" not in recall_text.finding(FOUND) + recall_text.mixed_finding(FOUND)
    json.dumps(recall_view.recall_picture(FOUND))


def test_the_method_is_told_with_the_recall_at_the_greatest_distance():
    last = last_of(FOUND.points, "rnn")
    assert f"RNN {np.mean(last.accuracies):.0%}" in recall_text.method_words(FOUND)
    said = recall_text.mixed_finding(FOUND)
    assert f"{min(last.accuracies):.0%} to {max(last.accuracies):.0%}" in said


def test_the_plain_network_learns_next_to_nothing_across_the_greatest_distance_alone():
    rnn, lstm = last_of(FOUND.alone, "rnn"), last_of(FOUND.alone, "lstm")
    assert rnn.distance == lstm.distance == recall.ALONE[-1]
    assert np.mean(rnn.accuracies) < 2 * recall.CHANCE < 0.5 < np.mean(lstm.accuracies)
    said = recall_text.alone_words(FOUND)
    assert "next to nothing" in said and f"{np.mean(rnn.accuracies):.0%}" in said
    assert f"{min(lstm.accuracies):.0%} to {max(lstm.accuracies):.0%}" in said
    assert f"=={np.mean(rnn.accuracies):.0%}==" in recall_text.finding(FOUND)


def test_a_network_that_has_learned_is_not_said_to_have_learned_nothing():
    alone = tuple(RecallPoint(cell, 20, (0.9,)) for cell in recall.CELLS)
    assert "learned something" in recall_text.alone_words(FOUND._replace(alone=alone))


def test_a_flat_curve_is_not_said_to_be_forgetting():
    said = recall_text.mixed_words(FOUND)
    last = [point for point in FOUND.points if point.cell == "rnn"][-1]
    assert f"{np.mean(last.accuracies):.0%} at {last.distance}" in said
    assert f"{min(last.accuracies):.0%} to {max(last.accuracies):.0%}" in said
    assert "The seed matters more than the distance" in said


def test_a_falling_curve_is():
    points = (RecallPoint("rnn", 40, (0.9, 0.91)), RecallPoint("rnn", 80, (0.2, 0.21)))
    said = recall_text.mixed_words(RecallResults(points, (), {"trained_to": 40}))
    assert "Distance matters more than the seed" in said
