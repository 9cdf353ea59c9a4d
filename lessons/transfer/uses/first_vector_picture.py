"""The slide's snippet for contextual embeddings, and the rows of what it gives: one a token."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, TypedDict

import numpy as np

from drawing.live import FloatArray, LiveNumbers, Slider
from drawing.payload import NumberArray, Script

SLIDE = "emb[0][0]"
"""What the slide prints."""
CODE = (
    "from transformers import BertModel, pipeline",
    "from transformers import PreTrainedTokenizerFast",
    "name = 'google-bert/bert-base-uncased'",
    "tokenizer = PreTrainedTokenizerFast.from_pretrained(name)",
    "model = BertModel.from_pretrained(name)",
    "pipe = pipeline('feature-extraction', model=model, tokenizer=tokenizer)",
    "text = {text!r}",
    "emb = pipe(text)",
    "print(emb[0][",
)
"""The slide's lines, with `text`, which it lacks; the last one goes on with the row."""


class Embedded(NamedTuple):
    """The tokens of a text and the vectors of the last layer."""

    text: str
    model: str
    tokens: tuple[str, ...]
    vectors: list[list[float]]
    """The first numbers of each vector."""
    width: int


class FirstVectorPayload(TypedDict):
    """The code, the tokens, and the first numbers of each token's vector."""

    lines: Sequence[str]
    missing: int
    """The line that the slide lacks."""
    tokens: Sequence[str]
    vectors: NumberArray
    shown: int
    width: int


FIRST_VECTOR = Script("first_vector", FirstVectorPayload, ("row", "tokens", "width", "@say"))


def numbers(found: Embedded, row: int) -> LiveNumbers:
    """The row that is printed, from 0, and along its slider."""
    count = len(found.tokens)
    names = ("row", "tokens", "width", "@say")
    positions = np.arange(count, dtype=np.float64)
    table: FloatArray = np.array([[n, count, found.width, n] for n in positions])
    how = "Which row is printed; 0 on the slide"
    slider = Slider("row", "row", "row that is printed", float(row), positions, how)
    return LiveNumbers("first-vector", names, table[row], (slider,), [table])


def picture(found: Embedded) -> FirstVectorPayload:
    """The data of `lessons/transfer/first_vector.js` other than the numbers."""
    lines = [line.format(text=found.text) for line in CODE]
    return {
        "lines": lines,
        "missing": next(n for n, line in enumerate(CODE) if line.startswith("text")),
        "tokens": found.tokens,
        "vectors": np.array(found.vectors),
        "shown": len(found.vectors[0]),
        "width": found.width,
    }
