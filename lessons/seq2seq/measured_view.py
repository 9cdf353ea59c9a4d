"""The views “Length”, “Permuted α” and “Teacher forcing”: what both models do on held-out text."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from typing import TypeVar

import numpy as np
import streamlit as st
import torch

import ui
from drawing.payload import CHIPS, ChipRow, ChipsPayload
from lessons.seq2seq import measured_text, seq2seq_figures
from lessons.seq2seq.measured_text import ATTENTION, LABELS, VECTOR
from lessons.seq2seq.seq2seq_state import LESSON, SETTINGS, TASK
from lessons.seq2seq.translated import Translated, translator
from lmcore import parsing
from lmcore.checks import check_between
from lmcore.corpora.translation import LONGEST, Words, held_out_sources
from lmcore.dataframes import Table
from lmcore.evaluation.alignment import AlignmentCounts, alignment_counts
from lmcore.evaluation.exact_match import (
    ExposureBias,
    LengthScore,
    PermutationEffect,
    exact_match_by_length,
    measure_exposure_bias,
    measure_permutation,
    token_losses,
)
from lmcore.models.soft_attention import random_orders
from lmcore.numbers import format_number
from lmcore.shipped.translation_curves import load_curves
from lmcore.training.translation_batches import (
    encode_sources,
    translation_batch,
    write_translations,
)
from lmcore.vocabulary import END
from ui import compute

T = TypeVar("T")
LENGTHS = (4, LONGEST)
"""The allowed numbers of words in a measured source; there are too few shorter sources."""
COUNTS = (10, 300)
LARGEST_SEED = 9999
ORDERS = 3
"""The number of random orders of α with which the source on the stage is translated."""
KEPT = 64
NOTHING = ui.LiveNumbers("seq2seq-texts", (), np.empty(0))


@dataclass(frozen=True, slots=True)
class Sample:
    """Held-out sentences to measure on."""

    length: int
    count: int
    seed: int

    def __post_init__(self) -> None:
        """Raises ValueError naming what is out of bounds."""
        check_between("the words of a source", self.length, *LENGTHS)
        check_between("the number of sentences", self.count, *COUNTS)
        check_between("the seed", self.seed, 0, LARGEST_SEED)

    @property
    def sources(self) -> tuple[Words, ...]:
        """The sentences."""
        return held_out_sources(TASK, self.length, self.count, self.seed)


def read_sample() -> Sample:
    """The sample that the controls describe.

    Raises:
        ValueError: naming what is wrong.
    """
    return Sample(
        parsing.parse_integer(SETTINGS.text("s2_length"), "the words of a source"),
        parsing.parse_integer(SETTINGS.text("s2_count"), "the number of sentences"),
        parsing.parse_integer(SETTINGS.text("s2_seed"), "the seed"),
    )


def default_sample() -> Sample:
    """The page's default sample."""
    return Sample(*(int(LESSON.defaults[f"s2_{name}"]) for name in ("length", "count", "seed")))


def draw_sample_controls() -> None:
    """The three controls of a sample, side by side."""
    for column, name in zip(st.columns(3), ("s2_length", "s2_count", "s2_seed"), strict=True):
        with column:
            SETTINGS.draw(name)


def draw_texts(rows: Sequence[ChipRow]) -> None:
    """Draw texts as rows of chips."""
    payload: ChipsPayload = {"views": [rows], "pick": ""}
    ui.picture(CHIPS, NOTHING, payload)


def measured(kind: str, measure: Callable[[Sample], T]) -> tuple[Sample, T]:
    """The controls' sample, or the last valid one, and what `measure` returns for it."""

    def take(sample: Sample) -> tuple[Sample, T]:
        made = partial(measure, sample)
        return sample, compute.shared_result(kind, made, most=KEPT, says="Measuring", apart=True)

    return ui.validated_or_previous(
        kind, lambda: take(read_sample()), lambda: take(default_sample())
    )


# --- length ---------------------------------------------------------------------------------------


@lru_cache(maxsize=1)
def recorded_curves() -> measured_text.Curves:
    """Model → its recorded curve."""
    return {curve.name: curve for curve in load_curves()}


def measure_lengths(sample: Sample) -> dict[str, LengthScore]:
    """Exact match of both models on a sample."""
    return {
        name: exact_match_by_length(
            translator(name).network,
            TASK,
            [sample.length],
            sentences=sample.count,
            seed=sample.seed,
        )[0]
        for name in LABELS
    }


def length_view() -> None:
    """Draw exact match against the length of the source, as recorded and as measured now."""
    curves, translators = recorded_curves(), {name: translator(name) for name in LABELS}
    trained = translators[ATTENTION].spec.corpus.longest or LONGEST
    finding = measured_text.length_finding(curves, trained)
    st.markdown(f"Recorded {curves[ATTENTION].date}: {finding}")
    draw_sample_controls()
    sample, scores = measured("s2-lengths", measure_lengths)
    _length_figure(curves, scores, trained, finding)
    _measured_at_length(curves, sample, scores)
    st.markdown(
        measured_text.training_words(
            {name: each.spec for name, each in translators.items()},
            {name: each.network.config.parameters for name, each in translators.items()},
            trained,
        )
    )
    attention, vector = (f"{LABELS[name]}: " for name in (ATTENTION, VECTOR))
    ui.table(
        [
            "words",
            "sentences",
            *(f"{attention}{each}" for each in measured_text.SHARE_COLUMNS[1:]),
            *(f"{vector}{each}" for each in measured_text.SHARE_COLUMNS[1:]),
        ],
        measured_text.curve_rows(curves),
        name="s2-curves",
        caption=f"Exact match by length, recorded {curves[ATTENTION].date}",
    )


def _length_figure(
    curves: measured_text.Curves, scores: dict[str, LengthScore], trained: int, finding: str
) -> None:
    recording = curves[ATTENTION]
    ui.show_figure(
        seq2seq_figures.length_figure(curves, scores, trained, ui.theme_mode()),
        name="s2-length",
        reading=f"Lines: recorded {recording.date}, up to "
        f"{max(score.sentences for score in recording.scores):,} held-out sentences a length. "
        "Marks: measured here. Bands and whiskers: Wilson’s 95 % interval.",
        alt=finding.replace("**", ""),
    )


def _measured_at_length(
    curves: measured_text.Curves, sample: Sample, scores: dict[str, LengthScore]
) -> None:
    """Compare what was measured on a sample with what is recorded for its length."""
    for name, score in scores.items():
        recorded = measured_text.score_at(curves[name], score.length)
        st.markdown(measured_text.agreement(name, score, recorded))
    if sample.seed == curves[ATTENTION].seed:
        st.caption(
            f"With seed {sample.seed} these are the first {sample.count} of the recorded "
            "sentences; another seed draws others."
        )
    ui.table(
        ["model", *measured_text.SHARE_COLUMNS],
        measured_text.measured_rows(scores, curves),
        name="s2-measured",
        caption=f"Exact match at {sample.length} words, measured here and recorded",
    )


# --- permuted weights -----------------------------------------------------------------------------


def measure_permuted(sample: Sample) -> tuple[PermutationEffect, Table[AlignmentCounts]]:
    """Attention with its weights permuted, and where its largest weights are, on a sample."""
    network, sources = translator(ATTENTION).network, sample.sources
    effect = measure_permutation(network, sources, TASK, sample.seed)
    return effect, alignment_counts(network, sources, TASK)


def permuted_texts(source: Words, seeds: range) -> list[Words]:
    """The translations by attention with α permuted at random, one for each seed."""
    network = translator(ATTENTION).network
    mask = network.source_mask(encode_sources([source]))
    orders = [random_orders(mask, torch.Generator().manual_seed(seed)) for seed in seeds]
    return write_translations(network, [source] * len(seeds), order=torch.cat(orders))


def permuted_view(shown: Translated) -> None:
    """Draw how translations change when α is permuted, and where the largest α are."""
    draw_sample_controls()
    sample, (effect, counts) = measured("s2-permuted", measure_permuted)
    rows = permuted_rows(shown, range(sample.seed, sample.seed + ORDERS))
    st.markdown("**Your source**")
    draw_texts(rows)
    st.caption(
        "A permutation gives each state hⱼ the weight of a place drawn at random, the same one at "
        "every step. ∅: no word. "
        "Struck out: not the word of the true target at this place, which is below."
    )
    st.markdown(
        f"**Measured here** on {effect.sentences} held-out sentences of {sample.length} words. "
        f"{measured_text.effect_finding(effect)} "
        "It need not be so: in classifiers of texts, Jain & Wallace "
        "(2019) often found nearly the same output with permuted weights."
    )
    ui.table(
        ["α", *measured_text.SHARE_COLUMNS, "L, nats per token"],
        measured_text.effect_rows(effect),
        name="s2-permuted",
        caption="Exact match and loss with α as computed and permuted; 95 % interval of the share",
    )
    st.markdown(
        f"**Is the largest α the reason for a word?** {measured_text.alignment_finding(counts)} "
        "A large "
        "weight on a word does not say what is taken from its state."
    )
    ui.table(
        ["words of the target, by source word", "words", "at the word", "at its noun", "one after"],
        measured_text.alignment_rows(counts),
        name="s2-alignment",
        caption="Where the largest α is, while the decoder reads the true words",
    )


def permuted_rows(shown: Translated, seeds: range) -> list[ChipRow]:
    """The translations by attention with α as computed and permuted, marked against the target."""
    target = shown.pair.target
    free = [word for word in shown.decode(shown.free.written) if word != END]
    texts = {"α as computed": free}
    permuted = permuted_texts(shown.pair.source, seeds)
    texts |= {f"α permuted, seed {seed}": list(t) for seed, t in zip(seeds, permuted, strict=True)}
    return [
        measured_text.marked_row(title, measured_text.wrong_places(words, target), words, target)
        for title, words in texts.items()
    ]


# --- teacher forcing ------------------------------------------------------------------------------


def measure_exposure(sample: Sample) -> dict[str, ExposureBias]:
    """The losses of both models after the true words and after their own, on a sample."""
    sources = sample.sources
    return {name: measure_exposure_bias(translator(name).network, sources, TASK) for name in LABELS}


def target_probabilities(source: Words) -> dict[str, list[float]]:
    """p of each word of the true target after the true words, `</s>` included, by model."""
    batch = translation_batch([source], TASK)
    return {
        name: (-token_losses(translator(name).network, batch)[0]).exp().tolist() for name in LABELS
    }


def teacher_view(shown: Translated) -> None:
    """Show the target shifted by one, and what changes when a model reads its own words."""
    target = shown.pair.target
    st.markdown(
        "**In training** the decoder reads the true words, shifted by one: at step i it reads "
        "yᵢ₋₁ and is to predict yᵢ."
    )
    chances = {
        f"p(yᵢ), {LABELS[name]}": [format_number(p) for p in row]
        for name, row in target_probabilities(shown.pair.source).items()
    }
    st.markdown(measured_text.markdown_table(measured_text.shifted_rows(target) | chances))
    st.caption("Computed: the probability of the target word after the true words before it.")
    st.markdown("**Running free**, it reads the word that it wrote itself.")
    written = {
        ATTENTION: shown.decode(shown.free.written),
        VECTOR: shown.decode(shown.vector.written),
    }
    st.markdown(measured_text.markdown_table(measured_text.free_rows(shown.target_words, written)))
    st.caption("Bold: another word than the true one of this place.")
    for name, words in written.items():
        st.markdown(measured_text.parting(name, words, shown.target_words))
    _slide_pair()
    _exposure_bias()


def _slide_pair() -> None:
    source, target = measured_text.SLIDE_PAIR
    st.markdown(f"**The slide’s pair**: “{source.replace(' .', '.')}”")
    st.markdown(measured_text.markdown_table(measured_text.shifted_rows(target.split())))
    st.caption(
        "Quoted from the Stony Brook slide “Training” and split into words here; not computed: no "
        "model here knows Italian."
    )


def _exposure_bias() -> None:
    st.markdown("**Exposure bias**: how much worse a model is after its own words")
    draw_sample_controls()
    sample, biases = measured("s2-exposure", measure_exposure)
    finding = measured_text.exposure_finding(biases, sample.count)
    st.markdown(finding)
    ui.show_figure(
        seq2seq_figures.exposure_figure(biases, ui.theme_mode()),
        name="s2-exposure",
        reading=f"Measured here on {sample.count} held-out sentences of {sample.length} words. "
        "The last places are those of few long targets.",
        alt=finding.replace("**", ""),
    )
    st.caption(
        "The loss compares place by place: after a word too many or too few, every later word "
        "counts as wrong."
    )
    ui.table(
        [
            "place",
            "tokens",
            *(f"{label}, {words}" for label in LABELS.values() for words in ("true", "own")),
        ],
        measured_text.exposure_rows(biases),
        name="s2-exposure",
        caption="Loss by place of the target, after the true words and after its own",
    )
