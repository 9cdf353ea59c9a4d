"""What the Corruption tab shows, out of its settings: a text, its draws, and what they come to."""

from __future__ import annotations

from typing import Any, NamedTuple, get_args

import numpy as np
import streamlit as st
import torch

import ui
from lessons.masking import corruption_picture as figures
from lessons.masking import corruption_text as words
from lmcore import parsing
from lmcore.corruption import bart_noise, full_sentences
from lmcore.corruption import text as corruption_text
from lmcore.corruption.bart_noise import NoiseTrace
from lmcore.corruption.corruption import CorruptionTrace, Rates
from lmcore.corruption.draws import (
    SLIDERS,
    UNITS,
    CorruptionConfig,
    RandomTokenSource,
    TextDraws,
    change_rate,
    corrupt_as_chosen,
    corrupt_at_random,
    draw_for_text,
)
from lmcore.corruption.full_sentences import pack, shortest_length
from lmcore.corruption.text import CorruptText
from lmcore.vocabulary import split_text
from ui import pretrained, settings

NO_HEAD = ("minilm", "gpt")
"""Models that are known to fill in nothing."""
KNOWN_TEXT = "the animal didn't cross the street because it was too tired."
LARGEST_SEED = 2**31 - 1


class CorruptionState(NamedTuple):
    """All that is on screen."""

    typed: str
    text: CorruptText
    lot: CorruptionConfig
    drawn: TextDraws
    trace: CorruptionTrace
    written: str
    """What was chosen by hand, or nothing"""


def available_models(*, aloud: bool = False) -> dict[str, str]:
    """What may read the text: nobody, our small encoder, or what this server allows; where its
    settings cannot be read, that is said `aloud`."""
    try:
        found = pretrained.available_models()
    except ValueError as error:
        found = {}
        if aloud:
            ui.show_error(error)
    known = {name: label for name, label in found.items() if name not in NO_HEAD}
    return {"words": words.NONE} | known


def read_state() -> CorruptionState:
    """What the controls describe."""
    state = st.session_state
    name = settings.allowed_value("corrupt_model", available_models())
    typed = str(state["corrupt_text"])
    if name == "words":
        text = corruption_text.text_from_words(typed)
    else:
        text = corruption_text.text_from_model(pretrained.load(name), typed)
    return corruption_state_of(typed, text, _lot(), str(state["corrupt_hand"]))


def default_state(typed: str) -> CorruptionState:
    """What the tab opens on where its address cannot be read."""
    return corruption_state_of(
        typed, corruption_text.text_from_words(typed), CorruptionConfig(), ""
    )


def corruption_state_of(
    typed: str, text: CorruptText, lot: CorruptionConfig, written: str
) -> CorruptionState:
    """A text with what became of it, by hand or by lot."""
    drawn = draw_for_text(text, lot)
    if written.strip():
        return CorruptionState(typed, text, lot, drawn, corrupt_as_chosen(text, written), written)
    return CorruptionState(
        typed, text, lot, drawn, corrupt_at_random(text, lot, [lot.rates], drawn.draws), ""
    )


def _lot() -> CorruptionConfig:
    state = st.session_state
    seed = parsing.parse_integer(state["corrupt_seed"], "the seed")
    if not 0 <= seed <= LARGEST_SEED:
        raise ValueError(f"the seed must be from 0 to {LARGEST_SEED}; got {seed}")
    unit: Any = settings.allowed_value("corrupt_unit", UNITS)
    source: Any = settings.allowed_value("corrupt_from", get_args(RandomTokenSource))
    return CorruptionConfig(shares(), unit, source, seed, state["corrupt_least"] == "true")


def shares() -> Rates:
    """The three shares as they are set.

    Raises:
        ValueError: if one is no share, or masked and random are more than all.
    """
    found = [
        parsing.parse_number(st.session_state[f"corrupt_{n}"], f"the share {n}") for n in SLIDERS
    ]
    return Rates(*found)


def slider_numbers(scene: CorruptionState) -> ui.LiveNumbers:
    """Every number now, and at every position of the three shares."""
    rates = scene.lot.rates
    sliders = []
    for name, label, spoken, look_for, role in figures.SHARES:
        value = float(getattr(rates, name))
        even = np.round(np.arange(figures.POSITIONS) / (figures.POSITIONS - 1), 10)
        even[np.abs(even - value).argmin()] = value
        setting = figures.PREFIX + name
        sliders.append(ui.Slider(setting, label, spoken, value, even, help=look_for, role=role))
    positions = [slider.positions.tolist() for slider in sliders]
    now = figures.current_numbers(scene.text, rates, scene.trace, hand=bool(scene.written))
    swept = figures.swept_numbers(scene.text, scene.lot, scene.drawn.draws, positions)
    return ui.live_numbers("corrupt", now, sliders, swept)


def store_share(told: dict[str, Any]) -> None:
    """A share was let go, or typed: chance decides again, and the other share makes room."""
    wanted = {told["name"]: told["typed"], "corrupt_hand": ""}
    try:
        name = str(told["name"]).removeprefix(figures.PREFIX)
        found = change_rate(
            shares(), name, parsing.parse_number(told["typed"], f"the share {name}")
        )
        wanted |= {figures.PREFIX + each: f"{getattr(found, each):.12g}" for each in SLIDERS}
        wanted[told["name"]] = told["typed"]
    except ValueError:
        pass  # what was typed is refused where it is read, and stays in its field
    ui.set_controls(wanted)


def store_choice_by_hand(told: dict[str, Any]) -> None:
    """A word of the picture was pressed: from now on all is chosen by hand."""
    ui.set_controls({"corrupt_hand": str(told["hand"])})


def draw_again() -> None:
    """The next seed; what was set by hand goes."""
    try:
        seed = parsing.parse_integer(st.session_state["corrupt_seed"], "the seed") + 1
    except ValueError:
        seed = 1
    ui.set_controls({"corrupt_seed": str(min(seed, LARGEST_SEED)), "corrupt_hand": ""})


def forget_choice_by_hand(key: str) -> None:
    """Another text: what was chosen by hand in the old one goes."""
    if (text := ui.changed_value("corrupt_text-typed", key)) is not None:
        ui.set_controls({"corrupt_text": text, "corrupt_hand": ""})


def is_refused_by_encoder(scene: CorruptionState) -> bool:
    """Whether our small encoder was asked, and what is shown was read by nobody."""
    return bool(st.session_state["corrupt_model"] == "encoder" and scene.text.network is None)


def put_known() -> None:
    """A text that our small encoder knows every word of."""
    ui.set_controls({"corrupt_text": KNOWN_TEXT, "corrupt_hand": ""})


WORDS = 60
"""Tokens of a text that is corrupted, and of all documents that are packed."""
LONGEST_INPUT = 40
"""Tokens: a longer input is more than a screen holds."""


def read_noises() -> dict[str, NoiseTrace]:
    """The five, each from the same seed."""
    tokens = split_text(st.session_state["corrupt_noise"], "word")
    if len(tokens) > WORDS:
        raise ValueError(f"the text must have at most {WORDS} tokens; got {len(tokens)}")
    share = parsing.parse_number(st.session_state["corrupt_noise_share"], "the share")
    seed = parsing.parse_integer(st.session_state["corrupt_noise_seed"], "the seed")
    if not 0 <= seed <= LARGEST_SEED:
        raise ValueError(f"the seed must be from 0 to {LARGEST_SEED}; got {seed}")
    return corrupt_five_ways(tokens, share, seed)


def corrupt_five_ways(tokens: list[str], share: float, seed: int) -> dict[str, NoiseTrace]:
    """Each from a generator of its own, so that one does not move the other's draws."""

    def fresh(n: int) -> torch.Generator:
        return torch.Generator().manual_seed(seed * 8 + n)

    return {
        "token_masking": bart_noise.token_masking(tokens, fresh(0), share=share),
        "token_deletion": bart_noise.token_deletion(tokens, fresh(1), share=share),
        "text_infilling": bart_noise.text_infilling(tokens, fresh(2), share=share),
        "sentence_permutation": bart_noise.sentence_permutation(tokens, fresh(3)),
        "document_rotation": bart_noise.document_rotation(tokens, fresh(4)),
    }


def default_noises() -> dict[str, NoiseTrace]:
    """What the view opens on where its address cannot be read."""
    return corrupt_five_ways(["A", "cat", "sleeps", "."], bart_noise.SHARE, 1)


def next_seed() -> None:
    """The next seed."""
    try:
        seed = parsing.parse_integer(st.session_state["corrupt_noise_seed"], "the seed") + 1
    except ValueError:
        seed = 1
    ui.set_controls({"corrupt_noise_seed": str(min(max(seed, 0), LARGEST_SEED))})


class PackedDocuments:
    """Documents, and their inputs at every length."""

    def __init__(self, text: str, length: int, *, across: bool) -> None:
        self.documents = read_documents(text)
        least = shortest_length(self.documents)
        if least > LONGEST_INPUT:
            raise ValueError(
                f"a sentence must have at most {LONGEST_INPUT - full_sentences.FRAME} tokens; "
                f"got {least - full_sentences.FRAME}"
            )
        if not least <= length <= LONGEST_INPUT:
            raise ValueError(
                f"the length must be from {least}, for the longest sentence, to {LONGEST_INPUT} "
                f"tokens; got {length}"
            )
        self.length, self.lengths = length, range(least, LONGEST_INPUT + 1)
        self.every = [pack(self.documents, n, across=across) for n in self.lengths]
        self.other = [pack(self.documents, n, across=not across) for n in self.lengths]


def read_documents(text: str) -> list[list[list[str]]]:
    """Documents with | between them, cut into sentences and tokens.

    Raises:
        ValueError: if there is none, or there are too many tokens.
    """
    parts = [split_text(part, "word") for part in text.split("|") if part.strip()]
    count = sum(map(len, parts))
    if not 0 < count <= WORDS:
        raise ValueError(f"the documents must have 1 to {WORDS} tokens; got {count}")
    return [
        [[tokens[i] for i in part] for part in bart_noise.sentences(tokens)] for tokens in parts
    ]


def read_packing() -> PackedDocuments:
    """What the controls describe."""
    state = st.session_state
    length = parsing.parse_integer(state["corrupt_pack_length"], "the length")
    across = state["corrupt_pack_across"] != "false"
    return PackedDocuments(state["corrupt_pack"], length, across=across)


def default_packing() -> PackedDocuments:
    """What the view opens on where its address cannot be read."""
    return PackedDocuments("A cat sleeps. | A dog eats.", 16, across=True)


def length_numbers(found: PackedDocuments) -> ui.LiveNumbers:
    """The length now, and every other."""
    every = np.array(found.lengths, dtype=np.float64)
    look_for = "More fits in an input; watch the padding, and the extra separators"
    slider = ui.Slider(
        "corrupt_pack_length", "length", "length of an input", float(found.length), every, look_for
    )
    at = torch.arange(len(every)).double()
    now = {"at": at[found.length - found.lengths[0]]}
    return ui.live_numbers("packing", now, [slider], {"at": at[None]})


def store_length(told: dict[str, Any]) -> None:
    """The length was let go, or typed."""
    ui.set_controls({told["name"]: told["typed"]})
