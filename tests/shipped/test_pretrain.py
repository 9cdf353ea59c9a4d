"""Training the shipped models: resumable with an equal result, and described on a card."""

import json
from dataclasses import replace

import pytest

from lmcore.shipped import evaluate, models, pretrain
from lmcore.training import checkpoint
from lmcore.training.loop import Training
from lmcore.training.spec import ModelSpec, RunSpec

TINY = RunSpec(model=ModelSpec("rnn", embedding=4, hidden=5), batch=4, steps=8, every=4)


@pytest.fixture
def elsewhere(tmp_path, monkeypatch):
    for module in (models, pretrain):
        monkeypatch.setattr(module, "FOLDER", tmp_path / "models")
    monkeypatch.setattr(pretrain, "UNFINISHED_FOLDER", tmp_path / "halfway")
    monkeypatch.setitem(models.SHIPPED, "tiny", TINY)
    size = lambda name, file: {"size": float(file.stat().st_size)}  # noqa: E731
    monkeypatch.setattr(evaluate, "figures", size)
    return tmp_path


def halt_at(step):
    """A replacement for the training loop that is interrupted after `step` steps."""

    def interrupted(run):
        for event in run:
            yield event
            if run.step == step:
                raise KeyboardInterrupt

    return interrupted


def test_an_interrupted_run_goes_on_and_ends_as_if_it_never_was(elsewhere, monkeypatch):
    whole = pretrain.train("tiny").read_bytes()
    with monkeypatch.context() as patch, pytest.raises(KeyboardInterrupt):
        patch.setattr(pretrain, "SAVING", 0.0)
        patch.setattr(pretrain, "steps", halt_at(5))
        pretrain.train("tiny")
    spent, run = pretrain.begin_or_resume("tiny")
    assert 1 <= run.step <= 5
    assert spent > 0
    assert pretrain.train("tiny").read_bytes() == whole
    assert not list((elsewhere / "halfway").iterdir())


def test_the_card_says_what_it_was_made_of(elsewhere):
    file = pretrain.train("tiny")
    card = json.loads(models.card_path("tiny").read_text("utf-8"))
    network, _, spec, step = checkpoint.load_network(file.read_bytes())
    assert RunSpec.from_json(json.dumps(card["spec"])) == spec == TINY
    assert card["steps"] == step == 8
    assert card["parameters"] == sum(weight.numel() for weight in network.parameters())
    assert card["figures"] == {"size": float(file.stat().st_size)}
    assert card["data"]["source"] == "microworld"
    assert card["seconds"] > 0
    assert card["device"].startswith("CPU")


def test_what_was_saved_of_another_run_is_refused(elsewhere, monkeypatch):
    run = Training(replace(TINY, seed=3))
    pretrain.save_progress("tiny", run, 1.0)
    with pytest.raises(ValueError, match=r"must be of the run that is wanted; .* delete it"):
        pretrain.train("tiny")


@pytest.mark.parametrize("ask", [pretrain.main, evaluate.main])
def test_a_model_that_does_not_ship_is_refused(ask):
    with pytest.raises(ValueError, match=r"the model must be one of .*; got 'gpt5'"):
        ask(["gpt5"])


def test_a_run_that_diverges_makes_no_file(elsewhere, monkeypatch):
    monkeypatch.setitem(
        models.SHIPPED, "tiny", replace(TINY, learning_rate=900.0, clip=0.0, steps=60)
    )
    with pytest.raises(RuntimeError, match=r"tiny: .* η = \d+ is too large"):
        pretrain.train("tiny")
    assert not (elsewhere / "models" / "tiny.safetensors").exists()
