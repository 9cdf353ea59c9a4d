"""The picture of the first vector: its rows are the network's own, and the marks are counted."""

import numpy as np
import pytest

from lessons.transfer.transfer_questions import first_vector_questions
from lessons.transfer.uses import first_vector_picture, first_vector_text, snippet_view
from ui import pretrained

MODEL = pretrained.load("encoder")
FOUND = snippet_view.embed(MODEL, "the animal was tired .")


def test_a_row_is_the_last_layers_vector_of_its_token():
    reading = MODEL.read(FOUND.text, most=64)
    hidden = MODEL.network(reading.ids[None]).hidden[0].detach()
    drawn = first_vector_picture.picture(FOUND)
    assert drawn["tokens"] == reading.tokens
    np.testing.assert_allclose(drawn["vectors"], hidden[:, : drawn["shown"]], atol=1e-5)
    assert drawn["lines"][drawn["missing"]] == "text = 'the animal was tired .'"


@pytest.mark.parametrize("row", [0, 1, 5])
def test_the_sentence_says_whose_vector_the_printed_row_is(row):
    live = first_vector_picture.numbers(FOUND, row)
    assert live["row"] == live["@say"] == row and live["tokens"] == len(FOUND.tokens)
    said = first_vector_text.sentences(FOUND)
    assert len(said) == len(FOUND.tokens)
    assert rf"emb\[0\]\[{row}\]" in said[row]
    assert FOUND.tokens[row].strip("[]") in said[row]


def test_the_question_asks_whose_vector_the_slide_prints():
    (question,) = first_vector_questions(FOUND)
    assert question.answer == FOUND.tokens[0] != FOUND.tokens[1]
    assert {question.answer, FOUND.tokens[1]} <= set(question.options)
