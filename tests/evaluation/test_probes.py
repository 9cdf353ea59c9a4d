import math

import numpy as np
import pytest
import torch

from lmcore.corpora import microworld_rules
from lmcore.corpora.microworld import microworld
from lmcore.evaluation.probes import (
    LARGEST_ODDS,
    Probe,
    ProbeItem,
    fed_probabilities,
    measure_probe,
    probes,
)

PROBES = {probe.name: probe for probe in probes(count=40)}
EVERYTHING = microworld(4, complete=True)


class Same:
    """A model that gives every word the same probability."""

    vocabulary = EVERYTHING.vocabulary

    def log_probabilities(self, tokens):
        size = len(self.vocabulary)
        return torch.full((len(tokens), size), -math.log(size))


@pytest.mark.parametrize("name", PROBES)
def test_the_right_word_can_follow_and_the_wrong_one_cannot(name):
    for prefix, right, wrong, rest in PROBES[name].items:
        ids = EVERYTHING.vocabulary.encode(prefix)
        row = EVERYTHING.next_probabilities(np.array(ids))[-1]
        assert row[EVERYTHING.vocabulary.ids[right]] > 0
        assert row[EVERYTHING.vocabulary.ids[wrong]] == 0
        if rest:
            whole = EVERYTHING.vocabulary.encode([*prefix, right, *rest])
            assert EVERYTHING.log_probability(whole) > -math.inf


@pytest.mark.parametrize("name", PROBES)
def test_the_truth_is_always_right(name):
    result = measure_probe(EVERYTHING, PROBES[name])
    assert result.accuracy == 1
    assert result.mean_log_odds == LARGEST_ODDS
    assert result.items == len(PROBES[name].items)


@pytest.mark.parametrize("name", PROBES)
def test_a_model_without_a_preference_is_right_half_the_time(name):
    assert measure_probe(Same(), PROBES[name])[:2] == (0.5, 0)


def test_what_training_never_shows_is_impossible_in_its_world():
    never = {
        "3 clauses deep",
        "4 clauses deep",
        "pronoun, new pair",
        "pronoun, new pair, then a gap",
    }
    for name, probe in PROBES.items():
        found = {
            microworld().log_probability(microworld().vocabulary.encode(i.prefix)) > -math.inf
            for i in probe.items
        }
        assert found == {name not in never}


@pytest.mark.parametrize("name", [n for n in PROBES if n != "senses"])
def test_both_answers_are_right_equally_often(name):
    items = PROBES[name].items
    if "pronoun" in name:
        first = [item.prefix.index(item.right) < item.prefix.index(item.wrong) for item in items]
        assert 0.4 <= np.mean(first) <= 0.6
    else:
        assert np.mean([item.right in microworld_rules.OUTER_VERBS["one"] for item in items]) == 0.5


def test_the_noun_before_the_verb_has_the_other_number():
    nouns = {
        noun: n
        for n in microworld_rules.NUMBERS
        for noun in microworld_rules.ANIMALS[n] + microworld_rules.PLACES[n]
    }
    for name in ("near a place", "that sees others", "that others see", "which was raced past"):
        for item in PROBES[name].items:
            mine, other = (nouns[word] for word in item.prefix if word in nouns)
            assert mine != other
            assert item.right in microworld_rules.OUTER_VERBS[mine]


@pytest.mark.parametrize("depth", [2, 3, 4])
def test_nested_clauses_are_as_deep_as_they_say(depth):
    for item in PROBES[f"{depth} clauses deep"].items:
        assert item.prefix.count("that") == depth


def test_the_same_seed_makes_the_same_probes():
    assert probes(count=5, seed=1) == probes(count=5, seed=1) != probes(count=5, seed=2)


def test_a_single_item_is_measured_as_its_log_odds():
    item = ProbeItem(("<s>", "today", "the", "cat", "gets"), "fed", "washed")
    result = measure_probe(EVERYTHING, Probe("one", (item,)))
    assert result == (1.0, pytest.approx(math.log(0.7 / 0.15)), 1)


def test_a_probe_with_an_item_is_needed():
    with pytest.raises(ValueError, match="the probe 'none' must have an item; got none"):
        measure_probe(EVERYTHING, Probe("none", ()))
    with pytest.raises(ValueError, match="number of items must be at least 1; got 0"):
        probes(count=0)


def test_an_unknown_word_in_a_probe_is_named():
    with pytest.raises(ValueError, match=r"word 1 must be one of .* got 'zebra'"):
        measure_probe(EVERYTHING, Probe("odd", (ProbeItem(("zebra",), "is", "are"),)))


def test_the_truth_about_the_dog_is_a_hole_and_the_complete_truth_fills_it():
    here, whole = fed_probabilities(microworld()), fed_probabilities(microworld(complete=True))
    assert (here.fed_dog, here.gets_dog) == (0, 0)
    assert here.fed_cat == pytest.approx(0.7)
    assert here.gets_cat > 0.3
    assert whole.fed_dog == pytest.approx(0.7)
    assert whole.gets_dog > 0.3
