"""The training loop: forward, loss, backward, clip, update; a generator of events."""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Iterator
from typing import NamedTuple

import torch
from torch import nn
from torch.optim import SGD, Adam, Optimizer

from lmcore.models.bert import BERT
from lmcore.models.encoder_decoder import EncoderDecoderConfig, Transformer
from lmcore.models.gpt import GPT
from lmcore.models.layers import Dropout, State
from lmcore.models.recurrent_seq2seq import Seq2Seq, Seq2SeqConfig
from lmcore.models.registry import Network, NeuralModel, TranslationModel, build
from lmcore.models.scoring import uniform_loss
from lmcore.models.transformer_config import TransformerConfig
from lmcore.training.batches import Batch, Feed, build_feed, typical_step_tokens
from lmcore.training.cost_estimate import check_affordable
from lmcore.training.events import Diverged, Evaluated, Finished, Stepped, TrainingEvent
from lmcore.training.loss import cross_entropy
from lmcore.training.masked_batches import MaskedFeed
from lmcore.training.spec import RunSpec
from lmcore.training.translation_batches import TranslationFeed

AnyNetwork = Network | BERT | TranslationModel
"""What a run can train."""
ADAM_BETAS = (0.9, 0.95)
"""β₂ is below Adam's usual 0.999: runs here last hundreds of steps, not hundreds of
thousands."""
MOMENTUM = 0.9
WATCHED = 20
"""Steps over which the loss is averaged to detect divergence."""
DIVERGENCE_FACTOR = 3.0
"""A run has diverged when its mean loss exceeds ln |V|, uniform guessing, by this factor."""
STEADY_RATES = {"adam": 0.01, "momentum": 0.1, "sgd": 1.0}
"""For each optimiser a learning rate at which all models train, the gradient clipped or not."""


class Training:
    """A run in progress: a network, its optimiser and the number of steps made.

    Iterating makes the remaining steps and yields their events. After a `Stepped` everything may be
    read or saved; on the CPU a run restored from there continues bit for bit. `why` is the reason
    that a diverged run cannot continue.
    """

    def __init__(self, spec: RunSpec, where: torch.device | str | None = None) -> None:
        """A run before its first step, on the CPU unless `where` names another device.

        Raises:
            ValueError: if `spec` is not a spec or `where` not a device, the text is too short, or a
                step too slow on the device.
        """
        if not isinstance(spec, RunSpec):
            raise ValueError(f"a run must be described by a RunSpec; got {spec!r:.60}")
        self.spec, self.where = spec, _device(where)
        self.feed = training_feed(spec)
        types = len(self.feed.vocabulary)
        check_affordable(spec, types, typical_step_tokens(self.feed), self.where.type)
        self.network: AnyNetwork = untrained_model(spec, types).to(self.where)
        if spec.freeze_embedding:
            self.network.embedding.requires_grad_(False)
        self.optimizer = optimizer(self.network, spec)
        self.step = 0
        self.why = ""
        self.state: State = None
        self.recent: deque[float] = deque(maxlen=WATCHED)

    def __iter__(self) -> Iterator[TrainingEvent]:
        """Make the remaining steps."""
        return train(self)

    def language_model(self) -> NeuralModel:
        """The current network as a language model.

        Raises:
            ValueError: if it is an encoder, or translates.
        """
        if isinstance(self.network, BERT):
            raise ValueError("an encoder fills in words and is no language model; ask its network")
        if isinstance(self.network, TranslationModel):
            raise ValueError(
                f"{self.spec.model.kind} translates and is no language model; ask its network"
            )
        return NeuralModel(self.network, self.feed.vocabulary)


def training_feed(spec: RunSpec) -> Feed:
    """The batches of a spec, for the objective of its model.

    Raises:
        ValueError: if the text is too short for the batch and length.
    """
    if spec.model.kind == "encoder":
        return MaskedFeed(spec)
    return TranslationFeed(spec) if spec.model.translates else build_feed(spec)


def untrained_model(spec: RunSpec, types: int) -> AnyNetwork:
    """The network of a run before its first step, for a vocabulary of `types` types."""
    config = spec.model.config(types)
    if spec.model.kind == "encoder" and isinstance(config, TransformerConfig):
        return BERT(config, spec.seed, pairs=True)
    if isinstance(config, Seq2SeqConfig):
        return Seq2Seq(config, spec.seed)
    if isinstance(config, EncoderDecoderConfig):
        return Transformer(config, spec.seed)
    return build(config, spec.seed)


def train(run: Training) -> Iterator[TrainingEvent]:
    """Make the remaining steps of `run`; `Stepped` is the last event of each."""
    if run.step == 0:
        yield Evaluated(0, validation_loss(run), ())
    while run.step < run.spec.steps and not run.why:
        batch = run.feed.batch(run.step)
        update = training_step(run, batch)
        run.why = divergence_reason(run, update)
        if update.layers and not run.why:
            yield Evaluated(run.step, validation_loss(run), update.layers)
        yield Stepped(run.step, update.loss, update.norm, int((batch.targets >= 0).sum()))
    yield Diverged(run.step, run.why) if run.why else Finished(run.step)


class Update(NamedTuple):
    """One update: the loss before it, nats per token, and the gradient's norm before clipping.

    `layers` holds the gradient norm of each layer, at steps that are followed by a validation.
    """

    loss: float
    norm: float
    layers: tuple[tuple[str, float], ...]


def training_step(run: Training, batch: Batch) -> Update:
    """θ ← θ − η·g(θ), with g clipped and η of this step."""
    spec, network = run.spec, run.network
    losses, state = batch_losses(run, batch, run.state, _dropout(run))
    value = losses.loss if losses.pairs is None else losses.loss + losses.pairs
    run.optimizer.zero_grad(set_to_none=True)
    torch.autograd.backward(value)
    last = run.step + 1 == spec.steps
    layers = layer_norms(network) if last or (run.step + 1) % spec.every == 0 else ()
    norm = nn.utils.clip_grad_norm_(network.parameters(), spec.clip or math.inf)
    for group in run.optimizer.param_groups:
        group["lr"] = learning_rate(spec, run.step)
    run.optimizer.step()
    run.state = detach_state(network, state)
    run.step += 1
    known = torch.stack([value.detach(), norm]).tolist()
    run.recent.append(known[0])
    return Update(known[0], known[1], layers)


class BatchLosses(NamedTuple):
    """The losses on a batch: per token, and per pair if there are pairs, in nats."""

    loss: torch.Tensor
    pairs: torch.Tensor | None


def batch_losses(
    run: Training, batch: Batch, state: State, dropout: Dropout | None = None
) -> tuple[BatchLosses, State]:
    """The losses on a batch, from `state` on unless the batch starts fresh."""
    inputs, targets = batch.inputs.to(run.where), batch.targets.to(run.where)
    if isinstance(run.network, TranslationModel):
        assert batch.source is not None
        logits = run.network.logits(batch.source.to(run.where), inputs, dropout)
        return BatchLosses(cross_entropy(logits, targets), None), None
    if not isinstance(run.network, BERT):
        logits, state = run.network.logits_and_state(
            inputs, None if batch.fresh else state, dropout
        )
        return BatchLosses(cross_entropy(logits, targets), None), state
    segments = None if batch.segments is None else batch.segments.to(run.where)
    seen = run.network(inputs, segments=segments, dropout=dropout)
    if seen.next is None or batch.pairs is None or not (batch.pairs >= 0).any():
        return BatchLosses(cross_entropy(seen.logits, targets), None), None
    pairs = cross_entropy(seen.next[:, None], batch.pairs[:, None].to(run.where))
    return BatchLosses(cross_entropy(seen.logits, targets), pairs), None


def detach_state(network: nn.Module, state: State) -> State:
    """The state for the next window, detached: the gradient is truncated here.

    A Transformer carries no state: like GPT, it reads each window of a running text on its own.
    """
    if isinstance(network, GPT):
        return None
    if isinstance(state, tuple):
        return tuple(part.detach() for part in state)
    return None if state is None else state.detach()


def learning_rate(spec: RunSpec, step: int) -> float:
    """η at `step`, the first being 0: constant, or falling linearly to 0 at the end."""
    return spec.learning_rate * (1 - step / spec.steps if spec.decay else 1)


def optimizer(network: nn.Module, spec: RunSpec) -> Optimizer:
    """Adam, or gradient descent with or without momentum, over the weights that are not frozen."""
    weights = [weight for weight in network.parameters() if weight.requires_grad]
    if spec.optimizer == "adam":
        return Adam(weights, lr=spec.learning_rate, betas=ADAM_BETAS, fused=True)
    momentum = MOMENTUM if spec.optimizer == "momentum" else 0.0
    return SGD(weights, lr=spec.learning_rate, momentum=momentum, fused=True)


@torch.inference_mode()
def validation_loss(run: Training) -> float:
    """The mean loss over the validation text, nats per token; an encoder's of masked words."""
    total, tokens, state = 0.0, 0, None
    for batch in run.feed.validation:
        losses, state = batch_losses(run, batch, state)
        state = detach_state(run.network, state)
        known = int((batch.targets >= 0).sum())
        total += losses.loss.item() * known
        tokens += known
    return total / tokens


def layer_norms(network: nn.Module) -> tuple[tuple[str, float], ...]:
    """The gradient's norm in each part of the network: the embedding, each layer, the output."""
    parts: dict[str, list[torch.Tensor]] = {}
    for name, weight in network.named_parameters():
        if weight.grad is not None:
            parts.setdefault(_layer(name), []).append(weight.grad)
    norms = [nn.utils.get_total_norm(gradients) for gradients in parts.values()]
    return tuple(zip(parts, torch.stack(norms).tolist(), strict=True))


def divergence_reason(run: Training, update: Update) -> str:
    """Why the run cannot continue, in words; empty if it can."""
    spec, rate = run.spec, learning_rate(run.spec, run.step - 1)
    clipped = f"clipped to {spec.clip:g}" if spec.clip else "not clipped"
    unknown = uniform_loss(len(run.feed.vocabulary))
    advised = min(rate / 10, STEADY_RATES[spec.optimizer])
    advice = f"η = {rate:g} is too large; try η = {advised:.2g}"
    if not spec.clip:
        advice += ", or clip the gradient to norm 1"
    if not (math.isfinite(update.loss) and math.isfinite(update.norm)):
        return (
            f"after step {run.step} the loss is {update.loss:g} and the gradient's norm "
            f"{update.norm:g} ({clipped}): the loss overflowed. {advice}."
        )
    mean = sum(run.recent) / len(run.recent)
    if len(run.recent) == WATCHED and mean > DIVERGENCE_FACTOR * max(unknown, 1):
        return (
            f"over the last {WATCHED} steps the loss was {mean:.3g} nats per token, far above "
            f"ln |V| = {unknown:.3g} of uniform guessing; the gradient's norm was "
            f"{update.norm:.3g} ({clipped}). {advice}."
        )
    return ""


def _device(where: torch.device | str | None) -> torch.device:
    try:
        return torch.device("cpu" if where is None else where)
    except (RuntimeError, TypeError):
        raise ValueError(f"a device must be one such as 'cpu' or 'cuda'; got {where!r}") from None


def _dropout(run: Training) -> Dropout | None:
    """Dropout whose mask depends on the seed and the step only."""
    if not run.spec.dropout:
        return None
    generator = torch.Generator(run.where).manual_seed(run.spec.seed * 1_000_003 + run.step)
    return Dropout(run.spec.dropout, generator)


def _layer(parameter: str) -> str:
    """`recurrent.weight_ih_l1` and `blocks.1.mlp.up.weight` → `layer 2`.

    `encoder.0.mlp.up.weight` → `encoder 1`; of seq2seq `encoder.weight_ih_l0` → `encoder`.
    """
    first, _, rest = parameter.partition(".")
    place = rest.rpartition("_l")[2] if first == "recurrent" else rest.partition(".")[0]
    stack = first if first in ("encoder", "decoder") else "layer"
    return f"{stack} {int(place) + 1}" if place.isdigit() else first
