"""The sentences, the formulas and the description of the Transformer's picture."""

from __future__ import annotations

from jaxtyping import Int
from torch import Tensor

from lessons.transformer.number_text import open_number, stage_title
from lessons.transformer.transformer_picture import FlowWords, cross_weights, predicted_words
from lessons.transformer.transformer_shown import Shown, embedding_sum
from lmcore.numbers import subscript
from lmcore.transformer.operands import Operands

COUNTS = {1: "One", 2: "Two", 3: "Three", 4: "Four", 6: "Six", 12: "Twelve"}


def looked_at(shown: Shown) -> Int[Tensor, " token"]:
    """The place of the source with the largest cross-attention weight."""
    return cross_weights(shown).argmax(dim=1)


def sentences(shown: Shown, number: Operands | None, *, covered: bool = False) -> list[str]:
    """The finding at each token, with its word hidden if `covered`; one for an open number."""
    if number is not None:
        said = f"{stage_title(shown, number)} is =={{value}}==."
        return [said.replace("{value}", open_number(shown, number)["text"])] * len(shown.tokens)
    words = predicted_words(shown)
    return [_sentence(shown, words, t, covered) for t in range(len(shown.tokens))]


def _sentence(shown: Shown, words: FlowWords | None, t: int, covered: bool) -> str:
    token = f"**{quoted(shown.tokens[t])}**"
    if words is None:
        return (
            f"{_count(shown.config.layers, 'block')} turn the vector of {token} until its cosine "
            "with its embedding is =={cosine}==."
        )
    best = "?" if covered else f"**{quoted(words['words'][t][0])}**"
    if shown.kind == "translation":
        source = f"**{quoted(shown.source[int(looked_at(shown)[t])])}**"
        return (
            f"After {token}, the decoder writes {best}: ŷ = =={{p}}==. Its last cross-attention "
            f"looks most at {source}, α = {{cross}}."
        )
    if shown.kind == "gpt":
        return (
            f"{_count(shown.config.layers, 'block')} turn the vector of {token} into a prediction "
            f"of the next word. {best} has ŷ = =={{p}}==."
        )
    if t in shown.masked:
        return f"In the place of {token}, the most probable word is {best}: ŷ = =={{p}}==."
    return f"At {token}, which the model sees, ŷ of {best} is =={{p}}==."


def _count(number: int, noun: str) -> str:
    said = COUNTS.get(number, str(number))
    return f"{said} {noun}{'' if number == 1 else 's'}"


def quoted(text: str) -> str:
    """`text` for a sentence, with markup and braces escaped."""
    return "".join(f"\\{c}" if c in "\\*=[]|{}" else c for c in text)


def formulas(shown: Shown, number: Operands | None, *, covered: bool = False) -> list[list[str]]:
    """The formulas from embedding to word, hidden if `covered`; or an open number's operands."""
    if number is not None:
        return [open_number(shown, number)["formula"]] * len(shown.tokens)
    n = f"⁽{_raised(shown.config.layers)}⁾"
    start = embedding_sum(shown).replace("[", "\\[").replace("]", "\\]")
    if "ln0" in shown.flow.stages:
        start = f"LN({start})"
    steps = [
        f"[input|h⁽⁰⁾] = {start}",
        f"[activation|h{n}] = {'block' + subscript(shown.config.layers)}(… h⁽⁰⁾)",
    ]
    words = predicted_words(shown)
    if words is None:
        lengths = [f"‖h⁽⁰⁾‖ = {{start}}, ‖[activation|h{n}]‖ = {{end}}"]
        return [[*steps, *lengths]] * len(shown.tokens)
    last = f"LN([activation|h{n}])" if "final" in shown.flow.stages else f"[activation|h{n}]"
    if "transformed" in shown.flow.stages:
        last = f"head([activation|h{n}])"
    return [
        [
            *steps,
            f"[score|logit] = {last}·U = {{logit}}",
            "ŷ = softmax = **{p}**",
            f"argmax = {{id}} → **{'?' if covered else quoted(row[0])}**",
        ]
        for row in words["words"]
    ]


def _raised(number: int) -> str:
    return "".join("⁰¹²³⁴⁵⁶⁷⁸⁹"[int(digit)] for digit in str(number))


def describe(shown: Shown) -> str:
    """The alt text of the picture, as a template."""
    said = (
        f"{shown.name}, {shown.config.layers} blocks of {shown.config.heads} heads. "
        f"The text “{' '.join(shown.tokens)}” runs from left to right, one row a token. "
    )
    return said + ("At token {token} ŷ is {p}." if shown.probabilities is not None else "")
