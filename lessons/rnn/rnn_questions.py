"""What the page asks before it shows; the answers are computed from what is shown."""

from __future__ import annotations

import torch

import ui
from lessons.rnn.back_picture import Back
from lessons.rnn.deep_picture import DeepReading
from lessons.rnn.deep_text import change
from lmcore.numbers import format_number
from lmcore.recurrence.receptive_field import RecurrentStack, receptive_field
from lmcore.recurrence.unrolled import Unrolled, UnrolledPosition
from ui.models import ModelEntry


def questions(entry: ModelEntry, walk: UnrolledPosition, seen: Unrolled) -> list[ui.Question]:
    """The questions: the next word, its loss, an off-by-one loop, a gradient 50 steps back."""
    t = min(walk.step, len(walk.tokens) - 1)
    spelled = entry.model.vocabulary.decode(walk.tokens)
    return [
        _next_word(entry, seen, spelled, t),
        _loss(seen, spelled[t], t),
        ui.Question(
            "loop",
            f"This text has {len(walk.tokens)} tokens. How many does `for i in range(1, len(x))` "
            "read?",
            float(len(range(1, len(walk.tokens)))),
            "The range stops before len(x) and starts after 0, so one token is never read.",
            hint="Python counts from 0.",
        ),
        ui.Question(
            "vanish",
            "Each step back multiplies a gradient by 0.9. What share is left after 50?",
            0.9**50,
            "With 1.1 it would be 117.4 times as large; with 0.25, the steepest slope of σ, ten "
            "steps leave 0.25¹⁰, about a millionth.",
            hint="0.9 times itself, 50 times.",
        ),
    ]


def _next_word(entry: ModelEntry, seen: Unrolled, spelled: list[str], t: int) -> ui.Question:
    chances = seen.probabilities[t - 1]
    best = entry.model.vocabulary.decode(chances.topk(3).indices.tolist())
    return ui.Question(
        "next",
        f"Step {t} has read “{ui.escape_markdown(spelled[t - 1])}”. Which next word does the "
        "model expect most?",
        best[0],
        f"Its probability is {format_number(float(chances.max()))}, the "
        f"highest of {len(entry.model.vocabulary)}.",
        hint="Read the words so far: what can follow them?",
        options=tuple(sorted({*best, spelled[t]})),
        hides=("y", "p", "J", "mean"),
    )


def _loss(seen: Unrolled, word: str, t: int) -> ui.Question:
    chance = float(torch.exp(-seen.losses[t - 1]))
    return ui.Question(
        "loss",
        f"At step {t}, “{ui.escape_markdown(word)}” comes next. Its probability was "
        f"{format_number(chance)}. What is the loss J, in nats?",
        float(seen.losses[t - 1]),
        "J(t) is −log of the probability of the word that came next.",
        hint="The natural logarithm, with its sign turned around.",
        hides=("J", "mean"),
    )


def deep_questions(reading: DeepReading, stack: RecurrentStack, k: int) -> list[ui.Question]:
    """What the view *Deep and both ways* asks at word k: what a layer, or a direction, adds."""
    word, count = ui.escape_markdown(reading.words[k - 1]), len(reading.words)
    if stack.bidirectional and reading.exact is not None:
        left, both = (float(p[k - 1]) for p in reading.exact)
        return [_covered(word, left, both, change(reading, k - 1))]
    read, below = (
        int(receptive_field(each, count)[k - 1].sum()) for each in (stack, RecurrentStack(1))
    )
    if stack.layers == 1 or stack.bidirectional:
        because = f"The chain comes from the left: {read} words, “{word}” among them."
        if stack.bidirectional:
            because = "One chain comes from the left, and one from the right."
        return [
            ui.Question(
                "deep-one",
                f"On how many of the {count} words does the state at “{word}” depend?",
                float(read),
                because,
                hint="Which words has a chain read when it is at this one?",
                hides=("seen", "rest"),
            )
        ]
    return [
        ui.Question(
            "deep-two",
            f"Does the state of layer 2 at “{word}” depend on more words than that of layer 1?",
            "more words" if read > below else "the same words",
            "Layer 2 reads the states of layer 1, and the words to come are in none of them.",
            hint="Follow the arrows into the framed state backwards.",
            options=("more words", "the same words"),
            hides=("seen", "rest"),
        )
    ]


def _covered(word: str, left: float, both: float, change: str) -> ui.Question:
    """What the words after a covered word do to its p."""
    from_left, from_both = format_number(left), format_number(both)
    return ui.Question(
        "deep-both",
        f"“{word}” is covered. Its p given the words before it is {from_left}. What does it do if "
        "the words after it are read as well?",
        f"it {change}",
        f"From the left {from_left}, from both sides {from_both}: exactly, by the grammar.",
        hint="Do the words after it tell which word it must be?",
        options=("it rises", "it stays", "it falls"),
        hides=("both",),
    )


def back_questions(found: Back, live: ui.LiveNumbers) -> list[ui.Question]:
    """The question: what share of the gradient the steps after the cut have."""
    t, cut = int(live["t"]), int(live["cut"])
    kept, steps = live["kept"], min(cut, t) / t
    options = {f"{each:.0%}": each for each in (steps, kept, steps / 3)}
    if cut >= t or len(options) < 3:
        return []
    return [
        ui.Question(
            "back-kept",
            f"The last {cut} of {t} steps are kept. What share of the sum of the norms do they "
            "have?",
            f"{kept:.0%}",
            f"The norm is {format_number(live['last'])} at the last state and "
            f"{format_number(live['first'])} at the first.",
            hint="Does the gradient stay as large on its way back?",
            options=tuple(sorted(options, key=lambda each: options[each])),
            hides=("kept", "first", *(f"n {k}" for k in range(found.losses))),
        )
    ]
