"""Subword tokens of a running text: byte-level BPE, as GPT-2 has it, trained on the text itself.

Every byte is a type, so no text has unknown tokens, and decoding restores it exactly.

Source: Sennrich et al. 2016 (BPE); Radford et al. 2019, section 2.2 (bytes). `tokenizers` does it.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property

from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers

from lmcore.pretrained.tokenizing import visible_text
from lmcore.vocabulary import Vocabulary

MERGES = 512
"""Pairs that become a type of their own, beside the 256 bytes."""


@dataclass(frozen=True)
class Subwords(Vocabulary):
    """A vocabulary of pieces of words, shown as they read: ␣ is a blank, ⏎ the end of a line."""

    rules: str = field(default="", repr=False, kw_only=True)
    """The merges, as `tokenizers` writes them."""

    @cached_property
    def tokenizer(self) -> Tokenizer:
        """The tokenizer of these pieces."""
        return Tokenizer.from_str(self.rules)

    def read(self, text: str) -> list[int]:
        """The ids of a text; a lone surrogate, which is not a character, is read as `?`."""
        whole = text.encode("utf-8", "replace").decode("utf-8")
        ids: list[int] = self.tokenizer.encode(whole).ids
        return ids

    def write(self, ids: Iterable[int]) -> str:
        """The ids as text; bytes that are not a character become `�`."""
        text: str = self.tokenizer.decode(list(ids))
        return text


def train_subwords(text: str, merges: int = MERGES) -> Subwords:
    """The pieces of a text: the 256 bytes, then at most `merges` more, the most frequent first."""
    made = Tokenizer(models.BPE())
    made.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    made.decoder = decoders.ByteLevel()
    alphabet = sorted(pre_tokenizers.ByteLevel.alphabet())
    trainer = trainers.BpeTrainer(
        vocab_size=len(alphabet) + merges, initial_alphabet=alphabet, show_progress=False
    )
    made.train_from_iterator([text], trainer)
    ranked = sorted(made.get_vocab().items(), key=lambda item: item[1])
    tokens = tuple(visible_text(token) for token, _ in ranked)
    return Subwords(tokens, "subword", rules=made.to_str())
