"""Greedy and beam search of a translation compared with the true target; the cause of each error.

    search error     the found text is wrong, and log p(true target | x) is above its log p
    model error      the found text is wrong, and the true target is no more probable

Source: Stahlberg & Byrne 2019 (search errors and model errors).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import torch

from lmcore import dataframes
from lmcore.corpora.translation import Words, translate, translation_vocabulary
from lmcore.dataframes import Table
from lmcore.decoding.beam import Beam, BeamConfig, finished_beams, search
from lmcore.decoding.translating import TranslationAdapter
from lmcore.evaluation.exact_match import token_losses
from lmcore.models.recurrent_seq2seq import Seq2Seq
from lmcore.networks.seeds import share_interval
from lmcore.training.translation_batches import MOST_WRITTEN, encode_sources, translation_batch
from lmcore.vocabulary import END, START

if TYPE_CHECKING:
    from pandas import DataFrame


@dataclass(frozen=True, slots=True)
class Hypothesis:
    """A text that a search has found."""

    words: Words
    """Without `</s>`."""
    ended: bool
    """Whether `</s>` ends it; otherwise it was broken off."""
    log_p: float
    """log p of the text, `</s>` included."""
    score: float
    """log p / t^a"""

    def to_frame(self) -> DataFrame:
        """One row: text, ended, log p, score."""
        shown = {"text": " ".join(self.words), "ended": self.ended}
        return dataframes.one_row(shown | {"log p": self.log_p, "score": self.score})


@dataclass(frozen=True, slots=True)
class SearchComparison:
    """Exact matches of greedy and of beam search on the same sources."""

    sentences: int
    greedy: int
    """Targets that greedy search writes word for word."""
    beam: int
    beam_alone: int
    """Targets that beam search writes word for word and greedy search does not."""
    greedy_alone: int
    more_probable: int
    """Sources for which beam search ranks first a text with a higher log p than greedy search's."""
    search_errors: int
    """Sources that beam search translates wrongly although the true target has a higher log p."""

    @property
    def intervals(self) -> tuple[tuple[float, float, float], tuple[float, float, float]]:
        """The share of exact matches with Wilson's 95 % interval: greedy, beam."""
        return share_interval(self.greedy, self.sentences), share_interval(
            self.beam, self.sentences
        )

    def to_frame(self) -> DataFrame:
        """One row each for greedy and beam search: exact, sentences, share, low, high."""
        shares, lows, highs = zip(*self.intervals, strict=True)
        return dataframes.frame(
            {
                "search": ["greedy", "beam"],
                "exact": [self.greedy, self.beam],
                "sentences": [self.sentences] * 2,
                "share": shares,
                "low": lows,
                "high": highs,
            }
        )


def find_translations(
    network: Seq2Seq, source: Sequence[str], width: int, length_penalty: float = 0.0
) -> Table[Hypothesis]:
    """The ended hypotheses of beam search, the best score first; width 1 is greedy search.

    Raises:
        ValueError: as `BeamConfig`, or if a word is not in the vocabulary.
    """
    ids = translation_vocabulary().ids
    how = BeamConfig(width, MOST_WRITTEN, (ids[END],), length_penalty)
    model = TranslationAdapter(network, encode_sources([source]))
    beams = finished_beams(list(search(model, torch.tensor([ids[START]]), how)))
    return Table(_hypothesis(beam, length_penalty) for beam in beams)


def _hypothesis(beam: Beam, length_penalty: float) -> Hypothesis:
    words = translation_vocabulary().decode(list(beam.tokens))
    ended = words[-1:] == [END]
    return Hypothesis(
        tuple(words[:-1] if ended else words), ended, beam.log_p, beam.score(length_penalty)
    )


def target_log_p(network: Seq2Seq, source: Words, task: str) -> float:
    """log p of the whole true target, `</s>` included.

    Raises:
        ValueError: as `translate`.
    """
    return -float(token_losses(network, translation_batch([source], task)).sum())


def compare_searches(
    network: Seq2Seq, sources: Sequence[Words], task: str, width: int, length_penalty: float = 0.0
) -> SearchComparison:
    """Translate each source greedily and by beam search, and compare both with its target.

    Raises:
        ValueError: as `find_translations` and `translate`.
    """
    counts = [0] * 6
    for source in sources:
        target = translate(source, task)
        (greedy,) = find_translations(network, source, 1)
        best = find_translations(network, source, width, length_penalty)[0]
        one, many = (each.ended and each.words == target for each in (greedy, best))
        missed = not many and target_log_p(network, source, task) > best.log_p
        higher = best.words != greedy.words and best.log_p > greedy.log_p
        found = one, many, many and not one, one and not many, higher, missed
        counts = [count + more for count, more in zip(counts, found, strict=True)]
    return SearchComparison(len(sources), *counts)
