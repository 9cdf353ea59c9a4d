"""Cross-entropy: the loss of every language model that is trained here.

Source: CMU 11-411, "Training an RNN Language Model", with the log that the slide's last line leaves
out.
"""

import torch.nn.functional as F
from jaxtyping import Float, Int
from torch import Tensor

UNKNOWN_TARGET = -100
"""A target without a loss: the padding after the end of a short text."""


def cross_entropy(
    logits: Float[Tensor, "batch time vocabulary"], targets: Int[Tensor, "batch time"]
) -> Float[Tensor, ""]:
    """The mean of −log ŷ[target], nats per token, over all targets but `UNKNOWN_TARGET`.

    It is nan if all targets are `UNKNOWN_TARGET`.
    """
    return F.cross_entropy(
        logits.flatten(0, 1), targets.flatten(), ignore_index=UNKNOWN_TARGET, reduction="mean"
    )
