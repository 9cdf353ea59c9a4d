"""What truncated backpropagation keeps of the gradients."""

import math

import pytest
import torch

from lmcore.recurrence.truncated_bptt import factor_per_step, truncate

HALVES = torch.tensor([[1.0, 0, 0], [0.5, 1, 0], [0.25, 0.5, 1]])


@pytest.mark.parametrize(("steps", "kept", "pairs"), [(1, 3, 3), (2, 4, 5), (3, 4.25, 6)])
def test_a_reach_keeps_the_diagonals_nearest_to_the_loss(steps, kept, pairs):
    found = truncate(HALVES, steps)
    assert found.share == pytest.approx(kept / 4.25)
    assert found.pairs == pairs == int(found.inside.sum())
    assert found.all_pairs == 6
    assert not found.inside.triu(1).any()


def test_nothing_at_all_is_kept_whole():
    assert truncate(torch.zeros(3, 3), 1).share == 1


@pytest.mark.parametrize("steps", [0, 4])
def test_a_reach_that_is_none_is_refused(steps):
    with pytest.raises(ValueError, match=f"must be from 1 to 3 steps; got {steps}"):
        truncate(HALVES, steps)


def test_the_factor_is_what_each_step_back_multiplies_by():
    assert factor_per_step(HALVES) == pytest.approx(0.5)


@pytest.mark.parametrize("norms", [torch.ones(1, 1), torch.tensor([[1.0, 0], [0, 1]])], ids=str)
def test_there_is_no_factor_without_a_step_back_or_with_a_norm_of_0(norms):
    assert math.isnan(factor_per_step(norms))
