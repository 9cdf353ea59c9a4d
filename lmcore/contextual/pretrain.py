"""Trains the biLM that comes with the application, on fresh documents of the Microworld.

    python -m lmcore.contextual.pretrain

One thread, a few minutes; weights in half precision and a card go to `measured/`.
"""

from __future__ import annotations

import json
import platform
import sys
import time
from typing import Any, NamedTuple

import torch
from safetensors.torch import save_file
from torch import Tensor, nn

from lmcore.contextual.bilm import CARD, IGNORE, WEIGHTS, BiLM, BiLMConfig, BiLMLosses, bilm_losses
from lmcore.device import share_cores
from lmcore.training.batches import Batch, DocumentFeed
from lmcore.training.spec import RunSpec

REPORTED = 250
"""Steps between two lines of progress."""


class Budget(NamedTuple):
    """How the biLM is trained: Adam, with a learning rate that falls to 0."""

    steps: int = 6000
    learning_rate: float = 6e-3
    batch: int = 64
    clip: float = 1.0
    seed: int = 0


def train_bilm(budget: Budget = Budget(), *, config: BiLMConfig | None = None) -> BiLM:  # noqa: B008
    """Train a biLM for the sum of its two losses."""
    feed = DocumentFeed(RunSpec(seed=budget.seed, batch=budget.batch))
    network = BiLM(config or BiLMConfig(len(feed.vocabulary)), budget.seed)
    optimizer = torch.optim.Adam(network.parameters(), budget.learning_rate, betas=(0.9, 0.98))
    for step in range(budget.steps):
        for group in optimizer.param_groups:
            group["lr"] = budget.learning_rate * (1 - step / budget.steps)
        losses = batch_losses(network, feed.batch(step))
        optimizer.zero_grad(set_to_none=True)
        torch.autograd.backward(losses.total)
        nn.utils.clip_grad_norm_(network.parameters(), budget.clip)
        optimizer.step()
        if step % REPORTED == 0:
            left, right = losses.left_to_right.item(), losses.right_to_left.item()
            sys.stdout.write(f"step {step:,}: {left:.4f} + {right:.4f} nats per token\n")
            sys.stdout.flush()
    return network


def batch_losses(network: BiLM, batch: Batch) -> BiLMLosses:
    """The two losses on a batch of whole documents."""
    tokens, lengths = whole_documents(batch)
    return bilm_losses(network(tokens, lengths), tokens, lengths)


def whole_documents(batch: Batch) -> tuple[Tensor, Tensor]:
    """The documents of a batch of next tokens, `<s>` to `</s>`, and their lengths."""
    tokens = torch.cat([batch.inputs[:, :1], batch.targets], dim=1)
    lengths = (tokens != IGNORE).sum(1)
    return tokens.where(tokens != IGNORE, 0), lengths


@torch.no_grad()
def figures(network: BiLM) -> dict[str, float]:
    """The losses on held-out documents, and the grammar's own: the floor of both."""
    feed = DocumentFeed(RunSpec())
    losses = [batch_losses(network, batch) for batch in feed.validation]
    counts = [int((batch.targets != IGNORE).sum()) for batch in feed.validation]
    mean = {
        name: sum(
            float(getattr(each, way)) * count for each, count in zip(losses, counts, strict=True)
        )
        / sum(counts)
        for name, way in (("left to right", "left_to_right"), ("right to left", "right_to_left"))
    }
    return {**mean, "the grammar": feed.truth}


def main() -> None:
    """Train, and write the weights and the card."""
    share_cores()
    budget, start, spent = Budget(), time.monotonic(), time.thread_time()
    network = train_bilm(budget)
    weights = {name: each.half().contiguous() for name, each in network.state_dict().items()}
    WEIGHTS.parent.mkdir(exist_ok=True)
    save_file(weights, WEIGHTS)
    network.load_state_dict({name: each.float() for name, each in weights.items()})
    card: dict[str, Any] = {
        "data": "fresh documents of the Microworld, none of them held out",
        "how": {**budget._asdict(), "optimizer": "Adam", "objective": "L→ + L←"},
        "sizes": {"embedding": network.config.embedding, "layers": network.config.layers},
        "parameters": network.config.parameters,
        "seconds": round(time.monotonic() - start),
        "seconds of a core": round(time.thread_time() - spent),
        "date": time.strftime("%Y-%m-%d"),
        "made with": {"python": platform.python_version(), "torch": torch.__version__},
        "device": "CPU, 1 thread",
        "held-out loss, nats per token": figures(network),
    }
    CARD.write_text(json.dumps(card, indent=1, ensure_ascii=False) + "\n", "utf-8")
    sys.stdout.write(f"{card}\n")


if __name__ == "__main__":
    main()
