"""The cloze game: the text with its gap, the points of each answer, the score."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from jaxtyping import Float64

from lessons.shared import probability_grid
from lessons.shared.payload import Chip, ChipRow
from lmcore.corpora.microworld import microworld
from lmcore.masked_lm.game import GameAnswer, GameItem, GameScore
from lmcore.numbers import format_number

NONE = np.empty(0)
GAP = "____"
COLUMNS = ("player", "points", "points per text", "hits", "texts")


def chips(item: GameItem, at: int, *, revealed: bool) -> ChipRow:
    """The data of `lessons/shared/chips.js`: the words, and the gap or what stood in it."""
    tokens = microworld().vocabulary.decode(item.ids)
    words: list[Chip] = [
        {"text": token, "below": "", "kind": ""}
        for place, token in enumerate(tokens)
        if place not in (0, len(tokens) - 1)
    ]
    hidden = tokens[item.place]
    words[item.place - 1] = {
        "text": hidden if revealed else GAP,
        "below": "hidden word" if revealed else "",
        "kind": "part1" if revealed else "masked gap",
    }
    return {"title": f"Text {at + 1}", "said": "", "chips": words}


def grid(
    item: GameItem, answers: Mapping[str, GameAnswer], log_q: Float64[np.ndarray, " vocabulary"]
) -> probability_grid.NamedGrid:
    """The options and the players' answers, with p and q."""
    words = microworld().vocabulary.tokens
    ids = sorted({*item.options, *(each.word for each in answers.values())}, key=words.__getitem__)
    rows = {
        "The grammar, exactly": [float(item.exact[i]) if i < len(item.exact) else 0.0 for i in ids],
        "Small BERT": [float(np.exp(log_q[i])) for i in ids],
    }
    alt = "; ".join(f"{words[i]} {format_number(rows['The grammar, exactly'][n])}"
                    for n, i in enumerate(ids))  # fmt: skip
    drawn = probability_grid.grid([words[i] if i < len(words) else "[…]" for i in ids], rows)
    alt = f"How likely each word was, exactly: {alt}."
    return {**drawn, "alt": alt, "name": "cloze-game"}


def answer_words(item: GameItem, answers: Mapping[str, GameAnswer]) -> list[str]:
    """Each player's answer and its points."""
    words = microworld().vocabulary.tokens
    lines = [f"“{words[item.hidden]}” was the hidden word."]
    for name, each in answers.items():
        word = words[each.word] if each.word < len(words) else "[…]"
        hit = "a hit, " if each.hit else ""
        lines.append(f"{name}: {word}, {hit}**{format_number(each.points)}** points.")
    best = max(answers.values(), key=lambda each: each.points)
    if any(each.hit and each.points < best.points for each in answers.values()):
        lines.append("A hit that earns fewer points than the best answer was lucky.")
    return lines


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
