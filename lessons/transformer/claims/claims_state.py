"""The settings of the pictures of the claims."""

from __future__ import annotations

from lmcore.attention.heads import Head
from lmcore.models.gpt import GPT
from lmcore.recurrence.recall import ALONE
from lmcore.shipped.models import load_shipped
from ui.settings import Between, Choice, Setting

SHORTEST, LONGEST = 16, 512
"""The least and the greatest number of words of the text that an RNN and a block read."""
LENGTHS = (16, 32, 64, 128, 256, 512)
"""The positions of its slider."""


def head_names() -> list[str]:
    """The heads of our small GPT that can be muted, and `none`."""
    network = load_shipped("gpt")[0].network
    assert isinstance(network, GPT)
    config = network.config
    heads = [str(Head(layer, n)) for layer in range(config.layers) for n in range(config.heads)]
    return ["none", *heads]


CLAIM_SETTINGS: dict[str, Setting] = {
    "row_step": Between(1, LONGEST, whole=True),
    "row_words": Between(SHORTEST, LONGEST, whole=True),
    "mute_head": Choice(head_names),
    "hop_words": Choice([str(distance) for distance in ALONE]),
}
