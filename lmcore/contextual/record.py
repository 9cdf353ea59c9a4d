"""Makes the measurements that take minutes: probes, mixtures, combinations of layers, taggers.

    python -m lmcore.contextual.record [part …]     all of measured/record.json, or named parts

A part is a model or `taggers`. Every model reads the same documents of the Microworld.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import torch

from lmcore.contextual import probes, tagger
from lmcore.contextual.bilm import load_bilm
from lmcore.contextual.clouds import english_contexts, trace_clouds
from lmcore.contextual.english_sentences import ENGLISH_SENSES
from lmcore.contextual.layers import BiLMLayers, LayeredModel, TransformerLayers
from lmcore.contextual.mixing import COMBINATIONS, Mixture, combination_accuracy, learn_mixture
from lmcore.contextual.probes import ProbeScore, TaskVectors
from lmcore.contextual.tagger import PLACEMENTS, TaggerRun
from lmcore.contextual.tasks import TASKS
from lmcore.device import share_cores
from lmcore.models.gpt import GPT
from lmcore.pretrained import wheel
from lmcore.pretrained.reading import VocabularyModel
from lmcore.shipped import models

RECORD = Path(__file__).resolve().parent / "measured" / "record.json"
DOCUMENTS = 12_000
MODELS = {"bilm": "our biLM", "gpt": "our mini-GPT", "encoder": "our mini-BERT", "minilm": "MiniLM"}
PARTS = (*MODELS, "taggers")
TAGGED = ("part of speech", "sense", "number")
TAGGED_TEXTS, TESTED_TEXTS, SEEDS = 40, 60, 3
PENALTIES = (0.0, 0.01, 1.0)


@dataclass(frozen=True, slots=True, eq=False)
class Recorded:
    """What was measured, and when."""

    date: str
    probes: tuple[ProbeScore, ...]
    baselines: dict[str, tuple[float, float]]
    """Task → accuracy of the most frequent class, and of each word type's most frequent class."""
    mixtures: dict[str, dict[str, Mixture]]
    """Model → task → the learned mixture."""
    combinations: dict[str, dict[str, float]]
    """Task → combination of MiniLM's layers → accuracy."""
    taggers: tuple[TaggerRun, ...]
    english: dict[str, tuple[float, ...]]
    """Word → accuracy of the nearest centroid in each layer of MiniLM."""


def layered_model(name: str) -> LayeredModel:
    """The model of `MODELS` with this name.

    Raises:
        ValueError: if there is none of that name, or its file is damaged or missing.
    """
    if name == "bilm":
        return BiLMLayers(*load_bilm())
    if name == "gpt":
        model, *_ = models.load_shipped("gpt")
        assert isinstance(model.network, GPT)
        return TransformerLayers(VocabularyModel("our mini-GPT", model.network, model.vocabulary))
    if name == "encoder":
        network, vocabulary, *_ = models.encoder()
        return TransformerLayers(VocabularyModel("our mini-BERT", network, vocabulary))
    if name == "minilm":
        return TransformerLayers(wheel.minilm())
    raise ValueError(f"the model must be one of {', '.join(MODELS)}; got {name!r:.40}")


def measure_model(name: str) -> dict[str, Any]:
    """The probes of a model, its mixtures and combinations, as plain data."""
    vectors = probes.task_vectors(layered_model(name), DOCUMENTS)
    found: dict[str, Any] = {
        "probes": [
            score._asdict() for task in TASKS for score in _probed(name, task, vectors[task])
        ],
        "mixtures": {task: _mixed(vectors[task], task) for task in TASKS},
    }
    if name == "bilm":
        found["baselines"] = {task: _baselines(vectors[task]) for task in TASKS}
    if name == "minilm":
        found["combinations"] = {task: _combined(vectors[task], task) for task in TASKS}
        found["english"] = _english()
    return found


def _probed(name: str, task: str, vectors: TaskVectors) -> tuple[ProbeScore, ...]:
    scores = probes.probe_layers(name, task, vectors)
    _say(f"{name}, {task}: {' '.join(f'{each.accuracy:.3f}' for each in scores)}")
    return scores


def _baselines(vectors: TaskVectors) -> tuple[float, float]:
    return probes.majority_accuracy(vectors), probes.word_accuracy(vectors)


def _mixed(vectors: TaskVectors, task: str) -> dict[str, Any]:
    learned = learn_mixture(vectors, len(TASKS[task].classes))
    _say(f"  s for {task}: {' '.join(f'{each:.3f}' for each in learned.shares.tolist())}")
    return {
        "weights": learned.weights.tolist(),
        "gamma": learned.gamma,
        "accuracy": learned.accuracy,
        "single": learned.single,
    }


def _combined(vectors: TaskVectors, task: str) -> dict[str, float]:
    classes = len(TASKS[task].classes)
    return {how: combination_accuracy(vectors, how, classes) for how in COMBINATIONS}


def _english() -> dict[str, list[float]]:
    model = layered_model("minilm")
    words = list(ENGLISH_SENSES)
    clouds = (trace_clouds(model, english_contexts(word).occurrences) for word in words)
    return {word: each.accuracy.tolist() for word, each in zip(words, clouds, strict=True)}


def _tagged() -> Iterator[TaggerRun]:
    model = layered_model("bilm")
    for task in TAGGED:
        parts = tagger.texts_of_task(task, TAGGED_TEXTS, TESTED_TEXTS)
        train, test = (tagger.tagged_texts(model, part, task) for part in parts)
        for placement in PLACEMENTS:
            for penalty in PENALTIES if placement == "input" else PENALTIES[:1]:
                for seed in range(SEEDS):
                    run = tagger.train_tagger(
                        task, train, test, placement, penalty=penalty, seed=seed
                    )
                    _say(f"tagger, {task}, {placement}, λ = {penalty:g}: {run.accuracy:.3f}")
                    yield run


@lru_cache(maxsize=1)
def load_record() -> Recorded:
    """The measurements that `main` wrote.

    Raises:
        ValueError: if a part of it is missing.
    """
    found = _written()
    if missing := [part for part in PARTS if part not in found]:
        raise ValueError(
            f"{RECORD.name} must have {missing[0]}; make it with "
            f"python -m {__package__}.record {missing[0]}"
        )
    scores = [ProbeScore(**each) for model in MODELS for each in found[model]["probes"]]
    return Recorded(
        max(part["date"] for part in found.values()),
        tuple(scores),
        {task: (pair[0], pair[1]) for task, pair in found["bilm"]["baselines"].items()},
        {
            model: {task: _mixture(each) for task, each in found[model]["mixtures"].items()}
            for model in MODELS
        },
        found["minilm"]["combinations"],
        tuple(
            TaggerRun(**{**each, "shares": tuple(each["shares"])})
            for each in found["taggers"]["runs"]
        ),
        {word: tuple(layers) for word, layers in found["minilm"]["english"].items()},
    )


def _written() -> dict[str, Any]:
    found: dict[str, Any] = json.loads(RECORD.read_text("utf-8")) if RECORD.is_file() else {}
    return found


def _mixture(found: dict[str, Any]) -> Mixture:
    weights = torch.tensor(found["weights"], dtype=torch.float64)
    return Mixture(weights, found["gamma"], found["accuracy"], tuple(found["single"]))


def _say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def main(parts: Sequence[str]) -> None:
    """Measure the named parts, or all, on one thread, and write each as it is done.

    Raises:
        ValueError: if there is no such part.
    """
    share_cores()
    for part in parts or PARTS:
        start = time.monotonic()
        runs = {"runs": [run._asdict() for run in _tagged()]} if part == "taggers" else None
        measured = {
            "date": time.strftime("%Y-%m-%d"),
            "torch": torch.__version__,
            **(runs or measure_model(part)),
            "seconds": round(time.monotonic() - start),
        }
        text = json.dumps({**_written(), part: measured}, ensure_ascii=False)
        RECORD.write_text(text + "\n", "utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
