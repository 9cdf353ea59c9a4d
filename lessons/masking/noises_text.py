"""The sentence, the formula and the description of BART's five ways to corrupt a text."""

from __future__ import annotations

from collections.abc import Mapping

from drawing.live import quoted
from lessons.masking.noises_picture import MOVES, WAYS, lost
from lmcore.corruption.bart_noise import NoiseTrace

NOTE = (
    "BART is an encoder and a decoder: the encoder reads the corrupted text, the decoder writes "
    "the original. Quoted (Lewis et al. 2020): it was trained with infilling of 30 % of the "
    "tokens, lengths from a Poisson distribution, λ = 3, and with all sentences permuted."
)


def sentence(traces: Mapping[str, NoiseTrace], chosen: str) -> str:
    """What the chosen way takes from the encoder, as a template."""
    n, trace = list(traces).index(chosen), traces[chosen]
    begin = f"**{WAYS[chosen]}**: the encoder"
    if chosen in MOVES:
        if not lost(chosen, trace).moved:
            return f"{begin} reads the text as it was; the decoder writes all {{tokens}} tokens."
        return (
            f"{begin} reads all {{tokens}} tokens, =={{moved {n}}}== of them in another place; "
            "the decoder puts them in order."
        )
    if not lost(chosen, trace).hidden:
        return f"{begin} reads every token; the decoder writes all {{tokens}}."
    return (
        f"{begin} does not see =={{hidden {n}}}== of {{tokens}} tokens{_how(chosen)}; the decoder "
        "writes all of them."
    )


def _how(chosen: str) -> str:
    """What else a way does not say."""
    return {
        "token_deletion": ", nor where they stood",
        "text_infilling": ", nor how many each \\[MASK] hides",
    }.get(chosen, "")


def formulas(traces: Mapping[str, NoiseTrace], chosen: str) -> list[str]:
    """What is read and what is written, and the loss, as templates."""
    n = list(traces).index(chosen)
    return [
        f"[input|read] {{reads {n}}} tokens x̃",
        "[activation|write] {tokens} tokens x",
        "[loss|L] = −Σ log p(x_t | x̃, x_<t), a sum of **{tokens}** terms",
    ]


def describe(traces: Mapping[str, NoiseTrace]) -> str:
    """Alt text of the picture, as a template."""
    text = quoted(" ".join(next(iter(traces.values())).tokens))
    read = "; ".join(
        f"{WAYS[name]}: “{quoted(' '.join(trace.corrupted))}”" for name, trace in traces.items()
    )
    return (
        f"The text “{text}”, and below it five ways to corrupt it, each aligned with it: {read}. "
        "At the foot what the decoder writes: the whole text, with the tokens that it must restore "
        "marked."
    )
