"""Pretraining a small BERT live: masked language modelling and next sentence prediction together.

    loss = mean over M of −log ŷ[x]  +  mean over the pairs of −log p(label)          nats

Before the first step the loss is that of uniform guessing: ln |V| per word, ln 2 per pair.

Source: Devlin et al. 2019, section 3.1; lecture "Training" has the sum without its minus signs.
"""

from __future__ import annotations

from typing import NamedTuple

import torch

from lmcore.corpora.microworld import microworld
from lmcore.corruption.corruption import Rates, corrupt
from lmcore.evaluation.against_grammar import test_documents
from lmcore.masked_lm import filling_in, next_sentence
from lmcore.masked_lm.cloze import ClozeText
from lmcore.models.bert import BERT
from lmcore.training.masked_batches import masked_vocabulary
from lmcore.training.spec import MaskSpec, ModelSpec, RunSpec

TESTED = 200
"""Documents for measuring a run."""
EVERY = 10
"""Steps between two validations, at most."""
PAIRS = 0.5


class PretrainingProgress(NamedTuple):
    """The accuracy of a run at one step."""

    step: int
    fill: filling_in.FillIn
    pairs: next_sentence.NextSentenceAccuracy


def run_spec(steps: int, share: float, seed: int = 0) -> RunSpec:
    """The spec of a small BERT's run that masks `share` of the words.

    Raises:
        ValueError: naming what is out of bounds.
    """
    if not 0 < share <= 1:
        raise ValueError(f"the share of words chosen must be above 0 and at most 1; got {share:g}")
    return RunSpec(
        model=ModelSpec("encoder", embedding=64, hidden=128, layers=2),
        masking=MaskSpec(low=share, high=share, pairs=PAIRS),
        learning_rate=3e-3,
        clip=1.0,
        batch=32,
        steps=steps,
        every=max(1, min(EVERY, steps)),
        seed=seed,
    )


def chosen_places(text: ClozeText, share: float, seed: int) -> tuple[int, ...]:
    """The positions of a text that training would choose at that share: at least one."""
    maskable = torch.zeros(1, len(text.tokens), dtype=torch.bool)
    maskable[0, list(text.maskable)] = True
    generator = torch.Generator().manual_seed(seed)
    rates, types = Rates(chosen=share), len(masked_vocabulary()) - 2
    trace = corrupt(text.reading.ids[None], maskable, rates, generator, mask=text.mask, types=types)
    return tuple(trace.chosen[0].nonzero()[:, 0].tolist())


def measure_progress(network: BERT, step: int) -> PretrainingProgress:
    """Measure predictions of masked words and of pairs on held-out documents."""
    documents = test_documents(microworld(), TESTED)
    fill = filling_in.fill_in(network, documents, microworld())
    return PretrainingProgress(step, fill, next_sentence.measure_next_sentence(network, documents))
