"""Sentences of equal length with masked words, and how well a model finds the words."""

import numpy as np
import pytest
import torch

from lmcore.masked_lm.sentences import SentencePool, cover_words, whole_words
from lmcore.masked_lm.single_words import measure_single_words
from lmcore.models.bert import BERT
from lmcore.models.transformer_config import TransformerConfig
from tests.pretrained import made

PIECES = made.pieces()
TEXTS = ("the animal crossed the street", "the animal", "the street , the animal", "animal")
SIZES = TransformerConfig(
    vocabulary=PIECES.get_vocab_size(), width=12, heads=2, layers=2, hidden=20, longest=40,
    causal=False, norm="post",
)  # fmt: skip


def pool(**sources):
    return SentencePool.make(PIECES, sources, dict.fromkeys(sources, 1 / len(sources)))


def test_a_word_in_pieces_and_a_comma_are_no_whole_words():
    read = PIECES.encode("the animal crossed , the street")
    found = whole_words(read.tokens, read.word_ids)
    assert [t for t, whole in zip(read.tokens, found, strict=True) if whole] == [
        "the", "animal", "the", "street",
    ]  # fmt: skip


def test_at_least_one_word_is_covered_and_nothing_else():
    rng = np.random.default_rng(1)
    words = rng.random((400, 12)) < 0.5
    words[:, 0] = True
    covered = cover_words(words, 0.3, rng)
    assert not (covered & ~words).any()
    assert (covered.sum(1) >= 1).all()
    many = words.sum(1) >= 4
    assert covered[many].sum() / words[many].sum() == pytest.approx(0.3, abs=0.03)


def test_a_batch_holds_what_stood_under_the_masks():
    made_pool = pool(all=TEXTS)
    batch = made_pool.draw(np.random.default_rng(2), 60, 0.4)
    assert (batch.tokens[batch.covered] == made_pool.mask).all()
    assert not (batch.tokens[~batch.covered] == made_pool.mask).any()
    whole = batch.tokens.clone()
    whole[batch.covered] = batch.targets
    known = {tuple(PIECES.encode(text).ids) for text in TEXTS}
    assert {tuple(row) for row in whole.tolist()} <= known


def test_each_source_has_its_share_of_the_tokens():
    one, other = ["the animal crossed the street"] * 30, ["the animal , the street"]
    made_pool = SentencePool.make(PIECES, {"a": one, "b": other}, {"a": 0.25, "b": 0.75})
    length = len(PIECES.encode(other[0]).ids)
    (group,) = [each for each in made_pool.by_length if each.ids.shape[1] == length]
    assert float((group.chance * length).sum()) == pytest.approx(0.75)


def test_the_figures_are_those_of_one_word_masked_at_a_time():
    network = BERT(SIZES, seed=4)
    hits, terms = [], []
    for text in TEXTS:
        read = PIECES.encode(text)
        for place, whole in enumerate(whole_words(read.tokens, read.word_ids)):
            if not whole or not len(read.ids) - 2 >= 3:
                continue
            row = torch.tensor([read.ids])
            row[0, place] = PIECES.token_to_id("[MASK]")
            q = network(row).logits[0, place].detach().softmax(-1)
            hits.append(int(q.argmax()) == read.ids[place])
            terms.append(-float(q[read.ids[place]].log()))
    found = measure_single_words(network, pool(all=TEXTS))
    assert found.words == len(terms)
    assert found.top_1 == pytest.approx(np.mean(hits))
    assert found.loss == pytest.approx(np.mean(terms), abs=1e-5)
    assert found.top_1 <= found.top_5 <= 1


def test_a_model_without_a_head_and_a_source_without_words_are_refused():
    with pytest.raises(ValueError, match="must have a head for masked words"):
        measure_single_words(BERT(SIZES, head=False), pool(all=TEXTS))
    with pytest.raises(ValueError, match="the source none must hold sentences"):
        pool(none=[", ,"])
