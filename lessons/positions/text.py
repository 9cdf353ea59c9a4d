"""Sentences, steps and tables of the page on positions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import torch
from jaxtyping import Float
from torch import Tensor

from lessons.positions.picture import opened_pairs
from lessons.shared.steps import StepRow
from lmcore.attention.learned_positions import Likeness
from lmcore.attention.permutation import OrderSpec, SentenceSimilarity, ShuffleResult
from lmcore.models.embedding import EmbeddingTrace
from lmcore.models.positions import (
    BASE,
    MOST,
    PLACES,
    EncodingFacts,
    PlaceComparison,
    PlacePair,
    compare_places,
    wavelengths,
)
from lmcore.numbers import format_number


def steps(width: int, pair: int) -> tuple[StepRow, ...]:
    """One pair of dimensions at both places, one operation per row, then all pairs together."""
    i, divisor = pair, format_number(BASE ** (2 * pair / width))
    named = opened_pairs(width, pair)
    operands = [(f"pair {j}", f"cos({{turn{j}}}) = {{term{j}}}") for j in named]
    if (others := width // 2 - len(named)) > 0:
        operands.append((f"the other {others}", "{rest}"))
    sine, cosine = f"PE(·, {2 * i})", f"PE(·, {2 * i + 1})"
    angle, there = f"{{angle{i}}}", f"{{angle{i}}} + {{turn{i}}}"
    return (
        StepRow("angle at pos", f"{{pos}} / 10000^({2 * i}/{width}) = {{pos}} / {divisor}", angle,
             "radians", "query"),
        StepRow("its sine", f"sin({angle})", f"{{sin{i}}}", sine, "query"),
        StepRow("its cosine", f"cos({angle})", f"{{cos{i}}}", cosine, "query"),
        StepRow("turn from pos to pos + k", f"{{k}} / {divisor}", f"{{turn{i}}}", "radians", "key"),
        StepRow("sine at pos + k", f"sin({there})", f"{{sinq{i}}}", sine, "key"),
        StepRow("cosine at pos + k", f"cos({there})", f"{{cosq{i}}}", cosine, "key"),
        StepRow("the pair's term", f"{{sin{i}:p}}·{{sinq{i}:p}} + {{cos{i}:p}}·{{cosq{i}:p}} = "
             f"cos({{turn{i}}})", f"{{term{i}}}", role="score"),
        StepRow("dot product", f"sum over {width // 2} pairs: it depends on k, not on pos", "{dot}",
             "PE(pos)·PE(pos+k)", "score", operands=tuple(operands)),
        StepRow("squared length", f"sin² + cos² = 1, {width // 2} times", "{squared}", "‖PE(pos)‖²",
             "activation"),
        StepRow("cosine of the two vectors", "{dot} / {squared}", "{cosine}", role="activation"),
    )  # fmt: skip


def notice(spec: PlacePair, comparison: PlaceComparison) -> list[str]:
    """Sentences on the dot product, the periods of the clocks, and the length of PE."""
    place, other = spec.place, spec.place + spec.offset
    away = MOST - spec.place
    far = compare_places(torch.tensor(away), torch.tensor(spec.offset), spec.width)
    sentence = (
        f"PE({place})·PE({other}) = {format_number(float(comparison.dot))}, and PE({away})·"
        f"PE({away + spec.offset}) = {format_number(float(far.dot))}: only the offset k = "
        f"{spec.offset} matters."
    )
    lengths = wavelengths(spec.width)
    slow = int((lengths > PLACES).sum())
    return [
        sentence,
        f"The fastest of {len(lengths)} clocks turns once in {format_number(float(lengths[0]))} "
        f"places, the slowest in {format_number(float(lengths[-1]))}; {slow} do not complete "
        f"a turn in the {PLACES} places shown.",
        f"All vectors have the same length: ‖PE‖² = {format_number(float(comparison.squared))}.",
    ]


def fact_rows(facts: EncodingFacts) -> list[tuple[str, str, str]]:
    """The numbers of the formula, as computed: what, its value, and why."""
    low, high = float(facts.squared.min()), float(facts.squared.max())
    d = f"d = {2 * len(facts.wavelengths)}"
    first, last = float(facts.wavelengths[0]), float(facts.wavelengths[-1])
    vectors = (", ".join(f"{x:.6g}".replace("-", "−") for x in row) for row in facts.first.tolist())
    return [
        *(
            (f"PE({place}), d = {facts.first.shape[1]}", f"[{vector}]", why)
            for place, (vector, why) in enumerate(zip(vectors, FIRST_PLACES, strict=True))
        ),
        (
            f"‖PE(pos)‖², {d}",
            f"{low:.6f} to {high:.6f}",
            f"minimum and maximum over {len(facts.squared):,} places: all have the same length",
        ),
        (f"PE(5)·PE(8), {d}", f"{facts.near:.3f}", "three places apart"),
        (
            f"PE(50)·PE(53), {d}",
            f"{facts.far:.3f}",
            "also three places apart: only the offset matters",
        ),
        (
            f"wavelengths, in places, {d}",
            f"{first:.3f} … {last:,.0f}",
            f"2π to 10000·2π = {2 * torch.pi * BASE:,.0f}, which is never reached: the last "
            "exponent is (d − 2)/d",
        ),
    ]


FIRST_PLACES = (
    "sin 0 = 0 and cos 0 = 1, in every pair",
    "the first pair has turned by 1 radian, the second by 0.01",
    "2 radians, and 0.02",
    "nearly half a turn, and 0.03",
)


def fact_table(facts: EncodingFacts) -> str:
    """`fact_rows` as Markdown."""
    head = "| what | computed | why |\n|---|---|---|\n"
    rows = (f"| {what} | **{value}** | {why} |" for what, value, why in fact_rows(facts))
    return head + "\n".join(rows)


def snippet(spec: PlacePair) -> str:
    """A script that prints the numbers on screen."""
    return f"""import torch

from lmcore.models.positions import compare_places, wavelengths

found = compare_places(torch.tensor({spec.place}), torch.tensor({spec.offset}), {spec.width})
print("PE(pos)", found.here[:4].tolist())
print("dot    ", found.dot.item())
print("‖PE‖²  ", found.squared.item())
print("wavelengths", wavelengths({spec.width})[[0, -1]].tolist())
"""


def formula(spec: PlacePair) -> tuple[str, str]:
    """PE's two lines in LaTeX, with the value of d."""
    angle = rf"\left(\frac{{pos}}{{10000^{{2i/{spec.width}}}}}\right)"
    return rf"PE_{{(pos,\,2i)}} = \sin{angle}", rf"PE_{{(pos,\,2i+1)}} = \cos{angle}"


SHOWN = 3
"""Numbers of a vector in a table."""


def verdict(spec: OrderSpec, result: ShuffleResult) -> list[str]:
    """The effect of the shuffle, and its cause."""
    largest = format_number(result.largest)
    if spec.shuffled == spec.words:
        return ["The order is unchanged, so nothing can differ."]
    if result.is_equivariant:
        rounding = ", which is rounding: sums are taken in another order" if result.largest else ""
        return [
            f"Shuffled, every word keeps **the vector it had**: the largest difference is "
            f"{largest}{rounding}.",
            "This network cannot tell the two orders apart: its input is a bag of words.",
        ]
    sources = " and ".join(
        name for name, on in (("positions", spec.positions), ("the causal mask", spec.causal)) if on
    )
    kept = (
        f" {result.unchanged} of {len(spec.words)} words kept theirs." if result.unchanged else ""
    )
    return [
        f"Shuffled, a word's vector differs by up to **{largest}**: the network gets the "
        f"order of the words from {sources}.{kept}",
        "The network and its weights are the same as before.",
    ]


def sentence_words(similarity: SentenceSimilarity, name: str, text: str, shuffled: str) -> str:
    """A trained encoder's similarity of both orders; the words must be escaped."""
    return (
        f"**{name}**, trained, reads “{text}” and “{shuffled}”. The cosine of its two mean vectors "
        f"is **{similarity.with_positions:.4f}** with its own positions, and "
        f"**{similarity.without_positions:.4f}** with every token at place 0."
    )


def learned_words(likenesses: Mapping[str, Likeness], longest: int) -> str:
    """The deviation of a learned P from the regularity of sinusoids."""
    (_, fixed), (name, learned) = likenesses.items()
    return (
        "With sinusoids, the cosines of two equally distant pairs of places differ by at most "
        f"{format_number(fixed.spread)}: rounding. With **{name}**, by up to "
        f"**{format_number(learned.spread)}**: nothing forces a learned P to depend on the offset "
        f"alone. The mean cosine of neighbours is {format_number(float(fixed.mean[1]))} and, "
        f"learned, {format_number(float(learned.mean[1]))}. P has only {longest} rows."
    )


def pipeline(tokens: Sequence[str], ids: Sequence[int], embedding: EmbeddingTrace) -> str:
    """A Markdown table, one row per token: its id, its rows of E, P and S, and their sum.

    Of each row the first numbers are shown, if the model has it; tokens must be escaped.
    """
    parts = {"row of E": embedding.token, "+ P of the place": embedding.position}
    parts |= {"+ S of the segment": embedding.segment, "= input": embedding.output}
    there = {name: part[0] for name, part in parts.items() if part is not None}
    head = ["place", "token", "id", *there]
    rows = [
        [
            str(place),
            token,
            str(ids[place]),
            *(vector_start(part[place]) for part in there.values()),
        ]
        for place, token in enumerate(tokens)
    ]
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def vector_start(vector: Float[Tensor, " width"]) -> str:
    """The first numbers of a vector."""
    shown = [f"{round(x, 3) + 0.0:.3f}".replace("-", "−") for x in vector[:SHOWN].tolist()]
    return f"[{', '.join(shown)}, …]"
