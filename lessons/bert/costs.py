"""BERT's training in numbers: what the slides quote, and what follows from that."""

from __future__ import annotations

import torch
from torch import Tensor

from lessons.shared.steps import StepRow

STEPS_MADE = 1_000_000
TEXTS = 256
SHORT, LONG = 128, 512
"""Tokens of a text: for the first 90 % of the steps, and for the rest."""
SHARE_SHORT = 0.9
WORDS = 3.3e9
"""800 million of BooksCorpus, 2.5 billion of Wikipedia."""
CHOSEN = 0.15
QUOTED = (
    "Quoted: 1,000,000 steps, 256 texts a step, 128 tokens for 90 % of them and 512 for the rest, "
    "3.3 billion words, 15 % chosen; four days on 4 Cloud TPUs, 16 chips, for the base model, on "
    "16 of them, 64 chips, for the large one (Devlin et al. 2019, appendix A.2; slides of UW and "
    "Feng). The rest is computed. A word is mostly more than one token, so there are fewer passes."
)
STEPS = (
    StepRow("short texts", "0.9 · {steps} · {texts} · {short}", "{first} tokens", "", "input"),
    StepRow("long texts", "0.1 · {steps} · {texts} · {long}", "{second} tokens", "", "input"),
    StepRow("in all", "{first} + {second}", "{tokens} tokens", "", "activation"),
    StepRow("passes", "{tokens} / {words} words", "{passes}", "", "weight"),
    StepRow("predicted", "0.15 · {tokens}", "{predicted}", "", "loss"),
)


def numbers() -> dict[str, Tensor]:
    """Every number of `STEPS`."""
    first = SHARE_SHORT * STEPS_MADE * TEXTS * SHORT
    second = (1 - SHARE_SHORT) * STEPS_MADE * TEXTS * LONG
    named = {
        "steps": STEPS_MADE,
        "texts": TEXTS,
        "short": SHORT,
        "long": LONG,
        "first": first,
        "second": second,
        "tokens": first + second,
        "words": WORDS,
        "passes": (first + second) / WORDS,
        "predicted": CHOSEN * (first + second),
    }
    return {name: torch.tensor(float(value), dtype=torch.float64) for name, value in named.items()}
