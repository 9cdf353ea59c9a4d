"""Run-time checks of types and shapes, in the first calls of each function in a test."""

import pytest
import torch
from jaxtyping import TypeCheckError

from lmcore.attention.learned_positions import likeness
from lmcore.models.attention import AttentionTrace
from tests import first_calls

VECTORS = torch.eye(3)


def test_each_of_a_functions_first_calls_is_checked():
    for _ in range(first_calls.FIRST):
        with pytest.raises(TypeCheckError):
            likeness(VECTORS.long())


def test_so_is_what_a_class_is_made_of():
    square, row = torch.eye(3), torch.ones(3)
    with pytest.raises(TypeCheckError):
        AttentionTrace(square, square, square, square, row)


def test_a_later_call_is_not_but_gives_the_same():
    for _ in range(first_calls.FIRST):
        checked = likeness(VECTORS)
    assert torch.equal(likeness(VECTORS.long()).mean, checked.mean)
