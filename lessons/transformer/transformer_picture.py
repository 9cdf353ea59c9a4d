"""The data of the picture of a whole Transformer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import TypedDict

import torch
from jaxtyping import Float64
from torch import Tensor
from typing_extensions import TypedDict as EventDict

from drawing import theme
from drawing.events import Name, Place
from drawing.payload import Kept, NumberArray, Script
from drawing.theme import Mode
from lessons.transformer import transformer_walk
from lessons.transformer.number_text import OpenNumber, open_number
from lessons.transformer.transformer_shown import Kind, Shown
from lmcore.transformer.operands import Operands

MOST_SENT = 300_000
"""A flow with more numbers is not sent whole, only its stream and its open block."""
KEPT = 8
"""The number of texts whose payload is cached."""
LEFT_OUT = ("logits", "p")
"""Stages of which only the most probable words are shown."""


class FlowTensor(TypedDict):
    """A stage, its shape, and the index of its first number among the numbers that are sent."""

    stage: str
    rows: int
    columns: int
    start: int


class FlowWords(TypedDict):
    """The most probable words at each token, the most probable first."""

    words: Sequence[Sequence[str]]
    ids: NumberArray
    logits: NumberArray
    chances: NumberArray
    count: int


class Door(TypedDict):
    """A page that shows a part alone.

    The script replaces LAYER, HEAD, TOKEN, and ORDINAL (the token from 1) in its address.
    """

    page: str
    address: str


class TransformerPayload(TypedDict):
    """A text in a whole model: the sizes, the numbers of the stages, and the words predicted."""

    family: Kind
    model: str
    source: Sequence[str]
    tokens: Sequence[str]
    masked: Sequence[int]
    layers: int
    heads: int
    width: int
    pre: bool
    stages: Sequence[str]
    """All stages of the forward pass, sent or not."""
    tensors: Sequence[FlowTensor]
    stream: bytes
    """The numbers of the tensors as float32; α of a block's head 0 is the mean of its heads."""
    block: bytes
    """The numbers that follow: for a large flow, the stages of the open block."""
    words: FlowWords | None
    """None in a model without a head."""
    zoom: str
    number: OpenNumber | None
    doors: dict[str, Door]
    """The last word of a part's id → its own page."""
    signed: Sequence[str]
    signedInks: Sequence[str]
    """Colours from −1 to 1, and a legible text colour for each."""
    scale: Sequence[str]
    scaleInks: Sequence[str]
    """The same for 0 to 1."""


class TransformerMoves(EventDict, total=False):
    """The part that fills the picture, an open number, or a token."""

    zoom: Name
    at: Name
    token: Place


PRINTED = ("token", "start", "end", "cosine", "cross", "p", "logit", "id", "@say", "@formula")
"""The numbers that sentences and formulas print; see `token_numbers`."""
WALKED = tuple(f"{part}{rest}" for part in transformer_walk.FORMULAS for rest in ("!", "#"))
"""The numbers that the open steps print; see `transformer_walk.walk_numbers`."""
TRANSFORMER = Script(
    "transformer", TransformerPayload, (*PRINTED, *WALKED, "words"), TransformerMoves
)
"""`words` is not a number: a question hides the predicted words under this name."""


def flow_picture(
    shown: Shown, zoom: str, number: Operands | None, doors: dict[str, Door], mode: Mode
) -> TransformerPayload:
    """The payload of `lessons/transformer/transformer.js` without the live numbers."""
    config = shown.config
    signed, scale = theme.diverging_scale(mode), theme.sequential_scale()
    part = zoom if number is None else number.stage
    tensors, stream, block = packed(shown, part.partition(".")[0])
    return {
        "family": shown.kind,
        "model": shown.name,
        "source": shown.source,
        "tokens": shown.tokens,
        "masked": shown.masked,
        "layers": config.layers,
        "heads": config.heads,
        "width": config.width,
        "pre": config.norm == "pre",
        "stages": list(shown.flow.stages),
        "tensors": tensors,
        "stream": stream,
        "block": block,
        "words": predicted_words(shown),
        "zoom": zoom,
        "number": None if number is None else open_number(shown, number),
        "doors": doors,
        "signed": signed[0],
        "signedInks": signed[1],
        "scale": scale[0],
        "scaleInks": scale[1],
    }


@lru_cache(maxsize=KEPT)
def packed(shown: Shown, here: str) -> tuple[list[FlowTensor], Kept, Kept]:
    """The stages that are sent, and their numbers; `here` is the open block."""
    stream, block = sent_stages(shown, here)
    tensors, start = list[FlowTensor](), 0
    for name, values in (stream | block).items():
        rows, columns = values.shape
        tensors.append({"stage": name, "rows": rows, "columns": columns, "start": start})
        start += rows * columns
    return tensors, _floats(stream), _floats(block)


def _floats(stages: Mapping[str, Tensor]) -> Kept:
    parts = (each.detach().float().cpu().contiguous() for each in stages.values())
    return Kept(b"".join(each.numpy().tobytes() for each in parts))


def sent_stages(shown: Shown, here: str) -> tuple[dict[str, Tensor], dict[str, Tensor]]:
    """The numbers of each stage that is always sent, and of each stage in the block `here`.

    A small flow is always sent whole; of a larger one, the stream and each attention’s mean α.
    """
    stages = {n: each for n, each in shown.flow.stages.items() if n not in LEFT_OUT}
    whole = sum(each.values.numel() for each in stages.values()) <= MOST_SENT
    stream, block = dict[str, Tensor](), dict[str, Tensor]()
    for name, stage in stages.items():
        first, _, part = name.partition(".")
        if whole or not part or part in ("r1", "n1", "r2", "n2"):
            stream[name] = stage.values
        elif first == here:
            block[name] = stage.values
        if part in ("alpha.1", "calpha.1"):
            each = [stages[f"{name[:-1]}{h + 1}"].values for h in range(shown.flow.heads)]
            stream[f"{name[:-1]}0"] = torch.stack(each).mean(0)
    return stream, block


@lru_cache(maxsize=KEPT)
def predicted_words(shown: Shown) -> FlowWords | None:
    """The words with the largest ŷ at each token, with their logits."""
    chances = shown.probabilities
    if chances is None:
        return None
    best = shown.best()
    logits = shown.flow["logits"].values.cpu().gather(1, best)
    return {
        "words": [shown.decode(row) for row in best.tolist()],
        "ids": best.numpy(),
        "logits": logits.numpy(),
        "chances": chances.gather(1, best).numpy(),
        "count": best.shape[1],
    }


def token_numbers(shown: Shown) -> dict[str, Float64[Tensor, " token"]]:
    """The numbers that the sentence and the formula print, at every token."""
    count = len(shown.tokens)
    first, last = (stream_ends(shown)[n].double().cpu() for n in (0, 1))
    named = {
        "token": torch.arange(1, count + 1).double(),
        "start": first.norm(dim=1),
        "end": last.norm(dim=1),
        "cosine": torch.cosine_similarity(first, last),
        "@say": torch.arange(count).double(),
        "@formula": torch.arange(count).double(),
    }
    words = predicted_words(shown)
    if shown.kind == "translation":
        named["cross"] = cross_weights(shown).amax(dim=1)
    if words is not None:
        named["p"] = torch.as_tensor(words["chances"])[:, 0]
        named["logit"] = torch.as_tensor(words["logits"])[:, 0].double()
        named["id"] = torch.as_tensor(words["ids"])[:, 0].double()
    return named


def cross_weights(shown: Shown) -> Float64[Tensor, "token source"]:
    """α of the decoder's last cross-attention, the mean of its heads."""
    at = f"d{shown.flow.layers}.calpha"
    heads = [shown.flow[f"{at}.{h + 1}"].values for h in range(shown.flow.heads)]
    return torch.stack(heads).mean(0).double().cpu()


def stream_ends(shown: Shown) -> tuple[Tensor, Tensor]:
    """The tokens' vectors before the first block and after the last one."""
    names = list(shown.flow.stages)
    letter = "d" if shown.kind == "translation" else "b"
    first = names[names.index(next(n for n in names if n.startswith(f"{letter}1."))) - 1]
    ends = [n for n in names if n.startswith(f"{letter}{shown.flow.layers}.")]
    return shown.flow["embedding" if "embedding" in names else first].values, shown.flow[
        ends[-1]
    ].values
