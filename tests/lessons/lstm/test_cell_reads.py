"""The picture of a text that one cell reads: its colours and numbers are the network’s."""

import re

import numpy as np
import pytest

from lessons.lstm import reader_picture, reader_text
from lessons.lstm.lstm_questions import reader_questions
from lmcore.corpora import quoted_text
from lmcore.models.lstm import LSTM, LSTMConfig
from lmcore.models.registry import NeuralModel
from lmcore.recurrence import unit_probes
from lmcore.recurrence.unit_probes import KINDS, LABELS

MODEL = NeuralModel(
    LSTM(LSTMConfig(len(quoted_text.VOCABULARY), 5, 11), seed=3), quoted_text.VOCABULARY
)
UNITS = reader_picture.measure(MODEL)


def reading(label, kind="cell c", unit=None, typed=""):
    return reader_picture.read(MODEL, UNITS[label, kind], label, kind, unit, typed)


@pytest.mark.parametrize("label", LABELS)
@pytest.mark.parametrize("kind", KINDS)
def test_the_colours_are_the_values_of_the_unit_and_the_lines_its_labels(label, kind):
    its = reading(label, kind, 4)
    found = unit_probes.record_units(MODEL.network, MODEL.vocabulary, [its.text])
    drawn = reader_picture.picture(its)
    assert drawn["values"].tolist() == found.values[kind][:, 4].tolist()
    assert drawn["labels"].tolist() == found.labels[LABELS.index(label)].tolist()
    assert its.text.count("\n") >= 4 and not its.text.endswith("\n")
    assert 4 in drawn["bars"] and len(drawn["bars"]) + len(drawn["others"]) == 11
    live = reader_picture.numbers(its, 7)
    (table,) = live.table
    assert table[:, 1].tolist() == its.values.tolist() and live["value"] == its.values[7]
    for n, unit in enumerate(drawn["bars"]):
        score = UNITS[label, kind].scores[unit]
        far = abs(score) if label == LABELS[-1] else max(score, 1 - score)
        assert live[f"follow {n}"] == pytest.approx(far)


@pytest.mark.parametrize("label", LABELS[:2])
def test_the_share_right_is_that_of_the_threshold_on_other_texts(label):
    units = UNITS[label, KINDS[0]]
    texts = unit_probes.sample_texts(unit_probes.TEST_SEED)
    found = unit_probes.record_units(MODEL.network, MODEL.vocabulary, texts)
    truth = found.labels[LABELS.index(label)]
    for unit in range(11):
        above = found.values[KINDS[0]][:, unit] > units.thresholds[unit]
        says = above if units.picked[unit] >= 0.5 else ~above
        assert units.right[unit] == pytest.approx(np.mean(says == truth), abs=1e-3)
    assert units.usual == pytest.approx(max(np.mean(truth), np.mean(~truth)))


@pytest.mark.parametrize("label", LABELS)
@pytest.mark.parametrize("unit", [None, 0, 9])
def test_the_texts_have_only_numbers_that_are_there(label, unit):
    its = reading(label, unit=unit)
    live = reader_picture.numbers(its, 3)
    said = reader_text.sentence(its)
    for template in (said, *reader_text.formula(its), reader_text.describe(its)):
        assert not re.search(r"[{]|nan", live.fill(template))
    assert ("does not follow" in said) != reader_text.follows(its)
    assert f"Cell {its.unit} " in said
    for question in reader_questions(its):
        assert question.answer in question.options
        assert set(question.hides) <= set(live.names)


def test_a_unit_that_is_the_label_or_its_opposite_follows_it():
    truth = np.arange(40) % 5 == 0
    values = np.stack([truth * 1.0, truth * -1.0, np.arange(40) * 1.0], axis=1)
    thresholds = unit_probes.best_thresholds(values, truth)
    assert thresholds[0] == 0.5
    falling = unit_probes.best_thresholds(-values, truth)
    assert falling[1] == 0.5
    assert ((values[:, 0] > 0.5) == truth).all()


def test_a_typed_text_is_read_and_the_best_unit_is_that_which_was_picked():
    its = reading(LABELS[0], typed="“Ada sings.” Tom waits.")
    assert its.text == "“Ada sings.” Tom waits." and its.labels[:11] == (1,) * 11
    far = np.abs(UNITS[LABELS[0], KINDS[0]].picked - 0.5)
    assert its.unit == far.argmax()
    with pytest.raises(ValueError, match="characters the model knows"):
        reading(LABELS[0], typed="0 0")
