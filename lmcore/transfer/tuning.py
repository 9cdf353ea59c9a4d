"""A head on a network, for one task: trained alone, with some of the blocks, or with all.

    features      the network stays as it was; only the head learns
    fine-tuning   the lowest `frozen` parts stay, the rest learns with the head
    from scratch  the same network with new weights; everything learns

    L = −log p(answer | text) + λ L_LM(text)          λ > 0 for a GPT only

A run ends when its loss is flat: once the mean of `WINDOW` steps is within `SLACK` of the least
loss that any model can have, the learning rate falls to 0 over a quarter as many steps again. If
nothing but the head learns, the loss has no plateaus, and it also ends once the mean of `FLAT`
steps is not 1 % below that of the `FLAT` before. Any other run ends after `steps`, and its rate
falls over the last fifth of them.

The parts from below are E with P and S, block 1, …, block N with the last LayerNorm; of a biLM E
and its LSTM layers. Two texts are read one after the other, in either order.

Source: Radford et al. 2018, sections 3.2 and 3.3 (λ of the auxiliary objective);
Devlin et al. 2019, sections 4 and 5.3 (features against fine-tuning).
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from typing import Literal, NamedTuple

import numpy as np
import torch
import torch.nn.functional as F
from jaxtyping import Float, Int
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
    mix_body,
    new_network,
    part_names,
    pretrained_network,
    read_body,
    read_whole,
    read_width,
)
from lmcore.transfer.tasks import TASKS, Labelled, Task, draw_different, draw_examples, least_loss
from lmcore.vocabulary import Vocabulary

Start = Literal["pretrained", "scratch"]
MOST_LABELS, MOST_STEPS = 10_000, 20_000
STEPS, BATCH = 20_000, 16
"""Steps after which a run ends if its loss is not flat, and the examples of a step."""
RISE, WINDOW, SLACK = 50, 50, 0.02
"""Steps in which the learning rate rises, steps of a mean loss, and nats above the least loss."""
FLAT = 200
TESTED = 600
"""The most examples that a tuned network is tested on, all different; it was trained on none."""
POOL = 8
"""Batches that are drawn together and sorted by length, so that little is padded."""
MOST_KEPT = 2**25
"""Numbers of a frozen network's vectors that are kept, so that each text is read once."""


@dataclass(frozen=True, slots=True)
class TuneSpec:
    """Everything that determines a run of tuning.

    `frozen` is the number of lowest parts that do not learn: 0 is full fine-tuning, N + 1 leaves
    only the head, which is the use of features. A run makes at most `steps` steps, and all of them
    if `early` is False.
    """

    network: str = "encoder"
    task: str = "acceptable"
    labels: int = 100
    start: str = "pretrained"
    frozen: int = 0
    auxiliary: float = 0.0
    question_first: bool = False
    learning_rate: float = 1e-3
    steps: int = STEPS
    early: bool = True
    batch: int = BATCH
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
        self, batch: TaskBatch, body: Float[Tensor, "*layer batch time width"] | None = None
    ) -> tuple[Float[Tensor, "batch answer label"], Float[Tensor, "batch time width"]]:
        """Logits of each answer, and the vectors that the head has read.

        Of a span the two answers are its first and its last word, and a label is a place. `body` is
        what `read_body` returns, if it is known.
        """
        body = read_body(self.network, batch) if body is None else body
        hidden = mix_body(body, self.mixture)
        if self.task.reads in ("text", "pair"):
            label: Tensor = self.head(read_whole(self.network, batch, hidden))
            return label[:, None], hidden
        logits: Tensor = self.head(hidden)
        if self.task.reads == "span":
            logits = logits.transpose(1, 2).masked_fill(~batch.first[:, None], -math.inf)
        return logits, hidden

    def loss(self, batch: TaskBatch, auxiliary: float = 0.0) -> Float[Tensor, ""]:
        """The mean of −log p(answer), nats; plus λ times the loss of the language model."""
        return self.losses(batch, auxiliary)[0]

    def losses(
        self,
        batch: TaskBatch,
        auxiliary: float = 0.0,
        body: Float[Tensor, "*layer batch time width"] | None = None,
    ) -> tuple[Float[Tensor, ""], Float[Tensor, ""]]:
        """The loss that is made smaller, and the part of it that is the task's."""
        logits, hidden = self(batch, body)
        found = F.cross_entropy(
            logits.flatten(0, 1), batch.answers.flatten(), ignore_index=IGNORE_INDEX
        )
        if not auxiliary:
            return found, found
        assert isinstance(self.network, GPT)
        predicted = self.network.unembed(hidden[:, :-1])
        targets = batch.ids[:, 1:].masked_fill(~batch.present[:, 1:], IGNORE_INDEX)
        language = F.cross_entropy(
            predicted.flatten(0, 1), targets.flatten(), ignore_index=IGNORE_INDEX
        )
        return found + auxiliary * language, found

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


def unseen(spec: TuneSpec) -> bool:
    """Whether the head reads vectors that were made before the words that decide.

    A GPT has to find the answer in vectors of a text that have not seen the question after it, nor
    the adjective at its end.
    """
    span = TASKS[spec.task].reads == "span"
    return spec.network == "gpt" and span and not spec.question_first


@lru_cache(maxsize=8)
def flat_loss(task: str, unseen: bool) -> float:
    """The loss of an answer at which a run ends, nats."""
    return least_loss(task, unseen=unseen) + SLACK


def tune(spec: TuneSpec, *, every: int = 0) -> Iterator[TuneStep]:
    """Make the steps of a run; every `every` steps, and after the last, the network is tested."""
    tuned, vocabulary = begin(spec)
    yield from tune_network(tuned, vocabulary, spec, every=every)


def tune_network(
    tuned: TunedNetwork, vocabulary: Vocabulary, spec: TuneSpec, *, every: int = 0
) -> Iterator[TuneStep]:
    """As `tune`, for a network that `begin` has made."""
    encode = encoder_of(tuned, vocabulary, spec)
    whole = encode(_labelled(spec.task, spec.labels, spec.seed))
    body = _known_body(tuned, whole, spec)
    tests = in_hundreds(encode(tested_examples(spec.task)))
    learning = [weight for weight in tuned.parameters() if weight.requires_grad]
    optimiser = torch.optim.AdamW(learning, lr=spec.learning_rate, weight_decay=0.01, fused=True)
    generator = torch.Generator().manual_seed(spec.seed)
    latest, plateaus = deque[float](maxlen=2 * FLAT), spec.frozen < parts(spec.network)
    flat, falls, last = flat_loss(spec.task, unseen(spec)), spec.steps - spec.steps // 5, spec.steps
    for step, rows in enumerate(_batches(whole.present.sum(1), spec.batch, generator), 1):
        batch = whole.rows(rows)
        for group in optimiser.param_groups:
            group["lr"] = spec.learning_rate * schedule(step, falls, last)
        known = None if body is None else body[..., rows, : batch.ids.shape[1], :]
        loss, task_loss = tuned.losses(batch, spec.auxiliary, known)
        optimiser.zero_grad(set_to_none=True)
        loss.backward()  # type: ignore[no-untyped-call]
        nn.utils.clip_grad_norm_(learning, 1.0)
        optimiser.step()
        latest.append(float(task_loss.detach()))
        if spec.early and step < falls and _is_flat(latest, flat, plateaus=plateaus):
            falls, last = step, step + max(step // 4, 1)
        tested = step == last or (every and step % every == 0)
        yield TuneStep(step, latest[-1], accuracy(tuned, tests) if tested else None)
        if step == last:
            return


def _is_flat(losses: Sequence[float], least: float, *, plateaus: bool) -> bool:
    if len(losses) < WINDOW:
        return False
    if np.mean(list(losses)[-WINDOW:]) <= least:
        return True
    if plateaus or len(losses) < 2 * FLAT:
        return False
    before, after = np.split(np.array(losses), 2)
    return bool(after.mean() > 0.99 * before.mean())


def schedule(step: int, falls: int, last: int) -> float:
    """The share of the learning rate at a step, from 1: it rises, stays, and falls to the last."""
    return min(step / RISE, 1.0) * min((last - step + 1) / max(last - falls, 1), 1.0)


def _batches(
    lengths: Int[Tensor, " example"], size: int, generator: torch.Generator
) -> Iterator[Int[Tensor, " row"]]:
    """Rows of batches without end; all examples are read before one is read again."""
    while True:
        for pool in torch.split(torch.randperm(len(lengths), generator=generator), POOL * size):
            parts = torch.split(pool[lengths[pool].argsort(stable=True)], size)
            for n in torch.randperm(len(parts), generator=generator).tolist():
                yield parts[n]


@torch.no_grad()
def _known_body(
    tuned: TunedNetwork, whole: TaskBatch, spec: TuneSpec
) -> Float[Tensor, "*layer batch time width"] | None:
    """The output of the frozen network for every text, if nothing but the head learns."""
    texts, longest = whole.ids.shape
    layers = 1 if tuned.mixture is None else len(tuned.mixture.w)
    width = read_width(tuned.network)
    if spec.frozen < parts(spec.network) or texts * longest * layers * width > MOST_KEPT:
        return None
    kept = torch.zeros((layers,) * (tuned.mixture is not None) + (texts, longest, width))
    for rows in torch.split(whole.present.sum(1).argsort(), 100):
        batch = whole.rows(rows)
        kept[..., rows, : batch.ids.shape[1], :] = read_body(tuned.network, batch)
    return kept


@lru_cache(maxsize=5)
def _labelled(task: str, labels: int, seed: int) -> tuple[Labelled, ...]:
    return tuple(draw_examples(task, labels, seed))


@lru_cache(maxsize=8)
def tested_examples(task: str) -> tuple[Labelled, ...]:
    """The held-out examples of a task, no two with the same texts."""
    return tuple(draw_different(task, TESTED, 0, test=True))


def encoder_of(
    tuned: TunedNetwork, vocabulary: Vocabulary, spec: TuneSpec
) -> Callable[[Sequence[Labelled]], TaskBatch]:
    """The function that turns examples into a batch, as the network of a run reads them."""
    bert = isinstance(tuned.network, BERT)
    return partial(
        encode_examples,
        tuned.task,
        vocabulary=vocabulary,
        bert=bert,
        question_first=spec.question_first,
    )


def in_hundreds(whole: TaskBatch) -> list[TaskBatch]:
    """A batch a hundred examples at a time, sorted by length."""
    return [
        whole.rows(rows) for rows in torch.split(whole.present.sum(1).argsort(stable=True), 100)
    ]


def accuracy(tuned: TunedNetwork, tests: Sequence[TaskBatch]) -> float:
    """The share of right answers: texts, tags of words, or spans with both ends right."""
    return float(torch.cat([tuned.right(batch) for batch in tests]).mean())
