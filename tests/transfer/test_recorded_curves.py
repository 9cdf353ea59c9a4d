"""Recordings of tuning: complete, with their intervals, and the same when a run is made again."""

import numpy as np
import pytest
import torch

from lmcore.transfer import curves
from lmcore.transfer.networks import NETWORKS
from lmcore.transfer.tasks import TASKS
from lmcore.transfer.tuning import tune


@pytest.mark.parametrize("network", NETWORKS)
def test_every_run_is_recorded_with_five_seeds(network):
    specs = list(curves.wanted_runs(network))
    assert len({spec.seed for spec in specs}) == 5
    for spec in specs:
        score = curves.recorded_score(spec)
        assert score is not None, spec
        assert score.runs == 5, spec
        assert 0 <= score.low <= score.mean <= score.high <= 1
    assert all(curves.recorded_on(network))


@pytest.mark.parametrize("network", NETWORKS)
def test_a_recorded_run_made_again_gives_its_accuracy(network):
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        spec = curves.spec_of(network, "acceptable", "features", 30)
        *_, last = tune(spec)
    finally:
        torch.set_num_threads(threads)
    # Another processor may round otherwise: a few of the 400 texts.
    assert last.accuracy == pytest.approx(curves.recorded_accuracy(spec), abs=0.02)


def test_an_interval_is_students(monkeypatch):
    values = [0.5, 0.6, 0.7, 0.8, 0.9]
    spec = curves.spec_of("gpt", "person", "features", 10)
    kept = {"runs": {curves.key_of(spec): {str(i): v for i, v in enumerate(values)}}}
    monkeypatch.setattr(curves, "recorded_runs", lambda _: kept)
    score = curves.recorded_score(spec)
    # t of 4 degrees of freedom at 97.5 %: 2.776; s = .1581
    reach = 2.776 * np.std(values, ddof=1) / np.sqrt(5)
    assert score.mean == pytest.approx(0.7)
    assert (score.low, score.high) == pytest.approx((0.7 - reach, 0.7 + reach))


def test_no_network_is_clearly_above_the_best_possible_score():
    for network in NETWORKS:
        for task in TASKS:
            for way in curves.WAYS:
                for score in curves.recorded_curve(network, task, way).values():
                    # 400 texts: a lucky sample may beat the expected best by its own error.
                    error = np.sqrt(curves.ceiling(task) * (1 - curves.ceiling(task)) / 400)
                    assert score.mean <= curves.ceiling(task) + 3 * error


def test_pretraining_beats_scratch_where_grammar_is_needed():
    score = curves.recorded_score(curves.spec_of("encoder", "acceptable", "fine-tuning", 100))
    scratch = curves.recorded_score(curves.spec_of("encoder", "acceptable", "scratch", 100))
    assert score.low > scratch.high
