"""The eight fans: true angles, and sentences that say what the angles are."""

import json
import math

import pytest
import torch

from lessons.contextual import contextual_questions, fans_picture, fans_text
from lessons.contextual.fans_picture import Fans
from lmcore.contextual.clouds import microworld_contexts, trace_clouds
from lmcore.contextual.persons import WORDS, PersonVectors, trace_persons
from lmcore.contextual.record import layered_model

MODEL = layered_model("gpt")
CONTEXTS = tuple(microworld_contexts(word) for word in WORDS)
FOUND = fans_picture.trace_fans(MODEL, CONTEXTS)
LAST = len(FOUND.same) - 1


def made(angles, same):
    """Fans of two layers with these angles in the last one, in degrees."""
    cosines = torch.tensor([[1.0] * 8, [math.cos(math.radians(each)) for each in angles]])
    alike = torch.tensor([[1.0] * 8, [math.cos(math.radians(same))] * 8])
    points = torch.zeros(2, 2, 8, 2)
    return Fans(PersonVectors(cosines.double(), points.double()), alike.double())


def test_the_numbers_are_the_cosines_of_the_words_in_both_texts_and_in_one_sense():
    cosines = trace_persons(MODEL).cosines
    live = fans_picture.numbers(FOUND, LAST)
    for n, fan in enumerate(fans_picture.picture(FOUND)["fans"]):
        word = WORDS.index(fan["word"])
        assert live[f"cosine {n}"] == pytest.approx(float(cosines[-1, word]), abs=1e-9)
        within = trace_clouds(MODEL, CONTEXTS[word].occurrences).within
        assert live[f"same {n}"] == pytest.approx(float(within[-1]), abs=1e-9)
        angle = math.degrees(math.acos(min(live[f"cosine {n}"], 1)))
        assert live[f"angle {n}"] == round(angle)


def test_the_fans_stand_by_the_last_layer_in_every_layer():
    assert fans_picture.picture(FOUND)["widest"][-1] == 0
    angles = [fans_picture.numbers(FOUND, LAST)[f"angle {n}"] for n in range(8)]
    assert angles == sorted(angles, reverse=True)
    assert [fans_picture.numbers(FOUND, 0)[f"angle {n}"] for n in range(8)] == [0] * 8


def test_the_phrases_have_their_word_and_are_parts_of_the_sentences():
    drawn = fans_picture.picture(FOUND)
    json.dumps(drawn)
    for fan in drawn["fans"]:
        for phrase, sentence in zip(fan["phrases"], fan["sentences"], strict=True):
            assert fan["word"] in phrase.split() and phrase in sentence


def test_a_fan_no_wider_than_one_sense_is_said_to_be_so():
    wide = fans_text.sentences(made([80, 70, 60, 50, 45, 44, 43, 42], same=38))[-1]
    assert "{angle 0}°==" in wide and "{same angle 7}°" in wide and "no wider" not in wide
    narrow = fans_text.sentences(made([80, 70, 60, 50, 45, 44, 43, 38], same=38))[-1]
    assert "no wider than two uses in one sense" in narrow
    assert "one direction" in fans_text.sentences(FOUND)[0]


@pytest.mark.parametrize("layer", range(LAST + 1))
def test_every_number_of_the_texts_is_drawn(layer):
    live = fans_picture.numbers(FOUND, layer)
    for template in (fans_text.sentences(FOUND)[layer], *fans_text.formulas(FOUND)[layer]):
        assert "{" not in live.fill(template)
    assert "{" not in live.fill(fans_text.describe(FOUND, "a model"))
    for asked in contextual_questions.fans_questions(FOUND, layer):
        assert set(asked.hides) <= set(live.names)


def test_the_questions_are_answered_by_the_angles():
    angles = [80, 70, 60, 50, 45, 44, 30, 20]
    widest, wider = contextual_questions.fans_questions(made(angles, same=40), 1)
    assert widest.answer == WORDS[0] and wider.answer == 6
    (closed,) = contextual_questions.fans_questions(FOUND, 0)
    assert closed.answer == 0
