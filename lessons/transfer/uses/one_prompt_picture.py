"""A task put as a text with a gap: the prompt, p of each candidate, and the recorded shares."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple, TypedDict

import torch

from drawing.live import LiveNumbers, live_numbers
from drawing.payload import Script
from lmcore.training.masked_batches import MASK
from lmcore.transfer import prompts
from lmcore.transfer.curves import Score
from lmcore.transfer.prompts import Prompt

NAMES = {
    "gpt": "our mini-GPT",
    "encoder": "our mini-BERT",
    "english": "our English model",
}


class ShotsData(TypedDict):
    """The recorded share of right answers with so many solved examples, and its interval."""

    shots: int
    mean: float
    low: float
    high: float


class PromptModel(TypedDict):
    """A model that answers, and what was recorded of it."""

    name: str
    recorded: list[ShotsData]


class OnePromptPayload(TypedDict):
    """The prompt line by line, the candidates for its gap, and the models that answer."""

    lines: list[list[str]]
    gap: str
    answer: str
    candidates: Sequence[str]
    shots: int
    models: list[PromptModel]
    computed: bool
    """Whether the models could be asked on this server."""


ONE_PROMPT = Script("one_prompt", OnePromptPayload, ("p # #", "mean"))


class PromptState(NamedTuple):
    """A task, how many solved examples stand in front, the prompt, and p of each candidate."""

    task: str
    shots: int
    prompt: Prompt
    scores: Mapping[str, Sequence[float]]
    """Model → p of each candidate; empty where the models cannot be asked."""

    @property
    def model(self) -> str:
        """The model that the sentence is about."""
        return prompts.MODELS[self.task][-1]

    @property
    def best(self) -> int:
        """The candidate that this model finds likeliest."""
        shares = list(self.scores[self.model])
        return shares.index(max(shares))

    @property
    def recorded(self) -> Score:
        """What was recorded of this model with as many examples."""
        return prompts.recorded_shots(self.model, self.task)[float(self.shots)]


def numbers(state: PromptState) -> LiveNumbers:
    """p of each candidate by each model, and the recorded share of right answers."""
    found = {"mean": state.recorded.mean}
    for m, model in enumerate(prompts.MODELS[state.task]):
        for c, share in enumerate(state.scores.get(model, ())):
            found[f"p {m} {c}"] = share
    tensors = {name: torch.tensor(float(n), dtype=torch.float64) for name, n in found.items()}
    return live_numbers("one-prompt", tensors, [], {})


def picture(state: PromptState) -> OnePromptPayload:
    """The data of `lessons/transfer/one_prompt.js` other than the numbers."""
    return {
        "lines": lines_of(state.prompt),
        "gap": MASK,
        "answer": state.prompt.answer,
        "candidates": list(state.prompt.candidates),
        "shots": state.shots,
        "models": [
            {
                "name": NAMES[model],
                "recorded": [
                    {"shots": int(k), "mean": each.mean, "low": each.low, "high": each.high}
                    for k, each in prompts.recorded_shots(model, state.task).items()
                ],
            }
            for model in prompts.MODELS[state.task]
        ],
        "computed": bool(state.scores),
    }


def lines_of(prompt: Prompt) -> list[list[str]]:
    """The words of each example, and last those with the gap: two sentences a line."""
    lines, ends = [list[str]()], 0
    for n, word in enumerate(prompt.words):
        lines[-1].append(word)
        ends += word == "."
        if ends == 2 and n + 1 < len(prompt.words):
            lines.append([])
            ends = 0
    return lines
