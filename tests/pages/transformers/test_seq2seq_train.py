"""Training a translator on its page: what its runs are tested on, and whose runs are shown."""

import time

import pytest
from test_screen import drawn, fine, opened, said

from lmcore.corpora.translation import held_out_sources, translate
from lmcore.models.recurrent_seq2seq import Seq2Seq
from lmcore.shipped.translator_runs import SENTENCES, judged_lengths, translation_run
from lmcore.training import checkpoint
from lmcore.training.pool.runs import RESTING_STATES
from lmcore.training.spec import ModelSpec, RunSpec
from lmcore.training.translation_batches import write_translations
from tests.patience import PLENTY
from ui import runs

SHORT = {"s2t_task": "copy", "s2t_longest": "3", "s2t_steps": "60"}


@pytest.fixture
def run():
    """A function that starts a run and waits for its end; the runs are deleted afterwards."""
    started = []

    def start(spec):
        name = runs.pool().start(spec)
        started.append(name)
        wait_until_resting(name)
        return name

    yield start
    for name in started:
        runs.pool().delete(name)


def wait_until_resting(name):
    deadline = time.monotonic() + PLENTY
    while runs.pool().view(name).state not in RESTING_STATES:
        assert time.monotonic() < deadline
        time.sleep(0.05)


def train_page(**address):
    return fine(opened("seq2seq", see="Train it here", **address))


def test_what_is_told_of_a_run_is_counted_on_sentences_that_it_was_not_trained_on(run):
    spec = translation_run("copy", longest=3, steps=60)
    name = run(spec)
    network, _, _, step = checkpoint.load_network(runs.pool().checkpoint(name))
    assert isinstance(network, Seq2Seq)
    sources = [
        source
        for length in judged_lengths(spec)
        for source in held_out_sources("copy", length, SENTENCES, 1)
    ]
    right = sum(
        written == translate(source, "copy")
        for source, written in zip(sources, write_translations(network, sources), strict=True)
    )
    assert step == 60
    told = f"step 60: {right} of {len(sources)} sentences that it was not trained on are right"
    assert told in said(train_page(s2_runs=name, **SHORT))


def test_train_both_starts_attention_and_one_vector(run):
    app = fine(train_page(**SHORT).button(key="s2-start-both").click().run())
    names = app.session_state["s2_runs"].split(",")
    scores = [runs.pool().view(name).spec.model.score for name in names]
    assert scores == ["dot", None]
    assert [each["name"] for each in drawn(app, "seq2seq-runs")["runs"]] == names
    for name in names:
        runs.pool().delete(name)


def test_a_run_of_another_page_in_the_address_is_left_out(run):
    name = run(RunSpec(model=ModelSpec("rnn", 4, 4), batch=2, steps=2, every=1))
    app = train_page(s2_runs=name)
    assert drawn(app, "seq2seq-runs")["runs"] == []
    assert "Not started yet" in said(app)
