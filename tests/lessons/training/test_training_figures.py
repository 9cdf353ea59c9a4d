"""The words about training runs."""

import math
from dataclasses import replace

import pytest

from lessons.training import text
from lmcore.evaluation.probes import FedProbabilities
from lmcore.training.events import Evaluated, History
from lmcore.training.pool.messages import Began
from lmcore.training.pool.runs import RunView
from lmcore.training.spec import CorpusSpec, ModelSpec, RunSpec

TYPES, TRUTH = 100, 1.0
UNKNOWING = math.log(TYPES)


def view(state="finished", *, truth=TRUTH, kind="lstm", step=385):
    spec = RunSpec(model=ModelSpec(kind))
    began = Began("a", TYPES, 1000, truth)
    return RunView("a", spec, state, step, 0, "", 0.0, "CPU", 1, 1, began)


def told(*losses):
    """A history evaluated every ten steps, up to step 380."""
    steps = [380 - 10 * back for back in range(len(losses))][::-1]
    pairs = zip(steps, losses, strict=True)
    return History(evaluations=[Evaluated(step, loss, ()) for step, loss in pairs])


def notice(loss, **about):
    return text.run_notice([view(**about)], [told(4.0, loss)])


def test_the_step_of_the_evaluation_is_named_and_not_that_of_the_run():
    (said,) = notice((UNKNOWING + TRUTH) / 2)
    assert "at step 380: 2.803 nats" in said
    assert "385" not in said
    assert "50.0% of the way to the grammar" in said


def test_a_diverged_run_tells_its_loss_and_no_share():
    assert notice(659.5, state="diverged") == [
        "LSTM diverged: at step 380 its validation loss was 659.5 nats."
    ]
    assert "was not finite." in notice(math.nan, state="diverged")[0]


@pytest.mark.parametrize("loss", [UNKNOWING + 0.1, 659.5, math.inf, math.nan])
def test_above_ln_v_there_is_no_share(loss):
    (said,) = notice(loss)
    assert "worse than uniform guessing, ln |V| = 4.605" in said
    assert "%" not in said


def test_below_the_grammars_own_loss_there_is_no_share_either():
    (said,) = notice(TRUTH - 0.01)
    assert "no more than the grammar's own" in said
    assert "%" not in said


def test_without_a_truth_the_loss_stands_beside_ln_v_alone():
    assert notice(2.0, truth=None) == ["LSTM, validated at step 380: 2 nats, from ln |V| = 4.605."]


@pytest.mark.parametrize("state", ["queued", "running", "copying"])
def test_while_a_run_goes_on_the_lines_are_explained_and_no_number_goes_stale(state):
    assert notice(2.0, state=state) == [text.LINES]


def test_beside_a_run_that_goes_on_one_at_rest_is_told():
    views = [view("paused"), view("running", kind="gru")]
    said = text.run_notice(views, [told(2.0), told(3.0)])
    assert len(said) == 2
    assert said[0].startswith("LSTM, validated")
    assert said[1] == text.LINES


def test_a_run_that_was_never_judged_has_its_lines_explained():
    assert text.run_notice([view()], [History()]) == [text.LINES]
    unborn = replace(view("failed"), began=None)
    assert text.run_notice([unborn], [told(2.0)]) == [text.LINES]


def test_the_dog_stands_beside_the_cat():
    ((label, *numbers),) = text.fed_rows([("LSTM", FedProbabilities(0.2, 0.7, 0.0, 0.4))])
    assert (label, numbers) == ("LSTM", [0.2, 0.7])
    assert len(text.FED) == 3


SMALL = RunSpec(model=ModelSpec("rnn", 3, 5), batch=2, steps=2, every=1)


def test_the_snippet_makes_every_run_of_a_race(capsys):
    specs = [SMALL, replace(SMALL, model=ModelSpec("gru", 3, 5))]
    found = {}
    exec(text.snippet(specs), found)
    assert found["specs"] == specs
    printed = capsys.readouterr().out
    assert "rnn\n" in printed and "gru\n" in printed
    assert printed.count("Finished(step=2)") == 2


def test_the_snippet_of_an_own_text_reads_it_from_a_file(tmp_path, monkeypatch, capsys):
    typed = " ".join(str(n % 7) for n in range(200))
    (tmp_path / "my-text.txt").write_text(typed, "utf-8")
    monkeypatch.chdir(tmp_path)
    spec = replace(SMALL, corpus=CorpusSpec("own", "word", text=typed), length=5)
    written = text.snippet([spec])
    assert typed[:20] not in written
    found = {}
    exec(written, found)
    assert found["specs"] == [spec]
    assert "Finished(step=2)" in capsys.readouterr().out
