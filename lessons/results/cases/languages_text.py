"""The sentences, the formula and the description of one sentence in eight languages."""

from __future__ import annotations

from lessons.results.cases.languages_picture import Language, kind_of, languages

SAYS = (
    "**{name}** in BERT’s English vocabulary: every word is one piece, =={{rate}}== a word.",
    "BERT’s English vocabulary cuts **{name}** into =={{rate}}== pieces a word; {own} has {{own}}.",
    "BERT’s English vocabulary spells **{name}** out: =={{rate}}== pieces a word; {own} has "
    "{{own}}.",
)
"""By `kind_of`."""


def sentences() -> list[str]:
    """What the vocabulary makes of each language."""
    own = languages()[0].name
    return [SAYS[kind_of(each)].format(name=each.name, own=own) for each in languages()]


def formula() -> list[str]:
    """Pieces a word of the chosen language, and how many pieces are single letters."""
    return [
        "[input|{pieces}] pieces / {words} words = **{rate}**",
        "single letters: {singles} of {pieces} pieces",
    ]


def describe() -> str:
    """The alt text, as a template."""
    rows = "; ".join(_row(n, each) for n, each in enumerate(languages()))
    return (
        "A bar for each of eight languages: pieces a word in an English vocabulary, and below or "
        f"beside them the sentence of one language in its pieces. {rows}."
    )


def _row(n: int, language: Language) -> str:
    return f"{language.name} {{rate {n}}}"
