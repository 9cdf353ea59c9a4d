"""BERT as its files have it: what config.json says, and the names of the weights.

Source: Devlin et al. 2019; the letters are those of `models/bert.py` and of Vaswani et al. 2017.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from torch import Tensor

from lmcore.models.bert import BERT
from lmcore.models.transformer_config import Nonlinearity, TransformerConfig
from lmcore.pretrained.names import (
    Row,
    affine,
    agreed,
    epsilon,
    layer,
    renamed,
    settled,
    size,
    translated,
)

ACTIVATIONS: dict[str, Nonlinearity] = {
    "gelu": "gelu",
    "gelu_new": "gelu_tanh",
    "gelu_pytorch_tanh": "gelu_tanh",
    "relu": "relu",
}
NEEDED: dict[str, tuple[object, ...]] = {
    "position_embedding_type": ("absolute", None),
    "hidden_act": tuple(ACTIVATIONS),
    "is_decoder": (False,),
    "add_cross_attention": (False,),
    "tie_word_embeddings": (True, False),
    "quantization_config": (None,),
}
OLD = {"LayerNorm.gamma": "LayerNorm.weight", "LayerNorm.beta": "LayerNorm.bias"}
"""What the first files said, and later ones say."""
ROWS = (
    Row("E", "embeddings.word_embeddings.weight", ("embedding.token.weight",)),
    Row("P", "embeddings.position_embeddings.weight", ("embedding.position.weight",)),
    Row("S", "embeddings.token_type_embeddings.weight", ("embedding.segment.weight",)),
    *affine("γ", "β", "embeddings.LayerNorm", "norm"),
    *layer(
        (
            *affine("W^Q", "b^Q", "attention.self.query", "attention.query"),
            *affine("W^K", "b^K", "attention.self.key", "attention.key"),
            *affine("W^V", "b^V", "attention.self.value", "attention.value"),
            *affine("W^O", "b^O", "attention.output.dense", "attention.output"),
            *affine("γ", "β", "attention.output.LayerNorm", "attention_norm"),
            *affine("W_1", "b_1", "intermediate.dense", "mlp.up"),
            *affine("W_2", "b_2", "output.dense", "mlp.down"),
            *affine("γ", "β", "output.LayerNorm", "mlp_norm"),
        ),
        "encoder.layer.{n}.",
        "blocks.{n}.",
    ),
)
HEAD = (
    *affine("W", "b", "cls.predictions.transform.dense", "head.dense"),
    *affine("γ", "β", "cls.predictions.transform.LayerNorm", "head.norm"),
    Row("b_2", "cls.predictions.bias", ("head.bias",)),
)
PAIRS = (
    *affine("W_p", "b_p", "pooler.dense", "pairs.pooler"),
    *affine("W_NSP", "b_NSP", "cls.seq_relationship", "pairs.output"),
)
DECODER_BIAS = "cls.predictions.decoder.bias"
UNTIED = Row("U", "cls.predictions.decoder.weight", ("head.output.weight",))
IGNORED = ("embeddings.position_ids", *(row.file for row in PAIRS))
"""Counted places; and parts of the head for pairs, where a file has not all of it."""


def config(told: Mapping[str, Any]) -> TransformerConfig:
    """The sizes of the model in config.json.

    Raises:
        ValueError: naming what is missing, out of bounds, or what our BERT cannot be.
    """
    settled(told, NEEDED)
    return TransformerConfig(
        vocabulary=size(told, "vocab_size"),
        width=size(told, "hidden_size"),
        heads=size(told, "num_attention_heads"),
        layers=size(told, "num_hidden_layers"),
        hidden=size(told, "intermediate_size"),
        longest=size(told, "max_position_embeddings"),
        segments=size(told, "type_vocab_size"),
        norm="post",
        activation=ACTIVATIONS[told.get("hidden_act", "gelu")],
        tied=told.get("tie_word_embeddings", True),
        causal=False,
        epsilon=epsilon(told, "layer_norm_eps", 1e-12),
    )


def network(told: Mapping[str, Any], file: Mapping[str, Tensor]) -> tuple[BERT, dict[str, Tensor]]:
    """An unfilled BERT of the sizes in config.json, and the weights of the file under its names.

    Raises:
        ValueError: if it is a model that ours cannot be, or weights are missing or left over.
    """
    sizes = config(told)
    here = renamed(file, "bert.", OLD)
    head = any(name.startswith("cls.predictions.") for name in here)
    rows = ROWS
    if head:
        rows += HEAD if sizes.tied else (*HEAD, UNTIED)
        here = _one_output(here, sizes.tied)
    pairs = all(row.file in here for row in PAIRS)
    rows += PAIRS if pairs else ()
    model = BERT(sizes, seed=None, head=head, pairs=pairs)
    return model, translated(here, rows, sizes.layers, IGNORED)


def _one_output(file: dict[str, Tensor], tied: bool) -> dict[str, Tensor]:
    """U and b_2 once each: files may hold them under two names."""
    if tied:
        return agreed(agreed(file, UNTIED.file, ROWS[0].file), DECODER_BIAS, HEAD[-1].file)
    if DECODER_BIAS in file:  # untied, it is the one that counts
        file.pop(HEAD[-1].file, None)
    return agreed(file, DECODER_BIAS, HEAD[-1].file)
