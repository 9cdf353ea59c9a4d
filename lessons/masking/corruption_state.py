"""Reads the settings of Corruption: a text, its draws, BART's noises, packed documents."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import streamlit as st
import torch

import ui
from drawing.events import Moved
from lessons.masking import corruption_picture
from lessons.masking.masking_state import KNOWN_TEXT, SETTINGS
from lmcore import parsing
from lmcore.corruption import bart_noise, full_sentences
from lmcore.corruption import text as corruption_text
from lmcore.corruption.bart_noise import NoiseTrace
from lmcore.corruption.corruption import CorruptionTrace, Rates
from lmcore.corruption.draws import (
    SLIDERS,
    CorruptionConfig,
    TextDraws,
    change_rate,
    corrupt_as_chosen,
    corrupt_at_random,
    draw_for_text,
)
from lmcore.corruption.full_sentences import pack, shortest_length
from lmcore.corruption.text import CorruptText
from lmcore.typed import fold
from lmcore.vocabulary import split_text
from ui import pretrained

LARGEST_SEED = 2**31 - 1


class CorruptionState(NamedTuple):
    """Everything on screen: the text, how it is corrupted, and the result."""

    typed: str
    text: CorruptText
    config: CorruptionConfig
    drawn: TextDraws
    trace: CorruptionTrace
    by_hand: str
    """The outcomes that were set by hand, as typed in the address; else empty"""


def read_state() -> CorruptionState:
    """Read and validate the state of the controls."""
    state = st.session_state
    name = SETTINGS.choice("corrupt_model")
    typed = str(state["corrupt_text"])
    if name == "words":
        text = corruption_text.text_from_words(typed)
    else:
        text = corruption_text.text_from_model(pretrained.load(name), typed)
    return corruption_state_of(typed, text, read_lot(), str(state["corrupt_hand"]))


def default_state(typed: str) -> CorruptionState:
    """The default state, for an invalid address."""
    return corruption_state_of(
        typed, corruption_text.text_from_words(typed), CorruptionConfig(), ""
    )


def corruption_state_of(
    typed: str, text: CorruptText, config: CorruptionConfig, by_hand: str
) -> CorruptionState:
    """A text, corrupted by hand or at random."""
    drawn = draw_for_text(text, config)
    if by_hand.strip():
        return CorruptionState(
            typed, text, config, drawn, corrupt_as_chosen(text, by_hand), by_hand
        )
    return CorruptionState(
        typed, text, config, drawn, corrupt_at_random(text, config, [config.rates], drawn.draws), ""
    )


def read_lot() -> CorruptionConfig:
    """How a text is corrupted at random."""
    state = st.session_state
    seed = parsing.parse_integer(state["corrupt_seed"], "the seed")
    if not 0 <= seed <= LARGEST_SEED:
        raise ValueError(f"the seed must be from 0 to {LARGEST_SEED}; got {seed}")
    unit: Any = SETTINGS.choice("corrupt_unit")
    source: Any = SETTINGS.choice("corrupt_from")
    return CorruptionConfig(shares(), unit, source, seed, SETTINGS.switch("corrupt_least"))


def shares() -> Rates:
    """The three shares of the controls.

    Raises:
        ValueError: if one is not a share, or masked and random sum to more than 1.
    """
    values = [
        parsing.parse_number(st.session_state[f"corrupt_{n}"], f"the share {n}") for n in SLIDERS
    ]
    return Rates(*values)


def slider_numbers(current: CorruptionState) -> ui.LiveNumbers:
    """Every number now, and at every position of the three shares."""
    rates = current.config.rates
    sliders = []
    for name, label, spoken, help_text, role in corruption_picture.SHARES:
        value = float(getattr(rates, name))
        even = np.round(
            np.arange(corruption_picture.POSITIONS) / (corruption_picture.POSITIONS - 1), 10
        )
        even[np.abs(even - value).argmin()] = value
        setting = corruption_picture.PREFIX + name
        sliders.append(ui.Slider(setting, label, spoken, value, even, help=help_text, role=role))
    positions = [slider.positions.tolist() for slider in sliders]
    now = corruption_picture.current_numbers(
        current.text, rates, current.trace, by_hand=bool(current.by_hand)
    )
    swept = corruption_picture.swept_numbers(
        current.text, current.config, current.drawn.draws, positions
    )
    return ui.live_numbers("corrupt", now, sliders, swept)


def store_share(event: Moved) -> None:
    """Store a share that was dragged or typed, fit the other one, and drop choices by hand."""
    values = {event["name"]: event["typed"], "corrupt_hand": ""}
    try:
        name = str(event["name"]).removeprefix(corruption_picture.PREFIX)
        changed = change_rate(
            shares(), name, parsing.parse_number(event["typed"], f"the share {name}")
        )
        values |= {
            corruption_picture.PREFIX + each: f"{getattr(changed, each):.12g}" for each in SLIDERS
        }
        values[event["name"]] = event["typed"]
    except ValueError:
        pass  # the wrong value stays in its field, and is reported where it is read
    ui.set_controls(values)


def store_choice_by_hand(event: corruption_picture.OutcomesByHand) -> None:
    """Store the outcomes set by hand, after a word of the picture was pressed."""
    ui.set_controls({"corrupt_hand": event["hand"]})


def draw_again() -> None:
    """Take the next seed, and drop the choices by hand."""
    try:
        seed = parsing.parse_integer(st.session_state["corrupt_seed"], "the seed") + 1
    except ValueError:
        seed = 1
    ui.set_controls({"corrupt_seed": str(min(seed, LARGEST_SEED)), "corrupt_hand": ""})


def is_refused_by_encoder(current: CorruptionState) -> bool:
    """Whether our small encoder is chosen but cannot read the text on screen."""
    return bool(st.session_state["corrupt_model"] == "encoder" and current.text.network is None)


def put_known() -> None:
    """Store a text with only words that our small encoder knows."""
    ui.set_controls({"corrupt_text": KNOWN_TEXT, "corrupt_hand": ""})


WORDS = 60
"""Most tokens of a text that is corrupted, and of all documents that are packed."""
LONGEST_INPUT = 40
"""Tokens; a longer input does not fit on a screen."""


def read_noises() -> dict[str, NoiseTrace]:
    """The five corruptions, from one seed."""
    tokens = split_text(fold(st.session_state["corrupt_noise"]), "word")
    if len(tokens) > WORDS:
        raise ValueError(f"the text must have at most {WORDS} tokens; got {len(tokens)}")
    share = parsing.parse_number(st.session_state["corrupt_noise_share"], "the share")
    seed = parsing.parse_integer(st.session_state["corrupt_noise_seed"], "the seed")
    if not 0 <= seed <= LARGEST_SEED:
        raise ValueError(f"the seed must be from 0 to {LARGEST_SEED}; got {seed}")
    return corrupt_five_ways(tokens, share, seed)


def corrupt_five_ways(tokens: list[str], share: float, seed: int) -> dict[str, NoiseTrace]:
    """Each corruption draws from a generator of its own, so that none changes another's draws."""

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
    """The view's default state, for an invalid address."""
    return corrupt_five_ways(["A", "cat", "sleeps", "."], bart_noise.SHARE, 1)


def next_seed() -> None:
    """Take the next seed."""
    try:
        seed = parsing.parse_integer(st.session_state["corrupt_noise_seed"], "the seed") + 1
    except ValueError:
        seed = 1
    ui.set_controls({"corrupt_noise_seed": str(min(max(seed, 0), LARGEST_SEED))})


class PackedDocuments:
    """Documents, and their inputs at every length, packed both ways."""

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
        self.across = across
        self.every = [pack(self.documents, n, across=across) for n in self.lengths]
        self.other = [pack(self.documents, n, across=not across) for n in self.lengths]


def read_documents(text: str) -> list[list[list[str]]]:
    """Documents with | between them, cut into sentences and tokens.

    Raises:
        ValueError: if there is none, or there are too many tokens.
    """
    parts = [split_text(part, "word") for part in fold(text).split("|") if part.strip()]
    count = sum(map(len, parts))
    if not 0 < count <= WORDS:
        raise ValueError(f"the documents must have 1 to {WORDS} tokens; got {count}")
    return [
        [[tokens[i] for i in part] for part in bart_noise.sentences(tokens)] for tokens in parts
    ]


def read_packing() -> PackedDocuments:
    """Read and validate the state of the controls."""
    state = st.session_state
    length = parsing.parse_integer(state["corrupt_pack_length"], "the length")
    across = state["corrupt_pack_across"] != "false"
    return PackedDocuments(state["corrupt_pack"], length, across=across)


def default_packing() -> PackedDocuments:
    """The view's default state, for an invalid address."""
    return PackedDocuments("A cat sleeps. | A dog eats.", 16, across=True)


def length_numbers(packed: PackedDocuments) -> ui.LiveNumbers:
    """The length now, and every other."""
    every = np.array(packed.lengths, dtype=np.float64)
    help_text = "Longer inputs hold more; watch the padding and the extra separators"
    slider = ui.Slider(
        "corrupt_pack_length",
        "length",
        "length of an input",
        float(packed.length),
        every,
        help_text,
    )
    at = torch.arange(len(every)).double()
    now = {"at": at[packed.length - packed.lengths[0]]}
    return ui.live_numbers("packing", now, [slider], {"at": at[None]})


def store_length(event: Moved) -> None:
    """Store the length that was dragged or typed."""
    ui.set_controls({event["name"]: event["typed"]})
