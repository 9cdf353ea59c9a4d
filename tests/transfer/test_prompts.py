"""Prompts: their texts, their scores by hand, and the recording."""

import numpy as np
import pytest
import torch

from lmcore.corpora.microworld_rules import CREATURE_ADJECTIVES, CREATURES, WAYS
from lmcore.training.masked_batches import MASK
from lmcore.transfer import prompts
from lmcore.transfer.networks import pretrained_network
from lmcore.vocabulary import START


@pytest.mark.parametrize("task", prompts.MODELS)
@pytest.mark.parametrize("shots", prompts.SHOTS)
def test_a_prompt_has_one_gap_and_so_many_solved_examples(task, shots):
    for prompt in prompts.draw_prompts(task, shots, 5, 3):
        assert prompt.words.count(MASK) == 1
        assert prompt.words.count(".") == 2 * (shots + 1)
        assert prompt.answer in prompt.candidates
        assert MASK not in prompts.solved(prompt)
    assert prompts.draw_prompts(task, shots, 2, 3) == prompts.draw_prompts(task, shots, 2, 3)


def test_the_answer_of_who_is_the_noun_that_is_meant():
    for prompt in prompts.draw_prompts("who", 0, 20, 0):
        told = prompt.words[prompt.words.index("too") + 1]
        assert prompt.words[-2] == told
        meant = CREATURES if told in CREATURE_ADJECTIVES else WAYS
        assert len(set(prompt.candidates)) == 2
        assert [noun for noun in prompt.candidates if noun in meant] == [prompt.answer]


def test_a_gpt_scores_the_next_word():
    prompt = prompts.draw_prompts("who", 1, 1, 0)[0]
    network, vocabulary = pretrained_network("gpt")
    ids = vocabulary.encode([START, *prompt.words[: prompt.words.index(MASK)]])
    trace = network(torch.tensor([ids]))
    p = trace.logits[0, -1].detach().double().softmax(-1)
    expected = [float(p[vocabulary.ids[word]]) for word in prompt.candidates]
    np.testing.assert_allclose(np.exp(prompts.score_candidates("gpt", prompt)), expected, rtol=1e-6)


def test_what_is_recorded_is_what_is_measured_again():
    score = prompts.measure("gpt", "who", 0)
    kept = prompts.recorded_shots("gpt", "who")[0.0]
    assert score.runs == kept.runs <= prompts.TESTED
    assert score.mean == pytest.approx(kept.mean, abs=0.02)


@pytest.mark.parametrize("task", prompts.MODELS)
@pytest.mark.parametrize("shots", prompts.SHOTS)
def test_no_prompt_is_counted_twice(task, shots):
    found = prompts.different_prompts(task, shots, prompts.TESTED, 0)
    assert len(set(found)) == len(found) > 90
    for model in prompts.MODELS[task]:
        assert prompts.recorded_shots(model, task)[float(shots)].runs == len(found)


def test_an_interval_is_wilsons_and_has_a_width_where_all_are_right():
    # Both ends solve (share − p)² = z² p (1 − p) / n.
    for right, count in ((200, 200), (0, 50), (93, 120)):
        share, low, high, *_ = prompts.wilson_score(right, count)
        assert low < high
        for end in {low, high} - {0.0, 1.0}:
            assert (share - end) ** 2 == pytest.approx(1.96**2 * end * (1 - end) / count)


@pytest.mark.parametrize(
    ("task", "shots", "said"),
    [("what", 0, "the task must be one of who, feeling"), ("who", 9, "from 0 to 4; got 9")],
)
def test_prompts_that_are_not_there(task, shots, said):
    with pytest.raises(ValueError, match=said):
        prompts.draw_prompts(task, shots, 1, 0)
