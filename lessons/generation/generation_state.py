"""The state of the Generation page, read from its settings: model, prompt and sampling."""

from __future__ import annotations

from dataclasses import fields
from functools import lru_cache, partial
from typing import NamedTuple

import streamlit as st
from jaxtyping import Int
from torch import Tensor

from lmcore import parsing
from lmcore.corpora.microworld import microworld
from lmcore.decoding.bench import MOST_SEEDS
from lmcore.decoding.next_token import NextTokenModel
from lmcore.decoding.strategies import DESCRIPTIONS, STRATEGIES, StrategySettings
from lmcore.decoding.tree import TreeModel
from lmcore.decoding.writer import Writer, writer_from_pretrained, writer_from_vocabulary
from lmcore.models.language_model import LanguageModel
from lmcore.pretrained.loading import PretrainedModel
from lmcore.shipped import english_gpt
from lmcore.shipped.models import SHIPPED, has_weights
from ui import compute, models, pretrained
from ui.lessons import lesson
from ui.microworld import offer_similar_words
from ui.settings import Bound, Choice, SettingsTable, Switch, Text
from ui.widgets import address_value, set_controls

OURS = {
    "gpt": "Small GPT",
    "gpt_prose": "Small subword GPT",
    "lstm": "LSTM",
    "rnn": "RNN",
    "trigram": "Trigram",
    "grammar": "The grammar itself",
    "tree": "The slide’s tree",
    "character_lstm": "Character LSTM",
    english_gpt.FILE: "Dictionary GPT",
}
"""Name in the address → label, the first one first."""
EXACT_MODELS = ("grammar", "tree")
"""Models whose probabilities are given, not learned."""
PROMPT_BY_SOURCE = {
    "microworld": "gen_text",
    "quoted": "gen_letters",
    "prose": "gen_prose",
    "own": "gen_prose",
}
"""Training text of this session's runs → the setting with their prompt."""
PROMPT_BY_MODEL = {
    "tree": "gen_tree",
    "character_lstm": "gen_letters",
    "gpt_prose": "gen_prose",
    english_gpt.FILE: "gen_entry",
}
"""Our models of other texts than the Microworld → the setting with their prompt."""
PROMPTS = {
    "gen_text": "Prompt, in words of the microworld",
    "gen_letters": "Prompt, letter by letter",
    "gen_tree": "Prompt, of yes and ok; may be empty",
    "gen_prose": "Prompt, any English",
    "gen_entry": "Prompt, an English word and a colon",
}
"""Setting → label. Models with other tokens have prompts of their own, each with a default."""
MOST_LENGTH = 200
"""The longest text, in tokens."""
MOST_TYPED = 400
"""The most characters of a prompt, which is also part of the address."""
LOADED = 9
"""Our models kept in memory for all sessions together."""
LARGE = 2
"""Other models kept in memory for all sessions together."""
OF_RUNS = 24
"""Models trained here that are kept ready to write, for all sessions together."""
TRIGRAM = 3
WALK_SHOWN = {"line": "The line", "draw": "One draw", "text": "The whole text"}
"""What the view *Random walk* may show → its label."""


LESSON = lesson("generation")
LANES = 3
"""The most lanes; the other strategies are cards."""
LABELS = {name: each.label for name, each in STRATEGIES.items()}
STEPPED = tuple(name for name, each in STRATEGIES.items() if each.kind in ("greedy", "walk"))
"""Strategies that write one token at a time."""
SETTINGS = SettingsTable(
    LESSON,
    {
        "gen_model": Choice(lambda: known_models(), "Model"),
        **{
            name: Text(
                label,
                "The models continue it; change one word to see the effect",
                MOST_TYPED,
                "Of {:,} characters of the prompt the first {} are kept.",
            )
            for name, label in PROMPTS.items()
        },
        "gen_seed": Text("Seed", "The same seed gives the same text, in any browser"),
        "gen_shown": Choice(LABELS, "Lanes: three at most", many=True, most=LANES),
        "gen_width": Choice(None, "Beam width k"),
        "gen_length": Text(
            "Length, tokens at most", "Texts that do not end by themselves stop here"
        ),
        "gen_length_penalty": Text(
            "Length penalty a", "Beam search compares log p / tᵃ; at 0 it compares log p"
        ),
        "gen_no_repeat": Text(
            "No n-gram twice, n", "0 allows repeats; greedy and random walk ignore this"
        ),
        "gen_groups": Text(
            "Groups of beams", "Must divide the width; groups avoid each other’s tokens"
        ),
        "gen_diversity": Text(
            "Diversity of groups", "Penalty on a token for each group that has taken it"
        ),
        "gen_early": Switch("Stop a beam search once k texts have ended"),
        "gen_stepped": Choice({name: LABELS[name] for name in STEPPED}, "Step through"),
        "see": Bound(),
        "walk_shown": Choice(WALK_SHOWN, "Show"),
        "beam_drawn": Switch("Draw the candidates, with the page’s seed: beam + sampling"),
        "bench_shown": Choice(LABELS, "Strategies on the bench", many=True),
        "bench_seeds": Text("Seeds, m", f"From the page's seed on; at most {MOST_SEEDS}"),
        "bench_length": Text("Length, tokens at most", "Texts that do not end stop here"),
        "tree_width": Choice(("1", "2", "3", "4"), "Beam width, hypotheses"),
        "tree_seed": Text("Seed", "The same seed draws the same stream of texts"),
    },
)


class GenerationState(NamedTuple):
    """The model, its prompt, and the settings of all strategies."""

    writer: Writer
    prompt: Int[Tensor, " time"]
    """Begins with `<s>` if the model has it."""
    text: str
    """The prompt as it was typed."""
    settings: StrategySettings
    seed: int
    length: int
    """Tokens to write at most."""
    name: str
    """The model in the address."""

    @property
    def prompt_ids(self) -> tuple[int, ...]:
        """The prompt as a value that can be compared."""
        return tuple(self.prompt.tolist())


def available_models() -> dict[str, str]:
    """Name in the address → label of every model that may write.

    Raises:
        ValueError: if the server's settings are wrong.
    """
    own = {
        name: entry.label
        for source in PROMPT_BY_SOURCE
        for name, entry in models.session_models(source).items()
    }
    theirs = {
        name: label
        for name, label in pretrained.available_models().items()
        if name.startswith((pretrained.FOLDER, pretrained.HUB))
    }
    return OURS | own | theirs


def known_models() -> dict[str, str]:
    """Like `available_models`, but only our models if the server's settings are wrong."""
    try:
        return available_models()
    except ValueError:
        return OURS


def prompt_setting(name: str) -> str:
    """The setting that has the prompt of a model."""
    if name in OURS:
        return PROMPT_BY_MODEL.get(name, "gen_text")
    prompt_settings = (
        setting
        for source, setting in PROMPT_BY_SOURCE.items()
        if name in models.session_models(source)
    )
    return next(prompt_settings, "gen_prose")


def writes_quickly(name: str) -> bool:
    """Whether all texts are written at once; models of the server may be too large for that."""
    return not name.startswith((pretrained.FOLDER, pretrained.HUB))


def seen() -> str:
    """The closer look that is open, or nothing."""
    return address_value("see", "Picture")


def read_state() -> GenerationState:
    """Read and validate the state of the controls.

    Raises:
        ValueError: naming the control whose value is invalid.
    """
    state = st.session_state
    name = SETTINGS.choice("gen_model", available_models())
    writer = session_writer(name)
    text = str(state[prompt_setting(name)])
    seed = parsing.parse_integer(state["gen_seed"], "the seed")
    if seed < 0:
        raise ValueError(f"the seed must be 0 or more; got {seed}")
    length = parsing.parse_integer(state["gen_length"], "the length")
    if not 1 <= length <= MOST_LENGTH:
        raise ValueError(f"the length must be from 1 to {MOST_LENGTH} tokens; got {length}")
    return GenerationState(
        writer, writer.read(text), text, read_sampling_settings(), seed, length, name
    )


def offer_words() -> None:
    """Offer words of the Microworld for an unknown word, and a GPT that reads all English."""
    if prompt_setting(SETTINGS.choice("gen_model", available_models())) != "gen_text":
        return
    text = str(st.session_state["gen_text"])
    ours = {"gen_model": english_gpt.FILE, "gen_entry": text}
    offer = (
        "Continue it as real English, with Dictionary GPT: it writes definitions",
        partial(set_controls, ours),
    )
    offer_similar_words(
        text,
        lambda other: set_controls({"gen_text": other}),
        offer if _is_there(english_gpt.FILE) else None,
    )


def read_sampling_settings() -> StrategySettings:
    """The numbers of all strategies, each from the setting `gen_…` of its name.

    Raises:
        ValueError: naming the setting that is not a number, or is out of bounds.
    """
    read: dict[str, float | int | bool] = {}
    for field in fields(StrategySettings):
        value = st.session_state[f"gen_{field.name}"]
        if isinstance(field.default, bool):
            read[field.name] = value == "true"
        elif isinstance(field.default, int):
            read[field.name] = parsing.parse_integer(value, DESCRIPTIONS[field.name])
        else:
            read[field.name] = parsing.parse_number(value, DESCRIPTIONS[field.name])
    return StrategySettings(**read)  # type: ignore[arg-type]  # each is of its field's type


def default_state() -> GenerationState:
    """The state that the page opens with if the address is invalid."""
    writer, text = session_writer("gpt"), LESSON.defaults["gen_text"]
    seed, length = int(LESSON.defaults["gen_seed"]), int(LESSON.defaults["gen_length"])
    return GenerationState(writer, writer.read(text), text, StrategySettings(), seed, length, "gpt")


def session_writer(name: str) -> Writer:
    """A model by its name, ready to write; one of another session is loaded once.

    Raises:
        ValueError: if it cannot be loaded, or cannot write.
    """
    for source in PROMPT_BY_SOURCE:
        if name in (own := models.session_models(source)):
            return _writer_of_run(own[name], source == "microworld")
    writer = cached_writer(name)
    compute.send_by_name(writer.model, partial(_engine, name))
    return compute.send_by_name(writer, partial(cached_writer, name))


def preload_writers() -> None:
    """Load all our models into a computing process ahead of use; some take seconds."""
    for name in OURS:
        if _is_there(name):
            cached_writer(name)


def _is_there(name: str) -> bool:
    if name == english_gpt.FILE:
        return english_gpt.is_available()
    return name not in SHIPPED or has_weights(name)


def cached_writer(name: str) -> Writer:
    """A model by its name, ready to write; loaded once for all sessions.

    Raises:
        ValueError: if it cannot be loaded, or cannot write.
    """
    if name in OURS:
        kind, load, most = "our writers", _load_ours, LOADED
    else:
        kind, load, most = "other writers", _load_other, LARGE
    return compute.shared_result(kind, partial(load, name), most=most, says="Loading the model")


def _engine(name: str) -> NextTokenModel:
    return cached_writer(name).model


def _load_ours(name: str) -> Writer:
    if name == english_gpt.FILE:
        return writer_from_pretrained(english_gpt.english_gpt(), english_gpt.END_OF_LINE)
    return _ours(OURS[name], _model(name), judged=prompt_setting(name) == "gen_text")


def _load_other(name: str) -> Writer:
    model = pretrained.load(name)
    if not isinstance(model, PretrainedModel):
        raise ValueError(f"the model must be a GPT, so that it can write; got {name!r:.80}")
    return writer_from_pretrained(model)


def _model(name: str) -> LanguageModel:
    match name:
        case "tree":
            return TreeModel()
        case "trigram":
            return models.counted_ngram(TRIGRAM).model
        case "grammar":
            return models.truth().model
    return models.shipped_network(name).model


# Always the same object: the writer is part of the key under which a text is cached.
@lru_cache(maxsize=OF_RUNS)
def _writer_of_run(entry: models.ModelEntry, judged: bool) -> Writer:
    return _ours(entry.label, entry.model, judged=judged)


def _ours(label: str, model: LanguageModel, *, judged: bool) -> Writer:
    truth = microworld() if judged else None
    return writer_from_vocabulary(label, model, model.vocabulary, truth)
