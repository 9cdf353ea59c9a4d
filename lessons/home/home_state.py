"""The state of Home: a prompt, a model's next word, the needle and the temperature."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import numpy as np
import streamlit as st
import torch
from torch import Tensor

import ui
from drawing.events import Moved
from lessons.home import rivers
from lmcore import parsing
from lmcore.decoding.next_token import next_token_model
from lmcore.decoding.token_by_token import SamplingConfig, generate
from lmcore.decoding.word_line import WordLine, word_line
from lmcore.vocabulary import END
from ui.settings import Between, SettingsTable

LESSON = ui.lesson("home")
HOTTEST, COLDEST = 3.0, 0.1
SETTINGS = SettingsTable(
    LESSON,
    {
        "u": Between(0, 1),
        "heat": Between(COLDEST, HOTTEST),
        "year": Between(rivers.years()[0], rivers.years()[-1], whole=True),
    },
)
SAID = {"u": "u", "heat": "the temperature τ", "year": "the year"}
PROMPT = "the animal didn't cross the"
SHOWN = 40
"""The number of words whose parts of the line are drawn one by one."""
POSITIONS = 201
LENGTH = 9
"""The number of words that follow the chosen one, chosen greedily."""


class Opening(NamedTuple):
    """The next word of the prompt: the scores, and for each word its text and its continuation."""

    scores: Tensor
    words: tuple[str, ...]
    """The most probable first."""
    sequels: tuple[str, ...]


@lru_cache(maxsize=1)
def opening() -> Opening:
    """The next word under the small GPT that ships; cached, as it takes a tenth of a second."""
    model = ui.models.shipped_network("gpt").model
    vocabulary = model.vocabulary
    ids = torch.tensor(vocabulary.read(PROMPT))
    scores = next_token_model(model).start(ids[None])[0][0].cpu()
    ranked = scores.argsort(descending=True, stable=True)
    prompts = torch.cat([ids.expand(len(ranked), -1), ranked[:, None]], dim=1)
    texts = generate(model, prompts, SamplingConfig(LENGTH, stop=(vocabulary.ids[END],)))
    sequels = tuple(_one_sentence(vocabulary.write(text)) for text in texts)
    return Opening(scores, tuple(vocabulary.tokens[i] for i in ranked.tolist()), sequels)


def _one_sentence(text: str) -> str:
    """A text up to its first full stop."""
    return text[: text.index(".") + 1] if "." in text else text


def slider_numbers() -> ui.LiveNumbers:
    """The line now, and at every position of the needle and of the temperature."""
    u, heat = SETTINGS.number("u"), SETTINGS.number("heat")
    grids = {
        "u": np.round(np.linspace(0, 1, POSITIONS), 4),
        "heat": np.round(np.geomspace(COLDEST, HOTTEST, POSITIONS), 3),
    }
    for name, value in (("u", u), ("heat", heat)):
        grids[name][np.abs(grids[name] - value).argmin()] = value
    sliders = [
        ui.Slider(
            "u",
            "needle u",
            "needle u",
            u,
            grids["u"],
            help="Where the needle stands, from 0 to 1",
        ),
        ui.Slider(
            "heat",
            "temperature τ",
            "temperature τ",
            heat,
            grids["heat"],
            help="Below 1 the likely words gain, above 1 the unlikely ones",
            role="weight",
        ),
    ]
    here = torch.tensor([u, heat], dtype=torch.float64)
    moved = here.repeat(2, POSITIONS, 1)
    moved[0, :, 0], moved[1, :, 1] = (torch.tensor(grids[name]) for name in ("u", "heat"))
    now, then = (_numbers(each) for each in (here, moved))
    return ui.live_numbers("home", now, sliders, then)


def _numbers(at: Tensor) -> dict[str, Tensor]:
    line: WordLine = word_line(opening().scores, at[..., 1], at[..., 0])
    p, chosen = line.probabilities, line.chosen
    named = {f"p{i}": p[..., i] for i in range(SHOWN)}
    return {
        "u": at[..., 0],
        "heat": at[..., 1],
        **named,
        "rest": p[..., SHOWN:].sum(dim=-1),
        "chosen": p.gather(-1, chosen[..., None])[..., 0],
        "@word": chosen.double(),
    }


def store_slider(moved: Moved) -> None:
    """Store a released slider's value, or the number typed beside it."""
    name = moved["name"]
    rule = SETTINGS.table[name]
    assert isinstance(rule, Between)
    try:
        value = parsing.parse_number(moved["typed"], SAID[name].removeprefix("the "))
        if not rule.low <= value <= rule.high:
            raise ValueError(
                f"{SAID[name]} must be from {rule.low:g} to {rule.high:g}; got {value:g}"
            )
    except ValueError as error:
        ui.show_error_later(error)
        return
    st.session_state[name] = f"{value:.12g}"
