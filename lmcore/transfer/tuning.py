"""A head on a network, for one task: trained alone, with some of the blocks, or with all.

    features      the network stays as it was; only the head learns
    fine-tuning   the lowest `frozen` parts stay, the rest learns with the head
    from scratch  the same network with new weights; everything learns

    L = −log p(answer | text) + λ L_LM(text)          λ > 0 for a GPT only

The parts from below are E with P and S, block 1, …, block N with the last LayerNorm.

Source: Radford et al. 2018, sections 3.2 and 3.3 (λ of the auxiliary objective);
Devlin et al. 2019, sections 4 and 5.3 (features against fine-tuning).
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal, NamedTuple

import torch
import torch.nn.functional as F
from jaxtyping import Float
from torch import Tensor, nn

from lmcore.checks import check_between, check_one_of
from lmcore.models.bert import BERT
from lmcore.models.gpt import GPT
from lmcore.models.transformer_config import TransformerConfig
from lmcore.shipped import models
from lmcore.training.batches import IGNORE_INDEX
from lmcore.transfer.inputs import TaskBatch, encode_examples
from lmcore.transfer.tasks import TASKS, Labelled, Task, draw_examples
from lmcore.vocabulary import Vocabulary

Start = Literal["pretrained", "scratch"]
NETWORKS = ("gpt", "encoder")
MOST_LABELS, MOST_STEPS = 10_000, 2_000
TESTED = 400
"""Examples that a tuned network is tested on, none of which it was trained on."""


@dataclass(frozen=True, slots=True)
class TuneSpec:
    """Everything that determines a run of tuning.

    `frozen` is the number of lowest parts that do not learn: 0 is full fine-tuning, N + 1 leaves
    only the head, which is the use of features.
    """

    network: str = "encoder"
    task: str = "acceptable"
    labels: int = 100
    start: str = "pretrained"
    frozen: int = 0
    auxiliary: float = 0.0
    learning_rate: float = 1e-3
    steps: int = 200
    batch: int = 32
    seed: int = 0

    def __post_init__(self) -> None:
        """Raises ValueError naming the setting that is out of bounds."""
        check_one_of("the network", self.network, NETWORKS)
        check_one_of("the task", self.task, TASKS)
        check_one_of("the start", self.start, ("pretrained", "scratch"))
        check_between("labels", self.labels, 1, MOST_LABELS)
        check_between("steps", self.steps, 1, MOST_STEPS)
        check_between("the batch", self.batch, 1, 256)
        check_between("frozen", self.frozen, 0, parts(self.network))
        for name, low, high in (("auxiliary", 0.0, 10.0), ("learning_rate", 0.0, 1.0)):
            value = getattr(self, name)
            if not (math.isfinite(value) and low <= value <= high):
                raise ValueError(f"{name} must be from {low:g} to {high:g}; got {value:g}")
        if self.auxiliary and self.network != "gpt":
            raise ValueError(
                f"λ must be 0 for a BERT, which predicts no next word; got {self.auxiliary:g}"
            )
        if self.start == "scratch" and self.frozen:
            raise ValueError(
                f"frozen must be 0 from scratch: new weights have to learn; got {self.frozen}"
            )


class TuneStep(NamedTuple):
    """One step: the loss on its batch, and if it was tested the accuracy, else None."""

    step: int
    loss: float
    accuracy: float | None


class TunedNetwork(nn.Module):
    """A network with a linear head for a task."""

    def __init__(self, network: GPT | BERT, task: Task, seed: int) -> None:
        super().__init__()
        self.network, self.task = network, task
        columns = 2 if task.reads == "span" else len(task.labels)
        generator = torch.Generator().manual_seed(seed)
        self.head = nn.Linear(network.config.width, columns)
        with torch.no_grad():
            self.head.weight.normal_(0, 0.02, generator=generator)
            self.head.bias.zero_()

    def forward(
        self, batch: TaskBatch
    ) -> tuple[Float[Tensor, "batch answer label"], Float[Tensor, "batch time width"]]:
        """Logits of each answer, and the vectors that the head has read.

        Of a span the two answers are its first and its last word, and a label is a place.
        """
        hidden = hidden_vectors(self.network, batch)
        if self.task.reads in ("text", "pair"):
            read = hidden[torch.arange(len(hidden)), batch.read]
            label: Tensor = self.head(read)
            return label[:, None], hidden
        logits: Tensor = self.head(hidden)
        if self.task.reads == "span":
            logits = logits.transpose(1, 2).masked_fill(~batch.first[:, None], -math.inf)
        return logits, hidden

    def loss(self, batch: TaskBatch, auxiliary: float = 0.0) -> Float[Tensor, ""]:
        """The mean of −log p(answer), nats; plus λ times the loss of the language model."""
        logits, hidden = self(batch)
        found = F.cross_entropy(
            logits.flatten(0, 1), batch.answers.flatten(), ignore_index=IGNORE_INDEX
        )
        if not auxiliary:
            return found
        assert isinstance(self.network, GPT)
        predicted = self.network.unembed(hidden[:, :-1])
        targets = batch.ids[:, 1:].masked_fill(~batch.present[:, 1:], IGNORE_INDEX)
        return found + auxiliary * F.cross_entropy(
            predicted.flatten(0, 1), targets.flatten(), ignore_index=IGNORE_INDEX
        )

    @torch.no_grad()
    def right(self, batch: TaskBatch) -> Float[Tensor, " answer"]:
        """1 for each answer that is right, else 0: a text, a word's tag, or a whole span."""
        logits, _ = self(batch)
        same: Tensor = logits.argmax(-1) == batch.answers
        if self.task.reads == "tags":
            same = same[batch.answers != IGNORE_INDEX][:, None]
        whole: Tensor = same.all(-1).float()
        return whole


def hidden_vectors(network: GPT | BERT, batch: TaskBatch) -> Float[Tensor, "batch time width"]:
    """h_N of each token, normalised as the network's own head reads it."""
    if isinstance(network, GPT):
        normed: Tensor = network(batch.ids).normed
        return normed
    hidden: Tensor = network(batch.ids, segments=batch.segments).hidden
    return hidden


def parts(name: str) -> int:
    """How many parts of a network can be frozen: the embedding, and each block."""
    return _network_config(name).layers + 1


@lru_cache(maxsize=2)
def _pretrained(name: str) -> tuple[GPT | BERT, Vocabulary]:
    if name == "encoder":
        network, vocabulary, *_ = models.encoder()
        return network, vocabulary
    model, *_ = models.load_shipped(name)
    assert isinstance(model.network, GPT)
    return model.network, model.vocabulary


def _network_config(name: str) -> TransformerConfig:
    return _pretrained(name)[0].config


def begin(spec: TuneSpec) -> tuple[TunedNetwork, Vocabulary]:
    """The network of a run with its new head, before the first step; frozen parts do not learn."""
    base, vocabulary = _pretrained(spec.network)
    kind = type(base)
    network = kind(base.config, seed=1000 + spec.seed) if spec.start == "scratch" else None
    if network is None:
        network = kind(base.config, seed=None)
        network.load_state_dict(
            {n: w.clone() for n, w in base.state_dict().items() if n in network.state_dict()},
            assign=True,
        )
    tuned = TunedNetwork(network, TASKS[spec.task], spec.seed)
    for weight in tuned.parameters():
        weight.requires_grad_(True)
    for part in frozen_parts(network, spec.frozen):
        part.requires_grad_(False)
    return tuned, vocabulary


def frozen_parts(network: GPT | BERT, count: int) -> list[nn.Module]:
    """The lowest parts of a network; the last of them takes the last LayerNorm with it."""
    found: list[nn.Module] = [network.embedding, *network.blocks][:count]
    first_norm = isinstance(network, BERT) and network.config.norm == "post"
    if count and (first_norm or count > len(network.blocks)):
        found.append(network.norm)
    return found


def tune(spec: TuneSpec, *, every: int = 0) -> Iterator[TuneStep]:
    """Make the steps of a run; the last one is tested, and every so many before it.

    The learning rate rises over the first tenth of the steps and falls to 0.
    """
    tuned, vocabulary = begin(spec)
    yield from tune_network(tuned, vocabulary, spec, every=every)


def tune_network(
    tuned: TunedNetwork, vocabulary: Vocabulary, spec: TuneSpec, *, every: int = 0
) -> Iterator[TuneStep]:
    """As `tune`, of a network that `begin` has made."""
    bert = isinstance(tuned.network, BERT)
    examples = draw_examples(spec.task, spec.labels, spec.seed)
    tests = batches(tuned.task, tested_examples(spec.task), vocabulary, bert=bert)
    learning = [weight for weight in tuned.parameters() if weight.requires_grad]
    optimiser = torch.optim.AdamW(learning, lr=spec.learning_rate, weight_decay=0.01)
    generator = torch.Generator().manual_seed(spec.seed)
    for step in range(1, spec.steps + 1):
        chosen = torch.randint(len(examples), (spec.batch,), generator=generator).tolist()
        batch = encode_examples(tuned.task, [examples[i] for i in chosen], vocabulary, bert=bert)
        for group in optimiser.param_groups:
            group["lr"] = spec.learning_rate * schedule(step, spec.steps)
        loss = tuned.loss(batch, spec.auxiliary)
        optimiser.zero_grad(set_to_none=True)
        loss.backward()  # type: ignore[no-untyped-call]
        nn.utils.clip_grad_norm_(learning, 1.0)
        optimiser.step()
        tested = step == spec.steps or (every and step % every == 0)
        yield TuneStep(step, float(loss.detach()), accuracy(tuned, tests) if tested else None)


def schedule(step: int, steps: int) -> float:
    """The share of the learning rate at a step, from 1."""
    rise = max(steps // 10, 1)
    return min(step / rise, (steps - step + 1) / max(steps - rise, 1), 1.0)


@lru_cache(maxsize=8)
def tested_examples(task: str) -> tuple[Labelled, ...]:
    """The held-out examples of a task."""
    return tuple(draw_examples(task, TESTED, 0, test=True))


def batches(
    task: Task, examples: Sequence[Labelled], vocabulary: Vocabulary, *, bert: bool
) -> list[TaskBatch]:
    """Examples in batches of a hundred."""
    return [
        encode_examples(task, examples[i : i + 100], vocabulary, bert=bert)
        for i in range(0, len(examples), 100)
    ]


def accuracy(tuned: TunedNetwork, tests: Sequence[TaskBatch]) -> float:
    """The share of right answers: texts, tags of words, or spans with both ends right."""
    return float(torch.cat([tuned.right(batch) for batch in tests]).mean())
