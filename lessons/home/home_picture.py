"""The data of Home's picture: words on a line of length 1, and a needle."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypedDict

from drawing.payload import Script
from lessons.home.home_state import PROMPT, SHOWN, Opening


class HomePicture(TypedDict):
    """The prompt, and all words with what follows each; the most probable first."""

    prompt: str
    words: Sequence[str]
    sequels: Sequence[str]
    shown: int
    """The number of words whose parts are drawn one by one."""


HOME = Script("home", HomePicture, ("u", "heat", "p#", "rest", "chosen", "@word"))


def payload(opening: Opening) -> HomePicture:
    """The data of the picture."""
    return {
        "prompt": PROMPT,
        "words": opening.words,
        "sequels": opening.sequels,
        "shown": SHOWN,
    }


def sentences(opening: Opening) -> list[str]:
    """One sentence per word whose part is drawn, and one for all others."""
    begins = "A language model gives every next word a probability: "
    named = [f"{begins}**{word}** =={{chosen}}==." for word in opening.words[:SHOWN]]
    others = f"{begins}the word under the needle =={{chosen}}==."
    drag = "**Drag the needle;** a program draws a random number."
    return [f"{each} {drag}" for each in (*named, others)]


def describe(opening: Opening) -> str:
    """The text alternative."""
    top = ", ".join(f"{word} {{p{i}}}" for i, word in enumerate(opening.words[:6]))
    return (
        f"After “{PROMPT}” at temperature {{heat}}, each word has a part of a line of length 1: "
        f"{top}. The needle at {{u}} falls on a word of probability {{chosen}}."
    )
