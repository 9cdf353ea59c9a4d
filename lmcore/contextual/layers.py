"""The vectors of the words of texts, layer by layer, from any of the models.

    layer 0        E[x], without a position: the same wherever the word stands
    layer l        h^(l), the output of block l;  in the biLM [→h_{k,l}; ←h_{k,l}]

A word that the tokenizer cuts has the mean of its pieces. Texts of one length are read together, so
that none is padded.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Sized
from dataclasses import dataclass, field
from typing import Protocol, runtime_checkable

import torch
from jaxtyping import Float
from torch import Tensor

from lmcore.contextual.bilm import BiLM
from lmcore.pretrained.reading import TokenizedText, TokenizingModel
from lmcore.vocabulary import END, START, Vocabulary

BATCH = 32


@runtime_checkable
class LayeredModel(Protocol):
    """A model that gives each word of a text a vector in every layer."""

    @property
    def depth(self) -> int:
        """L, the number of layers above layer 0."""

    def word_vectors(
        self, texts: Sequence[Sequence[str]]
    ) -> list[Float[Tensor, "layer word width"]]:
        """For each text, layers 0 … L of its words; special tokens are read, and left out.

        Raises:
            ValueError: if a word is not in the model's vocabulary, or a text is too long.
        """


@dataclass(frozen=True, slots=True)
class BiLMLayers:
    """The biLM over `<s>`, the words, and `</s>`."""

    network: BiLM
    vocabulary: Vocabulary

    @property
    def depth(self) -> int:
        """The number of LSTM layers in each direction."""
        return self.network.config.layers

    @torch.no_grad()
    def word_vectors(
        self, texts: Sequence[Sequence[str]]
    ) -> list[Float[Tensor, "layer word width"]]:
        """h_{k,0} … h_{k,L} of each word.

        Raises:
            ValueError: if a word is unknown.
        """
        ids = [self._ids(text) for text in texts]
        found: dict[int, Tensor] = {}
        for places in equal_lengths(ids):
            layers = self.network(torch.tensor([ids[i] for i in places])).layers
            found |= {i: layers[:, row, 1:-1] for row, i in enumerate(places)}
        return [found[i] for i in range(len(texts))]

    def _ids(self, text: Sequence[str]) -> list[int]:
        start, end = self.vocabulary.encode((START, END))
        return [start, *self.vocabulary.encode([word.lower() for word in text]), end]


@dataclass(frozen=True, slots=True)
class TransformerLayers:
    """A BERT or a GPT with its tokenizer."""

    model: TokenizingModel
    _pieces: dict[str, int] = field(default_factory=dict)

    @property
    def depth(self) -> int:
        """The number of blocks."""
        return self.model.network.config.layers

    @torch.no_grad()
    def word_vectors(
        self, texts: Sequence[Sequence[str]]
    ) -> list[Float[Tensor, "layer word width"]]:
        """E[x] and the output of every block, for each word.

        Raises:
            ValueError: if a word is unknown, or a text is longer than the model reads.
        """
        network = self.model.network
        readings = [self._read(text) for text in texts]
        found: dict[int, Tensor] = {}
        for places in equal_lengths([reading.tokens for reading in readings]):
            ids = torch.stack([readings[i].ids for i in places])
            trace = network(ids.to(network.embedding.token.weight.device))
            layers = [trace.embedding.token, *(block.output for block in trace.blocks)]
            whole = torch.stack(layers).cpu()
            for row, i in enumerate(places):
                pieces = whole[:, row, ~readings[i].special]
                parts = torch.split(pieces, [self._count(word) for word in texts[i]], dim=1)
                found[i] = torch.stack([part.mean(1) for part in parts], dim=1)
        return [found[i] for i in range(len(texts))]

    def _read(self, words: Sequence[str]) -> TokenizedText:
        reading = self.model.read(" ".join(words), most=self.model.network.config.longest)
        expected = sum(self._count(word) for word in words)
        if reading.cut or int((~reading.special).sum()) != expected:
            raise ValueError(
                f"a text must be short enough for the model to read whole; got {len(words)} words"
            )
        return reading

    def _count(self, word: str) -> int:
        """How many pieces the tokenizer makes of a word."""
        if word not in self._pieces:
            self._pieces[word] = int((~self.model.read(word).special).sum())
        return self._pieces[word]


def equal_lengths(texts: Sequence[Sized]) -> Iterator[list[int]]:
    """The places of texts of one length, at most `BATCH` together."""
    of_length: dict[int, list[int]] = {}
    for place, text in enumerate(texts):
        of_length.setdefault(len(text), []).append(place)
    for places in of_length.values():
        for start in range(0, len(places), BATCH):
            yield places[start : start + BATCH]
