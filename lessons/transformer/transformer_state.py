"""The settings of the page on the whole Transformer, read and stored, and what they describe."""

from __future__ import annotations

import re
import time
from collections.abc import Mapping
from functools import lru_cache, partial
from typing import NamedTuple
from urllib.parse import urlencode

import numpy as np
import streamlit as st

import ui
from drawing.events import Moved
from drawing.live import FloatArray
from lessons.transformer import transformer_picture, transformer_walk
from lessons.transformer.claims.claims_state import CLAIM_SETTINGS
from lessons.transformer.cost_state import COST_SETTINGS
from lessons.transformer.switches_state import SWITCH_DEFAULTS, SWITCH_SETTINGS
from lessons.transformer.tiny_state import TINY_SETTINGS
from lessons.transformer.towers.towers_state import TOWER_SETTINGS
from lessons.transformer.transformer_shown import Shown, follow_text, follow_translation
from lmcore import parsing
from lmcore.models.encoder_decoder import Transformer
from lmcore.shipped import models as shipped
from lmcore.transformer.operands import Operands, operands
from lmcore.typed import fold_numbers
from lmcore.vocabulary import Vocabulary
from ui import compute, pretrained
from ui.settings import Bound, Choice, SettingsTable, Text

LESSON = ui.lesson("transformer")
GPT, TRANSLATOR = "gpt", "encoder_decoder"
TEXTS = {
    GPT: LESSON.defaults["tf_text"],
    "encoder": "the [MASK] gets fed .",
    TRANSLATOR: "the big dogs see a cat",
}
"""Default texts in the words of our small models; all others read English."""
ENGLISH = "The animal didn't cross the street"


def models() -> dict[str, str]:
    """The models that can be followed, our small ones first."""
    known = pretrained.known_models()
    found = {name: label for name, label in OWN.items() if name in known}
    if shipped.has_weights(TRANSLATOR):
        found[TRANSLATOR] = "Small encoder–decoder"
    return found | {name: label for name, label in known.items() if name not in found}


OWN = {GPT: "Small GPT", "encoder": "Small BERT"}


def forget_place() -> None:
    """Follow the default token and close the open number, for another text."""
    ui.set_controls({"tf_step": "", "tf_at": ""})


def fit_text() -> None:
    """Replace a text that the newly chosen model cannot read by one that it can."""
    state = st.session_state
    model = state["tf_model"]
    ui.set_controls({"tf_step": "", "tf_at": "", "tf_zoom": ""})
    try:
        followed(TransformerState(model, state["tf_text"], 0))
    except ValueError:
        ui.set_controls({"tf_text": TEXTS.get(model, ENGLISH)})


SETTINGS = SettingsTable(
    LESSON,
    {
        "tf_model": Choice(models, "Model", then=fit_text),
        "tf_text": Text(
            "Text",
            "At most 24 tokens are followed. A BERT predicts each [MASK], a GPT the next word",
            longest=400,
            then=forget_place,
        ),
        "tf_reads": Choice(
            {"own": "its own words", "true": "the true words"},
            "The decoder reads",
            then=forget_place,
            help="Its own words as it writes them, or as in training the true ones",
        ),
        "tf_step": Text("Token", "The token that is followed, from 1; empty: the last"),
        "tf_at": Text("Open number", "stage[row, column], such as b1.q[3, 0]; from 0"),
        "tf_zoom": Text("Part", "The part that fills the picture, such as b1.attention"),
        "see": Bound(),
        **TINY_SETTINGS,
        **COST_SETTINGS,
        **SWITCH_SETTINGS,
        **CLAIM_SETTINGS,
        **TOWER_SETTINGS,
    },
    besides=SWITCH_DEFAULTS,
)


class TransformerState(NamedTuple):
    """What the controls describe."""

    model: str
    text: str
    step: int
    """The token that is followed, from 1; 0: the last, or the first [MASK]."""
    at: tuple[str, int, int] | None = None
    """The open number: stage, row, column."""
    zoom: str = ""
    taught: bool = False
    """Whether a decoder reads the true words instead of its own."""


AT = re.compile(r"([a-z0-9.]{1,24})\[(\d{1,6}),\s*(\d{1,6})\]")


def read_state() -> TransformerState:
    """The state of the controls.

    Raises:
        ValueError: naming what is wrong.
    """
    state = st.session_state
    step = parsing.parse_integer(state["tf_step"], "the token") if state["tf_step"] else 0
    now = TransformerState(
        state["tf_model"],
        state["tf_text"],
        step,
        parse_place(state["tf_at"]),
        state["tf_zoom"],
        state["tf_reads"] == "true",
    )
    shown = followed(now)
    if not 0 <= step <= len(shown.tokens):
        raise ValueError(
            f"the token must be from 1 to {len(shown.tokens)}, those of the text; got {step}"
        )
    if now.at is not None:
        operands(shown.flow, *now.at)
    return now


def parse_place(text: str) -> tuple[str, int, int] | None:
    """The place that is written as stage[row, column], both from 0; None if empty.

    Raises:
        ValueError: if the text has another form.
    """
    if not text.strip():
        return None
    found = AT.fullmatch(fold_numbers(text).strip())
    if not found:
        raise ValueError(
            f"an open number must be stage[row, column], such as b1.q[3, 0]; got {text[:40]!r}"
        )
    return found[1], int(found[2]), int(found[3])


def default_state() -> TransformerState:
    """The page's example."""
    return TransformerState(LESSON.defaults["tf_model"], LESSON.defaults["tf_text"], 0)


def first_flow() -> None:
    """Follow the page's default text before the first visit."""
    followed(default_state())


def followed(now: TransformerState) -> Shown:
    """Every stage of the text in the model, computed once for all visitors."""
    make = partial(_follow, now.model, now.text, now.taught)
    return compute.shared_result("flows", make, most=12, says="Running the model")


def _follow(model: str, text: str, taught: bool) -> Shown:
    if model == TRANSLATOR:
        return follow_translation(*translator(), text, time.perf_counter, taught=taught)
    return follow_text(pretrained.load(model), text, time.perf_counter)


@lru_cache(maxsize=1)
def translator() -> tuple[Transformer, Vocabulary]:
    """The encoder–decoder that comes with the application, read once.

    Raises:
        ValueError: if its file is missing or damaged.
    """
    if not shipped.has_weights(TRANSLATOR):
        raise ValueError(f"the model must be one of {', '.join(models())}; {TRANSLATOR} is missing")
    network, vocabulary, *_ = shipped.encoder_decoder()
    return network, vocabulary


def place_of(now: TransformerState, shown: Shown) -> int:
    """The token that is followed, from 0: the chosen one, the first [MASK], or the last word."""
    if now.step:
        return min(now.step, len(shown.tokens)) - 1
    if shown.masked:
        return shown.masked[0]
    return len(shown.tokens) - (2 if shown.kind == "bert" and len(shown.tokens) > 2 else 1)


def open_number(now: TransformerState, shown: Shown) -> Operands | None:
    """The open number with its operands."""
    return None if now.at is None else operands(shown.flow, *now.at)


def doors(now: TransformerState) -> dict[str, transformer_picture.Door]:
    """The pages that show a part alone, with this text in this model."""
    read = {"model": now.model, "text": now.text}
    heads = {f"heads_{name}": value for name, value in read.items()} | {"heads_query": "TOKEN"}
    one = {f"attention_{name}": value for name, value in read.items()}
    one |= {"attention_from": "model", "attention_layer": "LAYER", "attention_head": "HEAD"}
    one["attention_query"] = "ORDINAL"
    found = {
        "attention": transformer_picture.Door(page="Heads", address=_address("heads", heads)),
        "head": transformer_picture.Door(
            page="Heads", address=_address("heads", {**heads, "heads_head": "LAYER.HEAD"})
        ),
        "embed": transformer_picture.Door(page="Tokens", address="tokens"),
        "position": transformer_picture.Door(page="Positions", address="positions"),
    }
    table = transformer_picture.Door(page="Attention", address=_address("attention", one))
    found |= dict.fromkeys(("q", "k", "v", "score", "alpha", "z"), table)
    if now.model == GPT:
        write = {"gen_text": now.text}
        found["unembed"] = transformer_picture.Door(
            page="Generation", address=_address("generation", write)
        )
    return found


def _address(page: str, settings: Mapping[str, str]) -> str:
    return f"{page}?{urlencode(settings)}"


def live_numbers(shown: Shown, place: int, block: str = "") -> ui.LiveNumbers:
    """The numbers of a token, from 0, and along the slider; with a block, also those in it."""
    names, rows = token_rows(shown, block)
    positions = rows[:, names.index("token")]
    slider = ui.Slider(
        "token",
        "token t",
        "token t",
        float(positions[place]),
        positions,
        help="Which token is followed through the model",
        role="activation",
    )
    return ui.LiveNumbers("transformer", names, rows[place], (slider,), [rows])


@lru_cache(maxsize=transformer_picture.KEPT)
def token_rows(shown: Shown, block: str) -> tuple[tuple[str, ...], FloatArray]:
    """The names of a token's numbers, and the numbers themselves, a row for each token."""
    named = transformer_picture.token_numbers(shown)
    if block:
        named |= transformer_walk.walk_numbers(shown, block)
    return tuple(named), np.stack([each.numpy() for each in named.values()], axis=-1)


def store_slider(moved: Moved) -> None:
    """Store a released slider's value, or the number typed beside it."""
    try:
        step = parsing.parse_integer(moved["typed"], "the token")
        last = len(followed(read_state()).tokens)
        if not 1 <= step <= last:
            raise ValueError(f"the token must be from 1 to {last}; got {step}")
        ui.set_controls({"tf_step": str(step)})
    except ValueError as error:
        ui.show_error_later(error)


def store_event(event: transformer_picture.TransformerMoves) -> None:
    """Store what the picture reports: the part that fills it, an open number, or a token."""
    changed = dict[str, str]()
    if "zoom" in event:
        changed["tf_zoom"] = event["zoom"][:40]
    if "at" in event:
        changed["tf_at"] = event["at"][:48]
    if "token" in event:
        changed["tf_step"] = str(event["token"])
    ui.set_controls(changed)
