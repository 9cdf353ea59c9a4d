"""What the Masks page shows, out of its settings: a model, a text, and two masks of it."""

from __future__ import annotations

from functools import partial
from typing import NamedTuple

import streamlit as st

from lessons.masking import picture as figures
from lmcore import parsing
from lmcore.masking import mask_pairs, under_mask
from lmcore.masking.mask_choice import MaskChoice, read_order
from lmcore.masking.mask_pairs import Batch, Pair, Where
from lmcore.masking.under_mask import Words
from lmcore.models.gpt import GPT
from lmcore.models.registry import Neural
from lmcore.shipped import models as shipped
from lmcore.vocabulary import END, Vocabulary
from ui import models as every
from ui import settings
from ui.compute import shared_results

TRAINED = {"gpt": "Small GPT", "gpt_unmasked": "GPT trained unmasked"}
OTHERS = ("bidirectional", "causal", "prefix", "sliding", "permutation", "painted")
"""Masks that another may be compared with."""


class Model(NamedTuple):
    """A GPT that computes the scores; without a vocabulary it reads any words."""

    label: str
    network: GPT
    neural: Neural | None
    name: str | None = None
    """What it is called in `lmcore.shipped.models`"""

    @property
    def vocabulary(self) -> Vocabulary | None:
        """The words it knows."""
        return None if self.neural is None else self.neural.vocabulary


class Scene(NamedTuple):
    """All that is on screen: the pair of masks, and where it came from."""

    pair: Pair
    model: Model
    words: Words
    where: Where = Where()
    choice: MaskChoice | None = None
    batch: Batch | None = None
    one: int = 0
    source: Words | None = None

    @property
    def filler(self) -> str:
        """The token that stands where a short text of the batch shows [PAD]."""
        known = self.model.vocabulary
        if self.batch is None or known is None:
            return under_mask.PAD
        return known.tokens[self.batch.filler]


def offered() -> dict[str, Model]:
    """The GPTs that come with the app, and one that reads any words."""
    found = {}
    for name, label in TRAINED.items():
        if name in shipped.SHIPPED and shipped.there(name):
            model = every.network(name).model
            if isinstance(model, Neural) and isinstance(model.network, GPT):
                found[name] = Model(label, model.network, model, name)
    fresh = shared_results.kept("untrained", (), under_mask.untrained, most=1)
    return found | {"any": Model("Untrained, any words", fresh, None)}


def choice_of(kind: str) -> MaskChoice:
    """A mask of that kind, with the numbers that the controls hold."""
    state = st.session_state
    return MaskChoice(
        kind,
        known=parsing.whole(state["masking_prefix"], "the prefix"),
        window=parsing.whole(state["masking_window"], "the window"),
        ahead=state["masking_ahead"] == "true",
        order=read_order(state["masking_order"]),
        content=state["masking_stream"] != "query",
        painted=state["masking_painted"],
    )


def other_of(kind: str) -> str:
    """The mask that is compared with: never the chosen one itself."""
    other = settings.among("masking_other", OTHERS)
    if other != kind:
        return other
    return "causal" if kind == "bidirectional" else "bidirectional"


def read(models: dict[str, Model]) -> Scene:
    """What the controls describe."""
    state = st.session_state
    kind = settings.among("masking_kind", figures.KINDS)
    model = models[settings.among("masking_model", models)]
    head = Where(
        parsing.whole(state["masking_layer"], "the layer"),
        parsing.whole(state["masking_head"], "the head"),
    )
    if kind == "cross":
        return across(model, head)
    if kind == "padding":
        return in_a_batch(model, head)
    text = the_text(model)
    choice = choice_of(kind)
    asked = text, choice_of(other_of(kind)), choice, head
    see = partial(mask_pairs.of_text, model.network, *asked)
    pair = shared_results.kept("pairs of masks", (model.name, *asked), see, most=32)
    return Scene(pair, model, text, head, choice)


def the_text(model: Model) -> Words:
    """The words of the text; where the model does not know one, it is said who would."""
    try:
        return under_mask.read(st.session_state["masking_text"], model.vocabulary)
    except ValueError as error:
        if model.vocabulary is None or not st.session_state["masking_text"].strip():
            raise
        raise ValueError(f"{error}; the untrained model reads any words") from None


def in_a_batch(model: Model, head: Where) -> Scene:
    """One text of the ragged batch."""
    known = model.vocabulary
    texts = under_mask.read_batch(st.session_state["masking_batch"], known)
    filler = 1 if known is None else known.ids.get(under_mask.PAD, known.ids[END])
    batch = Batch(texts, filler, st.session_state["masking_too"] == "true")
    one = parsing.whole(st.session_state["masking_one"], "the text") - 1
    one = min(one, len(texts) - 1)
    pair = mask_pairs.of_batch(model.network, batch, one, head)
    return Scene(pair, model, texts[one], head, batch=batch, one=one)


def across(model: Model, head: Where) -> Scene:
    """A decoder and its source; any words, as the model is untrained."""
    typed = (st.session_state["masking_source"], st.session_state["masking_text"])
    read_apart = [under_mask.read(text, start=bool(n)) for n, text in enumerate(typed)]
    source, target = under_mask.together(read_apart)
    network = shared_results.kept("untrained pair", (), under_mask.untrained_pair, most=1)
    cut = source.cut or target.cut
    pair = mask_pairs.of_source(network, source, target, head)
    return Scene(pair, model, target._replace(cut=cut), head, source=source)


def opening(models: dict[str, Model], text: str) -> Scene:
    """What the page opens on."""
    model = models[next(iter(models))]
    words = under_mask.read(text, model.vocabulary)
    choice, other = MaskChoice("causal"), MaskChoice("bidirectional")
    pair = mask_pairs.of_text(model.network, words, other, choice, Where())
    return Scene(pair, model, words, choice=choice)


def place_of(name: str) -> int:
    """A place of the text, from 0; the setting counts from 1.

    Raises:
        ValueError: if it is not a whole number above 0.
    """
    place = parsing.whole(st.session_state[name], "the place")
    if place < 1:
        raise ValueError(f"the place must be 1 or more; got {place}")
    return place - 1
