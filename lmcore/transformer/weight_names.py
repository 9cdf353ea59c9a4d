"""The names of a Transformer's tensors: the paper's, HuggingFace's, and those of lmcore.models.

The tables of BERT and GPT-2 are those by which their files are read. The encoder–decoder has the
names of MarianMT, which follows the paper: LayerNorm after each sum, sinusoids, one E. ALBERT's
embeddings are e wide and mapped to d; lmcore.models has no such model, and the names given for it
are those that its BERT has, and `embedding.widen`.

Source: transformers 5.23, the modules of each model; Lan et al. 2020 (ALBERT), section 3.1.
"""

from __future__ import annotations

from typing import Literal

from lmcore.pretrained import bert, gpt2
from lmcore.pretrained.names import WeightName, affine_names, with_prefixes

Kind = Literal["bert", "roberta", "albert", "gpt", "gpt2", "transformer"]
ENCODERS: tuple[Kind, ...] = ("bert", "roberta", "albert")

_E = "embedding.token.weight"
_GPT_TABLES = (
    WeightName("E", "tokens_embed.weight", (_E,)),
    WeightName("P", "positions_embed.weight", ("embedding.position.weight",)),
)
_ALBERT_BLOCK = (
    *affine_names("W^Q", "b^Q", "attention.query", "attention.query"),
    *affine_names("W^K", "b^K", "attention.key", "attention.key"),
    *affine_names("W^V", "b^V", "attention.value", "attention.value"),
    *affine_names("W^O", "b^O", "attention.dense", "attention.output"),
    *affine_names("γ", "β", "attention.LayerNorm", "attention_norm"),
    *affine_names("W_1", "b_1", "ffn", "mlp.up"),
    *affine_names("W_2", "b_2", "ffn_output", "mlp.down"),
    *affine_names("γ", "β", "full_layer_layer_norm", "mlp_norm"),
)
_ALBERT = (
    *bert.WEIGHT_NAMES[:5],
    *affine_names("W_e", "b_e", "encoder.embedding_hidden_mapping_in", "embedding.widen"),
    *with_prefixes(
        _ALBERT_BLOCK, "encoder.albert_layer_groups.{n}.albert_layers.0.", "blocks.{n}."
    ),
)


def _marian_attention(file: str, ours: str) -> tuple[WeightName, ...]:
    """The eight tensors of an attention, and the two of its LayerNorm."""
    return (
        *affine_names("W^Q", "b^Q", f"{file}.q_proj", f"{ours}.query"),
        *affine_names("W^K", "b^K", f"{file}.k_proj", f"{ours}.key"),
        *affine_names("W^V", "b^V", f"{file}.v_proj", f"{ours}.value"),
        *affine_names("W^O", "b^O", f"{file}.out_proj", f"{ours}.output"),
        *affine_names("γ", "β", f"{file}_layer_norm", f"{ours}_norm"),
    )


_MARIAN_MLP = (
    *affine_names("W_1", "b_1", "fc1", "mlp.up"),
    *affine_names("W_2", "b_2", "fc2", "mlp.down"),
    *affine_names("γ", "β", "final_layer_norm", "mlp_norm"),
)
_SELF, _CROSS = (
    _marian_attention("self_attn", "attention"),
    _marian_attention("encoder_attn", "cross"),
)
_MARIAN = (
    WeightName("E", "shared.weight", (_E,)),
    *with_prefixes((*_SELF, *_MARIAN_MLP), "encoder.layers.{n}.", "encoder.{n}."),
    *with_prefixes((*_SELF, *_CROSS, *_MARIAN_MLP), "decoder.layers.{n}.", "decoder.{n}."),
)
MODEL: dict[Kind, tuple[WeightName, ...]] = {
    "bert": bert.WEIGHT_NAMES,
    "roberta": bert.WEIGHT_NAMES,
    "albert": _ALBERT,
    # Without the last LayerNorm: those of a block come after the sum.
    "gpt": (*_GPT_TABLES, *(row for row in gpt2.WEIGHT_NAMES if "{n}" in row.file)),
    "gpt2": gpt2.WEIGHT_NAMES,
    "transformer": _MARIAN,
}
"""The tensors of the model itself."""
HEAD: dict[Kind, tuple[WeightName, ...]] = {
    "bert": bert.HEAD,
    "roberta": (
        *affine_names("W", "b", "lm_head.dense", "head.dense"),
        *affine_names("γ", "β", "lm_head.layer_norm", "head.norm"),
        WeightName("b_2", "lm_head.bias", ("head.bias",)),
    ),
    "albert": (
        *affine_names("W", "b", "predictions.dense", "head.dense"),
        *affine_names("γ", "β", "predictions.LayerNorm", "head.norm"),
        WeightName("b_2", "predictions.bias", ("head.bias",)),
    ),
}
"""Those of the head that fills in masked words, without U."""
POOLER = bert.PAIRS[:2]
_POOLER_OF_ALBERT = affine_names("W_p", "b_p", "pooler", "pairs.pooler")
UNTIED: dict[Kind, WeightName] = {
    "bert": bert.UNTIED,
    "roberta": WeightName("U", "lm_head.decoder.weight", ("head.output.weight",)),
    "albert": WeightName("U", "predictions.decoder.weight", ("head.output.weight",)),
    "gpt": gpt2.UNTIED,
    "gpt2": gpt2.UNTIED,
    "transformer": gpt2.UNTIED,
}
"""U, where it is not Eᵀ."""


def weight_names(
    kind: Kind, *, head: bool = False, pooler: bool = False, tied: bool = True
) -> tuple[WeightName, ...]:
    """The tensors of a model; a decoder predicts words without a `head`, from U alone."""
    rows = MODEL[kind]
    if pooler and kind in ENCODERS:
        rows += _POOLER_OF_ALBERT if kind == "albert" else POOLER
    if head and kind in ENCODERS:
        rows += HEAD[kind]
    if not tied and (head or kind not in ENCODERS):
        rows += (UNTIED[kind],)
    return rows
