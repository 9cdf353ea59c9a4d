"""A typed text to corrupt: its tokens, and the types from which random tokens are drawn.

Without a model any words are allowed, a piece typed with ## belongs to the word before it, and the
types are the words of the story that comes with the application, with their counts. With a model
the tokens and the types are the model's.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import torch
from jaxtyping import Bool, Float64, Int
from torch import Tensor

from lmcore.corpora import prose
from lmcore.corpora.microworld import microworld
from lmcore.corruption.whole_words import CONTINUATION_PREFIX, WordPieces, group_pieces
from lmcore.models.bert import BERT
from lmcore.pretrained.loading import PretrainedModel
from lmcore.pretrained.reading import TokenizingModel, VocabularyModel
from lmcore.typed import fold
from lmcore.vocabulary import split_text

MASK = "[MASK]"
SPECIAL = ("[CLS]", "[SEP]", "[PAD]", MASK)
"""Tokens that are never chosen."""
LONGEST = 32
"""The longest text in tokens, special ones included: each has a row in the tables."""
COUNTED = 4000
"""Documents of the microworld from which its words are counted."""
LETTERS = 20
"""The longest word, in letters; longer ones are truncated."""


@dataclass(frozen=True, slots=True)
class ReplacementTypes:
    """The types from which random tokens are drawn, and their counts if known."""

    types: tuple[str, ...]
    counts: Float64[Tensor, " type"] | None
    whose: str


@dataclass(frozen=True, slots=True)
class CorruptText:
    """A text with everything its corruption needs.

    Ids number the types first, then words that occur only in the text, then [MASK].
    """

    tokens: tuple[str, ...]
    ids: Int[Tensor, "1 time"]
    maskable: Bool[Tensor, "1 time"]
    """Whether a position may be chosen."""
    mask: int
    stock: ReplacementTypes
    cut: bool = False
    """Whether the text was truncated"""
    network: BERT | None = None
    """The model that reads it, with a head for masked tokens"""

    @property
    def words(self) -> WordPieces:
        """The positions of each word's pieces."""
        return group_pieces(self.tokens, self.maskable[0].tolist())

    @property
    def open_places(self) -> tuple[int, ...]:
        """The positions that may be chosen, in order."""
        return tuple(self.maskable[0].nonzero()[:, 0].tolist())


def text_from_words(text: str) -> CorruptText:
    """A text of any words, punctuation marks and ##pieces.

    Raises:
        ValueError: if no word may be chosen.
    """
    typed = list[str]()
    for part in fold(text).split():
        whole = part in SPECIAL or part.startswith(CONTINUATION_PREFIX)
        typed += [part] if whole else split_text(part, "word")
    shown = [w if len(w) <= LETTERS else w[: LETTERS - 1] + "…" for w in typed[:LONGEST]]
    maskable = [token not in SPECIAL for token in shown]
    if not any(maskable):
        raise ValueError("the text must have 1 word or more that may be chosen; got none")
    stock = story_types()
    known = {word: n for n, word in enumerate(stock.types)}
    for token in shown:
        known.setdefault(token.lower(), len(known))
    ids = torch.tensor([[known[token.lower()] for token in shown]])
    cut = len(typed) > LONGEST
    return CorruptText(tuple(shown), ids, torch.tensor([maskable]), len(known), stock, cut)


def text_from_model(reader: TokenizingModel, text: str) -> CorruptText:
    """A text as a masked language model reads it.

    Raises:
        ValueError: if the model is not an encoder, lacks the head or [MASK], or cannot read it.
    """
    network = reader.network
    if not isinstance(network, BERT) or network.head is None:
        raise ValueError(
            "the model must be an encoder with a head that fills in masked tokens; "
            f"{reader.name} is not"
        )
    mask, stock = _mask(reader), model_types(reader)
    reading = reader.read(text, most=LONGEST)
    maskable = ~reading.special & (reading.ids != mask)
    if not maskable.any():
        raise ValueError("the text must have 1 word or more that may be chosen; got none")
    ids, tokens = reading.ids[None], reading.tokens
    return CorruptText(tokens, ids, maskable[None], mask, stock, reading.cut, network)


def model_types(reader: TokenizingModel) -> ReplacementTypes:
    """The types of a model, from which random tokens are drawn.

    Raises:
        ValueError: if the model's tokenizer does not list them.
    """
    if isinstance(reader, VocabularyModel):
        types = reader.vocabulary.tokens[: _mask(reader)]
        counts = _microworld_counts()
        row = torch.tensor([counts.get(each, 0.0) for each in types], dtype=torch.float64)
        return ReplacementTypes(
            types, row, f"the microworld's words, counted in {COUNTED:,} documents"
        )
    if isinstance(reader, PretrainedModel):
        made = reader.tokenizer
        named = [made.id_to_token(i) for i in range(reader.network.config.vocabulary)]
        types = tuple(name or "" for name in named)
        return ReplacementTypes(
            types, None, f"the tokens of {reader.name}, whose frequencies are unknown"
        )
    raise ValueError(f"the model must have types that are known; {reader.name} has none")


@lru_cache(maxsize=1)
def story_types() -> ReplacementTypes:
    """The words of the story that comes with the app, the most frequent first."""
    counts = Counter(word.lower() for word in split_text(prose.text(), "word") if word[0].isalpha())
    ranked = sorted(counts, key=lambda word: (-counts[word], word))
    row = torch.tensor([counts[word] for word in ranked], dtype=torch.float64)
    whose = f"the {len(ranked):,} words of the story that comes with this app"
    return ReplacementTypes(tuple(ranked), row, whose)


@lru_cache(maxsize=1)
def _microworld_counts() -> dict[str, float]:
    world = microworld()
    documents = world.sample(COUNTED, np.random.default_rng(1))
    counts = np.bincount(documents.tokens, minlength=len(world.vocabulary))
    counts[:2] = 0  # <s> and </s> are not words
    return dict(zip(world.vocabulary.tokens, counts.astype(float).tolist(), strict=True))


def _mask(reader: TokenizingModel) -> int:
    reading = reader.read(MASK)
    ids = reading.ids[~reading.special]
    if len(ids) != 1 or reading.tokens[int((~reading.special).nonzero()[0])] != MASK:
        raise ValueError(f"the model must have a {MASK}; {reader.name} has none")
    return int(ids[0])
