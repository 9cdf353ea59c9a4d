"""The sentences, the formulas and the description of ten thousand words and their fates."""

from __future__ import annotations

from lmcore.corruption.story_words import WORDS, story_words

ALL = f"{WORDS:,}"
NONE, UNSORTED, ALL_MASKED, SORTED, ONLY_MASK_SORTED, OTHERS = range(6)
"""The places of the sentences, chosen by the number @say."""
ONLY_MASK = ALL_MASKED
MOVED = (
    "You moved **{label}** from {moved<} to =={moved}==: {n_chosen} chosen, {n_masked} \\[MASK\\], "
    "{n_random} random, {n_kept} kept. Nothing is drawn again."
)
NOTE = (
    f"The first {ALL} words of the story that comes with this app, each drawn by itself. A random "
    "word may happen to be the word that stood there. "
)


def sentences() -> list[str]:
    """The findings as templates, in the order of the places above."""
    often = story_words().stock.types[0]
    mask = "[weight|\\[MASK\\]]"
    return [
        f"None of {ALL} words is chosen: =={{n_chosen}}== terms, nothing to learn from.",
        f"=={{n_chosen}}== of {ALL} words are chosen to be predicted. What becomes of each?",
        f"=={{n_chosen}}== of {ALL} words are chosen, and each is hidden behind {mask}.",
        f"Of {{n_chosen}} chosen words, =={{n_masked}}== become {mask}, {{n_random}} a "
        "[gradient|random word], {n_kept} [activation|stay].",
        f"Only the {{n_chosen}} words behind {mask} are predicted. The other =={{n_rest}}== of "
        f"{ALL} add no term to the loss.",
        f"Of {{n_random}} [gradient|random words], =={{n_often}}== are “{often}”: frequent words "
        "come more often.",
    ]


def formulas() -> list[list[str]]:
    """How many are expected to be chosen; sorted, also how many meet each fate."""
    chosen = f"expected: {ALL}·{{corrupt_chosen}} = **[loss|{{e_chosen}}]**"
    fates = [
        f"{{e_chosen}}·{{{share}}} = **[{role}|{{{name}}}]**"
        for share, role, name in (
            ("corrupt_masked", "weight", "e_masked"),
            ("corrupt_random", "gradient", "e_random"),
            ("kept", "activation", "e_kept"),
        )
    ]
    return [[chosen], [chosen, *fates]]


def describe() -> str:
    """The alt text, as a template."""
    return (
        f"{ALL} squares, each a word of a story. {{n_chosen}} are chosen: {{n_masked}} hidden "
        "behind [MASK], {n_random} replaced by a random word, {n_kept} kept. The other {n_rest} "
        "are not predicted. Expected: {e_chosen} chosen, {e_masked}, {e_random} and {e_kept}."
    )
