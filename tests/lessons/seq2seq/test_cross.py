"""The picture of cross-attention: the weights and words of the network."""

from functools import cache

import pytest
import torch

from drawing.live import LiveNumbers
from lessons.seq2seq import cross_picture, cross_text
from lessons.seq2seq.seq2seq_questions import cross_questions
from lmcore.attention.cross_steps import trace_cross_attention
from lmcore.shipped.models import encoder_decoder
from lmcore.training.translation_batches import encode_sources
from lmcore.vocabulary import END, START

SOURCE = ("the", "big", "dogs", "see", "a", "cat")


@cache
def found():
    network, vocabulary, *_ = encoder_decoder()
    return trace_cross_attention(network, vocabulary, SOURCE)


def weights(head="2.2"):
    return found().of_head(*cross_picture.head_of(head))


def live(step=1, head="2.2"):
    return cross_picture.live_numbers(found(), weights(head), step)


def test_the_words_are_written_one_by_one_from_the_start_to_the_end():
    assert found().read == (START, *found().written[:-1])
    assert found().written[-1] == END


@torch.no_grad()
def test_each_weight_is_the_softmax_of_a_query_and_the_keys():
    network, vocabulary, *_ = encoder_decoder()
    read = torch.tensor([vocabulary.encode(list(found().read))])
    trace = network(encode_sources([SOURCE]), read)
    for block, each in enumerate(trace.decoder):
        q, k = each.cross.query[0].double(), each.cross.key[0].double()
        expected = (q @ k.transpose(1, 2) / k.shape[-1] ** 0.5).softmax(dim=-1)
        assert torch.allclose(found().weights[block], expected, atol=1e-6)
    assert found().weights.sum(dim=-1).numpy() == pytest.approx(1)
    for p, word, row in zip(found().probability, found().written, trace.logits[0], strict=True):
        assert float(p) == pytest.approx(float(row.double().softmax(-1)[vocabulary.ids[word]]))


def test_the_heads_of_the_choice_are_those_of_the_network():
    blocks, heads = found().weights.shape[:2]
    assert set(cross_picture.HEADS) == {
        f"{block + 1}.{head}" for block in range(blocks) for head in (*range(1, heads + 1), "mean")
    }
    assert torch.allclose(
        weights("1.mean"), sum(weights(f"1.{h + 1}") for h in range(heads)) / heads
    )


def test_at_every_step_the_named_number_is_the_largest_weight():
    numbers = live()
    (table,) = numbers.table
    for i, row in enumerate(table):
        at = LiveNumbers("cross", numbers.names, row)
        assert at["step"] == i + 1
        assert at["top"] == float(weights()[i].max())
        best = cross_picture.picture(found(), (*SOURCE, END), weights(), 1)["largest"][i]
        assert at[f"a{i + 1}.{best + 1}"] == at["top"]
        assert at["@say"] == at["@formula"] == i


def test_the_sentences_say_where_each_step_looks():
    said = cross_text.sentences(found(), (*SOURCE, END), weights(), str)
    assert said[5] == "To write “viden”, the decoder looks back at “see”: weight =={top}==."
    looked = "Step by step the decoder looked at the, dogs, big, a, cat, see"
    assert said[6] == f"{looked}; at the end its weight is =={{top}}==."
    spread = cross_text.sentences(found(), (*SOURCE, END), weights("2.mean"), str)
    assert "looks most at" in spread[2]
    assert spread[2].endswith("the rest is elsewhere.")


@pytest.mark.parametrize("step", [1, 3, 6, 7])
def test_the_question_asks_for_the_word_with_the_largest_weight(step):
    source = (*SOURCE, END)
    looks, read = cross_questions(found(), source, weights(), step)
    assert looks.answer == source[int(weights()[step - 1].argmax())]
    assert looks.answer in looks.options
    assert set(looks.hides) <= set(live().names)
    assert read.answer in read.options


def test_a_covered_formula_names_no_word_of_the_source_between_its_ends():
    for row in cross_text.formulas(found(), (*SOURCE, END), weights(), str, covered=True):
        assert not any(f"α({word})" in part for part in row for word in (*SOURCE, END))
