"""The head for pairs: its picture’s data and texts, from the vector of [CLS] to two shares."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypedDict

import torch
from torch import Tensor

from drawing.events import Name
from drawing.live import quoted
from drawing.payload import NumberArray, Script
from lessons.bert.pairs_text import EXAMPLES, numbers
from lmcore.corpora.sentence_pairs import IS_NEXT, NOT_NEXT
from lmcore.masked_lm.next_sentence import NAMES, NextSentenceTrace
from lmcore.models.bert import BERT

OTHERS = ("the bridge was empty all day.", "then he played me. soon he took my king.")
"""Second texts of other documents, which a press puts in the place of B."""


class PairHeadPayload(TypedDict):
    """A pair of texts, the texts that may stand in the place of the second, and the two rows."""

    first: str
    choices: list[str]
    chosen: int
    labels: list[str]
    rows: NumberArray
    """The two rows of W_nsp, one after the other."""
    right: int
    """The label that is right, from 0; −1 if it is unknown."""


PAIR_HEAD = Script(
    "pair_head", PairHeadPayload, ("h", "c", "l#", "p#", "n#", "b#", "h #", "c #", "s# #"), Name
)
"""Its event is the place of a second text that was pressed."""


def second_texts(own: Sequence[str], second: str, *, in_microworld: bool) -> list[str]:
    """The texts that may stand in the place of B: those of this first text, and of others."""
    others = OTHERS if in_microworld else tuple(pair[1] for pair in EXAMPLES)
    return list(dict.fromkeys((*own, *others, second)))


def right_label(
    second: str, continues: str, drawn: int | None, *, in_microworld: bool
) -> int | None:
    """What is right for a pair, if that is known: 0 continues, 1 is of another document."""
    if drawn is not None:
        return drawn
    if continues and second == continues:
        return IS_NEXT
    return NOT_NEXT if in_microworld and second in OTHERS else None


def head_numbers(network: BERT, found: NextSentenceTrace) -> dict[str, Tensor]:
    """Every number of the picture; `s` is the sum of the bias and of all terms so far.

    Raises:
        ValueError: if the model has no head for pairs.
    """
    rows, bias = head_rows(network)
    named = numbers(found)
    sums = bias[:, None] + (rows * found.pooled).cumsum(1)
    for n, each in enumerate(bias):
        named[f"b{n}"] = each
    for i in range(len(found.pooled)):
        named |= {f"h {i}": found.start[i], f"c {i}": found.pooled[i]}
        named |= {f"s{n} {i}": sums[n, i] for n in range(len(bias))}
    return {name: torch.as_tensor(value).double() for name, value in named.items()}


def head_rows(network: BERT) -> tuple[Tensor, Tensor]:
    """The two rows of W_nsp, of shape (2, width), and the two biases.

    Raises:
        ValueError: if the model has no head for pairs.
    """
    if not network.pairs:
        raise ValueError("the model must have a head for pairs of texts; it has none")
    weight, bias = network.pairs.output.weight, network.pairs.output.bias
    return weight.detach().double().cpu(), bias.detach().double().cpu()


def picture(
    network: BERT, texts: tuple[str, str], choices: Sequence[str], right: int | None
) -> PairHeadPayload:
    """The data of `lessons/bert/pair_head.js` other than the numbers."""
    return {
        "first": texts[0],
        "choices": list(choices),
        "chosen": list(choices).index(texts[1]),
        "labels": list(NAMES),
        "rows": head_rows(network)[0].numpy(),
        "right": -1 if right is None else right,
    }


def sentence(width: int, found: NextSentenceTrace, right: int | None) -> str:
    """The two sums, the larger share, and its loss against what is right, as a template."""
    best = int(found.probabilities.argmax())
    said = (
        f"From the {width} numbers of [CLS] two sums, {{l0}} and {{l1}}: "
        f"**{NAMES[best]}** =={{p{best}}}=="
    )
    if right is None:
        return f"{said}."
    verdict = "**Right**" if right == best else "**Wrong**"
    return f"{said}. {verdict}: the loss is {{n{right}}} nats."


def formulas(right: int | None) -> list[str]:
    """The head and the loss, as templates."""
    loss = [] if right is None else [f"[loss|loss] = −log {{p{right}}} = **{{n{right}}}**"]
    return [
        "[activation|c] = tanh(W_p h + b_p)",
        "[score|W_nsp c + b] = ({l0}, {l1})",
        "softmax = (**{p0}**, {p1})",
        *loss,
    ]


def describe(first: str, second: str, width: int) -> str:
    """Alt text of the picture, as a template."""
    return (
        f"A: “{quoted(first)}”. B: “{quoted(second)}”. The {width} numbers of the vector of [CLS], "
        "the same after tanh, and the two rows of the head as bars; below them two sums that grow "
        "from left to right and end at {l0}, IsNext, and {l1}, NotNext. Softmax makes {p0} and "
        "{p1} of them."
    )
