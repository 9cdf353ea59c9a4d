"""What the page follows through a model: a text, every stage of its forward pass, its words."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

import torch
from jaxtyping import Float64, Int
from torch import Tensor

from lmcore.models.bert import BERT
from lmcore.models.gpt import GPT
from lmcore.models.transformer_config import TransformerConfig
from lmcore.pretrained.loading import PretrainedModel
from lmcore.pretrained.reading import TokenizingModel, VocabularyModel, trace_text
from lmcore.pretrained.tokenizing import visible_text
from lmcore.transformer.flow import Flow, model_flow

MOST_TOKENS = 24
"""Tokens of a text that are followed."""
CANDIDATES = 10
"""The words with the largest ŷ that are shown for each token."""

Kind = Literal["gpt", "bert", "translation"]


@dataclass(frozen=True, slots=True, eq=False)
class Shown:
    """A text in a model, with every stage of the forward pass."""

    kind: Kind
    name: str
    config: TransformerConfig
    flow: Flow
    source: tuple[str, ...]
    """The tokens that the encoder of an encoder–decoder reads; else none."""
    tokens: tuple[str, ...]
    target: tuple[str, ...]
    """The true target of an encoder–decoder; else none."""
    decode: Callable[[Sequence[int]], list[str]]
    """Ids as the words they stand for."""
    seconds: float
    """What the forward pass took."""
    cut: bool = False
    """Whether the end of the text was left out."""

    @property
    def probabilities(self) -> Float64[Tensor, "time vocabulary"] | None:
        """ŷ at each token, or None without a head."""
        stage = self.flow.stages.get("p")
        return None if stage is None else stage.values.cpu()

    def best(self) -> Int[Tensor, "time candidate"]:
        """The ids of the words with the largest ŷ at each token.

        Raises:
            ValueError: if the model has no head.
        """
        found = self.probabilities
        if found is None:
            raise ValueError(f"a model must have a head to predict words; {self.name} has none")
        return found.topk(min(CANDIDATES, found.shape[1]), dim=-1).indices

    @property
    def masked(self) -> tuple[int, ...]:
        """The places of [MASK]."""
        return tuple(t for t, token in enumerate(self.tokens) if token == "[MASK]")


@torch.no_grad()
def follow_text(reader: TokenizingModel, text: str, clock: Callable[[], float]) -> Shown:
    """Every stage of one text in a GPT or a BERT.

    Raises:
        ValueError: if the model cannot read the text.
    """
    network = reader.network
    reading = reader.read(text, "", MOST_TOKENS)
    began = clock()
    trace = trace_text(network, reading)
    seconds = clock() - began
    return Shown(
        "gpt" if isinstance(network, GPT) else "bert",
        reader.name,
        network.config,
        model_flow(network, reading.ids, trace),
        (),
        reading.tokens,
        (),
        word_decoder(reader),
        seconds,
        reading.cut,
    )


def word_decoder(reader: TokenizingModel) -> Callable[[Sequence[int]], list[str]]:
    """A function that names the types of a model by their ids."""
    if isinstance(reader, VocabularyModel):
        return lambda ids: reader.vocabulary.decode(list(ids))
    if not isinstance(reader, PretrainedModel):
        return lambda ids: [f"#{i}" for i in ids]
    tokenizer, gpt = reader.tokenizer, not isinstance(reader.network, BERT)

    def named(i: int) -> str:
        token = tokenizer.id_to_token(i) or f"#{i}"
        return visible_text(token) if gpt else token

    return lambda ids: [named(i) for i in ids]
