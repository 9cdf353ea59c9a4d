"""Measures the models that come with the application on texts they were not trained on.

    python -m lmcore.shipped.evaluate [name …]       all models, or the named ones

The same figures are on each model's card, from when it was trained.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from lmcore.corpora.microworld import microworld
from lmcore.corpora.translation import LONGEST, SHORTEST, held_out_sources
from lmcore.device import share_cores
from lmcore.evaluation import against_grammar, exact_match
from lmcore.masked_lm import filling_in, next_sentence
from lmcore.masking import without_causal_mask
from lmcore.models.bert import BERT
from lmcore.models.lstm import LSTM
from lmcore.models.registry import Network, NeuralModel, TranslationModel
from lmcore.recurrence import unit_probes
from lmcore.shipped.models import SHIPPED, TRANSLATORS, path, shipped_spec
from lmcore.training import checkpoint
from lmcore.training.loop import Training, validation_loss
from lmcore.training.spec import RunSpec

Figures = dict[str, float]
AGREEMENT = ("near a place", "that sees others", "that others see", "2 clauses deep")
POSITION = "position in line"
QUICK_DOCUMENTS = 300
"""Documents of a quick measurement."""


def figures(name: str, file: Path, *, quick: bool = False) -> Figures:
    """The figures of a model's file; `quick` measures on a tenth of the texts.

    Raises:
        ValueError: if the file is damaged.
    """
    network, vocabulary, spec, _ = checkpoint.load_network(file.read_bytes())
    if isinstance(network, BERT):
        return encoder_figures(network, quick=quick)
    if isinstance(network, TranslationModel):
        return translator_figures(network, spec, quick=quick)
    model = NeuralModel(network, vocabulary)
    if not spec.model.causal:
        return _unmasked_figures(model)
    if spec.corpus.source == "microworld":
        return word_model_figures(model, quick=quick)
    measures: Figures = {"loss, nats per token": held_out_loss(name, network)}
    if isinstance(network, LSTM) and spec.corpus.source == "quoted":
        best, _ = unit_probes.search(network, vocabulary)
        measures |= {f"{each.label}, {each.kind}": _tracking_score(each) for each in best}
    return measures


def word_model_figures(model: NeuralModel, *, quick: bool) -> Figures:
    """A model of the microworld's words against the grammar."""
    world = microworld()
    documents = against_grammar.test_documents(
        world, QUICK_DOCUMENTS if quick else against_grammar.TEST_DOCUMENTS
    )
    judged = against_grammar.compare_by_split(model, documents, world)
    right = {
        each.construction: each.accuracy for each in against_grammar.construction_results(model)
    }
    return {
        "perplexity over the grammar's": judged["all"].ratio,
        "perplexity over the grammar's, unseen documents": judged["unseen"].ratio,
        "KL, nats per token": judged["all"].divergence,
        "agreement right": min(right[name] for name in AGREEMENT),
        "pronoun right, after a gap": right["pronoun, then a gap"],
        "pronoun right, new pair after a gap": right["pronoun, new pair, then a gap"],
    }


def encoder_figures(network: BERT, *, quick: bool) -> Figures:
    """A masked model against the grammar's exact posterior, and next sentence prediction."""
    world = microworld()
    documents = against_grammar.test_documents(
        world, QUICK_DOCUMENTS if quick else against_grammar.TEST_DOCUMENTS
    )
    filled = filling_in.fill_in(network, documents, world)
    pairs = next_sentence.measure_next_sentence(network, documents)
    return {
        "covered word: expected accuracy": filled.accuracy,
        "covered word: the best possible": filled.best,
        "covered word: share of the best": filled.share,
        "covered word: KL, nats": filled.divergence,
        "next sentence told from another": pairs.accuracy,
    }


def translator_figures(network: TranslationModel, spec: RunSpec, *, quick: bool) -> Figures:
    """Exact match at the lengths seen in training, and at lengths that were not."""
    task, longest = spec.corpus.task or "", spec.corpus.longest or 0
    sentences = exact_match.SENTENCES // (10 if quick else 1)
    seen = range(SHORTEST[task], longest + 1, 4 if quick else 1)
    scores = exact_match.exact_match_by_length(network, task, seen, sentences=sentences)
    (beyond,) = exact_match.exact_match_by_length(network, task, [LONGEST], sentences=sentences)
    sources = held_out_sources(task, longest, sentences)
    bias = exact_match.measure_exposure_bias(network, sources, task).losses
    return {
        "exact match, lengths seen": sum(each.exact for each in scores)
        / sum(each.sentences for each in scores),
        f"exact match, {longest} words": scores[-1].interval[0],
        f"exact match, {LONGEST} words": beyond.interval[0],
        f"loss at {longest} words, teacher-forced": bias[0],
        f"loss at {longest} words, free-running": bias[1],
    }


def held_out_loss(name: str, network: Network) -> float:
    """The validation loss of a model of running text."""
    run = Training(SHIPPED[name])
    run.network.load_state_dict(network.state_dict())
    return validation_loss(run)


def _tracking_score(found: unit_probes.ProbedUnit) -> float:
    """|r| for the position, else the AUC, or 1 − AUC for a unit that decreases with the label."""
    if found.label == POSITION:
        return abs(found.scored)
    return max(found.scored, 1 - found.scored)


def _unmasked_figures(model: NeuralModel) -> Figures:
    return {
        "grammatical texts it writes": without_causal_mask.generate_texts(model, microworld()).share
    }


def main(names: Sequence[str], write: Callable[[str], object] = sys.stdout.write) -> None:
    """Print the figures of the named models, or of all."""
    share_cores()
    for name in names or (*SHIPPED, *TRANSLATORS):
        shipped_spec(name)
        write(f"{name}\n")
        for label, value in figures(name, path(name)).items():
            write(f"    {label:<52} {value:.4f}\n")


if __name__ == "__main__":
    main(sys.argv[1:])
