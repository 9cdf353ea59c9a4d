"""Four small experiments, one for each reason that the lecture gives for the Transformer.

    long distances            one attention layer, an RNN and an LSTM learn to recall a word
    order                     the same words in two orders, with positions and without
    several relationships     each head of our small GPT muted: what it gets wrong then
    parallel                  a block and an RNN read the same text: steps and time

The first trains for some seconds, the last depends on the machine; the others are computed.

Source: Stony Brook CSE538, "The Transformer: Motivation" and "The Transformer: Take Away".
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import torch
import torch.nn.functional as F
from jaxtyping import Float
from torch import Tensor

from lmcore import dataframes
from lmcore.attention.heads import Head
from lmcore.attention.permutation import OrderSpec, ShuffleResult, shuffle_words
from lmcore.dataframes import Table
from lmcore.evaluation.probes import Probe, ProbeItem, probes
from lmcore.models.gpt import GPT
from lmcore.models.interventions import HeadEdit, Mute
from lmcore.models.registry import NeuralModel, build
from lmcore.recurrence.recall import TYPES, accuracy, sequences
from lmcore.training.spec import ModelSpec

if TYPE_CHECKING:
    from pandas import DataFrame

DISTANCE, STEPS, BATCH, TESTED = 20, 150, 64, 1000
"""Words between the first and the question; training steps; sequences a step, and for the test."""
RELATIONS = {"agreement": "near a place", "pronoun": "pronoun for things"}
"""Relation → the probe that tests it: verb and noun, a pronoun and what it stands for."""
ITEMS = 60


@dataclass(frozen=True, slots=True)
class Recalled:
    """A network after some training steps: the share of words recalled over the distance."""

    network: str
    steps: int
    accuracy: float
    parameters: int

    def to_frame(self) -> DataFrame:
        """One row: network, steps, accuracy, parameters."""
        columns = {"network": self.network, "steps": self.steps, "accuracy": self.accuracy}
        return dataframes.one_row(columns | {"parameters": self.parameters})


def recall_specs() -> dict[str, ModelSpec]:
    """The three networks, one layer each, all 32 wide."""
    return {
        "attention": ModelSpec("transformer", 32, 64),
        "RNN": ModelSpec("rnn", 32, 32),
        "LSTM": ModelSpec("lstm", 32, 32),
    }


def learn_recall(distance: int = DISTANCE, steps: int = STEPS, seed: int = 0) -> Table[Recalled]:
    """Train each network on sequences of one distance with Adam, and test it on fresh ones."""
    return Table(recall_after_training(name, distance, steps, seed=seed) for name in recall_specs())


def recall_after_training(name: str, distance: int, steps: int, *, seed: int = 0) -> Recalled:
    """Train one of the networks on sequences of one distance, and test it on fresh ones."""
    config = recall_specs()[name].config(TYPES)
    network = build(config, seed)
    generator = torch.Generator().manual_seed(seed)
    optimizer = torch.optim.Adam(network.parameters(), lr=5e-3)
    for _ in range(steps):
        drawn = sequences(distance, BATCH, generator)
        loss = F.cross_entropy(network.logits_and_state(drawn.tokens)[0][:, -1], drawn.answers)
        optimizer.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        torch.nn.utils.clip_grad_norm_(network.parameters(), 1.0)
        optimizer.step()
    test = sequences(distance, TESTED, torch.Generator().manual_seed(1_000_000 + seed))
    return Recalled(name, steps, accuracy(network, test), config.parameters)


def change_order(words: Sequence[str], order: Sequence[int]) -> dict[bool, ShuffleResult]:
    """Whether there are positions → what a new order changes in an untrained encoder."""
    specs = {on: OrderSpec(tuple(words), tuple(order), positions=on) for on in (False, True)}
    return {on: shuffle_words(spec) for on, spec in specs.items()}


@dataclass(frozen=True, slots=True)
class HeadRelation:
    """The share of items of a relation that are right with a head muted; None: with all heads."""

    relation: str
    head: Head | None
    right: float
    items: int

    def to_frame(self) -> DataFrame:
        """One row: relation, head (layer.head, from 0), share right, items."""
        head = "none" if self.head is None else str(self.head)
        columns = {"relation": self.relation, "muted": head}
        return dataframes.one_row(columns | {"share right": self.right, "items": self.items})


@torch.no_grad()
def mute_heads(model: NeuralModel, items: int = ITEMS, seed: int = 0) -> Table[HeadRelation]:
    """Each relation with all heads, and with each head muted.

    Raises:
        ValueError: if the model is not a GPT.
    """
    network = model.network
    if not isinstance(network, GPT):
        raise ValueError(f"the model must be a GPT; got a {type(network).__name__}")
    known = {probe.name: probe for probe in probes(count=items, seed=seed)}
    config = network.config
    heads = [Head(layer, n) for layer in range(config.layers) for n in range(config.heads)]
    return Table(
        HeadRelation(relation, head, _share_right(model, network, known[name], head), items)
        for relation, name in RELATIONS.items()
        for head in (None, *heads)
    )


def _share_right(model: NeuralModel, network: GPT, probe: Probe, head: Head | None) -> float:
    edits = () if head is None else (Mute(head.layer, head.head),)
    odds = _log_odds(model, network, probe.items, edits)
    return float(((odds > 0) + 0.5 * (odds == 0)).mean())


def _log_odds(
    model: NeuralModel, network: GPT, items: Sequence[ProbeItem], edits: Sequence[HeadEdit]
) -> Float[Tensor, " item"]:
    """log p(right) − log p(wrong) after each prefix, in one batch: no prefix sees its padding."""
    read = [model.vocabulary.encode(item.prefix) for item in items]
    longest = max(map(len, read))
    tokens = torch.tensor([ids + [0] * (longest - len(ids)) for ids in read])
    rows = network(tokens, edits=edits).logits.log_softmax(-1).double()
    last = rows[torch.arange(len(read)), torch.tensor([len(ids) - 1 for ids in read])]
    right, wrong = (
        torch.tensor(model.vocabulary.encode([getattr(item, word) for item in items]))
        for word in ("right", "wrong")
    )
    found: Tensor = last.gather(1, right[:, None]) - last.gather(1, wrong[:, None])
    return found[:, 0]
