"""The one question of every decoder: what comes next, for a batch of texts that grow?

A decoder reads the prompt once and then one token a text at a time, so that nothing is computed
twice: a Transformer keeps keys and values (`cached_gpt.py`), a recurrent network its state, and
any other language model the tokens themselves.
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
    """Scores of the next token: log p, or logits, which are log p up to a number for each row.

    A memory is used up by the `step` that is given it; `select` makes a new one.
    """

    @property
    def longest(self) -> int | None:
        """Tokens that a text may have; None where there is no limit."""

    def start(
        self, tokens: Int[Tensor, "batch time"]
    ) -> tuple[Float[Tensor, "batch vocabulary"], Any]:
        """Read the prompts: the scores of what follows each, and what is remembered of them."""

    def step(
        self, tokens: Int[Tensor, " batch"], memory: Any
    ) -> tuple[Float[Tensor, "batch vocabulary"], Any]:
        """Read one token more of each text."""

    def select(self, memory: Any, rows: Int[Tensor, " kept"]) -> Any:
        """The memory of these rows, in their order; a row may be there twice."""


def start_copies(
    model: NextTokenModel, prompt: Int[Tensor, " time"], texts: int
) -> tuple[Float[Tensor, "batch vocabulary"], Any]:
    """As `start` of so many texts with one prompt, which is read once."""
    scores, memory = model.start(prompt[None])
    rows = torch.zeros(texts, dtype=torch.long, device=scores.device)
    return scores[rows], model.select(memory, rows)


def log_p(
    model: NextTokenModel, prompt: Int[Tensor, " time"], texts: Sequence[Sequence[int]]
) -> list[Float64[Tensor, " token"]]:
    """log p of each token of each text after the prompt, as the model itself has it."""
    longest = max(map(len, texts), default=0)
    if not longest:
        return [torch.zeros(0, dtype=torch.float64) for _ in texts]
    # A text that has ended is filled up with its last token; what follows it is not looked at.
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
    """A network whose state is of one size however long the text: a `NextTokenModel`."""

    network: Network
    longest: int | None = None

    @torch.inference_mode()
    def start(
        self, tokens: Int[Tensor, "batch time"]
    ) -> tuple[Float[Tensor, "batch vocabulary"], State]:
        """As `NextToken.start`."""
        logits, state = self.network.fused(tokens)
        return logits[:, -1], state

    @torch.inference_mode()
    def step(
        self, tokens: Int[Tensor, " batch"], memory: State
    ) -> tuple[Float[Tensor, "batch vocabulary"], State]:
        """As `NextToken.step`."""
        logits, state = self.network.fused(tokens[:, None], memory)
        return logits[:, -1], state

    def select(self, memory: State, rows: Int[Tensor, " kept"]) -> State:
        """As `NextToken.select`: the batch is the second axis of h and c, the first of tokens."""
        if isinstance(memory, tuple):
            return tuple(part[:, rows] for part in memory)
        if memory is None:
            return None
        return memory[:, rows] if memory.is_floating_point() else memory[rows]


@dataclass(frozen=True, slots=True)
class RecomputingAdapter:
    """Any language model, asked anew about each whole text: a `NextTokenModel`.

    It serves tables, which look a text up and compute nothing.
    """

    model: LanguageModel
    longest: int | None = None

    def start(
        self, tokens: Int[Tensor, "batch time"]
    ) -> tuple[Float[Tensor, "batch vocabulary"], Int[Tensor, "batch time"]]:
        """As `NextToken.start`."""
        rows = [self.model.log_probabilities(text)[-1] for text in tokens]
        return torch.stack(rows), tokens

    def step(
        self, tokens: Int[Tensor, " batch"], memory: Int[Tensor, "batch time"]
    ) -> tuple[Float[Tensor, "batch vocabulary"], Int[Tensor, "batch longer"]]:
        """As `NextToken.step`."""
        return self.start(torch.cat([memory, tokens[:, None]], dim=1))

    def select(
        self, memory: Int[Tensor, "batch time"], rows: Int[Tensor, " kept"]
    ) -> Int[Tensor, "kept time"]:
        """As `NextToken.select`."""
        return memory[rows]


def next_token_model(model: LanguageModel | GPT) -> NextTokenModel:
    """The quickest way to ask a model that there is.

    A GPT that sees both ways is read anew: its keys change with what comes after them.
    """
    network = model.network if isinstance(model, NeuralModel) else model
    if isinstance(network, GPT) and network.config.causal:
        return CachedGPT(network)
    if isinstance(network, Network):
        return RecurrentAdapter(network)
    return RecomputingAdapter(network)
