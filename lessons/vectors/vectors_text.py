"""The sentences, the formulas and the description of the map of word vectors."""

from __future__ import annotations

from collections.abc import Sequence

from lessons.vectors.vectors_picture import sentence_order
from lmcore.corpora.microworld_rules import AMBIGUOUS_WORDS
from lmcore.embeddings.static import planted
from lmcore.embeddings.static.maps import NearestThroughTime
from lmcore.embeddings.static.methods import METHODS, PPMI_SVD, MethodRun, VectorConfig
from lmcore.embeddings.static.neighbours import NEIGHBOURS
from lmcore.embeddings.static.nnlm import NnlmConfig


def run_sentences(run: MethodRun, near: NearestThroughTime, *, hidden: bool) -> list[str]:
    """The findings from which @say selects: one for each word that is ever the nearest."""
    word, svd = near.word, run.config.method == PPMI_SVD
    named = []
    for place, first, tied in sentence_order(near):
        other = "…?" if hidden else f"**{run.record.words[place]}**"
        noun = "dimension" if svd and first else "dimensions"
        when = f"With **{{step}}** {noun}" if svd else "After **{step}** steps"
        if tied:
            named.append(
                f"{when} no word is nearest to **{word}**: several share the largest cosine, "
                "=={c1}==."
            )
            continue
        if first and not svd:
            named.append(
                f"Before training, {other} is nearest to **{word}**, at cosine =={{c1}}==, by "
                "chance: all vectors are random."
            )
            continue
        why = "" if hidden else _reason(word, run.record.words[place])
        named.append(f"{when} {other} is nearest to **{word}**, at cosine =={{c1}}=={why}.")
    return named


def _reason(word: str, other: str) -> str:
    """Why two words are near, if the Microworld's planted groups explain it."""
    group = planted.group_of_word()
    if word in group and group[word] == group.get(other):
        return f": both are **{group[word]}** in the grammar"
    if word in group:
        return ": **not** planted by the grammar"
    if word in AMBIGUOUS_WORDS:
        return ": one vector for both of its senses"
    return ""


def run_formulas(run: MethodRun, near: NearestThroughTime, *, hidden: bool) -> list[list[str]]:
    """The formula of the cosine with its numbers, for each sentence of `run_sentences`."""
    unit = {PPMI_SVD: "left over", "GloVe": "J"}.get(run.config.method, "L")
    nats = " nats" if unit == "L" else ""
    found = []
    for place, *_ in sentence_order(near):
        other = "?" if hidden else run.record.words[place]
        found.append(
            [
                f"cos([input|v({near.word})], [input|v({other})]) = [score|v·v′] / "
                "([weight|‖v‖] [weight|‖v′‖]) = [score|{dot}] / ([weight|{n1}] · [weight|{n2}]) = "
                "**[score|{c1}]**",
                f"[loss|{unit}] = [loss|{{loss}}]{nats}",
            ]
        )
    return found


def describe_run(run: MethodRun, near: NearestThroughTime) -> str:
    """The alt text of the picture, as a template."""
    last = ", ".join(run.record.words[i] for i in near.ids[-1].tolist())
    when = "d = {step}" if run.config.method == PPMI_SVD else "step {step}"
    return (
        f"A map of word vectors by {run.config.method} at {when}. The {NEIGHBOURS} words nearest "
        f"to {near.word} in the end: {last}. The largest cosine is {{c1}}."
    )


def methods_finding(precisions: Sequence[float], date: str) -> str:
    """The best of `METHODS` by mean precision; `date`: of the record, "" if measured here."""
    top = max(precisions)
    best = METHODS[precisions.index(top)]
    return (
        f"Of the 5 nearest words of {best}, **{top:.0%}** are ones that the Microworld’s grammar "
        "puts into the same group: the best of five methods, "
        f"{f'recorded on {date}' if date else 'measured here'}. An animal’s singular and "
        "plural count as one group. With **each word class on its own**, *cats* is no longer a "
        "right neighbour of *cat*: the second bars."
    )


def cost_conditions(config: VectorConfig, nnlm: NnlmConfig, tokens: int, contexts: float) -> str:
    """What the three models were measured with, and why the measured ratio is smaller."""
    return (
        f"The same {tokens:,} tokens, {config.epochs} epochs, d = {config.dimensions}, "
        f"H = {nnlm.hidden}, N = {nnlm.context}, n = {contexts:.2f}, k = {config.negatives}, in "
        "double precision on this server’s CPU. The measured ratio is smaller: with so few words "
        "the time goes into steps that the formula does not count, such as drawing noise words and "
        "the optimiser, and word2vec’s time includes collecting its pairs. The NNLM reads only "
        "the words before; its neighbours are judged like the others."
    )
