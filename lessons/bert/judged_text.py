"""What one vector of two texts is used for: four judgements, the picture’s data and its texts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, TypedDict

import torch
from torch import Tensor

from drawing.events import Name
from drawing.payload import Script
from lmcore.masked_lm.next_sentence import NextSentenceAccuracy
from lmcore.numbers import format_number
from lmcore.results.tables import load_results

COIN = 50.0
"""Per cent that a coin toss gets right of two answers."""
TRAINED, UNTRAINED = "BERT base", "No NSP"
"""Rows of the paper’s table: with next sentence prediction, and without."""


class Judgement(NamedTuple):
    """A judgement on two texts: its question, an example, and where its score is quoted from."""

    field: str
    asks: str
    first: str
    second: str
    answer: str
    measure: str
    """The measure in the paper’s table; empty for what is measured here."""


ICY = "The cow didn’t cross the road because it was too icy."
JUDGEMENTS = {
    "continues": Judgement(
        "discourse coherence",
        "Does B continue A?",
        ICY,
        "The road was empty all day.",
        "it does",
        "",
    ),
    "follows": Judgement(
        "entailment", "Does B follow from A?", ICY, "The road was icy.", "it follows", "mnli"
    ),
    "same": Judgement(
        "paraphrase",
        "Do A and B mean the same?",
        ICY,
        "As the road was too icy, the cow didn’t cross it.",
        "they do",
        "mrpc",
    ),
    "answers": Judgement(
        "question and answer",
        "Does B answer A?",
        "Why didn’t the cow cross the road?",
        "It was too icy.",
        "it does",
        "qnli",
    ),
}
CHOICES = {name: each.asks for name, each in JUDGEMENTS.items()}


class JudgementData(TypedDict):
    """A judgement as it is drawn."""

    name: str
    field: str
    asks: str
    first: str
    second: str
    answer: str
    of: str
    """Whose share it is, on which texts."""
    beside: str
    """What the share is compared with."""


class JudgedPayload(TypedDict):
    """The judgements in their order."""

    judgements: list[JudgementData]


JUDGED = Script("judged", JudgedPayload, ("chosen", "share #", "base #", "gain #"), Name)
"""Its event is the name of a judgement that was pressed."""


class Scored(NamedTuple):
    """The share that is right, in per cent, and the one that it is compared with."""

    share: float
    base: float


def scores(measured: NextSentenceAccuracy) -> dict[str, Scored]:
    """The scores of the judgements: one is measured here, the others are the paper’s."""
    table = load_results("bert_tasks")
    rows = [row.name for row in table.rows]
    found = dict[str, Scored]()
    for name, each in JUDGEMENTS.items():
        if not each.measure:
            found[name] = Scored(100 * measured.accuracy, COIN)
            continue
        printed = table.values(each.measure)
        pair = [printed[rows.index(row)] for row in (TRAINED, UNTRAINED)]
        assert None not in pair
        found[name] = Scored(*(float(value) for value in pair if value is not None))
    return found


def numbers(found: dict[str, Scored], chosen: str) -> dict[str, Tensor]:
    """Every number of the picture, in per cent."""
    named: dict[str, float] = {"chosen": list(JUDGEMENTS).index(chosen)}
    for n, (share, base) in enumerate(found.values()):
        named |= {f"share {n}": share, f"base {n}": base, f"gain {n}": round(share - base, 9)}
    return {name: torch.tensor(value, dtype=torch.float64) for name, value in named.items()}


def picture(measured: NextSentenceAccuracy) -> JudgedPayload:
    """The data of `lessons/bert/judged.js` other than the numbers."""
    labels = {each.key: each.label for each in load_results("bert_tasks").measures.values()}
    return {
        "judgements": [
            {
                "name": name,
                "field": each.field,
                "asks": each.asks,
                "first": each.first,
                "second": each.second,
                "answer": each.answer,
                "of": f"{TRAINED} on {labels[each.measure]}, quoted"
                if each.measure
                else f"our small encoder, {measured.pairs} pairs, measured here",
                "beside": "without NSP" if each.measure else "a coin",
            }
            for name, each in JUDGEMENTS.items()
        ]
    }


def sentence(chosen: str, measured: NextSentenceAccuracy) -> str:
    """What the chosen judgement is, and how often it is right, as a template."""
    n, each = list(JUDGEMENTS).index(chosen), JUDGEMENTS[chosen]
    begin = f"One vector judges two texts. **{each.asks}**"
    if each.measure:
        return (
            f"{begin} BERT is right for =={{share {n}}} %==; pre-trained without NSP, "
            f"for {{base {n}}} %."
        )
    return (
        f"{begin} Our encoder is right for =={{share {n}}} %== of {measured.pairs} pairs, a coin "
        f"for {{base {n}}} %."
    )


def formulas(chosen: str) -> list[str]:
    """The head of the chosen judgement, and its gain, as templates."""
    n, each = list(JUDGEMENTS).index(chosen), JUDGEMENTS[chosen]
    gain = "gain by NSP" if each.measure else "gain over a coin"
    return [
        f"[activation|answer] = softmax(W c + b), c the vector of \\[CLS], one W for {each.field}",
        f"[score|{gain}] = {{share {n}}} − {{base {n}}} = **{{gain {n}}}** points",
    ]


def describe() -> str:
    """Alt text of the picture, as a template."""
    said = ", ".join(
        f"“{each.asks}” ({each.field}) {{share {n}}} % against {{base {n}}} %"
        for n, each in enumerate(JUDGEMENTS.values())
    )
    return (
        f"Two texts, A and B, go into one vector, that of [CLS], and from there to four heads: "
        f"{said}. The first is measured with our encoder and compared with a coin; the others are "
        "quoted for BERT base, and compared with the same model pre-trained without NSP."
    )


def losses(found: dict[str, Scored], names: Sequence[str]) -> str:
    """What is lost without next sentence prediction, for each of these judgements."""
    return ", ".join(
        f"{JUDGEMENTS[name].field} {format_number(round(found[name].share - found[name].base, 9))}"
        for name in names
    )
