"""The complete description of a training run: corpus, model, optimiser, seed.

On one CPU thread two equal specs give the same losses bit for bit, so a run is its spec and a
number of steps, and users who start the same run can share one computation.
"""

from __future__ import annotations

import dataclasses
import hashlib
import json
from dataclasses import dataclass, field
from typing import Any, Literal, cast, get_args

from lmcore.checks import check_one_of, one_of
from lmcore.corpora.translation import LONGEST, SHORTEST, TASKS
from lmcore.models.encoder_decoder import EncoderDecoderConfig
from lmcore.models.feedforward import FeedforwardConfig
from lmcore.models.gru import GRUConfig
from lmcore.models.layers import MOST_LAYERS
from lmcore.models.lstm import LSTMConfig
from lmcore.models.recurrent_cells import Cell
from lmcore.models.recurrent_seq2seq import Seq2SeqConfig
from lmcore.models.registry import PLACES, Config
from lmcore.models.rnn import RNNConfig
from lmcore.models.soft_attention import Score
from lmcore.models.transformer_config import Norm, Positions, TransformerConfig
from lmcore.training.spec_limits import check_bool, check_within
from lmcore.vocabulary import MAX_TYPES, TokenUnit

ModelKind = Literal[
    "feedforward", "rnn", "gru", "lstm", "transformer", "encoder", "seq2seq", "encoder_decoder"
]
CorpusSource = Literal["microworld", "quoted", "prose", "own", "translation"]
OptimizerName = Literal["adam", "momentum", "sgd"]

LARGEST_TEXT = 1_000_000
"""The longest text of a user, in characters."""
LONGEST_SOURCE = 20
"""Words of the longest source of a translation run, unless the spec has another number."""
UNITS = {
    "microworld": ("word",),
    "quoted": ("character",),
    "prose": get_args(TokenUnit),
    "own": ("word", "character"),
    "translation": ("word",),
}
"""The units into which each corpus can be tokenized."""
SWITCHES: dict[str, object] = {
    "norm": "pre",
    "positions": "learned",
    "residual": True,
    "mlp": True,
}
"""The parts of a Transformer that a spec can change or leave out, and their defaults."""
PARSE_ERRORS = (
    *(TypeError, KeyError, AttributeError, OverflowError, RecursionError),
    json.JSONDecodeError,
)
"""The exceptions that parsing malformed JSON may raise."""


@dataclass(frozen=True, slots=True)
class CorpusSpec:
    """The corpus of a run.

    `documents` is the size of a fixed microworld corpus; 0 streams fresh documents endlessly.
    `text` is the user's own, for source `own` only. `task` and `longest`, the words of its longest
    source, are for source `translation`, and None for every other.
    """

    source: str = "microworld"
    unit: TokenUnit = "word"
    documents: int = 0
    text: str = field(default="", repr=False)
    task: str | None = None
    longest: int | None = None

    def __post_init__(self) -> None:
        """Raises ValueError if the parts do not go together."""
        check_one_of("corpus", self.source, get_args(CorpusSource))
        check_one_of("unit", self.unit, get_args(TokenUnit))
        check_within("documents", self.documents)
        units = UNITS[self.source]
        if self.unit not in units:
            raise ValueError(
                f"the {self.source} text must be read by {' or '.join(units)}; got {self.unit!r}"
            )
        if self.documents and self.source != "microworld":
            raise ValueError(
                f"documents must be 0 for the {self.source} text; got {self.documents}"
            )
        if not isinstance(self.text, str) or bool(self.text) != (self.source == "own"):
            raise ValueError("text must be given for the corpus 'own', and only for it")
        if len(self.text) > LARGEST_TEXT:
            raise ValueError(
                f"the text must be at most {LARGEST_TEXT:,} characters; got {len(self.text):,}"
            )
        self._check_task()

    def _check_task(self) -> None:
        """Set the defaults of a task; raises ValueError if there is none, or no such length."""
        if self.source != "translation":
            if (self.task, self.longest) != (None, None):
                raise ValueError(
                    "task and longest must be given for the corpus 'translation' only; "
                    f"got {self.task!r} and {self.longest!r} for {self.source!r}"
                )
            return
        task = "translation" if self.task is None else self.task
        check_one_of("the task", task, TASKS)
        object.__setattr__(self, "task", task)
        longest = LONGEST_SOURCE if self.longest is None else self.longest
        if type(longest) is not int or not SHORTEST[task] <= longest <= LONGEST:
            raise ValueError(
                f"the longest source of the task {task} must be from {SHORTEST[task]} to {LONGEST} "
                f"words; got {longest!r}"
            )
        object.__setattr__(self, "longest", longest)


@dataclass(frozen=True, slots=True)
class ModelSpec:
    """Which model, and its sizes; the vocabulary comes from the text.

    `context` is the number of words that a feedforward model sees; only that model uses it, and it
    does not use `layers`.

    Three kinds are Transformers: transformer is a GPT, encoder a BERT that fills in masked words,
    and encoder_decoder translates and has `layers` layers in each stack. In these, `embedding` is d
    and `hidden` d_ff, and only these use `heads`, `norm`, `positions`, `residual` and `mlp`, as in
    their `TransformerConfig`. For the last four, None is the value in `SWITCHES`, and that value
    becomes None, so that equal runs have equal specs. Only the transformer uses `causal`: without
    it every place sees the whole text, including the word that it predicts.

    `cell` and `score` are those of seq2seq, an encoder and a decoder of one layer each: `score`
    None is one vector for the whole source. Every other model has None for both.
    """

    kind: str = "lstm"
    embedding: int = 64
    hidden: int = 128
    layers: int = 1
    context: int = 3
    heads: int = 4
    causal: bool = True
    cell: str | None = None
    score: str | None = None
    norm: str | None = None
    positions: str | None = None
    residual: bool | None = None
    mlp: bool | None = None

    def __post_init__(self) -> None:
        """Raises ValueError naming the size that is out of bounds."""
        check_one_of("model", self.kind, get_args(ModelKind))
        for name in ("embedding", "hidden", "layers", "context", "heads"):
            check_within(name, getattr(self, name))
        check_bool("causal", self.causal)
        if self.layers > MOST_LAYERS and not self.uses_attention:
            raise ValueError(
                f"the number of layers must be from 1 to {MOST_LAYERS} unless the model is a "
                f"Transformer; got {self.layers} for {self.kind!r}"
            )
        self._check_cell()
        self._check_switches()
        if self.uses_attention and self.embedding % self.heads:
            raise ValueError(
                f"the embedding size must be a multiple of the number of heads, {self.heads}; "
                f"got {self.embedding}"
            )

    def _check_cell(self) -> None:
        """Set the default cell; raises ValueError if there is no such cell or score."""
        if self.kind != "seq2seq":
            if (self.cell, self.score) != (None, None):
                raise ValueError(
                    "cell and score must be given for the model 'seq2seq' only; "
                    f"got {self.cell!r} and {self.score!r} for {self.kind!r}"
                )
            return
        object.__setattr__(self, "cell", "gru" if self.cell is None else self.cell)
        check_one_of("the cell", self.cell or "", get_args(Cell))
        if self.score is not None:
            check_one_of("the score", self.score, get_args(Score))

    def _check_switches(self) -> None:
        """Make a default None; raises ValueError if there is no such value, or no Transformer."""
        changed = {name: value for name, value in self._switches().items() if value is not None}
        if changed and not self.uses_attention:
            raise ValueError(
                f"{' and '.join(changed)} must be given for a Transformer only; got {self.kind!r}"
            )
        for name, value in changed.items():
            if isinstance(SWITCHES[name], bool):
                check_bool(name, value)
            else:
                allowed = {"norm": Norm, "positions": Positions}[name]
                check_one_of(name, str(value), get_args(allowed))
            if value == SWITCHES[name]:
                object.__setattr__(self, name, None)

    def _switches(self) -> dict[str, object]:
        return {name: getattr(self, name) for name in SWITCHES}

    @property
    def uses_attention(self) -> bool:
        """Whether the model is a Transformer."""
        return self.kind in ("transformer", "encoder", "encoder_decoder")

    @property
    def translates(self) -> bool:
        """Whether the model reads a source and writes its translation."""
        return self.kind in ("seq2seq", "encoder_decoder")

    def config(self, vocabulary: int) -> Config:
        """The model's config, for a vocabulary of that many types."""
        if self.kind == "seq2seq":
            return Seq2SeqConfig(
                vocabulary,
                vocabulary,
                self.embedding,
                self.hidden,
                cast(Cell, self.cell),
                cast(Score | None, self.score),
                padding=vocabulary - 1,
            )
        if self.kind == "feedforward":
            return FeedforwardConfig(vocabulary, self.embedding, self.hidden, self.context)
        if self.uses_attention:
            kind = EncoderDecoderConfig if self.translates else TransformerConfig
            chosen: dict[str, Any] = {
                name: SWITCHES[name] if value is None else value
                for name, value in self._switches().items()
            }
            return kind(
                vocabulary,
                self.embedding,
                self.heads,
                self.layers,
                self.hidden,
                PLACES,
                segments=2 if self.kind == "encoder" else 0,
                causal=self.causal and self.kind != "encoder",
                padding=None if self.kind == "transformer" else vocabulary - 1,
                **chosen,
            )
        sizes = (vocabulary, self.embedding, self.hidden, self.layers)
        if self.kind == "rnn":
            return RNNConfig(*sizes)
        return GRUConfig(*sizes) if self.kind == "gru" else LSTMConfig(*sizes)


@dataclass(frozen=True, slots=True)
class MaskSpec:
    """The training objective of an encoder; other models ignore it.

    In each document the share of chosen words is `low` or `high`, at random. A share `pairs` of the
    documents with two sentences is split for next sentence prediction. `named` adds a target at
    every *it* that refers to an earlier noun: that noun.
    """

    low: float = 0.15
    high: float = 0.15
    pairs: float = 0.5
    named: bool = False

    def __post_init__(self) -> None:
        """Raises ValueError naming the value that is not a share."""
        for name in ("low", "high", "pairs"):
            check_within(name, getattr(self, name))
            object.__setattr__(self, name, float(getattr(self, name)) + 0.0)
        if not 0 < self.low <= self.high:
            raise ValueError(
                f"the low share of masked words must be above 0 and at most the high one, "
                f"{self.high:g}; got {self.low:g}"
            )
        check_bool("named", self.named)


@dataclass(frozen=True, slots=True)
class RunSpec:
    """Everything that determines a run.

    `batch` is the number of documents, or of lanes of a running text, per step; `length` the number
    of tokens of a running text before the gradient is truncated. `decay` lowers the learning rate η
    linearly to 0 over `steps`. `clip` bounds the gradient's norm; 0 disables it. At 0.1 most
    gradients of these models are clipped, so that a rare large one counts no more than the rest.
    The validation loss is computed every `every` steps.
    """

    corpus: CorpusSpec = CorpusSpec()
    model: ModelSpec = ModelSpec()
    masking: MaskSpec = MaskSpec()
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
        parts = {"corpus": CorpusSpec, "model": ModelSpec, "masking": MaskSpec}
        for name, kind in parts.items():
            if not isinstance(getattr(self, name), kind):
                got = getattr(self, name)
                raise ValueError(f"{name} must be a {kind.__name__}; got {got!r:.60}")
        optimizer = one_of("optimiser", self.optimizer, get_args(OptimizerName))
        object.__setattr__(self, "optimizer", optimizer)
        for name in ("learning_rate", "batch", "length", "clip", "dropout", "steps", "seed"):
            check_within(name, getattr(self, name))
        for name in ("learning_rate", "clip", "dropout"):
            # 1 and 1.0 are equal, and so are 0.0 and −0.0, but their JSON differs.
            object.__setattr__(self, name, float(getattr(self, name)) + 0.0)
        for name in ("decay", "freeze_embedding"):
            check_bool(name, getattr(self, name))
        if self.model.kind == "encoder" and self.corpus.source != "microworld":
            raise ValueError(
                f"the text of an encoder must be the microworld; got {self.corpus.source!r}"
            )
        if self.model.translates != (self.corpus.source == "translation"):
            raise ValueError(
                "the models 'seq2seq' and 'encoder_decoder' must be trained on the corpus "
                "'translation', and no other model on it; "
                f"got {self.model.kind!r} and {self.corpus.source!r}"
            )
        if (
            self.model.uses_attention
            and self.corpus.source not in ("microworld", "translation")
            and self.length > PLACES
        ):
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
        """The approximate memory of its weights, their gradients and the optimiser."""
        own_words = self.corpus.source == "own" and self.corpus.unit == "word"
        return 16 * self.model.config(MAX_TYPES if own_words else 300).parameters

    def to_json(self) -> str:
        """The spec as JSON, keys sorted, without the settings that its model or text lacks."""
        return json.dumps(_present(dataclasses.asdict(self)), sort_keys=True, ensure_ascii=False)

    @classmethod
    def from_json(cls, text: str) -> RunSpec:
        """Parse a spec.

        Raises:
            ValueError: if it is not JSON, has a setting that does not exist, or a value that is
                not allowed.
        """
        try:
            parts: dict[str, Any] = json.loads(text)
            return cls(
                corpus=CorpusSpec(**parts.pop("corpus")),
                model=ModelSpec(**parts.pop("model")),
                masking=MaskSpec(**parts.pop("masking", {})),
                **parts,
            )
        except PARSE_ERRORS as error:
            raise ValueError(f"a run must be described by its settings in JSON; {error}") from error


def _present(settings: dict[str, Any]) -> dict[str, Any]:
    """The settings that are not None, inside the parts, too."""
    return {
        name: _present(value) if isinstance(value, dict) else value
        for name, value in settings.items()
        if value is not None
    }
