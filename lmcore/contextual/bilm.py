"""ELMo's bidirectional language model: two LSTM language models that share E and U.

    →h_{k,j} = LSTM_j(→h_{k−1,j}, →h_{k,j−1})        from left to right, →h_{k,0} = E[x_k]
    ←h_{k,j} = LSTM_j(←h_{k+1,j}, ←h_{k,j−1})        from right to left, ←h_{k,0} = E[x_k]
    ŷ_k = softmax(U →h_{k,L} + b_2) is for x_{k+1};   softmax(U ←h_{k,L} + b_2) is for x_{k−1}
    L = L→ + L←                                      the two losses summed, nats per token

    R_k = { x_k, →h_{k,j}, ←h_{k,j} | j = 1 … L } = { h_{k,j} | j = 0 … L }
    h_{k,j} = [→h_{k,j}; ←h_{k,j}],  h_{k,0} = [x_k; x_k]

R_k has 2L + 1 vectors, or end to end L + 1. The directions share E (Θ_x) and U, b_2 (Θ_s); each
has its own LSTM layers.

Source: Peters et al. 2018, sections 3.1 and 3.2. Variant: words in place of a character CNN, layers
as wide as E in place of a projection, and no residual connection between the layers.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import torch
import torch.nn.functional as F
from jaxtyping import Float, Int
from safetensors.torch import load_file
from torch import Tensor, nn

from lmcore.corpora.microworld import microworld
from lmcore.dataframes import Trace
from lmcore.models.layers import check_sizes, initialise, known_texts
from lmcore.models.lstm import layer_parameters, set_forget_bias
from lmcore.token_ids import TextsIds
from lmcore.vocabulary import Vocabulary

WEIGHTS = Path(__file__).resolve().parent / "measured" / "bilm.safetensors"
CARD = WEIGHTS.with_suffix(".json")
IGNORE = -100


@dataclass(frozen=True, slots=True)
class BiLMConfig:
    """The sizes of the model; every LSTM layer is as wide as the embedding."""

    vocabulary: int
    embedding: int = 96
    layers: int = 2

    def __post_init__(self) -> None:
        """Raises ValueError naming what is out of bounds."""
        check_sizes(
            vocabulary=self.vocabulary,
            embedding=self.embedding,
            hidden=self.embedding,
            layers=self.layers,
        )

    @property
    def parameters(self) -> int:
        """Numbers in E, U, b_2, and in the layers of both directions with torch's two biases."""
        d = self.embedding
        return self.vocabulary * (2 * d + 1) + 2 * self.layers * layer_parameters(d, d)


@dataclass(frozen=True, slots=True, eq=False)
class BiLMTrace(Trace):
    """Every quantity, in the order it is computed; layer 0 is E[x] in both directions."""

    embedding: Float[Tensor, "batch time width"]
    left_to_right: tuple[Float[Tensor, "batch time width"], ...]
    """→h_{k,j}, layer after layer."""
    right_to_left: tuple[Float[Tensor, "batch time width"], ...]
    """←h_{k,j}"""
    next_logits: Float[Tensor, "batch time vocabulary"]
    """Row k is for x_{k+1}."""
    previous_logits: Float[Tensor, "batch time vocabulary"]
    """Row k is for x_{k−1}."""

    @property
    def layers(self) -> Float[Tensor, "layer batch time both"]:
        """h_{k,j} for j = 0 … L: both directions end to end."""
        left = (self.embedding, *self.left_to_right)
        right = (self.embedding, *self.right_to_left)
        return torch.stack([torch.cat(pair, -1) for pair in zip(left, right, strict=True)])

    def representations(self, k: int, text: int = 0) -> tuple[Float[Tensor, " width"], ...]:
        """R_k, the 2L + 1 vectors of word k: x_k, →h_{k,1}, ←h_{k,1}, →h_{k,2} and so on."""
        pairs = zip(self.left_to_right, self.right_to_left, strict=True)
        return (self.embedding[text, k], *(each[text, k] for pair in pairs for each in pair))


class BiLM(nn.Module):
    """E, the LSTM layers of each direction, U and b_2."""

    def __init__(self, config: BiLMConfig, seed: int = 0) -> None:
        super().__init__()
        self.config = config
        d = config.embedding

        def stack() -> nn.ModuleList:
            layers = range(config.layers)
            return nn.ModuleList(nn.LSTM(d, d, batch_first=True, device="meta") for _ in layers)

        self.embedding = nn.Embedding(config.vocabulary, d, device="meta")
        self.left_to_right, self.right_to_left = stack(), stack()
        self.output = nn.Linear(d, config.vocabulary, device="meta")
        initialise(self, seed, output_scale=1.0)
        for layer in (*self.left_to_right, *self.right_to_left):
            assert isinstance(layer, nn.LSTM)
            set_forget_bias(layer)

    def forward(self, tokens: TextsIds, lengths: Int[Tensor, " batch"] | None = None) -> BiLMTrace:
        """Both directions; texts shorter than the longest are padded on the right with any id.

        Raises:
            ValueError: if a token is not an id of the network, or a length is not 1 … the longest.
        """
        tokens = known_texts(tokens, self.config.vocabulary)
        return self.read(self.embedding(tokens), _known_lengths(lengths, tokens))

    def read(
        self, embedding: Float[Tensor, "batch time width"], lengths: Int[Tensor, " batch"]
    ) -> BiLMTrace:
        """Both directions from E[x], so that gradients with respect to E[x] can be computed."""
        left, right = self._directions(embedding, lengths)
        return BiLMTrace(
            embedding,
            tuple(left[1:]),
            tuple(right[1:]),
            self.output(left[-1]),
            self.output(right[-1]),
        )

    def layers(
        self, tokens: TextsIds, lengths: Int[Tensor, " batch"]
    ) -> Float[Tensor, "layer batch time both"]:
        """The layers of `forward` alone, without its logits.

        Raises:
            ValueError: as `forward`.
        """
        tokens = known_texts(tokens, self.config.vocabulary)
        both = self._directions(self.embedding(tokens), _known_lengths(lengths, tokens))
        return torch.stack([torch.cat(pair, -1) for pair in zip(*both, strict=True)])

    def _directions(
        self, embedding: Float[Tensor, "batch time width"], lengths: Int[Tensor, " batch"]
    ) -> tuple[list[Float[Tensor, "batch time width"]], list[Float[Tensor, "batch time width"]]]:
        left, right = [embedding], [embedding]
        turned = turned_places(lengths, embedding.shape[1])
        turned = turned.to(embedding.device)[..., None].expand_as(embedding)
        for layer in self.left_to_right:
            left.append(layer(left[-1])[0])
        for layer in self.right_to_left:
            right.append(layer(right[-1].gather(1, turned))[0].gather(1, turned))
        return left, right


def turned_places(lengths: Int[Tensor, " batch"], time: int) -> Int[Tensor, "batch time"]:
    """The places of each text from its last word to its first; padding stays where it is."""
    places = torch.arange(time)[None]
    ends = lengths.cpu()[:, None]
    return torch.where(places < ends, ends - 1 - places, places)


@dataclass(frozen=True, slots=True)
class BiLMLosses(Trace):
    """L→ and L←, nats per token; ELMo minimises their sum."""

    left_to_right: Float[Tensor, ""]
    right_to_left: Float[Tensor, ""]

    @property
    def total(self) -> Float[Tensor, ""]:
        """The sum L→ + L←."""
        return self.left_to_right + self.right_to_left


def bilm_losses(
    trace: BiLMTrace, tokens: Int[Tensor, "batch time"], lengths: Int[Tensor, " batch"]
) -> BiLMLosses:
    """The mean of −log ŷ over x_2 … x_N from the left, and over x_{N−1} … x_1 from the right.

    Both sums have the same floor, −log p(x_1 … x_N): p is a product in either direction.
    """
    inside = torch.arange(tokens.shape[1], device=tokens.device) < lengths[:, None]
    targets = tokens.where(inside, IGNORE)
    return BiLMLosses(
        _mean_loss(trace.next_logits[:, :-1], targets[:, 1:]),
        _mean_loss(trace.previous_logits[:, 1:], targets[:, :-1].where(inside[:, 1:], IGNORE)),
    )


def load_bilm() -> tuple[BiLM, Vocabulary]:
    """The biLM that comes with the application, trained on the Microworld, and its vocabulary.

    Raises:
        ValueError: if its file is missing, or holds other weights.
    """
    if not WEIGHTS.is_file():
        raise ValueError(
            f"{WEIGHTS.name} must be there; make it with python -m {__package__}.pretrain"
        )
    vocabulary = microworld().vocabulary
    network = BiLM(BiLMConfig(len(vocabulary)))
    weights = {name: each.float() for name, each in load_file(WEIGHTS).items()}
    own = {name: each.shape for name, each in network.state_dict().items()}
    if {name: each.shape for name, each in weights.items()} != own:
        raise ValueError(f"{WEIGHTS.name} must hold the weights of the biLM; got others")
    network.load_state_dict(weights)
    return network.requires_grad_(False), vocabulary


def pad(texts: Sequence[Sequence[int]]) -> tuple[Int[Tensor, "batch time"], Int[Tensor, " batch"]]:
    """Texts as rows padded on the right with 0, and their lengths."""
    rows = nn.utils.rnn.pad_sequence([torch.tensor(text) for text in texts], batch_first=True)
    return rows, torch.tensor([len(text) for text in texts])


def _mean_loss(
    logits: Float[Tensor, "batch time vocabulary"], targets: Int[Tensor, "batch time"]
) -> Float[Tensor, ""]:
    return F.cross_entropy(logits.flatten(0, 1), targets.flatten(), ignore_index=IGNORE)


def _known_lengths(
    lengths: Int[Tensor, " batch"] | None, tokens: Int[Tensor, "batch time"]
) -> Int[Tensor, " batch"]:
    texts, time = tokens.shape
    if lengths is None:
        return torch.full((texts,), time)
    if lengths.shape != (texts,) or lengths.min() < 1 or lengths.max() > time:
        raise ValueError(f"there must be a length from 1 to {time} for each text; got {lengths}")
    return lengths
