"""The loss of a subword model in nats per byte of the text, so that vocabularies can be compared.

A GPT reads windows that overlap by half: each token but the first few has at least half a window of
context.
"""

from __future__ import annotations

import numpy as np
import torch
from jaxtyping import Float64, Int

from lmcore.models.gpt import GPT

ROWS = 16
"""Windows of a batch."""


@torch.inference_mode()
def token_log_probabilities(
    network: GPT, ids: Int[np.ndarray, " token"]
) -> Float64[np.ndarray, " predicted"]:
    """log p of every token but the first, in nats.

    Raises:
        ValueError: if the text is not longer than a window.
    """
    longest = network.config.longest
    half = longest // 2
    if len(ids) <= longest:
        raise ValueError(f"the text must have more than {longest} tokens; got {len(ids):,}")
    starts = [*range(0, len(ids) - 1 - longest, half), len(ids) - 1 - longest]
    found = np.empty(len(ids) - 1)
    for first in range(0, len(starts), ROWS):
        some = np.array(starts[first : first + ROWS])
        windows = torch.from_numpy(ids[some[:, None] + np.arange(longest + 1)])
        log_q = network(windows[:, :-1]).logits.log_softmax(-1)
        own = log_q.gather(2, windows[:, 1:, None])[:, :, 0].double().numpy()
        for start, row in zip(some, own, strict=True):
            new = 0 if start == 0 else longest - half
            found[start + new : start + longest] = row[new:]
    return found
