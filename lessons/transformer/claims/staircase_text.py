"""Texts of the view “In a row”."""

from __future__ import annotations

PRODUCTS = ("K = X Wᴷ", "Q Kᵀ", "α V", "Z Wᴼ", "· W₁", "· W₂")
"""The products of a block that wait for one another; those of Q and V are made beside that of K."""

SENTENCES = (
    "After {n} step the RNN has read =={words}== of {T} words; the block is at its product {n} of "
    "{block}.",
    "After {n} steps the RNN has read =={words}== of {T} words; the block is at its product {n} of "
    "{block}.",
    "After {n} steps the RNN has read =={words}== of {T} words, the block all {T}.",
    "For {T} words an RNN takes =={rnn}== steps one after another, a block {block}.",
)
"""What is true after one step, before the block's last, from there on, and at the RNN's last."""

_RNN = "[weight|hₜ] = tanh([input|Wₓeₜ] + [weight|Wₕhₜ₋₁])   **[weight|{T} in a row]**"
_BLOCK = "[activation|softmax](QKᵀ/√dₖ) V Wᴼ, then the MLP   **[activation|{block} in a row]**"
FORMULAS = ((_RNN, _BLOCK), (_RNN, _BLOCK, "{rnn} ÷ {block} ≈ **{ratio}**"))

METHOD = (
    "A step is a matrix product that has to wait for the one before it, counted in the computation "
    "graph of one layer. A block multiplies by W^Q, W^K and W^V side by side: one step. Steps are "
    "not work, and not time: the block computes a score for every pair of words, T² for each head. "
    "Both are measured in the view Cost."
)


def sentence_at(step: int, last: int, block: int) -> int:
    """The place of the sentence that is true after `step` of the RNN's `last` steps."""
    if step >= last:
        return 3
    if step >= block:
        return 2
    return int(step > 1)


def describe() -> str:
    """The alt text of the picture, as a template."""
    return (
        "A staircase of {rnn} steps over a text of {T} words, and below it {block} slabs, each "
        "over the whole text. At step {n} the RNN has read {words} of {T} words."
    )
