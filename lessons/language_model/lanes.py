"""A sentence under several models, one lane each: its numbers by name, and the picture's payload.

The numbers of a lane are named after its model: `rnn.3` is p of the third word, `rnn.product`,
`rnn.sum`, `rnn.loss` and `rnn.perplexity` are the sentence's, `rnn.next0` is p of the likeliest
next word.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias, TypedDict

import torch

from drawing.events import PlaceOrNone
from drawing.payload import NumberName, Script
from lmcore.corpora.microworld import microworld
from lmcore.evaluation import costs
from lmcore.evaluation.sentence import SentenceAnswer, SentenceQuestion
from lmcore.models.language_model import LanguageModel
from lmcore.models.ngram import NGram, NGramTrace
from lmcore.models.registry import NeuralModel, device_of

GRAMMAR, COMPLETED_GRAMMAR = "Grammar", "Grammar, completed"
TRUTHS = {"grammar": GRAMMAR, "completed": COMPLETED_GRAMMAR}
"""The lanes that are not models: name → label."""
TRUTH_NOTES = {GRAMMAR: "the rules of the texts", COMPLETED_GRAMMAR: "its gap filled in"}
ENDS = ("product", "sum", "loss", "perplexity")
EXPECTED = 3
"""Likeliest next words that a lane shows."""


class Lane(NamedTuple):
    """A model with its answer about the sentence."""

    name: str
    label: str
    model: LanguageModel
    answer: SentenceAnswer

    @property
    def note(self) -> str:
        """What kind of model it is and how many words it sees."""
        if self.label in TRUTH_NOTES:
            return TRUTH_NOTES[self.label]
        sees = costs.context_length(self.model)
        window = "all words" if math.isinf(sees) else f"{sees:.0f} word{'s' * (sees != 1)}"
        window = window if sees else "no words"
        if not isinstance(self.model, NGram):
            return f"network, sees {window}"
        smoothing = self.model.config.smoothing
        if smoothing == "kneser-ney":
            return "asks shorter contexts too"
        return f"counts{' + 1' * (smoothing == 'add-k')}, sees {window}"

    @property
    def expected(self) -> list[int]:
        """The likeliest next tokens, those with p = 0 left out."""
        best = self.answer.expected.topk(EXPECTED)
        return [int(i) for p, i in zip(best.values, best.indices, strict=True) if p > 0]


@dataclass(frozen=True, slots=True, eq=False)
class SentenceLanes:
    """The lanes of a sentence; `chosen` is the one that texts speak of.

    `words` are the predicted tokens; the selected place is the question's.
    """

    question: SentenceQuestion
    lanes: tuple[Lane, ...]
    chosen: int
    words: tuple[str, ...]

    @property
    def lane(self) -> Lane:
        """The chosen lane."""
        return self.lanes[self.chosen]

    @property
    def is_next(self) -> bool:
        """Whether the selected place is that of the word after the last."""
        return self.question.target is None

    @property
    def token(self) -> int | None:
        """The selected token; for the next word the likeliest one, None if there is none."""
        target = self.question.target
        return target if target is not None else next(iter(self.lane.expected), None)

    @property
    def slot(self) -> str:
        """The name of the selected number."""
        return self.slot_of(self.lane)

    def slot_of(self, lane: Lane) -> str:
        """The name of a lane's number at the selected place."""
        return f"{lane.name}.{'next0' if self.is_next else self.question.place}"

    def p(self, lane: Lane) -> float:
        """A lane's p of the selected token."""
        return 0.0 if self.token is None else float(lane.answer.expected[self.token])


def sentence_lanes(
    question: SentenceQuestion,
    models: Mapping[str, tuple[str, LanguageModel]],
    answers: Mapping[str, SentenceAnswer],
    chosen: str,
) -> SentenceLanes:
    """One lane for each answer; `chosen` is the name of the selected one, by default the first.

    `models` maps each label to a name and a model; the grammar need not be among them.
    """
    named = {
        **models,
        GRAMMAR: ("grammar", microworld()),
        COMPLETED_GRAMMAR: ("completed", microworld(complete=True)),
    }
    lanes = tuple(
        Lane(named[label][0], label, named[label][1], each) for label, each in answers.items()
    )
    names = [lane.name for lane in lanes]
    words = tuple(microworld().vocabulary.decode(question.ids[1:]))
    at = names.index(chosen) if chosen in names else 0
    return SentenceLanes(question, lanes, at, words)


def lane_numbers(shown: SentenceLanes) -> dict[str, float]:
    """Every number of the picture, of its sentence and of its formula."""
    now: dict[str, float] = {}
    for lane in shown.lanes:
        score = lane.answer.score
        for t, p in enumerate(score.probabilities.tolist(), start=1):
            now[f"{lane.name}.{t}"] = min(p, 1.0)  # rounding may leave a little above 1
        ends = (score.product, score.total, -score.total, score.perplexity)
        now |= {f"{lane.name}.{end}": value for end, value in zip(ENDS, ends, strict=True)}
        if shown.is_next:
            for i, token in enumerate(lane.expected):
                now[f"{lane.name}.next{i}"] = float(lane.answer.expected[token])
    if shown.is_next and shown.slot not in now:
        now[shown.slot] = 0.0
    return now | _reasons(shown)


def trace_counts(shown: SentenceLanes) -> NGramTrace | None:
    """The counts behind the selected number; None if its lane is no n-gram model."""
    model, ids = shown.lane.model, shown.question.ids
    if not isinstance(model, NGram):
        return None
    token = shown.token if shown.token is not None else ids[-1]
    return model.explain(ids[: shown.question.place], token)


def _reasons(shown: SentenceLanes) -> dict[str, float]:
    """The terms of the selected number, its −log p, and the −log p of the costliest word."""
    losses = -shown.lane.answer.score.log_probabilities
    p = shown.p(shown.lane)
    found = {"cost": -math.log(p) if p else math.inf, "dearest": float(losses.max())}
    trace = trace_counts(shown)
    if trace is not None:
        step = trace.steps[-1]
        found |= {"count": step.count, "of": step.context_count}
        found |= {"kept": step.kept, "weight": step.weight, "lower": step.lower}
    elif isinstance(shown.lane.model, NeuralModel) and shown.token is not None:
        found |= _softmax_parts(shown.lane.model, shown.question.before, shown.token)
    elif not shown.is_next:
        before = shown.lane.answer.score.running_product.tolist()
        place = shown.question.place
        found |= {"prefix": ([1.0, *before])[place - 1], "longer": before[place - 1]}
    return found


@torch.no_grad()
def _softmax_parts(model: NeuralModel, before: tuple[int, ...], token: int) -> dict[str, float]:
    """exp of the token's logit, and the sum of all."""
    network = model.network
    logits, _ = network.logits_and_state(torch.tensor([list(before)], device=device_of(network)))
    last = logits[0, -1].cpu().double()
    return {
        "logit": float(last[token]),
        "exp": float(last[token].exp()),
        "exps": float(last.exp().sum()),
    }


class ExpectedPayload(TypedDict):
    """A word that a model expects next, and its number."""

    word: str
    slot: NumberName


class LanePayload(TypedDict):
    """A lane: its name among the numbers, its label, and the kind of its model."""

    name: str
    label: str
    note: str
    truth: bool
    """Whether it is the grammar, and no model."""
    expected: list[ExpectedPayload]


class LanesPayload(TypedDict):
    """A sentence, and a lane for each model."""

    words: list[str]
    here: int
    """The selected place, from 0; one past the words is the next word."""
    chosen: int
    lanes: list[LanePayload]


PressedPlace: TypeAlias = tuple[PlaceOrNone, PlaceOrNone]
"""A lane and a word that were pressed; -1 means the selected one."""
OF_LANES = ("*.#", *(f"*.{end}" for end in ENDS), "*.next#")
"""The numbers of each lane: * is the name of its model."""
COSTS = ("cost", "dearest")
COUNTED = ("count", "of", "kept", "weight", "lower")
SOFTMAX = ("logit", "exp", "exps")
MULTIPLIED = ("prefix", "longer")
LANES = Script(
    "language_model",
    LanesPayload,
    (*OF_LANES, *COSTS, *COUNTED, *SOFTMAX, *MULTIPLIED),
    PressedPlace,
)


def lanes_picture(shown: SentenceLanes) -> LanesPayload:
    """The data of `lessons/language_model/language_model.js` without the numbers."""
    tokens = microworld().vocabulary.tokens
    lanes: list[LanePayload] = [
        {
            "name": lane.name,
            "label": lane.label,
            "note": lane.note,
            "truth": lane.name in TRUTHS,
            "expected": [
                {"word": tokens[token], "slot": f"{lane.name}.next{i}"}
                for i, token in enumerate(lane.expected if shown.is_next else ())
            ],
        }
        for lane in shown.lanes
    ]
    return {
        "words": list(shown.words),
        "here": shown.question.place - 1,
        "chosen": shown.chosen,
        "lanes": lanes,
    }
