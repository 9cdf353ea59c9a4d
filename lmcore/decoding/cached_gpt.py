"""A GPT that reads each token once: the keys and values of every place are kept.

A place's keys and values depend on the places before it alone, so a new token needs only its own
query, and one row of scores instead of a square:

    z_t = softmax(q_t K_{≤t}ᵀ / √d_k) V_{≤t}

Source: the equations are those of `gpt.py`; keeping K and V is as old as Transformer decoders.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
import torch.nn.functional as F
from jaxtyping import Float, Int
from torch import Tensor

from lmcore.blocks import Block, g
from lmcore.gpt import GPT
from lmcore.multihead import MultiHead


@dataclass(slots=True)
class Memory:
    """The keys and values of the places read so far, with room for more."""

    keys: Float[Tensor, "layer batch head room d_k"]
    values: Float[Tensor, "layer batch head room d_k"]
    length: int


class CachedGPT:
    """A GPT to write with: a `NextToken`. Its weights must not change meanwhile."""

    def __init__(self, network: GPT) -> None:
        """Raises ValueError if the network is one in which a place sees those after it."""
        if not network.config.causal:
            raise ValueError("a GPT must be causal to keep its keys and values; it sees both ways")
        self.network = network
        self.longest: int | None = network.config.longest
        self.blocks = [block for block in network.blocks if isinstance(block, Block)]
        self.qkv = [joined(block.attention) for block in self.blocks]
        self.places = added(network)

    @torch.inference_mode()
    def start(
        self, tokens: Int[Tensor, "batch time"]
    ) -> tuple[Float[Tensor, "batch vocabulary"], Memory]:
        """The scores of what follows each text, and its keys and values.

        Raises:
            ValueError: as the network's `forward`.
        """
        trace = self.network(tokens)
        config, (batch, time) = self.network.config, tokens.shape
        shape = (config.layers, batch, config.heads, config.longest, config.width // config.heads)
        memory = Memory(trace.logits.new_empty(shape), trace.logits.new_empty(shape), time)
        for layer, block in enumerate(trace.blocks):
            memory.keys[layer, :, :, :time] = block.attention.key
            memory.values[layer, :, :, :time] = block.attention.value
        return trace.logits[:, -1], memory

    @torch.inference_mode()
    def step(
        self, tokens: Int[Tensor, " batch"], memory: Memory
    ) -> tuple[Float[Tensor, "batch vocabulary"], Memory]:
        """Read one token more of each text.

        Raises:
            ValueError: if there is no place left.
            IndexError: if a token is none of the model's.
        """
        if memory.length == self.longest:
            raise ValueError(f"a text must have at most {self.longest} tokens; it has no more room")
        stream = F.embedding(tokens, self.network.embedding.token.weight)
        stream = stream + self.places[memory.length]
        for layer, block in enumerate(self.blocks):
            stream = self.layer(stream, layer, block, memory)
        memory.length += 1
        normed = self.network.norm(stream)
        return F.linear(normed, self.network.U), memory

    def layer(
        self, stream: Float[Tensor, "batch width"], layer: int, block: Block, memory: Memory
    ) -> Float[Tensor, "batch width"]:
        """One block at one place."""
        at, heads = memory.length, block.attention.heads
        weight, bias = self.qkv[layer]
        inputs = block.enter(stream, block.attention_norm)
        wide = F.linear(inputs, weight, bias).view(len(stream), 3, heads, -1)
        keys, values = memory.keys[layer], memory.values[layer]
        keys[:, :, at], values[:, :, at] = wide[:, 1], wide[:, 2]
        context = F.scaled_dot_product_attention(
            wide[:, 0, :, None], keys[:, :, : at + 1], values[:, :, : at + 1]
        )
        output = block.attention.output
        stream = stream + F.linear(context.flatten(1), output.weight, output.bias)
        stream = block.leave(stream, block.attention_norm)
        mlp = block.mlp
        inputs = block.enter(stream, block.mlp_norm)
        hidden = g(F.linear(inputs, mlp.up.weight, mlp.up.bias), mlp.activation)
        stream = stream + F.linear(hidden, mlp.down.weight, mlp.down.bias)
        return block.leave(stream, block.mlp_norm)

    @torch.inference_mode()
    def select(self, memory: Memory, rows: Int[Tensor, " kept"]) -> Memory:
        """The keys and values of these rows; what is not filled yet is not copied."""
        old, length = (memory.keys, memory.values), memory.length
        shape = (*old[0].shape[:1], len(rows), *old[0].shape[2:])
        new = tuple(part.new_empty(shape) for part in old)
        for mine, other in zip(new, old, strict=True):
            mine[:, :, :, :length] = other[:, rows, :, :length]
        return Memory(new[0], new[1], length)


@torch.inference_mode()
def added(network: GPT) -> Float[Tensor, "longest width"]:
    """What the embedding adds at each place to the token's row of E: the same for all tokens."""
    ids = torch.zeros(1, network.config.longest, dtype=torch.long, device=network.U.device)
    trace = network.embedding(ids)
    total = torch.zeros_like(trace.token)
    for part in (trace.position, trace.segment):
        total = total if part is None else total + part
    return total[0]


def joined(
    attention: MultiHead,
) -> tuple[Float[Tensor, "three_widths width"], Float[Tensor, " three_widths"]]:
    """W^Q, W^K and W^V as one matrix: one product instead of three."""
    parts = (attention.query, attention.key, attention.value)
    weight = torch.cat([part.weight for part in parts])
    return weight, torch.cat([part.bias for part in parts])
