"""The texts around the picture of both sides; their numbers are those of `sides_view`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from drawing.live import quoted
from lessons.bert.bert_picture import number_name
from lmcore.masked_lm.both_sides import SidesTrace

ASKED = "The text ends at the gap. What changes once the words after it are read, too?"
NOTE = (
    "Arcs: the attention of the gap to each token, the mean over all heads of all blocks. The rest "
    "goes to the gap itself and to the tokens that begin and end every text. “The text ends at the "
    "gap” is the same encoder on a shorter text, not a decoder."
)
MOST = 4
"""Words of a text that stand in a formula on either side of the gap."""


class SidesWords(NamedTuple):
    """The gap in words: the tokens on its left and right, and the word that is followed."""

    before: Sequence[str]
    after: Sequence[str]
    own: str
    own_id: int
    first: str
    """The likeliest word if the text ends at the gap."""
    first_id: int


def sentences(trace: SidesTrace, words: SidesWords) -> list[str]:
    """What is found, for each number of tokens that are read after the gap."""
    return [_sentence(trace, words, read) for read in range(trace.after + 1)]


def _sentence(trace: SidesTrace, words: SidesWords, read: int) -> str:
    own = f"“**{quoted(words.own)}**”"
    now = f"=={{{number_name('q', 0, words.own, words.own_id)}}}=="
    left = f"{{{number_name('left', 0, words.own, words.own_id)}}}"
    if read == 0:
        said = "Nothing follows the gap" if not trace.after else "The text ends at the gap"
        if words.first_id == words.own_id:
            return f"{said}: {own} is likeliest, with {now}."
        best = f"{{{number_name('left', 0, words.first, words.first_id)}}}"
        return f"{said}: {own} gets {now}; likeliest is “{quoted(words.first)}”, {best}."
    if read < trace.after:
        last = quoted(words.after[read - 1])
        return f"Read as far as “{last}”, {own} gets {now}; from the left alone {left}."
    goes = _goes(*(float(trace.log_q[row, words.own_id]) for row in (0, -1)))
    return f"An encoder reads **both sides**: {own} {goes} from {left} to {now}."


def _goes(before: float, after: float) -> str:
    return "rises" if after > before else "falls"


def formulas(trace: SidesTrace, words: SidesWords) -> list[list[str]]:
    """The two probabilities, for each number of tokens that are read after the gap."""
    own = quoted(words.own)
    left = f"{{{number_name('left', 0, words.own, words.own_id)}}}"
    now = f"{{{number_name('q', 0, words.own, words.own_id)}}}"
    before = quoted(" ".join([*_cut(words.before, last=True), "____"]))
    rows = [[f"[activation|q({own} | {before})] = **{left}**"]]
    for read in range(1, trace.after + 1):
        text = f"{before} {quoted(' '.join(_cut(words.after[:read])))}"
        rows.append([*rows[0], f"[activation|q({own} | {text})] = **{now}**"])
    return rows


def _cut(words: Sequence[str], *, last: bool = False) -> list[str]:
    """The words next to the gap; those that are left out are three dots."""
    if len(words) <= MOST:
        return list(words)
    return ["…", *words[-MOST:]] if last else [*words[:MOST], "…"]


def titles(trace: SidesTrace, words: SidesWords) -> list[str]:
    """The heading of the bars that move, for each number of tokens read after the gap."""
    between = [f"Read as far as “{word}”" for word in words.after[:-1]]
    return ["Nothing after it is read", *between, *["Both sides are read"] * (trace.after > 0)]


def describe(words: SidesWords) -> str:
    """Alt text."""
    own = quoted(words.own)
    left = f"{{{number_name('left', 0, words.own, words.own_id)}}}"
    now = f"{{{number_name('q', 0, words.own, words.own_id)}}}"
    text = quoted(" ".join([*words.before, "____", *words.after]))
    return (
        f"“{text}”. Arcs lead from the words to the gap: {{from left}} of its attention goes to "
        f"the left, {{from right}} to the right. “{own}” gets {left} if the text ends at the gap, "
        f"and {now} with {{fill_right}} of the tokens after it."
    )


def asked_words(words: SidesWords) -> str:
    """The question of the picture."""
    left = quoted(" ".join([*_cut(words.before, last=True), "____"]))
    right = quoted(" ".join(_cut(words.after)))
    return (
        f"“{left}”, and then “{right}” follows: what is the probability of “{quoted(words.own)}”?"
    )
