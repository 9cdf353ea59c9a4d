"""One prompt on the stage: its lines, p of each candidate, and what was recorded."""

import re

import pytest

from lessons.transfer.transfer_questions import prompt_questions
from lessons.transfer.uses import one_prompt_text
from lessons.transfer.uses.one_prompt_picture import PromptState, lines_of, numbers, picture
from lmcore.training.masked_batches import MASK
from lmcore.transfer import prompts
from lmcore.transfer.prompts import Prompt

EVERY = [(task, shots) for task in prompts.MODELS for shots in prompts.SHOTS]


def made_up(task, shots, right=True):
    """A state in which every model prefers the right candidate, or the other one."""
    prompt = prompts.draw_prompts(task, shots, 1, 0)[0]
    at = prompt.candidates.index(prompt.answer)
    shares = [0.25 if (n == at) == right else 0.125 for n in range(2)]
    return PromptState(task, shots, prompt, dict.fromkeys(prompts.MODELS[task], shares))


@pytest.mark.parametrize(("task", "shots"), EVERY)
def test_each_solved_example_is_a_line_and_the_gap_is_in_the_last(task, shots):
    prompt = prompts.draw_prompts(task, shots, 1, 0)[0]
    lines = lines_of(prompt)
    assert len(lines) == shots + 1
    assert [word for line in lines for word in line] == list(prompt.words)
    assert [MASK in line for line in lines] == [False] * shots + [True]


def test_a_typed_sentence_is_the_last_line():
    prompt = prompts.prompt_for(("the", "tea", "was", "cold", "."), [])
    assert lines_of(prompt) == [["the", "tea", "was", "cold", ".", "it", "was", MASK, "."]]


@pytest.mark.parametrize("right", [True, False])
@pytest.mark.parametrize(("task", "shots"), EVERY)
def test_the_sentence_says_what_is_filled_in_and_whether_that_is_right(task, shots, right):
    state = made_up(task, shots, right)
    live = numbers(state)
    at = prompts.MODELS[task].index(state.model)
    word = state.prompt.candidates[state.best]
    assert (word == state.prompt.answer) == right
    said = one_prompt_text.sentence(state)
    assert f"**{word}**, p = {{p {at} {state.best}}}" in said
    assert (f"; right is {state.prompt.answer}." in said) == (not right)
    assert live[f"p {at} {state.best}"] == 0.25
    recorded = prompts.recorded_shots(state.model, task)[float(shots)]
    assert live["mean"] == recorded.mean
    assert one_prompt_text.formula(state)[0].endswith(f"= **{word}**")
    (question,) = prompt_questions(state)
    assert question.answer == word and set(question.options) == set(state.prompt.candidates)
    assert {name for name in live.names if name.startswith("p ")} == set(question.hides)


@pytest.mark.parametrize("task", prompts.MODELS)
def test_the_picture_has_what_was_recorded_of_every_model(task):
    for each, model in zip(picture(made_up(task, 1))["models"], prompts.MODELS[task], strict=True):
        for recorded in each["recorded"]:
            score = prompts.recorded_shots(model, task)[float(recorded["shots"])]
            assert (recorded["mean"], recorded["low"], recorded["high"]) == score[:3]


def test_without_the_model_the_recorded_shares_remain():
    state = PromptState("feeling", 0, prompts.draw_prompts("feeling", 0, 1, 0)[0], {})
    assert numbers(state).names == ("mean",) and not picture(state)["computed"]
    assert prompt_questions(state) == []
    said = one_prompt_text.sentence(state) + " ".join(one_prompt_text.formula(state))
    assert "{mean}" in said and not re.search(r"\{p ", said)


def test_of_a_typed_sentence_nobody_knows_what_is_right():
    prompt = Prompt(("it", "was", MASK, "."), ("good", "bad"), "")
    state = PromptState("feeling", 0, prompt, {"english": [0.2, 0.1]})
    assert "right is" not in one_prompt_text.sentence(state)
