"""Measuring a model in a process of its own gives the same numbers as measuring it here."""

import pytest

from lessons.language_model import model_choices
from lmcore.corpora.microworld import microworld
from lmcore.evaluation import costs
from ui import compute


@pytest.mark.parametrize("name", ["trigram-kn", "lstm"])
def test_a_model_is_measured_and_tested_apart(name, monkeypatch):
    compute.clear_results()
    each = model_choices.entry(name)
    here = costs.measure_costs(each.model, microworld())
    with monkeypatch.context() as shut:
        shut.setattr(costs, "measure_costs", lambda *_: 1 / 0)  # in this process only
        shut.setattr(costs, "ratio", lambda *_: 1 / 0)
        there, ratio = (
            model_choices.measure_model(each),
            model_choices.relative_perplexity(each),
        )
    assert there.perplexity == pytest.approx(here.perplexity, rel=1e-9)
    assert there.divergence == pytest.approx(here.divergence, rel=1e-9)
    assert ratio == pytest.approx(here.perplexity / here.truth, rel=1e-9)
    assert there.query > 0
