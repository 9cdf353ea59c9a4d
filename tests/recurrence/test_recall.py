import pytest
import torch

from lmcore.recurrence import recall
from lmcore.recurrence.recall import (
    ALONE,
    CELLS,
    CHANCE,
    DISTANCES,
    QUESTION,
    RecallSpec,
    sequences,
)


def drawn(distance, count=11):
    return sequences(distance, count, torch.Generator().manual_seed(1))


@pytest.mark.parametrize("distance", [1, 7])
def test_a_sequence_is_a_symbol_others_and_the_question(distance):
    found = drawn(distance)
    assert found.tokens.shape == (11, distance + 2)
    assert torch.equal(found.tokens[:, 0], found.answers)
    assert (found.tokens[:, -1] == QUESTION).all()
    assert (found.tokens[:, :-1] < QUESTION).all()


@pytest.mark.parametrize("cell", CELLS)
def test_a_network_learns_to_recall_across_nothing_to_speak_of(cell):
    spec = RecallSpec(cell, trained_to=1, hidden=24, steps=150, learning_rate=0.02)
    (share,) = recall.train_and_test(spec, (1,))
    assert share > 3 * CHANCE
    assert recall.train_and_test(spec, (1,)) == (share,)


def test_training_keeps_to_its_range_of_distances(monkeypatch):
    asked, real = [], recall.sequences

    def noted(distance, count, generator):
        asked.append(distance)
        return real(distance, count, generator)

    monkeypatch.setattr(recall, "sequences", noted)
    recall.train_network(RecallSpec("rnn", trained_from=3, trained_to=5, hidden=2, steps=40))
    assert set(asked) == {3, 4, 5}


def test_an_untrained_network_recalls_about_as_often_as_chance():
    assert abs(recall.accuracy(recall.network(RecallSpec("lstm")), drawn(5, 1000)) - CHANCE) < 0.1


def test_accuracy_counts_right_answers():
    class Echo(torch.nn.Module):
        def logits_and_state(self, tokens):
            return torch.nn.functional.one_hot(tokens[:, :1].expand_as(tokens), 9).double(), None

    network = recall.network(RecallSpec("rnn"))
    network.logits_and_state = Echo().logits_and_state
    assert recall.accuracy(network, drawn(5)) == 1


def test_a_measurement_is_read_as_it_was_written(tmp_path):
    found = recall.measure((1, 3), (2,), (0,), steps=2)
    assert [(point.cell, point.distance) for point in found.alone] == [(c, 2) for c in CELLS]
    assert [(point.cell, point.distance) for point in found.points] == [
        (cell, distance) for cell in CELLS for distance in (1, 3)
    ]
    recall.save_results(found, tmp_path / "deep" / "recall.json")
    assert recall.load_results(tmp_path / "deep" / "recall.json") == found


def test_the_measurement_that_ships_says_how_it_was_made():
    found = recall.load_results()
    assert {(point.cell, point.distance) for point in found.points} == {
        (cell, distance) for cell in CELLS for distance in DISTANCES
    }
    assert {(point.cell, point.distance) for point in found.alone} == {
        (cell, distance) for cell in CELLS for distance in ALONE
    }
    every = (*found.points, *found.alone)
    assert all(0 <= share <= 1 for point in every for share in point.accuracies)
    spec = RecallSpec("rnn")
    for name in ("hidden", "steps", "batch", "learning_rate", "clip", "trained_to"):
        assert found.how[name] == getattr(spec, name)
    assert {"device", "torch", "date", "seconds", "tested"} <= found.how.keys()


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"points": [[1]], "how": {}}'])
def test_another_file_is_refused(tmp_path, text):
    (tmp_path / "recall.json").write_text(text)
    with pytest.raises(ValueError, match=r"recall.json must hold the points"):
        recall.load_results(tmp_path / "recall.json")


@pytest.mark.parametrize(
    ("setting", "reason"),
    [
        ({"cell": "transformer"}, "the cell must be one of rnn, gru, lstm; got 'transformer'"),
        ({"cell": "rnn", "trained_to": 0}, "the distance must be a whole number from 1 to 200"),
        ({"cell": "rnn", "trained_from": 41}, "the shortest distance must be a whole number"),
        ({"cell": "rnn", "hidden": 500}, "the hidden size must be a whole number from 1 to 256"),
        ({"cell": "rnn", "steps": 0}, "the number of steps must be a whole number"),
        ({"cell": "rnn", "batch": 0}, "the batch must be a whole number from 1 to 1,024; got 0"),
    ],
    ids=str,
)
def test_a_training_that_cannot_be_is_refused(setting, reason):
    with pytest.raises(ValueError, match=reason):
        RecallSpec(**setting)
