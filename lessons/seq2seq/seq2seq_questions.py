"""What the page asks before it shows; the answers are computed from what is shown."""

from __future__ import annotations

from collections.abc import Sequence

from jaxtyping import Float64
from torch import Tensor

import ui
from lessons.seq2seq import seq2seq_picture
from lessons.seq2seq.seq2seq_views import named_place
from lessons.seq2seq.shifted_picture import Shifted, parts_at
from lessons.seq2seq.translated import Translated
from lmcore.attention.cross_steps import CrossSteps
from lmcore.numbers import format_number, subscript
from lmcore.vocabulary import END


def questions(shown: Translated, step: int) -> list[ui.Question]:
    """The questions about a step, from 1: where α is largest, its sum, and its effect."""
    i = min(step, len(shown.attention.written)) - 1
    n, places = subscript(i + 1), [named_place(shown, j) for j in range(len(shown.source_words))]
    return [
        _attends(shown, i, places),
        _swap_question(shown, i),
        ui.Question(
            "sum",
            f"The weights of this step, α{n}₁ to α{n}{subscript(len(places))}: what is their sum?",
            1.0,
            "A softmax over the source makes them. So c is a weighted average of the states.",
            hint="They come out of a softmax.",
        ),
        ui.Question(
            "vector",
            "The model without attention has states of "
            f"{shown.vector.trace.start.shape[-1]} numbers. How many numbers carry all "
            f"{len(places) - 1} words of the source to its decoder?",
            float(shown.vector.trace.start.shape[-1]),
            "They are the encoder’s last state, and they are as many for a source of 40 words.",
            hint="Only one state is handed over, whatever the length of the source.",
        ),
    ]


def _attends(shown: Translated, i: int, places: list[str]) -> ui.Question:
    """Which of the named places of the source has the largest α at step `i`, from 0."""
    word = shown.decode(shown.attention.written)[i]
    best = seq2seq_picture.largest_place(shown, i)
    others = [j for j in _spread(len(places)) if j != best][:3]
    weights = shown.attention.trace.weights
    assert weights is not None
    return ui.Question(
        "attends",
        f"The decoder is about to write “{word}”. Which state hⱼ has the largest weight "
        f"α{subscript(i + 1)}ⱼ?",
        places[best],
        f"Its weight is {format_number(float(weights[0, i, best]))}. Nobody marked which word "
        "belongs to which: training for the right words was enough.",
        hint="Which word of the source decides this one, and its ending?",
        options=tuple(places[j] for j in sorted([best, *others])),
        hides=("a1", "a2", "a3", "e1"),
    )


def _swap_question(shown: Translated, i: int) -> ui.Question:
    """The question which word is written if all of α is on another word of the source."""
    instead, chances = shown.attention.alternatives, shown.attention.alternative_probabilities
    assert instead is not None and chances is not None
    words = shown.decode(instead[i])
    word = shown.decode(shown.attention.written)[i]
    differ = [j for j, other in enumerate(words) if other not in (word, END)] or [0]
    at = max(differ, key=lambda j: float(chances[i, j]))
    options = dict.fromkeys([words[at], word, *(words[j] for j in _spread(len(words)))])
    return ui.Question(
        "swap",
        f"Now all of α{subscript(i + 1)} is put on {named_place(shown, at)}. Which word does the "
        "decoder write?",
        words[at],
        "The context is that one state now, and the decoder reads the word from it. Press the "
        "state to force it.",
        hint=f"With α as computed it writes “{word}”.",
        options=tuple(sorted(list(options)[:4])),
        hides=("instead",),
    )


def _spread(count: int) -> list[int]:
    """The numbers 0 … count − 1, ordered so that successive ones are far apart."""
    stride = next(k for k in (5, 7, 11, 13) if count % k)
    return [(2 + stride * k) % count for k in range(count)]


def cross_questions(
    found: CrossSteps,
    source: Sequence[str],
    weights: Float64[Tensor, "time source"],
    step: int,
) -> list[ui.Question]:
    """At which word of the source the decoder looks at a step, from 1, and how many rows it has."""
    word, best = found.written[step - 1], int(weights[step - 1].argmax())
    return [
        ui.Question(
            "looks",
            f"Step {step} writes “{word}”. At which word of the source does the decoder look most?",
            source[best],
            f"Its weight there is {format_number(float(weights[step - 1, best]))}.",
            hint="Which of them says the same?",
            options=tuple(dict.fromkeys(source)),
            hides=("top", *(f"a{step}.{j + 1}" for j in range(len(source)))),
        ),
        ui.Question(
            "read",
            "How often does the encoder read the source for this translation?",
            "once",
            "Its output stays; each step of the decoder asks it anew.",
            hint="Its words do not change while the translation is written.",
            options=("once", f"{len(found.written)} times, once a step"),
        ),
    ]


def shifted_questions(shown: Shifted) -> list[ui.Question]:
    """What the decoder reads at the chosen step in training, and where the model alone parts."""
    step = max(shown.step, 2)
    right, parts = shown.read[step - 1], parts_at(shown)
    others = [each for each in dict.fromkeys(shown.target) if each != right]
    return [
        ui.Question(
            "shifted",
            f"In training, step {step} is to predict “{shown.target[step - 1]}”. What does the "
            "decoder read at this step?",
            f"“{right}”",
            "The target shifted by one: the true word of the step before, whatever the model said.",
            hint="Training has the whole target at hand.",
            options=tuple(f"“{each}”" for each in sorted((right, *others[:3]))),
        ),
        ui.Question(
            "parts",
            "Alone, the model reads its own words. At which step does it write the first wrong "
            "one? (0: at none)",
            float(parts or 0),
            "From the next step on it reads a word that training never gave it there.",
            hint="Compare the row that it writes with the target.",
        ),
    ]
