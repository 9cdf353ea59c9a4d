"""The sentences and formulas of the picture, one for each quantity of each step."""

from __future__ import annotations

import math
from collections.abc import Collection
from typing import NamedTuple

from jaxtyping import Float64
from torch import Tensor

from drawing.live import quoted
from lmcore.numbers import subscript
from lmcore.recurrence.unrolled import PHASES, Unrolled, UnrolledPosition
from lmcore.vocabulary import Vocabulary

LITTLE = 0.005
"""A difference between losses, in nats, that is too small to mention."""
SURE = 0.05
"""A loss below which the next word was as good as certain, in nats."""


class WalkFacts(NamedTuple):
    """What the texts of all steps are written from."""

    words: list[str]
    """The text, as templates show it."""
    favourites: list[str]
    """The likeliest next word at each step."""
    known: int
    """The size of the vocabulary."""
    unit: int
    units: int
    width: int
    """Numbers of an embedding."""
    truth: list[float]
    """The grammar's own losses."""
    losses: list[float]

    @property
    def hardest(self) -> int:
        """The step of the largest loss, from 1."""
        known = self.losses[:-1]
        return known.index(max(known)) + 1


def walk_facts(
    walk: UnrolledPosition,
    unrolled: Unrolled,
    vocabulary: Vocabulary,
    truth: Float64[Tensor, " loss"],
) -> WalkFacts:
    """The facts of a walk that its texts use."""
    best = unrolled.probabilities.argmax(dim=1).tolist()
    return WalkFacts(
        words=[quoted(word) for word in vocabulary.decode(walk.tokens)],
        favourites=[quoted(word) for word in vocabulary.decode(best)],
        known=len(vocabulary),
        unit=walk.unit,
        units=unrolled.hidden.shape[1],
        width=unrolled.embedding.shape[1],
        truth=truth.tolist(),
        losses=unrolled.losses.tolist(),
    )


def sentences(facts: WalkFacts, hidden: Collection[str] = ()) -> list[str]:
    """What each quantity of each step does with its numbers, in the order of @say."""
    return [
        _SENTENCES[phase](facts, t, hidden)
        for t in range(1, len(facts.words) + 1)
        for phase in PHASES
    ]


def formulas(facts: WalkFacts, hidden: Collection[str] = ()) -> list[list[str]]:
    """The equation of each quantity of each step with its numbers, in the order of @formula."""
    return [
        _FORMULAS[phase](facts, t, hidden)
        for t in range(1, len(facts.words) + 1)
        for phase in PHASES
    ]


def describe(facts: WalkFacts) -> str:
    """The alt text of the picture, as a template."""
    return (
        f"A recurrent network unrolled over {len(facts.words)} tokens: "
        f"{' '.join(facts.words)}. Step {{t}} is large: hidden unit {facts.unit} is {{h}}; the "
        "likeliest next word has p = {y}."
    )


def _says_word(facts: WalkFacts, t: int, hidden: Collection[str]) -> str:
    if t == 1:
        return (
            f"Step 1 reads **{facts.words[0]}**, the mark of the beginning. There is no past yet: "
            "h₀ is all zeros."
        )
    return (
        f"Step {t} of {len(facts.words)} reads **{facts.words[t - 1]}**. The network sees only its "
        f"number in the list of {facts.known} tokens: ==[input|{{id}}]==."
    )


def _says_embedding(facts: WalkFacts, t: int, hidden: Collection[str]) -> str:
    return (
        f"**{facts.words[t - 1]}** becomes {facts.width} numbers: [input|row {{id}} of E]. "
        "Training set them; the first is [input|{e1}]."
    )


def _says_hidden(facts: WalkFacts, t: int, hidden: Collection[str]) -> str:
    past = f"[activation|{{wh}}] from h{subscript(t - 1)}"
    return (
        f"The new state mixes word and past. Unit {facts.unit}: [input|{{wx}}] from "
        f"“{facts.words[t - 1]}”, {past}, and it becomes ==[activation|{{h}}]==."
    )


def _says_output(facts: WalkFacts, t: int, hidden: Collection[str]) -> str:
    if "y" in hidden:
        return (
            f"After “{facts.words[t - 1]}”, each of the {facts.known} tokens has a probability. "
            "Which has the highest?"
        )
    said = f"After “{facts.words[t - 1]}” the model expects **{facts.favourites[t - 1]}** most: "
    if t == len(facts.words) or facts.words[t] == facts.favourites[t - 1]:
        return f"{said}p = ==[activation|{{y}}]==."
    return f"{said}p = ==[activation|{{y}}]==. “{facts.words[t]}” gets {{p}}."


def _says_loss(facts: WalkFacts, t: int, hidden: Collection[str]) -> str:
    if t == len(facts.words):
        return (
            f"What follows “{facts.words[-1]}” is not known, so there is no loss yet. Mean so far: "
            "[loss|{whole}] nats, perplexity {perplexity}."
        )
    here = f"“{facts.words[t]}” came next"
    if "y" in hidden:
        return _says_output(facts, t, hidden)
    if "J" in hidden:
        return f"{here}, with p = {{p}}. What is the loss, in nats?"
    most = ", the largest here" if t == facts.hardest else ""
    said = f"{here}, with p = {{p}}: loss ==[loss|{{J}}]== nats{most}."
    if math.isinf(facts.truth[t - 1]):
        return f"{said} The grammar never produces this, so a high loss is correct."
    if facts.losses[t - 1] < SURE:
        return f"{said} The model was nearly certain, and right."
    own = facts.losses[t - 1] - facts.truth[t - 1]
    if own < -LITTLE:
        return f"{said} The grammar itself expects it less, and loses {{grammar}}."
    if own <= LITTLE:
        return f"{said} All of it is chance, which no model can predict."
    return f"{said} {{grammar}} nats are unavoidable; the model adds {{own}}."


def _writes_word(facts: WalkFacts, t: int, hidden: Collection[str]) -> list[str]:
    return [
        f"[input|x{subscript(t)}] = **{facts.words[t - 1]}**",
        f"id {{id}} of 0 … {facts.known - 1}",
    ]


def _writes_embedding(facts: WalkFacts, t: int, hidden: Collection[str]) -> list[str]:
    return [
        f"[input|e{subscript(t)}] = E[{{id}}] = [ [input|{{e1}}]  [input|{{e2}}]  "
        "[input|{e3}]  … ]",
        f"{facts.width} numbers",
    ]


def _writes_hidden(facts: WalkFacts, t: int, hidden: Collection[str]) -> list[str]:
    now, before = subscript(t), subscript(t - 1)
    return [
        f"[activation|h{now}] = tanh([input|Wₓe{now}] + [activation|Wₕh{before}] + [weight|b])",
        f"unit {facts.unit}: tanh([input|{{wx:p}}] + [activation|{{wh:p}}] + [weight|{{b:p}}]) = "
        "**[activation|{h}]**",
    ]


def _writes_output(facts: WalkFacts, t: int, hidden: Collection[str]) -> list[str]:
    now = subscript(t)
    best = "?" if "y" in hidden else f"“{facts.favourites[t - 1]}”"
    return [
        f"[activation|ŷ{now}] = softmax(U [activation|h{now}] + b₂)",
        f"ŷ{now}[{best}] = **[activation|{{y}}]**",
    ]


def _writes_loss(facts: WalkFacts, t: int, hidden: Collection[str]) -> list[str]:
    if t == len(facts.words):
        return [
            f"[loss|J({t})] needs the next word",
            "mean J = [loss|{whole}] nats",
            "perplexity = exp([loss|{whole}]) = {perplexity}",
        ]
    return [
        f"[loss|J({t})] = −log ŷ{subscript(t)}[{facts.words[t]}] = −log {{p}} = "
        "**[loss|{J}]** nats",
        "mean so far [loss|{mean}]",
    ]


_SENTENCES = {
    "x": _says_word,
    "e": _says_embedding,
    "h": _says_hidden,
    "y": _says_output,
    "J": _says_loss,
}
_FORMULAS = {
    "x": _writes_word,
    "e": _writes_embedding,
    "h": _writes_hidden,
    "y": _writes_output,
    "J": _writes_loss,
}
