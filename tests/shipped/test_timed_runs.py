"""Runs within a number of seconds: the learning rate falls with time, and a stop loses little."""

from pathlib import Path

import pytest
import torch

from lmcore.shipped import timed_runs


class Descent:
    """Minimizes w² with AdamW, and records the argument of each step."""

    def __init__(self, spec=1):
        self.step, self.seconds, self.seen, self.spec = 0, 0.0, [], {"spec": spec}
        self.weights = {"w": torch.ones(3, requires_grad=True)}
        self.optimizer = torch.optim.AdamW(self.weights.values(), lr=0.1)

    def learn(self, remaining):
        self.seen.append(remaining)
        self.optimizer.zero_grad()
        loss = (self.weights["w"] ** 2).sum()
        loss.backward()
        self.optimizer.step()
        self.step += 1
        return float(loss.detach())


@pytest.fixture
def file(tmp_path, monkeypatch) -> Path:
    clock = iter(range(0, 10_000, 2))  # a step takes two seconds
    monkeypatch.setattr(timed_runs.time, "monotonic", lambda: float(next(clock)))
    return tmp_path / "run" / "saved.safetensors"


def test_the_rate_falls_evenly_to_zero_and_the_end_is_saved(file, capsys):
    run = Descent()
    timed_runs.train_within(run, 10.0, file)
    assert run.seen == pytest.approx([1.0, 0.8, 0.6, 0.4, 0.2])
    assert timed_runs.read_saved(file).step == 5
    assert capsys.readouterr().out.startswith("10 s, step 5, loss ")


def test_a_saved_run_goes_on_as_if_it_had_not_stopped(file):
    timed_runs.train_within(Descent(), 10.0, file)
    timed_runs.train_within(again := Descent(), 20.0, file)
    assert again.step == 10
    assert again.seen == pytest.approx([0.5, 0.4, 0.3, 0.2, 0.1])
    whole = Descent()
    for _ in range(10):
        whole.learn(1.0)
    assert torch.equal(again.weights["w"], whole.weights["w"])


def test_another_run_and_no_time_are_refused(file):
    timed_runs.train_within(Descent(), 10.0, file)
    with pytest.raises(ValueError, match="must be of this run; it is of another"):
        timed_runs.train_within(Descent(spec=2), 20.0, file)
    with pytest.raises(ValueError, match="the number of seconds must be above 0; got 0"):
        timed_runs.train_within(Descent(), 0.0, file)
    with pytest.raises(ValueError, match=r"a run must be saved in .*other; none is"):
        timed_runs.read_saved(file.with_name("other"))
