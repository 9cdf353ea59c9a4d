"""One head of a model on its own: its X, W^Q, W^K and W^V, and its Q, K and V over a text."""

from __future__ import annotations

from typing import NamedTuple, cast

from lmcore.attention.step_table import AttentionConfig, AttentionInputs, Projections
from lmcore.attention.step_table import compute_step_table as run_table
from lmcore.models.bert import BERT
from lmcore.models.blocks import Block
from lmcore.models.gpt import GPT
from lmcore.pretrained.reading import TokenizedText, trace_text


class ExtractedHead(NamedTuple):
    """The inputs and weights of one head in float64, and how it differs from the step table."""

    given: AttentionInputs
    max_deviation: float
    """The largest difference between the model's own α and those of the step table."""
    layers: int
    heads: int
    causal: bool
    """Whether the model itself masks later positions."""


def extract_head(
    network: BERT | GPT, reading: TokenizedText, *, layer: int, head: int
) -> ExtractedHead:
    """Head `head` of layer `layer`, both counted from 0, over a text.

    X is the input of the layer's attention: in a pre-norm model the normalised stream.

    Raises:
        ValueError: if there is no such layer or head, or the head is too wide for a table.
    """
    config = network.config
    for name, value, most in (("layer", layer, config.layers), ("head", head, config.heads)):
        if not 0 <= value < most:
            raise ValueError(f"the {name} must be from 0 to {most - 1}; got {value}")
    block = trace_text(network, reading).blocks[layer]
    seen = block.attention
    q, k, v, weights = (
        each[0, head].double().cpu() for each in (seen.query, seen.key, seen.value, seen.weights)
    )
    inputs = block.attention_inputs[0].double().cpu()
    given = AttentionInputs(reading.tokens, q, k, v, inputs, projections(network, layer, head))
    causal = isinstance(network, GPT) and config.causal
    ours = run_table(
        given, AttentionConfig(q.shape[1], mask="causal" if causal else "none")
    ).weights
    return ExtractedHead(
        given, float((ours - weights).abs().max()), config.layers, config.heads, causal
    )


def nearest_head(network: BERT | GPT, layer: int, head: int) -> tuple[int, int]:
    """The layer and head, or the last ones of a model that has fewer.

    Raises:
        ValueError: if either is below 0.
    """
    for name, value in (("layer", layer), ("head", head)):
        if value < 0:
            raise ValueError(f"the {name} must be 0 or more; got {value}")
    return min(layer, network.config.layers - 1), min(head, network.config.heads - 1)


def projections(network: BERT | GPT, layer: int, head: int) -> Projections:
    """The head's own columns of the layer's W^Q, W^K and W^V, and of their biases."""
    attention = cast(Block, network.blocks[layer]).attention
    d_k = network.config.width // network.config.heads
    columns = slice(head * d_k, (head + 1) * d_k)
    parts = (attention.query, attention.key, attention.value)
    W_q, W_k, W_v = (part.weight[columns].detach().T.double().cpu() for part in parts)
    b_q, b_k, b_v = (part.bias[columns].detach().double().cpu() for part in parts)
    return Projections(W_q, W_k, W_v, (b_q, b_k, b_v))
