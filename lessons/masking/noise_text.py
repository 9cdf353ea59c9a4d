"""Texts as rows of chips: BART's five corruptions, and RoBERTa's packed inputs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypedDict

from lmcore.corruption.bart_noise import MASK, NoiseTrace, sentences
from lmcore.corruption.full_sentences import PackingTrace

HUES = 6
"""Colours that parts of a text are told apart by; each also has its number."""
TITLES = {
    "token_masking": "Token masking",
    "token_deletion": "Token deletion",
    "text_infilling": "Text infilling",
    "sentence_permutation": "Sentence permutation",
    "document_rotation": "Document rotation",
}


class NoiseChip(TypedDict):
    """A token: what stands there, how it looks, and what is said under it."""

    text: str
    kind: str
    below: str


class ChipRow(TypedDict):
    """A heading, a sentence, and chips."""

    title: str
    said: str
    chips: list[NoiseChip]


def noise_rows(found: Mapping[str, NoiseTrace]) -> list[ChipRow]:
    """One row for each way to corrupt the text."""
    return [
        {"title": TITLES[name], "said": noise_words(name, trace), "chips": noise_chips(name, trace)}
        for name, trace in found.items()
    ]


def noise_chips(name: str, trace: NoiseTrace) -> list[NoiseChip]:
    """What became of each piece; what moved has the number of its sentence, or of its place."""
    turned = name in ("sentence_permutation", "document_rotation")
    whose = {place: n for n, part in enumerate(sentences(trace.tokens)) for place in part}
    chips = list[NoiseChip]()
    for what, places in trace.pieces:
        was = " ".join(trace.tokens[place] for place in places)
        if what == "kept" and turned:
            part = whose[places[0]] if name == "sentence_permutation" else 0
            below = str(part + 1) if name == "sentence_permutation" else str(places[0] + 1)
            chips.append({"text": was, "kind": f"part{part % HUES + 1}", "below": below})
        elif what in ("kept", "deleted"):
            below = "gone" if what == "deleted" else ""
            chips.append({"text": was, "kind": what, "below": below})
        else:
            chips.append({"text": MASK, "kind": "masked", "below": was or "nothing"})
    return chips


def noise_words(name: str, trace: NoiseTrace) -> str:
    """What chance did, and how much is left to read."""
    counts = {what: sum(piece.what == what for piece in trace.pieces)
              for what in ("masked", "deleted", "filled", "inserted")}  # fmt: skip
    if name == "token_masking":
        return f"{counts['masked']} of {len(trace.tokens)} tokens became [MASK]."
    if name == "token_deletion":
        return f"{counts['deleted']} of {len(trace.tokens)} tokens are gone; nothing says where."
    if name == "text_infilling":
        drawn = ", ".join(map(str, trace.drawn)) or "none"
        return (
            f"Lengths drawn: {drawn}. Runs that became one [MASK]: {counts['filled']}; "
            f"[MASK] that stand for nothing: {counts['inserted']}. How many are gone is asked too."
        )
    if name == "sentence_permutation":
        order = ", ".join(str(n + 1) for n in trace.drawn)
        return f"The sentences in the order {order}."
    return f"The text begins at token {trace.drawn[0] + 1}: the model must find the true start."


def packing_rows(found: PackingTrace) -> list[ChipRow]:
    """One row for each input."""
    rows = list[ChipRow]()
    for n, items in enumerate(found.inputs, start=1):
        chips = list[NoiseChip]()
        for token, what, document, sentence in items:
            words = what == "word"
            kind = f"part{document % HUES + 1}" if words else "extra" if what == "between" else ""
            below = f"{document + 1}.{sentence + 1}" if words else ""
            chips.append({"text": token, "kind": kind or "frame", "below": below})
        pads = found.length - len(items)
        rows.append({
            "title": f"Input {n}",
            "said": f"{len(items)} of {found.length} tokens" + (f", {pads} [PAD]" if pads else ""),
            "chips": chips,
        })  # fmt: skip
    return rows


def chips(views: Sequence[Sequence[ChipRow]], pick: str = "") -> dict[str, object]:
    """What `lessons/shared/chips.js` draws: the rows, or those that the number `pick` counts."""
    return {"views": views, "pick": pick}
