"""BART's five ways to corrupt a text as one picture: what the encoder reads, under the text."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple, TypedDict

import numpy as np

from drawing.events import Name
from drawing.live import LiveNumbers
from drawing.payload import Script
from lessons.masking.corruption_picture import TITLES
from lmcore.corruption.bart_noise import MASK, NoiseTrace, sentences

WAYS = TITLES
"""The names of the five ways, and their titles."""
MOVES = ("sentence_permutation", "document_rotation")
"""The ways that hide nothing."""


class Lost(NamedTuple):
    """What a corruption takes from the encoder, in tokens of the text."""

    hidden: tuple[int, ...]
    """Places of the tokens that are not read."""
    moved: tuple[int, ...]
    """Places of the tokens that are read at another place."""


class NoiseCell(TypedDict):
    """A part of a corrupted text: where it is drawn, in columns of the text, and what it is."""

    text: str
    at: int
    wide: int
    kind: str
    part: int
    """The part of the text that moved as one, from 0; −1 if nothing moved."""


class NoiseWay(TypedDict):
    """A way to corrupt the text, its cells, and the places that the decoder must restore."""

    name: str
    title: str
    cells: list[NoiseCell]
    restored: list[int]
    parts: list[int]
    """The part of each token of the text, from 0; −1 if nothing moves."""


class NoisesPayload(TypedDict):
    """A text, and the five ways."""

    tokens: list[str]
    ways: list[NoiseWay]


NOISES = Script(
    "noises", NoisesPayload, ("chosen", "tokens", "hidden #", "moved #", "reads #"), Name
)
"""Its event is the name of a way that was pressed."""


def lost(name: str, trace: NoiseTrace) -> Lost:
    """What the encoder does not read, or reads at another place."""
    hidden = [at for what, places in trace.pieces if what != "kept" for at in places]
    if name not in MOVES:
        return Lost(tuple(hidden), ())
    order = [at for _, places in trace.pieces for at in places]
    return Lost((), tuple(at for n, at in enumerate(order) if at != n))


def parts(name: str, trace: NoiseTrace) -> list[int]:
    """The part of each token that moves as one: its sentence, or the side of the new start."""
    count = len(trace.tokens)
    if name == "sentence_permutation":
        split = sentences(trace.tokens)
        return [n for n, part in enumerate(split) for _ in part]
    if name == "document_rotation":
        return [int(at >= trace.drawn[0]) for at in range(count)]
    return [-1] * count


def cells(name: str, trace: NoiseTrace) -> list[NoiseCell]:
    """The cells of a way, each under the tokens it stands for; what moved stands in its order."""
    found, whose, column = list[NoiseCell](), parts(name, trace), 0
    for what, places in trace.pieces:
        kept = what == "kept"
        text = " ".join(trace.tokens[at] for at in places) if kept or what == "deleted" else MASK
        part = whose[places[0]] if kept else -1
        wide = len(places)
        found.append({"text": text, "at": column, "wide": wide, "kind": what, "part": part})
        column += wide
    return found


def numbers(traces: Mapping[str, NoiseTrace], chosen: str) -> LiveNumbers:
    """How many tokens each way hides and moves, and how many the encoder then reads."""
    first = next(iter(traces.values()))
    named = {"chosen": float(list(traces).index(chosen)), "tokens": float(len(first.tokens))}
    for n, (name, trace) in enumerate(traces.items()):
        hidden, moved = lost(name, trace)
        named |= {f"hidden {n}": len(hidden), f"moved {n}": len(moved)}
        named[f"reads {n}"] = len(trace.corrupted)
    return LiveNumbers("noises", tuple(named), np.array(list(named.values()), dtype=np.float64))


def picture(traces: Mapping[str, NoiseTrace]) -> NoisesPayload:
    """The data of `lessons/masking/noises.js` other than the numbers."""
    ways = list[NoiseWay]()
    for name, trace in traces.items():
        hidden, moved = lost(name, trace)
        ways.append(
            {
                "name": name,
                "title": WAYS[name],
                "cells": cells(name, trace),
                "restored": [*hidden, *moved],
                "parts": parts(name, trace),
            }
        )
    return {"tokens": list(next(iter(traces.values())).tokens), "ways": ways}
