"""A gap that is read with more and more of the words after it, compared with texts that end so."""

import pytest
import torch

from lmcore.masked_lm import both_sides, cloze
from lmcore.models.bert import BERT
from lmcore.models.transformer_config import TransformerConfig
from lmcore.pretrained.reading import VocabularyModel
from lmcore.shipped.models import encoder

NETWORK, VOCABULARY, *_ = encoder()
READER = VocabularyModel("small", NETWORK, VOCABULARY)
SENTENCE = "the animal didn't cross the street because it was too tired."
TEXT = cloze.cloze_text(READER, SENTENCE)
PLACE = TEXT.tokens.index("street")


def test_each_row_is_the_answer_to_the_text_that_ends_there():
    found = both_sides.read_sides(NETWORK, TEXT, PLACE)
    words = SENTENCE.replace("street", "[MASK]").replace(".", " .").split()
    assert found.after == len(words) - PLACE
    for read in range(found.after + 1):
        ids = READER.read(" ".join(words[: PLACE + read])).ids
        with torch.no_grad():
            trace = NETWORK(ids[None])
        row = trace.logits[0, PLACE].double().log_softmax(-1)
        assert torch.allclose(found.log_q[read], row, atol=1e-5)
        heads = torch.cat([block.attention.weights[0, :, PLACE] for block in trace.blocks])
        expected = heads.double().mean(0)
        assert torch.allclose(found.weights[read, : PLACE + 1 + read], expected[:-1], atol=1e-6)
        assert found.weights[read, -1] == pytest.approx(float(expected[-1]), abs=1e-6)
        assert not found.weights[read, PLACE + 1 + read : -1].any()


def test_the_whole_text_is_answered_as_where_the_gap_is_filled():
    (filled,) = cloze.fill(NETWORK, TEXT, [(PLACE,)])
    found = both_sides.read_sides(NETWORK, TEXT, PLACE)
    assert torch.allclose(found.log_q[-1], filled.log_q[0], atol=1e-5)


def test_the_shares_of_the_attention_are_of_all_tokens():
    found = both_sides.read_sides(NETWORK, TEXT, PLACE)
    before, after, others = found.shares()[-1].tolist()
    row = found.weights[-1]
    assert before == pytest.approx(float(row[1:PLACE].sum()))
    assert after == pytest.approx(float(row[PLACE + 1 : -1].sum()))
    assert others == pytest.approx(float(row[0] + row[PLACE] + row[-1]))
    assert before + after + others == pytest.approx(1)
    assert found.shares()[0, 1] == 0
    assert list(found.to_frame()["read"]) == list(range(found.after + 1))


def test_another_typed_gap_stays_covered():
    text = cloze.cloze_text(READER, SENTENCE.replace("tired", "[MASK]"))
    found = both_sides.read_sides(NETWORK, text, PLACE)
    (filled,) = cloze.fill(NETWORK, text, [(PLACE, *text.typed)])
    assert torch.allclose(found.log_q[-1], filled.log_q[0], atol=1e-5)


def test_what_cannot_be_a_gap_is_refused():
    with pytest.raises(ValueError, match="the gap must be one of"):
        both_sides.read_sides(NETWORK, TEXT, 0)
    config = TransformerConfig(len(VOCABULARY), 12, 2, 2, 16, 64, segments=2, causal=False)
    with pytest.raises(ValueError, match="must have a head"):
        both_sides.read_sides(BERT(config, head=False), TEXT, 1)
