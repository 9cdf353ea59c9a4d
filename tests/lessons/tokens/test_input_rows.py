"""The view “Text to rows”: the rows are those of the tables, and the question counts them."""

import pytest
import torch

from lessons.tokens import input_rows_text, input_rows_view
from lessons.tokens.tokens_questions import rows_question
from lmcore.pretrained import wheel
from lmcore.tokenization.inputs import pad_reading, trace_inputs, word_spans
from ui import pretrained

REAL = pytest.mark.skipif(wheel.package_folder() is None, reason="MiniLM is not installed")


def given(name, first, second="", pad=False):
    reader = pretrained.load(name)
    read = reader.read(first, second)
    if pad:
        read = pad_reading(read, input_rows_view.pad_id(reader), input_rows_view.BATCH)
    trace = trace_inputs(reader.network, read)
    sizes = input_rows_view.table_sizes(reader.network)
    return reader, input_rows_view.Given(trace, reader.name, sizes)


@REAL
def test_every_strip_is_a_row_of_its_table_and_the_last_their_sum():
    reader, found = given("minilm", "my dog is cute", "he likes flightless birds")
    shown = input_rows_view.picture(found, 9)
    table = reader.network.embedding
    strips = torch.tensor(shown["values"])
    names = [each["name"] for each in shown["tables"]]
    assert names == ["token", "position", "segment", "input"]
    assert [each["rows"] for each in shown["tables"]] == [30_522, 512, 2, 0]
    rows = {
        "token": table.token.weight[torch.tensor(shown["ids"])],
        "position": table.position.weight[: len(shown["tokens"])],
        "segment": table.segment.weight[torch.tensor(["AB".index(x) for x in shown["letters"]])],
    }
    for name, drawn in zip(names, strips, strict=True):
        expected = sum(rows.values()) if name == "input" else rows[name]
        assert torch.allclose(drawn, expected[:, : shown["shown"]].double(), atol=1e-6)
    live = input_rows_view.live_numbers(found.trace, (9, 3))
    assert live["input"] == strips[3, 9, 3]
    (swept,) = live.table
    assert (swept[:, live.names.index("input")] == strips[3, 9].numpy()).all()


@REAL
def test_words_stand_over_their_pieces():
    _, found = given("minilm", "my dog is cute", "he likes flightless birds")
    shown = input_rows_view.picture(found, 0)
    assert shown["words"][-2:] == [
        {"text": "flightless", "first": 8, "last": 9},
        {"text": "birds", "first": 10, "last": 10},
    ]
    assert shown["special"] == [0, 5, 11]


@REAL
def test_the_question_counts_the_rows():
    _, found = given("minilm", "my dog is cute", "he likes flightless birds")
    (asked,) = rows_question(found.trace)
    assert (asked.answer, asked.options) == ("12", ("8", "9", "11", "12"))
    assert asked.because.endswith("3 for special tokens, and 1 more because a word is split.")
    (plain,) = rows_question(given("minilm", "he likes birds")[1].trace)
    assert plain.answer == "5" and len(plain.options) > 2


@REAL
def test_pads_fill_a_row_up_and_belong_to_no_word():
    _, found = given("minilm", "my dog is cute", "he likes [MASK] ☃", pad=True)
    read = found.trace.reading
    assert read.tokens[-2:] == ("[SEP]", "[PAD]") and len(read.tokens) == 12
    assert read.tokens[8:10] == ("[MASK]", "[UNK]")
    assert read.ids[-1] == 0 and read.special[-2:].all()
    assert len(word_spans(read.tokens, read.special.tolist())) == 8


def test_a_full_row_gets_no_pad_and_our_own_encoder_has_the_token():
    reader, found = given("encoder", "the dog sees the cat")
    pad = input_rows_view.pad_id(reader)
    whole = pad_reading(found.trace.reading, pad, 1)
    assert whole.tokens == found.trace.reading.tokens
    padded = pad_reading(found.trace.reading, pad, 8)
    assert len(padded.tokens) == len(padded.ids) == len(padded.segments) == 8
    assert reader.vocabulary.tokens[int(padded.ids[-1])] == "[PAD]"


def test_pieces_after_a_special_token_begin_a_word():
    spans = word_spans(["[CLS]", "##a", "b", "##c", "##d"], [True, False, False, False, False])
    assert spans == [range(1, 2), range(2, 5)]


@REAL
def test_the_formula_names_the_rows_and_is_general_while_they_are_asked_for():
    _, found = given("minilm", "my dog is cute", "he likes flightless birds")
    rows, numbers = input_rows_text.formula(found.trace, 9, asked=False)
    assert rows == "x₉ = [input|E\\[3,238\\]] + [key|P\\[9\\]] + [value|S\\[B\\]]"
    live = input_rows_view.live_numbers(found.trace, (9, 0))
    assert live.fill(numbers).startswith("dimension 0: [input|")
    assert input_rows_text.formula(found.trace, 9, asked=True) == [
        "x = [input|E\\[id\\]] + [key|P\\[place\\]] + [value|S\\[sentence\\]]"
    ]
    said = live.fill(input_rows_text.sentence(found.trace, 9))
    assert said.startswith("8 words, **12 rows**. Dimension 0 of **##less**:")
