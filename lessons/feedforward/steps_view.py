"""The picture of a model that learns word by word: a loss at each word, a step of all weights."""

from __future__ import annotations

import math
from functools import lru_cache, partial
from typing import NamedTuple, TypedDict

import numpy as np
import torch

import ui
from drawing.events import Moved
from drawing.payload import Script
from lessons.feedforward import steps_text
from lessons.feedforward.feedforward_questions import step_questions
from lessons.feedforward.feedforward_state import LESSON, SETTINGS, WALKED
from lmcore import parsing
from lmcore.corpora.microworld import microworld, training_documents
from lmcore.models.feedforward import FeedforwardConfig
from lmcore.optimization.text_steps import TextSteps, trace_text_steps
from lmcore.vocabulary import START
from ui import compute

SEE = "Word by word"
LATEST = 20
"""How many words the mean of the loss is taken over."""
TEXTS, DRAW = 60, 1
"""The training texts that are joined are the first of so many, drawn with this seed."""


class WordStep(TypedDict):
    """A word of the text, −log ŷ before and after its step, and the weight that is followed."""

    word: str
    loss: float
    after: float
    weight: str


class WordStepsPayload(TypedDict):
    """All words in their order, and what their losses are compared with."""

    steps: list[WordStep]
    reads: int
    """How many words before it the model reads."""
    uniform: float
    """The loss of a model that knows nothing: ln |V|."""
    types: int
    rate: float


WORD_STEPS = Script(
    "wordbyword",
    WordStepsPayload,
    ("s", "p", "loss", "after", "theta", "gradient", "change", "next", "mean", "@say"),
)


class Walk(NamedTuple):
    """The steps of a model through a text, at one of them."""

    trace: TextSteps
    rate: float
    at: int
    """How many words have been read, from 1."""

    @property
    def words(self) -> tuple[str, ...]:
        """The text."""
        return tuple(microworld().vocabulary.decode(self.trace.targets.tolist()))

    @property
    def means(self) -> torch.Tensor:
        """The mean loss of the last words, at each step."""
        total = torch.cat([torch.zeros(1, dtype=torch.float64), self.trace.loss.cumsum(dim=0)])
        ends = torch.arange(1, len(total))
        starts = (ends - LATEST).clamp(min=0)
        return (total[ends] - total[starts]) / (ends - starts)


def show(rows: ui.Rows) -> None:
    """Draw the text, its losses and the step on the stage, and beside it the rate and the place."""
    walk = read_walk()
    live = live_numbers(walk)
    with rows.rail:
        hidden = ui.predict_first(step_questions(walk))
        ui.sliders(live, on_settled=store_step)
        SETTINGS.draw("walk_rate")
    with rows.picture:
        texts = ui.stage_texts(
            LESSON,
            sentences=steps_text.sentences(walk),
            formula=[steps_text.formula(walk)],
            alt=steps_text.describe(walk),
            kind="computed",
            hidden=hidden,
        )
        ui.main_picture(WORD_STEPS, live, steps_picture(walk), texts)


def read_walk() -> Walk:
    """What the controls describe."""
    rate = float(SETTINGS.choice("walk_rate"))
    made = partial(walk_through, rate)
    trace = compute.shared_result("word by word", made, most=8, says="Reading the text")
    return Walk(trace, rate, int(SETTINGS.number("walk_at")))


def walk_through(rate: float) -> TextSteps:
    """The steps through the first training texts, from random weights."""
    vocabulary = microworld().vocabulary
    config = FeedforwardConfig(len(vocabulary), start=vocabulary.ids[START])
    return trace_text_steps(config, joined_texts(), rate)


@lru_cache(maxsize=1)
def joined_texts() -> tuple[int, ...]:
    """The first words of the training texts, one text after the other."""
    drawn = microworld().sample(TEXTS, np.random.default_rng(DRAW))
    return tuple(training_documents(drawn).tokens[1 : WALKED + 1].tolist())


def live_numbers(walk: Walk) -> ui.LiveNumbers:
    """The numbers of the step now, and at every word along the slider."""
    its = walk.trace
    count = torch.arange(1, len(its.loss) + 1, dtype=torch.float64)
    columns = {
        "s": count,
        "p": (-its.loss).exp(),
        "loss": its.loss,
        "after": its.loss_after,
        "theta": its.weight,
        "gradient": its.gradient,
        "change": its.weight_after - its.weight,
        "next": its.weight_after,
        "mean": walk.means,
        "@say": count - 1,
    }
    table = np.stack([each.numpy() for each in columns.values()], axis=-1)
    watch = "The loss of the words that come again falls first"
    slider = ui.Slider("s", "words read", "words read", walk.at, count.numpy(), watch, "loss")
    return ui.LiveNumbers("word-steps", tuple(columns), table[walk.at - 1], (slider,), [table])


def steps_picture(walk: Walk) -> WordStepsPayload:
    """The data of `lessons/feedforward/wordbyword.js` without the numbers of the step."""
    vocabulary = microworld().vocabulary
    its = walk.trace
    rows = zip(
        walk.words, its.loss.tolist(), its.loss_after.tolist(), its.places.tolist(), strict=True
    )
    return {
        "steps": [
            {
                "word": word,
                "loss": loss,
                "after": after,
                "weight": f"from hidden unit {unit + 1} to the score of {vocabulary.tokens[row]}",
            }
            for word, loss, after, (row, unit) in rows
        ],
        "reads": FeedforwardConfig(len(vocabulary)).context,
        "uniform": math.log(len(vocabulary)),
        "types": len(vocabulary),
        "rate": walk.rate,
    }


def store_step(moved: Moved) -> None:
    """Store how many words have been read."""
    try:
        at = parsing.parse_number(moved["typed"], "the number of words")
        if at not in range(1, WALKED + 1):
            raise ValueError(
                f"the words read must be a whole number from 1 to {WALKED}; got {at:g}"
            )
        ui.set_controls({"walk_at": str(int(at))})
    except ValueError as error:
        ui.show_error_later(error)
