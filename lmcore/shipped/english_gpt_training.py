"""Trains the small GPT that has read a dictionary: subwords of WordNet, one line for each meaning.

    python -m lmcore.shipped.english_gpt_training 2700     in about 2,700 seconds
    python -m lmcore.shipped.english_card english_gpt      writes weights/english_gpt*

The text is that of `english_text.dictionary_lines`. An interrupted run resumes from `.pretrain`,
where it is saved every two minutes.
"""

from __future__ import annotations

import sys
from dataclasses import asdict

import numpy as np
import torch
import torch.nn.functional as F
from jaxtyping import Int
from numpy.typing import NDArray
from torch import Tensor

from lmcore.device import share_cores
from lmcore.models.gpt import GPT
from lmcore.models.masks import causal
from lmcore.models.transformer_config import TransformerConfig
from lmcore.parsing import parse_number
from lmcore.shipped.english_text import dictionary_lines
from lmcore.shipped.models import FOLDER
from lmcore.shipped.timed_runs import train_within
from lmcore.tokenization.subwords import Subwords, train_subwords

SAVED = FOLDER.parents[2] / ".pretrain" / "english_gpt.safetensors"
MERGES = 3840
CONFIG = TransformerConfig(
    vocabulary=256 + MERGES, width=128, heads=4, layers=4, hidden=640, longest=128
)
LENGTH, ROWS = 96, 16
"""Tokens of a window, and windows of a batch."""
PEAK, WARM_UP, CLIP, DECAY = 3e-3, 200, 1.0, 0.05


class DictionaryTraining:
    """A run: the network, its optimiser, steps and seconds so far."""

    def __init__(self, ids: Int[np.ndarray, " token"]) -> None:
        self.ids, self.step, self.seconds = ids, 0, 0.0
        self.network = GPT(CONFIG)
        self.weights = dict[str, Tensor](self.network.named_parameters())
        self.spec = asdict(CONFIG)
        self.mask = causal(LENGTH)
        self.optimizer: torch.optim.Optimizer = torch.optim.AdamW(
            self.network.parameters(), betas=(0.9, 0.98), weight_decay=DECAY
        )

    def learn(self, remaining: float) -> float:
        """One step, at `remaining` of the learning rate: the loss of its batch, nats per token."""
        for group in self.optimizer.param_groups:
            group["lr"] = PEAK * remaining * min(1.0, (self.step + 1) / WARM_UP)
        windows = torch.from_numpy(self._windows())
        loss = self._loss(windows[:, :-1], windows[:, 1:])
        self.optimizer.zero_grad(set_to_none=True)
        torch.autograd.backward(loss)
        torch.nn.utils.clip_grad_norm_(self.network.parameters(), CLIP)
        self.optimizer.step()
        self.step += 1
        return float(loss.detach())

    def _windows(self) -> Int[np.ndarray, "row time"]:
        starts = np.random.default_rng((1, self.step)).integers(
            0, len(self.ids) - LENGTH - 1, (ROWS, 1)
        )
        windows: NDArray[np.int64] = self.ids[starts + np.arange(LENGTH + 1)]
        return windows

    def _loss(self, inputs: Tensor, targets: Tensor) -> Tensor:
        with torch.autocast("cpu", dtype=torch.bfloat16):
            _, stream = self.network.embed(inputs)
            for block in self.network.blocks:
                stream = block(stream, self.mask).output
            logits = self.network.unembed(self.network.final_hidden(stream))
        return F.cross_entropy(logits.float().flatten(0, 1), targets.flatten())


def dictionary_ids() -> tuple[Subwords, Int[np.ndarray, " token"], Int[np.ndarray, " token"]]:
    """The pieces, learned from the training lines; these lines as ids, shuffled; the held-out ones.

    Raises:
        ValueError: if a text is missing.
    """
    learnt, tested = dictionary_lines()
    order = np.random.default_rng(0).permutation(len(learnt))
    text = "".join(learnt[i] for i in order)
    pieces = train_subwords(text, MERGES)
    return pieces, np.array(pieces.read(text)), np.array(pieces.read("".join(tested)))


def main(words: list[str]) -> None:
    """Train within the given number of seconds.

    Raises:
        ValueError: if it is not a number above 0, or a text is missing.
    """
    share_cores()
    budget = parse_number(words[0] if words else "", "the number of seconds")
    train_within(DictionaryTraining(dictionary_ids()[1]), budget, SAVED)


if __name__ == "__main__":
    main(sys.argv[1:])
