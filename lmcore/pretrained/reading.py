"""The tokens of a text for a Transformer, whichever tokenizer it was trained with."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

import torch
from jaxtyping import Bool, Int
from torch import Tensor

from lmcore.models.bert import BERT, BERTTrace
from lmcore.models.gpt import GPT, GPTTrace
from lmcore.models.interventions import Edit
from lmcore.pretrained import limits
from lmcore.typed import fold
from lmcore.vocabulary import END, START, Vocabulary

CLS, SEP, PAD = "[CLS]", "[SEP]", "[PAD]"
SPECIAL_TOKENS = (START, END, CLS, SEP, PAD)
"""The special tokens of our own vocabularies; a [MASK] stands for a word, and counts as one."""

_TYPED = re.compile(r"(\[(?:MASK|CLS|SEP|PAD)\])", re.IGNORECASE)
VISIBLE_WHITESPACE = {" ": "␣", "\n": "⏎"}
"""The display form of invisible characters."""


@dataclass(frozen=True, slots=True)
class TokenizedText:
    """The tokens of a text, or of a pair of texts."""

    ids: Int[Tensor, " time"]
    tokens: tuple[str, ...]
    """In their display form: a blank is ␣, a byte of an incomplete character is \\xf0."""
    segments: Int[Tensor, " time"]
    """0 in the first text, 1 in the second."""
    special: Bool[Tensor, " time"]
    """True for [CLS], [SEP] and their like, which stand for no word."""
    cut: bool
    """Whether the text was longer than the limit, and its end was left out."""


@runtime_checkable
class TokenizingModel(Protocol):
    """A network with its tokenizer."""

    @property
    def name(self) -> str:
        """The name of the model."""
        ...

    @property
    def network(self) -> BERT | GPT:
        """The model."""
        ...

    def read(self, text: str, pair: str = "", most: int = 128) -> TokenizedText:
        """At most `most` tokens, special ones included, and no more than the model has places for.

        Raises:
            ValueError: if there is no token in a text, `most` leaves no room for one, or there is
                a pair and the model reads one text only.
        """
        ...


@dataclass(frozen=True, slots=True)
class VocabularyModel:
    """A Transformer of our own, over the types of a `Vocabulary`: a `TokenizingModel`."""

    name: str
    network: BERT | GPT
    vocabulary: Vocabulary

    def __post_init__(self) -> None:
        """Raises ValueError if the network is of another vocabulary."""
        types = self.network.config.vocabulary
        if types != len(self.vocabulary):
            raise ValueError(
                f"the vocabulary must hold {types} types, as the network does; "
                f"got {len(self.vocabulary)}"
            )

    def read(self, text: str, pair: str = "", most: int = 128) -> TokenizedText:
        """The tokens of a text or a pair, with the special tokens that the vocabulary has.

        `[CLS] text [SEP] pair [SEP]`, or `<s> text </s>`, or for a GPT `<s> text`.

        Raises:
            ValueError: as `TokenizingModel.read`, or `Vocabulary.encode` without `<unk>`.
        """
        first, last = self._frame()
        if SEP not in last:
            limits.require_single_text(self.name, pair)
        texts, cut = limits.clean_texts(text, pair) if pair else limits.clean_texts(text)
        parts = [self._tokens(each) for each in texts]
        lengths = [len(part) for part in parts]
        room = limits.available_tokens(self.network, most, len(first) + len(last) * len(parts))
        kept = limits.token_shares(lengths, room)
        tokens, segments = list(first), [0] * len(first)
        for n, (part, keep) in enumerate(zip(parts, kept, strict=True)):
            # Encoded without the special tokens: places in errors are those in the typed text.
            self.vocabulary.encode(part[:keep], of=("", "of the second text")[n])
            tokens += [*part[:keep], *last]
            segments += [n] * (keep + len(last))
        ids = self.vocabulary.encode(tokens)
        tokens = self.vocabulary.decode(ids)
        return TokenizedText(
            torch.tensor(ids),
            tuple(VISIBLE_WHITESPACE.get(token, token) for token in tokens),
            torch.tensor(segments),
            torch.tensor([token in SPECIAL_TOKENS for token in tokens]),
            cut or kept != lengths,
        )

    def _frame(self) -> tuple[list[str], list[str]]:
        """The special tokens before the first text and after each text."""
        encoder = isinstance(self.network, BERT)
        first, last = (CLS, SEP) if encoder and CLS in self.vocabulary else (START, END)
        return (
            [first] if first in self.vocabulary else [],
            [last] if encoder and last in self.vocabulary else [],
        )

    def _tokens(self, text: str) -> list[str]:
        """The tokens of a text; a typed [MASK] is the token, if the vocabulary has it."""
        known, tokens = self.vocabulary, list[str]()
        for piece in _TYPED.split(fold(text, keep=known.characters)):
            if _TYPED.fullmatch(piece) and piece.upper() in known:
                tokens.append(piece.upper())
            else:
                tokens += known.split(piece)
        return tokens


@torch.no_grad()
def trace_text(
    network: BERT | GPT, reading: TokenizedText, *, edits: Sequence[Edit] = ()
) -> BERTTrace | GPTTrace:
    """The network over the text: a batch of one, on the device where the network is.

    Raises:
        ValueError: as the network's `forward`.
    """
    where = network.embedding.token.weight.device
    ids = reading.ids[None].to(where)
    if isinstance(network, GPT):
        trace: GPTTrace = network(ids, edits=edits)
        return trace
    # A model with one segment, or none, was trained without the difference.
    segments = reading.segments[None].to(where) if network.config.segments > 1 else None
    seen: BERTTrace = network(ids, segments=segments, edits=edits)
    return seen
