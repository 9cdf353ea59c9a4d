"""Computations in a process: equal results, equal refusals, and an end at any moment."""

import pickle
import threading
import time
from functools import partial
from queue import SimpleQueue

import psutil
import pytest
import torch

from lessons.generation import generation_state, generation_views
from lessons.generation.generation_state import GenerationState
from lmcore.decoding.strategies import STRATEGIES, StrategySettings
from lmcore.device import share_cores
from tests.patience import PLENTY
from ui.compute import process_pool, shared_results
from ui.compute.executor import ComputationEnded, Executor


@pytest.fixture(autouse=True, scope="module")
def nothing_left():
    share_cores()  # as in the worker processes, so that both give equal bits
    yield
    process_pool.close()
    assert not calculators()


def calculators():
    """The worker processes of this process."""
    children = psutil.Process().children(recursive=True)
    alive = [each for each in children if each.status() != psutil.STATUS_ZOMBIE]
    return [each for each in alive if "ui.compute.worker" in each.cmdline()]


def test_a_result_and_a_tensor_come_back():
    assert process_pool.call_in_process(partial(max, 1, 2)) == 2
    assert torch.equal(process_pool.call_in_process(partial(torch.arange, 3)), torch.arange(3))


@pytest.mark.parametrize(
    "tensor",
    [
        torch.tensor(0.5, dtype=torch.float64),
        torch.arange(6).reshape(2, 3).T,
        torch.tensor([1.5, -2.0], dtype=torch.bfloat16),
        torch.tensor([True, False]),
        torch.empty(0, 4),
        torch.ones(2, requires_grad=True),
    ],
    ids=lambda tensor: str(tensor.dtype) if isinstance(tensor, torch.Tensor) else None,
)
def test_a_tensor_travels_as_it_is(tensor):
    back = process_pool.call_in_process(partial(max, (tensor,)))
    assert back.dtype == tensor.dtype and back.shape == tensor.shape
    assert torch.equal(back, tensor) and back.requires_grad == tensor.requires_grad
    with torch.no_grad():
        back.zero_()  # the copy is writable, and the original stays unchanged
    assert not tensor.numel() or tensor.any()


def test_a_refusal_comes_back_as_it_was_and_the_process_goes_on():
    with pytest.raises(ValueError, match=r"invalid literal for int\(\) with base 10: 'x'"):
        process_pool.call_in_process(partial(int, "x"))
    before = calculators()
    assert process_pool.call_in_process(partial(int, "7")) == 7
    assert calculators() == before


def test_what_cannot_travel_is_computed_here():
    here = threading.get_ident()
    assert process_pool.call_in_process(lambda: threading.get_ident()) == here


def scene():
    shared_results.clear_results()
    writer = generation_state.session_writer("gpt")
    prompt = writer.read("the animal didn't cross the")
    return GenerationState(
        writer, prompt, "the animal didn't cross the", StrategySettings(), 1, 20, "gpt"
    )


def test_a_model_travels_by_its_name_and_writes_the_same():
    here = scene()
    for name in ("greedy", "beam", "together"):
        plan = generation_views.text_plan(here, STRATEGIES[name])
        write = partial(generation_views.write_text, plan)
        assert len(process_pool._packed(write, process_pool._ByName)) < 5_000, (
            "its weights are 300 kB"
        )
        there = process_pool.call_in_process(write)
        assert there.tokens == write().tokens
        assert torch.equal(there.log_p, write().log_p)


def test_the_models_that_travel_by_name_have_an_end(monkeypatch):
    monkeypatch.setattr(process_pool, "_known", type(process_pool._known)())
    for n in range(2 * process_pool.MAX_NAMED_MODELS):
        process_pool.send_by_name([n], partial(list, (n,)))
    assert len(process_pool._known) == process_pool.MAX_NAMED_MODELS


def test_one_that_takes_too_long_is_ended_with_its_process():
    one = Executor(threads=1, queue=1, seconds=0.2)
    job = one.submit(partial(process_pool.call_in_process, partial(time.sleep, PLENTY)))
    with pytest.raises(ValueError, match=r"stopped after 0\.2 s"):
        while not one.wait(job, 0.05):
            pass
    assert isinstance(job.future.exception(PLENTY), ComputationEnded)
    assert not any(each.cpu_times().user == 0 for each in calculators())
    assert (
        one.submit(partial(process_pool.call_in_process, partial(max, 3, 4))).future.result(PLENTY)
        == 4
    )
    one.close()


def test_whoever_looks_may_end_it():
    class Enough(Exception):
        pass

    def look():
        raise Enough

    with pytest.raises(Enough):
        process_pool.call_in_process(partial(time.sleep, PLENTY), look)


def test_a_limit_of_time_begins_when_the_process_computes():
    process_pool.close()  # a process must be started, which takes longer than the limit
    limit = process_pool.TimeLimit(0.3, "it took too long")
    assert process_pool.call_in_process(partial(max, 1, 2), limit) == 2


def test_a_computation_that_takes_too_long_is_ended():
    limit = process_pool.TimeLimit(0.3, "it took too long")
    with pytest.raises(ValueError, match="it took too long"):
        process_pool.call_in_process(partial(pow, 3, 10**9), limit)
    limit = process_pool.TimeLimit(0.03, "it took too long")
    with pytest.raises(ValueError, match="it took too long"):
        process_pool.call_in_process(partial(time.sleep, PLENTY), limit)


def test_a_process_that_is_killed_is_said_and_replaced():
    process_pool.call_in_process(partial(max, 1, 2))
    killed = threading.Event()

    def look():
        if not killed.is_set():
            killed.set()
            for each in calculators():
                each.kill()

    with pytest.raises(ValueError, match="The process that computed this has ended"):
        process_pool.call_in_process(partial(time.sleep, PLENTY), look)
    assert process_pool.call_in_process(partial(max, 5, 6)) == 6


def test_a_process_that_ended_while_it_was_idle_is_replaced_unseen():
    process_pool.call_in_process(partial(max, 1, 2))
    for each in calculators():
        each.kill()
        each.wait()
    assert process_pool.call_in_process(partial(max, 3, 4)) == 4


class TakenMeanwhile(SimpleQueue):
    """A queue as if another thread emptied it after `empty` had returned False."""

    def empty(self):
        return False


def test_an_idle_process_that_another_thread_has_taken_is_not_waited_for(monkeypatch):
    monkeypatch.setattr(process_pool, "_idle", TakenMeanwhile())
    found = []
    asked = threading.Thread(target=lambda: found.append(process_pool._process()), daemon=True)
    asked.start()
    asked.join(PLENTY)
    assert found, "it waits for a process that another thread has"
    found[0].kill()


def test_at_the_end_no_process_is_left_whatever_it_computes():
    begun, heard = threading.Event(), []

    def ask():
        with pytest.raises(ValueError) as refused:
            process_pool.call_in_process(partial(time.sleep, PLENTY), begun.set)
        heard.append(str(refused.value))

    waiting = threading.Thread(target=ask)
    waiting.start()
    assert begun.wait(PLENTY)
    process_pool.close()
    waiting.join(PLENTY)
    assert heard == [process_pool.LOST_MESSAGE] and not calculators()
    assert process_pool.call_in_process(partial(max, 5, 6)) == 6


def test_a_model_that_comes_back_travels_as_itself():
    made = known_here()
    packed = process_pool._packed((False, made))
    assert pickle.loads(packed)[1] == made


def known_here():
    """A model that the server sends to a process by its name."""
    return process_pool.send_by_name({"a": "model"}, partial(dict, a="model"))
