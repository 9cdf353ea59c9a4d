"""The picture of the seven senses says what its numbers are."""

import json

import pytest
import torch

from lessons.contextual import contextual_questions, senses_picture, senses_text
from lmcore.contextual.great_senses import GREAT_SENSES, GreatVectors

COUNT = len(GREAT_SENSES)


def made(between, same):
    """Vectors of two layers; in the last one every two senses have a cosine of `between`."""
    one = torch.ones(COUNT, COUNT, dtype=torch.float64)
    last = torch.full_like(one, between).fill_diagonal_(1)
    last[4, :4] = last[:4, 4] = between - 0.2
    vectors = torch.randn(1, 1, 8, dtype=torch.float64, generator=torch.Generator().manual_seed(0))
    points = torch.stack([torch.zeros(COUNT, 2), torch.arange(2.0 * COUNT).view(COUNT, 2)])
    return GreatVectors(
        vectors.expand(2, COUNT, 8),
        torch.stack([one, last]),
        torch.tensor([1.0, same], dtype=torch.float64),
        points.double(),
        torch.tensor([1.0, 0.5], dtype=torch.float64),
    )


@pytest.mark.parametrize(("same", "says"), [(0.9, "are nearer"), (0.3, "are no nearer")])
def test_the_sentence_compares_with_one_sense(same, says):
    found = made(0.6, same)
    live = senses_picture.numbers(found, 1)
    assert says in senses_text.sentences()[int(live["@say"])]
    first = senses_picture.numbers(found, 0)
    assert "one vector" in senses_text.sentences()[int(first["@say"])]


@pytest.mark.parametrize("layer", [0, 1])
def test_every_number_of_the_texts_is_drawn(layer):
    found = made(0.6, 0.9)
    live = senses_picture.numbers(found, layer)
    assert live["mean"] == pytest.approx(float(found.mean[layer]))
    formula = senses_text.formulas()[int(live["@formula"])]
    for template in (*senses_text.sentences(), *formula, senses_text.describe()):
        assert "{" not in live.fill(template)
    for asked in contextual_questions.senses_questions(found, layer):
        assert set(asked.hides) <= set(live.names)


def test_the_sentences_are_whole_and_their_senses_those_of_the_slide():
    drawn = senses_picture.picture(made(0.6, 0.9))
    json.dumps(drawn)
    for sense, (name, gloss, sentence) in zip(drawn["senses"], GREAT_SENSES, strict=True):
        parts = (sense["before"], sense["word"], sense["after"])
        assert " ".join(part for part in parts if part) == sentence
        assert (sense["name"], sense["gloss"]) == (name, gloss)
    assert len({sense["gloss"] for sense in drawn["senses"]}) == COUNT


def test_the_question_is_answered_by_the_mean_cosines():
    (static,) = contextual_questions.senses_questions(made(0.6, 0.9), 0)
    (far,) = contextual_questions.senses_questions(made(0.6, 0.9), 1)
    assert static.answer == 1 and far.answer == GREAT_SENSES[4].gloss
