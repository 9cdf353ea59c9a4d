"""The model interface of all decoders: next-token scores for a batch of growing texts.

A decoder reads the prompt once and then one token per text and step, so that nothing is computed
twice: a Transformer caches keys and values (`cached_gpt.py`), a recurrent network its state, any
other language model the tokens themselves.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

import torch
from jaxtyping import Float, Float64, Int
from torch import Tensor

from lmcore.decoding.cached_gpt import CachedGPT
from lmcore.models.gpt import GPT
from lmcore.models.language_model import LanguageModel
from lmcore.models.layers import State
from lmcore.models.registry import Network, NeuralModel


@runtime_checkable
class NextTokenModel(Protocol):
    """Scores of the next token: log p, or logits, which are log p up to a constant per row.

    `step` may change the memory it is given, so use only the one it returns; `select` copies.
    """

    @property
    def longest(self) -> int | None:
        """The maximal length of a text in tokens; None without a limit."""

    def start(
        self, tokens: Int[Tensor, "batch time"]
    ) -> tuple[Float[Tensor, "batch vocabulary"], Any]:
        """Read the prompts: the scores of the next token of each, and the memory."""

    def step(
        self, tokens: Int[Tensor, " batch"], memory: Any
    ) -> tuple[Float[Tensor, "batch vocabulary"], Any]:
        """Read one more token of each text."""

    def select(self, memory: Any, rows: Int[Tensor, " kept"]) -> Any:
        """The memory of these rows, in this order; a row may occur twice."""


def start_copies(
    model: NextTokenModel, prompt: Int[Tensor, " time"], texts: int
) -> tuple[Float[Tensor, "batch vocabulary"], Any]:
    """`start` for several texts with the same prompt, which is read once."""
    scores, memory = model.start(prompt[None])
    rows = torch.zeros(texts, dtype=torch.long, device=scores.device)
    return scores[rows], model.select(memory, rows)


def log_p(
    model: NextTokenModel, prompt: Int[Tensor, " time"], texts: Sequence[Sequence[int]]
) -> list[Float64[Tensor, " token"]]:
    """The unfiltered model's log p of each token of each text after the prompt."""
    longest = max(map(len, texts), default=0)
    if not longest:
        return [torch.zeros(0, dtype=torch.float64) for _ in texts]
    # An ended text is padded with its last token; the scores after it are not used.
    filled = [[*text, *[text[-1] if text else 0] * (longest - len(text))] for text in texts]
    ids = torch.tensor(filled, device=prompt.device)
    scores, memory = start_copies(model, prompt, len(texts))
    columns = []
    for n in range(longest):
        columns.append(scores.double().log_softmax(dim=-1).gather(1, ids[:, n : n + 1]))
        if n + 1 < longest:
            scores, memory = model.step(ids[:, n], memory)
    rows = torch.cat(columns, dim=1).cpu()
    return [row[: len(text)] for row, text in zip(rows, texts, strict=True)]


@dataclass(frozen=True, slots=True)
class RecurrentAdapter:
    """A `NextTokenModel` from a network whose state has a fixed size."""

    network: Network
    longest: int | None = None

    @torch.inference_mode()
    def start(
        self, tokens: Int[Tensor, "batch time"]
    ) -> tuple[Float[Tensor, "batch vocabulary"], State]:
        """As `NextTokenModel.start`."""
        logits, state = self.network.logits_and_state(tokens)
        return logits[:, -1], state

    @torch.inference_mode()
    def step(
        self, tokens: Int[Tensor, " batch"], memory: State
    ) -> tuple[Float[Tensor, "batch vocabulary"], State]:
        """As `NextTokenModel.step`."""
        logits, state = self.network.logits_and_state(tokens[:, None], memory)
        return logits[:, -1], state

    def select(self, memory: State, rows: Int[Tensor, " kept"]) -> State:
        """As `NextTokenModel.select`: the batch is axis 1 of h and c, axis 0 of tokens."""
        if isinstance(memory, tuple):
            return tuple(part[:, rows] for part in memory)
        if memory is None:
            return None
        return memory[:, rows] if memory.is_floating_point() else memory[rows]


@dataclass(frozen=True, slots=True)
class RecomputingAdapter:
    """A `NextTokenModel` from any language model, which reads each whole text again at every step.

    Meant for tables, which look up and compute nothing.
    """

    model: LanguageModel
    longest: int | None = None

    def start(
        self, tokens: Int[Tensor, "batch time"]
    ) -> tuple[Float[Tensor, "batch vocabulary"], Int[Tensor, "batch time"]]:
        """As `NextTokenModel.start`."""
        rows = [self.model.log_probabilities(text)[-1] for text in tokens]
        return torch.stack(rows), tokens

    def step(
        self, tokens: Int[Tensor, " batch"], memory: Int[Tensor, "batch time"]
    ) -> tuple[Float[Tensor, "batch vocabulary"], Int[Tensor, "batch longer"]]:
        """As `NextTokenModel.step`."""
        return self.start(torch.cat([memory, tokens[:, None]], dim=1))

    def select(
        self, memory: Int[Tensor, "batch time"], rows: Int[Tensor, " kept"]
    ) -> Int[Tensor, "kept time"]:
        """As `NextTokenModel.select`."""
        return memory[rows]


def next_token_model(model: LanguageModel | GPT) -> NextTokenModel:
    """The fastest adapter for a model.

    A GPT without causal mask is recomputed: its keys change with every later token. So is one
    whose blocks lack a part.
    """
    network = model.network if isinstance(model, NeuralModel) else model
    if isinstance(network, GPT) and network.config.causal and network.config.has_all_parts:
        return CachedGPT(network)
    if isinstance(network, Network):
        return RecurrentAdapter(network)
    return RecomputingAdapter(network)
