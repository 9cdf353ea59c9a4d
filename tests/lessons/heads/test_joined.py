"""The picture of joined heads: the parts add up to what the network's own block computes."""

from dataclasses import replace
from functools import cache

import numpy as np
import pytest
import torch

from lessons.heads import joined_picture, joined_text, joined_view
from lessons.heads.heads_questions import joined_questions
from lmcore.attention.heads import (
    find_place,
    initial_residual_and_mask,
    trace_heads,
    transformer_blocks,
)
from lmcore.attention.joined_heads import join_heads
from ui import pretrained

TEXT = "the animal didn't cross the street because it was too tired ."


@cache
def read():
    reader = pretrained.load("encoder")
    text = reader.read(TEXT, "", 128)
    return reader.network, text, trace_heads(reader.network, text)


def joined(layer=0):
    network, _, trace = read()
    return join_heads(network, trace, layer, place())


def place():
    return find_place(read()[1].tokens, "it")


@torch.no_grad()
def test_the_output_is_that_of_the_block():
    network, text, _ = read()
    residual, mask = initial_residual_and_mask(network, text)
    block = transformer_blocks(network)[0]
    expected = block(residual, mask).attention.output[0, place()]
    assert joined().output.numpy() == pytest.approx(expected.double().numpy(), abs=1e-4)


def test_the_parts_are_the_answers_times_their_bands_of_the_matrix():
    found = joined()
    wide = found.answers.shape[1]
    for head, (answer, part) in enumerate(zip(found.answers, found.parts, strict=True)):
        band = found.matrix[head * wide : (head + 1) * wide]
        assert part.numpy() == pytest.approx((answer @ band).numpy())


def test_a_head_that_is_cut_adds_nothing_and_the_others_stay():
    whole, without = joined(), joined().without({2})
    assert not without.answers[2].any()
    assert not without.parts[2].any()
    assert torch.equal(whole.parts[[0, 1, 3]], without.parts[[0, 1, 3]])
    assert (whole.output - without.output).numpy() == pytest.approx(whole.parts[2].numpy())


def test_at_every_number_of_the_output_its_parts_and_the_bias_add_up():
    live = joined_picture.live_numbers(joined(), 94, frozenset({1}))
    (table,) = live.table
    at = live.names.index
    parts = sum(table[:, at(f"part{head}")] for head in range(1, 5)) + table[:, at("bias")]
    assert parts == pytest.approx(table[:, at("sum")])
    assert [row[at(f"o{n}")] for n, row in enumerate(table, start=1)] == list(table[:, at("sum")])
    assert list(table[:, at("number")]) == list(range(1, 129))
    assert table[:, at("whole")] - table[:, at("sum")] == pytest.approx(joined().parts[1].numpy())


def test_the_matrix_is_sent_as_levels_about_the_middle():
    _, _, trace = read()
    sent = joined_picture.picture(joined(), trace, place(), frozenset())["matrix"]
    levels = np.frombuffer(sent, np.uint8).reshape(128, 128).astype(float)
    assert np.corrcoef(levels.ravel(), joined().matrix.numpy().ravel())[0, 1] > 0.99
    assert np.array_equal(levels > 127.5, joined().matrix.numpy() > 0) or (
        abs((levels > 127.5).mean() - (joined().matrix.numpy() > 0).mean()) < 0.01
    )


def test_the_sentence_names_the_word_that_each_head_reads_most():
    _, text, _ = read()
    said = joined_text.sentence(joined(), text.tokens, place(), frozenset(), str)
    reads = [text.tokens[int(row.argmax())] for row in joined().weights]
    assert said.startswith(
        f"For “it” the 4 heads read “{reads[0]}”, “{reads[1]}”, “{reads[2]}” and"
    )
    one = joined_text.sentence(joined(), text.tokens, place(), frozenset({1}), str)
    assert one.startswith("Without head 2, number **{number}** of the output")
    assert one.endswith("is =={sum}==, and not {whole}.")
    two = joined_text.sentence(joined(), text.tokens, place(), frozenset({0, 2}), str)
    assert two.startswith("Without heads 1 and 3,")


def test_heads_that_read_the_same_word_are_said_to():
    same = joined()._replace(weights=joined().weights[:1].expand(4, -1))
    said = joined_text.sentence(same, read()[1].tokens, place(), frozenset(), str)
    assert said.startswith("All 4 heads read “animal” for “it”")


def test_the_questions_have_the_answers_of_the_numbers():
    _, text, _ = read()
    first, second = joined_questions(joined(), text.tokens, place(), 94)
    head = int(joined().weights.max(dim=1).values.argmax())
    assert first.answer == text.tokens[int(joined().weights[head].argmax())]
    assert first.answer in first.options
    assert len(first.options) > 2
    assert second.answer == f"head {int(joined().parts[:, 93].abs().argmax()) + 1}"


def test_too_many_heads_or_tokens_do_not_stand_side_by_side():
    _, _, trace = read()
    assert not joined_picture.too_large(trace)
    heads = ("query", "key", "weights", "context")
    many = replace(trace, **{name: getattr(trace, name).repeat(1, 3, 1, 1) for name in heads})
    assert joined_picture.too_large(many).startswith("this model has 12 heads a layer")
    long = replace(trace, text=replace(trace.text, tokens=trace.text.tokens * 2))
    assert joined_picture.too_large(long) == "only for up to 18 tokens"


def test_the_framed_number_is_the_largest_of_all_heads_until_one_is_chosen():
    assert joined_view.largest(joined()) == 94
    assert abs(joined().output[93]) == joined().output.abs().max()
