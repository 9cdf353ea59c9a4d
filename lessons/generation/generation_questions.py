"""The questions of the Generation page; their answers are computed from the texts written."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import ui
from lessons.generation import slide_tree_picture
from lessons.generation.beam_picture import BeamSearchState
from lessons.generation.generation_picture import label
from lessons.generation.generation_state import GenerationState
from lessons.generation.needle_lines import Walk
from lmcore.decoding.continuations import Continuation
from lmcore.decoding.frontier import frontier
from lmcore.decoding.strategies import STRATEGIES
from lmcore.decoding.sweeps import FirstTokenSweep
from lmcore.decoding.tree_paths import TEXTS
from lmcore.decoding.writer import Writer
from lmcore.numbers import format_number
from ui import Question

CHECKED_STEPS = 10
"""Steps of the question about pruning."""


def questions(
    scene: GenerationState,
    lanes: Sequence[str],
    texts: Mapping[str, Continuation],
    first: FirstTokenSweep,
) -> list[Question]:
    """The most probable text, the tokens that top-p keeps, a perplexity, and the cost of a beam."""
    written = [name for name in lanes if texts[name].tokens]
    asked = [*_most_probable(written, texts), *_kept(scene, first)]
    if written:
        asked.append(_perplexity(written, texts))
    width = scene.settings.width
    counts = frontier(width, CHECKED_STEPS)
    return [
        *asked,
        Question(
            "frontier",
            f"Beam search of width {width} makes {CHECKED_STEPS} steps and no text ends. How many "
            "hypotheses does it expand?",
            float(counts.expanded),
            f"1, then {width} at each step. Without pruning {counts.held:,} would be held.",
            hint="The first step expands the prompt alone.",
        ),
    ]


def _most_probable(written: Sequence[str], texts: Mapping[str, Continuation]) -> list[Question]:
    different = {texts[name].tokens for name in written}
    if len(different) < 2 or len(different) < len(written):
        return []
    best = max(written, key=lambda name: texts[name].total)
    numbers = "; ".join(
        f"{STRATEGIES[name].label} {format_number(texts[name].total)}" for name in written
    )
    return [
        Question(
            "best",
            "Whose text is the most probable one?",
            STRATEGIES[best].label,
            f"log p of the whole texts: {numbers}.",
            hint="The darkest token of a text costs the most.",
            options=tuple(STRATEGIES[name].label for name in written),
            hides=(
                "times",
                *(f"{name}.{what}" for name in STRATEGIES for what in ("total", "score")),
            ),
        )
    ]


def _kept(scene: GenerationState, first: FirstTokenSweep) -> list[Question]:
    odds = first.now["top_p"]
    kept, p = int(odds.kept), scene.settings.top_p
    rows = first.model.tolist()
    if not 0 < kept <= len(rows) or p in (0, 1):
        return []
    summed = " + ".join(format_number(float(f"{each:.2g}")) for each in rows[:kept])
    return [
        Question(
            "kept",
            f"Top-p with p = {format_number(p)}: how many first tokens does it keep?",
            float(kept),
            f"{summed} = {format_number(math.fsum(rows[:kept]))} is the first sum that reaches "
            f"{format_number(p)}.",
            hint="Add up the bars from the top, until the sum reaches p.",
            hides=("@top_p.kept", "top_p.mass", *(f"top_p.{row}" for row in range(len(rows)))),
        )
    ]


def _perplexity(written: Sequence[str], texts: Mapping[str, Continuation]) -> Question:
    best = max(written, key=lambda name: texts[name].total)
    text = texts[best]
    return Question(
        "perplexity",
        f"{STRATEGIES[best].label} wrote {len(text.tokens)} tokens; their log p is "
        f"{format_number(text.total)}. What is the text’s perplexity?",
        text.perplexity,
        "exp(−log p / T): the score of the slide’s formula, divided by T on both sides, and its "
        "exponential.",
        hint="Divide log p by the number of tokens first.",
        hides=("perplexity",),
    )


def beam_questions(search: BeamSearchState, step: int) -> list[ui.Question]:
    """What the view *Beam search* asks about a step."""
    tree = search.tree
    under_way, types = tree.under_way[step - 1], search.writer.types
    counts = frontier(tree.how.width, CHECKED_STEPS)
    return [
        ui.Question(
            "beam-candidates",
            f"Step {step} expands {under_way} {'hypothesis' if under_way == 1 else 'hypotheses'}; "
            f"there are {types:,} tokens. How many candidates are compared?",
            float(under_way * types),
            f"{under_way} · {types:,}: every hypothesis with every token.",
            hint="Each hypothesis may go on with any token.",
        ),
        ui.Question(
            "beam-frontier",
            f"A beam of {tree.how.width} makes {CHECKED_STEPS} steps and no text ends. How many "
            "hypotheses does it expand?",
            float(counts.expanded),
            f"1, then {tree.how.width} at each step. Without pruning {counts.held:,} would be "
            "held.",
            hint="The first step expands the prompt alone.",
        ),
    ]


def tree_questions(read: dict[str, float]) -> list[ui.Question]:
    """What the view of the slide's tree asks, from its numbers."""
    texts = tuple(slide_tree_picture.text_label(text) for text in TEXTS)
    greedy, best = texts[int(read["@greedy"])], int(read["@best"])
    same = [name for name in ("greedy", "beam", "best") if int(read[f"@{name}"]) == best]
    return [
        ui.Question(
            "tree-greedy",
            "Which text does greedy search find?",
            greedy,
            "It takes the largest edge at every node, and never looks back.",
            hint="Begin at the root, and follow the thickest edge each time.",
            options=texts,
            hides=("@greedy", "greedyp", "@beam", "beamp"),
        ),
        ui.Question(
            "tree-best",
            f"What is the probability of “{texts[best]}”?",
            read["bestp"],
            "The product of the edges on its path.",
            hint="Multiply the edges from the root to the end.",
            hides=(f"p{best}", *(f"{name}p" for name in same)),
        ),
    ]


def walk_questions(found: Walk, writer: Writer) -> list[ui.Question]:
    """What the view *Random walk* asks: the word under the needle, and how often it is greedy's."""
    first = found.lines[0]
    words = tuple(label(writer, part.token) for part in first.parts)
    drawn, widest = label(writer, first.drawn.token), label(writer, first.widest.token)
    top = first.widest.high - first.widest.low
    return [
        ui.Question(
            "walk-word",
            f"The random number is {format_number(first.u)}. Which word does the walk take?",
            drawn,
            f"Its part goes from {format_number(first.drawn.low)} to "
            f"{format_number(first.drawn.high)}.",
            hint="Read the number on the scale under the line.",
            options=words,
            hides=("@word", "p", "low", "high", "p 0"),
        ),
        ui.Question(
            "walk-greedy",
            f"Greedy search always takes “{widest}”. Of 100 walks, how many take it first, on "
            "average?",
            100 * top,
            "A part is hit as often as it is long: its length is p.",
            hint="The line is 1 long; how long is the part of this word?",
            hides=("top", f"part {first.parts.index(first.widest)}", "p", "low", "high", "p 0"),
        ),
    ]
