"""The sentences and the description of the tiny Transformer."""

from __future__ import annotations

from lessons.transformer.tiny_picture import right_word
from lmcore.transformer import tiny

MOVED = (
    "You moved **{label}** from {moved<} to =={moved}==: the mean loss went from {loss<} to "
    "**{loss}** nats per token, and p from {p<} to **{p}**."
)


def sentences(text: str, place: int) -> list[str]:
    """The findings for each most probable word: first if undecided, then if decided."""
    begin = f"After **{{step}}** steps, “{' '.join(text.split()[:place])}”"
    right = right_word(text, place)
    if right is None:
        return [f"{begin} continues with **{word}**: p = =={{best}}==." for word in tiny.WORDS] * 2
    p = f"p(**{tiny.WORDS[right]}**) = =={{p}}=="
    if place == 2:
        coin = f"{begin}: {p}. Both nouns are equally frequent here: ½ is the best possible."
        return [coin] * 2 * len(tiny.WORDS)
    looks = "; α to the first word is {a}" if place == 3 else ""
    undecided = f"{begin}: {p}{looks}. No word is clearly the most probable yet."
    decided = [
        f"{begin} continues with **{word}**, {'right' if word == tiny.WORDS[right] else 'wrong'}: "
        f"{p}{looks}."
        for word in tiny.WORDS
    ]
    return [undecided] * len(tiny.WORDS) + decided


def describe(text: str) -> str:
    """The alt text of the picture, as a template."""
    return (
        f"Every weight and every number of a Transformer with 244 weights over “{text}”, after "
        "{step} steps of training. Mean loss of the four sentences {loss} nats per token. "
        "p is {p}."
    )
