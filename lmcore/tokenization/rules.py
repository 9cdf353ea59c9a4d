"""Three training rules for subwords: how letters are marked, and which pair is merged next.

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

from lmcore.checks import check_one_of

CONTINUATION_MARK: Literal["##"] = "##"
END_OF_WORD_MARK: Literal["</w>"] = "</w>"
"""Before a piece that does not begin a word; after one that ends it. No word holds either: their
signs are punctuation, and punctuation stands alone."""
SPECIAL_TOKENS = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]")
"""BERT's five special tokens; their ids are 0 to 4."""
LONGEST_WORD = 100
"""Letters: of a longer word nothing is learned, and WordPiece reads it as [UNK], as in BERT."""


@dataclass(frozen=True, slots=True)
class MergeRule:
    """A way to learn pieces; `by` says what the next pair has the most of."""

    name: str
    label: str
    mark: Literal["##", "</w>"]
    by: Literal["count", "gain"]

    def letters(self, word: str) -> list[str]:
        """The word in its smallest pieces, marked."""
        if self.mark == CONTINUATION_MARK:
            return [word[0], *(CONTINUATION_MARK + letter for letter in word[1:])]
        return [*word[:-1], word[-1] + END_OF_WORD_MARK]

    def joined(self, first: str, second: str) -> str:
        """The piece that two neighbours become."""
        return first + (
            second.removeprefix(CONTINUATION_MARK) if self.mark == CONTINUATION_MARK else second
        )

    def bare(self, piece: str) -> str:
        """The letters of a piece, without its mark."""
        if self.mark == CONTINUATION_MARK:
            # A lone # is a word of its own, and has nothing to be taken off.
            return piece.removeprefix(CONTINUATION_MARK)
        return piece.removesuffix(END_OF_WORD_MARK)


MERGE_RULES = {
    rule.name: rule
    for rule in (
        MergeRule("wordpiece", "WordPiece, as tokenizers trains it", CONTINUATION_MARK, "count"),
        MergeRule("bpe", "BPE", END_OF_WORD_MARK, "count"),
        MergeRule("gain", "WordPiece by likelihood", CONTINUATION_MARK, "gain"),
    )
}


def merge_rule(name: str) -> MergeRule:
    """The rule of that name.

    Raises:
        ValueError: if there is none.
    """
    check_one_of("the rule", name, MERGE_RULES)
    return MERGE_RULES[name]
