"""Pairs of texts: chips, rows and sentences for next sentence prediction."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import torch
from torch import Tensor

from lessons.shared import probability_grid
from lessons.shared.payload import Chip, ChipRow
from lessons.shared.steps import StepRow
from lmcore.masked_lm.next_sentence import NAMES, NextSentenceAccuracy, NextSentenceTrace
from lmcore.numbers import format_number, latex
from lmcore.pretrained.reading import TokenizedText

NONE = np.empty(0)
CHANCE = math.log(2)
MEASURED = ("label", "pairs", "accuracy", "chance", "mean loss, nats", "ln 2")
EXAMPLES = (
    ("Pickles are delicious.", "However, cucumbers make me burp."),
    ("Pickles are delicious.", "The NASDAQ was up 10 points."),
    ("the man went to [MASK] store", "he bought a gallon [MASK] milk"),
    ("the man [MASK] to the store", "penguin [MASK] are flightless birds"),
)
"""Pairs of the slides, for models that know their words."""
NO_HEAD = (
    "{name} has no head for pairs of texts: its file holds the encoder alone. The picture shows "
    "its input; our small encoder, or any BERT with its NSP head, can classify the pair."
)
WHAT_FOR = (
    "A model that reads two texts at once can do more than predict what comes next: judge whether "
    "they mean the same (paraphrase), whether the first implies the second (entailment), how they "
    "are connected (discourse coherence). In each case the vector of [CLS] goes into a small head. "
    "RoBERTa later left this second task out and packed whole sentences instead: see Masking, "
    "Corruption, RoBERTa packing. BART, which learns to restore a corrupted text, is "
    "there as well."
)


def chips(reading: TokenizedText) -> list[ChipRow]:
    """The data of `lessons/shared/chips.js`: each token with its segment."""
    words: list[Chip] = [
        {"text": token, "below": f"S_{'AB'[segment]}",
         "kind": "frame" if special else f"part{segment + 1}"}
        for token, segment, special in zip(
            reading.tokens, reading.segments.tolist(), reading.special.tolist(), strict=True
        )
    ]  # fmt: skip
    second = int(reading.segments.sum())
    said = f"{len(words) - second} tokens in segment A, {second} in segment B"
    return [{"title": "What the model reads", "said": said, "chips": words}]


def verdict(found: NextSentenceTrace) -> probability_grid.NamedGrid:
    """The two probabilities side by side, with their logits."""
    p = found.probabilities.tolist()
    said = f"IsNext {format_number(p[0])}, NotNext {format_number(p[1])}"
    logits = found.logits.tolist()
    ends = {"logit, Is": [logits[0]], "logit, Not": [logits[1]]}
    drawn = probability_grid.grid(NAMES, {"p": p}, ends=ends)
    return {**drawn, "alt": f"The model's verdict: {said}.", "name": "next"}


def numbers(found: NextSentenceTrace) -> dict[str, Tensor]:
    """Every number of `steps`."""
    named = {"h": found.start.norm(), "c": found.pooled.norm()}
    for i in range(2):
        named |= {f"l{i}": found.logits[i], f"p{i}": found.probabilities[i]}
        named[f"n{i}"] = found.losses[i]
    return {name: torch.as_tensor(value).double() for name, value in named.items()}


def steps(found: NextSentenceTrace) -> tuple[StepRow, ...]:
    """The steps from the vector of [CLS] to the probabilities and the losses."""
    wide = f"({len(found.start)})"
    return (
        StepRow("[CLS] after the last block", "h⁽ᴺ⁾[0]", "norm {h}", "h", "activation", wide),
        StepRow("pooled", "tanh(h W_p + b_p)", "norm {c}", "c", "activation", wide),
        StepRow("logit, IsNext", "c · W_nsp[:, 0] + b", "{l0}", "", "score"),
        StepRow("logit, NotNext", "c · W_nsp[:, 1] + b", "{l1}", "", "score"),
        StepRow("p(IsNext)", "1 / (1 + e^({l1:p} − {l0:p}))", "{p0}", "", "activation"),
        StepRow("loss if it is", "−log {p0}", "{n0} nats", "", "loss"),
        StepRow("loss if it is not", "−log {p1}", "{n1} nats", "", "loss"),
    )


def measured_rows(found: NextSentenceAccuracy) -> list[tuple[str, *tuple[float, ...]]]:
    """The rows of the table of measurements; the columns are `MEASURED`."""
    return [("all pairs", found.pairs, found.accuracy, 0.5, found.loss, CHANCE)]


def formula(logits: Sequence[float], probabilities: Sequence[float]) -> str:
    """The softmax of two logits."""
    one, two = map(latex, logits)
    return (
        rf"\text{{softmax}}({one},\ {two}) = ({format_number(probabilities[0])},\ "
        rf"{format_number(probabilities[1])})"
    )


def notice(probabilities: Sequence[float], losses: Sequence[float]) -> list[str]:
    """The model's answer for a pair, and its loss for either label."""
    first = probabilities[0] >= probabilities[1]
    return [
        f"The model’s answer is **{'IsNext' if first else 'NotNext'}**, "
        f"{format_number(max(probabilities))}.",
        f"If the second text does continue the first, the loss is {format_number(losses[0])} "
        f"nats; if it does not, {format_number(losses[1])}. A coin toss costs "
        f"ln 2 = {format_number(math.log(2))} either way.",
    ]


def snippet(first: str, second: str) -> str:
    """A script that prints the probability on screen."""
    return f"""from lmcore.masked_lm import next_sentence
from lmcore.pretrained.reading import VocabularyModel
from lmcore.shipped.models import encoder

network, vocabulary, *_ = encoder()
reader = VocabularyModel("our small encoder", network, vocabulary)
found = next_sentence.predict_next_sentence(network, reader.read({first!r}, {second!r}))
print("logits", found.logits.tolist())
print("IsNext, NotNext", found.probabilities.tolist())
"""
