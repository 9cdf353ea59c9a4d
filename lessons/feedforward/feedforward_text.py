"""The texts of the picture at any place of a text: its numbers, sentences and formulas."""

from __future__ import annotations

from typing import NamedTuple

import torch

from drawing.live import LiveNumbers, Slider, live_numbers, quoted
from lessons.feedforward.notation import DeckNotation, activation
from lmcore.embeddings.pipeline import PipelineTrace, UnitTerms
from lmcore.models.registry import NeuralModel

ASKED = "p1"
"""The probability of the best word; while it is hidden, nothing may name that word."""
MOST_ROWS = 3
"""Rows of E that a formula names."""


class Flow(NamedTuple):
    """The model, the text as it was read, its trace, and the terms that are drawn."""

    model: NeuralModel
    trace: PipelineTrace
    terms: UnitTerms

    def seen(self, at: int) -> list[str]:
        """The words of the window at a place."""
        return self.model.vocabulary.decode(self.trace.window[at].tolist())

    def best(self, at: int) -> list[str]:
        """The most probable next words at a place, best first."""
        return self.model.vocabulary.decode(self.trace.best[at].tolist())

    @property
    def words(self) -> list[str]:
        """The text."""
        return self.model.vocabulary.decode(self.trace.tokens.tolist())


def numbers(flow: Flow, at: int) -> LiveNumbers:
    """The numbers at one place, and at every place that the slider may be moved to."""
    trace, unit = flow.trace, flow.terms.unit[:, None]
    places = torch.arange(len(trace.tokens), dtype=torch.float64)
    none = torch.zeros(1, dtype=torch.float64)
    swept = {
        "place": places,
        "@at": places,
        "@say": places,
        "@formula": places,
        "z": trace.pre_activation.gather(1, unit)[:, 0],
        "h": trace.hidden.gather(1, unit)[:, 0],
        "pt": torch.cat([trace.true_probabilities, none]),
        "rank": torch.cat([trace.ranks.double(), none]),
    }
    for i in range(trace.best.shape[1]):
        chosen = trace.best[:, i : i + 1]
        swept[f"p{i + 1}"] = trace.probabilities.gather(1, chosen)[:, 0]
        swept[f"l{i + 1}"] = trace.logits.gather(1, chosen)[:, 0]
    now = {name: each[at] for name, each in swept.items()}
    if len(places) == 1:
        return live_numbers("feedforward", now, (), {})
    slider = Slider(
        "place",
        "place",
        "Position in the text",
        float(at),
        places.numpy(),
        help="The word that was read last: the window ends there",
    )
    rows = {name: each[None] for name, each in swept.items()}
    return live_numbers("feedforward", now, (slider,), rows)


def sentences(flow: Flow, *, asks: bool) -> list[str]:
    """The finding at each place: what the model sees, its first choice, and what follows."""
    return [_sentence(flow, at, asks=asks) for at in range(len(flow.trace.tokens))]


def _sentence(flow: Flow, at: int, *, asks: bool) -> str:
    seen = quoted(" ".join(flow.seen(at)))
    if asks:
        return f"The model sees **{seen}** and nothing else. Which word is most probable?"
    said = f"From **{seen}** alone the model gives **{quoted(flow.best(at)[0])}** =={{p1}}==."
    if at + 1 == len(flow.words):
        return f"{said} The text ends here."
    real = quoted(flow.words[at + 1])
    if real == quoted(flow.best(at)[0]):
        return f"{said} The text indeed continues with **{real}**."
    return f"{said} The text goes on with **{real}**: {{pt}}, rank {{rank}}."


def formulas(flow: Flow, letters: DeckNotation, *, asks: bool) -> list[list[str]]:
    """At each place: e, one unit's sum and output, and the best word's probability."""
    return [_formula(flow, letters, at, asks=asks) for at in range(len(flow.trace.tokens))]


def _formula(flow: Flow, letters: DeckNotation, at: int, *, asks: bool) -> list[str]:
    rows = [letters.row.replace("[{}]", " {}").format(word) for word in flow.seen(at)]
    shown = rows if len(rows) <= MOST_ROWS else [rows[0], "…", rows[-1]]
    best = "?" if asks else quoted(flow.best(at)[0])
    unit, bend = int(flow.terms.unit[at]) + 1, activation(flow.model)
    return [
        f"[input|{letters.side_by_side}] = {quoted('[' + '; '.join(shown) + ']')}",
        f"unit {unit}: [score|{letters.sum}] = [score|{{z}}]",
        f"[activation|{letters.hidden}] = {bend}([score|{{z}}]) = [activation|{{h}}]",
        f"[activation|ŷ]({best}) = softmax({letters.output_sum}) = **[activation|{{p1}}]**",
    ]


def describe(flow: Flow, at: int, *, asks: bool, sized: bool = True) -> str:
    """Alt text of the picture at one place; the size of e only while it is not asked for."""
    _, context, width = flow.trace.embedding.shape
    hidden, types = flow.trace.hidden.shape[1], len(flow.model.vocabulary)
    text = (
        f"From left to right: the words {quoted(', '.join(flow.seen(at)))}; their rows of E, "
        f"{width} numbers each; e{f', {context * width}' * sized}; z and h, {hidden} each; "
        f"{types} logits; "
        f"{types} probabilities."
    )
    if asks:
        return text
    best = enumerate(flow.best(at), start=1)
    bars = ", ".join(f"{quoted(word)} {{p{i}}}" for i, word in best)
    return f"{text} The most probable next words: {bars}."
