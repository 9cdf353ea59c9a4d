from dataclasses import replace

import pytest
from runs_at_hand import QUOTED, STORY, TINY

from lmcore.neural import NAMES
from lmcore.training.feeds import vocabulary
from lmcore.training.race import race
from lmcore.training.spec import CorpusSpec

BASE = replace(TINY, model=replace(TINY.model, embedding=29, hidden=31))


def test_only_the_kind_of_model_differs():
    specs = race(BASE, NAMES, same_size=False)
    assert [spec.model.kind for spec in specs] == list(NAMES)
    for spec in specs:
        assert replace(spec, model=BASE.model) == BASE
        assert replace(spec.model, kind="rnn") == BASE.model


@pytest.mark.parametrize("corpus", [CorpusSpec(), QUOTED, STORY], ids=lambda each: each.source)
def test_models_of_the_same_size_have_the_weights_of_the_lstm_within_two_percent(corpus):
    specs = race(replace(BASE, corpus=corpus), NAMES, same_size=True)
    types = len(vocabulary(corpus))
    weights = {spec.model.kind: spec.model.config(types).parameters for spec in specs}
    for number in weights.values():
        assert number == pytest.approx(weights["lstm"], rel=0.02)


@pytest.mark.parametrize("kinds", [[], ["rnn", "rnn"], ["rnn", "transformer"], [*NAMES, "rnn"]])
def test_no_model_one_twice_and_an_unknown_one_are_refused(kinds):
    with pytest.raises(ValueError, match="the models must be 1 to 4 different ones of"):
        race(BASE, kinds, same_size=False)
