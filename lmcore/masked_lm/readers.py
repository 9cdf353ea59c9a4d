"""Four small networks that predict the word in a gap, to compare with a Transformer.

    bag      h = tanh(W Σ_{j≠t} E[x_j] + b)                          a DNN over a bag of words
    window   h = tanh(W [E[x_{t−3}]; … ; E[x_{t+3}]] + b), without t   a DNN over a fixed window
    rnn      h = →h_{t−1}                                            the left context
    birnn    h = [→h_{t−1}; ←h_{t+1}]                                both sides
    ŷ_t = softmax(U h + b_2)

The word in the gap is never an input, so all positions of a text are computed at once, without
[MASK]. A recurrent state is h_t = tanh(W_x E[x_t] + W_h h_{t−1} + b), from either end.

    python -m lmcore.masked_lm.readers     trains all four again and writes measured/cloze_*

Source: Stony Brook CSE538, "Masked Language Modelling with DNN" and "Masked Language modeling with
an RNN"; that the three limits belong to two different networks is this application's correction.
"""

from __future__ import annotations

import json
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, NamedTuple, get_args

import numpy as np
import torch
import torch.nn.functional as F
from jaxtyping import Float, Int
from safetensors.torch import load_file, save_file
from torch import Tensor, nn

from lmcore.checks import check_one_of
from lmcore.dataframes import Trace
from lmcore.device import share_cores
from lmcore.models.layers import initialise
from lmcore.training.batches import IGNORE_INDEX, DocumentFeed
from lmcore.training.masked_batches import PAD, masked_vocabulary
from lmcore.training.spec import RunSpec

ReaderKind = Literal["bag", "window", "rnn", "birnn"]
READER_KINDS: tuple[ReaderKind, ...] = get_args(ReaderKind)
FOLDER = Path(__file__).resolve().parent / "measured"
WEIGHTS, CARD = FOLDER / "cloze_readers.safetensors", FOLDER / "cloze_readers.json"
EMBEDDING, HIDDEN = 40, 80
"""The sizes of embedding and hidden state, the same in all four."""
WINDOW = 3
"""Words on each side of the gap in the window."""
PLACES = (*range(-WINDOW, 0), *range(1, WINDOW + 1))
"""Their positions relative to the gap: each has its own block of W."""


def visible_places(kind: str, place: int, length: int) -> tuple[int, ...]:
    """The positions that a reader of that kind reads for a gap, in a text of `length` tokens.

    A kind other than the four here is a Transformer, which reads them all.
    """
    near = {
        "window": range(max(place - WINDOW, 0), min(place + WINDOW + 1, length)),
        "rnn": range(place),
    }
    return tuple(i for i in near.get(kind, range(length)) if i != place)


class Budget(NamedTuple):
    """How a reader is trained; the learning rate falls to 0."""

    steps: int = 6000
    learning_rate: float = 4e-3
    batch: int = 64
    clip: float = 1.0
    seed: int = 0


@dataclass(frozen=True, slots=True)
class ClozeTrace(Trace):
    """Every quantity, in the order it is computed; row t is for the gap at position t."""

    inputs: Float[Tensor, "batch time width"]
    """The input of W; in a recurrent reader, the concatenated states beside the gap."""
    hidden: Float[Tensor, "batch time hidden"]
    logits: Float[Tensor, "batch time vocabulary"]


class ClozeReader(nn.Module):
    """E, the kind's own W, W_x, W_h and b, and U and b_2."""

    def __init__(self, kind: ReaderKind, seed: int = 0) -> None:
        """Raises ValueError if there is no such kind."""
        super().__init__()
        check_one_of("the reader", kind, READER_KINDS)
        self.kind, types = kind, len(masked_vocabulary())
        self.padding = masked_vocabulary().ids[PAD]
        self.embedding = nn.Embedding(types, EMBEDDING, device="meta")
        wide = {"bag": EMBEDDING, "window": len(PLACES) * EMBEDDING}
        if kind in wide:
            self.dense = nn.Linear(wide[kind], HIDDEN, device="meta")
        else:
            self.forward_rnn = nn.RNN(EMBEDDING, HIDDEN, batch_first=True, device="meta")
        if kind == "birnn":
            self.backward_rnn = nn.RNN(EMBEDDING, HIDDEN, batch_first=True, device="meta")
        self.output = nn.Linear(HIDDEN * (1 + (kind == "birnn")), types, device="meta")
        initialise(self, seed)

    def forward(self, tokens: Int[Tensor, "batch time"]) -> ClozeTrace:
        """Each position in turn as the gap; short texts are padded on the right with [PAD]."""
        if self.kind == "bag":
            inputs = self.bag(tokens)
        elif self.kind == "window":
            inputs = self.window(tokens)
        else:
            inputs = self.states(tokens)
        hidden = torch.tanh(self.dense(inputs)) if hasattr(self, "dense") else inputs
        return ClozeTrace(inputs, hidden, self.output(hidden))

    def bag(self, tokens: Int[Tensor, "batch time"]) -> Float[Tensor, "batch time width"]:
        """Σ_{j≠t} E[x_j] over the words, from the counts of types: order cannot matter."""
        one_hot = F.one_hot(tokens, self.embedding.num_embeddings)
        one_hot = one_hot * (tokens != self.padding)[:, :, None]
        counts = one_hot.sum(1, keepdim=True) - one_hot
        summed: Tensor = counts.to(self.embedding.weight.dtype) @ self.embedding.weight
        return summed

    def window(self, tokens: Int[Tensor, "batch time"]) -> Float[Tensor, "batch time width"]:
        """The concatenated embeddings at `PLACES` from the gap; [PAD] outside the text."""
        padded = F.pad(tokens, (WINDOW, WINDOW), value=self.padding)
        time = tokens.shape[1]
        beside = [padded[:, WINDOW + k : WINDOW + k + time] for k in PLACES]
        return torch.cat([self.embedding(each) for each in beside], dim=-1)

    def states(self, tokens: Int[Tensor, "batch time"]) -> Float[Tensor, "batch time width"]:
        """The state after the left context; 0 where there is no word.

        For `birnn` also the state after the right context, read backwards.
        """
        lengths = (tokens != self.padding).sum(1, keepdim=True)
        parts = [_before(self.forward_rnn(self.embedding(tokens))[0])]
        if self.kind == "birnn":
            turned = _turned(tokens.shape[1], lengths)
            states = _before(self.backward_rnn(self.embedding(tokens.gather(1, turned)))[0])
            parts.append(states.gather(1, turned[:, :, None].expand_as(states)))
        return torch.cat(parts, dim=-1)

    @property
    def parameters_count(self) -> int:
        """The number of trained parameters."""
        return sum(weight.numel() for weight in self.parameters())


def _before(states: Float[Tensor, "batch time hidden"]) -> Float[Tensor, "batch time hidden"]:
    """Row t is the state after position t − 1, in the first row h_0 = 0."""
    return F.pad(states, (0, 0, 1, 0))[:, :-1]


def _turned(time: int, lengths: Int[Tensor, "batch 1"]) -> Int[Tensor, "batch time"]:
    """The positions of each text from its last word to its first; padding stays in place."""
    places = torch.arange(time)[None]
    return torch.where(places < lengths, lengths - 1 - places, places)


def gap_log_probabilities(
    reader: ClozeReader, ids: Int[Tensor, " time"], place: int
) -> Float[Tensor, " vocabulary"]:
    """log q of every type at the gap, given the other words; the word there is not read.

    Raises:
        ValueError: if there is no such position.
    """
    if not 0 <= place < len(ids):
        raise ValueError(f"the gap must be from 0 to {len(ids) - 1}; got {place}")
    with torch.no_grad():
        row: Tensor = reader(ids[None]).logits[0, place].double().log_softmax(-1)
    return row


def train_reader(kind: ReaderKind, budget: Budget = Budget()) -> tuple[ClozeReader, float]:  # noqa: B008
    """Train a reader on fresh documents: the reader, and its mean loss over the last tenth.

    Each step takes the mean of −log ŷ over every word of the batch, each in turn the gap.
    """
    reader = ClozeReader(kind, budget.seed)
    feed = DocumentFeed(RunSpec(seed=budget.seed, batch=budget.batch))
    optimizer = torch.optim.Adam(reader.parameters(), lr=budget.learning_rate)
    recent = []
    for step in range(budget.steps):
        tokens, targets = _batch(feed, step, reader.padding)
        logits = reader(tokens).logits
        loss = F.cross_entropy(logits.flatten(0, 1), targets.flatten(), ignore_index=IGNORE_INDEX)
        optimizer.zero_grad(set_to_none=True)
        torch.autograd.backward(loss)
        nn.utils.clip_grad_norm_(reader.parameters(), budget.clip)
        for group in optimizer.param_groups:
            group["lr"] = budget.learning_rate * (1 - step / budget.steps)
        optimizer.step()
        if step >= 0.9 * budget.steps:
            recent.append(float(loss.detach()))
    return reader, float(np.mean(recent))


def _batch(feed: DocumentFeed, step: int, padding: int) -> tuple[Tensor, Tensor]:
    """A batch of whole documents; the first and the last token of each are never the gap."""
    batch = feed.batch(step)
    tokens = torch.cat([batch.inputs[:, :1], batch.targets], dim=1)
    tokens = torch.where(tokens == IGNORE_INDEX, padding, tokens)
    ends = (tokens != padding).sum(1, keepdim=True) - 1
    places = torch.arange(tokens.shape[1])[None]
    return tokens, torch.where((places > 0) & (places < ends), tokens, IGNORE_INDEX)


def load_readers() -> dict[ReaderKind, ClozeReader]:
    """The readers that come with the application.

    Raises:
        ValueError: if their file is missing, or holds other weights.
    """
    if not WEIGHTS.is_file():
        raise ValueError(f"{WEIGHTS.name} must be there; make it with python -m {__spec__.name}")
    weights = load_file(WEIGHTS)
    readers = {}
    for kind in READER_KINDS:
        reader = ClozeReader(kind)
        own = {k.partition(".")[2]: v for k, v in weights.items() if k.startswith(f"{kind}.")}
        if {k: v.shape for k, v in own.items()} != {
            k: v.shape for k, v in reader.state_dict().items()
        }:
            raise ValueError(f"{WEIGHTS.name} must hold the weights of {kind}; got others")
        reader.load_state_dict(own)
        readers[kind] = reader.requires_grad_(False)
    return readers


def load_card() -> dict[str, Any]:
    """The record of their training, as written by `main`."""
    card: dict[str, Any] = json.loads(CARD.read_text("utf-8"))
    return card


def main() -> None:
    """Train the four, on one thread, and write their weights and their card."""
    share_cores()
    budget, losses, seconds = Budget(), dict[str, float](), dict[str, int]()
    weights: dict[str, Tensor] = {}
    for kind in READER_KINDS:
        start = time.thread_time()
        reader, losses[kind] = train_reader(kind, budget)
        seconds[kind] = round(time.thread_time() - start)
        weights |= {f"{kind}.{name}": each for name, each in reader.state_dict().items()}
        sys.stdout.write(f"{kind}: {losses[kind]:.4f} nats per word, {seconds[kind]} s\n")
        sys.stdout.flush()
    save_file(weights, WEIGHTS)
    how = {**budget._asdict(), "torch": torch.__version__, "device": "CPU, 1 thread"}
    card = {"how": how, "loss of the last tenth": losses, "seconds of a core": seconds}
    CARD.write_text(json.dumps(card, indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    main()
