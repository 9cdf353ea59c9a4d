"""Loads GPT-2 from its files: the settings of config.json, and the names of the weights.

Its matrices are stored as in the paper, for x W; those of queries, keys and values are one matrix.

Source: Radford et al. 2019; the letters are those of `models/gpt.py` and of Vaswani et al. 2017.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from torch import Tensor

from lmcore.models.gpt import GPT
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
    "gelu_new": "gelu_tanh",
    "gelu_pytorch_tanh": "gelu_tanh",
    "gelu": "gelu",
    "relu": "relu",
}
REQUIRED_SETTINGS: dict[str, tuple[object, ...]] = {
    "activation_function": tuple(ACTIVATIONS),
    "scale_attn_weights": (True,),
    "scale_attn_by_inverse_layer_idx": (False,),
    "add_cross_attention": (False,),
    "tie_word_embeddings": (True, False),
    "quantization_config": (None,),
}
FUSED_QKV = ("attention.query", "attention.key", "attention.value")
WEIGHT_NAMES = (
    WeightName("E", "wte.weight", ("embedding.token.weight",)),
    WeightName("P", "wpe.weight", ("embedding.position.weight",)),
    *with_prefixes(
        (
            *affine_names("γ", "β", "ln_1", "attention_norm"),
            WeightName(
                "[W^Q W^K W^V]",
                "attn.c_attn.weight",
                tuple(f"{part}.weight" for part in FUSED_QKV),
                turned=True,
            ),
            WeightName(
                "[b^Q b^K b^V]",
                "attn.c_attn.bias",
                tuple(f"{part}.bias" for part in FUSED_QKV),
            ),
            *affine_names("W^O", "b^O", "attn.c_proj", "attention.output", turned=True),
            *affine_names("γ", "β", "ln_2", "mlp_norm"),
            *affine_names("W_1", "b_1", "mlp.c_fc", "mlp.up", turned=True),
            *affine_names("W_2", "b_2", "mlp.c_proj", "mlp.down", turned=True),
        ),
        "h.{n}.",
        "blocks.{n}.",
    ),
    *affine_names("γ", "β", "ln_f", "norm"),
)
UNTIED = WeightName("U", "lm_head.weight", ("output.weight",))
IGNORED = ("h.{n}.attn.bias", "h.{n}.attn.masked_bias")
"""The causal mask, which is not a weight."""
HEADS = ("score", "classifier", "qa_outputs", "multiple_choice_head")
"""The first parts of the names of weights of heads that are left out."""


def parse_config(config: Mapping[str, Any]) -> TransformerConfig:
    """The sizes of the model in config.json.

    Raises:
        ValueError: naming what is missing, out of bounds, or not supported by our GPT.
    """
    check_settings(config, REQUIRED_SETTINGS)
    width = size_setting(config, "n_embd")
    return TransformerConfig(
        vocabulary=size_setting(config, "vocab_size"),
        width=width,
        heads=size_setting(config, "n_head"),
        layers=size_setting(config, "n_layer"),
        hidden=4 * width if config.get("n_inner") is None else size_setting(config, "n_inner"),
        longest=size_setting(config, "n_positions"),
        activation=ACTIVATIONS[config.get("activation_function", "gelu_new")],
        tied=config.get("tie_word_embeddings", True),
        epsilon=epsilon_setting(config, "layer_norm_epsilon", 1e-5),
    )


def build_network(
    config: Mapping[str, Any], file: Mapping[str, Tensor]
) -> tuple[GPT, dict[str, Tensor]]:
    """An unfilled GPT of the sizes in config.json, and the weights of the file under its names.

    Raises:
        ValueError: if our GPT does not support the model, or weights are missing or left over.
    """
    sizes = parse_config(config)
    here = rename_tensors(file, "transformer.")
    rows = WEIGHT_NAMES
    if sizes.tied:
        here = resolve_tied(here, UNTIED.file, WEIGHT_NAMES[0].file)
    else:
        rows += (UNTIED,)
    return GPT(sizes, seed=None), translate_weights(here, rows, sizes.layers, IGNORED)
