"""Pairs of texts: the picture’s data, rows and sentences for next sentence prediction."""

from __future__ import annotations

import math
from typing import TypedDict

import torch
from torch import Tensor

from drawing.payload import NumberName, Script
from drawing.steps import StepRow
from lmcore.masked_lm.next_sentence import NAMES, NextSentenceAccuracy, NextSentenceTrace
from lmcore.numbers import format_number, latex
from lmcore.pretrained.reading import TokenizedText

CHANCE = math.log(2)
MEASURED = ("label", "pairs", "accuracy", "chance", "mean loss, nats", "ln 2")
EXAMPLES = (
    ("Pickles are delicious.", "However, cucumbers make me burp."),
    ("Pickles are delicious.", "The NASDAQ was up 10 points."),
    ("the man went to [MASK] store", "he bought a gallon [MASK] milk"),
    ("the man [MASK] to the store", "penguin [MASK] are flightless birds"),
)
"""Pairs of the slides, for models that have their words."""
WHAT_FOR = (
    "A model that reads two texts at once can do more than predict what comes next: judge whether "
    "they mean the same (paraphrase), whether the first implies the second (entailment), how they "
    "are connected (discourse coherence). In each case the vector of [CLS] goes into a small head. "
    "RoBERTa later left this second task out and packed whole sentences instead: see Masking, "
    "Corruption, RoBERTa packing. BART, which learns to restore a corrupted text, is "
    "there as well."
)


class PairPayload(TypedDict):
    """Two texts, and the two answers with the names of their numbers p0 and p1."""

    titles: list[str]
    first: list[str]
    second: list[str]
    labels: list[str]
    says: list[str]
    truth: str
    """What the pair is, if it was drawn at random and is not asked for."""
    marked: NumberName


PAIR = Script("pair", PairPayload, ("h", "c", "l#", "p#", "n#"))
ASKED = "Does the second text **continue** the first? The **?** are shown once you have answered."


def picture(reading: TokenizedText, found: NextSentenceTrace, label: int | None) -> PairPayload:
    """The data of `lessons/bert/pair.js`."""
    second = len(reading.tokens) - int(reading.segments.sum())
    return {
        "titles": [
            f"Segment A: {second} tokens",
            f"Segment B: {len(reading.tokens) - second} tokens",
        ],
        "first": list(reading.tokens[:second]),
        "second": list(reading.tokens[second:]),
        "labels": list(NAMES),
        "says": ["B continues A", "another document"],
        "truth": "" if label is None else f"It was drawn as {NAMES[label]}",
        "marked": f"p{int(found.probabilities.argmax())}",
    }


def finding(found: NextSentenceTrace, name: str) -> str:
    """The model's answer and its loss, as a template."""
    best = int(found.probabilities.argmax())
    means = "B continues A" if best == 0 else "B is from another document"
    begins = name[:1].upper() + name[1:]
    return (
        f"{begins} answers “{means}”: **{NAMES[best]}** =={{p{best}}}==. If that is right, the "
        f"loss is {{n{best}}} nats; that of a coin toss is {format_number(CHANCE)}."
    )


def formula() -> list[str]:
    """The softmax of the two logits, as a template."""
    whole = "exp({l0}) / (exp({l0}) + exp({l1}))"
    return [
        f"[activation|p(IsNext)] = {whole} = **{{p0}}**",
        "[score|logits] = W·tanh(W_p·h + b_p) + b",
    ]


def describe(first: str, second: str, *, asked: bool) -> str:
    """Alt text of the picture, as a template."""
    answer = "Which answer?" if asked else "IsNext {p0}, NotNext {p1}."
    return f"Segment A: “{first}”. Segment B: “{second}”. {answer}"


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


def softmax_formula(found: NextSentenceTrace) -> str:
    """The softmax of the two logits with their numbers, in LaTeX."""
    one, two = map(latex, found.logits.tolist())
    p = [format_number(each) for each in found.probabilities.tolist()]
    return rf"\text{{softmax}}({one},\ {two}) = ({p[0]},\ {p[1]})"


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
