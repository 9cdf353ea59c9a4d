"""The translation models that ship: their files, their cards, and their recorded curves."""

import json

import pytest

from lmcore.corpora.translation import LONGEST, SHORTEST, held_out_sources, translate_aligned
from lmcore.evaluation.exact_match import exact_match_by_length, exact_matches
from lmcore.shipped import translation_curves
from lmcore.shipped.models import TRANSLATORS, card_path, load_translator, path, shipped_spec
from lmcore.shipped.translation_curves import (
    curves_from_json,
    curves_to_json,
    load_curves,
    record_curves,
)
from lmcore.training.translation_batches import translation_batch

SEEN = range(2, 21)


@pytest.mark.parametrize("name", TRANSLATORS)
def test_a_file_holds_the_run_that_its_spec_describes(name):
    network, vocabulary, spec, step = load_translator(name)
    assert spec == TRANSLATORS[name] == shipped_spec(name)
    assert step == spec.steps
    assert network.config == spec.model.config(len(vocabulary))
    assert path(name).stat().st_size <= 1_500_000


@pytest.mark.parametrize("name", TRANSLATORS)
def test_a_card_is_of_the_run_that_made_the_file(name):
    card = json.loads(card_path(name).read_text("utf-8"))
    assert card["spec"] == json.loads(TRANSLATORS[name].to_json())
    assert card["data"]["task"] == "mixture"
    assert card["steps"] == TRANSLATORS[name].steps


def test_their_numbers_of_weights_differ_by_less_than_two_percent():
    vector, attention = (load_translator(name)[0].config for name in TRANSLATORS)
    assert attention.parameters == pytest.approx(vector.parameters, rel=0.02)
    assert (vector.score, attention.score) == (None, "mlp")


def test_the_largest_weights_are_at_the_word_that_is_translated_or_the_next():
    network, *_ = load_translator("seq2seq_attention")
    for task in ("passive", "translation"):
        near = []
        for source in held_out_sources(task, 12, 40):
            pair, batch = translate_aligned(source, task), translation_batch([source], task)
            largest = network(batch.source, batch.inputs).weights[0].argmax(dim=-1).tolist()
            near += [a - b in (0, 1) for a, b in zip(largest, pair.alignment, strict=False)]
        assert sum(near) > 0.85 * len(near)


def test_with_attention_97_of_100_are_exact_at_every_length_seen():
    _, attention = load_curves()
    scores = {score.length: score.interval[0] for score in attention.scores}
    assert all(scores[length] >= 0.97 for length in SEEN), scores


def test_one_vector_is_worse_the_longer_the_source():
    vector, attention = ({s.length: s.interval for s in c.scores} for c in load_curves())
    assert vector[5][0] > 0.9
    # The two intervals do not overlap at the longest source length seen in training.
    assert vector[20][2] < attention[20][1]


def test_the_curves_are_those_of_the_files():
    for curve in load_curves():
        network, _, spec, _ = load_translator(curve.name)
        task = spec.corpus.task
        assert [s.length for s in curve.scores] == list(range(SHORTEST[task], LONGEST + 1))
        assert all(s.sentences == 1000 for s in curve.scores if s.length >= 5)
        recorded = {score.length: score for score in curve.scores}
        # With the same seed, a smaller sample is the start of a larger one.
        for length in (6, 20):
            sources = held_out_sources(task, length, 100, curve.seed)
            share = sum(exact_matches(network, sources, task)) / len(sources)
            assert share == pytest.approx(recorded[length].interval[0], abs=0.12)


def test_a_recording_is_read_as_it_was_written(monkeypatch):
    monkeypatch.setattr(translation_curves, "SHORTEST", {"mixture": 2})
    made = record_curves("2026-01-01", sentences=3, longest=3)
    assert curves_from_json(curves_to_json(made)) == made
    network, *_ = load_translator("seq2seq_vector")
    assert made[0].scores == exact_match_by_length(network, "mixture", [2, 3], sentences=3)
    assert made.to_frame()["model"].tolist() == ["seq2seq_vector"] * 2 + ["seq2seq_attention"] * 2


def test_a_recording_of_another_run_is_refused(monkeypatch, tmp_path):
    text = translation_curves.FILE.read_text("utf-8")
    other = tmp_path / "curves.json"
    other.write_text(text.replace(load_curves()[0].key, "0" * 24), "utf-8")
    monkeypatch.setattr(translation_curves, "FILE", other)
    with pytest.raises(ValueError, match="the recorded curve must be of the run of seq2seq_vector"):
        load_curves()


def test_a_translation_model_that_does_not_ship_is_refused():
    with pytest.raises(ValueError, match=r"must be one of seq2seq_vector, .*; got 'gpt'"):
        load_translator("gpt")
