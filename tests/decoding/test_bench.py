"""The bench against sums of the model and the grammar; the same seeds give the same rows."""

import math
from itertools import pairwise

import pytest
import torch

from lmcore.corpora.microworld import microworld
from lmcore.decoding import beam, bench
from lmcore.decoding.bench import distinct, repetition
from lmcore.decoding.strategies import STRATEGIES, StrategySettings
from lmcore.decoding.tree import TreeModel
from lmcore.decoding.writer import writer_from_vocabulary
from lmcore.shipped.models import load_shipped

NEURAL = load_shipped("gpt")[0]
WORLD = microworld()
GPT = writer_from_vocabulary("gpt", NEURAL, NEURAL.vocabulary, WORLD)
GRAMMAR = writer_from_vocabulary("grammar", WORLD, WORLD.vocabulary, WORLD)
TREE = writer_from_vocabulary("tree", TreeModel(), TreeModel().vocabulary)
PROMPT = GPT.read("the animal didn't cross the")
SEEDS = bench.seeds_from(3, 3)


def measured(name, writer=GPT, prompt=PROMPT, seeds=SEEDS, length=10, **chosen):
    return bench.measure_strategy(
        writer, prompt, STRATEGIES[name], StrategySettings(**chosen), seeds, length
    )


@pytest.mark.parametrize("name", STRATEGIES)
def test_each_row_is_the_models_and_the_grammars_own_and_repeats_with_its_seeds(name):
    row = measured(name)
    again = measured(name)
    assert row == again
    assert len(row.texts) == (len(SEEDS) if STRATEGIES[name].draws else 1)
    own, true, whole = [], [], []
    for text in row.texts:
        ids = torch.cat([PROMPT, torch.tensor(text)])
        at = range(len(PROMPT) - 1, len(ids) - 1)
        own += NEURAL.log_probabilities(ids)[at, ids[len(PROMPT) :]].tolist()
        before, all_of_it = (WORLD.log_probability(each.tolist()) for each in (PROMPT, ids))
        true.append(all_of_it - before)
        whole.append(text[-1] in GPT.stop)
    assert row.tokens == len(own)
    assert row.mean_log_p == pytest.approx(sum(own) / len(own), abs=1e-5)
    assert row.perplexity == pytest.approx(math.exp(-row.mean_log_p))
    assert row.true_perplexity == pytest.approx(math.exp(-sum(true) / len(own)))
    right = [math.isfinite(p) and end for p, end in zip(true, whole, strict=True)]
    assert row.grammatical == pytest.approx(sum(right) / len(right))
    assert row.ended == pytest.approx(sum(whole) / len(whole))
    assert row.seconds > 0


def test_a_row_of_one_seed_is_what_that_seed_writes():
    row = measured("walk")
    alone = [measured("walk", seeds=(seed,)).texts[0] for seed in SEEDS]
    assert list(row.texts) == alone


def test_beam_search_takes_the_best_of_what_it_found():
    (text,) = measured("beam", width=5, length_penalty=0.5).texts
    how = STRATEGIES["beam"].search(StrategySettings(width=5, length_penalty=0.5), 0, 10, GPT.stop)
    assert text == beam.finished_beams(list(beam.search(GPT.model, PROMPT, how)))[0].tokens


def test_the_grammar_is_always_grammatical_and_its_perplexity_its_own():
    row = measured("walk", GRAMMAR, GRAMMAR.read("the animal"), length=60)
    assert row.grammatical == row.ended == 1
    assert row.true_perplexity == pytest.approx(row.perplexity) == row.finite_perplexity


def test_what_the_grammar_cannot_say_is_infinite_and_left_out_of_what_it_can():
    row = measured("walk", prompt=GPT.read("animal the"), seeds=(1,))
    assert row.true_perplexity == math.inf and row.grammatical == 0
    assert math.isnan(row.finite_perplexity)
    some = measured("temperature", seeds=bench.seeds_from(0, 20), temperature=2.0)
    assert some.true_perplexity == math.inf and 0 <= some.grammatical < 1
    assert math.isnan(some.finite_perplexity) or math.isfinite(some.finite_perplexity)


def test_without_a_grammar_nothing_is_said_of_it():
    row = measured("walk", TREE, TREE.read(""), length=5)
    assert math.isnan(row.true_perplexity) and math.isnan(row.grammatical)
    assert math.isfinite(row.mean_log_p)


def test_distinct_and_repetition_by_hand():
    texts = [[*b"abab"], [*b"abc"]]
    assert distinct(texts, 1) == pytest.approx(3 / 7)
    grams = [*pairwise(b"abab"), *pairwise(b"abc")]
    assert distinct(texts, 2) == pytest.approx(len(set(grams)) / len(grams)) == 3 / 5
    assert distinct(texts, 3) == pytest.approx(3 / 3)
    assert math.isnan(distinct(texts, 5))
    assert repetition([[*b"aaaaaa"]]) == pytest.approx(2 / 3)
    assert repetition([[*b"aaaaaa"], [*b"abcdef"], [*b"ab"]]) == pytest.approx(1 / 3)
    assert math.isnan(repetition([[*b"abc"]]))


def test_nothing_to_write_is_no_crash():
    banned = measured("repetition", TREE, torch.tensor([0, 3]), length=3)
    assert banned.texts == ((),) and banned.tokens == 0
    assert math.isnan(banned.mean_log_p)


def test_a_strategy_out_of_time_says_what_it_has(monkeypatch):
    monkeypatch.setattr(bench, "SECONDS_EACH", 1e-9)
    row = measured("drawn_beam")
    assert len(row.texts) == 1


def test_who_waits_hears_of_every_token_and_may_end_it():
    heard = []
    plain = measured("walk")
    told = bench.measure_strategy(
        GPT, PROMPT, STRATEGIES["walk"], StrategySettings(), SEEDS, 10, lambda: heard.append(1)
    )
    assert told == plain and len(heard) >= 2 * max(map(len, plain.texts)) - 2

    def enough():
        raise KeyError("enough")

    with pytest.raises(KeyError, match="enough"):
        bench.measure_strategy(
            GPT, PROMPT, STRATEGIES["beam"], StrategySettings(), SEEDS, 10, enough
        )


@pytest.mark.parametrize("count", [0, 51])
def test_seeds_have_bounds(count):
    with pytest.raises(ValueError, match=f"number of seeds must be from 1 to 50; got {count}"):
        bench.seeds_from(1, count)
