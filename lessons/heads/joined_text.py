"""The sentence, the formula and the description of the picture of heads that are joined."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from lmcore.attention.heads import HeadsTrace
from lmcore.attention.joined_heads import JoinedHeads

Quote = Callable[[str], str]
"""Escapes a token for a sentence."""
COLOURS = (1, 2, 3, 6, 4, 5)
"""The colour of each head, among those of series."""


def sentence(
    whole: JoinedHeads, tokens: Sequence[str], place: int, cut: frozenset[int], quote: Quote
) -> str:
    """Which words the heads read for a token, and the number of the output that is framed."""
    reads = [quote(tokens[int(row.argmax())]) for row in whole.weights]
    heads, asks = len(reads), f"“{quote(tokens[place])}”"
    if cut:
        gone = listed([str(head + 1) for head in sorted(cut)])
        which = f"head {gone}" if len(cut) == 1 else f"heads {gone}"
        return (
            f"Without {which}, number **{{number}}** of the output for {asks} is =={{sum}}==, and "
            "not {whole}."
        )
    if len(set(reads)) == 1:
        what = f"All {heads} heads read “{reads[0]}” for {asks}"
    else:
        what = f"For {asks} the {heads} heads read {listed([f'“{word}”' for word in reads])}"
    return f"{what}; joined and mixed, number **{{number}}** is =={{sum}}==."


def moved(joined: JoinedHeads) -> str:
    """The sentence while the frame is dragged along the output."""
    heads = len(joined.weights)
    parts = listed([f"[series{COLOURS[h]}|**{{part{h + 1}}}**]" for h in range(heads)])
    return f"Number **{{moved}}** of the output is =={{sum}}==: the heads add {parts}."


def formula(joined: JoinedHeads) -> list[str]:
    """The parts of the framed number, as a template."""
    terms = [
        f"[series{COLOURS[h]}|{{part{h + 1}{':p' if h else ''}}}]"
        for h in range(len(joined.weights))
    ]
    return [
        f"number {{number}}: {' + '.join(terms)} + {{bias:p}} = **{{sum}}**",
        "output = [z₁ … z] Wᴼ + b".replace("z]", f"z{'₀₁₂₃₄₅₆'[len(terms)]}]"),
    ]


def describe(joined: JoinedHeads, trace: HeadsTrace, place: int) -> str:
    """The alt text, as a template."""
    tokens = trace.text.tokens
    read = (
        f"head {h + 1} reads {tokens[int(row.argmax())]}, {{a{h + 1}.{int(row.argmax()) + 1}}}"
        for h, row in enumerate(joined.weights)
    )
    heads, wide = joined.answers.shape
    return (
        f"Heads for the token {tokens[place]}: {'; '.join(read)}. Their {heads} times {wide} "
        "numbers are joined and multiplied by the output matrix. Number {number} of the output: "
        "{sum}."
    )


def listed(parts: Sequence[str]) -> str:
    """Parts with commas, and an "and" before the last."""
    *first, last = parts
    return f"{', '.join(first)} and {last}" if first else last
