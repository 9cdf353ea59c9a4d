"""A head on a network, for one task: trained alone, with some of the blocks, or with all.

    features      the network stays as it was; only the head learns
    fine-tuning   the lowest `frozen` parts stay, the rest learns with the head
    from scratch  the same network with new weights; everything learns

    L = −log p(answer | text) + λ L_LM(text)          λ > 0 for a GPT only

The parts from below are E with P and S, block 1, …, block N with the last LayerNorm; of a biLM E
and its LSTM layers. Two texts are read one after the other, in either order.

Source: Radford et al. 2018, sections 3.2 and 3.3 (λ of the auxiliary objective);
Devlin et al. 2019, sections 4 and 5.3 (features against fine-tuning).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from typing import Literal, NamedTuple

import torch
import torch.nn.functional as F
from jaxtyping import Float
from torch import Tensor, nn

from lmcore.checks import check_between, check_one_of
from lmcore.contextual.bilm import BiLM
from lmcore.models.bert import BERT
from lmcore.models.gpt import GPT
from lmcore.training.batches import IGNORE_INDEX
from lmcore.transfer.inputs import TaskBatch, encode_examples
from lmcore.transfer.networks import (
    NETWORKS,
    LayerMixture,
    Network,
    copied_network,
    frozen_parts,
    new_network,
    part_names,
    pretrained_network,
    read_tokens,
    read_whole,
    read_width,
)
from lmcore.transfer.tasks import TASKS, Labelled, Task, draw_examples
from lmcore.vocabulary import Vocabulary

Start = Literal["pretrained", "scratch"]
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
    question_first: bool = False
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
                "λ must be 0 unless the network is gpt, whose own loss it weighs; "
                f"got {self.auxiliary:g}"
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

    def __init__(self, network: Network, task: Task, seed: int) -> None:
        super().__init__()
        self.network, self.task = network, task
        mixed = isinstance(network, BiLM)
        self.mixture = LayerMixture(network.config.layers + 1) if mixed else None
        columns = 2 if task.reads == "span" else len(task.labels)
        generator = torch.Generator().manual_seed(seed)
        self.head = nn.Linear(read_width(network), columns)
        with torch.no_grad():
            self.head.weight.normal_(0, 0.02, generator=generator)
            self.head.bias.zero_()

    def forward(
        self, batch: TaskBatch
    ) -> tuple[Float[Tensor, "batch answer label"], Float[Tensor, "batch time width"]]:
        """Logits of each answer, and the vectors that the head has read.

        Of a span the two answers are its first and its last word, and a label is a place.
        """
        hidden = read_tokens(self.network, batch, self.mixture)
        if self.task.reads in ("text", "pair"):
            label: Tensor = self.head(read_whole(self.network, batch, hidden))
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


def parts(name: str) -> int:
    """How many parts of a network can be frozen."""
    return len(part_names(name))


def begin(spec: TuneSpec) -> tuple[TunedNetwork, Vocabulary]:
    """The network of a run with its new head, before the first step; frozen parts do not learn."""
    _, vocabulary = pretrained_network(spec.network)
    scratch = spec.start == "scratch"
    network = (
        new_network(spec.network, 1000 + spec.seed) if scratch else copied_network(spec.network)
    )
    tuned = TunedNetwork(network, TASKS[spec.task], spec.seed)
    for weight in tuned.parameters():
        weight.requires_grad_(True)
    for part in frozen_parts(network, spec.frozen):
        part.requires_grad_(False)
    return tuned, vocabulary


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
    examples = draw_examples(spec.task, spec.labels, spec.seed)
    encode = encoder_of(tuned, vocabulary, spec)
    tests = [encode(each) for each in in_hundreds(tested_examples(spec.task))]
    learning = [weight for weight in tuned.parameters() if weight.requires_grad]
    optimiser = torch.optim.AdamW(learning, lr=spec.learning_rate, weight_decay=0.01)
    generator = torch.Generator().manual_seed(spec.seed)
    for step in range(1, spec.steps + 1):
        chosen = torch.randint(len(examples), (spec.batch,), generator=generator).tolist()
        batch = encode([examples[i] for i in chosen])
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


def encoder_of(
    tuned: TunedNetwork, vocabulary: Vocabulary, spec: TuneSpec
) -> Callable[[Sequence[Labelled]], TaskBatch]:
    """What turns examples into a batch, as the network of a run reads them."""
    bert = isinstance(tuned.network, BERT)
    return partial(
        encode_examples,
        tuned.task,
        vocabulary=vocabulary,
        bert=bert,
        question_first=spec.question_first,
    )


def in_hundreds(examples: Sequence[Labelled]) -> list[Sequence[Labelled]]:
    """Examples a hundred at a time."""
    return [examples[i : i + 100] for i in range(0, len(examples), 100)]


def accuracy(tuned: TunedNetwork, tests: Sequence[TaskBatch]) -> float:
    """The share of right answers: texts, tags of words, or spans with both ends right."""
    return float(torch.cat([tuned.right(batch) for batch in tests]).mean())
