"""The sentence, the formula and the description of one prompt."""

from __future__ import annotations

from drawing.live import quoted
from lessons.transfer.uses.one_prompt_picture import NAMES, PromptState
from lmcore.transfer import prompts


def sentence(state: PromptState) -> str:
    """What the model puts into the gap, and how many prompts are answered right, as a template."""
    begin = {0: "**Zero-shot**", 1: "**One solved example**"}.get(
        state.shots, f"**{state.shots} solved examples**"
    )
    recorded = f"of {prompts.TESTED} such prompts at most, =={{mean}}== are right"
    if not state.scores:
        return f"{begin}: {recorded}."
    word = quoted(state.prompt.candidates[state.best])
    at = prompts.MODELS[state.task].index(state.model)
    says = f"{NAMES[state.model]} fills in **{word}**, p = {{p {at} {state.best}}}"
    return f"{begin}: {says}{_verdict(state)}. Of all prompts tried, =={{mean}}== are right."


def _verdict(state: PromptState) -> str:
    if not state.prompt.answer:
        return ""
    right = state.prompt.candidates[state.best] == state.prompt.answer
    return "" if right else f"; right is {quoted(state.prompt.answer)}"


def formula(state: PromptState) -> list[str]:
    """The answer as the likeliest candidate."""
    at = prompts.MODELS[state.task].index(state.model)
    if not state.scores:
        return ["answer = argmax p(word | prompt)", "no weight changes"]
    shares = ", ".join(f"{{p {at} {n}}}" for n in range(len(state.prompt.candidates)))
    best = quoted(state.prompt.candidates[state.best])
    return [
        f"answer = argmax p(word | prompt) = argmax [activation|({shares})] = **{best}**",
        "no weight changes",
    ]


def describe(state: PromptState) -> str:
    """The alt text."""
    recorded = "; ".join(
        f"{NAMES[model]}: "
        + ", ".join(
            f"{each.mean:.2f} with k = {k:g}"
            for k, each in prompts.recorded_shots(model, state.task).items()
        )
        for model in prompts.MODELS[state.task]
    )
    text = quoted(" ".join(state.prompt.words))
    return (
        f"The prompt: {text}. Candidates: {quoted(', '.join(state.prompt.candidates))}. Recorded "
        f"shares of right answers: {recorded}."
    )
