"""fastText: the vector of a word is made of the vectors of its character n-grams.

    where, n = 3 … 6        <wh, whe, her, ere, re>, <whe, …, where>        and the word: <where>
    vector of a word = mean (or sum) of the vectors of its subwords

`<` and `>` mark the ends of the word, so that the word her, `<her>`, differs from the trigram her
within where. The subword vectors are trained by skip-gram with negative sampling. A word that was
never seen has a vector, too: that of its known subwords.

Source: Bojanowski et al. 2017, "Enriching word vectors with subword information", section 3.2,
which sums; the program takes the mean. Variant: every n-gram has its own row, with no hashing.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import torch
from jaxtyping import Float64, Int
from torch import Tensor

from lmcore import dataframes
from lmcore.checks import check_between, check_one_of
from lmcore.embeddings.static.negative_sampling import (
    Examples,
    SamplingConfig,
    noise_distribution,
    train_tables,
)
from lmcore.embeddings.static.pairs import WindowPairs
from lmcore.embeddings.static.skipgram import check_pairs
from lmcore.embeddings.static.vectors import Snapshot

if TYPE_CHECKING:
    from pandas import DataFrame

Combination = Literal["mean", "sum"]
COMBINATIONS: tuple[Combination, ...] = ("mean", "sum")
LONGEST_WORD = 40
LONGEST_PIECE = 10


@dataclass(frozen=True, slots=True)
class FastTextConfig(SamplingConfig):
    """The subwords of a word, how their vectors are combined, and the training."""

    shortest: int = 3
    """Letters of the shortest n-gram, marks included."""
    longest: int = 6
    combination: str = "mean"

    def __post_init__(self) -> None:
        """Raises ValueError naming what is out of bounds."""
        check_between("the shortest n-gram", self.shortest, 1, LONGEST_PIECE)
        check_between("the longest n-gram", self.longest, self.shortest, LONGEST_PIECE)
        check_one_of("the combination", self.combination, COMBINATIONS)
        SamplingConfig.__post_init__(self)


@dataclass(frozen=True, slots=True, eq=False)
class SubwordTable:
    """The subwords of a vocabulary: the rows of the input table, and the rows of each word."""

    config: FastTextConfig
    words: tuple[str, ...]
    subwords: tuple[str, ...]
    """In the order of their first word; the row of a subword is its index."""
    rows: Int[Tensor, "word slot"]
    """The rows of each word; unused slots hold row 0 with share 0."""
    shares: Float64[Tensor, "word slot"]
    """The weight of each row: 1/n for a mean over n subwords, 1 for a sum."""

    def word_vectors(
        self, inputs: Float64[Tensor, "row dimension"]
    ) -> Float64[Tensor, "word dimension"]:
        """The vector of each word from the vectors of the subwords."""
        return (inputs[self.rows] * self.shares[..., None]).sum(dim=1)

    def to_frame(self) -> DataFrame:
        """One row per word and subword: word, subword, row, share."""
        word, slot = (self.shares > 0).nonzero(as_tuple=True)
        rows = self.rows[word, slot]
        return dataframes.frame(
            {
                "word": [self.words[i] for i in word.tolist()],
                "subword": [self.subwords[i] for i in rows.tolist()],
                "row": rows,
                "share": self.shares[word, slot],
            }
        )


@dataclass(frozen=True, slots=True, eq=False)
class ComposedVector:
    """The vector of one word, seen or not, and the subwords it is made of."""

    word: str
    seen: bool
    """Whether the word is in the training text."""
    subwords: tuple[str, ...]
    """All subwords of the word."""
    known: tuple[bool, ...]
    """Which of the subwords have a vector."""
    vector: Float64[Tensor, " dimension"]

    def to_frame(self) -> DataFrame:
        """One row per subword: subword, known."""
        return dataframes.frame({"subword": list(self.subwords), "known": list(self.known)})


def split_word(word: str, shortest: int = 3, longest: int = 6) -> tuple[str, ...]:
    """The n-grams of `<word>` by length and place, each once, and `<word>` itself, last.

    Raises:
        ValueError: if the word has no letter, more than `LONGEST_WORD`, or the lengths are not
            1 ≤ shortest ≤ longest ≤ `LONGEST_PIECE`.
    """
    check_between("the number of letters", len(word), 1, LONGEST_WORD)
    check_between("the shortest n-gram", shortest, 1, LONGEST_PIECE)
    check_between("the longest n-gram", longest, shortest, LONGEST_PIECE)
    marked = f"<{word}>"
    grams = [
        marked[start : start + n]
        for n in range(shortest, longest + 1)
        for start in range(len(marked) - n + 1)
    ]
    return (*(each for each in dict.fromkeys(grams) if each != marked), marked)


def build_subword_table(words: tuple[str, ...], config: FastTextConfig) -> SubwordTable:
    """A row for every subword of the words, and for each word the rows it is made of.

    Raises:
        ValueError: as `split_word`.
    """
    pieces = [split_word(word, config.shortest, config.longest) for word in words]
    subwords = tuple(dict.fromkeys(each for row in pieces for each in row))
    number = {each: i for i, each in enumerate(subwords)}
    rows = torch.zeros(len(words), max(map(len, pieces)), dtype=torch.long)
    shares = torch.zeros(rows.shape, dtype=torch.float64)
    for i, row in enumerate(pieces):
        rows[i, : len(row)] = torch.tensor([number[each] for each in row])
        shares[i, : len(row)] = 1 / len(row) if config.combination == "mean" else 1.0
    return SubwordTable(config, words, subwords, rows, shares)


def compose_vector(
    table: SubwordTable, inputs: Float64[Tensor, "row dimension"], word: str
) -> ComposedVector:
    """The vector of any word: the mean (or sum) of the vectors of its known subwords.

    Raises:
        ValueError: if none of its subwords has one, or as `split_word`.
    """
    pieces = split_word(word, table.config.shortest, table.config.longest)
    number = {each: i for i, each in enumerate(table.subwords)}
    rows = [number[each] for each in pieces if each in number]
    if not rows:
        raise ValueError(
            f"a word must share at least one subword with the training text; got {word!r:.40}"
        )
    picked = inputs[rows]
    vector = picked.mean(dim=0) if table.config.combination == "mean" else picked.sum(dim=0)
    known = tuple(each in number for each in pieces)
    return ComposedVector(word, word in table.words, pieces, known, vector)


def train_fasttext(pairs: WindowPairs, table: SubwordTable) -> Iterator[Snapshot]:
    """Train the subword vectors by skip-gram on the pairs; `table.config` says how.

    The `inputs` of a snapshot are the subword vectors, `vectors` those of the words.

    Raises:
        ValueError: if the table is of other words, there is no pair, or the loss is not finite.
    """
    if table.words != pairs.words:
        raise ValueError(
            f"the subwords must be those of the {len(pairs.words)} words of the text; "
            f"got a table of {len(table.words)} other words"
        )
    check_pairs(pairs)
    centres = pairs.centre_ids
    examples = Examples(table.rows[centres], table.shares[centres], pairs.context_ids)
    noise = noise_distribution(pairs.text.frequencies)
    for state in train_tables(examples, len(table.subwords), noise, table.config):
        vectors = table.word_vectors(state.inputs)
        yield Snapshot(state.step, state.seen, state.loss, vectors, state.inputs, state.outputs)
