"""A small tagger with few labels, without ELMo and with it: at its input, its output, or both.

    input      u_k = [x_k; ELMo_k]  or  x_k
    reader     h_k = [→GRU(u)_k; ←GRU(u)_k]
    output     scores = [h_k; ELMo_k] W + b  or  h_k W + b
    L          mean −log softmax(scores)[tag] + λ ‖w‖²,   ELMo_k = γ softmax(w) · LN(h_{k,j})

x_k is learned from these few texts alone; the biLM is frozen. Dropout applies to ELMo_k and h_k.

Source: Peters et al. 2018, section 3.3.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal, NamedTuple, get_args

import torch
import torch.nn.functional as F
from jaxtyping import Float, Int
from torch import Tensor, nn

from lmcore import dataframes
from lmcore.checks import check_one_of
from lmcore.contextual.layers import LayeredModel
from lmcore.contextual.mixing import mix_layers, normalise_layers
from lmcore.contextual.tasks import NO_LABEL, TASKS, LabelledText, labelled_texts
from lmcore.corpora.microworld import microworld
from lmcore.models.layers import Dropout, apply_dropout

if TYPE_CHECKING:
    from pandas import DataFrame

Placement = Literal["none", "input", "output", "both"]
PLACEMENTS: tuple[Placement, ...] = get_args(Placement)
WIDTH = 32
"""The width of x_k and of a GRU."""
STEPS, LEARNING_RATE, DROPOUT = 120, 0.01, 0.2


class TaggerRun(NamedTuple):
    """One tagger: where it has ELMo, λ, its texts and seed, and its accuracy on held-out words."""

    task: str
    placement: str
    penalty: float
    texts: int
    seed: int
    accuracy: float
    shares: tuple[float, ...]
    """s at the end; empty without ELMo."""

    def to_frame(self) -> DataFrame:
        """One row."""
        return dataframes.one_row({**self._asdict(), "shares": str(self.shares)})


class TaggedTexts(NamedTuple):
    """Texts padded on the right: ids, the layers of the frozen model, and tags."""

    ids: Int[Tensor, "text time"]
    layers: Float[Tensor, "layer text time width"]
    tags: Int[Tensor, "text time"]


class Tagger(nn.Module):
    """x, the two GRUs, w and γ, W and b."""

    def __init__(
        self, placement: Placement, types: int, layers: int, width: int, classes: int, seed: int
    ) -> None:
        super().__init__()
        check_one_of("the place of ELMo", placement, PLACEMENTS)
        torch_state = torch.random.get_rng_state()
        torch.manual_seed(seed)
        self.at_input = placement in ("input", "both")
        self.at_output = placement in ("output", "both")
        self.embedding = nn.Embedding(types, WIDTH)
        self.reader = nn.GRU(
            WIDTH + self.at_input * width, WIDTH, batch_first=True, bidirectional=True
        )
        self.output = nn.Linear(2 * WIDTH + self.at_output * width, classes)
        self.w, self.gamma = nn.Parameter(torch.zeros(layers)), nn.Parameter(torch.ones(()))
        torch.random.set_rng_state(torch_state)

    def forward(self, texts: TaggedTexts, dropout: Dropout | None = None) -> Tensor:
        """The scores of every tag at every word."""
        mixed = mix_layers(texts.layers.flatten(1, 2), self.w, self.gamma)
        elmo = apply_dropout(mixed.view(*texts.ids.shape, -1), dropout)
        x = self.embedding(texts.ids)
        hidden = self.reader(torch.cat([x, elmo], -1) if self.at_input else x)[0]
        hidden = apply_dropout(hidden, dropout)
        scores: Tensor = self.output(torch.cat([hidden, elmo], -1) if self.at_output else hidden)
        return scores


def tagged_texts(model: LayeredModel, texts: Sequence[LabelledText], task: str) -> TaggedTexts:
    """The texts with the normalised layers of the frozen model."""
    words = [text.words[1:-1] for text in texts]
    vocabulary = microworld().vocabulary
    read = [normalise_layers(each).transpose(0, 1) for each in model.word_vectors(words)]
    pad = nn.utils.rnn.pad_sequence
    return TaggedTexts(
        pad([torch.tensor(vocabulary.encode(each)) for each in words], batch_first=True),
        pad(read, batch_first=True).permute(2, 0, 1, 3).contiguous(),
        pad([torch.tensor(text.labels[task][1:-1]) for text in texts], True, NO_LABEL),
    )


def texts_of_task(
    task: str, train: int, test: int, seed: int = 0
) -> tuple[tuple[LabelledText, ...], ...]:
    """`train` texts with a label of the task to train on, and `test` held-out ones to test on.

    Raises:
        ValueError: if there is no such task, or the documents drawn have too few.
    """
    check_one_of("the task", task, TASKS)
    parts = labelled_texts(DRAWN, seed)
    found = [[text for text in part if max(text.labels[task]) >= 0] for part in parts]
    for part, wanted in zip(found, (train, test), strict=True):
        if len(part) < wanted:
            raise ValueError(f"there must be {wanted} texts with a label; got {len(part)}")
    return tuple(found[0][:train]), tuple(found[1][:test])


DRAWN = 12_000
"""Documents that texts are chosen from; one in twenty is held out."""


def train_tagger(
    task: str,
    train: TaggedTexts,
    test: TaggedTexts,
    placement: Placement,
    *,
    penalty: float = 0.0,
    seed: int = 0,
) -> TaggerRun:
    """Train a tagger on all its texts at once, and count what it gets right on the others.

    Raises:
        ValueError: if there is no such placement.
    """
    classes, types = len(TASKS[task].classes), len(microworld().vocabulary)
    layers, _, _, width = train.layers.shape
    tagger = Tagger(placement, types, layers, width, classes, seed)
    dropout = Dropout(DROPOUT, torch.Generator().manual_seed(seed))
    optimizer = torch.optim.Adam(tagger.parameters(), LEARNING_RATE)
    for _ in range(STEPS):
        scores = tagger(train, dropout)
        loss = F.cross_entropy(scores.flatten(0, 1), train.tags.flatten(), ignore_index=NO_LABEL)
        loss = loss + penalty * tagger.w.square().sum()
        optimizer.zero_grad(set_to_none=True)
        torch.autograd.backward(loss)
        optimizer.step()
    with torch.no_grad():
        said, asked = tagger(test).argmax(-1), test.tags != NO_LABEL
    right = float((said == test.tags)[asked].double().mean())
    shares = () if placement == "none" else tuple(tagger.w.detach().softmax(0).tolist())
    return TaggerRun(task, placement, penalty, len(train.ids), seed, right, shares)
