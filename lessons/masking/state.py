"""What the Masks page shows, out of its settings: a model, a text, and two masks of it."""

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
from ui import models as every
from ui import settings
from ui.compute import shared_results

TRAINED = {"gpt": "Small GPT", "gpt_unmasked": "GPT trained unmasked"}
OTHERS = ("bidirectional", "causal", "prefix", "sliding", "permutation", "painted")
"""Masks that another may be compared with."""


class MaskingModel(NamedTuple):
    """A GPT that computes the scores; without a vocabulary it reads any words."""

    label: str
    network: GPT
    neural: NeuralModel | None
    name: str | None = None
    """What it is called in `lmcore.shipped.models`"""

    @property
    def vocabulary(self) -> Vocabulary | None:
        """The words it knows."""
        return None if self.neural is None else self.neural.vocabulary


class MaskingState(NamedTuple):
    """All that is on screen: the pair of masks, and where it came from."""

    pair: MaskPair
    model: MaskingModel
    words: MaskText
    where: HeadIndex = HeadIndex()
    choice: MaskChoice | None = None
    batch: PaddedBatch | None = None
    one: int = 0
    source: MaskText | None = None

    @property
    def filler(self) -> str:
        """The token that stands where a short text of the batch shows [PAD]."""
        known = self.model.vocabulary
        if self.batch is None or known is None:
            return under_mask.PAD
        return known.tokens[self.batch.filler]


def available_models() -> dict[str, MaskingModel]:
    """The GPTs that come with the app, and one that reads any words."""
    found = {}
    for name, label in TRAINED.items():
        if name in shipped.SHIPPED and shipped.has_weights(name):
            model = every.shipped_network(name).model
            if isinstance(model, NeuralModel) and isinstance(model.network, GPT):
                found[name] = MaskingModel(label, model.network, model, name)
    fresh = shared_results.shared_result("untrained", (), under_mask.untrained_gpt, most=1)
    return found | {"any": MaskingModel("Untrained, any words", fresh, None)}


def read_mask_choice(kind: str) -> MaskChoice:
    """A mask of that kind, with the numbers that the controls hold."""
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
    """The mask that is compared with: never the chosen one itself."""
    other = settings.allowed_value("masking_other", OTHERS)
    if other != kind:
        return other
    return "causal" if kind == "bidirectional" else "bidirectional"


def read_state(models: dict[str, MaskingModel]) -> MaskingState:
    """What the controls describe."""
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
    text = the_text(model)
    choice = read_mask_choice(kind)
    asked = text, read_mask_choice(other_kind(kind)), choice, head
    see = partial(mask_pairs.text_pair, model.network, *asked)
    pair = shared_results.shared_result("pairs of masks", (model.name, *asked), see, most=32)
    return MaskingState(pair, model, text, head, choice)


def the_text(model: MaskingModel) -> MaskText:
    """The words of the text; where the model does not know one, it is said who would."""
    try:
        return under_mask.encode_text(st.session_state["masking_text"], model.vocabulary)
    except ValueError as error:
        if model.vocabulary is None or not st.session_state["masking_text"].strip():
            raise
        raise ValueError(f"{error}; the untrained model reads any words") from None


def batch_state(model: MaskingModel, head: HeadIndex) -> MaskingState:
    """One text of the ragged batch."""
    known = model.vocabulary
    texts = under_mask.encode_batch(st.session_state["masking_batch"], known)
    filler = 1 if known is None else known.ids.get(under_mask.PAD, known.ids[END])
    batch = PaddedBatch(texts, filler, st.session_state["masking_too"] == "true")
    one = parsing.parse_integer(st.session_state["masking_one"], "the text") - 1
    one = min(one, len(texts) - 1)
    pair = mask_pairs.padding_pair(model.network, batch, one, head)
    return MaskingState(pair, model, texts[one], head, batch=batch, one=one)


def cross_state(model: MaskingModel, head: HeadIndex) -> MaskingState:
    """A decoder and its source; any words, as the model is untrained."""
    typed = (st.session_state["masking_source"], st.session_state["masking_text"])
    read_apart = [under_mask.encode_text(text, start=bool(n)) for n, text in enumerate(typed)]
    source, target = under_mask.number_words(read_apart)
    network = shared_results.shared_result(
        "untrained pair", (), under_mask.untrained_transformer, most=1
    )
    cut = source.cut or target.cut
    pair = mask_pairs.cross_attention_pair(network, source, target, head)
    return MaskingState(pair, model, target._replace(cut=cut), head, source=source)


def default_state(models: dict[str, MaskingModel], text: str) -> MaskingState:
    """What the page opens on."""
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
