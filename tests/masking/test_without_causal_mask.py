"""The leakage experiment, on small runs."""

import math

import numpy as np
import pytest
import torch

from lessons.masking import masking_text
from lmcore.corpora.microworld import microworld
from lmcore.masking import without_causal_mask
from lmcore.masking.without_causal_mask import (
    GeneratedTexts,
    generate_texts,
    prefix_loss,
    run_specs,
)
from lmcore.models.registry import NeuralModel, build
from lmcore.training.spec import ModelSpec


def test_only_the_mask_differs():
    masked, unmasked = run_specs(7, seed=3)
    assert masked.model.causal
    assert not unmasked.model.causal
    told = masked.to_json().replace('"causal": true', '"causal": false')
    assert told == unmasked.to_json()
    assert (masked.steps, masked.seed) == (7, 3)


@pytest.mark.parametrize("causal", [True, False])
def test_the_loss_without_the_future_is_that_of_each_prefix_alone(causal):
    model = ModelSpec("transformer", embedding=6, hidden=7, heads=3, layers=2, causal=causal)
    network = build(model.config(282), seed=2)
    documents = [np.array([0, 5, 7, 11, 1]), np.array([0, 5, 1]), np.array([0, 9, 8, 1])]
    every = []
    for document in documents:
        for t in range(1, len(document)):
            logits = network(torch.from_numpy(document[None, :t])).logits[0, -1]
            every.append(-logits.detach().double().log_softmax(-1)[document[t]].item())
    found = prefix_loss(network, documents)
    assert found == pytest.approx(np.mean(every), rel=1e-6)


def test_an_untrained_model_writes_what_the_grammar_could_not_have_made():
    world = microworld()
    network = build(ModelSpec("transformer", 8, 8).config(len(world.vocabulary)))
    written = generate_texts(NeuralModel(network, world.vocabulary), world, count=2)
    assert len(written.texts) == 2
    assert written.share == 0
    again = generate_texts(NeuralModel(network, world.vocabulary), world, count=1)
    assert again.texts == written.texts[:1]


def test_what_the_numbers_of_a_run_say():
    written = GeneratedTexts(("the cat sleeps.", "", "the the"), (True, False, False))
    assert written.share == pytest.approx(1 / 3)
    said = masking_text.training_verdict(0.75, 0.75, 0.7, written, causal=True)
    assert said == (
        "With the mask, 0.75 nats against the grammar's 0.7, and the grammar allows "
        "1 of its 3 texts."
    )
    said = masking_text.training_verdict(0.01, 9.5, 0.7, written, causal=False)
    assert "0.01 nats: 70 times lower than the grammar's 0.7, which is impossible" in said
    assert "a loss of 9.5" in said
    early = masking_text.training_verdict(0.8, 9.5, 0.7, written, causal=False)
    assert "0.8 nats: not yet below the grammar's 0.7." in early
    assert masking_text.excerpt(written.texts, 2) == [
        "“the cat sleeps.”",
        "(empty: it ends at once)",
    ]
    assert masking_text.training_row("A", 0.1, 0.2, 0.3, written) == (
        "A",
        0.1,
        0.2,
        0.3,
        written.share,
    )
    assert len(masking_text.TRAINING_COLUMNS) == 5


def test_a_recording_is_read_as_it_was_written(tmp_path, monkeypatch):
    few = without_causal_mask.validation_documents()[:10]
    monkeypatch.setattr(without_causal_mask, "validation_documents", lambda: few)
    found = without_causal_mask.record(steps=2, written=3, shown=1)
    assert [run.causal for run in found.runs] == [True, False]
    assert found.runs[0].evaluations[-1][0] == 2 and found.written == 3
    without_causal_mask.save_recording(found, tmp_path / "found.json")
    assert without_causal_mask.load_recording(tmp_path / "found.json") == found
    (tmp_path / "found.json").write_text("{}", "utf-8")
    with pytest.raises(ValueError, match="must hold what lmcore"):
        without_causal_mask.load_recording(tmp_path / "found.json")


def test_the_recorded_model_without_the_mask_copies_and_cannot_write():
    recording = without_causal_mask.load_recording()
    masked, unmasked = recording.runs
    assert unmasked.loss < 1e-3 < unmasked.grammar_loss < masked.loss < 1.1 * masked.grammar_loss
    assert masked.loss_without_future == pytest.approx(masked.loss, rel=1e-5)
    assert unmasked.loss_without_future > math.log(282) and unmasked.possible == 0
    assert masked.possible > 0.8 * recording.written
