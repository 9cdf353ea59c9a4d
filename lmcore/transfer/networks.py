"""The pre-trained networks that are put to work, each read in the same way.

    gpt        h^(N) of each token; the last one has seen all             frozen from E upwards
    encoder    h^(N) of each token; [CLS] stands for the whole
    bilm       γ Σ_j s_j LN(h_j) of each token, s and γ learned with the head; for the whole →h of
               the last token beside ←h of the first

A part is what can be frozen as one: the embedding, or a block, or an LSTM layer in both directions.

Source: Radford et al. 2018; Devlin et al. 2019; Peters et al. 2018, section 3.3.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import pairwise

import torch
from jaxtyping import Float
from torch import Tensor, nn

from lmcore.contextual.bilm import BiLM, load_bilm
from lmcore.contextual.mixing import mix_layers, normalise_layers
from lmcore.models.bert import BERT
from lmcore.models.blocks import run_blocks
from lmcore.models.gpt import GPT
from lmcore.shipped import models
from lmcore.transfer.inputs import TaskBatch
from lmcore.vocabulary import Vocabulary

Network = GPT | BERT | BiLM

NETWORKS = ("gpt", "encoder", "bilm")


class LayerMixture(nn.Module):
    """γ Σ_j s_j LN(h_j) with s = softmax(w); before the first step the mean of the layers."""

    def __init__(self, layers: int) -> None:
        super().__init__()
        self.w = nn.Parameter(torch.zeros(layers))
        self.gamma = nn.Parameter(torch.ones(()))

    def forward(
        self, layers: Float[Tensor, "layer batch time width"]
    ) -> Float[Tensor, "batch time width"]:
        """The mixture of each token."""
        flat = mix_layers(normalise_layers(layers).flatten(1, 2), self.w, self.gamma)
        return flat.reshape(layers.shape[1:])


@lru_cache(maxsize=3)
def pretrained_network(name: str) -> tuple[Network, Vocabulary]:
    """A network that ships, and its vocabulary; its weights are shared, so never train it."""
    if name == "bilm":
        return load_bilm()
    if name == "encoder":
        network, vocabulary, *_ = models.encoder()
        return network, vocabulary
    model, *_ = models.load_shipped(name)
    assert isinstance(model.network, GPT)
    return model.network, model.vocabulary


def copied_network(name: str) -> Network:
    """A copy whose weights may be trained."""
    base, _ = pretrained_network(name)
    network = new_network(name, seed=0)
    weights = {n: w.clone() for n, w in base.state_dict().items() if n in network.state_dict()}
    network.load_state_dict(weights, assign=True)
    return network


def new_network(name: str, seed: int) -> Network:
    """A network of the same shape with new random weights."""
    base, _ = pretrained_network(name)
    if isinstance(base, BiLM):
        return BiLM(base.config, seed=seed)
    return type(base)(base.config, seed=seed)


def read_width(network: Network) -> int:
    """How many numbers the vector of a token has."""
    return 2 * network.config.embedding if isinstance(network, BiLM) else network.config.width


def read_tokens(
    network: Network, batch: TaskBatch, mixture: LayerMixture | None
) -> Float[Tensor, "batch time width"]:
    """The vector of each token that a head reads."""
    return mix_body(read_body(network, batch), mixture)


def read_body(network: Network, batch: TaskBatch) -> Float[Tensor, "*layer batch time width"]:
    """The vectors that a network gives each token: h^(N), or for a biLM every h_j, layers first.

    The logits of pre-training are not computed.
    """
    if isinstance(network, BiLM):
        return network.layers(batch.ids, batch.present.sum(1))
    if isinstance(network, GPT):
        _, start = network.embed(batch.ids)
    else:
        _, start = network.embed(batch.ids, segments=batch.segments)
    _, last = run_blocks(network.blocks, start, network.attention_mask(batch.ids))
    return network.final_hidden(last)


def mix_body(
    body: Float[Tensor, "*layer batch time width"], mixture: LayerMixture | None
) -> Float[Tensor, "batch time width"]:
    """The vector of each token: of a biLM the mixture of its layers."""
    if mixture is None:
        return body
    mixed: Tensor = mixture(body)
    return mixed


def read_whole(
    network: Network, batch: TaskBatch, hidden: Float[Tensor, "batch time width"]
) -> Float[Tensor, "batch width"]:
    """The vector that stands for the whole text."""
    read = hidden[torch.arange(len(hidden)), batch.read]
    if not isinstance(network, BiLM):
        return read
    half = hidden.shape[-1] // 2
    return torch.cat([read[:, :half], hidden[:, 0, half:]], -1)


def part_names(name: str) -> tuple[str, ...]:
    """The parts that can be frozen, from the lowest: E, then block or layer 1 … N."""
    network, _ = pretrained_network(name)
    kind = "LSTM layer" if isinstance(network, BiLM) else "block"
    return ("E", *(f"{kind} {n}" for n in range(1, network.config.layers + 1)))


def frozen_parts(network: Network, count: int) -> list[nn.Module]:
    """The lowest parts of a network; the last of them takes the last LayerNorm with it."""
    if isinstance(network, BiLM):
        pairs = zip(network.left_to_right, network.right_to_left, strict=True)
        parts: list[tuple[nn.Module, ...]] = [(network.embedding,), *pairs]
        return [module for part in parts[:count] for module in part]
    found: list[nn.Module] = [network.embedding, *network.blocks][:count]
    first_norm = isinstance(network, BERT) and network.config.norm == "post"
    if count and (first_norm or count > len(network.blocks)):
        found.append(network.norm)
    return found


@lru_cache(maxsize=3)
def part_sizes(name: str) -> tuple[int, ...]:
    """How many weights each part has."""
    network, _ = pretrained_network(name)
    sums = [
        sum(weight.numel() for part in frozen_parts(network, count) for weight in part.parameters())
        for count in range(len(part_names(name)) + 1)
    ]
    return tuple(after - before for before, after in pairwise(sums))


def thrown_away(name: str) -> int:
    """How many weights of the pre-training head no task uses; a tied matrix E is not among them."""
    network, _ = pretrained_network(name)
    return sum(weight.numel() for weight in network.parameters()) - sum(part_sizes(name))
