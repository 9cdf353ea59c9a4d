"""The counts of ten thousand words, their sentences and their questions."""

import numpy as np
import pytest
import torch

from lessons.masking import fates_picture, fates_text
from lessons.masking.masking_questions import fates_questions
from lmcore.corruption.corruption import Rates
from lmcore.corruption.draws import SLIDERS, CorruptionConfig, change_rate, draw_for_text
from lmcore.corruption.story_words import WORDS, story_words

CONFIG = CorruptionConfig(seed=5)


def draws_of(config):
    return draw_for_text(story_words(), config).draws


def live_of(config, order="fate"):
    return fates_picture.numbers(config, fates_picture.counts(config, draws_of(config)), order)


def counted(rates, draws):
    """The counts, from the two numbers of each word."""
    chance, way = draws.chance[0].numpy(), draws.way[0].numpy()
    first, second, third = np.float32([rates.chosen, rates.masked, rates.masked + rates.random])
    chosen, masked = chance < first, way < second
    random = ~masked & (way < third)
    often = chosen & random & (draws.drawn[0].numpy() == 0)
    parts = (chosen & masked, chosen & random, chosen & ~masked & ~random)
    return [int(each.sum()) for each in (chosen, *parts, ~chosen, often)]


NAMES = ("n_chosen", "n_masked", "n_random", "n_kept", "n_rest", "n_often")


@pytest.mark.parametrize("source", ["uniform", "unigram"])
def test_the_counts_are_those_of_the_thresholds_at_every_position(source):
    config = CorruptionConfig(Rates(0.15, 0.75, 0.1), source=source, seed=3)
    live, draws = live_of(config), draws_of(config)
    assert [live[name] for name in NAMES] == counted(config.rates, draws)
    for slider, row in zip(live.sliders, live.table, strict=True):
        name = slider.name.removeprefix("corrupt_")
        for p in (0, 1, 15, 60, 99, 100):
            rates = change_rate(config.rates, name, float(slider.positions[p]))
            shown = [row[p, live.names.index(each)] for each in NAMES]
            assert shown == counted(rates, draws)
            expected = row[p, live.names.index("e_masked")]
            assert expected == pytest.approx(WORDS * rates.chosen * rates.masked)


def test_a_larger_share_changes_no_word_without_reason():
    live = live_of(CONFIG)
    for name, row in zip(SLIDERS, live.table, strict=True):
        grows = row[:, live.names.index(f"n_{name}")]
        assert (np.diff(grows) >= 0).all()


def test_the_words_are_those_of_the_story_and_the_draws_those_of_lmcore():
    text, draws = story_words(), draws_of(CONFIG)
    drawn = fates_picture.picture(CONFIG, draws)
    exact = np.frombuffer(drawn["exact"], "<f4")
    assert (exact[:WORDS] == draws.chance[0].numpy()).all()
    assert (exact[WORDS:] == draws.way[0].numpy()).all()
    ids = np.frombuffer(drawn["ids"], "<u2")
    assert [drawn["types"][i] for i in ids[:9]] == list(text.tokens[:9])
    assert " ".join(text.tokens[:9]) == "chapter one the harbour the town of tern harbour"
    assert (ids[WORDS:] == draws.drawn[0].numpy()).all()


@pytest.mark.parametrize("order", ["text", "fate"])
@pytest.mark.parametrize("source", ["uniform", "unigram"])
@pytest.mark.parametrize(
    "rates", [Rates(), Rates(0.0), Rates(1.0), Rates(0.15, 1.0, 0.0), Rates(0.15, 0.0, 1.0)]
)
def test_the_sentence_is_that_of_the_counts(rates, source, order):
    live = live_of(CorruptionConfig(rates, source=source, seed=5), order)
    place = int(live["@say"])
    said = live.fill(fates_text.sentences()[place])
    if rates.chosen == 0:
        assert said.startswith("None of 10,000 words")
    elif order == "text":
        assert said.startswith(f"=={live['n_chosen']:.0f}== of 10,000 words are chosen")
        assert ("behind" in said) == (rates.masked == 1)
    elif rates.masked == 1:
        assert f"The other =={live['n_rest']:.0f}== of 10,000 add no term" in said
    elif source == "unigram":
        assert f"=={live['n_often']:.0f}== are “the”" in said
        assert live["n_often"] > 0.03 * live["n_random"]
    else:
        kept = live["n_chosen"] - live["n_masked"] - live["n_random"]
        assert f"=={live['n_masked']:.0f}== become" in said and f"{kept:.0f} [activation|" in said


def test_the_answers_are_what_is_expected_and_hidden_until_then():
    config = CorruptionConfig(Rates(0.2, 0.5, 0.3), seed=5)
    masked, kept, rest = fates_questions(config)
    live = live_of(config)
    assert masked.answer == live["e_masked"] == pytest.approx(1000)
    assert kept.answer == live["e_kept"] == pytest.approx(400)
    assert rest.answer == pytest.approx(WORDS - live["e_chosen"])
    assert {"n_masked", "e_masked", "n_kept", "e_kept"} <= set(kept.hides)
    assert {"n_chosen", "n_rest"} <= set(rest.hides)


def test_the_example_has_met_all_three_fates():
    draws = draws_of(CONFIG)
    example = fates_picture.example(CONFIG, draws)
    ids, rates = story_words().ids[0], CONFIG.rates
    ways = draws.way[0][(draws.chance[0] < rates.chosen) & (ids == example)]
    bins = torch.bucketize(ways, torch.tensor([rates.masked, rates.masked + rates.random]))
    assert set(bins.tolist()) == {0, 1, 2}
