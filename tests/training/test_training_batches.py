from dataclasses import replace

import numpy as np
import pytest
import torch
from runs_at_hand import QUOTED, STORY, TINY

from lmcore.corpora import prose, quoted_text
from lmcore.corpora.documents import concatenate
from lmcore.corpora.microworld import held_out_mask, microworld
from lmcore.tokenization.own_text import OwnText
from lmcore.training.batches import (
    CHARACTERS_AHEAD,
    DOCUMENTS_AHEAD,
    IGNORE_INDEX,
    WINDOWS_AHEAD,
    build_feed,
    fixed_documents,
    lanes,
    split_into_windows,
)
from lmcore.training.spec import CorpusSpec, RunSpec

FIXED = CorpusSpec(documents=13)
CORPORA = [CorpusSpec(), FIXED, QUOTED, STORY]


def same(one, other):
    return (
        one.inputs.shape == other.inputs.shape
        and bool((one.inputs == other.inputs).all())
        and bool((one.targets == other.targets).all())
        and one.fresh == other.fresh
    )


def documents(batch):
    """The documents of a batch, put together again from inputs and targets."""
    for inputs, targets in zip(batch.inputs.numpy(), batch.targets.numpy(), strict=True):
        known = targets != IGNORE_INDEX
        yield np.append(inputs[known], targets[known][-1])


@pytest.mark.parametrize("corpus", CORPORA)
def test_a_batch_depends_on_the_spec_and_the_step_alone(corpus):
    spec = replace(TINY, corpus=corpus)
    forwards = [build_feed(spec).batch(step) for step in (0, 1, 31, 32, 33, 64, 200)]
    reader = build_feed(spec)
    backwards = [reader.batch(step) for step in (200, 64, 33, 32, 31, 1, 0)]
    assert all(map(same, forwards, backwards[::-1]))


@pytest.mark.parametrize("corpus", [CorpusSpec(), FIXED, QUOTED])
def test_another_seed_reads_something_else(corpus):
    spec = replace(TINY, corpus=corpus)
    other = replace(spec, seed=1)
    assert not all(
        same(build_feed(spec).batch(step), build_feed(other).batch(step)) for step in range(3)
    )


@pytest.mark.parametrize("corpus", CORPORA)
def test_validation_is_the_same_for_every_seed(corpus):
    spec = replace(TINY, corpus=corpus)
    assert all(map(same, build_feed(spec).validation, build_feed(replace(spec, seed=9)).validation))


@pytest.mark.parametrize("corpus", CORPORA)
def test_targets_are_the_inputs_one_place_later(corpus):
    batch = build_feed(replace(TINY, corpus=corpus)).batch(2)
    known = batch.targets[:, :-1] != IGNORE_INDEX
    going_on = batch.targets[:, 1:] != IGNORE_INDEX
    assert (batch.inputs[:, 1:][going_on] == batch.targets[:, :-1][going_on]).all()
    assert (known | ~going_on).all()


def test_a_document_begins_and_ends_where_it_should_and_the_rest_is_filled_up():
    batch = build_feed(TINY).batch(5)
    start, end = 0, 1
    assert batch.fresh
    assert (batch.inputs[:, 0] == start).all()
    for row, document in zip(batch.targets, documents(batch), strict=True):
        known = int((row != IGNORE_INDEX).sum())
        assert (row[known:] == IGNORE_INDEX).all()
        assert document[-1] == end
        assert len(document) == known + 1
    assert (batch.inputs >= 0).all()
    assert batch.targets[(batch.targets < 0)].eq(IGNORE_INDEX).all()


@pytest.mark.parametrize("corpus", [CorpusSpec(), CorpusSpec(documents=500)])
def test_held_out_documents_are_never_trained_on(corpus):
    reader = build_feed(replace(TINY, corpus=corpus, batch=16))
    seen = [d for step in range(2 * DOCUMENTS_AHEAD) for d in documents(reader.batch(step))]
    assert not held_out_mask(concatenate(seen)).any()


def test_all_of_the_validation_documents_are_held_out():
    kept = [d for batch in build_feed(TINY).validation for d in documents(batch)]
    assert len(kept) == 128
    assert held_out_mask(concatenate(kept)).all()


def test_a_fixed_corpus_has_only_its_own_documents_and_all_of_them():
    reader = build_feed(replace(TINY, corpus=FIXED))
    own = {document.tobytes() for document in fixed_documents(13)}
    seen = {
        d.tobytes() for step in range(2 * DOCUMENTS_AHEAD) for d in documents(reader.batch(step))
    }
    assert seen == own


def test_truth_is_the_loss_of_the_grammar_itself():
    reader = build_feed(TINY)
    world, total, tokens = microworld(), 0.0, 0
    for batch in reader.validation:
        for document in documents(batch):
            rows = world.log_probabilities(torch.from_numpy(document))
            total -= float(rows[:-1].gather(1, torch.from_numpy(document[1:, None])).sum())
            tokens += len(document) - 1
    assert reader.truth == pytest.approx(total / tokens, rel=1e-9)


def test_truth_is_known_for_the_quoted_text_and_not_for_a_persons_own():
    assert build_feed(replace(TINY, corpus=QUOTED)).truth == quoted_text.entropy()
    assert build_feed(replace(TINY, corpus=STORY)).truth is None


@pytest.mark.parametrize("corpus", [QUOTED, STORY])
def test_each_lane_reads_on_where_it_stopped(corpus):
    reader = build_feed(replace(TINY, corpus=corpus))
    before = reader.batch(0)
    assert before.fresh
    for step in range(1, 9):
        after = reader.batch(step)
        assert not after.fresh
        assert (after.inputs[:, 0] == before.targets[:, -1]).all()
        before = after


def test_the_quoted_text_starts_fresh_when_a_new_stretch_is_drawn():
    reader = build_feed(replace(TINY, corpus=QUOTED))
    fresh = [reader.batch(step).fresh for step in range(2 * WINDOWS_AHEAD)]
    assert fresh == [step % WINDOWS_AHEAD == 0 for step in range(2 * WINDOWS_AHEAD)]
    assert not torch.equal(reader.batch(0).inputs, reader.batch(WINDOWS_AHEAD).inputs)


def test_little_quoted_text_is_drawn_at_once_however_large_a_step_is():
    large = build_feed(replace(TINY, corpus=QUOTED, batch=256, length=512))
    assert large.ahead == 3
    assert [large.batch(step).fresh for step in range(5)] == [True, False, False, True, False]
    assert sum(batch.targets.numel() for batch in large.validation) <= CHARACTERS_AHEAD


def test_a_running_text_is_read_from_end_to_end_and_then_again():
    spec = replace(TINY, corpus=STORY)
    reader, text = build_feed(spec), OwnText(STORY.text, "word")
    count = (len(text.training) - 1) // (3 * 11)
    assert reader.batch(count).fresh
    assert same(reader.batch(count), reader.batch(0))
    read = torch.cat([reader.batch(step).targets for step in range(count)], dim=1)
    assert read.flatten().tolist() == text.training[1 : 1 + count * 33].tolist()


def test_the_end_of_a_running_text_is_kept_for_validation():
    text = OwnText(STORY.text, "word")
    kept = build_feed(replace(TINY, corpus=STORY)).validation
    assert kept[0].fresh
    assert kept[0].inputs[0].tolist() == text.validation[: kept[0].inputs.shape[1]].tolist()


@pytest.mark.skipif(not prose.FILE.exists(), reason="the story is not written yet")
def test_nothing_of_the_validation_text_of_the_prose_is_trained_on():
    spec = replace(TINY, corpus=CorpusSpec("prose", "character"), batch=4, length=60)
    reader = build_feed(spec)
    vocabulary = reader.vocabulary
    seen = "\n\n".join(
        "".join(vocabulary.decode(row.tolist())) for row in lanes(
            OwnText(prose.text(), "character").training, 4, 60)
    )  # fmt: skip
    for batch in reader.validation:
        for row in batch.inputs:
            assert "".join(vocabulary.decode(row.tolist())) not in seen


def test_too_short_a_text_is_refused_with_what_it_must_have():
    with pytest.raises(
        ValueError, match=r"at least 7,681 tokens .* 64 places .* 120 .*; got [\d,]+"
    ):
        build_feed(replace(TINY, corpus=STORY, batch=64, length=120))
    with pytest.raises(ValueError, match="at least 200 words; got 2"):
        build_feed(replace(TINY, corpus=CorpusSpec("own", "word", text="hello world")))


def test_the_shortest_text_that_can_be_read_is_read():
    text = " ".join(str(n % 7) for n in range(200))
    reader = build_feed(replace(TINY, corpus=CorpusSpec("own", "word", text=text)))
    assert reader.batch(0).inputs.shape == (3, 11)
    assert reader.validation[0].inputs.numel() > 0


def test_lanes_stand_end_to_end_and_share_only_their_borders():
    cut = lanes(np.arange(48), 3, 5)
    assert cut.tolist() == [list(range(16)), list(range(15, 31)), list(range(30, 46))]
    first, second, third = split_into_windows(cut, 5)
    assert [first.fresh, second.fresh, third.fresh] == [True, False, False]
    assert third.targets[:, -1].tolist() == [15, 30, 45]


def test_the_feeds_of_all_corpora_give_ids_of_their_vocabulary():
    for corpus in CORPORA:
        reader = build_feed(RunSpec(corpus, batch=3, length=11))
        batch = reader.batch(3)
        assert int(batch.inputs.max()) < len(reader.vocabulary)
