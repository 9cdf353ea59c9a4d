"""The view “Prompts”: a task as a text with a gap, with k solved examples in front of it."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

import numpy as np
import streamlit as st

import ui
from drawing.payload import CHIPS, Chip, ChipRow, ChipsPayload
from drawing.probability_grid import DescribedGrid, grid
from lessons.transfer import transfer_figures
from lessons.transfer.transfer_state import SETTINGS
from lessons.transfer.uses.one_prompt_picture import NAMES
from lmcore.numbers import format_number
from lmcore.shipped import english
from lmcore.training.masked_batches import MASK
from lmcore.transfer import prompts
from lmcore.transfer.curves import Score
from lmcore.transfer.prompts import Prompt
from lmcore.typed import fold
from ui import compute

NOTHING = ui.LiveNumbers("prompts", (), np.empty(0))
WITHOUT_MINILM = "The English model needs MiniLM, which is not installed on this server."
MOST_WORDS = 30


def prompts_view() -> None:
    """Draw the prompt, the candidates' probabilities, and the recorded accuracy by k."""
    task, shots = SETTINGS.choice("pm_task"), int(SETTINGS.choice("pm_shots"))
    st.markdown(finding(task))
    left, right = st.columns([3, 2])
    with left:
        SETTINGS.draw("pm_task", "pm_shots")
        if task == "feeling":
            SETTINGS.draw("pm_own")
        show_prompt(task, shots)
    with right:
        show_recorded()


def show_prompt(task: str, shots: int) -> None:
    """Draw one prompt, and the shipped models' probabilities at its gap."""
    if task == "feeling" and not english.is_available():
        st.caption(WITHOUT_MINILM)
        return
    prompt, scores = ui.validated_or_previous(
        f"prompt {task}",
        partial(read_scored, task, shots),
        partial(score, task, prompts.draw_prompts(task, shots, 1, 0)[0]),
    )
    chips: ChipsPayload = {"views": [[chips_row(prompt)]], "pick": ""}
    ui.picture(CHIPS, NOTHING, chips)
    ui.probability_grid("candidates", candidates_grid(prompt, scores))
    st.caption(
        "p of each candidate at the gap, among all words; computed now. No weight has changed. A "
        "GPT reads what is left of the gap."
    )


def read_scored(task: str, shots: int) -> tuple[Prompt, dict[str, list[float]]]:
    """The prompt of the controls with its candidates' probabilities.

    Raises:
        ValueError: if the typed sentence is too long.
    """
    prompt = prompts.draw_prompts(task, shots, 1, 0)[0]
    own = fold(SETTINGS.text("pm_own")).split() if task == "feeling" else []
    if len(own) > MOST_WORDS:
        raise ValueError(f"the sentence must have at most {MOST_WORDS} words; got {len(own)}")
    if own:
        if own[-1] != ".":
            own.append(".")
        prompt = prompts.prompt_for(own, prompts.draw_prompts(task, 0, shots, 1))
    return score(task, prompt)


def score(task: str, prompt: Prompt) -> tuple[Prompt, dict[str, list[float]]]:
    """The prompt with the probability of each candidate by each model."""
    found = {
        model: compute.shared_result(
            "candidates of a prompt",
            partial(prompts.score_candidates, model, prompt),
            most=256,
            says="Reading the prompt",
        )
        for model in prompts.MODELS[task]
    }
    return prompt, {model: np.exp(scores).tolist() for model, scores in found.items()}


def chips_row(prompt: Prompt) -> ChipRow:
    """The words of a prompt; its gap is marked."""
    at = prompt.words.index(MASK)
    ends = [i for i, word in enumerate(prompt.words) if word == "."]
    begin = ends[-3] + 1 if len(ends) > 2 else 0
    chips: list[Chip] = [
        {
            "text": word,
            "kind": "masked" if i == at else "part2" if i < begin else "part1",
            "below": "",
        }
        for i, word in enumerate(prompt.words)
    ]
    return {"title": "the prompt", "said": "solved examples, then the question", "chips": chips}


def candidates_grid(prompt: Prompt, scores: dict[str, list[float]]) -> DescribedGrid:
    """The probabilities of the candidates, a row for each model."""
    rows = {NAMES[model]: shares for model, shares in scores.items()}
    said = "; ".join(
        f"{name}: " + ", ".join(format_number(p) for p in shares) for name, shares in rows.items()
    )
    return {**grid(list(prompt.candidates), rows), "alt": f"{', '.join(prompt.candidates)}. {said}"}


def finding(task: str) -> str:
    """The recorded accuracy of each model on a task, without examples and with the most."""
    return describe_shots(
        {NAMES[model]: prompts.recorded_shots(model, task) for model in prompts.MODELS[task]}
    )


def describe_shots(found: Mapping[str, Mapping[float, Score]]) -> str:
    """The accuracy of each model without examples and with the most, and what was not measured."""
    said, clear = list[str](), list[str]()
    for name, scores in found.items():
        none, most = scores[0.0], scores[float(max(prompts.SHOTS))]
        said.append(
            f"{name} zero-shot **{none.mean:.3f}**, with {max(prompts.SHOTS)} solved "
            f"examples **{most.mean:.3f}**"
        )
        if most.low > none.high or none.low > most.high:
            clear.append(f"{name} has {'more' if most.mean > none.mean else 'fewer'} right")
    why = (
        f" With examples {' and '.join(clear)}; why was not measured."
        if clear
        else " No clear difference."
    )
    return f"The task is put as a text with a gap: {'; '.join(said)}; by chance ½.{why}"


def show_recorded() -> None:
    """Draw the recorded accuracy against the number of solved examples."""
    rows = {
        f"{NAMES[model]}": prompts.recorded_shots(model, task)
        for task, models in prompts.MODELS.items()
        for model in models
    }
    ui.show_figure(
        transfer_figures.scores_figure(
            rows,
            ui.theme_mode(),
            across={"title": "solved examples in front, k", "tickvals": list(prompts.SHOTS)},
            low=0.3,
        ),
        name="shots",
        reading=f"Each on up to {prompts.TESTED} different prompts, with 95 % intervals; "
        f"recorded on {prompts.recorded_on()[0]}.",
        alt="; ".join(
            f"{name}: " + ", ".join(f"k = {k:g}: {score.mean:.2f}" for k, score in found.items())
            for name, found in rows.items()
        ),
    )
