"""Texts and tables on counts and networks: how a count becomes a probability; quality and cost.

The lecture's objective asks for four advantages and one cost of networks over counts, and no slide
lists them: more context, generalisation to similar words, no zeros, better prediction for the
numbers stored; the cost is time. Measured values decide whether each one holds here.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Literal, NamedTuple

from drawing.probability_grid import DescribedGrid, grid
from lessons.language_model.language_model_picture import NGRAM_SETTINGS, TableRow
from lmcore.evaluation import costs
from lmcore.evaluation.costs import ModelCosts
from lmcore.evaluation.sentence import SentenceQuestion
from lmcore.models.ngram import NGram, NGramRows, NGramTrace
from lmcore.models.scoring import TrainingPair, pairs
from lmcore.numbers import format_number
from lmcore.shipped.models import SHIPPED
from lmcore.vocabulary import START, Vocabulary

EXPLAINED_COLUMNS = ("after", "c", "C", "kinds", "kept", "λ", "lower", "p = kept + λ·lower")
PAIRED = ("context → target", "context counted", "pair counted")


def explained_rows(trace: NGramTrace, vocabulary: Vocabulary) -> list[TableRow]:
    """One row per context length, the longest last; the columns are `EXPLAINED_COLUMNS`."""
    return [
        (
            " ".join(vocabulary.decode(step.context)) or "nothing",
            *(float(step.count), float(step.context_count), float(step.kinds)),
            *(step.kept, step.weight, step.lower, step.probability),
        )
        for step in trace.steps
    ]


def explanation(model: NGram, trace: NGramTrace, label: str) -> str:
    """Explains how the probability was computed, in a sentence or two."""
    word, last = model.vocabulary.tokens[trace.token], trace.steps[-1]
    context = " ".join(model.vocabulary.decode(last.context)) or "nothing"
    times = f"{last.context_count:,}" if last.context_count else "0"
    if not trace.seen and last.weight == 0:
        why = f"“{context}” never occurred: 0 / 0 gives no estimate, so every word gets 0."
    elif not trace.seen:
        why = (
            f"“{context}” never occurred, so λ = {format_number(last.weight)}: the shorter "
            f"context decides alone, {format_number(last.lower)}."
        )
    elif last.weight == 0:
        why = f"c / C = {last.count:,} / {times} = {format_number(trace.probability)}."
    else:
        why = (
            f"“{context}” occurred {times} times, {last.count:,} of them before “{word}”: this "
            f"gives {format_number(last.kept)}, plus λ = {format_number(last.weight)} times the "
            f"shorter context's estimate, {format_number(last.lower)}."
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
    """Explains the columns of `EXPLAINED_COLUMNS`, and the uniform distribution below them."""
    lowest = len(model.vocabulary) - model.padded
    left_out = f", since `{START}` begins a text and never comes next" if model.padded else ""
    return (
        "c is how often the word follows, C how often any word does, kinds how many different "
        "words do. Below the longest context, c and C count different preceding words, not "
        f"occurrences. The last level is uniform, 1/|V| = 1/{lowest}{left_out}."
    )


def table_grid(rows: NGramRows) -> DescribedGrid:
    """Rows of an n-gram's table: p of each word after each context; unseen ones are marked."""
    shown = dict(zip(rows.contexts, rows.probabilities.tolist(), strict=True))
    zeros, cells = int((rows.counts == 0).sum()), rows.counts.size
    alt = (
        f"Probabilities of {len(rows.words)} words after {len(rows.contexts)} contexts; "
        f"{zeros} of the {cells} cells never occurred."
    )
    return {**grid(rows.words, shown), "alt": alt}


def table_words(rows: NGramRows) -> str:
    """How many cells of the bigram table are 0."""
    return (
        "**The bigram table** for these words: the column's word after the row's. "
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
    """How many different contexts a sentence has under an N-gram's window."""
    every = pairs(tokens, order)
    kinds = len({pair.context for pair in every})
    whole = len({pair.context for pair in pairs(tokens)})
    word = "word" if order == 2 else "words"
    also = ", too" if whole == kinds else ""
    return (
        f"Order N = {order} sees N − 1 = {order - 1} {word}: {len(every)} pairs with {kinds} "
        f"different {'context' if kinds == 1 else 'contexts'}; with the whole past there "
        f"{'is' if whole == 1 else 'are'} {whole}{also}."
    )


def snippet(question: SentenceQuestion, vocabulary: Vocabulary, *, completed: bool = False) -> str:
    """A script that prints the grid on screen; it reads this session's runs from saved files."""
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
    models[name] = ngram.fit_ngram(config, world.vocabulary, documents)
for name in {trained!r}:
    models[name], _, _ = shipped.load_shipped(name)
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


BENEFIT_COLUMNS = (
    "model",
    "sees, words",
    "test perplexity",
    "KL, nats per token",
    "share with p = 0",
    "p(fed | dog gets), mean",
    "p(fed | cat gets), mean",
)
COST_COLUMNS = (
    "model",
    "weights or counts",
    "numbers per query",
    "tokens read",
    "learning, s",
    "ms per query",
)
Verdict = Literal["holds", "holds in part", "does not hold here"]


class LearningCost(NamedTuple):
    """The cost of learning: tokens read, and seconds (estimated for a network)."""

    tokens: float
    seconds: float


class Claim(NamedTuple):
    """A claim of the lecture, whether it holds here, and the measured numbers."""

    title: str
    verdict: Verdict
    why: str


def benefit_row(label: str, found: ModelCosts) -> TableRow:
    """One model's row; the columns are `BENEFIT_COLUMNS`."""
    return (
        label,
        *(found.sees, found.perplexity, found.divergence, found.zeros),
        *(found.fed_dog, found.fed_cat),
    )


def cost_row(label: str, found: ModelCosts, learned: LearningCost) -> TableRow:
    """One model's row; the columns are `COST_COLUMNS`."""
    return label, float(found.stored), float(found.touched), *learned, 1000 * found.query


def measurement_words(one: ModelCosts) -> str:
    """Explains how the numbers of the table were measured."""
    return (
        f"Perplexity on {costs.DOCUMENTS:,} test documents, where the grammar's own is "
        f"{format_number(one.truth)}; KL on {costs.ROWS}. The n-grams were counted here and timed. "
        "The networks were trained beforehand: their tokens read are counted over all steps, and "
        f"their seconds are extrapolated from {costs.STEPS} steps timed now. A query predicts one "
        "more word. p(fed | dog gets) is a mean over the four openings of such sentences (today, "
        "every day, i have to …, i forgot to …); the picture has the one of its "
        "sentence. Times are for this server at this moment."
    )


def claims(
    found: Mapping[str, ModelCosts], learned: Mapping[str, LearningCost], floors: Sequence[float]
) -> list[Claim]:
    """The four advantages and the cost, from the numbers of some counts and some networks.

    `floors` holds the lowest perplexity of any model that sees 0, 1, 2 … words.

    Raises:
        ValueError: if there is no n-gram, or no network, to compare.
    """
    counts = {label: each for label, each in found.items() if each.kind == "counts"}
    networks = {label: each for label, each in found.items() if each.kind == "network"}
    if not counts or not networks:
        raise ValueError(
            "a comparison must have at least one n-gram and one network; got "
            f"{len(counts)} and {len(networks)}"
        )
    return [
        _context(counts, networks, floors),
        _alike(counts, networks),
        _zeros(counts, networks),
        _per_number(counts, networks),
        _slower(counts, networks, learned),
    ]


def _context(
    counts: Mapping[str, ModelCosts], networks: Mapping[str, ModelCosts], floors: Sequence[float]
) -> Claim:
    longest = max(counts, key=lambda label: counts[label].sees)
    words = int(counts[longest].sees)
    floor = floors[words]
    below = [label for label in networks if networks[label].perplexity < floor]
    why = (
        f"The longest context of an n-gram here is {words} words ({longest}). No model that sees "
        f"only that much gets below {format_number(floor)}: that is a theorem. "
    )
    each = ", ".join(_valued(networks, lambda m: m.perplexity))
    why += f"Perplexity of the networks: {each}. Below the floor: {', '.join(below) or 'none'}."
    return Claim("A longer context", _verdict(len(below), len(networks)), why)


def _alike(counts: Mapping[str, ModelCosts], networks: Mapping[str, ModelCosts]) -> Claim:
    best = max(counts, key=lambda label: counts[label].fed_dog)
    level = counts[best].fed_dog
    above = [label for label in networks if networks[label].fed_dog > level]
    why = (
        f"No training text says that a dog gets fed. p(fed | the dog gets): at most "
        f"{format_number(level)} by counting ({best}); "
        f"{', '.join(_valued(networks, lambda m: m.fed_dog))}. "
        f"Above every count: {', '.join(above) or 'none'}. The cat, which does get fed: "
        f"{', '.join(_valued(networks, lambda m: m.fed_cat))}."
    )
    return Claim(
        "What is learned about the cat helps with the dog", _verdict(len(above), len(networks)), why
    )


def _zeros(counts: Mapping[str, ModelCosts], networks: Mapping[str, ModelCosts]) -> Claim:
    nil = {label: each for label, each in counts.items() if each.zeros > 0}
    clean = [label for label in networks if networks[label].zeros == 0]
    shares = ", ".join(f"{label} {each.zeros:.3%}" for label, each in nil.items())
    why = (
        f"Test tokens with probability 0: {shares or 'none, as all these counts are smoothed'}. "
        f"Networks that give none, without smoothing: {', '.join(clean) or 'none is compared'}."
    )
    part = len(clean) if nil else min(len(clean), len(networks) - 1)
    return Claim("No zeros, without smoothing", _verdict(part, len(networks)), why)


def _per_number(counts: Mapping[str, ModelCosts], networks: Mapping[str, ModelCosts]) -> Claim:
    """Which networks predict better than every table of counts.

    A network wins outright if it also stores no more numbers than the best of them.
    """
    best = min(counts, key=lambda label: counts[label].perplexity)
    table = counts[best]
    wins = [label for label, each in networks.items() if each.perplexity < table.perplexity]
    outright = [label for label in wins if networks[label].stored <= table.stored]
    each = [
        f"{label} {format_number(m.perplexity)} from {m.stored:,} weights"
        for label, m in networks.items()
    ]
    why = (
        f"The best table, {best}: {format_number(table.perplexity)} from {table.stored:,} counts. "
        f"{'; '.join(each)}. Better than every table: {', '.join(wins) or 'none'}; with no more "
        f"numbers than that table: {', '.join(outright) or 'none'}."
    )
    if len(outright) < len(networks):
        why += " The microworld needs few counts; tables grow with the text, weights do not."
    if wins and len(outright) < len(networks):
        return Claim(PER_NUMBER, "holds in part", why)
    return Claim(PER_NUMBER, _verdict(len(outright), len(networks)), why)


PER_NUMBER = "Better prediction for the numbers stored"


def _slower(
    counts: Mapping[str, ModelCosts],
    networks: Mapping[str, ModelCosts],
    learned: Mapping[str, LearningCost],
) -> Claim:
    slowest = max(each.query for each in counts.values())
    fastest = min(each.query for each in networks.values())
    holds = [fastest > slowest]
    why = (
        f"One query: counts {_range([m.query for m in counts.values()], 1000.0)} ms, networks "
        f"{_range([m.query for m in networks.values()], 1000.0)} ms; it reads "
        f"{_range([float(m.touched) for m in counts.values()])} numbers of a table, "
        f"{_range([float(m.touched) for m in networks.values()])} of a network."
    )
    table = [learned[label].seconds for label in counts if label in learned]
    trained = [learned[label].seconds for label in networks if label in learned]
    if table and trained:
        holds.append(min(trained) > max(table))
        why = (
            f"Learning: counts {_range(table)} s, networks {_range(trained)} s, "
            f"{_as_long(min(trained) / max(table))}. {why}"
        )
    if fastest <= slowest:
        why += (
            " Measured in time, not every table is faster than the networks: multiplying weights "
            "is fast, and this world is small."
        )
    return Claim("The cost: slower to train and to query", _verdict(sum(holds), len(holds)), why)


def _as_long(times: float) -> str:
    """How the quickest network compares with the slowest table, rounded down."""
    if times >= 2:
        return f"{math.floor(times):,} times as long or more"
    return "no network sooner than a table" if times > 1 else "not every network later than a table"


def _range(values: Sequence[float], scale: float = 1.0) -> str:
    low, high = (format_number(float(f"{scale * end:.2g}")) for end in (min(values), max(values)))
    return low if low == high else f"{low} to {high}"


def _valued(found: Mapping[str, ModelCosts], value: Callable[[ModelCosts], float]) -> list[str]:
    return [f"{label} {format_number(value(each))}" for label, each in found.items()]


def _verdict(yes: int, of: int) -> Verdict:
    if yes == of:
        return "holds"
    return "holds in part" if yes else "does not hold here"
