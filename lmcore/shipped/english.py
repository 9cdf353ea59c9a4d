"""A masked model of English: MiniLM's weights, changed and given a head for masked words.

`weights/english.safetensors` holds only the change: two factors of low rank for every matrix of
the blocks, their vectors, and the head, all in half precision; the rest is in MiniLM's package.
The card beside it records how it was trained; `english_training` trains it again.
"""

from __future__ import annotations

import json

import torch
from safetensors.torch import load_file
from torch import Tensor

from lmcore.models.bert import BERT
from lmcore.pretrained import wheel
from lmcore.pretrained.loading import PretrainedModel, fill_weights
from lmcore.pretrained.low_rank import apply_change
from lmcore.shipped.models import card_path, has_weights, path

FILE, NAME = "english", "our English masked model"


def is_available() -> bool:
    """Whether both MiniLM's package and the change are there."""
    return wheel.package_folder() is not None and has_weights(FILE)


def share_found() -> float:
    """The share of held-out words, each masked alone, that it finds: its card's figure."""
    card = json.loads(card_path(FILE).read_text("utf-8"))
    return float(card["figures"]["masked word: top-1"])


def english() -> PretrainedModel:
    """The model.

    Raises:
        ValueError: if MiniLM's package is not installed, or either file holds other weights.
    """
    change = {name: each.float() for name, each in load_file(path(FILE)).items()}
    return with_change(wheel.minilm(), change)


def with_change(encoder: PretrainedModel, change: dict[str, Tensor]) -> PretrainedModel:
    """The encoder with a head for masked words, and its blocks changed.

    Raises:
        ValueError: if the change does not fit the encoder.
    """
    own = encoder.network.state_dict()
    network = BERT(encoder.network.config, seed=None, head=True)
    weights = own | apply_change(own, change)
    if missing := network.state_dict().keys() - weights.keys():
        raise ValueError(f"the change must hold {min(missing)}; it does not")
    with torch.no_grad():
        fill_weights(network, weights)
    return PretrainedModel(NAME, network, encoder.tokenizer, encoder.folder)
