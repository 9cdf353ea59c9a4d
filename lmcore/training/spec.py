"""A training run, described whole: the text, the model, the optimiser, the seed.

Two equal specs give the same losses bit for bit on one CPU thread, so a run is its spec and a
number of steps, and people who ask for the same run can share one computation.
"""

from __future__ import annotations

import dataclasses
import hashlib
import json
import math
from dataclasses import dataclass, field
from typing import Any, Literal, get_args

from lmcore.feedforward import FeedforwardConfig
from lmcore.gru import GRUConfig
from lmcore.lstm import LSTMConfig
from lmcore.neural import PLACES, Config
from lmcore.rnn import RNNConfig
from lmcore.transformer_config import TransformerConfig
from lmcore.vocabulary import LARGEST, Unit

Kind = Literal["feedforward", "rnn", "gru", "lstm", "transformer", "encoder"]
Source = Literal["microworld", "quoted", "prose", "own"]
Optimizer = Literal["adam", "momentum", "sgd"]

LARGEST_TEXT = 1_000_000
"""Characters of a person's own text."""
LIMITS: dict[str, tuple[float, float]] = {
    "embedding": (2, 512),
    "hidden": (2, 1024),
    "layers": (1, 4),
    "heads": (1, 16),
    "context": (1, 16),
    "documents": (0, 200_000),
    "learning_rate": (1e-6, 1e3),
    "batch": (1, 256),
    "length": (2, 512),
    "clip": (0, 1e3),
    "dropout": (0, 0.9),
    "steps": (1, 100_000),
    "seed": (0, 2**31 - 1),
}
UNREADABLE = (
    *(TypeError, KeyError, AttributeError, OverflowError, RecursionError),
    json.JSONDecodeError,
)
"""What reading strange JSON may raise."""
FRACTIONS = ("learning_rate", "clip", "dropout")


def _within(name: str, value: object) -> None:
    low, high = LIMITS[name]
    whole = name not in FRACTIONS
    wrong_kind = isinstance(value, bool) or (whole and not isinstance(value, int))
    if wrong_kind or not isinstance(value, int | float) or not math.isfinite(value):
        raise ValueError(f"{_said(name)} must be a {'whole ' * whole}number; got {value!r}")
    if not low <= value <= high:
        raise ValueError(
            f"{_said(name)} must be from {_written(low)} to {_written(high)}; got {_written(value)}"
        )


def _written(value: float | int) -> str:
    """A number as people write it, without powers of ten where it has at most nine decimals."""
    text = f"{value:,.9f}".rstrip("0").rstrip(".")
    return text if len(text) < 20 and float(text.replace(",", "")) == value else f"{value:g}"


def _said(name: str) -> str:
    return {
        "learning_rate": "the learning rate η",
        "embedding": "the embedding size",
        "hidden": "the hidden size",
        "layers": "the number of layers",
        "heads": "the number of heads",
        "context": "the context length",
        "steps": "the number of steps",
        "batch": "the batch size",
        "length": "the length read at a time",
        "clip": "the gradient clip",
    }.get(name, name)


def _one_of(name: str, value: str, allowed: tuple[str, ...]) -> None:
    if value not in allowed:
        raise ValueError(f"{name} must be one of {', '.join(allowed)}; got {value!r}")


def _true_or_false(name: str, value: object) -> None:
    if not isinstance(value, bool):
        raise ValueError(f"{name} must be true or false; got {value!r}")


@dataclass(frozen=True, slots=True)
class CorpusSpec:
    """The text a model reads.

    `documents` is the size of a fixed microworld corpus; 0 streams fresh documents without end.
    `text` is the person's own, for source `own` only.
    """

    source: str = "microworld"
    unit: Unit = "word"
    documents: int = 0
    text: str = field(default="", repr=False)

    def __post_init__(self) -> None:
        """Raises ValueError if the parts do not go together."""
        _one_of("corpus", self.source, get_args(Source))
        _one_of("unit", self.unit, get_args(Unit))
        _within("documents", self.documents)
        only = {"microworld": "word", "quoted": "character"}.get(self.source)
        if only not in (None, self.unit):
            raise ValueError(f"the {self.source} text must be read by {only}; got {self.unit!r}")
        if self.documents and self.source != "microworld":
            raise ValueError(f"documents must be 0 for the {self.source} text; got a number")
        if not isinstance(self.text, str) or bool(self.text) != (self.source == "own"):
            raise ValueError("text must be given for the corpus 'own', and only for it")
        if len(self.text) > LARGEST_TEXT:
            raise ValueError(
                f"the text must be at most {LARGEST_TEXT:,} characters; got {len(self.text):,}"
            )


@dataclass(frozen=True, slots=True)
class ModelSpec:
    """Which model, and its sizes; the vocabulary comes from the text.

    `context` is the number of words a feedforward model sees; no other uses it, nor does that one
    use `layers`. Of a transformer, which is a GPT, and an encoder, a BERT that fills in masked
    words, `embedding` is d and `hidden` d_ff; only these use `heads`, and only the transformer
    `causal`: without it every place sees the whole text, the word it is to predict too.
    """

    kind: str = "lstm"
    embedding: int = 64
    hidden: int = 128
    layers: int = 1
    context: int = 3
    heads: int = 4
    causal: bool = True

    def __post_init__(self) -> None:
        """Raises ValueError naming the size that is out of bounds."""
        _one_of("model", self.kind, get_args(Kind))
        for name in ("embedding", "hidden", "layers", "context", "heads"):
            _within(name, getattr(self, name))
        _true_or_false("causal", self.causal)
        if self.attends and self.embedding % self.heads:
            raise ValueError(
                f"the embedding size must be a multiple of the number of heads, {self.heads}; "
                f"got {self.embedding}"
            )

    @property
    def attends(self) -> bool:
        """Whether it is made of attention."""
        return self.kind in ("transformer", "encoder")

    def config(self, vocabulary: int) -> Config:
        """The model's own config, for a vocabulary of that many types."""
        if self.kind == "feedforward":
            return FeedforwardConfig(vocabulary, self.embedding, self.hidden, self.context)
        if self.attends:
            return TransformerConfig(
                vocabulary,
                self.embedding,
                self.heads,
                self.layers,
                self.hidden,
                PLACES,
                causal=self.causal,
                padding=vocabulary - 1 if self.kind == "encoder" else None,
            )
        sizes = (vocabulary, self.embedding, self.hidden, self.layers)
        if self.kind == "rnn":
            return RNNConfig(*sizes)
        return GRUConfig(*sizes) if self.kind == "gru" else LSTMConfig(*sizes)


@dataclass(frozen=True, slots=True)
class RunSpec:
    """Everything that decides a run.

    `batch` is the number of documents, or of places in a running text, read side by side;
    `length` the tokens of a running text read before the gradient is cut. `decay` lowers the
    learning rate η linearly to 0 over `steps`. `clip` bounds the gradient's norm; 0 leaves it.
    At 0.1 most gradients of these models are shortened, so that a rare long one counts no more
    than the rest.
    The validation loss is taken every `every` steps.
    """

    corpus: CorpusSpec = CorpusSpec()
    model: ModelSpec = ModelSpec()
    optimizer: str = "adam"
    learning_rate: float = 8e-3
    decay: bool = True
    batch: int = 64
    length: int = 64
    clip: float = 0.1
    dropout: float = 0.0
    freeze_embedding: bool = False
    steps: int = 1000
    every: int = 10
    seed: int = 0

    def __post_init__(self) -> None:
        """Raises ValueError naming the setting that is out of bounds."""
        _one_of("optimiser", self.optimizer, get_args(Optimizer))
        for name in ("learning_rate", "batch", "length", "clip", "dropout", "steps", "seed"):
            _within(name, getattr(self, name))
        for name in FRACTIONS:
            # 1 and 1.0 are equal, and so are 0.0 and −0.0, but they are not written alike.
            object.__setattr__(self, name, float(getattr(self, name)) + 0.0)
        for name in ("decay", "freeze_embedding"):
            _true_or_false(name, getattr(self, name))
        if self.model.kind == "encoder" and self.corpus.source != "microworld":
            raise ValueError(
                f"the text of an encoder must be the microworld; got {self.corpus.source!r}"
            )
        if self.model.attends and self.corpus.source != "microworld" and self.length > PLACES:
            raise ValueError(
                f"the length read at a time must be at most {PLACES} for a Transformer, which has "
                f"so many places; got {self.length}"
            )
        if type(self.every) is not int or not 1 <= self.every <= self.steps:
            raise ValueError(f"every must be from 1 to steps, {self.steps}; got {self.every!r}")

    @property
    def key(self) -> str:
        """A name for the computation: equal specs, and only those, have equal keys."""
        return hashlib.sha256(self.to_json().encode()).hexdigest()[:24]

    @property
    def bytes(self) -> int:
        """About what its weights, their gradients and the optimiser take in memory."""
        own_words = self.corpus.source == "own" and self.corpus.unit == "word"
        return 16 * self.model.config(LARGEST if own_words else 300).parameters

    def to_json(self) -> str:
        """The spec as JSON, keys sorted."""
        return json.dumps(dataclasses.asdict(self), sort_keys=True, ensure_ascii=False)

    @classmethod
    def from_json(cls, text: str) -> RunSpec:
        """Read a spec back.

        Raises:
            ValueError: if it is not JSON, has a setting that does not exist, or a value that is
                not allowed.
        """
        try:
            parts: dict[str, Any] = json.loads(text)
            return cls(
                corpus=CorpusSpec(**parts.pop("corpus")),
                model=ModelSpec(**parts.pop("model")),
                **parts,
            )
        except UNREADABLE as error:
            raise ValueError(f"a run must be described by its settings in JSON; {error}") from error
