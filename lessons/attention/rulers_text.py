"""The sentences, the formula and the description of the picture of four scores."""

from __future__ import annotations

from lessons.attention.flow_text import Quote, quoted_word
from lessons.attention.rulers_picture import NAMES
from lmcore.attention.four_scores import COSINE, DOT, SCALED, KeyPair
from lmcore.attention.step_table import AttentionInputs

COUNTED = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


def sentences(
    inputs: AttentionInputs, pair: KeyPair, query: int, quote: Quote, *, soft: bool
) -> list[str]:
    """The findings between which @say chooses: both scores prefer one key, or a key each."""
    if not soft:
        return [_gaps(inputs, pair, quoted_word(inputs, query - 1, quote))] * 2
    first, second = pair
    if first == second:
        return [f"A single key gets everything, =={{w{DOT} 0}}==, whatever it scores."]
    a, b = (quoted_word(inputs, at, quote) for at in pair)
    apart = (
        f"By dot product {b} gets {{w{DOT} {second}}}; by cosine {a} gets "
        f"=={{w{COSINE} {first}}}==: the cosine ignores length."
    )
    return [_shares(len(inputs.tokens), first, a), apart]


def _gaps(inputs: AttentionInputs, pair: KeyPair, asks: str) -> str:
    """What the scores are before a softmax, by dot product and by cosine."""
    keys = _counted(len(inputs.tokens))
    if pair[0] == pair[1]:
        return (
            f"The query of {asks} with one key, scored four ways: =={{s{DOT} 0}}== by dot product, "
            f"{{s{COSINE} 0}} by cosine."
        )
    return (
        f"The query of {asks} with {keys} keys, scored four ways: the gap is =={{g{DOT}}}== by "
        f"dot product, {{g{COSINE}}} by cosine."
    )


def _shares(keys: int, first: int, word: str) -> str:
    """What the softmax makes of each score: of two keys, only the gap decides it."""
    dot, scaled, cosine = (f"{{w{m} {first}}}" for m in (DOT, SCALED, COSINE))
    if keys == 2:
        return (
            f"Softmax sees only the **gap**: {{g{DOT}}} gives {word} {dot}, {{g{SCALED}}} gives "
            f"=={scaled}==, {{g{COSINE}}} gives {cosine}."
        )
    return (
        f"One query, {_counted(keys)} keys: {word} gets {dot} by dot product, =={scaled}== "
        f"scaled, {cosine} by cosine."
    )


def _counted(number: int) -> str:
    return COUNTED[number] if number < len(COUNTED) else str(number)


def moved(inputs: AttentionInputs, pair: KeyPair, quote: Quote, *, soft: bool) -> str:
    """The sentence while a slider is dragged."""
    first, second = pair
    start = "**{label}** {moved<} → =={moved}==: "
    if first == second:
        return f"{start}a single key, and four scores of it."
    if not soft:
        return (
            f"{start}the gap is {{g{DOT}}} by dot, {{g{SCALED}}} scaled, {{g{COSINE}}} by cosine."
        )
    word = quoted_word(inputs, first, quote)
    return (
        f"{start}{word} gets {{w{DOT} {first}}} by dot, {{w{SCALED} {first}}} scaled, "
        f"{{w{COSINE} {first}}} by cosine."
    )


def formula(inputs: AttentionInputs, pair: KeyPair, quote: Quote, *, soft: bool) -> list[str]:
    """What the gap says of the shares, or what the weights are without a softmax."""
    first, second = pair
    if not soft:
        sums = ", ".join(f"{{sum{m}}}" for m in NAMES)
        return [
            "Attention = Σ [score|similarity(q, kᵢ)] · [value|vᵢ]",
            f"sums of the weights: **[score|{sums}]**",
        ]
    if first == second:
        return ["[activation|α] = exp([score|s]) ÷ exp([score|s]) = **[activation|1]**"]
    a, b = (quoted_word(inputs, at, quote) for at in pair)
    return [
        f"[activation|α]({a}) ÷ [activation|α]({b}) = exp([score|gap])",
        *(f"exp([score|{{g{m}}}]) = **[activation|{{r{m}}}]**" for m in (DOT, SCALED, COSINE)),
    ]


def describe(pair: KeyPair, query: int, *, soft: bool) -> str:
    """The alt text, as a template."""
    rows = []
    for m, (name, _) in NAMES.items():
        each = [f"key {k + 1} {{s{m} {k}}}" for k in dict.fromkeys(pair)]
        shares = [f"{{w{m} {k}}}" for k in dict.fromkeys(pair)] if soft else [f"sum {{sum{m}}}"]
        rows.append(f"{name}: {', '.join(each)}; {', '.join(shares)}")
    last = "their softmax" if soft else "their sum"
    return f"Four scores of query {query}, on a ruler each, and {last}. {'. '.join(rows)}."
