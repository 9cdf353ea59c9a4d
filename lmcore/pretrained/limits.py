"""Limits the length of a model's input: characters first, then tokens."""

from __future__ import annotations

from collections.abc import Sequence

from lmcore.models.bert import BERT
from lmcore.models.gpt import GPT

MOST_CHARACTERS = 20_000
"""Characters read of each text: a book pasted by mistake costs no more than its first pages."""
EXCERPT_LENGTH = 24


def clean_texts(*texts: str) -> tuple[tuple[str, ...], bool]:
    """The texts, each cut to `MOST_CHARACTERS`, and whether one was cut.

    A lone surrogate, which is not a character, becomes a question mark.
    """
    kept = tuple(
        text[:MOST_CHARACTERS].encode("utf-8", "replace").decode("utf-8") for text in texts
    )
    return kept, any(len(text) > MOST_CHARACTERS for text in texts)


def available_tokens(network: BERT | GPT, most: int, frame: int) -> int:
    """The number of text tokens that fit beside the `frame` tokens that the model itself adds.

    Raises:
        ValueError: if none fits.
    """
    longest = network.config.longest
    if most <= frame:
        raise ValueError(
            f"the number of tokens must be from {frame + 1} to {longest}, as {frame} are the "
            f"model's own; got {most}"
        )
    return min(most, longest) - frame


def token_shares(lengths: Sequence[int], room: int) -> list[int]:
    """How many tokens of one text, or of each of two, fit: the longer one is cut first.

    Raises:
        ValueError: if there is a text without tokens, or no room for one of each.
    """
    if not all(lengths):
        raise ValueError("the text must hold at least one token, such as a word; got none")
    if room < len(lengths):
        raise ValueError(f"there must be room for a token of each text; got room for {room}")
    if len(lengths) == 1:
        return [min(lengths[0], room)]
    shorter = min(min(lengths), max(room // 2, room - max(lengths)))
    longer = min(max(lengths), room - shorter)
    return [shorter, longer] if lengths[0] <= lengths[1] else [longer, shorter]


def require_single_text(name: str, pair: str) -> None:
    """Refuse a second text.

    Raises:
        ValueError: if there is one.
    """
    if pair:
        raise ValueError(
            f"{name} must be given one text, not a pair; got {pair[:EXCERPT_LENGTH]!r}"
        )
