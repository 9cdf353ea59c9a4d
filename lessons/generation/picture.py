"""Generation: every strategy's text in a card, and one choice opened up, for their scripts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypedDict

from lessons.generation import text as words
from lessons.shared.payload import NumberArray, Script
from lessons.shared.theme import probability_colours
from lmcore.decoding.continuations import Continuation
from lmcore.decoding.stepping import DecodingStep
from lmcore.decoding.strategies import STRATEGIES
from lmcore.decoding.sweeps import FirstTokenSweep
from lmcore.decoding.writer import Writer

LONGEST_LABEL = 18
"""Letters of a token on a button."""


class TokenChip(TypedDict):
    """A token in a text; its colour is its probability."""

    text: str
    p: float
    fill: str
    ink: str
    forced: bool
    wrong: bool


class StrategyCard(TypedDict):
    """A strategy: the text it wrote, and the text's numbers."""

    name: str
    label: str
    beyond: bool
    """Whether it is not in the lectures."""
    how: str
    chips: list[TokenChip]
    end: str
    facts: list[tuple[str, str]]


class CardsPayload(TypedDict):
    """One card per strategy, and the first token with the model's probabilities."""

    prompt: str
    rows: list[str]
    model: list[float]
    cards: list[StrategyCard]


class BranchPayload(TypedDict):
    """A text that was stepped through."""

    title: str
    chips: list[TokenChip]
    said: str


class StepPayload(TypedDict):
    """One choice: the likeliest tokens, a row each, and p of each after every stage."""

    ids: list[int]
    labels: list[str]
    ranks: list[int]
    names: list[str]
    """The stages."""
    p: NumberArray
    cut: list[int]
    """The stage that cut a token; below 0, none did."""
    why: list[str]
    low: NumberArray
    """Where a token's part of the line from 0 to 1 begins."""
    high: NumberArray
    others: int
    otherP: NumberArray
    left: list[int]
    uniform: float | None
    """Where the draw falls; none if nothing is drawn."""
    free: int
    """The row that would be chosen; −1: none."""
    chosen: int
    forced: bool
    end: str


class SteppingDrawing(TypedDict):
    """Branches, and every step of the selected one."""

    prompt: str
    branches: list[BranchPayload]
    branch: int
    at: int
    steps: list[StepPayload]
    stages: Mapping[str, str]
    ends: Mapping[str, str]


class SteppingPayload(SteppingDrawing):
    """Branches, every step of the selected one, and the seed they are drawn with."""

    seed: int


CARDS = Script("generation", CardsPayload)
STEPPING = Script("generation", SteppingPayload)


@dataclass(frozen=True, slots=True)
class SteppedBranch:
    """A text that was stepped through, and the tokens that were forced in it: place → id."""

    forced: Mapping[int, int]
    steps: tuple[DecodingStep, ...]

    @property
    def tokens(self) -> tuple[int, ...]:
        """The text's tokens after the last step."""
        return tuple(step.chosen for step in self.steps if step.chosen is not None)

    @property
    def end(self) -> str:
        """The reason it ends."""
        return self.steps[-1].end


def label(writer: Writer, token: int) -> str:
    """A token on a button: what cannot be seen has a sign, a long one is cut."""
    text = writer.shown(token).replace(" ", "␣").replace("\n", "⏎") or "␀"
    return text if len(text) <= LONGEST_LABEL else f"{text[: LONGEST_LABEL - 1]}…"


def chips(
    writer: Writer,
    tokens: Sequence[int],
    chances: Sequence[float],
    *,
    forced: Mapping[int, int] | None = None,
    wrong: int | None = None,
) -> list[TokenChip]:
    """A text as its script draws it."""
    made = list[TokenChip]()
    for place, (token, p) in enumerate(zip(tokens, chances, strict=True)):
        fill, ink = probability_colours(min(p, 1.0))
        here = forced is not None and forced.get(place) == token
        bad = wrong is not None and place >= max(wrong, 0)
        made.append(
            {
                "text": label(writer, token),
                "p": p,
                "fill": fill,
                "ink": ink,
                "forced": here,
                "wrong": bad,
            }
        )
    return made


def cards(
    writer: Writer, prompt: str, first: FirstTokenSweep, texts: Mapping[str, Continuation]
) -> CardsPayload:
    """Every strategy's card: the first token with its bars, the text, and its numbers."""
    return {
        "prompt": prompt,
        "rows": [label(writer, token) for token in first.tokens.tolist()],
        "model": first.model.tolist(),
        "cards": [_card(writer, name, text) for name, text in texts.items()],
    }


def _card(writer: Writer, name: str, text: Continuation) -> StrategyCard:
    strategy = STRATEGIES[name]
    wrong = None if text.judged is None else text.judged.wrong
    return {
        "name": name,
        "label": strategy.label,
        "beyond": not strategy.in_the_decks,
        "how": words.STRATEGY_WORDS[name],
        "chips": chips(writer, text.tokens, text.log_p.exp().tolist(), wrong=wrong),
        "end": words.ENDS[text.why],
        "facts": words.facts(writer, text),
    }


def stepper(
    writer: Writer, prompt: str, branches: Sequence[SteppedBranch], branch: int, at: int
) -> SteppingDrawing:
    """The branches side by side, and every step of the selected one."""
    steps = branches[branch].steps
    return {
        "prompt": prompt,
        "branches": [_branch(writer, each) for each in branches],
        "branch": branch,
        "at": at,
        "steps": [_step(writer, step) for step in steps],
        "stages": words.STAGES,
        "ends": words.ENDS,
    }


def _branch(writer: Writer, branch: SteppedBranch) -> BranchPayload:
    chances = [
        float(step.probabilities[0][step.tokens == step.chosen][0])
        for step in branch.steps
        if step.chosen is not None
    ]
    return {
        "title": words.branch_title(
            branch.forced, len(branch.tokens), lambda token: label(writer, token)
        ),
        "chips": chips(writer, branch.tokens, chances, forced=branch.forced),
        "said": f"{words.log_p_words(chances)}; {words.ENDS[branch.end]}",
    }


def _step(writer: Writer, step: DecodingStep) -> StepPayload:
    tokens = step.tokens.tolist()
    places = {token: row for row, token in enumerate(tokens)}
    return {
        "ids": tokens,
        "labels": [label(writer, token) for token in tokens],
        "ranks": step.ranks.tolist(),
        "names": list(step.stages),
        "p": step.probabilities.numpy(),
        "cut": list(step.cut),
        "why": list(step.why),
        "low": step.low.numpy(),
        "high": step.high.numpy(),
        "others": step.others,
        "otherP": step.other_probabilities.numpy(),
        "left": list(step.left),
        "uniform": step.uniform,
        "free": -1 if step.free is None else places[step.free],
        "chosen": -1 if step.chosen is None else places[step.chosen],
        "forced": step.forced,
        "end": step.end,
    }
