"""The sentences, the formulas and the description of the picture of cross-attention."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from jaxtyping import Float64
from torch import Tensor

from lmcore.attention.cross_steps import CrossSteps
from lmcore.numbers import format_number
from lmcore.vocabulary import END

Quote = Callable[[str], str]
"""Escapes a word for a sentence."""
SHARP = 0.9
"""From this weight on the decoder looks at one word alone."""


def sentences(
    found: CrossSteps, source: Sequence[str], weights: Float64[Tensor, "time source"], quote: Quote
) -> list[str]:
    """For each step where the decoder looks, as a template."""
    said = [
        _sentence(quote(word), quote(source[int(row.argmax())]), float(row.max()))
        for word, row in zip(found.written, weights, strict=True)
    ]
    return [*said[:-1], _whole(found, source, weights, quote) or said[-1]]


def _whole(
    found: CrossSteps, source: Sequence[str], weights: Float64[Tensor, "time source"], quote: Quote
) -> str:
    """Where the decoder has looked, after the last step; empty if nothing has been written."""
    if len(found.written) < 2 or found.written[-1] != END:
        return ""
    *looks, _ = [source[int(row.argmax())] for row in weights]
    how = "looked" if float(weights.max(dim=1).values.min()) >= SHARP else "looked most"
    named = ", ".join("the end" if each == END else quote(each) for each in looks)
    return f"Step by step the decoder {how} at {named}; at the end its weight is =={{top}}==."


def _sentence(word: str, looks: str, weight: float) -> str:
    ends = "To end the sentence" if word == END else f"To write “{word}”"
    at = "the end" if looks == END else f"“{looks}”"
    if weight >= SHARP:
        return f"{ends}, the decoder looks back at {at}: weight =={{top}}==."
    return f"{ends}, the decoder looks most at {at}: weight =={{top}}==, the rest is elsewhere."


def formulas(
    found: CrossSteps,
    source: Sequence[str],
    weights: Float64[Tensor, "time source"],
    quote: Quote,
    *,
    covered: bool,
) -> list[list[str]]:
    """For each step how its weights come about, and the word that is written, as templates.

    Where the weights are `covered`, the word that has the largest one is not named.
    """
    keys = f"[key|k({quote(source[0])} … {quote(source[-1])})]"
    made = list[list[str]]()
    for read, word, row in zip(found.read, found.written, weights, strict=True):
        largest = f"α({quote(source[int(row.argmax())])}) = **[activation|{{top}}]**"
        made.append(
            [
                f"α = softmax( [query|q({quote(read)})] · {keys} ÷ √dₖ )",
                *([] if covered else [largest]),
                f"→ [query|{quote(word)}], p = {{p}}",
            ]
        )
    return made


def describe(
    found: CrossSteps, source: Sequence[str], weights: Float64[Tensor, "time source"], step: int
) -> str:
    """The alt text: for each step so far the word at which the decoder looks most."""
    looks = (
        f"{word} at {source[int(row.argmax())]} ({format_number(float(row.max()))})"
        for word, row in zip(found.written[:step], weights, strict=False)
    )
    return f"Where the decoder looks to write each word: {', '.join(looks)}."
