"""A model prepared for generation: its scores, its tokenizer, and the grammar that judges it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import torch
from jaxtyping import Float, Float64, Int
from torch import Tensor, nn

from lmcore.corpora.automaton import Automaton
from lmcore.decoding.next_token import NextTokenModel, next_token_model
from lmcore.models.gpt import GPT
from lmcore.models.language_model import LanguageModel
from lmcore.models.ngram import NGram
from lmcore.models.registry import NeuralModel, device_of
from lmcore.pretrained import tokenizing
from lmcore.pretrained.loading import PretrainedModel
from lmcore.vocabulary import END, START, UNKNOWN, Vocabulary

MOST_PROMPT = 512
"""The longest prompt, in tokens, if the model itself has no limit."""
KEPT = 1024
"""The most cached rows of an n-gram model: 2 MB for the Microworld."""


@dataclass(frozen=True, slots=True)
class Writer:
    """A model with its tokenizer; `truth` is the grammar, if the model was trained on its texts."""

    name: str
    model: NextTokenModel
    types: int
    """|V|"""
    ids: Callable[[str], list[int]]
    shown: Callable[[int], str]
    """The display form of a single token."""
    text: Callable[[Sequence[int]], str]
    """Tokens as text."""
    stop: tuple[int, ...]
    """The tokens that end a text: none, one or several; for `SamplingConfig` and `BeamConfig`."""
    truth: Automaton | None = None
    unknown: Callable[[str], tuple[str, ...]] = lambda prompt: ()
    """The words of a prompt that become `<unk>`."""

    def read(self, prompt: str) -> Int[Tensor, " time"]:
        """The ids of a prompt, with `<s>` in front where the model has it.

        Raises:
            ValueError: if there is no token, there are too many, or one is not in a vocabulary
                without `<unk>`.
        """
        ids = self.ids(prompt)
        most = MOST_PROMPT if self.model.longest is None else self.model.longest - 1
        if not ids:
            raise ValueError("a prompt must have at least one token to go on from; got none")
        if len(ids) > most:
            raise ValueError(
                f"a prompt must have at most {most} tokens, so that one more can be written; "
                f"got {len(ids):,}"
            )
        return torch.tensor(ids)


def writer_from_vocabulary(
    name: str, model: LanguageModel, vocabulary: Vocabulary, truth: Automaton | None = None
) -> Writer:
    """A writer from one of our own models: a network, n-gram counts, the grammar, or the tree."""
    return Writer(
        name,
        _asked(model),
        len(vocabulary),
        lambda prompt: _ids(vocabulary, prompt),
        lambda i: vocabulary.tokens[i],
        vocabulary.write,
        () if END not in vocabulary else (vocabulary.ids[END],),
        truth,
        lambda prompt: _unknown(vocabulary, prompt),
    )


def writer_from_pretrained(found: PretrainedModel, end: str = "") -> Writer:
    """A writer from a pretrained GPT-2.

    Its folder says which tokens end a text, and what an empty prompt becomes; `end`, a token of its
    vocabulary, replaces both.

    Raises:
        ValueError: if the model is not a GPT.
    """
    network, made = found.network, found.tokenizer
    if not isinstance(network, GPT):
        raise ValueError(f"the model must be a GPT, so that it can write; got {found.name}")
    own = made.token_to_id(end) if end else None
    start, stop = found.text_ends if own is None else (own, (own,))

    def ids(prompt: str) -> list[int]:
        if not prompt:
            return [] if start is None else [start]
        reading = found.read(prompt, most=network.config.longest)
        if reading.cut:
            raise ValueError(
                f"a prompt must have at most {network.config.longest - 1} tokens, so that one more "
                "can be written; got more"
            )
        return reading.ids.tolist()

    return Writer(
        found.name,
        _asked(network),
        network.config.vocabulary,
        ids,
        lambda i: tokenizing.visible_text(made.id_to_token(i) or f"#{i}"),
        lambda some: made.decode(list(some)),
        stop,
    )


@dataclass(frozen=True, slots=True)
class DeviceAdapter:
    """A `NextTokenModel` for texts on the CPU, from a model on another device."""

    model: NextTokenModel
    device: torch.device

    @property
    def longest(self) -> int | None:
        """As `NextTokenModel.longest`."""
        return self.model.longest

    def start(
        self, tokens: Int[Tensor, "batch time"]
    ) -> tuple[Float[Tensor, "batch vocabulary"], Any]:
        """As `NextTokenModel.start`."""
        scores, memory = self.model.start(tokens.to(self.device))
        return scores.cpu(), memory

    def step(
        self, tokens: Int[Tensor, " batch"], memory: Any
    ) -> tuple[Float[Tensor, "batch vocabulary"], Any]:
        """As `NextTokenModel.step`."""
        scores, memory = self.model.step(tokens.to(self.device), memory)
        return scores.cpu(), memory

    def select(self, memory: Any, rows: Int[Tensor, " kept"]) -> Any:
        """As `NextTokenModel.select`."""
        return self.model.select(memory, rows.to(self.device))


def _asked(model: LanguageModel | GPT) -> NextTokenModel:
    """The fastest adapter of the model for texts on the CPU."""
    if isinstance(model, NGram):
        return NGramAdapter(model)
    network = model.network if isinstance(model, NeuralModel) else model
    device = device_of(network) if isinstance(network, nn.Module) else torch.device("cpu")
    quick = next_token_model(model)
    return quick if device.type == "cpu" else DeviceAdapter(quick, device)


@dataclass(frozen=True, slots=True)
class NGramAdapter:
    """A `NextTokenModel` from an n-gram, which reads the last N−1 tokens only."""

    model: NGram
    longest: int | None = None
    rows: dict[tuple[int, ...], Tensor] = field(default_factory=dict, compare=False, repr=False)
    """A cache of rows: the last N−1 tokens → log p of the next; texts share most of them."""

    def start(
        self, tokens: Int[Tensor, "batch time"]
    ) -> tuple[Float[Tensor, "batch vocabulary"], Int[Tensor, "batch window"]]:
        """As `NextTokenModel.start`."""
        seen = tokens[:, -max(self.model.config.order - 1, 1) :]
        return torch.stack([self.after(tuple(text)) for text in seen.tolist()]), seen

    def after(self, seen: tuple[int, ...]) -> Float64[Tensor, " vocabulary"]:
        """log p of the next token."""
        if (row := self.rows.get(seen)) is None:
            if len(self.rows) >= KEPT:
                self.rows.clear()
            self.rows[seen] = row = self.model.after(torch.tensor(seen))
        return row

    def step(
        self, tokens: Int[Tensor, " batch"], memory: Int[Tensor, "batch window"]
    ) -> tuple[Float[Tensor, "batch vocabulary"], Int[Tensor, "batch next_window"]]:
        """As `NextTokenModel.step`."""
        return self.start(torch.cat([memory, tokens[:, None]], dim=1))

    def select(
        self, memory: Int[Tensor, "batch window"], rows: Int[Tensor, " kept"]
    ) -> Int[Tensor, "kept window"]:
        """As `NextTokenModel.select`."""
        return memory[rows]


def _ids(vocabulary: Vocabulary, prompt: str) -> list[int]:
    """The ids of a prompt; rejects `</s>`, and `<s>` anywhere but in front."""
    ids = vocabulary.read(prompt)
    if vocabulary.ids.get(END) in ids:
        raise ValueError(f"a prompt must not have {END}, after which nothing is written; got it")
    if vocabulary.ids.get(START) in ids[1:]:
        raise ValueError(f"a prompt must have {START} only in front; got it inside")
    return ids


def _unknown(vocabulary: Vocabulary, prompt: str) -> tuple[str, ...]:
    """The unknown words of a prompt, each once, where they become `<unk>`."""
    if UNKNOWN not in vocabulary:
        return ()
    return tuple(dict.fromkeys(w for w in vocabulary.split(prompt) if w not in vocabulary))
