"""How counting comes to a probability: an n-gram's sum, its table, its training pairs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from lessons.shared.probability_grid import NGRAM_SETTINGS, TableRow, grid
from lmcore.evaluation.sentence import SentenceQuestion
from lmcore.models.ngram import NGram, NGramRows, NGramTrace
from lmcore.models.scoring import TrainingPair, pairs
from lmcore.numbers import format_number
from lmcore.shipped.models import SHIPPED
from lmcore.vocabulary import START, Vocabulary

EXPLAINED_COLUMNS = ("after", "c", "C", "kinds", "kept", "λ", "lower", "p = kept + λ·lower")
PAIRED = ("context → target", "context counted", "pair counted")


def explained_rows(trace: NGramTrace, vocabulary: Vocabulary) -> list[TableRow]:
    """A row a context length, as `EXPLAINED_COLUMNS` names the columns; the longest last."""
    return [
        (
            " ".join(vocabulary.decode(step.context)) or "nothing",
            *(float(step.count), float(step.context_count), float(step.kinds)),
            *(step.kept, step.weight, step.lower, step.probability),
        )
        for step in trace.steps
    ]


def explanation(model: NGram, trace: NGramTrace, label: str) -> str:
    """Why the probability is what it is, in a sentence or two."""
    word, last = model.vocabulary.tokens[trace.token], trace.steps[-1]
    context = " ".join(model.vocabulary.decode(last.context)) or "nothing"
    times = f"{last.context_count:,}" if last.context_count else "0"
    if not trace.seen and last.weight == 0:
        why = f"“{context}” never occurred: 0 of 0 is no estimate, so every word gets 0."
    elif not trace.seen:
        why = (
            f"“{context}” never occurred, so λ = {format_number(last.weight)}: all is left to "
            f"what lies below, {format_number(last.lower)}."
        )
    elif last.weight == 0:
        why = f"c / C = {last.count:,} / {times} = {format_number(trace.probability)}."
    else:
        why = (
            f"“{context}” occurred {times} times, {last.count:,} of them before “{word}”: it "
            f"keeps {format_number(last.kept)}, and adds λ = {format_number(last.weight)} of what "
            f"lies below, {format_number(last.lower)}."
        )
    return f"**{label}**, p({word}) = {format_number(trace.probability)}. {why}"


def smoothing(model: NGram) -> str:
    """The equation of the model's smoothing, as LaTeX."""
    config = model.config
    if config.smoothing == "none":
        return r"p(w \mid \text{context}) = \frac{c}{C}"
    if config.smoothing == "add-k":
        return rf"p(w \mid \text{{context}}) = \frac{{c + {config.k:g}}}{{C + {config.k:g}\,|V|}}"
    return (
        r"p(w \mid \text{context}) = \frac{\max(c - D, 0)}{C} + "
        r"\underbrace{\frac{D \cdot \text{kinds}}{C}}_{\lambda}\; p(w \mid \text{one word less}),"
        rf"\quad D = {config.discount:g}"
    )


def explained_words(model: NGram) -> str:
    """What the columns of `EXPLAINED_COLUMNS` mean, and what lies under the shortest context."""
    lowest = len(model.vocabulary) - model.padded
    left_out = f", since `{START}` begins a text and never comes next" if model.padded else ""
    return (
        "c is how often the word follows, C how often any word does, kinds how many different "
        "ones. Below the longest context, c and C count different words before, not occurrences. "
        f"Under all lies 1/|V| = 1/{lowest}{left_out}."
    )


def table_grid(rows: NGramRows) -> dict[str, Any]:
    """Rows of an n-gram's table: p of each word after each context, what never occurred marked."""
    shown = dict(zip(rows.contexts, rows.probabilities.tolist(), strict=True))
    zeros, cells = int((rows.counts == 0).sum()), rows.counts.size
    alt = (
        f"Probabilities of {len(rows.words)} words after {len(rows.contexts)} contexts; "
        f"{zeros} of the {cells} cells never occurred."
    )
    return grid(rows.words, shown) | {"alt": alt}


def table_words(rows: NGramRows) -> str:
    """How much of that table is 0."""
    return (
        "**The bigram table** at these words, after the row's word the column's: "
        f"{int((rows.counts == 0).sum())} of {rows.counts.size} cells are 0. Over all words a "
        "row sums to 1."
    )


def pair_rows(tokens: Sequence[str], model: NGram) -> list[TableRow]:
    """The training pairs of a sentence at the model's order, and how often each was counted."""
    ids = model.vocabulary.encode(tokens)
    found: list[TableRow] = []
    for t, pair in enumerate(pairs(tokens, model.config.order), start=1):
        step = model.explain(ids[:t], ids[t]).steps[-1]
        found.append((pair_text(pair), float(step.context_count), float(step.count)))
    return found


def pair_text(pair: TrainingPair) -> str:
    """A training pair on one line."""
    return f"{' '.join(pair.context) or 'nothing'} → {pair.target}"


def contexts_words(tokens: Sequence[str], order: int) -> str:
    """How many different contexts a sentence has, seen through the window of an N-gram."""
    every = pairs(tokens, order)
    kinds = len({pair.context for pair in every})
    whole = len({pair.context for pair in pairs(tokens)})
    word = "word" if order == 2 else "words"
    return (
        f"Order N = {order} sees N − 1 = {order - 1} {word}: {len(every)} pairs, {kinds} different "
        f"{'context' if kinds == 1 else 'contexts'}, where the whole past has {whole}."
    )


def snippet(question: SentenceQuestion, vocabulary: Vocabulary, *, completed: bool = False) -> str:
    """A script that prints the grid on screen; runs of this session it reads from saved files."""
    counted = "".join(
        f"    {name!r}: {NGRAM_SETTINGS[name]!r},\n"
        for name in question.models
        if name in NGRAM_SETTINGS
    )
    trained = [name for name in question.models if name in SHIPPED]
    own = [name for name in question.models if name not in NGRAM_SETTINGS and name not in SHIPPED]
    text = " ".join(vocabulary.decode(question.ids[1:]))
    grammars = '"Grammar": world'
    if completed:
        grammars += ', "Grammar, completed": microworld(complete=True)'
    return f"""import numpy as np

from lmcore.models import ngram
from lmcore.evaluation import sentence
from lmcore.shipped import models as shipped
from lmcore.corpora.microworld import microworld, training_documents

world = microworld()
documents = training_documents(world.sample(60_000, np.random.default_rng(1)))
models = {{{grammars}}}
counted = {{
{counted}}}
for name, (order, smoothing) in counted.items():
    config = ngram.NGramConfig(order, smoothing)
    models[name] = ngram.fit(config, world.vocabulary, documents)
for name in {trained!r}:
    models[name], _, _ = shipped.shipped(name)
{_own(own)}
text = {text!r}
ids = sentence.encode_sentence(world.vocabulary, text)
question = sentence.SentenceQuestion(ids, ("Grammar",), place={question.place})
for name, answer in sentence.ask_models(models, question).items():
    score = answer.score
    print(name, score.probabilities.tolist(), score.perplexity)
"""


def _own(names: Sequence[str]) -> str:
    """The lines of the script that read the runs of a session."""
    if not names:
        return ""
    return f"""
# Trained in this session: save each on the page Live training, under the name that stands here.
from pathlib import Path
from lmcore.training import checkpoint
for name in {list(names)!r}:
    models[name], _, _ = checkpoint.load_model(Path(f"{{name}}.safetensors").read_bytes())
"""
