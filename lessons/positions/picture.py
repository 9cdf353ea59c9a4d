"""Positional encoding: the numbers and payload of its picture, its step table and sentences."""

from __future__ import annotations

import torch
from torch import Tensor

from lessons.shared.steps import StepRow
from lessons.shared.unrolled_picture import diverging_colours
from lmcore.models.positions import (
    BASE,
    MOST,
    PLACES,
    EncodingFacts,
    PlaceComparison,
    PlacePair,
    compare_places,
    evenly_spaced_pairs,
    other_pairs_sum,
    sinusoids,
    wavelengths,
)
from lmcore.numbers import format_number

CLOCKS = 6
ROWS = 32
"""Pairs of rows that the heat map shows; a wider PE shows evenly spaced pairs."""
FIRST = 4
"""Numbers of PE that are written out."""
TERMS = 2
"""Pairs whose part of the dot product is written out."""
SLIDERS = (
    ("positions_place", "pos", "place pos", "Every clock turns; the dot product stays", "query"),
    ("positions_offset", "k", "offset k to the other place", "The dot product falls", "key"),
)
"""Setting, label, spoken label, help, role."""


def numbers(comparison: PlaceComparison, pair: int) -> dict[str, Tensor]:
    """Every number on screen under its name; leading axes are kept."""
    width = comparison.here.shape[-1]
    named = {
        "dot": comparison.dot,
        "squared": comparison.squared,
        "cosine": comparison.dot / comparison.squared,
    }
    for i in range(min(FIRST, width)):
        named |= {f"v{i}": comparison.here[..., i], f"u{i}": comparison.there[..., i]}
    for i in {*range(min(TERMS, width // 2)), *evenly_spaced_pairs(width, CLOCKS), pair}:
        named |= {
            f"angle{i}": comparison.angle[..., i],
            f"turn{i}": comparison.turn[..., i],
            f"sin{i}": comparison.here[..., 2 * i],
            f"cos{i}": comparison.here[..., 2 * i + 1],
            f"sinq{i}": comparison.there[..., 2 * i],
            f"cosq{i}": comparison.there[..., 2 * i + 1],
            f"term{i}": comparison.terms[..., i],
        }
    return named | {"rest": other_pairs_sum(comparison.terms, opened_pairs(width, pair))}


def opened_pairs(width: int, pair: int) -> tuple[int, ...]:
    """The pairs whose terms are named one by one: those with a clock, and the chosen one."""
    return tuple(sorted({*evenly_spaced_pairs(width, CLOCKS), pair}))


def current_numbers(spec: PlacePair, pair: int) -> dict[str, Tensor]:
    """The numbers of the two places."""
    place, offset = torch.tensor(spec.place), torch.tensor(spec.offset)
    values = numbers(compare_places(place, offset, spec.width), pair)
    return {
        "pos": place.double(),
        "k": offset.double(),
        "other": (place + offset).double(),
    } | values


def swept_numbers(spec: PlacePair, pair: int) -> dict[str, Tensor]:
    """The same numbers, with the axes (slider, position): every place, then every offset."""
    every = torch.arange(MOST + 1)
    places = torch.stack([every, torch.full_like(every, spec.place)])
    offsets = torch.stack([torch.full_like(every, spec.offset), every])
    values = numbers(compare_places(places, offsets, spec.width), pair)
    named = {"pos": places, "k": offsets, "other": places + offsets}
    return {name: values.double() for name, values in named.items()} | values


def picture(spec: PlacePair, pair: int) -> dict[str, object]:
    """What `lessons/positions/positions.js` draws besides the numbers that follow the sliders."""
    width = spec.width
    table = sinusoids(torch.arange(PLACES), width)
    pairs = evenly_spaced_pairs(width, ROWS)
    rows = [2 * i for i in pairs] + [2 * i + 1 for i in pairs]
    shown = "every dimension" if len(rows) == width else f"{len(rows)} of {width} dimensions"
    lengths = wavelengths(width)
    return {
        "places": PLACES,
        "most": MOST,
        "width": width,
        "rows": rows,
        "values": table[:, rows].numpy(),
        "shown": shown,
        "dots": (table[: MOST + 1] @ table.T).numpy(),
        "scale": diverging_colours(),
        "clocks": [
            {"i": i, "length": format_number(float(lengths[i]))}
            for i in evenly_spaced_pairs(width, CLOCKS)
        ],
        "pair": pair,
        "sliders": [name for name, *_ in SLIDERS],
        "lines": lines(width),
        "alt": f"Sinusoids of {PLACES} places, {shown}, as a heat map; clocks of "
        f"{len(evenly_spaced_pairs(width, CLOCKS))} pairs at place {{pos}} and place {{other}}; "
        "and the dot product of place {pos} with every place, which is {squared} with itself and "
        "{dot} with place {other}.",
    }


def lines(width: int) -> list[dict[str, str]]:
    """The two vectors, and their dot product."""
    more = ", …" if width > FIRST else ""
    count = min(FIRST, width)
    here, there = (
        ", ".join(f"{{{letter}{i}}}" for i in range(count)) + more for letter in ("v", "u")
    )
    first = " + ".join(f"{{term{i}:p}}" for i in range(min(TERMS, width // 2)))
    rest = f" + … ({width // 2} pairs)" if width // 2 > TERMS else ""
    return [
        {"role": "query", "text": f"PE({{pos}}) = [{here}]"},
        {"role": "key", "text": f"PE({{other}}) = [{there}]"},
        {"role": "score", "text": f"PE({{pos}})·PE({{other}}) = {first}{rest} = {{dot}}"},
        {"role": "activation", "text": "‖PE({pos})‖² = {squared} = d/2"},
    ]


def steps(width: int, pair: int) -> tuple[StepRow, ...]:
    """One pair of dimensions at both places, one operation a row, then all pairs together."""
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
    """What depends on the offset alone, the speed of the clocks, and the length of PE."""
    place, other = spec.place, spec.place + spec.offset
    away = MOST - spec.place
    moved = compare_places(torch.tensor(away), torch.tensor(spec.offset), spec.width)
    sentence = (
        f"PE({place})·PE({other}) = {format_number(float(comparison.dot))}, and PE({away})·"
        f"PE({away + spec.offset}) = {format_number(float(moved.dot))}: only the offset k = "
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
            f"least and most of the first {len(facts.squared):,} places: all are equally long",
        ),
        (f"PE(5)·PE(8), {d}", f"{facts.near:.3f}", "three places apart"),
        (
            f"PE(50)·PE(53), {d}",
            f"{facts.far:.3f}",
            "also three places apart: nothing else matters",
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
