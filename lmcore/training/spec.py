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
from lmcore.neural import Config
from lmcore.rnn import RNNConfig
from lmcore.vocabulary import LARGEST, Unit

Kind = Literal["feedforward", "rnn", "gru", "lstm"]
Source = Literal["microworld", "quoted", "prose", "own"]
Optimizer = Literal["adam", "momentum", "sgd"]

LARGEST_TEXT = 1_000_000
"""Characters of a person's own text."""
LIMITS: dict[str, tuple[float, float]] = {
    "embedding": (2, 512),
    "hidden": (2, 1024),
    "layers": (1, 4),
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
MOST_WEIGHTS = 5_000_000
"""With Adam's two numbers for each, that is 60 MB in a checkpoint, written while others wait."""
LONGEST_STEP = 0.2
"""Seconds a step may take, so that a stop is obeyed at once."""
DEAREST_STEP = {"cpu": 4e9, "cuda": 2e12, "mps": 5e10}
"""Operations that each kind of device makes in that time, about."""
PER_LOGIT, PER_READING = 200, 5e6
"""What softmax, loss and memory take for one logit, and the calls for one layer at one time, in
operations of a matrix product that take as long on a CPU."""


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
        "context": "the context length",
        "steps": "the number of steps",
        "batch": "the batch size",
        "length": "the length read at a time",
        "clip": "the gradient clip",
    }.get(name, name)


def _one_of(name: str, value: str, allowed: tuple[str, ...]) -> None:
    if value not in allowed:
        raise ValueError(f"{name} must be one of {', '.join(allowed)}; got {value!r}")


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

    `context` is the number of words a feedforward model sees; the recurrent ones do not use it,
    nor does the feedforward one use `layers`.
    """

    kind: str = "lstm"
    embedding: int = 64
    hidden: int = 128
    layers: int = 1
    context: int = 3

    def __post_init__(self) -> None:
        """Raises ValueError naming the size that is out of bounds."""
        _one_of("model", self.kind, get_args(Kind))
        for name in ("embedding", "hidden", "layers", "context"):
            _within(name, getattr(self, name))

    def config(self, vocabulary: int) -> Config:
        """The model's own config, for a vocabulary of that many types."""
        if self.kind == "feedforward":
            return FeedforwardConfig(vocabulary, self.embedding, self.hidden, self.context)
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
            if not isinstance(getattr(self, name), bool):
                raise ValueError(f"{name} must be true or false; got {getattr(self, name)!r}")
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


def operations(spec: RunSpec, vocabulary: int, tokens: int) -> float:
    """Floating-point operations of one training step, or what takes as long, about.

    6 × weights used × tokens, as looking a row up in E costs nothing; besides, something for each
    logit, and for each layer at each time.
    """
    weights = spec.model.config(vocabulary).parameters - vocabulary * spec.model.embedding
    times = 0.0 if spec.model.kind == "feedforward" else spec.model.layers * tokens / spec.batch
    return 6.0 * weights * tokens + PER_LOGIT * vocabulary * tokens + PER_READING * times


def step_seconds(spec: RunSpec, vocabulary: int, tokens: int, device: str) -> float:
    """About what one training step takes on that kind of device."""
    return LONGEST_STEP * operations(spec, vocabulary, tokens) / DEAREST_STEP[device]


def affordable(spec: RunSpec, vocabulary: int, tokens: int, device: str) -> None:
    """Refuse a model too large to be saved often, or a step too dear to stop when told.

    Raises:
        ValueError: naming its size or time, the limit and what to make smaller.
    """
    weights = spec.model.config(vocabulary).parameters
    if weights > MOST_WEIGHTS:
        raise ValueError(
            f"the model must have at most {MOST_WEIGHTS:,} weights; got {weights:,}: choose a "
            "smaller embedding, hidden size or number of layers"
        )
    seconds = step_seconds(spec, vocabulary, tokens, device)
    if seconds > LONGEST_STEP:
        raise ValueError(
            f"one step must take at most {LONGEST_STEP:g} s on this {device.upper()}, so that Stop "
            f"is obeyed; got about {math.ceil(100 * seconds) / 100:,g} s: choose a smaller batch, "
            "length, hidden size or number of layers"
        )
