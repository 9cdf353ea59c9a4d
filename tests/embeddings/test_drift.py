"""The record of a run equals the run, and the plane shows the largest share of the variance."""

from dataclasses import replace
from itertools import pairwise

import pytest
import torch

from lmcore.embeddings import drift
from lmcore.training.loop import Training
from lmcore.training.spec import ModelSpec, RunSpec

TINY = RunSpec(model=ModelSpec("feedforward", 5, 7), batch=4, steps=12, every=12)
WORDS = tuple(word for group in drift.GROUPS.values() for word in group)


@pytest.fixture(scope="module")
def tiny():
    return drift.record(TINY, 5)


def test_the_steps_remembered_grow_apart_and_end_at_the_last():
    steps = drift.snapshot_steps(3000, 30)
    gaps = [b - a for a, b in pairwise(steps)]
    assert (steps[0], steps[-1]) == (0, 3000)
    assert gaps == sorted(gaps) and 25 <= len(steps) <= 30


@pytest.mark.parametrize("count", [1, 14])
def test_too_few_or_too_many_snapshots_are_refused(count):
    with pytest.raises(ValueError, match=f"the snapshots must be from 2 to 13; got {count}"):
        drift.snapshot_steps(12, count)


def test_a_record_is_what_the_run_comes_to(tiny):
    run = Training(TINY)
    torch.testing.assert_close(tiny.embedding[0], run.network.embedding.weight.detach())
    list(run)
    torch.testing.assert_close(tiny.embedding[-1], run.network.embedding.weight.detach())
    assert tiny.steps.tolist() == [0, 2, 5, 12]
    assert tiny.words == run.feed.vocabulary.tokens
    assert tiny.losses[-1] < tiny.losses[0]


def test_a_frozen_e_stands_still_and_is_kept_once():
    frozen = drift.record(replace(TINY, freeze_embedding=True), 3)
    assert torch.equal(frozen.embedding[0], frozen.embedding[-1])
    again = drift.load(drift.dump(frozen))
    assert torch.equal(again.embedding, frozen.embedding)


def test_a_record_comes_back_from_its_file(tiny):
    again = drift.load(drift.dump(tiny))
    assert (again.spec, again.words) == (tiny.spec, tiny.words)
    for name in ("steps", "losses", "embedding"):
        assert torch.equal(getattr(again, name), getattr(tiny, name))


def test_a_run_that_diverges_is_not_remembered():
    wild = replace(TINY, optimizer="sgd", learning_rate=1e3, clip=0.0, steps=60, every=60)
    with pytest.raises(ValueError, match="a run to remember must not diverge; got: "):
        drift.record(wild, 3)


def test_the_plane_shows_at_the_end_what_the_singular_values_say(tiny):
    plane = drift.project(tiny, WORDS)
    rows = tiny.embedding[-1, [tiny.words.index(word) for word in WORDS]].double()
    sizes = torch.linalg.svdvals(rows - rows.mean(0)) ** 2
    assert float(plane.share[-1]) == pytest.approx(float(sizes[:2].sum() / sizes.sum()))
    assert plane.points.shape == (4, len(WORDS), 2)
    torch.testing.assert_close(plane.points[-1].square().sum(0), sizes[:2])


def test_no_other_plane_through_the_words_shows_more(tiny):
    plane = drift.project(tiny, WORDS)
    rows = tiny.embedding[-1, [tiny.words.index(word) for word in WORDS]].double()
    centred = rows - rows.mean(0)
    generator = torch.Generator().manual_seed(1)
    for _ in range(20):
        other = torch.linalg.qr(torch.randn(5, 2, generator=generator, dtype=torch.float64)).Q
        share = (centred @ other).square().sum() / centred.square().sum()
        assert share <= plane.share[-1] + 1e-12


def test_a_plane_needs_three_words_that_are_known(tiny):
    with pytest.raises(ValueError, match="a plane must be put through at least 3 words; got 2"):
        drift.project(tiny, ("cat", "dog"))
    with pytest.raises(ValueError, match="a word must be one of the 279 known; got 'zebra'"):
        drift.project(tiny, ("cat", "dog", "zebra"))


def test_the_nearest_words_are_those_of_the_largest_cosine(tiny):
    found = drift.nearest_words(tiny, ("cat", "dog"), count=4)
    cat = tiny.words.index("cat")
    every = [(float(drift.cosine(tiny.embedding[2], cat, i)), i) for i in range(282) if i != cat]
    best = sorted(every, reverse=True)[:4]
    assert found.ids[2, 0].tolist() == [i for _, i in best]
    assert found.cosines[2, 0].tolist() == pytest.approx([cosine for cosine, _ in best])


def test_too_many_neighbours_are_refused(tiny):
    with pytest.raises(ValueError, match="the neighbours must be 1 to 281; got 282"):
        drift.nearest_words(tiny, ("cat",), count=282)


@pytest.mark.parametrize("name", drift.RECORDED_SPECS)
def test_what_comes_with_the_app_is_a_record_of_the_run_named(name):
    record = drift.load_recorded(name)
    assert record.spec == drift.RECORDED_SPECS[name]
    assert record.steps.tolist() == list(drift.snapshot_steps(record.spec.steps, drift.SNAPSHOTS))
    assert set(WORDS) <= set(record.words)


def test_a_record_that_is_not_there_is_named_with_those_that_are():
    with pytest.raises(ValueError, match="the record must be one of learned, frozen; got 'other'"):
        drift.load_recorded("other")
