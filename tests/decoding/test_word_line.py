"""The next word on a line of length 1, against NumPy and against sampling."""

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from lmcore.decoding.word_line import word_line

SCORES = st.lists(st.floats(-8, 8), min_size=2, max_size=12)


@given(SCORES, st.floats(0.1, 3), st.floats(0, 1))
def test_the_parts_are_the_tempered_probabilities_and_u_falls_into_the_chosen_one(scores, heat, u):
    line = word_line(
        torch.tensor(scores),
        torch.tensor(heat, dtype=torch.float64),
        torch.tensor(u, dtype=torch.float64),
    )
    ordered = torch.tensor(scores).double()[line.ranked].numpy()
    assert list(ordered) == sorted(ordered, reverse=True)
    weights = np.exp((ordered - ordered.max()) / heat)
    expected = weights / weights.sum()
    np.testing.assert_allclose(line.probabilities.numpy(), expected, atol=1e-12)
    ends = np.concatenate([[0], np.cumsum(expected)])
    at = int(line.chosen)
    assert ends[at] - 1e-9 <= u <= ends[at + 1] + 1e-9


def test_each_position_is_the_same_as_alone():
    scores = torch.tensor([0.3, 2.0, -1.0, 0.5])
    heats = torch.tensor([[0.5, 1.0], [1.0, 2.0]], dtype=torch.float64)
    draws = torch.tensor([[0.1, 0.9], [0.6, 1.0]], dtype=torch.float64)
    many = word_line(scores, heats, draws)
    for i in range(2):
        for j in range(2):
            one = word_line(scores, heats[i, j], draws[i, j])
            assert int(one.chosen) == int(many.chosen[i, j])
            torch.testing.assert_close(one.probabilities, many.probabilities[i, j])


def test_many_draws_choose_each_word_as_often_as_its_part_is_long():
    scores = torch.tensor([1.0, 0.0, -1.0, 2.0])
    draws = torch.rand(40_000, dtype=torch.float64, generator=torch.Generator().manual_seed(1))
    line = word_line(scores, torch.ones_like(draws), draws)
    shares = torch.bincount(line.chosen, minlength=4) / len(draws)
    torch.testing.assert_close(shares.double(), line.probabilities[0], atol=0.01, rtol=0)


@pytest.mark.parametrize(("heat", "u", "says"), [(0.0, 0.5, "above 0"), (1.0, 1.5, "from 0 to 1")])
def test_what_is_not_allowed_is_named(heat, u, says):
    with pytest.raises(ValueError, match=says):
        word_line(
            torch.tensor([0.0, 1.0]),
            torch.tensor(heat, dtype=torch.float64),
            torch.tensor(u, dtype=torch.float64),
        )


def test_the_frame_has_a_row_a_word():
    line = word_line(
        torch.tensor([0.0, 1.0]),
        torch.tensor(1.0, dtype=torch.float64),
        torch.tensor(0.2, dtype=torch.float64),
    )
    frame = line.to_frame()
    assert list(frame["token"]) == [1, 0]
    assert frame["p"].sum() == pytest.approx(1)
