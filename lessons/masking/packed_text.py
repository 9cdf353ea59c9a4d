"""Documents packed into inputs of one length, both ways: the picture’s data and its texts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, TypedDict

import numpy as np

from drawing.events import Name
from drawing.live import LiveNumbers, Slider
from drawing.payload import Script
from lmcore.corruption.full_sentences import LONGEST, PackingTrace, SplitDocuments

SETTING = "corrupt_pack_length"
CLS, BETWEEN, LAST = -1, -2, -3
"""In the place of a token’s number: [CLS], the [SEP] between documents, the last [SEP]."""
WAYS = ("across", "alone")
TITLES = ("Past the end of a document", "Each document by itself")
NOTE = (
    f"RoBERTa packs up to {LONGEST} tokens past the end of a document, with no pairs and no "
    "next-sentence task (quoted: Liu et al. 2019)."
)


class Packings(NamedTuple):
    """Documents, and their inputs at every length, packed past the end of a document and not."""

    documents: SplitDocuments
    lengths: Sequence[int]
    across: Sequence[PackingTrace]
    alone: Sequence[PackingTrace]


class PackedPayload(TypedDict):
    """The tokens of all documents, and the inputs at each length, both ways."""

    tokens: list[str]
    owners: list[int]
    """The document of each token, from 0."""
    across: list[list[list[int]]]
    """For each length its inputs: for each place the number of a token, or what stands there."""
    alone: list[list[list[int]]]
    titles: list[str]
    special: list[str]
    """How −1, −2 and −3 are written."""


NUMBERS = (SETTING, "at", "chosen", "filled #", "inputs #", "read #", "extra")
PACKED = Script("packed", PackedPayload, NUMBERS, Name)
"""Its event is the name of a way that was pressed."""


def numbers(packed: Packings, length: int, *, across: bool) -> LiveNumbers:
    """The numbers at this length, and at every other."""
    of_way = (f"{each} {n}" for n in range(2) for each in ("filled", "inputs", "read"))
    names = (SETTING, "at", "chosen", "extra", *of_way)

    def row(at: int) -> list[float]:
        found = [packed.across[at], packed.alone[at]]
        extra = sum(item.what == "between" for items in found[0].inputs for item in items)
        said: list[float] = [packed.lengths[at], at, int(not across), extra]
        for each in found:
            read = sum(map(len, each.inputs))
            said += [100 * each.filled, len(each.inputs), read]
        return [float(value) for value in said]

    table = np.array([row(at) for at in range(len(packed.lengths))])
    now = packed.lengths.index(length)
    slider = Slider(
        SETTING,
        "length",
        "length of an input",
        float(length),
        table[:, 0],
        "Longer inputs hold more; watch the padding",
    )
    return LiveNumbers("packed", names, table[now], (slider,), [table])


def picture(packed: Packings) -> PackedPayload:
    """The data of `lessons/masking/packed.js` other than the numbers."""
    flat = [
        (token, n)
        for n, document in enumerate(packed.documents)
        for part in document
        for token in part
    ]
    return {
        "tokens": [token for token, _ in flat],
        "owners": [owner for _, owner in flat],
        "across": [_places(each) for each in packed.across],
        "alone": [_places(each) for each in packed.alone],
        "titles": list(TITLES),
        "special": ["[CLS]", "[SEP]", "[SEP]"],
    }


def _places(packed: PackingTrace) -> list[list[int]]:
    """The inputs, with a number for each token, in the order of the documents."""
    kinds = {"first": CLS, "between": BETWEEN, "last": LAST}
    found, count = list[list[int]](), 0
    for items in packed.inputs:
        row = list[int]()
        for item in items:
            row.append(kinds.get(item.what, count))
            count += item.what == "word"
        found.append(row)
    return found


def sentence(*, across: bool) -> str:
    """The share that is filled, beside the other way, as a template."""
    n, other = (0, 1) if across else (1, 0)
    how = "past the end of a document" if across else "each document by itself"
    rest = "each document by itself" if across else "past the end"
    return (
        f"Inputs of {{{SETTING}}} tokens, packed **{how}**: =={{filled {n}}} %== filled; "
        f"{rest} {{filled {other}}} %."
    )


def formulas(*, across: bool) -> list[str]:
    """The share that is filled, as a template."""
    n = 0 if across else 1
    return [
        f"[input|filled] = tokens / (inputs · L) = {{read {n}}} / ({{inputs {n}}} · {{{SETTING}}}) "
        f"= **{{filled {n}}}** %"
    ]


def describe(documents: int) -> str:
    """Alt text of the picture, as a template."""
    return (
        f"{documents} documents, a colour each, packed into inputs of {{{SETTING}}} tokens. Past "
        "the end of a document: {inputs 0} inputs, {filled 0} % filled, with {extra} separators "
        "between documents. Each document by itself: {inputs 1} inputs, {filled 1} % filled. The "
        "rest of each input is [PAD]."
    )
