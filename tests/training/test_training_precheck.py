"""The checks before a run starts give the same messages as its start."""

from dataclasses import replace

import pytest
from runs_at_hand import QUOTED, STORY, TINY

from lmcore.training.batches import build_feed, typical_step_tokens
from lmcore.training.loop import Training
from lmcore.training.precheck import LARGE, check_runnable, fitting_sizes, step_tokens
from lmcore.training.spec import CorpusSpec, ModelSpec, RunSpec

MOST = RunSpec(batch=16, length=32)


def own(tokens, types=7):
    """A text with that many words, and that many types."""
    return CorpusSpec("own", "word", text=" ".join(str(n % types) for n in range(tokens)))


@pytest.mark.parametrize("corpus", [CorpusSpec(), CorpusSpec(documents=13), QUOTED, STORY])
@pytest.mark.parametrize("batch", [1, 3])
def test_tokens_of_the_first_step_are_those_it_reads(corpus, batch):
    spec = replace(TINY, corpus=corpus, batch=batch)
    assert step_tokens(spec) == typical_step_tokens(build_feed(spec))


def test_for_a_large_fixed_set_fresh_documents_stand():
    spec = replace(TINY, corpus=CorpusSpec(documents=LARGE + 1))
    assert step_tokens(spec) == step_tokens(TINY)


@pytest.mark.parametrize(
    "spec",
    [
        replace(TINY, corpus=STORY, batch=64, length=120),
        replace(TINY, corpus=own(10)),
        replace(TINY, corpus=QUOTED, model=ModelSpec("lstm", 64, 512), batch=256, length=512),
        replace(TINY, model=ModelSpec("lstm", 64, 512), batch=256),
        replace(TINY, model=ModelSpec("lstm", 512, 1024, layers=4), batch=1),
    ],
    ids=["short", "shortest", "dear", "dear documents", "large"],
)
def test_what_could_not_begin_is_refused_in_the_same_words(spec):
    with pytest.raises(ValueError, match=r"must have|must take") as before:
        check_runnable(spec, "cpu")
    with pytest.raises(ValueError, match=r"must have|must take") as begun:
        Training(spec)
    assert str(before.value) == str(begun.value)


@pytest.mark.parametrize("tokens", [200, 201, 333, 640, 2_000, 50_000])
def test_a_text_of_any_length_that_is_allowed_can_be_trained_on(tokens):
    spec = replace(MOST, corpus=own(tokens))
    batch, length = fitting_sizes(spec, "cpu")
    assert 1 <= batch <= MOST.batch
    assert 2 <= length <= MOST.length
    Training(replace(spec, batch=batch, length=length))


def test_a_long_text_is_read_as_much_at_once_as_is_wanted_and_a_short_one_less():
    assert fitting_sizes(replace(MOST, corpus=own(50_000)), "cpu") == (16, 32)
    short = [fitting_sizes(replace(MOST, corpus=own(n)), "cpu") for n in (200, 640, 2_000)]
    sizes = [batch * length for batch, length in short]
    assert sizes == sorted(sizes)
    assert sizes[0] < sizes[-1] < 512


def test_many_types_make_a_step_dear_and_it_reads_less():
    spec = replace(MOST, corpus=own(30_000, types=9_000))
    batch, length = fitting_sizes(spec, "cpu")
    assert batch * length < 512
    check_runnable(replace(spec, batch=batch, length=length), "cpu")
    assert fitting_sizes(spec, "cuda") == (16, 32)


def test_the_dearest_step_of_all_is_read_word_by_word():
    spec = replace(MOST, model=ModelSpec("lstm", 512, 1024, layers=4), corpus=own(30_000, 9_000))
    batch, length = fitting_sizes(spec, "cpu")
    assert batch == 1
    assert length >= 2
