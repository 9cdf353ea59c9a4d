"""The batches of an encoder: masked words, pairs of texts, and the noun that *it* means."""

from dataclasses import replace

import pytest
import torch

from lmcore.corpora.microworld import microworld
from lmcore.corruption.corruption import NOT_CHOSEN
from lmcore.training.batches import IGNORE_INDEX, TRAINING_SEED
from lmcore.training.loop import Training, batch_losses, validation_loss
from lmcore.training.masked_batches import CLS, MASK, PAD, SEP, MaskedFeed, masked_vocabulary
from lmcore.training.spec import MaskSpec, ModelSpec, RunSpec

SPEC = RunSpec(model=ModelSpec("encoder", embedding=8, hidden=7), batch=40, steps=3, every=3)
NAMED = replace(SPEC, masking=MaskSpec(low=0.02, high=0.02, named=True))
IDS = masked_vocabulary().ids


def test_its_vocabulary_is_the_grammars_with_berts_marks():
    own, types = microworld().vocabulary, masked_vocabulary()
    assert types.tokens[-2:] == (MASK, PAD)
    assert (IDS[CLS], IDS[SEP]) == (own.ids["<s>"], own.ids["</s>"])
    words = [word for word in own.tokens if word not in ("<s>", "</s>")]
    assert types.encode(words) == own.encode(words)
    assert len(types) == len(own) + 2


def restored(batch):
    """The texts before words were masked."""
    chosen = batch.targets != IGNORE_INDEX
    return torch.where(chosen, batch.targets, batch.inputs)


def test_texts_are_documents_or_pairs_of_halves_with_some_words_covered():
    feed, world = MaskedFeed(SPEC), microworld()
    seen = {0: 0, 1: 0, -100: 0}
    for step in range(6):
        batch = feed.batch(step)
        chosen = batch.targets != IGNORE_INDEX
        assert chosen.any(dim=1).all()
        for special in (CLS, SEP, PAD):
            assert not (chosen & (restored(batch) == IDS[special])).any()
        for row, label, segments in zip(
            restored(batch).tolist(), batch.pairs.tolist(), batch.segments.tolist(), strict=True
        ):
            ids = [i for i in row if i != IDS[PAD]]
            seen[label] += 1
            ends = [place for place, i in enumerate(ids) if i == IDS[SEP]]
            assert ids[0] == IDS[CLS] and ends[-1] == len(ids) - 1
            assert len(ends) == (1 if label < 0 else 2)
            second = range(ends[0] + 1, len(ids)) if label >= 0 else range(0)
            assert [place for place, segment in enumerate(segments) if segment] == list(second)
            whole = [i for place, i in enumerate(ids) if place != ends[0] or label < 0]
            likely = world.log_probability(whole) > -float("inf")
            assert likely or label == 1
    assert all(count > 20 for count in seen.values())


def test_each_document_has_one_of_two_shares_of_its_words_covered():
    spec = replace(SPEC, batch=250, masking=MaskSpec(low=0.05, high=0.6, pairs=0.0))
    batch = MaskedFeed(spec).batch(0)
    words = ((batch.inputs != IDS[PAD]).sum(dim=1) - 2).double()
    share = (batch.targets != IGNORE_INDEX).sum(dim=1) / words
    dense = share > 0.3
    assert 0.35 < float(dense.double().mean()) < 0.65
    assert float(share[dense].mean()) == pytest.approx(0.6, abs=0.05)
    assert float(share[~dense].mean()) < 0.15
    assert (batch.pairs == -100).all()


def test_it_is_asked_whom_it_means_where_it_and_the_adjective_can_be_seen():
    feed, plain = MaskedFeed(NAMED), MaskedFeed(replace(NAMED, masking=MaskSpec(0.02, 0.02)))
    asked = 0
    for step in range(8):
        batch, other = feed.batch(step), plain.batch(step)
        assert torch.equal(batch.inputs, other.inputs)
        differ = batch.targets != other.targets
        for row, place in differ.nonzero().tolist():
            assert batch.inputs[row, place] == IDS["it"]
            assert (
                batch.inputs[row, place - 1] == IDS["because"] or other.targets[row, place - 1] > 0
            )
            asked += 1
    assert asked > 50


def test_batches_are_a_function_of_the_seed_and_the_step():
    one, same = MaskedFeed(SPEC).batch(2), MaskedFeed(SPEC).batch(2)
    assert torch.equal(one.inputs, same.inputs)
    validation = MaskedFeed(SPEC).validation[0]
    assert torch.equal(validation.inputs, MaskedFeed(SPEC).validation[0].inputs)
    assert not torch.equal(MaskedFeed(replace(SPEC, seed=1)).batch(2).inputs, one.inputs)
    assert IGNORE_INDEX == NOT_CHOSEN
    assert SPEC.seed != TRAINING_SEED


def test_the_loss_of_pairs_is_that_of_their_labels_and_of_nothing_else():
    run = Training(SPEC)
    batch = run.feed.batch(0)
    said, state = batch_losses(run, batch, None)
    logits = run.network(batch.inputs, segments=batch.segments).next
    asked = batch.pairs >= 0
    rows = logits.log_softmax(-1)[asked, batch.pairs[asked]]
    assert said.pairs.item() == pytest.approx(-rows.mean().item(), rel=1e-5)
    assert state is None
    alone = replace(SPEC, masking=MaskSpec(pairs=0.0))
    assert batch_losses(Training(alone), Training(alone).feed.batch(0), None)[0].pairs is None


def test_validation_is_of_masked_words_alone():
    run = Training(SPEC)
    total = tokens = 0
    for batch in run.feed.validation:
        rows = run.network(batch.inputs, segments=batch.segments).logits.log_softmax(-1)
        chosen = batch.targets >= 0
        total -= rows[chosen, batch.targets[chosen]].sum().item()
        tokens += int(chosen.sum())
    assert validation_loss(run) == pytest.approx(total / tokens, rel=1e-5)


def test_padding_is_seen_by_no_word_of_an_encoder():
    run = Training(SPEC)
    batch = run.feed.batch(0)
    seen = run.network(batch.inputs)
    padded = batch.inputs == run.feed.vocabulary.ids[PAD]
    for block in seen.blocks:
        to_padding = block.attention.weights.transpose(1, 3)[padded]
        assert (to_padding == 0).all()


def test_an_encoder_is_no_language_model():
    with pytest.raises(ValueError, match="an encoder fills in words and is no language model"):
        Training(SPEC).language_model()
