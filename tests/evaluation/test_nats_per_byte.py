"""The loss of a GPT over a long text, window by window."""

import numpy as np
import pytest
import torch

from lmcore.evaluation.nats_per_byte import token_log_probabilities
from lmcore.models.gpt import GPT
from lmcore.models.transformer_config import TransformerConfig

LONGEST = 8
NETWORK = GPT(
    TransformerConfig(vocabulary=11, width=8, heads=2, layers=1, hidden=16, longest=LONGEST), seed=2
)


@pytest.mark.parametrize("length", [9, 12, 13, 30, 31])
def test_each_token_is_predicted_once_with_half_a_window_of_context_or_more(length):
    ids = np.random.default_rng(length).integers(0, 11, length)
    found = token_log_probabilities(NETWORK, ids)
    assert found.shape == (length - 1,)
    for place, value in enumerate(found, start=1):
        contexts = range(min(place, LONGEST // 2), min(place, LONGEST) + 1)
        with torch.no_grad():
            fits = [
                float(NETWORK(torch.tensor(ids[None, place - n : place])).logits[0, -1]
                      .log_softmax(-1)[ids[place]])
                for n in contexts
            ]  # fmt: skip
        assert min(abs(fit - value) for fit in fits) < 1e-5


def test_a_text_must_fill_a_window():
    with pytest.raises(ValueError, match="must have more than 8 tokens; got 8"):
        token_log_probabilities(NETWORK, np.zeros(8, dtype=np.int64))
