"""The picture of a text as pairs of context and target: the whole past, or a window of N − 1 words.

Each pair has its counts in the training documents of the n-grams.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple, TypedDict

import numpy as np
from jaxtyping import Int64
from typing_extensions import TypedDict as EventDict

from drawing.live import LiveNumbers, Slider
from drawing.payload import Script
from lmcore.corpora.microworld import microworld
from lmcore.evaluation.pasts import count_pasts
from lmcore.evaluation.sentence import SentenceQuestion
from ui.models import counted_documents

WHOLE = "the whole past"
LONGEST = 9
"""The most pairs that are drawn; of a longer text, the first."""


class TextPairs(NamedTuple):
    """A text, and how often the contexts of its tokens were counted, as in `count_pasts`."""

    tokens: Sequence[str]
    contexts: Int64[np.ndarray, "time context"]
    pairs: Int64[np.ndarray, "time context"]
    row: int
    """The chosen pair, from 1."""
    order: int
    """N, from 1 to the number of tokens."""

    def seen(self, order: int) -> int:
        """How many words of its context the chosen pair keeps at this order."""
        return min(order - 1, self.row)

    def context(self, order: int) -> str:
        """The words that the chosen pair keeps."""
        return " ".join(self.tokens[self.row - self.seen(order) : self.row])

    @property
    def target(self) -> str:
        """The word that the chosen pair predicts."""
        return self.tokens[self.row]


class TextPairsPayload(TypedDict):
    """The tokens of the text; `<s>` is first."""

    tokens: Sequence[str]


class ChosenPair(EventDict):
    """The row that was pressed, from 1."""

    row: int


TEXTPAIRS = Script(
    "textpairs",
    TextPairsPayload,
    ("order", "row", "c#", "f#", "p", "@say", "@formula"),
    ChosenPair,
)


@lru_cache(maxsize=32)
def _counts(ids: tuple[int, ...]) -> tuple[Int64[np.ndarray, "t k"], Int64[np.ndarray, "t k"]]:
    return count_pasts(counted_documents(), np.array(ids))


def text_pairs(question: SentenceQuestion, order: int) -> TextPairs:
    """The pairs of the sentence, the first of a long one."""
    ids = tuple(int(each) for each in question.ids[: LONGEST + 1])
    contexts, pairs = _counts(ids)
    row = min(question.place, len(ids) - 1)
    tokens = microworld().vocabulary.decode(np.array(ids))
    return TextPairs(tokens, contexts, pairs, row, min(order, len(ids)))


def numbers(shown: TextPairs) -> LiveNumbers:
    """All counts at the order, and at every position of its slider."""
    orders = range(1, len(shown.tokens) + 1)
    every = [_row(shown, order) for order in orders]
    slider = Slider(
        "order",
        "order N",
        "order N",
        float(shown.order),
        np.array(orders, dtype=float),
        help="A context has N − 1 words; the largest N keeps the whole past",
    )
    rows = np.array([list(each.values()) for each in every])
    return LiveNumbers("pairs", tuple(every[0]), rows[shown.order - 1], (slider,), [rows])


def _row(shown: TextPairs, order: int) -> dict[str, float]:
    contexts, pairs = shown.contexts[:, order - 1], shown.pairs[:, order - 1]
    c, f = (int(each[shown.row - 1]) for each in (contexts, pairs))
    return {
        "order": float(order),
        "row": float(shown.row),
        **{f"c{t}": float(each) for t, each in enumerate(contexts, start=1)},
        **{f"f{t}": float(each) for t, each in enumerate(pairs, start=1)},
        "p": f / c if c else 0.0,
        "@say": order - 1.0,
        "@formula": order - 1.0,
    }


def sentences(shown: TextPairs) -> list[str]:
    """What is said at each order."""
    return [_sentence(shown, order) for order in range(1, len(shown.tokens) + 1)]


def _sentence(shown: TextPairs, order: int) -> str:
    c, f = (f"{{{name}{shown.row}}}" for name in "cf")
    target, context = shown.target, shown.context(order)
    if order == 1:
        return f"N = 1: nothing before it counts. Of {c} words, =={f}== are **{target}**."
    counted = f"“**{context}**” was counted =={c}== times, {f} times before **{target}**."
    if not shown.contexts[shown.row - 1, order - 1]:
        counted = f"“**{context}**” was counted =={c}== times: no count says what comes next."
    if shown.seen(order) == shown.row:
        return f"The **whole past**: {counted}"
    return f"N = {order} forgets all but the last {_words(order - 1)}: {counted}"


def _words(count: int) -> str:
    return "word" if count == 1 else f"{count} words"


def formulas(shown: TextPairs) -> list[list[str]]:
    """p of the chosen pair from its counts, at each order."""
    found = []
    for order in range(1, len(shown.tokens) + 1):
        c, f = (f"{{{name}{shown.row}}}" for name in "cf")
        given = f" | {shown.context(order)}" if order > 1 else ""
        unknown = not shown.contexts[shown.row - 1, order - 1]
        p = f"{f} / {c}" + (", not defined" if unknown else " = {p}")
        found.append([f"p({shown.target}{given}) = {p}"])
    return found


def picture(shown: TextPairs) -> TextPairsPayload:
    """The data of `lessons/language_model/textpairs.js` other than the numbers."""
    return {"tokens": shown.tokens}


def describe(shown: TextPairs) -> str:
    """The text alternative."""
    window = f"the last {_words(shown.order - 1)}" if shown.order > 1 else "no words"
    kept = WHOLE if shown.order == len(shown.tokens) else window
    rows = "; ".join(
        f"{' '.join(shown.tokens[:t])} → {shown.tokens[t]}: {{f{t}}} of {{c{t}}}"
        for t in range(1, len(shown.tokens))
    )
    return f"Pairs of context and next word; a context keeps {kept}. Counted: {rows}."
