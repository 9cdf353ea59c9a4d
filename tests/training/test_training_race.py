from dataclasses import replace

import pytest
from runs_at_hand import QUOTED, STORY, TINY

from lmcore.models.registry import NAMES
from lmcore.training.batches import corpus_vocabulary
from lmcore.training.race import race_specs
from lmcore.training.spec import CorpusSpec

BASE = replace(TINY, model=replace(TINY.model, embedding=28, hidden=31))


def test_only_the_kind_of_model_differs():
    specs = [spec for name in NAMES for spec in race_specs(BASE, [name], same_size=False)]
    assert [spec.model.kind for spec in race_specs(BASE, NAMES[:4], same_size=False)] == [
        *NAMES[:4]
    ]
    for spec in specs:
        assert replace(spec, model=BASE.model) == BASE
        assert replace(spec.model, kind="rnn") == BASE.model


@pytest.mark.parametrize("corpus", [CorpusSpec(), QUOTED, STORY], ids=lambda each: each.source)
def test_models_of_the_same_size_have_the_weights_of_the_lstm_within_two_percent(corpus):
    base = replace(BASE, corpus=corpus)
    specs = [spec for name in NAMES for spec in race_specs(base, [name], same_size=True)]
    types = len(corpus_vocabulary(corpus))
    weights = {spec.model.kind: spec.model.config(types).parameters for spec in specs}
    for number in weights.values():
        assert number == pytest.approx(weights["lstm"], rel=0.02)


@pytest.mark.parametrize("kinds", [[], ["rnn", "rnn"], ["rnn", "encoder"], [*NAMES, "rnn"]])
def test_no_model_one_twice_and_an_unknown_one_are_refused(kinds):
    with pytest.raises(ValueError, match="the models must be 1 to 4 different ones of"):
        race_specs(BASE, kinds, same_size=False)
