"""A GPT with a key–value cache, for generation: every token is read once.

With causal attention the keys and values of a position depend on earlier positions only, so a new
token needs its own query and one row of scores instead of a square:

    z_t = softmax(q_t K_{≤t}ᵀ / √d_k) V_{≤t}

Source: the equations are those of `gpt.py`; the cache is standard in Transformer decoders.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import torch
import torch.nn.functional as F
from jaxtyping import Float, Int
from torch import Tensor, nn

from lmcore.models.blocks import Block, g
from lmcore.models.gpt import GPT


@dataclass(slots=True)
class KVCache:
    """The keys and values of the positions read so far, with room for more."""

    keys: Float[Tensor, "layer batch head room d_k"]
    values: Float[Tensor, "layer batch head room d_k"]
    length: int


class Affine(NamedTuple):
    """x Wᵀ + b, or the γ and β of a LayerNorm."""

    weight: Tensor
    bias: Tensor


class LayerWeights(NamedTuple):
    """The weights of a block, taken out of their modules to save the lookups at every token."""

    attention_norm: Affine
    qkv: Affine
    output: Affine
    mlp_norm: Affine
    up: Affine
    down: Affine


class CachedGPT:
    """A `NextTokenModel` from a GPT, whose weights must not change while it is in use."""

    def __init__(self, network: GPT) -> None:
        """Raises ValueError if the network is not causal, or its blocks lack a part."""
        if not network.config.causal:
            raise ValueError("a GPT must be causal to keep its keys and values; it sees both ways")
        if not network.config.has_all_parts:
            raise ValueError("a GPT must have LayerNorm, residuals and MLPs to be cached here")
        self.network, self.config = network, network.config
        self.longest: int | None = network.config.longest
        self.layers = [layer_weights(block) for block in network.blocks if isinstance(block, Block)]
        # `embed` checks its ids and adds up the parts anew: too slow for one token at a time.
        self.E = network.embedding.token.weight
        self.places = position_vectors(network)

    @torch.inference_mode()
    def start(
        self, tokens: Int[Tensor, "batch time"]
    ) -> tuple[Float[Tensor, "batch vocabulary"], KVCache]:
        """The logits of the next token of each text, and the cache of its keys and values.

        Raises:
            ValueError: as the network's `forward`.
        """
        trace = self.network(tokens)
        config, (batch, time) = self.config, tokens.shape
        shape = (config.layers, batch, config.heads, config.longest, config.width // config.heads)
        memory = KVCache(trace.logits.new_empty(shape), trace.logits.new_empty(shape), time)
        for number, block in enumerate(trace.blocks):
            memory.keys[number, :, :, :time] = block.attention.key
            memory.values[number, :, :, :time] = block.attention.value
        return trace.logits[:, -1], memory

    @torch.inference_mode()
    def step(
        self, tokens: Int[Tensor, " batch"], memory: KVCache
    ) -> tuple[Float[Tensor, "batch vocabulary"], KVCache]:
        """Read one more token of each text.

        Raises:
            ValueError: if there is no position left.
            IndexError: if a token is not an id of the model's vocabulary.
        """
        if memory.length == self.longest:
            raise ValueError(f"a text must have at most {self.longest} tokens; it has no more room")
        stream = F.embedding(tokens, self.E) + self.places[memory.length]
        for number, weights in enumerate(self.layers):
            seen = memory.keys[number], memory.values[number]
            stream = self.run_block(stream, weights, *seen, memory.length)
        memory.length += 1
        return self.network.unembed(self.network.final_hidden(stream)), memory

    def run_block(
        self,
        stream: Float[Tensor, "batch width"],
        weights: LayerWeights,
        keys: Float[Tensor, "batch head room d_k"],
        values: Float[Tensor, "batch head room d_k"],
        at: int,
    ) -> Float[Tensor, "batch width"]:
        """One block at one position, `at`, whose keys and values it stores."""
        config, pre = self.config, self.config.norm == "pre"
        inputs = self.layer_norm(stream, weights.attention_norm) if pre else stream
        wide = F.linear(inputs, *weights.qkv).view(len(stream), 3, config.heads, -1)
        keys[:, :, at], values[:, :, at] = wide[:, 1], wide[:, 2]
        context = F.scaled_dot_product_attention(
            wide[:, 0, :, None], keys[:, :, : at + 1], values[:, :, : at + 1]
        )
        stream = stream + F.linear(context.flatten(1), *weights.output)
        if not pre:
            stream = self.layer_norm(stream, weights.attention_norm)
        inputs = self.layer_norm(stream, weights.mlp_norm) if pre else stream
        hidden = g(F.linear(inputs, *weights.up), config.activation)
        stream = stream + F.linear(hidden, *weights.down)
        return stream if pre else self.layer_norm(stream, weights.mlp_norm)

    def layer_norm(
        self, stream: Float[Tensor, "batch width"], weights: Affine
    ) -> Float[Tensor, "batch width"]:
        """LayerNorm."""
        return torch.layer_norm(stream, (self.config.width,), *weights, self.config.epsilon)

    @torch.inference_mode()
    def select(self, memory: KVCache, rows: Int[Tensor, " kept"]) -> KVCache:
        """A cache of these rows only; unused room is not copied."""
        old, length = (memory.keys, memory.values), memory.length
        shape = (*old[0].shape[:1], len(rows), *old[0].shape[2:])
        new = tuple(part.new_empty(shape) for part in old)
        for mine, other in zip(new, old, strict=True):
            mine[:, :, :, :length] = other[:, rows, :, :length]
        return KVCache(new[0], new[1], length)


@torch.inference_mode()
def position_vectors(network: GPT) -> Float[Tensor, "longest width"]:
    """What the embedding adds to the token's row of E at each position, the same for all tokens."""
    ids = torch.zeros(1, network.config.longest, dtype=torch.long, device=network.U.device)
    trace = network.embedding(ids)
    total = torch.zeros_like(trace.token)
    for part in (trace.position, trace.segment):
        total = total if part is None else total + part
    return total[0]


def layer_weights(block: Block) -> LayerWeights:
    """The weights of a block; W^Q, W^K and W^V as one matrix: one product instead of three."""
    attention, mlp, mlp_norm = block.attention, block.mlp, block.mlp_norm
    assert mlp is not None
    assert isinstance(block.attention_norm, nn.LayerNorm)
    assert isinstance(mlp_norm, nn.LayerNorm)
    parts = (attention.query, attention.key, attention.value)
    qkv = Affine(*(torch.cat([getattr(part, name) for part in parts]) for name in Affine._fields))
    return LayerWeights(
        affine(block.attention_norm),
        qkv,
        affine(attention.output),
        affine(mlp_norm),
        affine(mlp.up),
        affine(mlp.down),
    )


def affine(module: nn.Linear | nn.LayerNorm) -> Affine:
    """The weight and the bias of a module."""
    return Affine(module.weight, module.bias)
