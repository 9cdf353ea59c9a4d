"""What the page asks before it shows; the answers are computed from what is shown."""

from __future__ import annotations

import ui
from lessons.tokens.tokens_state import TokensState
from lmcore.tokenization.inputs import InputTrace, word_spans
from lmcore.tokenization.merges import MergesTrace
from lmcore.tokenization.pieces import MatchTrace
from lmcore.tokenization.rules import SPECIAL_TOKENS


def merges_questions(scene: TokensState) -> list[ui.Question]:
    """What the page asks: pieces of the word, the next pair's effect on the text, |V|."""
    trace, n, word = scene.trace, scene.merges, scene.named
    row = word.pieces(n)
    asked = [
        ui.Question(
            "pieces",
            f"Into how many pieces do {n:,} merges split “{ui.escape_markdown(word.word)}”?",
            float(len(row)),
            f"{ui.escape_markdown(' '.join(row))}: no merge so far joins two of them.",
            hint="Count the trees below the level, single letters too.",
            hides=("pieces", "sentence"),
        )
    ]
    if n < len(trace.merges):
        asked.append(_next_merge(trace, n))
    special, letters = len(SPECIAL_TOKENS), len(trace.base)
    asked.append(
        ui.Question(
            "types",
            f"{special} special tokens, {letters} letters, marked and unmarked, {n:,} merges: "
            "how many types does the vocabulary have?",
            float(trace.types[n]),
            "A merge adds its piece, unless an earlier merge made the same one.",
            hint="A merge adds one piece and takes none away.",
            hides=("types", "made"),
        )
    )
    return asked


def _next_merge(trace: MergesTrace, n: int) -> ui.Question:
    """How many tokens the text has after one more merge than `n`."""
    merge, before, after = trace.merges[n], int(trace.tokens[n]), int(trace.tokens[n + 1])
    return ui.Question(
        "after",
        f"The text has {before:,} tokens, and {ui.escape_markdown(' '.join(merge.pair))} occur "
        f"side by side {merge.count:,} times. How many tokens does it have after this merge?",
        float(after),
        f"Two tokens become one wherever the pair stands: {before:,} − {before - after:,}.",
        hint="How many tokens does one merged pair save?",
    )


def longest_questions(match: MatchTrace) -> list[ui.Question]:
    """The questions about the lookups: how many the first piece takes, and how many there are."""
    tries = len(match.attempts)
    first = next((i for i, each in enumerate(match.attempts, start=1) if each.known), tries)
    word = ui.escape_markdown(match.word)
    asked = [
        ui.Question(
            "lookups",
            f"Is each lookup one letter shorter until one is found, how many does “{word}” need "
            "in all?",
            float(tries),
            "Each piece needs one lookup, and one more for each letter that is left out first.",
            hint="After a piece is found, the next lookup has all the letters that are left.",
            hides=("tries", "pieces"),
        )
    ]
    if tries and match.attempts[first - 1].known:
        piece = match.attempts[first - 1]
        asked.append(
            ui.Question(
                "first",
                f"How many lookups does it take to find “{ui.escape_markdown(piece.piece)}”?",
                float(first),
                f"From {len(match.word)} letters down to {piece.end}: "
                f"{len(match.word)} − {piece.end} + 1.",
                hint="The first lookup has all letters of the word.",
                hides=("tries", "pieces"),
            )
        )
    return asked


def rows_question(trace: InputTrace) -> list[ui.Question]:
    """How many rows the words of a text become; nothing if that cannot be guessed wrongly."""
    read = trace.reading
    rows, special = len(read.tokens), int(read.special.sum())
    words = len(word_spans(read.tokens, read.special.tolist()))
    options = {words, words + 1, words + special, rows}
    if len(options) < 3:
        options |= {rows + 1, rows + 2}
    more = rows - special - words
    pieces = f", and {more} more because a word is split" if more else ""
    return [
        ui.Question(
            "rows",
            f"{words} words: how many rows go into the model?",
            str(rows),
            f"A row for each word, {special} for special tokens{pieces}.",
            hint="A word without a row of its own is cut into pieces; special tokens are added.",
            options=tuple(str(each) for each in sorted(options)),
            hides=("rows", "input"),
        )
    ]


def input_questions(trace: InputTrace, at: tuple[int, int]) -> list[ui.Question]:
    """The questions about the sum: its number in this dimension, and whether two tokens differ."""
    token, dimension = at
    numbers = {name: float(values[token, dimension]) for name, values in trace.rows.items()}
    total = numbers.pop("input")
    read = trace.reading
    asked = [
        ui.Question(
            "sum",
            f"Dimension {dimension} of “{ui.escape_markdown(read.tokens[token])}”: what is the sum "
            "of its rows?",
            total,
            "The rows are added number by number: " + " and ".join(numbers) + ".",
            hint="Add the numbers at the end of the rows; mind their signs.",
            hides=("input",),
        )
    ]
    if "[SEP]" in read.tokens:
        places = [i for i, each in enumerate(read.tokens) if each == "[SEP]"]
        apart = len(places) > 1
        asked.append(
            ui.Question(
                "segments",
                "How many tokens have the segment row S[1]?",
                float(int(read.segments.sum())),
                "S[1] is that of the second sentence, its [SEP] included."
                if apart
                else "There is one sentence: every token has S[0].",
                hint="Segment 1 begins after the first [SEP].",
            )
        )
    return asked
