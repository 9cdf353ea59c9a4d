"""The cloze game: its picture’s data, the points of each answer, the score."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, TypeAlias, TypedDict

import numpy as np
from jaxtyping import Float64

from drawing.events import Name, Place
from drawing.payload import NumberName, Script
from lessons.bert.bert_picture import BarsPayload, FillerPayload
from lmcore.masked_lm.game import GameAnswer, GameItem, GameScore
from lmcore.training.masked_batches import masked_vocabulary

COLUMNS = ("player", "points", "points per text", "hits", "texts")


class OptionPayload(FillerPayload):
    """A word of the gap, with who chose it."""

    tag: str


class PlayerPayload(TypedDict):
    """A player, its points, and its hits in words."""

    name: str
    points: NumberName
    hits: str


class GamePayload(TypedDict):
    """One text of the game: its words to choose from, or once answered the bars of all answers."""

    title: str
    words: list[str]
    place: int
    revealed: bool
    choices: list[str]
    options: list[OptionPayload]
    bars: BarsPayload
    marked: NumberName
    here: int
    reach: int
    """The last text that can be shown, from 0."""
    states: list[str]
    """For each text: empty if it is not answered, else hit or miss."""
    next: str
    """The label of the button to the next text; empty if there is none."""
    players: list[PlayerPayload]


GameEvent: TypeAlias = tuple[Literal["say"], Name] | tuple[Literal["go"], Place]
"""A word that was chosen, or the text to go to, from 1."""
GAME = Script("game", GamePayload, ("points *", "q *", "p *"), GameEvent)
BARS: BarsPayload = {
    "ours": "our small encoder",
    "exact": "exact answer: the points",
    "both": "",
    "own": "hidden word",
}


TAGS = {"You": "you", "Small BERT": "BERT", "Best possible": "best"}
"""Short names of the players, for the end of a bar."""


def options(
    item: GameItem, answers: Mapping[str, GameAnswer], log_q: Float64[np.ndarray, " vocabulary"]
) -> tuple[list[OptionPayload], dict[str, float]]:
    """The words to choose from and those chosen, the best first, and their numbers."""
    words = masked_vocabulary().tokens
    ids = {*item.options, *(each.word for each in answers.values())}
    points = {i: float(item.exact[i]) if i < len(item.exact) else 0.0 for i in ids}
    numbers: dict[str, float] = {}
    shown: list[OptionPayload] = []
    for i in sorted(ids, key=lambda i: (-points[i], words[i])):
        chose = [TAGS.get(name, name) for name, each in answers.items() if each.word == i]
        numbers |= {f"q {words[i]}": float(np.exp(log_q[i])), f"p {words[i]}": points[i]}
        shown.append(
            {
                "word": words[i],
                "q": f"q {words[i]}",
                "p": f"p {words[i]}",
                "both": "",
                "own": i == item.hidden,
                "tag": ", ".join(chose),
            }
        )
    return shown, numbers


def finding(item: GameItem, answers: Mapping[str, GameAnswer]) -> str:
    """What your answer earned, as a template."""
    words = masked_vocabulary().tokens
    you, best = answers["You"], max(answers.values(), key=lambda each: each.points)
    hit = "a **hit**" if you.hit else f"the hidden word is “**{words[item.hidden]}**”"
    said = f"“{words[you.word]}”: {hit}; you earn =={{p {words[you.word]}}}== points"
    if you.hit and you.points < best.points:
        return (
            f"{said}, and were lucky: “{words[best.word]}” is likelier, {{p {words[best.word]}}}."
        )
    return f"{said}; the best word here earns {{p {words[best.word]}}}."


def rows(found: Mapping[str, GameScore]) -> list[tuple[str, *tuple[float, ...]]]:
    """One row per player; the columns are `COLUMNS`."""
    return [
        (name, each.points, each.points / each.texts, each.hits, each.texts)
        for name, each in found.items()
        if each.texts
    ]


def snippet(seed: int) -> str:
    """A script that prints the game, with the answers of model and grammar."""
    return f"""from lmcore.masked_lm import game as cloze_game
from lmcore.shipped.models import encoder

network, vocabulary, *_ = encoder()
items = cloze_game.game({seed})
for item, model in zip(items, cloze_game.model_answers(network, items)):
    words = vocabulary.decode(item.ids)
    words[item.place] = "____"
    print(" ".join(words), "|", vocabulary.decode(item.options))
    print("  hidden", vocabulary.tokens[item.hidden],
          " model", vocabulary.tokens[model.word], model.points,
          " best", cloze_game.best_answer(item).points)
"""
