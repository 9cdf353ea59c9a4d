"""The settings of the tab on attention masks, read: a model, a text, and two masks of it."""

from __future__ import annotations

from functools import partial
from typing import NamedTuple

import streamlit as st

from lessons.masking import picture as figures
from lmcore import parsing
from lmcore.masking import mask_pairs, under_mask
from lmcore.masking.mask_choice import MaskChoice, parse_order
from lmcore.masking.mask_pairs import HeadIndex, MaskPair, PaddedBatch
from lmcore.masking.under_mask import MaskText
from lmcore.models.gpt import GPT
from lmcore.models.registry import NeuralModel
from lmcore.shipped import models as shipped
from lmcore.vocabulary import END, Vocabulary
from ui import models as shipped_models
from ui import settings
from ui.compute import shared_results

TRAINED = {"gpt": "Small GPT", "gpt_unmasked": "GPT trained unmasked"}
OTHERS = ("bidirectional", "causal", "prefix", "sliding", "permutation", "painted")
"""Masks that the chosen one can be compared with."""


class MaskingModel(NamedTuple):
    """A GPT that computes the scores; one without a vocabulary reads any words."""

    label: str
    network: GPT
    neural: NeuralModel | None
    name: str | None = None
    """Its name in `lmcore.shipped.models`"""

    @property
    def vocabulary(self) -> Vocabulary | None:
        """The words that it was trained on."""
        return None if self.neural is None else self.neural.vocabulary


class MaskingState(NamedTuple):
    """Everything on screen: the pair of masks, and what it was computed from."""

    pair: MaskPair
    model: MaskingModel
    words: MaskText
    where: HeadIndex = HeadIndex()
    choice: MaskChoice | None = None
    batch: PaddedBatch | None = None
    batch_index: int = 0
    source: MaskText | None = None

    @property
    def filler(self) -> str:
        """The token that fills a short text of the batch, shown as [PAD]."""
        known = self.model.vocabulary
        if self.batch is None or known is None:
            return under_mask.PAD
        return known.tokens[self.batch.filler]


def available_models() -> dict[str, MaskingModel]:
    """The GPTs that come with the app, and an untrained one that reads any words."""
    models = {}
    for name, label in TRAINED.items():
        if name in shipped.SHIPPED and shipped.has_weights(name):
            model = shipped_models.shipped_network(name).model
            if isinstance(model, NeuralModel) and isinstance(model.network, GPT):
                models[name] = MaskingModel(label, model.network, model, name)
    untrained = shared_results.shared_result("untrained", (), under_mask.untrained_gpt, most=1)
    return models | {"any": MaskingModel("Untrained, any words", untrained, None)}


def read_mask_choice(kind: str) -> MaskChoice:
    """A mask of that kind, with the numbers of the controls."""
    state = st.session_state
    return MaskChoice(
        kind,
        known=parsing.parse_integer(state["masking_prefix"], "the prefix"),
        window=parsing.parse_integer(state["masking_window"], "the window"),
        ahead=state["masking_ahead"] == "true",
        order=parse_order(state["masking_order"]),
        content=state["masking_stream"] != "query",
        painted=state["masking_painted"],
    )


def other_kind(kind: str) -> str:
    """The mask that the chosen one is compared with; never the chosen one itself."""
    other = settings.allowed_value("masking_other", OTHERS)
    if other != kind:
        return other
    return "causal" if kind == "bidirectional" else "bidirectional"


def read_state(models: dict[str, MaskingModel]) -> MaskingState:
    """Read and validate the state of the controls."""
    state = st.session_state
    kind = settings.allowed_value("masking_kind", figures.KINDS)
    model = models[settings.allowed_value("masking_model", models)]
    head = HeadIndex(
        parsing.parse_integer(state["masking_layer"], "the layer"),
        parsing.parse_integer(state["masking_head"], "the head"),
    )
    if kind == "cross":
        return cross_state(model, head)
    if kind == "padding":
        return batch_state(model, head)
    text = read_text(model)
    choice = read_mask_choice(kind)
    arguments = text, read_mask_choice(other_kind(kind)), choice, head
    compute = partial(mask_pairs.text_pair, model.network, *arguments)
    key = (model.name, *arguments)
    pair = shared_results.shared_result("pairs of masks", key, compute, most=32)
    return MaskingState(pair, model, text, head, choice)


def read_text(model: MaskingModel) -> MaskText:
    """The text as the model reads it; an error for an unknown word names a model that has it."""
    try:
        return under_mask.encode_text(st.session_state["masking_text"], model.vocabulary)
    except ValueError as error:
        if model.vocabulary is None or not st.session_state["masking_text"].strip():
            raise
        raise ValueError(f"{error}; the untrained model reads any words") from None


def batch_state(model: MaskingModel, head: HeadIndex) -> MaskingState:
    """One text of a batch whose texts differ in length."""
    known = model.vocabulary
    texts = under_mask.encode_batch(st.session_state["masking_batch"], known)
    filler = 1 if known is None else known.ids.get(under_mask.PAD, known.ids[END])
    batch = PaddedBatch(texts, filler, st.session_state["masking_too"] == "true")
    index = parsing.parse_integer(st.session_state["masking_one"], "the text") - 1
    index = min(index, len(texts) - 1)
    pair = mask_pairs.padding_pair(model.network, batch, index, head)
    return MaskingState(pair, model, texts[index], head, batch=batch, batch_index=index)


def cross_state(model: MaskingModel, head: HeadIndex) -> MaskingState:
    """A decoder and its source; the model is untrained and reads any words."""
    typed = (st.session_state["masking_source"], st.session_state["masking_text"])
    encoded = [under_mask.encode_text(text, start=bool(n)) for n, text in enumerate(typed)]
    source, target = under_mask.number_words(encoded)
    network = shared_results.shared_result(
        "untrained pair", (), under_mask.untrained_transformer, most=1
    )
    cut = source.cut or target.cut
    pair = mask_pairs.cross_attention_pair(network, source, target, head)
    return MaskingState(pair, model, target._replace(cut=cut), head, source=source)


def default_state(models: dict[str, MaskingModel], text: str) -> MaskingState:
    """The page's default state."""
    model = models[next(iter(models))]
    words = under_mask.encode_text(text, model.vocabulary)
    choice, other = MaskChoice("causal"), MaskChoice("bidirectional")
    pair = mask_pairs.text_pair(model.network, words, other, choice, HeadIndex())
    return MaskingState(pair, model, words, choice=choice)


def read_place(name: str) -> int:
    """A place of the text, from 0; the setting counts from 1.

    Raises:
        ValueError: if it is not a whole number above 0.
    """
    place = parsing.parse_integer(st.session_state[name], "the place")
    if place < 1:
        raise ValueError(f"the place must be 1 or more; got {place}")
    return place - 1
