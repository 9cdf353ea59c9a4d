"""A character text in which the same short sentences occur inside and outside quotes and brackets.

The text is a sequence of independently drawn pieces: a quotation with probability
`QUOTED_PROBABILITY`, a sentence in brackets with probability `ASIDE_PROBABILITY`, else a sentence
without marks. A quotation closes after its first sentence with probability `CLOSING_PROBABILITY`,
else after its second. A sentence is any of `SENTENCES`, all equally probable everywhere.

So no word shows whether a mark is open: a model has to keep track. A text can be read in only one
way: a full stop ends a sentence and occurs nowhere else, no two sentences are spelled alike, an
opening mark follows a blank and a closing one a full stop. Last, the words are wrapped at `WIDTH`
columns: a blank becomes a line break where the next word does not fit, so that a model has to
count, too.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import islice
from typing import NamedTuple

import numpy as np
from jaxtyping import Bool, Int
from numpy.typing import NDArray

from lmcore.vocabulary import Vocabulary

QUOTED_PROBABILITY, CLOSING_PROBABILITY, ASIDE_PROBABILITY = 0.25, 0.5, 0.25
"""Probabilities: of 9 sentences 3 are quoted, one or two at a time, and 2 are asides."""
MAX_QUOTED_SENTENCES = 2
"""Sentences of a quotation, at most."""
WIDTH = 60
"""Columns: the longest line, its line break not counted."""

NAMES = ("Ada", "Ben", "Finn", "Hugo", "Ida", "Lena", "Mara", "Nell", "Otto", "Tom")
PREDICATES = (
    *("sings", "waits", "laughs", "sleeps", "reads", "runs", "smiles", "nods"),
    *("walks home", "comes back", "sits still", "looks up", "bakes bread", "buys fish"),
    *("rings the bell", "feeds the cat", "mends the net", "lights the lamp", "winds the clock"),
    "rows to the island",
)
CLOSING_MARKS = {"“": "”", "(": ")", "": ""}
"""Opening mark → closing mark."""
SENTENCES = tuple(f"{name} {doing}." for name in NAMES for doing in PREDICATES)
VOCABULARY = Vocabulary(tuple(sorted(set("\n “”()").union(*SENTENCES))), "character")

_BLOCK = 4096
"""Pieces drawn at a time: a constant, so that a longer text begins with the shorter one."""


class CharacterLabels(NamedTuple):
    """Which marks are open, and the column, after each character."""

    inside_quotes: Bool[np.ndarray, " time"]
    """True from the opening mark to the last character before the closing one."""
    inside_brackets: Bool[np.ndarray, " time"]
    """As `inside_quotes`; a bracket within a bracket keeps both open."""
    column: Int[np.ndarray, " time"]
    """Characters read on this line: 0 after a line break, `WIDTH` at the end of a full line."""


def text(seed: int, characters: int) -> str:
    """The first `characters` characters of the stream of `seed`: the same ones every time.

    Raises:
        ValueError: if `characters` or `seed` is negative.
    """
    if characters < 0:
        raise ValueError(f"characters must be 0 or more; got {characters}")
    chunks, drawn, endless = [], 0, stream(seed)
    while drawn < characters:
        chunks.append(next(endless))
        drawn += len(chunks[-1])
    return "".join(chunks)[:characters]


def stream(seed: int) -> Iterator[str]:
    """An endless text, in chunks of whole lines, each with its line break.

    Raises:
        ValueError: if `seed` is negative.
    """
    if seed < 0:
        raise ValueError(f"seed must be 0 or more; got {seed}")
    return _chunks(np.random.default_rng(seed))


def _chunks(generator: np.random.Generator) -> Iterator[str]:
    words = ""
    while True:
        lines = wrap(words + " ".join(_pieces(generator)))
        # More words may fit on the last line: it waits for the next block.
        words = lines.pop() + " "
        yield "".join(f"{line}\n" for line in lines)


def _pieces(generator: np.random.Generator) -> list[str]:
    """A block of quotations, asides and single sentences without marks."""
    kind = generator.random(_BLOCK)
    quoted = kind < QUOTED_PROBABILITY
    lengths = np.where(
        quoted,
        np.minimum(generator.geometric(CLOSING_PROBABILITY, _BLOCK), MAX_QUOTED_SENTENCES),
        1,
    )
    drawn = generator.integers(len(SENTENCES), size=int(lengths.sum())).tolist()
    sentences = (SENTENCES[i] for i in drawn)
    opening = np.select(
        [quoted, kind < QUOTED_PROBABILITY + ASIDE_PROBABILITY], ["“", "("], ""
    ).tolist()
    return [
        f"{mark}{' '.join(islice(sentences, length))}{CLOSING_MARKS[mark]}"
        for mark, length in zip(opening, lengths.tolist(), strict=True)
    ]


def wrap(words: str) -> list[str]:
    """`words` in lines of at most `WIDTH` columns, each as full as the next word allows.

    The words are separated by single blanks.

    Raises:
        ValueError: if a word is longer than a line.
    """
    lines, start = [], 0
    while len(words) - start > WIDTH:
        end = words.rfind(" ", start, start + WIDTH + 1)
        if end < 0:
            word = words[start:].split(" ", 1)[0]
            raise ValueError(f"a word must have at most {WIDTH} characters; got {word!r}")
        lines.append(words[start:end])
        start = end + 1
    return [*lines, words[start:]]


def entropy() -> float:
    """The loss of a perfect model on a long text, in nats per character.

    H = (H(kind) + QUOTED·H(close) + n·ln|S|) / characters, all of one piece on average, where
    n = 1 + QUOTED·(1 − CLOSING) is its number of sentences: the pieces are independent and alike.
    Line breaks cost nothing: they follow from the words, and the words can be read back without
    doubt. Assumed: the model knows the probabilities and all of the text from its first character,
    hence the column; the piece that the end of a text cuts short is left out.

    Source: Cover & Thomas, Elements of Information Theory, 2nd ed., §2.5 and §4.2.
    """
    sentences = 1 + QUOTED_PROBABILITY * (1 - CLOSING_PROBABILITY)
    choices = _entropy(
        QUOTED_PROBABILITY, ASIDE_PROBABILITY, 1 - QUOTED_PROBABILITY - ASIDE_PROBABILITY
    )
    choices += QUOTED_PROBABILITY * _entropy(CLOSING_PROBABILITY, 1 - CLOSING_PROBABILITY)
    choices += sentences * math.log(len(SENTENCES))
    length = sum(map(len, SENTENCES)) / len(SENTENCES)
    # Each sentence with the blank after it, and two marks for a quotation or an aside.
    return choices / (sentences * (length + 1) + 2 * (QUOTED_PROBABILITY + ASIDE_PROBABILITY))


def _entropy(*probabilities: float) -> float:
    """H(p) = −Σ p ln p, in nats."""
    return -sum(p * math.log(p) for p in probabilities)


def labels(text: str) -> CharacterLabels:
    """The state after each character of any text, by a scan that uses only the marks.

    Every quotation mark opens or closes in turn; a closing bracket without an open one is ignored.
    """
    codes = np.frombuffer(text.encode("utf-32-le"), dtype=np.uint32)
    place = np.arange(len(codes))
    breaks = np.maximum.accumulate(np.where(codes == ord("\n"), place, -1))
    straight = np.cumsum(codes == ord('"')) % 2 == 1
    return CharacterLabels(
        straight | (_depth(codes, "“”") > 0), _depth(codes, "()") > 0, place - breaks
    )


def _depth(codes: NDArray[np.uint32], pair: str) -> NDArray[np.int64]:
    """The number of open marks of a pair after each character."""
    opening, closing = map(ord, pair)
    balance = np.cumsum((codes == opening).astype(np.int64) - (codes == closing))
    # Below its lowest point so far, the balance starts again from nothing.
    depth: NDArray[np.int64] = balance - np.minimum(0, np.minimum.accumulate(balance))
    return depth
