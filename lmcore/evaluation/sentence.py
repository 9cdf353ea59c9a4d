"""Scores a typed sentence with several language models, word by word.

All models implement `log_probabilities`, so n-grams, networks and the grammar share one table.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import torch
from jaxtyping import Float64
from torch import Tensor

from lmcore import dataframes
from lmcore.checks import check_between
from lmcore.models import scoring
from lmcore.models.language_model import LanguageModel
from lmcore.models.scoring import Score
from lmcore.vocabulary import END, START, Vocabulary

if TYPE_CHECKING:
    from pandas import DataFrame

LONGEST = 30
"""The most tokens of a sentence: each is a column of the picture."""
MOST_MODELS = 6
ORDERS = (1, 5)
EXCERPT = 60
"""Characters of a sentence that an error shows."""


def encode_sentence(vocabulary: Vocabulary, text: str, *, end: bool = False) -> tuple[int, ...]:
    """The ids of a typed sentence, `<s>` in front; with `end`, `</s>` behind.

    Raises:
        ValueError: if there is no word, there are too many, `<s>` or `</s>` occurs inside, or a
            word is unknown.
    """
    tokens = vocabulary.split(text)
    if tokens[:1] == [START]:
        tokens = tokens[1:]
    if end and tokens[-1:] != [END]:
        tokens.append(END)
    typed = len(tokens) - end
    if not 1 <= typed <= LONGEST:
        raise ValueError(f"the sentence must have 1 to {LONGEST} words; got {typed}")
    if START in tokens or END in tokens[:-1]:
        excerpt = text if len(text) <= EXCERPT else f"{text[:EXCERPT]}…"
        raise ValueError(
            f"{START} and {END} must stand only at the ends of a sentence; got {excerpt}"
        )
    return (vocabulary.ids[START], *vocabulary.encode(tokens))


@dataclass(frozen=True, slots=True)
class SentenceQuestion:
    """A sentence, the models that score it, and the position shown in detail.

    `ids` begin with `<s>`; `place` 1 is the first word, `len(ids)` the token after the last.
    `order` N is that of the training pairs.
    """

    ids: tuple[int, ...]
    models: tuple[str, ...]
    place: int = 1
    order: int = 3

    def __post_init__(self) -> None:
        """Raises ValueError naming what is out of bounds."""
        if not 1 <= len(self.models) <= MOST_MODELS or len(set(self.models)) < len(self.models):
            raise ValueError(
                f"the models must be 1 to {MOST_MODELS} different ones; got {len(self.models)}: "
                f"{', '.join(self.models) or 'none'}"
            )
        if not 1 <= self.place <= len(self.ids):
            raise ValueError(
                f"the place of the word must be from 1 to {len(self.ids)}; got {self.place}"
            )
        low, high = ORDERS
        check_between("the order N", self.order, low, high)

    @property
    def before(self) -> tuple[int, ...]:
        """The tokens before the position shown."""
        return self.ids[: self.place]

    @property
    def target(self) -> int | None:
        """The token at that position, if one was typed."""
        return self.ids[self.place] if self.place < len(self.ids) else None


@dataclass(frozen=True, slots=True, eq=False)
class SentenceAnswer:
    """A model's score of the sentence, and its distribution at the position shown."""

    score: Score
    expected: Float64[Tensor, " vocabulary"]
    """p(w | the tokens before the place)"""

    def to_frame(self, vocabulary: Vocabulary | None = None) -> DataFrame:
        """One row per token of the vocabulary: the token, and its p at the position shown.

        Tokens are ids, or words if the vocabulary is given. The sentence's are in `score`.
        """
        tokens = dataframes.token_names(range(len(self.expected)), vocabulary)
        return dataframes.frame({"token": tokens, "p": self.expected})


def ask_models(
    models: Mapping[str, LanguageModel], question: SentenceQuestion
) -> dict[str, SentenceAnswer]:
    """The answer of each model, by name.

    Raises:
        ValueError: if a token is not in the vocabulary of a model.
    """
    ids = torch.tensor(question.ids)
    return {
        name: SentenceAnswer(
            scoring.score(model, ids),
            model.log_probabilities(ids[: question.place])[-1].double().exp(),
        )
        for name, model in models.items()
    }


def likeliest_tokens(
    answers: Mapping[str, SentenceAnswer], *, each: int = 3, most: int = 10
) -> list[int]:
    """The likeliest tokens of each model, `each` per model, sorted by mean probability.

    A token with p = 0 is never included.
    """
    rows = torch.stack([answer.expected for answer in answers.values()])
    best = rows.topk(min(each, rows.shape[1]), dim=1)
    tokens = set(best.indices[best.values > 0].tolist())
    mean = rows.mean(dim=0)
    return sorted(tokens, key=lambda token: (-float(mean[token]), token))[:most]
