"""The translation models of the page, and what both write for one source."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from jaxtyping import Int
from torch import Tensor

from lmcore.attention.translation_steps import TranslationSteps
from lmcore.corpora.translation import TranslatedPair
from lmcore.models.recurrent_seq2seq import Seq2Seq
from lmcore.shipped.models import TRANSLATORS, has_weights, load_translator
from lmcore.training.spec import RunSpec
from lmcore.vocabulary import END, Vocabulary


@dataclass(frozen=True, slots=True, eq=False)
class Translator:
    """A translation model that comes with the application."""

    network: Seq2Seq
    vocabulary: Vocabulary
    spec: RunSpec
    steps: int


@dataclass(frozen=True, slots=True, eq=False)
class Translated:
    """A source, its true target, and what both models write."""

    pair: TranslatedPair
    attention: TranslationSteps
    free: TranslationSteps
    """As `attention`, with nothing forced."""
    vector: TranslationSteps

    def decode(self, ids: Int[Tensor, " word"]) -> list[str]:
        """Ids as words, `</s>` included."""
        return translator("seq2seq_attention").vocabulary.decode(ids.tolist())

    @property
    def source_words(self) -> tuple[str, ...]:
        """The source with its `</s>`."""
        return (*self.pair.source, END)

    @property
    def target_words(self) -> tuple[str, ...]:
        """The true target with its `</s>`."""
        return (*self.pair.target, END)


MISSING = (
    "The files of the translation models are missing on this server, `lmcore/shipped/weights`. "
    "One can still be trained here, in the view below."
)


def has_models() -> bool:
    """Whether the files of both models are installed."""
    return all(has_weights(name) for name in TRANSLATORS)


@lru_cache(maxsize=2)
def translator(name: str) -> Translator:
    """One of `seq2seq_vector` and `seq2seq_attention`, read once.

    Raises:
        ValueError: if its file is damaged.
    """
    return Translator(*load_translator(name))
