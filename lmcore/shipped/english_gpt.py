"""The small GPT that has read a dictionary: it continues `word:` with a definition.

`weights/english_gpt/` is a model folder in the format of Hugging Face, in half precision;
`english_gpt_training` trains it again.
"""

from __future__ import annotations

import json

import torch
from safetensors.torch import save_file
from torch import Tensor

from lmcore.models.gpt import GPT
from lmcore.models.transformer_config import TransformerConfig
from lmcore.pretrained.folder import CONFIG_FILE, WEIGHTS_FILE
from lmcore.pretrained.gpt2 import WEIGHT_NAMES
from lmcore.pretrained.loading import PretrainedModel, load_pretrained
from lmcore.pretrained.tokenizing import TOKENIZER_FILE
from lmcore.shipped.models import FOLDER
from lmcore.tokenization.subwords import Subwords

FILE, NAME = "english_gpt", "our dictionary GPT"
END_OF_LINE = "Ċ"
"""The token of a line feed, after which comes another word."""


def english_gpt() -> PretrainedModel:
    """The model.

    Raises:
        ValueError: if its folder is incomplete.
    """
    return load_pretrained(FOLDER / FILE, name=NAME)


def is_available() -> bool:
    """Whether its folder is there."""
    return (FOLDER / FILE / WEIGHTS_FILE).is_file()


def write_model(network: GPT, pieces: Subwords, longest: int) -> None:
    """Write the folder; positions from `longest` on, which no window reached, are left out."""
    folder = FOLDER / FILE
    folder.mkdir(exist_ok=True)
    weights = network.state_dict()
    weights["embedding.position.weight"] = weights["embedding.position.weight"][:longest]
    file = {name: each.half().contiguous() for name, each in file_tensors(weights).items()}
    save_file(file, folder / WEIGHTS_FILE, metadata={"format": "pt"})
    settings = file_settings(network.config, longest)
    (folder / CONFIG_FILE).write_text(json.dumps(settings, indent=1) + "\n", "utf-8")
    (folder / TOKENIZER_FILE).write_text(pieces.rules, "utf-8")


def file_tensors(weights: dict[str, Tensor]) -> dict[str, Tensor]:
    """A GPT's weights under the names and in the layout of GPT-2's file."""
    layers = 1 + max(int(name.split(".")[1]) for name in weights if name.startswith("blocks."))
    found: dict[str, Tensor] = {}
    for row in WEIGHT_NAMES:
        for n in range(layers) if "{n}" in row.file else (0,):
            parts = [weights[name.format(n=n)] for name in row.ours]
            turned = [part.t() if row.turned and part.ndim == 2 else part for part in parts]
            found[row.file.format(n=n)] = torch.cat(turned, dim=-1)
    return found


def file_settings(config: TransformerConfig, longest: int) -> dict[str, object]:
    """The settings of config.json."""
    return {
        "model_type": "gpt2",
        "vocab_size": config.vocabulary,
        "n_embd": config.width,
        "n_head": config.heads,
        "n_layer": config.layers,
        "n_inner": config.hidden,
        "n_positions": longest,
        "activation_function": {"gelu": "gelu", "gelu_tanh": "gelu_new"}[config.activation],
        "layer_norm_epsilon": config.epsilon,
        "tie_word_embeddings": config.tied,
    }
