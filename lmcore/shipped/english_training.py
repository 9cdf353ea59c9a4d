"""Trains the masked model of English that comes with the application.

    python -m lmcore.shipped.english_training 5400           in about 5,400 seconds
    python -m lmcore.shipped.english_training 12000 shipped  continues from the shipped weights
    python -m lmcore.shipped.english_card english            writes weights/english.*

The texts are those of `english_text`. An interrupted run resumes from `.pretrain`, where it is
saved every two minutes.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from dataclasses import asdict, dataclass

import numpy as np
import torch
import torch.nn.functional as F
from safetensors.torch import load_file
from torch import Tensor, nn

from lmcore.checks import check_one_of
from lmcore.device import share_cores
from lmcore.masked_lm.sentences import MaskedSentences, SentencePool
from lmcore.models.bert import BERT
from lmcore.parsing import parse_number
from lmcore.pretrained import wheel
from lmcore.pretrained.loading import PretrainedModel
from lmcore.pretrained.low_rank import FIRST, SECOND, apply_change, low_rank_change
from lmcore.shipped.english import FILE
from lmcore.shipped.english_text import SHARES, training_sentences
from lmcore.shipped.models import FOLDER, card_path, path
from lmcore.shipped.timed_runs import train_within

SHIPPED = "shipped"
SAVED = FOLDER.parents[2] / ".pretrain" / "english.safetensors"


@dataclass(frozen=True, slots=True)
class EnglishRun:
    """How the model is trained."""

    rank: int = 96
    tokens: int = 768
    """Tokens of a batch, about."""
    rate: float = 0.2
    """Share of words masked."""
    blocks_rate: float = 5e-4
    """η of the vectors of the blocks; that of the factors is twice as large."""
    head_rate: float = 2e-3
    warm_up: int = 100
    """Steps over which η grows from 0."""
    clip: float = 1.0
    decay: float = 0.01
    seed: int = 0


class MaskedLoss(nn.Module):
    """The mean of −log ŷ over the covered words; blocks in bfloat16, the softmax in float32."""

    def __init__(self, network: BERT) -> None:
        super().__init__()
        self.network = network
        self.output = network.U.detach().bfloat16()

    def forward(self, batch: MaskedSentences) -> Tensor:
        """L, in nats per word."""
        network = self.network
        assert network.head is not None
        with torch.autocast("cpu", dtype=torch.bfloat16):
            _, stream = network.embed(batch.tokens)
            for block in network.blocks:
                stream = block(stream).output
            transformed = network.head(network.final_hidden(stream)[batch.covered])
            logits = F.linear(transformed.bfloat16(), self.output)
        return F.cross_entropy(logits.float() + network.head.bias, batch.targets)


class EnglishTraining:
    """A run: the change of the weights, the optimiser, steps and seconds so far."""

    def __init__(
        self,
        encoder: PretrainedModel,
        pool: SentencePool,
        run: EnglishRun,
        shares: Mapping[str, float] = SHARES,
    ) -> None:
        """`shares` are those of the pool: a run with others is another run."""
        self.run, self.pool, self.step, self.seconds = run, pool, 0, 0.0
        self.first = 0
        self.spec = asdict(run) | {"shares": dict(shares)}
        self.own = encoder.network.state_dict()
        self.weights = initial_change(encoder, pool, run)
        self.loss = MaskedLoss(_headed(encoder))
        for tensor in self.weights.values():
            tensor.requires_grad_(True)
        self.optimizer: torch.optim.Optimizer = torch.optim.AdamW(
            [{"params": [each], "base": self._base(name)} for name, each in self.weights.items()],
            betas=(0.9, 0.98),
            weight_decay=run.decay,
        )

    def begin_with_shipped(self) -> None:
        """The shipped weights, at their step and second; the optimiser has no memory yet.

        Raises:
            OSError: if they are missing.
        """
        card = json.loads(card_path(FILE).read_text("utf-8"))
        shipped = load_file(path(FILE))
        with torch.no_grad():
            for name, weight in self.weights.items():
                weight.copy_(shipped[name])
        self.step = self.first = card["steps"]
        self.seconds = float(card["seconds"])

    def _base(self, name: str) -> float:
        if name.startswith("head."):
            return self.run.head_rate
        return self.run.blocks_rate * (2 if name.endswith((FIRST, SECOND)) else 1)

    def learn(self, remaining: float) -> float:
        """One step, at `remaining` of the learning rate: the loss of its batch."""
        factor = remaining * min(1.0, (self.step - self.first + 1) / self.run.warm_up)
        for group in self.optimizer.param_groups:
            group["lr"] = group["base"] * factor
        batch = self.pool.draw(
            np.random.default_rng((self.run.seed, self.step)), self.run.tokens, self.run.rate
        )
        changed = apply_change(self.own, self.weights)
        weights = {f"network.{name}": each for name, each in changed.items()}
        loss: Tensor = torch.func.functional_call(self.loss, weights, (batch,))
        self.optimizer.zero_grad(set_to_none=True)
        torch.autograd.backward(loss)
        nn.utils.clip_grad_norm_(self.weights.values(), self.run.clip)
        self.optimizer.step()
        self.step += 1
        return float(loss.detach())


def initial_change(
    encoder: PretrainedModel, pool: SentencePool, run: EnglishRun
) -> dict[str, Tensor]:
    """Nothing changed in the blocks; a head with W = I, and b_2 = log of how common a type is."""
    config = encoder.network.config
    counts = np.full(config.vocabulary, 0.1)
    scale = sum(each.ids.size for each in pool.by_length)
    for each in pool.by_length:
        weights = np.broadcast_to(each.chance[:, None] * scale, each.ids.shape)[each.words]
        np.add.at(counts, each.ids[each.words], weights)
    return {
        **low_rank_change(encoder.network, run.rank, run.seed),
        "head.dense.weight": torch.eye(config.width),
        "head.dense.bias": torch.zeros(config.width),
        "head.norm.weight": torch.ones(config.width),
        "head.norm.bias": torch.zeros(config.width),
        "head.bias": torch.from_numpy(np.log(counts / counts.sum())).float(),
    }


def _headed(encoder: PretrainedModel) -> BERT:
    network = BERT(encoder.network.config, seed=0, head=True)
    network.load_state_dict(encoder.network.state_dict(), strict=False)
    return network.requires_grad_(False)


def main(words: list[str]) -> None:
    """Train within the given number of seconds.

    Raises:
        ValueError: if it is not a number above 0, another word than `shipped` follows, or MiniLM
            or a text is missing.
    """
    share_cores()
    budget = parse_number(words[0] if words else "", "the number of seconds")
    for word in words[1:]:
        check_one_of("where it begins", word, (SHIPPED,))
    encoder = wheel.minilm()
    pool = SentencePool.make(encoder.tokenizer, training_sentences(), SHARES)
    training = EnglishTraining(encoder, pool, EnglishRun())
    if words[1:]:
        training.begin_with_shipped()
    train_within(training, budget, SAVED)


if __name__ == "__main__":
    main(sys.argv[1:])
