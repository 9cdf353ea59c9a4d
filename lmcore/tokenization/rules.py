"""Three ways to learn pieces: how the letters of a word are marked, and which pair is merged next.

BPE (Sennrich, Haddow and Birch 2016, section 3.2) merges the pair that occurs most often, and marks
where a word ends. WordPiece marks, as BERT writes it, every piece that does not begin a word, and
merges the pair that raises the likelihood of the text most (Schuster and Nakajima 2012);
Google never published its trainer. The usual reading is the ratio below, as the course of Hugging
Face has it. `WordPieceTrainer` of their library `tokenizers` does not use it: it merges the most
frequent pair, as BPE does (huggingface/tokenizers, issues 144 and 570).

    gain(a, b) = count(a b) / (count(a) · count(b))
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

CONTINUES: Literal["##"] = "##"
ENDS: Literal["</w>"] = "</w>"
"""Before a piece that does not begin a word; after one that ends it. No word holds either: their
signs are punctuation, and punctuation stands alone."""
SPECIAL = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]")
"""BERT's five special tokens; their ids are 0 to 4."""
LONGEST_WORD = 100
"""Letters: of a longer word nothing is learnt, and WordPiece reads it as [UNK], as in BERT."""


@dataclass(frozen=True, slots=True)
class Rule:
    """A way to learn pieces; `by` says what the next pair has the most of."""

    name: str
    label: str
    mark: Literal["##", "</w>"]
    by: Literal["count", "gain"]

    def letters(self, word: str) -> list[str]:
        """The word in its smallest pieces, marked."""
        if self.mark == CONTINUES:
            return [word[0], *(CONTINUES + letter for letter in word[1:])]
        return [*word[:-1], word[-1] + ENDS]

    def joined(self, first: str, second: str) -> str:
        """The piece that two neighbours become."""
        return first + (second.removeprefix(CONTINUES) if self.mark == CONTINUES else second)

    def bare(self, piece: str) -> str:
        """The letters of a piece, without its mark."""
        if self.mark == CONTINUES:
            # A lone # is a word of its own, and has nothing to be taken off.
            return piece.removeprefix(CONTINUES)
        return piece.removesuffix(ENDS)


RULES = {
    rule.name: rule
    for rule in (
        Rule("wordpiece", "WordPiece, as tokenizers trains it", CONTINUES, "count"),
        Rule("bpe", "BPE", ENDS, "count"),
        Rule("gain", "WordPiece by likelihood", CONTINUES, "gain"),
    )
}


def rule(name: str) -> Rule:
    """The rule of that name.

    Raises:
        ValueError: if there is none.
    """
    if name not in RULES:
        raise ValueError(f"the rule must be one of {', '.join(RULES)}; got {name!r:.40}")
    return RULES[name]
