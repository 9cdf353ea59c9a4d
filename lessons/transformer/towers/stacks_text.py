"""The sentences, the formulas and the description of a stack of encoders and one of decoders."""

from __future__ import annotations

ENCODER, DECODER = "encoder", "decoder"
KINDS = {ENCODER: "an encoder", DECODER: "a decoder"}
"""Which block's weights the formula adds up."""


def sentences() -> list[str]:
    """What the stacks have in common, as a template."""
    return [
        "**{N} encoders, {N} decoders**: alike in structure, each with weights of its own, "
        "=={stacks}== M in all. A decoder has one attention more."
    ]


def formulas() -> list[list[str]]:
    """The weights of an encoder, and of a decoder."""
    mlp, rest = "[activation|2·d·d_ff + d_ff + d]", "= **{%s}** M"
    return [
        [f"an encoder: [weight|4(d² + d)] + {mlp} + 4d {rest % 'encoder'}", *SIZES],
        [
            f"a decoder: [weight|4(d² + d)] + [score|4(d² + d)] + {mlp} + 6d {rest % 'decoder'}",
            *SIZES,
        ],
    ]


SIZES = ("d = {d}, d_ff = {d_ff}", "{encoders} + {decoders} = **{stacks}** M")


def describe() -> str:
    """The alt text, as a template."""
    return (
        "On the left {N} encoders, one on the other, of {encoder} million weights each; on the "
        "right {N} decoders of {decoder} million. The output m of the last encoder leads to every "
        "decoder. The width of each part of a block is its number of weights."
    )
