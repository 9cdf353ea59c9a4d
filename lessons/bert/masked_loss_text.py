"""The texts around the masked loss of one text; their numbers are those of `masked_loss_view`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from drawing.live import quoted
from lmcore.masked_lm.masked_terms import TermsTrace

Stage = Literal["input", "head", "loss"]
"""How far the picture goes, from its foot."""
ASKED = "All words are read, and only the chosen ones are judged. Which guess costs most?"
NUMBERS = ("No", "One", "Two", "Three", "Four", "Five", "Six", "Seven", "Eight", "Nine", "Ten")
WRITTEN = 4
"""Terms that are written out."""
NOTE = (
    "Only chosen words add a term. The others are read: through attention they change every ŷ, and "
    "the gradient of L reaches them, too."
)


def counted(count: int) -> str:
    """A count that begins a sentence."""
    return NUMBERS[count] if count < len(NUMBERS) else f"{count:,}"


def sentence(trace: TermsTrace, tokens: Sequence[str], read: int, stage: Stage) -> str:
    """What is found, as far as the picture goes."""
    count = len(trace.places)
    if not count:
        return "No word is chosen, so there is no loss: **press a word**."
    some = counted(count).lower()
    if stage == "input":
        are = "is" if count == 1 else "are"
        return (
            f"{counted(read)} tokens go in and are read; **{some}** of them {are} to be predicted."
        )
    place = costliest(trace)
    if stage == "head":
        return (
            f"For “**{quoted(tokens[place])}**” the model has ŷ = =={{p{place}}}==, rank "
            f"{{rank{place}}} of {trace.log_q.shape[1]:,}."
        )
    if count == 1:
        return f"{counted(read)} tokens go in, **one** pays: −log ŷ = =={{loss}}== nats."
    if count > WRITTEN:
        return f"{counted(read)} tokens go in, **{some}** pay: on average =={{loss}}== nats."
    *first, last = [f"{{cost{i}}}" for i in trace.places]
    return (
        f"{counted(read)} tokens go in, **{some}** pay: {', '.join(first)} and {last} nats; "
        f"the mean is =={{loss}}==."
    )


def costliest(trace: TermsTrace) -> int:
    """The place of the largest term."""
    return trace.places[int(trace.terms.argmax())]


def formula(trace: TermsTrace, tokens: Sequence[str], stage: Stage) -> list[str]:
    """How it is computed, as far as the picture goes."""
    if stage == "input":
        return [
            "[input|h⁽⁰⁾ = LayerNorm(E[x̃] + P + S)]",
            "z = h⁽ᴺ⁾, after all blocks",
            "[activation|ŷ] only at the chosen places",
        ]
    if not trace.places:
        return ["L = −(1/|M|) Σ log ŷᵢ[xᵢ], i in M, the chosen places"]
    place = costliest(trace)
    word = quoted(tokens[place])
    y = f"[activation|ŷ({word})] = softmax(head(z) · U) = **{{p{place}}}**"
    if stage == "head":
        return [y, "head(z) = LayerNorm(g(z W + b))"]
    if len(trace.places) == 1:
        return [y, f"L = −log {{p{place}}} = [loss|**{{loss}}**] nats"]
    costs = " + ".join(f"{{cost{i}}}" for i in trace.places[:WRITTEN])
    costs += " + …" if len(trace.places) > WRITTEN else ""
    return [
        y,
        f"−log {{p{place}}} = [loss|{{cost{place}}}]",
        f"L = ({costs}) / {len(trace.places)} = [loss|**{{loss}}**] nats",
    ]


def describe(trace: TermsTrace, tokens: Sequence[str], shown: Sequence[str], stage: Stage) -> str:
    """Alt text: what goes in, and the terms as far as they are shown."""
    said = f"“{quoted(' '.join(shown))}” goes through the encoder."
    if stage == "input" or not trace.places:
        return said
    terms = "; ".join(
        f"{quoted(tokens[i])} has ŷ {{p{i}}}" + (f", cost {{cost{i}}}" if stage == "loss" else "")
        for i in trace.places
    )
    return f"{said} {terms}." + (" The mean is {loss}." if stage == "loss" else "")
