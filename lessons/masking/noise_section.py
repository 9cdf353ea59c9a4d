"""Other ways to make a text worse, and to fill an input: BART's corruptions, RoBERTa's packing."""

from __future__ import annotations

from typing import Any

import numpy as np
import streamlit as st
import torch

import ui
from lessons.masking import noise_text as figures
from lmcore import parsing
from lmcore.corruption import bart_noise, full_sentences
from lmcore.corruption.bart_noise import NoiseTrace
from lmcore.corruption.full_sentences import PackingTrace, pack, shortest_length
from lmcore.numbers import format_number
from lmcore.vocabulary import split_text
from ui import settings
from ui.live import LiveNumbers

TEXT_SETTINGS = ("corrupt_noise", "corrupt_pack")
WORDS = 60
"""Tokens of a text that is corrupted, and of all documents that are packed."""
LONGEST_INPUT = 40
"""Tokens: a longer input is more than a screen holds."""
LARGEST_SEED = 2**31 - 1


def bart() -> None:
    """The same text, corrupted in five ways."""
    left, right = st.columns([2, 5], gap="medium")
    with left:
        settings.text_field("corrupt_noise", "Text", "Some sentences, each with a full stop")
        settings.text_field(
            "corrupt_noise_share", "Share of the tokens", "Of masking, deletion, infill"
        )
        st.button("Draw another", on_click=next_seed, icon=":material/casino:")
        found = ui.validated_or_previous("corrupt_noise", read_noises, default_noises)
    with right:
        rows = figures.noise_rows(found)
        nothing = LiveNumbers("noise", (), np.empty(0))
        ui.picture("chips", nothing, figures.chips([rows]))
    st.caption(
        "Computed here. BART is an encoder and a decoder: the encoder reads what is left, the "
        "decoder writes the whole text again. Quoted (Lewis et al. 2020): it was trained with "
        "infilling of 30 % of the tokens, lengths from a Poisson distribution, λ = 3, and with all "
        "sentences permuted. Under a [MASK]: what it stands for."
    )


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


def packing() -> None:
    """Documents in inputs of one length; the length follows the hand."""
    left, right = st.columns([2, 5], gap="medium")
    with left:
        look_for = "Put | between documents, and a stop after each sentence"
        settings.text_field("corrupt_pack", "Documents", look_for)
        settings.toggle("corrupt_pack_across", "Go on past the end of a document")
        found = ui.validated_or_previous("corrupt_pack", read_packing, default_packing)
        live = length_numbers(found)
        ui.sliders(live, on_settled=store_length)
    with right:
        views = [figures.packing_rows(each) for each in found.every]
        ui.picture("chips", live, figures.chips(views, "at"))
    at = found.length - found.lengths[0]
    st.markdown(packing_words(found.every[at], found.other[at]))


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


def length_numbers(found: PackedDocuments) -> LiveNumbers:
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


def packing_words(one: PackingTrace, other: PackingTrace) -> str:
    """How full the inputs are, either way."""
    extra = sum(item.what == "between" for items in one.inputs for item in items)
    return (
        f"At length {one.length}: **{len(one.inputs)} inputs, "
        f"{format_number(100 * one.filled)} % filled**, {extra} extra separators between documents. "
        f"The other way: {len(other.inputs)} inputs, {format_number(100 * other.filled)} % filled. "
        ":gray-badge[computed] RoBERTa packs up to 512 tokens past the ends of documents, with no "
        "pairs and no next-sentence task (quoted: Liu et al. 2019). Under a token: its document "
        "and sentence."
    )
