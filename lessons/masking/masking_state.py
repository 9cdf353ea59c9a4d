"""The settings of the page, and the state that they describe: a model, a text, and two masks."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Literal, NamedTuple

import streamlit as st

from lessons.masking import corruption_text, masking_picture
from lessons.masking.noises_picture import WAYS
from lmcore import parsing
from lmcore.masking import mask_pairs, under_mask
from lmcore.masking.mask_choice import MaskChoice, parse_order
from lmcore.masking.mask_pairs import HeadIndex, MaskPair, PaddedBatch, PaddingEffect
from lmcore.masking.under_mask import MaskText
from lmcore.models import masks
from lmcore.models.gpt import GPT
from lmcore.models.registry import NeuralModel
from lmcore.shipped import models as shipped
from lmcore.vocabulary import END, UnknownTokenError, Vocabulary
from ui import compute, microworld, pretrained
from ui import models as shipped_models
from ui.lessons import lesson
from ui.settings import Bound, Choice, SettingsTable, Switch, Text
from ui.widgets import address_value, set_controls

TRAINED = {"gpt": "Small GPT", "gpt_unmasked": "GPT trained unmasked"}
LESSON = lesson("masking")
COMPARE, LEAKAGE, TRAIN, CORRUPTION = "Compare", "Leakage", "Train without it", "Corruption"
FATES = "10,000 words"
NOISES, PACKED = "Five ways", "Packed inputs"
"""The pictures of the page in addition to the first."""
LEAKAGE_VIEWS = (LEAKAGE, "Leakage code")
TRAIN_VIEWS = (TRAIN, "What they write")
CORRUPTION_VIEWS = (
    CORRUPTION, "Loss", "Many draws", "Words and spans", "RoBERTa packing", "Masked or causal",
    "Corruption code",
)  # fmt: skip
NOISE_VIEWS = (NOISES, "BART")
"""The views of each picture: the picture itself, and those that lie over it."""
OTHERS = ("bidirectional", "causal", "prefix", "sliding", "permutation", "painted")
"""Masks that the chosen one can be compared with."""
ORDERS = {"text": "As in the text", "fate": "Sorted"}
"""How ten thousand words stand."""
STREAMS = {"content": "Content", "query": "Query"}
UNPAINTED = "1"
"""A mask by hand before it is painted; places beyond it are causal."""
MOST_PAIRS = 32
"""The most pairs of masks that are cached for all visitors."""
MOST_TYPED = 400
"""The most characters of a typed text, which is also part of the address."""


def typed_text(
    label: str, look_for: str | None = None, then: Callable[[], None] | None = None
) -> Text:
    """The setting of a text that is cut if it is far too long."""
    warning = "The text has {:,} characters; the first {} are kept."
    return Text(label, look_for, MOST_TYPED, warning, then=then)


def corruption_models() -> dict[str, str]:
    """The readers of a text: none, our small encoder, or a model that this server allows."""
    known = pretrained.known_models().items()
    allowed = {name: label for name, label in known if name not in pretrained.NO_HEAD}
    return {"words": corruption_text.NONE} | allowed


SETTINGS = SettingsTable(
    LESSON,
    {
        # Attention masks
        "masking_text": typed_text(
            "Text", "The first token is <s>; watch which words each place may see"
        ),
        "masking_batch": typed_text(
            "Texts of the batch, with | between",
            "Short texts are filled up with [PAD]; put | between texts",
        ),
        "masking_source": typed_text("Source, read by the encoder", "Any words"),
        "masking_kind": Choice(
            masking_picture.KINDS, "Mask", then=lambda: start_painting("chosen")
        ),
        "masking_other": Choice(
            {name: masking_picture.KINDS[name] for name in OTHERS},
            "Compare with",
            then=lambda: start_painting("other"),
        ),
        "masking_model": Choice(lambda: model_labels(), "Scores of", then=lambda: fit_text()),
        "masking_ahead": Switch("The window also reaches ahead"),
        "masking_order": Text(
            "Order of reading",
            "Places from 1, in reading order; omitted places come last",
        ),
        "masking_stream": Choice(STREAMS, "Stream"),
        "masking_one": Choice(None, "Look at"),
        "masking_too": Switch("Also causal"),
        "masking_layer": Choice(None, "Layer, from 0"),
        "masking_head": Choice(None, "Head, from 0"),
        "masking_blank": Switch(
            "Start each output from a blank, since it must predict its own word"
        ),
        "masking_steps": Text(
            "Steps", "Within a few hundred, the loss without the mask drops sharply"
        ),
        "masking_seed": Text("Seed", "Same seed, same curves"),
        # Corruption
        "corrupt_text": typed_text(
            "Text",
            "Any words; press one in the picture to set its outcome",
            then=lambda: set_controls({"corrupt_hand": ""}),
        ),
        "corrupt_hand": typed_text("Outcomes set by hand"),
        "corrupt_model": Choice(corruption_models, "Read by", then=lambda: fit_corrupted()),
        "corrupt_unit": Choice(corruption_text.UNITS, "Choose"),
        "corrupt_from": Choice(corruption_text.SOURCES, "Random token"),
        "corrupt_least": Switch("At least one in a text"),
        "corrupt_order": Choice(ORDERS, "Words"),
        "corrupt_noise": typed_text("Text", "Some sentences, each with a full stop"),
        "corrupt_way": Choice(WAYS, "The encoder reads"),
        "corrupt_noise_share": Text("Share of the tokens", "Of masking, deletion, infill"),
        "corrupt_pack": typed_text(
            "Documents", "Put | between documents, and a full stop after each sentence"
        ),
        "corrupt_pack_across": Switch("Continue past the end of a document"),
        "see": Bound(),
    },
    besides={"masking_steps": "3000", "masking_seed": "0", "masking_runs": ""},
)


KNOWN_TEXT = "the animal didn't cross the street because it was too tired."


def fit_corrupted() -> None:
    """Replace a text to be corrupted that the model cannot read by one that it can."""
    before = SETTINGS.text("corrupt_text")
    if (name := SETTINGS.choice("corrupt_model")) != "words":
        pretrained.fit_texts(name, {"corrupt_text": KNOWN_TEXT})
    if SETTINGS.text("corrupt_text") != before:
        set_controls({"corrupt_hand": ""})


def fit_text() -> None:
    """Replace a text with words that the model does not know by the page's own text."""
    known = available_models()[SETTINGS.choice("masking_model")].vocabulary
    reads: dict[str, Callable[[str, Vocabulary | None], object]] = {
        "masking_text": under_mask.encode_text,
        "masking_batch": under_mask.encode_batch,
    }
    for name, encode in reads.items():
        try:
            encode(st.session_state[name], known)
        except UnknownTokenError:
            set_controls({name: LESSON.defaults[name]})
        except ValueError:
            pass  # the page shows the error when it is drawn


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
    effect: PaddingEffect | None = None
    """The effect of the batch's padding"""
    source: MaskText | None = None

    @property
    def trained(self) -> bool:
        """Whether the numbers are those of a trained model."""
        return self.model.vocabulary is not None and self.pair.chosen.name != "cross"

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
    untrained = compute.shared_result("untrained", partial(under_mask.untrained_gpt), most=1)
    return models | {"any": MaskingModel("Untrained, any words", untrained, None)}


def model_labels() -> dict[str, str]:
    """The label of each GPT on screen."""
    return {name: model.label for name, model in available_models().items()}


def start_painting(side: Literal["chosen", "other"]) -> None:
    """Start a mask by hand from the previous mask, unless one has already been painted."""
    state = st.session_state
    chosen = state["masking_kind" if side == "chosen" else "masking_other"]
    stood: MaskingState | None = state.get("masking-good")
    if chosen != "painted" or state["masking_painted"] or stood is None or stood.choice is None:
        return
    mask = (stood.pair.chosen if side == "chosen" else stood.pair.other).now.mask
    state["masking_painted"] = masks.format_mask(mask[0])


def read_mask_choice(kind: str) -> MaskChoice:
    """A mask of that kind, with the numbers of the controls."""
    state = st.session_state
    return MaskChoice(
        kind,
        known=parsing.parse_integer(state["masking_prefix"], "the prefix"),
        window=parsing.parse_integer(state["masking_window"], "the window"),
        ahead=SETTINGS.switch("masking_ahead"),
        order=parse_order(state["masking_order"]),
        content=state["masking_stream"] != "query",
        painted=state["masking_painted"] or UNPAINTED,
    )


def other_kind(kind: str) -> str:
    """The mask that the chosen one is compared with; never the chosen one itself."""
    other = SETTINGS.choice("masking_other")
    if other != kind:
        return other
    return "causal" if kind == "bidirectional" else "bidirectional"


def read_state(models: dict[str, MaskingModel]) -> MaskingState:
    """Read and validate the state of the controls."""
    state = st.session_state
    kind = SETTINGS.choice("masking_kind")
    model = models[SETTINGS.choice("masking_model", models)]
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
    other = read_mask_choice(other_kind(kind))
    made = partial(mask_pairs.text_pair, model.network, text, other, choice, head)
    pair = compute.shared_result("pairs of masks", made, most=MOST_PAIRS)
    return MaskingState(pair, model, text, head, choice)


def read_text(model: MaskingModel) -> MaskText:
    """The text as the model reads it; the error for an unknown word names a model that knows it."""
    try:
        return under_mask.encode_text(st.session_state["masking_text"], model.vocabulary)
    except UnknownTokenError as error:
        error.args = (f"{error}; the untrained model reads any words",)
        raise


def batch_state(model: MaskingModel, head: HeadIndex) -> MaskingState:
    """One text of a batch whose texts differ in length."""
    known = model.vocabulary
    texts = under_mask.encode_batch(st.session_state["masking_batch"], known)
    filler = 1 if known is None else known.ids.get(under_mask.PAD, known.ids[END])
    batch = PaddedBatch(texts, filler, SETTINGS.switch("masking_too"))
    index = parsing.parse_integer(st.session_state["masking_one"], "the text") - 1
    index = min(index, len(texts) - 1)
    made = partial(_padded, model.network, batch, index, head)
    pair, effect = compute.shared_result("pairs of masks", made, most=MOST_PAIRS)
    return MaskingState(
        pair, model, texts[index], head, batch=batch, batch_index=index, effect=effect
    )


def _padded(
    network: GPT, batch: PaddedBatch, index: int, head: HeadIndex
) -> tuple[MaskPair, PaddingEffect]:
    """One text of the batch under both masks, and the effect of its padding."""
    pair = mask_pairs.padding_pair(network, batch, index, head)
    return pair, mask_pairs.padding_effect(network, batch, index, pair)


def cross_state(model: MaskingModel, head: HeadIndex) -> MaskingState:
    """A decoder and its source; the model is untrained and reads any words."""
    typed = (st.session_state["masking_source"], st.session_state["masking_text"])
    encoded = [under_mask.encode_text(text, start=bool(n)) for n, text in enumerate(typed)]
    source, target = under_mask.number_words(encoded)
    make = partial(under_mask.untrained_transformer)
    network = compute.shared_result("untrained pair", make, most=1)
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


def seen() -> str:
    """The view that is open."""
    return str(address_value("see", "Picture"))


def offer_similar_words(models: dict[str, MaskingModel]) -> None:
    """Offer words of the Microworld for one that it lacks, where a trained model reads the text."""
    kind = SETTINGS.choice("masking_kind")
    if kind == "cross" or models[SETTINGS.choice("masking_model", models)].vocabulary is None:
        return
    name = "masking_batch" if kind == "padding" else "masking_text"

    def store(text: str) -> None:
        st.session_state[name] = text

    microworld.offer_similar_words(st.session_state[name].replace("|", " | "), store)


def read_place(name: str) -> int:
    """A place of the text, from 0; the setting counts from 1.

    Raises:
        ValueError: if it is not a whole number above 0.
    """
    place = parsing.parse_integer(st.session_state[name], "the place")
    if place < 1:
        raise ValueError(f"the place must be 1 or more; got {place}")
    return place - 1
