"""Sentences, steps and tables of the page on positions."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import torch
from jaxtyping import Float
from torch import Tensor

from drawing.steps import StepRow
from lessons.positions.positions_picture import ROWS, Numbers
from lmcore.attention.learned_positions import Likeness
from lmcore.attention.permutation import OrderSpec, SentenceSimilarity, ShuffleResult
from lmcore.attention.two_orders import PLACES, TwoOrders
from lmcore.models.embedding import EmbeddingTrace
from lmcore.models.positions import BASE, EncodingFacts
from lmcore.numbers import format_number

LONGEST_QUOTED = 14
"""Maximum length of a word that the sentence quotes, in characters."""
Quote = Callable[[str], str]
"""Escapes a word for the sentence."""


def steps() -> tuple[StepRow, ...]:
    """One pair of dimensions at both positions, an operation per row, then all pairs together."""
    return (
        StepRow("angle at pos", "{pos} ÷ {base}^({even}/{d}) = {pos} ÷ {divisor}", "{angle}",
             "radians", "input"),
        StepRow("its sine", "sin({angle})", "{sin}", "PE(pos, 2i)", "input"),
        StepRow("its cosine", "cos({angle})", "{cos}", "PE(pos, 2i+1)", "input"),
        StepRow("turn from pos to pos + k", "{k} ÷ {divisor}", "{turn}", "radians", "input"),
        StepRow("sine at pos + k", "sin({angle} + {turn:p})", "{sinq}", "PE(pos+k, 2i)", "input"),
        StepRow("cosine at pos + k", "cos({angle} + {turn:p})", "{cosq}", "PE(pos+k, 2i+1)",
             "input"),
        StepRow("the pair's term", "{sin:p}·{sinq:p} + {cos:p}·{cosq:p} = cos({turn})", "{term}",
             role="score"),
        StepRow("dot product", "sum over all pairs: it depends on k, not on pos", "{dot}",
             "PE(pos)·PE(pos+k)", "score",
             operands=(("pair {pair}", "{term}"), ("the other pairs", "{rest}"))),
        StepRow("squared length", "sin² + cos² = 1 in each pair: d/2 = {d}/2", "{squared}",
             "‖PE(pos)‖²", "activation"),
        StepRow("cosine of the two vectors", "{dot} ÷ {squared}", "{cosine}", role="activation"),
        StepRow("difference without positions", "‖z(first order) − z(second order)‖", "{plain}",
             "z = softmax(XXᵀ/√d)X", "value"),
        StepRow("difference with positions", "the same, with x = e + PE(pos)", "{gap}",
             role="value"),
    )  # fmt: skip


def fact_rows(facts: EncodingFacts) -> list[tuple[str, str, str]]:
    """The computed facts about the formula: a name, a value and a reason."""
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
            f"2π to 10,000·2π = {2 * torch.pi * BASE:,.0f}, which is never reached: the last "
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


def snippet(spec: TwoOrders) -> str:
    """A script that prints the numbers on screen."""
    words, order = " ".join(spec.words.words), " ".join(map(str, spec.words.order))
    causal = ", causal=True" if spec.words.causal else ""
    return f"""import torch

from lmcore.attention.permutation import parse_order
from lmcore.attention.two_orders import TwoOrders, compare_two_orders
from lmcore.models.positions import compare_places, wavelengths

words = parse_order({words!r}, {order!r}{causal})
spec = TwoOrders(words, {spec.word}, {spec.start}, width={spec.width}, base={spec.base!r})
start, base = torch.tensor(spec.start), torch.tensor(spec.base, dtype=torch.float64)
outputs = compare_two_orders(spec, start, base)
print("difference without positions", outputs.plain[spec.word].item())
print("difference with positions   ", outputs.placed[spec.word].item())
pos, offset = torch.tensor(spec.position), torch.tensor(spec.offset)
found = compare_places(pos, offset, spec.width, spec.base)
print("PE(pos)", found.here[:4].tolist())
print("dot    ", found.dot.item())
print("‖PE‖²  ", found.squared.item())
print("wavelengths", wavelengths(spec.width, spec.base)[[0, -1]].tolist())
"""


SHOWN = 3
"""Numbers of a vector in a table."""


def verdict(spec: OrderSpec, result: ShuffleResult) -> list[str]:
    """The effect of the shuffle, and its cause."""
    largest = format_number(result.largest)
    if spec.unchanged:
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
    """A trained encoder's similarity of the two orders; the arguments must be escaped."""
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

    Each row shows its first numbers, if the model has that row; tokens must be escaped.
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


def sentence(spec: TwoOrders, now: Numbers, quote: Quote) -> str:
    """The finding, as a template: how the new order changes the word's output."""
    word = _quoted(spec, quote)
    gap = "=={gap}=="
    if spec.words.unchanged:
        return (
            f"Both orders are the same: the outputs of {word} differ by {gap}. Shuffle the words."
        )
    if float(now["plain"]):
        return (
            f"Under the causal mask {word} sees other words in the other order: its outputs differ "
            f"by **{{plain}}** even without positions, and by {gap} with PE."
        )
    same = f"Without positions, both orders give {word} the same output: difference **0**. "
    if spec.offset == 0:
        alike = spec.words.shuffled == spec.words.words
        moves = "and only equal words change places" if alike else "but other words move"
        return f"{same}With PE it is {gap}: {word} stays, {moves}."
    return f"{same}With PE({{pos}}) or PE({{other}}) added, the difference is {gap}."


def moved_sentence(spec: TwoOrders, quote: Quote) -> str:
    """The sentence while a slider is dragged."""
    return (
        f"You moved **{{label}}** from {{moved<}} to =={{moved}}==: {_quoted(spec, quote)} differs "
        "by {gap<} → **{gap}**, and PE({pos})·PE({other}) is {dot<} → [score|**{dot}**]."
    )


def _quoted(spec: TwoOrders, quote: Quote) -> str:
    word = spec.words.words[spec.word]
    cut = word if len(word) <= LONGEST_QUOTED else f"{word[: LONGEST_QUOTED - 1]}…"
    return f"“{quote(cut)}”"


def formula() -> list[str]:
    """The formulas with their numbers, as templates: one pair of PE, and the dot product."""
    angle = "{pos} ÷ {base}^({even}/{d})"
    return [
        f"[input|PE({{pos}}, {{even}})] = sin({angle}) = **[input|{{sin}}]**",
        f"[input|PE({{pos}}, {{odd}})] = cos({angle}) = **[input|{{cos}}]**",
        "[score|PE({pos})·PE({other})] = Σ cos({k} ÷ {base}^(2i/{d})) = **[score|{dot}]**",
    ]


def describe(spec: TwoOrders) -> str:
    """The alt text of the picture, as a template."""
    rows = "; ".join(
        f"pair {{i{r}}} with period {{period{r}}}: sine {{sin{r}}} and cosine {{cos{r}}} at "
        f"{{pos}}, {{sinq{r}}} and {{cosq{r}}} at {{other}}"
        for r in range(min(ROWS, spec.width // 2))
    )
    first, second = (" ".join(words) for words in (spec.words.words, spec.words.shuffled))
    return (
        f"Sinusoids over {PLACES} positions: {rows}. The words “{_plain(first)}” and "
        f"“{_plain(second)}”: the two outputs of “{_plain(spec.words.words[spec.word])}” differ by "
        "{plain} without positions and by {gap} with them."
    )


def _plain(text: str) -> str:
    return text.replace("{", "(").replace("}", ")")
