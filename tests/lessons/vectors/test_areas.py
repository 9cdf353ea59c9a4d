"""The areas of 2003 and 2013 have the numbers of their formulas, and the texts those numbers."""

import json

import numpy as np
import pytest

from lessons.vectors import areas_picture, areas_text
from lessons.vectors.areas_picture import MOST_TYPES, Example, example_of
from lessons.vectors.vectors_questions import area_questions
from lmcore.embeddings.static.methods import VectorConfig

CONFIG = VectorConfig()
OTHER = VectorConfig(window=3, dimensions=10, negatives=2)


def live_of(config=CONFIG, own=279, types=279):
    return areas_picture.numbers(config, 3.5, own, types)


@pytest.mark.parametrize(("config", "context"), [(CONFIG, 4), (OTHER, 6)])
def test_the_numbers_are_the_formulas_now_and_along_the_slider(config, context):
    live = live_of(config)
    d, scored = config.dimensions, config.negatives + 1
    positions = live.sliders[0].positions
    for types, row in [(279, live.now), *zip(positions, live.table[0], strict=True)]:
        found = dict(zip(live.names, row, strict=True))
        assert found["hidden"] == context * d * 64
        assert found["scores"] == 64 * types
        assert found["nnlm"] == pytest.approx(1000 * found["thousands"])
        assert found["nnlm"] == found["hidden"] + found["scores"]
        assert found["skip"] == scored * d
        assert found["ratio"] == pytest.approx(found["nnlm"] / found["skip"])
        assert found["token"] == pytest.approx(3.5 * scored * d)
        assert found["@say"] == (types != 279)
    assert {100, 279, MOST_TYPES} <= set(positions)
    assert (np.diff(positions) > 0).all()


def test_the_sentences_are_filled_with_their_numbers():
    first, second = areas_text.sentences(CONFIG)
    assert live_of().fill(first) == (
        "In 2003 an example took 24 thousand products, in 2013 ==144==: it scores 6 words, not 279."
    )
    assert live_of(types=10_000).fill(second) == (
        "With 10000 words, 2003 needs 646.1 thousand products an example; 2013 still ==144==."
    )
    for template in (*areas_text.formula(CONFIG), areas_text.describe(CONFIG)):
        assert "{" not in live_of().fill(template)


TEXT = (("a", "cat"), ("cat", "sat"), ("the", "big", "old", "cat", "sat"))


@pytest.mark.parametrize(
    ("context", "found"),
    [
        (2, Example(("big", "old"), "cat", "sat")),
        (4, Example(("<s>", "<s>", "<s>", "a"), "cat", "a")),
    ],
)
def test_the_example_is_a_place_of_the_word_in_the_text(context, found):
    assert example_of(TEXT, "cat", context) == found


def test_what_the_script_gets_is_whole():
    drawn = areas_picture.picture(CONFIG, example_of(TEXT, "cat", 4), 279)
    assert json.loads(json.dumps(drawn))["units"] == 64
    assert len(drawn["before"]) * drawn["dimensions"] * drawn["units"] == live_of()["hidden"]


def test_the_questions_are_answered_by_the_numbers():
    grows, scores = area_questions(CONFIG, live_of(), 279)
    assert grows.answer == "they stay 144"
    assert grows.answer == f"they stay {live_of(types=MOST_TYPES)['skip']:.0f}"
    assert set(grows.options) == {"they stay 144", "2 times as many", "36 times as many"}
    assert scores.answer == 64 * 279
    assert set(scores.hides) <= set(live_of().names)
