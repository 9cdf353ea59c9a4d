"""Structured input as one sequence: what is drawn is what the models read."""

import pytest

import ui
from lessons.transfer import inputs_view, sequences_text
from lessons.transfer.sequences_picture import (
    bert_sequences,
    gpt_sequences,
    numbers,
    picture,
    segments,
)
from lessons.transfer.transfer_questions import sequences_questions
from lessons.transfer.transfer_state import INPUT_KINDS
from lmcore.transfer.inputs import serialise
from lmcore.transfer.tasks import Labelled

TEXTS = inputs_view.default_texts()


@pytest.mark.parametrize("kind", INPUT_KINDS)
def test_each_model_reads_what_is_drawn(kind):
    for reader, every in zip(
        picture(kind, TEXTS)["readers"],
        (gpt_sequences(kind, TEXTS), bert_sequences(kind, TEXTS)),
        strict=True,
    ):
        drawn = [[(token["text"], token["part"]) for token in row] for row in reader["sequences"]]
        assert drawn == every
        for row in reader["sequences"]:
            read = [token["text"] for token in row if token["read"]]
            each_word = reader["reads"].startswith("each word of the text")
            mark = "Extract" if reader["model"].startswith("GPT") else "[CLS]"
            assert read == (list(TEXTS.first) if each_word else [mark])
            assert each_word or mark in reader["reads"]


def test_a_pair_is_arranged_as_the_networks_here_read_it():
    pair = Labelled(TEXTS.first, TEXTS.second, 0)
    (drawn,) = bert_sequences("entailment", TEXTS)
    assert [token for token, _ in drawn] == serialise(pair, bert=True)
    (drawn,) = bert_sequences("question", TEXTS)
    assert [token for token, _ in drawn] == serialise(pair, bert=True, question_first=True)
    (drawn,) = gpt_sequences("entailment", TEXTS)
    assert len(drawn) == len(serialise(pair, bert=False))


@pytest.mark.parametrize("kind", INPUT_KINDS)
def test_the_sentence_counts_what_is_drawn(kind):
    live = numbers(kind, TEXTS)
    rows = picture(kind, TEXTS)["readers"][0]["sequences"]
    assert live["sequences"] == len(rows)
    assert live["tokens"] == sum(map(len, rows))
    assert live["marks"] == sum(not token["part"] for row in rows for token in row)
    said = sequences_text.sentence(kind, TEXTS)
    assert ("one sequence" in said) == (len(rows) == 1)
    assert said.lower().startswith(f"**{INPUT_KINDS[kind]}**")
    (question,) = sequences_questions()
    read = rows[0][round(live["read"]) - 1]
    assert read["text"] == question.answer and read["read"]
    assert {token["text"] for token in rows[0] if not token["part"]} <= set(question.options)
    assert "Extract →" not in sequences_text.describe(kind, TEXTS, hidden=True)


@pytest.mark.parametrize("kind", INPUT_KINDS)
def test_each_card_has_the_segments_of_its_sequences(kind):
    (card,) = (each for each in picture("single", TEXTS)["kinds"] if each["kind"] == kind)
    strips = {
        "single": [[0, 1, 0]],
        "entailment": [[0, 1, 0, 2, 0]],
        "similarity": [[0, 1, 0, 2, 0], [0, 2, 0, 1, 0]],
        "choice": [[0, 1, 0, 2, 0], [0, 1, 0, 3, 0]],
        "question": [[0, 1, 0, 2, 0]],
    }
    assert card["strips"] == strips[kind]
    assert segments([("a", 1), ("b", 1), ("|", 0), ("c", 2)]) == [1, 0, 2]


def test_every_kind_is_one_of_the_settings():
    defaults = ui.lesson("transfer").defaults
    assert defaults["in_kind"] in INPUT_KINDS
