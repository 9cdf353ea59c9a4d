"""The data of the picture of an encoder–decoder."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypedDict

import torch
from jaxtyping import Float64
from torch import Tensor
from typing_extensions import TypedDict as EventDict

from drawing import theme
from drawing.events import Place, Real
from drawing.payload import NumberArray, Script
from lessons.seq2seq.translated import Translated
from lmcore.attention.translation_steps import TranslationSteps

NAMED = 3
"""How many of the largest weights of a step are live numbers."""
CANDIDATES = 4
"""How many of the most probable words of a step are shown."""


class WrittenWords(TypedDict):
    """What one of the models writes, word by word."""

    words: Sequence[str]
    right: Sequence[bool]
    """Whether the true target has this word at this place."""
    next: Sequence[Sequence[str]]
    """The most probable words at each step, the written one first."""
    probabilities: NumberArray
    """The probabilities of these words, one row per step."""


class Seq2SeqPayload(TypedDict):
    """Both models on one source: states, weights α, words, and the words that other α give."""

    source: Sequence[str]
    target: Sequence[str]
    width: int
    states: bytes
    """h_j of each word of the source, one after another, as float32."""
    decoder: bytes
    """s_i of each step."""
    contexts: bytes
    """c_i of each step."""
    weights: NumberArray
    """α_ij, one row per step."""
    attention: WrittenWords
    instead: Sequence[Sequence[str]]
    """For each step and each place, the word that is written if all of α_i is on that place."""
    insteadProbabilities: NumberArray
    forced: Sequence[int]
    """For each step the place that α is forced on, −1 for none."""
    vector: WrittenWords
    vectorState: bytes
    """h_{T_x} of the model with one vector, as float32."""
    vectorWidth: int
    signed: Sequence[str]
    """Colours from −1 to 1."""


class TranslationMoves(EventDict, total=False):
    """The step, or a place that α is forced on or released from."""

    step: Real
    force: tuple[Place, Place]
    release: bool


COMPUTED = ("a#", "e1", "sum", "before", "context", "state", "logit", "p", "pv")
COVERED = ("word", "instead")
"""Not numbers: a question hides the written words, or those of other α, under these names."""
SEQ2SEQ = Script(
    "seq2seq",
    Seq2SeqPayload,
    ("step", *COMPUTED, *COVERED, "@say", "@formula"),
    TranslationMoves,
)


def translation_picture(shown: Translated, forced: Mapping[int, int]) -> Seq2SeqPayload:
    """The data of `lessons/seq2seq/seq2seq.js` besides the numbers."""
    its, trace = shown.attention, shown.attention.trace
    weights, contexts = trace.weights, trace.contexts
    instead, chances = its.alternatives, its.alternative_probabilities
    assert weights is not None and contexts is not None
    assert instead is not None and chances is not None
    return {
        "source": shown.source_words,
        "target": shown.target_words,
        "width": trace.encoder_states.shape[-1],
        "states": _packed(trace.encoder_states),
        "decoder": _packed(trace.decoder_states),
        "contexts": _packed(contexts),
        "weights": weights[0].numpy(),
        "attention": written_words(shown, its),
        "instead": [shown.decode(row) for row in instead],
        "insteadProbabilities": chances.numpy(),
        "forced": [forced.get(i, 0) - 1 for i in range(1, len(its.written) + 1)],
        "vector": written_words(shown, shown.vector),
        "vectorState": _packed(shown.vector.trace.start),
        "vectorWidth": shown.vector.trace.start.shape[-1],
        "signed": theme.diverging_colours(),
    }


def written_words(shown: Translated, steps: TranslationSteps) -> WrittenWords:
    """The words of a translation, whether each is right at its place, and the other candidates."""
    best = steps.probabilities.topk(CANDIDATES, dim=-1)
    return {
        "words": shown.decode(steps.written),
        "right": right_words(shown, steps),
        "next": [shown.decode(row) for row in best.indices],
        "probabilities": best.values.numpy(),
    }


def right_words(shown: Translated, steps: TranslationSteps) -> list[bool]:
    """For each written word, whether the true target has it at the same place."""
    target = shown.target_words
    words = shown.decode(steps.written)
    return [i < len(target) and word == target[i] for i, word in enumerate(words)]


def _packed(values: Tensor) -> bytes:
    return values.float().numpy().tobytes()


def step_numbers(shown: Translated) -> dict[str, Float64[Tensor, " step"]]:
    """The numbers that the sentence and the formula print, at every step of the decoder."""
    its, trace = shown.attention, shown.attention.trace
    assert trace.weights is not None and trace.scores is not None and trace.contexts is not None
    weights, states = trace.weights[0].double(), trace.decoder_states[0].double()
    before = torch.cat([trace.start.double(), states[:-1]])
    largest = weights.topk(min(NAMED, weights.shape[1]), dim=1)
    steps = len(its.written)
    both = shown.vector.probability.double()[:steps]
    missing = torch.full((steps - len(both),), torch.nan, dtype=torch.float64)
    return {
        "step": torch.arange(1, steps + 1).double(),
        **{f"a{k + 1}": largest.values[:, k] for k in range(largest.values.shape[1])},
        "e1": trace.scores[0].double().amax(dim=1),
        "sum": weights.sum(dim=1),
        "before": before.norm(dim=1),
        "context": trace.contexts[0].double().norm(dim=1),
        "state": states.norm(dim=1),
        "logit": trace.logits[0].double().gather(1, its.written[:, None])[:, 0],
        "p": its.probability.double(),
        "pv": torch.cat([both, missing]),
        "@say": torch.arange(steps).double(),
        "@formula": torch.arange(steps).double(),
    }


def largest_place(shown: Translated, i: int) -> int:
    """The place of the source with the largest weight of step i, both from 0."""
    weights = shown.attention.trace.weights
    assert weights is not None
    return int(weights[0, i].argmax())
