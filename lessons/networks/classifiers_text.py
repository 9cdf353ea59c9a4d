"""What six features and two classifiers show of a review, in sentences and formulas."""

from __future__ import annotations

from lessons.networks.seen_review import SeenReview

FEATURES = (
    "positive words",
    "negative words",
    "“no” in it?",
    "I, me, you …",
    "“!” in it?",
    "ln(words)",
)
SHORT = ("good", "bad", "no", "me", "!", "length")
WORDS = ("negative", "positive")
FLAGS = (2, 4)
"""The features that are 1 or 0, however often their word occurs."""


def feature_sentence(seen: SeenReview) -> str:
    """What is left of the review, in one sentence."""
    return (
        "Six numbers are all that a classifier gets of this review: [input|{x1}] good, "
        f"[input|{{x2}}] bad, and {_no(seen)} [input|x₃] = =={{x3}}=="
    )


def _no(seen: SeenReview) -> str:
    return "for “no”" if seen.features.values[2] else "without “no”"


def verdicts(seen: SeenReview) -> str:
    """How both classifiers classify the review."""
    one, two = (WORDS[each.label] for each in seen.shown)
    lead = "With “no” in it" if seen.features.values[2] else "Without “no”"
    if one == two:
        return f"{lead}, both say {one}: one layer **{{one}}**, a hidden layer =={{two}}=="
    return f"{lead}, one layer says {one}, **{{one}}**; a hidden layer says {two}, =={{two}}=="


def feature_formula() -> list[str]:
    """The features as a vector, and the one that is a logarithm."""
    listed = ", ".join(f"{{x{i}}}" for i in range(1, 7))
    return [f"[input|x] = ({listed})", "[input|x₆] = ln {words} = **[input|{x6}]**"]


def classifier_formula() -> list[str]:
    """Both classifiers as formulas, with their results."""
    return [
        "one layer: [activation|ŷ] = σ([weight|w]·[input|x] + [weight|b]) = **[activation|{one}]**",
        "hidden layer: [activation|ŷ] = σ([weight|w⁽²⁾]·tanh([weight|W⁽¹⁾][input|x] + "
        "[weight|b⁽¹⁾]) + [weight|b⁽²⁾]) = **[activation|{two}]**",
    ]


def describe(seen: SeenReview, shows: str) -> str:
    """The alt text of the picture, as a template."""
    listed = ", ".join(f"{name} {{x{i}}}" for i, name in enumerate(SHORT, start=1))
    text = f"A review of {len(seen.features.features[5].matches)} words as six features: {listed}."
    return text if shows == "features" else f"{text} p(positive): {{one}} and {{two}}."
