"""The state of the Fill in tab, read from its settings: a text, a model, the covered words."""

from __future__ import annotations

from typing import NamedTuple

import streamlit as st

from lessons.bert import picture as figures
from lmcore import parsing
from lmcore.device import device
from lmcore.masked_lm import cloze
from lmcore.masked_lm.cloze import ClozeText, FillTrace
from lmcore.models.bert import BERT
from lmcore.pretrained.loading import PretrainedModel
from lmcore.pretrained.reading import TokenizingModel, VocabularyModel
from lmcore.training import checkpoint
from ui import pretrained, runs
from ui.lessons import lesson
from ui.settings import Bound, Choice, SettingsTable, Switch, Text
from ui.widgets import set_controls

RUN_PREFIX = "run:"
"""The prefix of the name of a run whose encoder can be chosen."""
MOST_PARAMETERS_AHEAD = 5_000_000
"""Weights; with a larger model the results of the next press are not computed ahead."""


MOST_TYPED = 600
"""Characters: what is typed is also part of the address."""
LESSON = lesson("bert")


def available_models() -> dict[str, str]:
    """Encoders of this server and runs of this address, with or without a head that fills in."""
    labels = {n: label for n, label in pretrained.available_models().items() if n != "gpt"}
    for n, name in enumerate(run_names(), start=1):
        labels[f"{RUN_PREFIX}{name}"] = f"Trained here, run {n}"
    return dict(sorted(labels.items(), key=lambda each: each[0] != "encoder"))


SETTINGS = SettingsTable(
    LESSON,
    {
        "bert_tab": Choice(
            {
                "fill": "Fill in",
                "game": "Cloze game",
                "pairs": "Next sentence",
                "pretrain": "Pre-train",
                "readers": "DNN, RNN, BiRNN",
            },
            "Part of the page",
            drawn="tabs",
        ),
        "fill_text": Text(
            "Text",
            "Press a word in the picture to cover it. You can also type [MASK] in place of a word",
            MOST_TYPED,
            height=120,
            then=lambda: set_controls({"fill_at": ""}),
        ),
        "fill_model": Choice(available_models, "Filled in by"),
        "fill_see": Bound(),
        "game_seed": Text("Game number", "Same number, same texts and gaps"),
        "pairs_first": Text(
            "First text", "Sentences of the microworld, with full stops", MOST_TYPED
        ),
        "pairs_second": Text("Second text", "Does it continue the first text?", MOST_TYPED),
        "pairs_model": Choice(available_models, "Judged by"),
        "pairs_seed": Text("Seed of the next pair", "Same seed, same pair"),
        "pairs_truth": Switch("Show which it is"),
        "pairs_see": Bound(),
        "pretrain_steps": Text("Steps", "Batches of 32 documents to learn from"),
        "pretrain_share": Text("Share of words chosen", "BERT uses 0.15; try 0.05 or 0.5"),
        "pretrain_seed": Text("Seed", "Same seed, same curve"),
        "pretrain_see": Bound(),
        "readers_text": Text("Text", "Words of the microworld", MOST_TYPED),
        "readers_gap": Text("Gap, at word", "Which word is left out: 1 is the first"),
        "readers_seed": Text("Seed of the shuffle", "Another seed, another order"),
        "readers_see": Bound(),
    },
    besides={"pretrain_runs": ""},
)


class FillInState(NamedTuple):
    """Everything on screen; no traces if the model has no head for masked tokens."""

    model: str
    reader: TokenizingModel
    network: BERT
    text: ClozeText
    covered: str
    """The covered places, as the address has them"""
    traces: dict[str, FillTrace]

    @property
    def trace(self) -> FillTrace | None:
        """The prediction for the text as it is covered now; None without a head."""
        return self.traces.get(self.covered)

    @property
    def places(self) -> tuple[int, ...]:
        """All covered places, typed ones among them."""
        return cloze.covered_places(self.text, parse_places(self.covered))

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
    run = name.removeprefix(RUN_PREFIX)
    saved = runs.pool().checkpoint(run) if run in runs.pool() else None
    if saved is None:
        raise ValueError("This run no longer exists, or was never saved.")
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
    return fill_in_state(str(state["fill_model"]), str(state["fill_text"]), str(state["fill_at"]))


def fill_in_state(model: str, typed: str, at: str) -> FillInState:
    """A text, a model and the covered places.

    Raises:
        ValueError: as `read_state`.
    """
    reader = load(model)
    text = cloze.cloze_text(reader, typed)
    network = reader.network
    if not isinstance(network, BERT):
        raise ValueError(f"the model must be an encoder; got {reader.name}")
    covered = parse_places(at)
    now = cloze.covered_places(text, covered)
    at = figures.format_places(covered)
    if network.head is None:
        return FillInState(model, reader, network, text, at, {})
    ways = {at: now}
    if network.config.parameters <= MOST_PARAMETERS_AHEAD:
        for place in text.maskable:
            toggled = figures.format_places(set(covered) ^ {place})
            ways[toggled] = cloze.covered_places(text, parse_places(toggled))
    traces = cloze.fill(network, text, list(ways.values()))
    return FillInState(model, reader, network, text, at, dict(zip(ways, traces, strict=True)))


def parse_places(at: str) -> tuple[int, ...]:
    """The places of "5, 9".

    Raises:
        ValueError: if one is not a number.
    """
    named = [part.strip() for part in at.split(",") if part.strip()]
    return tuple(sorted({parsing.parse_integer(part, "a covered word") for part in named}))


def type_name(reader: TokenizingModel, i: int) -> str:
    """A type by its id."""
    if isinstance(reader, VocabularyModel):
        return str(reader.vocabulary.tokens[i])
    if isinstance(reader, PretrainedModel):
        return str(reader.tokenizer.id_to_token(i) or "")
    return str(i)


def store_covered(at: str) -> None:
    """Store which words the picture covers."""
    set_controls({"fill_at": str(at)})
