"""The settings of the BERT page, and what they describe: a text, a model, the covered words."""

from __future__ import annotations

from collections.abc import Collection
from typing import NamedTuple

import streamlit as st

from drawing import microworld
from drawing.events import Name
from lessons.bert import bert_picture
from lessons.bert.judged_text import CHOICES
from lmcore import parsing
from lmcore.device import device
from lmcore.masked_lm import cloze
from lmcore.masked_lm.cloze import ClozeText, FillTrace
from lmcore.models.bert import BERT
from lmcore.models.gpt import GPT
from lmcore.pretrained.loading import PretrainedModel
from lmcore.pretrained.reading import TokenizingModel, VocabularyModel
from lmcore.training import checkpoint
from lmcore.typed import fold_numbers
from ui import pretrained, runs
from ui.lessons import lesson
from ui.settings import Bound, Choice, SettingsTable, Switch, Text
from ui.widgets import address_value, set_controls

OWN = "own"
"""What a question or a beat hides to ask for the covered word."""
AFTER = "after"
"""What a question or a beat hides to ask for what the words after the gap change."""
COSTS = "costs"
"""What a question or a beat hides to ask which of the chosen words costs most."""
STAGES = {"input": "the input", "head": "ŷ", "loss": "the loss"}
"""How far the picture of the masked loss goes, from its foot."""

RUN_PREFIX = "run:"
"""The prefix of the name of a run whose encoder can be chosen."""
MOST_TYPED = 600
"""The most typed characters: the text is also part of the address."""
MOST_SWAPS = 200
LESSON = lesson("bert")
PICTURE, SIDES, LOSS, PAIRS, PAIR_HEAD, JUDGED, GAME, READERS, ORDER, TRAIN = (
    "Picture",
    "Both sides",
    "Masked loss",
    "Next sentence",
    "Pair head",
    "Two texts",
    "Cloze game",
    "Five readers",
    "Another order",
    "Train one",
)
LOOKS = {
    PICTURE: (
        "Per-position loss",
        "What can change it",
        "Input pipeline",
        "BERT’s training",
        "Code",
    ),
    SIDES: ("Sides code",),
    LOSS: ("Loss code",),
    PAIRS: ("Pair code",),
    PAIR_HEAD: ("Pair step by step", "Head code"),
    JUDGED: ("Many pairs", "What for"),
    GAME: ("Game code",),
    READERS: (
        "All gaps",
        "What each reader sees",
        "Weights per place",
        "Readers code",
    ),
    ORDER: ("Shuffle the words",),
    TRAIN: ("Predictions during training", "Tested", "Training code"),
}
"""The pictures of the page, each with the closer looks that belong to it."""


def open_look() -> tuple[str, str]:
    """The picture whose look is open, and the look itself, before its bar is drawn."""
    see = address_value("see", PICTURE)
    look = next((name for name, parts in LOOKS.items() if see in (name, *parts)), PICTURE)
    return look, see


def pair_models() -> dict[str, str]:
    """The models of `available_models` that may have a head for pairs."""
    return {n: label for n, label in available_models().items() if n != pretrained.ENGLISH}


def available_models() -> dict[str, str]:
    """Encoders of this server and runs of this address, without those known to lack a head."""
    found = pretrained.masked_models()
    for n, name in enumerate(run_names(), start=1):
        found[f"{RUN_PREFIX}{name}"] = f"Trained here, run {n}"
    return dict(sorted(found.items(), key=lambda each: each[0] != "encoder"))


SETTINGS = SettingsTable(
    LESSON,
    {
        "fill_text": Text(
            "Text",
            "Press a word in the picture to move the gap there. [MASK] in place of a word covers "
            "an unknown one",
            MOST_TYPED,
            height=100,
            then=lambda: set_controls({"fill_at": ""}),
        ),
        "fill_model": Choice(available_models, "Filled in by", then=lambda: keep_words()),
        "fill_reads": Choice(
            {"both": "both sides", "left": "left only"},
            "The model reads",
            help="Both sides: a BERT. Left only: a GPT of the same size, which sees the words "
            "before the gap and no others",
        ),
        "fill_several": Switch("Cover several words"),
        "fill_upto": Choice(STAGES, "Show up to"),
        "fill_swaps": Text(
            "Other words in place of chosen ones",
            "7:apple puts apple at word 7, which the model has to find all the same",
            MOST_SWAPS,
        ),
        "game_seed": Text("Game number", "Same number, same texts and gaps"),
        "pairs_first": Text(
            "First text", "Sentences of the microworld, with full stops", MOST_TYPED
        ),
        "pairs_second": Text("Second text", "Does it continue the first text?", MOST_TYPED),
        "pairs_model": Choice(pair_models, "Judged by"),
        "pairs_seed": Text("Seed of the next pair", "Same seed, same pair"),
        "pairs_judged": Choice(CHOICES, "Judgement"),
        "pretrain_steps": Text("Steps", "Batches of 32 documents to learn from"),
        "pretrain_share": Text("Share of words chosen", "BERT uses 0.15; try 0.05 or 0.5"),
        "pretrain_seed": Text("Seed", "Same seed, same curve"),
        "readers_text": Text("Text", "Words of the microworld", MOST_TYPED),
        "readers_gap": Text("Gap, at word", "Or press a word: 1 is the first"),
        "readers_seed": Text("Seed of the shuffle", "Another seed, another order"),
        "see": Bound(),
    },
    besides={"pretrain_runs": ""},
)


class FillInState(NamedTuple):
    """What is on screen: a text, its gaps, and the predictions for them."""

    model: str
    reader: TokenizingModel
    network: BERT
    text: ClozeText
    covered: str
    """The covered places, as the address has them"""
    trace: FillTrace
    both: FillTrace
    """The prediction from both sides; `trace` itself unless a GPT reads from the left"""

    @property
    def left(self) -> bool:
        """Whether only the words before the gap are read."""
        return self.trace is not self.both

    @property
    def places(self) -> tuple[int, ...]:
        """All covered places, typed ones among them."""
        return self.trace.places

    @property
    def name(self) -> str:
        """The name of the model that predicts."""
        return "our small GPT" if self.left else self.reader.name

    def word(self, i: int) -> str:
        """The display form of a type of the model."""
        return type_name(self.reader, i)


def run_names() -> list[str]:
    """The runs of this address that the server has and has saved."""
    pool = runs.pool()
    named = str(st.session_state.get("pretrain_runs", "")).split(",")
    return [name for name in named if name in pool and pool.checkpoint(name) is not None]


def load(name: str) -> TokenizingModel:
    """A model by its name; a run's is as it was last saved.

    Raises:
        ValueError: if there is none, or it cannot be loaded.
    """
    if not name.startswith(RUN_PREFIX):
        return pretrained.load(name)
    saved = runs.pool().checkpoint(name.removeprefix(RUN_PREFIX))
    if saved is None:
        raise ValueError("This run has not been saved yet.")
    return run_encoder(saved)


def run_encoder(saved: bytes) -> VocabularyModel:
    """The encoder in a run's file.

    Raises:
        ValueError: if it holds another model.
    """
    network, vocabulary, _, step = checkpoint.load_network(saved)
    if not isinstance(network, BERT):
        raise ValueError("the run must have trained an encoder; got another model")
    return VocabularyModel(
        f"the encoder trained here, step {step:,}", network.to(device()), vocabulary
    )


def read_state() -> FillInState:
    """Read and validate the state of the controls.

    Raises:
        ValueError: naming the control whose value is invalid.
    """
    state = st.session_state
    return fill_in_state(*(str(state[f"fill_{name}"]) for name in FILL))


FILL = ("model", "text", "at", "reads")


def keep_words(model: str = "") -> None:
    """Cover the same words when another model reads the text. For callbacks.

    Its tokens may differ, so that the words are at other places. A text that the model cannot read
    is replaced by the page's example, without other words in it.
    """
    state = st.session_state
    if model:
        set_controls({"fill_model": model})
    before, typed = state.get("fill-good"), state["fill_text"]
    pretrained.fit_texts(str(state["fill_model"]), {"fill_text": LESSON.defaults["fill_text"]})
    if typed != state["fill_text"]:
        before = default_state()
        set_controls({"fill_swaps": ""})
    if isinstance(before, FillInState):
        store_covered(places_in(str(state["fill_model"]), str(state["fill_text"]), before))


def read_as_english() -> None:
    """Make the English model read the text; cover the same gap, or else the first unknown word.

    For callbacks.
    """
    keep_words(pretrained.ENGLISH)
    state = st.session_state
    if not state["fill_at"]:
        typed = str(state["fill_text"])
        after = cloze.cloze_text(load(pretrained.ENGLISH), typed)
        unknown = microworld.unknown_words(typed)
        first = [i for i in after.maskable if after.tokens[i].lower() in unknown][:1]
        store_covered("" if after.typed else bert_picture.format_places(first))


def open_on_words(asked: Collection[str]) -> None:
    """If an address names another model but no gap, cover the example's own word."""
    opened = "fill_model" in asked and not {"fill_text", "fill_at"} & set(asked)
    if opened and "fill-good" not in st.session_state:
        model = str(st.session_state["fill_model"])
        store_covered(places_in(model, LESSON.defaults["fill_text"], default_state()))


def places_in(model: str, text: str, before: FillInState) -> str:
    """The places, as in the address, where a model reads the words that `before` covers."""
    try:
        after = cloze.cloze_text(load(model), text)
    except ValueError:
        return ""  # reported where the settings are read
    covered = [place for place in before.places if place not in before.text.typed]
    return bert_picture.format_places(cloze.same_words(before.text, covered, after))


def default_state() -> FillInState:
    """The page's example."""
    return fill_in_state(*(str(LESSON.defaults[f"fill_{name}"]) for name in FILL))


def fill_in_state(model: str, typed: str, at: str, reads: str = "both") -> FillInState:
    """A text, a model, the covered places, and which side is read.

    From the left only one gap is filled, the first.

    Raises:
        ValueError: as `read_state`.
    """
    reader = load(model)
    network = reader.network
    if not isinstance(network, BERT):
        raise ValueError(f"the model must be an encoder; got {reader.name}")
    if network.head is None:
        raise ValueError(
            f"the model must have a head that fills in masked words; {reader.name} has none"
        )
    text = cloze.cloze_text(reader, typed)
    covered = parse_places(at)
    places = cloze.covered_places(text, covered)
    left = reads == "left" and text.in_microworld and bool(places)
    if left:
        places = places[:1]
        covered = tuple(set(places) - set(text.typed))
    (both,) = cloze.fill(network, text, [places])
    trace = cloze.fill_from_left(gpt_network(), text, places[0]) if left else both
    return FillInState(
        model, reader, network, text, bert_picture.format_places(covered), trace, both
    )


def gpt_network() -> GPT:
    """The small GPT that comes with the app."""
    network = pretrained.load("gpt").network
    assert isinstance(network, GPT)
    return network


def parse_places(at: str) -> tuple[int, ...]:
    """The places of "5, 9".

    Raises:
        ValueError: if one is not a number.
    """
    named = [part.strip() for part in fold_numbers(at).split(",") if part.strip()]
    return tuple(sorted({parsing.parse_integer(part, "a covered word") for part in named}))


def type_name(reader: TokenizingModel, i: int) -> str:
    """A type by its id."""
    if isinstance(reader, VocabularyModel):
        return str(reader.vocabulary.tokens[i])
    if isinstance(reader, PretrainedModel):
        return str(reader.tokenizer.id_to_token(i) or "")
    return str(i)


def store_covered(at: Name) -> None:
    """Store which words the picture covers."""
    set_controls({"fill_at": at})
