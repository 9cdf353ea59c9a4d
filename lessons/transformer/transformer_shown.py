"""What the page shows of a model: a text, every stage of its forward pass, its words."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

import torch
from jaxtyping import Float64, Int
from torch import Tensor

from lmcore.corpora.translation import parse_source, translate_aligned
from lmcore.models.bert import BERT
from lmcore.models.encoder_decoder import Transformer
from lmcore.models.gpt import GPT
from lmcore.models.registry import device_of
from lmcore.models.transformer_config import TransformerConfig
from lmcore.pretrained.loading import PretrainedModel
from lmcore.pretrained.reading import TokenizingModel, VocabularyModel, trace_text
from lmcore.pretrained.tokenizing import visible_text
from lmcore.training.translation_batches import MOST_WRITTEN, encode_sources
from lmcore.transformer.flow import Flow, model_flow, translation_flow
from lmcore.vocabulary import END, START, Vocabulary

MOST_TOKENS = 24
"""The maximum number of tokens of a text."""
CANDIDATES = 10
"""The number of most probable words that are shown for each token."""

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
    """A function from ids to words."""
    seconds: float
    """The duration of the forward pass, in seconds."""
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


TASK = "mixture"
"""The task that the encoder–decoder was trained on."""


@torch.no_grad()
def follow_translation(
    network: Transformer,
    vocabulary: Vocabulary,
    text: str,
    clock: Callable[[], float],
    *,
    taught: bool = False,
) -> Shown:
    """Every stage of a translation; the decoder reads its own words, or if `taught` the true ones.

    Raises:
        ValueError: if the text is not a source of the task, or is too long.
    """
    source = parse_source(text, TASK)
    if len(source) >= MOST_TOKENS:
        raise ValueError(
            f"a source must have at most {MOST_TOKENS - 1} words to be followed; got {len(source)}"
        )
    target = translate_aligned(source, TASK).target
    ids = encode_sources([source]).to(device_of(network))
    read = [START, *target] if taught else written_words(network, vocabulary, ids)
    tokens = torch.tensor([vocabulary.encode(read)], device=ids.device)
    began = clock()
    trace = network(ids, tokens)
    seconds = clock() - began
    return Shown(
        "translation",
        "our small encoder–decoder",
        network.config,
        translation_flow(network, ids[0], tokens[0], trace),
        (*source, END),
        tuple(read),
        (*target, END),
        lambda some: vocabulary.decode(list(some)),
        seconds,
    )


def written_words(
    network: Transformer, vocabulary: Vocabulary, source: Int[Tensor, "1 source"]
) -> list[str]:
    """What the decoder reads when it translates greedily: `<s>` and its own words."""
    state, end = network.encode(source), vocabulary.ids[END]
    read = [vocabulary.ids[START]]
    while len(read) < MOST_WRITTEN:
        logits, _, state = network.step(torch.tensor(read[-1:], device=source.device), state)
        if (best := int(logits[0].argmax())) == end:
            break
        read.append(best)
    return vocabulary.decode(read)


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


def embedding_sum(shown: Shown) -> str:
    """The sum that gives h⁽⁰⁾ in this model: E[x] and P, with √d or S if it has them."""
    stages = shown.flow.stages
    parts = [stages[name].symbol for name in ("token", "position", "segment") if name in stages]
    return " + ".join(parts)
