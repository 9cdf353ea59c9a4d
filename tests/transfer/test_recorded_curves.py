"""Fine-tuning recordings: complete, reproducible, below what the texts allow, with both errors."""

import json
from dataclasses import replace

import numpy as np
import pytest
import torch

from lmcore.transfer import curves, tuning
from lmcore.transfer.networks import NETWORKS
from lmcore.transfer.tasks import TASKS, best_chances, draw_different, draw_examples, least_loss
from lmcore.transfer.tuning import STEPS, TuneSpec, tune, unseen


@pytest.mark.parametrize("network", NETWORKS)
def test_all_that_is_wanted_is_recorded_with_its_seeds_and_steps_and_nothing_else(network):
    for spec in curves.wanted_runs(network, seeds=[0]):
        score = curves.recorded_score(spec)
        assert 0 <= score.low <= score.mean <= score.high <= 1
        # No run ended at the limit of steps: each ended because its loss was flat.
        assert 50 < score.least <= score.most < STEPS
    assert all(curves.recorded_on(network))
    wanted = {curves.key_of(spec) for spec in curves.wanted_runs(network, seeds=[0])}
    assert curves.recorded_runs(network)["runs"].keys() == wanted


@pytest.mark.parametrize(
    ("network", "way"), [*((each, "features") for each in NETWORKS), ("gpt", "scratch")]
)
def test_a_recorded_run_made_again_gives_its_accuracy_and_its_steps(network, way):
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        spec = curves.spec_of(network, "person", way, 100)
        *_, last = tune(spec)
    finally:
        torch.set_num_threads(threads)
    right, steps = curves.recorded_run(spec)
    # Another processor may round differently, which changes a few of the 600 texts.
    assert last.accuracy == pytest.approx(right, abs=0.02)
    assert last.step == pytest.approx(steps, rel=0.1)


def test_an_interval_holds_the_error_of_the_seeds_and_that_of_the_test_texts():
    values, texts = [0.5, 0.6, 0.7, 0.8, 0.9], 600
    seeds = 2.776 * np.std(values, ddof=1) / np.sqrt(5)
    low, high = curves.interval(values, texts)
    for end in (low, high):
        wilson = 0.7 + np.sign(end - 0.7) * np.sqrt((end - 0.7) ** 2 - seeds**2)
        # Wilson's ends are where the mean is 1.96 standard errors away.
        assert abs(wilson - 0.7) == pytest.approx(
            1.96 * np.sqrt(wilson * (1 - wilson) / texts), 1e-3
        )
    # All texts right with every seed: only the sampling of test texts leaves room below.
    low, high = curves.interval([1.0] * 5, texts)
    assert high == 1
    assert 1 - low == pytest.approx(1.96 * np.sqrt(low * (1 - low) / texts), 1e-3)


def test_the_interval_covers_the_truth_of_seeds_and_texts_drawn_at_random():
    rng, hits = np.random.default_rng(0), 0
    for _ in range(400):
        hard = rng.beta(6, 2, size=200)  # how likely each text is right; its mean is 0.75
        skill = rng.normal(0, 0.03, size=5)
        right = rng.random((5, 200)) < np.clip(hard + skill[:, None], 0, 1)
        low, high = curves.interval(right.mean(1).tolist(), 200)
        hits += low <= 0.75 <= high
    assert hits / 400 > 0.94


@pytest.mark.parametrize("task", TASKS)
def test_what_the_test_texts_allow_is_recorded_and_no_text_is_there_twice(task):
    examples = tuning.tested_examples(task)
    assert len({each[:2] for each in examples}) == len(examples)
    for hides in (False, True):
        spec = TuneSpec("gpt" if hides else "encoder", task)
        if hides == unseen(spec):
            found = curves.measure_test_set(task, unseen=hides)
            assert curves.test_set(spec) == pytest.approx(found)


def test_no_recorded_mean_is_above_the_band_of_what_its_test_texts_allow():
    for network in NETWORKS:
        for spec in curves.wanted_runs(network, seeds=[0]):
            allowed = curves.test_set(spec)
            assert curves.recorded_score(spec).mean <= allowed.high + 1e-9, spec


def test_a_gpt_that_reads_the_text_before_the_question_stays_under_what_this_order_allows():
    first, last = (
        curves.order_spec("gpt", "answer", question_first=first) for first in (True, False)
    )
    assert curves.test_set(first).best == 1
    assert curves.test_set(last).best == 0.5
    few = curves.recorded_score(replace(last, labels=100))
    assert few.mean <= curves.test_set(last).high
    assert not unseen(replace(last, network="encoder"))
    assert not unseen(replace(last, network="bilm"))


def test_before_the_adjective_both_nouns_are_equally_likely():
    examples = draw_examples("answer", 4000, 5)
    meant = [each.first[each.answer[1]] for each in examples]
    at_front = np.mean([each.answer[1] < 3 for each in examples])
    assert at_front == pytest.approx(0.5, abs=0.03)
    assert len(set(meant)) > 6
    assert best_chances("answer", examples[:3], unseen=True).tolist() == [0.5] * 3
    assert least_loss("answer", unseen=True) == pytest.approx(np.log(2))


def test_different_texts_have_their_labels_in_equal_shares():
    for task, labels in (("person", 2), ("acceptable", 2), ("entailment", 3)):
        answers = [each.answer for each in draw_different(task, 90, 1, test=True)]
        assert [answers.count(label) for label in range(labels)] == [90 // labels] * labels


def test_from_scratch_with_all_labels_five_times_the_steps_change_nothing():
    for network in NETWORKS:
        for task in curves.LONGER_TASKS:
            spec = curves.spec_of(network, task, "scratch", max(curves.LABELS))
            longer, score = curves.longer_runs(spec), curves.recorded_score(spec)
            assert len(longer) == len(curves.SEEDS)
            for seed, (_, steps) in longer.items():
                assert steps == 5 * curves.recorded_run(replace(spec, seed=seed))[1]
            mean = np.mean([right for right, _ in longer.values()])
            assert score.low <= mean <= score.high, (spec, score, longer)


def test_a_recording_goes_on_where_it_stopped_and_two_processes_write_to_one_file(
    tmp_path, monkeypatch
):
    monkeypatch.setattr(curves, "FOLDER", tmp_path)
    specs = [TuneSpec("gpt", "person", 10, steps=2, seed=seed) for seed in (0, 1)]
    monkeypatch.setattr(curves, "wanted_runs", lambda network, seeds: iter(specs))
    said = list(curves.record("gpt"))
    assert [each.split(":")[0].split()[-1] for each in said] == ["0", "1"]
    assert list(curves.record("gpt")) == []
    kept = json.loads((tmp_path / "gpt.json").read_text())
    assert set(kept["runs"][curves.key_of(specs[0])]) == {"0", "1"}
    assert kept["runs"][curves.key_of(specs[0])]["0"]["steps"] == 2


def test_a_run_of_another_learning_rate_counts_for_none_and_is_made_anew(tmp_path, monkeypatch):
    monkeypatch.setattr(curves, "FOLDER", tmp_path)
    before = TuneSpec("gpt", "person", 10, steps=2)
    now = replace(before, learning_rate=3e-4)
    for spec in (before, now):
        monkeypatch.setattr(curves, "wanted_runs", lambda network, seeds, spec=spec: iter([spec]))
        assert len(list(curves.record("gpt"))) == 1
    curves.recorded_runs.cache_clear()
    with pytest.raises(ValueError, match="must be among those recorded"):
        curves.recorded_run(before)
    assert curves.recorded_run(now)[1] == 2
    curves.recorded_runs.cache_clear()


def test_pretraining_beats_scratch_where_grammar_is_needed():
    score = curves.recorded_score(curves.spec_of("encoder", "acceptable", "fine-tuning", 100))
    scratch = curves.recorded_score(curves.spec_of("encoder", "acceptable", "scratch", 100))
    assert score.low > scratch.high
