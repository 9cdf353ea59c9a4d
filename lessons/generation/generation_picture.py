"""The data of Generation's scripts: the strategies side by side, and one choice in detail."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias, TypedDict, cast, get_args

import torch
from torch import Tensor
from typing_extensions import TypedDict as EventDict

from drawing.events import Name, Place
from drawing.payload import NumberArray, NumberName, Script
from drawing.theme import probability_colours
from lessons.generation import generation_text
from lmcore.decoding.continuations import Continuation
from lmcore.decoding.stepping import DecodingStep
from lmcore.decoding.strategies import STRATEGIES
from lmcore.decoding.sweeps import POSITIONS, SLIDER_RANGES, FirstTokenOdds, FirstTokenSweep
from lmcore.decoding.writer import Writer
from lmcore.numbers import format_number

LONGEST_LABEL = 18
"""Letters of a token on a button."""
StrategyName: TypeAlias = Literal[
    "greedy",
    "beam",
    "walk",
    "temperature",
    "top_k",
    "top_p",
    "min_p",
    "typical",
    "repetition",
    "together",
    "drawn_beam",
]
"""A key of `STRATEGIES`, which the names of its numbers contain."""


class TokenChip(TypedDict):
    """A token in a text; its colour is its probability."""

    text: str
    p: float
    fill: str
    ink: str
    forced: bool
    wrong: bool


class StrategyText(TypedDict):
    """A strategy, and the text it wrote."""

    name: StrategyName
    label: str
    brief: str
    """The label if there is little room."""
    how: str
    beyond: bool
    """Whether it goes beyond the lectures."""
    takes: list[NumberName]
    """The sliders that it depends on."""
    written: bool
    """Whether its text has been written; a large model only writes those of the lanes."""
    chips: list[TokenChip]
    sums: list[float]
    """log p of the text after each of its tokens."""
    first: int
    """The row of its first token; −1: the token has none."""
    perplexity: str
    same: str
    """An earlier strategy on screen with the same text; empty if there is none."""
    differs: str
    """The first token that differs from the first lane's text; empty if there is none."""
    note: str
    """Why it ended, or what is wrong with it."""
    wrong: bool
    """Whether the grammar excludes it."""


class StrategiesPayload(TypedDict):
    """The first choice, three strategies as lanes with their texts, and the others as cards."""

    prompt: str
    rows: list[str]
    """The most probable first tokens."""
    others: int
    """How many more tokens there are."""
    lanes: list[StrategyName]
    lane: StrategyName | Literal[""]
    """The chosen lane, whose distribution the bars show; empty if there is none."""
    strategies: list[StrategyText]
    """Those of the lanes, then those of the cards."""
    marked: NumberName
    """The number that the sentence names, or nothing."""
    types: int
    seed: int


class PressedStrategy(EventDict, total=False):
    """What was pressed: a lane, or a card that becomes a lane."""

    lane: Name
    promote: Name


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
    """The index of the stage that cut each token; below 0 if none did."""
    why: list[str]
    low: NumberArray
    """Where a token's part of the line from 0 to 1 begins."""
    high: NumberArray
    others: int
    otherP: NumberArray
    left: list[int]
    uniform: float | None
    """The random number of the draw; None if nothing is drawn."""
    free: int
    """The row that is chosen unless a token is forced; −1: none."""
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


class SteppingMove(EventDict, total=False):
    """The action: a step, another branch, a dropped branch, or a token forced at a place."""

    at: Place
    branch: Place
    drop: Place
    force: tuple[Place, Place]


OF_STRATEGY = ("{}.#", "{}.rest", "{}.mass", "@{}.kept", "@{}.chosen", "{}.total")
"""The numbers of each strategy; `numbers` explains them."""
STRATEGIES_SIDE_BY_SIDE = Script(
    "generation",
    StrategiesPayload,
    (
        *(each.format(name) for name in get_args(StrategyName) for each in OF_STRATEGY),
        "beam.score",
        "drawn_beam.score",
        "times",
        "perplexity",
        *SLIDER_RANGES,
    ),
    PressedStrategy,
)
"""`perplexity` is not a number: by this name, questions hide the perplexities in the lanes."""
STEPPING = Script("stepping", SteppingPayload, event=SteppingMove)


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
    """A token on a button: invisible characters are shown as signs, a long token is cut."""
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
    """The tokens of a text, as the script draws them."""
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


def strategies(
    writer: Writer,
    prompt: str,
    first: FirstTokenSweep,
    texts: Mapping[str, Continuation],
    lanes: Sequence[str],
    lane: str,
    seed: int,
) -> StrategiesPayload:
    """The data of `lessons/generation/generation.js` without the numbers.

    `texts` has the texts that were written, including those of all `lanes`.
    """
    shown = cast(Sequence[StrategyName], lanes)
    ordered = (*shown, *(name for name in get_args(StrategyName) if name not in lanes))
    return {
        "prompt": prompt,
        "rows": [label(writer, token) for token in first.tokens.tolist()],
        "others": writer.types - len(first.tokens),
        "lanes": list(shown),
        "lane": cast(StrategyName | Literal[""], lane),
        "strategies": [_strategy(writer, name, ordered, first, texts) for name in ordered],
        "marked": generation_text.marked(lanes, texts),
        "types": writer.types,
        "seed": seed,
    }


def _strategy(
    writer: Writer,
    name: StrategyName,
    ordered: Sequence[StrategyName],
    first: FirstTokenSweep,
    texts: Mapping[str, Continuation],
) -> StrategyText:
    strategy = STRATEGIES[name]
    text = texts.get(name)
    lane: StrategyText = {
        "name": name,
        "label": strategy.label,
        "brief": generation_text.BRIEF[name],
        "how": generation_text.STRATEGY_WORDS[name],
        "beyond": not strategy.in_the_decks,
        "takes": [taken for taken in strategy.takes if taken in SLIDER_RANGES],
        "written": text is not None,
        "chips": [],
        "sums": [],
        "first": -1,
        "perplexity": "",
        "same": "",
        "differs": "",
        "note": "press it to write its text",
        "wrong": False,
    }
    if text is None:
        return lane
    wrong = None if text.judged is None else text.judged.wrong
    rows = first.tokens.tolist()
    before = ordered[: ordered.index(name)]
    same = (each for each in before if each in texts and texts[each].tokens == text.tokens)
    lane["chips"] = chips(writer, text.tokens, text.log_p.exp().tolist(), wrong=wrong)
    lane["sums"] = text.log_p.cumsum(dim=0).tolist()
    lane["first"] = rows.index(text.tokens[0]) if text.tokens[:1] and text.tokens[0] in rows else -1
    lane["perplexity"] = format_number(text.perplexity) if text.tokens else ""
    lane["same"] = next((generation_text.NAMES[each] for each in same if text.tokens), "")
    lane["differs"] = _difference(writer, text, texts.get(ordered[0]))
    lane["note"] = generation_text.note(text)
    lane["wrong"] = wrong is not None
    return lane


def _difference(writer: Writer, text: Continuation, other: Continuation | None) -> str:
    """The first token of a text that differs from another text."""
    theirs = () if other is None else other.tokens
    for place, token in enumerate(text.tokens):
        if token != (theirs[place] if place < len(theirs) else None):
            return label(writer, token)
    return ""


def numbers(
    first: FirstTokenSweep,
    texts: Mapping[str, Continuation],
    sliders: Sequence[str],
    power: float,
) -> tuple[dict[str, Tensor], dict[str, Tensor]]:
    """Every number of the picture now, and at each position of each of the sliders.

    For strategy s: s.0 is p of the first row, s.rest of all tokens that are not shown, @s.kept how
    many may be chosen, s.mass their p under the model, @s.chosen the chosen row; s.total is log p
    of its text, and for a search s.score that divided by t to the `power`. `times` is how many
    times as probable as greedy's text beam search's is.
    """
    now, swept = dict[str, Tensor](), dict[str, Tensor]()
    shape = (len(sliders), POSITIONS)
    for name, odds in first.now.items():
        now |= _odds(name, odds)
        moved = [_odds(name, first.swept.get(slider, {}).get(name, odds)) for slider in sliders]
        for key, value in _odds(name, odds).items():
            rows = [each[key].expand(POSITIONS) for each in moved]
            swept[key] = torch.stack(rows) if rows else value.expand(shape)
    totals = {name: text.total if text.tokens else math.nan for name, text in texts.items()}
    still = {f"{name}.total": totals.get(name, math.nan) for name in first.now}
    for name, text in texts.items():
        if STRATEGIES[name].kind in ("beam", "drawn beam"):
            still[f"{name}.score"] = totals[name] / max(len(text.tokens), 1) ** power
    still["times"] = generation_text.times(
        totals.get("greedy", math.nan), totals.get("beam", math.nan)
    )
    for key, number in still.items():
        now[key] = torch.tensor(number, dtype=torch.float64)
        swept[key] = now[key].expand(shape)
    return now, swept


def _odds(name: str, odds: FirstTokenOdds) -> dict[str, Tensor]:
    rows = {f"{name}.{row}": p for row, p in enumerate(odds.probabilities.unbind(dim=-1))}
    return rows | {
        f"@{name}.chosen": odds.chosen,
        f"@{name}.kept": odds.kept,
        f"{name}.mass": odds.mass,
        f"{name}.rest": odds.rest,
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
        "stages": generation_text.STAGES,
        "ends": generation_text.ENDS,
    }


def _branch(writer: Writer, branch: SteppedBranch) -> BranchPayload:
    chances = [
        float(step.probabilities[0][step.tokens == step.chosen][0])
        for step in branch.steps
        if step.chosen is not None
    ]
    return {
        "title": generation_text.branch_title(
            branch.forced, len(branch.tokens), lambda token: label(writer, token)
        ),
        "chips": chips(writer, branch.tokens, chances, forced=branch.forced),
        "said": f"{generation_text.log_p_words(chances)}; {generation_text.ENDS[branch.end]}",
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
