"""The five networks by name: build one, query it, sample from it."""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass, replace

import torch
from jaxtyping import Float
from torch import Tensor, nn

from lmcore.checks import check_one_of
from lmcore.models.bert import BERT
from lmcore.models.encoder_decoder import Transformer
from lmcore.models.feedforward import Feedforward, FeedforwardConfig
from lmcore.models.gpt import GPT
from lmcore.models.gru import GRU, GRUConfig
from lmcore.models.layers import WIDEST, State
from lmcore.models.lstm import LSTM, LSTMConfig
from lmcore.models.recurrent_seq2seq import Seq2Seq, Seq2SeqConfig
from lmcore.models.rnn import RNN, RNNConfig
from lmcore.models.transformer_config import TransformerConfig
from lmcore.token_ids import TextIds, text_ids
from lmcore.vocabulary import Vocabulary

Config = FeedforwardConfig | RNNConfig | GRUConfig | LSTMConfig | TransformerConfig | Seq2SeqConfig
Network = Feedforward | RNN | GRU | LSTM | GPT
TranslationModel = Seq2Seq | Transformer
"""Both write a target word by word: `encode` a source, then `step`."""
NAMES = ("feedforward", "rnn", "gru", "lstm", "transformer")
PLACES = 128
"""Positions of the Transformers that are trained here."""
CLOSE = 0.02
"""Two models match in size if their parameters differ by no more than this share."""


def build(config: Config, seed: int = 0) -> Network:
    """An untrained language model on the CPU: a pure function of `config` and `seed`.

    Raises:
        ValueError: if `config` is not that of a language model; seq2seq is not one.
    """
    match config:
        case FeedforwardConfig():
            return Feedforward(config, seed)
        case RNNConfig():
            return RNN(config, seed)
        case GRUConfig():
            return GRU(config, seed)
        case LSTMConfig():
            return LSTM(config, seed)
        case TransformerConfig():
            return GPT(config, seed)
    raise ValueError(f"a config must be one of a network, such as LSTMConfig; got {config!r:.60}")


@dataclass(frozen=True, slots=True)
class NeuralModel:
    """A network with the vocabulary it was trained on: a `LanguageModel`.

    Raises:
        ValueError: if network and vocabulary are of different sizes.
    """

    network: Network
    vocabulary: Vocabulary

    def __post_init__(self) -> None:
        if self.network.config.vocabulary != len(self.vocabulary):
            raise ValueError(
                f"the vocabulary must hold {self.network.config.vocabulary} types, as the network "
                f"does; got {len(self.vocabulary)}"
            )

    def log_probabilities(self, tokens: TextIds) -> Float[Tensor, "time vocabulary"]:
        """Row t holds log p(x_{t+1} = · | x_1 … x_t), in nats, in float64.

        Raises:
            ValueError: if there is no token, or one is not an id of the vocabulary.
        """
        rows, _ = read_tokens(self.network, text_ids(tokens).tolist())
        return rows

    def advance(
        self, token: int, state: State = None
    ) -> tuple[Float[Tensor, " vocabulary"], State]:
        """Read one more token: log p of the next token, and the state after it.

        Raises:
            ValueError: if the token is not an id of the vocabulary.
        """
        rows, state_after = read_tokens(self.network, [token], state)
        return rows[-1], state_after


@torch.no_grad()
def read_tokens(
    network: Network, tokens: Sequence[int], state: State = None
) -> tuple[Float[Tensor, "time vocabulary"], State]:
    """log p of what follows each token, in float64 on the CPU, and the state after the last.

    Raises:
        ValueError: if there is no token, one is not an id of the vocabulary, or the network has
            diverged: its logits are infinite or nan.
    """
    types = network.config.vocabulary
    if not tokens:
        raise ValueError("a text must have at least one token for a network to read; got none")
    for place, token in enumerate(tokens, start=1):
        if not 0 <= token < types:
            raise ValueError(f"token {place} must be an id from 0 to {types - 1}; got {token}")
    row = torch.tensor([list(tokens)], device=device_of(network))
    logits, state_after = network.logits_and_state(row, state)
    rows = logits[0].cpu().double().log_softmax(dim=-1)
    if not rows.isfinite().all():
        raise ValueError("a network must give finite logits; got inf or nan: it has diverged")
    return rows, state_after


def embedding_table(
    network: Network | BERT | TranslationModel,
) -> Float[Tensor, "vocabulary width"]:
    """E: one row per type; of seq2seq E′, that of the target."""
    if isinstance(network, Seq2Seq):
        return network.target_embedding.weight
    if isinstance(network, GPT | BERT | Transformer):
        return network.embedding.token.weight
    return network.embedding.weight


def device_of(network: nn.Module) -> torch.device:
    """The device that a network is on."""
    return next(network.parameters()).device


def sample(
    network: Network,
    start_tokens: Sequence[int],
    length: int,
    generator: torch.Generator,
    temperature: float = 1.0,
    *,
    stop: int | None = None,
) -> list[int]:
    """Sample a continuation of `start_tokens`: at most `length` new ids, the last may be `stop`.

    p ∝ p_model^(1/temperature): below 1 the distribution is sharper, above 1 flatter.

    Raises:
        ValueError: if the temperature is not above 0, or as `read_tokens`.
    """
    if not (math.isfinite(temperature) and temperature > 0):
        raise ValueError(f"the temperature must be a number above 0; got {temperature:g}")
    unread, ids = list(start_tokens), list[int]()
    state: State = None
    for _ in range(length):
        rows, state = read_tokens(network, unread, state)
        chances = (rows[-1] / temperature).softmax(dim=-1)
        unread = [int(torch.multinomial(chances, 1, generator=generator))]
        ids += unread
        if unread == [stop]:
            break
    return ids


def config_of_size(kind: str, vocabulary: int, parameters: int, *, embedding: int = 64) -> Config:
    """The config whose hidden size brings it nearest to `parameters`, within 2 %.

    Raises:
        ValueError: if there is no such model, or no hidden size comes within 2 %.
    """
    check_one_of("the model", kind, NAMES)
    base = _of_one_layer(kind, vocabulary, embedding)
    # More units, more parameters: the nearest is one of the two sizes on either side.
    above = bisect_left(
        range(1, WIDEST), parameters, key=lambda hidden: replace(base, hidden=hidden).parameters
    )
    sizes: list[Config] = [replace(base, hidden=hidden) for hidden in (max(above, 1), above + 1)]
    best = min(sizes, key=lambda config: abs(config.parameters - parameters))
    if abs(best.parameters - parameters) > CLOSE * parameters:
        raise ValueError(
            f"the number of parameters must be one that the {kind} model with {vocabulary} types "
            f"can have within 2 %; got {parameters:,}, and the nearest is {best.parameters:,}"
        )
    return best


def _of_one_layer(kind: str, vocabulary: int, embedding: int) -> Config:
    """The config of a model of one layer, whatever its hidden size."""
    match kind:
        case "feedforward":
            return FeedforwardConfig(vocabulary, embedding)
        case "rnn":
            return RNNConfig(vocabulary, embedding)
        case "gru":
            return GRUConfig(vocabulary, embedding)
        case "lstm":
            return LSTMConfig(vocabulary, embedding)
        case _:
            return TransformerConfig(vocabulary, embedding, layers=1, longest=PLACES)
