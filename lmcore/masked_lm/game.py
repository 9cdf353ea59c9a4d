"""The cloze game: the user, a model and the grammar guess the masked word of a text.

    points   p(guess | all the other words), the grammar's exact posterior
    hit      whether the guess is the masked word

A hit may be chance: where two words are equally likely, every player hits half the time. The points
do not depend on which of them was drawn; their maximum is max_w p(w | …).

Source: Taylor 1953, "Cloze procedure: a new tool for measuring readability".
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
from jaxtyping import Float64
from numpy.typing import NDArray

from lmcore.corpora import masked_words
from lmcore.corpora.automaton import Automaton
from lmcore.corpora.microworld import held_out_mask, microworld
from lmcore.masked_lm.filling_in import GapQuestion
from lmcore.masked_lm.filling_in import gap_log_probabilities as asked
from lmcore.models.bert import BERT

ROUNDS = 8
"""Texts of a game."""
OPTIONS = 6
"""Words to choose from."""
LIKELY = 3
"""How many of the options are the grammar's likeliest words, at most."""
CERTAIN = 0.95
"""A word more probable than this is never masked: there would be nothing to guess."""
LARGEST_SEED = 2**31 - 1


class GameItem(NamedTuple):
    """A text as ids with one masked word; the options in alphabetical order."""

    ids: tuple[int, ...]
    place: int
    exact: Float64[np.ndarray, " vocabulary"]
    options: tuple[int, ...]

    @property
    def hidden(self) -> int:
        """The masked word."""
        return self.ids[self.place]


class GameAnswer(NamedTuple):
    """A guess, its points, and whether it is the hidden word."""

    word: int
    points: float
    hit: bool


class GameScore(NamedTuple):
    """A player's points and hits over some texts."""

    points: float
    hits: int
    texts: int


def game(seed: int, count: int = ROUNDS) -> tuple[GameItem, ...]:
    """The texts of a game: documents that no model was trained on.

    Raises:
        ValueError: if the seed is out of bounds, or `count` is below 1.
    """
    if not 0 <= seed <= LARGEST_SEED:
        raise ValueError(f"the game number must be from 0 to {LARGEST_SEED}; got {seed}")
    if count < 1:
        raise ValueError(f"the number of texts must be 1 or more; got {count}")
    rng, world = np.random.default_rng([seed, ROUNDS]), microworld()
    items: list[GameItem] = []
    for document in _unseen(world, rng):
        if (item := _item(world, document, rng)) is not None:
            items.append(item)
        if len(items) == count:
            break
    return tuple(items)


def _unseen(world: Automaton, rng: np.random.Generator) -> Iterator[NDArray[np.int64]]:
    """An endless stream of held-out documents."""
    while True:
        drawn = world.sample(200, rng)
        yield from drawn.where(held_out_mask(drawn))


def _item(
    world: Automaton, document: NDArray[np.int64], rng: np.random.Generator
) -> GameItem | None:
    """A question about a word of the document that is not certain; None if all are."""
    rows = masked_words.leave_one_out_posteriors(world, document)
    open_places = [t for t in range(1, len(document) - 1) if rows[t - 1].max() < CERTAIN]
    if not open_places:
        return None
    place = int(rng.choice(open_places))
    exact = rows[place - 1]
    options = _options(world, document, place, exact, rng)
    return GameItem(tuple(document.tolist()), place, exact, options)


def _options(
    world: Automaton,
    document: NDArray[np.int64],
    place: int,
    exact: Float64[np.ndarray, " vocabulary"],
    rng: np.random.Generator,
) -> tuple[int, ...]:
    """The hidden word, the likeliest words, and words that fit the left context alone."""
    likely = [int(i) for i in np.argsort(-exact, kind="stable")[:LIKELY] if exact[i] > 0]
    chosen = dict.fromkeys([int(document[place]), *likely])
    left = world.next_probabilities(document[None, :place])[0, -1]
    words = [i for i, token in enumerate(world.vocabulary.tokens) if token[0].isalpha()]
    tempting = [i for i in np.argsort(-left, kind="stable").tolist() if left[i] > 0 and i in words]
    for word in [*tempting, *rng.permutation(words).tolist()]:
        if len(chosen) == OPTIONS:
            break
        chosen.setdefault(word)
    return tuple(sorted(chosen, key=world.vocabulary.tokens.__getitem__))


def score_answer(item: GameItem, word: int) -> GameAnswer:
    """The points of a guess; a word that is not in the grammar has 0."""
    points = float(item.exact[word]) if word < len(item.exact) else 0.0
    return GameAnswer(word, points, word == item.hidden)


def best_answer(item: GameItem) -> GameAnswer:
    """The grammar's likeliest word."""
    return score_answer(item, int(item.exact.argmax()))


def model_answers(network: BERT, items: Sequence[GameItem]) -> tuple[GameAnswer, ...]:
    """The model's likeliest word among all types, not only the options.

    Raises:
        ValueError: if the network has no head for masked words.
    """
    rows = asked(network, [GapQuestion(item.ids, item.place) for item in items])
    return tuple(
        score_answer(item, int(row.argmax())) for item, row in zip(items, rows, strict=True)
    )


def total_score(answers: Sequence[GameAnswer]) -> GameScore:
    """The sum over some texts."""
    return GameScore(
        sum(each.points for each in answers), sum(each.hit for each in answers), len(answers)
    )
