"""Loads BERT from its files: the settings of config.json, and the names of the weights.

Source: Devlin et al. 2019; the letters are those of `models/bert.py` and of Vaswani et al. 2017.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from torch import Tensor

from lmcore.models.bert import BERT
from lmcore.models.transformer_config import BlockActivation, TransformerConfig
from lmcore.pretrained.names import (
    WeightName,
    affine_names,
    check_settings,
    epsilon_setting,
    rename_tensors,
    resolve_tied,
    size_setting,
    translate_weights,
    with_prefixes,
)

ACTIVATIONS: dict[str, BlockActivation] = {
    "gelu": "gelu",
    "gelu_new": "gelu_tanh",
    "gelu_pytorch_tanh": "gelu_tanh",
    "relu": "relu",
}
REQUIRED_SETTINGS: dict[str, tuple[object, ...]] = {
    "position_embedding_type": ("absolute", None),
    "hidden_act": tuple(ACTIVATIONS),
    "is_decoder": (False,),
    "add_cross_attention": (False,),
    "tie_word_embeddings": (True, False),
    "quantization_config": (None,),
}
OLD_SUFFIXES = {"LayerNorm.gamma": "LayerNorm.weight", "LayerNorm.beta": "LayerNorm.bias"}
"""Endings of names in the first files → those in later ones."""
WEIGHT_NAMES = (
    WeightName("E", "embeddings.word_embeddings.weight", ("embedding.token.weight",)),
    WeightName("P", "embeddings.position_embeddings.weight", ("embedding.position.weight",)),
    WeightName("S", "embeddings.token_type_embeddings.weight", ("embedding.segment.weight",)),
    *affine_names("γ", "β", "embeddings.LayerNorm", "norm"),
    *with_prefixes(
        (
            *affine_names("W^Q", "b^Q", "attention.self.query", "attention.query"),
            *affine_names("W^K", "b^K", "attention.self.key", "attention.key"),
            *affine_names("W^V", "b^V", "attention.self.value", "attention.value"),
            *affine_names("W^O", "b^O", "attention.output.dense", "attention.output"),
            *affine_names("γ", "β", "attention.output.LayerNorm", "attention_norm"),
            *affine_names("W_1", "b_1", "intermediate.dense", "mlp.up"),
            *affine_names("W_2", "b_2", "output.dense", "mlp.down"),
            *affine_names("γ", "β", "output.LayerNorm", "mlp_norm"),
        ),
        "encoder.layer.{n}.",
        "blocks.{n}.",
    ),
)
HEAD = (
    *affine_names("W", "b", "cls.predictions.transform.dense", "head.dense"),
    *affine_names("γ", "β", "cls.predictions.transform.LayerNorm", "head.norm"),
    WeightName("b_2", "cls.predictions.bias", ("head.bias",)),
)
PAIRS = (
    *affine_names("W_p", "b_p", "pooler.dense", "pairs.pooler"),
    *affine_names("W_NSP", "b_NSP", "cls.seq_relationship", "pairs.output"),
)
DECODER_BIAS = "cls.predictions.decoder.bias"
UNTIED = WeightName("U", "cls.predictions.decoder.weight", ("head.output.weight",))
IGNORED = ("embeddings.position_ids", *(row.file for row in PAIRS))
"""Position indices; and the parts of the head for pairs, if a file does not have all of them."""
HEADS = ("classifier", "qa_outputs")
"""The first parts of the names of weights of heads that are left out."""


def parse_config(config: Mapping[str, Any]) -> TransformerConfig:
    """The sizes of the model in config.json.

    Raises:
        ValueError: naming what is missing, out of bounds, or not supported by our BERT.
    """
    check_settings(config, REQUIRED_SETTINGS)
    return TransformerConfig(
        vocabulary=size_setting(config, "vocab_size"),
        width=size_setting(config, "hidden_size"),
        heads=size_setting(config, "num_attention_heads"),
        layers=size_setting(config, "num_hidden_layers"),
        hidden=size_setting(config, "intermediate_size"),
        longest=size_setting(config, "max_position_embeddings"),
        segments=size_setting(config, "type_vocab_size"),
        norm="post",
        activation=ACTIVATIONS[config.get("hidden_act", "gelu")],
        tied=config.get("tie_word_embeddings", True),
        causal=False,
        epsilon=epsilon_setting(config, "layer_norm_eps", 1e-12),
    )


def build_network(
    config: Mapping[str, Any], file: Mapping[str, Tensor]
) -> tuple[BERT, dict[str, Tensor]]:
    """An unfilled BERT of the sizes in config.json, and the weights of the file under its names.

    Raises:
        ValueError: if our BERT does not support the model, or weights are missing or left over.
    """
    sizes = parse_config(config)
    here = rename_tensors(file, "bert.", OLD_SUFFIXES)
    head = any(name.startswith("cls.predictions.") for name in here)
    rows = WEIGHT_NAMES
    if head:
        rows += HEAD if sizes.tied else (*HEAD, UNTIED)
        here = _one_output(here, sizes.tied)
    pairs = all(row.file in here for row in PAIRS)
    rows += PAIRS if pairs else ()
    model = BERT(sizes, seed=None, head=head, pairs=pairs)
    return model, translate_weights(here, rows, sizes.layers, IGNORED)


def _one_output(file: dict[str, Tensor], tied: bool) -> dict[str, Tensor]:
    """U and b_2 once each: files may hold them under two names."""
    if tied:
        return resolve_tied(
            resolve_tied(file, UNTIED.file, WEIGHT_NAMES[0].file), DECODER_BIAS, HEAD[-1].file
        )
    if DECODER_BIAS in file:  # untied, it is the one that counts
        file.pop(HEAD[-1].file, None)
    return resolve_tied(file, DECODER_BIAS, HEAD[-1].file)
