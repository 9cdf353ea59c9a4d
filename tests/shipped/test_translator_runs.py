"""Small translation runs: their spec, their recordings, and how they are judged."""

import pytest

from lmcore.corpora.translation import held_out_sources, translate
from lmcore.shipped.models import load_translator
from lmcore.shipped.recordings import find_recording
from lmcore.shipped.translator_runs import (
    EXAMPLES,
    SENTENCES,
    judge_translator,
    judged_lengths,
    translation_run,
)
from lmcore.training.loop import Training
from lmcore.training.spec import RunSpec
from lmcore.training.translation_batches import write_translations


def test_one_vector_differs_from_a_run_with_attention_in_its_score_alone():
    attention, vector = translation_run(), translation_run(score=None)
    assert attention.model.score == "dot" and vector.model.score is None
    counts = {Training(spec).network.config.parameters for spec in (attention, vector)}
    assert len(counts) == 1


@pytest.mark.parametrize("spec", EXAMPLES)
def test_every_example_is_recorded_to_its_end_and_has_learned(spec):
    recording = find_recording(spec)
    assert recording is not None and recording.step == spec.steps and not recording.why
    assert recording.final_loss < recording.evaluations[0][1] / 10
    assert all("→" in text for _, text in recording.samples)


def test_attention_ends_below_one_vector_on_both_tasks():
    losses = [find_recording(spec).final_loss for spec in EXAMPLES]
    assert losses[0] < losses[1] / 10 and losses[2] < losses[3] / 10


@pytest.mark.parametrize(
    ("task", "longest", "lengths"),
    [("passive", 12, (5, 7, 10, 12)), ("copy", 40, (1, 14, 27, 40)), ("copy", 2, (1, 2))],
)
def test_a_run_is_judged_from_its_shortest_to_its_longest_source(task, longest, lengths):
    assert judged_lengths(translation_run(task, longest=longest)) == lengths


def test_the_judgement_counts_what_is_written_word_for_word():
    network, _, _, _ = load_translator("seq2seq_vector")
    spec = translation_run("passive", longest=20)
    for score in judge_translator(network, spec):
        sources = held_out_sources("passive", score.length, SENTENCES, 1)
        right = [
            written == translate(source, "passive")
            for source, written in zip(sources, write_translations(network, sources), strict=True)
        ]
        assert (score.exact, score.sentences) == (sum(right), len(sources))


def test_a_run_of_another_kind_is_refused():
    network, _, _, _ = load_translator("seq2seq_vector")
    with pytest.raises(ValueError, match="must be of a translation; got one on 'microworld'"):
        judge_translator(network, RunSpec())


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"steps": 3001}, "the number of steps must be from 1 to 3000; got 3001"),
        ({"longest": 41}, "longest source of the task passive must be from 5 to 40"),
        ({"task": "summary"}, "the task must be one of passive"),
        ({"score": "sum"}, "the score must be one of dot, cosine, mlp"),
    ],
)
def test_what_is_out_of_bounds_is_named(changes, says):
    with pytest.raises(ValueError, match=says):
        translation_run(**changes)
