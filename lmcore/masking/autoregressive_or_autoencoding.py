"""Autoregressive and autoencoding prediction: each word from its left context, or from both sides.

    autoregressive   p(w_i | w_1 … w_{i−1})                     a causal mask
    autoencoding     p(w_i | …, w_{i−1}, w_{i+1}, …)            w_i masked, every other word visible

Source: Stony Brook CSE538, "Transformer Language Models: Uses multiple layers of a transformer".
"""

from __future__ import annotations

import torch
from jaxtyping import Float64
from torch import Tensor

from lmcore.models.bert import BERT
from lmcore.models.language_model import LanguageModel
from lmcore.vocabulary import Vocabulary

COVER = "[MASK]"


def left_to_right_probabilities(
    model: LanguageModel, ids: tuple[int, ...]
) -> Float64[Tensor, " word"]:
    """p of each word but the first, given the words before it."""
    tokens = torch.tensor(ids)
    rows = model.log_probabilities(tokens)[:-1].double().exp()
    return rows.gather(1, tokens[1:, None])[:, 0]


@torch.no_grad()
def masked_probabilities(
    network: BERT, vocabulary: Vocabulary, ids: tuple[int, ...]
) -> Float64[Tensor, " word"]:
    """p of each word but the first when it alone is replaced by [MASK]; one batch row per word.

    Raises:
        ValueError: if the model has no [MASK], or no head that fills it.
    """
    if COVER not in vocabulary:
        raise ValueError(f"the model must have a {COVER}; got a vocabulary without it")
    tokens = torch.tensor(ids)
    count = len(ids) - 1
    rows = tokens.repeat(count, 1)
    place = torch.arange(1, count + 1)
    rows[torch.arange(count), place] = vocabulary.ids[COVER]
    logits = network(rows).logits
    if logits is None:
        raise ValueError("the model must have a head that fills in masked tokens; it has none")
    chances: Tensor = logits[torch.arange(count), place].double().softmax(-1)
    return chances.gather(1, tokens[1:, None])[:, 0]
